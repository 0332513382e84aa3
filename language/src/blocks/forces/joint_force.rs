//! A force or torque in a joint, given as a function of time and signals.

use super::{COORDINATE_SIGNALS, force_schema};
use crate::element::{BlockSchema, Origin};
use crate::reading::fields::TimePerCoordinate;
use crate::reading::ids::JointId;
use crate::reading::{Group, parameters};

parameters! {
    /// A force or torque in a joint, given as a function of time and signals.
    pub struct JointForce {
        joint: JointId = "Joint1D", Plus, Unit::None, Required, Any, "the joint it acts in";
        value: TimePerCoordinate = "Value", Plus, Unit::Force, Required, Any, "generalised force for each coordinate";
    }
}

/// The table of the JointForce block.
pub static JOINT_FORCE: BlockSchema = force_schema(
    "JointForce",
    Origin::Plus,
    "A force or torque in a joint, given as a function of time and signals.",
    &[JointForce::PARAMETERS],
    COORDINATE_SIGNALS,
);
