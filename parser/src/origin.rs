//! Where the pieces of a generated text come from: the model that an expansion of components writes is a text too, and
//! messages about it show the text that a person wrote.

use crate::span::Span;

/// A piece of a generated text, up to the start of the next piece.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    /// Address of its first byte in the generated text.
    pub start: u32,
    /// The place in a written text that it stands for.
    pub origin: Span,
}

/// One instance of a component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// Its full name, such as `robot.axis[2]`.
    pub name: Box<str>,
    /// The name of the component.
    pub component: Box<str>,
    /// The place of its name in a written text.
    pub place: Span,
    /// The instance that it is a part of.
    pub parent: Option<u32>,
    /// Its ports in the order of the component, if the expansion was asked for them.
    pub ports: Box<[JoinedPort]>,
}

/// A port of an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinedPort {
    /// Its name in the component.
    pub name: Box<str>,
    /// The full name of the node or triad that it is joined to.
    pub outer: Option<Box<str>>,
}

/// The origins of all pieces of a generated text.
#[derive(Clone, Debug, Default)]
pub struct Origins {
    /// Ascending by their starts.
    pub(crate) pieces: Vec<Piece>,
    /// Does every place of a piece stand for the whole written text, because the texts are in different languages?
    pub(crate) is_translation: bool,
    /// Where parts of an instance begin, ascending, and the instance; none for what stands in no instance.
    pub(crate) parts: Vec<(u32, Option<u32>)>,
    pub(crate) instances: Vec<Instance>,
}

impl Origins {
    /// The written place that a place in the generated text stands for.
    pub(crate) fn written(&self, span: Span) -> Span {
        if self.is_translation {
            return self.piece(span.start).map_or(Span::default(), |piece| piece.origin);
        }
        let start = self.address(span.start);
        // The end of a span is the end of its last byte.
        let end = match span.is_empty() {
            true => start,
            false => self.end_of(span.end - 1),
        };
        Span::new(start, end.max(start))
    }

    fn piece(&self, at: u32) -> Option<&Piece> {
        let behind = self.pieces.partition_point(|piece| piece.start <= at);
        self.pieces.get(behind.checked_sub(1)?)
    }

    fn address(&self, at: u32) -> u32 {
        self.piece(at).map_or(0, |piece| {
            (piece.origin.start + (at - piece.start)).min(piece.origin.end.max(piece.origin.start))
        })
    }

    /// The address behind the byte that stands for the byte at `at`: a piece that stands for a text of another length
    /// ends with it.
    fn end_of(&self, at: u32) -> u32 {
        let next = self.pieces.partition_point(|piece| piece.start <= at);
        let is_last_byte = self.pieces.get(next).is_some_and(|piece| piece.start == at + 1);
        match self.piece(at) {
            Some(piece) if is_last_byte => piece.origin.end,
            Some(piece) => (piece.origin.start + (at - piece.start) + 1).min(piece.origin.end),
            None => 0,
        }
    }

    /// The instances that a place is in, from the innermost to the outermost.
    pub(crate) fn chain(&self, at: u32) -> impl Iterator<Item = &Instance> {
        let behind = self.parts.partition_point(|(start, _)| *start <= at);
        let innermost = behind.checked_sub(1).and_then(|part| self.parts.get(part)?.1);
        self.around(innermost)
    }

    /// An instance and those that it is a part of.
    pub(crate) fn around(&self, innermost: Option<u32>) -> impl Iterator<Item = &Instance> {
        let instance = |index: u32| self.instances.get(index as usize);
        std::iter::successors(innermost.and_then(instance), move |inner| {
            inner.parent.and_then(instance)
        })
    }
}
