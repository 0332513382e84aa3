//! A point on a plane with linear normal force and viscous friction.
//!
//! f_n = k r_n + r v_n, f_t = r_t v_t while r_n < 0 and f_n < 0.

use super::law::{
    Attachment, Effect, Frozen, Law, NoValue, Relative, Settling, View, binary, stored, unilateral,
};
use crate::vector::{Vec3, vec3};
use problem::Side;

/// A simple contact with its frames found.
pub struct ContactSimpleLaw {
    /// T0: its xy plane is the surface, z points outwards.
    pub from: Attachment,
    /// T1: its origin is the contact point.
    pub to: Attachment,
    /// Normal stiffness, N/m.
    pub elastic: f64,
    /// Normal damping, N s/m.
    pub damping: f64,
    /// Viscous friction in the plane, N s/m.
    pub friction: f64,
}

impl ContactSimpleLaw {
    fn normal(&self, relative: &Relative) -> f64 {
        self.elastic * relative.pose.translation.z + self.damping * relative.velocity.z
    }
}

impl Law for ContactSimpleLaw {
    fn act(&self, view: &View<'_>, frozen: Frozen<'_>) -> Result<Effect, NoValue> {
        if frozen.mode != unilateral::CONTACT {
            return Ok(Effect::None);
        }
        let relative = Relative::new(view, &self.from, &self.to);
        let v = relative.velocity;
        let force = vec3(self.friction * v.x, self.friction * v.y, self.normal(&relative));
        Ok(relative.effect(&self.from, &self.to, force, Vec3::ZERO))
    }

    fn works(&self) -> bool {
        true
    }

    fn deliverable(&self, view: &View<'_>) -> Option<f64> {
        let depth = -Relative::new(view, &self.from, &self.to).pose.translation.z;
        stored(self.elastic, depth.max(0.0))
    }

    fn signals(&self, view: &View<'_>, frozen: Frozen<'_>, _: &Effect, values: &mut [f64]) {
        let relative = Relative::new(view, &self.from, &self.to);
        let touching = frozen.mode == unilateral::CONTACT;
        values[0] = f64::from(touching);
        values[1] = if touching { -self.normal(&relative) } else { 0.0 };
        values[2] = relative.pose.translation.z;
    }

    fn n_guards(&self) -> usize {
        1
    }

    fn guards(&self, view: &View<'_>, _: Frozen<'_>, values: &mut [f64]) {
        let relative = Relative::new(view, &self.from, &self.to);
        values[0] = unilateral::guard(-relative.pose.translation.z, -self.normal(&relative));
    }

    fn sides(&self, mode: u8, sides: &mut [Side]) {
        sides[0] = binary::side(mode);
    }

    fn settle(&self, _: &View<'_>, mode: u8, settling: Settling<'_>) -> u8 {
        binary::settle(mode, settling.sides[0])
    }

    fn mode_now(&self, view: &View<'_>, frozen: Frozen<'_>) -> u8 {
        let mut guard = [0.0];
        self.guards(view, frozen, &mut guard);
        binary::of(guard[0])
    }

    fn mode_word(&self, mode: u8) -> &'static str {
        unilateral::word(mode)
    }
}
