//! The equations of networks and the time expressions in them, as plain data: expressions, unknowns, modes, ports,
//! registers, switches.
//!
//! It uses `parser` for places in the text and messages about them, and `problem` for the words about guards. Not here:
//! who writes the equations (`language`) and who solves them (`network`).

pub mod actions;
pub mod clock;
pub mod codes;
pub mod coupling;
pub mod derive;
pub mod discrete;
pub mod domain;
pub mod equation;
pub mod expr;
pub mod expression;
pub mod flat;
pub mod flattened;
pub mod ids;
pub mod islands;
pub mod names;
pub mod port_inputs;
pub mod programs;
pub mod signal_values;
pub mod span;
pub mod walk;
pub mod wording;
