//! A torque on a body, given as a function of time and signals.
//!
//! acts on the body of TriadTo; the reaction on that of TriadFrom, if given.

use super::{TORQUE_SIGNALS, VectorFrame, force_schema};
use crate::element::{BlockSchema, Origin};
use crate::reading::fields::TimeVector;
use crate::reading::ids::TriadId;
use crate::reading::{Group, parameters};

parameters! {
    /// A torque on a body, given as a function of time and signals.
    pub struct Torque {
        to: TriadId = "TriadTo", Plus, Unit::None, Required, Any, "the body it acts on";
        from: Option<TriadId> = "TriadFrom", Plus, Unit::None, Absent("no reaction"), Any, "where the reaction acts";
        vector: TimeVector = "Vector", Plus, Unit::Is("Nm"), Required, Any, "components";
        frame: VectorFrame = "Frame", Plus, Unit::None, Word("world"), Any, "axes of the components; `local` are those of TriadTo";
    }
}

/// The table of the Torque block.
pub static TORQUE: BlockSchema = force_schema(
    "Torque",
    Origin::Plus,
    "A torque on a body, given as a function of time and signals.",
    &[Torque::PARAMETERS],
    TORQUE_SIGNALS,
);
