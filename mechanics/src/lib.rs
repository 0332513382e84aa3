//! The mechanics of trees of rigid bodies, on plain data.
//!
//! `TreeBuilder` makes an immutable `Tree`; a `Workspace` holds all that changes. An evaluation goes
//!
//! ```text
//! q, v -> kinematics::update_state      relative poses, angular velocities, bias accelerations
//!      -> kinematics::update_world      only if loads or outputs need the world frame
//!      -> loads::add_*                  applied forces, if any
//!      -> recursive::accelerations      vdot (or dense::accelerations, the independent second path)
//!      -> inverse, energy               joint loads, energies, momenta, when asked for
//! ```
//!
//! A pendulum, released from the horizontal:
//!
//! ```
//! use mechanics::joints::revolute::RevoluteAxis;
//! use mechanics::*;
//!
//! let mut builder = TreeBuilder::new(vec3(0.0, 0.0, -9.81))?;
//! let axis = RevoluteAxis { axis: Vec3::Y, point: Vec3::ZERO };
//! let rod = builder.add_body(&BodySpec {
//!     mass: 1.0,
//!     inertia: Sym3::diagonal(0.0, 1.0 / 12.0, 1.0 / 12.0),
//!     cg: Pose::from_translation(vec3(0.5, 0.0, 0.0)),
//!     ..BodySpec::new(BodyId::WORLD, Geometry::Revolute(axis))
//! })?;
//! let tree = builder.build();
//! let (mut w, mut vdot) = (Workspace::new(&tree), [0.0]);
//! recursive::forward_dynamics(&tree, &[0.0], &[0.0], &[0.0], &mut w, &mut vdot)?;
//! assert!((vdot[0] - 14.715).abs() < 1e-12);
//!
//! kinematics::update_world(&tree, &[0.0], &mut w);
//! assert_eq!(kinematics::body_pose(&tree, &w, rod), Pose::IDENTITY);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Internally each body has a *link frame* fixed to it at its joint. All sweeps work in link
//! frames, so distances from the world origin never enter and long chains keep their digits.
//! Closed loops and other constraints are in `loops`. Not here: the text language, time.

pub mod coordinates;
pub mod dense;
mod displacement;
pub mod energy;
pub mod error;
pub mod forces;
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
