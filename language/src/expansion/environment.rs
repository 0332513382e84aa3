//! What the names in a place mean: the values of an instance, the indices of Repeats around it, the names of its file.

use std::rc::Rc;

use parser::source::Span;
use parser::syntax::Parameter;

use super::definitions::{Definition, Place};
use super::parameter_values::Value;

/// What a port of an instance is joined to.
#[derive(Clone, Debug)]
pub(super) enum Binding {
    /// The full name of a node or triad outside; blocks inside use it directly.
    Outside(String),
    /// The port has a node of its own inside, because it is not joined to anything, or because its flow is looked at.
    Inside,
}

/// One instance while its blocks are written; the model itself is one without a definition.
#[derive(Debug)]
pub(super) struct Environment<'s> {
    pub definition: Option<Rc<Definition<'s>>>,
    /// The full name with a dot; empty at top level.
    pub prefix: String,
    /// Values of the parameters; none for one that is wrong.
    pub values: Vec<Option<Value>>,
    pub ports: Vec<Binding>,
    /// The number of the instance.
    pub instance: Option<u32>,
}

/// The index of a Repeat, and those around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Indices<'a> {
    pub name: &'a str,
    pub value: f64,
    pub outer: Option<&'a Indices<'a>>,
}

impl Indices<'_> {
    /// The value of an index.
    fn find(&self, name: &str) -> Option<f64> {
        std::iter::successors(Some(self), |inner| inner.outer)
            .find(|index| index.name == name)
            .map(|index| index.value)
    }
}

/// Where an expression stands: who gives its names a meaning.
#[derive(Clone, Copy, Debug)]
pub(super) struct View<'a, 's> {
    pub environment: &'a Environment<'s>,
    pub indices: Option<&'a Indices<'a>>,
    pub place: Place<'s>,
    /// Names that mean themselves: the arguments of a Formula.
    pub arguments: &'a [&'s str],
}

impl<'a, 's> View<'a, 's> {
    /// The same surroundings for a text of another place.
    pub(super) fn at(self, place: Place<'s>) -> Self {
        Self { place, ..self }
    }

    /// The value of an index of a Repeat.
    pub(super) fn index(&self, name: &str) -> Option<f64> {
        self.indices.and_then(|indices| indices.find(name))
    }

    /// The definition of the instance, if it is one.
    pub(super) fn definition(&self) -> Option<&'a Definition<'s>> {
        self.environment.definition.as_deref()
    }

    /// The value of a parameter of the instance; `Some(None)` for one that is wrong.
    pub(super) fn parameter(&self, name: &str) -> Option<Option<&'a Value>> {
        let at = *self.definition()?.parameter_index.get(name)?;
        Some(self.environment.values.get(at).and_then(Option::as_ref))
    }
}

/// A change of something inside of an instance: `Ra.R = 260;`.
#[derive(Clone, Debug)]
pub(super) struct Change<'a, 's> {
    /// What is left of the path.
    pub path: String,
    /// Who gives the value.
    pub view: View<'a, 's>,
    pub parameter: &'s Parameter,
    /// Its number among all changes of the instance where it is written.
    pub number: usize,
    /// The list that notes which changes found what they change.
    pub ledger: &'a Ledger,
}

/// Which changes of an instance have found what they change.
#[derive(Debug, Default)]
pub(super) struct Ledger(std::cell::RefCell<Vec<bool>>);

impl Ledger {
    /// Takes up one more change.
    pub(super) fn add(&self) -> usize {
        let mut used = self.0.borrow_mut();
        used.push(false);
        used.len() - 1
    }

    /// Notes that a change has found what it changes.
    pub(super) fn mark(&self, number: usize) {
        if let Some(used) = self.0.borrow_mut().get_mut(number) {
            *used = true;
        }
    }

    /// Whether a change has found what it changes.
    pub(super) fn is_used(&self, number: usize) -> bool {
        self.0.borrow().get(number).copied().unwrap_or(true)
    }
}

/// What a leaf of an expression becomes.
#[derive(Clone, Debug)]
pub(super) enum Leaf {
    /// What it is.
    Keep,
    /// A number.
    Number(f64),
    /// Another path.
    Path(String),
    /// A value that is no number.
    Value(Value),
    /// Something that is wrong and reported.
    Broken,
}

/// Where a value of a parameter comes from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Given<'a, 's> {
    pub view: View<'a, 's>,
    pub parameter: &'s Parameter,
}

impl Given<'_, '_> {
    /// Where the value stands.
    pub(super) fn span(&self) -> Span {
        self.parameter.value
    }
}
