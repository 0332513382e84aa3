//! From sorted equations to instructions, and their execution: values, linear systems, Newton's iteration, slopes.

pub mod affine;
pub mod block_compiler;
pub mod emit;
pub mod evaluate;
pub mod exponents;
pub mod slopes;
pub mod straight;
pub mod stretch;
pub mod sums;
pub mod tangent;
pub mod torn;
