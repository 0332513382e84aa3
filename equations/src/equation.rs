//! One equation and one unknown.

use crate::expr::{ExprId, VarId};

/// An unknown of the equations.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The block or node it belongs to.
    pub block: u32,
    /// Its name in that block.
    pub label: &'static str,
    /// The variable whose derivative it is.
    pub of: Option<VarId>,
    /// The variable that is its derivative, if the derivative occurs.
    pub rate: Option<VarId>,
    /// The value at the start that the text gives.
    pub initial: Option<f64>,
    /// Value at the start that the text wishes for; other values may contradict it.
    pub wish: Option<f64>,
    /// A first guess for iterations.
    pub guess: f64,
    /// Usual size that the text gives; zero where it does not.
    pub nominal: f64,
}

impl Variable {
    /// An unknown of which nothing more is known.
    pub fn new(block: u32, label: &'static str) -> Self {
        let (of, rate, initial, wish) = (None, None, None, None);
        Self { block, label, of, rate, initial, wish, guess: 0.0, nominal: 0.0 }
    }
}

/// Where an equation comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The law of an element.
    Law,
    /// A line of an Equations block, counted from 0.
    Line(u32),
    /// The sum of flows at a node.
    Balance,
    /// The definition of a signal that an expression uses.
    Definition,
    /// The acceleration of the mechanics under the forces of the networks.
    Port,
}

/// `0 = sum of terms`.
#[derive(Clone, Debug)]
pub struct Equation {
    /// The terms.
    pub terms: Vec<ExprId>,
    /// The block or node that it belongs to.
    pub block: u32,
    /// Why it holds.
    pub source: Source,
    /// How often it was differentiated.
    pub level: u8,
}
