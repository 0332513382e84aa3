//! Rigid drives as inertia of joints and links (`open_ports.rs`).

use super::network_solution::update_network;
use super::port_states::HeldPort;
use super::stage::Stage;
use super::{Failure, Run};
use mechanics::kinematics;
use mechanics::ports::{self, Port, PortEntry, PortPlace};
use network::NetworkRun;
use network::prepared::drive_forces::{Drives, LINEAR};

/// Opens the ports of the networks, where the mechanics can carry what they add to it.
pub(super) fn open_ports(run: &mut Run<'_>) {
    let (system, Some(network)) = (run.system, &mut run.network) else { return };
    if run.now.bodies.dense.is_some() || !system.constraints.is_empty() || run.now.ports.is_none() {
        return;
    }
    let (tree, list, w) = (&system.tree, &system.ports.ports, &run.now.bodies.workspace);
    let carries =
        |row: usize, column: usize| PortPlace::of(tree, &list[row], &list[column]).is_some();
    let holds =
        |k: usize| matches!(list[k], Port::Freedom(v) if tree.can_hold(v) && !w.is_locked(v));
    network.open(carries, holds);
    if network.is_open() {
        run.now.stage.lower_to(Stage::Placed);
        place_entries(run);
    }
}

/// Finds where the mechanics carries the entries of K.
fn place_entries(run: &mut Run<'_>) {
    let (Some(own), Some(network)) = (&mut run.now.ports, &run.network) else { return };
    let list = &run.system.ports.ports;
    own.places.clear();
    let entries = network.drives().map_or(&[][..], |drives| &drives.entries);
    let place = |e: &PortEntry| PortPlace::of(&run.system.tree, &list[e.row], &list[e.column]);
    own.places.extend(entries.iter().filter_map(place));
}

/// Closes them, and solves the networks anew for what the forces of the mechanics need.
pub(super) fn close_ports(run: &mut Run<'_>) -> Result<(), Failure> {
    if run.network.as_mut().is_some_and(NetworkRun::close) {
        run.now.stage.lower_to(Stage::Updated);
        update_network(run)?;
    }
    Ok(())
}

/// Accelerations with open ports, after the known forces are applied. False if the ports are closed or had to be: then
/// only the known forces act.
pub(super) fn accelerate_openly(run: &mut Run<'_>) -> Result<bool, Failure> {
    let Some(network) = &mut run.network else { return Ok(false) };
    if run.now.ports.is_none() || !network.is_open() {
        return Ok(false);
    }
    let is_solved = network.ask_drives().is_ok()
        && network.drives().is_some_and(Drives::is_symmetric)
        && accelerate_with_drives(run);
    if !is_solved {
        if let Some(network) = &mut run.network {
            network.stay_closed();
        }
        update_network(run)?;
        run.apply_forces()?;
    }
    Ok(is_solved)
}

/// Accelerations with the drives as forces and inertia, and the networks with these accelerations. False if there are none,
/// or if the forces turn out to be no affine functions of them.
fn accelerate_with_drives(run: &mut Run<'_>) -> bool {
    apply_drives(run);
    let accelerated = run.accelerate_freely();
    remove_drives(run);
    accelerated.is_ok() && solve_with_accelerations(run)
}

/// Lets the drives act: their forces without accelerations, their inertia, and the freedoms that they hold.
fn apply_drives(run: &mut Run<'_>) {
    let Run { system, now, network: Some(network), .. } = run else { return };
    let Some(drives) = network.drives() else { return };
    for (&k, &force) in drives.waiting.iter().zip(&drives.forces) {
        now.push(system, &system.ports.ports[k], force);
    }
    let Some(own) = &mut now.ports else { return };
    for (place, entry) in own.places.iter().zip(&drives.entries) {
        place.add(&mut now.bodies.workspace, entry.inertia);
    }
    // Freedoms that are held are locked, with their accelerations in the biases of their links.
    let (tree, w) = (&system.tree, &mut now.bodies.workspace);
    own.held.clear();
    let Some(of_network) = network.at_ports() else { return };
    for (port, freedom) in held(&system.ports.ports, network) {
        w.lock(freedom, true);
        let (body, acceleration) = (tree.body_of(freedom), of_network.held_acceleration(port));
        let bias = kinematics::add_acceleration(w, body, freedom, acceleration);
        own.held.push(HeldPort { port, freedom, bias });
    }
}

