//! The main job: read a model, check it, simulate it.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use engine::blocks::general::Analysis;
use engine::load::{Disk, Input, LoadError, LoadOptions, Loaded, load};
use engine::model::Model;
use engine::plugin::Plugins;
use engine::simulation::{self, Options, RunError, Summary};
use parser::diagnostic::{Diagnostic, Diagnostics, Severity};
use parser::exit::Exit;
use parser::render::{render, render_all};

use crate::arguments::{Arguments, PlotOptions};
use crate::progress::ProgressBar;
use crate::terminal::{self, Verbosity};

/// Reads, checks and simulates the model of the command line.
pub fn run(arguments: &Arguments, plugins: Plugins) -> Exit {
    let Some(model) = arguments.model.as_deref() else { return Exit::Usage };
    let options = LoadOptions {
        set: arguments.set.clone(),
        strict: arguments.strict,
        allow_unphysical: arguments.allow_unphysical,
        plugins,
        analysis: arguments.analysis.as_deref().and_then(Analysis::from_word),
        only_warns_of_primitives: true,
    };
    let start = Instant::now();
    let loaded = match open(model).and_then(|input| load(input, &options, &Disk)) {
        Ok(loaded) => loaded,
        Err(error) => {
            terminal::complain(&error.to_string());
            return Exit::Machine;
        }
    };
    for source in loaded.sources.all() {
        log::debug!("read {}: {} bytes", source.name(), source.text().len());
    }
    log::debug!("checked in {:.3} s", start.elapsed().as_secs_f64());
    report(&loaded.diagnostics, &loaded, arguments.verbosity());
    let Some(model) = &loaded.model else { return wrong_model(&loaded) };
    if arguments.check && arguments.quiet {
        return Exit::Done;
    }
    if arguments.check {
        return terminal::print(&format!("{}\n", summary(model, &loaded.diagnostics)));
    }
    if let Some(exit) = super::bonds::run(arguments, model) {
        return exit;
    }
    simulate(model, &loaded, arguments)
}

/// A model file or standard input.
fn open(model: &str) -> Result<Input, LoadError> {
    if model != "-" {
        return Ok(Input::File(Disk.model_path(Path::new(model))));
    }
    let mut bytes = Vec::new();
    match std::io::stdin().lock().read_to_end(&mut bytes) {
        Ok(_) => Ok(Input::Text { name: "<stdin>".into(), bytes }),
        Err(error) => Err(LoadError { path: "-".into(), error }),
    }
}

/// Shows what there is to say about the model.
fn report(diagnostics: &Diagnostics, loaded: &Loaded, verbosity: Verbosity) {
    if verbosity > Verbosity::Quiet {
        return terminal::say(&render_all(diagnostics, &loaded.sources, terminal::style()));
    }
    for diagnostic in diagnostics.iter().filter(|d| d.severity == Severity::Error) {
        terminal::say(&render(diagnostic, &loaded.sources, terminal::style()));
    }
}

/// Counts the mistakes; those in `--set` alone are mistakes of the command line.
fn wrong_model(loaded: &Loaded) -> Exit {
    let plural =
        |n: usize, word: &str| if n == 1 { format!("1 {word}") } else { format!("{n} {word}s") };
    let (errors, warnings) = (loaded.diagnostics.errors(), loaded.diagnostics.warnings());
    let more =
        if warnings > 0 { format!(", {}", plural(warnings, "warning")) } else { String::new() };
    terminal::say(&format!("{}{more}\n", plural(errors, "error")));
    let in_arguments = |diagnostic: &Diagnostic| {
        loaded
            .sources
            .source_of(diagnostic.primary.span)
            .is_some_and(|source| source.name() == "--set")
    };
    let mut errors = loaded.diagnostics.iter().filter(|d| d.severity == Severity::Error);
    if errors.all(in_arguments) { Exit::Usage } else { Exit::Model }
}

