//! Newton's iteration for the stages of a step, with a Jacobian that is held.
//!
//! With `G_i = h sum_j a_ij f_j - M z_i` and the modes (mu, x, l) of `A^-1` the simplified iteration of
//! Hairer & Wanner (IV.8) is, for each mode,
//!
//! ```text
//! (mu/h M - J) w = mu/h sum_i l_i G_i,        z_i <- z_i + sum over modes of x_i w
//! ```
//!
//! where conjugate pairs count as twice the real part. Residuals are formed with A itself, so the
//! accuracy of the modes does not touch the result.
//!
//! One pass solves a linear problem, so whether a second one is needed depends on how nonlinear the problem is over a step.
//! The last stage tells, whose derivatives at the corrected place the end of the step needs anyway: what
//! the correction `dz` did not foresee there,
//!
//! ```text
//! d = f(y0 + z_s + dz_s) - f(y0 + z_s) - J dz_s,
//! ```
//!
//! is left in the stages as about h d, or less in stiff components, as the system of the real mode filters it. The guess is
//! worst at that stage, since it is the farthest from where it comes from.
//!
//! Not here: what follows from a failure (`control.rs`).

use super::super::implicit::Mass;
use super::super::one_step::ratio;
use super::super::problem::check_finite;
use super::super::{EvaluationError, HybridSystem, Statistics};
use super::combine;
use super::hidden::slopes;
use super::samples::StageSamples;
use super::step_equations::{Convergence, Failure, StagePoint, StepEquations};
use super::systems::{RealRoom, Room};
use super::tableau::{LANES, Tableau};
use crate::linear::lanes::Lanes;

/// An iteration whose contraction is above this value counts as divergent.
const DIVERGENCE: f64 = 0.99;
/// If corrections stop shrinking below this part of the tolerance, the reason is round-off, not divergence.
pub(super) const ROUND_OFF_CORRECTION: f64 = 0.05;
/// Inner stages may be farther off than the last one by this factor.
pub(super) const INNER_STAGES: f64 = 4.0;

/// Buffers of the iteration.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub(super) struct Newton {
    /// Increments of the stages.
    pub z: Vec<f64>,
    /// Derivatives at the stages.
    pub f: Vec<f64>,
    /// Residuals of the stages.
    pub g: Vec<f64>,
    /// Corrections of the stages.
    pub delta: Vec<f64>,
    /// Parts of the modes.
    modes: Vec<Lanes<LANES>>,
    real: Vec<f64>,
    scratch: Vec<f64>,
    room: Room,
    real_room: RealRoom,
    /// State of the stage that was evaluated last.
    pub point: Vec<f64>,
    /// Derivatives at the end of the step, with the state that they belong to.
    pub end: IterationEnd,
    /// Guards at stages of the last pass.
    pub samples: StageSamples,
    /// `theta/(1 - theta)` with the contraction theta of the last iteration: error left after a pass over its correction.
    remainder: f64,
}

/// Derivatives at the state where the last stage ended.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub(super) struct IterationEnd {
    is_known: bool,
    y: Vec<f64>,
    f: Vec<f64>,
}

impl IterationEnd {
    /// The derivatives at a state, if they are known.
    pub fn at(&self, y: &[f64]) -> Option<&[f64]> {
        (self.is_known && self.y == y).then_some(&self.f[..])
    }
}

/// Contractions seen so far.
struct Trend {
    last_norm: f64,
    last_ratio: f64,
    contraction: Option<f64>,
}

/// The meaning of the ratio of two successive corrections.
#[derive(Clone, Copy, PartialEq, Eq)]
enum IterationVerdict {
    /// The corrections shrink fast enough.
    Shrinks,
    /// The corrections are small and do not shrink any more.
    Rounding,
}

impl Newton {
    /// Room for `n` states, with which the linear systems have `n_unknowns`.
    pub fn new(n: usize, n_unknowns: usize, most_stages: usize) -> Self {
        let stages = || vec![0.0; n * most_stages];
        Self {
            z: stages(),
            f: stages(),
            g: stages(),
            delta: stages(),
            modes: vec![Lanes::ZERO; n],
            real: vec![0.0; n],
            scratch: vec![0.0; n],
            room: Room::new(n_unknowns),
            real_room: RealRoom::new(n_unknowns),
            point: vec![0.0; n],
            end: IterationEnd { is_known: false, y: vec![0.0; n], f: vec![0.0; n] },
            samples: StageSamples::default(),
            remainder: 1.0,
        }
    }

    /// Trusts no former contraction: the first pass then never ends an iteration.
    pub fn forget(&mut self) {
        self.remainder = 1.0;
    }

