//! Which ports of the networks feel each other through the mechanics, and which rigid trains no body can carry.

use rustc_hash::FxHashMap;

use crate::blocks::network::NetworkElement;
use crate::codes;
use crate::model::Model;
use crate::reading::ids::BodyId;
use crate::writing::Writer;
use equations::coupling::{NetworkPort, Touch};

/// The node that stands for a train.
fn root(toward: &[usize], mut node: usize) -> usize {
    while toward[node] != node {
        node = toward[node];
    }
    node
}

/// All shafts of one rigid train must be carried by one body.
pub(super) fn check(writer: &Writer<'_>, model: &Model) {
    let elements = &model.elements;
    let mut toward: Vec<usize> = (0..model.nodes.len()).collect();
    for element in elements {
        let pair = match &element.what {
            NetworkElement::Gear(gear) => Some((gear.a, gear.b)),
            NetworkElement::Inertia(shaft) => shaft.b.map(|b| (shaft.a, b)),
            _ => None,
        };
        if let Some((a, b)) = pair {
            let (a, b) = (root(&toward, a.0.index()), root(&toward, b.0.index()));
            toward[a] = b;
        }
    }
    let mut carriers: FxHashMap<usize, (u32, BodyId)> = FxHashMap::default();
    for element in elements {
        let (node, body) = match &element.what {
            NetworkElement::Inertia(shaft) => (shaft.a.0, shaft.body),
            NetworkElement::Motor(motor) | NetworkElement::Generator(motor) => {
                (motor.shaft.0, motor.body)
            }
            _ => continue,
        };
        let Some(body) = body else { continue };
        let train = root(&toward, node.index());
        let (first, carrier) = *carriers.entry(train).or_insert((element.block, body));
        if carrier != body {
            let first = model.block_name(first);
            let words =
                format!("is mounted on another body than `{first}`, which turns with it rigidly");
            let help = "one body carries all shafts of a rigid train; put a spring between them";
            writer.block.set(element.block);
            writer.mistake(codes::JOINT_AXIS, &words, help);
        }
    }
}

/// Ports of bodies that hang together have the same number.
pub(super) fn groups(model: &Model, ports: &[NetworkPort]) -> Vec<usize> {
    let body_of = |port: &NetworkPort| match port.touch {
        Touch::Mount(body, _) | Touch::Frames(_, [BodyId::WORLD, body]) => body.index(),
        Touch::Frames(_, [body, BodyId::WORLD]) => body.index(),
        Touch::Frames(..) => 0,
        Touch::Line(_) => 0,
        Touch::Axis(joint, _) | Touch::Coordinate(joint, _) => {
            let carried = model.bodies.iter().position(|body| body.joint == joint);
            carried.map_or(0, |index| index + 1)
        }
    };
    // Constraints and cylinders may join any bodies.
    let is_line = |port: &NetworkPort| match port.touch {
        Touch::Line(_) => true,
        Touch::Frames(_, bodies) => !bodies.contains(&BodyId::WORLD),
        _ => false,
    };
    let is_tree = model.constraints.is_empty()
        && model.joints.len() == model.bodies.len()
        && !ports.iter().any(is_line);
    let root = |mut body: usize| {
        while body > 0 && model.bodies[body - 1].parent.index() > 0 {
            body = model.bodies[body - 1].parent.index();
        }
        body
    };
    let roots: FxHashMap<usize, usize> =
        ports.iter().map(|port| (body_of(port), root(body_of(port)))).collect();
    let group = |port: &NetworkPort| match is_tree {
        true => roots.get(&body_of(port)).copied().unwrap_or(0),
        false => 0,
    };
    ports.iter().map(group).collect()
}
