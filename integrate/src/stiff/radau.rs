//! The method: one step after another, each with as many trials as it needs.
//!
//! With s stages, `M z_i = h sum_j a_ij f(t + c_j h, y + z_j)` and `y1 = y + z_s` (Hairer, Wanner 1996, IV.5 and IV.8).
//!
//! Not here: the parts of a trial, each in its file.

mod accepted_steps;

use super::super::implicit::{Mass, Pattern, StatePoint};
use super::super::method::accessors;
use super::super::one_step::{first_step, fit_step, ratio};
use super::super::problem::check_finite;
use super::super::tolerance::time_resolution;
use super::super::{
    EvaluationError, GuardSamples, HybridSystem, IntegrationError, Method, Start, Statistics,
    StepLimits, StepOutcome, StepReport, Target, Tolerance,
};
use super::collocation::Collocation;
use super::control::{Control, OrderChange, newton_fraction};
use super::estimate::{Estimate, ForeseenStages, SolvedStep};
use super::newton::{INNER_STAGES, Newton};
use super::orders::Orders;
use super::solver::Solver;
use super::stagewise::Stagewise;
use super::step_equations::{Convergence, Failure, StepEquations};
use super::systems::Systems;
use super::tableau::{FAMILY, Tableau};
use super::upkeep::{Age, Upkeep, sparse};

/// If the step could grow by less than this factor, the next step has the same size and uses the same factors again.
const SAME_SIZE: f64 = 1.2;

/// Factor by which extrapolation into the next step amplifies round-off: the largest of Lagrange's polynomials there.
const EXTRAPOLATED: f64 = 1e3;

/// Why a trial step failed.
enum Setback {
    /// The iteration does not converge, or its matrix is singular.
    Equations { fraction: f64 },
    /// The problem has no value.
    Evaluation(EvaluationError),
}

/// A trial whose equations are solved.
struct Trial {
    /// Estimated error over tolerance.
    error: f64,
    convergence: Convergence,
}

/// What is known of the structure of the equations.
#[derive(Debug, Default)]
pub struct Structure {
    /// The entries of the Jacobian that may not be zero, if they are known.
    pub pattern: Option<Pattern>,
    /// The factor before the derivatives.
    pub mass: Mass,
}

/// Radau IIA method with variable order and step.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub struct Radau {
    name: &'static str,
    tolerance: Tolerance,
    limits: StepLimits,
    orders: Orders,
    /// Place of the method in use in the family.
    place: usize,
    mass: Mass,
    control: Control,
    newton: Newton,
    /// Newton's iteration with a Jacobian for each stage, used where the simplified iteration fails; only at the lowest order.
    stagewise: Option<Stagewise>,
    /// The last trial was solved with Jacobians of the stages.
    was_stagewise: bool,
    /// The last trial needed so many passes with Jacobians of the stages that the next trial begins with them.
    is_stubborn: bool,
    systems: Systems,
    upkeep: Upkeep,
    estimate: Estimate,
    /// The last accepted step.
    step: Collocation,
    t: f64,
    y: Vec<f64>,
    /// Right-hand side at `(t, y)`; the derivative itself if M is the identity.
    f: Vec<f64>,
    f_known: bool,
    ydot: Vec<f64>,
    allowed: Vec<f64>,
    candidate: Vec<f64>,
    /// First guess of the stages.
    guess: Vec<f64>,
    /// Planned size; 0 before the first step.
    h: f64,
    /// Place of the method that took the last step.
    last_place: usize,
    statistics: Statistics,
}

impl Radau {
    /// A method for `n` components that waits for [`Method::restart`].
    pub fn new(n: usize, tolerance: Tolerance, limits: StepLimits, orders: Orders) -> Self {
        Self::structured(n, tolerance, limits, orders, Structure::default())
    }

