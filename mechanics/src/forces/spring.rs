//! A linear spring and damper between the origins of two triads.
//!
//! f = (k (s - s0) + r ds/dt) e_s on the body of T0, e_s from T0 to T1.

use super::OneSide;
use super::law::{
    Attachment, BodyLoad, Effect, Frozen, Law, NoValue, Settling, View, binary, stored,
};
use crate::spatial::Load;
use crate::vector::Vec3;
use problem::Side;

/// A spring with its ends found.
pub struct SpringLaw {
    /// T0.
    pub from: Attachment,
    /// T1.
    pub to: Attachment,
    /// Stiffness, N/m.
    pub elastic: f64,
    /// Damping, N s/m.
    pub damping: f64,
    /// Relaxed length, m.
    pub zero_length: f64,
    /// In which direction it acts.
    pub one_side: OneSide,
}

/// Length, its rate and the direction from T0 to T1.
struct SpringLine {
    s: f64,
    rate: f64,
    direction: Vec3,
    /// Velocity of T1's origin relative to that of T0.
    velocity: Vec3,
    ends: [Vec3; 2],
}

impl SpringLaw {
    fn line(&self, view: &View<'_>) -> SpringLine {
        let (a, b) = (view.place(&self.from), view.place(&self.to));
        let arm = b.pose.translation - a.pose.translation;
        let s = arm.norm();
        let direction = if s > 0.0 { arm * (1.0 / s) } else { Vec3::ZERO };
        let velocity = b.twist.lin - a.twist.lin;
        let rate = direction.dot(velocity);
        SpringLine { s, rate, direction, velocity, ends: [a.pose.translation, b.pose.translation] }
    }

    /// f = k (s - s0) + r ds/dt, positive if it attracts.
    fn scalar(&self, line: &SpringLine) -> f64 {
        self.elastic * (line.s - self.zero_length) + self.damping * line.rate
    }
}

impl Law for SpringLaw {
    fn act(&self, view: &View<'_>, frozen: Frozen<'_>) -> Result<Effect, NoValue> {
        if self.one_side != OneSide::Both && frozen.mode == 0 {
            return Ok(Effect::None);
        }
        let line = self.line(view);
        // Without a direction only a spring without force has a value: relaxed at length zero, and no
        // damper that moves.
        let pushes = self.elastic * self.zero_length != 0.0;
        let brakes = self.damping != 0.0 && line.velocity != Vec3::ZERO;
        if line.s == 0.0 && (pushes || brakes) {
            return Err(NoValue("its ends coincide, so that its direction is undefined"));
        }
        let load = Load::new(Vec3::ZERO, line.direction * self.scalar(&line));
        Ok(Effect::Pair([
            BodyLoad { body: self.from.body, point: line.ends[0], load },
            BodyLoad { body: self.to.body, point: line.ends[1], load: -load },
        ]))
    }

    fn works(&self) -> bool {
        self.damping != 0.0 || self.one_side != OneSide::Both
    }

    fn energy(&self, view: &View<'_>, _: Frozen<'_>) -> f64 {
        // With a damper or one side, what is stored depends on the past: its work counts instead.
        if self.works() {
            return 0.0;
        }
        let stretch = self.line(view).s - self.zero_length;
        0.5 * self.elastic * stretch * stretch
    }

    fn deliverable(&self, view: &View<'_>) -> Option<f64> {
        stored(self.elastic, self.line(view).s - self.zero_length)
    }

    fn signals(&self, view: &View<'_>, frozen: Frozen<'_>, _: &Effect, values: &mut [f64]) {
        let line = self.line(view);
        let off = self.one_side != OneSide::Both && frozen.mode == 0;
        let stretch = line.s - self.zero_length;
        values[0] = if off { 0.0 } else { self.scalar(&line) };
        values[1] = line.s;
        values[3] = if off { 0.0 } else { 0.5 * self.elastic * stretch * stretch };
    }

    fn n_guards(&self) -> usize {
        usize::from(self.one_side != OneSide::Both)
    }

    fn guards(&self, view: &View<'_>, _: Frozen<'_>, values: &mut [f64]) {
        let f = self.scalar(&self.line(view));
        values[0] = if self.one_side == OneSide::Negative { f } else { -f };
    }

    fn sides(&self, mode: u8, sides: &mut [Side]) {
        sides[0] = binary::side(mode);
    }

    fn settle(&self, _: &View<'_>, mode: u8, settling: Settling<'_>) -> u8 {
        binary::settle(mode, settling.sides[0])
    }

    fn mode_now(&self, view: &View<'_>, frozen: Frozen<'_>) -> u8 {
        if self.one_side == OneSide::Both {
            return frozen.mode;
        }
        let mut guard = [0.0];
        self.guards(view, frozen, &mut guard);
        binary::of(guard[0])
    }

    fn mode_word(&self, mode: u8) -> &'static str {
        ["slack", "taut"][usize::from(mode.min(1))]
    }
}
