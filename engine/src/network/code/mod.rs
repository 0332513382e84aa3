//! From sorted equations to instructions, and their execution: values, linear systems, Newton's iteration, slopes.

pub mod affine;
pub(crate) mod block_compiler;
pub(crate) mod emit;
pub(crate) mod evaluate;
pub(crate) mod slopes;
pub(crate) mod straight;
pub(crate) mod stretch;
pub(crate) mod sums;
pub(crate) mod tangent;
pub(crate) mod torn;
