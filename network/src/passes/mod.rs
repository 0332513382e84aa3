//! What is found out about the equations before they become code, each pass a function on plain data: aliases, matching
//! and index reduction, choice of states, tearing.

pub(crate) mod alias;
pub(crate) mod combine;
pub(crate) mod late;
pub mod selection;
pub(crate) mod storages;
pub mod structure;
pub(crate) mod tearing;
