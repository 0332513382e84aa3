//! What a component declares, as plain words: a component of a user is listed like a block of the language.

use super::gather::{component_names, component_of_file};
use parser::source::Sources;

use super::Expander;
use super::definitions::{Definition, ParameterKind, Place};
use crate::element::one_of;
use crate::model::reference::{line, wrapped};
use parser::syntax::NodeId;

/// A component and what an instance of it takes and tells.
#[derive(Clone, Debug)]
pub struct ComponentTable {
    /// The name, with those of the files that it is included under: `drives.Motor`.
    pub name: String,
    /// What it is.
    pub about: String,
    /// Each parameter with unit and default, and what it is.
    pub parameters: Vec<(String, String)>,
    /// Each port, and what it is.
    pub ports: Vec<(String, String)>,
    /// Each input with unit and default, and what it is.
    pub inputs: Vec<(String, String)>,
    /// Each signal and variable with its unit.
    pub signals: Vec<(String, String)>,
}

impl ComponentTable {
    /// All about the component, for the terminal.
    pub fn describe(&self) -> String {
        let mut out = String::new();
        line(&mut out, format_args!("{}, a component", self.name));
        if !self.about.is_empty() {
            wrapped(&mut out, "  ", &self.about);
        }
        let sections = [
            ("Parameters", &self.parameters),
            ("Ports", &self.ports),
            ("Inputs", &self.inputs),
            ("Signals", &self.signals),
        ];
        for (title, rows) in sections.into_iter().filter(|(_, rows)| !rows.is_empty()) {
            line(&mut out, format_args!("\n{title}"));
            for (head, words) in rows {
                line(&mut out, format_args!("  {head}"));
                if !words.is_empty() {
                    wrapped(&mut out, "        ", words);
                }
            }
        }
        out
    }
}

/// The tables of all components that the main file can name.
pub(super) fn component_tables<'s>(expander: &Expander<'s>) -> Vec<ComponentTable> {
    let names = component_names(expander, 0, None);
    let found = names.into_iter().filter_map(|name| {
        let id = component_of_file(expander, 0, &name)?;
        Some(table(expander.sources, name, &expander.definitions[id]))
    });
    found.collect()
}

fn table(sources: &Sources, name: String, definition: &Definition<'_>) -> ComponentTable {
    let parameters = definition.parameters.iter().map(|parameter| {
        let default = match &parameter.default {
            Some((place, values)) => written(sources, *place, values),
            None => "required".into(),
        };
        let kind = match &parameter.kind {
            ParameterKind::Any => String::new(),
            ParameterKind::Word(choices) => format!("{}; ", one_of(choices)),
            ParameterKind::Component(of) => format!("a component like `{of}`; "),
        };
        let bound = |name: &str, bound: &Option<(Place<'_>, NodeId)>| match bound {
            Some((place, id)) => format!("{name} {}; ", written(sources, *place, &[*id])),
            None => String::new(),
        };
        let (least, most) = (bound("at least", &parameter.min), bound("at most", &parameter.max));
        let words = format!("{kind}{least}{most}{}", parameter.about);
        (
            format!("{} = {default}{}", parameter.name, in_brackets(parameter.unit)),
            words.trim_end_matches("; ").to_string(),
        )
    });
    let ports = definition.ports.iter().map(|port| {
        let domain = port.domain_word.map_or("", |span| sources.text(span));
        let required = if port.is_required { ", required" } else { "" };
        (format!("{} ({domain}{required})", port.name), port.about.to_string())
    });
    let inputs = definition.inputs.iter().map(|input| {
        let default = match input.default {
            Some((place, id)) => written(sources, place, &[id]),
            None => "required".into(),
        };
        let unit = input.unit.map_or("", |(_, unit)| sources.text(unit.value).trim_matches('"'));
        (format!("{} = {default}{}", input.name, in_brackets(unit)), input.about.to_string())
    });
    let is_told = |keyword: &str| matches!(keyword, "Signal" | "Variable");
    let signals = definition.items.iter().filter(|item| is_told(item.keyword)).map(|item| {
        let text = |name: &str| {
            let given = item.parameter(sources, name);
            given.map_or("", |(_, given)| sources.text(given.value).trim_matches('"'))
        };
        (format!(".{}{}", item.name, in_brackets(text("Unit"))), text("About").to_string())
    });
    ComponentTable {
        name,
        about: definition.about.to_string(),
        parameters: parameters.collect(),
        ports: ports.collect(),
        inputs: inputs.collect(),
        signals: signals.collect(),
    }
}

fn in_brackets(unit: &str) -> String {
    if unit.is_empty() { String::new() } else { format!(" [{unit}]") }
}

/// Values as they are written.
fn written(sources: &Sources, place: Place<'_>, values: &[NodeId]) -> String {
    let texts = values.iter().map(|id| sources.text(place.document.node(*id).span));
    texts.collect::<Vec<_>>().join(", ")
}
