//! Joins the ports and inputs of an instance to what it is given.

use super::definitions::single;
use super::flat_values::flat_value;

use parser::diagnostic::Diagnostic;
use parser::origin::JoinedPort;
use parser::source::Span;

use super::definitions::{Definition, Item, PortDomain};
use super::environment::{Binding, Environment, View};
use super::flat_values::Role;
use super::instances::Gifts;
use super::{Expander, FlatBlock};
use crate::codes;

/// Joins the ports, and writes blocks for those that are looked at or not connected.
pub(super) fn write_ports<'s>(
    expander: &mut Expander<'s>,
    view: View<'_, 's>,
    environment: &mut Environment<'s>,
    definition: &Definition<'s>,
    gifts: &Gifts<'_, 's>,
    item: &Item<'s>,
) {
    let mut noted = Vec::new();
    for (at, port) in definition.ports.iter().enumerate() {
        let outer = gifts.ports[at].as_ref().and_then(|given| {
            let id = single(given.view.place.document, given.parameter)?;
            let role = match port.domain {
                PortDomain::Frame => Role::Reference,
                _ => Role::Node,
            };
            outer_name(expander, given.view, id, role).map(|name| (name, given.span()))
        });
        let is_missing = gifts.ports[at].is_none();
        if is_missing && (port.is_required || port.domain == PortDomain::Frame) {
            unconnected(expander, definition, port.name, port.span, item);
        }
        let is_frame = port.domain == PortDomain::Frame;
        // A port of a triad is another name for it, and costs nothing.
        let is_observed = is_frame || expander.observed.contains(port.name);
        let inside = View { environment: &*environment, ..view };
        match &outer {
            Some((name, origin)) if is_observed => {
                expander.write_port(inside, port, Some((name, *origin)));
            }
            None if is_missing && !is_frame => expander.write_port(inside, port, None),
            None => expander.has_lost_parts = true,
            Some(_) => {}
        }
        if expander.notes_ports {
            let outer = outer.as_ref().map(|(name, _)| name.as_str().into());
            noted.push(JoinedPort { name: port.name.into(), outer });
        }
        environment.ports.push(match outer {
            Some((name, _)) if !is_observed => Binding::Outside(name),
            _ => Binding::Inside,
        });
    }
    if let (false, Some(instance)) = (noted.is_empty(), environment.instance) {
        expander.emitter.note_ports(instance, noted);
    }
}

fn unconnected<'s>(
    expander: &mut Expander<'s>,
    definition: &Definition<'s>,
    port: &str,
    declared: Span,
    item: &Item<'s>,
) {
    let block = item.first().block;
    if item.layers.iter().any(|layer| layer.block.damaged) || expander.lost_blocks {
        return;
    }
    let message = format!("port `{port}` of {} `{}` is not connected", definition.name, item.name);
    let mistake = Diagnostic::new(codes::NOT_GIVEN, block.name, message);
    let help = format!("add `{port} = ...;`");
    if expander.reported.insert(Span::new(block.name.start, declared.start)) {
        expander.report(mistake.also(declared, "the port").help(help));
    }
}

/// The full name of what a port is joined to.
fn outer_name<'s>(
    expander: &mut Expander<'s>,
    view: View<'_, 's>,
    id: parser::syntax::NodeId,
    role: Role,
) -> Option<String> {
    let mark = expander.emitter.mark();
    let node = flat_value(expander, view, id, role);
    let node = expander.emitter.document().node(node);
    let text = expander.emitter.text_of(node.span).trim_matches('"').to_string();
    expander.emitter.go_back(mark);
    let is_name = !matches!(node.kind, parser::syntax::NodeKind::Number(_));
    is_name.then_some(text)
}

/// Writes the inputs as signals of the flat model.
pub(super) fn write_inputs<'s>(
    expander: &mut Expander<'s>,
    environment: &Environment<'s>,
    definition: &Definition<'s>,
    gifts: &Gifts<'_, 's>,
    item: &Item<'s>,
    view: View<'_, 's>,
) {
    for (at, input) in definition.inputs.iter().enumerate() {
        let inside = View { environment, indices: None, place: view.place, arguments: &[] };
        let value = match &gifts.inputs[at] {
            Some(given) => {
                let document = given.view.place.document;
                match single(document, given.parameter) {
                    Some(id) => Some((given.view, id)),
                    None => continue,
                }
            }
            None => input.default.map(|(place, id)| (inside.at(place), id)),
        };
        let Some((view, id)) = value else {
            input_not_given(expander, definition, input.name, input.span, item);
            expander.has_lost_parts = true;
            continue;
        };
        let name = format!("{}{}", environment.prefix, input.name);
        expander.emitter.begin_block(
            ("Signal", input.keyword),
            (&name, input.span),
            environment.instance,
        );
        expander.emitter.begin_line();
        let parameter = expander.emitter.piece("Value", input.span);
        expander.emitter.equals_sign();
        let node = flat_value(expander, view, id, Role::Expression);
        expander.emitter.end_parameter(parameter, &[node]);
        if let Some((place, unit)) = input.unit {
            expander.emitter.begin_line();
            let parameter = expander.emitter.piece("Unit", unit.name);
            expander.emitter.equals_sign();
            let node = single(place.document, unit)
                .map(|id| flat_value(expander, inside.at(place), id, Role::Unknown));
            expander.emitter.end_parameter(parameter, node.as_slice());
        }
        expander.emitter.end_block(false);
        expander.order.push(FlatBlock::Emitted(expander.emitter.count() as u32 - 1));
    }
}

fn input_not_given<'s>(
    expander: &mut Expander<'s>,
    definition: &Definition<'s>,
    input: &str,
    declared: Span,
    item: &Item<'s>,
) {
    let block = item.first().block;
    if item.layers.iter().any(|layer| layer.block.damaged) {
        return;
    }
    let message = format!("{} `{}` needs the input `{input}`", definition.name, item.name);
    let mistake = Diagnostic::new(codes::NOT_GIVEN, block.name, message);
    let help = format!("add `{input} = ...;`, a number or a time expression");
    if expander.reported.insert(Span::new(block.name.start, declared.start)) {
        expander.report(mistake.also(declared, "declared here without Default").help(help));
    }
}
