//! Elements that users add to dysim: forces, output writers and discrete controllers, one file each.
//!
//! `dysim` links this crate, so that what is declared here can be used in every model.
