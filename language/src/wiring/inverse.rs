//! Joints that equations speak of: how a line such as `arm.q = 0.3*sin(t)` finds the force that a JointForce has to have.
//!
//! A JointForce whose value is an unknown of equations may depend on the accelerations that it causes. So its joint
//! becomes a port of the networks, like one with a JointAxis: the mechanics tells the acceleration as an affine function
//! of the forces in all ports, and equations, unknowns and forces are solved together. The coordinates that lines name are
//! those of the ports; a coordinate of another joint gets a port without a force.

use rustc_hash::FxHashMap;

use crate::blocks::forces::ForceElement;
use crate::blocks::forces::joint_force::JointForce;
use crate::blocks::network::NetworkElement;
use crate::blocks::network::user_equations::variable::VariableType;
use crate::element::{Family, Quantity};
use crate::model::Model;
use crate::reading::ids::JointId;
use crate::writing::Writer;
use equations::coupling::Touch;
use equations::expression::{Op, Program, SignalRef};

/// A component of a joint, counted from 0.
type Axis = (JointId, usize);

/// Makes ports of the joints that equations move, and lets lines speak of the coordinates of all ports.
pub(super) fn open_axes(writer: &Writer<'_>, model: &Model) {
    let named = named_axes(model);
    if named.is_empty() {
        return;
    }
    let mut done: FxHashMap<Axis, ()> = FxHashMap::default();
    for port in &writer.flat.borrow().ports.list {
        if let Touch::Axis(joint, component) = port.touch {
            done.insert((joint, component), ());
        }
    }
    let mut moves = false;
    for force in &model.forces {
        let ForceElement::JointForce(own) = &force.what else { continue };
        let is_free = |k: usize| !done.contains_key(&(own.joint, k));
        let count = own.value.0.len();
        if own.value.0.iter().any(|value| uses_unknown(model, value))
            && has_axes(model, own.joint)
            && (0..count).all(is_free)
        {
            writer.block.set(force.block);
            act(writer, own);
            done.extend((0..count).map(|k| ((own.joint, k), ())));
            writer.flat.borrow_mut().joint_forces.push(force.block);
            moves = true;
        }
    }
    if moves {
        for &(joint, component) in named.iter().filter(|axis| !done.contains_key(*axis)) {
            writer.block.set(model.joint(joint).block);
            let x = writer.unknown("q");
            if let Some([_, _, force]) = writer.joint_coordinate(x, joint, component) {
                writer.equal(force, writer.number(0.0));
            }
        }
    }
    name_coordinates(writer, model);
}

/// The coordinates that lines of equations name, in the order of the text.
fn named_axes(model: &Model) -> Vec<Axis> {
    let mut named = Vec::new();
    for element in &model.elements {
        let NetworkElement::Equations(equations) = &element.what else { continue };
        for signal in equations.lines.iter().flat_map(|line| line.signals()) {
            let entry = &model.blocks[signal.block as usize];
            let axis = (JointId(entry.handle), usize::from(signal.component));
            if entry.schema.family == Family::Joint
                && order(model, signal).is_some()
                && has_axes(model, axis.0)
                && !named.contains(&axis)
            {
                named.push(axis);
            }
        }
    }
    named
}

/// The order of the derivative of a coordinate that a signal of a joint is.
fn order(model: &Model, signal: SignalRef) -> Option<usize> {
    let schema = model.blocks[signal.block as usize].schema;
    match schema.all_signals().nth(usize::from(signal.signal))?.quantity {
        Quantity::Position => Some(0),
        Quantity::Velocity => Some(1),
        Quantity::Acceleration => Some(2),
        _ => None,
    }
}

/// Are the coordinates of a joint freedoms of their own?
fn has_axes(model: &Model, joint: JointId) -> bool {
    let schema = model.blocks[model.joint(joint).block as usize].schema;
    !matches!(schema.keyword, "Free" | "Spherical") && !schema.coordinates.is_empty()
}

/// Does an expression name an unknown of equations?
fn uses_unknown(model: &Model, program: &Program) -> bool {
    program.ops().iter().any(|op| {
        let Op::Signal(signal) = *op else { return false };
        let entry = &model.blocks[signal.block as usize];
        let element = model.elements.get(entry.handle as usize).map(|element| &element.what);
        entry.schema.family == Family::Network
            && matches!(element, Some(NetworkElement::Variable(own)) if own.kind == VariableType::Real)
    })
}

/// Lets a JointForce act through ports.
fn act(writer: &Writer<'_>, own: &JointForce) {
    let mut power = writer.number(0.0);
    for (component, value) in own.value.0.iter().enumerate() {
        let x = writer.unknown("s");
        let Some([x, speed, force]) = writer.joint_coordinate(x, own.joint, component) else {
            return;
        };
        writer.equal(force, writer.time(value));
        power = power + force * speed;
        if component == 0 {
            writer.signal("f", force);
            writer.signal("s", x);
        }
    }
    writer.signal("power", power);
    writer.signal("energy", writer.number(0.0));
}

/// Lets lines mean the unknowns of ports where they name coordinates, rates and accelerations of joints.
fn name_coordinates(writer: &Writer<'_>, model: &Model) {
    let ports = writer.flat.borrow().ports.list.clone();
    let mut axes = writer.axes.borrow_mut();
    for port in ports {
        let (Touch::Axis(joint, component), Some([x, speed])) = (port.touch, port.given) else {
            continue;
        };
        let block = model.joint(joint).block;
        let schema = model.blocks[block as usize].schema;
        for signal in 0..schema.all_signals().count() as u16 {
            let reference = SignalRef { block, signal, component: component as u16 };
            let meaning = order(model, reference).map(|order| [x, speed, port.acceleration][order]);
            axes.extend(meaning.map(|variable| (reference, variable)));
        }
    }
}
