//! A volume of oil, or an accumulator: C dp/dt = q, for a volume C = Volume/Beta.

use crate::blocks::network::{TWO_PORT, element_schema};
use crate::codes;
use crate::element::{BlockSchema, signal};
use crate::reading::fields::HydraulicNode;
use crate::reading::{Group, parameters};
use crate::sketch::{ElementKind, Sketch, Sketched, Start, Value, readings};
use crate::writing::{TwoPort, Writer};

parameters! {
    /// A volume of oil.
    pub struct Compliance {
        a: HydraulicNode = "a", Plus, Unit::None, Required, Any, "port";
        b: HydraulicNode = "b", Plus, Unit::None, Word("tank"), Any, "what its pressure counts from";
        compliance: Option<f64> = "C", Plus, Unit::Is("m^3/Pa"), Absent("Volume/Beta"), Positive, "compliance";
        volume: Option<f64> = "Volume", Plus, Unit::Is("m^3"), Absent("from C"), Positive, "volume of oil";
        modulus: Option<f64> = "Beta", Plus, Unit::Is("Pa"), Absent("from C"), Positive, "bulk modulus of the oil";
        initial: Option<f64> = "Pinit", Plus, Unit::Is("Pa"), Absent("0, or what the network asks for"), Any, "pressure at the start";
    }
}

/// The table of the Compliance block.
pub static COMPLIANCE: BlockSchema = element_schema(
    "Compliance",
    "A volume of oil: C dp/dt = q, with C or with Volume and Beta.",
    &[Compliance::PARAMETERS],
    &[TWO_PORT, &[signal("volume", "m^3", "volume taken up by pressure, C dp")]],
);

impl Compliance {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let TwoPort { d, q } = e.two_port(self.a, self.b);
        e.tie(self.a, self.b);
        let c = match (self.compliance, self.volume, self.modulus) {
            (Some(c), None, None) => c,
            (None, Some(volume), Some(modulus)) => volume / modulus,
            (Some(_), ..) => {
                let help = "write `C`, or `Volume` and `Beta`";
                return e.mistake(codes::OUT_OF_RANGE, "has both `C` and `Volume` or `Beta`", help);
            }
            (None, None, None) => return e.missing("C", "compliance; or `Volume` and `Beta`"),
            (None, None, _) => return e.missing("Volume", "volume of oil"),
            (None, _, None) => return e.missing("Beta", "bulk modulus of the oil"),
        };
        let pressure = e.state("dp", self.initial);
        e.equal(pressure, d);
        e.equal(q, c * e.rate(pressure));
        e.signal("volume", c * pressure);
        e.stores(0.5 * c * pressure * pressure);
    }
}

impl Sketched for Compliance {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        let c = self
            .compliance
            .unwrap_or_else(|| self.volume.unwrap_or(1.0) / self.modulus.unwrap_or(1.0));
        let spot = s.sink(self.a, self.b);
        s.one((ElementKind::C, ""), Value::number(c), spot, readings::COMPLIANCE);
        s.starts(Start::of("dp", c, 0.0));
    }
}
