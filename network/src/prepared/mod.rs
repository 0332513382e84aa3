//! One combination of modes: all passes in a row, and the code that they end in.

pub(crate) mod coupled;
pub mod drives;
pub(crate) mod frozen;
pub(crate) mod network;
pub mod prepare;
