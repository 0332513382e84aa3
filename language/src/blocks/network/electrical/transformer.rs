//! A transformer: ideal, v1 = Ratio v2, i2 = -Ratio i1; or two coupled inductors,
//! v1 = L1 i1' + M i2', v2 = M i1' + L2 i2'.

use crate::blocks::network::{POWER, element_schema};
use crate::codes;
use crate::element::{BlockSchema, signal};
use crate::reading::fields::ElectricalNode;
use crate::reading::{Group, parameters};
use crate::sketch::{ElementKind, Sketch, Sketched, Value, readings};
use crate::writing::Writer;

parameters! {
    /// A transformer.
    pub struct Transformer {
        p1: ElectricalNode = "p1", Plus, Unit::None, Required, Any, "primary winding, dotted end";
        n1: ElectricalNode = "n1", Plus, Unit::None, Required, Any, "primary winding, other end";
        p2: ElectricalNode = "p2", Plus, Unit::None, Required, Any, "secondary winding, dotted end";
        n2: ElectricalNode = "n2", Plus, Unit::None, Required, Any, "secondary winding, other end";
        ratio: Option<f64> = "Ratio", Plus, Unit::None, Absent("from inductances"), Any, "ideal: v1/v2";
        l1: Option<f64> = "L1", Plus, Unit::Is("H"), Absent("ideal"), Positive, "coupled: inductance of the primary winding";
        l2: Option<f64> = "L2", Plus, Unit::Is("H"), Absent("ideal"), Positive, "coupled: inductance of the secondary winding";
        mutual: Option<f64> = "M", Plus, Unit::Is("H"), Absent("from K"), Any, "coupled: mutual inductance, M^2 <= L1 L2";
        coupling: Option<f64> = "K", Plus, Unit::None, Absent("from M"), Between(-1.0, 1.0), "coupled: coupling factor, M = K sqrt(L1 L2)";
        initial1: Option<f64> = "I1init", Plus, Unit::Is("A"), Absent("0, or what the circuit asks for"), Any, "coupled: primary current at the start";
        initial2: Option<f64> = "I2init", Plus, Unit::Is("A"), Absent("0, or what the circuit asks for"), Any, "coupled: secondary current at the start";
    }
}

/// The table of the Transformer block.
pub static TRANSFORMER: BlockSchema = element_schema(
    "Transformer",
    "A transformer: ideal with Ratio, or two coupled inductors with L1, L2 and M or K.",
    &[Transformer::PARAMETERS],
    &[&[
        signal("v1", "V", "primary voltage"),
        signal("i1", "A", "primary current, into p1"),
        signal("v2", "V", "secondary voltage"),
        signal("i2", "A", "secondary current, into p2"),
        POWER,
    ]],
);

impl Transformer {
    /// The mutual inductance.
    fn mutual(&self, l1: f64, l2: f64) -> f64 {
        self.mutual.unwrap_or_else(|| self.coupling.unwrap_or(0.0) * (l1 * l2).sqrt())
    }

    fn check(&self, e: &Writer<'_>) {
        let inductances = (self.l1, self.l2, self.mutual.or(self.coupling));
        match (self.ratio, inductances) {
            (None, (None, None, None)) => e.missing("Ratio", "v1/v2; or `L1`, `L2` and `M` or `K`"),
            (None, (None, ..)) => e.missing("L1", "inductance of the primary winding"),
            (None, (_, None, _)) => e.missing("L2", "inductance of the secondary winding"),
            (None, (.., None)) => e.missing("M", "mutual inductance, or `K`: coupling factor"),
            (Some(0.0), _) => {
                e.mistake(
                    codes::OUT_OF_RANGE,
                    "has the ratio 0",
                    "v1 = Ratio v2: choose another number",
                );
            }
            (None, (Some(l1), Some(l2), _))
                if self.mutual(l1, l2).powi(2) > l1 * l2 * (1.0 + 1e-12) =>
            {
                let help = "no magnetic circuit couples more than all of the flux: M^2 <= L1 L2";
                e.mistake(codes::OUT_OF_RANGE, "has a mutual inductance above sqrt(L1 L2)", help);
            }
            _ => {}
        }
    }

    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let v1 = e.potential(self.p1.0) - e.potential(self.n1.0);
        let v2 = e.potential(self.p2.0) - e.potential(self.n2.0);
        let (i1, i2) = (e.state("i1", self.initial1), e.state("i2", self.initial2));
        for (node, current) in [(self.p1, i1), (self.n1, -i1), (self.p2, i2), (self.n2, -i2)] {
            e.flow(node.0, current);
        }
        self.check(e);
        match (self.ratio, self.l1, self.l2) {
            (None, Some(l1), Some(l2)) => {
                let m = self.mutual(l1, l2);
                e.stores(0.5 * l1 * i1 * i1 + m * i1 * i2 + 0.5 * l2 * i2 * i2);
                if m * m < l1 * l2 * (1.0 - 8.0 * f64::EPSILON) {
                    e.equal(v1, e.rate(l1 * i1 + m * i2));
                    e.equal(v2, e.rate(m * i1 + l2 * i2));
                } else {
                    // Coupled rigidly: one flux, and the voltages are as the windings.
                    let magnetising = e.unknown("im");
                    e.equal(magnetising, i1 + m / l1 * i2);
                    e.equal(v1, e.rate(l1 * magnetising));
                    e.equal(v2, m / l1 * v1);
                }
            }
            (ratio, ..) => {
                let ratio = ratio.unwrap_or(1.0);
                e.equal(v1, ratio * v2);
                e.equal(i2, -ratio * i1);
            }
        }
        e.tie(self.p1, self.n1);
        e.tie(self.p2, self.n2);
        e.signal("v1", v1);
        e.signal("i1", i1);
        e.signal("v2", v2);
        e.signal("i2", i2);
        e.signal("power", v1 * i1 + v2 * i2);
    }
}

impl Sketched for Transformer {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        match (self.ratio, self.l1) {
            (Some(ratio), None) => {
                let from = s.bridge(self.p1, self.n1, "1");
                let to = s.bridge(self.n2, self.p2, "2");
                s.two(
                    (ElementKind::Transformer, ""),
                    Value::number(ratio),
                    [from, to],
                    readings::TRANSFORMER,
                );
            }
            _ => s.boxed(
                &[self.p1.0, self.n1.0, self.p2.0, self.n2.0],
                "two inductors with a flux in common: an inertia with two ports",
            ),
        }
    }
}
