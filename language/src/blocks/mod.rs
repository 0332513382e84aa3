//! The blocks of the language: one block, one table, one file.
//!
//! A file says what a block is called and which parameters, units, defaults, ranges and signals it has,
//! and what its values are once they are read. A network element writes its equations there too. What bodies,
//! joints and forces do is in the crate of the mechanics.

pub mod body;
pub mod constraints;
pub mod derived;
pub mod forces;
pub mod formula;
pub mod general;
pub mod graphics;
pub mod joints;
pub mod network;
pub mod sensor;