    /// Improves the guess in `z` until what is left is below `kappa` of the tolerance.
    pub fn solve(
        &mut self,
        problem: &mut dyn HybridSystem,
        step: &StepEquations<'_>,
        statistics: &mut Statistics,
    ) -> Result<Convergence, Failure> {
        // More stages may take more passes before the iteration counts as slow.
        let most = most_passes(step.tableau);
        // The contraction of the last step is trusted less in this step, as in RADAU5 (Hairer & Wanner 1996, IV.8).
        self.remainder = self.remainder.max(f64::EPSILON).powf(0.8);
        self.end.is_known = false;
        let mut trend = Trend { last_norm: 0.0, last_ratio: 0.0, contraction: None };
        for pass in 1..=most {
            // The samples of the guards belong to the last pass.
            statistics.newton_iterations += 1;
            self.samples.begin(step, pass);
            // Residuals of the stages, and the corrections that make the linearised residuals vanish.
            self.evaluate_stages(problem, step, statistics).map_err(Failure::Evaluation)?;
            self.residuals(step);
            self.correct(step);
            let norm = self.norm(step);
            if !norm.is_finite() {
                return Err(Failure::Slow { fraction: 0.5 });
            }
            // From the second pass on, the ratio of two corrections tells how fast the iteration converges.
            let is_rounding = pass > 1
                && self.judge(&mut trend, norm, pass, most, step.kappa)?
                    == IterationVerdict::Rounding;
            trend.last_norm = norm.max(f64::MIN_POSITIVE);
            let count = step.y0.len() * step.tableau.s;
            for (z, delta) in self.z[..count].iter_mut().zip(&self.delta) {
                *z += delta;
            }
            // The error left is about theta/(1 - theta) times the last correction (IV.8).
            if is_rounding || self.remainder * norm <= step.kappa {
                let left = self.remainder * norm;
                return Ok(Convergence { passes: pass, contraction: trend.contraction, left });
            }
            // The derivatives at the corrected end show the nonlinearity, and may make a second pass unnecessary.
            if pass == 1 && *step.mass == Mass::Identity {
                let left =
                    self.look_ahead(problem, step, statistics).map_err(Failure::Evaluation)?;
                if left <= step.sure {
                    self.remainder = left / trend.last_norm;
                    let contraction = Some(self.remainder);
                    return Ok(Convergence { passes: pass, contraction, left });
                }
                let IterationEnd { y, f, .. } = &self.end;
                let end = StagePoint { t: step.t1, y, f };
                self.samples.look_ahead(problem, step, end, statistics);
            }
        }
        Err(Failure::Slow { fraction: 0.5 })
    }

    /// Updates the contraction from the ratio of two corrections; fails if the passes left cannot reach the tolerance.
    fn judge(
        &mut self,
        trend: &mut Trend,
        norm: f64,
        pass: usize,
        most: usize,
        kappa: f64,
    ) -> Result<IterationVerdict, Failure> {
        // Two successive corrections shrink by the contraction theta.
        let ratio = norm / trend.last_norm;
        // The geometric mean of two ratios is smoother than the last ratio.
        let theta = if pass == 2 { ratio } else { (ratio * trend.last_ratio).sqrt() };
        trend.last_ratio = ratio;
        trend.contraction = Some(theta);
        // Corrections that do not shrink: round-off if they are small beside the tolerance, else divergence.
        if theta >= DIVERGENCE {
            if norm <= ROUND_OFF_CORRECTION {
                // How fast the next iteration converges is not known from this one.
                self.remainder = 1.0;
                return Ok(IterationVerdict::Rounding);
            }
            return Err(Failure::Slow { fraction: 0.5 });
        }
        // The sum of all later corrections, as a geometric series, over the last one.
        self.remainder = theta / (1.0 - theta);
        let left = (most - pass) as i32;
        // Error that the last allowed pass would leave, over the allowed error (IV.8, eq. 8.11).
        let excess = self.remainder * norm * theta.powi(left) / kappa;
        if excess >= 1.0 && norm > ROUND_OFF_CORRECTION {
            // The step that would converge in time: the contraction is proportional to the step size.
            let fraction = 0.8 * excess.clamp(1e-4, 20.0).powf(-1.0 / f64::from(4 + left));
            return Err(Failure::Slow { fraction: fraction.min(0.8) });
        }
        Ok(IterationVerdict::Shrinks)
    }

    fn evaluate_stages(
        &mut self,
        problem: &mut dyn HybridSystem,
        step: &StepEquations<'_>,
        statistics: &mut Statistics,
    ) -> Result<(), EvaluationError> {
        (0..step.tableau.s).try_for_each(|i| self.evaluate_stage(i, problem, step, statistics))
    }

    /// Evaluates the derivatives at a stage and leaves the state of the stage in `point`.
    pub fn evaluate_stage(
        &mut self,
        i: usize,
        problem: &mut dyn HybridSystem,
        step: &StepEquations<'_>,
        statistics: &mut Statistics,
    ) -> Result<(), EvaluationError> {
        let n = step.y0.len();
        // The state of the stage: y0 + z_i.
        let z = &self.z[i * n..(i + 1) * n];
        for ((point, y), z) in self.point.iter_mut().zip(step.y0).zip(z) {
            *point = y + z;
        }
        let f = &mut self.f[i * n..(i + 1) * n];
        // `look_ahead` may have evaluated the last stage at this very state.
        if i + 1 == step.tableau.s
            && let Some(known) = self.end.at(&self.point)
        {
            f.copy_from_slice(known);
            return Ok(());
        }
        // The derivatives there, and the guards while all that they need is known.
        statistics.evaluations += 1;
        let t = step.time(i);
        problem.derivatives(t, &self.point, f)?;
        check_finite(f)?;
        self.samples.take(i, problem, step, StagePoint { t, y: &self.point, f }, statistics);
        Ok(())
    }

