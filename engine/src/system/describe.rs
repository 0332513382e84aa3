//! Words for what happens in a run: names of elements, modes and failures.

use parser::diagnostic::Diagnostic;

use super::{Failure, System};
use crate::codes;
use equations::wording::written;
use integrate::IntegrationError;

/// Jumps that a line of the log lists.
const NAMED_JUMPS: usize = 8;

/// What to do about a signal that contradicts itself.
const UNDONE: &str = "what it becomes undoes its own condition: let the signal pass something that remembers, \
                      such as a PT1 or a UnitDelay";

/// Force elements that a message lists.
const NAMED_FORCES: usize = 5;

/// Turns indices of a run into names and places of the model.
pub mod words {
    pub use super::{change, element, failure, jumps, row, state};
}

/// The element that owns a guard: `Contact foot`, or `Revolute knee, lower stop`.
pub fn element(system: &System, guard: usize) -> String {
    if let Some((plugin, state)) = system.plugins.of_guard(guard) {
        let (name, state) = (system.model.block_name(plugin.block), &plugin.declared[state].name);
        let comma = if state.is_empty() { "" } else { ", " };
        return format!("Plugin {name}{comma}{state}");
    }
    let Some(element) = system.element_of_guard(guard) else {
        if let Some(network) = &system.network
            && guard >= network.first_guard
        {
            return network.words(&*system.model, guard, [0; 2]).0;
        }
        let Some((program, what, _)) = system.switches.describe(guard, [0; 2]) else {
            return format!("guard {guard}");
        };
        let Some(block) = owner(system, program) else { return what };
        let keyword = system.model.blocks[block as usize].schema.keyword;
        return format!("{keyword} {}, {what}", system.model.block_name(block));
    };
    let entry = &system.model.blocks[element.block as usize];
    let name = system.model.block_name(element.block);
    match element.part {
        "" => format!("{} {name}", entry.schema.keyword),
        part => format!("{} {name}, {part}", entry.schema.keyword),
    }
}

/// A state of the integrator: `knee.q`, `hip.qd[2]`, `C1.v`.
pub fn state(system: &System, index: usize) -> String {
    // Behind the states of the motion are those of its sensitivities.
    if let Some(of) = index.checked_sub(system.n_states()) {
        let own = state(system, of % system.n_states().max(1));
        return format!("sensitivity of {own}");
    }
    let networks = system.network_states();
    if let Some(network) = system.network.as_ref().filter(|_| networks.contains(&index)) {
        return network.state_words(&*system.model, index - networks.start);
    }
    let n_q = system.tree.n_q();
    for (joint, body) in system.model.joints.iter().zip(&system.carried) {
        let Some(id) = body.joint() else { continue };
        let (q, v) = (system.tree.q_range(id), system.tree.v_range(id));
        let (what, range) = if index < n_q { ("q", q) } else { ("qd", v.start + n_q..v.end + n_q) };
        if range.contains(&index) {
            let name = system.model.block_name(joint.block);
            let place = index - range.start + 1;
            return match range.len() {
                1 => format!("{name}.{what}"),
                _ => format!("{name}.{what}[{place}]"),
            };
        }
    }
    format!("state {index}")
}

/// A change of mode: `Contact foot: slip -> stick`.
pub fn change(system: &System, guard: usize, from: i32, to: i32) -> String {
    if let Some(network) = &system.network
        && guard >= network.first_guard
    {
        let (name, [from, to]) = network.words(&*system.model, guard, [from, to]);
        return format!("{name}: {from} -> {to}");
    }
    if let Some((_, _, [from, to])) = system.switches.describe(guard, [from, to]) {
        return format!("{}: {from} -> {to}", element(system, guard));
    }
    if let Some((plugin, state)) = system.plugins.of_guard(guard) {
        let words = plugin.declared[state].values;
        let [from, to] = [from, to].map(|code| words.get(code as usize).copied().unwrap_or(""));
        return format!("{}: {from} -> {to}", element(system, guard));
    }
    let word = |code: i32| {
        let element = system.element_of_guard(guard);
        element.map_or("", |element| element.law.mode_word(u8::try_from(code).unwrap_or(0)))
    };
    format!("{}: {} -> {}", element(system, guard), word(from), word(to))
}

/// Storages of the networks that jump, with values before and after, and the energy that this takes: `C1.v jumps from 9 to 3`.
pub fn jumps(system: &System, changes: &[(usize, [f64; 2])], lost: Option<f64>) -> String {
    let first = system.network_states().start;
    let words = |&(storage, [old, new]): &(usize, [f64; 2])| {
        let name = state(system, first + storage);
        format!("{name} jumps from {} to {}", written(old), written(new))
    };
    let all: Vec<String> = changes.iter().take(NAMED_JUMPS).map(words).collect();
    let more = match changes.len().saturating_sub(NAMED_JUMPS) {
        0 => String::new(),
        more => format!(" and {more} more jump"),
    };
    let energy = match lost {
        None => String::new(),
        Some(lost) if lost >= 0.0 => format!("; {lost:.6e} J are dissipated"),
        Some(lost) => format!("; storages gain {:.6e} J from sources", -lost),
    };
    format!("{}{more}{energy}", all.join(", "))
}

