//! What an analysis changes from outside: the inputs of a linear model, the unknowns of a trim, the signal at which a loop
//! is opened.
//!
//! In networks these are time expressions and signals to which hidden Input blocks are added (`additions.rs`). Forces on
//! bodies need none; their time expressions have offsets of their own.

use parser::diagnostic::Diagnostic;
use parser::source::Span;
use parser::suggest::nearest;
use parser::syntax::NodeKind;

use super::{Declared, Model};
use crate::blocks::general::Analysis;
use crate::blocks::network::NetworkElement;
use crate::blocks::network::signals::AnyBlock;
use crate::blocks::network::signals::input::{EXCITATION, INPUT, Input};
use crate::codes;
use crate::element::{Family, Kind};
pub use crate::reading::additions::ORDERS;
use crate::reading::additions::{Additions, Place};
use crate::reading::context::Context;
use crate::reading::names::{self, BlockEntry};
use equations::expression::SignalRef;

/// What is changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Changed {
    /// Something of the networks, through registers: the hidden blocks with input, first and second derivative, and the value
    /// that the text gives, if it is a number.
    Register([u32; ORDERS], Option<f64>),
    /// A Force, Torque or JointForce: the block, and its component from 0, all if none is told.
    Force(u32, Option<usize>),
}

/// What an analysis changes from outside.
#[derive(Clone, Debug, PartialEq)]
pub struct Excitation {
    /// Its name, as it is written.
    pub name: String,
    /// Its place in the Solver block.
    pub span: Span,
    /// What is changed.
    pub what: Changed,
    /// Its unit; empty if it has none, or is that of a force.
    pub unit: String,
}

/// All that the analysis of a model changes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Excitations {
    /// Inputs of a linear model or unknowns of a trim.
    pub inputs: Vec<Excitation>,
    /// The signal at which a loop is opened.
    pub opening: Option<Excitation>,
    /// That signal.
    pub opened: Option<SignalRef>,
}

/// What a name in the Solver block means.
#[derive(Clone, Copy)]
enum Meaning {
    At(Place),
    Force(u32, Option<usize>),
}

/// Finds what the analysis changes; the hidden blocks stand behind all others.
pub(crate) fn find(context: &mut Context<'_>, analysis: Option<Analysis>) -> Excitations {
    let is_solver = |entry: &BlockEntry| entry.schema.keyword == "Solver";
    let Some(solver) = context.blocks.iter().position(is_solver).map(|at| at as u32) else {
        return Excitations::default();
    };
    let word = single_word(context, solver, "Type").and_then(Analysis::from_word);
    let analysis = analysis.or(word).unwrap_or(Analysis::Dynamic);
    let start = context.parameter_of(solver, "Tstart").and_then(|given| {
        let document = context.document_of(solver);
        let &[value] = document.values(given) else { return None };
        context.constant_if_any(document, value)
    });
    context.additions.start = start.unwrap_or(0.0);
    let linear = matches!(analysis, Analysis::Linear | Analysis::Frequency);
    let mut found = Excitations::default();
    let inputs = listed(context, solver, "Inputs");
    let unknowns = listed(context, solver, "Unknown");
    let all = match analysis {
        Analysis::Static => unknowns,
        _ if linear && context.parameter_of(solver, "Inputs").is_none() => every_input(context),
        _ if linear => inputs,
        _ => Vec::new(),
    };
    for (name, span, meaning) in all {
        let excitation = add(context, name, span, meaning);
        if found.inputs.iter().any(|known| known.what == excitation.what) {
            let message = format!("`{}` is listed twice", excitation.name);
            context.report(Diagnostic::new(codes::DUPLICATE_NAME, span, message));
        }
        found.inputs.push(excitation);
    }
    let opened = opened(context, solver);
    if let Some((name, span, signal)) = opened.filter(|_| linear) {
        let meaning = Meaning::At(Place::Signal(signal));
        found.opened = Some(signal);
        found.opening = Some(add(context, name.to_string(), span, meaning));
    }
    found
}

