//! Writes an instance of a component: its values and connections first, then its blocks.

use std::rc::Rc;

use parser::diagnostic::Diagnostic;
use parser::origin::Instance;
use parser::source::Span;
use parser::suggest::nearest;
use parser::syntax::Parameter;

use super::definitions::{
    Definition, Item, ParameterDeclaration, ParameterKind, PortDomain, bare, base_of,
    first_of_path, single,
};
use super::environment::{Binding, Change, Environment, Given, Ledger, View};
use super::flat_values::Role;
use super::parameter_values::Value;
use super::{Expander, FlatBlock};
use crate::codes;
use crate::element::{one_of, written};

/// Deepest chain of instances inside of each other.
const DEEPEST: usize = 200;

/// What an instance is given, sorted.
struct Gifts<'a, 's> {
    parameters: Vec<Option<Given<'a, 's>>>,
    ports: Vec<Option<Given<'a, 's>>>,
    inputs: Vec<Option<Given<'a, 's>>>,
}

impl<'s> Expander<'s> {
    /// Writes an instance of a component.
    pub(super) fn write_instance(
        &mut self,
        view: View<'_, 's>,
        item: &Item<'s>,
        id: usize,
        local: &str,
        outer_changes: &[Change<'_, 's>],
    ) {
        self.used.insert(id);
        let definition = Rc::clone(&self.definitions[id]);
        if !self.may_nest(&definition, item, id, local) {
            return;
        }
        let name = format!("{}{local}", view.environment.prefix);
        let first = item.first().block;
        let instance = self.emitter.instance(Instance {
            name: name.clone().into(),
            component: definition.name.into(),
            place: first.name,
            parent: view.environment.instance,
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
                self.sort_gift(view, &definition, parameter, &mut gifts, &mut changes, &ledger);
            }
        }
        // Changes from outside win over what the instance is given here.
        for change in outer_changes {
            let Some(rest) =
                change.path.strip_prefix(local).and_then(|rest| rest.strip_prefix('.'))
            else {
                continue;
            };
            let given = Given { view: change.view, parameter: change.parameter };
            if !rest.contains('.') && place_gift(&definition, rest, given, &mut gifts) {
                change.ledger.mark(change.number);
            } else {
                changes.push(Change { path: rest.to_string(), ..change.clone() });
            }
        }
        let mut environment = Environment {
            definition: Some(Rc::clone(&definition)),
            prefix: format!("{name}."),
            values: vec![None; definition.parameters.len()],
            ports: Vec::with_capacity(definition.ports.len()),
            instance: Some(instance),
        };
        self.chain.push(id);
        self.set_values(&mut environment, &definition, &gifts, item, view);
        self.write_ports(view, &mut environment, &definition, &gifts, item);
        self.write_inputs(&environment, &definition, &gifts, item, view);
        for inner in &definition.items {
            let place = inner.first().place;
            let view = View { environment: &environment, indices: None, place, arguments: &[] };
            self.write_item(view, inner, &changes);
        }
        self.chain.pop();
        for change in &changes {
            if std::ptr::eq(change.ledger, &ledger) && !ledger.is_used(change.number) {
                self.idle_change(&definition, change);
            }
        }
    }

    /// May an instance stand here? A component in itself would expand without end.
    fn may_nest(
        &mut self,
        definition: &Definition<'s>,
        item: &Item<'s>,
        id: usize,
        local: &str,
    ) -> bool {
        let span = item.first().block.keyword;
        if let Some(at) = self.chain.iter().position(|&outer| outer == id) {
            let mut names: Vec<&str> =
                self.chain[at..].iter().map(|&outer| self.definitions[outer].name).collect();
            names.push(definition.name);
            let message =
                format!("component `{}` contains itself: {}", definition.name, names.join(" -> "));
            let mistake = Diagnostic::new(codes::RECURSIVE_COMPONENT, span, message);
            let help = "use Repeat for parts in a row";
            self.report_once(mistake.also(definition.span, "the component").help(help));
            return false;
        }
        if self.chain.len() >= DEEPEST {
            let message = format!("components stand in each other deeper than {DEEPEST} levels");
            self.report_once(Diagnostic::new(codes::TOO_MANY_BLOCKS, span, message));
            return false;
        }
        if local.contains(['-', ' ']) {
            let message = format!("the instance `{local}` cannot have a `-` in its name");
            let help = "its parts are named in expressions, where `-` subtracts";
            let span = item.first().block.name;
            self.report_once(Diagnostic::new(codes::WRONG_DECLARATION, span, message).help(help));
            return false;
        }
        true
    }

