//! One motion of a model, step by step.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::{Error, Model, Signal, Table};
use crate::simulation::RunError;
use crate::simulation::course::{self, Watch};
use crate::system::{Assembly, Run, RunState, SignalSource, System};
use integrate::{Driver, Listener, Statistics};

/// A motion of a model. It owns everything that changes; a clone goes on bit for bit as the session does.
#[derive(Clone)]
pub struct Session {
    model: Model,
    system: Arc<System>,
    /// Missing after a panic in the middle of a call only.
    state: Option<RunState>,
    driver: Driver,
}

/// A session as it was when it was saved.
#[derive(Clone)]
pub struct Snapshot(Session);

/// A signal of a session at its present time.
#[derive(Clone, Debug)]
pub struct Probe {
    name: String,
    unit: &'static str,
    value: f64,
}

impl Probe {
    /// Its value.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// Its unit; empty if it has none.
    pub fn unit(&self) -> &'static str {
        self.unit
    }

    /// Its name, as table headers have it.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl Session {
    pub(super) fn start(model: Model) -> Result<Self, Error> {
        let system = Arc::clone(model.system()?);
        let mut run = Run::new(&system);
        let mut driver = None;
        let begun = course::begin(&mut run, &mut driver, &mut Quiet);
        let state = Some(run.detach());
        let failed = |error| Error::of_run(&error, &system.model.sources);
        begun.map_err(failed)?;
        let driver = driver.ok_or_else(|| Error::plain("the run has no integrator", None))?;
        Ok(Self { model, system, state, driver })
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Simulated time that is reached, s.
    pub fn time(&self) -> f64 {
        self.driver.t()
    }

    /// Work of the integrator so far.
    pub fn statistics(&self) -> &Statistics {
        self.driver.statistics()
    }

    /// Simulates to `t`, s. Whoever asks for the same times gets the same bits.
    ///
    /// # Errors
    /// If `t` lies in the past or is not finite, or if the simulation cannot go on.
    pub fn advance_to(&mut self, t: f64) -> Result<(), Error> {
        self.advance_recording(t, &[], None)
    }

    /// The present value of a signal by its name. Who asks often finds the signal once, by [`Model::signal`].
    ///
    /// # Errors
    /// If there is no such signal.
    pub fn signal(&mut self, path: &str) -> Result<Probe, Error> {
        let signal = self.model.signal(path)?;
        let value = self.value(&signal)?;
        Ok(Probe { name: signal.name(), unit: signal.unit(), value })
    }

    /// The present value of a signal.
    ///
    /// # Errors
    /// If the signal belongs to another model.
    pub fn value(&mut self, signal: &Signal) -> Result<f64, Error> {
        let mut value = [0.0];
        self.values(std::slice::from_ref(signal), &mut value)?;
        Ok(value[0])
    }

    /// The present values of several signals, in one go.
    ///
    /// # Errors
    /// If a signal belongs to another model.
    pub fn values(&mut self, signals: &[Signal], values: &mut [f64]) -> Result<(), Error> {
        if let Some(other) = signals.iter().find(|s| !Arc::ptr_eq(&s.system, &self.system)) {
            let message = format!("the signal `{}` belongs to another model", other.name());
            return Err(Error::plain(message, Some("find it in the model of the session".into())));
        }
        self.with(|run, _| {
            for (value, signal) in values.iter_mut().zip(signals) {
                *value = run.signal(signal.source);
            }
        })
    }

    /// Keeps the session as it is now.
    pub fn save(&self) -> Snapshot {
        Snapshot(self.clone())
    }

    /// Goes back, or forward, to a session that was saved; it then goes on bit for bit as that one did.
    pub fn restore(&mut self, saved: &Snapshot) {
        self.clone_from(&saved.0);
    }

    /// As [`advance_to`](Self::advance_to); rows at events go to the table.
    pub(super) fn advance_recording(
        &mut self,
        t: f64,
        sources: &[SignalSource],
        mut table: Option<&mut Table>,
    ) -> Result<(), Error> {
        let now = self.time();
        if !t.is_finite() || t < now {
            let message = format!("a session at t = {now} s cannot advance to {t} s");
            return Err(Error::plain(message, Some("`restore` goes back to a saved time".into())));
        }
        let never = AtomicBool::new(false);
        let mut event = |run: &mut Run<'_>, driver: &Driver| {
            let Some(table) = &mut table else { return Ok(()) };
            course::around_event(run, driver, &mut |run| {
                table.push(driver.t(), sources.iter().map(|&source| run.signal(source)));
                Ok(())
            })
        };
        let advanced = self
            .with(|run, driver| course::advance(run, driver, t, &mut Quiet, &never, &mut event))?;
        advanced.map_err(|error| Error::of_run(&error, &self.system.model.sources))
    }

    /// Adds a row with the present values.
    pub(super) fn record(
        &mut self,
        sources: &[SignalSource],
        table: &mut Table,
    ) -> Result<(), Error> {
        let t = self.time();
        self.with(|run, _| table.push(t, sources.iter().map(|&source| run.signal(source))))
    }

    /// Lets something happen to the run.
    fn with<R>(&mut self, act: impl FnOnce(&mut Run<'_>, &mut Driver) -> R) -> Result<R, Error> {
        let state = self.state.take();
        let state = state.ok_or_else(|| Error::plain("a panic has ended this session", None))?;
        let mut run = Run::attach(&self.system, state);
        let result = act(&mut run, &mut self.driver);
        self.state = Some(run.detach());
        Ok(result)
    }
}

/// Watches a run without a word.
struct Quiet;

impl Listener for Quiet {}

impl Watch for Quiet {
    fn assembled(&mut self, _: &mut Run<'_>, _: Option<&Assembly>) {}

    fn remark(&mut self, _: String) {}

    fn flush(&mut self, run: &mut Run<'_>) {
        // What nobody reads must not pile up.
        run.take_drifts().for_each(drop);
        drop(run.take_loop_notes());
    }

    fn stopped(&self, _: &System) -> RunError {
        RunError::Interrupted
    }
}
