//! Why an analysis has no result, in words and with its place in the model.

use parser::diagnostic::{Code, Diagnostic};
use parser::source::Span;

use super::RunError;
use crate::analysis::{Freedom, Trouble};
use crate::codes;
use crate::system::{Failure, System, words};
use integrate::{EvaluationError, IntegrationError};

/// Freedoms that a message names.
const MOST_NAMES: usize = 8;

/// A trouble as a message.
pub(super) fn in_words(system: &System, t: f64, trouble: &Trouble) -> RunError {
    let failed = |error: &IntegrationError, failure: Option<Failure>| {
        RunError::Simulation(Box::new(words::failure(system, error, failure)))
    };
    match trouble {
        Trouble::Interrupted => RunError::Interrupted,
        Trouble::Settling(error, failure) => failed(error, failure.clone()),
        Trouble::Evaluation(failure) => {
            let source = EvaluationError::Undefined { index: 0, what: "right-hand side" };
            let error = IntegrationError::Evaluation { t, h: 0.0, order: 0, source };
            failed(&error, Some(failure.clone()))
        }
        Trouble::Restless(freedoms, iterations) => restless(system, freedoms, *iterations),
        Trouble::NoSteadyState(states) => {
            let words = |(name, rate): &(String, f64)| format!("{name} (at {rate:.3e} per second)");
            let all: Vec<String> = states.iter().map(words).collect();
            let message = format!(
                "no steady state found near the initial values; these keep on changing: {}",
                all.join(", ")
            );
            let help = "either nothing brings them to rest, or they begin too far from where they rest";
            refuse(codes::NO_EQUILIBRIUM, Span::default(), message, help)
        }
        Trouble::Undriven(freedoms, count, at) => undriven(system, freedoms, *count, *at),
        Trouble::Open(gap) => without_result(
            format!("the constraints cannot be closed: a gap of {gap:.3e} (m or rad) remains"),
            "a mechanism that moves so far leaves the positions that it can reach",
        ),
        Trouble::Jumps(at) => without_result(
            format!("the prescribed motion jumps at t = {at} s"),
            "a motion has to be continuous",
        ),
        Trouble::Amplitudes(given, inputs) => without_result(
            format!("{given} amplitudes or phases are given for {inputs} inputs"),
            "`Amplitude` and `Phase` have a number for each of the `Inputs`, in their order",
        ),
        Trouble::NotReached(all) => not_reached(system, all),
        Trouble::NoInputs | Trouble::NoResponse(..) | Trouble::NoLinearEquations(_) => {
            let (message, help) = no_response(system, trouble);
            without_result(message, help)
        }
        Trouble::NoEigenvalues => without_result(
            "the eigenvalues cannot be found: a matrix is not finite, or a mass matrix not positive".into(),
            "look for freedoms that move hardly any inertia",
        ),
        Trouble::TooLarge(freedoms, limit) => without_result(
            format!("the model has {freedoms} freedoms; this analysis is made for up to {limit}"),
            "`Type = dynamic` has no such limit",
        ),
        Trouble::Settings => without_result(
            "the modes of the elements cannot be settled".into(),
            "look at the tolerances of the Solver block",
        ),
    }
}

/// Why there is no frequency response, and what helps.
fn no_response(system: &System, trouble: &Trouble) -> (String, &'static str) {
    let words =
        |block: &Option<u32>| block.map_or_else(String::new, |block| of_block(system, block));
    match trouble {
        Trouble::NoResponse(frequency, block) => (
            format!(
                "no response at {frequency} Hz: the equations do not determine all unknowns{}",
                words(block)
            ),
            "an undamped resonance at this frequency, or a part that hangs on nothing; another `From` or `Points` passes by",
        ),
        Trouble::NoLinearEquations(block) => (
            format!("the equations of the networks are not linear near this state{}", words(block)),
            "look for functions with an infinite slope there, such as sqrt(x) at 0",
        ),
        _ => (
            "the model has no inputs for a frequency response".into(),
            "name sources, such as `Inputs = V1`, or add an Input block",
        ),
    }
}

fn of_block(system: &System, block: u32) -> String {
    let model = &system.model;
    format!(" ({} `{}`)", model.blocks[block as usize].schema.keyword, model.block_name(block))
}

fn refuse(code: Code, span: Span, message: String, help: &str) -> RunError {
    RunError::Simulation(Box::new(Diagnostic::new(code, span, message).help(help)))
}

fn without_result(message: String, help: &str) -> RunError {
    refuse(codes::NO_RESULT, Span::default(), message, help)
}

/// The name of the joint of a freedom, where it is declared.
fn place(system: &System, all: &[Freedom], freedom: Option<usize>) -> Span {
    freedom.map_or_else(Span::default, |k| {
        system.model.name_span(system.model.joints[all[k].joint].block)
    })
}

fn restless(system: &System, freedoms: &[(usize, f64)], iterations: usize) -> RunError {
    let all = Freedom::all(system);
    let named = freedoms
        .iter()
        .map(|&(k, force)| format!("{} ({:.3e} {} left)", all[k].name, force, all[k].force_unit()));
    let named: Vec<String> = named.collect();
    let span = place(system, &all, freedoms.first().map(|&(k, _)| k));
    let message = format!(
        "no equilibrium found near the initial values; after {iterations} iterations these do not come to rest: {}",
        named.join(", ")
    );
    let help = "either nothing holds them, or `Qinit` is too far from where they rest";
    refuse(codes::NO_EQUILIBRIUM, span, message, help)
}

fn not_reached(system: &System, all: &[(usize, f64)]) -> RunError {
    let model = &system.model;
    let given = model.solver.given.as_ref().map_or(&[][..], |given| &given.0);
    let words = |&(k, value): &(usize, f64)| {
        let (signal, _, wanted) = given[k];
        format!("{} is {value:.6e} instead of {wanted:.6e}", model.signal_name(signal))
    };
    let all: Vec<String> = all.iter().map(words).collect();
    without_result(
        format!("no trim found: {}", all.join(", ")),
        "the Unknown inputs cannot bring the Given signals there, or the start is too far away",
    )
}

fn undriven(system: &System, freedoms: &[usize], count: usize, at: f64) -> RunError {
    let all = Freedom::all(system);
    let mut names: Vec<String> =
        freedoms.iter().take(MOST_NAMES).map(|&k| all[k].name.clone()).collect();
    if freedoms.len() > MOST_NAMES {
        names.push(format!("and {} more", freedoms.len() - MOST_NAMES));
    }
    let span = place(system, &all, freedoms.first().copied());
    let noun = if count == 1 { "freedom is" } else { "freedoms are" };
    let message = format!(
        "at t = {at} s {count} {noun} not prescribed by any motion; these can move: {}",
        names.join(", ")
    );
    let help = "`Type = kinematic` needs a Motion, Coupling or lock for every freedom; with fewer, `Type = dynamic` integrates";
    refuse(codes::NOT_DRIVEN, span, message, help)
}
