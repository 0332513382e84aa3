//! Source texts and places in them.
//!
//! All texts of one model (the main file, its includes, values from the command line) lie one after
//! the other in one address space, so that a [`Span`] of eight bytes names a place in any of the texts.
//! Not here: reading files.

use std::sync::{Arc, OnceLock};

use crate::origin::{Instance, Origins, Piece};
pub use crate::span::Span;

/// Line and column as a person counts them, both from 1; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// One text with its name.
#[derive(Clone, Debug)]
pub struct Source {
    name: Arc<str>,
    text: Arc<str>,
    base: u32,
    /// Offsets of the line starts, computed when a place is first shown.
    lines: OnceLock<Box<[u32]>>,
    /// Of a generated text: the written places that its pieces stand for.
    origins: Option<Arc<Origins>>,
}

impl Source {
    /// The name shown in messages, usually the path as the user wrote it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The instances of components of a generated text, outer ones before their parts.
    pub fn instances(&self) -> &[Instance] {
        self.origins.as_ref().map_or(&[], |origins| &origins.instances)
    }

    /// The address of the text's first byte.
    pub fn base(&self) -> u32 {
        self.base
    }

    /// The span of the whole text.
    pub fn span(&self) -> Span {
        Span::new(self.base, self.base + self.text.len() as u32)
    }

    fn line_starts(&self) -> &[u32] {
        self.lines.get_or_init(|| {
            let breaks = self.text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
            std::iter::once(0).chain(breaks.map(|(at, _)| at as u32 + 1)).collect()
        })
    }

    /// Line (from 0) that holds the byte `at` of this text.
    fn line_of(&self, at: u32) -> usize {
        self.line_starts().partition_point(|&start| start <= at).saturating_sub(1)
    }

    /// The text of a line (from 0) without its line end, and the offset of its first byte.
    pub fn line(&self, line: usize) -> (&str, u32) {
        let starts = self.line_starts();
        let start = starts.get(line).copied().unwrap_or(self.text.len() as u32);
        let end = starts.get(line + 1).map_or(self.text.len(), |&next| next as usize - 1);
        let text = self.text.get(start as usize..end).unwrap_or("");
        // A byte order mark is no part of what a person sees.
        let (text, start) = match text.strip_prefix('\u{feff}') {
            Some(seen) if line == 0 => (seen, start + '\u{feff}'.len_utf8() as u32),
            _ => (text, start),
        };
        (text.strip_suffix('\r').unwrap_or(text), start)
    }
}

/// The texts of one model. Addresses are 32 bits wide: [`Sources::add`] refuses more than 4 GiB.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    sources: Vec<Source>,
}

/// The texts together would exceed the 4 GiB that a [`Span`] can address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

impl Sources {
    /// Largest total size of all texts, in bytes.
    pub const LIMIT: u64 = u32::MAX as u64 - 1;

    /// Adds a text and gives its index.
    pub fn add(
        &mut self,
        name: impl Into<Arc<str>>,
        text: impl Into<Arc<str>>,
    ) -> Result<usize, TooLarge> {
        self.add_text(name.into(), text.into(), None)
    }

    /// Adds a generated text; messages about it show the places that its pieces stand for.
    pub fn add_generated(
        &mut self,
        name: impl Into<Arc<str>>,
        text: impl Into<Arc<str>>,
        origins: Origins,
    ) -> Result<usize, TooLarge> {
        self.add_text(name.into(), text.into(), Some(Arc::new(origins)))
    }

    /// Adds the translation of a text in another language: offsets in the text, ascending, and what is written there.
    pub fn add_translation(
        &mut self,
        name: impl Into<Arc<str>>,
        text: impl Into<Arc<str>>,
        pieces: &[(usize, Span)],
    ) -> Result<usize, TooLarge> {
        let base = self.next_base();
        let piece = |&(at, origin): &(usize, Span)| Piece { start: base + at as u32, origin };
        let pieces = pieces.iter().map(piece).collect();
        let origins = Origins { pieces, is_translation: true, ..Origins::default() };
        self.add_generated(name, text, origins)
    }

    fn add_text(
        &mut self,
        name: Arc<str>,
        text: Arc<str>,
        origins: Option<Arc<Origins>>,
    ) -> Result<usize, TooLarge> {
        let base = self.next_base();
        if u64::from(base) + text.len() as u64 > Self::LIMIT {
            return Err(TooLarge);
        }
        self.sources.push(Source { name, text, base, lines: OnceLock::new(), origins });
        Ok(self.sources.len() - 1)
    }

