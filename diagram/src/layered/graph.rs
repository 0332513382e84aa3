//! What is laid out, and the result.
//!
//! Heights are counted in units of [`UNIT`] points, so that lines are either in one row or well apart.

/// Height of a unit, in points.
pub const UNIT: f64 = 8.0;

/// A side of a box, or of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The left one.
    Left,
    /// The right one.
    Right,
}

/// A box, or the point where the lines of a net meet.
#[derive(Clone, Debug, Default)]
pub struct Vertex {
    /// Width in points without the labels of ports; 0 for a point.
    pub width: f64,
    /// Height in units, an even number; 0 for a point. More ports make a box higher.
    pub height: i64,
    /// Widths of the labels of the ports, by their keys.
    pub labels: Vec<f64>,
    /// The sides where people expect the ports, by their keys.
    pub usual: Vec<Option<Side>>,
    /// What hangs below, in units: symbols of ground.
    pub hangs: i64,
    /// It stands at this border of the picture.
    pub border: Option<Side>,
    /// Good to begin with: a source.
    pub is_source: bool,
}

impl Vertex {
    /// Is it the meeting point of a net?
    pub fn is_point(&self) -> bool {
        self.height == 0
    }
}

/// Which way an arrow points, seen from the first end of a net.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// No arrow.
    None,
    /// Away from the first end.
    Away,
    /// Towards the first end.
    Towards,
}

/// One end of a net: a port of a box.
#[derive(Clone, Copy, Debug)]
pub struct End {
    /// The box, by its number.
    pub vertex: usize,
    /// Names the port among those of the box.
    pub port: u32,
    /// Seen from the first end of the net; of no meaning at the first end itself.
    pub direction: Direction,
    /// The arrow may as well point to the left: what is measured goes back to where a controller compares it.
    pub may_go_back: bool,
}

/// A line from the first end to each of the others.
#[derive(Clone, Debug)]
pub struct Net {
    /// At least two.
    pub ends: Vec<End>,
}

/// Boxes and what joins them. No net has two ends at one vertex.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// Boxes and points.
    pub vertices: Vec<Vertex>,
    /// Lines between them.
    pub nets: Vec<Net>,
}

/// A port that has got its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacedPort {
    /// Names the port among those of the box.
    pub key: u32,
    /// The side that it is on.
    pub side: Side,
    /// In points.
    pub at: (f64, f64),
}

/// A layout. All coordinates in points, y downwards.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    /// Width of all.
    pub width: f64,
    /// Height of all.
    pub height: f64,
    /// Upper left corner of each vertex.
    pub places: Vec<(f64, f64)>,
    /// Width and height of each vertex.
    pub sizes: Vec<(f64, f64)>,
    /// The ports of each vertex.
    pub ports: Vec<Vec<PlacedPort>>,
    /// For each net the lines from its first end to each of the others.
    pub lines: Vec<Vec<Vec<(f64, f64)>>>,
}
