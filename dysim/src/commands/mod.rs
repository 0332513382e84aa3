//! One file per thing that the program does.

pub mod format;
pub mod generate;
pub mod list;
pub mod simulate;
