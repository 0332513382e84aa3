//! Signals of blocks: what can be named behind a dot, and what it may be used for.

use super::Unit;

/// A quantity that can be named: `element.signal`.
#[derive(Debug)]
pub struct SignalSchema {
    /// The name behind the dot.
    pub name: &'static str,
    /// How many components it has.
    pub shape: SignalShape,
    /// The unit.
    pub unit: Unit,
    /// Does it depend on accelerations? Such signals are for output, and some of them for networks.
    pub needs_accelerations: bool,
    /// Half a sentence for the language reference.
    pub doc: &'static str,
}

impl SignalSchema {
    /// Is it an acceleration that networks can use, being solved together with the mechanics?
    pub fn can_be_sensed(&self) -> bool {
        self.needs_accelerations && matches!(self.name, "qdd" | "ax" | "ay" | "az")
    }

    /// What it is for, if not for everything.
    pub fn restriction(&self) -> &'static str {
        match (self.needs_accelerations, self.can_be_sensed()) {
            (false, _) => "",
            (true, true) => " (for output and networks)",
            (true, false) => " (for output only)",
        }
    }
}

/// A signal of one component that does not depend on accelerations.
pub const fn signal(name: &'static str, unit: &'static str, doc: &'static str) -> SignalSchema {
    let (shape, unit) = (SignalShape::Scalar, Unit::Is(unit));
    SignalSchema { name, shape, unit, needs_accelerations: false, doc }
}

/// A signal of one component that depends on accelerations.
pub const fn acceleration_signal(
    name: &'static str,
    unit: &'static str,
    doc: &'static str,
) -> SignalSchema {
    SignalSchema { needs_accelerations: true, ..signal(name, unit, doc) }
}

/// How many components a signal has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignalShape {
    /// One value.
    Scalar,
    /// One for each coordinate of the joint, `q[1]`, `q[2]`, ...
    PerCoordinate,
    /// As many as the parameters of the block say, `y[1]`, `y[2]`, ...; the name alone is the first.
    Vector,
}
