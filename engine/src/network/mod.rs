//! One-dimensional networks: circuits, and later drive trains, heat and oil, as one system of equations.
//!
//! Components are local equations, joined at nodes: there a potential is equal and a flow sums to zero.
//! Nothing here says in which order the equations are solved; the passes of this module find it.

pub mod domain;
pub mod elements;
