//! Diagnostics as text: file, line, column, the source line, carets, help.

use std::fmt::{self, Write};

use unicode_width::UnicodeWidthChar;

use crate::diagnostic::{Diagnostic, Diagnostics, Label, SHOWN_INSTANCES, Severity};
use crate::source::{Source, Sources, Span};

/// With or without the escape sequences that colour a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Text only.
    Plain,
    /// With ANSI colours.
    Colour,
}

const RED: &str = "\x1b[1;31m";
const YELLOW: &str = "\x1b[1;33m";
const CYAN: &str = "\x1b[1;36m";
const BLUE: &str = "\x1b[1;34m";
const BOLD: &str = "\x1b[1m";
const RESET: &str = "\x1b[0m";

/// Columns of source text that are shown; of longer lines the part around the mistake.
const SHOWN_WIDTH: usize = 100;
/// Columns of source text kept in front of the mistake when a long line is cut.
const LEAD: usize = 30;

/// All messages, and how many more there were.
pub fn render_all(diagnostics: &Diagnostics, sources: &Sources, style: Style) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics.iter() {
        out.push_str(&render(diagnostic, sources, style));
        out.push('\n');
    }
    for (code, count) in diagnostics.left_out() {
        // Writing to a String cannot fail.
        let _ = writeln!(out, "... and {count} more [{}]: {}\n", code.id(), code.title());
    }
    out
}

/// One message.
pub fn render(diagnostic: &Diagnostic, sources: &Sources, style: Style) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = write(&mut out, diagnostic, sources, style);
    out
}

fn write(
    out: &mut String,
    diagnostic: &Diagnostic,
    sources: &Sources,
    style: Style,
) -> fmt::Result {
    let diagnostic = &written(diagnostic, sources);
    let paint = |colour: &'static str| if style == Style::Colour { colour } else { "" };
    let colour = match diagnostic.severity {
        Severity::Error => RED,
        Severity::Warning => YELLOW,
        Severity::Note => CYAN,
    };
    let (reset, bold, blue) = (paint(RESET), paint(BOLD), paint(BLUE));
    let place = sources.position(diagnostic.primary.span);
    let whole_file = diagnostic.primary.span == Span::default();
    if let (Some((source, _)), true) = (place, whole_file) {
        write!(out, "{bold}{}:{reset} ", source.name())?;
    } else if let Some((source, position)) = place {
        write!(out, "{bold}{}:{}:{}:{reset} ", source.name(), position.line, position.column)?;
    }
    let word = diagnostic.severity.word();
    writeln!(
        out,
        "{}{word}[{}]:{reset} {bold}{}{reset}",
        paint(colour),
        diagnostic.code.id(),
        shorten(&diagnostic.message)
    )?;

    // The primary place first, then the others; all with the same margin.
    let primary = (!whole_file).then_some(&diagnostic.primary);
    let labels = || primary.into_iter().chain(&diagnostic.secondary);
    let last_line = labels().filter_map(|l| sources.position(l.span)).map(|(_, p)| p.line).max();
    let margin = last_line.unwrap_or(0).to_string().len() + 1;
    let main = place.map(|(source, _)| source.base());
    let mut shown_line = None;
    for (index, label) in labels().enumerate() {
        let (mark, ink) = if index == 0 { ('^', paint(colour)) } else { ('-', blue) };
        let Some((source, position)) = sources.position(label.span) else { continue };
        if Some(source.base()) != main {
            writeln!(out, "{blue}{:margin$} in {}:{}{reset}", "", source.name(), position.line)?;
        }
        let shown = Excerpt::new(source, label, position.line);
        // A second mark on the same line goes below the first.
        let line = Some((source.base(), position.line, shown.text.clone()));
        if shown_line != line {
            writeln!(out, "{blue}{:>margin$} |{reset} {}", position.line, shown.text)?;
            shown_line = line;
        }
        let marks = mark.to_string().repeat(shown.width);
        let words = if label.text.is_empty() { String::new() } else { format!(" {}", label.text) };
        writeln!(
            out,
            "{blue}{:margin$} |{reset} {:indent$}{ink}{marks}{words}{reset}",
            "",
            "",
            indent = shown.indent
        )?;
    }
    if let Some(help) = &diagnostic.help {
        writeln!(out, "{}help:{reset} {}", paint(CYAN), shorten(help))?;
    }
    Ok(())
}

/// The message with places in texts that a person wrote. A place inside of a component's instance is shown in the
/// definition of the component, and the instances that lead there, from the innermost to the outermost, follow.
fn written(diagnostic: &Diagnostic, sources: &Sources) -> Diagnostic {
    let mut shown = diagnostic.clone();
    // Of the passes of a Repeat the name of the block tells which one is meant.
    let primary = &mut shown.primary;
    if let Some(block) = sources.repeated_block(primary.span)
        && primary.text.is_empty()
        && !diagnostic.message.contains(block)
    {
        primary.text = format!("in `{block}`");
    }
    for label in std::iter::once(&mut shown.primary).chain(&mut shown.secondary) {
        label.span = sources.written(label.span);
    }
    let chain = sources.instances(diagnostic.primary.span);
    shown.secondary.extend(chain.iter().copied().take(SHOWN_INSTANCES).map(Label::of_instance));
    shown
}

