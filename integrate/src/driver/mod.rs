//! Makes steps into a run: output points, events, restarts, and the supervision of the work.
//!
//! The supervision is that of DE (Shampine & Gordon 1975, ch. 10): a method may step past an output
//! point, though not beyond ten times the distance to it, and the output is interpolated; a
//! tolerance that is too small is raised and reported; after 500 steps without an output point the
//! work is reported, as stiffness if 50 steps in a row had an order of at most four.
//!
//! Not here: event iteration (`switching.rs`), counters (`account.rs`), the search for roots.

mod account;
mod settings;
mod stall;
mod switching;

use super::chatter::ChatterWatch;
use super::roots::RootFinder;
use super::tolerance::time_resolution;
use super::{
    Cause, ChangeList, EvaluationError, HybridSystem, IntegrationError, Listener, Method, Notice,
    Start, Statistics, StepOutcome, StepReport, Target, Verdict,
};
use account::{Account, Remark};
use stall::StallWatch;

pub use settings::{EventSettings, RootSearch};

/// How far beyond an output point a method may step, in multiples of the distance to it.
const OVERSHOOT: f64 = 10.0;
/// Raises of the tolerance without a step in between that end the run.
const RAISES_LIMIT: usize = 10;

/// Why [`Driver::advance`] returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The output point is reached.
    Output,
    /// An event was handled at [`Driver::t`]; [`Driver::y_before`] is the state before it. Call
    /// again to go on.
    Event(Cause),
    /// The listener asked to stop. The state is consistent; calling again goes on.
    Interrupted,
}

/// An event that lies ahead in the last step.
#[derive(Clone, Copy, Debug)]
struct Pending {
    t: f64,
    cause: Cause,
}

/// The next action of the loop.
enum Act {
    Output,
    Event(Pending),
    Step,
    /// Less than the resolution of time is left to a point that must not be passed.
    Close(f64),
}

/// Runs a [`Method`] on a [`Problem`](crate::Problem). A clone goes on bit for bit as the driver does.
#[derive(educe::Educe)]
#[educe(Clone)]
pub struct Driver {
    method: Box<dyn Method + Send>,
    settings: EventSettings,
    roots: RootFinder,
    n_guards: usize,
    changes: ChangeList,
    /// Guard values before the problem acted on purpose at the present instant.
    guards_before: Vec<f64>,
    has_acted: bool,
    chatter: ChatterWatch,
    account: Account,
    stall: StallWatch,
    direction: f64,
    t: f64,
    y: Vec<f64>,
    ydot: Vec<f64>,
    y_before: Vec<f64>,
    /// A state inside a step, and its derivative.
    recorded: Vec<f64>,
    recorded_rates: Vec<f64>,
    ydot_before: Vec<f64>,
    pending: Option<Pending>,
    next_time_event: Option<f64>,
    /// Hash of all discrete states (Zobrist 1970): each pair of guard and value has a fixed random number, and the hash is
    /// the sum of the numbers of the present pairs. A change of one state updates the hash by two additions.
    modes: u64,
    /// The next call begins with a cold restart: the last output was a barrier.
    barrier: bool,
}

impl Driver {
    /// A driver for a problem of this size. [`start`](Self::start) comes next.
    pub fn new(
        mut method: Box<dyn Method + Send>,
        n_states: usize,
        n_guards: usize,
        settings: EventSettings,
    ) -> Self {
        let zero = || vec![0.0; n_states];
        if settings.search == RootSearch::Locate {
            method.watch_guards(n_guards);
        }
        Self {
            method,
            settings,
            roots: RootFinder::new(n_states, n_guards),
            n_guards,
            // A problem may note several changes per guard in one pass (friction, brake).
            changes: ChangeList::with_capacity(4 * n_guards + 16),
            guards_before: vec![0.0; n_guards],
            has_acted: false,
            chatter: ChatterWatch::new(settings.chatter_events, settings.chatter_span),
            account: Account::new(settings.step_allowance),
            stall: StallWatch::new(settings.stall_span),
            direction: 1.0,
            t: 0.0,
            y: zero(),
            ydot: zero(),
            y_before: zero(),
            recorded: zero(),
            recorded_rates: zero(),
            ydot_before: zero(),
            pending: None,
            next_time_event: None,
            modes: 0,
            barrier: false,
        }
    }

