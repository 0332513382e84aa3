//! A place in the texts of a model.

/// A range of bytes in the texts of a model. The default, empty span stands for the whole first
/// text where no place in it can be named.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The range from `start` up to, not including, `end`.
    pub fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// Number of bytes.
    pub fn len(self) -> usize {
        self.end.saturating_sub(self.start) as usize
    }

    /// Whether the span is empty.
    pub fn is_empty(self) -> bool {
        self.end <= self.start
    }

    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Span {
        Span::new(self.start.min(other.start), self.end.max(other.end))
    }

    /// The empty span just behind this one.
    pub fn after(self) -> Span {
        Span::new(self.end, self.end)
    }
}
