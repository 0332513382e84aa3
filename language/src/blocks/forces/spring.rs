//! A linear spring and damper between the origins of two triads.

use super::{LINE_SIGNALS, force_schema};
use crate::element::{BlockSchema, Origin};
use crate::reading::fields::OneSide;
use crate::reading::ids::TriadId;
use crate::reading::{Group, parameters};

parameters! {
    /// A linear spring and damper between the origins of two triads.
    pub struct Spring {
        from: TriadId = "TriadFrom", DySim, Unit::None, Required, Any, "T0";
        to: TriadId = "TriadTo", DySim, Unit::None, Required, Any, "T1";
        elastic: f64 = "ElasticLinear", DySim, Unit::Is("N/m"), Number(0.0), Any, "stiffness";
        damping: f64 = "DampingLinear", DySim, Unit::Is("N s/m"), Number(0.0), Any, "damping";
        zero_length: f64 = "ZeroLength", DySim, Unit::Is("m"), Number(0.0), Any, "relaxed length";
        one_side: OneSide = "OneSide", DySim, Unit::None, Word("bi"), Any, "`-` acts only while attractive, `+` only while repulsive";
    }
}

/// The table of the Spring block.
pub static SPRING: BlockSchema = force_schema(
    "Spring",
    Origin::DySim,
    "A linear spring and damper between the origins of two triads.",
    &[Spring::PARAMETERS],
    LINE_SIGNALS,
);
