//! Equations of one's own: unknowns, ports, and the lines that relate them.

pub mod equation_lines;
pub mod port;
pub mod variable;
