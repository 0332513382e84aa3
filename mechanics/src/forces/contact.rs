//! A point on a plane that slips and sticks.
//!
//! f_n = k r_n + r01 v_n - r11 r_n v_n; slip: f_t = sigma v_t + mu |f_n| v_t/|v_t|; stick: f_t = k_t (r_t - anchor) + rho_t v_t.

use super::law::{
    Attachment, ContactReport, Effect, Frozen, Law, NoValue, Relative, Settling, View, binary,
    stored, unilateral,
};
use crate::quaternion::Quaternion;
use crate::vector::{Vec3, vec3};
use problem::Side;
use std::f64::consts::TAU;

/// The numbers of a contact.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactParameters {
    /// Normal stiffness k, N/m.
    pub elastic: f64,
    /// Normal damping r01, N s/m.
    pub damping: f64,
    /// Normal damping r11, times depth, N s/m^2.
    pub damping_mixed: f64,
    /// Viscous friction sigma while slipping, N s/m.
    pub slip_damping: f64,
    /// Coefficient mu of sliding friction.
    pub slip_friction: f64,
    /// Speed v_c below which it may stick, m/s.
    pub slip_speed: f64,
    /// Coefficient mu_phi of drilling friction while slipping, m s.
    pub slip_friction_turning: f64,
    /// Drilling rate w_c below which it may stick, rad/s.
    pub slip_rate: f64,
    /// Tangential stiffness k_t while sticking, N/m.
    pub stick_elastic: f64,
    /// Tangential damping rho_t while sticking, N s/m.
    pub stick_damping: f64,
    /// Coefficient mu0 of static friction.
    pub static_friction: f64,
    /// Drilling stiffness k_phi while sticking, Nm/rad.
    pub stick_elastic_turning: f64,
    /// Drilling damping r_phi while sticking, Nm s/rad.
    pub stick_damping_turning: f64,
    /// Coefficient mu0_phi of static drilling friction, m.
    pub static_friction_turning: f64,
}

/// A contact with its frames found.
pub struct ContactLaw {
    /// T0: its xy plane is the surface, z points outwards.
    pub from: Attachment,
    /// T1: its origin is the contact point.
    pub to: Attachment,
    /// The parameters of the contact.
    pub parameters: ContactParameters,
}

/// Modes of the contact.
mod mode {
    pub const APART: u8 = 0;
    pub const SLIP: u8 = 1;
    pub const STICK: u8 = 2;
}

/// Places of the remembered numbers: the anchor in the plane, the torsion angle at sticking, the angle at the last step,
/// and while slipping the velocity at the last step.
mod memory {
    pub const ANCHOR_X: usize = 0;
    pub const ANCHOR_Y: usize = 1;
    pub const ANGLE: usize = 2;
    pub const LAST_ANGLE: usize = 3;
    pub const SLIP_X: usize = 4;
    pub const SLIP_Y: usize = 5;
    pub const COUNT: usize = 6;
}

/// Switching functions.
mod guard {
    /// Positive in contact: the smaller of depth and pressing force.
    pub const TOUCH: usize = 0;
    /// Negative if it may stick.
    pub const SPEED: usize = 1;
    /// Positive while static friction holds.
    pub const RESERVE: usize = 2;
    /// Negative when the sliding velocity turned round.
    pub const REVERSAL: usize = 3;
    /// Negative at a standstill that friction can hold.
    pub const STANDSTILL: usize = 4;
    pub const COUNT: usize = 5;
}

/// Speeds below this have no direction, m/s: far below any that is resolved by an integration.
const NO_DIRECTION: f64 = 1e-150;

/// The fraction of v_c below which sliding stands still: small against what the user calls slow, and
/// large enough to be met before the direction of friction changes faster than steps can follow.
const STANDSTILL: f64 = 1e-3;

/// A speed that counts as standing still where no limit is given, m/s. Below it sliding friction of a contact that cannot stick
/// fades to zero. Without it friction would turn round within the shortest steps where sliding ends, for as long as the
/// contact rests.
const FADING: f64 = 1e-4;

