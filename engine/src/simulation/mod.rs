//! The run: integrates from output time to output time, writes rows, reports events.

mod ambiguous_signals;
mod analyses;
mod balance;
pub(crate) mod course;
mod pace;
pub(crate) mod remarks;
mod report;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use ambiguous_signals::AmbiguousSignals;
use course::{Landing, Watch};
use integrate::{
    Driver, IntegrationError, MethodKind, RootSearch, Settings, Statistics, StepLimits, Tolerance,
    fixed_step,
};
use pace::Pace;
use parser::diagnostic::Diagnostic;
use report::Reporter;

use crate::output::{Log, PluginOutputs, Results, WriteError};
use crate::sensitivity::{Bundle, Varied};
use crate::system::{Failure, System, words};
use language::blocks::general::Analysis;
use language::blocks::network::signals::input::Input;
use language::element::written;
use language::model::Model;
use language::plugin::Ending;

pub use balance::EnergyBalance;
pub use pace::{RealTime, StepTimes};

/// Part of an output interval within which many events count as chattering.
const CHATTER_SPAN: f64 = 0.1;

/// Least progress of many steps, as a part of an output interval: with 50000 steps for less, a row would take 5e9 steps.
const STALL_SPAN: f64 = 1e-5;

/// How a run is made.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// Directory of the result files.
    pub directory: &'a Path,
    /// Warnings about the model, for the log.
    pub warnings: &'a [String],
    /// Becomes true when the user wants the run to end.
    pub interrupted: &'a AtomicBool,
    /// End the run when an element chatters.
    pub abort_on_chattering: bool,
    /// Run in real time, with so many simulated seconds per second of the clock.
    pub real_time: Option<f64>,
}

impl<'a> Options<'a> {
    /// A run at full speed that writes to a directory and ends when `interrupted` becomes true.
    pub fn new(directory: &'a Path, interrupted: &'a AtomicBool) -> Self {
        Self { directory, warnings: &[], interrupted, abort_on_chattering: false, real_time: None }
    }
}

/// Receives the progress of the run.
pub trait Progress {
    /// The simulated time that is reached, s.
    fn reached(&mut self, t: f64);

    /// A row takes long: the simulated time that the steps have reached, and the length of the last step, s.
    fn busy(&mut self, t: f64, step: f64) {
        let _ = (t, step);
    }
}

/// The result of a run.
#[derive(Debug)]
pub struct Summary {
    /// Simulated time at which the run ended, s.
    pub end: f64,
    /// Work of the integrator.
    pub statistics: Statistics,
    /// Number of instants at which a mode or a discrete state switched.
    pub events: u64,
    /// Time that the run took.
    pub wall: Duration,
    /// Computing times of the steps, for methods with fixed steps and in real time.
    pub step_times: Option<StepTimes>,
    /// Lateness against the clock, of a run in real time.
    pub real_time: Option<RealTime>,
    /// The energy balance.
    pub balance: EnergyBalance,
    /// Files written.
    pub files: Vec<PathBuf>,
    /// Results of an analysis, line by line; empty after an integration.
    pub findings: Vec<String>,
    /// Remarks for the user: stiffness, chattering, raised tolerances.
    pub remarks: Vec<String>,
    /// Signs that results are wrong; shown even if the user asks for no messages.
    pub warnings: Vec<String>,
}

impl Summary {
    /// Computing times of the steps, and lateness against the clock, in words.
    pub fn step_lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some(times) = &self.step_times {
            let micro = |time: Duration| time.as_secs_f64() * 1e6;
            lines.push(format!(
                "time per step, us: mean {:.3}, median {:.3}, 99 % within {:.3}, 99.9 % within {:.3}, longest {:.3}",
                micro(times.mean()),
                micro(times.quantile(0.5)),
                micro(times.quantile(0.99)),
                micro(times.quantile(0.999)),
                micro(times.longest()),
            ));
        }
        let Some(RealTime { speed, overruns, first, latest, oversleep }) = self.real_time else {
            return lines;
        };
        let speed = if speed == 1.0 { String::new() } else { format!(", {speed} times the clock") };
        let milli = |time: Duration| time.as_secs_f64() * 1e3;
        let kept = match first {
            None => format!(
                "every step was in time, and waits ended up to {:.3} ms late",
                milli(oversleep)
            ),
            Some(t) => format!(
                "{overruns} of {} steps were late, by up to {:.3} ms, the first at t = {t} s",
                self.step_times.as_ref().map_or(0, StepTimes::count),
                milli(latest),
            ),
        };
        lines.push(format!("real time{speed}: {kept}"));
        lines
    }
}

