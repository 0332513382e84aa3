//! The networks as part of the right-hand side.
//!
//! Networks use signals of the bodies and act on them through ports, so that the functions here borrow the whole run.

use super::network_solution::{tell_network, why_unsettled, why_unsolved};
use super::open_drives::open_ports;
use super::port_coupling::{answer_ports, take_over};
use super::stage::Stage;
use super::{Failure, Run, event_actions};
use integrate::{ChangeList, EvaluationError, Event, Matrix};
use language::element::written;
use network::NetworkRun;
use network::code::block_compiler::Level;
use network::passes::state_selection::Rechosen;
use network::prepared::combination_equations::ISLAND_CONDUCTANCE;
use network::run::NetworkModes;
use network::run::delay_history::NODES;
use network::run::rechosen_states::Choices;
use network::run::{Island, MissedValue, Shared};

/// Puts values of the networks that fit their equations into the state at an instant.
///
/// # Errors
/// If there are none.
pub(super) fn begin(run: &mut Run<'_>, t: f64, y: &mut [f64]) -> Result<(), Failure> {
    if run.network.is_none() {
        return Ok(());
    }
    // The signals that the networks use depend on positions and velocities only.
    run.update(t, y)?;
    answer_ports(run)?;
    tell_network(run);
    let Some(network) = &mut run.network else { return Ok(()) };
    let begun = network.begin(t, &mut y[run.system.network_states()]);
    begun.map_err(|unsettled| why_unsettled(run, &unsettled))?;
    take_over(run, t, y)?;
    begin_stretch(run);
    Ok(())
}

/// Gives the `Input` of a block another value. True if an event has to follow, because it had another one.
pub(super) fn set_input(run: &mut Run<'_>, block: u32, value: f64) -> bool {
    let Some(network) = &mut run.network else { return false };
    let mut given = network.network.flat.discrete.given.iter();
    let register = given.find(|(owner, _)| *owner == block).map(|(_, register)| *register);
    let is_other = register.is_some_and(|register| network.now.discrete.give(register, value));
    if is_other {
        run.now.stage.lower_to(Stage::Placed);
    }
    is_other
}

/// The value that an `Input` block has now.
pub(super) fn input_value(run: &Run<'_>, block: u32) -> Option<f64> {
    let network = run.network.as_ref()?;
    let mut given = network.network.flat.discrete.given.iter();
    let (_, register) = given.find(|(owner, _)| *owner == block)?;
    network.now.discrete.memory.get(*register).copied()
}

/// Given initial values that the equations of the networks do not allow, in words.
pub(super) fn missed_values(run: &Run<'_>) -> Vec<String> {
    let missed = run.network.as_ref().map_or(&[][..], |network| &network.now.notes.missed);
    let model = &run.system.model;
    let words = |&MissedValue { block, given, taken }: &MissedValue| {
        let keyword = model.blocks[block as usize].schema.keyword;
        let (given, taken) = (written(given), written(taken));
        let name = model.block_name(block);
        format!(
            "{keyword} `{name}` starts at {taken} instead of {given}, as its neighbours ask for"
        )
    };
    missed.iter().map(words).collect()
}

/// Parts of the networks that were cut off from their reference for a while, in words.
pub(super) fn island_notes(run: &Run<'_>) -> Vec<String> {
    let islands = run.network.as_ref().map_or(&[][..], |network| &network.now.notes.islands);
    let model = &run.system.model;
    let words = |&Island { node, since }: &Island| {
        let id = language::reading::ids::NodeId(node as u32);
        let reference = model.nodes[node].domain.reference();
        format!(
            "the part of the network at node `{}` was cut off from `{reference}`, at first at t = {}; a \
             conductance of {} held it meanwhile",
            model.node_name(id),
            written(since),
            written(ISLAND_CONDUCTANCE),
        )
    };
    islands.iter().map(words).collect()
}

/// Ideal elements among which nothing determined how they share, in words.
pub(super) fn share_notes(run: &Run<'_>) -> Vec<String> {
    let shared = run.network.as_ref().map_or(&[][..], |network| &network.now.notes.shared);
    let model = &run.system.model;
    let words = |Shared { blocks, since }: &Shared| {
        let name = |block: &u32| {
            let keyword = model.blocks[*block as usize].schema.keyword;
            format!("{keyword} `{}`", model.block_name(*block))
        };
        let names: Vec<String> = blocks.iter().map(name).collect();
        let names = names.join(", ");
        format!(
            "nothing determined how these share what they carry together, at first at t = {}: {names}; the share \
             with the least sum of squares is shown, all else is exact",
            written(*since),
        )
    };
    shared.iter().map(words).collect()
}

/// The Jacobian of networks that hang on nothing else, by the chain rule.
pub(super) fn network_jacobian(
    run: &mut Run<'_>,
    t: f64,
    y: &[f64],
    jacobian: &mut Matrix,
) -> Option<Result<(), EvaluationError>> {
    let system = run.system;
    let is_alone = system.network_states() == (0..system.n_states())
        && system.network_inputs.is_empty()
        && run.now.ports.is_none();
    let is_known =
        is_alone && run.network.as_ref()?.has_rates() && run.now.t == t && run.now.y == y;
    if !is_alone {
        return None;
    }
    if !is_known && let Err(failure) = run.update(t, y) {
        return Some(Err(run.fail(failure)));
    }
    let network = run.network.as_mut()?;
    network.jacobian(jacobian).then_some(Ok(()))
}

