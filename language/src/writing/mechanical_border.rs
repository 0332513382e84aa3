//! How elements join the mechanics: joint axes, mounted rotors, distances, accelerations as signals.

use super::writer::Writer;
use crate::codes;
use crate::element::Family;
use crate::reading::ids::{JointId, NodeId, TriadId};
use equations::coupling::{Mount, NetworkPort, Touch};
use equations::expr::{Ex, Node, VarId};
use equations::expression::SignalRef;
use equations::flat::{Equation, Source, split_terms};

impl<'a> Writer<'a> {
    /// Ties a shaft or rod to a component of a joint; gives coordinate, speed, and the force on the joint.
    pub fn joint_axis(
        &self,
        flange: NodeId,
        joint: JointId,
        component: usize,
    ) -> Option<[Ex<'a>; 3]> {
        let found = self.joint_coordinate(self.potential(flange), joint, component)?;
        self.flow(flange, found[2]);
        Some(found)
    }

    /// Makes an unknown a component of a joint; gives coordinate, speed, and the force on the joint.
    pub fn joint_coordinate(
        &self,
        x: Ex<'a>,
        joint: JointId,
        component: usize,
    ) -> Option<[Ex<'a>; 3]> {
        let touch = Touch::Axis(joint, component);
        let coordinate = self.own_flange(x, touch, "name the shaft that moves with the joint")?;
        Some(self.port(x, coordinate, touch))
    }

    /// Ties a rod to the distance of two triads; gives distance, rate, and the force that drives them apart.
    pub fn line_axis(&self, flange: NodeId, ends: [TriadId; 2]) -> Option<[Ex<'a>; 3]> {
        let x = self.potential(flange);
        let touch = Touch::Line(ends);
        let coordinate = self.own_flange(x, touch, "name the rod that moves with the line")?;
        let found = self.port(x, coordinate, touch);
        self.flow(flange, found[2]);
        Some(found)
    }

    /// The variable of a flange that shall move with the bodies, unless it is fixed or belongs to another axis.
    fn own_flange(&self, x: Ex<'a>, touch: Touch, remedy: &str) -> Option<VarId> {
        let Node::Variable(coordinate) = self.arena.borrow().node(x.id) else {
            let words = "has the fixed end `base` as its flange";
            self.mistake(codes::JOINT_AXIS, words, remedy);
            return None;
        };
        let is_joint = matches!(touch, Touch::Axis(..));
        let clash = |port: &NetworkPort| match port.given {
            _ if is_joint && port.touch == touch => {
                Some((port.block, "drives the same component of the joint as"))
            }
            Some([other, _]) if other == coordinate => Some((port.block, "has the same flange as")),
            _ => None,
        };
        let found = self.flat.borrow().ports.list.iter().find_map(clash);
        if let Some((block, words)) = found {
            let words = format!("{words} `{}`", self.model.name(block));
            let help = "a flange belongs to one joint coordinate or line, and a coordinate to one flange; relate two joints \
                        by a Coupling";
            self.mistake(codes::JOINT_AXIS, &words, help);
            return None;
        }
        Some(coordinate)
    }

    /// The distance of two triads, its rate, and the force that drives them apart.
    pub fn distance(&self, from: TriadId, to: TriadId) -> [Ex<'a>; 3] {
        let s = self.unknown("s");
        let Node::Variable(coordinate) = self.arena.borrow().node(s.id) else { return [s; 3] };
        self.port(s, coordinate, Touch::Line([from, to]))
    }

