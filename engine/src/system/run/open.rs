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
