//! What can be said of a system without integrating it: where it rests, which forces a given motion takes, and
//! how it answers to small disturbances.
//!
//! | file | subject |
//! |---|---|
//! | `mechanism.rs` | independent freedoms and displacements that keep all constraints |
//! | `freedoms.rs` | names, units and typical sizes of the freedoms |
//! | `equilibrium.rs` | `Type = static` of bodies alone |
//! | `steady_state.rs` | `Type = static` of bodies and networks |
//! | `trim.rs` | `Type = static` with inputs for wanted outputs |
//! | `prescribed_motion.rs` | `Type = kinematic` |
//! | `linear_inputs.rs` | what is changed from outside |
//! | `linearisation.rs` | `Type = linear`: A, B, C, D |
//! | `frequency_response.rs` | `Type = frequency` |
//! | `margins.rs` | gain and phase margins of an opened loop |
//! | `mode_shapes.rs` | eigenvalues and mode shapes |
//! | `zeros.rs` | zeros of the linear model |
//!
//! All analyses but the frequency response of networks work on dense matrices, and all may allocate. Not here: files and the log (`simulation`).

mod analysis_trouble;
pub mod equilibrium;
mod freedoms;
mod frequency_response;
mod linear_inputs;
mod linearisation;
mod margins;
mod mechanism;
mod mode_shapes;
mod prescribed_motion;
mod steady_state;
mod trim;
mod zeros;

pub use analysis_trouble::Trouble;
pub use equilibrium::{Equilibrium, Stability, find_equilibrium};
pub use freedoms::{Freedom, model_size};
pub use frequency_response::{Asked, FrequencyResponse};
pub use linear_inputs::{LinearInput, inputs};
pub use linearisation::{LinearModel, linearise};
pub use margins::{Crossing, Margins, find_margins};
pub use mechanism::{Chart, Mechanism};
pub use mode_shapes::{Mode, ModeKind, Modes, modes};
pub use prescribed_motion::Driven;
pub use steady_state::{SteadyState, find_steady_state};
pub use trim::{Trimmed, trim};
pub use zeros::{Zeros, zeros};
