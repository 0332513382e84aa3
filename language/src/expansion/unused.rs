//! Checks the components that no instance uses: a model of an instance of each, whose ports lead nowhere, is read for
//! mistakes in names, types and references. Values that nobody gives are unknown, and nothing is said about them.

use std::rc::Rc;

use parser::diagnostic::{Code, Diagnostics};
use parser::source::Span;
use rustc_hash::FxHashSet;

use super::definitions::{Definition, ParameterKind, PortDomain};
use super::environment::{Binding, Environment, View};
use super::file_scopes::FileScope;
use super::parameter_values::Value;
use super::{Expander, FlatBlock, Texts};
use crate::codes;

/// Mistakes that do not depend on what an instance would be given.
const CERTAIN: &[Code] = &[
    codes::UNKNOWN_BLOCK,
    codes::UNKNOWN_PARAMETER,
    codes::UNKNOWN_REFERENCE,
    codes::WRONG_REFERENCE,
    codes::AMBIGUOUS,
    codes::DUPLICATE_NAME,
    codes::RESERVED_NAME,
    codes::REQUIRED,
    codes::WRONG_COUNT,
    codes::WRONG_WORD,
    codes::UNKNOWN_NAME,
    codes::UNKNOWN_SIGNAL,
    codes::UNKNOWN_FUNCTION,
    codes::WRONG_ARGUMENTS,
    codes::NOT_CONSTANT,
    codes::NEEDS_ACCELERATIONS,
    codes::MIXED_DOMAINS,
    codes::UNKNOWN_COMPONENT,
    codes::RECURSIVE_COMPONENT,
    codes::NOT_IN_COMPONENT,
    codes::NOT_GIVEN,
    codes::WRONG_DECLARATION,
];

/// The messages that are certain about unused components.
pub(crate) fn certain(found: &Diagnostics) -> Diagnostics {
    let mut kept = Diagnostics::default();
    found.iter().filter(|d| CERTAIN.contains(&d.code)).for_each(|d| kept.push(d.clone()));
    kept
}

/// Writes the model for the check; nothing if every component is used. The places are those of the components.
pub(crate) fn expand_unused(texts: Texts<'_>, used: &FxHashSet<usize>) -> Option<super::Flat> {
    let mut expander = Expander::new(texts);
    expander.gather(texts.scopes);
    let unused: Vec<usize> = (0..expander.definitions.len())
        .filter(|id| !used.contains(id) && !expander.is_shipped(*id))
        .collect();
    if unused.is_empty() {
        return None;
    }
    // All that was found up to here is reported by the first expansion.
    expander.evaluate_constants(texts.overrides);
    expander.find_observed();
    expander.diagnostics = Diagnostics::default();
    expander.write_settings(texts.scopes);
    expander.diagnostics = Diagnostics::default();
    for id in unused {
        expander.write_probe(id);
    }
    Some(expander.finish())
}

impl<'s> Expander<'s> {
    /// Does a component belong to the library that is shipped with the program?
    fn is_shipped(&self, id: usize) -> bool {
        let definition = &self.definitions[id];
        let source = self.sources.source_of(definition.span);
        source.is_some_and(|source| source.name().starts_with('<'))
    }

    /// Writes constants and formulas, which all expressions may use.
    fn write_settings(&mut self, scopes: &[FileScope]) {
        let top = super::top_level();
        for (scope, file) in scopes.iter().enumerate() {
            for &(document, index) in &file.blocks {
                let place = self.place(document, scope);
                let Some(block) = place.document.blocks().get(index as usize) else { continue };
                let keyword = self.sources.text(block.keyword);
                if keyword == "Formula" || (keyword == "Parameters" && scope == 0) {
                    let view = View { environment: &top, indices: None, place, arguments: &[] };
                    self.write_top_block(view, block);
                }
            }
        }
    }

    /// Writes an instance that is given nothing.
    fn write_probe(&mut self, id: usize) {
        let definition = Rc::clone(&self.definitions[id]);
        let mut environment = Environment {
            definition: Some(Rc::clone(&definition)),
            prefix: format!("{}.", definition.name),
            values: vec![None; definition.parameters.len()],
            ports: Vec::new(),
            instance: None,
        };
        self.chain.push(id);
        self.set_defaults(&mut environment, &definition);
        for port in &definition.ports {
            match port.domain {
                PortDomain::Frame => self.write_probe_triad(&environment, port.name, port.span),
                PortDomain::Unknown => {}
                _ => {
                    let view = self.inside(&environment, &definition);
                    self.write_port(view, port, None);
                }
            }
            environment.ports.push(Binding::Inside);
        }
        for input in &definition.inputs {
            self.write_probe_input(&environment, input.name, input.span);
        }
        for inner in &definition.items {
            let place = inner.first().place;
            let view = View { environment: &environment, indices: None, place, arguments: &[] };
            self.write_item(view, inner, &[]);
        }
        self.chain.pop();
    }

    fn inside<'a>(
        &self,
        environment: &'a Environment<'s>,
        definition: &Definition<'s>,
    ) -> View<'a, 's> {
        let place = self.place(0, definition.scope);
        View { environment, indices: None, place, arguments: &[] }
    }

    /// The defaults; what has none is unknown, but a word is the first choice.
    fn set_defaults(&mut self, environment: &mut Environment<'s>, definition: &Rc<Definition<'s>>) {
        for &at in &definition.order {
            let declared = &definition.parameters[at];
            let value = match (&declared.default, &declared.kind) {
                (Some((place, values)), _) => {
                    let place = *place;
                    let view =
                        View { environment: &*environment, indices: None, place, arguments: &[] };
                    self.declared_value(view, declared, values, declared.span)
                }
                (None, ParameterKind::Word(choices)) => {
                    choices.first().map(|word| Value::Word((*word).into()))
                }
                _ => None,
            };
            environment.values[at] = value;
        }
    }

    fn write_probe_triad(&mut self, environment: &Environment<'s>, name: &str, span: Span) {
        let name = format!("{}{name}", environment.prefix);
        self.emitter.begin_block(("Triad", span), (&name, span), None);
        self.write_word("Parent", "world", span, span);
        self.emitter.end_block(true);
        self.order.push(FlatBlock::Emitted(self.emitter.count() as u32 - 1));
    }

    fn write_probe_input(&mut self, environment: &Environment<'s>, name: &str, span: Span) {
        let name = format!("{}{name}", environment.prefix);
        self.emitter.begin_block(("Signal", span), (&name, span), None);
        self.emitter.begin_line();
        let value = self.emitter.piece("Value", span);
        self.emitter.equals_sign();
        let zero = self.write_number(0.0, span);
        self.emitter.end_parameter(value, &[zero]);
        self.emitter.end_block(false);
        self.order.push(FlatBlock::Emitted(self.emitter.count() as u32 - 1));
    }
}
