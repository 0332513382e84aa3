//! A point on a plane with linear normal force and viscous friction.
//!
//! f_n = k r_n + r v_n, f_t = r_t v_t while r_n < 0 and f_n < 0.

use super::law::{
    Attachment, Effect, Frozen, Law, NoValue, Relative, Settling, View, binary, unilateral,
};
use super::{CONTACT_SIGNALS, force_schema};
use crate::element::{BlockSchema, Origin};
use crate::mechanics::vector::{Vec3, vec3};
use crate::reading::ids::TriadId;
use crate::reading::{Group, parameters};
use integrate::Side;

parameters! {
    /// A point on a plane with linear normal force and viscous friction.
    pub struct ContactSimple {
        from: TriadId = "TriadFrom", DySim, Unit::None, Required, Any, "T0: its xy plane is the surface, z points outwards";
        to: TriadId = "TriadTo", DySim, Unit::None, Required, Any, "T1: its origin is the contact point";
        elastic: f64 = "ElasticLinearZ", DySim, Unit::Is("N/m"), Number(0.0), Any, "normal stiffness";
        damping: f64 = "DampingLinearZ", DySim, Unit::Is("N s/m"), Number(0.0), Any, "normal damping";
        friction: f64 = "FrictionXY", DySim, Unit::Is("N s/m"), Number(0.0), Any, "viscous friction in the plane";
    }
}

/// The table of the ContactSimple block.
pub static CONTACT_SIMPLE: BlockSchema = force_schema(
    "ContactSimple",
    Origin::DySim,
    "A point on a plane with linear normal force and viscous friction.",
    &[ContactSimple::PARAMETERS],
    CONTACT_SIGNALS,
);

/// A simple contact with its frames found.
pub(crate) struct ContactSimpleLaw {
    pub from: Attachment,
    pub to: Attachment,
    pub elastic: f64,
    pub damping: f64,
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

    fn mode_word(&self, mode: u8) -> &'static str {
        unilateral::word(mode)
    }
}
