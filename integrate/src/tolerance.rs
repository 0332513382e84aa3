//! Error tolerances and step limits: what they mean, and when they are refused.
//!
//! Not here: the error tests themselves, which belong to the methods.

use super::{IntegrationError, SettingsError};

/// Unit round-off as the methods use it: the spacing of numbers at one.
pub const ROUND_OFF: f64 = f64::EPSILON;

/// Mixed tolerance: the local error of component i may reach `relative * |y_i| + absolute`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// `RelErr`, dimensionless.
    pub relative: f64,
    /// `AbsErr`, in the unit of each component.
    pub absolute: f64,
}

impl Tolerance {
    /// A mixed tolerance.
    pub fn new(relative: f64, absolute: f64) -> Self {
        Self { relative, absolute }
    }

    /// Refuses what no method can work with.
    ///
    /// # Errors
    /// If a tolerance is negative or not finite, or if both are zero.
    pub fn check(&self) -> Result<(), SettingsError> {
        let usable = |x: f64| x.is_finite() && x >= 0.0;
        if !usable(self.relative) || !usable(self.absolute) {
            return Err(SettingsError::BadTolerance {
                relative: self.relative,
                absolute: self.absolute,
            });
        }
        if self.level() <= 0.0 { Err(SettingsError::NoTolerance) } else { Ok(()) }
    }

    /// The larger of the two: `eps` of the literature, with weights that make up the rest.
    pub fn level(&self) -> f64 {
        self.relative.max(self.absolute)
    }

    /// A tolerance with this ratio of relative and absolute part at another level.
    pub fn at_level(&self, level: f64) -> Self {
        let old = self.level();
        Self { relative: level * (self.relative / old), absolute: level * (self.absolute / old) }
    }

    /// Writes `w_i = (relative |y_i| + absolute) / level`, so that a component's share of the
    /// error test is `error_i / w_i` against `level`.
    ///
    /// # Errors
    /// If a weight is zero: a relative test of a component that vanishes.
    pub fn fill_weights(
        &self,
        t: f64,
        y: &[f64],
        weights: &mut [f64],
    ) -> Result<(), IntegrationError> {
        let level = self.level();
        let (relative, absolute) = (self.relative / level, self.absolute / level);
        for (index, (w, &y)) in weights.iter_mut().zip(y).enumerate() {
            *w = relative * y.abs() + absolute;
            if *w <= 0.0 {
                return Err(IntegrationError::ZeroWeight { t, index });
            }
        }
        Ok(())
    }
}

/// Round-offs of the largest component that a one-step method can still tell from an error: its
/// estimate is a difference of sums of up to a dozen terms.
const ESTIMATE_NOISE: f64 = 16.0 * ROUND_OFF;

impl Tolerance {
    /// The tolerance raised to what an error estimate resolves at `y`, if it is below that.
    pub(super) fn raised_for(&self, y: &[f64]) -> Option<Self> {
        let size = y.iter().fold(0.0f64, |size, y| size.max(y.abs()));
        let (allowed, floor) = (self.relative * size + self.absolute, ESTIMATE_NOISE * size);
        // The new level lies a little above the floor, so that it is raised once and not again.
        (allowed < floor).then(|| self.at_level(1.01 * self.level() * (floor / allowed)))
    }
}

/// Limits of the step size. All are magnitudes; the direction comes from the target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepLimits {
    /// `TstepMax`, s; infinite for no limit.
    pub max: f64,
    /// `TstepMin`, s: a plan is never shorter, and a failure at this size ends the run.
    pub min: f64,
    /// `TstepIni`, s: upper limit of the first step; `None` leaves it to the method.
    pub initial: Option<f64>,
}

impl Default for StepLimits {
    fn default() -> Self {
        Self { max: f64::INFINITY, min: 0.0, initial: None }
    }
}

impl StepLimits {
    /// Refuses limits that contradict themselves.
    ///
    /// # Errors
    /// If a limit is not a positive time or the limits cross.
    pub fn check(&self) -> Result<(), SettingsError> {
        if self.max.is_nan() || self.max <= 0.0 {
            return Err(SettingsError::BadStep { name: "TstepMax", value: self.max });
        }
        if !self.min.is_finite() || self.min < 0.0 {
            return Err(SettingsError::BadStep { name: "TstepMin", value: self.min });
        }
        if let Some(initial) = self.initial
            && !(initial.is_finite() && initial > 0.0)
        {
            return Err(SettingsError::BadStep { name: "TstepIni", value: initial });
        }
        if self.min > self.max {
            return Err(SettingsError::LimitsCross { min: self.min, max: self.max });
        }
        Ok(())
    }

    /// The size nearest to `h` within the limits, with the sign of `h`.
    pub fn clamp(&self, h: f64) -> f64 {
        h.abs().max(self.min).min(self.max).copysign(h)
    }
}

/// Distance below which two times near `t` are one: four spacings of numbers (Shampine & Gordon's
/// limit on the step size).
pub fn time_resolution(t: f64) -> f64 {
    4.0 * ROUND_OFF * t.abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn useless_tolerances_are_refused() {
        assert_eq!(Tolerance::new(0.0, 0.0).check(), Err(SettingsError::NoTolerance));
        for (r, a) in [(-1e-6, 1e-9), (1e-6, -1.0), (f64::NAN, 1.0), (f64::INFINITY, 1.0)] {
            let refused = Tolerance::new(r, a).check();
            assert!(matches!(refused, Err(SettingsError::BadTolerance { .. })), "{r} {a}");
        }
        assert!(Tolerance::new(0.0, 1e-9).check().is_ok());
    }

    #[test]
    fn crossing_step_limits_are_refused() {
        let limits = StepLimits { max: 1e-3, min: 1e-2, initial: None };
        assert_eq!(limits.check(), Err(SettingsError::LimitsCross { min: 1e-2, max: 1e-3 }));
        let zero = StepLimits { max: 0.0, ..StepLimits::default() };
        assert!(matches!(zero.check(), Err(SettingsError::BadStep { name: "TstepMax", .. })));
    }

    #[test]
    fn a_vanishing_component_needs_an_absolute_tolerance() {
        let mut w = [0.0; 2];
        let error = Tolerance::new(1e-6, 0.0).fill_weights(2.0, &[1.0, 0.0], &mut w);
        assert_eq!(error, Err(IntegrationError::ZeroWeight { t: 2.0, index: 1 }));
    }
}
