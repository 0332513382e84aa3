//! BiPrismatic: two translations along directions fixed in both triads.

use super::{CONNECTION, COORDINATE_OPTIONS, JointTable, SIGNALS, joint_schema, vector};
use crate::element::{BlockSchema, Coordinate, Origin};
use crate::reading::{Group, parameters};
use mechanics::Geometry;
use mechanics::joints::bi_prismatic::BiPrismaticAxes;

parameters! {
    /// Two translations in a plane.
    pub struct BiPrismaticParameters {
        axis1: [f64; 3] = "JointAxis1", DySim, Unit::None, Numbers(&[1.0, 0.0, 0.0]), Any, "first direction, in T0";
        point1: [f64; 3] = "JointPoint1", DySim, Unit::Is("m"), Number(0.0), Any, "has no effect";
        axis2: [f64; 3] = "JointAxis2", DySim, Unit::None, Numbers(&[0.0, 1.0, 0.0]), Any, "second direction, in T0";
        point2: [f64; 3] = "JointPoint2", DySim, Unit::Is("m"), Number(0.0), Any, "has no effect";
        q: [f64; 2] = "Qinit", DySim, Unit::Coordinate, Number(0.0), Any, "initial coordinates";
        qd: [f64; 2] = "QDinit", DySim, Unit::Rate, Number(0.0), Any, "initial rates";
    }
}

/// The table of the BiPrismatic block.
pub static BI_PRISMATIC: BlockSchema = joint_schema(
    "BiPrismatic",
    Origin::DySim,
    "Two translations in a plane.",
    &[CONNECTION, BiPrismaticParameters::PARAMETERS, COORDINATE_OPTIONS],
    &[Coordinate::Shift, Coordinate::Shift],
    SIGNALS,
);

impl JointTable for BiPrismaticParameters {
    fn geometry(&self) -> Geometry {
        Geometry::BiPrismatic(BiPrismaticAxes {
            axis1: vector(self.axis1),
            axis2: vector(self.axis2),
        })
    }

    fn initial(&self) -> (&[f64], &[f64]) {
        (&self.q, &self.qd)
    }

    fn axes(&self) -> Vec<(&'static str, [f64; 3])> {
        vec![("JointAxis1", self.axis1), ("JointAxis2", self.axis2)]
    }
}
