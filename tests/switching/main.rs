//! What switches in models: friction, stops, locks, time expressions.

mod cases;
mod closed_forms;
mod corners;
mod expressions;
mod locks;
mod one_sided;
mod passive;
mod progress;
mod random;
mod references;
mod steep_roots;
