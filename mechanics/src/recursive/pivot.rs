//! Pivots of the elimination, and what is wrong with one.

use crate::error::EvalError;
use crate::ids::JointId;

/// A pivot must exceed this fraction of the inertia from which it was computed by cancellation.
/// The remainder of an exact cancellation is a few units of round-off (2.2e-16) per term; a rod
/// as thin as a hair, a millionth of its length, still has a fraction of 1e-12.
pub(super) const SMALLEST_PIVOT: f64 = 64.0 * f64::EPSILON;

/// A pivot that is too small, or not a number.
#[derive(Clone, Copy, Debug)]
pub(super) struct BadPivot {
    pub freedom: usize,
    pub is_nan: bool,
}

impl BadPivot {
    #[cold]
    pub(super) fn into_error(self, i: usize) -> EvalError {
        let (joint, freedom) = (JointId(i as u32), self.freedom);
        if self.is_nan {
            EvalError::NotFinite { joint, freedom }
        } else {
            EvalError::SingularInertia { joint, freedom }
        }
    }
}

/// The inverse of a pivot; an error if the pivot is round-off of inertias of the given size. Negative pivots occur only
/// with unphysical masses and are allowed.
#[inline(always)]
pub(super) fn invert_pivot(pivot: f64, size: f64, freedom: usize) -> Result<f64, BadPivot> {
    if pivot.abs() > SMALLEST_PIVOT * size.abs() {
        Ok(1.0 / pivot)
    } else {
        Err(BadPivot { freedom, is_nan: pivot.is_nan() || size.is_nan() })
    }
}
