//! Base in the xy plane, tip at +z.

use crate::reading::parameters;

parameters! {
    /// Base in the xy plane, tip at +z.
    pub struct Cone {
        x: f64 = "RadiusX", DySim, Unit::Is("m"), Number(1.0), NotNegative, "half axis of the base along x";
        y: f64 = "RadiusY", DySim, Unit::Is("m"), Number(1.0), NotNegative, "half axis of the base along y";
        height: f64 = "HeightZ", DySim, Unit::Is("m"), Number(1.0), NotNegative, "height";
        grid_long: u32 = "GridLong", DySim, Unit::None, Number(8.0), Between(3.0, 4096.0), "subdivisions around the z axis";
    }
}
