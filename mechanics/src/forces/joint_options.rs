//! Damping, stiffness and stops in a joint.

use super::law::{Effect, Frozen, Law, NoValue, Settling, View, binary, stored, unilateral};
use crate::coordinates::UserCoordinates;
use problem::Side;

/// Viscous damping -d v; on rotations of ball and free joints it acts on the angular velocity.
pub struct JointDampingLaw {
    /// First speed.
    pub start: usize,
    /// Damping of each freedom, N s/m or Nm s/rad.
    pub damping: Box<[f64]>,
}

impl Law for JointDampingLaw {
    fn act(&self, view: &View<'_>, _: Frozen<'_>) -> Result<Effect, NoValue> {
        let mut tau = [0.0; 6];
        for (k, d) in self.damping.iter().enumerate() {
            tau[k] = -d * view.v[self.start + k];
        }
        Ok(Effect::Joint { start: self.start, count: self.damping.len(), tau })
    }

    fn works(&self) -> bool {
        true
    }

    fn deliverable(&self, _: &View<'_>) -> Option<f64> {
        Some(0.0)
    }
}

/// A spring -c (q - q0) on each coordinate.
pub struct JointStiffnessLaw {
    /// The coordinates of the joint.
    pub coordinates: UserCoordinates,
    /// Stiffness of each coordinate, N/m or Nm/rad.
    pub stiffness: Box<[f64]>,
    /// Where each is relaxed, m or rad.
    pub rest: Box<[f64]>,
}

impl Law for JointStiffnessLaw {
    fn act(&self, view: &View<'_>, frozen: Frozen<'_>) -> Result<Effect, NoValue> {
        let (q, _) = self.coordinates.read(view.q, view.v, frozen.memory);
        let mut forces = [0.0; 6];
        for (k, (c, rest)) in self.stiffness.iter().zip(&self.rest).enumerate() {
            forces[k] = -c * (q[k] - rest);
        }
        Ok(self.coordinates.effect(&q, &forces[..self.stiffness.len()]))
    }

    fn works(&self) -> bool {
        false
    }

    fn energy(&self, view: &View<'_>, frozen: Frozen<'_>) -> f64 {
        let (q, _) = self.coordinates.read(view.q, view.v, frozen.memory);
        let each = self.stiffness.iter().zip(&self.rest).zip(q);
        each.map(|((c, rest), q)| 0.5 * c * (q - rest) * (q - rest)).sum()
    }

    fn n_memory(&self) -> usize {
        self.coordinates.n_memory()
    }

    fn fill_memory(&self, memory: &mut [f64]) {
        self.coordinates.fill_memory(memory);
    }

    fn follow(&self, view: &View<'_>, _: u8, memory: &mut [f64]) {
        self.coordinates.follow(view.q, view.v, memory);
    }
}

/// An elastic stop on one coordinate: presses while the coordinate is beyond the limit.
pub struct StopLaw {
    /// The coordinates of the joint.
    pub coordinates: UserCoordinates,
    /// Which coordinate.
    pub component: usize,
    /// Where the stop begins, m or rad.
    pub limit: f64,
    /// +1 for a lower limit, -1 for an upper one.
    pub inwards: f64,
    /// Stiffness, N/m or Nm/rad.
    pub stiffness: f64,
    /// Damping, N s/m or Nm s/rad.
    pub damping: f64,
}

impl StopLaw {
    /// Distance beyond the limit, and the force that presses back.
    fn depth_and_press(&self, view: &View<'_>, memory: &[f64]) -> (f64, f64) {
        let (q, qd) = self.coordinates.read(view.q, view.v, memory);
        let depth = self.inwards * (self.limit - q[self.component]);
        let rate = -self.inwards * qd[self.component];
        (depth, self.stiffness * depth + self.damping * rate)
    }
}

impl Law for StopLaw {
    fn act(&self, view: &View<'_>, frozen: Frozen<'_>) -> Result<Effect, NoValue> {
        if frozen.mode != unilateral::CONTACT {
            return Ok(Effect::None);
        }
        let (_, press) = self.depth_and_press(view, frozen.memory);
        let (q, _) = self.coordinates.read(view.q, view.v, frozen.memory);
        let mut forces = [0.0; 6];
        forces[self.component] = self.inwards * press;
        Ok(self.coordinates.effect(&q, &forces[..self.coordinates.count()]))
    }

    fn works(&self) -> bool {
        true
    }

    fn deliverable(&self, view: &View<'_>) -> Option<f64> {
        let mut memory = [0.0; 6];
        let memory = &mut memory[..self.n_memory()];
        self.fill_memory(memory);
        let (depth, _) = self.depth_and_press(view, memory);
        stored(self.stiffness, depth.max(0.0))
    }

    fn n_guards(&self) -> usize {
        1
    }

    fn n_memory(&self) -> usize {
        self.coordinates.n_memory()
    }

    fn fill_memory(&self, memory: &mut [f64]) {
        self.coordinates.fill_memory(memory);
    }

    fn guards(&self, view: &View<'_>, frozen: Frozen<'_>, values: &mut [f64]) {
        let (depth, press) = self.depth_and_press(view, frozen.memory);
        values[0] = unilateral::guard(depth, press);
    }

    fn sides(&self, mode: u8, sides: &mut [Side]) {
        sides[0] = binary::side(mode);
    }

    fn settle(&self, _: &View<'_>, mode: u8, settling: Settling<'_>) -> u8 {
        binary::settle(mode, settling.sides[0])
    }

    fn follow(&self, view: &View<'_>, _: u8, memory: &mut [f64]) {
        self.coordinates.follow(view.q, view.v, memory);
    }

    fn mode_now(&self, view: &View<'_>, frozen: Frozen<'_>) -> u8 {
        let mut guard = [0.0];
        self.guards(view, frozen, &mut guard);
        binary::of(guard[0])
    }

    fn mode_word(&self, mode: u8) -> &'static str {
        ["free", "at the stop"][usize::from(mode.min(1))]
    }
}
