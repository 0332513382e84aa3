//! The path of a point.

use crate::reading::ids::TriadId;
use crate::reading::parameters;

parameters! {
    /// The path of a point.
    pub struct Trail {
        triad: TriadId = "Triad", Plus, Unit::None, Required, Any, "the point";
        length: Option<f64> = "Length", Plus, Unit::Is("s"), Absent("the whole motion"), Positive, "how far back in time it reaches";
    }
}