/// Messages quote names, and a name may be megabytes long.
fn shorten(text: &str) -> String {
    const SHOWN: usize = 1000;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.into(),
    }
}

/// A source line made fit to print: tabs widened, control characters replaced, long lines cut.
struct Excerpt {
    text: String,
    /// Columns in front of the mark.
    indent: usize,
    /// Columns of the mark, at least one.
    width: usize,
}

impl Excerpt {
    fn new(source: &Source, label: &Label, line: usize) -> Self {
        let (text, start) = source.line(line - 1);
        let in_line = |at: u32| (at - source.base()).saturating_sub(start) as usize;
        let (from, to) = (in_line(label.span.start), in_line(label.span.end));
        let (mut indent, mut width, mut column) = (0, 0, 0);
        let mut cells = Vec::new();
        // A line may be gigabytes long: look only at what can be shown.
        let first = from.saturating_sub(4 * SHOWN_WIDTH);
        let first =
            (first..=from.min(text.len())).find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        for (at, c) in text.get(first..).unwrap_or("").char_indices().take(8 * SHOWN_WIDTH) {
            let at = at + first;
            let cell = printable(c);
            let cell_width: usize = cell.chars().filter_map(UnicodeWidthChar::width).sum();
            if at < from {
                indent += cell_width;
            } else if at < to {
                width += cell_width;
            }
            column += cell_width;
            cells.push((cell, cell_width));
        }
        if column <= SHOWN_WIDTH && first == 0 {
            let text = cells.into_iter().map(|(cell, _)| cell).collect::<String>();
            return Self { text: text.trim_end().to_string(), indent, width: width.max(1) };
        }
        cut(&cells, indent, width)
    }
}

/// The part of a long line around the mark, with dots where it is cut.
fn cut(cells: &[(String, usize)], indent: usize, width: usize) -> Excerpt {
    let skip = indent.saturating_sub(LEAD);
    let dots = "...";
    let mut text = if skip > 0 { dots.to_string() } else { String::new() };
    let lead = if skip > 0 { dots.len() } else { 0 };
    let (mut column, mut kept, mut before) = (0, 0, 0);
    for (cell, cell_width) in cells {
        if column >= skip && kept < SHOWN_WIDTH {
            text.push_str(cell);
            kept += cell_width;
            if column < indent {
                before += cell_width;
            }
        }
        column += cell_width;
    }
    if column > skip + kept {
        text.push_str(dots);
    }
    let width = width.clamp(1, SHOWN_WIDTH.saturating_sub(before).max(1));
    Excerpt { text, indent: lead + before, width }
}

fn printable(c: char) -> String {
    match c {
        '\t' => "    ".into(),
        c if c.is_control() || UnicodeWidthChar::width(c).is_none() => "\u{fffd}".into(),
        c => c.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes;

    fn show(text: &str, from: usize, to: usize) -> String {
        let mut sources = Sources::default();
        sources.add("m.dys", text).unwrap();
        let span = Span::new(from as u32, to as u32);
        let diagnostic =
            Diagnostic::new(codes::UNEXPECTED, span, "odd").label("here").help("mend it");
        render(&diagnostic, &sources, Style::Plain)
    }

    #[test]
    fn carets_stand_under_the_text() {
        let expected = "m.dys:2:3: error[P001]: odd\n 2 | a b c\n   |   ^ here\nhelp: mend it\n";
        assert_eq!(show("x\na b c\n", 4, 5), expected);
    }

    #[test]
    fn tabs_and_wide_characters_keep_the_carets_aligned() {
        let text = "\t\u{6f22}x = y;";
        let at = text.find('y').unwrap();
        let out = show(text, at, at + 1);
        let lines: Vec<&str> = out.lines().collect();
        assert_eq!(lines[1], " 1 |     \u{6f22}x = y;");
        assert_eq!(lines[2], format!("   | {}^ here", " ".repeat(4 + 2 + 4)));
    }

    #[test]
    fn long_lines_are_cut_around_the_mark() {
        let text = format!("{}bad{}", "a ".repeat(3000), " b".repeat(3000));
        let out = show(&text, 6000, 6003);
        let lines: Vec<&str> = out.lines().collect();
        assert!(lines[1].len() < 120, "{}", lines[1].len());
        let caret = lines[2].find('^').unwrap();
        assert_eq!(&lines[1][caret..caret + 3], "bad");
    }

    #[test]
    fn a_mark_at_the_end_of_the_file_is_shown() {
        assert!(show("a\n", 2, 2).contains("m.dys:2:1:"));
        assert!(show("ab", 2, 2).contains("m.dys:1:3:"));
    }

    #[test]
    fn messages_with_endless_names_are_cut() {
        let mut sources = Sources::default();
        sources.add("m.dys", "x").unwrap();
        let message = "n".repeat(1_000_000);
        let diagnostic = Diagnostic::new(codes::UNEXPECTED, Span::new(0, 1), message);
        assert!(render(&diagnostic, &sources, Style::Plain).len() < 1200);
    }

    #[test]
    fn the_default_span_stands_for_the_whole_file() {
        assert_eq!(show("a", 0, 0), "m.dys: error[P001]: odd\nhelp: mend it\n");
    }
}
