//! Spherical: three rotations about the common origin of the triads.

use super::{CONNECTION, COORDINATE_OPTIONS, JointTable, ROTATIONAL_SIGNALS, joint_schema};
use crate::element::{BlockSchema, Coordinate, Origin};
use crate::reading::fields::{AngleType, Degrees};
use crate::reading::{Group, parameters};
use mechanics::Geometry;

parameters! {
    /// Three rotations, without singular positions.
    pub struct SphericalParameters {
        q: [f64; 3] = "Qinit", DySim, Unit::Coordinate, Number(0.0), Any, "initial coordinates";
        qd: [f64; 3] = "QDinit", DySim, Unit::Rate, Number(0.0), Any, "initial rates";
        angle_type: AngleType = "AngleType", DySim, Unit::None, Word("euler"), Any, "kind of the angles that are given and reported";
        degrees: Degrees = "Degrees", DySim, Unit::None, Word("rad"), Any, "unit of the angles and angular rates in this block";
    }
}

/// The table of the Spherical block.
pub static SPHERICAL: BlockSchema = joint_schema(
    "Spherical",
    Origin::DySim,
    "Three rotations, without singular positions.",
    &[CONNECTION, SphericalParameters::PARAMETERS, COORDINATE_OPTIONS],
    &[Coordinate::Angle, Coordinate::Angle, Coordinate::Angle],
    ROTATIONAL_SIGNALS,
);

impl JointTable for SphericalParameters {
    fn geometry(&self) -> Geometry {
        Geometry::Spherical
    }

    fn initial(&self) -> (&[f64], &[f64]) {
        (&self.q, &self.qd)
    }

    fn angle_type(&self) -> Option<mechanics::rotation::AngleType> {
        Some(self.angle_type.into())
    }
}
