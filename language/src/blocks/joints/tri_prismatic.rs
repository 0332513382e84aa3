//! TriPrismatic: three translations along the axes of T0, no rotation.

use super::{CONNECTION, COORDINATE_OPTIONS, JointTable, SIGNALS, joint_schema};
use crate::element::{BlockSchema, Coordinate, Origin};
use crate::reading::{Group, parameters};
use mechanics::Geometry;

parameters! {
    /// Three translations.
    pub struct TriPrismaticParameters {
        q: [f64; 3] = "Qinit", DySim, Unit::Coordinate, Number(0.0), Any, "initial coordinates";
        qd: [f64; 3] = "QDinit", DySim, Unit::Rate, Number(0.0), Any, "initial rates";
    }
}

/// The table of the TriPrismatic block.
pub static TRI_PRISMATIC: BlockSchema = joint_schema(
    "TriPrismatic",
    Origin::DySim,
    "Three translations.",
    &[CONNECTION, TriPrismaticParameters::PARAMETERS, COORDINATE_OPTIONS],
    &[Coordinate::Shift, Coordinate::Shift, Coordinate::Shift],
    SIGNALS,
);

impl JointTable for TriPrismaticParameters {
    fn geometry(&self) -> Geometry {
        Geometry::TriPrismatic
    }

    fn initial(&self) -> (&[f64], &[f64]) {
        (&self.q, &self.qd)
    }
}
