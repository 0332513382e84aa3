//! The simulator as a library: models, sessions, tables.
//!
//! A [`Model`] is read and checked once and shared by any number of sessions, on any number of threads. A [`Session`] is one
//! motion of it: it is advanced, asked for signals, given inputs, saved and restored. A [`Table`] is what a whole run
//! leaves behind. No file is written but by [`Model::simulate`].
//!
//! # A run
//!
//! ```
//! use engine::Model;
//!
//! let text = r#"
//!     Parameters "p" { R0 = 1; }
//!     Solver "s" { Solver = derf; Tend = 1; Tstep = 0.1; }
//!     VoltageSource "V1" { p = a; n = gnd; V = 1; }
//!     Resistor "R1" { p = a; n = b; R = R0; }
//!     Capacitor "C1" { p = b; n = gnd; C = 0.1; Vinit = 0; }
//! "#;
//! let model = Model::from_text("filter.dys", text)?.set("R0", 2.0)?;
//! let table = model.run()?.signals(&["C1.v", "R1.i"])?;
//! assert_eq!(table.rows(), 11);
//! # Ok::<(), engine::Error>(())
//! ```
//!
//! # A session, saved and restored
//!
//! ```
//! # use engine::Model;
//! # let text = r#"
//! #     Solver "s" { Solver = derf; Tend = 1; Tstep = 0.1; }
//! #     VoltageSource "V1" { p = a; n = gnd; V = 1; }
//! #     Resistor "R1" { p = a; n = b; R = 2; }
//! #     Capacitor "C1" { p = b; n = gnd; C = 0.1; Vinit = 0; }
//! # "#;
//! # let model = Model::from_text("filter.dys", text)?;
//! let voltage = model.signal("C1.v")?;
//! let mut session = model.session()?;
//! session.advance_to(0.2)?;
//! assert!((session.value(&voltage)? - (1.0 - f64::exp(-1.0))).abs() < 1e-5);
//!
//! let saved = session.save();
//! session.advance_to(0.3)?;
//! let later = session.value(&voltage)?;
//! session.restore(&saved);
//! session.advance_to(0.3)?;
//! assert_eq!(session.value(&voltage)?, later);
//! # Ok::<(), engine::Error>(())
//! ```
//!
//! # Values from outside
//!
//! An `Input` block is a value that a session sets, or that follows a column of a table ([`Inputs`]).
//!
//! ```
//! use engine::{Inputs, Model};
//!
//! let text = r#"
//!     Solver "s" { Solver = derf; Tend = 1; Tstep = 0.1; }
//!     Input "u" { Unit = "V"; Default = 0; About = "voltage of the source"; }
//!     VoltageSource "V1" { p = a; n = gnd; V = u.y; }
//!     Resistor "R1" { p = a; n = gnd; R = 2; }
//! "#;
//! let model = Model::from_text("source.dys", text)?;
//! let u = model.input("u")?;
//! let mut session = model.session()?;
//! session.set(&u, 3.0)?;
//! assert_eq!(session.signal("R1.i")?.value(), 1.5);
//! session.advance_to(0.5)?;
//! session.input("u")?.set(1.0)?;
//! assert_eq!(session.signal("R1.i")?.value(), 0.5);
//!
//! let ramp = Inputs::from_text("ramp.csv", "t,u\n0,0\n1,10\n");
//! let table = model.run_with(&ramp)?.signals(&["R1.i"])?;
//! assert!((table.column("R1.i").unwrap_or_default()[5] - 2.5).abs() < 1e-12);
//! # Ok::<(), engine::Error>(())
//! ```
//!
//! # Mistakes
//!
//! ```
//! # use engine::Model;
//! let error = Model::from_text("wrong.dys", "Resistor \"R1\" { p = a; n = gnd; R = Q; }").err();
//! let error = error.ok_or("a mistake")?;
//! println!("{error}"); // with the line and a caret below `Q`
//! assert_eq!(error.diagnostics()[0].message, "there is no parameter `Q`");
//! assert!(error.diagnostics()[0].place.is_some());
//! # Ok::<(), &str>(())
//! ```
//!
//! Elements of one's own are written with [`plugin`].

mod analysis;
mod codes;
mod drawing;
#[doc(hidden)]
pub mod internals;
mod output;
mod sensitivity;
mod session;
mod simulation;
mod system;

pub use language::plugin;

#[doc(inline)]
pub use integrate::Statistics;
pub use language::blocks::general::Analysis;
pub use language::load::{Input as ModelSource, LoadOptions};
pub use session::{
    Error, ErrorKind, InputHandle, InputInfo, InputPort, Inputs, Mistake, Model, Outcome, Probe,
    Recording, Session, Signal, Snapshot, Table,
};
pub use simulation::{EnergyBalance, Options, Progress, RealTime, StepTimes, Summary};

/// The page of the manual about the library; its programs are tests.
#[cfg(doctest)]
#[doc = include_str!("../../docs/library.md")]
struct LibraryPage;