    /// Begins a run at `(t, y)` in the given direction (+1 or -1). The start is an event: modes
    /// settle, and `y` may change.
    ///
    /// # Errors
    /// If the problem cannot be evaluated or its modes do not settle.
    pub fn start(
        &mut self,
        problem: &mut dyn HybridSystem,
        t: f64,
        y: &[f64],
        direction: f64,
        listener: &mut dyn Listener,
    ) -> Result<(), IntegrationError> {
        self.t = t;
        self.y.copy_from_slice(y);
        self.direction = direction.signum();
        self.pending = None;
        self.barrier = false;
        self.account.reset(t);
        self.evaluate(problem)?;
        self.roots.begin(problem);
        self.switch_modes(problem, Cause::Start, listener)?;
        self.resume(problem, Start::Cold);
        self.modes = 0;
        self.stall.reset(self.method.as_ref());
        self.method.look(problem, None)
    }

    /// Time of the last output or event, s.
    pub fn t(&self) -> f64 {
        self.t
    }

    /// State there; after an event, the state behind it.
    pub fn y(&self) -> &[f64] {
        &self.y
    }

    /// Derivative there.
    pub fn ydot(&self) -> &[f64] {
        &self.ydot
    }

    /// State before the last event.
    pub fn y_before(&self) -> &[f64] {
        &self.y_before
    }

    /// Derivative before the last event.
    pub fn ydot_before(&self) -> &[f64] {
        &self.ydot_before
    }

    /// Work done so far.
    pub fn statistics(&self) -> &Statistics {
        self.method.statistics()
    }

    /// The method's last step and next plan.
    pub fn report(&self) -> StepReport {
        self.method.report()
    }

    /// The method.
    pub fn method(&self) -> &dyn Method {
        self.method.as_ref()
    }

    /// Integrates to `t_out`, or to the first event on the way. An event at `t_out` comes first;
    /// calling again then gives the output with the values after the event.
    ///
    /// # Errors
    /// If the method or the problem fails; the state is then that of the last return.
    pub fn advance(
        &mut self,
        problem: &mut dyn HybridSystem,
        t_out: f64,
        listener: &mut dyn Listener,
    ) -> Result<Stop, IntegrationError> {
        if t_out == self.t {
            return Ok(Stop::Output);
        }
        self.prepare(problem, t_out)?;
        loop {
            match self.next_act(t_out) {
                Act::Output => {
                    self.take_output(problem, t_out)?;
                    return Ok(Stop::Output);
                }
                Act::Event(pending) => return self.handle(problem, pending, listener),
                Act::Close(t) => {
                    if self.close_in(problem, t, t_out)? {
                        return Ok(Stop::Output);
                    }
                }
                Act::Step => {
                    if self.step(problem, t_out, listener)? == Verdict::Stop {
                        return Ok(Stop::Interrupted);
                    }
                }
            }
        }
    }

    /// Turns round if the direction changed, restarts behind a barrier, opens the account.
    fn prepare(
        &mut self,
        problem: &mut dyn HybridSystem,
        t_out: f64,
    ) -> Result<(), IntegrationError> {
        let direction = (t_out - self.t).signum();
        let turned = direction != self.direction;
        if turned || self.barrier {
            self.direction = direction;
            self.roots.clear_crossed();
            self.evaluate(problem)?;
            self.resume(problem, Start::Cold);
            self.method.statistics_mut().restarts += 1;
        }
        self.barrier = false;
        self.account.open(self.t, self.settings.count_per_output);
        Ok(())
    }

