//! A gear: phi_a = i phi_b and i eta^s tau_a + tau_b = 0, both to the housing, which takes -(tau_a + tau_b).
//!
//! s is the direction of the power, 1 from a to b. So the torques depend on a truth value that depends on them: a
//! system of real and Boolean equations (Otter, Elmqvist, Mattsson: Hybrid modeling in Modelica based on the
//! synchronous data flow principle, 1999). At rest the direction is open, and with it the efficiency: the
//! gear is held as long as the torques balance within it, eta <= -tau_b/(i tau_a) <= 1/eta, so that a load does not
//! creep between two directions.

use crate::blocks::network::{POWER, element_schema};
use crate::codes;
use crate::element::{BlockSchema, signal};
use crate::reading::fields::RotationalNode;
use crate::reading::{Group, parameters};
use crate::sketch::{ElementKind, Sketch, Sketched, Value, readings};
use crate::writing::{Mode, Sticking, Writer};
use equations::expr::Ex;

parameters! {
    /// A gear.
    pub struct Gear {
        a: RotationalNode = "a", Plus, Unit::None, Required, Any, "driving shaft";
        b: RotationalNode = "b", Plus, Unit::None, Required, Any, "driven shaft";
        housing: RotationalNode = "housing", Plus, Unit::None, Word("base"), Any, "housing";
        ratio: f64 = "Ratio", Plus, Unit::None, Required, Any, "i = w_a/w_b; negative reverses the direction";
        efficiency: f64 = "Efficiency", Plus, Unit::None, Number(1.0), Between(0.0, 1.0), "power out over power in, in both directions";
    }
}

/// The table of the Gear block.
pub static GEAR: BlockSchema = element_schema(
    "Gear",
    "A gear: w_a = Ratio w_b, with losses; backlash is a matter of a TorsionSpring.",
    &[Gear::PARAMETERS],
    &[&[
        signal("tau_a", "Nm", "torque into the gear at a"),
        signal("tau_b", "Nm", "torque into the gear at b"),
        signal("state", "", "1 power from a to b, -1 from b to a, 0 held by its losses"),
        POWER,
    ]],
);

/// Modes: direction of w_b and of the power.
mod mode {
    pub const FORWARD: i8 = 1;
    pub const BACKWARD: i8 = 2;
    pub const DRIVEN_FORWARD: i8 = -1;
    pub const DRIVEN_BACKWARD: i8 = -2;
    pub const HELD: i8 = 0;
    pub const START: i8 = 9;
    pub const WORDS: &[(i8, &str)] = &[
        (FORWARD, "forward, a drives"),
        (BACKWARD, "backward, a drives"),
        (DRIVEN_FORWARD, "forward, b drives"),
        (DRIVEN_BACKWARD, "backward, b drives"),
        (HELD, "held"),
        (START, "start"),
    ];
}

impl Gear {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let i = self.ratio;
        if i == 0.0 || self.efficiency == 0.0 {
            let (words, help) = match i {
                0.0 => ("has the ratio 0", "w_a = Ratio w_b: choose another number"),
                _ => ("has the efficiency 0", "0 < Efficiency <= 1; a Brake locks a shaft"),
            };
            return e.mistake(codes::OUT_OF_RANGE, words, help);
        }
        let (tau_a, tau_b) = (e.unknown("tau_a"), e.unknown("tau_b"));
        let [phi_a, phi_b, phi_h] = [self.a, self.b, self.housing].map(|node| e.potential(node.0));
        e.equal(phi_a - phi_h, i * (phi_b - phi_h));
        let torques = [(self.a, tau_a), (self.b, tau_b), (self.housing, -(tau_a + tau_b))];
        for (node, torque) in torques {
            e.flow(node.0, torque);
        }
        e.signal("tau_a", tau_a);
        e.signal("tau_b", tau_b);
        if self.efficiency == 1.0 {
            e.equal(i * tau_a, -tau_b);
            e.signal("state", e.number(1.0));
            e.signal("power", e.number(0.0));
        } else {
            let w = e.rate(phi_b - phi_h);
            self.losses(e, w, i * tau_a, -tau_b);
            e.signal("power", (i * tau_a + tau_b) * w);
        }
    }

    /// `u` is what a does at b, `z` what b gives to the outside, both in the direction of `w`.
    fn losses<'a>(&self, e: &Writer<'a>, w: Ex<'a>, u: Ex<'a>, z: Ex<'a>) {
        use mode::{BACKWARD, DRIVEN_BACKWARD, DRIVEN_FORWARD, FORWARD, HELD, START, WORDS};
        let eta = self.efficiency;
        let state = e.mode(START, WORDS);
        let driven = e.if_modes(state, &[DRIVEN_FORWARD, DRIVEN_BACKWARD], u - eta * z, u - z);
        let law = e.if_modes(state, &[FORWARD, BACKWARD], eta * u - z, driven);
        e.lock(state, HELD, law, Sticking { speed: w, force: u - z, held: &[] });
        e.change_at_step(state, START, FORWARD, w);
        e.change_at_step(state, START, BACKWARD, -w);
        e.change_at_step(state, START, HELD, e.number(1.0));
        // The shafts stop.
        e.change(state, FORWARD, HELD, -w);
        e.change(state, DRIVEN_FORWARD, HELD, -w);
        e.change(state, BACKWARD, HELD, w);
        e.change(state, DRIVEN_BACKWARD, HELD, w);
        // The teeth change their flanks.
        e.change(state, FORWARD, DRIVEN_FORWARD, -u);
        e.change(state, DRIVEN_FORWARD, FORWARD, u);
        e.change(state, BACKWARD, DRIVEN_BACKWARD, u);
        e.change(state, DRIVEN_BACKWARD, BACKWARD, -u);
        Self::releases(e, state, eta, u, z);
        let back = [DRIVEN_FORWARD, DRIVEN_BACKWARD];
        let moving = e.if_modes(state, &back, e.number(-1.0), e.number(1.0));
        e.signal("state", e.if_modes(state, &[HELD], e.number(0.0), moving));
    }

    /// The torques do not balance within the losses any more.
    fn releases<'a>(e: &Writer<'a>, state: Mode, eta: f64, u: Ex<'a>, z: Ex<'a>) {
        use mode::{BACKWARD, DRIVEN_BACKWARD, DRIVEN_FORWARD, FORWARD, HELD};
        let never = e.number(-1.0);
        e.change(state, HELD, FORWARD, u.if_positive(eta * u - z, never));
        e.change(state, HELD, BACKWARD, (-u).if_positive(z - eta * u, never));
        e.change(state, HELD, DRIVEN_BACKWARD, z.if_positive(eta * z - u, never));
        e.change(state, HELD, DRIVEN_FORWARD, (-z).if_positive(u - eta * z, never));
    }
}

impl Sketched for Gear {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        if self.efficiency < 1.0 {
            let why = "a gear whose losses depend on the direction of the power";
            return s.boxed(&[self.a.0, self.b.0, self.housing.0], why);
        }
        let from = s.bridge(self.a, self.housing, "a");
        let to = s.bridge(self.housing, self.b, "b");
        s.two(
            (ElementKind::Transformer, ""),
            Value::number(1.0 / self.ratio),
            [from, to],
            readings::GEAR,
        );
    }
}
