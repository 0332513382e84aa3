//! What can be said of a system without integrating it: where it rests, which forces a given motion takes, and
//! how it answers to small disturbances.
//!
//! | file | subject |
//! |---|---|
//! | `mechanism.rs` | independent freedoms and displacements that keep all constraints |
//! | `freedoms.rs` | names, units and typical sizes of the freedoms |
//! | `equilibrium.rs` | `Type = static` of bodies alone |
//! | `steady_state.rs` | `Type = static` of bodies and networks |
//! | `prescribed_motion.rs` | `Type = kinematic` |
//! | `linearisation.rs` | `Type = linear`: A, B, C, D |
//! | `mode_shapes.rs` | eigenvalues and mode shapes |
//! | `derivative.rs` | numerics |
//!
//! All analyses work on dense matrices and may allocate. Not here: files and the log (`simulation`).

mod analysis_trouble;
pub mod derivative;
mod equilibrium;
mod freedoms;
mod linearisation;
mod mechanism;
mod mode_shapes;
mod prescribed_motion;
mod steady_state;

pub use analysis_trouble::Trouble;
pub use equilibrium::{Equilibrium, Stability, find_equilibrium};
pub use freedoms::{Freedom, model_size};
pub use linearisation::{LinearModel, linearise};
pub use mechanism::{Chart, Mechanism};
pub use mode_shapes::{Mode, ModeKind, Modes, modes};
pub use prescribed_motion::Driven;
pub use steady_state::{SteadyState, find_steady_state};
