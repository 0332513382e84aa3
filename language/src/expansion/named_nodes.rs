//! Finds the nodes that the blocks of a component name.

use super::definitions::{bare, first_of_path, single};
use super::gather::component_of_file;
use std::rc::Rc;

use super::Expander;
use super::definitions::{Definition, Item, Layer, ParameterKind, PortDomain};
use crate::element::{Family, Kind};

/// Finds the nodes that the blocks of each component name: expressions may use their potentials.
pub(super) fn find_nodes<'s>(expander: &mut Expander<'s>) {
    let found: Vec<_> = (0..expander.definitions.len())
        .map(|id| {
            let definition = &expander.definitions[id];
            let mut nodes = Vec::new();
            let mut open: Vec<&Item<'s>> = definition.items.iter().collect();
            while let Some(item) = open.pop() {
                open.extend(&item.inner);
                nodes_of(expander, definition, item, &mut nodes);
            }
            nodes
        })
        .collect();
    for (definition, nodes) in expander.definitions.iter_mut().zip(found) {
        if let Some(definition) = Rc::get_mut(definition) {
            definition.nodes.extend(nodes);
        }
    }
}

/// Adds the names of the nodes that one block names.
fn nodes_of<'s>(
    expander: &Expander<'s>,
    definition: &Definition<'s>,
    item: &Item<'s>,
    nodes: &mut Vec<&'s str>,
) {
    let Layer { place, .. } = item.first();
    let component = match definition.parameter_index.get(item.keyword) {
        Some(&at) => match definition.parameters[at].kind {
            ParameterKind::Component(word) => component_of_file(expander, definition.scope, word),
            _ => None,
        },
        None => definition
            .nested
            .get(item.keyword)
            .copied()
            .or_else(|| component_of_file(expander, place.scope, item.keyword)),
    };
    let schema = expander.schemas.get(item.keyword).filter(|s| s.family == Family::Network);
    for layer in &item.layers {
        let document = layer.place.document;
        for parameter in document.parameters(layer.block) {
            let name = expander.sources.text(parameter.name);
            let is_node = match (component, schema) {
                (Some(id), _) => expander.definitions[id].port_index.get(name).is_some_and(|&at| {
                    matches!(
                        expander.definitions[id].ports[at].domain,
                        PortDomain::Node(_) | PortDomain::Bond
                    )
                }),
                (None, Some(schema)) => schema
                    .parameter(name)
                    .is_some_and(|known| matches!(known.kind, Kind::Node(_) | Kind::Flange)),
                (None, None) => false,
            };
            if let (true, Some(id)) = (is_node, single(document, parameter)) {
                nodes.push(first_of_path(bare(expander.sources, document, id).0));
            }
        }
    }
}
