//! Writes an instance of a component: its values and connections first, then its blocks.

use super::definitions::{base_of, first_of_path, way_into};
use super::gather::component_of_file;
use super::instance_ports::{write_inputs, write_ports};
use super::instance_values::set_values;
use super::meaning_of_names::indexed_text;
use std::rc::Rc;

use parser::diagnostic::Diagnostic;
use parser::origin::Instance;
use parser::suggest::nearest;
use parser::syntax::Parameter;

use super::Expander;
use super::definitions::{Definition, Item};
use super::environment::{Change, Environment, Given, Ledger, View};
use crate::codes;

/// Deepest chain of instances inside of each other.
const DEEPEST: usize = 200;

/// What an instance is given, sorted.
pub(super) struct Gifts<'a, 's> {
    pub parameters: Vec<Option<Given<'a, 's>>>,
    pub ports: Vec<Option<Given<'a, 's>>>,
    pub inputs: Vec<Option<Given<'a, 's>>>,
}

/// Writes an instance of a component.
pub(super) fn write_instance<'s>(
    expander: &mut Expander<'s>,
    view: View<'_, 's>,
    item: &Item<'s>,
    id: usize,
    local: &str,
    outer_changes: &[Change<'_, 's>],
) {
    expander.used.insert(id);
    let definition = Rc::clone(&expander.definitions[id]);
    if !may_nest(expander, &definition, item, id, local) {
        expander.has_lost_parts = true;
        return;
    }
    let name = [&*view.environment.prefix, local].concat();
    let first = item.first().block;
    let instance = expander.emitter.instance(Instance {
        name: name.clone().into(),
        component: definition.name.into(),
        place: first.name,
        parent: view.environment.instance,
        ports: Box::default(),
    });
    let ledger = Ledger::default();
    let mut changes: Vec<Change<'_, 's>> = Vec::new();
    let mut gifts = Gifts {
        parameters: vec![None; definition.parameters.len()],
        ports: vec![None; definition.ports.len()],
        inputs: vec![None; definition.inputs.len()],
    };
    for layer in &item.layers {
        let view = view.at(layer.place);
        for parameter in layer.place.document.parameters(layer.block) {
            sort_gift(expander, view, &definition, parameter, &mut gifts, &mut changes, &ledger);
        }
    }
    take_changes(&definition, local, outer_changes, &mut gifts, &mut changes);
    let mut environment = Environment {
        definition: Some(Rc::clone(&definition)),
        prefix: [&*name, "."].concat(),
        values: vec![None; definition.parameters.len()],
        ports: Vec::with_capacity(definition.ports.len()),
        instance: Some(instance),
    };
    expander.chain.push(id);
    set_values(expander, &mut environment, &definition, &gifts, item, view);
    expander.instance = view.environment.instance;
    write_ports(expander, view, &mut environment, &definition, &gifts, item);
    write_inputs(expander, &environment, &definition, &gifts, item, view);
    for inner in &definition.items {
        let place = inner.first().place;
        let view = View { environment: &environment, indices: None, place, arguments: &[] };
        expander.write_item(view, inner, &changes);
    }
    expander.chain.pop();
    for change in &changes {
        if std::ptr::eq(change.ledger, &ledger) && !ledger.is_used(change.number) {
            idle_change(expander, &definition, change);
        }
    }
}

/// Sorts the changes that come from the instances around: they win over what the instance is given.
fn take_changes<'a, 's>(
    definition: &Definition<'s>,
    local: &str,
    outer_changes: &[Change<'a, 's>],
    gifts: &mut Gifts<'a, 's>,
    changes: &mut Vec<Change<'a, 's>>,
) {
    // Changes from outside win over what the instance is given here.
    for change in outer_changes {
        let Some(rest) = change.path.strip_prefix(local).and_then(|rest| rest.strip_prefix('.'))
        else {
            continue;
        };
        let given = Given { view: change.view, parameter: change.parameter };
        if !rest.contains('.') && place_gift(definition, rest, given, gifts) {
            change.ledger.mark(change.number);
        } else {
            changes.push(Change { path: rest.to_string(), ..change.clone() });
        }
    }
}

/// May an instance stand here? A component in itself would expand without end.
fn may_nest<'s>(
    expander: &mut Expander<'s>,
    definition: &Definition<'s>,
    item: &Item<'s>,
    id: usize,
    local: &str,
) -> bool {
    let span = item.first().block.keyword;
    if let Some(at) = expander.chain.iter().position(|&outer| outer == id) {
        let mut names: Vec<&str> =
            expander.chain[at..].iter().map(|&outer| expander.definitions[outer].name).collect();
        names.push(definition.name);
        let message =
            format!("component `{}` contains itself: {}", definition.name, names.join(" -> "));
        let mistake = Diagnostic::new(codes::RECURSIVE_COMPONENT, span, message);
        let help = "use Repeat for parts in a row";
        expander.report_once(mistake.also(definition.span, "the component").help(help));
        return false;
    }
    if expander.chain.len() >= DEEPEST {
        let message = format!("components stand in each other deeper than {DEEPEST} levels");
        expander.report_once(Diagnostic::new(codes::TOO_MANY_BLOCKS, span, message));
        return false;
    }
    if local.contains(['-', ' ']) {
        let message = format!("the instance `{local}` cannot have a `-` in its name");
        let help = "its parts are named in expressions, where `-` subtracts";
        let span = item.first().block.name;
        expander.report_once(Diagnostic::new(codes::WRONG_DECLARATION, span, message).help(help));
        return false;
    }
    true
}

