//! Radau IIA as a [`Method`]: trials until a step is accepted, and what a driver reads of the step.

use super::*;

impl Method for Radau {
    accessors! { t: t, y: y, ydot: ydot }

    fn name(&self) -> &'static str {
        self.name
    }

    /// Asks for the pattern of the Jacobian in discrete states that are new. A Jacobian formed in the same discrete states
    /// serves behind the event too.
    fn look(
        &mut self,
        problem: &mut dyn HybridSystem,
        states: Option<u64>,
    ) -> Result<(), IntegrationError> {
        // Entries that are new ask for factors with room for them, and for the evaluations that find them.
        if let Some(pattern) = self.upkeep.look(problem, states) {
            let most_stages = FAMILY[self.orders.range().1].s;
            self.systems =
                Systems::new(self.y.len(), most_stages, sparse(&self.mass, Some(pattern)));
            self.upkeep.reshape(&self.mass);
        }
        Ok(())
    }

    fn restart(&mut self, t: f64, y: &[f64], ydot: &[f64], start: Start) {
        // How far the derivatives jump is seen before the old ones are overwritten.
        let jump = if start == Start::Warm { self.jump_to(t, ydot) } else { 0.0 };
        self.t = t;
        self.y.copy_from_slice(y);
        self.ydot.copy_from_slice(ydot);
        self.f.copy_from_slice(ydot);
        // With a matrix M the derivatives are not the right-hand side, which is evaluated when it is needed.
        self.f_known = self.mass == Mass::Identity;
        // The polynomial of the last step ends at the event; contraction and Jacobian are those of another point.
        self.step.forget();
        self.newton.forget();
        self.upkeep.grow_older();
        // A one-step method needs no history, so size, order and Jacobian stay valid behind an event.
        if start == Start::Cold {
            self.upkeep.age = Age::Missing;
            self.h = 0.0;
            self.place = self.orders.range().0;
            self.control = Control::new();
            self.upkeep.differences.reset();
        } else {
            self.h = self.control.restart(self.tableau(), jump, self.h);
        }
    }

    fn step(
        &mut self,
        problem: &mut dyn HybridSystem,
        target: Target,
    ) -> Result<StepOutcome, IntegrationError> {
        // The tolerance cannot be below the round-off of the state.
        if let Some(raised) = self.tolerance.raised_for(&self.y) {
            self.tolerance = raised;
            self.statistics.tolerance_raises += 1;
            return Ok(StepOutcome::ToleranceRaised(raised));
        }
        // The first size to be tried: as planned, between the smallest and the largest one.
        let smallest = self.limits.min.max(time_resolution(self.t));
        let plan = self.open(target)?;
        let mut plan = plan.abs().max(smallest).copysign(plan);
        // One trial per pass of the loop, each with a smaller size or a new Jacobian, until one is accepted.
        loop {
            // The plan, cut at the bound of the target.
            let (h, t1) = fit_step(self.t, plan, target.bound);
            // A trial ends with an accepted step, with an error above the tolerance, or in trouble.
            let (error, trouble) = match self.attempt(problem, h, t1) {
                Ok(trial) if trial.error <= 1.0 => match self.move_on(problem, h, t1) {
                    Ok(()) => {
                        self.statistics.accept(self.tableau().order());
                        self.plan_next(h, plan, &trial);
                        return Ok(StepOutcome::Accepted);
                    }
                    Err(source) => (f64::INFINITY, Some(Setback::Evaluation(source))),
                },
                Ok(trial) => (trial.error, None),
                Err(trouble) => (f64::INFINITY, Some(trouble)),
            };
            self.statistics.rejected += 1;
            // At the smallest size a trial with an old Jacobian is repeated with a new Jacobian; any other failure is final.
            let hope =
                self.upkeep.age == Age::Older && matches!(trouble, Some(Setback::Equations { .. }));
            if h.abs() <= smallest && !hope {
                return Err(self.failure(h, error, trouble.as_ref()));
            }
            // Trouble with the equations asks for a new Jacobian or a shorter step; an error tells how much shorter.
            plan = match &trouble {
                Some(trouble) => self.recover(h, trouble),
                None => self.control.after_refusal(self.tableau(), h, error),
            };
            plan = plan.abs().max(smallest).copysign(plan);
        }
    }

    fn interpolate(&mut self, t: f64, y: &mut [f64], ydot: &mut [f64]) {
        self.step.interpolate(t, y, ydot);
    }

    fn watch_guards(&mut self, n: usize) {
        self.newton.samples.ask(n);
    }

    fn guard_samples(&self) -> Option<GuardSamples<'_>> {
        self.newton.samples.get()
    }

    /// The polynomial of s stages has at most s - 1 turning points; the search takes two parts for each.
    fn parts_to_inspect(&self) -> usize {
        2 * (FAMILY[self.last_place].s - 1)
    }

    fn report(&self) -> StepReport {
        let h = self.step.h;
        StepReport {
            t: self.t,
            h,
            order: FAMILY[self.last_place].order(),
            h_next: self.h.copysign(h),
            order_next: self.tableau().order(),
        }
    }

    fn tolerance(&self) -> Tolerance {
        self.tolerance
    }
}