/// A drilling rate below which it may stick. Zero is no limit: the criterion is left out, so that a contact sticks by its speed.
fn limit(given: f64) -> f64 {
    if given > 0.0 { given } else { f64::INFINITY }
}

impl ContactLaw {
    /// f_n = k r_n + r01 v_n - r11 r_n v_n, negative while it presses.
    fn normal(&self, relative: &Relative) -> f64 {
        let p = &self.parameters;
        let (r, v) = (relative.pose.translation.z, relative.velocity.z);
        p.elastic * r + p.damping * v - p.damping_mixed * r * v
    }

    /// The torsion angle xi = phi + psi of D = Dz(xi) * tilt, on the branch nearest to `near`.
    fn torsion(relative: &Relative, near: f64) -> f64 {
        // Of the quaternion of Dz(phi) Dx(theta) Dz(psi): w = cos(theta/2) cos(xi/2), z = cos(theta/2) sin(xi/2).
        let q = Quaternion::from_matrix(&relative.pose.rotation);
        let xi = 2.0 * q.v.z.atan2(q.w);
        xi + TAU * ((near - xi) / TAU).round()
    }

    /// Tangential force and torque about the normal while sticking.
    fn stick(&self, relative: &Relative, memory: &[f64]) -> (Vec3, f64) {
        let p = &self.parameters;
        let (r, v) = (relative.pose.translation, relative.velocity);
        let force = vec3(
            p.stick_elastic * (r.x - memory[memory::ANCHOR_X]) + p.stick_damping * v.x,
            p.stick_elastic * (r.y - memory[memory::ANCHOR_Y]) + p.stick_damping * v.y,
            0.0,
        );
        let xi = Self::torsion(relative, memory[memory::LAST_ANGLE]);
        let twist = xi - memory[memory::ANGLE];
        (force, p.stick_elastic_turning * twist + p.stick_damping_turning * relative.omega.z)
    }

    /// Tangential force and torque about the normal while slipping.
    fn slip(&self, relative: &Relative, press: f64) -> (Vec3, f64) {
        let p = &self.parameters;
        let v = vec3(relative.velocity.x, relative.velocity.y, 0.0);
        let speed = v.norm();
        let coulomb = if self.sticks_ever() {
            if speed > NO_DIRECTION { p.slip_friction * press / speed } else { 0.0 }
        } else {
            // v/|v| continued below v0 by (3 x - x^3)/2 of x = |v|/v0, which meets it with its slope.
            let x = (speed / FADING).min(1.0);
            p.slip_friction * press * 0.5 * (3.0 - x * x) / speed.max(FADING)
        };
        (v * (p.slip_damping + coulomb), p.slip_friction_turning * press * relative.omega.z)
    }

    /// Force and torque on T0's body in T0 coordinates.
    fn force(&self, relative: &Relative, frozen: Frozen<'_>) -> (Vec3, Vec3) {
        let normal = self.normal(relative);
        let (tangential, turning) = match frozen.mode {
            mode::SLIP => self.slip(relative, normal.abs()),
            mode::STICK => self.stick(relative, frozen.memory),
            _ => return (Vec3::ZERO, Vec3::ZERO),
        };
        (tangential + Vec3::Z * normal, Vec3::Z * turning)
    }

    /// Negative if it may stick: |v_t| < v_c and |w_n| < w_c, and static friction would hold with the
    /// anchor here. Without the last, a contact that cannot hold would stick and slip in one instant.
    fn excess_speed(&self, relative: &Relative) -> f64 {
        let p = &self.parameters;
        let sliding = self.excess_sliding(relative, self.speed_limit());
        sliding.max(relative.omega.z.abs() - limit(p.slip_rate))
    }

    /// Negative if the contact may stick with this limit for |v_t|, without regard to the drilling rate.
    fn excess_sliding(&self, relative: &Relative, limit: f64) -> f64 {
        let p = &self.parameters;
        let speed = relative.velocity.x.hypot(relative.velocity.y);
        let torque = p.stick_damping_turning * relative.omega.z.abs();
        (speed - limit).max(-self.margin(relative, p.stick_damping * speed, torque))
    }

