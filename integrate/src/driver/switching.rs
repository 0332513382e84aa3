//! Handles an event: state at the event, passes until the modes rest, restart if any changed.
//!
//! Not here: how events are found (`roots.rs`), what a mode is (`Events::switch`).

use super::super::roots::Cluster;
use super::super::tolerance::time_resolution;
use super::super::{
    Cause, Change, Event, GuardId, HybridSystem, IntegrationError, Listener, Notice, Start, Verdict,
};
use super::{Driver, Pending, RootSearch, Stop};

impl Driver {
    /// Looks for events in the step from `t_before` to the method's time.
    pub(super) fn inspect(
        &mut self,
        problem: &mut dyn HybridSystem,
        t_before: f64,
    ) -> Result<(), IntegrationError> {
        self.find_event(problem, t_before)?;
        self.record(problem, t_before)
    }

    /// Tells the problem what the solution was like up to the next event or the end of the step.
    pub(super) fn record(
        &mut self,
        problem: &mut dyn HybridSystem,
        from: f64,
    ) -> Result<(), IntegrationError> {
        let points = problem.recorded_points();
        if points.is_empty() {
            return Ok(());
        }
        let to = self.pending.map_or(self.method.t(), |pending| pending.t);
        self.method.prepare_interpolation(problem)?;
        for (point, fraction) in points.iter().enumerate() {
            let t = from + fraction * (to - from);
            if t == self.method.t() {
                self.recorded.copy_from_slice(self.method.y());
            } else {
                self.method.interpolate(t, &mut self.recorded, &mut self.recorded_rates);
            }
            let recorded = problem.record([from, to], point, &self.recorded);
            recorded.map_err(|source| self.failure(source))?;
        }
        Ok(())
    }

    pub(super) fn find_event(
        &mut self,
        problem: &mut dyn HybridSystem,
        t_before: f64,
    ) -> Result<(), IntegrationError> {
        let t = self.method.t();
        if self.settings.search != RootSearch::Off && self.n_guards > 0 {
            let locate = self.settings.search == RootSearch::Locate;
            let found = self.roots.search(problem, self.method.as_mut(), t_before, locate);
            self.method.statistics_mut().guard_evaluations += self.roots.take_evaluations();
            if let Some(root) = found? {
                self.pending = Some(Pending { t: root, cause: Cause::State });
                return Ok(());
            }
        }
        // The sum t + h may miss the instant at which the step was to end by a round-off.
        let instant = self.next_time_event.filter(|i| (i - t).abs() <= time_resolution(t));
        if let Some(t) = instant {
            self.pending = Some(Pending { t, cause: Cause::Time });
            return Ok(());
        }
        let asked = problem.step_event(t, self.method.y(), self.method.ydot());
        if asked.map_err(|source| self.failure(source))? {
            self.pending = Some(Pending { t, cause: Cause::Step });
        }
        Ok(())
    }

    /// Stops at a pending event, settles the modes and restarts the method if they changed.
    pub(super) fn handle(
        &mut self,
        problem: &mut dyn HybridSystem,
        pending: Pending,
        listener: &mut dyn Listener,
    ) -> Result<Stop, IntegrationError> {
        if pending.cause == Cause::State {
            // The very state at which the guards were seen to have crossed.
            let (y, ydot) = self.roots.state();
            self.y.copy_from_slice(y);
            self.ydot.copy_from_slice(ydot);
            let projected = problem.project(pending.t, &mut self.y);
            projected.map_err(|source| self.failure(source))?;
        } else {
            self.copy_state(problem, pending.t)?;
        }
        self.pending = None;
        self.t = pending.t;
        self.y_before.copy_from_slice(&self.y);
        self.ydot_before.copy_from_slice(&self.ydot);
        if pending.cause != Cause::State {
            self.roots.clear_crossed();
            self.evaluate_guards(problem)?;
        }
        self.count(pending.cause);
        let accumulation = self.roots.accumulation();
        let cause = if accumulation.is_some() { Cause::Accumulation } else { pending.cause };
        let mut verdict = self.report_cluster(accumulation, listener);
        let (changed, wish) = self.switch_modes(problem, cause, listener)?;
        if wish == Verdict::Stop {
            verdict = Verdict::Stop;
        }
        if let Some(Cluster { guard, events, t_first }) = accumulation {
            if !changed {
                return Err(IntegrationError::Zeno { t_first, t: self.t, guard, events });
            }
            self.roots.forget_accumulation();
        }
        if changed {
            self.restart(problem)?;
        } else {
            self.carry_on(problem)?;
        }
        Ok(if verdict == Verdict::Stop { Stop::Interrupted } else { Stop::Event(cause) })
    }

