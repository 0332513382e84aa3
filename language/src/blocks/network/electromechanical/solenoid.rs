//! A solenoid: v = R i + d(L i)/dt with an inductance that depends on the position of its armature, and the force F,
//! by default i^2/2 dL/ds (the change of magnetic co-energy at constant current).

use crate::blocks::network::{POWER, element_schema};
use crate::element::{BlockSchema, signal};
use crate::reading::fields::{ElectricalNode, TranslationalNode};
use crate::reading::{Group, parameters};
use crate::sketch::{Sketch, Sketched};
use crate::writing::{TwoPin, Writer};
use equations::expression::Program;

parameters! {
    /// A solenoid.
    pub struct Solenoid {
        p: ElectricalNode = "p", Plus, Unit::None, Required, Any, "node where the current enters";
        n: ElectricalNode = "n", Plus, Unit::None, Required, Any, "node where it leaves";
        a: TranslationalNode = "a", Plus, Unit::None, Required, Any, "armature";
        b: TranslationalNode = "b", Plus, Unit::None, Word("base"), Any, "yoke";
        resistance: f64 = "R", Plus, Unit::Is("Ohm"), Number(0.0), NotNegative, "resistance of the winding";
        inductance: Program = "L", Plus, Unit::Is("H"), Required, Any, "inductance, an expression of its own `.s`";
        force: Option<Program> = "F", Plus, Unit::Is("N"), Absent("i^2/2 dL/ds"), Any, "force on the armature";
        current: Option<f64> = "Iinit", Plus, Unit::Is("A"), Absent("0, or what the network asks for"), Any, "current at the start";
    }
}

/// The table of the Solenoid block.
pub static SOLENOID: BlockSchema = element_schema(
    "Solenoid",
    "A solenoid: v = R i + d(L i)/dt, and a force on its armature.",
    &[Solenoid::PARAMETERS],
    &[&[
        signal("v", "V", "voltage v_p - v_n"),
        signal("i", "A", "current into p"),
        signal("s", "m", "position of the armature, s_a - s_b"),
        signal("f", "N", "force on the armature"),
        POWER,
    ]],
);

impl Solenoid {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let TwoPin { v, i } = e.two_pin(self.p, self.n);
        e.tie(self.p, self.n);
        let s = e.potential(self.a.0) - e.potential(self.b.0);
        e.signal("s", s);
        let inductance = e.time(&self.inductance);
        let current = e.state("i", self.current);
        e.equal(current, i);
        e.equal(v, self.resistance * current + e.rate(inductance * current));
        let force = match &self.force {
            Some(force) => e.time(force),
            None => 0.5 * current * current * e.slope_of_own(inductance, "s"),
        };
        let [armature, yoke] = e.flanges([(self.a, -force), (self.b, force)]);
        e.signal("f", force);
        e.signal("power", v * i - force * (armature - yoke));
    }
}

impl Sketched for Solenoid {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        s.boxed(
            &[self.p.0, self.n.0, self.a.0, self.b.0],
            "an inductor whose energy depends on the position: a storage with two ports",
        );
    }
}
