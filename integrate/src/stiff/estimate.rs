//! How far a step may be from the solution.
//!
//! Difference to the embedded formula of order s, filtered by the real system so that stiff components do
//! not exaggerate it (Hairer & Wanner IV.8, eq. 8.19):
//!
//! ```text
//! err = (gamma/h M - J)^-1 ( f(t0, y0) + M sum_i w_i z_i / h )
//! ```
//!
//! After a restart or a refusal, an error above the tolerance is filtered once more, with
//! `f(t0, y0 + err)` in place of `f(t0, y0)` (eq. 8.20): the first steps into a stiff transient would
//! otherwise be refused for an error that the method damps.
//!
//! The filter also hides the deviation of the polynomial between the nodes in a component that follows other components
//! without delay: the end of the step is then far better than its inside, where outputs and events are. That deviation
//! shows as the difference between the stages and the polynomial of the step before, continued into this step.

use super::super::one_step::ratio;
use super::super::problem::check_finite;
use super::super::{HybridSystem, Tolerance};
use super::combine;
use super::hidden::Hidden;
use super::step_equations::StepEquations;
use super::systems::RealRoom;

/// Share of the tolerance that the error of Newton's iteration may contribute to the estimated deviation.
const DROWNED: f64 = 0.1;

/// A step whose equations are solved.
#[derive(Clone, Copy)]
pub(super) struct SolvedStep<'a> {
    /// Increments of the stages.
    pub z: &'a [f64],
    /// Right-hand side at its beginning.
    pub f: &'a [f64],
    /// State at its end.
    pub end: &'a [f64],
}

/// The stages of a step, and what was expected of them.
#[derive(Clone, Copy)]
pub(super) struct ForeseenStages<'a> {
    /// Increments that the polynomial of the last step gives.
    pub guess: &'a [f64],
    /// Increments that solve the equations.
    pub z: &'a [f64],
    /// Error that the iteration has left in them, over the allowed error.
    pub left: f64,
}

/// Buffers of the estimate.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub(super) struct Estimate {
    sum: Vec<f64>,
    /// `M sum_i w_i z_i / h`.
    stages: Vec<f64>,
    error: Vec<f64>,
    point: Vec<f64>,
    room: RealRoom,
}

impl Estimate {
    /// Room for `n` states, with which the linear systems have `n_unknowns`.
    pub fn new(n: usize, n_unknowns: usize) -> Self {
        let (zero, room) = (|| vec![0.0; n], RealRoom::new(n_unknowns));
        Self { sum: zero(), stages: zero(), error: zero(), point: zero(), room }
    }

    /// Error over tolerance of a step.
    pub fn error(
        &mut self,
        problem: &mut dyn HybridSystem,
        step: &StepEquations<'_>,
        SolvedStep { z, f, end }: SolvedStep<'_>,
        tolerance: &Tolerance,
        doubtful: bool,
        evaluations: &mut u64,
    ) -> f64 {
        // M sum_i w_i z_i / h, then the filter.
        let (tableau, reciprocal) = (step.tableau, 1.0 / step.h);
        combine::sum(tableau.s, &tableau.estimate, z, &mut self.sum, |_, sum| sum * reciprocal);
        step.mass.apply(&self.sum, &mut self.stages);
        let error = self.filter(step, f, end, tolerance);
        if !(doubtful && error > 1.0 && error.is_finite()) {
            return error;
        }
        // Filters once more with f(t0, y0 + err) in place of f(t0, y0). Without a value there, the first estimate stands.
        for ((point, y), error) in self.point.iter_mut().zip(step.y0).zip(&self.error) {
            *point = y + error;
        }
        *evaluations += 1;
        let evaluated = problem.derivatives(step.t0, &self.point, &mut self.sum);
        if evaluated.and_then(|()| check_finite(&self.sum)).is_err() {
            return error;
        }
        let f = std::mem::take(&mut self.sum);
        let error = self.filter(step, &f, end, tolerance);
        self.sum = f;
        error
    }

    /// Error over tolerance that steep slopes hide from the last estimate.
    pub fn hidden(
        &mut self,
        problem: &mut dyn HybridSystem,
        step: &StepEquations<'_>,
        f: &[f64],
        hidden: &mut Hidden,
        evaluations: &mut u64,
    ) -> f64 {
        if !hidden.is_steep {
            return 0.0;
        }
        let rest = &mut self.sum;
        rest.iter_mut().zip(f).zip(&self.stages).for_each(|((rest, f), stages)| *rest = f + stages);
        hidden.error(problem, step, (rest, &self.error, f), evaluations)
    }

    /// Deviation of the polynomial inside the step, over the allowed error.
    ///
    /// The polynomial of the last step (size `last_h`) gave the guess of the stages. Deviation of the step and error of the guess are both [`Tableau::deviation`](super::tableau::Tableau::deviation),
    /// each with its own size, so the error of the guess at one stage gives the deviation. The first stage at which the error
    /// of the iteration is small in the result is used; if there is none, the deviation is unknown and counts as zero.
    pub fn deviation(
        step: &StepEquations<'_>,
        last_h: f64,
        ForeseenStages { guess, z, left }: ForeseenStages<'_>,
    ) -> f64 {
        let (tableau, growth, n) = (step.tableau, step.h / last_h, step.y0.len());
        // Both deviations grow with h^(s+1): from the error of the guess at a stage to the peak inside this step.
        let scale = growth.powi(tableau.s as i32 + 1) * tableau.peak;
        let factor = |i: usize| scale / tableau.deviation(1.0 + tableau.c[i] * growth).abs();
        let clear = |&i: &usize| factor(i) * left <= DROWNED;
        let Some(stage) = (0..tableau.s).find(clear) else { return 0.0 };
        let places = stage * n..(stage + 1) * n;
        let surprises = guess[places.clone()].iter().zip(&z[places]).map(|(guess, z)| guess - z);
        let shares = surprises.zip(step.allowed).map(|(x, allowed)| ratio(x, *allowed));
        factor(stage) * shares.fold(0.0, f64::max)
    }

    /// Solves `(gamma/h M - J) err = f + stages` and gives the largest component of err over the allowed error.
    fn filter(
        &mut self,
        step: &StepEquations<'_>,
        f: &[f64],
        end: &[f64],
        tolerance: &Tolerance,
    ) -> f64 {
        for ((error, f), stages) in self.error.iter_mut().zip(f).zip(&self.stages) {
            *error = f + stages;
        }
        step.systems.solve_real(&mut self.error, &mut self.room);
        let mut worst = 0.0;
        for ((error, y0), y1) in self.error.iter().zip(step.y0).zip(end) {
            let allowed = tolerance.relative * y0.abs().max(y1.abs()) + tolerance.absolute;
            let share = ratio(*error, allowed);
            if share.is_nan() {
                return f64::INFINITY;
            }
            worst = share.max(worst);
        }
        worst
    }
}
