//! Works out the values of an instance's parameters: those that are given, then the defaults.

use super::choices::chosen;
use super::definitions::{bare, first_of_path, way_into};
use super::gather::{component_of_file, unknown_component};
use super::names_in_values::names_in;
use std::rc::Rc;

use parser::diagnostic::Diagnostic;
use parser::source::Span;
use parser::suggest::nearest;

use super::Expander;
use super::definitions::{Definition, Item, ParameterDeclaration, ParameterKind};
use super::environment::{Environment, View};
use super::instances::Gifts;
use super::parameter_values::Value;
use crate::codes;
use crate::element::{one_of, written};

/// Works out the values of all parameters: those that are given, then defaults in the order of their needs.
pub(super) fn set_values<'s>(
    expander: &mut Expander<'s>,
    environment: &mut Environment<'s>,
    definition: &Rc<Definition<'s>>,
    gifts: &Gifts<'_, 's>,
    item: &Item<'s>,
    view: View<'_, 's>,
) {
    for (at, declared) in definition.parameters.iter().enumerate() {
        if let Some(given) = &gifts.parameters[at] {
            let values = given.view.place.document.values(given.parameter);
            let value = declared_value(expander, given.view, declared, values, given.span());
            environment.values[at] = value
                .filter(|value| fits(expander, environment, definition, at, value, given.span()));
        }
    }
    for &at in &definition.order {
        if gifts.parameters[at].is_some() {
            continue;
        }
        let declared = &definition.parameters[at];
        let Some((place, values)) = &declared.default else {
            not_given(expander, definition, declared, item, view);
            continue;
        };
        let inside =
            View { environment: &*environment, indices: None, place: *place, arguments: &[] };
        let value = declared_value(expander, inside, declared, values, declared.span);
        // What a part by default lacks is told where it is used.
        environment.values[at] = value.filter(|value| {
            !matches!(value, Value::Number(_))
                || fits(expander, environment, definition, at, value, declared.span)
        });
    }
}

/// Reports a parameter that has no default and is not given.
fn not_given<'s>(
    expander: &mut Expander<'s>,
    definition: &Definition<'s>,
    declared: &ParameterDeclaration<'s>,
    item: &Item<'s>,
    view: View<'_, 's>,
) {
    let _ = view;
    let block = item.first().block;
    if item.layers.iter().any(|layer| layer.block.damaged) || definition.is_damaged {
        return;
    }
    let message =
        format!("{} `{}` needs the parameter `{}`", definition.name, item.name, declared.name);
    let about = if declared.about.is_empty() { "" } else { ": " };
    let help = format!("add `{} = ...;`{about}{}", declared.name, declared.about);
    let mistake = Diagnostic::new(codes::NOT_GIVEN, block.name, message);
    // Several parameters may be missing at one place.
    if expander.reported.insert(Span::new(block.name.start, declared.span.start)) {
        expander.report(mistake.also(declared.span, "declared here without Default").help(help));
    }
}

/// The value of a parameter in the kind that it is declared with.
pub(super) fn declared_value<'s>(
    expander: &mut Expander<'s>,
    view: View<'_, 's>,
    declared: &ParameterDeclaration<'s>,
    values: &[parser::syntax::NodeId],
    span: Span,
) -> Option<Value> {
    let document = view.place.document;
    match (&declared.kind, values) {
        (ParameterKind::Any, _) => expander.value(view, values),
        (ParameterKind::Word(choices), [single]) => {
            let single = chosen(expander, view, *single)?;
            let (word, place) = bare(expander.sources, document, single);
            if let Some(Some(Value::Word(word))) = view.parameter(word) {
                return Some(Value::Word(Rc::clone(word)));
            }
            if choices.contains(&word) {
                return Some(Value::Word(word.into()));
            }
            let message = format!("`{}` must be {}, not `{word}`", declared.name, one_of(choices));
            let near = nearest(word, choices.iter().copied());
            let help = near.map(|near| format!("did you mean `{near}`?"));
            let mistake = Diagnostic::new(codes::WRONG_WORD, place, message);
            expander.report_once(mistake.maybe_help(help));
            None
        }
        (ParameterKind::Component(_), [single]) => {
            let single = chosen(expander, view, *single)?;
            let (name, place) = bare(expander.sources, document, single);
            if let Some(Some(Value::Component(id))) = view.parameter(name) {
                return Some(Value::Component(*id));
            }
            let nested = view.definition().and_then(|d| d.nested.get(name).copied());
            match nested.or_else(|| component_of_file(expander, view.place.scope, name)) {
                Some(id) => Some(Value::Component(id)),
                None => {
                    if expander.reported.insert(place) {
                        unknown_component(
                            expander,
                            view.place.scope,
                            view.definition(),
                            name,
                            place,
                        );
                    }
                    None
                }
            }
        }
        _ => {
            let message = format!("`{}` takes one value", declared.name);
            expander.report_once(Diagnostic::new(codes::WRONG_COUNT, span, message));
            None
        }
    }
}

