//! A sheet with the places of all its parts: what is drawn, and what tests look at.

use plots::canvas::{Anchor, Colour};
use plots::font;

use crate::flat_model::Kind;
use crate::layered;
use crate::layered::graph::{Direction, End, Graph, Layout, Net, PlacedPort, Side, UNIT, Vertex};
use crate::sheet::{PortKey, Shape, Sheet, SheetBox};

/// Size of headings.
pub const HEADING: f64 = 14.0;
/// Size of names.
pub const NAME: f64 = 12.0;
/// Size of keywords.
pub const SMALL: f64 = 10.0;
/// Size of the labels of ports.
pub const LABEL: f64 = 9.0;

/// Around the picture.
pub const FRAME: f64 = 24.0;
/// Names that are wider are shortened.
const WIDEST_NAME: f64 = 150.0;
const WIDEST_LABEL: f64 = 80.0;
/// From the edge of a box to a text inside.
const PADDING: f64 = 8.0;
/// Height of the name of a frame, and what is left free around the inside.
const TITLE: f64 = 40.0;
const MARGIN: f64 = 16.0;
/// Width of a symbol of ground, and of its label at most.
const GROUND: f64 = 24.0;
const WIDEST_GROUND: f64 = 48.0;

/// A text at a place.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// Where its baseline begins, ends or has its middle.
    pub at: (f64, f64),
    /// What it says.
    pub words: String,
    /// Size of its letters.
    pub size: f64,
    /// What of it is at its place.
    pub anchor: Anchor,
    /// It matters less.
    pub is_faint: bool,
}

impl Text {
    /// Left, top, right, bottom.
    pub fn extent(&self) -> [f64; 4] {
        let width = font::width(&self.words, self.size);
        let left = match self.anchor {
            Anchor::Start => self.at.0,
            Anchor::Middle => self.at.0 - 0.5 * width,
            Anchor::End => self.at.0 - width,
        };
        [left, self.at.1 - 0.75 * self.size, left + width, self.at.1 + 0.22 * self.size]
    }
}

/// A box at its place.
#[derive(Clone, Debug)]
pub struct PlacedBox {
    /// How it looks.
    pub shape: Shape,
    /// Left, top, right, bottom.
    pub extent: [f64; 4],
    /// The whole name, and more about it.
    pub title: String,
    /// Its name and the labels of its ports.
    pub texts: Vec<Text>,
    /// Symbols of ground below it: the middle of the upper end, and the kind.
    pub grounds: Vec<((f64, f64), Kind)>,
    /// Ends of lines.
    pub ports: Vec<(f64, f64)>,
    /// The border of the picture that it stands at.
    pub border: Option<Side>,
    /// It closes a kinematic loop.
    pub is_dashed: bool,
    /// The instance that it leads to.
    pub part: Option<usize>,
    /// How many it stands for.
    pub count: usize,
    /// The picture of its inside, if it is opened.
    pub inside: Option<Inside>,
}

/// The inside of an instance that is opened: its box is the frame.
#[derive(Clone, Debug)]
pub struct Inside {
    /// Where the picture begins: left, top.
    pub at: (f64, f64),
    /// The picture, in which the ports of the frame are tags at the borders.
    pub picture: Picture,
}

/// A line at its place.
#[derive(Clone, Debug)]
pub struct PlacedLine {
    /// Lines of one net have one number.
    pub net: usize,
    /// The name of its node or source.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// It closes a kinematic loop.
    pub is_dashed: bool,
    /// It ends with an arrow.
    pub has_arrow: bool,
    /// The boxes at its ends.
    pub boxes: [usize; 2],
    /// Where it begins, turns and ends.
    pub points: Vec<(f64, f64)>,
    /// The points from where it leaves the lines of its net that are drawn before.
    pub own: Vec<(f64, f64)>,
}

/// A picture without its heading and legend.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    /// In points.
    pub width: f64,
    /// In points.
    pub height: f64,
    /// Boxes and the points where lines meet.
    pub boxes: Vec<PlacedBox>,
    /// Lines from the first end of each net to its others.
    pub lines: Vec<PlacedLine>,
    /// Where the lines of a net meet.
    pub dots: Vec<((f64, f64), Kind)>,
    /// Crossings of lines of different nets.
    pub crossings: usize,
}

