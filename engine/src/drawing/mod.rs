//! A drawing of a bond graph as SVG: half arrows, causal strokes, strong bonds bold, dependent storages red.

mod arrangement;
mod geometry;
mod grid;
mod layout;
mod signal_arrows;

use std::fmt::Write;

use geometry::{DrawnPoint, Rect, Segment};
use layout::{GraphLayout, LETTERS, VALUE_LINE, layout, text_size, value_words};

use language::bondgraph::{Assignment, ElementKind, Graph, GraphElement, assign};

/// White space around the drawing.
const MARGIN: f64 = 24.0;
/// Explains the marks that occur.
fn legend(graph: &Graph, causes: &Assignment) -> String {
    let bold = (0..graph.bonds.len()).any(|bond| causes.is_strong(graph, bond));
    let red = causes.storages.iter().any(|storage| !storage.is_integral);
    let blue = graph.elements.iter().any(|element| element.modulated);
    let all =
        [(bold, "bold: strong bond"), (red, "red: differential causality"), (blue, "blue: signal")];
    let words: Vec<&str> = all.into_iter().filter(|(is, _)| *is).map(|(_, words)| words).collect();
    words.join("; ")
}

/// The drawing of a graph with its causality.
pub fn svg(graph: &Graph, title: &str) -> String {
    // Words have no causality.
    let is_elementary = graph
        .elements
        .iter()
        .any(|element| !element.kind.is_junction() && !element.kind.has_frame());
    let causes = if is_elementary { assign(graph) } else { Assignment::none(graph) };
    let drawing = layout(graph, &causes);
    let legend = legend(graph, &causes);
    let sheet = extent(&drawing, title, &legend);
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = draw(&mut text, graph, &causes, &drawing, sheet, [title, &legend]);
    text
}

/// The sheet of a drawing.
#[derive(Clone, Copy)]
struct Sheet {
    /// The corner with the least coordinates.
    low: DrawnPoint,
    /// The corner opposite to it.
    high: DrawnPoint,
}

/// The sheet that has room for all that is drawn.
fn extent(drawing: &GraphLayout<'_>, title: &str, legend: &str) -> Sheet {
    let boxes = drawing.boxes.iter().flatten().copied();
    let boxes = boxes.chain(drawing.routes.iter().filter_map(|route| route.label));
    let corners = boxes.flat_map(|Rect { middle, width, height }| {
        let half = DrawnPoint::new(0.5 * width, 0.5 * height);
        [middle.plus(half, -1.0), middle.plus(half, 1.0)]
    });
    let lines = drawing.routes.iter().flat_map(|route| route.points.iter().copied());
    let signals = drawing.signals.iter().flatten().copied();
    let (mut low, mut high) = (
        DrawnPoint::new(f64::INFINITY, f64::INFINITY),
        DrawnPoint::new(f64::NEG_INFINITY, f64::NEG_INFINITY),
    );
    for point in corners.chain(lines).chain(signals) {
        low = DrawnPoint::new(low.x.min(point.x), low.y.min(point.y));
        high = DrawnPoint::new(high.x.max(point.x), high.y.max(point.y));
    }
    if low.x > high.x {
        (low, high) = (DrawnPoint::new(0.0, 0.0), DrawnPoint::new(0.0, 0.0));
    }
    let words = text_size(title, LETTERS.0).0.max(text_size(legend, LETTERS.1).0);
    let wider = (words - (high.x - low.x)).max(0.0);
    let low = DrawnPoint::new(low.x - 0.5 * wider - MARGIN, low.y - MARGIN - 30.0);
    let high = DrawnPoint::new(high.x + 0.5 * wider + MARGIN, high.y + MARGIN + 26.0);
    Sheet { low, high }
}

