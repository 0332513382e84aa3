//! The answer of networks to small oscillations.
//!
//! Near an operating point all equations of the networks are linear. With `x = X e^(st)` a derivative is a factor s, and all
//! unknowns of a circuit, its equations as the elements write them, are one sparse system for each frequency,
//!
//! ```text
//! (A0 + A1 s + A2 s^2) x = (B0 + B1 s + B2 s^2) u          y = (C0 + C1 s + C2 s^2) x + ...
//! ```
//!
//! Nothing is solved for derivatives, and no index is reduced: the current of a capacitor that a source charges is as good an
//! output as any other. A dead time is a factor e^(-sT).
//!
//! | file | subject |
//! |---|---|
//! | `rows.rs` | rows of the system at the present state of a run |
//! | `reduction.rs` | unknowns that follow from others by numbers alone are put in before the sweep |
//! | `sweep.rs` | factors and solutions, frequency by frequency |

mod reduction;
mod rows;
mod sweep;

pub use rows::{Descriptor, Impossible, Wanted, descriptor};
pub use sweep::{Singular, Sweep};