    /// The address of the next text that is added.
    pub(crate) fn next_base(&self) -> u32 {
        // One byte of distance, so that the end of one text is not the start of the next.
        self.sources.last().map_or(0, |last| last.span().end.saturating_add(1))
    }

    /// The place in a written text that a place stands for: itself, unless it lies in a generated text.
    pub fn written(&self, span: Span) -> Span {
        let origins = self.source_of(span).and_then(|source| source.origins.as_ref());
        origins.map_or(span, |origins| origins.written(span))
    }

    /// The instances of components that a place is in, from the innermost to the outermost.
    pub fn instances(&self, span: Span) -> Vec<&Instance> {
        let origins = self.source_of(span).and_then(|source| source.origins.as_ref());
        origins.map_or(Vec::new(), |origins| origins.chain(span.start).collect())
    }

    /// The name of the block that a place of a generated text stands in, if it has an index.
    pub fn repeated_block(&self, span: Span) -> Option<&str> {
        let source = self.source_of(span).filter(|source| source.origins.is_some())?;
        let (before, behind) = source.text.split_at_checked((span.end - source.base) as usize)?;
        if behind.starts_with("\" {") {
            // The place is the name itself.
            let name = self.text(span);
            return name.contains('[').then_some(name);
        }
        let header = &before[..before.rfind("\" {")?];
        let name = &header[header.rfind('"')? + 1..];
        name.contains('[').then_some(name)
    }

    /// The texts in the order they were added.
    pub fn all(&self) -> &[Source] {
        &self.sources
    }

    /// The text with the given index.
    pub fn get(&self, index: usize) -> Option<&Source> {
        self.sources.get(index)
    }

    /// The text that holds the span.
    pub fn source_of(&self, span: Span) -> Option<&Source> {
        let after = self.sources.partition_point(|source| source.base <= span.start);
        let source = self.sources.get(after.checked_sub(1)?)?;
        (span.end <= source.span().end).then_some(source)
    }

    /// The text of a span; empty where the span is not of these sources.
    pub fn text(&self, span: Span) -> &str {
        self.source_of(span)
            .and_then(|s| s.text.get((span.start - s.base) as usize..(span.end - s.base) as usize))
            .unwrap_or("")
    }

    /// Source and position of the first character of a span, in a text that a person wrote.
    pub fn position(&self, span: Span) -> Option<(&Source, Position)> {
        let span = self.written(span);
        let source = self.source_of(span)?;
        let at = span.start - source.base;
        let line = source.line_of(at);
        let (text, start) = source.line(line);
        let before = text.get(..at.saturating_sub(start) as usize).unwrap_or(text);
        Some((source, Position { line: line + 1, column: before.chars().count() + 1 }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two() -> Sources {
        let mut sources = Sources::default();
        sources.add("a.dys", "one\r\ntwo\n").unwrap();
        sources.add("b.dys", "größe = 1;\n").unwrap();
        sources
    }

    #[test]
    fn a_span_finds_its_text_in_the_second_source() {
        let sources = two();
        let base = sources.all()[1].base();
        let span = Span::new(base, base + "größe".len() as u32);
        assert_eq!(sources.text(span), "größe");
        assert_eq!(sources.source_of(span).unwrap().name(), "b.dys");
    }

    #[test]
    fn columns_count_characters_and_lines_lose_their_carriage_return() {
        let sources = two();
        let base = sources.all()[1].base();
        let equals = base + "größe ".len() as u32;
        let (_, position) = sources.position(Span::new(equals, equals + 1)).unwrap();
        assert_eq!(position, Position { line: 1, column: 7 });
        assert_eq!(sources.all()[0].line(0).0, "one");
        assert_eq!(sources.all()[0].line(1).0, "two");
    }

    #[test]
    fn texts_beyond_the_limit_are_refused() {
        let mut sources = two();
        // As if nearly 4 GiB had been added before.
        let base = (Sources::LIMIT - 10) as u32;
        let (name, text, lines) = ("huge.dys".into(), "".into(), OnceLock::new());
        sources.sources.push(Source { name, text, base, lines, origins: None });
        assert_eq!(sources.add("c.dys", "12345678901"), Err(TooLarge));
        assert_eq!(sources.add("c.dys", "123456789"), Ok(3));
    }

    #[test]
    fn the_end_of_a_text_belongs_to_that_text() {
        let sources = two();
        let end = sources.all()[0].span().after();
        assert_eq!(sources.source_of(end).unwrap().name(), "a.dys");
        assert_eq!(sources.position(end).unwrap().1, Position { line: 3, column: 1 });
    }
}
