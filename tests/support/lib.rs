//! What the tests share.

pub mod blocks;
pub mod circuits;
pub mod corpus;
pub mod documents;
pub mod event_runs;
pub mod every_block;
pub mod everything;
pub mod expectation;
pub mod fuzz;
pub mod memory;
pub mod mutate;
pub mod ode;
pub mod programs;
pub mod random;
pub mod random_trees;
pub mod rewriting;
pub mod simulate;
pub mod spec_defaults;
