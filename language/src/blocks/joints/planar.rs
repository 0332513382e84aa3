//! Planar: two translations in a plane and a rotation about its normal; coordinates (shift along
//! e1, shift along e2, angle).

use super::{CONNECTION, COORDINATE_OPTIONS, JointTable, SIGNALS, joint_schema, vector};
use crate::element::{BlockSchema, Coordinate, Origin};
use crate::reading::fields::Degrees;
use crate::reading::{Group, parameters};
use mechanics::Geometry;
use mechanics::joints::planar::PlanarNormal;

parameters! {
    /// Two translations in a plane and a rotation about its normal.
    pub struct PlanarParameters {
        axis: [f64; 3] = "JointAxis", Plus, Unit::None, Numbers(&[0.0, 0.0, 1.0]), Any, "normal of the plane, in T0";
        point: [f64; 3] = "JointPoint", Plus, Unit::Is("m"), Number(0.0), Any, "a point of the axis of rotation, in T0";
        q: [f64; 3] = "Qinit", Plus, Unit::Coordinate, Number(0.0), Any, "initial coordinates";
        qd: [f64; 3] = "QDinit", Plus, Unit::Rate, Number(0.0), Any, "initial rates";
        degrees: Degrees = "Degrees", Plus, Unit::None, Word("rad"), Any, "unit of the angles and angular rates in this block";
    }
}

/// The table of the Planar block.
pub static PLANAR: BlockSchema = joint_schema(
    "Planar",
    Origin::Plus,
    "Two translations in a plane and a rotation about its normal.",
    &[CONNECTION, PlanarParameters::PARAMETERS, COORDINATE_OPTIONS],
    &[Coordinate::Shift, Coordinate::Shift, Coordinate::Angle],
    SIGNALS,
);

impl JointTable for PlanarParameters {
    fn geometry(&self) -> Geometry {
        Geometry::Planar(PlanarNormal { normal: vector(self.axis), point: vector(self.point) })
    }

    fn initial(&self) -> (&[f64], &[f64]) {
        (&self.q, &self.qd)
    }

    fn axes(&self) -> Vec<(&'static str, [f64; 3])> {
        vec![("JointAxis", self.axis)]
    }
}
