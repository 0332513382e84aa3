//! Bond graphs as graphs: which causes which, and what can be left out.
//!
//! Nothing here is needed to simulate: the network engine solves the equations of a bond graph in whatever order it
//! finds. This module tells what a person who draws the graph wants to know.

mod causality;
mod causality_report;
mod cause_tracing;
mod check;
mod derivation;
mod export;
mod export_texts;
mod graph;
mod in_words;
mod matching;
mod measured;
mod simplification;
mod strong_bonds;

pub use causality::{Assignment, Cause, Clash, Root, Storage, assign};
pub use causality_report::{notes, report};
pub use cause_tracing::{Dependence, Loop, dependences, loops};
pub use check::check;
pub use derivation::{Derivation, DerivedPart, derive};
pub use export::{AtStart, Exported, export};
pub use graph::{Bond, BondSide, ElementKind, Graph, GraphElement};
pub use in_words::in_words;
pub use simplification::{Simplification, simplify};
