//! Reads what a Component block declares: parameters, ports, inputs.

use super::definitions::{bare, single};

use parser::diagnostic::Diagnostic;
use parser::source::Span;
use parser::suggest::nearest;
use parser::syntax::{NodeId, Parameter};

use super::Expander;
use super::definitions::{
    Definition, InputDeclaration, Layer, ParameterDeclaration, ParameterKind, Place,
    PortDeclaration, PortDomain,
};
use crate::codes;
use equations::domain::Domain;

/// The text of a parameter that takes a text.
pub(super) fn plain_text<'s>(
    expander: &Expander<'s>,
    place: Place<'s>,
    parameter: &Parameter,
) -> &'s str {
    single(place.document, parameter).map_or("", |id| bare(expander.sources, place.document, id).0)
}

pub(super) fn unknown_attribute<'s>(
    expander: &mut Expander<'s>,
    keyword: &str,
    name: &str,
    span: Span,
    known: &[&str],
) {
    let message = format!("{keyword} has no parameter `{name}`");
    let near = nearest(name, known.iter().copied());
    let help = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("its parameters are {}", known.join(", ")),
    };
    expander.report(Diagnostic::new(codes::WRONG_DECLARATION, span, message).help(help));
}

/// `Parameter "k" { Default = 1; ... }`
pub(super) fn declare_one_parameter<'s>(
    expander: &mut Expander<'s>,
    definition: &mut Definition<'s>,
    layer: Layer<'s>,
) {
    const KNOWN: &[&str] = &["Default", "Unit", "Min", "Max", "About", "Choices", "Is", "If"];
    let Layer { place, block } = layer;
    let name = expander.sources.text(block.name);
    let mut new = new_parameter(name, block.name);
    for parameter in place.document.parameters(block) {
        let values = place.document.values(parameter);
        let number = single(place.document, parameter).map(|id| (place, id));
        match expander.sources.text(parameter.name) {
            "Default" => new.default = (!values.is_empty()).then(|| (place, values.to_vec())),
            "Unit" => new.unit = plain_text(expander, place, parameter),
            "About" => new.about = plain_text(expander, place, parameter),
            "Min" => new.min = number,
            "Max" => new.max = number,
            "If" => {}
            "Choices" => {
                let word = |&id: &NodeId| bare(expander.sources, place.document, id).0;
                new.kind = ParameterKind::Word(values.iter().map(word).collect());
            }
            "Is" => {
                let word = values.first().map(|&id| bare(expander.sources, place.document, id).0);
                new.kind = ParameterKind::Component(word.unwrap_or(""));
                new.default = Some((place, values.to_vec()));
            }
            other => unknown_attribute(expander, "Parameter", other, parameter.name, KNOWN),
        }
    }
    check_declared_name(expander, name, block.name);
    definition.declare_parameter(new);
}

fn new_parameter<'s>(name: &'s str, span: Span) -> ParameterDeclaration<'s> {
    let kind = ParameterKind::Any;
    let (default, min, max) = (None, None, None);
    ParameterDeclaration { name, span, kind, default, min, max, unit: "", about: "" }
}

/// Names with a fixed meaning.
fn check_declared_name<'s>(expander: &mut Expander<'s>, name: &str, span: Span) {
    if matches!(name, "t" | "pi" | "e" | "If" | "world") {
        let message = format!("`{name}` has a fixed meaning and cannot be declared");
        expander.report(Diagnostic::new(codes::RESERVED_NAME, span, message));
    }
}

/// `Parameters "p" { R = 250; L = 0.08; }`
pub(super) fn declare_short_parameters<'s>(
    expander: &mut Expander<'s>,
    definition: &mut Definition<'s>,
    layer: Layer<'s>,
) {
    let Layer { place, block } = layer;
    for parameter in place.document.parameters(block) {
        let name = expander.sources.text(parameter.name);
        if name == "If" {
            continue;
        }
        check_declared_name(expander, name, parameter.name);
        let values = place.document.values(parameter).to_vec();
        let mut new = new_parameter(name, parameter.name);
        new.default = (!values.is_empty()).then_some((place, values));
        definition.declare_parameter(new);
    }
}

pub(super) fn declare_port<'s>(
    expander: &mut Expander<'s>,
    definition: &mut Definition<'s>,
    layer: Layer<'s>,
) {
    const KNOWN: &[&str] = &["Domain", "Required", "About", "If"];
    let Layer { place, block } = layer;
    let name = expander.sources.text(block.name);
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
        let word = plain_text(expander, place, parameter);
        match expander.sources.text(parameter.name) {
            "Domain" => {
                is_given = true;
                new.domain_word = Some(parameter.value);
                new.domain = port_domain(expander, word, parameter.value);
            }
            "Required" => new.is_required = word == "yes",
            "About" => new.about = word,
            "If" => {}
            other => unknown_attribute(expander, "Port", other, parameter.name, KNOWN),
        }
    }
    if !is_given {
        let message = format!("port `{name}` has no domain");
        let help = "add `Domain = electrical;`, or rotational, translational, thermal, hydraulic, bond, frame";
        expander.report(Diagnostic::new(codes::REQUIRED, block.name, message).help(help));
    }
    check_declared_name(expander, name, block.name);
    definition.declare_port(new);
}

fn port_domain<'s>(expander: &mut Expander<'s>, word: &str, span: Span) -> PortDomain {
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
    expander.report(Diagnostic::new(codes::WRONG_WORD, span, message).help(help));
    PortDomain::Unknown
}

pub(super) fn declare_input<'s>(
    expander: &mut Expander<'s>,
    definition: &mut Definition<'s>,
    layer: Layer<'s>,
) {
    const KNOWN: &[&str] = &["Default", "Unit", "About", "If"];
    let Layer { place, block } = layer;
    let name = expander.sources.text(block.name);
    let (span, keyword) = (block.name, block.keyword);
    let mut new = InputDeclaration { name, span, keyword, default: None, unit: None, about: "" };
    for parameter in place.document.parameters(block) {
        match expander.sources.text(parameter.name) {
            "Default" => new.default = single(place.document, parameter).map(|id| (place, id)),
            "Unit" => new.unit = Some((place, parameter)),
            "About" => new.about = plain_text(expander, place, parameter),
            "If" => {}
            other => unknown_attribute(expander, "Input", other, parameter.name, KNOWN),
        }
    }
    check_declared_name(expander, name, block.name);
    definition.declare_input(new);
}
