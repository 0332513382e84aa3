//! Gathers the declarations of all files: constants, components with their bases, formulas, names of included files.

use std::rc::Rc;

use parser::diagnostic::Diagnostic;
use parser::source::Span;
use parser::suggest::nearest;
use parser::syntax::{NodeId, NodeKind, Parameter};
use rustc_hash::FxHashMap;

use super::Expander;
use super::definitions::{
    Definition, InputDeclaration, Item, Layer, ParameterDeclaration, ParameterKind, Place,
    PortDeclaration, PortDomain, bare, base_of, single,
};
use super::file_scopes::{Constant, FileFunction, FileScope};
use super::ordering::order_by_needs;
use crate::codes;
use crate::element::{Family, Kind};
use equations::domain::Domain;

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

impl<'s> Expander<'s> {
    /// Gathers the declarations of all files.
    pub(super) fn gather(&mut self, scopes: &[FileScope]) {
        let mut written = Vec::new();
        for (scope, file) in scopes.iter().enumerate() {
            for &(document, index) in &file.blocks {
                let place = self.place(document, scope);
                let Some(block) = place.document.blocks().get(index as usize) else { continue };
                self.declare(Layer { place, block }, &mut written);
            }
        }
        // Prefixes follow the first name under which a file is included.
        for (scope, file) in scopes.iter().enumerate() {
            let prefix = self.names[scope].prefix.clone();
            for (name, other, _) in &file.namespaces {
                self.names[scope].namespaces.insert(name.clone(), *other);
                if self.names[*other].prefix.is_empty() {
                    self.names[*other].prefix = format!("{prefix}{name}.");
                }
            }
        }
        for names in &mut self.names {
            let prefix = &names.prefix;
            names.formulas.iter_mut().for_each(|(name, full)| *full = format!("{prefix}{name}"));
        }
        for (at, function) in self.functions.iter().enumerate() {
            let prefix = &self.names[function.place.scope].prefix;
            self.function_index.insert(format!("{prefix}{}", function.name), at);
        }
        self.define(&written);
    }

