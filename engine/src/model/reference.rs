//! The language reference, made from the tables of the blocks: as text for the terminal, as Markdown
//! for the manual.

use std::fmt::Write;

use super::registry::{self, CHAPTERS};
use crate::element::{
    BlockSchema, Coordinate, Kind, Origin, ParameterSchema, SignalShape, Variant,
};
use crate::expression::FUNCTIONS;

/// Every block with one line, by chapter.
pub fn overview() -> String {
    let mut out = String::new();
    for chapter in CHAPTERS {
        line(&mut out, format_args!("{}", chapter.title));
        for schema in chapter.blocks.iter().copied().flatten() {
            let start = format!("  {:<18}{} ", schema.keyword, mark(schema.origin));
            wrapped(&mut out, &start, schema.doc);
        }
    }
    line(
        &mut out,
        format_args!(
            "\n`dysim --list BLOCK` tells the parameters and signals of a block. (D) DySim 0.5, (+) beyond."
        ),
    );
    out
}

/// All about one block, for the terminal; `Err` holds a similar keyword if there is one.
pub fn describe(keyword: &str) -> Result<String, Option<&'static str>> {
    let all = || registry::blocks().map(|schema| schema.keyword);
    let Some(schema) = registry::blocks().find(|schema| schema.keyword == keyword) else {
        return Err(parser::suggest::nearest(keyword, all()));
    };
    let mut out = String::new();
    line(&mut out, format_args!("{} {}", schema.keyword, mark(schema.origin)));
    line(&mut out, format_args!("  {}", schema.doc));
    if schema.all_parameters().next().is_some() {
        line(&mut out, format_args!("\nParameters"));
        rows(&mut out, schema.own_parameters(), schema.coordinates);
    }
    for variant in schema.variants.map_or(&[] as &[Variant], |variants| variants.choices) {
        line(
            &mut out,
            format_args!("\nType = {} {}: {}", variant.word, mark(variant.origin), variant.doc),
        );
        rows(&mut out, variant.parameters.iter(), schema.coordinates);
    }
    if schema.all_signals().next().is_some() {
        line(&mut out, format_args!("\nSignals"));
        for signal in schema.all_signals() {
            let unit = signal.unit.words(schema.coordinates);
            let note = if signal.needs_accelerations { " (output only)" } else { "" };
            let name = signal_name(signal.name, signal.shape, schema);
            line(&mut out, format_args!("  .{name:<8} {unit:<12} {}{note}", signal.doc));
        }
    }
    Ok(out)
}

fn rows<'a>(
    out: &mut String,
    parameters: impl Iterator<Item = &'a ParameterSchema>,
    coordinates: &[Coordinate],
) {
    for parameter in parameters {
        let default = parameter.default_words(coordinates);
        let unit = parameter.unit.words(coordinates);
        let unit = if unit.is_empty() { unit } else { format!(" [{unit}]") };
        line(
            out,
            format_args!("  {} {} = {default}{unit}", mark(parameter.origin), parameter.name),
        );
        let words = format!("{}; {}", kind(parameter, coordinates), parameter.doc);
        wrapped(out, "        ", &words);
    }
}

/// The whole reference as Markdown.
pub fn markdown() -> String {
    let mut out = String::from(
        "# Language reference\n\n\
         Made from the tables in the program; do not edit by hand.\n\n\
         (D) is part of DySim 0.5, (+) goes beyond it. Units are SI; angles are radians unless\n\
         `Degrees = deg` stands in the block. Where a parameter is missing its default counts; for (D)\n\
         parameters of (D) blocks with a warning. `<Name>` stands for the value of that parameter.\n",
    );
    for chapter in CHAPTERS {
        line(&mut out, format_args!("\n## {}", chapter.title));
        for schema in chapter.blocks.iter().copied().flatten() {
            block(&mut out, schema);
        }
    }
    line(
        &mut out,
        format_args!("\n## Functions in expressions\n\n| function | value |\n|---|---|"),
    );
    for function in FUNCTIONS {
        let count = if function.most == usize::MAX { ", ..." } else { "" };
        let arguments = ["x", "y", "z"][..function.least.min(3)].join(", ");
        line(
            &mut out,
            format_args!("| `{}({arguments}{count})` | {} |", function.name, cell(function.doc)),
        );
    }
    line(
        &mut out,
        format_args!(
            "\nOperators, weakest first: `||`, `&&`, `< <= > >= == !=`, `+ -`, `* /`, unary `- + !`, `^`. Constants: `pi`, `e`."
        ),
    );
    out
}

