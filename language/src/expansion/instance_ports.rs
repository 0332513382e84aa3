//! Joins the ports and inputs of an instance to what it is given.

use super::definitions::single;
use super::flat_values::flat_value;

use parser::diagnostic::Diagnostic;
use parser::origin::JoinedPort;
use parser::source::Span;
use parser::syntax::NodeKind;

use super::definitions::{Definition, Item, PortDomain};
use super::environment::{Binding, Environment, Given, View};
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
            let name = outer_name(expander, given, port.name, port.domain)?;
            Some((name, given.span()))
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

/// The full name of what a port is joined to. What is wrong is reported.
fn outer_name<'s>(
    expander: &mut Expander<'s>,
    given: &Given<'_, 's>,
    port: &str,
    domain: PortDomain,
) -> Option<String> {
    let document = given.view.place.document;
    let [id] = *document.values(given.parameter) else {
        let count = document.values(given.parameter).len();
        // A value that could not be read is reported already.
        if count > 0 {
            let message = format!("`{port}` takes 1 value, not {count}");
            expander.report_once(Diagnostic::new(codes::WRONG_COUNT, given.span(), message));
        }
        return None;
    };
    let (role, wanted) = match domain {
        PortDomain::Frame => (Role::Reference, "a triad"),
        _ => (Role::Node, "a node"),
    };
    let mark = expander.emitter.mark();
    let was_broken = std::mem::take(&mut expander.is_broken);
    let node = flat_value(expander, given.view, id, role);
    let node = expander.emitter.document().node(node);
    let text = expander.emitter.text_of(node.span).trim_matches('"').to_string();
    expander.emitter.go_back(mark);
    if std::mem::replace(&mut expander.is_broken, was_broken) {
        return None;
    }
    let found = match node.kind {
        // Nodes may have numbers, as in a netlist.
        NodeKind::Number(_) if role == Role::Node => return Some(text),
        NodeKind::Name | NodeKind::Word | NodeKind::Text => return Some(text),
        NodeKind::Number(_) => "a number",
        NodeKind::List(_) => "a list",
        _ => "an expression",
    };
    let message = format!("the port `{port}` takes the name of {wanted}, not {found}");
    expander.report_once(Diagnostic::new(codes::WRONG_TYPE, given.span(), message));
    None
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
