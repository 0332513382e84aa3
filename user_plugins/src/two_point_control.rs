//! A controller with two states, as in a thermostat: on below the lower threshold, off above the upper one.
//!
//! Between the thresholds it stays as it is. While it is on, it applies a constant force to a coordinate.

use engine::plugin::prelude::*;

plugin_parameters! {
    /// What a controller is made of.
    pub struct TwoPointParameters {
        signal: Signals = "Signal", Unit::None, Required, Any, "what is to be kept between the thresholds";
        low: f64 = "Low", Unit::None, Required, Any, "switches on where the signal falls below";
        high: f64 = "High", Unit::None, Required, Any, "switches off where the signal rises above";
        joint: JointHandle = "Joint", Unit::None, Required, Any, "the joint that is driven";
        coordinate: u32 = "Coordinate", Unit::None, Number(1.0), AtLeast(1.0), "which of its coordinates";
        force: f64 = "Force", Unit::Is("N or Nm"), Required, Any, "force on the coordinate while it is on";
        start: YesNo = "StartsOn", Unit::None, Word("no"), Any, "on at the beginning, if the signal is between the thresholds";
    }
}

/// A controller with hysteresis.
pub struct TwoPointControl {
    signal: SignalHandle,
    low: f64,
    high: f64,
    joint: JointHandle,
    coordinate: usize,
    force: f64,
    first: u8,
}

/// The values of its state.
const VALUES: &[&str] = &["off", "on"];
const ON: u8 = 1;

impl Plugin for TwoPointControl {
    const TYPE: &'static str = "two_point_control";
    const ABOUT: &'static str =
        "Drives a joint on and off to keep a signal between two thresholds.";
    const ROLES: Roles<Self> = Roles::none().force().states();
    const SIGNALS: &'static [SignalSchema] = &[signal("on", "", "1 while it is on, else 0")];
    type Parameters = TwoPointParameters;

    fn new(p: TwoPointParameters, setup: &Setup<'_>) -> Result<Self, Refusal> {
        let [signal] = setup.signals(&p.signal)?[..] else {
            return Err(Refusal::of("Signal", "one signal is controlled, not several"));
        };
        if p.low >= p.high {
            return Err(Refusal::of("High", format!("{} is not above Low = {}", p.high, p.low)));
        }
        let name = setup.model().block_name(setup.model().joint(p.joint).block);
        let count = setup.model().joint(p.joint).initial().0.len();
        if p.coordinate as usize > count {
            return Err(Refusal::of(
                "Coordinate",
                format!("`{name}` has {count} of them, not {}", p.coordinate),
            ));
        }
        Ok(Self {
            signal,
            low: p.low,
            high: p.high,
            joint: p.joint,
            coordinate: p.coordinate as usize - 1,
            force: p.force,
            first: u8::from(p.start.is_yes()),
        })
    }

    fn signals(&self, now: &State<'_>, values: &mut [f64]) {
        values[0] = f64::from(now.state(0));
    }
}

impl Force for TwoPointControl {
    fn apply(&self, now: &State<'_>, forces: &mut Forces) -> Result<(), Undefined> {
        if now.state(0) == ON {
            forces.generalised(self.joint, self.coordinate, self.force);
        }
        Ok(())
    }
}

impl DiscreteStates for TwoPointControl {
    fn states(&self) -> Vec<DiscreteState> {
        let scale = self.low.abs().max(self.high.abs());
        vec![DiscreteState::new("", VALUES).starting_with(self.first).with_scale(scale)]
    }

    /// Positive while the state stays: below High while it is on, above Low while it is off.
    fn switching_function(&self, _: usize, now: &State<'_>) -> f64 {
        let value = now.signal(self.signal);
        if now.state(0) == ON { self.high - value } else { value - self.low }
    }

    fn switch(&self, _: usize, now: &State<'_>, _: &mut [f64]) -> u8 {
        1 - now.state(0)
    }
}
