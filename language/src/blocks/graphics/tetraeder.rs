//! Four corners; 2, 3, 4 counter-clockwise seen from 1.

use crate::reading::parameters;

parameters! {
    /// Four corners; 2, 3, 4 counter-clockwise seen from 1.
    pub struct Tetraeder {
        vertex1: [f64; 3] = "Vertex1", DySim, Unit::Is("m"), Numbers(&[0.0, 0.0, 0.0]), Any, "corner 1";
        vertex2: [f64; 3] = "Vertex2", DySim, Unit::Is("m"), Numbers(&[1.0, 0.0, 0.0]), Any, "corner 2";
        vertex3: [f64; 3] = "Vertex3", DySim, Unit::Is("m"), Numbers(&[0.0, 1.0, 0.0]), Any, "corner 3";
        vertex4: [f64; 3] = "Vertex4", DySim, Unit::Is("m"), Numbers(&[0.0, 0.0, 1.0]), Any, "corner 4";
    }
}
