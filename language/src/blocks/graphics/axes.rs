//! Three axes; z in Color.

use crate::reading::parameters;

parameters! {
    /// Three axes; z in Color.
    pub struct Axes {
        length: f64 = "Length", DySim, Unit::Is("m"), Number(0.25), NotNegative, "length of the axes";
        color_x: [f64; 4] = "ColorX", DySim, Unit::None, SameAs("Color"), Between(0.0, 1.0), "colour of the x axis";
        color_y: [f64; 4] = "ColorY", DySim, Unit::None, SameAs("Color"), Between(0.0, 1.0), "colour of the y axis";
    }
}