    /// Can it stick at all? Not if its parameters say nothing about it: neither a limit nor what holds it then.
    fn sticks_ever(&self) -> bool {
        let p = &self.parameters;
        let holds = p.static_friction > 0.0 && (p.stick_elastic > 0.0 || p.stick_damping > 0.0);
        p.slip_speed > 0.0 || p.slip_rate > 0.0 || holds
    }

    /// The limit for |v_t|. Where none is given it has to stand still: left out, any speed would do that the anchor can hold, so
    /// that a contact would stick in the midst of sliding.
    fn speed_limit(&self) -> f64 {
        let given = self.parameters.slip_speed;
        if given > 0.0 { given } else { FADING }
    }

    /// The speed below which sliding stands still.
    fn standstill(&self) -> f64 {
        let p = &self.parameters;
        if p.slip_speed > 0.0 { STANDSTILL * p.slip_speed } else { FADING }
    }

    /// Static friction minus what it has to hold, positive if it holds. The torsional test is skipped for
    /// contacts without torsional stiffness and damping.
    fn margin(&self, relative: &Relative, force: f64, torque: f64) -> f64 {
        let p = &self.parameters;
        let press = self.normal(relative).abs();
        let margin = p.static_friction * press - force;
        if p.stick_elastic_turning == 0.0 && p.stick_damping_turning == 0.0 {
            return margin;
        }
        margin.min(p.static_friction_turning * press - torque)
    }

    /// Positive while static friction holds.
    fn reserve(&self, relative: &Relative, memory: &[f64]) -> f64 {
        let (force, torque) = self.stick(relative, memory);
        self.margin(relative, force.norm(), torque.abs())
    }

    /// Projects T1 onto the plane and keeps place and angle.
    fn set_anchor(relative: &Relative, memory: &mut [f64]) {
        memory[memory::ANCHOR_X] = relative.pose.translation.x;
        memory[memory::ANCHOR_Y] = relative.pose.translation.y;
        let xi = Self::torsion(relative, 0.0);
        memory[memory::ANGLE] = xi;
        memory[memory::LAST_ANGLE] = xi;
    }
}

impl Law for ContactLaw {
    fn act(&self, view: &View<'_>, frozen: Frozen<'_>) -> Result<Effect, NoValue> {
        if !matches!(frozen.mode, mode::SLIP | mode::STICK) {
            return Ok(Effect::None);
        }
        let relative = Relative::new(view, &self.from, &self.to);
        let (force, torque) = self.force(&relative, frozen);
        Ok(relative.effect(&self.from, &self.to, force, torque))
    }

    fn works(&self) -> bool {
        true
    }

    fn deliverable(&self, view: &View<'_>) -> Option<f64> {
        let depth = -Relative::new(view, &self.from, &self.to).pose.translation.z;
        stored(self.parameters.elastic, depth.max(0.0))
    }

    fn signals(&self, view: &View<'_>, frozen: Frozen<'_>, _: &Effect, values: &mut [f64]) {
        let relative = Relative::new(view, &self.from, &self.to);
        let touching = matches!(frozen.mode, mode::SLIP | mode::STICK);
        values[0] = if touching { f64::from(frozen.mode) } else { 0.0 };
        values[1] = if touching { -self.normal(&relative) } else { 0.0 };
        values[2] = relative.pose.translation.z;
    }

    fn n_guards(&self) -> usize {
        guard::COUNT
    }

    fn n_memory(&self) -> usize {
        memory::COUNT
    }

    fn guards(&self, view: &View<'_>, frozen: Frozen<'_>, values: &mut [f64]) {
        let relative = Relative::new(view, &self.from, &self.to);
        let (depth, press) = (-relative.pose.translation.z, -self.normal(&relative));
        let v = relative.velocity;
        let (x, y) = (frozen.memory[memory::SLIP_X], frozen.memory[memory::SLIP_Y]);
        values[guard::TOUCH] = unilateral::guard(depth, press);
        values[guard::SPEED] = self.excess_speed(&relative);
        values[guard::RESERVE] = self.reserve(&relative, frozen.memory);
        values[guard::REVERSAL] = v.x * x + v.y * y;
        values[guard::STANDSTILL] = self.excess_sliding(&relative, self.standstill());
    }

