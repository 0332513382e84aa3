//! The stages of every run, with any observer: assemble, begin, start, advance, observe.

use std::sync::atomic::{AtomicBool, Ordering};

use super::{RunError, driver, no_start};
use crate::sensitivity::Bundle;
use crate::system::{Assembly, Failure, Run, System, words};
use integrate::{Driver, EvaluationError, IntegrationError, Listener, Stop, Verdict};
use language::bondgraph;

/// Watches a run.
pub(crate) trait Watch: Listener {
    /// The initial state fits the constraints.
    fn assembled(&mut self, run: &mut Run<'_>, assembly: Option<&Assembly>);
    /// Something that the user should know.
    fn remark(&mut self, words: String);
    /// The run has come to a stop; what it has noted may be taken.
    fn flush(&mut self, run: &mut Run<'_>);
    /// Why the watcher has asked to stop.
    fn stopped(&self, system: &System) -> RunError;
}

/// Where steps end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Landing {
    /// Where the method wants; outputs are interpolated.
    Free,
    /// At outputs, too: inputs may be set there.
    OnOutputs,
}

/// Brings a run to its initial state, observed. The driver is there as soon as it is made, even where the start fails.
pub(crate) fn begin(
    run: &mut Bundle<'_>,
    made: &mut Option<Driver>,
    watch: &mut dyn Watch,
    landing: Landing,
) -> Result<(), RunError> {
    let system = run.system;
    let start = system.model.solver.start;
    let mut y = system.initial_state();
    let assembled = run.assemble(start, &mut y).map_err(RunError::Simulation)?;
    watch.assembled(run, assembled.as_ref());
    let begun = run.begin(&mut y);
    begun.map_err(|failure| RunError::Simulation(Box::new(no_start(system, failure))))?;
    run.missed_values().into_iter().for_each(|words| watch.remark(words));
    run.begin_neighbours(&mut y).map_err(RunError::Simulation)?;
    let given = system.model.solver.relative_error;
    if let Some(finest) = run.finest_tolerance().filter(|finest| given < *finest) {
        watch.remark(format!("RelErr is {finest:e}: sensitivities are not resolved below"));
    }
    bondgraph::notes(&system.model).into_iter().for_each(|words| watch.remark(words));
    let driver = made.insert(driver(run, landing)?);
    let started = driver.start(run, start, &y, 1.0, watch);
    flush(run, watch);
    started.map_err(|error| failed(system, &error, run.failure.take()))?;
    observe(run, driver.t(), driver.y())
}

/// Brings a run to `t_out`, observed; `event` is called after each event on the way.
pub(crate) fn advance<W: Watch>(
    run: &mut Bundle<'_>,
    driver: &mut Driver,
    t_out: f64,
    watch: &mut W,
    interrupted: &AtomicBool,
    event: &mut dyn FnMut(&mut Bundle<'_>, &Driver) -> Result<(), RunError>,
) -> Result<(), RunError> {
    let system = run.system;
    loop {
        if interrupted.load(Ordering::Relaxed) {
            return Err(RunError::Interrupted);
        }
        let stop = driver.advance(run, t_out, watch);
        flush(run, watch);
        match stop.map_err(|error| failed(system, &error, run.failure.take()))? {
            Stop::Output => break,
            Stop::Event(_) => event(run, driver)?,
            Stop::Interrupted => return Err(watch.stopped(system)),
        }
    }
    observe(run, t_out, driver.y())
}

/// Lets a run react to inputs that have other values now, observed.
pub(crate) fn disturb(
    run: &mut Bundle<'_>,
    driver: &mut Driver,
    watch: &mut dyn Watch,
) -> Result<(), RunError> {
    let system = run.system;
    let disturbed = driver.disturb(run, watch);
    flush(run, watch);
    let verdict = disturbed.map_err(|error| failed(system, &error, run.failure.take()))?;
    if verdict == Verdict::Stop {
        return Err(watch.stopped(system));
    }
    observe(run, driver.t(), driver.y())
}

/// Lets `row` see the state before and after an event.
pub(crate) fn around_event(
    run: &mut Bundle<'_>,
    driver: &Driver,
    row: &mut dyn FnMut(&Bundle<'_>) -> Result<(), RunError>,
) -> Result<(), RunError> {
    let after = run.swap_modes_before();
    observe(run, driver.t(), driver.y_before())?;
    row(run)?;
    run.restore_modes(&after);
    observe(run, driver.t(), driver.y())?;
    row(run)
}

/// Works out everything that results may show of a state.
pub(crate) fn observe(run: &mut Bundle<'_>, t: f64, y: &[f64]) -> Result<(), RunError> {
    let system = run.system;
    run.observe(t, y).map_err(|failure| {
        let source = EvaluationError::Undefined { index: 0, what: "right-hand side" };
        let error = IntegrationError::Evaluation { t, h: 0.0, order: 0, source };
        failed(system, &error, Some(failure))
    })
}

/// Lets the watcher take what the run has noted, and tells it of the sensitivities.
fn flush<W: Watch + ?Sized>(run: &mut Bundle<'_>, watch: &mut W) {
    watch.flush(run);
    run.take_notes().into_iter().for_each(|words| watch.remark(words));
}

fn failed(system: &System, error: &IntegrationError, failure: Option<Failure>) -> RunError {
    RunError::Simulation(Box::new(words::failure(system, error, failure)))
}
