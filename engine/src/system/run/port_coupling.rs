//! Drive trains and mechanics in one evaluation.
//!
//! Forces of the networks that follow from states act like those of any element. For the others, of rigid drives, the
//! mechanics gives the networks its accelerations without them and its responses to them; the networks solve these
//! together with their own equations, and what they find acts in a second pass of the loads.

use super::super::port_places::PortList;
use super::network_solution::why_unsolved;
use super::open_drives::{accelerate_openly, close_ports};
use super::stage::Stage;
use super::{Failure, Run};
use mechanics::ports::{self, ConstrainedMotion};
use network::NetworkRun;
use network::code::block_compiler::Level;

/// Applies the torques of spinning rotors and, if `known`, the forces that follow from states.
pub(super) fn apply_ports(run: &mut Run<'_>, known: bool) {
    let Run { system, now, network: Some(network), .. } = run else { return };
    let (Some(_), Some(of_network)) = (&now.ports, network.at_ports()) else { return };
    let is_known = of_network.known();
    for (k, port) in system.ports.ports.iter().enumerate() {
        if let Some((body, axis, omega)) = port.spin(&now.bodies.workspace) {
            let gyroscopic = omega.cross(axis * of_network.momentum(k));
            ports::add_torque(&mut now.bodies.workspace, body, -gyroscopic);
        }
        if known && is_known.get(k) == Some(&true) {
            now.push(system, port, of_network.known_force(k));
        }
    }
}

/// Accelerations of the coordinates under the forces applied and those of the networks; with `links`, also those of the
/// links.
pub(super) fn accelerate(run: &mut Run<'_>, links: bool) -> Result<(), Failure> {
    if accelerate_openly(run)? {
        measure_power(run);
        return Ok(());
    }
    run.accelerate_freely()?;
    if run.now.ports.is_none() || !run.network.as_ref().is_some_and(NetworkRun::has_begun) {
        return Ok(());
    }
    couple(run, false)?;
    measure_power(run);
    let Run { system, now, network: Some(network), .. } = run else { return Ok(()) };
    if !network.known_ports().contains(&false) {
        return Ok(());
    }
    // Where every freedom is a port the responses say all; else the forces act in a second pass.
    let own = now.ports.as_ref().filter(|_| !links);
    if let Some(ports) = own.and_then(|own| own.of_freedoms.as_ref()) {
        superpose(ports, network, &mut now.bodies.vdot);
        return Ok(());
    }
    if let Some(of_network) = network.at_ports() {
        for (k, port) in system.ports.ports.iter().enumerate() {
            if of_network.known().get(k) == Some(&false) {
                now.push(system, port, of_network.force(k));
            }
        }
    }
    run.accelerate_again()
}

/// Solves the networks with what the mechanics answers. In the end the accelerations are those without forces in
/// rigid ports; if `all`, without forces in any, and all responses are found.
pub(super) fn couple(run: &mut Run<'_>, all: bool) -> Result<(), Failure> {
    let Run { system, now, network: Some(network), .. } = run else { return Ok(()) };
    let ports = &system.ports.ports;
    now.fill_port_accelerations(system, network.now.outside.ports.accelerations_mut());
    if now.bodies.dense.is_none() && now.loops.is_none() {
        if let Some(own) = &mut now.ports {
            let (known, inputs) = network.known_and_inputs();
            let wanted = |k: usize| all || known.get(k) == Some(&false);
            let (tree, w) = (&system.tree, &now.bodies.workspace);
            own.workspace.respond_all(ports, wanted, tree, w, inputs.responses_mut());
        }
    } else {
        for k in 0..ports.len() {
            respond(run, k, all)?;
        }
    }
    if all {
        return Ok(());
    }
    let solved = run.network.as_mut().map_or(Ok(()), |n| n.complete(Level::Rates));
    solved.map_err(|unsolved| why_unsolved(run, unsolved))
}

/// Finds the responses to a force in one port, in the dense formulation or with constraints. Unless `all` are asked for, a
/// port whose force is known has none.
fn respond(run: &mut Run<'_>, k: usize, all: bool) -> Result<(), Failure> {
    let Some(network) = &run.network else { return Ok(()) };
    if all || network.known_ports().get(k) == Some(&false) {
        port_response(run, k)?;
    } else if let Some(own) = &mut run.now.ports {
        own.column.fill(0.0);
    }
    if let (Some(network), Some(own)) = (&mut run.network, &run.now.ports) {
        network.now.outside.ports.set_response_column(k, &own.column);
    }
    Ok(())
}

