//! The run: integrate from output time to output time, write rows, tell what happens.

mod balance;
mod report;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use parser::diagnostic::Diagnostic;

pub use balance::EnergyBalance;
use report::Reporter;

use crate::integrators::{
    self, Driver, IntegrationError, MethodKind, RootSearch, Settings, Statistics, StepLimits, Stop,
    Tolerance, fixed_step,
};
use crate::model::Model;
use crate::model::general::Method;
use crate::output::{Log, Results, WriteError};
use crate::system::{Failure, Run, System, words};

/// Part of an output interval within which many events count as chattering.
const CHATTER_SPAN: f64 = 0.1;

/// How a run is made.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// Where the results go.
    pub directory: &'a Path,
    /// Warnings about the model, for the log.
    pub warnings: &'a [String],
    /// Becomes true when the user wants the run to end.
    pub interrupted: &'a AtomicBool,
    /// End the run when an element chatters.
    pub abort_on_chattering: bool,
}

/// Hears how far the run is.
pub trait Progress {
    /// The simulated time that is reached, s.
    fn reached(&mut self, t: f64);
}

/// What came of a run.
#[derive(Debug)]
pub struct Summary {
    /// Simulated time at which the run ended, s.
    pub end: f64,
    /// Work of the integrator.
    pub statistics: Statistics,
    /// Instants at which something switched.
    pub events: u64,
    /// Time that the run took.
    pub wall: Duration,
    /// Where the energy went.
    pub balance: EnergyBalance,
    /// Files written.
    pub files: Vec<PathBuf>,
    /// Things the user should know: stiffness, chattering, raised tolerances.
    pub remarks: Vec<String>,
}

/// Why a run ended early.
#[derive(Debug)]
pub enum RunError {
    /// The simulation cannot go on.
    Simulation(Box<Diagnostic>),
    /// A file cannot be written.
    Write(WriteError),
    /// The user interrupted it.
    Interrupted,
}

/// Runs the system from `Tstart` to `Tend`.
///
/// Whatever happens, the files are closed and keep the rows that are finished.
///
/// # Errors
/// If the log or a result file cannot be created.
pub fn simulate(
    system: &System<'_>,
    options: Options<'_>,
    progress: &mut dyn Progress,
) -> Result<(Summary, Option<RunError>), WriteError> {
    let clock = Instant::now();
    let path = options.directory.join(format!("{}.log", system.model.name));
    let log = Log::create(&path).map_err(|error| WriteError { path: path.clone(), error })?;
    let mut reporter = Reporter::new(system, log, progress, options.abort_on_chattering);
    reporter.opening(options.warnings);
    let mut results = match Results::create(system, options.directory) {
        Ok(results) => results,
        Err(error) => return Err(reporter.give_up(error)),
    };
    let mut run = Run::new(system);
    let mut balance = EnergyBalance::default();
    let mut driver = None;
    let error =
        integrate(&mut run, &mut results, &mut reporter, &mut balance, &mut driver, options).err();
    let end = driver.as_ref().map_or(system.model.solver.start, Driver::t);
    let statistics =
        driver.as_ref().map_or_else(Statistics::default, |driver| *driver.statistics());
    reporter.singular_angles(&run);
    let (files, failure) = results.finish(error.is_some().then_some(end));
    let error = error.or(failure.map(RunError::Write));
    let mut summary = Summary {
        end,
        statistics,
        events: reporter.events(),
        wall: clock.elapsed(),
        balance,
        files,
        remarks: reporter.take_remarks(),
    };
    reporter.closing(&summary, error.as_ref());
    match reporter.finish() {
        Ok(path) => summary.files.push(path),
        // A failure before that of the log is the one to report.
        Err(failure) if error.is_none() => return Err(WriteError { path, error: failure }),
        Err(_) => {}
    }
    Ok((summary, error))
}

