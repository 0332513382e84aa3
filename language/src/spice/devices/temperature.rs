//! How the parameters of semiconductors change with temperature, as in SPICE (Antognetti and Massobrio, *Semiconductor
//! Device Modeling with SPICE*, 1.4 and 2.6).

use parser::diagnostic::Diagnostic;

use crate::spice::devices::model::Card;
use crate::spice::translate::{Statement, Translator};

/// Boltzmann's constant, J/K, and the elementary charge, C, as ngspice has them.
const BOLTZMANN: f64 = 1.380_648_52e-23;
const CHARGE: f64 = 1.602_176_620_8e-19;
/// Zero degrees Celsius, K.
pub const ICE: f64 = 273.15;
/// The temperature for which the potential of a junction is worked out, K.
const REFERENCE: f64 = 300.15;
/// The band gap of silicon at that temperature, eV.
const REFERENCE_GAP: f64 = 1.115_087_7;

/// The temperature of an element and the one for which its model holds, K.
#[derive(Clone, Copy, Debug)]
pub struct Temperature {
    pub now: f64,
    pub nominal: f64,
}

/// The band gap of silicon, eV.
fn gap(temperature: f64) -> f64 {
    1.16 - 7.02e-4 * temperature * temperature / (temperature + 1108.0)
}

impl Temperature {
    /// `temp`, `dtemp` of an element and `tnom` of its model, in degrees Celsius, or what holds for all.
    pub fn of(
        translator: &Translator<'_>,
        statement: &mut Statement<'_>,
        card: &mut Card,
    ) -> Result<Self, Diagnostic> {
        let nominal = card.either(&["tnom", "tref", "t_measured"], translator.nominal - ICE);
        Self::of_element(translator, statement, nominal + ICE)
    }

    /// The same without a model.
    pub fn of_element(
        translator: &Translator<'_>,
        statement: &mut Statement<'_>,
        nominal: f64,
    ) -> Result<Self, Diagnostic> {
        let own = statement.take(translator, "temp")?;
        let above = statement.take(translator, "dtemp")?.unwrap_or(0.0);
        let now = own.map_or(translator.temperature + above, |own| own + ICE);
        if now > 0.0 && nominal > 0.0 {
            Ok(Self { now, nominal })
        } else {
            Err(statement.wrong("temperatures are above -273.15 degrees Celsius"))
        }
    }

    /// k T/e, V.
    pub fn voltage(self) -> f64 {
        BOLTZMANN / CHARGE * self.now
    }

    /// How much warmer than the model's temperature, K.
    fn difference(self) -> f64 {
        self.now - self.nominal
    }

    /// 1 + a dT + b dT^2.
    pub fn polynomial(self, [a, b]: [f64; 2]) -> f64 {
        let dt = self.difference();
        1.0 + a * dt + b * dt * dt
    }

    /// (T/Tnom)^a.
    pub fn power(self, exponent: f64) -> f64 {
        (self.now / self.nominal).powf(exponent)
    }

    /// The factor of a saturation current, with the gap in eV.
    pub fn saturation(self, gap: f64, exponent: f64, emission: f64) -> f64 {
        let ratio = self.now / self.nominal;
        (((ratio - 1.0) * gap / self.voltage() + exponent * ratio.ln()) / emission).exp()
    }

    /// Potential and capacitance of a junction at 0 V.
    pub fn junction(self, potential: f64, capacitance: f64, grading: f64) -> (f64, f64) {
        let shift = |at: f64| {
            let thermal = BOLTZMANN / CHARGE * at;
            let argument = CHARGE / (2.0 * BOLTZMANN) * (REFERENCE_GAP / REFERENCE - gap(at) / at);
            -2.0 * thermal * (1.5 * (at / REFERENCE).ln() + argument)
        };
        let at_reference = (potential - shift(self.nominal)) * REFERENCE / self.nominal;
        let growth = |potential: f64, at: f64| {
            let change = (potential - at_reference) / at_reference;
            1.0 + grading * (4e-4 * (at - REFERENCE) - change)
        };
        let now = self.now / REFERENCE * at_reference + shift(self.now);
        let capacitance = capacitance / growth(potential, self.nominal) * growth(now, self.now);
        (now, capacitance)
    }
}

impl Temperature {
    /// The band gap at the present temperature, eV.
    pub fn gap(self) -> f64 {
        gap(self.now)
    }

    /// The surface potential of a field effect transistor.
    pub fn surface(self, phi: f64) -> f64 {
        self.junction(phi, 0.0, 0.0).0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_changes_at_the_temperature_of_the_model() {
        for at in [300.15, 350.0] {
            let temperature = Temperature { now: at, nominal: at };
            let (potential, capacitance) = temperature.junction(0.8, 2e-12, 0.4);
            assert!((potential - 0.8).abs() < 1e-14 && (capacitance - 2e-12).abs() < 1e-26);
            assert!((temperature.saturation(1.11, 3.0, 1.5) - 1.0).abs() < 1e-14);
        }
        let room = Temperature { now: 300.15, nominal: 300.15 };
        // kT/e with the exact constants of the SI; those of 2014, which ngspice has, are known to 5.7e-7.
        assert!((room.voltage() / 0.025_864_925_786_328_75 - 1.0).abs() < 5.7e-7);
    }
}
