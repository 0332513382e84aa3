//! Draws a figure that has been laid out.

use crate::canvas::{Anchor, Canvas, Colour, Pen};
use crate::decimate;
use crate::figure::{Curve, Figure, Mark, Shape};
use crate::font;
use crate::layout::{Area, LARGE, LINE, Layout, PanelLayout, SAMPLE, SMALL};
use crate::scale::Scale;

/// Text and axes.
const INK: Colour = [0x30, 0x30, 0x30];
/// Text that matters less.
const FAINT: Colour = [0x68, 0x68, 0x68];
/// Lines behind the curves.
const GRID: Colour = [0xe4, 0xe4, 0xe4];
/// Marks of events.
const EVENT: Colour = [0xb0, 0xb0, 0xb0];

/// Colours that people with any of the usual kinds of colour blindness tell apart (Okabe and Ito 2008, "Color universal design"),
/// without the yellow, which is too light for a line on white.
const COLOURS: [Colour; 7] = [
    [0x00, 0x72, 0xb2],
    [0xd5, 0x5e, 0x00],
    [0x00, 0x9e, 0x73],
    [0xcc, 0x79, 0xa7],
    [0x1a, 0x1a, 0x1a],
    [0xe6, 0x9f, 0x00],
    [0x56, 0xb4, 0xe9],
];
/// Dashes of the second and third round through the colours.
const DASHES: [Option<(f64, f64)>; 3] = [None, Some((7.0, 3.0)), Some((2.0, 2.5))];
/// More events than this get short marks instead of lines.
const MANY_EVENTS: usize = 12;

/// The pen of a curve by its number in the panel.
fn pen(number: usize) -> Pen {
    let dash = DASHES[number / COLOURS.len() % DASHES.len()];
    Pen { colour: COLOURS[number % COLOURS.len()], width: 1.6, dash }
}

/// Draws everything.
pub(crate) fn draw(figure: &Figure<'_>, layout: &Layout, canvas: &mut dyn Canvas) {
    if let (false, Some(panel)) = (figure.title.is_empty(), layout.panels.first()) {
        let baseline = 14.0 + LARGE;
        canvas.text((panel.area.left, baseline), &figure.title, LARGE, Anchor::Start, INK);
    }
    for (number, (panel, place)) in figure.panels.iter().zip(&layout.panels).enumerate() {
        let last = number + 1 == layout.panels.len();
        grid(layout, place, canvas);
        guides(&panel.guides, &layout.x, place, canvas);
        let marked = events(figure, layout, place.area, canvas);
        axes(layout, place, last, canvas);
        legend(panel.curves.iter().map(|curve| curve.name.as_str()), place, canvas);
        for (k, curve) in panel.curves.iter().enumerate() {
            draw_curve(curve, figure.phase, &layout.x, place, pen(k), canvas);
        }
        for mark in &panel.marks {
            draw_mark(mark, &layout.x, place, canvas);
        }
        if last {
            below(layout, place.area, marked, canvas);
        }
    }
}

fn x_at(scale: &Scale, area: Area, value: f64) -> f64 {
    area.left + scale.part(value) * (area.right - area.left)
}

fn y_at(scale: &Scale, area: Area, value: f64) -> f64 {
    area.bottom - scale.part(value) * (area.bottom - area.top)
}

/// A line at the middle of a pixel is sharp.
fn sharp(coordinate: f64) -> f64 {
    coordinate.floor() + 0.5
}

fn grid(layout: &Layout, place: &PanelLayout, canvas: &mut dyn Canvas) {
    let area = place.area;
    let pen = Pen { colour: GRID, width: 1.0, dash: None };
    for (value, _) in &place.y.ticks {
        let y = sharp(y_at(&place.y, area, *value));
        canvas.line(&[(area.left, y), (area.right, y)], pen);
    }
    for (value, _) in &layout.x.ticks {
        let x = sharp(x_at(&layout.x, area, *value));
        canvas.line(&[(x, area.top), (x, area.bottom)], pen);
    }
}

/// Thin lines behind the curves, with gaps where there is no number.
fn guides(lines: &[Vec<(f64, f64)>], x: &Scale, place: &PanelLayout, canvas: &mut dyn Canvas) {
    let pen = Pen { colour: EVENT, width: 1.0, dash: Some((4.0, 3.0)) };
    let is_gap = |(a, b): &(f64, f64)| !(a.is_finite() && b.is_finite());
    for piece in lines.iter().flat_map(|line| line.split(is_gap)).filter(|piece| piece.len() > 1) {
        let placed =
            piece.iter().map(|&(a, b)| (x_at(x, place.area, a), y_at(&place.y, place.area, b)));
        canvas.line(&placed.collect::<Vec<_>>(), pen);
    }
}

