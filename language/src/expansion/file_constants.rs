//! The values of the Parameters blocks of all files.
//!
//! Parameters of the main file that are numbers stay names in the flat model, so that they can be set; their values are
//! known here because indices, conditions and parameters of instances need them. Their mistakes are reported when the
//! flat model is read.

use super::definitions::first_of_path;
use super::gather::place;
use super::names_in_values::{calls_in, names_in};
use super::ordering::order_by_needs;
use equations::expression::{CustomFunction, compile};
use parser::diagnostic::{Diagnostic, Diagnostics};
use parser::syntax::{NodeKind, Parameter};

use super::environment::View;
use super::expressions::ConstantNames;
use super::{Expander, top_level};
use crate::codes;

/// Works out all constants; values of the command line replace those of the main file.
pub(super) fn evaluate_constants<'s>(expander: &mut Expander<'s>, overrides: &[(u32, Parameter)]) {
    for (document, parameter) in overrides {
        let name = expander.sources.text(parameter.name);
        if let Some(&at) = expander.names.first().and_then(|names| names.constants.get(name)) {
            let place = place(expander, *document, 0);
            expander.constants[at].place = place;
            expander.constants[at].values = place.document.values(parameter).to_vec();
        }
    }
    let needs = |at: usize| needs(expander, at);
    let (order, cycles) =
        order_by_needs(expander.constants.len() + expander.functions.len(), needs);
    for cycle in cycles {
        // Cycles through formulas are reported when the flat model is read.
        let Some(first) = expander.constants.get(cycle[0]) else { continue };
        let is_constant = |at: &usize| *at < expander.constants.len();
        if !cycle.iter().all(is_constant) {
            continue;
        }
        // Cycles of the main file are reported when the flat model is read.
        if first.place.scope > 0 {
            let names: Vec<&str> = cycle.iter().map(|&at| expander.constants[at].name).collect();
            let message =
                format!("parameter `{}` depends on itself: {}", names[0], names.join(" -> "));
            expander.report(Diagnostic::new(codes::PARAMETER_CYCLE, first.span, message));
        }
    }
    let top = top_level();
    for at in order {
        if let Some(function) = at.checked_sub(expander.constants.len()) {
            compile_function(expander, function);
            continue;
        }
        let (place, values) = (expander.constants[at].place, expander.constants[at].values.clone());
        let view = View { environment: &top, indices: None, place, arguments: &[] };
        let stays = place.scope == 0 && !is_special_constant(expander, at);
        let value = if stays {
            silently(expander, |expander| expander.value(view, &values))
        } else {
            expander.value(view, &values)
        };
        expander.constants[at].value = value;
    }
}

/// Does something whose mistakes are found again, and reported, when the flat model is written and read.
fn silently<'s, T>(expander: &mut Expander<'s>, act: impl FnOnce(&mut Expander<'s>) -> T) -> T {
    let diagnostics = std::mem::take(&mut expander.diagnostics);
    let reported = std::mem::take(&mut expander.reported);
    let done = act(expander);
    (expander.diagnostics, expander.reported) = (diagnostics, reported);
    done
}

/// The constants and functions that a constant or function names; functions have the numbers behind the constants.
pub(super) fn needs<'s>(expander: &Expander<'s>, at: usize) -> Vec<usize> {
    let function = at.checked_sub(expander.constants.len()).map(|at| &expander.functions[at]);
    let (place, values) = match function {
        Some(function) => (function.place, &function.value),
        None => (expander.constants[at].place, &expander.constants[at].values),
    };
    let names = &expander.names[place.scope];
    let mut all = Vec::new();
    names_in(place, values, &mut |span| {
        all.extend(names.constants.get(first_of_path(expander.sources.text(span))));
    });
    calls_in(place, values, &mut |span| {
        let full = names.formulas.get(expander.sources.text(span));
        let function = full.and_then(|full| expander.function_index.get(full));
        all.extend(function.map(|function| expander.constants.len() + function));
    });
    all
}

/// Compiles a formula of a file for constant expressions. Its mistakes are reported when the flat model is read.
fn compile_function<'s>(expander: &mut Expander<'s>, at: usize) {
    let (place, arguments) =
        (expander.functions[at].place, expander.functions[at].arguments.clone());
    let [value] = expander.functions[at].value[..] else { return };
    let top = top_level();
    let view = View { environment: &top, indices: None, place, arguments: &arguments };
    let compiled = silently(expander, |expander| {
        let mark = expander.emitter.mark();
        let written = expander.expression(view, value);
        let names = ConstantNames { expander, arguments: &arguments };
        let compiled = compile(expander.emitter.document(), written, &names).ok();
        expander.emitter.go_back(mark);
        compiled
    });
    let n_arguments = arguments.len();
    expander.functions[at].function =
        compiled.map(|program| CustomFunction { n_arguments, program });
}

/// Has a constant no place in a flat model, because it is a list or a text?
pub(super) fn is_special_constant<'s>(expander: &Expander<'s>, at: usize) -> bool {
    let constant = &expander.constants[at];
    match constant.values[..] {
        [single] => {
            let kind = constant.place.document.node(single).kind;
            matches!(kind, NodeKind::List(_) | NodeKind::Text)
                || constant.value.as_ref().is_some_and(|value| {
                    !matches!(value, super::parameter_values::Value::Number(_))
                })
        }
        [] => false,
        _ => true,
    }
}

/// Takes mistakes of a part that is only tried.
pub(super) fn append<'s>(expander: &mut Expander<'s>, mistakes: &Diagnostics) {
    for mistake in mistakes.iter() {
        expander.report_once(mistake.clone());
    }
}