    /// A method for `M y' = f` with a Jacobian of known pattern. A known pattern saves evaluations; a pattern with few
    /// entries also makes the linear algebra sparse.
    pub fn structured(
        n: usize,
        tolerance: Tolerance,
        limits: StepLimits,
        orders: Orders,
        Structure { pattern, mass }: Structure,
    ) -> Self {
        // Buffers have room for the method with the most stages.
        let (lowest, highest) = orders.range();
        let most_stages = FAMILY[highest].s;
        let zero = || vec![0.0; n];
        let sparse = sparse(&mass, pattern.as_ref());
        let n_unknowns = sparse.map_or(n, Pattern::len);
        Self {
            upkeep: Upkeep::new(n, most_stages, pattern.clone(), &mass),
            name: orders.name(),
            tolerance,
            limits,
            orders,
            place: lowest,
            control: Control::new(),
            newton: Newton::new(n, n_unknowns, most_stages),
            stagewise: Stagewise::new(n, FAMILY[0].s).filter(|_| lowest == 0 && sparse.is_none()),
            was_stagewise: false,
            is_stubborn: false,
            systems: Systems::new(n, most_stages, sparse),
            mass,
            estimate: Estimate::new(n, n_unknowns),
            step: Collocation::new(n, most_stages),
            t: 0.0,
            y: zero(),
            f: zero(),
            f_known: false,
            ydot: zero(),
            allowed: zero(),
            candidate: zero(),
            guess: vec![0.0; n * most_stages],
            h: 0.0,
            last_place: lowest,
            statistics: Statistics::default(),
        }
    }

    /// This method, applied to `M y' = f`.
    #[must_use]
    pub fn with_mass(mut self, mass: Mass) -> Self {
        self.mass = mass;
        self
    }

