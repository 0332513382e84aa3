//! The equations of the networks as data: expressions, unknowns, modes, ports, registers.

pub(crate) mod clock;
pub mod coupling;
pub(crate) mod derive;
pub mod discrete;
pub mod expr;
pub mod flat;
pub mod names;
pub(crate) mod port_inputs;
pub mod programs;
pub(crate) mod walk;
