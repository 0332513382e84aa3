//! What the tests share.

pub mod documents;
pub mod fuzz;
pub mod mutate;
