//! Centred at the origin, axis z, elliptic ends, may taper.

use crate::reading::parameters;

parameters! {
    /// Centred at the origin, axis z, elliptic ends, may taper.
    pub struct Cylinder {
        bottom_x: f64 = "RadiusBottomX", DySim, Unit::Is("m"), Number(1.0), NotNegative, "half axis of the bottom along x";
        bottom_y: f64 = "RadiusBottomY", DySim, Unit::Is("m"), Number(1.0), NotNegative, "half axis of the bottom along y";
        top_x: f64 = "RadiusTopX", DySim, Unit::Is("m"), Number(1.0), NotNegative, "half axis of the top along x";
        top_y: f64 = "RadiusTopY", DySim, Unit::Is("m"), Number(1.0), NotNegative, "half axis of the top along y";
        height: f64 = "HeightZ", DySim, Unit::Is("m"), Number(1.0), NotNegative, "height";
        grid_long: u32 = "GridLong", DySim, Unit::None, Number(8.0), Between(3.0, 4096.0), "subdivisions around the z axis";
    }
}
