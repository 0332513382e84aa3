//! Hydraulic elements, one file each.
//!
//! Pressures count from that of the tank; dp = p_a - p_b, and the flow q goes into the element at a. Sources fill a.

pub mod check_valve;
pub mod compliance;
pub mod flow_source;
pub mod hydraulic_cylinder;
pub mod hydraulic_resistor;
pub mod inertance;
pub mod pressure_source;
