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

use crate::equation::{Equation, Source};
use crate::expr::{Arena, ExprId, Node, VarId};
use crate::expression::SignalRef;
use crate::ids::{BodyId, JointId, TriadId};
use crate::port_inputs::PortLayout;

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
    /// The acceleration of a frame relative to another, which a signal tells, and the two bodies; no force acts.
    Frames(SignalRef, [BodyId; 2]),
}

/// Where a shaft is mounted: a moving body and the axis in its frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mount {
    /// The body.
    pub body: BodyId,
    /// The axis.
    pub axis: [f64; 3],
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
    /// The part of the mechanics that the port acts on.
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
    pub rotors: Vec<(ExprId, ExprId)>,
}

/// All ports, and the numbers from outside that belong to them.
#[derive(Clone, Debug, Default)]
pub struct Ports {
    /// The ports.
    pub list: Vec<NetworkPort>,
    /// The first of their inputs, whose order `port_inputs.rs` draws.
    pub first: u32,
}

impl Ports {
    /// Where the numbers stand, counted from `first`.
    pub fn layout(&self) -> PortLayout {
        PortLayout { n_ports: self.list.len() }
    }

    /// Number of inputs.
    pub fn n_inputs(&self) -> usize {
        self.layout().n_numbers()
    }

    /// The input with the acceleration of a port without forces in any.
    pub fn free(&self, k: usize) -> u32 {
        self.first + self.layout().acceleration(k) as u32
    }

    /// The input with the acceleration of port `row` per force in port `column`.
    pub fn response(&self, row: usize, column: usize) -> u32 {
        self.first + self.layout().response(row, column) as u32
    }

    /// The input with coordinate (0) or speed (1) of a port.
    pub fn given(&self, k: usize, order: usize) -> u32 {
        self.first + self.layout().motion(k, order) as u32
    }

    /// The inputs that depend on accelerations.
    pub fn accelerations(&self) -> std::ops::Range<u32> {
        let late = self.layout().late();
        self.first + late.start as u32..self.first + late.end as u32
    }

    /// Does an input depend on accelerations?
    pub fn is_late(&self, input: u32) -> bool {
        self.accelerations().contains(&input)
    }

    /// Makes the accelerations numbers from outside, or the forces where the accelerations are `held`.
    pub fn open(&self, arena: &mut Arena, equations: &mut [Equation], held: &[bool]) {
        let own = equations.iter_mut().filter(|equation| equation.source == Source::Port);
        for (k, (equation, port)) in own.zip(&self.list).enumerate() {
            let is_held = held.get(k) == Some(&true);
            let given = arena.variable(if is_held { port.force } else { port.acceleration });
            let input = arena.make(Node::Input(self.free(k)));
            equation.terms = vec![given, arena.make(Node::Negate(input))];
        }
    }

    /// Coordinates and speeds that the mechanics gives: variable, input.
    pub fn all_given(&self) -> impl Iterator<Item = (VarId, u32)> + '_ {
        self.list.iter().enumerate().flat_map(move |(k, port)| {
            let given = port.given.iter().flatten().enumerate();
            given.map(move |(order, &variable)| (variable, self.given(k, order)))
        })
    }
}
