//! What the tests share.

pub mod corpus;
pub mod documents;
pub mod event_runs;
pub mod every_block;
pub mod expectation;
pub mod fuzz;
pub mod memory;
pub mod mutate;
pub mod ode;
pub mod random;
pub mod random_trees;
pub mod rewriting;
pub mod spec_defaults;