/// The response to a unit force in a port, in the dense formulation or with constraints.
fn port_response(run: &mut Run<'_>, k: usize) -> Result<(), Failure> {
    if run.now.bodies.dense.is_some() {
        return dense_response(run, k);
    }
    let system = run.system;
    let (Some(own), Some(loops)) = (&mut run.now.ports, &mut run.now.loops) else {
        return Ok(());
    };
    let of = ConstrainedMotion {
        tree: &system.tree,
        rows: &system.constraints.rows,
        w: &mut run.now.bodies.workspace,
        loops: &mut loops.workspace,
    };
    own.workspace.respond(&system.ports.ports, k, of, &mut own.column);
    Ok(())
}

/// The same by the dense formulation, as the difference that the force makes.
fn dense_response(run: &mut Run<'_>, k: usize) -> Result<(), Failure> {
    let (system, now) = (run.system, &mut run.now);
    let port = &system.ports.ports[k];
    let Some(own) = &mut now.ports else { return Ok(()) };
    let (mut free, mut column) = (std::mem::take(&mut own.free), std::mem::take(&mut own.column));
    now.fill_port_accelerations(system, &mut free);
    now.push(system, port, 1.0);
    let pushed = run.accelerate_freely();
    run.now.fill_port_accelerations(system, &mut column);
    run.now.push(system, port, -1.0);
    let back = run.accelerate_freely();
    column.iter_mut().zip(&free).for_each(|(a, free)| *a -= free);
    if let Some(own) = &mut run.now.ports {
        (own.free, own.column) = (free, column);
    }
    pushed.and(back)
}

/// Finds the power of the networks on the mechanics: the sum of force times speed over all ports.
fn measure_power(run: &mut Run<'_>) {
    let Run { system, now, network: Some(network), .. } = run else { return };
    let Some(of_network) = network.at_ports() else { return };
    let PortList { ports, axes, .. } = &system.ports;
    let w = &now.bodies.workspace;
    let mut power = 0.0;
    for (k, (port, axis)) in ports.iter().zip(axes).enumerate() {
        let speed = match axis {
            Some((_, v)) => now.bodies.v[*v],
            None => match port.spin(w) {
                Some((_, axis, omega)) => axis.dot(omega),
                None => port.line(w).map_or(0.0, |line| line.rate),
            },
        };
        power += of_network.force(k) * speed;
    }
    if let Some(own) = &mut now.ports {
        own.power = power;
    }
}

/// Gives the joints the coordinates and speeds that the networks determine.
pub(super) fn take_over(run: &mut Run<'_>, t: f64, y: &mut [f64]) -> Result<(), Failure> {
    let Some(network) = run.network.as_ref().filter(|network| network.has_begun()) else {
        return Ok(());
    };
    if !network.fixed_ports().iter().flatten().any(|fixed| *fixed) {
        return Ok(());
    }
    // At the end of a step the derivatives have just been computed.
    if !run.now.is_at(Stage::Accelerated, t, y) {
        run.update(t, y)?;
    }
    let Some(network) = &run.network else { return Ok(()) };
    let tree = &run.system.tree;
    for (k, fixed) in network.fixed_ports().iter().enumerate() {
        let Some((q, v)) = run.system.ports.axes[k] else { continue };
        let is_state = v < tree.n_v();
        for (order, place) in [q, tree.n_q() + v].into_iter().enumerate() {
            if is_state && fixed[order] {
                y[place] = network.fixed_value(k, order);
            }
        }
    }
    Ok(())
}

/// The answers of the mechanics to forces in all ports, for events: whatever modes the networks try, they are
/// right.
pub(super) fn answer_ports(run: &mut Run<'_>) -> Result<(), Failure> {
    run.now.stage.needs(Stage::Updated);
    if run.now.ports.is_none() {
        return Ok(());
    }
    close_ports(run)?;
    run.apply_elements()?;
    apply_ports(run, false);
    run.accelerate_freely()?;
    couple(run, true)
}

/// Solves the networks for what their guards need.
pub(super) fn couple_for_guards(run: &mut Run<'_>) -> Result<(), Failure> {
    run.now.stage.needs(Stage::Updated);
    if run.now.ports.is_none() || !run.network.as_ref().is_some_and(NetworkRun::guards_wait) {
        return Ok(());
    }
    run.apply_forces()?;
    if accelerate_openly(run)? {
        return Ok(());
    }
    run.accelerate_freely()?;
    couple(run, false)
}

/// `vdot = a0 + Phi f` with the forces that were not applied yet, for freedoms that are ports.
fn superpose(ports: &[usize], network: &NetworkRun<'_>, vdot: &mut [f64]) {
    let Some(of_network) = network.at_ports() else { return };
    for (vdot, &row) in vdot.iter_mut().zip(ports) {
        let phi = network.now.outside.ports.response_row(row);
        for (k, &is_known) in of_network.known().iter().enumerate() {
            if !is_known {
                *vdot += phi[k] * of_network.force(k);
            }
        }
    }
}
