//! What the tests share.

pub mod programs;
