//! Gathers the declarations of all files: constants, components with their bases, formulas, names of included files.

use super::bases::inherit;
use super::define::fill;
use super::definitions::bare;
use super::named_nodes::find_nodes;
use super::ordering::order_by_needs;
use std::rc::Rc;

use parser::diagnostic::Diagnostic;
use parser::source::Span;
use parser::suggest::nearest;
use rustc_hash::FxHashMap;

use super::Expander;
use super::definitions::{Definition, Layer, Place};
use super::file_scopes::{Constant, FileFunction, FileScope};
use crate::codes;

/// A Component block as it is written.
struct Written<'s> {
    layer: Layer<'s>,
    name: &'s str,
    /// The component that it is declared in.
    parent: Option<usize>,
    /// Components that are declared in it.
    nested: FxHashMap<&'s str, usize>,
    /// The name that its users write.
    full_name: &'s str,
}

/// Gathers the declarations of all files.
pub(super) fn gather<'s>(expander: &mut Expander<'s>, scopes: &[FileScope]) {
    let mut written = Vec::new();
    for (scope, file) in scopes.iter().enumerate() {
        for &(document, index) in &file.blocks {
            let place = place(expander, document, scope);
            let Some(block) = place.document.blocks().get(index as usize) else { continue };
            declare(expander, Layer { place, block }, &mut written);
        }
    }
    // Prefixes follow the first name under which a file is included.
    for (scope, file) in scopes.iter().enumerate() {
        let prefix = expander.names[scope].prefix.clone();
        for (name, other, _) in &file.namespaces {
            expander.names[scope].namespaces.insert(name.clone(), *other);
            if expander.names[*other].prefix.is_empty() {
                expander.names[*other].prefix = format!("{prefix}{name}.");
            }
        }
    }
    for names in &mut expander.names {
        let prefix = &names.prefix;
        names.formulas.iter_mut().for_each(|(name, full)| *full = format!("{prefix}{name}"));
    }
    for (at, function) in expander.functions.iter().enumerate() {
        let prefix = &expander.names[function.place.scope].prefix;
        expander.function_index.insert(format!("{prefix}{}", function.name), at);
    }
    define(expander, &written);
}

/// The place of a document.
pub(super) fn place<'s>(expander: &Expander<'s>, document: u32, scope: usize) -> Place<'s> {
    Place { document: &expander.documents[document as usize], index: document, scope }
}

/// Takes up what one block of a file declares.
fn declare<'s>(expander: &mut Expander<'s>, layer: Layer<'s>, written: &mut Vec<Written<'s>>) {
    let Layer { place, block } = layer;
    let keyword = expander.sources.text(block.keyword);
    let name = expander.sources.text(block.name);
    match keyword {
        "Parameters" => declare_constants(expander, layer),
        "Component" => {
            let id = add_component(expander, layer, None, written);
            if let Some(&first) = expander.names[place.scope].components.get(name) {
                let message = format!("there are two components `{name}`");
                let mistake = Diagnostic::new(codes::DUPLICATE_NAME, block.name, message);
                let there = written[first].layer.block.name;
                let help = "give one of them another name";
                expander.report(mistake.also(there, "the first one").help(help));
            } else {
                expander.names[place.scope].components.insert(name, id);
            }
        }
        "Formula" => {
            expander.names[place.scope].formulas.insert(name, name.to_string());
            declare_function(expander, layer);
        }
        "Include" | "Header" | "System" | "Solver" | "Output" => {}
        _ if place.scope > 0 => {
            let message =
                format!("the {keyword} `{name}` of a file included `As` a name is left out");
            let mistake = Diagnostic::new(codes::NOT_TAKEN_OVER, block.keyword, message);
            let help = "such a file gives its Components, Formulas and Parameters; include it without `As` to have all";
            expander.report(mistake.help(help));
        }
        _ => {}
    }
}

fn declare_constants<'s>(expander: &mut Expander<'s>, layer: Layer<'s>) {
    let Layer { place, block } = layer;
    for parameter in place.document.parameters(block) {
        let name = expander.sources.text(parameter.name);
        let values = place.document.values(parameter).to_vec();
        if name == "If" || expander.names[place.scope].constants.contains_key(name) {
            continue;
        }
        expander.names[place.scope].constants.insert(name, expander.constants.len());
        let span = parameter.name;
        expander.constants.push(Constant { name, span, place, values, value: None });
    }
}

/// A formula of a file, which constant expressions may call.
fn declare_function<'s>(expander: &mut Expander<'s>, layer: Layer<'s>) {
    let Layer { place, block } = layer;
    let given = |name: &str| {
        let mut all = place.document.parameters(block).iter();
        all.find(|parameter| expander.sources.text(parameter.name) == name)
    };
    let values = |name: &str| given(name).map_or(&[][..], |p| place.document.values(p));
    let arguments = values("Of").iter();
    let arguments = arguments.map(|&id| bare(expander.sources, place.document, id).0).collect();
    let name = expander.sources.text(block.name);
    let value = values("Value").to_vec();
    expander.functions.push(FileFunction { name, place, arguments, value, function: None });
}

