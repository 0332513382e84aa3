//! The ports between networks and bodies: their buffers, forces in them and accelerations along them.

use super::{Now, System};
use mechanics::ports::{self, Port, PortPlace, PortWorkspace};
use mechanics::spatial::Motion;

/// A port whose acceleration the networks determine.
#[derive(Clone, Copy)]
pub(super) struct HeldPort {
    pub port: usize,
    pub freedom: usize,
    /// The bias of the link without that acceleration.
    pub bias: Motion,
}

/// Buffers of the ports.
#[derive(educe::Educe)]
#[educe(Clone)]
pub(super) struct PortStates {
    pub workspace: PortWorkspace,
    /// Accelerations along the ports.
    pub free: Vec<f64>,
    pub column: Vec<f64>,
    /// Power of the networks on the mechanics, W.
    pub power: f64,
    /// Where the mechanics carries what open ports add to it.
    pub places: Vec<PortPlace>,
    /// Ports that are held in the present evaluation.
    pub held: Vec<HeldPort>,
    /// The port of each freedom, if all have one and nothing but networks acts on the mechanics.
    pub of_freedoms: Option<Vec<usize>>,
}

impl PortStates {
    pub fn new(system: &System) -> Option<Self> {
        let count = system.ports.ports.len();
        (count > 0).then(|| Self {
            workspace: PortWorkspace::new(&system.tree, count),
            free: vec![0.0; count],
            column: vec![0.0; count],
            power: 0.0,
            places: Vec::with_capacity(3 * count),
            held: Vec::with_capacity(count),
            of_freedoms: of_freedoms(system),
        })
    }
}

/// The port of each freedom of the tree, if its acceleration is all that is asked for.
fn of_freedoms(system: &System) -> Option<Vec<usize>> {
    let is_simple = system.elements.is_empty()
        && system.plugins.list.is_empty()
        && system.constraints.is_empty()
        && !system.dense;
    let port = |v: usize| system.ports.ports.iter().position(|p| *p == Port::Freedom(v));
    is_simple.then(|| (0..system.tree.n_v()).map(port).collect())?
}

impl Now {
    /// Adds a force in a port.
    pub(super) fn push(&mut self, system: &System, port: &Port, force: f64) {
        match *port {
            Port::Freedom(v) => self.bodies.tau[v] += force,
            Port::Rotation(body, axis) => {
                ports::add_torque(&mut self.bodies.workspace, body, axis * force);
            }
            Port::Distance(_) | Port::Frames(_) => {
                let loads = port.loads(&self.bodies.workspace);
                ports::add_loads(&mut self.bodies.workspace, &loads, force);
            }
            Port::LoopFreedom(k) => {
                self.bodies.tau[system.tree.n_v() + k] += force;
                if let Some(loops) = &self.loops {
                    let loads = loops.workspace.freedom_loads(&system.constraints.rows, k);
                    ports::add_loads(&mut self.bodies.workspace, &loads, force);
                }
            }
        }
    }

    /// Writes the accelerations along all ports.
    pub(super) fn fill_port_accelerations(&mut self, system: &System, a: &mut [f64]) {
        let ports = &system.ports.ports;
        if let Some(loops) = &self.loops {
            let (rows, of_loops) =
                (&system.constraints.rows, &mut self.bodies.vdot[system.tree.n_v()..]);
            loops.workspace.fill_accelerations(rows, &self.bodies.workspace, of_loops);
        }
        ports::accelerations(ports, &system.tree, &self.bodies.workspace, &self.bodies.vdot, a);
        // A driven freedom has the acceleration of its drive, which the recursion takes as that of its link.
        for (port, a) in ports.iter().zip(a) {
            if let Port::Freedom(v) = *port
                && self.bodies.workspace.is_locked(v)
            {
                *a = self.bodies.driven[v];
            }
        }
    }
}
