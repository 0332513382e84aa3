//! Writes one block of the flat model: its name in full, and its parameters, sections and lines.

use super::definitions::{bare, single};
use super::file_constants::is_special_constant;
use super::flat_values::{flat_value, is_there};
use super::gather::{component_names, component_of_file, unknown_component};
use super::instances::write_instance;
use super::meaning_of_names::indexed_text;
use super::repeats::write_repeat;
use parser::diagnostic::Diagnostic;
use parser::source::Span;
use parser::suggest::nearest;
use parser::syntax::{Block, Parameter};

use super::definitions::{Item, Layer, PortDomain};
use super::environment::{Change, View};
use super::flat_values::Role;
use super::parameter_values::Value;
use super::{Expander, FlatBlock};
use crate::codes;
use crate::element::BlockSchema;
use crate::model::plugins::PLUGIN;

/// More blocks than this are no model but a mistake.
pub(super) const MOST_BLOCKS: usize = 20_000_000;

/// What a keyword means in a place.
pub(super) enum Meaning {
    /// A block of the language.
    BuiltIn(&'static BlockSchema),
    /// A component, by its number.
    Component(usize),
    /// Nothing that is known.
    Unknown,
    /// Something that is wrong and reported.
    Broken,
}

impl<'s> Expander<'s> {
    /// Writes a block, a Repeat or an instance of a component. `changes` come from the instances around it.
    pub(super) fn write_item(
        &mut self,
        view: View<'_, 's>,
        item: &Item<'s>,
        changes: &[Change<'_, 's>],
    ) {
        if self.is_full || !self.has_room(item) {
            return;
        }
        let view = view.at(item.first().place);
        self.instance = view.environment.instance;
        if let Some((place, condition)) = item.parameter(self.sources, "If") {
            match single(place.document, condition) {
                Some(id) if is_there(self, view.at(place), id) => {}
                _ => return,
            }
        }
        if item.keyword == "Repeat" {
            return write_repeat(self, view, item, changes);
        }
        let Some(local) = self.local_name(view, item) else { return };
        match self.meaning(view, item) {
            Meaning::Component(id) => write_instance(self, view, item, id, &local, changes),
            Meaning::BuiltIn(schema) => {
                self.write_block(view, item, Some(schema), &local, changes);
            }
            Meaning::Unknown => self.write_block(view, item, None, &local, changes),
            Meaning::Broken => self.has_lost_parts = true,
        }
    }

    /// Is there room for more blocks? The end of the room is reported.
    fn has_room(&mut self, item: &Item<'s>) -> bool {
        self.count += 1;
        if self.count < MOST_BLOCKS && !self.emitter.is_too_large() {
            return true;
        }
        self.is_full = true;
        let message = format!("the model has more than {} blocks here", self.count - 1);
        let help =
            "look at the limits of the Repeat blocks and at components that hold many others";
        let span = item.first().block.keyword;
        self.report(Diagnostic::new(codes::TOO_MANY_BLOCKS, span, message).help(help));
        false
    }

    /// The name of a block with numbers in its brackets, without the prefix of its instance.
    fn local_name(&mut self, view: View<'_, 's>, item: &Item<'s>) -> Option<String> {
        let Layer { place, block } = item.first();
        let indices = place.document.name_indices(block.name);
        match indices.is_empty() {
            true => Some(item.name.to_string()),
            false => indexed_text(self, view, block.name, indices),
        }
    }

    /// What the keyword of a block means.
    fn meaning(&mut self, view: View<'_, 's>, item: &Item<'s>) -> Meaning {
        let keyword = item.keyword;
        let definition = view.definition();
        match view.parameter(keyword) {
            Some(Some(Value::Component(id))) => return Meaning::Component(*id),
            Some(None) => return Meaning::Broken,
            _ => {}
        }
        if let Some(&id) = definition.and_then(|definition| definition.nested.get(keyword)) {
            return Meaning::Component(id);
        }
        if let Some(id) = component_of_file(self, view.place.scope, keyword) {
            return Meaning::Component(id);
        }
        if let Some(&schema) = self.schemas.get(keyword) {
            return Meaning::BuiltIn(self.plugin_table(view, item, schema));
        }
        // Words that are far from every component are left to the reader of the flat model.
        let span = item.first().block.keyword;
        let names = component_names(self, view.place.scope, definition);
        let near = nearest(keyword, names.iter().map(String::as_str));
        if keyword.contains('.') || near.is_some() {
            if !self.reported.contains(&span) {
                self.reported.insert(span);
                unknown_component(self, view.place.scope, definition, keyword, span);
            }
            return Meaning::Broken;
        }
        Meaning::Unknown
    }

    /// The table of a plugin instead of that of the Plugin block.
    fn plugin_table(
        &self,
        view: View<'_, 's>,
        item: &Item<'s>,
        schema: &'static BlockSchema,
    ) -> &'static BlockSchema {
        if !std::ptr::eq(schema, &PLUGIN) {
            return schema;
        }
        let word = item.parameter(self.sources, "Type").and_then(|(place, parameter)| {
            let id = single(place.document, parameter)?;
            Some(bare(self.sources, view.at(place).place.document, id).0)
        });
        word.and_then(|word| self.plugins.find(word)).map_or(schema, |plugin| plugin.table())
    }