fn draw(
    out: &mut String,
    graph: &Graph,
    causes: &Assignment,
    drawing: &GraphLayout<'_>,
    Sheet { low, high }: Sheet,
    [title, legend]: [&str; 2],
) -> std::fmt::Result {
    let (width, height) = (high.x - low.x, high.y - low.y);
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"{:.1} {:.1} {width:.1} {height:.1}\" font-family=\"monospace\" text-anchor=\"middle\" stroke-linecap=\"round\" fill=\"none\" stroke=\"black\">",
        low.x, low.y
    )?;
    writeln!(
        out,
        "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"white\" stroke=\"none\"/>",
        low.x, low.y
    )?;
    let middle = 0.5 * (low.x + high.x);
    let line = |y: f64, size: f64| DrawnPoint::new(middle, y + 0.5 * size);
    write_text(out, "title", line(low.y + 14.0, LETTERS.0), title, LETTERS.0, "black")?;
    if !legend.is_empty() {
        write_text(out, "legend", line(high.y - 24.0, LETTERS.1), legend, LETTERS.1, "#555555")?;
    }
    let is_dependent = |element: usize| {
        let found = causes.storages.iter().find(|storage| storage.element == element);
        found.is_some_and(|storage| !storage.is_integral)
    };
    for route in &drawing.routes {
        let bond = &graph.bonds[route.bond];
        let red = is_dependent(bond.from) || is_dependent(bond.to);
        let colour = if red { "#c00000" } else { "black" };
        let bold = if causes.is_strong(graph, route.bond) { 2.6 } else { 1.2 };
        let points: Vec<String> =
            route.points.iter().map(|p| format!("{:.1},{:.1}", p.x, p.y)).collect();
        writeln!(
            out,
            "<polyline class=\"bond\" points=\"{}\" stroke=\"{colour}\" stroke-width=\"{bold}\"/>",
            points.join(" ")
        )?;
        write_line(out, "half-arrow", route.barb, colour, bold)?;
        if let Some(stroke) = route.stroke {
            write_line(out, "stroke", stroke, colour, 1.8)?;
        }
        if let Some(label) = route.label {
            write_text(out, "bond-name", label.middle, &bond.name, LETTERS.1, "#555555")?;
        }
    }
    for (element, place) in drawing.boxes.iter().enumerate() {
        let Some(place) = place else { continue };
        let colour = if is_dependent(element) { "#c00000" } else { "black" };
        write_element(out, &graph.elements[element], place, colour)?;
    }
    for signal in &drawing.signals {
        write_signal(out, signal)?;
    }
    writeln!(out, "</svg>")
}

fn write_line(
    out: &mut String,
    class: &str,
    Segment { a, b }: Segment,
    colour: &str,
    width: f64,
) -> std::fmt::Result {
    writeln!(
        out,
        "<line class=\"{class}\" x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{colour}\" stroke-width=\"{width}\"/>",
        a.x, a.y, b.x, b.y
    )
}

/// An element: its name, its value below, a frame around a box.
fn write_element(
    out: &mut String,
    element: &GraphElement,
    place: &Rect,
    colour: &str,
) -> std::fmt::Result {
    if element.kind.has_frame() {
        let colour = if element.kind == ElementKind::Signal { SIGNAL } else { colour };
        let (x, y) = (place.middle.x - 0.5 * place.width, place.middle.y - 0.5 * place.height);
        let (width, height) = (place.width, place.height);
        writeln!(
            out,
            "<rect class=\"frame\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"3\" stroke=\"{colour}\" stroke-width=\"1\"/>"
        )?;
    }
    let label = element.label();
    let Some(value) = value_words(element) else {
        return write_text(out, "element", place.middle, &label, LETTERS.0, colour);
    };
    let up = place.middle.plus(DrawnPoint::new(0.0, 1.0), -0.5 * VALUE_LINE);
    let down = place.middle.plus(DrawnPoint::new(0.0, 1.0), 0.5 * VALUE_LINE + 1.0);
    write_text(out, "element", up, &label, LETTERS.0, colour)?;
    write_text(out, "value", down, &value, LETTERS.1, "#555555")
}

/// The colour of signals.
const SIGNAL: &str = "#2060a0";

/// A full arrow, for information without power.
fn write_signal(out: &mut String, signal: &[DrawnPoint]) -> std::fmt::Result {
    for pair in signal.windows(2) {
        write_line(out, "signal", Segment::new(pair[0], pair[1]), SIGNAL, 1.0)?;
    }
    let [.., before, tip] = signal[..] else { return Ok(()) };
    let along = before.to(tip).unit();
    let side = along.flow_side();
    for sign in [-1.0, 1.0] {
        let end = tip.plus(along, -7.0).plus(side, 3.5 * sign);
        write_line(out, "signal", Segment::new(tip, end), SIGNAL, 1.0)?;
    }
    Ok(())
}

/// A text around a point. Its length is given, so that it is as long in every font.
fn write_text(
    out: &mut String,
    class: &str,
    middle: DrawnPoint,
    words: &str,
    size: f64,
    colour: &str,
) -> std::fmt::Result {
    let (length, _) = text_size(words, size);
    let escaped = words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    writeln!(
        out,
        "<text class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\" font-size=\"{size}\" textLength=\"{length:.1}\" lengthAdjust=\"spacingAndGlyphs\" fill=\"{colour}\" stroke=\"none\">{escaped}</text>",
        middle.x,
        middle.y + 0.35 * size
    )
}
