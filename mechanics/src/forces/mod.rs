//! Force laws: one file each, and the parts that all force laws have in common.
//!
//! Equations give the force or torque on the body of the frame `from` (T0); the body of the frame `to`
//! (T1) gets the opposite.

mod bushing;
mod contact;
mod contact_simple;
mod given;
mod joint_friction;
mod joint_options;
mod joint_spring;
pub mod law;
mod spring;

pub use bushing::BushingLaw;
pub use contact::{ContactLaw, ContactParameters};
pub use contact_simple::ContactSimpleLaw;
pub use given::{GivenJointLaw, GivenLoadLaw};
pub use joint_friction::{JointFrictionLaw, Limit, LockLaw, Sliding};
pub use joint_options::{JointDampingLaw, JointStiffnessLaw, StopLaw};
pub use joint_spring::JointSpringLaw;
pub use spring::SpringLaw;

/// In which direction a spring acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OneSide {
    /// In both.
    Both,
    /// Only repulsive, or only positive.
    Positive,
    /// Only attractive, or only negative.
    Negative,
}
