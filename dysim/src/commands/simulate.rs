//! The main job: read a model, check it, simulate it.

use std::io::Read;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use engine::internals::load::{Disk, LoadError};
use engine::internals::model;
use engine::plugin::Plugins;
use engine::{
    Analysis, Error, ErrorKind, Inputs, LoadOptions, Model, ModelSource, Options, Summary,
};
use parser::diagnostic::{Diagnostic, Diagnostics, Severity};
use parser::exit::Exit;
use parser::render::{render, render_all};
use parser::source::Sources;

use crate::arguments::{Arguments, PlotOptions};
use crate::progress::ProgressBar;
use crate::terminal::{self, Verbosity};

/// Reads, checks and simulates the model of the command line.
pub fn run(arguments: &Arguments, plugins: Plugins) -> Exit {
    let Some(name) = arguments.model.as_deref() else { return Exit::Usage };
    let start = Instant::now();
    let model = match open(name, arguments, plugins) {
        Ok(model) => model,
        Err(error) => return wrong_model(&error, arguments.verbosity()),
    };
    let checked = model.checked();
    for source in checked.sources.all() {
        log::debug!("read {}: {} bytes", source.name(), source.text().len());
    }
    log::debug!("checked in {:.3} s", start.elapsed().as_secs_f64());
    report(model.diagnostics(), &checked.sources, arguments.verbosity());
    if arguments.check {
        let exit = match arguments.quiet {
            true => Exit::Done,
            false => terminal::print(&format!("{}\n", summary(checked, model.diagnostics()))),
        };
        // The process ends here: to give back a million blocks one by one takes a tenth of the time of the check.
        std::mem::forget(model);
        return exit;
    }
    if let Some(exit) = super::bonds::run(arguments, &model) {
        return exit;
    }
    simulate(&model, arguments)
}

/// Reads and checks a model file or standard input.
fn open(name: &str, arguments: &Arguments, plugins: Plugins) -> Result<Model, Error> {
    let inputs = arguments.input.as_deref().map(Inputs::from_file).transpose()?;
    let options = LoadOptions {
        set: arguments.set.clone(),
        strict: arguments.strict,
        allow_unphysical: arguments.allow_unphysical,
        plugins,
        analysis: arguments.analysis.as_deref().and_then(Analysis::from_word),
        inputs,
        sensitivity: arguments.sensitivity.clone(),
        variation: None,
        only_warns_of_primitives: true,
        libraries: super::libraries::directories(&arguments.library),
        expands: false,
        is_netlist: false,
    };
    if name != "-" {
        return Model::open(ModelSource::File(Disk.model_path(Path::new(name))), options);
    }
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().read_to_end(&mut bytes);
    read.map_err(|error| LoadError { path: "-".into(), error })?;
    Model::open(ModelSource::Text { name: "<stdin>".into(), bytes }, options)
}

/// Shows what there is to say about the model.
fn report(diagnostics: &Diagnostics, sources: &Sources, verbosity: Verbosity) {
    if verbosity > Verbosity::Quiet {
        return terminal::say(&render_all(diagnostics, sources, terminal::style()));
    }
    for diagnostic in diagnostics.iter().filter(|d| d.severity == Severity::Error) {
        terminal::say(&render(diagnostic, sources, terminal::style()));
    }
}

/// Shows and counts the mistakes; if all mistakes are in `--set`, they are mistakes of the command line.
pub(super) fn wrong_model(error: &Error, verbosity: Verbosity) -> Exit {
    let Some((diagnostics, sources)) = error.messages() else {
        terminal::complain(&error.to_string());
        return Exit::Machine;
    };
    report(diagnostics, sources, verbosity);
    let plural =
        |n: usize, word: &str| if n == 1 { format!("1 {word}") } else { format!("{n} {word}s") };
    let (errors, warnings) = (diagnostics.errors(), diagnostics.warnings());
    let more =
        if warnings > 0 { format!(", {}", plural(warnings, "warning")) } else { String::new() };
    terminal::say(&format!("{}{more}\n", plural(errors, "error")));
    let in_arguments = |diagnostic: &Diagnostic| {
        let source = sources.source_of(diagnostic.primary.span);
        source.is_some_and(|source| source.name() == "--set")
    };
    let mut errors = diagnostics.iter().filter(|d| d.severity == Severity::Error);
    if errors.all(in_arguments) { Exit::Usage } else { Exit::Model }
}

/// Numbers of bodies, joints and other parts of the model, in one line.
fn summary(model: &model::Model, diagnostics: &Diagnostics) -> String {
    let freedoms: usize = model.joints.iter().map(|joint| joint.initial().0.len()).sum();
    let count = |n: usize, one: &str, many: &str| match n {
        0 => None,
        1 => Some(format!("1 {one}")),
        n => Some(format!("{n} {many}")),
    };
    let parts: Vec<String> = [
        count(model.bodies.len(), "body", "bodies"),
        count(model.joints.len(), "joint", "joints"),
        count(freedoms, "freedom", "freedoms"),
        count(model.constraints.len(), "constraint", "constraints"),
        count(model.forces.len(), "force", "forces"),
        count(model.elements.len(), "network element", "network elements"),
        count(model.plugins.len(), "plugin", "plugins"),
        count(model.primitives.len(), "primitive", "primitives"),
        count(diagnostics.warnings(), "warning", "warnings"),
    ]
    .into_iter()
    .flatten()
    .collect();
    let parts = if parts.is_empty() { "no elements".into() } else { parts.join(", ") };
    format!("{}: correct; {parts}", model.name)
}