    /// Writes a block of the language, or one that nobody knows.
    pub(super) fn write_block(
        &mut self,
        view: View<'_, 's>,
        item: &Item<'s>,
        schema: Option<&'static BlockSchema>,
        local: &str,
        changes: &[Change<'_, 's>],
    ) {
        let first = item.first().block;
        let prefix = match (item.keyword, view.definition()) {
            ("Formula", None) => self.names[view.place.scope].prefix.clone(),
            _ => view.environment.prefix.clone(),
        };
        let name = [&*prefix, local].concat();
        let keyword = (item.keyword, first.keyword);
        self.emitter.begin_block(keyword, (&name, first.name), view.environment.instance);
        let mut is_damaged = false;
        let arguments = self.formula_arguments(view, item);
        let view = View { arguments: arguments.as_deref().unwrap_or(view.arguments), ..view };
        // A derived component's parameter stands in the place of the base's.
        for (at, layer) in item.layers.iter().enumerate() {
            is_damaged |= layer.block.damaged;
            for parameter in layer.place.document.parameters(layer.block) {
                let given = self.sources.text(parameter.name);
                if given == "If" || self.is_given_earlier(item, at, given) {
                    continue;
                }
                let (place, parameter) =
                    item.parameter(self.sources, given).unwrap_or((layer.place, parameter));
                let change = change_of(changes, local, given);
                self.write_parameter(
                    view.at(place),
                    schema,
                    parameter,
                    parameter.name,
                    change,
                    &mut is_damaged,
                );
            }
        }
        self.write_added(view, schema, item, local, changes, &mut is_damaged);
        self.write_lines(view, item, &mut is_damaged);
        self.emitter.end_block(is_damaged);
        self.order.push(FlatBlock::Emitted(self.emitter.count() as u32 - 1));
    }

    /// Is a parameter written with an earlier layer?
    fn is_given_earlier(&self, item: &Item<'s>, layer: usize, name: &str) -> bool {
        item.layers[..layer].iter().any(|earlier| {
            let mut all = earlier.place.document.parameters(earlier.block).iter();
            all.any(|parameter| self.sources.text(parameter.name) == name)
        })
    }

    /// The names that a Formula gives its arguments.
    fn formula_arguments(&self, view: View<'_, 's>, item: &Item<'s>) -> Option<Vec<&'s str>> {
        if item.keyword != "Formula" {
            return None;
        }
        let (place, parameter) = item.parameter(self.sources, "Of")?;
        let values = place.document.values(parameter).iter();
        let own = values.map(|&id| bare(self.sources, place.document, id).0);
        Some(view.arguments.iter().copied().chain(own).collect())
    }

    /// Writes `name = values;`.
    fn write_parameter(
        &mut self,
        view: View<'_, 's>,
        schema: Option<&'static BlockSchema>,
        parameter: &'s Parameter,
        name_origin: Span,
        change: Option<&Change<'_, 's>>,
        is_damaged: &mut bool,
    ) {
        let name = self.sources.text(name_origin);
        // The last part of the name of a change is the name of the parameter.
        let (name, view, parameter) = match change {
            Some(change) => {
                let last = name.rsplit('.').next().unwrap_or(name);
                (last, change.view, change.parameter)
            }
            None => (name, view, parameter),
        };
        let values = view.place.document.values(parameter);
        if values.is_empty() {
            *is_damaged = true;
            return;
        }
        let keyword = schema.map_or("", |schema| schema.keyword);
        if keyword == "Parameters" && self.is_left_out(view, name) {
            return;
        }
        let known = schema.and_then(|schema| schema.parameter(name));
        let role = match (keyword, name) {
            ("Formula", "Of") | ("Automaton", "States" | "Start") => Role::Word,
            ("Parameters", _) => Role::Expression,
            _ => known.map_or(Role::Unknown, |known| Role::of(known.kind)),
        };
        self.emitter.begin_line();
        let written = self.emitter.piece(name, name_origin);
        self.emitter.equals_sign();
        let mut nodes = Vec::with_capacity(values.len());
        self.is_broken = false;
        for (at, &id) in values.iter().enumerate() {
            if at > 0 {
                self.emitter.comma();
            }
            nodes.push(flat_value(self, view, id, role));
        }
        // A value with a mistake counts as given and unreadable, so that nothing follows from it.
        if std::mem::take(&mut self.is_broken) {
            nodes.clear();
            *is_damaged = true;
        }
        self.emitter.end_parameter(written, &nodes);
    }

    /// Is a constant of the main file a list or text, which the flat model does not have?
    fn is_left_out(&self, view: View<'_, 's>, name: &str) -> bool {
        let scope = view.place.scope;
        let at = self.names.get(scope).and_then(|names| names.constants.get(name));
        at.is_some_and(|&at| is_special_constant(self, at))
    }

    /// Writes the parameters that only changes give.
    fn write_added(
        &mut self,
        view: View<'_, 's>,
        schema: Option<&'static BlockSchema>,
        item: &Item<'s>,
        local: &str,
        changes: &[Change<'_, 's>],
        is_damaged: &mut bool,
    ) {
        let mut added: Vec<&str> = Vec::new();
        for name in changes.iter().filter_map(|change| own_change(change, local)) {
            if item.parameter(self.sources, name).is_some() || added.contains(&name) {
                continue;
            }
            let is_known = schema.is_none_or(|schema| {
                schema.parameter(name).is_some() || schema.is_unknown_plugin()
            });
            if !is_known {
                // It stays unused, which is reported where the change is written.
                continue;
            }
            added.push(name);
            let Some(change) = change_of(changes, local, name) else { continue };
            let parameter = change.parameter;
            self.write_parameter(view, schema, parameter, parameter.name, Some(change), is_damaged);
        }
    }

    /// Writes equations, assignments and transitions.
    fn write_lines(&mut self, view: View<'_, 's>, item: &Item<'s>, is_damaged: &mut bool) {
        let has_lines = |layer: &&Layer<'s>| {
            let document = layer.place.document;
            !document.equations(layer.block).is_empty() || !document.inner(layer.block).is_empty()
        };
        // The lines of a derived component replace those of its base.
        let Some(&Layer { place, block }) = item.layers.iter().rev().find(has_lines) else {
            return;
        };
        let view = view.at(place);
        self.write_equations(view, block, is_damaged);
        if item.keyword == "Repeat" {
            return;
        }
        for section in place.document.inner(block) {
            self.emitter.begin_section(self.sources.text(section.keyword), section.keyword);
            self.write_equations(view, section, is_damaged);
            for transition in place.document.transitions(section) {
                self.emitter.begin_line();
                let from = self.emitter.piece(self.sources.text(transition.from), transition.from);
                self.emitter.arrow();
                let to = self.emitter.piece(self.sources.text(transition.to), transition.to);
                self.emitter.colon();
                let condition = self.expression(view, transition.condition);
                self.emitter.end_transition(from, to, condition);
            }
            self.emitter.end_section();
        }
    }

