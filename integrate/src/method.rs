//! The interface of all integration methods: step, interpolate, restart, statistics.
//!
//! Not here: output points, events, messages to the user (`driver.rs`).

use std::any::Any;

use super::{HybridSystem, IntegrationError, Statistics, Tolerance};

/// How a method is to begin at a new point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// Nothing is known: begin as at the start of a run.
    Cold,
    /// After an event: the solution before it had the same scale, so the last step size is a guide.
    Warm,
}

/// Where a step leads.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The point of interest ahead, s: gives the direction and the size of a first step.
    pub toward: f64,
    /// No step goes past this point, s.
    pub bound: f64,
}

/// The result of a call of [`Method::step`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StepOutcome {
    /// The solution advanced.
    Accepted,
    /// Nothing moved: the tolerance was below what the arithmetic resolves here, and has been
    /// raised to this value. Calling again goes on.
    ToleranceRaised(Tolerance),
    /// Nothing moved: the step was below the spacing of numbers at `t`, and has been lengthened.
    StepLengthened,
}

/// The last accepted step and the plan for the next one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepReport {
    /// Time reached, s.
    pub t: f64,
    /// Size of the last step, s (signed).
    pub h: f64,
    /// Order of the last step.
    pub order: usize,
    /// Size planned for the next step, s (signed).
    pub h_next: f64,
    /// Order planned for the next step.
    pub order_next: usize,
}

/// Guards inside a step, at points where the method evaluated the problem anyway.
#[derive(Clone, Copy, Debug)]
pub struct GuardSamples<'a> {
    /// Beginning of the step, s.
    pub from: f64,
    /// Where the points lie, as fractions of the step, ascending.
    pub fractions: &'a [f64],
    /// The values at the points, one point after the other.
    pub values: &'a [f64],
    /// Values at the end of the step where it was thought to be when the others were taken. The others are about as far off,
    /// or less.
    pub end: &'a [f64],
}

/// Copies a method that is known by its trait only; every method that implements `Clone` can do so.
pub trait CopyMethod: Any {
    /// A method that goes on from here bit for bit as this one does.
    fn copy(&self) -> Box<dyn Method + Send>;

    /// Makes another method such a copy. The buffers of the other method stay in use if its type is the same.
    fn copy_to(&self, other: &mut Box<dyn Method + Send>);
}

impl<M: Method + Clone + Send> CopyMethod for M {
    fn copy(&self) -> Box<dyn Method + Send> {
        Box::new(self.clone())
    }

    fn copy_to(&self, other: &mut Box<dyn Method + Send>) {
        let of_any_type: &mut dyn Any = &mut **other;
        match of_any_type.downcast_mut::<M>() {
            Some(same) => same.clone_from(self),
            None => *other = self.copy(),
        }
    }
}

impl Clone for Box<dyn Method + Send> {
    fn clone(&self) -> Self {
        (**self).copy()
    }

    fn clone_from(&mut self, source: &Self) {
        (**source).copy_to(self);
    }
}

/// A method that advances a [`Problem`](crate::Problem) step by step.
pub trait Method: CopyMethod {
    /// Name by which a model file selects it.
    fn name(&self) -> &'static str;

    /// Inspects the problem at the present point, if the method has to evaluate it there. Called after the
    /// [`restart`](Self::restart) at the beginning of a run, with `None`, and after each restart behind a change of discrete
    /// states, with a number that identifies the combination of their values.
    ///
    /// # Errors
    /// If the problem cannot be evaluated there.
    fn look(
        &mut self,
        problem: &mut dyn HybridSystem,
        states: Option<u64>,
    ) -> Result<(), IntegrationError> {
        let _ = (problem, states);
        Ok(())
    }

    /// States that a method of mixed mode treats implicitly, ascending; known behind [`look`](Self::look).
    fn fast_states(&self) -> &[usize] {
        &[]
    }

    /// Forgets the past and stands at `(t, y)` with derivative `ydot` there. Evaluates nothing.
    fn restart(&mut self, t: f64, y: &[f64], ydot: &[f64], start: Start);

    /// Takes one step towards the target, with as many trials as it needs.
    ///
    /// # Errors
    /// If no acceptable step exists; the error says when, how long and of which order.
    fn step(
        &mut self,
        problem: &mut dyn HybridSystem,
        target: Target,
    ) -> Result<StepOutcome, IntegrationError>;

    /// Makes [`interpolate`](Self::interpolate) as accurate as the step, if that takes evaluations.
    ///
    /// # Errors
    /// If the problem cannot be evaluated inside the step.
    fn prepare_interpolation(
        &mut self,
        problem: &mut dyn HybridSystem,
    ) -> Result<(), IntegrationError> {
        let _ = problem;
        Ok(())
    }

    /// Writes solution and derivative at `t` inside the last step.
    fn interpolate(&mut self, t: f64, y: &mut [f64], ydot: &mut [f64]);

    /// Tells that roots of so many guards will be looked for inside steps: a method that evaluates the problem there may
    /// sample them.
    fn watch_guards(&mut self, n: usize) {
        let _ = n;
    }

    /// Values of the guards that were sampled in the last step.
    fn guard_samples(&self) -> Option<GuardSamples<'_>> {
        None
    }

    /// In how many equal parts the last step has to be looked at so that nothing hides between
    /// the points: in each part the solution should look like a parabola. A method of moderate
    /// order or with a long history covers less than a radian of an oscillation per step, for
    /// which four parts are enough; each costs an evaluation of the guards.
    fn parts_to_inspect(&self) -> usize {
        4
    }

    /// True if steps always cover less than a radian of an oscillation, so that three values of a guard at the ends
    /// of steps show how it bends between them.
    fn has_short_steps(&self) -> bool {
        false
    }

    /// True if output points are reached by ending a step there rather than by interpolation.
    fn lands_on_outputs(&self) -> bool {
        false
    }

    /// For a method of variable order: the order up to which steps count as low. A long run of
    /// low orders is the sign of stiffness.
    fn low_order(&self) -> Option<usize> {
        None
    }

    /// Time reached, s.
    fn t(&self) -> f64;
    /// Solution at [`t`](Self::t).
    fn y(&self) -> &[f64];
    /// Derivative at [`t`](Self::t).
    fn ydot(&self) -> &[f64];
    /// The last accepted step and the next plan.
    fn report(&self) -> StepReport;
    /// Tolerance in force.
    fn tolerance(&self) -> Tolerance;
    /// Work done so far.
    fn statistics(&self) -> &Statistics;
    /// Work done so far, for the driver to add its share.
    fn statistics_mut(&mut self) -> &mut Statistics;
}

/// Where a method stands and what it has done, from its fields.
macro_rules! accessors {
    (t: $($t:ident).+, y: $($y:ident).+, ydot: $($ydot:ident).+) => {
        fn t(&self) -> f64 {
            self.$($t).+
        }

        fn y(&self) -> &[f64] {
            &self.$($y).+
        }

        fn ydot(&self) -> &[f64] {
            &self.$($ydot).+
        }

        fn statistics(&self) -> &Statistics {
            &self.statistics
        }

        fn statistics_mut(&mut self) -> &mut Statistics {
            &mut self.statistics
        }
    };
}

pub(super) use accessors;
