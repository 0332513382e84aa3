//! One combination of modes: all passes in a row, and the code that they end in.

pub(crate) mod before_forces;
pub(crate) mod combination;
pub(crate) mod combination_equations;
pub(crate) mod coupled;
pub(crate) mod drive_forces;
pub(crate) mod event_values;
pub(crate) mod network_model;
pub(crate) mod prepare;
pub(crate) mod valves;
