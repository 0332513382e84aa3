//! A prism, half its height on each side of the xy plane.

use crate::reading::fields::Groups;
use crate::reading::parameters;

parameters! {
    /// A prism, half its height on each side of the xy plane.
    pub struct Extrude {
        height: f64 = "HeightZ", DySim, Unit::Is("m"), Number(1.0), NotNegative, "height";
        outline: Groups<3> = "VertexList", DySim, Unit::Is("m"), Required, Any, "corners x,y,z counter-clockwise; the third value is ignored";
    }
}
