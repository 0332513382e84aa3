//! One-dimensional networks: circuits, drive trains, heat and oil, as one system of equations.
//!
//! Components are local equations, joined at nodes: there a potential is equal and a flow sums to zero.
//! Nothing here says in which order the equations are solved; the passes of this module find it.

pub mod discrete;

pub(crate) mod derive;
mod display;
mod emit;
pub mod expr;
pub mod flat;
pub mod names;
pub mod programs;

pub mod affine;
mod alias;
mod combine;
pub(crate) mod compile;
mod coupled;
pub mod coupling;
pub(crate) mod evaluate;
pub(crate) mod explain;
pub(crate) mod islands;
mod kept;
#[allow(clippy::module_inception, reason = "the networks of a model are one network")]
mod network;
pub(crate) mod open;
pub(crate) mod pattern;
pub(crate) mod prepare;
mod report;
pub(crate) mod run;
pub(crate) mod selection;
pub(crate) mod settle;
mod slopes;
mod start;
mod storages;
mod straight;
mod stretch;
pub mod structure;
mod sums;
mod tangent;
mod tearing;
mod torn;
pub(crate) mod walk;

pub use network::Network;
pub use run::{NetworkRun, Span};
