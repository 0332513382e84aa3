//! What several elements say in the same way.

use super::part::Value;
use super::{ElementKind, Place, Sketch, Start, StartOf, readings};
use crate::reading::ids::NodeId;
use crate::writing::{Flange, Terminal};

/// Why a valve has no elementary kind.
pub const VALVE: &str = "an ideal valve: no resistance or no conductance, as its state is";
/// Why dry friction has no elementary kind.
pub const DRY_FRICTION: &str = "dry friction: it holds, or resists with a force of its own";
/// Why a transistor has no elementary kind.
pub const TRANSISTOR: &str = "its currents depend on two voltages: a resistor with several ports";
/// Why the inertia on a moving body has no elementary kind.
pub const CARRIED: &str = "an inertia on a moving body, whose rotation it takes part in";
/// Why coupled inductors have no elementary kind.
pub const COUPLED: &str = "coupled inductors: together an inertia with several ports";

/// The loss of a motor, by the resistances that it has: 1 for that of its winding, 2 for that of its bearing.
pub const HEAT_OF_MOTOR: [&str; 4] = ["0.0", "~R.power", "~d.power", "~R.power + ~d.power"];

impl Start {
    /// A signal of the element times a factor, and more.
    pub fn of(signal: &'static str, factor: f64, offset: f64) -> Self {
        Self { of: StartOf::Own(signal), factor, offset }
    }

    /// The speed of a node times a factor.
    pub fn at(node: NodeId, factor: f64) -> Self {
        Self { of: StartOf::Node(node), factor, offset: 0.0 }
    }
}

/// Something with inertia at one node, or between two that move as one; on a moving body if it is carried.
pub fn sketch_inertia<F: Flange>(
    s: &mut Sketch<'_>,
    [a, b]: [Option<F>; 2],
    inertia: f64,
    is_carried: bool,
) {
    let Some(a) = a.map(Terminal::node) else { return };
    match is_carried {
        true => s.like(ElementKind::I, a, CARRIED),
        false => {
            let readings = if F::SIGNALS[0] == "phi" { readings::SHAFT } else { readings::ROD };
            s.one((ElementKind::I, ""), Value::number(inertia), a, readings);
            s.starts(Start::at(a, inertia));
        }
    }
    if let Some(b) = b {
        s.join(Place::Node(a), Place::Node(b.node()));
    }
}
