//! What the tests share.

pub mod blocks;
pub mod documents;
pub mod everything;
pub mod fuzz;
pub mod mutate;
pub mod ode;
pub mod random;
pub mod random_trees;
pub mod simulate;