/// Is a given value in its range, and a given component as the declaration asks?
pub(super) fn fits<'s>(
    expander: &mut Expander<'s>,
    environment: &Environment<'s>,
    definition: &Rc<Definition<'s>>,
    at: usize,
    value: &Value,
    span: Span,
) -> bool {
    let declared = &definition.parameters[at];
    if let (ParameterKind::Component(_), Value::Component(id)) = (&declared.kind, value) {
        return can_stand_in(expander, definition, declared.name, *id, span);
    }
    let Value::Number(number) = *value else { return true };
    let bound = |expander: &mut Expander<'s>, bound: &Option<_>| {
        bound.as_ref().and_then(|&(place, id)| {
            let view = View { environment, indices: None, place, arguments: &[] };
            expander.number(view, id)
        })
    };
    let (min, max) = (bound(expander, &declared.min), bound(expander, &declared.max));
    let words = match (min, max) {
        (Some(min), _) if number < min => format!("at least {}", written(min)),
        (_, Some(max)) if number > max => format!("at most {}", written(max)),
        _ => return true,
    };
    let message = format!("`{}` must be {words}, not {}", declared.name, written(number));
    let mistake = Diagnostic::new(codes::OUT_OF_RANGE, span, message);
    let is_default = span == declared.span;
    expander.report_once(match is_default {
        true => mistake,
        false => mistake.also(declared.span, "declared here"),
    });
    false
}

/// Has a component everything of a part that is used? What is missing is reported.
fn can_stand_in<'s>(
    expander: &mut Expander<'s>,
    definition: &Rc<Definition<'s>>,
    name: &str,
    id: usize,
    span: Span,
) -> bool {
    let given = Rc::clone(&expander.definitions[id]);
    let mut missing: Vec<String> = Vec::new();
    let mut parts: Vec<&str> = Vec::new();
    let mut open: Vec<&Item<'s>> = definition.items.iter().collect();
    while let Some(item) = open.pop() {
        open.extend(&item.inner);
        if item.keyword != name {
            continue;
        }
        parts.push(item.base);
        for layer in &item.layers {
            for parameter in layer.place.document.parameters(layer.block) {
                let used = expander.sources.text(parameter.name);
                let first = first_of_path(used);
                let is_known = given.givable().any(|known| known == first)
                    || (used.contains('.') && given.has(first));
                if !is_known && used != "If" {
                    missing.push(first.to_string());
                }
            }
        }
    }
    for used in parts_used(expander, definition, &parts) {
        let is_known = given.has(&used) || given.givable().any(|known| known == used);
        if !is_known {
            missing.push(used);
        }
    }
    missing.sort_unstable();
    missing.dedup();
    if missing.is_empty() || given.is_damaged {
        return true;
    }
    let quoted: Vec<String> = missing.iter().map(|name| format!("`{name}`")).collect();
    let message = format!(
        "component `{}` cannot be the {name} of `{}`: it has no {}",
        given.name,
        definition.name,
        quoted.join(", ")
    );
    let mistake = Diagnostic::new(codes::DOES_NOT_FIT, span, message);
    let help = "it must have all ports, inputs, signals and parameters that are used";
    expander.report_once(mistake.also(given.span, "the component").help(help));
    false
}

/// The names that a component uses of its parts: `d.tau` uses `tau` of `d`.
fn parts_used<'s>(
    expander: &Expander<'s>,
    definition: &Definition<'s>,
    parts: &[&str],
) -> Vec<String> {
    let mut used = Vec::new();
    let mut open: Vec<&Item<'s>> = definition.items.iter().collect();
    while let Some(item) = open.pop() {
        open.extend(&item.inner);
        for layer in &item.layers {
            let document = layer.place.document;
            let mut visit = |span: Span| {
                let path = expander.sources.text(span);
                // Names of parts may have dots of their own.
                if let Some((_, inside)) = parts.iter().find_map(|part| way_into(path, part)) {
                    used.push(first_of_path(inside).to_string());
                }
            };
            for parameter in document.parameters(layer.block) {
                names_in(layer.place, document.values(parameter), &mut visit);
            }
            for equation in document.equations(layer.block) {
                names_in(layer.place, &[equation.left, equation.right], &mut visit);
            }
        }
    }
    used
}
