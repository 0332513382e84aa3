//! The border between networks and mechanics.
//!
//! A shaft on a joint axis has the coordinate of the joint as its angle; a shaft that a moving body carries feels the
//! rotation of that body. Both are ports (`mechanics::ports`): the mechanics tells coordinates and speeds, and that the
//! accelerations along all ports are an affine function of the forces in them,
//!
//! ```text
//! a_k = a0_k + sum over j of Phi_kj f_j.
//! ```
//!
//! These are equations of the networks like others, with a0 and Phi as numbers from outside. A rigid drive, whose torque
//! depends on the acceleration of its shaft, is then solved together with them: its reflected inertia costs no
//! stiffness. Where the torque follows from states, as that of an elastic gear does, sorting finds it first.
//!
//! The rotor of a shaft that a body carries has the speed w relative to it, about the axis n; the body has the angular
//! velocity omega and counts the rotor as its own, as if it stood still. With symmetric rotors (Otter 1995, 5.3 and 5.4):
//!
//! ```text
//! rotor     J (dw/dt + n . domega/dt) = torques on the shaft
//! body      torque on it    - n J dw/dt - omega x n J w
//! ```
//!
//! An acceleration that a network uses as a signal is a port without a force: whatever the networks make of it and send
//! back to the bodies is solved together with it.

use rustc_hash::FxHashMap;

use super::elements::NetworkElement;
use super::expr::{Arena, Contents, Ex, ExprId, Node, VarId};
use super::flatten::{Equation, Source, Writer, split_terms};
use super::structure::Structure;
use super::walk::Marks;
use crate::element::Family;
use crate::expression::SignalRef;
use crate::codes;
use crate::reading::ids::{BodyId, JointId, NodeId, TriadId};

/// Where a network touches the mechanics.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Touch {
    /// A component of a joint, counted from 0.
    Axis(JointId, usize),
    /// The rotation of a body about an axis in its frame, a unit vector.
    Mount(BodyId, [f64; 3]),
    /// The distance of two triads.
    Line([TriadId; 2]),
    /// The acceleration of a component of a joint, which a signal tells; no force acts.
    Coordinate(JointId, usize),
    /// That of a body along an axis of the world, counted from 0.
    Point(BodyId, usize),
}

/// Where a shaft is mounted: a moving body and the axis in its frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mount {
    body: BodyId,
    axis: [f64; 3],
}

impl Mount {
    /// The mounting of a shaft; none on the world, which does not turn.
    pub fn of(body: Option<BodyId>, axis: [f64; 3]) -> Option<Self> {
        body.filter(|body| *body != BodyId::WORLD).map(|body| Self { body, axis })
    }
}

/// A port of the networks.
#[derive(Clone, Debug)]
pub struct NetworkPort {
    /// What it touches.
    pub touch: Touch,
    /// The block that it belongs to.
    pub block: u32,
    /// The force or torque of the network on the mechanics.
    pub force: VarId,
    /// The acceleration along the port.
    pub acceleration: VarId,
    /// Coordinate and speed, which the mechanics gives.
    pub given: Option<[VarId; 2]>,
    /// The angular momentum of rotors about the axis, relative to the body.
    pub momentum: Option<ExprId>,
    /// Rotors: inertia and angle.
    rotors: Vec<(ExprId, ExprId)>,
}

/// All ports, and the numbers from outside that belong to them.
#[derive(Clone, Debug, Default)]
pub struct Ports {
    /// The ports.
    pub list: Vec<NetworkPort>,
    /// The first of their inputs: a0, then Phi by rows, then coordinate and speed of each.
    first: u32,
}

impl Ports {
    /// Number of inputs.
    pub(crate) fn n_inputs(&self) -> usize {
        let n = self.list.len();
        n + n * n + 2 * n
    }

    /// The input with the acceleration of a port without forces in any.
    pub(crate) fn free(&self, k: usize) -> u32 {
        self.first + k as u32
    }

    fn response(&self, row: usize, column: usize) -> u32 {
        let n = self.list.len();
        self.first + (n + row * n + column) as u32
    }

    /// The input with coordinate (0) or speed (1) of a port.
    pub(crate) fn given(&self, k: usize, order: usize) -> u32 {
        let n = self.list.len();
        self.first + (n + n * n + 2 * k + order) as u32
    }

    /// The inputs that depend on accelerations.
    pub(crate) fn accelerations(&self) -> std::ops::Range<u32> {
        let n = self.list.len();
        self.first..self.first + (n + n * n) as u32
    }

    fn is_late(&self, input: u32) -> bool {
        self.accelerations().contains(&input)
    }

    /// Makes the accelerations numbers from outside, or the forces where the accelerations are `held`.
    pub(crate) fn open(&self, arena: &mut Arena, equations: &mut [Equation], held: &[bool]) {
        let own = equations.iter_mut().filter(|equation| equation.source == Source::Port);
        for (k, (equation, port)) in own.zip(&self.list).enumerate() {
            let is_held = held.get(k) == Some(&true);
            let given = arena.variable(if is_held { port.force } else { port.acceleration });
            let input = arena.make(Node::Input(self.free(k)));
            equation.terms = vec![given, arena.make(Node::Negate(input))];
        }
    }

