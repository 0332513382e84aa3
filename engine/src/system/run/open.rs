//! Rigid drives as inertia of their joints (`network/open.rs`).

use super::ports::PortRun;
use super::{Failure, Run};
use crate::mechanics::ports::Port;
use crate::network::NetworkRun;

/// What a drive does beyond its inertia may differ by this part of it from what was found at two accelerations: else it is no
/// inertia.
const LINEAR: f64 = 1e-9;

/// A drive on a freedom: `force - inertia a`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Drive {
    force: f64,
    inertia: f64,
}

impl Run<'_, '_> {
    /// Opens the ports of the networks, where all that wait for accelerations are freedoms that can carry an inertia.
    pub(super) fn open_ports(&mut self) {
        let (system, Some(network)) = (self.system, &mut self.network) else { return };
        let is_tree = self.dense.is_none() && system.constraints.is_empty();
        let carries = |(port, is_known): (&Port, &bool)| match *port {
            _ if *is_known => true,
            Port::Freedom(v) => system.tree.can_carry(v),
            _ => false,
        };
        if !is_tree || !system.ports.ports.iter().zip(network.known_ports()).all(carries) {
            return;
        }
        network.open();
        if network.is_open() {
            self.is_evaluated = false;
        }
    }

    /// Closes them, and solves the networks anew for what the forces of the mechanics need.
    pub(super) fn close_ports(&mut self) -> Result<(), Failure> {
        if self.network.as_mut().is_some_and(NetworkRun::close) {
            self.is_evaluated = false;
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
        let (Some(mut network), Some(mut own)) = (self.network.take(), self.ports.take()) else {
            return Ok(false);
        };
        let is_solved =
            find_drives(&mut network, &mut own) && self.accelerate_with(&mut network, &own);
        if !is_solved {
            network.stay_closed();
        }
        (self.network, self.ports) = (Some(network), Some(own));
        if !is_solved {
            self.update_network()?;
            self.apply_forces()?;
        }
        Ok(is_solved)
    }

    /// Accelerations with the drives as forces and inertia, and the networks with these accelerations.
    fn accelerate_with(&mut self, network: &mut NetworkRun<'_>, own: &PortRun) -> bool {
        let system = self.system;
        let n = own.drives.len();
        for (k, port) in system.ports.ports.iter().enumerate() {
            if let (Port::Freedom(v), Some(&false)) = (*port, network.known_ports().get(k)) {
                self.tau[v] += own.drives[k].force;
                self.workspace.add_inertia(v, own.drives[k].inertia);
            }
        }
        let accelerated = self.accelerate_freely();
        self.forget_added();
        self.fill_port_accelerations(&mut network.at_ports[..n]);
        if accelerated.is_err() || network.complete_again().is_err() {
            return false;
        }
        let mut is_linear = true;
        for (k, port) in system.ports.ports.iter().enumerate() {
            if let (Port::Freedom(v), Some(&false)) = (*port, network.known_ports().get(k)) {
                let (found, Drive { force, inertia }) = (network.port_force(k), own.drives[k]);
                let reaction = inertia * network.at_ports[k];
                let size = force.abs() + reaction.abs();
                is_linear &= (found - (force - reaction)).abs() <= LINEAR * size;
                // What acts on the joint is the force itself, for results.
                self.tau[v] += found - force;
            }
        }
        is_linear
    }

    fn forget_added(&mut self) {
        for port in &self.system.ports.ports {
            if let Port::Freedom(v) = *port {
                self.workspace.add_inertia(v, 0.0);
            }
        }
    }
}

/// What the drives do at two accelerations.
fn find_drives(network: &mut NetworkRun<'_>, own: &mut PortRun) -> bool {
    let n = own.drives.len();
    for a in [0.0, 1.0] {
        network.at_ports[..n].fill(a);
        if network.complete_again().is_err() {
            return false;
        }
        for (k, drive) in own.drives.iter_mut().enumerate() {
            let force = network.port_force(k);
            if a == 0.0 {
                drive.force = force;
            } else {
                drive.inertia = drive.force - force;
            }
        }
    }
    own.drives.iter().all(|drive| drive.force.is_finite() && drive.inertia.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Disk, Input, LoadOptions, load};
    use crate::system::build;

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
        crate::integrators::Problem::derivatives(&mut run, 0.0, &y, &mut ydot).unwrap();
        run.network.as_ref().is_some_and(NetworkRun::is_open)
    }

    #[test]
    fn ports_open_where_drives_are_inertia_of_their_joints() {
        let nothing = |_: usize| String::new();
        assert!(is_open(8, "", nothing));
        assert!(!is_open(7, "", nothing), "a few drives");
        assert!(
            !is_open(8, "MountedOn = L1; MountAxis = 0, 1, 0;", nothing),
            "a link carries them"
        );
        let first =
            |text: &'static str| move |i: usize| if i == 2 { text.into() } else { String::new() };
        assert!(!is_open(8, "", first("Gear \"g\" { a = s1; b = s2; Ratio = 1; }")), "coupled");
        let tanh = first("TorqueSource \"t\" { a = s2; Tau = -tanh(J2.qdd); }");
        assert!(!is_open(8, "", tanh), "no inertia");
        assert!(is_open(8, "", first("TorqueSource \"t\" { a = s2; Tau = sin(t); }")));
    }
}
