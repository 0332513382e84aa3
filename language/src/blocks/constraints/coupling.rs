//! Couples the coordinates of two joints: a gear, a rack, a belt.

use super::{FORCE, constraint_schema};
use crate::element::BlockSchema;
use crate::reading::fields::SingleJoint;
use crate::reading::{Group, parameters};

parameters! {
    /// Couples the coordinates of two joints.
    pub struct Coupling {
        joint1: SingleJoint = "Joint1", Plus, Unit::None, Required, Any, "joint a, with one freedom";
        joint2: SingleJoint = "Joint2", Plus, Unit::None, Required, Any, "joint b, with one freedom";
        ratio: f64 = "Ratio", Plus, Unit::None, Required, Any, "i in q_a = i q_b";
    }
}

/// The table of the Coupling block.
pub static COUPLING: BlockSchema = constraint_schema(
    "Coupling",
    "Couples the coordinates of two joints: q_a = i q_b.",
    &[Coupling::PARAMETERS],
    &[&[FORCE]],
);
