//! The text of dysim: the `.dys` language, its diagnostics, the `.ani` table, and the exit codes.
//!
//! Text only: no physics and no file input or output. [`parse`] never fails and never panics; it gives
//! the tree as far as it could be read, and what is wrong with the text.

pub mod animation;
mod block;
pub mod codes;
mod contents;
pub mod diagnostic;
pub mod digits;
pub mod emit;
pub mod exit;
mod expression;
pub mod format;
mod grammar;
pub mod lexical;
pub mod meaning;
pub mod origin;
mod pieces;
pub mod print;
mod recovery;
pub mod render;
pub mod source;
mod span;
pub mod suggest;
pub mod syntax;

pub use format::format;
pub use meaning::{same_meaning, same_tree};
pub use print::print;

use diagnostic::Diagnostics;
use source::Source;
use syntax::{Document, Parameter};

/// The result of [`parse`].
#[derive(Debug, Default)]
pub struct Parsed {
    /// The blocks that could be read.
    pub document: Document,
    /// Mistakes in the text.
    pub diagnostics: Diagnostics,
}

/// Reads a text. Mistakes are collected, and reading goes on behind each.
pub fn parse(source: &Source) -> Parsed {
    let (document, diagnostics) = grammar::Parser::new(source).document();
    Parsed { document, diagnostics }
}

/// The result of [`parse_assignment`].
#[derive(Debug, Default)]
pub struct ParsedAssignment {
    /// Holds the nodes of the value.
    pub document: Document,
    /// `name = value`, if it could be read.
    pub assignment: Option<Parameter>,
    /// Mistakes in the text.
    pub diagnostics: Diagnostics,
}

/// Reads a single `name=value` without semicolon, as it stands on a command line.
pub fn parse_assignment(source: &Source) -> ParsedAssignment {
    let (document, assignment, diagnostics) = grammar::Parser::new(source).assignment();
    ParsedAssignment { document, assignment, diagnostics }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Sources;
    use crate::syntax::NodeKind;

    fn parsed(text: &str) -> (Sources, Parsed) {
        let mut sources = Sources::default();
        sources.add("m.dys", text).unwrap();
        let parsed = parse(&sources.all()[0]);
        (sources, parsed)
    }

    fn parameters(text: &str) -> (Sources, Parsed, Vec<Parameter>) {
        let (sources, parsed) = parsed(text);
        let messages: Vec<_> = parsed.diagnostics.iter().collect();
        assert!(messages.is_empty(), "{messages:?}");
        let block = parsed.document.blocks()[0];
        let parameters = parsed.document.parameters(&block).to_vec();
        (sources, parsed, parameters)
    }

    #[test]
    fn the_example_of_the_language_chapter_has_every_kind_of_value() {
        let text = "Keyword \"NAME\" {\n Word = euler;\n Scalar = 0.5;\n Vector = 0.0, 0.0, -1.0;\n \
                    List = { 0,0,0,  1,0,0,  1,1,0 };\n}\n";
        let (sources, parsed, parameters) = parameters(text);
        let document = &parsed.document;
        assert_eq!(sources.text(document.blocks()[0].name), "NAME");
        let kinds = |p: &Parameter| -> Vec<NodeKind> {
            document.values(p).iter().map(|&id| document.node(id).kind).collect()
        };
        assert_eq!(kinds(&parameters[0]), [NodeKind::Name]);
        assert_eq!(kinds(&parameters[1]), [NodeKind::Number(0.5)]);
        let vector = [0.0, 0.0, -1.0].map(NodeKind::Number);
        assert_eq!(kinds(&parameters[2]), vector);
        let NodeKind::List(run) = kinds(&parameters[3])[0] else { panic!("a list") };
        assert_eq!(run.len(), 9);
    }

    #[test]
    fn words_that_are_no_expressions_are_kept_as_words() {
        let (sources, parsed, parameters) = parameters("B \"b\" { A = 2link, a--b, +, -, a-b; }");
        let document = &parsed.document;
        let values: Vec<_> =
            document.values(&parameters[0]).iter().map(|&id| document.node(id)).collect();
        let texts: Vec<_> = values.iter().map(|node| sources.text(node.span)).collect();
        assert_eq!(texts, ["2link", "a--b", "+", "-", "a-b"]);
        assert_eq!(values[0].kind, NodeKind::Word);
        assert_eq!(values[2].kind, NodeKind::Word);
        assert!(matches!(values[4].kind, NodeKind::Binary(..)));
    }

    #[test]
    fn a_text_that_ends_in_the_middle_keeps_exact_spans() {
        for text in
            ["B", "B \"b\"", "B \"b\" {", "B \"b\" { a", "B \"b\" { a =", "B \"b\" { a = 1.25"]
        {
            let (sources, parsed) = parsed(text);
            assert!(parsed.diagnostics.errors() > 0, "{text}");
            for diagnostic in parsed.diagnostics.iter() {
                assert!(
                    sources.source_of(diagnostic.primary.span).is_some(),
                    "{text}: {diagnostic:?}"
                );
            }
        }
    }
}
