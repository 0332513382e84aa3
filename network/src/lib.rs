//! One-dimensional networks: circuits, drive trains, heat and oil, as one system of equations.
//!
//! Components are local equations, joined at nodes: there a potential is equal and a flow sums to zero. Nothing says in
//! which order the equations are solved; the passes of this crate find it. The folders are the stages, each of which
//! uses those before it; the first stage, the equations as data, is the crate `equations`:
//!
//! ```text
//! equations -> passes -> code -> prepared -> run        words: what people read about any of these stages
//!                    complementarity: the modes of all valves at an event
//! ```
//!
//! It uses the linear algebra of `integrate` and the ports of `mechanics`. Not here: blocks, models and files.

pub mod code;
mod complementarity;
pub mod passes;
pub mod prepared;
pub mod response;
pub mod run;
pub mod words;

pub use equations::span::Span;
pub use prepared::network_model::Network;
pub use run::{NetworkRun, NetworkState};
