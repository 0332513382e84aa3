//! What elements write their equations with.
//!
//! An element sees its own parameters and a [`Writer`]: unknowns, equations, nodes, modes, time expressions, registers,
//! and the border to the mechanics. Nothing here knows which elements there are; what an element may ask about the rest
//! of the model is a trait ([`Surroundings`]).

mod actions;
mod mechanical_border;
mod operands;
mod rates;
mod sampled;
mod shared_flux;
mod stored_energy;
mod surroundings;
mod terminals;
pub(crate) mod text_lines;
pub(crate) mod time_programs;
mod writer;

pub(crate) use actions::Line;
pub(crate) use operands::Operand;
pub(crate) use sampled::{Sampled, SampledForm};
pub(crate) use shared_flux::{Rigid, Share, Windings};
pub(crate) use stored_energy::{Store, stored_energy, with_own, work_of_law};
pub use surroundings::{NodeFacts, Surroundings};
pub use terminals::{Flange, Sticking, Terminal, TwoFlange, TwoPin, TwoPort};
pub(crate) use writer::BondPort;
pub use writer::{Mode, Writer};
