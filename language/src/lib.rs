//! What a model file means: blocks and their tables, references and expressions, the checked [`Model`](model::Model)
//! with the equations of its networks, and the plugins that add blocks.
//!
//! It uses `parser` for the text, `mechanics` and `equations` for the data that blocks become, and `problem` for the
//! names of methods. Not here: the code of networks (`network`), integrators (`integrate`), or anything that moves: a
//! program that only reads models, such as an animator, builds none of these.

pub mod blocks;
pub mod bondgraph;
pub mod codes;
mod decoding;
pub mod element;
mod expansion;
mod files;
pub mod load;
pub mod model;
pub mod plugin;
pub mod reading;
pub mod safe_file;
pub mod sketch;
pub mod spice;
mod texts;
mod wiring;
pub mod writing;
