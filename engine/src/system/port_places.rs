//! Where networks touch the mechanics: the port of the mechanics that belongs to each port of the networks.

use super::skeleton::Skeleton;
use equations::coupling::Touch;
use equations::expression::SignalRef;
use language::blocks::sensor::DISTANCE;
use language::element::{Family, Quantity};
use language::model::Model;
use language::reading::ids::TriadId;
use mechanics::forces::law::Attachment;
use mechanics::frame_pair::{FrameMeasure, FramePair};
use mechanics::ports::{Port, PortPoint};
use mechanics::{Pose, vec3};
use network::Network;

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
    /// Places of coordinate and speed of the ports that are on joint axes.
    pub axes: Vec<Option<(usize, usize)>>,
    /// Place of their work among the works.
    pub work: usize,
}

impl PortList {
    /// True if a port is on the axis of a joint that closes a loop.
    pub fn use_loop_joints(&self) -> bool {
        self.ports.iter().any(|port| matches!(port, Port::LoopFreedom(_)))
    }
}

/// Finds the ports of the networks in the mechanics; their work has one place among the works.
pub(super) fn find(
    model: &Model,
    skeleton: &Skeleton,
    network: Option<&Network>,
    n_work: &mut usize,
) -> PortList {
    let mut found = PortList::default();
    let touches = network.map_or(&[][..], |network| &network.flat.ports.list);
    if touches.is_empty() {
        return found;
    }
    let n_v = skeleton.tree.n_v();
    for touch in touches.iter().map(|port| port.touch) {
        let place = match touch {
            Touch::Mount(body, [x, y, z]) => {
                let body = skeleton.bodies[body.index()];
                let port = Port::rotation(&skeleton.tree, body, vec3(x, y, z));
                PortPlace { port, axis: None }
            }
            Touch::Line(ends) => {
                let end = |id: TriadId| {
                    let triad = &skeleton.triads[id.index()];
                    PortPoint { link: triad.body, place: triad.pose.translation }
                };
                let port = Port::distance(&skeleton.tree, ends.map(end));
                PortPlace { port, axis: None }
            }
            Touch::Frames(signal, _) => {
                let port = frame_port(model, skeleton, signal);
                PortPlace { port, axis: None }
            }
            Touch::Axis(joint, component) | Touch::Coordinate(joint, component) => {
                let Some(of) = &skeleton.coordinates[joint.index()] else { continue };
                let (q, v) = (of.q + component, of.v + component);
                let port = match v.checked_sub(n_v) {
                    None => Port::Freedom(v),
                    Some(of_loop) => Port::LoopFreedom(of_loop),
                };
                // Of an acceleration the networks know neither coordinate nor speed.
                let axis = matches!(touch, Touch::Axis(..)).then_some((q, v));
                PortPlace { port, axis }
            }
        };
        found.ports.push(place.port);
        found.axes.push(place.axis);
    }
    found.work = *n_work;
    *n_work += 1;
    found
}

/// The port whose acceleration is that which a body, a triad or a sensor tells.
fn frame_port(model: &Model, skeleton: &Skeleton, signal: SignalRef) -> Port {
    let entry = &model.blocks[signal.block as usize];
    let handle = entry.handle as usize;
    let frames = match entry.schema.family {
        Family::Sensor => model.sensors[handle].what.frames(&skeleton.triads),
        Family::Triad => FramePair::in_world(skeleton.triads[handle]),
        // The world is body 0.
        _ => {
            let body = skeleton.bodies[handle + 1];
            FramePair::in_world(Attachment { body, pose: Pose::IDENTITY })
        }
    };
    let schema = entry.schema.all_signals().nth(usize::from(signal.signal));
    let component = schema.map_or(0, |schema| schema.component);
    let measure = match schema.map(|schema| schema.quantity) {
        Some(Quantity::TurningAcceleration) => FrameMeasure::Turn(usize::from(component)),
        _ if component == DISTANCE => return Port::Distance(frames.points(&skeleton.tree)),
        _ => FrameMeasure::Place(usize::from(component)),
    };
    Port::Frames(frames.port(measure, &skeleton.tree))
}
