//! What the tests share.

pub mod ode;
pub mod random;
pub mod random_trees;
