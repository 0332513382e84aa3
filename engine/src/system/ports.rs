//! Where networks touch the mechanics: ports of the mechanics for those of the networks.

use super::System;
use equations::coupling::Touch;
use language::reading::ids::TriadId;
use mechanics::ports::Port;
use mechanics::vec3;

/// A port with its place among the coordinates.
#[derive(Clone, Copy, Debug)]
pub struct PortPlace {
    /// The port of the mechanics.
    pub port: Port,
    /// Places of coordinate and speed, for the axis of a joint.
    pub axis: Option<(usize, usize)>,
}

/// The ports of all drive trains, and the place of the work that they do.
#[derive(Clone, Debug, Default)]
pub struct PortList {
    /// The ports of the mechanics, in the order of the networks.
    pub ports: Vec<Port>,
    /// Places of coordinate and speed of those on joint axes.
    pub axes: Vec<Option<(usize, usize)>>,
    /// Place of their work among the works.
    pub work: usize,
}

/// Finds the ports of the networks in the mechanics.
pub(super) fn find(system: &mut System) {
    let touches: Vec<Touch> = match &system.network {
        Some(network) => network.flat.ports.list.iter().map(|port| port.touch).collect(),
        None => return,
    };
    if touches.is_empty() {
        return;
    }
    let n_v = system.tree.n_v();
    for touch in touches {
        let place = match touch {
            Touch::Mount(body, [x, y, z]) => {
                let body = system.bodies[body.index()];
                let port = Port::rotation(&system.tree, body, vec3(x, y, z));
                PortPlace { port, axis: None }
            }
            Touch::Line(ends) => {
                let end = |id: TriadId| {
                    let triad = &system.triads[id.index()];
                    (triad.body, triad.pose.translation)
                };
                let port = Port::distance(&system.tree, ends.map(end));
                PortPlace { port, axis: None }
            }
            Touch::Point(body, axis) => {
                let mut direction = [0.0; 3];
                direction[axis] = 1.0;
                let port = Port::point(&system.tree, system.bodies[body.index()], direction.into());
                PortPlace { port, axis: None }
            }
            Touch::Axis(joint, component) | Touch::Coordinate(joint, component) => {
                let Some(of) = &system.coordinates[joint.index()] else { continue };
                let (q, v) = (of.q + component, of.v + component);
                let port = match v.checked_sub(n_v) {
                    None => Port::Freedom(v),
                    Some(of_loop) => {
                        // The coordinates of the joint are asked for at every evaluation.
                        system.constraints.is_lean = false;
                        Port::LoopFreedom(of_loop)
                    }
                };
                // Of an acceleration the networks know neither coordinate nor speed.
                let axis = matches!(touch, Touch::Axis(..)).then_some((q, v));
                PortPlace { port, axis }
            }
        };
        system.ports.ports.push(place.port);
        system.ports.axes.push(place.axis);
    }
    system.ports.work = system.n_work;
    system.n_work += 1;
}