    /// Writes equations but those with a mistake, which is reported.
    fn write_equations(&mut self, view: View<'_, 's>, block: &Block, is_damaged: &mut bool) {
        for equation in view.place.document.equations(block) {
            let mark = self.emitter.mark();
            self.is_broken = false;
            self.emitter.begin_line();
            let left = self.expression(view, equation.left);
            self.emitter.equals_sign();
            let right = self.expression(view, equation.right);
            match std::mem::take(&mut self.is_broken) {
                true => {
                    self.emitter.go_back(mark);
                    *is_damaged = true;
                }
                false => self.emitter.end_equation(left, right),
            }
        }
    }

    /// Writes the block of a port that is looked at or not connected.
    pub(super) fn write_port(
        &mut self,
        view: View<'_, 's>,
        port: &super::definitions::PortDeclaration<'s>,
        outer: Option<(&str, Span)>,
    ) {
        if port.domain == PortDomain::Unknown {
            return;
        }
        let name = format!("{}{}", view.environment.prefix, port.name);
        let keyword = ("Port", port.keyword);
        self.emitter.begin_block(keyword, (&name, port.span), view.environment.instance);
        if let Some(word) = port.domain_word {
            self.write_word("Domain", self.sources.text(word).trim_matches('"'), port.span, word);
        }
        if let Some((node, origin)) = outer {
            self.write_word("Node", node, port.span, origin);
        }
        self.emitter.end_block(false);
        self.order.push(FlatBlock::Emitted(self.emitter.count() as u32 - 1));
    }

    /// Writes `name = word;`.
    pub(super) fn write_word(&mut self, name: &str, word: &str, name_origin: Span, origin: Span) {
        self.emitter.begin_line();
        let name = self.emitter.piece(name, name_origin);
        self.emitter.equals_sign();
        let span = self.emitter.piece(word, origin);
        let kind = match parser::lexical::path(word) {
            Ok(("", _)) => parser::syntax::NodeKind::Name,
            _ => parser::syntax::NodeKind::Word,
        };
        let node = self.emitter.node(span, kind);
        self.emitter.end_parameter(name, &[node]);
    }
}

/// The change of a parameter of a block: of several the last, which comes from the outermost instance. The others have
/// found what they change, too.
fn change_of<'c, 'a, 's>(
    changes: &'c [Change<'a, 's>],
    local: &str,
    name: &str,
) -> Option<&'c Change<'a, 's>> {
    let mut found = None;
    for change in changes.iter().filter(|change| own_change(change, local) == Some(name)) {
        change.ledger.mark(change.number);
        found = Some(change);
    }
    found
}

/// The parameter of a block that a change is about: what is left of the path behind the name of the block.
fn own_change<'c>(change: &'c Change<'_, '_>, local: &str) -> Option<&'c str> {
    let rest = change.path.strip_prefix(local)?.strip_prefix('.')?;
    (!rest.contains('.')).then_some(rest)
}
