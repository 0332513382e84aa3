//! The equations of all networks of a model, written and checked.

use crate::expr::Arena;
use crate::expression::SignalRef;
use crate::flat::Flat;

/// The equations of all networks of a model, and what belongs to them.
#[derive(Clone, Debug)]
pub struct Flattened {
    /// The expressions of the equations.
    pub arena: Arena,
    /// The equations.
    pub flat: Flat,
    /// Signals that are powers in the balance of the networks, ascending, with the sign that makes them flow into their element.
    pub powers: Vec<(SignalRef, f64)>,
}