/// Why a run ended early.
#[derive(Debug)]
pub enum RunError {
    /// The simulation cannot go on.
    Simulation(Box<Diagnostic>),
    /// A plugin cannot write its results.
    Output(Box<Diagnostic>),
    /// A file cannot be written.
    Write(WriteError),
    /// The user interrupted the run.
    Interrupted,
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Simulation(diagnostic) | RunError::Output(diagnostic) => {
                f.write_str(&diagnostic.message)
            }
            RunError::Write(error) => error.fmt(f),
            RunError::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for RunError {}

/// Runs the system from `Tstart` to `Tend`, or makes the analysis that its Solver block asks for.
///
/// In every case the files are closed and keep the finished rows.
///
/// # Errors
/// If the log, a result file or the output of a plugin cannot be created.
pub fn simulate(
    system: &System,
    varied: &[Varied],
    options: Options<'_>,
    progress: &mut dyn Progress,
) -> Result<(Summary, Option<RunError>), RunError> {
    let clock = Instant::now();
    let path = options.directory.join(format!("{}.log", system.model.name));
    let failed = |error| RunError::Write(WriteError { path: path.clone(), error });
    let log = Log::create(&path).map_err(failed)?;
    let has_fixed_step = system.model.solver.method.has_fixed_step();
    let pace = Pace::new(has_fixed_step, options.real_time, options.interrupted);
    let mut reporter = Reporter::new(system, log, progress, pace, options.abort_on_chattering);
    reporter.opening(options.warnings);
    let mut files = match create(system, options.directory) {
        Ok(files) => files,
        Err(error) => return Err(reporter.give_up(error)),
    };
    let mut run = Bundle::new(system, varied);
    let mut balance = EnergyBalance::default();
    let mut driver = None;
    let mut found = analyses::Found::default();
    // The Solver block asks for an integration or for an analysis.
    let error = match system.model.solver.analysis {
        Analysis::Dynamic => {
            integrate(&mut run, &mut files, &mut reporter, &mut balance, &mut driver, options)
        }
        _ => analyses::run(&mut run, &mut files.results, &mut reporter, &mut found, options),
    };
    let error = error.err();
    let end = found.end.or(driver.as_ref().map(Driver::t)).unwrap_or(system.model.solver.start);
    let statistics =
        driver.as_ref().map_or_else(Statistics::default, |driver| *driver.statistics());
    if let Some(driver) = &driver {
        reporter.partition(driver.method());
    }
    reporter.singular_angles(&run);
    reporter.residuals(&run);
    // The files are closed in every case; the first failure is the one to report.
    let ending = Ending { t: end, complete: error.is_none() };
    let RunFiles { results, outputs } = files;
    let (mut files, failure) = results.finish((!ending.complete).then_some(end));
    let error = error.or(failure.map(RunError::Write));
    let (more, failure) = outputs.finish(system, ending);
    files.extend(more);
    let error = error.or(failure.map(RunError::Output));
    let mut summary = Summary {
        end,
        statistics,
        events: reporter.events(),
        wall: clock.elapsed(),
        step_times: reporter.pace.times().cloned(),
        real_time: reporter.pace.real_time(),
        warnings: balance.warnings(&system.model.solver, &statistics),
        balance,
        files: files.into_iter().chain(found.files).collect(),
        findings: found.lines,
        remarks: reporter.take_remarks(),
    };
    reporter.closing(&summary, error.as_ref());
    match reporter.finish() {
        Ok(path) => summary.files.push(path),
        // A failure of the log is reported only if the run did not fail before.
        Err(failure) if error.is_none() => {
            return Err(RunError::Write(WriteError { path, error: failure }));
        }
        Err(_) => {}
    }
    Ok((summary, error))
}

/// The files of a run.
struct RunFiles {
    results: Results,
    /// What plugins write.
    outputs: PluginOutputs,
}

/// Creates the outputs of plugins and then the result files. If a plugin cannot begin, no files are left.
fn create(system: &System, directory: &Path) -> Result<RunFiles, RunError> {
    let outputs = PluginOutputs::create(system, directory).map_err(RunError::Output)?;
    match Results::create(system, directory) {
        Ok(results) => Ok(RunFiles { results, outputs }),
        Err(error) => {
            // The first failure is the one to report.
            let _ =
                outputs.finish(system, Ending { t: system.model.solver.start, complete: false });
            Err(RunError::Write(error))
        }
    }
}

/// The loop over output times.
fn integrate(
    run: &mut Bundle<'_>,
    RunFiles { results, outputs }: &mut RunFiles,
    reporter: &mut Reporter<'_>,
    balance: &mut EnergyBalance,
    made: &mut Option<Driver>,
    options: Options<'_>,
) -> Result<(), RunError> {
    let system = run.system;
    let solver = &system.model.solver;
    // Initial state and first row.
    course::begin(run, made, reporter, Landing::Free)?;
    input_note(&system.model).into_iter().for_each(|words| reporter.remark(words));
    let Some(driver) = made else { return Ok(()) };
    reporter.partition(driver.method());
    *balance = EnergyBalance::start(run);
    reporter.initial_values(run);
    let mut ambiguous = AmbiguousSignals::new(system);
    ambiguous.look(solver.start, run, &mut |words| reporter.line(&words));
    results.row_of_bundle(solver.start, run).map_err(RunError::Write)?;
    outputs.write(run).map_err(RunError::Output)?;
    reporter.pace.start(solver.start);
    let event_rows = has_event_rows(&system.model);
    // One row per output time, and rows at events on the way if the Output block asks for them.
    for t_out in output_times(&system.model) {
        let mut event = |run: &mut Bundle<'_>, driver: &Driver| {
            if event_rows {
                let t = driver.t();
                let mut row = |run: &Bundle<'_>| results.event_row(t, run).map_err(RunError::Write);
                course::around_event(run, driver, &mut row)?;
            }
            if !outputs.is_empty() {
                course::observe(run, driver.t(), driver.y())?;
                outputs.event(run).map_err(RunError::Output)?;
            }
            Ok(())
        };
        course::advance(run, driver, t_out, reporter, options.interrupted, &mut event)?;
        balance.update(run);
        ambiguous.look(t_out, run, &mut |words| reporter.line(&words));
        results.row_of_bundle(t_out, run).map_err(RunError::Write)?;
        outputs.write(run).map_err(RunError::Output)?;
        reporter.reached(t_out);
    }
    run.choice_notes().into_iter().for_each(|words| reporter.line(&format!("note: {words}")));
    let open = run.island_notes().into_iter().chain(run.share_notes());
    open.for_each(|words| reporter.last_remark(words));
    Ok(())
}

