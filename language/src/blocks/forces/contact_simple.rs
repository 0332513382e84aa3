//! A point on a plane with linear normal force and viscous friction.

use super::{CONTACT_SIGNALS, force_schema};
use crate::element::{BlockSchema, Origin};
use crate::reading::ids::TriadId;
use crate::reading::{Group, parameters};

parameters! {
    /// A point on a plane with linear normal force and viscous friction.
    pub struct ContactSimple {
        from: TriadId = "TriadFrom", DySim, Unit::None, Required, Any, "T0: its xy plane is the surface, z points outwards";
        to: TriadId = "TriadTo", DySim, Unit::None, Required, Any, "T1: its origin is the contact point";
        elastic: f64 = "ElasticLinearZ", DySim, Unit::Is("N/m"), Number(0.0), Any, "normal stiffness";
        damping: f64 = "DampingLinearZ", DySim, Unit::Is("N s/m"), Number(0.0), Any, "normal damping";
        friction: f64 = "FrictionXY", DySim, Unit::Is("N s/m"), Number(0.0), Any, "viscous friction in the plane";
    }
}

/// The table of the ContactSimple block.
pub static CONTACT_SIMPLE: BlockSchema = force_schema(
    "ContactSimple",
    Origin::DySim,
    "A point on a plane with linear normal force and viscous friction.",
    &[ContactSimple::PARAMETERS],
    CONTACT_SIGNALS,
);
