//! What people read about networks: messages, and the report of `--equations`.

pub(crate) mod display;
pub mod explain;

pub mod report;