    /// The problem has been changed from outside at the present time, such as by another value of an input: the
    /// modes settle, and the method starts anew from the present state, because the derivatives jump.
    ///
    /// A method may be ahead of the present time, and so may be what the problem remembers of its last step, unless
    /// [`EventSettings::land_on_outputs`](super::EventSettings::land_on_outputs) is set.
    ///
    /// # Errors
    /// If the problem cannot be evaluated or its modes do not settle.
    pub fn disturb(
        &mut self,
        problem: &mut dyn HybridSystem,
        listener: &mut dyn Listener,
    ) -> Result<Verdict, IntegrationError> {
        self.pending = None;
        self.y_before.copy_from_slice(&self.y);
        self.ydot_before.copy_from_slice(&self.ydot);
        self.roots.clear_crossed();
        self.evaluate(problem)?;
        let (_, verdict) = self.switch_modes(problem, Cause::Outside, listener)?;
        self.restart(problem)?;
        Ok(verdict)
    }

    /// The method starts again from the driver's state, in the modes of the problem.
    fn restart(&mut self, problem: &mut dyn HybridSystem) -> Result<(), IntegrationError> {
        let start = if self.settings.warm_restart { Start::Warm } else { Start::Cold };
        self.resume(problem, start);
        self.method.statistics_mut().restarts += 1;
        let structure = problem.structure().wrapping_mul(GOLDEN);
        self.method.look(problem, Some(self.modes.wrapping_add(structure)))
    }

    fn count(&mut self, cause: Cause) {
        let statistics = self.method.statistics_mut();
        match cause {
            Cause::State | Cause::Accumulation => statistics.roots += 1,
            Cause::Time => statistics.time_events += 1,
            Cause::Step => statistics.step_events += 1,
            Cause::Start | Cause::Outside => {}
        }
    }

    /// Tells the listener about chattering or accumulation, if this event makes it so.
    fn report_cluster(
        &mut self,
        accumulation: Option<Cluster>,
        listener: &mut dyn Listener,
    ) -> Verdict {
        let t = self.t;
        if let Some(Cluster { guard, events, t_first }) = accumulation {
            return listener.notice(&Notice::Zeno { t_first, t, events, guard });
        }
        // Only state events can chatter: the others come from the problem's own clock.
        let Some(crossing) = self.roots.crossed().first().copied() else { return Verdict::GoOn };
        let dense = self.chatter.record(t).map(|t_first| Cluster {
            guard: crossing.guard,
            events: self.chatter.limit(),
            t_first,
        });
        match dense.or_else(|| self.roots.sliding()) {
            Some(Cluster { guard, events, t_first }) => {
                listener.notice(&Notice::Chattering { t_first, t, events, guard })
            }
            None => Verdict::GoOn,
        }
    }

