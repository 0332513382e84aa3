//! Keeps the distance of two points.

use super::{FORCE, constraint_schema};
use crate::element::BlockSchema;
use crate::reading::ids::TriadId;
use crate::reading::{Group, parameters};

parameters! {
    /// Keeps the distance of two points.
    pub struct Rod {
        from: TriadId = "TriadFrom", Plus, Unit::None, Required, Any, "one end";
        to: TriadId = "TriadTo", Plus, Unit::None, Required, Any, "the other end";
        length: Option<f64> = "Length", Plus, Unit::Is("m"), Absent("the initial distance"), Positive, "distance of the ends";
    }
}

/// The table of the Rod block.
pub static ROD: BlockSchema = constraint_schema(
    "Rod",
    "A massless rod: keeps the distance of two points.",
    &[Rod::PARAMETERS],
    &[&[FORCE]],
);
