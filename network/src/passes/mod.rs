//! What is found out about the equations before they become code, each pass a function on plain data: aliases, matching
//! and index reduction, choice of states, tearing.

pub(crate) mod alias;
pub mod equation_structure;
pub(crate) mod hidden_constraints;
pub(crate) mod index_reduction;
pub(crate) mod late;
pub(crate) mod linear_form;
pub(crate) mod loop_tearing;
pub(crate) mod matching;
pub(crate) mod state_choice;
pub mod state_selection;
pub(crate) mod storages;
