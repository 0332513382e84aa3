//! Physics and time, as a library: what a system is, its right-hand side, and how time passes.

pub mod analysis;
pub mod blocks;
pub mod bondgraph;
pub mod codes;
pub mod domain;
pub mod element;
pub mod equations;
pub mod expression;
pub mod load;
pub mod model;
pub mod network;
pub mod output;
pub mod plugin;
pub mod reading;
pub mod safe_file;
pub mod simulation;
pub mod spice;
pub mod system;
mod wiring;
mod wording;
