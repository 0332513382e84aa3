//! A throttle or a line with losses: laminar dp = R q; turbulent dp = K q |q|, K = Rho/(2 (Cd A)^2).
//!
//! The turbulent law has no slope at dp = 0. Below PLam the odd cubic takes its place that meets it with the same
//! value and slope: q = q1 x (5 - x^2)/4, x = dp/PLam, q1 = sqrt(PLam/K).

use crate::blocks::network::{TWO_PORT, element_schema};
use crate::codes;
use crate::element::BlockSchema;
use crate::reading::fields::{HydraulicNode, ThermalNode};
use crate::reading::{Group, parameters, words};
use crate::sketch::{ElementKind, Sketch, Sketched, Value, readings};
use crate::writing::{TwoPort, Writer};
use equations::expr::Ex;

words! {
    /// Which law a hydraulic resistor follows.
    pub enum FlowModel {
        /// Pressure in proportion to flow.
        Laminar = "laminar",
        /// Pressure in proportion to the square of the flow.
        Turbulent = "turbulent",
    }
}

parameters! {
    /// A throttle.
    pub struct HydraulicResistor {
        a: HydraulicNode = "a", Plus, Unit::None, Required, Any, "port where the flow enters";
        b: HydraulicNode = "b", Plus, Unit::None, Word("tank"), Any, "port where it leaves";
        model: FlowModel = "Model", Plus, Unit::None, Word("laminar"), Any, "the law";
        resistance: Option<f64> = "R", Plus, Unit::Is("Pa s/m^3"), Absent("turbulent"), Positive, "laminar: resistance";
        loss: Option<f64> = "K", Plus, Unit::Is("Pa s^2/m^6"), Absent("from Cd, A and Rho"), Positive, "turbulent: dp/q^2";
        discharge: f64 = "Cd", Plus, Unit::None, Number(0.7), Positive, "turbulent: discharge coefficient";
        area: Option<f64> = "A", Plus, Unit::Is("m^2"), Absent("from K"), Positive, "turbulent: area of the opening";
        density: f64 = "Rho", Plus, Unit::Is("kg/m^3"), Number(850.0), Positive, "turbulent: density of the oil";
        laminar_below: f64 = "PLam", Plus, Unit::Is("Pa"), Number(1e3), Positive, "turbulent: below this the law is a smooth cubic";
        heat: Option<ThermalNode> = "Heat", Plus, Unit::None, Absent("nowhere"), Any, "thermal node that takes the loss";
    }
}

/// The table of the HydraulicResistor block.
pub static HYDRAULIC_RESISTOR: BlockSchema = element_schema(
    "HydraulicResistor",
    "A throttle: laminar dp = R q, or turbulent dp = K q |q|.",
    &[HydraulicResistor::PARAMETERS],
    &[TWO_PORT],
);

impl HydraulicResistor {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let TwoPort { d, q } = e.two_port(self.a, self.b);
        e.tie(self.a, self.b);
        e.heat(self.heat, d * q);
        match self.model {
            FlowModel::Laminar => match self.resistance {
                Some(resistance) => e.equal(d, resistance * q),
                None => e.missing("R", "resistance dp/q of a laminar flow"),
            },
            FlowModel::Turbulent => {
                let by_area = |area: f64| self.density / (2.0 * (self.discharge * area).powi(2));
                match (self.loss, self.area) {
                    (Some(_), Some(_)) => {
                        let help = "write `K`, or `A` with `Cd` and `Rho`";
                        e.mistake(codes::OUT_OF_RANGE, "has both `K` and `A`", help);
                    }
                    (None, None) => e.missing("A", "area of the opening; or `K`: dp/q^2"),
                    (k, area) => {
                        let k = k.or(area.map(by_area)).unwrap_or(1.0);
                        e.equal(q, turbulent(d, k, self.laminar_below));
                    }
                }
            }
        }
    }
}

impl HydraulicResistor {
    /// e/f. The turbulent law is a resistance that grows with the pressure.
    fn value(&self) -> Value<'_> {
        let by_area = |area: f64| self.density / (2.0 * (self.discharge * area).powi(2));
        match (self.model, self.loss.or(self.area.map(by_area))) {
            (FlowModel::Turbulent, Some(k)) => {
                let limit = self.laminar_below;
                let at_limit = (limit / k).sqrt();
                let inside = format!("{:?}/(5 - (@.e/{limit:?})^2)", 4.0 * limit / at_limit);
                Value::text(format!("if(abs(@.e) < {limit:?}, {inside}, sqrt({k:?}*abs(@.e)))"))
            }
            _ => Value::number(self.resistance.unwrap_or(1.0)),
        }
    }
}

/// The flow that a pressure drives.
fn turbulent(d: Ex<'_>, k: f64, limit: f64) -> Ex<'_> {
    let at_limit = (limit / k).sqrt();
    let x = d / limit;
    let inside = 0.25 * at_limit * x * (5.0 - x * x);
    let backward = (-limit - d).if_positive(-(-d / k).sqrt(), inside);
    (d - limit).if_positive((d / k).sqrt(), backward)
}

impl Sketched for HydraulicResistor {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        let spot = s.sink(self.a, self.b);
        s.one((ElementKind::R, ""), self.value(), spot, readings::OIL);
        s.heat(self.heat, "&.power");
    }
}