    fn tableau(&self) -> &'static Tableau {
        &FAMILY[self.place]
    }

    /// Allowed errors at the beginning of a step, and its first planned size.
    fn open(&mut self, target: Target) -> Result<f64, IntegrationError> {
        let Tolerance { relative, absolute } = self.tolerance;
        // The error that each component may have: RelErr |y| + AbsErr.
        for (index, (allowed, y)) in self.allowed.iter_mut().zip(&self.y).enumerate() {
            *allowed = relative * y.abs() + absolute;
            if *allowed <= 0.0 {
                return Err(IntegrationError::ZeroWeight { t: self.t, index });
            }
        }
        // The sign of the room is the direction of time.
        let room = target.bound - self.t;
        // Without a former step the size follows from the derivatives and the tolerance.
        if self.h == 0.0 {
            self.h = first_step(&self.tolerance, &self.limits, &self.y, &self.f, room.abs());
        }
        Ok(self.limits.clamp(self.h).copysign(room))
    }

    /// Forms the Jacobian and the factors as far as they are missing.
    fn prepare(&mut self, problem: &mut dyn HybridSystem, h: f64) -> Result<(), Setback> {
        // f(t, y), which the error estimate and a Jacobian by differences need.
        if !self.f_known {
            self.statistics.evaluations += 1;
            problem.derivatives(self.t, &self.y, &mut self.f).map_err(Setback::Evaluation)?;
            check_finite(&self.f).map_err(Setback::Evaluation)?;
            self.f_known = true;
        }
        if self.upkeep.age == Age::Missing {
            self.form_jacobian(problem, h).map_err(Setback::Evaluation)?;
        }
        let tableau = self.tableau();
        // The matrices mu/h M - J depend on the number of stages, the step size and the Jacobian.
        if !self.systems.fit(tableau, h) {
            self.statistics.factorizations += 1;
            if !self.systems.factor(tableau, h, &self.mass, &self.upkeep.jacobian) {
                return Err(Setback::Equations { fraction: 0.5 });
            }
        }
        Ok(())
    }

    fn form_jacobian(
        &mut self,
        problem: &mut dyn HybridSystem,
        h: f64,
    ) -> Result<(), EvaluationError> {
        // Factors of another Jacobian are worth nothing.
        self.systems.forget();
        let Self { t, y, f, allowed, upkeep, statistics, .. } = self;
        let point = StatePoint { t: *t, y, f, allowed, direction: h.signum() };
        upkeep.form(problem, point, statistics)
    }

    /// First guess of the stages: the last polynomial continued, or no change.
    fn make_guess(&mut self, h: f64) {
        let (n, tableau) = (self.y.len(), self.tableau());
        let z = &mut self.newton.z[..n * tableau.s];
        // Behind a start or an event nothing is known of the course: no change.
        if !self.step.is_known() {
            z.fill(0.0);
            self.guess.fill(0.0);
            return;
        }
        // The node c_i of the new step lies at t + c_i h, outside of the old step.
        for (i, z) in z.chunks_exact_mut(n.max(1)).enumerate() {
            self.step.extrapolate(tableau.c[i] * h, &self.y, z);
        }
        self.guess.copy_from_slice(&self.newton.z);
    }

    /// Solves the equations of a step and estimates its error; the end goes to `candidate`.
    fn attempt(
        &mut self,
        problem: &mut dyn HybridSystem,
        h: f64,
        t1: f64,
    ) -> Result<Trial, Setback> {
        self.prepare(problem, h)?;
        self.make_guess(h);
        // The tolerance as a part of the largest state decides how far the iteration has to go; it can never get below the
        // round-off of the states.
        let size = self.y.iter().fold(0.0f64, |size, y| size.max(y.abs()));
        let relative = self.tolerance.relative + self.tolerance.absolute / size;
        let (fraction, round_off) = (newton_fraction(relative), 10.0 * f64::EPSILON / relative);
        // What the iterations are given, and where they leave their results.
        let equations = StepEquations {
            tableau: self.tableau(),
            systems: &self.systems,
            mass: &self.mass,
            jacobian: &self.upkeep.jacobian,
            t0: self.t,
            t1,
            h,
            y0: &self.y,
            is_foreseen: self.step.is_known(),
            allowed: &self.allowed,
            kappa: fraction.max(round_off),
            // Inner stages matter only inside the step, where an eighth of the tolerance is not visible.
            sure: if round_off < fraction { INNER_STAGES * fraction } else { 0.0 },
        };
        let solver = Solver {
            newton: &mut self.newton,
            stagewise: self.stagewise.as_mut().filter(|_| self.place == 0),
            was_stagewise: &mut self.was_stagewise,
            is_stubborn: &mut self.is_stubborn,
            differences: &mut self.upkeep.differences,
            hidden: &mut self.upkeep.hidden,
            guess: &self.guess,
        };
        let solved = solver.solve(problem, &equations, &mut self.statistics);
        let convergence = solved.map_err(|failure| match failure {
            Failure::Slow { fraction } => Setback::Equations { fraction },
            Failure::Evaluation(source) => Setback::Evaluation(source),
        })?;
        // The last node is the end of the step: y1 = y0 + z_s.
        let n = self.y.len();
        let end = &self.newton.z[n * (equations.tableau.s - 1)..n * equations.tableau.s];
        for ((candidate, y), z) in self.candidate.iter_mut().zip(&self.y).zip(end) {
            *candidate = y + z;
        }
        // Behind a start or a rejected trial the estimate exaggerates stiff components; it is filtered twice.
        let doubtful = self.control.first || self.control.rejected;
        // The error at the end of the step, and the deviation of the polynomial between the nodes; the larger one counts.
        let Self { estimate, newton, f, candidate, tolerance, statistics, guess, .. } = self;
        let hidden = &mut self.upkeep.hidden;
        let mut error = estimate.error(
            problem,
            &equations,
            SolvedStep { z: &newton.z, f, end: candidate },
            tolerance,
            doubtful,
            &mut statistics.evaluations,
        );
        error =
            error.max(estimate.hidden(problem, &equations, f, hidden, &mut statistics.evaluations));
        if self.step.s == equations.tableau.s {
            let left = convergence.left.max(EXTRAPOLATED * f64::EPSILON / relative);
            let stages = ForeseenStages { guess, z: &newton.z, left };
            let deviation = Estimate::deviation(&equations, self.step.h, stages);
            error = error.max(deviation);
        }
        Ok(Trial { error, convergence })
    }

    /// Makes the candidate the present state, with its right-hand side.
    fn move_on(
        &mut self,
        problem: &mut dyn HybridSystem,
        h: f64,
        t1: f64,
    ) -> Result<(), EvaluationError> {
        // The end may have left the manifold of constraints by the error of the step.
        problem.project(t1, &mut self.candidate)?;
        // The new right-hand side goes to `ydot`: if its evaluation fails, the old one must be intact.
        if let Some(known) = self.newton.end.at(&self.candidate) {
            self.ydot.copy_from_slice(known);
        } else {
            self.statistics.evaluations += 1;
            problem.derivatives(t1, &self.candidate, &mut self.ydot)?;
            check_finite(&self.ydot)?;
        }
        // From here on nothing fails: the step is taken.
        std::mem::swap(&mut self.f, &mut self.ydot);
        // The stages become the polynomial for interpolation and for the next guess.
        self.step.take(self.tableau(), (self.t, h), &mut self.newton.z);
        self.step.y0.copy_from_slice(&self.y);
        // The end of the step is the new state; its old place serves the next trial.
        std::mem::swap(&mut self.y, &mut self.candidate);
        self.t = t1;
        // With a matrix M the right-hand side is not the derivative; the polynomial gives the derivative.
        if self.mass == Mass::Identity {
            self.ydot.copy_from_slice(&self.f);
        } else {
            self.step.interpolate(t1, &mut self.candidate, &mut self.ydot);
        }
        Ok(())
    }

    /// Plans size and order after an accepted step of size `h`, planned as `plan`.
    fn plan_next(&mut self, h: f64, plan: f64, trial: &Trial) {
        let Trial { error, convergence } = *trial;
        let tableau = self.tableau();
        // The Jacobian serves the next step too if the iteration converged fast with it.
        let mut keep = self.upkeep.serves(tableau, convergence);
        // The Jacobian of the last stage belongs to the end of the step, so it is more recent than the one that was held.
        if let Some(stagewise) = self.stagewise.as_ref().filter(|_| self.was_stagewise) {
            self.upkeep.jacobian.copy_from(stagewise.at_end());
            self.systems.forget();
            keep = true;
        }
        self.upkeep.age = if keep { Age::Older } else { Age::Missing };
        // The size that the error allows (Gustafsson 1994).
        let mut next = self.control.after_success(tableau, h, error, convergence);
        let growth = next / h;
        if h != plan {
            // The step was cut short by the bound of the target, so its plan stays valid.
            next = next.abs().max(plan.abs()).copysign(h);
        } else if keep && (1.0..SAME_SIZE).contains(&growth) {
            // A slightly longer step is not worth new factors.
            next = h;
        }
        // The limits of the user hold in any case.
        let limited = self.limits.clamp(next).abs();
        let bound = limited < next.abs() || h != plan;
        self.h = limited;
        // Results of this step belong to its own order, whatever order comes next.
        self.last_place = self.place;
        // The growth that the error alone would allow decides on the order.
        let wanted = error.powf(-1.0 / (tableau.s + 1) as f64);
        match self.control.order_change(convergence, growth, wanted, bound) {
            OrderChange::Stay => {}
            OrderChange::Lower => self.lower_order(),
            OrderChange::Raise if self.place < self.orders.range().1 => {
                self.place += 1;
                self.control.new_order();
            }
            OrderChange::Raise => {}
        }
    }

    /// Largest jump of the derivatives at time `t`: given derivatives minus derivatives of the last step, over the allowed
    /// error, 1/s.
    fn jump_to(&mut self, t: f64, ydot: &[f64]) -> f64 {
        if self.step.is_known() {
            self.step.interpolate(t, &mut self.candidate, &mut self.ydot);
        }
        // The largest share over all components.
        let jumps = ydot.iter().zip(&self.ydot).map(|(after, before)| after - before);
        let shares = jumps.zip(&self.allowed).map(|(jump, allowed)| ratio(jump, *allowed));
        shares.fold(0.0, f64::max)
    }

    fn lower_order(&mut self) {
        if self.place > self.orders.range().0 {
            self.place -= 1;
            self.control.new_order();
            self.newton.forget();
        }
    }

    /// Size of the next trial after a trial that failed.
    fn recover(&mut self, h: f64, trouble: &Setback) -> f64 {
        // What the last iteration said of the contraction no longer holds.
        self.newton.forget();
        match trouble {
            Setback::Equations { fraction } => {
                if self.upkeep.age == Age::Older {
                    // The old Jacobian may be the cause: the next trial has a new Jacobian and the same size.
                    self.upkeep.age = Age::Missing;
                    return h;
                }
                // The Jacobian is new and still fails: its differences may be too coarse, or the order is too high for
                // the nonlinearity.
                self.upkeep.differences.doubt();
                self.upkeep.age = Age::Missing;
                self.lower_order();
                self.control.after_failure(h, *fraction)
            }
            Setback::Evaluation(_) => self.control.after_failure(h, 0.5),
        }
    }

    fn failure(&self, h: f64, error: f64, trouble: Option<&Setback>) -> IntegrationError {
        let (t, order) = (self.t, self.tableau().order());
        match trouble {
            Some(&Setback::Evaluation(source)) => {
                IntegrationError::Evaluation { t, h, order, source }
            }
            Some(Setback::Equations { .. }) => IntegrationError::NoConvergence { t, h, order },
            None => IntegrationError::StepTooSmall { t, h, order, error_ratio: error },
        }
    }
}
