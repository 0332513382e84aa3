//! What can go wrong while a tree is built or evaluated. Names and places in the text are added by
//! the caller, who knows them.

use std::fmt;

use super::ids::{BodyId, JointId};

/// Why a body cannot be added to a tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BuildError {
    /// The mother is not a body that was added before.
    UnknownMother(BodyId),
    /// An axis of the joint has no length (number of the axis, from 1).
    ZeroAxis(u8),
    /// The two axes of the joint are parallel.
    DependentAxes,
    /// A number of this kind is not finite.
    NotFinite(Quantity),
    /// A mass below zero (kg).
    NegativeMass(f64),
    /// The inertia tensor has this negative principal moment (kg m^2).
    IndefiniteInertia(f64),
    /// A rotor inertia below zero (kg m^2, or kg for a translation).
    NegativeRotorInertia(f64),
    /// The list of rotor inertias is neither empty nor one per freedom of the joint.
    RotorCount {
        /// Freedoms of the joint.
        expected: usize,
        /// Values given.
        found: usize,
    },
}

/// The quantities that must be finite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// A pose of a triad or of the centre of gravity.
    Pose,
    /// Geometry of the joint.
    Joint,
    /// Mass or inertia tensor.
    Inertia,
    /// Gravity.
    Gravity,
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::UnknownMother(id) => {
                write!(f, "the mother (number {}) is not a body added before", id.index())
            }
            BuildError::ZeroAxis(k) => write!(f, "axis {k} of the joint has no length"),
            BuildError::DependentAxes => write!(f, "the two axes of the joint are parallel"),
            BuildError::NotFinite(what) => {
                write!(f, "a value of the {} is not finite", what.name())
            }
            BuildError::NegativeMass(m) => write!(f, "the mass {m} kg is negative"),
            BuildError::IndefiniteInertia(moment) => {
                write!(f, "the inertia tensor has the negative principal moment {moment} kg m^2")
            }
            BuildError::NegativeRotorInertia(j) => write!(f, "the rotor inertia {j} is negative"),
            BuildError::RotorCount { expected, found } => {
                write!(f, "expected {expected} rotor inertias, one per freedom, found {found}")
            }
        }
    }
}

impl Quantity {
    fn name(self) -> &'static str {
        match self {
            Quantity::Pose => "pose",
            Quantity::Joint => "joint geometry",
            Quantity::Inertia => "mass or inertia",
            Quantity::Gravity => "gravity",
        }
    }
}

impl std::error::Error for BuildError {}

/// Why accelerations cannot be computed in the present state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvalError {
    /// A freedom moves no inertia (a massless tip) or the joint is in a singular position.
    SingularInertia {
        /// The joint whose freedom it is.
        joint: JointId,
        /// The freedom within the joint, from 0.
        freedom: usize,
    },
    /// An acceleration is not finite: a coordinate, a speed or a load was not.
    NotFinite {
        /// The joint of the first such acceleration.
        joint: JointId,
        /// The freedom within the joint, from 0.
        freedom: usize,
    },
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EvalError::SingularInertia { joint, freedom } => write!(
                f,
                "freedom {} of joint number {} moves no inertia",
                freedom + 1,
                joint.index()
            ),
            EvalError::NotFinite { joint, freedom } => write!(
                f,
                "the acceleration of freedom {} of joint number {} is not finite",
                freedom + 1,
                joint.index()
            ),
        }
    }
}

impl std::error::Error for EvalError {}
