//! The blocks of the language: one block, one table, one file.
//!
//! A file says what a block is called and which parameters, units, defaults, ranges and signals it has,
//! and what its values are once they are read. What a block does is not here.

pub mod body;
pub mod constraints;
pub mod forces;
pub mod general;
pub mod graphics;
pub mod joints;
