//! Parameters that sensitivities vary: entries of Parameters blocks and values of elements, by name.

use parser::diagnostic::Diagnostic;
use parser::source::Span;
use parser::suggest::nearest;
use parser::syntax::{Document, NodeId};

use super::context::Context;
use super::fields::ParameterNames;
use super::names::{self, Found, SignalPath};
use crate::codes;
use crate::element::BlockSchema;

/// A value of an element that is to be another one than the text says.
#[derive(Clone, Debug, PartialEq)]
pub struct Variation {
    /// The path of the value, such as `Ra.R` or `link.Inertia[4]`.
    pub path: String,
    /// By how much it is larger, in the unit in which it is written.
    pub by: f64,
}

/// The place of a varied value.
pub(crate) struct VariedValue<'s> {
    pub document: &'s Document,
    pub node: NodeId,
    pub by: f64,
    /// The value as the text says it, once it is read.
    pub written: Option<f64>,
}

/// Finds the value that a variation changes.
pub(crate) fn find<'s>(context: &Context<'s>, variation: &Variation) -> Option<VariedValue<'s>> {
    let (document, node) = place(context, &variation.path)?;
    Some(VariedValue { document, node, by: variation.by, written: None })
}

/// The value that a path means: a component of a parameter of a block.
fn place<'s>(context: &Context<'s>, path: &str) -> Option<(&'s Document, NodeId)> {
    let SignalPath { keyword, element, signal: name, component } = names::split_path(path)?;
    let accept = |schema: &BlockSchema| schema.all_parameters().any(|own| own.name == name);
    let found = names::find(&context.index, &context.blocks, keyword, element, accept);
    let Found::One(block) = found else { return None };
    let parameter = context.parameter_of(block, name)?;
    let document = context.document_of(block);
    let node = document.values(parameter).get(component.checked_sub(1)?)?;
    Some((document, *node))
}

/// Reports names of parameters that do not exist.
pub(crate) fn check(context: &mut Context<'_>, names: &ParameterNames) {
    for (name, span) in &names.0 {
        if context.constants.contains_key(name.as_str()) || place(context, name).is_some() {
            continue;
        }
        let mistake = unknown(context, name, *span);
        context.report_missing(mistake);
    }
}

fn unknown(context: &Context<'_>, name: &str, span: Span) -> Diagnostic {
    let message = format!("there is no parameter `{name}` to vary");
    let block = names::split_path(name).and_then(|path| {
        let accept = |_: &BlockSchema| true;
        match names::find(&context.index, &context.blocks, path.keyword, path.element, accept) {
            Found::One(block) => Some((block, path.signal.to_string())),
            _ => None,
        }
    });
    let help = match block {
        Some((block, parameter)) => {
            let schema = context.blocks[block as usize].schema;
            let all: Vec<&str> = schema.all_parameters().map(|own| own.name).collect();
            match all.contains(&parameter.as_str()) {
                true => format!("write `{parameter}` in the block: only a value that is written can be varied"),
                false => nearest(&parameter, all.iter().copied()).map_or_else(
                    || format!("its parameters are {}", all.join(", ")),
                    |near| format!("did you mean `{}.{near}`?", context.name(block)),
                ),
            }
        }
        None => nearest(name, context.constants.keys().copied()).map_or_else(
            || "name an entry of a Parameters block, or a parameter of an element: `R1.R`, `link.Inertia[4]`".into(),
            |near| format!("did you mean `{near}`?"),
        ),
    };
    Diagnostic::new(codes::UNKNOWN_NAME, span, message).help(help)
}
