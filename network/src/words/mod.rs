//! What people read about networks: messages, and the report of `--equations`.

mod contradiction;
pub(crate) mod display;
pub mod explain;

pub mod report;
