//! Newton's iteration with a Jacobian of its own for each stage.
//!
//! The simplified iteration (`newton.rs`) holds one Jacobian for a whole step. Where an exponential doubles within
//! the step, as the current of a junction does whose voltage rises by 20 mV, that Jacobian is wrong by a factor of two at one end or
//! the other and the iteration diverges, although the polynomial of the step is accurate. With the
//! Jacobians J_j of the stages the iteration is Newton's own:
//!
//! ```text
//! sum_j (delta_ij M - h a_ij J_j) dz_j = h sum_j a_ij f_j - M z_i
//! ```
//!
//! It needs s Jacobians and one system of size s n, so it is the way out of a failure, for few
//! states. The matrix is held as long as it serves.

use super::super::implicit::{Lu, Matrix};
use super::super::{EvaluationError, HybridSystem, Statistics};
use super::newton::{Newton, ROUND_OFF_CORRECTION};
use super::step_equations::{Convergence, Failure, StagePoint, StepEquations};

/// Most states for which the system of all stages is formed; its factors take (s n)^3/3 products.
const MOST_STATES: usize = 20;
/// Passes before a step counts as too long.
const MOST_PASSES: usize = 10;
/// Corrections that shrink by less than this ask for new Jacobians.
const RENEW: f64 = 0.2;
/// Corrections that grow by more than this, with Jacobians of the last pass, lead nowhere.
const ASTRAY: f64 = 20.0;

/// Forms the Jacobian at a stage.
pub(super) type Form<'a> = dyn FnMut(
        &mut dyn HybridSystem,
        StagePoint<'_>,
        &mut Matrix,
        &mut Statistics,
    ) -> Result<(), EvaluationError>
    + 'a;

/// The system of all stages.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub(super) struct Stagewise {
    lu: Lu<f64>,
    jacobians: Vec<Matrix>,
}

impl Stagewise {
    /// Room for `n` states and `s` stages; none if they are too many.
    pub fn new(n: usize, s: usize) -> Option<Self> {
        (1..=MOST_STATES)
            .contains(&n)
            .then(|| Self { lu: Lu::new(n * s), jacobians: vec![Matrix::zeros(n); s] })
    }

    /// The Jacobian of the last stage, which is the end of the step.
    pub fn at_end(&self) -> &Matrix {
        &self.jacobians[self.jacobians.len() - 1]
    }

    /// Improves the guess in `newton.z` until what is left is below `kappa` of the tolerance.
    pub fn solve(
        &mut self,
        newton: &mut Newton,
        problem: &mut dyn HybridSystem,
        step: &StepEquations<'_>,
        form: &mut Form<'_>,
        statistics: &mut Statistics,
    ) -> Result<Convergence, Failure> {
        let count = step.y0.len() * step.tableau.s;
        // The first pass always forms Jacobians.
        let (mut last, mut ratio) = (0.0, f64::INFINITY);
        for pass in 1..=MOST_PASSES {
            // New Jacobians once the old ones let corrections shrink too slowly.
            statistics.newton_iterations += 1;
            let renews = ratio > RENEW;
            let evaluated =
                self.evaluate(newton, problem, step, renews.then_some(&mut *form), statistics);
            evaluated.map_err(Failure::Evaluation)?;
            // Right-hand sides G_i, and factors of the matrix of all stages.
            newton.residuals(step);
            if renews && !self.factor(step, statistics) {
                break;
            }
            // The correction of all stages at once.
            newton.delta[..count].copy_from_slice(&newton.g[..count]);
            self.lu.solve(&mut newton.delta[..count]);
            let norm = newton.norm(step);
            if !norm.is_finite() || pass > 1 && norm > ASTRAY * last {
                break;
            }
            // The stages are corrected; the ratio of two corrections is the contraction.
            for (z, delta) in newton.z[..count].iter_mut().zip(&newton.delta) {
                *z += delta;
            }
            ratio = if pass > 1 { norm / last } else { 0.0 };
            last = norm;
            // What is left, as for the simplified iteration; of a single pass nothing more is known than its
            // correction.
            let is_left = if pass > 1 && ratio < 1.0 { norm * ratio / (1.0 - ratio) } else { norm };
            // What no longer shrinks although the matrix is new is rounding.
            let is_rounding = renews && ratio > RENEW && norm <= ROUND_OFF_CORRECTION;
            if is_left <= step.kappa || is_rounding && pass > 1 {
                return Ok(Convergence { passes: pass, contraction: None, left: is_left });
            }
        }
        Err(Failure::Slow { fraction: 0.5 })
    }

    /// Evaluates all stages, with their Jacobians if they are to be formed.
    fn evaluate(
        &mut self,
        newton: &mut Newton,
        problem: &mut dyn HybridSystem,
        step: &StepEquations<'_>,
        form: Option<&mut Form<'_>>,
        statistics: &mut Statistics,
    ) -> Result<(), EvaluationError> {
        let (n, s) = (step.y0.len(), step.tableau.s);
        // Old Jacobians: the derivatives alone.
        let Some(form) = form else {
            return (0..s).try_for_each(|i| newton.evaluate_stage(i, problem, step, statistics));
        };
        for i in 0..s {
            newton.evaluate_stage(i, problem, step, statistics)?;
            let f = &newton.f[i * n..(i + 1) * n];
            let at = StagePoint { t: step.time(i), y: &newton.point, f };
            form(problem, at, &mut self.jacobians[i], statistics)?;
        }
        Ok(())
    }

    /// Factorises the matrix of all stages. False if it is singular.
    fn factor(&mut self, step: &StepEquations<'_>, statistics: &mut Statistics) -> bool {
        statistics.factorizations += 1;
        let (n, s) = (step.y0.len(), step.tableau.s);
        // Block (i, j) is - h a_ij J_j.
        let size = n * s;
        let entries = self.lu.entries_mut();
        for (row, entries) in entries.chunks_exact_mut(size).enumerate() {
            for (j, (part, jacobian)) in
                entries.chunks_exact_mut(n).zip(&self.jacobians).enumerate()
            {
                let factor = step.h * step.tableau.a[row / n][j];
                for (entry, slope) in part.iter_mut().zip(jacobian.row(row % n)) {
                    *entry = -factor * slope;
                }
            }
        }
        // The blocks on the diagonal have M besides.
        step.mass.for_each(n, |place, value| {
            for i in 0..s {
                entries[(i * n + place / n) * size + i * n + place % n] += value;
            }
        });
        self.lu.factor()
    }
}