/// Makes the definitions, bases first.
fn define<'s>(expander: &mut Expander<'s>, written: &[Written<'s>]) {
    let bases: Vec<Vec<(usize, Span)>> =
        (0..written.len()).map(|id| bases(expander, written, id)).collect();
    let (order, cycles) =
        order_by_needs(written.len(), |id| bases[id].iter().map(|(base, _)| *base).collect());
    for cycle in &cycles {
        let names: Vec<&str> = cycle.iter().map(|&id| written[id].name).collect();
        let message = format!(
            "component `{}` is its own base: {}",
            names[0],
            [&names[..], &names[..1]].concat().join(" -> ")
        );
        let span = written[cycle[0]].layer.block.name;
        expander.report(Diagnostic::new(codes::WRONG_BASE, span, message));
    }
    let mut made: Vec<Option<Rc<Definition<'s>>>> = vec![None; written.len()];
    for id in order {
        let mut definition = Definition::empty(
            written[id].full_name,
            written[id].layer.block.name,
            written[id].layer.place.scope,
        );
        let Layer { place, block } = written[id].layer;
        let mut own: Vec<&str> = Vec::new();
        for inner in place.document.inner(block) {
            own.push(expander.sources.text(inner.name));
            if expander.sources.text(inner.keyword) == "Parameters" {
                let all = place.document.parameters(inner).iter();
                own.extend(all.map(|parameter| expander.sources.text(parameter.name)));
            }
        }
        for (base, span) in &bases[id] {
            if let Some(base) = made[*base].clone() {
                inherit(expander, &mut definition, &base, *span, &own);
            }
        }
        definition.nested.extend(&written[id].nested);
        fill(expander, &mut definition, written[id].layer);
        made[id] = Some(Rc::new(definition));
    }
    expander.definitions = made.into_iter().flatten().collect();
    find_nodes(expander);
}

/// The components that a component extends.
fn bases<'s>(
    expander: &mut Expander<'s>,
    written: &[Written<'s>],
    id: usize,
) -> Vec<(usize, Span)> {
    let Layer { place, block } = written[id].layer;
    let mut bases = Vec::new();
    let all = place.document.parameters(block).iter();
    let extends = all.filter(|p| expander.sources.text(p.name) == "Extends");
    for parameter in extends.collect::<Vec<_>>() {
        for &value in place.document.values(parameter) {
            let (name, span) = bare(expander.sources, place.document, value);
            // A component is its own base only by mistake; a base of the same name is one of the file.
            let mut outer = written[id].parent;
            let mut found = None;
            while let (Some(parent), None) = (outer, found) {
                found = written[parent].nested.get(name).copied();
                outer = written[parent].parent;
            }
            match found.or_else(|| component_of_file(expander, place.scope, name)) {
                Some(base) => bases.push((base, span)),
                None => unknown_component(expander, place.scope, None, name, span),
            }
        }
    }
    bases
}

/// The component that a name means in a file.
pub(super) fn component_of_file<'s>(
    expander: &Expander<'s>,
    scope: usize,
    name: &str,
) -> Option<usize> {
    let names = &expander.names[scope];
    if let Some(&id) = names.components.get(name) {
        return Some(id);
    }
    let (space, name) = name.split_once('.')?;
    component_of_file(expander, *names.namespaces.get(space)?, name)
}

/// Reports a component that is not there.
pub(super) fn unknown_component<'s>(
    expander: &mut Expander<'s>,
    scope: usize,
    definition: Option<&Definition<'s>>,
    name: &str,
    span: Span,
) {
    let message = format!("there is no component `{name}`");
    let all = component_names(expander, scope, definition);
    let near = nearest(name, all.iter().map(String::as_str));
    let help = near.map(|near| format!("did you mean `{near}`?"));
    expander
        .report_missing(Diagnostic::new(codes::UNKNOWN_COMPONENT, span, message).maybe_help(help));
}

/// The components that can be named in a place.
pub(super) fn component_names<'s>(
    expander: &Expander<'s>,
    scope: usize,
    definition: Option<&Definition<'s>>,
) -> Vec<String> {
    let names = &expander.names[scope];
    let mut all: Vec<String> = names.components.keys().map(|name| name.to_string()).collect();
    for (space, other) in &names.namespaces {
        let inside = expander.names[*other].components.keys();
        all.extend(inside.map(|name| format!("{space}.{name}")));
    }
    all.extend(definition.iter().flat_map(|d| d.nested.keys()).map(|name| name.to_string()));
    all.sort_unstable();
    all
}

/// Takes up a Component block and the components inside; gives its number.
fn add_component<'s>(
    expander: &Expander<'s>,
    layer: Layer<'s>,
    parent: Option<usize>,
    written: &mut Vec<Written<'s>>,
) -> usize {
    let name = expander.sources.text(layer.block.name);
    let first = written.len();
    written.push(Written { layer, name, parent, nested: FxHashMap::default(), full_name: name });
    // Components inside of components, without recursion.
    let mut open = vec![first];
    while let Some(outer) = open.pop() {
        let Layer { place, block } = written[outer].layer;
        for inner in place.document.inner(block) {
            if expander.sources.text(inner.keyword) == "Component" {
                let name = expander.sources.text(inner.name);
                let layer = Layer { place, block: inner };
                let id = written.len();
                open.push(id);
                let nested = FxHashMap::default();
                written.push(Written { layer, name, parent: Some(outer), nested, full_name: name });
                written[outer].nested.insert(name, id);
            }
        }
    }
    first
}
