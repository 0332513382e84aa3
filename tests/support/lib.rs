//! What the tests share.

pub mod random;
pub mod random_trees;
pub mod ode;
