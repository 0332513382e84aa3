//! A potentiometer: x R between w and n, (1 - x) R between p and w.

use crate::blocks::network::{TWO_PIN, element_schema};
use crate::codes;
use crate::element::{BlockSchema, signal};
use crate::reading::fields::ElectricalNode;
use crate::reading::{Group, parameters};
use crate::sketch::{ElementKind, Sketch, Sketched, Value};
use crate::writing::Writer;
use equations::expression::Program;

parameters! {
    /// A potentiometer.
    pub struct Potentiometer {
        p: ElectricalNode = "p", Plus, Unit::None, Required, Any, "end at position 1";
        n: ElectricalNode = "n", Plus, Unit::None, Required, Any, "end at position 0";
        w: ElectricalNode = "w", Plus, Unit::None, Required, Any, "wiper";
        resistance: f64 = "R", Plus, Unit::Is("Ohm"), Required, Positive, "resistance from end to end";
        position: Program = "Position", Plus, Unit::None, Number(0.5), Between(0.0, 1.0), "position of the wiper, from 0 at n to 1 at p";
    }
}

/// A wiper this close to an end is at it.
const TOUCHING: f64 = 1e-9;

/// The table of the Potentiometer block.
pub static POTENTIOMETER: BlockSchema = element_schema(
    "Potentiometer",
    "A potentiometer: unloaded, the wiper is at Position times the voltage.",
    &[Potentiometer::PARAMETERS],
    &[TWO_PIN, &[signal("iw", "A", "current into the wiper")]],
);

impl Potentiometer {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let (vp, vw, vn) = (e.potential(self.p.0), e.potential(self.w.0), e.potential(self.n.0));
        let (i, iw) = (e.unknown("i"), e.unknown("iw"));
        let x = e.time(&self.position);
        if x.value().is_some_and(|x| !(0.0..=1.0).contains(&x)) {
            e.mistake(
                codes::OUT_OF_RANGE,
                "has a position outside of 0 to 1",
                "0 is the end n, 1 the end p",
            );
        }
        let x = e.confined(x, [-TOUCHING, 1.0 + TOUCHING], "the position");
        e.equal(vp - vw, (1.0 - x) * self.resistance * i);
        e.equal(vw - vn, x * self.resistance * (i + iw));
        for (node, current) in [(self.p, i), (self.w, iw), (self.n, -i - iw)] {
            e.flow(node.0, current);
        }
        e.tie(self.p, self.w);
        e.tie(self.w, self.n);
        e.signal("v", vp - vn);
        e.signal("i", i);
        e.signal("iw", iw);
        e.signal("power", (vp - vn) * i + (vw - vn) * iw);
    }
}

impl Sketched for Potentiometer {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        let resistance = self.resistance;
        let (upper, lower) = (s.sink(self.p, self.w), s.sink(self.w, self.n));
        let position = "Position";
        let words = format!("{resistance:?}*(1 - ($))");
        s.one((ElementKind::R, "p"), Value::with(&words, position, &self.position), upper, &[]);
        let words = format!("{resistance:?}*($)");
        s.one((ElementKind::R, "n"), Value::with(&words, position, &self.position), lower, &[]);
    }
}
