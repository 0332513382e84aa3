//! Coulomb friction with real stiction, shared by all elements that rub.
//!
//! The states of Otter (Otter, *Objektorientierte Modellierung mechatronischer Systeme am Beispiel geregelter Roboter*, 1994,
//! 4.5), on the relative speed v and the force f that opposes a positive speed:
//!
//! | from | condition | to |
//! |---|---|---|
//! | free, not yet active | v > 0, v < 0, else | Forward, Backward, Locked |
//! | Forward, Backward | v < 0, v > 0 | Locked |
//! | Locked | f > Rmax, f < -Rmax | StartForward, StartBackward |
//! | StartForward | v > 0; v <= 0 and a < 0 | Forward; Locked |
//! | StartBackward | v < 0; v >= 0 and a > 0 | Backward; Locked |
//! | StartForward | v <= 0 and a = 0, Rmax > Rv | HeldForward |
//! | StartBackward | v >= 0 and a = 0, Rmax > Rv | HeldBackward |
//! | HeldForward, HeldBackward | slides in its direction, is pushed back | StartForward, StartBackward; Locked |
//!
//! Locked is a constraint, v = 0, with any force; in all other states the force is known. The step from a Start
//! state to its sliding state changes no law, so it waits for the next event instead of asking for one. Other
//! frictions may hold what one of them lets go: then its force stays at Rmax, because it does not slide, and all of
//! them give way together.

use crate::codes;
use crate::element::{SignalSchema, signal};
use crate::reading::fields::ThermalNode;
use crate::writing::{Mode, Sticking, TwoFlange, Writer};
use equations::expr::Ex;

const HELD_BACKWARD: i8 = -3;
const BACKWARD: i8 = -2;
const START_BACKWARD: i8 = -1;
const LOCKED: i8 = 0;
const START_FORWARD: i8 = 1;
const FORWARD: i8 = 2;
const HELD_FORWARD: i8 = 3;
const FREE: i8 = 9;

/// In these states the force is a number times that of sliding.
const SLIDING: &[i8] =
    &[HELD_FORWARD, FORWARD, START_FORWARD, START_BACKWARD, BACKWARD, HELD_BACKWARD];

/// An acceleration below this is none, m/s^2 or rad/s^2: what lets go has one of (Rmax - Rv)/m.
const REST: f64 = 1e-9;

/// While others hold what lets go, its force is that at rest.
const HELD: &[(i8, i8)] = &[(START_FORWARD, HELD_FORWARD), (START_BACKWARD, HELD_BACKWARD)];

const WORDS: &[(i8, &str)] = &[
    (HELD_BACKWARD, "held at -Rmax"),
    (BACKWARD, "Backward"),
    (START_BACKWARD, "StartBackward"),
    (LOCKED, "Locked"),
    (START_FORWARD, "StartForward"),
    (FORWARD, "Forward"),
    (HELD_FORWARD, "held at Rmax"),
    (FREE, "free"),
];

/// The state of friction.
pub(super) const STATE: SignalSchema = signal(
    "state",
    "",
    "-2 Backward, -1 StartBackward, 0 Locked, 1 StartForward, 2 Forward, 9 free",
);

/// Something that rubs.
pub(super) struct Friction<'a> {
    /// Largest force at rest.
    pub limit: Ex<'a>,
    /// Force while sliding, positive.
    pub sliding: Ex<'a>,
    /// Above a half while it rubs; `None` for always.
    pub active: Option<Ex<'a>>,
    /// Where the loss goes.
    pub heat: Option<ThermalNode>,
}

