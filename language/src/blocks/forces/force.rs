//! A force at a point, given as a function of time and signals.
//!
//! acts on the body of TriadTo; the reaction on that of TriadFrom, if given.

use super::{FORCE_SIGNALS, VectorFrame, force_schema};
use crate::element::{BlockSchema, Origin};
use crate::reading::fields::TimeVector;
use crate::reading::ids::TriadId;
use crate::reading::{Group, parameters};

parameters! {
    /// A force at a point, given as a function of time and signals.
    pub struct Force {
        to: TriadId = "TriadTo", Plus, Unit::None, Required, Any, "the point it acts at";
        from: Option<TriadId> = "TriadFrom", Plus, Unit::None, Absent("no reaction"), Any, "where the reaction acts";
        vector: TimeVector = "Vector", Plus, Unit::Is("N"), Required, Any, "components";
        frame: VectorFrame = "Frame", Plus, Unit::None, Word("world"), Any, "axes of the components; `local` are those of TriadTo";
    }
}

/// The table of the Force block.
pub static FORCE: BlockSchema = force_schema(
    "Force",
    Origin::Plus,
    "A force at a point, given as a function of time and signals.",
    &[Force::PARAMETERS],
    FORCE_SIGNALS,
);
