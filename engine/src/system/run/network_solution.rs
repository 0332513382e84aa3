//! The networks solved at the present time and state, from what they see of the bodies.

use super::super::SignalSource;
use super::super::port_places::PortList;
use super::{Failure, Run};
use network::NetworkRun;
use network::code::evaluate::Unsolved;
use network::run::settle::Unsettled;
use network::words::explain;

/// Solves the networks at the present time and state.
pub(super) fn update_network(run: &mut Run<'_>) -> Result<(), Failure> {
    if !run.network.as_ref().is_some_and(NetworkRun::has_begun) {
        return Ok(());
    }
    tell_network(run);
    let Some(network) = &mut run.network else { return Ok(()) };
    let solved = network.update(run.now.t, &run.now.y[run.system.network_states()]);
    solved.map_err(|unsolved| why_unsolved(run, unsolved))
}

/// Tells the networks the signals that they use, and coordinates and speeds of the joints that they drive.
pub(super) fn tell_network(run: &mut Run<'_>) {
    for &(number, source) in &run.system.network_inputs {
        let value = match source {
            // These follow from the state alone.
            SignalSource::Force { element, signal } => {
                run.now.elements.signal_now(run.system, element, signal, &run.view())
            }
            source => run.signal(source),
        };
        if let Some(network) = &mut run.network {
            network.now.outside.signals[number] = value;
        }
    }
    give_coordinates(run);
}

/// Tells the networks the coordinates and speeds of the joints that they drive.
fn give_coordinates(run: &mut Run<'_>) {
    let Some(network) = &mut run.network else { return };
    let given = network.now.outside.ports.motions_mut();
    let PortList { ports, axes, .. } = &run.system.ports;
    for (pair, (port, axis)) in given.zip(ports.iter().zip(axes)) {
        if let Some((q, v)) = *axis {
            pair.copy_from_slice(&[run.now.bodies.q[q], run.now.bodies.v[v]]);
        } else if let Some(line) = port.line(&run.now.bodies.workspace) {
            pair.copy_from_slice(&[line.length, line.rate]);
        }
    }
}

pub(super) fn why_unsolved(run: &Run<'_>, unsolved: Unsolved) -> Failure {
    let words = |network: &NetworkRun<'_>| explain::unsolved(&*run.system.model, network, unsolved);
    let (block, words) = run.network.as_ref().map_or((0, String::new()), words);
    Failure::Network(block, words, None)
}

pub(super) fn why_unsettled(run: &Run<'_>, unsettled: &Unsettled) -> Failure {
    if let Unsettled::Unsolved(unsolved) = unsettled {
        return why_unsolved(run, *unsolved);
    }
    let words = |network: &NetworkRun<'_>| {
        explain::unsettled(&*run.system.model, &network.network.flat, unsettled)
    };
    let found = run.network.as_ref().map_or((0, String::new(), None), words);
    let (block, words, help) = found;
    match unsettled.is_of_action() {
        true => Failure::Action(block, words, help),
        false => Failure::Network(block, words, help),
    }
}