impl<'a> Friction<'a> {
    /// Writes the equations, and the signal `state`.
    pub fn equations(&self, e: &Writer<'a>, flanges: TwoFlange<'a>) {
        self.check(e);
        let TwoFlange { x, f } = flanges;
        let v = e.rate(x);
        let state = e.mode(FREE, WORDS);
        e.alike(state, SLIDING);
        let number = |x: f64| e.number(x);
        let forward = e.if_modes(state, &[FORWARD, START_FORWARD], number(1.0), number(0.0));
        let sign = e.if_modes(state, &[BACKWARD, START_BACKWARD], number(-1.0), forward);
        let slides = sign * self.sliding;
        let held = if self.may_hold() {
            let forward = e.if_mode(state, HELD_FORWARD, self.limit, slides);
            e.if_mode(state, HELD_BACKWARD, -self.limit, forward)
        } else {
            slides
        };
        e.lock(
            state,
            LOCKED,
            f - held,
            Sticking { speed: v, force: f, held: if self.may_hold() { HELD } else { &[] } },
        );
        self.changes(e, state, v, f);
        let sign = |mode: i8, direction: f64| {
            let slides = (direction * v).if_positive(e.number(2.0), e.number(1.0));
            (mode, direction * slides)
        };
        let values = [
            (BACKWARD, e.number(-2.0)),
            (FORWARD, e.number(2.0)),
            (LOCKED, e.number(0.0)),
            (HELD_FORWARD, e.number(0.0)),
            (HELD_BACKWARD, e.number(0.0)),
            sign(START_FORWARD, 1.0),
            sign(START_BACKWARD, -1.0),
        ];
        let of = |rest: Ex<'a>, &(mode, value): &(i8, Ex<'a>)| e.if_mode(state, mode, value, rest);
        e.signal("state", values.iter().fold(e.number(9.0), of));
        if self.heat.is_some() {
            e.heat(self.heat, f * v);
        }
    }

    /// Is more needed to let it go than while it slides?
    fn may_hold(&self) -> bool {
        match (self.limit.value(), self.sliding.value()) {
            (Some(limit), Some(sliding)) => limit > sliding,
            _ => true,
        }
    }

    fn check(&self, e: &Writer<'a>) {
        let help = "friction opposes the motion: its size is a positive number";
        for (value, name) in [(self.limit, "Rmax"), (self.sliding, "Rv")] {
            if value.value().is_some_and(|value| value <= 0.0) {
                e.mistake(
                    codes::OUT_OF_RANGE,
                    &format!("has an `{name}` that is not positive"),
                    help,
                );
                return;
            }
        }
    }

    fn changes(&self, e: &Writer<'a>, state: Mode, v: Ex<'a>, f: Ex<'a>) {
        let (never, one) = (e.number(-1.0), e.number(1.0));
        let active = self.active.map_or(e.number(0.5), |active| active - 0.5);
        e.change_at_step(state, FREE, FORWARD, active.if_positive(v, never));
        e.change_at_step(state, FREE, BACKWARD, active.if_positive(-v, never));
        e.change_at_step(state, FREE, LOCKED, active);
        if self.active.is_some() {
            for mode in [BACKWARD, START_BACKWARD, LOCKED, START_FORWARD, FORWARD] {
                e.change_at_step(state, mode, FREE, -active);
            }
            if self.may_hold() {
                e.change_at_step(state, HELD_FORWARD, FREE, -active);
                e.change_at_step(state, HELD_BACKWARD, FREE, -active);
            }
        }
        let a = e.rate(v);
        e.change(state, FORWARD, LOCKED, -v);
        e.change(state, BACKWARD, LOCKED, v);
        e.change(state, LOCKED, START_FORWARD, f - self.limit);
        e.change(state, LOCKED, START_BACKWARD, -f - self.limit);
        e.change_at_step(state, START_FORWARD, FORWARD, v);
        e.change_at_step(state, START_BACKWARD, BACKWARD, -v);
        e.change_at_step(state, START_FORWARD, LOCKED, v.if_positive(never, -a));
        e.change_at_step(state, START_BACKWARD, LOCKED, (-v).if_positive(never, a));
        e.change(state, START_FORWARD, LOCKED, -v);
        e.change(state, START_BACKWARD, LOCKED, v);
        if self.may_hold() {
            let ways = [(1.0, START_FORWARD, HELD_FORWARD), (-1.0, START_BACKWARD, HELD_BACKWARD)];
            for (direction, start, held) in ways {
                let (v, a) = (direction * v, direction * a);
                let rests = (a - REST).if_positive(never, (a + REST).if_positive(one, never));
                let drops = (self.limit - self.sliding).if_positive(rests, never);
                e.change_at_step(state, start, held, v.if_positive(never, drops));
                e.change(state, held, start, a - REST);
                e.change(state, held, LOCKED, -a - REST);
            }
        }
    }
}
