//! Bond graphs as graphs: which causes which, and what can be left out.
//!
//! Nothing here is needed to simulate: the network engine solves the equations of a bond graph in whatever order it
//! finds. This module tells what a person who draws the graph wants to know.

mod causality;
mod check;
mod explain;
mod graph;
mod report;
mod simplification;

pub use causality::{Assignment, BondSide, Cause, Clash, Storage, assign};
pub use check::check;
pub use explain::{Dependence, Loop, dependences, loops};
pub use graph::{Bond, ElementKind, Graph, GraphElement};
pub use report::{notes, report};
pub use simplification::{Simplification, simplify};
