//! A linear elastic bearing in all six directions.

use super::{SIX_SIGNALS, force_schema};
use crate::element::{BlockSchema, Origin};
use crate::reading::fields::{AngleType, Degrees};
use crate::reading::ids::TriadId;
use crate::reading::{Group, parameters};

parameters! {
    /// A linear elastic bearing in all six directions.
    pub struct Bushing {
        from: TriadId = "TriadFrom", DySim, Unit::None, Required, Any, "T0";
        to: TriadId = "TriadTo", DySim, Unit::None, Required, Any, "T1";
        elastic: Box<[f64; 36]> = "ElasticLinear", DySim, Unit::None, Number(0.0), Any, "stiffness matrix, row by row (N/m, N/rad, Nm/m, Nm/rad)";
        damping: Box<[f64; 36]> = "DampingLinear", DySim, Unit::None, Number(0.0), Any, "damping matrix, row by row";
        angle_type: AngleType = "AngleType", DySim, Unit::None, Word("cardan"), Any, "kind of the angles";
        degrees: Degrees = "Degrees", DySim, Unit::None, Word("rad"), Any, "unit of the angles and angular rates in this block";
    }
}

/// The table of the Bushing block.
pub static BUSHING: BlockSchema = force_schema(
    "Bushing",
    Origin::DySim,
    "A linear elastic bearing in all six directions.",
    &[Bushing::PARAMETERS],
    SIX_SIGNALS,
);
