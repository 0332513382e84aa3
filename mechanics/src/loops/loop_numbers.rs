//! The numbers of one constraint: of its rows, and of a joint that closes a loop.

use crate::joints::dual::DualBases;
use crate::spatial::{Load, Motion, Pose};

/// The numbers of the rows of one element.
pub(super) struct ElementRows<'a> {
    pub loads: &'a mut [Load],
    pub gap: &'a mut [f64],
    pub rate: &'a mut [f64],
    pub gamma: &'a mut [f64],
}

/// Kinematics of a joint that closes a loop; tip axes unless said otherwise.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub(super) struct JointState {
    /// Tip frame in the world.
    pub tip: Pose,
    pub phi: [Motion; 6],
    /// The loads of the joint, in tip axes.
    pub bases: DualBases,
    /// The loads conjugate to the freedoms, on the links of T1 and of T0, each in the axes of its link.
    pub free_loads: [[Load; 2]; 6],
    /// Relative acceleration of the two sides if the coordinates have none.
    pub demand: Motion,
}

impl Default for JointState {
    fn default() -> Self {
        Self {
            tip: Pose::IDENTITY,
            phi: [Motion::ZERO; 6],
            bases: DualBases::ZERO,
            free_loads: [[Load::ZERO; 2]; 6],
            demand: Motion::ZERO,
        }
    }
}

/// Position coordinates of a loop joint.
pub(super) struct LoopCoordinates<'a> {
    /// Output: the coordinates now.
    pub q: &'a mut [f64],
    /// Coordinates near the present ones.
    pub last: &'a [f64],
    /// Coordinates at which held freedoms are to be.
    pub target: &'a [f64],
}

/// The motion of held freedoms of a loop joint.
pub(super) struct HeldMotion<'a> {
    pub speeds: &'a [f64],
    pub accelerations: &'a [f64],
}
