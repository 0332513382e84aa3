//! An ellipsoid around the origin.

use crate::reading::parameters;

parameters! {
    /// An ellipsoid around the origin.
    pub struct Sphere {
        x: f64 = "RadiusX", DySim, Unit::Is("m"), Number(1.0), NotNegative, "half axis along x";
        y: f64 = "RadiusY", DySim, Unit::Is("m"), Number(1.0), NotNegative, "half axis along y";
        z: f64 = "RadiusZ", DySim, Unit::Is("m"), Number(1.0), NotNegative, "half axis along z";
        grid_long: u32 = "GridLong", DySim, Unit::None, Number(8.0), Between(3.0, 4096.0), "subdivisions around the z axis";
        grid_lati: u32 = "GridLati", DySim, Unit::None, Number(8.0), Between(2.0, 4096.0), "subdivisions from pole to pole";
    }
}
