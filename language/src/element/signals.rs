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
    /// The physical quantity of the signal.
    pub quantity: Quantity,
    /// Component of the quantity: 0 to 2 for x, y, z, or the row of a constraint.
    pub component: u8,
    /// The signal depends on accelerations. Expressions that use it are solved together with the motion.
    pub needs_accelerations: bool,
    /// Half a sentence for the language reference.
    pub doc: &'static str,
}

/// The physical quantity of a signal. The value of a signal is found by its quantity, never by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// A quantity that only its own element knows.
    Own,
    /// Position or coordinate.
    Position,
    /// Velocity or rate.
    Velocity,
    /// Angular velocity.
    Turning,
    /// Acceleration.
    Acceleration,
    /// Angular acceleration.
    TurningAcceleration,
    /// Unit quaternion of an orientation, scalar first.
    Quaternion,
    /// Angles of an orientation.
    Angle,
    /// Applied generalised force.
    Applied,
    /// Force (components 0 to 2) and torque (3 to 5) that a joint transmits.
    Reaction,
    /// Force in a row of a constraint.
    ConstraintForce,
    /// Kinetic energy.
    KineticEnergy,
    /// Potential energy.
    PotentialEnergy,
    /// Power that an element delivers.
    Power,
}

impl SignalSchema {
    /// This signal as a component of a quantity.
    pub const fn of(self, quantity: Quantity, component: u8) -> Self {
        Self { quantity, component, ..self }
    }

    /// Whether the signal is an acceleration that networks can use, because it is solved together with the mechanics.
    pub fn can_be_sensed(&self) -> bool {
        self.needs_accelerations
            && matches!(self.quantity, Quantity::Acceleration | Quantity::TurningAcceleration)
    }

    /// What is to be known about the use of the signal, if anything is.
    pub fn restriction(&self) -> &'static str {
        if self.needs_accelerations { " (follows from the accelerations)" } else { "" }
    }
}

/// A signal of one component that does not depend on accelerations.
pub const fn signal(name: &'static str, unit: &'static str, doc: &'static str) -> SignalSchema {
    let (shape, unit) = (SignalShape::Scalar, Unit::Is(unit));
    let (quantity, component) = (Quantity::Own, 0);
    SignalSchema { name, shape, unit, quantity, component, needs_accelerations: false, doc }
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