/// A failure of the integration in words, with its place in the model.
pub fn failure(system: &System, error: &IntegrationError, failure: Option<Failure>) -> Diagnostic {
    // A plugin that fails is the cause, whatever error the integrator reports.
    let explains = matches!(error, IntegrationError::Evaluation { .. })
        || matches!(failure, Some(Failure::Plugin { .. }));
    match failure {
        Some(failure) if explains => failed_evaluation(system, failure, time_of(error)),
        _ => failed_integration(system, error),
    }
}

/// What went wrong in the evaluation of the model.
fn failed_evaluation(system: &System, failure: Failure, mut time: f64) -> Diagnostic {
    let model = &system.model;
    let (mut help, mut code) = (None, codes::NO_VALUE);
    let (block, reason) = match failure {
        Failure::Action(block, reason, remedy) => {
            (help, code) = (remedy, codes::ENDLESS_ACTIONS);
            (Some(block), reason)
        }
        Failure::Network(block, reason, remedy) => {
            help = remedy;
            (Some(block), reason)
        }
        Failure::Element(block, reason) => (Some(block), reason.to_string()),
        Failure::Expression(index) => {
            (owner(system, index), "a time expression is not finite".into())
        }
        Failure::Dynamics(reason) => dynamics(system, reason),
        Failure::Late(place) => {
            let (block, reason, remedy) = unsolved_loop(system, place);
            help = Some(remedy);
            (block, reason)
        }
        Failure::Constraint(row) => return broken(system, row, time),
        Failure::Plugin { plugin, t, reason } => {
            time = t;
            (Some(system.plugins.list[plugin].block), reason.into_owned())
        }
    };
    let span = block.map_or_else(Default::default, |block| model.name_span(block));
    let name = block.map_or_else(String::new, |block| {
        let keyword = model.blocks[block as usize].schema.keyword;
        format!("{keyword} `{}`: ", model.block_name(block))
    });
    let message = format!("the simulation stops at t = {time} s: {name}{reason}");
    Diagnostic::new(code, span, message).maybe_help(help)
}

/// Why the method cannot go on, though every evaluation succeeds.
fn failed_integration(system: &System, error: &IntegrationError) -> Diagnostic {
    let time = time_of(error);
    let span_of = |guard: usize| {
        let block = system.block_of_guard(guard);
        block.map_or_else(Default::default, |block| system.model.name_span(block))
    };
    let mut help = None;
    let (span, message) = match error {
        IntegrationError::UnsettledEvent { toggling, .. } => {
            // A signal that goes round through its own condition without any delay.
            if toggling.iter().all(|guard| is_of_expression(system, guard.0)) {
                help = Some(UNDONE);
            }
            let mut names: Vec<String> =
                toggling.iter().map(|guard| element(system, guard.0)).collect();
            names.dedup();
            let rubs = names.iter().any(|name| name.contains(", friction"));
            let hint = match rubs {
                true => "; friction in motion must not exceed friction at rest where motion begins",
                false => "",
            };
            let names = names.join(", ");
            let span = toggling.first().map_or_else(Default::default, |guard| span_of(guard.0));
            (span, format!("at t = {time} s these keep switching and do not settle: {names}{hint}"))
        }
        IntegrationError::Zeno { guard, events, .. } => {
            let name = element(system, guard.0);
            let message =
                format!("at t = {time} s {name} switched {events} times without moving on");
            (span_of(guard.0), message)
        }
        IntegrationError::Stalled { .. } => return stalled(system, error),
        other => (Default::default(), other.to_string()),
    };
    Diagnostic::new(codes::INTEGRATION_FAILED, span, message).maybe_help(help.map(Into::into))
}

/// Does a guard belong to a time expression?
fn is_of_expression(system: &System, guard: usize) -> bool {
    match system.network.as_ref().filter(|network| guard >= network.first_guard) {
        Some(network) => network.is_of_expression(guard),
        None => system.switches.describe(guard, [0; 2]).is_some(),
    }
}

/// A run that gets nowhere, with what holds its steps down.
fn stalled(system: &System, error: &IntegrationError) -> Diagnostic {
    let IntegrationError::Stalled { t, steps, span, state: index, guard } = error else {
        return Diagnostic::new(codes::STALLED, Default::default(), error.to_string());
    };
    let model = &system.model;
    let (block, what, help) = match guard {
        Some(guard) => (
            system.block_of_guard(guard.0),
            format!("{} switches again and again", element(system, guard.0)),
            "give the element hysteresis, friction or damping that lets it come to rest",
        ),
        None => (
            joint_of_state(system, *index),
            format!("state `{}` holds the steps down", state(system, *index)),
            "look for what acts on it and is not smooth there, such as a root or a power of a quantity at zero, a step \
             without an event, or a friction law that changes its sign",
        ),
    };
    let span_of = block.map_or_else(Default::default, |block| model.name_span(block));
    let message = format!(
        "no progress at t = {t} s: {steps} steps and trials covered {span:.1e} s; {what}{}",
        acting(system, *index).filter(|_| guard.is_none()).unwrap_or_default()
    );
    Diagnostic::new(codes::STALLED, span_of, message).help(help)
}