    /// Evaluates the last stage where the first correction puts it. Gives an estimate of the error of all stages over the
    /// allowed error.
    fn look_ahead(
        &mut self,
        problem: &mut dyn HybridSystem,
        step: &StepEquations<'_>,
        statistics: &mut Statistics,
    ) -> Result<f64, EvaluationError> {
        let (n, last) = (step.y0.len(), step.tableau.s - 1);
        let stage = last * n..(last + 1) * n;
        // y0 + z_s with the corrected increment: the end of the step if nothing more is corrected.
        let IterationEnd { is_known, y: point, f: end } = &mut self.end;
        for ((point, y), z) in point.iter_mut().zip(step.y0).zip(&self.z[stage.clone()]) {
            *point = y + z;
        }
        statistics.evaluations += 1;
        problem.derivatives(step.t1, point, end)?;
        check_finite(end)?;
        *is_known = true;
        // f + J dz: the derivatives that the linear model foresees after the correction.
        let foreseen = &mut self.scratch;
        foreseen.copy_from_slice(&self.f[stage.clone()]);
        if step.jacobian.is_extended() {
            // dz - h A J dz = G gives J dz without J: row s of A^-1 (dz - G) / h.
            let slopes = slopes(&step.tableau.c[..step.tableau.s])[last];
            for (j, slope) in slopes[..=last].iter().enumerate() {
                let (delta, g) = (&self.delta[j * n..(j + 1) * n], &self.g[j * n..(j + 1) * n]);
                let weight = slope / step.h;
                let changes = delta.iter().zip(g).map(|(delta, g)| weight * (delta - g));
                foreseen.iter_mut().zip(changes).for_each(|(f, change)| *f += change);
            }
        } else {
            step.jacobian.add_product(&self.delta[stage], foreseen);
        }
        // d, the difference of what was found and what was foreseen.
        for ((defect, f), foreseen) in self.real.iter_mut().zip(end).zip(&*foreseen) {
            *defect = *f - foreseen;
        }
        // The defect, filtered by the real system and scaled by its eigenvalue, is about h d, or less in stiff components.
        step.systems.solve_real(&mut self.real, &mut self.real_room);
        let scale = step.tableau.modes[0].eigenvalue.re;
        let shares = self.real.iter().zip(step.allowed).map(|(x, allowed)| ratio(*x, *allowed));
        Ok(INNER_STAGES * scale * shares.fold(0.0, f64::max))
    }

    /// `G_i = h sum_j a_ij f_j - M z_i`.
    pub fn residuals(&mut self, step: &StepEquations<'_>) {
        let (n, s, h) = (step.y0.len(), step.tableau.s, step.h);
        let stages = self.g.chunks_exact_mut(n.max(1)).zip(self.z.chunks_exact(n.max(1)));
        for ((g, z), a) in stages.zip(&step.tableau.a[..s]) {
            // M z_i.
            let moved = match step.mass {
                Mass::Identity => z,
                Mass::Matrix(_) => {
                    step.mass.apply(z, &mut self.scratch);
                    &self.scratch[..]
                }
            };
            // The difference of two large numbers that nearly agree is formed once, at the end.
            let moved = &moved[..g.len()];
            combine::sum(s, a, &self.f, g, |l, sum| h * sum - moved[l]);
        }
    }

    /// Solves the systems of all modes and sums their contributions to the correction.
    fn correct(&mut self, step: &StepEquations<'_>) {
        // The right-hand sides of the modes, mu/h sum_i l_i G_i.
        let tableau = step.tableau;
        let mut shares = tableau.into_modes;
        shares.iter_mut().for_each(|lanes| lanes.scale(1.0 / step.h));
        combine::to_modes(tableau.s, &shares, &self.g, &mut self.modes);
        // (mu/h M - J) w = ... for all modes.
        step.systems.solve(&mut self.modes, &mut self.room);
        // Back to the stages: the sum over the modes of x_i w.
        combine::from_modes(tableau.s, &tableau.out_of_modes, &self.modes, &mut self.delta);
    }

    /// Largest correction over the allowed error; not finite if a correction is not.
    pub fn norm(&mut self, step: &StepEquations<'_>) -> f64 {
        // The largest correction of each component at any stage.
        combine::largest(step.tableau.s, &self.delta, &mut self.scratch);
        let sizes = self.scratch.iter().zip(step.allowed);
        // `max` would ignore a value that is not a number.
        sizes.fold(0.0, |norm: f64, (size, allowed)| {
            let size = ratio(*size, *allowed);
            if norm.is_nan() || size <= norm { norm } else { size }
        })
    }
}

/// Passes after which an iteration counts as slow: 7, 12, 17 for 3, 5, 7 stages (code RADAU, Hairer & Wanner 1999).
pub(super) fn most_passes(tableau: &Tableau) -> usize {
    7 + 5 * (tableau.s - 3) / 2
}