    /// A port whose coordinate and speed the mechanics gives.
    fn port(&self, x: Ex<'a>, coordinate: VarId, touch: Touch) -> [Ex<'a>; 3] {
        let force = self.unknown("tau");
        let speed = self.rate(x);
        let acceleration = self.rate(speed);
        let variable = |x: Ex<'a>| match self.arena.borrow().node(x.id) {
            Node::Variable(variable) => variable,
            _ => coordinate,
        };
        let port = NetworkPort {
            touch,
            block: self.block.get(),
            force: variable(force),
            acceleration: variable(acceleration),
            given: Some([coordinate, variable(speed)]),
            momentum: None,
            rotors: Vec::new(),
        };
        self.flat.borrow_mut().ports.list.push(port);
        [x, speed, force]
    }

    /// Mounts a rotor on a body; gives the angular acceleration of the body about the axis.
    pub fn mounted(&self, mount: Option<Mount>, inertia: Ex<'a>, angle: Ex<'a>) -> Ex<'a> {
        let Some(Mount { body, axis }) = mount else { return self.number(0.0) };
        let length = axis.iter().map(|x| x * x).sum::<f64>().sqrt();
        if length == 0.0 {
            self.mistake(
                codes::ZERO_AXIS,
                "has a `MountAxis` of length zero",
                "give its direction",
            );
            return self.number(0.0);
        }
        let touch = Touch::Mount(body, axis.map(|x| x / length));
        let rotor = (inertia.id, angle.id);
        let known = self.flat.borrow().ports.list.iter().position(|port| port.touch == touch);
        if let Some(place) = known {
            let ports = &mut self.flat.borrow_mut().ports.list;
            ports[place].rotors.push(rotor);
            let acceleration = ports[place].acceleration;
            return self.ex(self.arena.borrow_mut().variable(acceleration));
        }
        let (force, acceleration) = (self.unknown("mount_tau"), self.unknown("mount_a"));
        let variable = |x: Ex<'a>| match self.arena.borrow().node(x.id) {
            Node::Variable(variable) => variable,
            _ => VarId(0),
        };
        let port = NetworkPort {
            touch,
            block: self.block.get(),
            force: variable(force),
            acceleration: variable(acceleration),
            given: None,
            momentum: None,
            rotors: vec![rotor],
        };
        self.flat.borrow_mut().ports.list.push(port);
        acceleration
    }

    /// The acceleration that a signal of a joint, a body, a triad or a sensor means.
    pub(crate) fn sensed(&self, signal: SignalRef) -> VarId {
        let (table, handle) = (self.model.schema(signal.block), self.model.handle(signal.block));
        let touch = match table.family {
            Family::Joint => Touch::Coordinate(JointId(handle), usize::from(signal.component)),
            _ => Touch::Frames(signal, self.model.bodies_of(signal.block)),
        };
        let known = self.flat.borrow().ports.list.iter().position(|port| port.touch == touch);
        if let Some(place) = known {
            return self.flat.borrow().ports.list[place].acceleration;
        }
        let block = self.block.replace(signal.block);
        let (acceleration, force) = (self.unknown("acceleration"), self.unknown("no_force"));
        self.equal(force, self.number(0.0));
        self.block.set(block);
        let variable = |x: Ex<'a>| match self.arena.borrow().node(x.id) {
            Node::Variable(variable) => variable,
            _ => VarId(0),
        };
        let (force, acceleration) = (variable(force), variable(acceleration));
        let port = NetworkPort {
            touch,
            block: signal.block,
            force,
            acceleration,
            given: None,
            momentum: None,
            rotors: Vec::new(),
        };
        self.flat.borrow_mut().ports.list.push(port);
        acceleration
    }

    /// Writes the equations of all ports, after the equations of all elements. Ports of different `groups` do not feel each
    /// other.
    pub(crate) fn couple(&self, groups: &[usize]) {
        let count = {
            let mut flat = self.flat.borrow_mut();
            flat.ports.first = flat.programs.signals.len() as u32;
            flat.ports.list.len()
        };
        if count == 0 {
            return;
        }
        for row in 0..count {
            let port = self.flat.borrow().ports.list[row].clone();
            self.block.set(port.block);
            let input = |number: u32| self.number(0.0).make(Node::Input(number));
            let variable = |id: VarId| self.ex(self.arena.borrow_mut().variable(id));
            let ports = self.flat.borrow().ports.clone();
            let mut sum = input(ports.free(row));
            for (column, other) in ports.list.iter().enumerate() {
                if groups[row] == groups[column] {
                    sum = sum + input(ports.response(row, column)) * variable(other.force);
                }
            }
            self.port_equation(variable(port.acceleration) - sum);
            if !port.rotors.is_empty() {
                let (mut momentum, mut change) = (self.number(0.0), self.number(0.0));
                for &(inertia, angle) in &port.rotors {
                    let speed = self.rate(self.ex(angle));
                    momentum = momentum + self.ex(inertia) * speed;
                    change = change + self.ex(inertia) * self.rate(speed);
                }
                self.flat.borrow_mut().ports.list[row].momentum = Some(momentum.id);
                self.equal(variable(port.force), -change);
            }
        }
    }

    fn port_equation(&self, residual: Ex<'a>) {
        let terms = split_terms(&mut self.arena.borrow_mut(), residual.id);
        let block = self.block.get();
        let source = Source::Port;
        self.flat.borrow_mut().equations.push(Equation { terms, block, source, level: 0 });
    }
}
