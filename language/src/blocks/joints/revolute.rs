//! Revolute: one rotation about an axis fixed in both triads.

use super::{CONNECTION, COORDINATE_OPTIONS, JointTable, SIGNALS, joint_schema, vector};
use crate::element::{BlockSchema, Coordinate, Origin};
use crate::reading::fields::Degrees;
use crate::reading::{Group, parameters};
use mechanics::Geometry;
use mechanics::joints::revolute::RevoluteAxis;

parameters! {
    /// One rotation about an axis.
    pub struct RevoluteParameters {
        axis: [f64; 3] = "JointAxis", DySim, Unit::None, Numbers(&[0.0, 0.0, 1.0]), Any, "axis of rotation, in T0";
        point: [f64; 3] = "JointPoint", DySim, Unit::Is("m"), Number(0.0), Any, "a point of the axis, in T0";
        q: [f64; 1] = "Qinit", DySim, Unit::Coordinate, Number(0.0), Any, "initial coordinate";
        qd: [f64; 1] = "QDinit", DySim, Unit::Rate, Number(0.0), Any, "initial rate";
        degrees: Degrees = "Degrees", DySim, Unit::None, Word("rad"), Any, "unit of the angles and angular rates in this block";
    }
}

/// The table of the Revolute block.
pub static REVOLUTE: BlockSchema = joint_schema(
    "Revolute",
    Origin::DySim,
    "One rotation about an axis.",
    &[CONNECTION, RevoluteParameters::PARAMETERS, COORDINATE_OPTIONS],
    &[Coordinate::Angle],
    SIGNALS,
);

impl JointTable for RevoluteParameters {
    fn geometry(&self) -> Geometry {
        Geometry::Revolute(RevoluteAxis { axis: vector(self.axis), point: vector(self.point) })
    }

    fn initial(&self) -> (&[f64], &[f64]) {
        (&self.q, &self.qd)
    }

    fn axes(&self) -> Vec<(&'static str, [f64; 3])> {
        vec![("JointAxis", self.axis)]
    }
}