    /// Sorts one parameter of the instance's block: a value, a connection, or a change of something inside.
    fn sort_gift<'a>(
        &mut self,
        view: View<'a, 's>,
        definition: &Definition<'s>,
        parameter: &'s Parameter,
        gifts: &mut Gifts<'a, 's>,
        changes: &mut Vec<Change<'a, 's>>,
        ledger: &'a Ledger,
    ) {
        let name = self.sources.text(parameter.name);
        let given = Given { view, parameter };
        if name == "If" || place_gift(definition, name, given, gifts) {
            return;
        }
        let first = first_of_path(name);
        if name.contains('.') && definition.has(first) {
            let indices = view.place.document.name_indices(parameter.name);
            let path = match indices.is_empty() {
                true => Some(name.to_string()),
                false => self.indexed_text(view, parameter.name, indices),
            };
            if let Some(path) = path {
                let number = ledger.add();
                changes.push(Change { path, view, parameter, number, ledger });
            }
            return;
        }
        if self.reported.contains(&parameter.name) || definition.is_damaged || self.lost_blocks {
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
        self.report_once(mistake.also(definition.span, "the component").help(help));
    }

    /// Reports a change that has found nothing to change.
    fn idle_change(&mut self, definition: &Definition<'s>, change: &Change<'_, 's>) {
        if self.lost_blocks || definition.is_damaged {
            return;
        }
        let message =
            format!("`{}` changes nothing in component `{}`", change.path, definition.name);
        let help = self.where_it_ends(definition, &change.path);
        let mistake = Diagnostic::new(codes::NOT_IN_COMPONENT, change.parameter.name, message);
        self.report_once(mistake.also(definition.span, "the component").help(help));
    }

    /// Up to where a path leads into a component, and what could be meant behind it.
    fn where_it_ends(&self, definition: &Definition<'s>, path: &str) -> String {
        let or_near = |words: String, near: Option<&str>| match near {
            Some(near) => format!("{words}; did you mean `{near}`?"),
            None => words,
        };
        let mut inside = definition;
        let mut rest = path;
        loop {
            let (first, behind) = rest.split_once('.').unwrap_or((rest, ""));
            let base = base_of(first);
            let item = inside.items.iter().find(|item| item.base == base);
            let Some(item) = item.filter(|_| !behind.is_empty()) else {
                let near = nearest(base, inside.blocks.iter().copied().chain(inside.givable()));
                return or_near(format!("component `{}` has no `{first}`", inside.name), near);
            };
            let component = inside
                .nested
                .get(item.keyword)
                .copied()
                .or_else(|| self.component_of_file(item.first().place.scope, item.keyword));
            if let Some(id) = component {
                (inside, rest) = (&*self.definitions[id], behind);
                continue;
            }
            let schema = self.schemas.get(item.keyword);
            let near = schema.and_then(|s| nearest(behind, s.all_parameters().map(|p| p.name)));
            let words = format!("{} `{first}` has no parameter `{behind}`", item.keyword);
            return or_near(words, near);
        }
    }

    /// Works out the values of all parameters: those that are given, then defaults in the order of their needs.
    fn set_values(
        &mut self,
        environment: &mut Environment<'s>,
        definition: &Rc<Definition<'s>>,
        gifts: &Gifts<'_, 's>,
        item: &Item<'s>,
        view: View<'_, 's>,
    ) {
        for (at, declared) in definition.parameters.iter().enumerate() {
            if let Some(given) = &gifts.parameters[at] {
                let values = given.view.place.document.values(given.parameter);
                let value = self.declared_value(given.view, declared, values, given.span());
                environment.values[at] = value
                    .filter(|value| self.fits(environment, definition, at, value, given.span()));
            }
        }
        for &at in &definition.order {
            if gifts.parameters[at].is_some() {
                continue;
            }
            let declared = &definition.parameters[at];
            let Some((place, values)) = &declared.default else {
                self.not_given(definition, declared, item, view);
                continue;
            };
            let inside =
                View { environment: &*environment, indices: None, place: *place, arguments: &[] };
            let value = self.declared_value(inside, declared, values, declared.span);
            environment.values[at] = value;
        }
    }

    /// Reports a parameter that has no default and is not given.
    fn not_given(
        &mut self,
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
        if self.reported.insert(Span::new(block.name.start, declared.span.start)) {
            self.report(mistake.also(declared.span, "declared here without Default").help(help));
        }
    }

    /// The value of a parameter in the kind that it is declared with.
    pub(super) fn declared_value(
        &mut self,
        view: View<'_, 's>,
        declared: &ParameterDeclaration<'s>,
        values: &[parser::syntax::NodeId],
        span: Span,
    ) -> Option<Value> {
        let document = view.place.document;
        match (&declared.kind, values) {
            (ParameterKind::Any, _) => self.value(view, values),
            (ParameterKind::Word(choices), [single]) => {
                let (word, place) = bare(self.sources, document, *single);
                if let Some(Some(Value::Word(word))) = view.parameter(word) {
                    return Some(Value::Word(Rc::clone(word)));
                }
                if choices.contains(&word) {
                    return Some(Value::Word(word.into()));
                }
                let message =
                    format!("`{}` must be {}, not `{word}`", declared.name, one_of(choices));
                let near = nearest(word, choices.iter().copied());
                let help = near.map(|near| format!("did you mean `{near}`?"));
                let mistake = Diagnostic::new(codes::WRONG_WORD, place, message);
                self.report_once(mistake.maybe_help(help));
                None
            }
            (ParameterKind::Component(_), [single]) => {
                let (name, place) = bare(self.sources, document, *single);
                if let Some(Some(Value::Component(id))) = view.parameter(name) {
                    return Some(Value::Component(*id));
                }
                let nested = view.definition().and_then(|d| d.nested.get(name).copied());
                match nested.or_else(|| self.component_of_file(view.place.scope, name)) {
                    Some(id) => Some(Value::Component(id)),
                    None => {
                        if self.reported.insert(place) {
                            self.unknown_component(
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
                self.report_once(Diagnostic::new(codes::WRONG_COUNT, span, message));
                None
            }
        }
    }

    /// Is a given value in its range, and a given component as the declaration asks?
    fn fits(
        &mut self,
        environment: &Environment<'s>,
        definition: &Rc<Definition<'s>>,
        at: usize,
        value: &Value,
        span: Span,
    ) -> bool {
        let declared = &definition.parameters[at];
        if let (ParameterKind::Component(_), Value::Component(id)) = (&declared.kind, value) {
            return self.can_stand_in(definition, declared.name, *id, span);
        }
        let Value::Number(number) = *value else { return true };
        let bound = |expander: &mut Self, bound: &Option<_>| {
            bound.as_ref().and_then(|&(place, id)| {
                let view = View { environment, indices: None, place, arguments: &[] };
                expander.number(view, id)
            })
        };
        let (min, max) = (bound(self, &declared.min), bound(self, &declared.max));
        let words = match (min, max) {
            (Some(min), _) if number < min => format!("at least {}", written(min)),
            (_, Some(max)) if number > max => format!("at most {}", written(max)),
            _ => return true,
        };
        let message = format!("`{}` must be {words}, not {}", declared.name, written(number));
        let mistake = Diagnostic::new(codes::OUT_OF_RANGE, span, message);
        self.report_once(mistake.also(declared.span, "declared here"));
        false
    }

    /// Has a component everything of a part that is used? What is missing is reported.
    fn can_stand_in(
        &mut self,
        definition: &Rc<Definition<'s>>,
        name: &str,
        id: usize,
        span: Span,
    ) -> bool {
        let given = Rc::clone(&self.definitions[id]);
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
                    let used = self.sources.text(parameter.name);
                    let first = first_of_path(used);
                    let is_known = given.givable().any(|known| known == first)
                        || (used.contains('.') && given.has(first));
                    if !is_known && used != "If" {
                        missing.push(first.to_string());
                    }
                }
            }
        }
        for used in self.parts_used(definition, &parts) {
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
        self.report_once(mistake.also(given.span, "the component").help(help));
        false
    }

    /// The names that a component uses of its parts: `d.tau` uses `tau` of `d`.
    fn parts_used(&self, definition: &Definition<'s>, parts: &[&str]) -> Vec<String> {
        let mut used = Vec::new();
        let mut open: Vec<&Item<'s>> = definition.items.iter().collect();
        while let Some(item) = open.pop() {
            open.extend(&item.inner);
            for layer in &item.layers {
                let document = layer.place.document;
                let mut visit = |span: Span| {
                    let path = self.sources.text(span);
                    let mut segments = path.split('.').map(base_of);
                    if let (Some(first), Some(second)) = (segments.next(), segments.next())
                        && parts.contains(&first)
                    {
                        used.push(second.to_string());
                    }
                };
                for parameter in document.parameters(layer.block) {
                    super::gather::names_in(layer.place, document.values(parameter), &mut visit);
                }
                for equation in document.equations(layer.block) {
                    super::gather::names_in(
                        layer.place,
                        &[equation.left, equation.right],
                        &mut visit,
                    );
                }
            }
        }
        used
    }

    /// Joins the ports, and writes blocks for those that are looked at or not connected.
    fn write_ports(
        &mut self,
        view: View<'_, 's>,
        environment: &mut Environment<'s>,
        definition: &Definition<'s>,
        gifts: &Gifts<'_, 's>,
        item: &Item<'s>,
    ) {
        for (at, port) in definition.ports.iter().enumerate() {
            let outer = gifts.ports[at].as_ref().and_then(|given| {
                let id = single(given.view.place.document, given.parameter)?;
                let role = match port.domain {
                    PortDomain::Frame => Role::Reference,
                    _ => Role::Node,
                };
                self.outer_name(given.view, id, role).map(|name| (name, given.span()))
            });
            let is_missing = gifts.ports[at].is_none();
            if is_missing && (port.is_required || port.domain == PortDomain::Frame) {
                self.unconnected(definition, port.name, port.span, item);
            }
            let is_observed = self.observed.contains(port.name);
            let is_frame = port.domain == PortDomain::Frame;
            let inside = View { environment: &*environment, ..view };
            let written = match &outer {
                Some((name, origin)) if is_observed => {
                    self.write_port(inside, port, Some((name, *origin)));
                    is_frame
                }
                None if is_missing && !is_frame => {
                    self.write_port(inside, port, None);
                    false
                }
                _ => true,
            };
            environment.ports.push(match outer {
                Some((name, _)) if written => Binding::Outside(name),
                _ => Binding::Inside,
            });
        }
    }

    fn unconnected(
        &mut self,
        definition: &Definition<'s>,
        port: &str,
        declared: Span,
        item: &Item<'s>,
    ) {
        let block = item.first().block;
        if item.layers.iter().any(|layer| layer.block.damaged) || self.lost_blocks {
            return;
        }
        let message =
            format!("port `{port}` of {} `{}` is not connected", definition.name, item.name);
        let mistake = Diagnostic::new(codes::NOT_GIVEN, block.name, message);
        let help = format!("add `{port} = ...;`");
        if self.reported.insert(Span::new(block.name.start, declared.start)) {
            self.report(mistake.also(declared, "the port").help(help));
        }
    }

    /// The full name of what a port is joined to.
    fn outer_name(
        &mut self,
        view: View<'_, 's>,
        id: parser::syntax::NodeId,
        role: Role,
    ) -> Option<String> {
        let mark = self.emitter.mark();
        let node = self.flat_value(view, id, role);
        let node = self.emitter.document().node(node);
        let text = self.emitter.text_of(node.span).trim_matches('"').to_string();
        self.emitter.go_back(mark);
        let is_name = !matches!(node.kind, parser::syntax::NodeKind::Number(_));
        is_name.then_some(text)
    }

    /// Writes the inputs as signals of the flat model.
    fn write_inputs(
        &mut self,
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
                self.input_not_given(definition, input.name, input.span, item);
                continue;
            };
            let name = format!("{}{}", environment.prefix, input.name);
            self.emitter.begin_block(
                ("Signal", input.keyword),
                (&name, input.span),
                environment.instance,
            );
            self.emitter.begin_line();
            let parameter = self.emitter.piece("Value", input.span);
            self.emitter.equals_sign();
            let node = self.flat_value(view, id, Role::Expression);
            self.emitter.end_parameter(parameter, &[node]);
            if let Some((place, unit)) = input.unit {
                self.emitter.begin_line();
                let parameter = self.emitter.piece("Unit", unit.name);
                self.emitter.equals_sign();
                let node = single(place.document, unit)
                    .map(|id| self.flat_value(inside.at(place), id, Role::Unknown));
                self.emitter.end_parameter(parameter, node.as_slice());
            }
            self.emitter.end_block(false);
            self.order.push(FlatBlock::Emitted(self.emitter.count() as u32 - 1));
        }
    }

    fn input_not_given(
        &mut self,
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
        if self.reported.insert(Span::new(block.name.start, declared.start)) {
            self.report(mistake.also(declared, "declared here without Default").help(help));
        }
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
