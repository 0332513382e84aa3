//! Nodes of networks: they come into being by being named as a terminal.
//!
//! All nodes are found before any block is read, because an expression may use the potential of a node that
//! is named further down. Each gets an entry in the list of blocks, so that paths such as `out.v` and
//! `node:R1.v` are looked up like paths to blocks.

use parser::diagnostic::Diagnostic;
use parser::source::Span;
use parser::syntax::{Document, NodeKind, Parameter};

use super::Declared;
use crate::blocks::network::port_domain::own_domain;
use crate::codes;
use crate::element::{Coordinate, DefaultValue, Family, Kind, node_table};
use crate::reading::context::Context;
use crate::reading::ids::NodeId;
use crate::reading::names::BlockEntry;
use equations::domain::Domain;

/// A node.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The physical domain: which potential is equal at the node, and which flow is balanced.
    pub domain: Domain,
    /// The potential of the node is fixed (`gnd`).
    pub is_reference: bool,
}

/// Finds the nodes that the terminals of all elements name, in the order of the text.
pub(crate) fn find(context: &mut Context<'_>) -> Vec<Declared<Node>> {
    let mut nodes: Vec<Declared<Node>> = Vec::new();
    let mut defaults: Vec<(u32, Domain, &'static str)> = Vec::new();
    for block in 0..context.blocks.len() as u32 {
        let schema = context.blocks[block as usize].schema;
        if schema.family != Family::Network {
            continue;
        }
        let document = context.document_of(block);
        if let Some(domain) = own_domain(context, block) {
            let span = context.blocks[block as usize].name;
            add(context, &mut nodes, block, domain, context.sources.text(span), span);
        }
        for parameter in schema.own_parameters() {
            let domain = match parameter.kind {
                Kind::Node(domain) => domain,
                Kind::Flange => flange_domain(context, block),
                _ => continue,
            };
            match (context.parameter_of(block, parameter.name), parameter.default) {
                (Some(given), _) => {
                    if let Some(span) = name_span(document, given) {
                        add(context, &mut nodes, block, domain, context.sources.text(span), span);
                    }
                }
                (None, DefaultValue::Word(name)) => defaults.push((block, domain, name)),
                (None, _) => {}
            }
        }
    }
    for (block, domain, name) in defaults {
        let span = context.blocks[block as usize].name;
        add(context, &mut nodes, block, domain, name, span);
    }
    nodes
}

/// A flange turns or shifts as the component of its joint does.
fn flange_domain(context: &Context<'_>, block: u32) -> Domain {
    let document = context.document_of(block);
    let given = |name: &str| context.parameter_of(block, name);
    let number = given("Component").and_then(|given| match *document.values(given) {
        [value] => context.constant_if_any(document, value),
        _ => None,
    });
    let component = number.unwrap_or(1.0) as usize;
    let joint = given("Joint").and_then(|given| name_span(document, given));
    let blocks = joint.into_iter().flat_map(|span| context.index.all(context.sources.text(span)));
    let schemas = blocks.map(|joint| context.blocks[joint as usize].schema);
    let joint = schemas.into_iter().find(|schema| schema.family == Family::Joint);
    let coordinate = joint.and_then(|joint| joint.coordinates.get(component.wrapping_sub(1)));
    match coordinate {
        Some(Coordinate::Shift) => Domain::Translational,
        _ => Domain::Rotational,
    }
}

/// The name in the only value of a terminal, without quotes.
fn name_span(document: &Document, given: &Parameter) -> Option<Span> {
    let [value] = *document.values(given) else { return None };
    let node = document.node(value);
    Some(match node.kind {
        NodeKind::Text => Span::new(node.span.start + 1, node.span.end - 1),
        _ => node.span,
    })
}

fn add<'s>(
    context: &mut Context<'s>,
    nodes: &mut Vec<Declared<Node>>,
    element: u32,
    domain: Domain,
    name: &'s str,
    span: Span,
) {
    let is_reference = domain.reference() == name;
    if !is_reference && let Some(own) = Domain::ALL.iter().find(|own| own.reference() == name) {
        let message = format!(
            "`{name}` is {}, but this terminal is {}",
            own.reference_words(),
            domain.words()
        );
        let help = format!("its fixed node is `{}`", domain.reference());
        return context.report(Diagnostic::new(codes::MIXED_DOMAINS, span, message).help(help));
    }
    if is_reference && context.references.contains_key(&domain) {
        return;
    }
    if let Some(&known) = context.nodes.get(name).filter(|_| !is_reference) {
        let first = &nodes[known.index()];
        if first.domain != domain {
            let message = format!(
                "the node `{name}` is {} here and {} elsewhere",
                domain.words(),
                first.domain.words()
            );
            let place = context.blocks[first.block as usize].name;
            let there = format!("{} here", first.domain.words());
            let help = "a node belongs to one domain; give one of the two another name";
            let diagnostic = Diagnostic::new(codes::MIXED_DOMAINS, span, message);
            context.report(diagnostic.also(place, there).help(help));
        }
        return;
    }
    let id = NodeId(nodes.len() as u32);
    if is_reference {
        context.references.insert(domain, id);
    } else {
        context.nodes.insert(name, id);
    }
    nodes
        .push(Declared { block: context.blocks.len() as u32, what: Node { domain, is_reference } });
    let place = context.blocks[element as usize].place;
    // A node that is a default is named nowhere; its name is in the table.
    let name_span = if context.sources.text(span) == name { span } else { Span::default() };
    context.blocks.push(BlockEntry {
        schema: node_table(domain),
        name: name_span,
        handle: id.0,
        place,
    });
    // `base` is a node of two domains; a path means the first domain.
    let is_new = context.index.all(name).all(|block| {
        // The signals of a port are more than those of its node.
        let schema = context.blocks.get(block as usize).map(|entry| entry.schema);
        schema.is_none_or(|schema| schema.family != Family::Node && schema.keyword != "Port")
    });
    context.index.add(name, is_new);
}