/// Takes inertia and locks away again. From here on the motion of the links follows from the accelerations in `vdot`.
fn remove_drives(run: &mut Run<'_>) {
    let (tree, now) = (&run.system.tree, &mut run.now);
    let (Some(own), w) = (&now.ports, &mut now.bodies.workspace) else { return };
    own.places.iter().for_each(|place| place.clear(w));
    for held in &own.held {
        kinematics::set_bias(w, tree.body_of(held.freedom), held.bias);
        w.lock(held.freedom, false);
    }
}

/// Solves the networks with the accelerations that were found, and applies the forces that they give. False if there is no
/// solution, or if a force is not what K makes of the accelerations.
fn solve_with_accelerations(run: &mut Run<'_>) -> bool {
    let Run { system, now, network: Some(network), .. } = run else { return false };
    // All ports of a freedom see its acceleration.
    if let Some(of_network) = network.at_ports() {
        for held in now.ports.iter().flat_map(|own| &own.held) {
            now.bodies.vdot[held.freedom] = of_network.held_acceleration(held.port);
        }
    }
    now.fill_port_accelerations(system, network.now.outside.ports.accelerations_mut());
    for held in now.ports.iter().flat_map(|own| &own.held) {
        let v = held.freedom;
        let force =
            ports::holding_force(&system.tree, &now.bodies.workspace, v, now.bodies.vdot[v]);
        now.bodies.tau[v] += force;
        network.now.outside.ports.accelerations_mut()[held.port] = force;
    }
    if network.complete_again().is_err() {
        return false;
    }
    let (Some(drives), Some(of_network)) = (network.drives(), network.at_ports()) else {
        return false;
    };
    let accelerations = network.now.outside.ports.accelerations();
    let mut is_linear = true;
    for (&port, &without) in drives.waiting.iter().zip(&drives.forces) {
        let force = of_network.force(port);
        if !drives.is_constant() {
            is_linear &= DriveForce { port, without, force }.is_affine(drives, accelerations);
        }
        // What acts is the force itself, for results.
        now.push(system, &system.ports.ports[port], force - without);
    }
    is_linear
}

/// Ports that are held, each with its freedom.
fn held<'a>(
    ports: &'a [Port],
    network: &'a NetworkRun<'_>,
) -> impl Iterator<Item = (usize, usize)> + 'a {
    let is_held = ports.iter().enumerate().zip(network.held());
    is_held.filter_map(|((k, port), &is_held)| match *port {
        Port::Freedom(v) if is_held => Some((k, v)),
        _ => None,
    })
}

/// The force of a drive in a port.
struct DriveForce {
    port: usize,
    /// Without accelerations.
    without: f64,
    /// With accelerations.
    force: f64,
}

