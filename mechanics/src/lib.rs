#![doc = include_str!("../README.md")]
//!
//! # How it works
//!
//! `TreeBuilder` makes an immutable `Tree`; a `Workspace` holds all that changes. An evaluation goes
//!
//! ```text
//! q, v -> kinematics::update_state      relative poses, angular velocities, bias accelerations
//!      -> kinematics::update_world      only if loads or outputs need the world frame
//!      -> loads::add_*                  applied forces, if any
//!      -> recursive::accelerations      vdot (or dense::accelerations, the independent second path)
//!      -> inverse, energy               joint loads, energies, momenta, when asked for
//!      -> derivatives                   of the accelerations by q, v and forces
//! ```
//!
//! Internally each body has a *link frame* fixed to it at its joint. All sweeps work in link
//! frames, so distances from the world origin never enter and long chains keep their digits.
//! Closed loops and other constraints are in `loops`. Not here: the text language, time.

pub mod coordinates;
pub mod dense;
pub mod derivatives;
mod displacement;
pub mod energy;
pub mod error;
pub mod forces;
pub mod frame_pair;
pub mod ids;
pub mod inertia;
pub mod inverse;
pub mod joints;
pub mod kinematics;
pub mod loads;
pub mod loops;
pub mod ports;
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
pub use workspace::{Sweep, Workspace};