fn single_word<'s>(context: &Context<'s>, block: u32, parameter: &str) -> Option<&'s str> {
    let document = context.document_of(block);
    let &[value] = document.values(context.parameter_of(block, parameter)?) else { return None };
    Some(context.sources.text(document.node(value).span))
}

/// The names that a parameter lists, with their places.
fn names_of<'s>(context: &Context<'s>, block: u32, parameter: &str) -> Vec<(&'s str, Span)> {
    let document = context.document_of(block);
    let Some(given) = context.parameter_of(block, parameter) else { return Vec::new() };
    let bare = |span: Span, is_text: bool| {
        if is_text { Span::new(span.start + 1, span.end - 1) } else { span }
    };
    let values = document.values(given).iter().map(|&id| document.node(id));
    let spans = values.map(|node| bare(node.span, node.kind == NodeKind::Text));
    spans.map(|span| (context.sources.text(span), span)).collect()
}

/// What a parameter lists; names that mean nothing are reported.
fn listed(context: &mut Context<'_>, solver: u32, parameter: &str) -> Vec<(String, Span, Meaning)> {
    let mut all = Vec::new();
    for (name, span) in names_of(context, solver, parameter) {
        match meaning(context, name, span) {
            Ok(meaning) => all.push((name.to_string(), span, meaning)),
            Err(mistake) => mistake.into_iter().for_each(|mistake| context.report(*mistake)),
        }
    }
    all
}

/// All Input blocks that no column feeds, and all forces that are time expressions.
fn every_input(context: &Context<'_>) -> Vec<(String, Span, Meaning)> {
    let column = |name: &str| context.inputs.is_some_and(|table| table.points(name).is_some());
    let mut all = Vec::new();
    for (block, entry) in (0..).zip(&context.blocks) {
        let name = context.sources.text(entry.name);
        if std::ptr::eq(entry.schema, &INPUT) && !column(name) {
            let signal = SignalRef { block, signal: 0, component: 0 };
            all.push((name.to_string(), entry.name, Meaning::At(Place::Signal(signal))));
        }
    }
    for (block, entry) in (0..).zip(&context.blocks) {
        if is_force(entry) {
            let name = context.sources.text(entry.name).to_string();
            all.push((name, entry.name, Meaning::Force(block, None)));
        }
    }
    all
}

fn is_force(entry: &BlockEntry) -> bool {
    entry.schema.family == Family::Force
        && matches!(entry.schema.keyword, "Force" | "Torque" | "JointForce")
}

/// The signal at which a loop is opened.
fn opened<'s>(context: &mut Context<'s>, solver: u32) -> Option<(&'s str, Span, SignalRef)> {
    let (name, span) = *names_of(context, solver, "Loop").first()?;
    match context.signal(name, span) {
        Ok((signal, _))
            if context.blocks[signal.block as usize].schema.family == Family::Network =>
        {
            Some((name, span, signal))
        }
        Ok(_) => {
            let message = format!("`{name}` is no output of a network element or signal block");
            let help = "a loop is opened where a controller hands on its output: `Loop = c1.y`";
            context.report(Diagnostic::new(codes::WRONG_TYPE, span, message).help(help));
            None
        }
        Err(mistake) => {
            mistake.into_iter().for_each(|mistake| context.report(*mistake));
            None
        }
    }
}

