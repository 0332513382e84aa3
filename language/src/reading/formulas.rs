//! How the functions of a model are compiled: which names their values may use.

use std::cell::RefCell;

use parser::diagnostic::Diagnostic;
use parser::source::Span;
use parser::suggest::nearest;
use parser::syntax::{Document, NodeId, NodeKind};

use super::context::Context;
use super::scope::{Scope, Scoped};
use crate::codes;
use equations::expression::{
    Called, CustomFunction, Names, Operand, RATE, argument, compile, function_index,
};

/// The value of a block of a formula.
pub(crate) fn value(context: &Context<'_>, block: u32) -> Option<NodeId> {
    let given = context.parameter_of(block, "Value")?;
    match *context.document_of(block).values(given) {
        [value] => Some(value),
        _ => None,
    }
}

/// The names of the arguments of a formula. Mistakes in them are reported when the block is read.
pub(crate) fn arguments<'s>(context: &Context<'s>, block: u32) -> Vec<&'s str> {
    let Some(given) = context.parameter_of(block, "Of") else { return Vec::new() };
    let document = context.document_of(block);
    let values = match *document.values(given) {
        [single] => match document.node(single).kind {
            NodeKind::List(run) => document.members(run),
            _ => document.values(given),
        },
        _ => document.values(given),
    };
    values.iter().map(|&id| context.sources.text(document.node(id).span)).collect()
}

/// The names in the value of a formula: its arguments, then what every constant expression may name, and the time.
struct FormulaNames<'n, 'c, 's> {
    scoped: Scoped<'c, 's>,
    arguments: &'n [&'s str],
    /// Which of them are named.
    used: RefCell<Vec<bool>>,
}

impl Names for FormulaNames<'_, '_, '_> {
    fn operand(&self, path: &str, span: Span) -> Result<Operand<'_>, Option<Box<Diagnostic>>> {
        if let Some(number) = self.arguments.iter().position(|known| *known == path) {
            self.used.borrow_mut()[number] = true;
            return Ok(Operand::Signal(argument(number as u16)));
        }
        let mistake = match self.scoped.operand(path, span) {
            Ok(operand) => return Ok(operand),
            Err(mistake) => mistake,
        };
        // Of a name that is not known, the arguments are the first choice.
        let near = nearest(path, self.arguments.iter().copied());
        Err(mistake.map(|mistake| match near {
            Some(near) if mistake.code == codes::UNKNOWN_NAME => {
                let message = format!("there is no argument or parameter `{path}`");
                let diagnostic = Diagnostic::new(codes::UNKNOWN_NAME, span, message);
                Box::new(diagnostic.help(format!("did you mean `{near}`?")))
            }
            _ => mistake,
        }))
    }

    fn text(&self, span: Span) -> &str {
        self.scoped.text(span)
    }

    fn function(&self, name: &str) -> Called<'_> {
        self.scoped.function(name)
    }

    fn similar_function(&self, name: &str) -> Option<&str> {
        self.scoped.similar_function(name)
    }
}

/// A formula, compiled; mistakes are reported.
pub(crate) fn compiled(
    context: &mut Context<'_>,
    block: u32,
    document: &Document,
    value: NodeId,
) -> Option<CustomFunction> {
    let (name, span) = (context.name(block), context.blocks[block as usize].name);
    if function_index(name).is_some() || name == RATE {
        let message = format!("`{name}` is a function of the language and cannot be a Formula");
        context.report(Diagnostic::new(codes::RESERVED_NAME, span, message));
        return None;
    }
    let arguments = arguments(context, block);
    let scoped = Scoped::new(context, Scope::Formula);
    let used = RefCell::new(vec![false; arguments.len()]);
    let names = FormulaNames { scoped, arguments: &arguments, used };
    let compiled = compile(document, value, &names);
    let used = names.used.into_inner();
    let program = match compiled {
        Ok(program) => program,
        Err(mistakes) => {
            context.diagnostics.append(mistakes);
            return None;
        }
    };
    report_unused(context, block, &arguments, &used);
    Some(CustomFunction { n_arguments: arguments.len(), program })
}

/// Arguments that the value does not use.
fn report_unused(context: &mut Context<'_>, block: u32, arguments: &[&str], used: &[bool]) {
    let place = context.place_of(block, "Of");
    for (name, _) in arguments.iter().zip(used).filter(|(_, used)| !**used) {
        let message =
            format!("the argument `{name}` of the Formula `{}` is not used", context.name(block));
        context.report(Diagnostic::new(codes::NO_EFFECT, place, message));
    }
}
