//! Screw: rotation about an axis with an advance along it in proportion to the angle.

use super::{CONNECTION, COORDINATE_OPTIONS, JointTable, SIGNALS, joint_schema, vector};
use crate::element::{BlockSchema, Coordinate, Origin};
use crate::reading::fields::Degrees;
use crate::reading::{Group, parameters};
use mechanics::Geometry;
use mechanics::joints::screw::ScrewAxis;

parameters! {
    /// A rotation about an axis with an advance along it.
    pub struct ScrewParameters {
        axis: [f64; 3] = "JointAxis", Plus, Unit::None, Numbers(&[0.0, 0.0, 1.0]), Any, "axis of the screw, in T0";
        point: [f64; 3] = "JointPoint", Plus, Unit::Is("m"), Number(0.0), Any, "a point of the axis, in T0";
        pitch: f64 = "Pitch", Plus, Unit::Is("m/rad"), Number(0.0), Any, "advance per radian";
        q: [f64; 1] = "Qinit", Plus, Unit::Coordinate, Number(0.0), Any, "initial coordinate";
        qd: [f64; 1] = "QDinit", Plus, Unit::Rate, Number(0.0), Any, "initial rate";
        degrees: Degrees = "Degrees", Plus, Unit::None, Word("rad"), Any, "unit of the angles and angular rates in this block";
    }
}

/// The table of the Screw block.
pub static SCREW: BlockSchema = joint_schema(
    "Screw",
    Origin::Plus,
    "A rotation about an axis with an advance along it.",
    &[CONNECTION, ScrewParameters::PARAMETERS, COORDINATE_OPTIONS],
    &[Coordinate::Angle],
    SIGNALS,
);

impl JointTable for ScrewParameters {
    fn geometry(&self) -> Geometry {
        Geometry::Screw(ScrewAxis {
            axis: vector(self.axis),
            point: vector(self.point),
            pitch: self.pitch,
        })
    }

    fn initial(&self) -> (&[f64], &[f64]) {
        (&self.q, &self.qd)
    }

    fn axes(&self) -> Vec<(&'static str, [f64; 3])> {
        vec![("JointAxis", self.axis)]
    }
}
