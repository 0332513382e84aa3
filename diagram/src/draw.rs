//! Draws pictures: heading, boxes, lines, legend.

use plots::canvas::{Anchor, Canvas, Colour, Group, Pen};
use plots::font;

use crate::flat_model::Kind;
use crate::picture::{FRAME, HEADING, Picture, PlacedBox, PlacedLine, SMALL, colour};
use crate::sheet::Shape;

const INK: Colour = [0x20, 0x20, 0x20];
const FAINT: Colour = [0x60, 0x60, 0x60];
/// Height of the heading and of the legend.
const HEAD: f64 = 36.0;
const FOOT: f64 = 28.0;
/// From the end of an arrow to where its head begins, and half of its width.
const ARROW: (f64, f64) = (7.0, 3.2);

/// What stands around a picture.
pub struct Surroundings<'a> {
    pub heading: String,
    /// Where the heading leads: the picture of the surroundings.
    pub up: Option<String>,
    /// The file of the inside of a part.
    pub inside: &'a dyn Fn(usize) -> Option<String>,
}

/// Size of the whole picture.
pub fn size(picture: &Picture, heading: &str) -> (f64, f64) {
    let wide = legend(picture).iter().map(|(_, words)| sample_width(words)).sum::<f64>();
    let wide = wide.max(font::width(heading, HEADING));
    let width = picture.width.max(wide) + 2.0 * FRAME;
    (width, picture.height + HEAD + FOOT + 2.0 * FRAME)
}

/// Draws everything.
pub fn draw(picture: &Picture, around: &Surroundings<'_>, canvas: &mut dyn Canvas) {
    let (_, height) = size(picture, &around.heading);
    let title = around.up.as_ref().map_or("", |_| "to the surroundings");
    canvas.begin_group(Group { class: "heading", title, link: around.up.as_deref() });
    let at = (FRAME, FRAME + HEADING);
    let ink = if around.up.is_some() { colour(Kind::Electrical) } else { INK };
    canvas.text(at, &around.heading, HEADING, Anchor::Start, ink);
    canvas.end_group();
    draw_parts(picture, (FRAME, FRAME + HEAD), around.inside, canvas);
    let mut x = FRAME;
    let y = height - FRAME;
    for (kind, words) in legend(picture) {
        let pen = Pen { colour: colour(kind), width: width_of(kind), dash: None };
        canvas.line(&[(x, y - 3.5), (x + 22.0, y - 3.5)], pen);
        if kind == Kind::Signal {
            arrow((x + 22.0, y - 3.5), (x, y - 3.5), kind, canvas);
        }
        canvas.text((x + 28.0, y), words, SMALL, Anchor::Start, FAINT);
        x += sample_width(words);
    }
}

/// Draws lines and boxes, and the pictures inside of boxes.
fn draw_parts(
    picture: &Picture,
    shift: (f64, f64),
    link_of: &dyn Fn(usize) -> Option<String>,
    canvas: &mut dyn Canvas,
) {
    let moved = |(x, y): (f64, f64)| (x + shift.0, y + shift.1);
    // Signals first, so that they do not cover where nets begin.
    let mut lines: Vec<&PlacedLine> = picture.lines.iter().collect();
    lines.sort_by_key(|line| std::cmp::Reverse((line.kind, line.net)));
    for line in lines {
        draw_line(line, &moved, canvas);
    }
    for &(at, kind) in &picture.dots {
        canvas.dot(moved(at), if kind == Kind::Signal { 2.0 } else { 2.8 }, colour(kind));
    }
    for one in picture.boxes.iter().filter(|one| one.shape != Shape::Point) {
        let link = one.part.and_then(link_of);
        draw_box(one, link.as_deref(), &moved, canvas);
        if let Some(inside) = &one.inside {
            draw_parts(&inside.picture, moved(inside.at), link_of, canvas);
        }
    }
}

fn sample_width(words: &str) -> f64 {
    28.0 + font::width(words, SMALL) + 18.0
}

/// The kinds of lines that occur.
fn legend(picture: &Picture) -> Vec<(Kind, &'static str)> {
    let all = [
        (Kind::Electrical, "electrical"),
        (Kind::Rotational, "rotational"),
        (Kind::Translational, "translational"),
        (Kind::Thermal, "thermal"),
        (Kind::Hydraulic, "hydraulic"),
        (Kind::Bond, "bond"),
        (Kind::Mechanics, "joint"),
        (Kind::Force, "force or constraint"),
        (Kind::Signal, "signal"),
    ];
    all.into_iter().filter(|(kind, _)| occurs(picture, *kind)).collect()
}

fn occurs(picture: &Picture, kind: Kind) -> bool {
    picture.lines.iter().any(|line| line.kind == kind)
        || picture.boxes.iter().any(|one| {
            one.grounds.iter().any(|(_, of)| *of == kind)
                || one.inside.as_ref().is_some_and(|inside| occurs(&inside.picture, kind))
        })
}

fn width_of(kind: Kind) -> f64 {
    match kind {
        Kind::Signal => 1.0,
        Kind::Force => 1.3,
        Kind::Mechanics => 2.2,
        _ => 1.6,
    }
}

fn draw_line(line: &PlacedLine, moved: &dyn Fn((f64, f64)) -> (f64, f64), canvas: &mut dyn Canvas) {
    let mut points: Vec<(f64, f64)> = line.own.iter().copied().map(moved).collect();
    let [.., before, end] = points[..] else { return };
    let dash = line.is_dashed.then_some((6.0, 4.0));
    let pen = Pen { colour: colour(line.kind), width: width_of(line.kind), dash };
    canvas.begin_group(Group { class: "line", title: &line.name, link: None });
    // The line ends inside of the head of its arrow, which stays sharp.
    if line.has_arrow
        && line.kind == Kind::Signal
        && let Some(last) = points.last_mut()
    {
        last.0 -= 3.0 * (end.0 - before.0).signum();
    }
    canvas.line(&points, pen);
    if line.has_arrow {
        arrow(end, before, line.kind, canvas);
    }
    canvas.end_group();
}

