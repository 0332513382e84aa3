//! What a picture is drawn on. Coordinates are points from the upper left corner, y downwards.

/// A colour, red, green, blue.
pub type Colour = [u8; 3];

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pen {
    /// Colour of the line.
    pub colour: Colour,
    /// Width of the line.
    pub width: f64,
    /// Lengths of dash and gap; `None` for a line without gaps.
    pub dash: Option<(f64, f64)>,
}

/// Where a text stands relative to its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The text begins at the point.
    Start,
    /// The middle of the text is at the point.
    Middle,
    /// The text ends at the point.
    End,
}

/// Something that lines and text can be drawn on.
pub trait Canvas {
    /// A line through the points.
    fn line(&mut self, points: &[(f64, f64)], pen: Pen);
    /// A disc.
    fn dot(&mut self, centre: (f64, f64), radius: f64, colour: Colour);
    /// A text on one line, its baseline at the point.
    fn text(&mut self, at: (f64, f64), text: &str, size: f64, anchor: Anchor, colour: Colour);
}
