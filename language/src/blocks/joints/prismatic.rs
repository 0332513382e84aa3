//! Prismatic: one translation along an axis fixed in both triads.

use super::{CONNECTION, COORDINATE_OPTIONS, JointTable, SIGNALS, joint_schema, vector};
use crate::element::{BlockSchema, Coordinate, Origin};
use crate::reading::{Group, parameters};
use mechanics::Geometry;
use mechanics::joints::prismatic::PrismaticAxis;

parameters! {
    /// One translation along an axis.
    pub struct PrismaticParameters {
        axis: [f64; 3] = "JointAxis", DySim, Unit::None, Numbers(&[0.0, 0.0, 1.0]), Any, "direction of the translation, in T0";
        point: [f64; 3] = "JointPoint", DySim, Unit::Is("m"), Number(0.0), Any, "has no effect";
        q: [f64; 1] = "Qinit", DySim, Unit::Coordinate, Number(0.0), Any, "initial coordinate";
        qd: [f64; 1] = "QDinit", DySim, Unit::Rate, Number(0.0), Any, "initial rate";
    }
}

/// The table of the Prismatic block.
pub static PRISMATIC: BlockSchema = joint_schema(
    "Prismatic",
    Origin::DySim,
    "One translation along an axis.",
    &[CONNECTION, PrismaticParameters::PARAMETERS, COORDINATE_OPTIONS],
    &[Coordinate::Shift],
    SIGNALS,
);

impl JointTable for PrismaticParameters {
    fn geometry(&self) -> Geometry {
        Geometry::Prismatic(PrismaticAxis { axis: vector(self.axis) })
    }

    fn initial(&self) -> (&[f64], &[f64]) {
        (&self.q, &self.qd)
    }

    fn axes(&self) -> Vec<(&'static str, [f64; 3])> {
        vec![("JointAxis", self.axis)]
    }
}