/// Gives everything on a sheet its place. `insides` are the pictures of the boxes that are opened.
pub fn picture(sheet: &Sheet, insides: Vec<Option<Picture>>) -> Picture {
    let graph = graph(sheet, &insides);
    let layout = layered::layout(&graph);
    let nested = insides.iter().flatten().map(|inside| inside.crossings).sum::<usize>();
    let mut picture = Picture {
        width: layout.width,
        height: layout.height,
        crossings: layered::crossings_of(&layout) + nested,
        ..Picture::default()
    };
    for (index, (one, inside)) in sheet.boxes.iter().zip(insides).enumerate() {
        picture.boxes.push(placed(one, index, &layout, inside));
    }
    for (index, net) in sheet.nets.iter().enumerate() {
        let starts_at_point = sheet.boxes[net.ends[0].at].shape == Shape::Point;
        let lines = without_stub(&layout.lines[index], starts_at_point);
        // Signals that are read at a node leave its lines, not the other way round.
        let rank = |number: usize| (net.ends[number + 1].kind == Kind::Signal, number);
        for (number, (end, points)) in net.ends.iter().skip(1).zip(&lines).enumerate() {
            let before = (0..lines.len()).filter(|&other| rank(other) < rank(number));
            let shared = before.map(|other| common_beginning(points, &lines[other]));
            let own = shared.max_by_key(|own| own.0).map_or_else(|| points.clone(), |own| own.1);
            picture.lines.push(PlacedLine {
                net: index,
                name: net.name.clone(),
                kind: end.kind,
                is_dashed: net.is_dashed,
                has_arrow: end.direction == Direction::Away
                    && matches!(end.kind, Kind::Signal | Kind::Bond),
                boxes: [net.ends[0].at, end.at],
                points: points.clone(),
                own,
            });
        }
        picture.dots.extend(dots(&lines).into_iter().map(|at| (at, net.kind)));
    }
    picture
}

/// The widest beginning and end of a name that fit, with dots between them.
pub fn shortened(name: &str, size: f64, widest: f64) -> String {
    if font::width(name, size) <= widest {
        return name.into();
    }
    let mut letters: Vec<char> = name.chars().collect();
    // No more than this could fit.
    if letters.len() > 200 {
        letters.drain(100..letters.len() - 100);
    }
    for kept in (2..letters.len()).rev() {
        let (head, tail) = (kept.div_ceil(2), kept / 2);
        let mut short: String = letters[..head].iter().collect();
        short.push('\u{2026}');
        short.extend(&letters[letters.len() - tail..]);
        if font::width(&short, size) <= widest {
            return short;
        }
    }
    "\u{2026}".into()
}

/// What each symbol of ground below a box needs with its label, which stands to the right of it.
fn ground_width(one: &SheetBox) -> f64 {
    let label = |(port, _): &(String, Kind)| {
        font::width(&shortened(port, LABEL, WIDEST_GROUND), LABEL) + 8.0
    };
    one.grounds.iter().map(label).fold(GROUND, f64::max)
}

/// Is a signal of this box measured at it rather than computed by it?
fn is_physical(one: &SheetBox) -> bool {
    let is_joined = |key: PortKey| {
        matches!(key, PortKey::Node(_) | PortKey::Terminal(..) | PortKey::Relation(..))
    };
    match one.shape {
        Shape::Signal | Shape::Border => false,
        Shape::Instance => one.ports.iter().any(|port| is_joined(port.key)),
        _ => true,
    }
}

/// Where people expect the ports of elements: current comes in at p, torque and heat go out.
fn usual_side(one: &SheetBox, label: &str) -> Option<Side> {
    let is_source = one.what.ends_with("Source");
    match label {
        _ if !matches!(one.shape, Shape::Block | Shape::Instance) => None,
        "p" if is_source => Some(Side::Right),
        _ if is_source => None,
        "p" | "a" | "in" | "p1" | "n1" => Some(Side::Left),
        "n" | "b" | "out" | "shaft" | "flange" | "rod" | "Heat" | "p2" | "n2" => Some(Side::Right),
        _ => None,
    }
}

fn graph(sheet: &Sheet, insides: &[Option<Picture>]) -> Graph {
    let vertex = |(one, inside): (&SheetBox, &Option<Picture>)| {
        if one.shape == Shape::Point {
            return Vertex::default();
        }
        let name = font::width(&shortened(&one.name, NAME, WIDEST_NAME), NAME);
        let what = font::width(&shortened(&one.what, SMALL, WIDEST_NAME), SMALL);
        let label = |label: &str| match label {
            "" => 0.0,
            label => font::width(&shortened(label, LABEL, WIDEST_LABEL), LABEL) + PADDING,
        };
        let least = if one.border.is_some() { 24.0 } else { 56.0 };
        let tip = if one.border.is_some() { 12.0 } else { 0.0 };
        let width = (name.max(what) + 2.0 * PADDING + tip).max(least);
        let grounds = one.grounds.len();
        let frame = inside.as_ref().map_or((0.0, 0), |inside| {
            let height = (inside.height + TITLE + MARGIN) / UNIT;
            // Heights are even numbers of units.
            (inside.width + 2.0 * MARGIN, 2 * (0.5 * height).ceil() as i64)
        });
        let width = width.max(frame.0);
        Vertex {
            width: width.max(ground_width(one) * (grounds + 1) as f64).ceil(),
            height: if one.border.is_some() { 4 } else { 6.max(frame.1) },
            usual: one.ports.iter().map(|port| usual_side(one, &port.label)).collect(),
            labels: one.ports.iter().map(|port| label(&port.label).ceil()).collect(),
            hangs: if grounds > 0 { 3 } else { 0 },
            border: one.border,
            is_source: one.is_source,
        }
    };
    let vertices = sheet.boxes.iter().zip(insides).map(vertex).collect();
    let nets = sheet.nets.iter().map(|net| Net {
        ends: net
            .ends
            .iter()
            .map(|end| End {
                vertex: end.at,
                port: end.port,
                direction: end.direction,
                may_go_back: end.kind == Kind::Signal && is_physical(&sheet.boxes[net.ends[0].at]),
            })
            .collect(),
    });
    Graph { vertices, nets: nets.collect() }
}

