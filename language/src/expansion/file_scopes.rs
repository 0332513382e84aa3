//! The names of a file: its Parameters, Components and Formulas, and the files that it includes under a name.

use equations::expression::CustomFunction;
use parser::source::Span;
use parser::syntax::NodeId;
use rustc_hash::FxHashMap;

use super::definitions::Place;
use super::parameter_values::Value;

/// What a file scope is made of: the main file with what it includes plainly, or a file that is included under a name.
#[derive(Clone, Debug, Default)]
pub(crate) struct FileScope {
    /// Document, and index of the block in the document, included files in place.
    pub blocks: Vec<(u32, u32)>,
    /// Names of included files: name, scope, place of the name.
    pub namespaces: Vec<(String, usize, Span)>,
}

/// An entry of a Parameters block of a file.
#[derive(Clone, Debug)]
pub(super) struct Constant<'s> {
    pub name: &'s str,
    pub span: Span,
    pub place: Place<'s>,
    pub values: Vec<NodeId>,
    /// None before it is known, and for one that is wrong.
    pub value: Option<Value>,
}

/// The names that a file gives to those who stand in it.
#[derive(Debug, Default)]
pub(super) struct Names<'s> {
    /// Constants by their numbers.
    pub constants: FxHashMap<&'s str, usize>,
    /// Components by their numbers.
    pub components: FxHashMap<&'s str, usize>,
    /// The full names of formulas.
    pub formulas: FxHashMap<&'s str, String>,
    /// Scopes of included files.
    pub namespaces: FxHashMap<String, usize>,
    /// What stands before the names of this file in the flat model: empty, or a name with its dot.
    pub prefix: String,
}

/// A formula of a file.
#[derive(Clone, Debug)]
pub(super) struct FileFunction<'s> {
    pub name: &'s str,
    pub place: Place<'s>,
    pub arguments: Vec<&'s str>,
    /// The value, if it is one.
    pub value: Vec<NodeId>,
    /// The formula in constant expressions; none for one that is wrong or names signals.
    pub function: Option<CustomFunction>,
}