/// What a name means: a block, one of its time expressions, or a signal of the networks.
fn meaning(
    context: &Context<'_>,
    text: &str,
    span: Span,
) -> Result<Meaning, Option<Box<Diagnostic>>> {
    let (keyword, name) = names::split_reference(text);
    let can_be = |block: u32, keyword: Option<&str>| {
        let entry = context.blocks[block as usize];
        keyword.is_none_or(|word| word == entry.schema.keyword)
            && (entry.schema.family == Family::Network || is_force(&entry))
    };
    if let Some(block) = context.index.all(name).find(|&block| can_be(block, keyword)) {
        return of_block(context, block, name, span);
    }
    let path = names::split_path(text);
    if let Some(path) = &path {
        let mut named = context.index.all(path.element).filter(|&b| can_be(b, path.keyword));
        if let Some(found) = named.find_map(|block| of_part(context, block, path, span)) {
            return found;
        }
    }
    match context.signal(text, span) {
        Ok((signal, _))
            if context.blocks[signal.block as usize].schema.family == Family::Network =>
        {
            Ok(Meaning::At(Place::Signal(signal)))
        }
        Ok(_) => {
            let message = format!("`{text}` cannot be changed from outside");
            let help =
                "inputs and unknowns are Input blocks, sources such as `V1` or `V1.V`, and forces";
            Err(Some(Box::new(Diagnostic::new(codes::WRONG_TYPE, span, message).help(help))))
        }
        Err(mistake) if path.is_some() => Err(mistake),
        Err(_) => {
            let message = format!("there is no block `{text}`");
            let all = context
                .blocks
                .iter()
                .filter(|entry| entry.schema.family == Family::Network || is_force(entry));
            let near = nearest(name, all.map(|entry| context.sources.text(entry.name)));
            let help = near.map(|near| format!("did you mean `{near}`?"));
            let mistake = Diagnostic::new(codes::UNKNOWN_NAME, span, message).maybe_help(help);
            Err((!context.lost_blocks).then(|| Box::new(mistake)))
        }
    }
}

/// A block alone: its only time expression, or its value.
fn of_block(
    context: &Context<'_>,
    block: u32,
    name: &str,
    span: Span,
) -> Result<Meaning, Option<Box<Diagnostic>>> {
    let entry = context.blocks[block as usize];
    if is_force(&entry) {
        return Ok(Meaning::Force(block, None));
    }
    if std::ptr::eq(entry.schema, &INPUT) {
        return Ok(Meaning::At(Place::Signal(SignalRef { block, signal: 0, component: 0 })));
    }
    let is_time = |kind: Kind| kind == Kind::Time;
    let given: Vec<&'static str> = entry
        .schema
        .all_parameters()
        .filter(|known| is_time(known.kind) && context.parameter_of(block, known.name).is_some())
        .map(|known| known.name)
        .collect();
    let keyword = entry.schema.keyword;
    match given[..] {
        [single] => Ok(Meaning::At(Place::Parameter(block, single))),
        [] => {
            let message = format!("the {keyword} `{name}` has no time expression to change");
            let help =
                "inputs and unknowns are Input blocks, sources such as `V1` or `V1.V`, and forces";
            Err(Some(Box::new(Diagnostic::new(codes::WRONG_TYPE, span, message).help(help))))
        }
        _ => {
            let all: Vec<String> = given.iter().map(|part| format!("`{name}.{part}`")).collect();
            let message = format!("the {keyword} `{name}` has several time expressions");
            let help = format!("say which one: {}", all.join(" or "));
            Err(Some(Box::new(Diagnostic::new(codes::AMBIGUOUS, span, message).help(help))))
        }
    }
}

/// A part of a block: one of its time expressions. Nothing if it has none of that name.
fn of_part(
    context: &Context<'_>,
    block: u32,
    path: &names::SignalPath<'_>,
    span: Span,
) -> Option<Result<Meaning, Option<Box<Diagnostic>>>> {
    let entry = context.blocks[block as usize];
    if is_force(&entry) {
        let index = path.component.checked_sub(1)?;
        let component = match (entry.schema.keyword, path.signal) {
            ("JointForce", "f" | "Value") => Some(index),
            ("Force", "fx") | ("Torque", "tx") => Some(0),
            ("Force", "fy") | ("Torque", "ty") => Some(1),
            ("Force", "fz") | ("Torque", "tz") => Some(2),
            (_, "Vector") if index < 3 => Some(index),
            _ => None,
        };
        return component.map(|component| Ok(Meaning::Force(block, Some(component))));
    }
    let known = entry.schema.all_parameters().find(|known| known.name == path.signal)?;
    let has_signal = entry.schema.all_signals().any(|signal| signal.name == path.signal);
    let is_given = context.parameter_of(block, known.name).is_some();
    match known.kind {
        Kind::Time if is_given => Some(Ok(Meaning::At(Place::Parameter(block, known.name)))),
        _ if has_signal => None,
        Kind::Time => {
            let message = format!("`{}.{}` is not given", path.element, known.name);
            let help = format!("write `{} = 0` in the block", known.name);
            let mistake = Diagnostic::new(codes::NOT_GIVEN, span, message).help(help);
            Some(Err(Some(Box::new(mistake))))
        }
        _ => {
            let message = format!(
                "`{}.{}` is no time expression; it cannot be changed from outside",
                path.element, known.name
            );
            let mistake = Diagnostic::new(codes::WRONG_TYPE, span, message);
            Some(Err(Some(Box::new(mistake))))
        }
    }
}

