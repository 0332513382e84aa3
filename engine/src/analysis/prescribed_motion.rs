//! Prescribed motion: coordinates and speeds at an instant that follow from the constraints alone.
//!
//! Where prescribed coordinates, couplings, loops and locks leave no freedom, `g(q, t) = 0` determines the coordinates and
//! `G v = -dg/dt` the speeds; accelerations and the forces of the drives follow from the equations of motion, in
//! which the drives are constraints like all others. From one instant to the next the coordinates are
//! carried on with speeds and accelerations and then corrected by Newton's method, in shorter steps where the
//! correction is large, so that a mechanism stays on its branch.

use super::mechanism::Mechanism;
use super::{Freedom, Trouble};

/// Largest correction of a carried-on coordinate, rad or part of the size, that is not another branch.
const LARGEST_CORRECTION: f64 = 0.05;
/// How often the time between two rows is halved.
const HALVINGS: i32 = 14;

/// A mechanism whose motion is prescribed.
pub struct Driven {
    /// Coordinates and speeds.
    pub y: Vec<f64>,
    /// The instant, s.
    pub t: f64,
    /// Unit of the displacement along each freedom: 1 rad, or the size of the model.
    units: Vec<f64>,
}

impl Driven {
    /// Begins at the assembled state `y` at the instant of `mechanism`. `size` is that of the model, m.
    ///
    /// # Errors
    /// If a freedom is not driven, or the constraints do not close.
    pub fn new(mechanism: &mut Mechanism<'_, '_>, y: &[f64], size: f64) -> Result<Self, Trouble> {
        let freedoms = Freedom::all(mechanism.run.system);
        let units = freedoms.iter().map(|f| if f.is_angle { 1.0 } else { size }).collect();
        let mut driven = Self { y: y.to_vec(), t: mechanism.t, units };
        // Sources of motion in drive trains drive as Motion does.
        mechanism.run.begin_at(driven.t, &mut driven.y)?;
        mechanism.by_networks = true;
        let (found, _) = mechanism.assemble(&driven.y)?;
        driven.y.copy_from_slice(&found);
        driven.check(mechanism)?;
        driven.settle(mechanism)?;
        Ok(driven)
    }

    /// Moves on to an instant.
    ///
    /// # Errors
    /// If the constraints do not close there, or leave a freedom.
    pub fn advance(
        &mut self,
        mechanism: &mut Mechanism<'_, '_>,
        t_end: f64,
    ) -> Result<(), Trouble> {
        let whole = t_end - self.t;
        let mut part = whole;
        while self.t < t_end {
            let t = if self.t + part >= t_end - 1e-9 * whole { t_end } else { self.t + part };
            let can_halve = part > whole * 0.5_f64.powi(HALVINGS);
            match self.step(mechanism, t) {
                Ok(true) => {}
                Ok(false) | Err(Trouble::Open(_)) if can_halve => part *= 0.5,
                Ok(false) => return Err(Trouble::Jumps(self.t)),
                Err(trouble) => return Err(trouble),
            }
        }
        self.settle(mechanism)
    }

    /// One step; false, and nothing changes, if the correction is too large.
    fn step(&mut self, mechanism: &mut Mechanism<'_, '_>, t: f64) -> Result<bool, Trouble> {
        let system = mechanism.run.system;
        let h = t - self.t;
        mechanism.t = self.t;
        let accelerations = mechanism.run.probe().accelerations(self.t, &self.y)?.to_vec();
        let (q, v, _) = system.split(&self.y);
        let carried: Vec<f64> =
            v.iter().zip(&accelerations).map(|(v, a)| h * (v + 0.5 * h * a)).collect();
        let speeds: Vec<f64> = v.iter().zip(&accelerations).map(|(v, a)| v + h * a).collect();
        let mut guess = q.to_vec();
        system.tree.displace(&mut guess, &carried);
        mechanism.t = t;
        let state = mechanism.state(&guess, &speeds);
        let (found, moved) = mechanism.assemble(&state)?;
        let largest = moved
            .iter()
            .zip(&self.units)
            .fold(0.0, |most: f64, (x, unit)| most.max(x.abs() / unit));
        if largest > LARGEST_CORRECTION {
            mechanism.t = self.t;
            return Ok(false);
        }
        (self.y, self.t) = (found, t);
        self.check(mechanism)?;
        Ok(true)
    }

    /// No freedom may be left.
    fn check(&self, mechanism: &mut Mechanism<'_, '_>) -> Result<(), Trouble> {
        let (q, ..) = mechanism.run.system.split(&self.y);
        let chart = mechanism.chart(q)?;
        if chart.is_empty() {
            return Ok(());
        }
        let moves = |k: &usize| chart.tangent.row(*k).amax() > 1e-6;
        let undriven = (0..self.units.len()).filter(moves).collect();
        Err(Trouble::Undriven(undriven, chart.len(), self.t))
    }

    /// Modes of switching elements at the present state.
    fn settle(&mut self, mechanism: &mut Mechanism<'_, '_>) -> Result<(), Trouble> {
        mechanism.run.probe().begin_at_rest(true);
        self.y = mechanism.settle(&self.y)?;
        Ok(())
    }
}
