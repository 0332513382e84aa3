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

/// What belongs together in a picture, and what it tells a reader who points at it.
#[derive(Clone, Copy, Debug)]
pub struct Group<'a> {
    /// What it is, for programs and style sheets.
    pub class: &'a str,
    /// Shown when it is pointed at; read aloud by programs for people who do not see it.
    pub title: &'a str,
    /// Where it leads.
    pub link: Option<&'a str>,
}

/// Something that lines and text can be drawn on.
pub trait Canvas {
    /// A line through the points.
    fn line(&mut self, points: &[(f64, f64)], pen: Pen);
    /// A disc.
    fn dot(&mut self, centre: (f64, f64), radius: f64, colour: Colour);
    /// A polygon that is filled, with rounded corners of this radius.
    fn area(&mut self, points: &[(f64, f64)], rounding: f64, fill: Colour, rim: Pen);
    /// What follows up to [`Canvas::end_group`] belongs together; pictures without links and texts to point at ignore it.
    fn begin_group(&mut self, _group: Group<'_>) {}
    /// Ends the group that began last.
    fn end_group(&mut self) {}
    /// A text on one line, its baseline at the point.
    fn text(&mut self, at: (f64, f64), text: &str, size: f64, anchor: Anchor, colour: Colour);
}

/// The corners of a polygon, each with the points before and behind it where a rounding of this radius begins and ends.
pub(crate) fn rounded(points: &[(f64, f64)], radius: f64) -> Vec<[(f64, f64); 3]> {
    let towards = |from: (f64, f64), to: (f64, f64)| {
        let (x, y) = (to.0 - from.0, to.1 - from.1);
        let length = x.hypot(y);
        let part = if length > 0.0 { (radius / length).min(0.5) } else { 0.0 };
        (from.0 + part * x, from.1 + part * y)
    };
    let count = points.len();
    let corner = |k: usize| {
        let (before, behind) = (points[(k + count - 1) % count], points[(k + 1) % count]);
        [towards(points[k], before), points[k], towards(points[k], behind)]
    };
    (0..count).map(corner).collect()
}
