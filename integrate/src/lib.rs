//! How time passes: methods that advance `y' = f(t, y)` and the switching between its pieces.
//!
//! Three parties meet here, and each knows only its own business.
//!
//! * A [`HybridSystem`] is a [`Problem`], which gives derivatives; [`Events`], which are guards (switching
//!   functions), known instants, and a function that settles the discrete modes at an event; and [`Hints`], which
//!   save work. Between events the modes are frozen, so `f` is smooth and a method may evaluate it anywhere in a step.
//! * A [`Method`] takes one accepted step and can be asked for the solution inside that step. It
//!   has never heard of guards, outputs or modes.
//! * A [`Driver`] makes steps into a run: output points, roots, time and step events, event
//!   iteration, restarts, too much work, stiffness. It serves every method alike, so a method that
//!   steps, interpolates and restarts has events for nothing.
//!
//! A driver owns every buffer. Nothing that it, a method or the root search does after
//! construction allocates; a problem that wants the same keeps its workspace inside itself, which
//! is why its functions take `&mut self`.
//!
//! ```
//! use integrate::{
//!     EvaluationError, Events, Hints, MethodKind, Problem, Settings, Silent, Stop, Tolerance,
//!     build,
//! };
//!
//! struct Oscillator;
//!
//! impl Problem for Oscillator {
//!     fn len(&self) -> usize {
//!         2
//!     }
//!     fn derivatives(&mut self, _: f64, y: &[f64], f: &mut [f64]) -> Result<(), EvaluationError> {
//!         f.copy_from_slice(&[y[1], -y[0]]);
//!         Ok(())
//!     }
//! }
//!
//! impl Events for Oscillator {}
//! impl Hints for Oscillator {}
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let settings = Settings::new(MethodKind::Derf, Tolerance::new(1e-6, 1e-9));
//! let mut driver = build(MethodKind::Derf, 2, 0, &settings)?;
//! driver.start(&mut Oscillator, 0.0, &[1.0, 0.0], 1.0, &mut Silent)?;
//! for k in 1..=10 {
//!     let t = 0.5 * f64::from(k);
//!     // An event returns too; only an output ends the way to the output point.
//!     while driver.advance(&mut Oscillator, t, &mut Silent)? != Stop::Output {}
//!     assert!((driver.y()[0] - t.cos()).abs() < 1e-5);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Not here: what the states mean, what a mode is called, where results are written.

pub mod adams;
mod binary_states;
mod bulirsch_stoer;
mod cash_karp;
mod chatter;
mod driver;
mod error;
mod euler;
mod events;
mod hints;
mod hybrid_system;
mod implicit;
pub mod linear;
mod method;
mod one_step;
mod problem;
mod rk4;
mod roots;
mod select;
mod statistics;
mod step_polynomial;
pub mod stiff;
mod switching_functions;
mod tolerance;

pub use ::problem::{Cause, Change, ChangeList, Crossing, Event, GuardId, MethodKind, Side};
pub use adams::Adams;
pub use binary_states::BinaryStates;
pub use bulirsch_stoer::BulirschStoer;
pub use cash_karp::CashKarp;
pub use driver::{Driver, EventSettings, RootSearch, Stop};
pub use error::{EvaluationError, IntegrationError, SettingsError};
pub use euler::{Euler, EulerKind};
pub use events::{Listener, Notice, Silent, Verdict};
pub use hints::Hints;
pub use hybrid_system::HybridSystem;
pub use implicit::{Differences, Mass, Matrix, Pattern, StatePoint};
pub use method::{CopyMethod, GuardSamples, Method, Start, StepOutcome, StepReport, Target};
pub use problem::Problem;
pub use rk4::{Rk4, fixed_step};
pub use select::{Settings, build, build_for};
pub use statistics::Statistics;
pub use stiff::{Orders, Radau, Structure};
pub use switching_functions::Events;
pub use tolerance::{StepLimits, Tolerance};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
