//! The words that a system of equations and an integrator share, so that neither has to know the other: guards, events
//! and changes of modes, the names of the methods, and the sorting of what depends on each other.
//!
//! It uses no other crate. Not here: methods and their linear algebra (`integrate`), and any physics.

mod events;
pub mod graph;
mod methods;

pub use events::{Cause, Change, ChangeList, Crossing, Event, GuardId, Side};
pub use methods::MethodKind;