impl DriveForce {
    /// Is the force what K makes of the accelerations?
    fn is_affine(&self, drives: &Drives, accelerations: &[f64]) -> bool {
        let (mut expected, mut size) = (self.without, self.without.abs());
        for entry in drives.entries.iter().filter(|entry| entry.row == self.port) {
            let reaction = entry.inertia * accelerations[entry.column];
            expected -= reaction;
            size += reaction.abs();
        }
        (self.force - expected).abs() <= LINEAR * size
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::build;
    use language::load::{Disk, Input, LoadOptions, load};

    /// A chain with a rotor on each joint, and something more for each of them.
    fn is_open(n: usize, rotor: &str, more: impl Fn(usize) -> String) -> bool {
        let mut text = String::from("Solver \"s\" { Solver = derf; }\n");
        let mut mother = String::from("world");
        for i in 1..=n {
            text += &format!(
                "Triad \"a{i}\" {{ Parent = {mother}; Position = 0, 0, -1; }}\n\
                 Triad \"b{i}\" {{ Parent = L{i}; }}\n\
                 Revolute \"J{i}\" {{ Parent = L{i}; TriadFrom = a{i}; TriadTo = b{i}; JointAxis = 0, 1, 0; QDinit = 1; }}\n\
                 Body \"L{i}\" {{ Parent = {mother}; Joint = J{i}; Mass = 1; Inertia = 1, 0, 0, 1, 0, 1; }}\n\
                 Inertia \"R{i}\" {{ a = s{i}; J = 0.1; {rotor} }}\n\
                 JointAxis \"A{i}\" {{ flange = s{i}; Joint = J{i}; }}\n{}\n",
                more(i)
            );
            mother = format!("L{i}");
        }
        let input = Input::Text { name: "m.dys".into(), bytes: text.into_bytes() };
        let loaded = load(input, &LoadOptions::default(), &Disk).unwrap();
        let model = loaded.model.as_ref().unwrap();
        let system = build(model, false).unwrap();
        let mut run = Run::new(&system);
        let mut y = system.initial_state();
        run.begin(&mut y).unwrap();
        let mut ydot = vec![0.0; y.len()];
        integrate::Problem::derivatives(&mut run, 0.0, &y, &mut ydot).unwrap();
        run.network.as_ref().is_some_and(NetworkRun::is_open)
    }

    #[test]
    fn ports_open_where_the_mechanics_carries_what_they_add() {
        let nothing = |_: usize| String::new();
        assert!(is_open(4, "", nothing));
        assert!(!is_open(3, "", nothing), "a few drives");
        assert!(
            !is_open(8, "MountedOn = L1; MountAxis = 0, 1, 0;", nothing),
            "far from their joints"
        );
        let first =
            |text: &'static str| move |i: usize| if i == 2 { text.into() } else { String::new() };
        assert!(!is_open(8, "", first("Gear \"g\" { a = s1; b = s2; Ratio = 1; }")), "coupled");
        let tanh = first("TorqueSource \"t\" { a = s2; Tau = -tanh(J2.qdd); }");
        assert!(!is_open(8, "", tanh), "no inertia");
        assert!(is_open(8, "", first("TorqueSource \"t\" { a = s2; Tau = sin(t); }")));
        let carried = |i: usize| match i {
            1 => String::new(),
            _ => format!(
                "Inertia \"M{i}\" {{ a = s{i}; J = 0.2; MountedOn = L{}; MountAxis = 0, 1, 0; }}",
                i - 1
            ),
        };
        assert!(is_open(8, "", carried), "each link carries the rotor of the next joint");
        let small = |i: usize| match i {
            1 => String::new(),
            _ => format!(
                "Gear \"G{i}\" {{ a = t{i}; b = s{i}; Ratio = 100; }}
                 TorqueSource \"T{i}\" {{ a = t{i}; Tau = 7.7; }}
                 Inertia \"M{i}\" {{ a = t{i}; J = 1e-8; MountedOn = L{}; MountAxis = 0, 1, 0; }}",
                i - 1
            ),
        };
        assert!(is_open(8, "", small), "small rotors of large torques");
        let held = first("Friction \"f\" { a = base; b = s2; Rmax = 1e6; Rv = 1; }");
        assert!(is_open(8, "", held), "friction holds one of them");
        let moved = first("SpeedSource \"v\" { a = s2; W = 1 + sin(t); }");
        assert!(is_open(8, "", moved), "a source moves one of them");
        let geared = |i: usize| match i {
            1 => String::new(),
            _ => format!(
                "Gear \"G{i}\" {{ a = t{i}; b = s{i}; Ratio = 3; Efficiency = 0.8; }}
                 Inertia \"M{i}\" {{ a = t{i}; J = 1; MountedOn = L{}; MountAxis = 0, 1, 0; }}",
                i - 1
            ),
        };
        assert!(!is_open(8, "", geared), "losses take from both sides unequally");
    }
}
