//! Rigid drives as inertia of joints and links (`network/open.rs`).

use super::ports::PortRun;
use super::stage::Stage;
use super::{Failure, Run};
use mechanics::kinematics;
use mechanics::ports::{self, Port, PortEntry, PortPlace};
use mechanics::spatial::Motion;
use network::NetworkRun;
use network::prepared::drives::{Drives, LINEAR};

impl Run<'_> {
    /// Opens the ports of the networks, where the mechanics can carry what they add to it.
    pub(super) fn open_ports(&mut self) {
        let (system, Some(network)) = (self.system, &mut self.network) else { return };
        if self.now.bodies.dense.is_some()
            || !system.constraints.is_empty()
            || self.now.ports.is_none()
        {
            return;
        }
        let (tree, list, w) = (&system.tree, &system.ports.ports, &self.now.bodies.workspace);
        let carries =
            |row: usize, column: usize| PortPlace::of(tree, &list[row], &list[column]).is_some();
        let holds =
            |k: usize| matches!(list[k], Port::Freedom(v) if tree.can_hold(v) && !w.is_locked(v));
        network.open(carries, holds);
        if network.is_open() {
            self.now.stage.lower_to(Stage::Placed);
            self.place_entries();
        }
    }

    /// Finds where the mechanics carries the entries of K.
    fn place_entries(&mut self) {
        let (Some(own), Some(network)) = (&mut self.now.ports, &self.network) else { return };
        let list = &self.system.ports.ports;
        own.places.clear();
        let entries = network.drives().map_or(&[][..], |drives| &drives.entries);
        let place = |e: &PortEntry| PortPlace::of(&self.system.tree, &list[e.row], &list[e.column]);
        own.places.extend(entries.iter().filter_map(place));
    }

    /// Closes them, and solves the networks anew for what the forces of the mechanics need.
    pub(super) fn close_ports(&mut self) -> Result<(), Failure> {
        if self.network.as_mut().is_some_and(NetworkRun::close) {
            self.now.stage.lower_to(Stage::Updated);
            self.update_network()?;
        }
        Ok(())
    }

    /// Accelerations with open ports, after the known forces are applied. False if the ports are closed or had to be: then
    /// only the known forces act.
    pub(super) fn accelerate_openly(&mut self) -> Result<bool, Failure> {
        if !self.network.as_ref().is_some_and(NetworkRun::is_open) {
            return Ok(false);
        }
        let (Some(mut network), Some(mut own)) = (self.network.take(), self.now.ports.take())
        else {
            return Ok(false);
        };
        let is_solved = network.ask_drives().is_ok()
            && network.drives().is_some_and(Drives::is_symmetric)
            && self.accelerate_with(&mut network, &mut own);
        if !is_solved {
            network.stay_closed();
        }
        (self.network, self.now.ports) = (Some(network), Some(own));
        if !is_solved {
            self.update_network()?;
            self.apply_forces()?;
        }
        Ok(is_solved)
    }

    /// Accelerations with the drives as forces and inertia, and the networks with these accelerations.
    fn accelerate_with(&mut self, network: &mut NetworkRun<'_>, own: &mut PortRun) -> bool {
        let system = self.system;
        let Some(drives) = network.drives() else { return false };
        for (&k, &force) in drives.waiting.iter().zip(&drives.forces) {
            self.push(&system.ports.ports[k], force);
        }
        for (place, entry) in own.places.iter().zip(&drives.entries) {
            place.add(&mut self.now.bodies.workspace, entry.inertia);
        }
        self.hold_ports(network, &mut own.biases);
        let accelerated = self.accelerate_freely();
        own.places.iter().for_each(|place| place.clear(&mut self.now.bodies.workspace));
        self.release_ports(&own.biases);
        if accelerated.is_err() {
            return false;
        }
        // All ports of a freedom see its acceleration.
        for &(k, v, _) in &own.biases {
            self.now.bodies.vdot[v] = network.held_acceleration(k);
        }
        let n = system.ports.ports.len();
        self.fill_port_accelerations(&mut network.now.at_ports[..n]);
        for &(k, v, _) in &own.biases {
            let force = ports::holding_force(
                &system.tree,
                &self.now.bodies.workspace,
                v,
                self.now.bodies.vdot[v],
            );
            self.now.bodies.tau[v] += force;
            network.now.at_ports[k] = force;
        }
        if network.complete_again().is_err() {
            return false;
        }
        let Some(drives) = network.drives() else { return false };
        let mut is_linear = true;
        for (&k, &force) in drives.waiting.iter().zip(&drives.forces) {
            let found = network.port_force(k);
            if !drives.is_constant() {
                is_linear &= is_affine(&drives.entries, k, force, &network.now.at_ports, found);
            }
            // What acts is the force itself, for results.
            self.push(&system.ports.ports[k], found - force);
        }
        is_linear
    }

    /// Locks the freedoms that are held, with their accelerations in the biases of their links; keeps what these were.
    fn hold_ports(&mut self, network: &NetworkRun<'_>, biases: &mut Vec<(usize, usize, Motion)>) {
        let (tree, w) = (&self.system.tree, &mut self.now.bodies.workspace);
        biases.clear();
        for (k, v) in held(&self.system.ports.ports, network) {
            let body = tree.body_of(v);
            w.lock(v, true);
            let acceleration = network.held_acceleration(k);
            biases.push((k, v, kinematics::add_acceleration(w, body, v, acceleration)));
        }
    }

    /// Lets them go again. Who asks for the motion of the links from here on finds the accelerations in `vdot`.
    fn release_ports(&mut self, biases: &[(usize, usize, Motion)]) {
        let (tree, w) = (&self.system.tree, &mut self.now.bodies.workspace);
        for &(_, v, bias) in biases {
            kinematics::set_bias(w, tree.body_of(v), bias);
            w.lock(v, false);
        }
    }
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

/// Is a force what K makes of the accelerations?
fn is_affine(
    entries: &[PortEntry],
    port: usize,
    force: f64,
    accelerations: &[f64],
    found: f64,
) -> bool {
    let (mut expected, mut size) = (force, force.abs());
    for entry in entries.iter().filter(|entry| entry.row == port) {
        let reaction = entry.inertia * accelerations[entry.column];
        expected -= reaction;
        size += reaction.abs();
    }
    (found - expected).abs() <= LINEAR * size
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
