//! A surface from a file.

use crate::reading::fields::FileName;
use crate::reading::parameters;

parameters! {
    /// A surface from a file.
    pub struct Mesh {
        file: FileName = "File", Plus, Unit::None, Required, Any, "STL or OBJ file, relative to the model";
        scale: f64 = "Scale", Plus, Unit::None, Number(1.0), Positive, "factor of all lengths";
    }
}