    /// The place of a document.
    pub(super) fn place(&self, document: u32, scope: usize) -> Place<'s> {
        Place { document: &self.documents[document as usize], index: document, scope }
    }

    /// Takes up what one block of a file declares.
    fn declare(&mut self, layer: Layer<'s>, written: &mut Vec<Written<'s>>) {
        let Layer { place, block } = layer;
        let keyword = self.sources.text(block.keyword);
        let name = self.sources.text(block.name);
        match keyword {
            "Parameters" => self.declare_constants(layer),
            "Component" => {
                let id = add_component(self, layer, None, written);
                if let Some(&first) = self.names[place.scope].components.get(name) {
                    let message = format!("there are two components `{name}`");
                    let mistake = Diagnostic::new(codes::DUPLICATE_NAME, block.name, message);
                    let there = written[first].layer.block.name;
                    let help = "give one of them another name";
                    self.report(mistake.also(there, "the first one").help(help));
                } else {
                    self.names[place.scope].components.insert(name, id);
                }
            }
            "Formula" => {
                self.names[place.scope].formulas.insert(name, name.to_string());
                self.declare_function(layer);
            }
            "Include" | "Header" | "System" | "Solver" | "Output" => {}
            _ if place.scope > 0 => {
                let message =
                    format!("the {keyword} `{name}` of a file included `As` a name is left out");
                let mistake = Diagnostic::new(codes::NOT_TAKEN_OVER, block.keyword, message);
                let help = "such a file gives its Components, Formulas and Parameters; include it without `As` to have all";
                self.report(mistake.help(help));
            }
            _ => {}
        }
    }

    fn declare_constants(&mut self, layer: Layer<'s>) {
        let Layer { place, block } = layer;
        for parameter in place.document.parameters(block) {
            let name = self.sources.text(parameter.name);
            let values = place.document.values(parameter).to_vec();
            if name == "If" || self.names[place.scope].constants.contains_key(name) {
                continue;
            }
            self.names[place.scope].constants.insert(name, self.constants.len());
            let span = parameter.name;
            self.constants.push(Constant { name, span, place, values, value: None });
        }
    }

    /// A formula of a file, which constant expressions may call.
    fn declare_function(&mut self, layer: Layer<'s>) {
        let Layer { place, block } = layer;
        let given = |name: &str| {
            let mut all = place.document.parameters(block).iter();
            all.find(|parameter| self.sources.text(parameter.name) == name)
        };
        let values = |name: &str| given(name).map_or(&[][..], |p| place.document.values(p));
        let arguments = values("Of").iter();
        let arguments = arguments.map(|&id| bare(self.sources, place.document, id).0).collect();
        let name = self.sources.text(block.name);
        let value = values("Value").to_vec();
        self.functions.push(FileFunction { name, place, arguments, value, function: None });
    }

    /// Makes the definitions, bases first.
    fn define(&mut self, written: &[Written<'s>]) {
        let bases: Vec<Vec<(usize, Span)>> =
            (0..written.len()).map(|id| self.bases(written, id)).collect();
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
            self.report(Diagnostic::new(codes::WRONG_BASE, span, message));
        }
        let mut made: Vec<Option<Rc<Definition<'s>>>> = vec![None; written.len()];
        for id in order {
            let mut definition = Definition::empty(
                written[id].full_name,
                written[id].layer.block.name,
                written[id].layer.place.scope,
            );
            for (base, span) in &bases[id] {
                if let Some(base) = made[*base].clone() {
                    self.inherit(&mut definition, &base, *span);
                }
            }
            definition.nested.extend(&written[id].nested);
            self.fill(&mut definition, written[id].layer);
            made[id] = Some(Rc::new(definition));
        }
        self.definitions = made.into_iter().flatten().collect();
        self.find_nodes();
    }

    /// The components that a component extends.
    fn bases(&mut self, written: &[Written<'s>], id: usize) -> Vec<(usize, Span)> {
        let Layer { place, block } = written[id].layer;
        let mut bases = Vec::new();
        let all = place.document.parameters(block).iter();
        let extends = all.filter(|p| self.sources.text(p.name) == "Extends");
        for parameter in extends.collect::<Vec<_>>() {
            for &value in place.document.values(parameter) {
                let (name, span) = bare(self.sources, place.document, value);
                // A component is its own base only by mistake; a base of the same name is one of the file.
                let mut outer = written[id].parent;
                let mut found = None;
                while let (Some(parent), None) = (outer, found) {
                    found = written[parent].nested.get(name).copied();
                    outer = written[parent].parent;
                }
                match found.or_else(|| self.component_of_file(place.scope, name)) {
                    Some(base) => bases.push((base, span)),
                    None => self.unknown_component(place.scope, None, name, span),
                }
            }
        }
        bases
    }

    /// The component that a name means in a file.
    pub(super) fn component_of_file(&self, scope: usize, name: &str) -> Option<usize> {
        let names = &self.names[scope];
        if let Some(&id) = names.components.get(name) {
            return Some(id);
        }
        let (space, name) = name.split_once('.')?;
        self.component_of_file(*names.namespaces.get(space)?, name)
    }

    /// Reports a component that is not there.
    pub(super) fn unknown_component(
        &mut self,
        scope: usize,
        definition: Option<&Definition<'s>>,
        name: &str,
        span: Span,
    ) {
        let message = format!("there is no component `{name}`");
        let all = self.component_names(scope, definition);
        let near = nearest(name, all.iter().map(String::as_str));
        let help = near.map(|near| format!("did you mean `{near}`?"));
        self.report_missing(
            Diagnostic::new(codes::UNKNOWN_COMPONENT, span, message).maybe_help(help),
        );
    }

    /// The components that can be named in a place.
    pub(super) fn component_names(
        &self,
        scope: usize,
        definition: Option<&Definition<'s>>,
    ) -> Vec<String> {
        let names = &self.names[scope];
        let mut all: Vec<String> = names.components.keys().map(|name| name.to_string()).collect();
        for (space, other) in &names.namespaces {
            let inside = self.names[*other].components.keys();
            all.extend(inside.map(|name| format!("{space}.{name}")));
        }
        all.extend(definition.iter().flat_map(|d| d.nested.keys()).map(|name| name.to_string()));
        all.sort_unstable();
        all
    }

    /// Takes over everything of a base.
    fn inherit(&mut self, definition: &mut Definition<'s>, base: &Definition<'s>, span: Span) {
        base.parameters.iter().for_each(|one| definition.declare_parameter(one.clone()));
        base.ports.iter().for_each(|one| definition.declare_port(one.clone()));
        base.inputs.iter().for_each(|one| definition.declare_input(one.clone()));
        definition.nested.extend(&base.nested);
        definition.is_damaged |= base.is_damaged;
        for item in &base.items {
            let known = definition.items.iter().find(|known| known.name == item.name);
            match known {
                Some(known) if is_same(known, item) => {}
                Some(known) if known.keyword == item.keyword || item.layers.len() > 1 => {
                    let message = format!(
                        "two bases have a {} `{}`, and they differ",
                        item.keyword, item.name
                    );
                    let here = item.first().block.name;
                    let there = known.first().block.name;
                    let mistake = Diagnostic::new(codes::WRONG_BASE, span, message);
                    let help = "take over one of the two, or rename the block in one of them";
                    self.report(
                        mistake.also(there, "one of them").also(here, "the other").help(help),
                    );
                }
                _ => definition.items.push(item.clone()),
            }
        }
    }

    /// Adds what the block itself declares.
    fn fill(&mut self, definition: &mut Definition<'s>, layer: Layer<'s>) {
        let Layer { place, block } = layer;
        definition.is_damaged |= block.damaged;
        for parameter in place.document.parameters(block) {
            match self.sources.text(parameter.name) {
                "About" => definition.about = self.plain_text(place, parameter),
                "Extends" | "If" => {}
                name => {
                    self.unknown_attribute("Component", name, parameter.name, &["About", "Extends"])
                }
            }
        }
        let mut own = Vec::new();
        for inner in place.document.inner(block) {
            let inner = Layer { place, block: inner };
            match self.sources.text(inner.block.keyword) {
                "Component" => {}
                "Parameter" => self.declare_one_parameter(definition, inner),
                "Parameters" => self.declare_short_parameters(definition, inner),
                "Port" => self.declare_port(definition, inner),
                "Input" => self.declare_input(definition, inner),
                _ => own.extend(self.item(inner)),
            }
        }
        lay_over(&mut definition.items, own);
        collect_names(&definition.items, &mut |base| {
            definition.blocks.insert(base);
        });
        for (name, span) in definition.ports.iter().map(|p| (p.name, p.span)).collect::<Vec<_>>() {
            self.check_unique(definition, name, span, "port");
        }
        for (name, span) in definition.inputs.iter().map(|p| (p.name, p.span)).collect::<Vec<_>>() {
            self.check_unique(definition, name, span, "input");
        }
        self.order_defaults(definition);
    }

    /// A name may stand for one thing only, or expressions would be ambiguous.
    fn check_unique(&mut self, definition: &Definition<'s>, name: &str, span: Span, what: &str) {
        let other = if definition.parameter_index.contains_key(name) {
            "parameter"
        } else if what == "input" && definition.port_index.contains_key(name) {
            "port"
        } else if definition.blocks.contains(name) {
            "block"
        } else {
            return;
        };
        let message =
            format!("`{name}` is a {what} and a {other} of component `{}`", definition.name);
        let help = "give one of the two another name";
        self.report(Diagnostic::new(codes::DUPLICATE_NAME, span, message).help(help));
    }

    /// A block as an item, with the blocks of a Repeat; nothing for one that cannot stand in a component.
    pub(super) fn item(&mut self, layer: Layer<'s>) -> Option<Item<'s>> {
        let keyword = self.sources.text(layer.block.keyword);
        let name = self.sources.text(layer.block.name);
        let where_to = match keyword {
            "Header" | "System" | "Solver" | "Output" => "at top level: it is for the whole model",
            "Include" => "at top level, before the components that need it",
            "Component" => "at top level or directly in a component",
            "Parameter" | "Port" => "directly in a Component block",
            _ => "",
        };
        if !where_to.is_empty() {
            let message = format!("a {keyword} block cannot stand here");
            let mistake = Diagnostic::new(codes::WRONG_PLACE, layer.block.keyword, message);
            self.report(mistake.help(format!("write it {where_to}")));
            return None;
        }
        let mut inner = Vec::new();
        if keyword == "Repeat" {
            for block in layer.place.document.inner(layer.block) {
                inner.extend(self.item(Layer { block, ..layer }));
            }
        }
        Some(Item { keyword, base: base_of(name), name, layers: vec![layer], inner })
    }

    /// The text of a parameter that takes a text.
    fn plain_text(&self, place: Place<'s>, parameter: &Parameter) -> &'s str {
        single(place.document, parameter).map_or("", |id| bare(self.sources, place.document, id).0)
    }

    fn unknown_attribute(&mut self, keyword: &str, name: &str, span: Span, known: &[&str]) {
        let message = format!("{keyword} has no parameter `{name}`");
        let near = nearest(name, known.iter().copied());
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("its parameters are {}", known.join(", ")),
        };
        self.report(Diagnostic::new(codes::WRONG_DECLARATION, span, message).help(help));
    }

    /// `Parameter "k" { Default = 1; ... }`
    fn declare_one_parameter(&mut self, definition: &mut Definition<'s>, layer: Layer<'s>) {
        const KNOWN: &[&str] = &["Default", "Unit", "Min", "Max", "About", "Choices", "Is", "If"];
        let Layer { place, block } = layer;
        let name = self.sources.text(block.name);
        let mut new = self.new_parameter(name, block.name);
        for parameter in place.document.parameters(block) {
            let values = place.document.values(parameter);
            let number = single(place.document, parameter).map(|id| (place, id));
            match self.sources.text(parameter.name) {
                "Default" => new.default = (!values.is_empty()).then(|| (place, values.to_vec())),
                "Unit" => new.unit = self.plain_text(place, parameter),
                "About" => new.about = self.plain_text(place, parameter),
                "Min" => new.min = number,
                "Max" => new.max = number,
                "If" => {}
                "Choices" => {
                    let word = |&id: &NodeId| bare(self.sources, place.document, id).0;
                    new.kind = ParameterKind::Word(values.iter().map(word).collect());
                }
                "Is" => {
                    let word = values.first().map(|&id| bare(self.sources, place.document, id).0);
                    new.kind = ParameterKind::Component(word.unwrap_or(""));
                    new.default = Some((place, values.to_vec()));
                }
                other => self.unknown_attribute("Parameter", other, parameter.name, KNOWN),
            }
        }
        self.check_declared_name(name, block.name);
        definition.declare_parameter(new);
    }

    fn new_parameter(&self, name: &'s str, span: Span) -> ParameterDeclaration<'s> {
        let kind = ParameterKind::Any;
        let (default, min, max) = (None, None, None);
        ParameterDeclaration { name, span, kind, default, min, max, unit: "", about: "" }
    }

    /// Names with a fixed meaning.
    fn check_declared_name(&mut self, name: &str, span: Span) {
        if matches!(name, "t" | "pi" | "e" | "If" | "world") {
            let message = format!("`{name}` has a fixed meaning and cannot be declared");
            self.report(Diagnostic::new(codes::RESERVED_NAME, span, message));
        }
    }

    /// `Parameters "p" { R = 250; L = 0.08; }`
    fn declare_short_parameters(&mut self, definition: &mut Definition<'s>, layer: Layer<'s>) {
        let Layer { place, block } = layer;
        for parameter in place.document.parameters(block) {
            let name = self.sources.text(parameter.name);
            if name == "If" {
                continue;
            }
            self.check_declared_name(name, parameter.name);
            let values = place.document.values(parameter).to_vec();
            let mut new = self.new_parameter(name, parameter.name);
            new.default = (!values.is_empty()).then_some((place, values));
            definition.declare_parameter(new);
        }
    }

    fn declare_port(&mut self, definition: &mut Definition<'s>, layer: Layer<'s>) {
        const KNOWN: &[&str] = &["Domain", "Required", "About", "If"];
        let Layer { place, block } = layer;
        let name = self.sources.text(block.name);
        let mut new = PortDeclaration {
            name,
            span: block.name,
            keyword: block.keyword,
            domain: PortDomain::Unknown,
            domain_word: None,
            is_required: false,
            about: "",
        };
        let mut is_given = block.damaged;
        for parameter in place.document.parameters(block) {
            let word = self.plain_text(place, parameter);
            match self.sources.text(parameter.name) {
                "Domain" => {
                    is_given = true;
                    new.domain_word = Some(parameter.value);
                    new.domain = self.port_domain(word, parameter.value);
                }
                "Required" => new.is_required = word == "yes",
                "About" => new.about = word,
                "If" => {}
                other => self.unknown_attribute("Port", other, parameter.name, KNOWN),
            }
        }
        if !is_given {
            let message = format!("port `{name}` has no domain");
            let help = "add `Domain = electrical;`, or rotational, translational, thermal, hydraulic, bond, frame";
            self.report(Diagnostic::new(codes::REQUIRED, block.name, message).help(help));
        }
        self.check_declared_name(name, block.name);
        definition.declare_port(new);
    }

    fn port_domain(&mut self, word: &str, span: Span) -> PortDomain {
        const WORDS: [(&str, PortDomain); 7] = [
            ("electrical", PortDomain::Node(Domain::Electrical)),
            ("rotational", PortDomain::Node(Domain::Rotational)),
            ("translational", PortDomain::Node(Domain::Translational)),
            ("thermal", PortDomain::Node(Domain::Thermal)),
            ("hydraulic", PortDomain::Node(Domain::Hydraulic)),
            ("bond", PortDomain::Bond),
            ("frame", PortDomain::Frame),
        ];
        if let Some((_, domain)) = WORDS.iter().find(|(known, _)| *known == word) {
            return *domain;
        }
        let words = WORDS.map(|(word, _)| word);
        let message = format!("there is no domain `{word}`");
        let help = match nearest(word, words) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the domains are {}", words.join(", ")),
        };
        self.report(Diagnostic::new(codes::WRONG_WORD, span, message).help(help));
        PortDomain::Unknown
    }

    fn declare_input(&mut self, definition: &mut Definition<'s>, layer: Layer<'s>) {
        const KNOWN: &[&str] = &["Default", "Unit", "About", "If"];
        let Layer { place, block } = layer;
        let name = self.sources.text(block.name);
        let (span, keyword) = (block.name, block.keyword);
        let mut new =
            InputDeclaration { name, span, keyword, default: None, unit: None, about: "" };
        for parameter in place.document.parameters(block) {
            match self.sources.text(parameter.name) {
                "Default" => new.default = single(place.document, parameter).map(|id| (place, id)),
                "Unit" => new.unit = Some((place, parameter)),
                "About" => new.about = self.plain_text(place, parameter),
                "If" => {}
                other => self.unknown_attribute("Input", other, parameter.name, KNOWN),
            }
        }
        self.check_declared_name(name, block.name);
        definition.declare_input(new);
    }

    /// Finds the order in which the defaults of a component can be worked out.
    fn order_defaults(&mut self, definition: &mut Definition<'s>) {
        let needs = |at: usize| -> Vec<usize> {
            let Some((place, values)) = &definition.parameters[at].default else { return vec![] };
            let mut all = Vec::new();
            names_in(*place, values, &mut |span| {
                let base = super::definitions::first_of_path(self.sources.text(span));
                all.extend(definition.parameter_index.get(base));
            });
            // A component by default is a name, and no parameter.
            match definition.parameters[at].kind {
                ParameterKind::Any => all,
                _ => vec![],
            }
        };
        let (order, cycles) = order_by_needs(definition.parameters.len(), needs);
        for cycle in cycles {
            let names: Vec<&str> = cycle.iter().map(|&at| definition.parameters[at].name).collect();
            let message = format!(
                "parameter `{}` depends on itself: {} -> {}",
                names[0],
                names.join(" -> "),
                names[0]
            );
            let span = definition.parameters[cycle[0]].span;
            self.report(Diagnostic::new(codes::PARAMETER_CYCLE, span, message));
        }
        definition.order = order;
    }

    /// Finds the nodes that the blocks of each component name: expressions may use their potentials.
    fn find_nodes(&mut self) {
        let found: Vec<_> = (0..self.definitions.len())
            .map(|id| {
                let definition = &self.definitions[id];
                let mut nodes = Vec::new();
                let mut open: Vec<&Item<'s>> = definition.items.iter().collect();
                while let Some(item) = open.pop() {
                    open.extend(&item.inner);
                    self.nodes_of(definition, item, &mut nodes);
                }
                nodes
            })
            .collect();
        for (definition, nodes) in self.definitions.iter_mut().zip(found) {
            if let Some(definition) = Rc::get_mut(definition) {
                definition.nodes.extend(nodes);
            }
        }
    }

    /// Adds the names of the nodes that one block names.
    fn nodes_of(&self, definition: &Definition<'s>, item: &Item<'s>, nodes: &mut Vec<&'s str>) {
        let Layer { place, .. } = item.first();
        let component = match definition.parameter_index.get(item.keyword) {
            Some(&at) => match definition.parameters[at].kind {
                ParameterKind::Component(word) => self.component_of_file(definition.scope, word),
                _ => None,
            },
            None => definition
                .nested
                .get(item.keyword)
                .copied()
                .or_else(|| self.component_of_file(place.scope, item.keyword)),
        };
        let schema = self.schemas.get(item.keyword).filter(|s| s.family == Family::Network);
        for layer in &item.layers {
            let document = layer.place.document;
            for parameter in document.parameters(layer.block) {
                let name = self.sources.text(parameter.name);
                let is_node = match (component, schema) {
                    (Some(id), _) => self.definitions[id].port_index.get(name).is_some_and(|&at| {
                        matches!(
                            self.definitions[id].ports[at].domain,
                            PortDomain::Node(_) | PortDomain::Bond
                        )
                    }),
                    (None, Some(schema)) => schema
                        .parameter(name)
                        .is_some_and(|known| matches!(known.kind, Kind::Node(_) | Kind::Flange)),
                    (None, None) => false,
                };
                if let (true, Some(id)) = (is_node, single(document, parameter)) {
                    nodes.push(base_of(bare(self.sources, document, id).0));
                }
            }
        }
    }
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

/// Lays the blocks of a derived component over those of its bases: a block of the same name changes the parameters that
/// it gives, or replaces the block if its keyword differs.
fn lay_over<'s>(items: &mut Vec<Item<'s>>, own: Vec<Item<'s>>) {
    let mut of_base: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    for (at, item) in items.iter().enumerate() {
        of_base.entry(item.name).or_default().push(at);
    }
    for new in own {
        let named = of_base.get(new.name).map_or(&[] as &[usize], Vec::as_slice);
        let same = named.iter().find(|&&at| items[at].keyword == new.keyword);
        match (same, named) {
            (Some(&at), _) => {
                items[at].layers.extend(new.layers);
                lay_over(&mut items[at].inner, new.inner);
            }
            (None, [at]) => items[*at] = new,
            _ => items.push(new),
        }
    }
}

/// Are two items the same block of the same base?
fn is_same(a: &Item<'_>, b: &Item<'_>) -> bool {
    a.layers.len() == b.layers.len()
        && a.layers.iter().zip(&b.layers).all(|(x, y)| std::ptr::eq(x.block, y.block))
}

/// Calls `visit` with the base names of items, also inside of Repeats.
fn collect_names<'s>(items: &[Item<'s>], visit: &mut impl FnMut(&'s str)) {
    let mut open: Vec<&Item<'s>> = items.iter().collect();
    while let Some(item) = open.pop() {
        match item.keyword {
            "Repeat" => open.extend(&item.inner),
            _ => visit(item.base),
        }
    }
}

