//! What the tests share.

pub mod corpus;
pub mod expectation;
pub mod memory;
