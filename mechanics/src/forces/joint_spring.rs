//! Springs, dampers and given forces on a single joint coordinate: what RSDA and TSDA share.
//!
//! f = k (q0 - q) - r dq/dt on the coordinate; one-sided ones act with one sign only.

use super::OneSide;
use super::law::{Effect, Frozen, Law, NoValue, Settling, View, binary, stored};
use problem::Side;

/// A spring and damper on one coordinate.
pub struct JointSpringLaw {
    /// Position coordinate.
    pub q: usize,
    /// Speed.
    pub v: usize,
    /// Stiffness, N/m or Nm/rad.
    pub elastic: f64,
    /// Damping, N s/m or Nm s/rad.
    pub damping: f64,
    /// Relaxed coordinate, m or rad.
    pub rest: f64,
    /// In which direction it acts.
    pub one_side: OneSide,
}

impl JointSpringLaw {
    fn scalar(&self, view: &View<'_>) -> f64 {
        self.elastic * (self.rest - view.q[self.q]) - self.damping * view.v[self.v]
    }

    fn is_off(&self, mode: u8) -> bool {
        self.one_side != OneSide::Both && mode == 0
    }
}

impl Law for JointSpringLaw {
    fn act(&self, view: &View<'_>, frozen: Frozen<'_>) -> Result<Effect, NoValue> {
        if self.is_off(frozen.mode) {
            return Ok(Effect::None);
        }
        let mut tau = [0.0; 6];
        tau[0] = self.scalar(view);
        Ok(Effect::Joint { start: self.v, count: 1, tau })
    }

    fn works(&self) -> bool {
        self.damping != 0.0 || self.one_side != OneSide::Both
    }

    fn energy(&self, view: &View<'_>, _: Frozen<'_>) -> f64 {
        if self.works() {
            return 0.0;
        }
        let stretch = view.q[self.q] - self.rest;
        0.5 * self.elastic * stretch * stretch
    }

    fn deliverable(&self, view: &View<'_>) -> Option<f64> {
        stored(self.elastic, view.q[self.q] - self.rest)
    }

    fn signals(&self, view: &View<'_>, frozen: Frozen<'_>, _: &Effect, values: &mut [f64]) {
        let stretch = view.q[self.q] - self.rest;
        let off = self.is_off(frozen.mode);
        values[0] = if off { 0.0 } else { self.scalar(view) };
        values[1] = view.q[self.q];
        values[3] = if off { 0.0 } else { 0.5 * self.elastic * stretch * stretch };
    }

    fn n_guards(&self) -> usize {
        usize::from(self.one_side != OneSide::Both)
    }

    fn guards(&self, view: &View<'_>, _: Frozen<'_>, values: &mut [f64]) {
        let f = self.scalar(view);
        values[0] = if self.one_side == OneSide::Positive { f } else { -f };
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
        ["idle", "acting"][usize::from(mode.min(1))]
    }
}
