//! The analyses besides integration: what they find, in words and files.

mod files;
mod frequency;
mod kinematic;
mod linear;
mod statics;
mod trouble;

use std::path::PathBuf;
use std::sync::atomic::Ordering;

use super::course::Watch;
use super::report::Reporter;
use super::{Options, RunError};
use crate::analysis::{
    Equilibrium, Freedom, Mechanism, Stability, SteadyState, Trouble, find_equilibrium,
    find_steady_state, model_size,
};
use crate::output::{self, Results};
use crate::system::{Run, SignalSource, System, source};
use language::blocks::general::{Analysis, LinearAt};
use trouble::in_words;

/// The results of an analysis.
#[derive(Default)]
pub(super) struct Found {
    /// For the summary, line by line.
    pub lines: Vec<String>,
    /// Files besides the files of every run.
    pub files: Vec<PathBuf>,
    /// The last instant of a prescribed motion, s.
    pub end: Option<f64>,
}

/// Makes the analysis that the model asks for.
pub(super) fn run(
    run: &mut Run<'_>,
    results: &mut Results,
    reporter: &mut Reporter<'_>,
    found: &mut Found,
    options: Options<'_>,
) -> Result<(), RunError> {
    let system = run.system;
    let t = system.model.solver.start;
    let solver = &system.model.solver;
    run.probe().set_quasi_static(match solver.analysis {
        Analysis::Static => true,
        Analysis::Linear | Analysis::Frequency => solver.at() == LinearAt::Static,
        Analysis::Dynamic | Analysis::Kinematic => false,
    });
    let mut start = system.initial_state();
    let assembled = run.assemble(t, &mut start).map_err(RunError::Simulation)?;
    reporter.assembled(run, assembled.as_ref());
    let has_networks = !system.model.elements.is_empty();
    if has_networks && solver.analysis == Analysis::Kinematic {
        let words = "states of networks and signal blocks keep their initial values in this analysis, but for those that \
                     the motion determines";
        reporter.remark(words.into());
    }
    if run.has_actions() {
        let words = "When blocks and automata do not act in this analysis: discrete Variables and states keep their Start";
        reporter.remark(words.into());
    }
    let mechanism = Mechanism::new(run, t);
    let mut mechanism = mechanism.map_err(|trouble| in_words(system, t, &trouble))?;
    if has_networks && solver.analysis != Analysis::Kinematic {
        mechanism.begin_networks(&mut start).map_err(|trouble| in_words(system, t, &trouble))?;
        if system.network.as_ref().is_some_and(network::Network::is_sampled) {
            let words = "sampled blocks and delays hold their outputs in this analysis";
            reporter.remark(words.into());
        }
    }
    let mut job = Job { system, mechanism, start, results, reporter, found, options };
    let outcome = match system.model.solver.analysis {
        Analysis::Static => statics::statics(&mut job),
        Analysis::Linear => job.linear(),
        Analysis::Frequency => frequency::frequency(&mut job),
        Analysis::Kinematic => kinematic::kinematic(&mut job),
        // Integration is not made here.
        Analysis::Dynamic => Ok(()),
    };
    outcome.map_err(|stop| match stop {
        Stop::Trouble(trouble) => in_words(system, t, &trouble),
        Stop::Run(error) => error,
    })
}

/// Why an analysis ended early.
enum Stop {
    /// It has no result.
    Trouble(Trouble),
    /// A file cannot be written.
    Run(RunError),
}

impl<T: Into<Trouble>> From<T> for Stop {
    fn from(trouble: T) -> Self {
        Stop::Trouble(trouble.into())
    }
}

impl From<RunError> for Stop {
    fn from(error: RunError) -> Self {
        Stop::Run(error)
    }
}

/// A number of things.
fn counted(count: usize, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        _ => format!("{count} {noun}s"),
    }
}

