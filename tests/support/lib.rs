//! What the tests share.

pub mod ode;
