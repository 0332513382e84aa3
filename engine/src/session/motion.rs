//! One motion of a model, step by step.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::inputs::{InputHandle, InputPort, finite};
use super::{Error, Model, Signal, Table};
use crate::sensitivity::{Bundle, BundleState, Varied};
use crate::simulation::RunError;
use crate::simulation::course::{self, Watch};
use crate::simulation::remarks::Remarks;
use crate::system::{Assembly, Run, SignalSource, System};
use integrate::{Driver, Listener, Notice, Statistics, Verdict};
use language::blocks::general::Analysis;

pub(super) use crate::simulation::course::Landing;

/// A motion of a model. It owns everything that changes; a clone goes on bit for bit as the session does.
#[derive(educe::Educe)]
#[educe(Clone)]
pub struct Session {
    model: Model,
    system: Arc<System>,
    /// Missing after a panic in the middle of a call only.
    varied: Arc<[Varied]>,
    state: Option<BundleState>,
    driver: Driver,
    /// Values of inputs set since the last call: block and value. All values together are one event.
    set: Vec<(u32, f64)>,
    remarks: Remarks,
    interrupted: Arc<AtomicBool>,
}

/// A session as it was when it was saved.
#[derive(Clone)]
pub struct Snapshot(Session);

/// A signal of a session at its present time.
#[derive(Clone, Debug)]
pub struct Probe {
    name: String,
    unit: String,
    value: f64,
}

impl Probe {
    /// Value of the signal.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// Unit of the signal; empty if there is none.
    pub fn unit(&self) -> &str {
        &self.unit
    }

    /// Name of the signal, as in table headers.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl Session {
    pub(super) fn start(
        model: Model,
        inputs: &[(u32, f64)],
        landing: Landing,
    ) -> Result<Self, Error> {
        let analysis = model.checked().solver.analysis;
        if analysis != Analysis::Dynamic {
            let word = analysis.word();
            let message = format!("a session integrates, and the Solver block asks for `{word}`");
            let help =
                format!("set `Type = dynamic`, or let `Model::simulate` make the {word} analysis");
            return Err(Error::plain(message, Some(help)));
        }
        let system = Arc::clone(model.system()?);
        let varied = Arc::clone(model.varied()?);
        let mut run = Bundle::new(&system, &varied);
        for &(block, value) in inputs {
            run.set_input(block, value);
        }
        let (mut driver, mut remarks) = (None, Remarks::default());
        let mut watch = Quiet { system: &system, remarks: &mut remarks };
        let begun = course::begin(&mut run, &mut driver, &mut watch, landing);
        let state = Some(run.detach());
        begun.map_err(|error| Error::of_run(error, &system.model.sources))?;
        let driver = driver.ok_or_else(|| Error::plain("the run has no integrator", None))?;
        let interrupted = Arc::new(AtomicBool::new(false));
        Ok(Self { model, system, varied, state, driver, set: Vec::new(), remarks, interrupted })
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
    /// If `t` lies in the past or is not finite, if the simulation cannot go on, or if somebody interrupts it.
    pub fn advance_to(&mut self, t: f64) -> Result<(), Error> {
        self.advance_recording(t, &[], None)
    }

    /// An input by its name, to be set. Who sets it often finds it once, by [`Model::input`].
    ///
    /// # Errors
    /// If there is no such input, or if it follows a table.
    pub fn input(&mut self, name: &str) -> Result<InputPort<'_>, Error> {
        let handle = self.model.input(name)?;
        Ok(InputPort { session: self, handle })
    }

    /// Gives an input another value from the present time on, behind everything else that happens at this instant.
    ///
    /// A new value is an event: what switches settles, algebraic variables follow, and the integration starts anew
    /// where the derivatives jump. Inputs that are set without another call in between change together. The value that
    /// an input has already costs nothing.
    ///
    /// # Errors
    /// If the input belongs to another model, or if the value is not finite.
    pub fn set(&mut self, input: &InputHandle, value: f64) -> Result<(), Error> {
        if !Arc::ptr_eq(&input.model, &self.system.model) {
            let message = format!("the input `{}` belongs to another model", input.name());
            return Err(Error::plain(message, Some("find it in the model of the session".into())));
        }
        let value = finite(input.name(), value)?;
        self.set.retain(|(block, _)| *block != input.block);
        self.set.push((input.block, value));
        Ok(())
    }

    /// Lets the inputs that were set have their values.
    fn take_inputs(&mut self) -> Result<(), Error> {
        if self.set.is_empty() {
            return Ok(());
        }
        let set = std::mem::take(&mut self.set);
        self.with(|run, driver, watch| {
            let others = set.iter().filter(|(block, value)| run.set_input(*block, *value)).count();
            if others > 0 { course::disturb(run, driver, watch) } else { Ok(()) }
        })
    }

