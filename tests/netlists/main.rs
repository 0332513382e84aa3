//! SPICE netlists: their translations against ngspice, where that is installed; the integration server has it.

mod corpus;
mod grammar;
mod ngspice;
mod operating_points;
mod sweeps;
mod transistors;
