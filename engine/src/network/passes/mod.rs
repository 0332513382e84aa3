//! What is found out about the equations before they become code, each pass a function on plain data: aliases, matching
//! and index reduction, choice of states, tearing, order of samplers.

pub(crate) mod alias;
pub(crate) mod combine;
pub(crate) mod index_reduction;
pub(crate) mod islands;
pub(crate) mod late;
pub(crate) mod matching;
pub(crate) mod sampling_order;
pub(crate) mod selection;
pub(crate) mod state_choice;
pub(crate) mod storages;
pub mod structure;
pub(crate) mod tearing;
