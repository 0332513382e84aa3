//! One file per thing that the program does.

pub mod bonds;
pub mod diagram;
pub mod expand;
mod flat_model;
pub mod format;
pub mod generate;
pub mod import_spice;
mod libraries;
pub mod list;
pub mod plot;
pub mod simulate;
mod store;
