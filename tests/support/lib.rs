//! What the tests share.

pub mod corpus;
pub mod every_block;
pub mod expectation;
pub mod memory;
pub mod rewriting;
pub mod spec_defaults;
