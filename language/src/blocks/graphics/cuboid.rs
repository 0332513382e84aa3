//! Centred at the origin, sides parallel to the axes.

use crate::reading::parameters;

parameters! {
    /// Centred at the origin, sides parallel to the axes.
    pub struct Cuboid {
        x: f64 = "LengthX", DySim, Unit::Is("m"), Number(1.0), NotNegative, "length along x";
        y: f64 = "LengthY", DySim, Unit::Is("m"), Number(1.0), NotNegative, "length along y";
        z: f64 = "LengthZ", DySim, Unit::Is("m"), Number(1.0), NotNegative, "length along z";
    }
}