/// The joint whose coordinate or rate a state is.
fn joint_of_state(system: &System, index: usize) -> Option<u32> {
    let n_q = system.tree.n_q();
    let of_joint = system.model.joints.iter().zip(&system.carried).find(|(_, body)| {
        body.joint().is_some_and(|id| {
            let v = system.tree.v_range(id);
            system.tree.q_range(id).contains(&index)
                || (v.start + n_q..v.end + n_q).contains(&index)
        })
    });
    of_joint.map(|(joint, _)| joint.block)
}

/// The force elements of the model in words, if a state is one of the bodies and they are few enough to be read.
fn acting(system: &System, index: usize) -> Option<String> {
    let is_body = index < system.tree.n_q() + system.tree.n_v();
    let forces = &system.model.forces;
    if !is_body || forces.is_empty() || forces.len() > NAMED_FORCES {
        return None;
    }
    let name = |block: u32| {
        let keyword = system.model.blocks[block as usize].schema.keyword;
        format!("{keyword} `{}`", system.model.block_name(block))
    };
    let names: Vec<String> = forces.iter().map(|force| name(force.block)).collect();
    Some(format!("; the bodies are moved by {}", names.join(", ")))
}

/// A signal in time expressions that depends on itself and has no value: block, words, remedy.
fn unsolved_loop(system: &System, place: usize) -> (Option<u32>, String, String) {
    let model = &system.model;
    let Some(late) = system.late.list.get(place) else {
        return (None, "a signal in a time expression has no value".into(), String::new());
    };
    let name = model.signal_name(late.signal);
    let user = |block: u32| {
        let keyword = model.blocks[block as usize].schema.keyword;
        format!("{keyword} `{}` uses", model.block_name(block))
    };
    let user = late.user.map_or_else(|| "the networks use".into(), user);
    let words = format!(
        "`{name}` depends on itself: {user} it, the accelerations depend on that, and `{name}` on the accelerations; \
         this loop has no single solution here"
    );
    let others: Vec<String> = (system.late.list.iter())
        .filter(|other| other.signal != late.signal)
        .map(|other| format!("`{}`", model.signal_name(other.signal)))
        .collect();
    let more = if others.is_empty() {
        String::new()
    } else {
        format!("; {} are part of it too", others.join(", "))
    };
    let remedy = format!(
        "let the loop amplify less, such as by a smaller friction coefficient, or see a state in it, such as a PT1 of the signal{more}"
    );
    (Some(late.user.unwrap_or(late.signal.block)), words, remedy)
}

/// A row of the constraints in words: `Revolute knee, rotation about x of T1`.
pub fn row(system: &System, row: usize) -> String {
    let rows = &system.constraints.rows;
    let block = system.constraints.blocks[rows.constraint_of(row).index()];
    let keyword = system.model.blocks[block as usize].schema.keyword;
    format!("{keyword} {}, {}", system.model.block_name(block), rows.describe(row))
}

/// Constraints that nothing keeps any more: a mechanism that is driven against its stop.
fn broken(system: &System, at: usize, time: f64) -> Diagnostic {
    let block = system.constraints.blocks[system.constraints.rows.constraint_of(at).index()];
    let message = format!(
        "the simulation stops at t = {time} s: the constraints cannot be kept ({})",
        row(system, at)
    );
    let help =
        "the mechanism locks up, is torn apart, or is driven by more motions than it has freedoms";
    Diagnostic::new(codes::CONSTRAINTS_BROKEN, system.model.name_span(block), message).help(help)
}

fn time_of(error: &IntegrationError) -> f64 {
    match error {
        IntegrationError::Evaluation { t, .. }
        | IntegrationError::StepTooSmall { t, .. }
        | IntegrationError::NoConvergence { t, .. }
        | IntegrationError::ZeroWeight { t, .. }
        | IntegrationError::UnsettledEvent { t, .. }
        | IntegrationError::Stalled { t, .. }
        | IntegrationError::Zeno { t, .. } => *t,
    }
}

/// The force element that uses a time expression.
fn owner(system: &System, index: usize) -> Option<u32> {
    system.program_owners.get(index).copied()
}

fn dynamics(system: &System, error: mechanics::EvalError) -> (Option<u32>, String) {
    use mechanics::EvalError;
    let (joint, freedom, reason) = match error {
        EvalError::SingularInertia { joint, freedom } => (joint, freedom, "moves no inertia"),
        EvalError::NotFinite { joint, freedom } => {
            (joint, freedom, "has an acceleration that is not finite")
        }
    };
    let found = system.carried.iter().position(|body| body.joint() == Some(joint));
    let block = found.map(|index| system.model.joints[index].block);
    (block, format!("its freedom {} {reason}", freedom + 1))
}
