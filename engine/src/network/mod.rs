//! One-dimensional networks: circuits, drive trains, heat and oil, as one system of equations.
//!
//! Components are local equations, joined at nodes: there a potential is equal and a flow sums to zero. Nothing says in
//! which order the equations are solved; the passes of this module find it. The folders are the stages, each of which
//! uses those before it:
//!
//! ```text
//! equations -> passes -> code -> prepared -> run        words: what people read about any of them
//!                    complementarity: the modes of all valves at an event
//! ```

pub mod code;
pub(crate) mod complementarity;
pub mod equations;
pub mod passes;
pub(crate) mod prepared;
pub(crate) mod run;
pub mod words;

pub use prepared::network::Network;
pub use run::{NetworkRun, NetworkState, Span};
