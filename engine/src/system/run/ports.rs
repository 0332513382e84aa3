//! Drive trains and mechanics in one evaluation.
//!
//! Forces of the networks that follow from states act like those of any element. For the others, of rigid drives, the
//! mechanics gives the networks its accelerations without them and its responses to them; the networks solve these
//! together with their own equations, and what they find acts in a second pass of the loads.

use super::super::port_places::PortList;
use super::stage::Stage;
use super::{Failure, Run};
use mechanics::ports::{self, Port, PortPlace, PortWorkspace};
use mechanics::spatial::Motion;
use network::NetworkRun;
use network::code::compile::Level;

/// Buffers of the ports.
#[derive(Clone)]
pub(super) struct PortRun {
    workspace: PortWorkspace,
    /// Accelerations along the ports.
    free: Vec<f64>,
    column: Vec<f64>,
    /// Power of the networks on the mechanics, W.
    pub power: f64,
    /// Where the mechanics carries what open ports add to it.
    pub places: Vec<PortPlace>,
    /// Ports that are held: port, freedom, and the bias of its link without the acceleration.
    pub biases: Vec<(usize, usize, Motion)>,
    /// The port of each freedom, if all have one and nothing but networks acts on the mechanics.
    of_freedoms: Option<Vec<usize>>,
}

impl PortRun {
    pub fn new(system: &super::System) -> Option<Self> {
        let count = system.ports.ports.len();
        (count > 0).then(|| Self {
            workspace: PortWorkspace::new(&system.tree, count),
            free: vec![0.0; count],
            column: vec![0.0; count],
            power: 0.0,
            places: Vec::with_capacity(3 * count),
            biases: Vec::with_capacity(count),
            of_freedoms: of_freedoms(system),
        })
    }
}

/// The port of each freedom of the tree, if its acceleration is all that is asked for.
fn of_freedoms(system: &super::System) -> Option<Vec<usize>> {
    let is_simple = system.elements.is_empty()
        && system.plugins.list.is_empty()
        && system.constraints.is_empty()
        && !system.dense;
    let port = |v: usize| system.ports.ports.iter().position(|p| *p == Port::Freedom(v));
    is_simple.then(|| (0..system.tree.n_v()).map(port).collect())?
}

