//! One combination of modes: all passes in a row, and the code that they end in.

pub mod before_forces;
pub mod combination;
pub mod combination_equations;
pub mod coupled;
pub mod drive_forces;
pub mod event_values;
pub mod network_model;
pub mod prepare;
pub mod valves;
