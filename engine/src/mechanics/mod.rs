//! The mechanics of trees of rigid bodies, on plain data.
//!
//! `TreeBuilder` makes an immutable `Tree`; a `Workspace` holds all that changes. An evaluation goes
//!
//! ```text
//! q, v -> kinematics::update_state      relative poses, angular velocities, bias accelerations
//!      -> kinematics::update_world_*    only if loads or outputs need the world frame
//!      -> loads::add_*                  applied forces, if any
//!      -> recursive::accelerations      vdot (or dense::accelerations, the independent second path)
//!      -> inverse, energy               joint loads, energies, momenta, when asked for
//! ```
//!
//! Internally each body has a *link frame* fixed to it at its joint. All sweeps work in link
//! frames, so distances from the world origin never enter and long chains keep their digits.
//! Not here: the text language, force laws, closed loops, time.

pub mod constraints;
pub mod coordinates;
pub mod dense;
pub mod energy;
pub mod error;
pub mod forces;
pub mod ids;
pub mod inertia;
pub mod inverse;
pub mod joints;
pub mod kinematics;
pub mod loads;
pub mod quaternion;
pub mod recursive;
pub mod rotation;
pub mod spatial;
pub mod tree;
pub mod vector;
pub mod workspace;

pub use error::{BuildError, EvalError};
pub use ids::{BodyId, JointId};
pub use joints::Geometry;
pub use spatial::{Load, Motion, Pose};
pub use tree::{BodySpec, Tree, TreeBuilder};
pub use vector::{Mat3, Sym3, Vec3, vec3};
pub use workspace::Workspace;
