//! The parts of a sketch, as plain data.

use equations::expression::Program;

use super::ElementKind;
use crate::reading::ids::{ElementId, NodeId};

/// Where a bond of a part ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A node of a network.
    Node(NodeId),
    /// A junction of the sketch.
    Inner(Inner),
}

/// A junction of a sketch, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inner(pub usize);

/// A junction of a sketch.
#[derive(Clone, Debug, PartialEq)]
pub struct InnerJunction {
    /// A 0-junction; otherwise a 1-junction.
    pub is_zero: bool,
    /// Follows the name of the element in the name of the junction.
    pub suffix: &'static str,
}

/// A value of a part.
#[derive(Clone, Debug, PartialEq)]
pub struct Value<'m> {
    /// The value, with `$` for the text of the parameter, `@` for the name of the part, `~s` for that
    /// of the part of the same element with the suffix s, `&.x` for the signal x of the
    /// element, `%` for the current of the controlling element, `#0` and `#1` for the potentials of the nodes.
    pub words: String,
    /// The parameter that it takes over.
    pub given: Option<Given<'m>>,
    /// The nodes whose potentials it takes.
    pub nodes: Vec<NodeId>,
    /// The element whose current it takes.
    pub control: Option<ElementId>,
    /// The value is a law of the own effort or flow, not a factor.
    pub is_law: bool,
}

/// A parameter of an element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Given<'m> {
    /// Its name.
    pub parameter: &'static str,
    /// Its value.
    pub program: &'m Program,
}

impl<'m> Value<'m> {
    /// A number.
    pub fn number(number: f64) -> Self {
        Self::text(format!("{number:?}"))
    }

    /// The value of a parameter.
    pub fn of(parameter: &'static str, program: &'m Program) -> Self {
        Self { given: Some(Given { parameter, program }), ..Self::text("$") }
    }

    /// The value of a parameter in some expression of it.
    pub fn with(words: &str, parameter: &'static str, program: &'m Program) -> Self {
        Self { words: words.into(), ..Self::of(parameter, program) }
    }

    /// An expression.
    pub fn text(words: impl Into<String>) -> Self {
        let (nodes, control) = (Vec::new(), None);
        Self { words: words.into(), given: None, nodes, control, is_law: false }
    }

    /// A factor times the difference of the potentials of two nodes.
    pub fn of_nodes(factor: f64, nodes: [NodeId; 2]) -> Self {
        Self { nodes: nodes.into(), ..Self::text(format!("{factor:?}*(#0 - #1)")) }
    }

    /// A factor times the current of an element.
    pub fn of_current(factor: f64, control: ElementId) -> Self {
        Self { control: Some(control), ..Self::text(format!("{factor:?}*%")) }
    }

    /// A law of the own effort, flow, displacement or momentum.
    pub fn law(words: impl Into<String>) -> Self {
        Self { is_law: true, ..Self::text(words) }
    }

    /// The value with the other sign.
    pub fn negated(self) -> Self {
        Self { words: format!("-({})", self.words), ..self }
    }

    /// Whether the value changes in a run.
    pub fn changes(&self) -> bool {
        self.given.is_some_and(|given| given.program.as_constant().is_none())
            || !self.nodes.is_empty()
            || self.control.is_some()
    }
}

/// A signal of the element: its name, and what it is in the bond graph, with `@` for the name of the part.
pub type Reading = (&'static str, &'static str);

/// What a storage holds at the start: `factor * signal + offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Start {
    /// The signal.
    pub of: StartOf,
    /// Its factor.
    pub factor: f64,
    /// What is added.
    pub offset: f64,
}

/// A signal whose first value a storage needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StartOf {
    /// A signal of the element.
    Own(&'static str),
    /// The speed or the potential of a node.
    Node(NodeId),
}

/// The kind of a part, and its symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartKind {
    /// The kind.
    pub kind: ElementKind,
    /// Follows the name of the element in the name of the part.
    pub suffix: &'static str,
}

/// An element with one bond.
#[derive(Clone, Debug, PartialEq)]
pub struct OnePort<'m> {
    /// Its kind.
    pub what: PartKind,
    /// Its value.
    pub value: Value<'m>,
    /// What it holds at the start.
    pub start: Option<Start>,
    /// Where its bond is.
    pub at: Place,
    /// Its effort and flow have the opposite signs, because it is drawn the other way round.
    pub turned: bool,
    /// Signals.
    pub readings: &'static [Reading],
}

/// An element with two bonds.
#[derive(Clone, Debug, PartialEq)]
pub struct TwoPort<'m> {
    /// Its kind.
    pub what: PartKind,
    /// Its modulus.
    pub value: Value<'m>,
    /// Where power enters.
    pub from: Place,
    /// Where power leaves.
    pub to: Place,
    /// Signals.
    pub readings: &'static [Reading],
}

/// Something without an elementary kind: with several bonds, or with one and known in kind at least.
#[derive(Clone, Debug, PartialEq)]
pub struct BoxPart {
    /// The kind in which it is drawn.
    pub kind: ElementKind,
    /// Where its bonds are.
    pub places: Vec<Place>,
    /// Why it has no elementary kind.
    pub why: &'static str,
}
