//! The language reference as a page of the manual, in Markdown.

use super::reference::{kind, line, mark, signal_name};
use super::registry::{CHAPTERS, Chapter};
use crate::element::{
    BlockSchema, Coordinate, DefaultValue, ParameterSchema, SignalSchema, Variant,
};
use equations::expression::{FUNCTIONS, Function};

const INTRODUCTION: &str = "\
# Language reference

Made from the tables in the program; do not edit by hand.

A model is a sequence of blocks in any order. A block has a keyword, a name in quotes and parameters:

```text
Revolute \"hinge\" {
    Parent = arm; TriadFrom = base; TriadTo = foot;   // names of other blocks
    JointAxis = 0, 1, 0;                              // numbers, each may be an expression
    Qinit = 60; Degrees = deg;
}
```

(D) is part of DySim 0.5, (+) goes beyond it. Units are SI; angles are in rad, or in degrees where
`Degrees = deg;` stands in the block (stiffness and damping stay per rad). A missing parameter takes
its default: for a (D) parameter of a (D) block with a warning, else silently; `<Name>` is the value of
the parameter `Name` of the same block. A *time expression* may use the time `t` and signals such as
`hinge.q`; all other expressions are constant.
";

/// The whole reference as Markdown.
pub fn markdown() -> String {
    let mut out = String::from(INTRODUCTION);
    for chapter in CHAPTERS {
        line(&mut out, format_args!("\n## {}", chapter.title));
        let shared = shared_groups(chapter);
        for (group, everywhere) in &shared {
            let who = if *everywhere { "All of these blocks" } else { "Those with coordinates" };
            line(&mut out, format_args!("\n{who} have the parameters:"));
            table(&mut out, group.iter(), None);
        }
        for schema in blocks(chapter) {
            block(&mut out, schema, &shared);
        }
        signals(&mut out, chapter);
    }
    functions(&mut out);
    out
}

fn blocks(chapter: &Chapter) -> impl Iterator<Item = &'static BlockSchema> + Clone {
    chapter.blocks.iter().copied().flatten().copied()
}

/// Do the groups hold the same parameters? Their addresses may differ.
fn same(a: &[ParameterSchema], b: &[ParameterSchema]) -> bool {
    let equal = |(a, b): (&ParameterSchema, &ParameterSchema)| {
        a.name == b.name && a.doc == b.doc && a.kind == b.kind && a.unit == b.unit
    };
    a.len() == b.len() && a.iter().zip(b).all(equal)
}