impl Run<'_> {
    /// Tells the networks the coordinates and speeds of the joints that they drive.
    pub(super) fn give_coordinates(&self, network: &mut NetworkRun<'_>) {
        let n = self.system.ports.ports.len();
        let given = network.now.at_ports[n + n * n..].chunks_exact_mut(2);
        let PortList { ports, axes, .. } = &self.system.ports;
        for (pair, (port, axis)) in given.zip(ports.iter().zip(axes)) {
            if let Some((q, v)) = *axis {
                pair.copy_from_slice(&[self.now.bodies.q[q], self.now.bodies.v[v]]);
            } else if let Some(line) = port.line(&self.now.bodies.workspace) {
                pair.copy_from_slice(&[line.length, line.rate]);
            }
        }
    }

    /// Applies the torques of spinning rotors and, if `known`, the forces that follow from states.
    pub(super) fn apply_ports(&mut self, known: bool) {
        let system = self.system;
        if self.now.ports.is_none() {
            return;
        }
        let Some(network) = self.network.take() else { return };
        let is_known = network.known_ports();
        for (k, port) in system.ports.ports.iter().enumerate() {
            if let Some((body, axis, omega)) = port.spin(&self.now.bodies.workspace) {
                let gyroscopic = omega.cross(axis * network.momentum(k));
                ports::add_torque(&mut self.now.bodies.workspace, body, -gyroscopic);
            }
            if known && is_known.get(k) == Some(&true) {
                self.push(port, network.known_force(k));
            }
        }
        self.network = Some(network);
    }

    /// Adds a force in a port.
    pub(super) fn push(&mut self, port: &Port, force: f64) {
        let n_v = self.system.tree.n_v();
        match *port {
            Port::Freedom(v) => self.now.bodies.tau[v] += force,
            Port::Rotation(body, axis) => {
                ports::add_torque(&mut self.now.bodies.workspace, body, axis * force);
            }
            Port::Distance(_) | Port::Point(..) => {
                let loads = port.loads(&self.now.bodies.workspace);
                ports::add_loads(&mut self.now.bodies.workspace, &loads, force);
            }
            Port::LoopFreedom(k) => {
                self.now.bodies.tau[n_v + k] += force;
                if let Some(loops) = &self.now.loops {
                    let rows = &self.system.constraints.rows;
                    let loads = loops.workspace.freedom_loads(rows, k);
                    ports::add_loads(&mut self.now.bodies.workspace, &loads, force);
                }
            }
        }
    }

    /// Accelerations of the coordinates under the forces applied and those of the networks; with `links`, also those of the
    /// links.
    pub(super) fn accelerate(&mut self, links: bool) -> Result<(), Failure> {
        if self.accelerate_openly()? {
            let power = self.network.as_ref().map_or(0.0, |network| self.port_power(network));
            if let Some(own) = &mut self.now.ports {
                own.power = power;
            }
            return Ok(());
        }
        self.accelerate_freely()?;
        if self.now.ports.is_none() || !self.network.as_ref().is_some_and(NetworkRun::has_begun) {
            return Ok(());
        }
        self.couple(false)?;
        let Some(network) = self.network.take() else { return Ok(()) };
        let power = self.port_power(&network);
        let is_rigid = network.known_ports().contains(&false);
        let mut is_done = !is_rigid;
        if let Some(own) = &mut self.now.ports {
            own.power = power;
            if let Some(ports) = own.of_freedoms.as_ref().filter(|_| is_rigid && !links) {
                superpose(ports, &network, &mut self.now.bodies.vdot);
                is_done = true;
            }
        }
        if !is_done {
            for (k, port) in self.system.ports.ports.iter().enumerate() {
                if network.known_ports().get(k) == Some(&false) {
                    self.push(port, network.port_force(k));
                }
            }
        }
        self.network = Some(network);
        if is_done { Ok(()) } else { self.accelerate_again() }
    }

    /// Solves the networks with what the mechanics answers. In the end the accelerations are those without forces in
    /// rigid ports; if `all`, without forces in any, and all responses are found.
    pub(super) fn couple(&mut self, all: bool) -> Result<(), Failure> {
        let system = self.system;
        let Some(mut network) = self.network.take() else { return Ok(()) };
        let ports = &system.ports.ports;
        let n = ports.len();
        self.fill_port_accelerations(&mut network.now.at_ports[..n]);
        let is_simple = self.now.bodies.dense.is_none() && self.now.loops.is_none();
        if let Some(own) = self.now.ports.as_mut().filter(|_| is_simple) {
            let (tree, w) = (&system.tree, &self.now.bodies.workspace);
            let mut at_ports = std::mem::take(&mut network.now.at_ports);
            let wanted = |k: usize| all || network.known_ports().get(k) == Some(&false);
            own.workspace.respond_all(ports, wanted, tree, w, &mut at_ports[n..n + n * n]);
            network.now.at_ports = at_ports;
        }
        for k in (0..n).filter(|_| !is_simple) {
            let is_needed = all || network.known_ports().get(k) == Some(&false);
            let column = match is_needed {
                true => self.port_response(k),
                false => self.no_response(),
            };
            match column {
                Ok(()) => {}
                Err(failure) => {
                    self.network = Some(network);
                    return Err(failure);
                }
            }
            let Some(own) = &self.now.ports else { continue };
            for (row, &a) in own.column.iter().enumerate() {
                network.now.at_ports[n + row * n + k] = a;
            }
        }
        let solved = match all {
            true => Ok(()),
            false => network.complete(Level::Rates),
        };
        self.network = Some(network);
        solved.map_err(|unsolved| self.unsolved(unsolved))
    }

    pub(super) fn fill_port_accelerations(&mut self, a: &mut [f64]) {
        let system = self.system;
        let ports = &system.ports.ports;
        let n_v = system.tree.n_v();
        if let Some(loops) = &self.now.loops {
            let rows = &system.constraints.rows;
            loops.workspace.fill_accelerations(
                rows,
                &self.now.bodies.workspace,
                &mut self.now.bodies.vdot[n_v..],
            );
        }
        ports::accelerations(
            ports,
            &system.tree,
            &self.now.bodies.workspace,
            &self.now.bodies.vdot,
            a,
        );
        // A driven freedom has the acceleration of its drive, which the recursion takes as that of its link.
        for (port, a) in ports.iter().zip(a) {
            if let Port::Freedom(v) = *port
                && self.now.bodies.workspace.is_locked(v)
            {
                *a = self.now.bodies.driven[v];
            }
        }
    }

    fn no_response(&mut self) -> Result<(), Failure> {
        if let Some(own) = &mut self.now.ports {
            own.column.fill(0.0);
        }
        Ok(())
    }

    /// The response to a unit force in a port, in the dense formulation or with constraints.
    fn port_response(&mut self, k: usize) -> Result<(), Failure> {
        if self.now.bodies.dense.is_some() {
            return self.dense_response(k);
        }
        let system = self.system;
        let (Some(own), Some(loops)) = (&mut self.now.ports, &mut self.now.loops) else {
            return Ok(());
        };
        let loops = (&system.constraints.rows, &mut loops.workspace);
        let (of, w) = ((&system.ports.ports[..], k), &mut self.now.bodies.workspace);
        own.workspace.respond(of, &system.tree, w, loops, &mut own.column);
        Ok(())
    }

    /// The same by the dense formulation, as the difference that the force makes.
    fn dense_response(&mut self, k: usize) -> Result<(), Failure> {
        let port = self.system.ports.ports[k];
        let Some(mut own) = self.now.ports.take() else { return Ok(()) };
        self.fill_port_accelerations(&mut own.free);
        self.push(&port, 1.0);
        let pushed = self.accelerate_freely();
        self.fill_port_accelerations(&mut own.column);
        self.push(&port, -1.0);
        let back = self.accelerate_freely();
        own.column.iter_mut().zip(&own.free).for_each(|(a, free)| *a -= free);
        self.now.ports = Some(own);
        pushed.and(back)
    }

    /// Power of the networks on the mechanics, W.
    fn port_power(&self, network: &NetworkRun<'_>) -> f64 {
        let PortList { ports, axes, .. } = &self.system.ports;
        let mut power = 0.0;
        for (k, (port, axis)) in ports.iter().zip(axes).enumerate() {
            let speed = match (axis, port.spin(&self.now.bodies.workspace)) {
                (Some((_, v)), _) => self.now.bodies.v[*v],
                (None, Some((_, axis, omega))) => axis.dot(omega),
                (None, None) => port.line(&self.now.bodies.workspace).map_or(0.0, |line| line.rate),
            };
            power += network.port_force(k) * speed;
        }
        power
    }

    /// Gives the joints the coordinates and speeds that the networks determine.
    pub(super) fn take_over(&mut self, t: f64, y: &mut [f64]) -> Result<(), Failure> {
        let Some(network) = self.network.as_ref().filter(|network| network.has_begun()) else {
            return Ok(());
        };
        if !network.fixed_ports().iter().flatten().any(|fixed| *fixed) {
            return Ok(());
        }
        // At the end of a step the derivatives have just been computed.
        if !self.now.is_at(Stage::Accelerated, t, y) {
            self.update(t, y)?;
        }
        let Some(network) = &self.network else { return Ok(()) };
        let tree = &self.system.tree;
        for (k, fixed) in network.fixed_ports().iter().enumerate() {
            let Some((q, v)) = self.system.ports.axes[k] else { continue };
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
    pub(super) fn answer_ports(&mut self) -> Result<(), Failure> {
        self.now.stage.needs(Stage::Updated);
        if self.now.ports.is_none() {
            return Ok(());
        }
        self.close_ports()?;
        self.apply_elements()?;
        self.apply_ports(false);
        self.accelerate_freely()?;
        self.couple(true)
    }

    /// Solves the networks for what their guards need.
    pub(super) fn couple_for_guards(&mut self) -> Result<(), Failure> {
        self.now.stage.needs(Stage::Updated);
        if self.now.ports.is_none() || !self.network.as_ref().is_some_and(NetworkRun::guards_wait) {
            return Ok(());
        }
        self.apply_forces()?;
        if self.accelerate_openly()? {
            return Ok(());
        }
        self.accelerate_freely()?;
        self.couple(false)
    }
}

/// `vdot = a0 + Phi f` with the forces that were not applied yet, for freedoms that are ports.
fn superpose(ports: &[usize], network: &NetworkRun<'_>, vdot: &mut [f64]) {
    let n = network.known_ports().len();
    for (vdot, &row) in vdot.iter_mut().zip(ports) {
        let phi = &network.now.at_ports[n + row * n..][..n];
        for (k, &is_known) in network.known_ports().iter().enumerate() {
            if !is_known {
                *vdot += phi[k] * network.port_force(k);
            }
        }
    }
}