/// Runs the model, with a progress bar and a closing summary.
fn simulate(model: &Model, arguments: &Arguments) -> Exit {
    let checked = model.checked();
    let start = checked.solver.start;
    if let Err(error) = model.system() {
        return tell(&error, start);
    }
    if arguments.realtime.is_some() && checked.solver.analysis != Analysis::Dynamic {
        terminal::complain("`--realtime` needs a simulation: `Type = dynamic` in the Solver block");
        return Exit::Usage;
    }
    if arguments.equations {
        return match model.equations() {
            Ok(Some(equations)) => terminal::print(&equations),
            Ok(None) => terminal::print("the model has no network\n"),
            Err(error) => tell(&error, start),
        };
    }
    let warnings: Vec<String> = model.diagnostics().iter().map(|d| d.message.clone()).collect();
    // Without the handler an interrupt still ends the program, only less gracefully.
    if let Err(error) = ctrlc::set_handler(interrupt) {
        log::warn!("no handler for interrupts: {error}");
    }
    let options = Options {
        directory: &arguments.out,
        warnings: &warnings,
        interrupted: &INTERRUPTED,
        abort_on_chattering: arguments.abort_on_chattering,
        real_time: arguments.realtime,
    };
    let verbosity = arguments.verbosity();
    let mut bar = ProgressBar::new(start, checked.solver.end, verbosity);
    let outcome = model.simulate(options, &mut bar);
    bar.clear();
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(error) => return tell(&error, start),
    };
    let summary = &outcome.summary;
    if verbosity > Verbosity::Quiet {
        terminal::say(&closing(checked, summary));
    }
    for warning in &summary.warnings {
        terminal::warn(warning);
    }
    let plotted = plot_results(checked, summary, arguments);
    outcome.error.map_or(plotted, |error| tell(&error, summary.end))
}

/// Says why a run ended early, or did not begin.
fn tell(error: &Error, end: f64) -> Exit {
    match error.messages() {
        Some((diagnostics, sources)) => {
            for diagnostic in diagnostics.iter() {
                terminal::say(&render(diagnostic, sources, terminal::style()));
            }
        }
        None if error.kind() == ErrorKind::Interrupted => {
            terminal::complain(&format!("interrupted at t = {end} s; finished rows are kept"));
        }
        None => terminal::complain(&error.to_string()),
    }
    if error.kind() == ErrorKind::File { Exit::Machine } else { Exit::Simulation }
}

/// Plots what a run has written, if that is wanted.
fn plot_results(model: &model::Model, summary: &Summary, arguments: &Arguments) -> Exit {
    if arguments.plot.is_none() && !arguments.ascii {
        return Exit::Done;
    }
    let stem = match model.solver.analysis {
        Analysis::Frequency => format!("{}_frequency", model.name),
        _ => model.name.clone(),
    };
    let table = arguments.out.join(format!("{stem}.csv"));
    if !summary.files.contains(&table) {
        terminal::complain(&format!("nothing to plot: this run writes no `{stem}.csv`"));
        return Exit::Usage;
    }
    let picture = arguments
        .plot
        .clone()
        .map(|file| file.unwrap_or_else(|| arguments.out.join(format!("{stem}.svg"))));
    super::plot::run(&PlotOptions {
        table,
        output: picture.into_iter().collect(),
        ascii: arguments.ascii,
        title: Some(model.name.clone()),
        quiet: arguments.quiet,
        ..PlotOptions::default()
    })
}

/// Exit code after the second interrupt: 128 and the number of the signal, as shells have it.
const INTERRUPTED_TWICE: i32 = 130;

/// Set by an interrupt from the keyboard.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// The first interrupt lets the run end with its files in order; the second ends the program at once.
fn interrupt() {
    if INTERRUPTED.swap(true, Ordering::Relaxed) {
        std::process::exit(INTERRUPTED_TWICE);
    }
}

/// The closing summary.
fn closing(model: &model::Model, summary: &Summary) -> String {
    if model.solver.analysis != Analysis::Dynamic {
        let kind = model.solver.analysis.word();
        let wall = summary.wall.as_secs_f64();
        let found: String =
            summary.findings.iter().map(|finding| format!("  {finding}\n")).collect();
        return format!("{}: {kind} analysis in {wall:.3} s\n{found}", model.name)
            + &notes(summary);
    }
    let (s, wall) = (&summary.statistics, summary.wall.as_secs_f64());
    let simulated = summary.end - model.solver.start;
    let mut text = format!(
        "{}: t = {} to {} s in {wall:.3} s ({:.0} times real time)\n",
        model.name,
        model.solver.start,
        summary.end,
        if wall > 0.0 { simulated / wall } else { f64::INFINITY },
    );
    text += &format!(
        "  {} steps ({} rejected), {} evaluations, {} events\n",
        s.steps, s.rejected, s.evaluations, summary.events
    );
    summary.step_lines().iter().for_each(|line| text += &format!("  {line}\n"));
    if !model.bodies.is_empty() {
        let gap = summary.balance.relative_gap();
        text += &format!("  energy balance holds to {gap:.1e} of the energy that took part\n");
    }
    if let Some(gap) = summary.balance.relative_power_gap() {
        text += &format!("  powers of the networks add up to {gap:.1e} of the largest\n");
    }
    text + &notes(summary)
}

/// Remarks for the user, and the files written.
fn notes(summary: &Summary) -> String {
    let notes: String =
        summary.remarks.iter().map(|remark| format!("  note: {remark}\n")).collect();
    let files: Vec<String> = summary.files.iter().map(|path| path.display().to_string()).collect();
    notes + &format!("  wrote {}\n", files.join(", "))
}
