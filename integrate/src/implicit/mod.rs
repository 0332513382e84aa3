//! What implicit methods share: the Jacobian of a problem, and the linear systems of a step.
//!
//! | file | subject |
//! |---|---|
//! | `matrix.rs`, `mass.rs` | the matrices that a problem gives |
//! | `pattern.rs`, `differences.rs` | the Jacobian, of all states or of some |
//! | `lu.rs`, `factors.rs` | factors, dense or sparse |
//!
//! The linear algebra is dense for bodies, whose accelerations depend on everything that hangs together, and
//! sparse for networks.

mod differences;
mod factors;
mod lu;
mod mass;
mod matrix;
mod pattern;

pub use differences::{Differences, StatePoint};
pub(super) use factors::{Factors, is_sparse};
pub(super) use lu::Lu;
pub use mass::Mass;
pub use matrix::Matrix;
pub use pattern::Pattern;
