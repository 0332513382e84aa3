//! Checks the components that no instance uses: a model of an instance of each, whose ports lead nowhere, is read for
//! mistakes in names, types and references. Values that nobody gives are unknown, and nothing is said about them.

use super::file_constants::evaluate_constants;
use super::gather::{gather, place};
use super::instance_values::declared_value;
use super::observed::find_observed;
use std::rc::Rc;

use parser::diagnostic::{Code, Diagnostics};
use parser::source::Span;
use rustc_hash::FxHashSet;

use super::definitions::{Definition, ParameterKind, PortDomain};
use super::environment::{Binding, Environment, View};
use super::file_scopes::FileScope;
use super::parameter_values::Value;
use super::{Expander, FlatBlock, Texts};
use crate::codes;

/// Mistakes that do not depend on what an instance would be given.
pub(super) const CERTAIN: &[Code] = &[
    codes::UNKNOWN_BLOCK,
    codes::UNKNOWN_PARAMETER,
    codes::UNKNOWN_REFERENCE,
    codes::WRONG_REFERENCE,
    codes::AMBIGUOUS,
    codes::DUPLICATE_NAME,
    codes::RESERVED_NAME,
    codes::REQUIRED,
    codes::WRONG_COUNT,
    codes::WRONG_WORD,
    codes::UNKNOWN_NAME,
    codes::UNKNOWN_SIGNAL,
    codes::UNKNOWN_FUNCTION,
    codes::WRONG_ARGUMENTS,
    codes::NOT_CONSTANT,
    codes::MIXED_DOMAINS,
    codes::UNKNOWN_COMPONENT,
    codes::RECURSIVE_COMPONENT,
    codes::NOT_IN_COMPONENT,
    codes::NOT_GIVEN,
    codes::WRONG_DECLARATION,
];

/// The messages that are certain about unused components.
pub(crate) fn certain(found: &Diagnostics) -> Diagnostics {
    let mut kept = Diagnostics::default();
    found.iter().filter(|d| CERTAIN.contains(&d.code)).for_each(|d| kept.push(d.clone()));
    kept
}

/// Writes the model for the check; nothing if every component is used. The places are those of the components.
pub(crate) fn expand_unused(texts: Texts<'_>, used: &FxHashSet<usize>) -> Option<super::Flat> {
    let mut expander = Expander::new(texts);
    gather(&mut expander, texts.scopes);
    let unused: Vec<usize> = (0..expander.definitions.len())
        .filter(|id| !used.contains(id) && !is_shipped(&expander, *id))
        .collect();
    if unused.is_empty() {
        return None;
    }
    // All that was found up to here is reported by the first expansion.
    evaluate_constants(&mut expander, texts.overrides);
    find_observed(&mut expander);
    expander.diagnostics = Diagnostics::default();
    write_settings(&mut expander, texts.scopes);
    expander.diagnostics = Diagnostics::default();
    for id in unused {
        write_probe(&mut expander, id);
    }
    Some(expander.finish())
}

/// Does a component belong to the library that is shipped with the program?
fn is_shipped<'s>(expander: &Expander<'s>, id: usize) -> bool {
    let definition = &expander.definitions[id];
    let source = expander.sources.source_of(definition.span);
    source.is_some_and(|source| source.name().starts_with('<'))
}

/// Writes constants and formulas, which all expressions may use.
fn write_settings<'s>(expander: &mut Expander<'s>, scopes: &[FileScope]) {
    let top = super::top_level();
    for (scope, file) in scopes.iter().enumerate() {
        for &(document, index) in &file.blocks {
            let place = place(expander, document, scope);
            let Some(block) = place.document.blocks().get(index as usize) else { continue };
            let keyword = expander.sources.text(block.keyword);
            if keyword == "Formula" || (keyword == "Parameters" && scope == 0) {
                let view = View { environment: &top, indices: None, place, arguments: &[] };
                expander.write_top_block(view, block);
            }
        }
    }
}

/// Writes an instance that is given nothing.
fn write_probe<'s>(expander: &mut Expander<'s>, id: usize) {
    let definition = Rc::clone(&expander.definitions[id]);
    let mut environment = Environment {
        definition: Some(Rc::clone(&definition)),
        prefix: format!("{}.", definition.name),
        values: vec![None; definition.parameters.len()],
        ports: Vec::new(),
        instance: None,
    };
    expander.chain.push(id);
    set_defaults(expander, &mut environment, &definition);
    for port in &definition.ports {
        match port.domain {
            PortDomain::Frame => write_probe_triad(expander, &environment, port.name, port.span),
            PortDomain::Unknown => {}
            _ => {
                let view = inside(expander, &environment, &definition);
                expander.write_port(view, port, None);
            }
        }
        environment.ports.push(Binding::Inside);
    }
    for input in &definition.inputs {
        write_probe_input(expander, &environment, input.name, input.span);
    }
    for inner in &definition.items {
        let place = inner.first().place;
        let view = View { environment: &environment, indices: None, place, arguments: &[] };
        expander.write_item(view, inner, &[]);
    }
    expander.chain.pop();
}

pub(super) fn inside<'a, 's>(
    expander: &Expander<'s>,
    environment: &'a Environment<'s>,
    definition: &Definition<'s>,
) -> View<'a, 's> {
    let place = place(expander, 0, definition.scope);
    View { environment, indices: None, place, arguments: &[] }
}

/// The defaults; what has none is unknown, but a word is the first choice.
fn set_defaults<'s>(
    expander: &mut Expander<'s>,
    environment: &mut Environment<'s>,
    definition: &Rc<Definition<'s>>,
) {
    for &at in &definition.order {
        let declared = &definition.parameters[at];
        let value = match (&declared.default, &declared.kind) {
            (Some((place, values)), _) => {
                let place = *place;
                let view =
                    View { environment: &*environment, indices: None, place, arguments: &[] };
                declared_value(expander, view, declared, values, declared.span)
            }
            (None, ParameterKind::Word(choices)) => {
                choices.first().map(|word| Value::Word((*word).into()))
            }
            _ => None,
        };
        environment.values[at] = value;
    }
}

fn write_probe_triad<'s>(
    expander: &mut Expander<'s>,
    environment: &Environment<'s>,
    name: &str,
    span: Span,
) {
    let name = format!("{}{name}", environment.prefix);
    expander.emitter.begin_block(("Triad", span), (&name, span), None);
    expander.write_word("Parent", "world", span, span);
    expander.emitter.end_block(true);
    expander.order.push(FlatBlock::Emitted(expander.emitter.count() as u32 - 1));
}

fn write_probe_input<'s>(
    expander: &mut Expander<'s>,
    environment: &Environment<'s>,
    name: &str,
    span: Span,
) {
    let name = format!("{}{name}", environment.prefix);
    expander.emitter.begin_block(("Signal", span), (&name, span), None);
    expander.emitter.begin_line();
    let value = expander.emitter.piece("Value", span);
    expander.emitter.equals_sign();
    let zero = expander.write_number(0.0, span);
    expander.emitter.end_parameter(value, &[zero]);
    expander.emitter.end_block(false);
    expander.order.push(FlatBlock::Emitted(expander.emitter.count() as u32 - 1));
}