    /// Coordinates and speeds that the mechanics gives: variable, input.
    pub(crate) fn all_given(&self) -> impl Iterator<Item = (VarId, u32)> + '_ {
        self.list.iter().enumerate().flat_map(move |(k, port)| {
            let given = port.given.iter().flatten().enumerate();
            given.map(move |(order, &variable)| (variable, self.given(k, order)))
        })
    }

    /// Forces that follow without accelerations, and blocks of equations that need these.
    pub(super) fn sort(
        &self,
        arena: &Arena,
        structure: &Structure,
        blocks: &[Vec<usize>],
        n_variables: usize,
        marks: &mut Marks,
    ) -> Vec<bool> {
        let mut late = vec![false; n_variables];
        for block in blocks {
            let waits = block.iter().any(|&equation| {
                structure.incidence[equation].iter().any(|variable| late[variable.index()])
                    || structure.equations[equation]
                        .terms
                        .iter()
                        .any(|&term| self.has_late(arena, term, marks))
            });
            for variable in block.iter().filter_map(|&equation| structure.solves[equation]) {
                late[variable.index()] = waits;
            }
        }
        late
    }

    fn has_late(&self, arena: &Arena, term: ExprId, marks: &mut Marks) -> bool {
        let mut found = false;
        arena.visit(term, Contents::INPUTS, marks, |node| {
            found |= matches!(node, Node::Input(input) if self.is_late(input));
        });
        found
    }

    /// Does an expression need accelerations?
    pub(super) fn waits(
        &self,
        arena: &Arena,
        late: &[bool],
        root: ExprId,
        marks: &mut Marks,
    ) -> bool {
        let mut found = false;
        let what = Contents::INPUTS.and(Contents::VARIABLES);
        arena.visit(root, what, marks, |node| {
            found |= match node {
                Node::Input(input) => self.is_late(input),
                Node::Variable(variable) => late.get(variable.index()) == Some(&true),
                _ => false,
            };
        });
        found
    }
}

/// The node that stands for a train.
fn root(toward: &[usize], mut node: usize) -> usize {
    while toward[node] != node {
        node = toward[node];
    }
    node
}

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
        let Node::Variable(coordinate) = self.arena.borrow().node(x.id) else {
            let words = "has the fixed end `base` as its flange";
            self.mistake(codes::JOINT_AXIS, words, "name the shaft that moves with the joint");
            return None;
        };
        let touch = Touch::Axis(joint, component);
        let clash = |port: &NetworkPort| match port.given {
            _ if port.touch == touch => {
                Some((port.block, "drives the same component of the joint as"))
            }
            Some([other, _]) if other == coordinate => {
                Some((port.block, "is on another joint, but has the same flange as"))
            }
            _ => None,
        };
        let found = self.flat.borrow().ports.list.iter().find_map(clash);
        if let Some((block, words)) = found {
            let words = format!("{words} `{}`", self.model.block_name(block));
            let help = "a shaft belongs to one joint coordinate, and a coordinate to one shaft; relate two joints \
                        by a Coupling";
            self.mistake(codes::JOINT_AXIS, &words, help);
            return None;
        }
        Some(self.port(x, coordinate, touch))
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

    /// The acceleration that a signal of a joint or a body means.
    pub(crate) fn sensed(&self, signal: SignalRef) -> VarId {
        let entry = &self.model.blocks[signal.block as usize];
        let schema = entry.schema.all_signals().nth(usize::from(signal.signal));
        let name = schema.map_or("", |schema| schema.name);
        let touch = match entry.schema.family {
            Family::Joint => {
                Touch::Coordinate(JointId(entry.handle), usize::from(signal.component))
            }
            // The world is body 0.
            _ => Touch::Point(
                BodyId(entry.handle + 1),
                ["ax", "ay", "az"].iter().position(|own| *own == name).unwrap_or(0),
            ),
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

    /// All shafts of one rigid train must be carried by one body.
    fn check_trains(&self) {
        let elements = &self.model.elements;
        let mut toward: Vec<usize> = (0..self.model.nodes.len()).collect();
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
                let first = self.model.block_name(first);
                let words = format!(
                    "is mounted on another body than `{first}`, which turns with it rigidly"
                );
                let help =
                    "one body carries all shafts of a rigid train; put a spring between them";
                self.block.set(element.block);
                self.mistake(codes::JOINT_AXIS, &words, help);
            }
        }
    }

    /// Writes the equations of all ports, after those of all elements.
    pub(super) fn couple(&self) {
        self.check_trains();
        let count = {
            let mut flat = self.flat.borrow_mut();
            flat.ports.first = flat.programs.signals.len() as u32;
            flat.ports.list.len()
        };
        if count == 0 {
            return;
        }
        let groups = self.groups();
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

    /// Ports of bodies that hang together have the same number.
    fn groups(&self) -> Vec<usize> {
        let model = self.model;
        let ports = &self.flat.borrow().ports.list;
        let body_of = |port: &NetworkPort| match port.touch {
            Touch::Mount(body, _) | Touch::Point(body, _) => body.index(),
            Touch::Line(_) => 0,
            Touch::Axis(joint, _) | Touch::Coordinate(joint, _) => {
                let carried = model.bodies.iter().position(|body| body.joint == joint);
                carried.map_or(0, |index| index + 1)
            }
        };
        // Constraints and cylinders may join any bodies.
        let is_line = |port: &NetworkPort| matches!(port.touch, Touch::Line(_));
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
}
