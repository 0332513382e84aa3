//! What the tests share.

pub mod blocks;
pub mod bounds;
pub mod circuits;
pub mod closed_forms;
pub mod corpus;
pub mod documents;
pub mod event_runs;
pub mod every_block;
pub mod everything;
pub mod examples;
pub mod expectation;
pub mod extrapolation;
pub mod fuzz;
pub mod fuzz_animation;
pub mod fuzz_engine;
pub mod kirchhoff;
pub mod mechanism;
pub mod mechanism_text;
pub mod mechanisms;
pub mod mutate;
pub mod programs;
pub mod random;
pub mod random_springs;
pub mod random_trees;
pub mod rewriting;
pub mod simulate;
pub mod spec_defaults;
pub mod spec_networks;
pub mod taylor;

// What benchmarks use too.
pub use dysim_generated::{loading, ode, plugins};