fn block(out: &mut String, schema: &BlockSchema) {
    line(out, format_args!("\n### {} {}\n\n{}", schema.keyword, mark(schema.origin), schema.doc));
    let mut parameters = schema.own_parameters().peekable();
    if parameters.peek().is_some() {
        table(out, parameters, schema.coordinates);
    }
    for variant in schema.variants.map_or(&[] as &[Variant], |variants| variants.choices) {
        line(
            out,
            format_args!("\n`Type = {};` {} {}", variant.word, mark(variant.origin), variant.doc),
        );
        table(out, variant.parameters.iter(), schema.coordinates);
    }
    let signals: Vec<String> = schema
        .all_signals()
        .map(|signal| {
            let name = signal_name(signal.name, signal.shape, schema);
            let star = if signal.needs_accelerations { "\\*" } else { "" };
            format!("`.{name}`{star}")
        })
        .collect();
    if !signals.is_empty() {
        line(out, format_args!("\nSignals: {} (\\* for output only)", signals.join(", ")));
    }
}

fn table<'a>(
    out: &mut String,
    parameters: impl Iterator<Item = &'a ParameterSchema>,
    coordinates: &[Coordinate],
) {
    line(
        out,
        format_args!("\n| parameter | value | unit | default | meaning |\n|---|---|---|---|---|"),
    );
    for parameter in parameters {
        line(
            out,
            format_args!(
                "| {} `{}` | {} | {} | {} | {} |",
                mark(parameter.origin),
                parameter.name,
                cell(&kind(parameter, coordinates)),
                parameter.unit.words(coordinates),
                cell(&parameter.default_words(coordinates)),
                cell(parameter.doc),
            ),
        );
    }
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    let _ = writeln!(out, "{text}");
}

/// Words behind `start`; lines that follow are indented as far.
fn wrapped(out: &mut String, start: &str, words: &str) {
    const WIDTH: usize = 100;
    let indent = start.chars().count();
    let mut column = indent;
    out.push_str(start);
    for (index, word) in words.split(' ').enumerate() {
        let width = word.chars().count();
        if index > 0 && column + 1 + width > WIDTH {
            out.push('\n');
            out.extend(std::iter::repeat_n(' ', indent));
            column = indent;
        } else if index > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += width;
    }
    out.push('\n');
}

/// Bars would end the cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn mark(origin: Origin) -> &'static str {
    match origin {
        Origin::DySim => "(D)",
        Origin::Plus => "(+)",
    }
}

fn kind(parameter: &ParameterSchema, coordinates: &[Coordinate]) -> String {
    let words = match parameter.kind {
        Kind::PerCoordinate if coordinates.len() == 1 => "a number".into(),
        Kind::PerCoordinate if !coordinates.is_empty() => format!("{} numbers", coordinates.len()),
        Kind::Vector(1) => "a number".into(),
        kind => kind.words(),
    };
    let range = parameter.range.words();
    if range.is_empty() { words } else { format!("{words}, {range}") }
}

fn signal_name(name: &str, shape: SignalShape, schema: &BlockSchema) -> String {
    match (shape, schema.coordinates.len()) {
        (SignalShape::PerCoordinate, 2..) => format!("{name}[k]"),
        _ => name.into(),
    }
}