/// Names the inputs that have no column of a table, if any.
fn input_note(model: &Model) -> Option<String> {
    let open = model.inputs().filter(|(_, input)| input.column.is_none());
    let words = |(block, input): (u32, &Input)| {
        let value = written(input.parameters.default);
        format!("`{}` = {value} {}", model.block_name(block), model.input_unit(input))
    };
    let all: Vec<String> = open.map(|input| words(input).trim_end().to_string()).collect();
    let plural = if all.len() == 1 { "Input stays at its" } else { "inputs stay at their" };
    let list = all.join(", ");
    (!all.is_empty()).then(|| format!("without a column of a table the {plural} Default: {list}"))
}

/// Whether the table of signals gets rows at events.
pub(crate) fn has_event_rows(model: &Model) -> bool {
    model.output.as_ref().is_some_and(|output| output.events.is_yes())
}

/// The diagnostic of a run that has no initial values.
pub fn no_start(system: &System, failure: Failure) -> Diagnostic {
    let source = integrate::EvaluationError::Undefined { index: 0, what: "initial values" };
    let t = system.model.solver.start;
    let error = IntegrationError::Evaluation { t, h: 0.0, order: 0, source };
    words::failure(system, &error, Some(failure))
}

/// The output times after the first: `Tstart + k Tstep`, and `Tend`.
pub(crate) fn output_times(model: &Model) -> impl Iterator<Item = f64> + use<> {
    let (start, step, end) = (model.solver.start, model.solver.output_step, model.solver.end);
    // A last interval as short as rounding is joined to the interval before.
    let tolerance = 1e-9 * step;
    let inner =
        (1_u64..).map(move |k| start + k as f64 * step).take_while(move |t| *t < end - tolerance);
    inner.chain(std::iter::once(end))
}

/// The driver that the Solver block asks for.
fn driver(run: &Bundle<'_>, landing: Landing) -> Result<Driver, RunError> {
    let system = run.system;
    let solver = &system.model.solver;
    let kind = solver.method;
    let starts_itself = matches!(kind, MethodKind::De | MethodKind::Derf);
    let adaptive = !(starts_itself || kind.has_fixed_step());
    // Sensitivities have rounding of their own.
    let relative = run.finest_tolerance().unwrap_or(0.0).max(solver.relative_error);
    let mut settings = Settings::new(kind, Tolerance::new(relative, solver.absolute_error));
    // `de` and `derf` choose their first step themselves; smallest and first step are parameters of the other methods.
    settings.limits = StepLimits {
        max: solver.largest_step,
        min: if adaptive { solver.smallest_step } else { 0.0 },
        initial: adaptive.then_some(solver.first_step),
    };
    settings.fixed_step = fixed_step(solver.output_step, solver.largest_step);
    settings.events.land_on_outputs = landing == Landing::OnOutputs;
    settings.events.stall_span = STALL_SPAN * solver.output_step;
    settings.events.chatter_span = CHATTER_SPAN * solver.output_step;
    if system.n_guards() > 0 && kind.finds_events() && !kind.locates_roots() {
        // The remaining methods without root search simulate only one-sided laws, which follow the state in every evaluation
        // and have no events.
        settings.events.search = RootSearch::StepEnd;
    }
    integrate::build_for(kind, run, &settings).map_err(|error| {
        let span = Default::default();
        let code = crate::codes::INTEGRATION_FAILED;
        RunError::Simulation(Box::new(Diagnostic::new(code, span, error.to_string())))
    })
}
