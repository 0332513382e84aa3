//! What can be said of a system without integrating it: where it rests, which forces a given motion takes, and
//! how it answers to small disturbances.
//!
//! | file | subject |
//! |---|---|
//! | `mechanism.rs` | independent freedoms and displacements that keep all constraints |
//! | `freedoms.rs` | names, units and typical sizes of the freedoms |
//! | `equilibrium.rs` | `Type = static` |
//! | `kinematic.rs` | `Type = kinematic` |
//! | `linear.rs` | `Type = linear`: A, B, C, D |
//! | `modes.rs` | eigenvalues and mode shapes |
//! | `derivative.rs` | numerics |
//!
//! All of it works on dense matrices and may allocate. Not here: files and the log (`simulation`).

pub mod derivative;
mod equilibrium;
mod freedoms;
mod kinematic;
mod linear;
mod mechanism;
mod modes;
mod trouble;

pub use equilibrium::{Equilibrium, Stability, find_equilibrium};
pub use freedoms::{Freedom, model_size};
pub use kinematic::Driven;
pub use linear::{LinearModel, linearise};
pub use mechanism::{Chart, Mechanism};
pub use modes::{Mode, ModeKind, Modes, modes};
pub use trouble::Trouble;