/// Makes the hidden blocks of one, if it needs any.
fn add(context: &mut Context<'_>, name: String, span: Span, meaning: Meaning) -> Excitation {
    let what = match meaning {
        Meaning::Force(block, component) => Changed::Force(block, component),
        Meaning::At(place) => {
            let known = context.additions.hidden.get(&place).copied();
            let blocks = known.unwrap_or_else(|| {
                let blocks = [(); ORDERS].map(|()| hidden_block(context, span));
                context.additions.hidden.insert(place, blocks);
                blocks
            });
            Changed::Register(blocks, None)
        }
    };
    Excitation { name, span, what, unit: String::new() }
}

fn unit(context: &Context<'_>, model: &Model, place: Place) -> String {
    match place {
        Place::Parameter(block, name) => {
            let schema = context.blocks[block as usize].schema;
            let known = schema.parameter(name);
            known.map_or_else(String::new, |known| known.unit.of(0, schema.coordinates).into())
        }
        Place::Signal(signal) => {
            let schema = context.blocks[signal.block as usize].schema;
            let input = model.inputs().find(|(block, _)| *block == signal.block);
            match input {
                Some((_, input)) => model.input_unit(input).into(),
                None => schema
                    .all_signals()
                    .nth(usize::from(signal.signal))
                    .map_or_else(String::new, |known| known.unit.of(0, schema.coordinates).into()),
            }
        }
    }
}

fn hidden_block(context: &mut Context<'_>, span: Span) -> u32 {
    let of_networks = |entry: &&BlockEntry| entry.schema.family == Family::Network;
    let handle = context.blocks.iter().filter(of_networks).count() as u32;
    let place = context.blocks.first().map_or((0, 0), |entry| entry.place);
    context.blocks.push(BlockEntry { schema: &EXCITATION, name: span, handle, place });
    context.index.add("", false);
    context.blocks.len() as u32 - 1
}

/// Puts the elements of the hidden blocks into the model, and the values that the text gives to what is changed.
pub(crate) fn complete(context: &Context<'_>, model: &mut Model, mut found: Excitations) {
    for (block, entry) in (0..).zip(&context.blocks) {
        if std::ptr::eq(entry.schema, &EXCITATION) {
            let what = NetworkElement::Signal(Box::new(AnyBlock::Input(Input::hidden())));
            model.elements.push(Declared { block, what });
        }
    }
    let Additions { hidden, bases, .. } = &context.additions;
    for excitation in found.inputs.iter_mut().chain(&mut found.opening) {
        let Changed::Register(blocks, base) = &mut excitation.what else { continue };
        let place = hidden.iter().find(|(_, own)| *own == blocks).map(|(place, _)| *place);
        excitation.unit = place.map_or_else(String::new, |place| unit(context, model, place));
        *base = match place {
            Some(Place::Signal(signal)) => {
                let input = model.inputs().find(|(block, _)| *block == signal.block);
                input.map(|(_, input)| input.parameters.default)
            }
            Some(place) => bases.get(&place).copied(),
            None => None,
        };
    }
    model.excitations = found;
}
