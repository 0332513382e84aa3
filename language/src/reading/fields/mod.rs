//! The types that values of parameters have, and how each is read.

mod data;
mod joint_friction;
mod network;
mod numbers;
mod parameter_names;
mod references;
mod signal_list;
mod text;
mod time;

pub use data::DataFile;
pub(crate) use data::points;
pub use joint_friction::{FrictionLaw, FrictionLaws, SlidingFriction, StaticFriction};
pub use network::{
    Condition, ElectricalNode, HydraulicNode, InductorRef, JointFlange, RotationalNode,
    ThermalNode, TranslationalNode, TwoPinRef,
};
pub use numbers::{Groups, NumberList, PerCoordinate};
pub use parameter_names::ParameterNames;
pub use references::{SingleJoint, SlidingJoint, TurningJoint};
pub use signal_list::{Signals, Targets};
pub use text::{FileName, FreeText, Name, Names, Text};
pub use time::{TimeInput, TimeList, TimePerCoordinate, TimeVector};

use super::words;

words! {
    /// How an orientation is written.
    pub enum AngleType {
        /// D = Dz(phi) Dx(theta) Dz(psi).
        Euler = "euler",
        /// D = Dx(alpha) Dy(beta) Dz(gamma).
        Cardan = "cardan",
    }
}

impl From<AngleType> for mechanics::rotation::AngleType {
    fn from(written: AngleType) -> Self {
        match written {
            AngleType::Euler => Self::Euler,
            AngleType::Cardan => Self::Cardan,
        }
    }
}

words! {
    /// The unit of angles and angular rates written in a block.
    pub enum Degrees {
        /// Radians.
        Radians = "rad",
        /// Degrees.
        Degrees = "deg",
    }
}

words! {
    /// In which direction a spring acts.
    pub enum OneSide {
        /// In both.
        Both = "bi",
        /// Only repulsive, or only positive.
        Positive = "+",
        /// Only attractive, or only negative.
        Negative = "-",
    }
}

impl From<OneSide> for mechanics::forces::OneSide {
    fn from(written: OneSide) -> Self {
        match written {
            OneSide::Both => Self::Both,
            OneSide::Positive => Self::Positive,
            OneSide::Negative => Self::Negative,
        }
    }
}

words! {
    /// A choice of yes and no.
    pub enum YesNo {
        /// No.
        No = "no",
        /// Yes.
        Yes = "yes",
    }
}

impl YesNo {
    /// Whether the value is yes.
    pub fn is_yes(self) -> bool {
        self == YesNo::Yes
    }
}