    /// True if `t` lies beyond `reference` in the direction of integration.
    fn beyond(&self, t: f64, reference: f64) -> bool {
        self.direction * (t - reference) > 0.0
    }

    fn next_act(&self, t_out: f64) -> Act {
        let x = self.method.t();
        // An output shows what is behind an event of the same instant, however both were rounded.
        let near = |instant: f64| (instant - t_out).abs() <= time_resolution(t_out);
        let at_output = Act::Event(Pending { t: t_out, cause: Cause::Time });
        if let Some(pending) = self.pending {
            let same = pending.cause == Cause::Time && near(pending.t);
            return match self.beyond(pending.t, t_out) {
                true if same => at_output,
                true => Act::Output,
                false => Act::Event(pending),
            };
        }
        // A step that was to land may miss the output by a round-off.
        let lands = self.settings.land_on_outputs && near(x);
        if lands || (x - self.t).abs() >= (t_out - self.t).abs() {
            let same = self.next_time_event.is_some_and(near);
            return if same { at_output } else { Act::Output };
        }
        let barrier = self.barrier_ahead(t_out);
        match barrier {
            Some(t) if (t - x).abs() < time_resolution(x) || t == x => Act::Close(t),
            _ => Act::Step,
        }
    }

    /// The nearest point that no step may pass.
    fn barrier_ahead(&self, t_out: f64) -> Option<f64> {
        let EventSettings { stop_at_outputs, land_on_outputs, .. } = self.settings;
        let lands = stop_at_outputs || land_on_outputs || self.method.lands_on_outputs();
        let output = lands.then_some(t_out);
        match (output, self.next_time_event) {
            (Some(a), Some(b)) => Some(if self.beyond(a, b) { b } else { a }),
            (a, b) => a.or(b),
        }
    }

    fn take_output(
        &mut self,
        problem: &mut dyn HybridSystem,
        t_out: f64,
    ) -> Result<(), IntegrationError> {
        self.copy_state(problem, t_out)?;
        self.t = t_out;
        self.barrier = self.settings.stop_at_outputs;
        Ok(())
    }

    /// State of the last step at `t`, into `y` and `ydot`.
    fn copy_state(
        &mut self,
        problem: &mut dyn HybridSystem,
        t: f64,
    ) -> Result<(), IntegrationError> {
        if t == self.method.t() {
            self.y.copy_from_slice(self.method.y());
            self.ydot.copy_from_slice(self.method.ydot());
        } else {
            self.method.prepare_interpolation(problem)?;
            self.method.interpolate(t, &mut self.y, &mut self.ydot);
            problem.project(t, &mut self.y).map_err(|source| self.failure(source))?;
        }
        Ok(())
    }

    /// Bridges a gap below the resolution of time by one Euler step, to an output (true) or to a
    /// time event.
    fn close_in(
        &mut self,
        problem: &mut dyn HybridSystem,
        t: f64,
        t_out: f64,
    ) -> Result<bool, IntegrationError> {
        let gap = t - self.method.t();
        let is_event = self.next_time_event == Some(t);
        self.y.copy_from_slice(self.method.y());
        self.t = self.method.t();
        self.evaluate(problem)?;
        for (y, f) in self.y.iter_mut().zip(&self.ydot) {
            *y += gap * f;
        }
        self.t = t;
        problem.project(t, &mut self.y).map_err(|source| self.failure(source))?;
        // The method has to stand where the state is.
        self.method.restart(t, &self.y, &self.ydot, Start::Cold);
        if is_event {
            self.pending = Some(Pending { t, cause: Cause::Time });
            return Ok(false);
        }
        self.barrier = self.settings.stop_at_outputs;
        Ok(t == t_out)
    }

