//! One-dimensional networks: circuits, and later drive trains, heat and oil, as one system of equations.
//!
//! Components are local equations, joined at nodes: there a potential is equal and a flow sums to zero.
//! Nothing here says in which order the equations are solved; the passes of this module find it.

pub mod domain;
pub mod elements;

pub mod discrete;

mod derive;
mod display;
mod emit;
pub mod expr;
pub mod flatten;
mod operands;
pub mod programs;

pub mod affine;
mod alias;
mod combine;
pub(crate) mod compile;
mod coupled;
pub mod coupling;
pub(crate) mod evaluate;
pub(crate) mod explain;
mod kept;
#[allow(clippy::module_inception, reason = "the networks of a model are one network")]
mod network;
pub(crate) mod open;
pub(crate) mod pattern;
pub mod ports;
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
pub(crate) mod topology;
mod torn;
mod walk;
pub(crate) mod windings;
mod writer;

pub use network::{Network, check};
pub use run::{NetworkRun, NetworkState};