/// A box with its texts.
fn placed(one: &SheetBox, index: usize, layout: &Layout, inside: Option<Picture>) -> PlacedBox {
    let (left, top) = layout.places[index];
    let (width, height) = layout.sizes[index];
    let (right, bottom) = (left + width, top + height);
    let mut texts = Vec::new();
    let mut title = match one.what.as_str() {
        "" => one.name.clone(),
        what => format!("{}: {what}", one.name),
    };
    for detail in &one.details {
        title.push_str(&format!("\n{detail}"));
    }
    let room = port_labels(one, &layout.ports[index], [left, right], &mut texts, &mut title);
    // Tags have their points on the right.
    let lean = if one.border.is_some() { -4.0 } else { 0.0 };
    // The name of a frame stands above what is inside.
    let height = if inside.is_some() { top + 0.5 * TITLE } else { 0.5 * (top + bottom) };
    let middle = (0.5 * (room[0] + room[1]) + lean, height);
    let centred = |words: String, size: f64, y: f64, is_faint: bool| Text {
        at: (middle.0, y),
        words,
        size,
        anchor: Anchor::Middle,
        is_faint,
    };
    if one.shape != Shape::Point {
        let y = if one.what.is_empty() { middle.1 + 0.35 * NAME } else { middle.1 - 2.0 };
        texts.push(centred(shortened(&one.name, NAME, WIDEST_NAME), NAME, y, false));
        if !one.what.is_empty() {
            let what = shortened(&one.what, SMALL, WIDEST_NAME);
            texts.push(centred(what, SMALL, middle.1 + SMALL + 2.0, true));
        }
    }
    let grounds = grounds(one, [left, right], bottom, &mut texts);
    PlacedBox {
        shape: one.shape,
        extent: [left, top, right, bottom],
        title,
        texts,
        grounds,
        ports: layout.ports[index].iter().map(|port| port.at).collect(),
        border: one.border,
        is_dashed: one.is_dashed,
        part: one.part,
        count: one.count,
        inside: inside
            .map(|picture| Inside { at: (middle.0 - 0.5 * picture.width, top + TITLE), picture }),
    }
}

/// Writes the labels of the ports inside, beside the ports; gives what they leave for the name between them.
fn port_labels(
    one: &SheetBox,
    placed: &[PlacedPort],
    [left, right]: [f64; 2],
    texts: &mut Vec<Text>,
    title: &mut String,
) -> [f64; 2] {
    let mut room = [left, right];
    for port in placed {
        let label = one.ports.get(port.key as usize).map_or("", |port| port.label.as_str());
        if label.is_empty() || one.shape == Shape::Point {
            continue;
        }
        let words = shortened(label, LABEL, WIDEST_LABEL);
        if words != label {
            title.push_str(&format!("\nport {label}"));
        }
        let taken = font::width(&words, LABEL) + 0.5 * PADDING;
        let (x, anchor) = match port.side {
            Side::Left => (left + 0.5 * PADDING, Anchor::Start),
            Side::Right => (right - 0.5 * PADDING, Anchor::End),
        };
        match port.side {
            Side::Left => room[0] = room[0].max(left + taken),
            Side::Right => room[1] = room[1].min(right - taken),
        }
        let at = (x, port.at.1 + 0.35 * LABEL);
        texts.push(Text { at, words, size: LABEL, anchor, is_faint: true });
    }
    room
}

