//! Which iteration solves the equations of a step.
//!
//! Not here: the iterations (`newton.rs`, `stagewise.rs`).

use super::super::implicit::{Differences, Matrix, StatePoint};
use super::super::problem::check_finite;
use super::super::{EvaluationError, HybridSystem, Statistics};
use super::hidden::Hidden;
use super::newton::Newton;
use super::stagewise::Stagewise;
use super::step_equations::{Convergence, Failure, StagePoint, StepEquations};

/// Passes with Jacobians of the stages after which one Jacobian will probably do for the next step.
const EASY: usize = 2;

/// Writes the Jacobian at a point, as the problem gives it or by differences, and looks whether its slopes hold.
pub(super) fn form(
    problem: &mut dyn HybridSystem,
    (differences, hidden): (&mut Differences, &mut Hidden),
    point: StatePoint<'_>,
    jacobian: &mut Matrix,
    statistics: &mut Statistics,
) -> Result<(), EvaluationError> {
    statistics.jacobians += 1;
    match problem.jacobian(point.t, point.y, point.f, jacobian) {
        Some(Ok(())) if check_finite(jacobian.entries()).is_ok() => {
            hidden.look(problem, point, jacobian, statistics);
            return Ok(());
        }
        Some(Err(error)) => return Err(error),
        // An extended Jacobian has no differences.
        _ if jacobian.is_extended() => {
            return Err(EvaluationError::Undefined { index: 0, what: "Jacobian" });
        }
        // A law may have a value but no slope, as a root at zero: a difference has one.
        Some(Ok(())) | None => {
            differences.form(problem, point, jacobian, &mut statistics.evaluations)?;
        }
    }
    hidden.look(problem, point, jacobian, statistics);
    if hidden.is_steep {
        // Differences of the usual size may reach over the zero where the slope is steepest.
        differences.form_closely(problem, point, jacobian, &mut statistics.evaluations)?;
    }
    Ok(())
}

/// The iterations that may solve the equations of a step.
pub(super) struct Solver<'a> {
    pub newton: &'a mut Newton,
    pub stagewise: Option<&'a mut Stagewise>,
    /// Output: the Jacobians of the stages were needed.
    pub was_stagewise: &'a mut bool,
    /// Output: the next step will probably need the Jacobians of the stages too.
    pub is_stubborn: &'a mut bool,
    pub differences: &'a mut Differences,
    pub hidden: &'a mut Hidden,
    /// First guess of the stages, for both iterations.
    pub guess: &'a [f64],
}

impl Solver<'_> {
    /// Tries the simplified iteration first, unless the last step was hard; where it fails, the iteration with Jacobians of
    /// the stages.
    pub fn solve(
        self,
        problem: &mut dyn HybridSystem,
        step: &StepEquations<'_>,
        statistics: &mut Statistics,
    ) -> Result<Convergence, Failure> {
        let Self { newton, stagewise, was_stagewise, is_stubborn, differences, hidden, guess } =
            self;
        *was_stagewise = false;
        newton.samples.forget();
        let mut simplified =
            |newton: &mut Newton, problem: &mut dyn HybridSystem, statistics: &mut _| {
                let solved = newton.solve(problem, step, statistics)?;
                let stages = (&newton.z[..], &newton.delta[..]);
                let hides = hidden.is_steep
                    && hidden.is_left(problem, step, stages, step.jacobian, statistics);
                if hides { Err(Failure::Slow { fraction: 0.5 }) } else { Ok(solved) }
            };
        let Some(stagewise) = stagewise else { return simplified(newton, problem, statistics) };
        if !*is_stubborn {
            let solved = simplified(newton, problem, statistics);
            if !matches!(solved, Err(Failure::Slow { .. })) {
                return solved;
            }
            newton.z.copy_from_slice(guess);
        }
        newton.forget();
        let was_steep = hidden.is_steep;
        let mut form = |problem: &mut dyn HybridSystem,
                        StagePoint { t, y, f }: StagePoint<'_>,
                        jacobian: &mut Matrix,
                        statistics: &mut Statistics| {
            let point = StatePoint { t, y, f, allowed: step.allowed, direction: step.h.signum() };
            form(problem, (&mut *differences, &mut *hidden), point, jacobian, statistics)
        };
        let solved = stagewise.solve(newton, problem, step, &mut form, statistics);
        // The last Jacobian that was formed is that of the end.
        let hides = solved.is_ok() && hidden.is_steep && {
            let stages = (&newton.z[..], &newton.delta[..]);
            hidden.is_left(problem, step, stages, stagewise.at_end(), statistics)
        };
        hidden.is_steep |= was_steep;
        let solved = if hides { Err(Failure::Slow { fraction: 0.5 }) } else { solved };
        *was_stagewise = solved.is_ok();
        *is_stubborn = solved.as_ref().is_ok_and(|convergence| convergence.passes > EASY);
        solved
    }
}