    /// One call of the method with all that belongs to it.
    fn step(
        &mut self,
        problem: &mut dyn HybridSystem,
        t_out: f64,
        listener: &mut dyn Listener,
    ) -> Result<Verdict, IntegrationError> {
        if self.review_work(listener) == Verdict::Stop
            || listener.goes_on(&self.method.report()) == Verdict::Stop
        {
            self.stand_at_step_end();
            return Ok(Verdict::Stop);
        }
        let t_before = self.method.t();
        let far = self.account.base + OVERSHOOT * (t_out - self.account.base);
        let bound = match self.barrier_ahead(t_out) {
            Some(barrier) if self.beyond(far, barrier) => barrier,
            _ => far,
        };
        let toward = if self.beyond(t_out, bound) { bound } else { t_out };
        let outcome = self.method.step(problem, Target { toward, bound })?;
        self.check_progress()?;
        match outcome {
            StepOutcome::Accepted => {
                let report = self.method.report();
                self.account.count(report.order, self.method.low_order());
                listener.step(&report);
                self.inspect(problem, t_before)?;
                Ok(Verdict::GoOn)
            }
            StepOutcome::ToleranceRaised(tolerance) => {
                self.check_raises()?;
                let t = self.method.t();
                self.account.renew(t);
                let verdict = listener.notice(&Notice::ToleranceRaised { t, tolerance });
                if verdict == Verdict::Stop {
                    self.stand_at_step_end();
                }
                Ok(verdict)
            }
            StepOutcome::StepLengthened => {
                self.check_raises()?;
                self.account.renew(self.method.t());
                Ok(Verdict::GoOn)
            }
        }
    }

    /// Too many raises in a row mean that no tolerance helps.
    fn check_raises(&mut self) -> Result<(), IntegrationError> {
        self.account.raises += 1;
        if self.account.raises <= RAISES_LIMIT {
            return Ok(());
        }
        let report = self.method.report();
        let error_ratio = f64::INFINITY;
        let (t, h, order) = (report.t, report.h_next, report.order_next);
        Err(IntegrationError::StepTooSmall { t, h, order, error_ratio })
    }

    fn review_work(&mut self, listener: &mut dyn Listener) -> Verdict {
        let report = self.method.report();
        let t = self.method.t();
        let steps = self.account.steps;
        match self.account.review(t) {
            Remark::Fine => Verdict::GoOn,
            Remark::Stiff => listener.notice(&Notice::Stiff { t, h: report.h, steps }),
            Remark::MuchWork if self.settings.count_per_output => {
                listener.notice(&Notice::MuchWork { t, steps })
            }
            Remark::MuchWork => Verdict::GoOn,
        }
    }

    /// The end of the last step becomes the state that the caller sees.
    fn stand_at_step_end(&mut self) {
        self.t = self.method.t();
        self.y.copy_from_slice(self.method.y());
        self.ydot.copy_from_slice(self.method.ydot());
    }

    /// Derivatives and guards at the driver's own state.
    fn evaluate(&mut self, problem: &mut dyn HybridSystem) -> Result<(), IntegrationError> {
        self.method.statistics_mut().evaluations += 1;
        let evaluated = problem
            .derivatives(self.t, &self.y, &mut self.ydot)
            .and_then(|()| super::problem::check_finite(&self.ydot));
        evaluated.map_err(|source| self.failure(source))?;
        self.evaluate_guards(problem)
    }

    fn evaluate_guards(&mut self, problem: &mut dyn HybridSystem) -> Result<(), IntegrationError> {
        if self.n_guards == 0 {
            return Ok(());
        }
        let evaluated = self.roots.evaluate(problem, self.t, &self.y, &self.ydot);
        self.method.statistics_mut().guard_evaluations += self.roots.take_evaluations();
        evaluated.map_err(|source| self.failure(source))
    }

    fn failure(&self, source: EvaluationError) -> IntegrationError {
        let report = self.method.report();
        IntegrationError::Evaluation { t: self.t, h: report.h, order: report.order, source }
    }
}