/// The head of an arrow; of a bond only its half.
fn arrow(end: (f64, f64), before: (f64, f64), kind: Kind, canvas: &mut dyn Canvas) {
    let direction = (end.0 - before.0).signum();
    let base = end.0 - ARROW.0 * direction;
    let pen = Pen { colour: colour(kind), width: 1.0, dash: None };
    if kind == Kind::Bond {
        canvas.line(&[end, (end.0 - 10.0 * direction, end.1 - 6.0)], Pen { width: 1.6, ..pen });
        return;
    }
    let corners = [end, (base, end.1 - ARROW.1), (base, end.1 + ARROW.1)];
    canvas.area(&corners, 0.0, colour(kind), Pen { width: 0.4, ..pen });
}

/// Inside and rim of a shape.
fn colours(shape: Shape) -> (Colour, Colour) {
    match shape {
        Shape::Body => ([0xff, 0xf1, 0xdc], [0xb0, 0x5a, 0x00]),
        Shape::Joint => ([0xff, 0xfb, 0xf3], [0xd5, 0x6a, 0x00]),
        Shape::World => ([0xe2, 0xe2, 0xe2], [0x60, 0x60, 0x60]),
        Shape::Instance => ([0xe6, 0xf0, 0xfa], [0x2a, 0x5d, 0x8f]),
        Shape::Signal => ([0xf6, 0xf6, 0xf6], [0x6a, 0x6a, 0x6a]),
        Shape::Border => ([0xff, 0xff, 0xff], [0x60, 0x60, 0x60]),
        Shape::Block | Shape::Point => ([0xff, 0xff, 0xff], [0x40, 0x40, 0x40]),
    }
}

fn draw_box(
    one: &PlacedBox,
    link: Option<&str>,
    moved: &dyn Fn((f64, f64)) -> (f64, f64),
    canvas: &mut dyn Canvas,
) {
    canvas.begin_group(Group { class: "box", title: &one.title, link });
    let [left, top, right, bottom] = one.extent;
    let ((left, top), (right, bottom)) = (moved((left, top)), moved((right, bottom)));
    let (fill, rim) = match (one.shape, &one.inside) {
        (_, Some(_)) => ([0xf8, 0xfb, 0xfe], colours(Shape::Instance).1),
        (shape, None) => colours(shape),
    };
    let dash = one.is_dashed.then_some((5.0, 3.0));
    let width = if one.shape == Shape::Instance { 1.6 } else { 1.1 };
    let pen = Pen { colour: rim, width, dash };
    let rounding = match one.shape {
        Shape::Joint => 14.0,
        Shape::Signal | Shape::Instance => 5.0,
        _ => 0.0,
    };
    let rectangle = |shift: f64| {
        let (l, t, r, b) = (left + shift, top + shift, right + shift, bottom + shift);
        [(l, t), (r, t), (r, b), (l, b)]
    };
    if one.count > 1 {
        canvas.area(&rectangle(4.0), rounding, fill, pen);
    }
    match one.border {
        // A tag points into the picture or out of it.
        Some(_) => {
            let middle = 0.5 * (top + bottom);
            let (upper, lower) = (top + 5.0, bottom - 5.0);
            let inner = right - 10.0;
            let corners =
                [(left, upper), (inner, upper), (right, middle), (inner, lower), (left, lower)];
            canvas.area(&corners, 0.0, fill, pen);
        }
        None => canvas.area(&rectangle(0.0), rounding, fill, pen),
    }
    for &(at, kind) in &one.grounds {
        ground(moved(at), kind, canvas);
    }
    for text in &one.texts {
        let ink = if text.is_faint { FAINT } else { INK };
        canvas.text(moved(text.at), &text.words, text.size, text.anchor, ink);
    }
    canvas.end_group();
}

/// The symbol of a node whose potential is fixed.
fn ground((x, y): (f64, f64), kind: Kind, canvas: &mut dyn Canvas) {
    let pen = Pen { colour: colour(kind), width: width_of(kind).min(1.6), dash: None };
    let bar = y + 12.0;
    canvas.line(&[(x, y), (x, bar)], pen);
    match kind {
        Kind::Electrical => {
            for (k, half) in [8.0, 5.0, 2.0].into_iter().enumerate() {
                let level = bar + 3.5 * k as f64;
                canvas.line(&[(x - half, level), (x + half, level)], pen);
            }
        }
        Kind::Hydraulic => {
            canvas.line(
                &[
                    (x - 8.0, bar - 1.0),
                    (x - 8.0, bar + 5.0),
                    (x + 8.0, bar + 5.0),
                    (x + 8.0, bar - 1.0),
                ],
                pen,
            );
        }
        Kind::Thermal => {
            canvas.line(
                &[
                    (x - 8.0, bar),
                    (x + 8.0, bar),
                    (x + 8.0, bar + 5.0),
                    (x - 8.0, bar + 5.0),
                    (x - 8.0, bar),
                ],
                pen,
            );
        }
        _ => {
            canvas.line(&[(x - 9.0, bar), (x + 9.0, bar)], pen);
            for k in 0..4 {
                let foot = x - 9.0 + 5.5 * f64::from(k);
                canvas.line(&[(foot + 3.0, bar), (foot, bar + 5.0)], Pen { width: 1.0, ..pen });
            }
        }
    }
}