/// Places the symbols of ground below a box, with the names of their ports to the right.
fn grounds(
    one: &SheetBox,
    [left, right]: [f64; 2],
    bottom: f64,
    texts: &mut Vec<Text>,
) -> Vec<((f64, f64), Kind)> {
    let mut placed = Vec::new();
    let parts = one.grounds.len() as f64 + 1.0;
    for (k, (port, kind)) in one.grounds.iter().enumerate() {
        let x = left + (right - left) * (k + 1) as f64 / parts;
        placed.push(((x, bottom), *kind));
        if !port.is_empty() {
            let words = shortened(port, LABEL, WIDEST_GROUND);
            let at = (x + 4.0, bottom + 7.5);
            texts.push(Text { at, words, size: LABEL, anchor: Anchor::Start, is_faint: true });
        }
    }
    placed
}

/// Lines that all leave a point to one side begin where the first of them turns.
fn without_stub(lines: &[Vec<(f64, f64)>], starts_at_point: bool) -> Vec<Vec<(f64, f64)>> {
    let mut lines = lines.to_vec();
    let steps: Vec<f64> = lines.iter().map(|line| line[1].0 - line[0].0).collect();
    let to_right = steps.iter().all(|step| *step > 0.0);
    let to_left = steps.iter().all(|step| *step < 0.0);
    if !starts_at_point || !(to_right || to_left) {
        return lines;
    }
    let shortest = steps.iter().copied().min_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap_or(0.0);
    for line in &mut lines {
        line[0].0 += shortest;
        if line[0] == line[1] && line.len() > 2 {
            line.remove(0);
        }
    }
    lines
}

/// How far two lines run together from their beginning: the number of points of the common part, and what is left of the
/// first one.
fn common_beginning(line: &[(f64, f64)], other: &[(f64, f64)]) -> (u64, Vec<(f64, f64)>) {
    let mut length = 0.0;
    for k in 1..line.len() {
        let (a, b) = (line[k - 1], line[k]);
        let Some(&c) = other.get(k).filter(|_| other[k - 1] == a) else {
            return ((length * 100.0) as u64, line[k - 1..].to_vec());
        };
        if b == c {
            length += (b.0 - a.0).abs() + (b.1 - a.1).abs();
            continue;
        }
        // Together up to the nearer end, if both go the same way.
        let same_way = (a.0 == b.0 && a.0 == c.0 && (b.1 > a.1) == (c.1 > a.1))
            || (a.1 == b.1 && a.1 == c.1 && (b.0 > a.0) == (c.0 > a.0));
        let far = |p: (f64, f64)| (p.0 - a.0).abs() + (p.1 - a.1).abs();
        let leaves_at = match same_way {
            true if far(b) < far(c) => b,
            true => c,
            false => a,
        };
        length += far(leaves_at);
        let mut own = vec![leaves_at];
        own.extend(line[k..].iter().filter(|point| **point != leaves_at));
        return ((length * 100.0) as u64, own);
    }
    // All of it.
    ((length * 100.0) as u64, line[line.len() - 1..].to_vec())
}

/// Points where at least three lines of a net come together.
fn dots(lines: &[Vec<(f64, f64)>]) -> Vec<(f64, f64)> {
    let mut corners: Vec<(f64, f64)> = lines.iter().flatten().copied().collect();
    corners.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    corners.dedup();
    let pieces: Vec<[(f64, f64); 2]> =
        lines.iter().flat_map(|line| line.windows(2)).map(|pair| [pair[0], pair[1]]).collect();
    let is_meeting = |&(x, y): &(f64, f64)| {
        let leads = |dx: f64, dy: f64| {
            pieces.iter().any(|[a, b]| {
                let (left, right) = (a.0.min(b.0), a.0.max(b.0));
                let (top, bottom) = (a.1.min(b.1), a.1.max(b.1));
                let (px, py) = (x + dx, y + dy);
                left <= px
                    && px <= right
                    && top <= py
                    && py <= bottom
                    && left <= x
                    && x <= right
                    && top <= y
                    && y <= bottom
            })
        };
        let ways = [(0.5, 0.0), (-0.5, 0.0), (0.0, 0.5), (0.0, -0.5)];
        ways.iter().filter(|(dx, dy)| leads(*dx, *dy)).count() >= 3
    };
    corners.into_iter().filter(is_meeting).collect()
}

/// The colour of a kind of connection.
pub fn colour(kind: Kind) -> Colour {
    match kind {
        Kind::Electrical => [0x00, 0x66, 0xb3],
        Kind::Rotational => [0x80, 0x5a, 0x36],
        Kind::Translational => [0x1f, 0x8a, 0x4c],
        Kind::Thermal => [0xc6, 0x28, 0x28],
        Kind::Hydraulic => [0x7b, 0x3f, 0xa0],
        Kind::Bond => [0x20, 0x20, 0x20],
        Kind::Mechanics => [0xd5, 0x6a, 0x00],
        Kind::Force => [0xb0, 0x7d, 0x20],
        Kind::Signal => [0x6a, 0x6a, 0x6a],
    }
}