/// A mark with its label, which stays inside of the panel.
fn draw_mark(mark: &Mark, x: &Scale, place: &PanelLayout, canvas: &mut dyn Canvas) {
    /// Half the width of a mark.
    const HALF: f64 = 4.5;
    let area = place.area;
    let (a, b) = (x_at(x, area, mark.at.0), y_at(&place.y, area, mark.at.1));
    let pen = Pen { dash: None, ..pen(mark.colour) };
    match mark.shape {
        Shape::Cross => {
            canvas.line(&[(a - HALF, b - HALF), (a + HALF, b + HALF)], pen);
            canvas.line(&[(a - HALF, b + HALF), (a + HALF, b - HALF)], pen);
        }
        Shape::Ring => {
            let corner = |k: i32| {
                let (sin, cos) = (f64::from(k) * std::f64::consts::TAU / 24.0).sin_cos();
                (a + HALF * cos, b + HALF * sin)
            };
            canvas.line(&(0..=24).map(corner).collect::<Vec<_>>(), pen);
        }
        Shape::Dot => canvas.dot((a, b), 3.5, pen.colour),
    }
    let is_right = a > 0.5 * (area.left + area.right);
    let (anchor, offset) = if is_right { (Anchor::End, -9.0) } else { (Anchor::Start, 9.0) };
    let baseline = (b - 6.0).max(area.top + SMALL);
    canvas.text((a + offset, baseline), &mark.label, SMALL, anchor, INK);
}

/// Marks the events within the axis and tells how many there are.
fn events(figure: &Figure<'_>, layout: &Layout, area: Area, canvas: &mut dyn Canvas) -> usize {
    let x = &layout.x;
    let within = |t: &f64| !figure.phase && (x.low..=x.high).contains(t);
    let times: Vec<f64> = figure.events.iter().copied().filter(within).collect();
    let short = times.len() > MANY_EVENTS;
    let dash = (!short).then_some((3.0, 3.0));
    let top = if short { area.bottom - 7.0 } else { area.top };
    let mut last = f64::NEG_INFINITY;
    for &t in &times {
        let at = sharp(x_at(x, area, t));
        // Marks of one pixel column are one mark.
        if at > last {
            canvas.line(&[(at, top), (at, area.bottom)], Pen { colour: EVENT, width: 1.0, dash });
        }
        last = at;
    }
    times.len()
}

fn axes(layout: &Layout, place: &PanelLayout, last: bool, canvas: &mut dyn Canvas) {
    let Area { left, top, right, bottom } = place.area;
    let pen = Pen { colour: INK, width: 1.0, dash: None };
    let (x, y) = (sharp(left), sharp(bottom));
    canvas.line(&[(x, top), (x, y), (right, y)], pen);
    for (value, label) in &place.y.ticks {
        let at = y_at(&place.y, place.area, *value);
        canvas.line(&[(x - 4.0, sharp(at)), (x, sharp(at))], pen);
        canvas.text((x - 8.0, at + 0.35 * SMALL), label, SMALL, Anchor::End, INK);
    }
    for (value, label) in &layout.x.ticks {
        let at = sharp(x_at(&layout.x, place.area, *value));
        canvas.line(&[(at, y), (at, y + 4.0)], pen);
        if last {
            canvas.text((at, y + 4.0 + SMALL), label, SMALL, Anchor::Middle, INK);
        }
    }
}

fn legend<'n>(names: impl Iterator<Item = &'n str>, place: &PanelLayout, canvas: &mut dyn Canvas) {
    if let Some((_, middle)) = place.legend.first() {
        let at = (place.area.left, middle + 0.35 * SMALL);
        canvas.text(at, &place.unit, SMALL, Anchor::Start, FAINT);
    }
    for (k, (name, &(x, middle))) in names.zip(&place.legend).enumerate() {
        canvas.line(&[(x, middle), (x + SAMPLE, middle)], Pen { width: 2.2, ..pen(k) });
        let at = (x + SAMPLE + 6.0, middle + 0.35 * SMALL);
        canvas.text(at, name, SMALL, Anchor::Start, INK);
    }
}

fn draw_curve(
    curve: &Curve<'_>,
    phase: bool,
    x: &Scale,
    place: &PanelLayout,
    pen: Pen,
    canvas: &mut dyn Canvas,
) {
    let area = place.area;
    let placed = |(a, b): (f64, f64)| (x_at(x, area, a), y_at(&place.y, area, b));
    let over_time = !phase && curve.x.is_sorted();
    let pieces = decimate::pieces(curve.points().map(|point| point.map(placed)), over_time);
    for piece in &pieces {
        match piece.as_slice() {
            // A single value is a point, however often it occurs.
            [point, rest @ ..] if rest.iter().all(|other| other == point) => {
                canvas.dot(*point, 2.5, pen.colour);
            }
            piece => canvas.line(piece, pen),
        }
    }
    // Where a path in a plane begins.
    if let (true, Some(start)) = (phase, pieces.first().and_then(|piece| piece.first())) {
        canvas.dot(*start, 3.5, pen.colour);
    }
    if pieces.is_empty() {
        let middle = (0.5 * (area.left + area.right), 0.5 * (area.top + area.bottom));
        let text = format!("{} has no finite value", curve.name);
        canvas.text(middle, &text, SMALL, Anchor::Middle, FAINT);
    }
}

/// The name of the x axis and the number of events.
fn below(layout: &Layout, area: Area, events: usize, canvas: &mut dyn Canvas) {
    let baseline = area.bottom + 2.0 * LINE;
    let middle = 0.5 * (area.left + area.right);
    canvas.text((middle, baseline), &layout.x_label, SMALL, Anchor::Middle, INK);
    if events == 0 {
        return;
    }
    let text = if events == 1 { "1 event".to_string() } else { format!("{events} events") };
    canvas.text((area.right, baseline), &text, SMALL, Anchor::End, FAINT);
    let x = sharp(area.right - font::width(&text, SMALL) - 8.0);
    let pen = Pen { colour: EVENT, width: 1.0, dash: None };
    canvas.line(&[(x, baseline - 11.0), (x, baseline + 1.0)], pen);
}
