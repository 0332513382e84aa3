//! A disc or sphere that rolls on a plane without sliding and without leaving it.

use super::constraint_schema;
use crate::element::{BlockSchema, Quantity, SignalSchema, acceleration_signal};
use crate::reading::ids::TriadId;
use crate::reading::{Group, parameters, words};

words! {
    /// What rolls.
    pub enum RollingShape {
        /// A thin disc; its axis is the z axis of T1.
        Disc = "disc",
        /// A sphere.
        Sphere = "sphere",
    }
}

parameters! {
    /// A disc or sphere rolls on a plane.
    pub struct Rolling {
        from: TriadId = "TriadFrom", Plus, Unit::None, Required, Any, "T0: its xy plane is the ground, its z axis points to the side of the body that rolls";
        to: TriadId = "TriadTo", Plus, Unit::None, Required, Any, "T1: the centre of the disc or sphere; the z axis is the axis of the disc";
        radius: f64 = "Radius", Plus, Unit::Is("m"), Required, Positive, "radius";
        shape: RollingShape = "Shape", Plus, Unit::None, Word("disc"), Any, "what rolls";
    }
}

/// A component of the force of the plane, by its row of the constraint.
const fn plane_force(name: &'static str, row: u8) -> SignalSchema {
    let doc = "force of the plane at the point of contact, in T0";
    acceleration_signal(name, "N", doc).of(Quantity::ConstraintForce, row)
}

/// The table of the Rolling block.
pub static ROLLING: BlockSchema = constraint_schema(
    "Rolling",
    "A disc or sphere that rolls on a plane: it neither slides nor leaves it.",
    &[Rolling::PARAMETERS],
    // The first of the rows keeps the height: its force is the normal one.
    &[&[plane_force("fx", 1), plane_force("fy", 2), plane_force("fz", 0)]],
);