/// The loop over output times.
fn integrate(
    run: &mut Run<'_, '_>,
    results: &mut Results,
    reporter: &mut Reporter<'_, '_>,
    balance: &mut EnergyBalance,
    made: &mut Option<Driver>,
    options: Options<'_>,
) -> Result<(), RunError> {
    let system = run.system;
    let solver = &system.model.solver;
    let failed = |error: &IntegrationError, failure: Option<Failure>| {
        RunError::Simulation(Box::new(words::failure(system, error, failure)))
    };
    let begun = run.begin();
    let y = begun.map_err(|failure| RunError::Simulation(Box::new(no_start(system, failure))))?;
    run.missed_values().into_iter().for_each(|words| reporter.remark(words));
    let driver = made.insert(driver(run)?);
    let started = driver.start(run, solver.start, &y, 1.0, reporter);
    reporter.flush(run);
    started.map_err(|error| failed(&error, run.failure.take()))?;
    observe(run, driver.t(), driver.y(), system)?;
    *balance = EnergyBalance::start(run);
    reporter.initial_values(run);
    results.row(solver.start, run).map_err(RunError::Write)?;
    let event_rows = system.model.output.as_ref().is_some_and(|output| output.events.is_yes());
    for t_out in output_times(system.model) {
        loop {
            if options.interrupted.load(Ordering::Relaxed) {
                return Err(RunError::Interrupted);
            }
            let stop = driver.advance(run, t_out, reporter);
            reporter.flush(run);
            match stop.map_err(|error| failed(&error, run.failure.take()))? {
                Stop::Output => break,
                Stop::Event(_) if event_rows => event(run, driver, results, system)?,
                Stop::Event(_) => {}
                Stop::Interrupted => return Err(reporter.chattering(system)),
            }
        }
        observe(run, t_out, driver.y(), system)?;
        balance.update(run);
        results.row(t_out, run).map_err(RunError::Write)?;
        reporter.reached(t_out);
    }
    Ok(())
}

/// Why a run has no initial values.
pub fn no_start(system: &System<'_>, failure: Failure) -> Diagnostic {
    let source = integrators::EvaluationError::Undefined { index: 0, what: "initial values" };
    let t = system.model.solver.start;
    let error = IntegrationError::Evaluation { t, h: 0.0, order: 0, source };
    words::failure(system, &error, Some(failure))
}

/// Rows with the values before and after an event.
fn event(
    run: &mut Run<'_, '_>,
    driver: &Driver,
    results: &mut Results,
    system: &System<'_>,
) -> Result<(), RunError> {
    let after = run.swap_modes_before();
    observe(run, driver.t(), driver.y_before(), system)?;
    results.event_row(driver.t(), run).map_err(RunError::Write)?;
    run.restore_modes(&after);
    observe(run, driver.t(), driver.y(), system)?;
    results.event_row(driver.t(), run).map_err(RunError::Write)
}

fn observe(run: &mut Run<'_, '_>, t: f64, y: &[f64], system: &System<'_>) -> Result<(), RunError> {
    run.observe(t, y).map_err(|failure| {
        let source = integrators::EvaluationError::Undefined { index: 0, what: "right-hand side" };
        let error = IntegrationError::Evaluation { t, h: 0.0, order: 0, source };
        RunError::Simulation(Box::new(words::failure(system, &error, Some(failure))))
    })
}

/// The output times after the first: `Tstart + k Tstep`, and `Tend`.
fn output_times(model: &Model) -> impl Iterator<Item = f64> {
    let (start, step, end) = (model.solver.start, model.solver.output_step, model.solver.end);
    // A last interval that is only rounding belongs to the one before.
    let tolerance = 1e-9 * step;
    let inner =
        (1_u64..).map(move |k| start + k as f64 * step).take_while(move |t| *t < end - tolerance);
    inner.chain(std::iter::once(end))
}

/// The driver that the Solver block asks for.
fn driver(run: &Run<'_, '_>) -> Result<Driver, RunError> {
    let system = run.system;
    let solver = &system.model.solver;
    let kind = match solver.method {
        Method::De => MethodKind::De,
        Method::Derf => MethodKind::Derf,
        Method::Rk4 => MethodKind::Rk4,
        Method::OdeintRk => MethodKind::OdeintRk,
        Method::OdeintBs => MethodKind::OdeintBs,
        Method::Stiff | Method::Radau => MethodKind::Stiff,
        Method::Radau5 => MethodKind::Radau5,
    };
    let adaptive = !matches!(kind, MethodKind::De | MethodKind::Derf | MethodKind::Rk4);
    let mut settings =
        Settings::new(kind, Tolerance::new(solver.relative_error, solver.absolute_error));
    // `de` and `derf` start themselves; smallest and first step are parameters of the others.
    settings.limits = StepLimits {
        max: solver.largest_step,
        min: if adaptive { solver.smallest_step } else { 0.0 },
        initial: adaptive.then_some(solver.first_step),
    };
    settings.fixed_step = fixed_step(solver.output_step, solver.largest_step);
    settings.events.chatter_span = CHATTER_SPAN * solver.output_step;
    if system.n_guards() > 0 && !kind.locates_roots() {
        // One-sided springs and simple contacts run with every method; they then switch between steps.
        settings.events.search = RootSearch::StepEnd;
    }
    integrators::build_for(kind, run, &settings).map_err(|error| {
        let span = Default::default();
        let code = crate::model::codes::INTEGRATION_FAILED;
        RunError::Simulation(Box::new(Diagnostic::new(code, span, error.to_string())))
    })
}
