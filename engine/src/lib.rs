//! Physics and time, as a library: what a system is, its right-hand side, and how time passes.
//!
//! The front door is [`Model`]:
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
//! let mut session = model.session()?;
//! session.advance_to(0.2)?;
//! assert!((session.signal("C1.v")?.value() - (1.0 - f64::exp(-1.0))).abs() < 1e-5);
//!
//! // A saved session goes on bit for bit.
//! let saved = session.save();
//! session.advance_to(0.3)?;
//! let later = session.signal("C1.v")?.value();
//! session.restore(&saved);
//! session.advance_to(0.3)?;
//! assert_eq!(session.signal("C1.v")?.value(), later);
//!
//! // A whole run as a table; no file is written.
//! let table = model.run()?.signals(&["C1.v", "R1.i"])?;
//! assert_eq!(table.rows(), 11);
//!
//! // Mistakes come as text with carets and as data.
//! let error = Model::from_text("wrong.dys", "Resistor \"R1\" { p = a; n = gnd; R = Q; }").err();
//! assert_eq!(error.map(|error| error.diagnostics()[0].place.is_some()), Some(true));
//! # Ok::<(), engine::Error>(())
//! ```

pub mod analysis;
pub mod blocks;
pub mod bondgraph;
pub mod codes;
pub mod domain;
pub mod element;
pub mod equations;
pub mod expression;
pub mod load;
pub mod model;
pub mod network;
pub mod output;
pub mod plugin;
pub mod reading;
pub mod safe_file;
pub mod session;
pub mod simulation;
pub mod spice;
pub mod system;
mod wiring;
mod wording;

pub use session::{
    Error, ErrorKind, InputHandle, InputInfo, InputPort, Inputs, Mistake, Model, Outcome, Probe,
    Recording, Session, Signal, Snapshot, Table,
};
pub use simulation::{Options, Progress, Summary};
