//! Prescribes the coordinates of a joint as functions of time.

use super::{FORCE, constraint_schema};
use crate::element::{BlockSchema, Quantity, acceleration_signal};
use crate::reading::fields::TimePerCoordinate;
use crate::reading::ids::JointId;
use crate::reading::{Group, parameters};

parameters! {
    /// Prescribes the coordinates of a joint.
    pub struct Motion {
        joint: JointId = "Joint", Plus, Unit::None, Required, Any, "the joint that is driven";
        q: TimePerCoordinate = "Q", Plus, Unit::Coordinate, Required, Any, "each coordinate as a function of time; the drive force is a signal";
    }
}

/// The table of the Motion block.
pub static MOTION: BlockSchema = constraint_schema(
    "Motion",
    "Prescribes the coordinates of a joint.",
    &[Motion::PARAMETERS],
    &[&[FORCE, acceleration_signal("power", "W", "power of the drive").of(Quantity::Power, 0)]],
);
