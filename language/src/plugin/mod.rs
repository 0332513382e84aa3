//! Elements that users write: forces, discrete states and outputs of their own.
//!
//! A plugin is a type that implements [`Plugin`] and, as its roles say, [`Force`], [`DiscreteStates`] and
//! [`Output`]. It is named in a slice of [`PluginType`]s that is handed to the program, and placed in a
//! model by a block `Plugin "name" { Type = ...; }`, as often as needed. Programs find this module also as
//! `engine::plugin`:
//!
//! ```
//! use language::plugin::prelude::*;
//!
//! plugin_parameters! {
//!     /// What the block of a lift declares.
//!     pub struct LiftParameters {
//!         triad: TriadHandle = "Triad", Unit::None, Required, Any, "where it pulls";
//!         force: f64 = "Force", Unit::Is("N"), Number(1.0), NotNegative, "how strongly";
//!     }
//! }
//!
//! /// Pulls a point upwards.
//! pub struct Lift(LiftParameters);
//!
//! impl Plugin for Lift {
//!     const TYPE: &'static str = "lift";
//!     const ABOUT: &'static str = "Pulls a point upwards.";
//!     const ROLES: Roles<Self> = Roles::none().force();
//!     type Parameters = LiftParameters;
//!
//!     fn new(parameters: LiftParameters, _: &Setup<'_>) -> Result<Self, Refusal> {
//!         Ok(Self(parameters))
//!     }
//! }
//!
//! impl Force for Lift {
//!     fn apply(&self, now: &State<'_>, forces: &mut Forces) -> Result<(), Undefined> {
//!         let point = now.triad(self.0.triad);
//!         forces.force(point.body, point.position(), vec3(0.0, 0.0, self.0.force));
//!         Ok(())
//!     }
//! }
//!
//! pub static PLUGINS: &[PluginType] = &[PluginType::new::<Lift>()];
//! ```
//!
//! A plugin itself never changes: what changes during a run are its discrete states, the numbers it
//! remembers, and what its output keeps open. So several runs may share it. A plugin that panics or gives
//! a number that is not finite ends the run; the rows that are finished are kept.

#[doc(hidden)]
pub mod instance;
mod kind;
mod output;
mod roles;
mod sink;
mod state;

pub use output::{Ending, Output, Place};
pub use roles::{DiscreteState, DiscreteStates, Force, Plugin, Roles, Undefined};
pub use sink::Forces;
#[doc(hidden)]
pub use state::Observed;
pub use state::{Point, State};

pub use crate::model::plugins::{ElementHandle, PluginType, Plugins, Refusal, Setup, SignalHandle};
pub use crate::reading::fields::TimeInput;
pub use crate::reading::ids::{
    BodyId as BodyHandle, JointId as JointHandle, TriadId as TriadHandle,
};

/// Everything that a plugin usually needs.
pub mod prelude {
    pub use super::{
        BodyHandle, DiscreteState, DiscreteStates, ElementHandle, Ending, Force, Forces,
        JointHandle, Output, Place, Plugin, PluginType, Point, Refusal, Roles, Setup, SignalHandle,
        State, TimeInput, TriadHandle, Undefined,
    };
    pub use crate::element::{SignalSchema, signal};
    pub use crate::reading::fields::{Degrees, FileName, Groups, Name, Signals, YesNo};
    pub use crate::safe_file::SafeFile;
    pub use crate::{plugin_parameters, plugin_words};
    pub use mechanics::{Mat3, Motion, Pose, Sym3, Vec3, vec3};
}

/// Declares the parameters of a plugin, one line each, as a structure and as the table from which they
/// are read, checked and listed:
///
/// `field: Type = "Name", unit, default, range, "what it is";`
///
/// | part | what can stand there |
/// |---|---|
/// | type | `f64`, `[f64; N]`, `u32`, `BodyHandle`, `JointHandle`, `TriadHandle`, `TimeInput`, `Signals`, `Groups<N>`, `Name`, `FileName`, `YesNo`, a type of [`plugin_words!`](crate::plugin_words), or `Option` of one |
/// | unit | `Unit::None`, `Unit::Is("N")`, `Unit::Each(&["m", "rad"])` |
/// | default | `Required`, `Number(1.0)`, `Numbers(&[1.0, 2.0])`, `Word("yes")`, `Absent("what that means")` for an `Option`, `SameAs("Other")` |
/// | range | `Any`, `Positive`, `NotNegative`, `AtLeast(1.0)`, `Between(0.0, 1.0)` |
#[macro_export]
macro_rules! plugin_parameters {
    (
        $(#[$meta:meta])*
        pub struct $name:ident {
            $($field:ident: $type:ty = $text:literal, $unit:expr, $default:expr, $range:expr, $doc:literal;)*
        }
    ) => {
        $crate::parameters! {
            $(#[$meta])*
            pub struct $name {
                $($field: $type = $text, Plus, $unit, $default, $range, $doc;)*
            }
        }
    };
}

/// Declares a type whose values are words, for a parameter with a choice:
/// `pub enum Shape { /** A ball. */ Ball = "ball", /** A box. */ Cuboid = "box", }`
#[macro_export]
macro_rules! plugin_words {
    ($($tokens:tt)*) => {
        $crate::words! { $($tokens)* }
    };
}
