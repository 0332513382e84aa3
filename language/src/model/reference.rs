//! The language reference, made from the tables of the blocks: as text for the terminal. The page of
//! the manual is in `manual_page`.

pub use super::manual_page::markdown;

use std::fmt::Write;

use super::registry::{self, CHAPTERS};
use crate::element::{
    BlockSchema, Coordinate, Kind, Origin, ParameterSchema, SignalShape, Variant,
};
use crate::model::plugins::{PLUGIN, PluginType, Plugins};

/// Every block with one line, by chapter.
pub fn overview(plugins: Plugins) -> String {
    let mut out = String::new();
    for chapter in CHAPTERS {
        line(&mut out, format_args!("{}", chapter.title));
        for schema in chapter.blocks.iter().copied().flatten() {
            let start = format!("  {:<18}{} ", schema.keyword, mark(schema.origin));
            wrapped(&mut out, &start, schema.doc);
            if std::ptr::eq(*schema, &PLUGIN) {
                list_plugins(&mut out, plugins);
            }
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

/// The plugins that the program has, each with one line.
fn list_plugins(out: &mut String, plugins: Plugins) {
    for plugin in plugins.all() {
        wrapped(out, &format!("    {:<20} ", plugin.word()), plugin.table().doc);
    }
}

/// All about one block or plugin, for the terminal; `Err` holds a similar keyword if there is one.
pub fn describe(keyword: &str, plugins: Plugins) -> Result<String, Option<&'static str>> {
    let words = plugins.all().iter().map(PluginType::word);
    let all = registry::blocks().map(|schema| schema.keyword).chain(words);
    let block = registry::blocks().find(|schema| schema.keyword == keyword);
    let Some(schema) = block.or_else(|| plugins.find(keyword).map(PluginType::table)) else {
        return Err(parser::suggest::nearest(keyword, all));
    };
    let mut out = String::new();
    let title = if block.is_some() { keyword.into() } else { format!("Plugin, Type = {keyword}") };
    line(&mut out, format_args!("{title} {}", mark(schema.origin)));
    wrapped(&mut out, "  ", schema.doc);
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
    if std::ptr::eq(schema, &PLUGIN) && !plugins.all().is_empty() {
        line(&mut out, format_args!("\nPlugins of this program; `dysim --list TYPE` tells more"));
        list_plugins(&mut out, plugins);
    }
    if schema.all_signals().next().is_some() {
        line(&mut out, format_args!("\nSignals"));
        for signal in schema.all_signals() {
            let unit = signal.unit.words(schema.coordinates);
            let note = signal.restriction();
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

pub(crate) fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    let _ = writeln!(out, "{text}");
}

/// Words behind `start`; lines that follow are indented as far.
pub(crate) fn wrapped(out: &mut String, start: &str, words: &str) {
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

pub(super) fn mark(origin: Origin) -> &'static str {
    match origin {
        Origin::DySim => "(D)",
        Origin::Plus => "(+)",
    }
}

pub(super) fn kind(parameter: &ParameterSchema, coordinates: &[Coordinate]) -> String {
    let words = match parameter.kind {
        Kind::PerCoordinate if coordinates.len() == 1 => "a number".into(),
        Kind::PerCoordinate if !coordinates.is_empty() => format!("{} numbers", coordinates.len()),
        Kind::Vector(1) => "a number".into(),
        kind => kind.words(),
    };
    let range = parameter.range.words();
    if range.is_empty() { words } else { format!("{words}, {range}") }
}

pub(super) fn signal_name(name: &str, shape: SignalShape, schema: &BlockSchema) -> String {
    match (shape, schema.coordinates.len()) {
        (SignalShape::PerCoordinate, 2..) | (SignalShape::Vector, _) => format!("{name}[k]"),
        _ => name.into(),
    }
}