/// One analysis under way.
struct Job<'a, 'r, 's, 'o> {
    system: &'s System,
    mechanism: Mechanism<'r, 's>,
    /// The initial state, with all loops closed.
    start: Vec<f64>,
    results: &'a mut Results,
    reporter: &'a mut Reporter<'o>,
    found: &'a mut Found,
    options: Options<'a>,
}

impl Job<'_, '_, '_, '_> {
    /// A line for the log and the summary.
    fn tell(&mut self, line: String) {
        self.reporter.line(&line);
        self.found.lines.push(line);
    }

    /// The signals of the Output block, or those of a table in time.
    pub(super) fn outputs(&self) -> Vec<(SignalSource, String)> {
        let model = &self.system.model;
        let named = |signal| (source(self.system, signal), model.signal_name(signal));
        output::columns(model).into_iter().map(named).collect()
    }

    /// Size of the model at the initial values, m.
    fn size(&mut self) -> f64 {
        let (q, ..) = self.system.split(&self.start);
        self.mechanism.run.probe().pose(q);
        model_size(self.mechanism.run)
    }

    /// Finds where everything rests near the initial values, and says what it is like; gives the state.
    fn find_rest(&mut self, size: f64) -> Result<Vec<f64>, Stop> {
        if self.mechanism.by_networks {
            return self.find_steady_state(size);
        }
        let found = self.find_equilibrium(size)?;
        let rest = vec![0.0; self.system.tree.n_v()];
        Ok(self.mechanism.state(&found.q, &rest))
    }

    /// The same of bodies and networks together.
    fn find_steady_state(&mut self, size: f64) -> Result<Vec<f64>, Stop> {
        let interrupted = self.options.interrupted;
        let mut go_on = || !interrupted.load(Ordering::Relaxed);
        let found = find_steady_state(&mut self.mechanism, &self.start, size, &mut go_on)?;
        self.tell_rest("steady state found", &found);
        Ok(found.y)
    }

    /// Says what a steady state is like.
    fn tell_rest(&mut self, found: &str, rest: &SteadyState) {
        let SteadyState { iterations, leaving, turning, .. } = rest;
        self.tell(format!("{found} in {}", counted(*iterations, "iteration")));
        match leaving {
            None => self.tell("it is stable".into()),
            Some((names, time)) => self.reporter.remark(format!(
                "the steady state is UNSTABLE: a disturbance of {} grows e-fold within {time:.3e} s",
                names.join(", ")
            )),
        }
        if !turning.is_empty() {
            self.tell(format!("these go on steadily: {}", turning.join(", ")));
        }
    }

    /// Finds the equilibrium of the bodies near the initial values, and says what it is like.
    fn find_equilibrium(&mut self, size: f64) -> Result<Equilibrium, Stop> {
        let (q, ..) = self.system.split(&self.start);
        let interrupted = self.options.interrupted;
        let mut go_on = || !interrupted.load(Ordering::Relaxed);
        let found = find_equilibrium(&mut self.mechanism, q, size, &mut go_on)?;
        let freedoms = Freedom::all(self.system);
        let left = found.remaining.map_or_else(String::new, |(freedom, force)| {
            let Freedom { name, .. } = &freedoms[freedom];
            let unit = freedoms[freedom].force_unit();
            format!("; largest force left: {:.1e} {unit} on {name}", force.abs())
        });
        self.tell(format!("equilibrium found in {} iterations{left}", found.iterations));
        let names = |all: &[usize]| {
            let all: Vec<&str> = all.iter().map(|&k| freedoms[k].name.as_str()).collect();
            all.join(", ")
        };
        match &found.stability {
            Stability::Stable => self.tell("it is stable".into()),
            Stability::Fixed => self.tell("nothing can move".into()),
            Stability::Indifferent(all) => {
                self.reporter.remark(format!(
                    "the equilibrium is indifferent: nothing brings these back to it: {}",
                    names(all)
                ));
            }
            Stability::Unstable(all, time) => self.reporter.remark(format!(
                "the equilibrium is UNSTABLE: a disturbance of {} grows e-fold within {time:.3e} s",
                names(all)
            )),
        }
        Ok(found)
    }
}