/// Calls `visit` with the places of all names in expressions.
pub(super) fn names_in(place: Place<'_>, values: &[NodeId], visit: &mut impl FnMut(Span)) {
    let mut open = values.to_vec();
    while let Some(id) = open.pop() {
        let node = place.document.node(id);
        match node.kind {
            NodeKind::Name => visit(node.span),
            NodeKind::Indexed(run) => {
                visit(node.span);
                open.extend(place.document.members(run));
            }
            NodeKind::List(run) => open.extend(place.document.members(run)),
            NodeKind::Parenthesis(inner) | NodeKind::Unary(_, inner) => open.push(inner),
            NodeKind::Binary(_, left, right) => open.extend([left, right]),
            NodeKind::Call { arguments, .. } => open.extend(place.document.members(arguments)),
            NodeKind::Number(_) | NodeKind::Word | NodeKind::Text => {}
        }
    }
}

/// Calls `visit` with the places of the names of all functions in expressions.
pub(super) fn calls_in(place: Place<'_>, values: &[NodeId], visit: &mut impl FnMut(Span)) {
    let mut open = values.to_vec();
    while let Some(id) = open.pop() {
        let node = place.document.node(id);
        match node.kind {
            NodeKind::Indexed(run) | NodeKind::List(run) => {
                open.extend(place.document.members(run))
            }
            NodeKind::Parenthesis(inner) | NodeKind::Unary(_, inner) => open.push(inner),
            NodeKind::Binary(_, left, right) => open.extend([left, right]),
            NodeKind::Call { name_len, arguments } => {
                visit(Span::new(node.span.start, node.span.start + u32::from(name_len)));
                open.extend(place.document.members(arguments));
            }
            NodeKind::Number(_) | NodeKind::Name | NodeKind::Word | NodeKind::Text => {}
        }
    }
}