/// Groups of parameters that several blocks of the chapter have, and whether all blocks have the group.
fn shared_groups(chapter: &Chapter) -> Vec<(&'static [ParameterSchema], bool)> {
    let mut shared: Vec<(&'static [ParameterSchema], bool)> = Vec::new();
    for group in blocks(chapter).flat_map(|schema| schema.parameters.iter().copied()) {
        let has = |schema: &&BlockSchema| schema.parameters.iter().any(|other| same(group, other));
        let users = blocks(chapter).filter(has).count();
        if users > 1 && !shared.iter().any(|(known, _)| same(known, group)) {
            shared.push((group, users == blocks(chapter).count()));
        }
    }
    shared
}

fn block(out: &mut String, schema: &BlockSchema, shared: &[(&'static [ParameterSchema], bool)]) {
    line(out, format_args!("\n### {} {}\n\n{}", schema.keyword, mark(schema.origin), schema.doc));
    let own = |group: &&&[ParameterSchema]| !shared.iter().any(|(known, _)| same(known, group));
    let mut own = schema.parameters.iter().filter(own).copied().flatten().peekable();
    if own.peek().is_some() {
        table(out, own, Some(schema.coordinates));
    }
    for variant in schema.variants.map_or(&[] as &[Variant], |variants| variants.choices) {
        line(
            out,
            format_args!("\n`Type = {};` {} {}", variant.word, mark(variant.origin), variant.doc),
        );
        table(out, variant.parameters.iter(), Some(schema.coordinates));
    }
    let signals: Vec<String> = schema
        .all_signals()
        .map(|signal| format!("`.{}`", signal_name(signal.name, signal.shape, schema)))
        .collect();
    if !signals.is_empty() {
        line(out, format_args!("\nSignals: {}", signals.join(", ")));
    }
}

/// A table of parameters; without coordinates it speaks of joints in general.
fn table<'a>(
    out: &mut String,
    parameters: impl Iterator<Item = &'a ParameterSchema>,
    coordinates: Option<&[Coordinate]>,
) {
    line(
        out,
        format_args!("\n| parameter | value | unit | default | meaning |\n|---|---|---|---|---|"),
    );
    for parameter in parameters {
        let unit = match coordinates {
            Some(coordinates) => parameter.unit.words(coordinates),
            None => parameter.unit.words_of_any(),
        };
        line(
            out,
            format_args!(
                "| `{}` {} | {} | {unit} | {} | {} |",
                parameter.name,
                mark(parameter.origin),
                cell(&kind(parameter, coordinates.unwrap_or_default())),
                cell(&default(parameter, coordinates.unwrap_or_default())),
                cell(parameter.doc),
            ),
        );
    }
}

/// The default of a parameter: as code if it can be written in a model, otherwise as text.
fn default(parameter: &ParameterSchema, coordinates: &[Coordinate]) -> String {
    let words = parameter.default_words(coordinates);
    match parameter.default {
        DefaultValue::Required => format!("**{words}**"),
        DefaultValue::Absent(_) => words,
        _ => format!("`{words}`"),
    }
}

/// All signals of the chapter, each once.
fn signals(out: &mut String, chapter: &Chapter) {
    let mut known: Vec<&SignalSchema> = Vec::new();
    for signal in blocks(chapter).flat_map(BlockSchema::all_signals) {
        if !known.iter().any(|k| k.name == signal.name && k.doc == signal.doc) {
            known.push(signal);
        }
    }
    if known.is_empty() {
        return;
    }
    line(out, format_args!("\n### Signals: {}\n", chapter.title.to_lowercase()));
    line(out, format_args!("| signal | unit | meaning |\n|---|---|---|"));
    for signal in known {
        let unit = signal.unit.words_of_any();
        let note = signal.restriction();
        line(out, format_args!("| `.{}` | {unit} | {}{note} |", signal.name, cell(signal.doc)));
    }
}

fn functions(out: &mut String) {
    line(out, format_args!("\n## Expressions\n\n| function | value |\n|---|---|"));
    for function in FUNCTIONS {
        let (usage, meaning) = usage(function);
        line(out, format_args!("| `{usage}` | {} |", cell(meaning)));
    }
    line(
        out,
        format_args!(
            "\nOperators, weakest first: `||`, `&&`, `< <= > >= == !=`, `+ -`, `* /`, unary `- + !`, `^`. \
             `^` groups to the right, `-2^2` is -4. Truth values are 1 and 0. Constants: `pi`, `e`. A name with \
             `-` is quoted: `\"left-side\".s`; a name that fits several elements is qualified: `Revolute:a.q`."
        ),
    );
}

/// How a function is called, and what it gives. Some say in their own words how they are called.
fn usage(function: &Function) -> (String, &'static str) {
    let written = function.doc.split('`').find(|text| text.starts_with(function.name));
    let call = written.filter(|text| text.contains('('));
    if let Some(call) = call {
        let meaning = function.doc.strip_prefix(&format!("`{call}`: ")).unwrap_or(function.doc);
        return (call.into(), meaning);
    }
    let more = if function.most == usize::MAX { ", ..." } else { "" };
    let arguments = ["x", "y", "z"][..function.least.min(3)].join(", ");
    (format!("{}({arguments}{more})", function.name), function.doc)
}

/// Bars would end the cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