    fn sides(&self, mode: u8, sides: &mut [Side]) {
        let watched = |is: bool| if is { Side::Positive } else { Side::Unwatched };
        sides[guard::TOUCH] = binary::side(u8::from(mode != mode::APART));
        // Only a falling speed leads to sticking: armed once the speed has been above the limit.
        let may_stick = mode == mode::SLIP && self.sticks_ever();
        sides[guard::SPEED] = watched(may_stick);
        sides[guard::REVERSAL] = watched(may_stick);
        sides[guard::STANDSTILL] = watched(may_stick);
        sides[guard::RESERVE] = watched(mode == mode::STICK);
    }

    fn settle(&self, view: &View<'_>, mode: u8, settling: Settling<'_>) -> u8 {
        let Settling { sides, guards, crossed, memory } = settling;
        if binary::settle(u8::from(mode != mode::APART), sides[guard::TOUCH]) == 0 {
            return mode::APART;
        }
        let relative = Relative::new(view, &self.from, &self.to);
        let slow = guards[guard::SPEED] < 0.0 || sides[guard::SPEED] == Some(Side::Negative);
        let reverses =
            crossed[guard::REVERSAL] && self.excess_sliding(&relative, self.speed_limit()) < 0.0;
        let next = match mode {
            mode::STICK if sides[guard::RESERVE] == Some(Side::Negative) => mode::SLIP,
            mode::STICK => mode::STICK,
            _ if !self.sticks_ever() => mode::SLIP,
            // Where sliding ends or turns round, the direction of its friction is undefined: it sticks
            // if it holds, even while it drills too fast to stick otherwise.
            mode::SLIP if reverses || crossed[guard::STANDSTILL] => mode::STICK,
            // By the falling edge, a crossing; by level at the instant when contact begins.
            mode::SLIP if !crossed[guard::SPEED] => mode::SLIP,
            _ if slow => mode::STICK,
            _ => mode::SLIP,
        };
        if next == mode::STICK && mode != mode::STICK {
            Self::set_anchor(&relative, memory);
        }
        if next == mode::SLIP && (mode != mode::SLIP || crossed[guard::REVERSAL]) {
            memory[memory::SLIP_X..=memory::SLIP_Y].fill(0.0);
        }
        next
    }

    fn mode_at_rest(&self, mode: u8, _: bool) -> u8 {
        // What slips begins anew, and sticks where it is if it can.
        if mode == mode::SLIP { mode::APART } else { mode }
    }

    fn follow(&self, view: &View<'_>, mode: u8, memory: &mut [f64]) {
        let relative = || Relative::new(view, &self.from, &self.to);
        match mode {
            mode::STICK => {
                memory[memory::LAST_ANGLE] = Self::torsion(&relative(), memory[memory::LAST_ANGLE]);
            }
            mode::SLIP => {
                let v = relative().velocity;
                memory[memory::SLIP_X..=memory::SLIP_Y].copy_from_slice(&[v.x, v.y]);
            }
            _ => {}
        }
    }

    fn mode_word(&self, mode: u8) -> &'static str {
        ["apart", "slip", "stick"][usize::from(mode.min(2))]
    }

    fn contact_report(&self, view: &View<'_>, frozen: Frozen<'_>) -> Option<ContactReport> {
        let relative = Relative::new(view, &self.from, &self.to);
        let (force, torque) = self.force(&relative, frozen);
        let stick = frozen.mode == mode::STICK;
        let anchor = [frozen.memory[memory::ANCHOR_X], frozen.memory[memory::ANCHOR_Y]];
        Some(ContactReport {
            position: relative.pose.translation,
            velocity: relative.velocity,
            contact: matches!(frozen.mode, mode::SLIP | mode::STICK),
            stick,
            anchor: if stick { anchor } else { [0.0; 2] },
            force,
            torque,
        })
    }
}