    /// The event iteration: passes until one notes no change. Returns whether any did, and what
    /// the listener wants.
    pub(super) fn switch_modes(
        &mut self,
        problem: &mut dyn HybridSystem,
        cause: Cause,
        listener: &mut dyn Listener,
    ) -> Result<(bool, Verdict), IntegrationError> {
        let mut verdict = Verdict::GoOn;
        let is_late = cause == Cause::State && self.settings.search == RootSearch::StepEnd;
        let delay = if is_late { self.method.report().h.abs() } else { 0.0 };
        let mut limit = self.settings.iteration_limit;
        let mut iteration = 0;
        self.has_acted = false;
        while iteration < limit {
            self.changes.clear();
            let event = Event {
                t: self.t,
                cause,
                iteration,
                crossed: if iteration == 0 { self.roots.crossed() } else { &[] },
                guards: self.roots.values(),
                bands: self.roots.bands(),
                ydot: &self.ydot,
                delay,
                acted: self.has_acted.then_some(&self.guards_before[..]),
            };
            let switched = problem.switch(&event, &mut self.y, &mut self.changes);
            let crossed = event.crossed;
            let settled = self.changes.is_settled();
            for &Change { guard, from, to } in self.changes.as_slice() {
                self.modes =
                    self.modes.wrapping_add(mark(guard, to)).wrapping_sub(mark(guard, from));
            }
            if !settled || (iteration == 0 && cause != Cause::Start) {
                let changes = self.changes.as_slice();
                let notice = Notice::Switched { t: self.t, cause, iteration, crossed, changes };
                if listener.notice(&notice) == Verdict::Stop {
                    verdict = Verdict::Stop;
                }
            }
            switched.map_err(|source| self.failure(source))?;
            self.method.statistics_mut().event_passes += 1;
            if settled {
                return Ok((iteration > 0, verdict));
            }
            if listener.goes_on(&self.method.report()) == Verdict::Stop {
                verdict = Verdict::Stop;
            }
            if self.changes.counts_anew() {
                limit = iteration + 1 + self.settings.iteration_limit;
                if !self.has_acted {
                    self.guards_before.copy_from_slice(self.roots.values());
                    self.has_acted = true;
                }
            }
            iteration += 1;
            self.evaluate(problem)?;
        }
        Err(self.unsettled())
    }

    fn unsettled(&self) -> IntegrationError {
        let mut toggling: Vec<GuardId> =
            self.changes.as_slice().iter().map(|change| change.guard).collect();
        toggling.sort_unstable();
        toggling.dedup();
        let iterations = self.settings.iteration_limit;
        IntegrationError::UnsettledEvent { t: self.t, iterations, toggling }
    }

    /// Nothing changed at the event, so the last step stays valid: looks for events in the rest of the step.
    fn carry_on(&mut self, problem: &mut dyn HybridSystem) -> Result<(), IntegrationError> {
        self.roots.rearm(problem, &self.y);
        self.ask_for_instant(problem);
        if self.beyond(self.method.t(), self.t) { self.inspect(problem, self.t) } else { Ok(()) }
    }

    fn ask_for_instant(&mut self, problem: &mut dyn HybridSystem) {
        // An instant that is not ahead would be handled for ever.
        let instant = problem.next_time_event(self.t, self.direction);
        self.next_time_event = instant.filter(|t| self.beyond(*t, self.t));
    }

    /// The method stands at the driver's state, guards are armed, the next known instant is asked.
    pub(super) fn resume(&mut self, problem: &mut dyn HybridSystem, start: Start) {
        self.roots.rearm(problem, &self.y);
        self.method.restart(self.t, &self.y, &self.ydot, start);
        self.ask_for_instant(problem);
        self.account.restarted();
        self.pending = None;
    }
}

/// Larger values of a discrete state count as equal: such a state is a counter, not a mode.
const LARGEST_MODE: i32 = 16;
/// 2^64 over the golden ratio: the multiples of this number are spread evenly.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// A number for a discrete state and its value, scattered over all numbers (SplitMix64, Steele, Lea and Flood 2014).
fn mark(guard: GuardId, value: i32) -> u64 {
    let mut x = (guard.0 as u64) << 32 | u64::from(value.clamp(-LARGEST_MODE, LARGEST_MODE) as u32);
    x = x.wrapping_add(1).wrapping_mul(GOLDEN);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}
