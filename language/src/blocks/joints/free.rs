//! Free: three translations and three rotations.

use super::{CONNECTION, COORDINATE_OPTIONS, JointTable, ROTATIONAL_SIGNALS, joint_schema};
use crate::element::{BlockSchema, Coordinate, Origin};
use crate::reading::fields::{AngleType, Degrees};
use crate::reading::{Group, parameters};
use mechanics::Geometry;

parameters! {
    /// Three translations and three rotations.
    pub struct FreeParameters {
        q: [f64; 6] = "Qinit", DySim, Unit::Coordinate, Number(0.0), Any, "initial coordinates";
        qd: [f64; 6] = "QDinit", DySim, Unit::Rate, Number(0.0), Any, "initial rates";
        angle_type: AngleType = "AngleType", DySim, Unit::None, Word("euler"), Any, "kind of the angles that are given and reported";
        degrees: Degrees = "Degrees", DySim, Unit::None, Word("rad"), Any, "unit of the angles and angular rates in this block";
    }
}

/// The table of the Free block.
pub static FREE: BlockSchema = joint_schema(
    "Free",
    Origin::DySim,
    "Three translations and three rotations.",
    &[CONNECTION, FreeParameters::PARAMETERS, COORDINATE_OPTIONS],
    &[
        Coordinate::Shift,
        Coordinate::Shift,
        Coordinate::Shift,
        Coordinate::Angle,
        Coordinate::Angle,
        Coordinate::Angle,
    ],
    ROTATIONAL_SIGNALS,
);

impl JointTable for FreeParameters {
    fn geometry(&self) -> Geometry {
        Geometry::Free
    }

    fn initial(&self) -> (&[f64], &[f64]) {
        (&self.q, &self.qd)
    }

    fn angle_type(&self) -> Option<mechanics::rotation::AngleType> {
        Some(self.angle_type.into())
    }
}
