//! Cylindrical: rotation about an axis and translation along it; coordinates (angle, shift).

use super::{CONNECTION, COORDINATE_OPTIONS, JointTable, SIGNALS, joint_schema, vector};
use crate::element::{BlockSchema, Coordinate, Origin};
use crate::reading::fields::Degrees;
use crate::reading::{Group, parameters};
use mechanics::Geometry;
use mechanics::joints::cylindrical::CylindricalAxis;

parameters! {
    /// A rotation about an axis and a translation along it.
    pub struct CylindricalParameters {
        axis: [f64; 3] = "JointAxis", Plus, Unit::None, Numbers(&[0.0, 0.0, 1.0]), Any, "common axis, in T0";
        point: [f64; 3] = "JointPoint", Plus, Unit::Is("m"), Number(0.0), Any, "a point of the axis, in T0";
        q: [f64; 2] = "Qinit", Plus, Unit::Coordinate, Number(0.0), Any, "initial coordinates";
        qd: [f64; 2] = "QDinit", Plus, Unit::Rate, Number(0.0), Any, "initial rates";
        degrees: Degrees = "Degrees", Plus, Unit::None, Word("rad"), Any, "unit of the angles and angular rates in this block";
    }
}

/// The table of the Cylindrical block.
pub static CYLINDRICAL: BlockSchema = joint_schema(
    "Cylindrical",
    Origin::Plus,
    "A rotation about an axis and a translation along it.",
    &[CONNECTION, CylindricalParameters::PARAMETERS, COORDINATE_OPTIONS],
    &[Coordinate::Angle, Coordinate::Shift],
    SIGNALS,
);

impl JointTable for CylindricalParameters {
    fn geometry(&self) -> Geometry {
        Geometry::Cylindrical(CylindricalAxis {
            axis: vector(self.axis),
            point: vector(self.point),
        })
    }

    fn initial(&self) -> (&[f64], &[f64]) {
        (&self.q, &self.qd)
    }

    fn axes(&self) -> Vec<(&'static str, [f64; 3])> {
        vec![("JointAxis", self.axis)]
    }
}
