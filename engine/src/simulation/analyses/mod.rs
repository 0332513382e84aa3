//! The analyses besides integration: what they find, in words and files.

mod files;
mod kinematic;
mod linear;
mod statics;

use std::path::PathBuf;
use std::sync::atomic::Ordering;

use parser::diagnostic::Diagnostic;

use super::report::Reporter;
use super::{Options, RunError};
use crate::analysis::{
    Equilibrium, Freedom, Mechanism, Stability, Trouble, find_equilibrium, model_size,
};
use crate::integrators::{EvaluationError, IntegrationError};
use crate::model::codes;
use crate::model::general::{Analysis, LinearAt};
use crate::output::Results;
use crate::system::{Failure, Run, System, words};

/// Freedoms that a message names.
const MOST_NAMES: usize = 8;

/// What an analysis found.
#[derive(Default)]
pub(super) struct Found {
    /// For the summary, line by line.
    pub lines: Vec<String>,
    /// Files besides those of every run.
    pub files: Vec<PathBuf>,
    /// The last instant of a prescribed motion, s.
    pub end: Option<f64>,
}

/// Makes the analysis that the model asks for.
pub(super) fn run(
    run: &mut Run<'_, '_>,
    results: &mut Results,
    reporter: &mut Reporter<'_, '_>,
    found: &mut Found,
    options: Options<'_>,
) -> Result<(), RunError> {
    let system = run.system;
    let t = system.model.solver.start;
    let solver = &system.model.solver;
    run.set_quasi_static(match solver.analysis {
        Analysis::Static => true,
        Analysis::Linear => solver.linear_at == LinearAt::Static,
        Analysis::Dynamic | Analysis::Kinematic => false,
    });
    let mut start = system.initial_state();
    let assembled = run.assemble(t, &mut start).map_err(RunError::Simulation)?;
    reporter.assembled(run, assembled.as_ref());
    let mechanism = Mechanism::new(run, t);
    let mechanism = mechanism.map_err(|trouble| in_words(system, t, &trouble))?;
    let mut job = Job { system, mechanism, start, results, reporter, found, options };
    let outcome = match system.model.solver.analysis {
        Analysis::Static => job.statics(),
        Analysis::Linear => job.linear(),
        Analysis::Kinematic => job.kinematic(),
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

/// One analysis under way.
struct Job<'a, 'r, 's, 'm, 'o, 'n> {
    system: &'s System<'m>,
    mechanism: Mechanism<'r, 's, 'm>,
    /// The initial state, with all loops closed.
    start: Vec<f64>,
    results: &'a mut Results,
    reporter: &'a mut Reporter<'o, 'n>,
    found: &'a mut Found,
    options: Options<'a>,
}

impl Job<'_, '_, '_, '_, '_, '_> {
    /// A line for the log and the summary.
    fn tell(&mut self, line: String) {
        self.reporter.line(&line);
        self.found.lines.push(line);
    }

    /// Size of the model at the initial values, m.
    fn size(&mut self) -> f64 {
        let (q, ..) = self.system.split(&self.start);
        self.mechanism.run.pose(q);
        model_size(self.mechanism.run)
    }

    /// Finds the equilibrium near the initial values, and says what it is like.
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

/// A trouble as a message with its place in the model.
fn in_words(system: &System<'_>, t: f64, trouble: &Trouble) -> RunError {
    let failed = |error: &IntegrationError, failure: Option<Failure>| {
        RunError::Simulation(Box::new(words::failure(system, error, failure)))
    };
    let refuse = |code, span, message: String, help: &str| {
        RunError::Simulation(Box::new(Diagnostic::new(code, span, message).help(help)))
    };
    match trouble {
        Trouble::Interrupted => RunError::Interrupted,
        Trouble::Settling(error, failure) => failed(error, *failure),
        Trouble::Evaluation(failure) => {
            let source = EvaluationError::Undefined { index: 0, what: "right-hand side" };
            let error = IntegrationError::Evaluation { t, h: 0.0, order: 0, source };
            failed(&error, Some(*failure))
        }
        Trouble::Open(gap) => refuse(
            codes::NO_RESULT,
            Default::default(),
            format!("the constraints cannot be closed: a gap of {gap:.3e} (m or rad) remains"),
            "give initial coordinates nearer to a closed position",
        ),
        Trouble::Restless(freedoms, iterations) => {
            let all = Freedom::all(system);
            let named = freedoms.iter().map(|&(k, force)| {
                format!("{} ({:.3e} {} left)", all[k].name, force, all[k].force_unit())
            });
            let named: Vec<String> = named.collect();
            let span = freedoms.first().map_or_else(Default::default, |&(k, _)| {
                system.model.name_span(system.model.joints[all[k].joint].block)
            });
            let message = format!(
                "no equilibrium found near the initial values; after {iterations} iterations these do not come to rest: {}",
                named.join(", ")
            );
            let help = "either nothing holds them, or `Qinit` is too far from where they rest";
            refuse(codes::NO_EQUILIBRIUM, span, message, help)
        }
        Trouble::Undriven(freedoms, count, at) => {
            let all = Freedom::all(system);
            let mut names: Vec<String> =
                freedoms.iter().take(MOST_NAMES).map(|&k| all[k].name.clone()).collect();
            if freedoms.len() > MOST_NAMES {
                names.push(format!("and {} more", freedoms.len() - MOST_NAMES));
            }
            let span = freedoms.first().map_or_else(Default::default, |&k| {
                system.model.name_span(system.model.joints[all[k].joint].block)
            });
            let (count, names) = (count.to_string(), names.join(", "));
            let noun = if count == "1" { "freedom is" } else { "freedoms are" };
            let message =
                format!("at t = {at} s {count} {noun} not prescribed by any motion; these can move: {names}");
            let help = "`Type = kinematic` needs a Motion, Coupling or lock for every freedom; with fewer, `Type = dynamic` integrates";
            refuse(codes::NOT_DRIVEN, span, message, help)
        }
        Trouble::Jumps(at) => refuse(
            codes::NO_RESULT,
            Default::default(),
            format!("the prescribed motion jumps at t = {at} s"),
            "a motion has to be continuous",
        ),
        Trouble::NoEigenvalues => refuse(
            codes::NO_RESULT,
            Default::default(),
            "the eigenvalues cannot be found: a matrix is not finite, or a mass matrix not positive".into(),
            "look for freedoms that move hardly any inertia",
        ),
        Trouble::Settings => refuse(
            codes::NO_RESULT,
            Default::default(),
            "the modes of the elements cannot be settled".into(),
            "look at the tolerances of the Solver block",
        ),
    }
}
