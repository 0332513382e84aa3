//! The time that a run passes through.

/// The time that a run passes through, and how it begins.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// First instant, s.
    pub start: f64,
    /// Last instant, s.
    pub end: f64,
    /// Does the run begin at the operating point?
    pub is_steady: bool,
}