/// Gives storages that are no states in the present modes the values that follow from the others.
pub(super) fn follow_network(run: &mut Run<'_>, y: &mut [f64]) -> Result<(), Failure> {
    run.now.stage.needs(Stage::Accelerated);
    let begun = run.network.as_mut().filter(|network| network.has_begun());
    let followed = begun.map_or(Ok(()), |network| {
        network.complete(Level::Events)?;
        let states = run.system.network_states();
        network.follow(&mut y[states.clone()]);
        // Nothing depends on what has changed, so that all that is computed belongs to this state too.
        run.now.y[states.clone()].copy_from_slice(&y[states]);
        Ok(())
    });
    followed.map_err(|unsolved| why_unsolved(run, unsolved))
}

/// Lets the delay lines remember their inputs at a point of a step.
pub(super) fn record_network(
    run: &mut Run<'_>,
    part: [f64; 2],
    point: usize,
    y: &[f64],
) -> Result<(), Failure> {
    run.update(part[0] + NODES[point] * (part[1] - part[0]), y)?;
    answer_ports(run)?;
    let solved = run.network.as_mut().map_or(Ok(()), |network| {
        network.complete(Level::Events).map(|()| network.record(part, point))
    });
    solved.map_err(|unsolved| why_unsolved(run, unsolved))?;
    open_ports(run);
    Ok(())
}

/// Computes all signals of the networks.
pub(super) fn observe_network(run: &mut Run<'_>) -> Result<(), Failure> {
    let solved = run.network.as_mut().map_or(Ok(()), NetworkRun::observe);
    solved.map_err(|unsolved| why_unsolved(run, unsolved))
}

pub(super) fn network_guards(run: &mut Run<'_>, values: &mut [f64]) -> Result<(), Failure> {
    let t = run.now.t;
    let solved = run.network.as_mut().map_or(Ok(()), |network| network.guards(t, values));
    solved.map_err(|unsolved| why_unsolved(run, unsolved))
}

pub(super) fn switch_network(
    run: &mut Run<'_>,
    event: &Event<'_>,
    y: &mut [f64],
    changes: &mut ChangeList,
) -> Result<(), Failure> {
    let states = run.system.network_states();
    if run.now.ports.is_some() {
        // A projection onto the constraints places the bodies anew.
        if !(changes.is_settled() && run.now.is_at(Stage::Updated, event.t, y)) {
            run.update(event.t, y)?;
        }
        answer_ports(run)?;
    }
    let Some(network) = &mut run.network else { return Ok(()) };
    let rates = &event.ydot[states.clone()];
    let switched = network.switch(event, rates, &mut y[states], changes);
    switched.map_err(|unsettled| why_unsettled(run, &unsettled))?;
    event_actions::act(run, event, y, changes)?;
    take_over(run, event.t, y)?;
    begin_stretch(run);
    Ok(())
}

/// Makes the networks ready for evaluations in modes that stay.
fn begin_stretch(run: &mut Run<'_>) {
    open_ports(run);
    if let Some(network) = &mut run.network {
        network.straighten();
    }
}

/// Do the networks ask for other states after a step?
pub(super) fn review_choice(run: &mut Run<'_>, t: f64, y: &[f64]) -> Result<bool, Failure> {
    if !run.network.as_ref().is_some_and(NetworkRun::has_choices) {
        return Ok(false);
    }
    run.update(t, y)?;
    answer_ports(run)?;
    let states = run.system.network_states();
    let Some(network) = &mut run.network else { return Ok(false) };
    let solved = network.complete(Level::Events);
    let reviewed = solved.map(|()| network.review_choice(&y[states]));
    let reviewed = reviewed.map_err(|unsolved| why_unsolved(run, unsolved))?;
    open_ports(run);
    Ok(reviewed)
}

/// What became a state in the place of what, in words.
pub(super) fn choice_notes(run: &Run<'_>) -> Vec<String> {
    let Some(network) = &run.network else { return Vec::new() };
    let Choices { count, told, .. } = &network.now.choices;
    let names = |storages: &[usize]| {
        let words =
            |&s: &usize| format!("`{}`", network.network.state_words(&*run.system.model, s));
        storages.iter().map(words).collect::<Vec<_>>().join(", ")
    };
    let words = |r: &Rechosen| {
        let (t, states, others) = (written(r.t), names(&r.states), names(&r.others));
        format!("at t = {t} {states} became a state instead of {others}, which had become singular")
    };
    let mut notes: Vec<String> = told.iter().map(words).collect();
    if *count > told.len() {
        notes.push(format!("states were chosen anew {count} times in all"));
    }
    notes
}

/// The present modes of the networks, and states of what switches in their expressions.
pub(super) fn network_modes(run: &Run<'_>) -> Option<NetworkModes> {
    run.network.as_ref().map(NetworkRun::save_modes)
}

/// Puts the modes before the last event in force.
pub(super) fn swap_network_modes(run: &mut Run<'_>) {
    if let Some(network) = &mut run.network {
        network.look_back();
    }
}

pub(super) fn restore_network_modes(run: &mut Run<'_>, modes: Option<&NetworkModes>) {
    if let (Some(network), Some(modes)) = (&mut run.network, modes) {
        network.restore_modes(modes);
    }
    open_ports(run);
}