    /// Ends a call of [`advance_to`](Self::advance_to) soon after this flag becomes true; the session is then where its
    /// last event or output was, and may go on.
    pub fn interrupt_by(&mut self, flag: Arc<AtomicBool>) {
        self.interrupted = flag;
    }

    /// Remarks for the user since the last call: stiff equations, chattering, raised tolerances, initial values that do not
    /// fit.
    pub fn take_remarks(&mut self) -> Vec<String> {
        self.remarks.take()
    }

    /// The present value of a signal by its name. Who asks often finds the signal once, by [`Model::signal`].
    ///
    /// # Errors
    /// If there is no such signal.
    pub fn signal(&mut self, path: &str) -> Result<Probe, Error> {
        let signal = self.model.signal(path)?;
        let value = self.value(&signal)?;
        Ok(Probe { name: signal.name(), unit: signal.unit().to_string(), value })
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
        self.take_inputs()?;
        self.with(|run, _, _| {
            for (value, signal) in values.iter_mut().zip(signals) {
                *value = run.signal(signal.source);
            }
            Ok(())
        })
    }

    /// The derivatives of the present value of a signal with respect to the parameters of
    /// [`Model::with_sensitivities`] or of the Solver block, in their order.
    ///
    /// # Errors
    /// If the signal belongs to another model.
    pub fn sensitivities(&mut self, signal: &Signal) -> Result<Vec<f64>, Error> {
        self.value(signal)?;
        let mut found = Vec::new();
        self.with(|run, _, _| {
            found.extend(run.sensitivities(&[signal.source]));
            Ok(())
        })?;
        Ok(found)
    }

    /// Keeps the session as it is now.
    pub fn save(&self) -> Snapshot {
        Snapshot(self.clone())
    }

    /// Keeps the session as it is now in the place of another snapshot, whose buffers stay in use.
    pub fn save_to(&self, saved: &mut Snapshot) {
        saved.0.clone_from(self);
    }

    /// Goes back, or forward, to a session that was saved; it then goes on bit for bit as that one did. The buffers of the
    /// session stay in use, and so does what interrupts it.
    pub fn restore(&mut self, saved: &Snapshot) {
        let interrupted = Arc::clone(&self.interrupted);
        self.clone_from(&saved.0);
        self.interrupted = interrupted;
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
        self.take_inputs()?;
        let interrupted = Arc::clone(&self.interrupted);
        let mut event = |run: &mut Bundle<'_>, driver: &Driver| {
            let Some(table) = &mut table else { return Ok(()) };
            course::around_event(run, driver, &mut |run| {
                table.push(driver.t(), row(run, sources));
                Ok(())
            })
        };
        self.with(|run, driver, watch| {
            course::advance(run, driver, t, watch, &interrupted, &mut event)
        })
    }

    /// Adds a row with the present values.
    pub(super) fn record(
        &mut self,
        sources: &[SignalSource],
        table: &mut Table,
    ) -> Result<(), Error> {
        let t = self.time();
        self.with(|run, _, _| {
            table.push(t, row(run, sources));
            Ok(())
        })
    }

    /// Lets something happen to the run.
    fn with(
        &mut self,
        act: impl FnOnce(&mut Bundle<'_>, &mut Driver, &mut Quiet<'_>) -> Result<(), RunError>,
    ) -> Result<(), Error> {
        let state = self.state.take();
        let state = state.ok_or_else(|| Error::plain("a panic has ended this session", None))?;
        let mut run = Bundle::attach(&self.system, &self.varied, state);
        let mut watch = Quiet { system: &self.system, remarks: &mut self.remarks };
        let result = act(&mut run, &mut self.driver, &mut watch);
        self.state = Some(run.detach());
        result.map_err(|error| Error::of_run(error, &self.system.model.sources))
    }
}

/// A row of a table: the signals, and their derivatives with respect to the parameters.
fn row<'a>(run: &'a Bundle<'_>, sources: &'a [SignalSource]) -> impl Iterator<Item = f64> + 'a {
    sources.iter().map(|&source| run.signal(source)).chain(run.sensitivities(sources))
}

/// Watches a run and keeps its remarks.
struct Quiet<'a> {
    system: &'a System,
    remarks: &'a mut Remarks,
}

impl Listener for Quiet<'_> {
    fn notice(&mut self, notice: &Notice<'_>) -> Verdict {
        self.remarks.hear(self.system, notice);
        Verdict::GoOn
    }
}

impl Watch for Quiet<'_> {
    fn assembled(&mut self, _: &mut Run<'_>, _: Option<&Assembly>) {}

    fn remark(&mut self, words: String) {
        self.remarks.add(words);
    }

    fn flush(&mut self, run: &mut Run<'_>) {
        // What nobody reads must not pile up.
        run.take_drifts().for_each(drop);
        drop(run.take_loop_notes());
        drop(run.take_action_notes());
        drop(run.take_jump_notes());
    }

    fn stopped(&self, _: &System) -> RunError {
        RunError::Interrupted
    }
}