/// What the model consists of, in one line.
fn summary(model: &Model, diagnostics: &Diagnostics) -> String {
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
fn simulate(model: &Arc<Model>, loaded: &Loaded, arguments: &Arguments) -> Exit {
    let show = |diagnostics: &[Diagnostic]| {
        for diagnostic in diagnostics {
            terminal::say(&render(diagnostic, &loaded.sources, terminal::style()));
        }
    };
    let system = match engine::system::build(model, arguments.allow_unphysical) {
        Ok(system) => system,
        Err(mistakes) => {
            show(&mistakes);
            return Exit::Simulation;
        }
    };
    if arguments.realtime.is_some() && model.solver.analysis != Analysis::Dynamic {
        terminal::complain("`--realtime` needs a simulation: `Type = dynamic` in the Solver block");
        return Exit::Usage;
    }
    if arguments.equations {
        return equations(&system, &show);
    }
    let warnings: Vec<String> = loaded.diagnostics.iter().map(|d| d.message.clone()).collect();
    let interrupted = &INTERRUPTED;
    // Without the handler an interrupt still ends the program, only less gracefully.
    if let Err(error) = ctrlc::set_handler(interrupt) {
        log::warn!("no handler for interrupts: {error}");
    }
    let options = Options {
        directory: &arguments.out,
        warnings: &warnings,
        interrupted,
        abort_on_chattering: arguments.abort_on_chattering,
        real_time: arguments.realtime,
    };
    let verbosity = arguments.verbosity();
    let mut bar = ProgressBar::new(model.solver.start, model.solver.end, verbosity);
    let outcome = simulation::simulate(&system, options, &mut bar);
    bar.clear();
    let (summary, error) = match outcome {
        Ok((summary, error)) => (Some(summary), error),
        Err(error) => (None, Some(error)),
    };
    if let Some(summary) = summary.as_ref().filter(|_| verbosity > Verbosity::Quiet) {
        terminal::say(&closing(model, summary));
    }
    for warning in summary.iter().flat_map(|summary| &summary.warnings) {
        terminal::warn(warning);
    }
    let plotted = match &summary {
        Some(summary) => plot_results(model, summary, arguments),
        None => Exit::Done,
    };
    let end = summary.map_or(model.solver.start, |summary| summary.end);
    error.map_or(plotted, |error| tell(error, end, &show))
}

/// Says why a run ended early.
fn tell(error: RunError, end: f64, show: &dyn Fn(&[Diagnostic])) -> Exit {
    match error {
        RunError::Simulation(diagnostic) => {
            show(&[*diagnostic]);
            Exit::Simulation
        }
        RunError::Output(diagnostic) => {
            show(&[*diagnostic]);
            Exit::Machine
        }
        RunError::Interrupted => {
            terminal::complain(&format!("interrupted at t = {end} s; finished rows are kept"));
            Exit::Simulation
        }
        RunError::Write(error) => {
            terminal::complain(&error.to_string());
            Exit::Machine
        }
    }
}

/// Plots what a run has written, if that is wanted.
fn plot_results(model: &Model, summary: &Summary, arguments: &Arguments) -> Exit {
    if arguments.plot.is_none() && !arguments.ascii {
        return Exit::Done;
    }
    let table = arguments.out.join(format!("{}.csv", model.name));
    if !summary.files.contains(&table) {
        terminal::complain(&format!("nothing to plot: this run writes no `{}.csv`", model.name));
        return Exit::Usage;
    }
    let picture = arguments
        .plot
        .clone()
        .map(|file| file.unwrap_or_else(|| arguments.out.join(format!("{}.svg", model.name))));
    super::plot::run(&PlotOptions {
        table,
        output: picture.into_iter().collect(),
        ascii: arguments.ascii,
        title: Some(model.name.clone()),
        quiet: arguments.quiet,
        ..PlotOptions::default()
    })
}

/// Prints the equations of the networks.
fn equations(system: &engine::system::System, show: &dyn Fn(&[Diagnostic])) -> Exit {
    let mut run = engine::system::Run::new(system);
    let mut y = system.initial_state();
    let start = system.model.solver.start;
    if let Err(mistake) = run.assemble(start, &mut y) {
        show(&[*mistake]);
        return Exit::Simulation;
    }
    if let Err(failure) = run.begin(&mut y) {
        show(&[simulation::no_start(system, failure)]);
        return Exit::Simulation;
    }
    match system.network {
        Some(_) => terminal::print(&run.equations()),
        None => terminal::print("the model has no network\n"),
    }
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
fn closing(model: &Model, summary: &Summary) -> String {
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

/// What the user should know, and the files.
fn notes(summary: &Summary) -> String {
    let notes: String =
        summary.remarks.iter().map(|remark| format!("  note: {remark}\n")).collect();
    let files: Vec<String> = summary.files.iter().map(|path| path.display().to_string()).collect();
    notes + &format!("  wrote {}\n", files.join(", "))
}
