//! Where a plugin puts its forces.

use super::{BodyHandle, JointHandle};
use mechanics::{Load, Vec3};

/// Gathers the forces of one plugin in one evaluation. All vectors and points are in world coordinates.
///
/// Forces add up. Those on the world are allowed and have no effect.
#[derive(Debug, Default, educe::Educe)]
#[educe(Clone)]
pub struct Forces {
    /// Forces and torques: the body, the point where the force acts, force and torque.
    pub loads: Vec<(BodyHandle, Vec3, Load)>,
    /// Forces along coordinates of joints: the joint, the number of the coordinate, the force.
    pub generalised: Vec<(JointHandle, usize, f64)>,
}

impl Forces {
    /// Room for as many forces as a plugin usually has, so that no evaluation needs more.
    pub fn with_room() -> Self {
        Self { loads: Vec::with_capacity(16), generalised: Vec::with_capacity(16) }
    }

    /// Begins the next evaluation.
    pub fn clear(&mut self) {
        self.loads.clear();
        self.generalised.clear();
    }

    /// A force (N) on a body at a point (m).
    #[inline]
    pub fn force(&mut self, body: BodyHandle, point: Vec3, force: Vec3) {
        self.loads.push((body, point, Load::new(Vec3::ZERO, force)));
    }

    /// A torque (N m) on a body.
    #[inline]
    pub fn torque(&mut self, body: BodyHandle, torque: Vec3) {
        self.loads.push((body, Vec3::ZERO, Load::new(torque, Vec3::ZERO)));
    }

    /// A force (N) on the first body at its point (m), and the opposite force on the second body at its
    /// point. Unless the force points along the line between the points, the pair has a torque of its own.
    #[inline]
    pub fn pair(&mut self, a: (BodyHandle, Vec3), b: (BodyHandle, Vec3), force: Vec3) {
        self.pair_with_torque(a, b, force, Vec3::ZERO);
    }

    /// A force (N) and a torque (N m) on the first body, the opposite ones on the second.
    #[inline]
    pub fn pair_with_torque(
        &mut self,
        a: (BodyHandle, Vec3),
        b: (BodyHandle, Vec3),
        force: Vec3,
        torque: Vec3,
    ) {
        let load = Load::new(torque, force);
        self.loads.push((a.0, a.1, load));
        self.loads.push((b.0, b.1, -load));
    }

    /// A torque (N m) on the first body, the opposite one on the second.
    #[inline]
    pub fn torque_pair(&mut self, a: BodyHandle, b: BodyHandle, torque: Vec3) {
        self.torque(a, torque);
        self.torque(b, -torque);
    }

    /// A generalised force (N or N m) on a coordinate of a joint, counted from 0: its power is the force
    /// times the rate of the coordinate. A coordinate that the joint does not have is an error.
    #[inline]
    pub fn generalised(&mut self, joint: JointHandle, coordinate: usize, force: f64) {
        self.generalised.push((joint, coordinate, force));
    }
}
