//! A coil between two triads that stretches with them.

use crate::reading::ids::TriadId;
use crate::reading::parameters;

parameters! {
    /// A coil between two triads that stretches with them.
    pub struct Coil {
        triad1: TriadId = "Triad1", Plus, Unit::None, Required, Any, "one end";
        triad2: TriadId = "Triad2", Plus, Unit::None, Required, Any, "the other end";
        radius: f64 = "Radius", Plus, Unit::Is("m"), Number(0.05), NotNegative, "radius of the coil";
        coils: u32 = "Coils", Plus, Unit::None, Number(8.0), Between(1.0, 1000.0), "number of turns";
    }
}