/// Sorts one parameter of the instance's block: a value, a connection, or a change of something inside.
fn sort_gift<'a, 's>(
    expander: &mut Expander<'s>,
    view: View<'a, 's>,
    definition: &Definition<'s>,
    parameter: &'s Parameter,
    gifts: &mut Gifts<'a, 's>,
    changes: &mut Vec<Change<'a, 's>>,
    ledger: &'a Ledger,
) {
    let name = expander.sources.text(parameter.name);
    let given = Given { view, parameter };
    if name == "If" || place_gift(definition, name, given, gifts) {
        return;
    }
    let first = first_of_path(name);
    if name.contains('.') && definition.has(first) {
        let indices = view.place.document.name_indices(parameter.name);
        let path = match indices.is_empty() {
            true => Some(name.to_string()),
            false => indexed_text(expander, view, parameter.name, indices),
        };
        if let Some(path) = path {
            let number = ledger.add();
            changes.push(Change { path, view, parameter, number, ledger });
        }
        return;
    }
    if expander.reported.contains(&parameter.name) || definition.is_damaged || expander.lost_blocks
    {
        return;
    }
    let message = format!("component `{}` has no `{first}`", definition.name);
    let inside = definition.blocks.iter().copied();
    let near = match name.contains('.') {
        true => nearest(first, inside),
        false => nearest(first, definition.givable()),
    };
    let all: Vec<&str> = definition.givable().collect();
    let help = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None if definition.has(first) => {
            format!("it is inside; change a value of it by `{first}.parameter = ...;`")
        }
        None if all.is_empty() => "it takes no parameters".into(),
        None => format!("it takes {}", all.join(", ")),
    };
    let mistake = Diagnostic::new(codes::NOT_IN_COMPONENT, parameter.name, message);
    expander.report_once(mistake.also(definition.span, "the component").help(help));
}

/// Reports a change that has found nothing to change.
fn idle_change<'s>(
    expander: &mut Expander<'s>,
    definition: &Definition<'s>,
    change: &Change<'_, 's>,
) {
    if expander.lost_blocks || definition.is_damaged {
        return;
    }
    let message = format!("`{}` changes nothing in component `{}`", change.path, definition.name);
    let help = where_it_ends(expander, definition, &change.path);
    let mistake = Diagnostic::new(codes::NOT_IN_COMPONENT, change.parameter.name, message);
    expander.report_once(mistake.also(definition.span, "the component").help(help));
}

/// Up to where a path leads into a component, and what could be meant behind it.
fn where_it_ends<'s>(expander: &Expander<'s>, definition: &Definition<'s>, path: &str) -> String {
    let or_near = |words: String, near: Option<&str>| match near {
        Some(near) => format!("{words}; did you mean `{near}`?"),
        None => words,
    };
    let mut inside = definition;
    let mut rest = path;
    loop {
        let mut ways =
            inside.items.iter().filter_map(|item| Some((item, way_into(rest, item.base)?)));
        let Some((item, (first, behind))) = ways.next_back() else {
            let first = rest.split('.').next().unwrap_or(rest);
            let base = base_of(first);
            let near = nearest(base, inside.blocks.iter().copied().chain(inside.givable()));
            return or_near(format!("component `{}` has no `{first}`", inside.name), near);
        };
        let component = inside
            .nested
            .get(item.keyword)
            .copied()
            .or_else(|| component_of_file(expander, item.first().place.scope, item.keyword));
        if let Some(id) = component {
            (inside, rest) = (&*expander.definitions[id], behind);
            continue;
        }
        let schema = expander.schemas.get(item.keyword);
        let near = schema.and_then(|s| nearest(behind, s.all_parameters().map(|p| p.name)));
        let words = format!("{} `{first}` has no parameter `{behind}`", item.keyword);
        return or_near(words, near);
    }
}

/// Puts a value where it belongs; false if the component takes nothing of this name.
fn place_gift<'a, 's>(
    definition: &Definition<'s>,
    name: &str,
    given: Given<'a, 's>,
    gifts: &mut Gifts<'a, 's>,
) -> bool {
    let slot = if let Some(&at) = definition.parameter_index.get(name) {
        &mut gifts.parameters[at]
    } else if let Some(&at) = definition.port_index.get(name) {
        &mut gifts.ports[at]
    } else if let Some(&at) = definition.input_index.get(name) {
        &mut gifts.inputs[at]
    } else {
        return false;
    };
    *slot = Some(given);
    true
}
