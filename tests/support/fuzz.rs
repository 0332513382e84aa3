//! The fuzz targets: what must hold for every sequence of bytes.
//!
//! `fuzz/` runs them under libFuzzer; `fuzz_bounded.rs` runs them for a moment on every test run. They
//! need nothing but the parser, so that the fuzzing build stays small.

use parser::diagnostic::Diagnostics;
use parser::render::{Style, render_all};
use parser::source::{Source, Sources, Span};
use parser::syntax::{NodeId, NodeKind};
use parser::{Parsed, format, parse, print, same_meaning, same_tree};

/// A text with what was read from it.
pub struct Read {
    /// Holds the one text.
    pub sources: Sources,
    /// What was read.
    pub parsed: Parsed,
}

impl Read {
    /// Reads a text.
    pub fn new(text: &str) -> Self {
        let mut sources = Sources::default();
        assert!(sources.add("fuzz.dys", text).is_ok(), "test texts are small");
        let parsed = parse(&sources.all()[0]);
        Self { sources, parsed }
    }

    /// The text and its tree, as the parser's functions take them.
    pub fn pair(&self) -> (&Source, &Parsed) {
        (&self.sources.all()[0], &self.parsed)
    }

    /// The formatted text.
    pub fn format(&self) -> Option<String> {
        let (source, parsed) = self.pair();
        format(source, parsed)
    }
}

/// Any bytes can be parsed, every span is a piece of the text, and every message can be shown.
pub fn parse_target(bytes: &[u8]) {
    let read = Read::new(&String::from_utf8_lossy(bytes));
    check_spans(&read);
    check_messages(&read.parsed.diagnostics, &read.sources);
}

/// Formatting and printing keep the meaning, and formatting twice changes nothing more.
pub fn format_target(bytes: &[u8]) {
    let read = Read::new(&String::from_utf8_lossy(bytes));
    let Some(formatted) = read.format() else {
        assert!(read.parsed.diagnostics.errors() > 0, "only texts with errors are refused");
        return;
    };
    let again = Read::new(&formatted);
    assert!(same_meaning(read.pair(), again.pair()), "the meaning changed:\n{formatted}");
    assert_eq!(again.format().as_deref(), Some(formatted.as_str()), "formatted twice");
    assert!(formatted.is_empty() || formatted.ends_with('\n'), "the last line is not ended");
    assert!(!formatted.ends_with("\n\n"), "blank lines at the end");
    let (source, parsed) = read.pair();
    let printed = Read::new(&print(source, &parsed.document));
    assert!(same_tree(read.pair(), printed.pair()), "printing changed the meaning");
}

fn check_messages(diagnostics: &Diagnostics, sources: &Sources) {
    for diagnostic in diagnostics.iter() {
        check_span(&sources.all()[0], diagnostic.primary.span);
        for label in &diagnostic.secondary {
            check_span(&sources.all()[0], label.span);
        }
    }
    let plain = render_all(diagnostics, sources, Style::Plain);
    let coloured = render_all(diagnostics, sources, Style::Colour);
    assert_eq!(plain.is_empty(), diagnostics.is_empty());
    assert!(plain.len() <= coloured.len());
}

fn check_span(source: &Source, span: Span) {
    assert!(source.base() <= span.start && span.start <= span.end, "{span:?}");
    let (start, end) = (span.start - source.base(), span.end - source.base());
    assert!(source.text().get(start as usize..end as usize).is_some(), "{span:?}");
}

/// Does the outer span hold the inner one?
fn holds(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// Every span of the tree is a piece of the text and lies inside the span of what it belongs to.
pub fn check_spans(read: &Read) {
    let (source, parsed) = read.pair();
    let document = &parsed.document;
    for block in document.blocks() {
        check_span(source, block.span);
        assert!(holds(block.span, block.keyword) && holds(block.span, block.name));
        check_span(source, block.keyword);
        check_span(source, block.name);
        for parameter in document.parameters(block) {
            assert!(holds(block.span, parameter.name) && holds(block.span, parameter.value));
            check_span(source, parameter.name);
            check_span(source, parameter.value);
            let values = document.values(parameter);
            // Of a value that could not be read only the name is kept.
            assert!(!values.is_empty() || parsed.diagnostics.errors() > 0, "no value");
            check_nodes(read, parameter.value, values);
        }
    }
    for pair in document.comments().windows(2) {
        assert!(pair[0].end <= pair[1].start, "comments are in order and do not overlap");
    }
    document.comments().iter().for_each(|&span| check_span(source, span));
}

fn check_nodes(read: &Read, outer: Span, values: &[NodeId]) {
    let (source, parsed) = read.pair();
    let document = &parsed.document;
    let mut open: Vec<(Span, NodeId)> = values.iter().map(|&id| (outer, id)).collect();
    while let Some((outer, id)) = open.pop() {
        let node = document.node(id);
        assert!(holds(outer, node.span) && !node.span.is_empty(), "{node:?} in {outer:?}");
        check_span(source, node.span);
        match node.kind {
            NodeKind::Number(_) | NodeKind::Name | NodeKind::Word | NodeKind::Text => {}
            NodeKind::Parenthesis(x) | NodeKind::Unary(_, x) => open.push((node.span, x)),
            NodeKind::Binary(_, x, y) => open.extend([(node.span, x), (node.span, y)]),
            NodeKind::List(run)
            | NodeKind::Indexed(run)
            | NodeKind::Call { arguments: run, .. } => {
                open.extend(document.members(run).iter().map(|&id| (node.span, id)));
            }
        }
    }
}
