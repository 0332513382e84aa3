//! Thermal elements, one file each.
//!
//! dT = T_a - T_b, and the heat flow Q goes into the element at a.

pub mod heat_capacity;
pub mod heat_source;
pub mod temperature_source;
pub mod thermal_resistor;
