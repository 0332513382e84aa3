//! What switches in models: friction, stops, locks, time expressions.

mod cases;
mod closed_forms;
mod expressions;
mod locks;
mod random;
mod references;
