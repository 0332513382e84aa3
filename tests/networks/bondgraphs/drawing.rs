//! Drawings of all models: everything is drawn, and nothing lies upon anything else.
//!
//! The test reads the SVG text itself and has its own geometry: boxes of texts from their stated length and height,
//! lines from their ends.

use super::support::{MODELS, graph, model};
use engine::internals::bondgraph::{BondSide, ElementKind, Graph, assign, simplify};
use engine::internals::drawing::svg;

type Point = (f64, f64);

#[derive(Clone, Debug)]
struct Text {
    class: String,
    words: String,
    /// Left, top, right, bottom.
    bounds: [f64; 4],
}

#[derive(Clone, Debug)]
struct Line {
    class: String,
    ends: [Point; 2],
    /// The bond it belongs to, by its order in the drawing.
    bond: usize,
}

#[derive(Default)]
struct Drawing {
    texts: Vec<Text>,
    lines: Vec<Line>,
    size: [f64; 4],
}

fn attribute<'t>(tag: &'t str, name: &str) -> &'t str {
    let key = format!(" {name}=\"");
    let begin = tag.find(&key).unwrap_or_else(|| panic!("{tag} has no {name}")) + key.len();
    &tag[begin..begin + tag[begin..].find('"').unwrap_or(0)]
}

fn number(tag: &str, name: &str) -> f64 {
    attribute(tag, name).parse().unwrap_or_else(|_| panic!("{name} of {tag}"))
}

fn read(svg: &str) -> Drawing {
    let mut drawing = Drawing::default();
    let mut bonds = 0;
    for tag in svg.lines() {
        if tag.starts_with("<svg") {
            let view: Vec<f64> =
                attribute(tag, "viewBox").split(' ').filter_map(|x| x.parse().ok()).collect();
            drawing.size = [view[0], view[1], view[0] + view[2], view[1] + view[3]];
        } else if tag.starts_with("<text") {
            let (x, y, size) = (number(tag, "x"), number(tag, "y"), number(tag, "font-size"));
            let half = 0.5 * number(tag, "textLength");
            let words =
                tag[tag.find('>').unwrap_or(0) + 1..].trim_end_matches("</text>").to_string();
            // From the base line letters reach 0.75 of the size up and 0.2 down.
            let bounds = [x - half, y - 0.75 * size, x + half, y + 0.2 * size];
            drawing.texts.push(Text { class: attribute(tag, "class").into(), words, bounds });
        } else if tag.starts_with("<polyline") {
            let points: Vec<Point> = attribute(tag, "points")
                .split(' ')
                .filter_map(|point| point.split_once(','))
                .map(|(x, y)| (x.parse().unwrap_or(f64::NAN), y.parse().unwrap_or(f64::NAN)))
                .collect();
            bonds += 1;
            for pair in points.windows(2) {
                let ends = [pair[0], pair[1]];
                drawing.lines.push(Line { class: "bond".into(), ends, bond: bonds });
            }
        } else if tag.starts_with("<line") {
            let ends =
                [(number(tag, "x1"), number(tag, "y1")), (number(tag, "x2"), number(tag, "y2"))];
            drawing.lines.push(Line { class: attribute(tag, "class").into(), ends, bond: bonds });
        }
    }
    drawing
}

/// Does a segment meet a box? By clipping (Liang and Barsky).
fn meets([(x1, y1), (x2, y2)]: [Point; 2], [left, top, right, bottom]: [f64; 4]) -> bool {
    let (mut low, mut high) = (0.0f64, 1.0f64);
    for (d, room) in
        [(x1 - x2, x1 - left), (x2 - x1, right - x1), (y1 - y2, y1 - top), (y2 - y1, bottom - y1)]
    {
        if d == 0.0 && room < 0.0 {
            return false;
        }
        if d < 0.0 {
            low = low.max(room / d);
        } else if d > 0.0 {
            high = high.min(room / d);
        }
    }
    low <= high
}

fn overlap(a: [f64; 4], b: [f64; 4]) -> bool {
    a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}

/// Do two segments cross or touch, to half a pixel?
fn cross(a: [Point; 2], b: [Point; 2]) -> bool {
    let side = |[p, q]: [Point; 2], r: Point| (q.0 - p.0) * (r.1 - p.1) - (q.1 - p.1) * (r.0 - p.0);
    let apart = |[p, q]: [Point; 2], r: Point| {
        let (dx, dy) = (q.0 - p.0, q.1 - p.1);
        let along = ((r.0 - p.0) * dx + (r.1 - p.1) * dy) / (dx * dx + dy * dy);
        let along = along.clamp(0.0, 1.0);
        (p.0 + along * dx - r.0).hypot(p.1 + along * dy - r.1)
    };
    let proper = side(a, b[0]) * side(a, b[1]) < 0.0 && side(b, a[0]) * side(b, a[1]) < 0.0;
    proper || b.iter().any(|&end| apart(a, end) < 0.5) || a.iter().any(|&end| apart(b, end) < 0.5)
}

fn check(name: &str, graph: &Graph) {
    let drawing = read(&svg(graph, name));
    let of = |class: &str| drawing.texts.iter().filter(|text| text.class == class).count();
    assert_eq!(of("element"), graph.elements.len(), "{name}");
    assert_eq!(of("bond-name"), graph.bonds.len(), "{name}");
    let lines = |class: &str| drawing.lines.iter().filter(|line| line.class == class).count();
    assert_eq!(lines("stroke"), graph.bonds.len(), "{name}: every bond has one stroke");
    assert_eq!(lines("half-arrow"), graph.bonds.len(), "{name}");
    for (k, text) in drawing.texts.iter().enumerate() {
        let [left, top, right, bottom] = drawing.size;
        let b = text.bounds;
        assert!(b[0] >= left && b[1] >= top && b[2] <= right && b[3] <= bottom, "{name}: {text:?}");
        for other in &drawing.texts[k + 1..] {
            assert!(!overlap(b, other.bounds), "{name}: {} lies upon {}", text.words, other.words);
        }
        for line in &drawing.lines {
            assert!(
                !meets(line.ends, b),
                "{name}: a {} of bond {} crosses {}",
                line.class,
                line.bond,
                text.words
            );
        }
    }
    for (k, line) in drawing.lines.iter().enumerate() {
        for other in &drawing.lines[k + 1..] {
            let marks = |line: &Line| line.class != "bond";
            if line.bond != other.bond && (marks(line) || marks(other)) {
                let words = format!(
                    "{} of {} and {} of {}",
                    line.class, line.bond, other.class, other.bond
                );
                assert!(!cross(line.ends, other.ends), "{name}: {words}");
            }
        }
    }
}

#[test]
fn nothing_lies_upon_anything_else() {
    for name in MODELS {
        let full = graph(&model(name));
        check(name, &full);
        check(&format!("{name}, simplified"), &simplify(&full).0);
    }
}

#[test]
fn the_same_graph_gives_the_same_drawing() {
    for name in MODELS {
        let graph = graph(&model(name));
        let first = svg(&graph, name);
        for _ in 0..3 {
            assert!(svg(&graph, name) == first, "{name}");
        }
    }
}

#[test]
fn half_arrows_point_to_the_side_of_the_flow_and_strokes_stand_where_the_effort_acts() {
    for name in MODELS {
        let graph = graph(&model(name));
        let causes = assign(&graph);
        let drawing = read(&svg(&graph, name));
        for bond in 1..=graph.bonds.len() {
            let mine = |class: &str| -> Vec<[Point; 2]> {
                let lines =
                    drawing.lines.iter().filter(|line| line.bond == bond && line.class == class);
                lines.map(|line| line.ends).collect()
            };
            let (path, barb, stroke) = (mine("bond"), mine("half-arrow")[0], mine("stroke")[0]);
            let (start, [before, tip]) = (path[0][0], path[path.len() - 1]);
            let (dx, dy) = (tip.0 - before.0, tip.1 - before.1);
            assert_eq!(barb[0], tip, "{name}");
            // Off the line by the cross product; below or right means a positive y or x of the offset.
            let (bx, by) = (barb[1].0 - tip.0, barb[1].1 - tip.1);
            let along = (bx * dx + by * dy) / (dx * dx + dy * dy);
            let (ox, oy) = (bx - along * dx, by - along * dy);
            assert!(along < 0.0, "{name}: the barb points forward");
            // At 45 degrees below and right are the same side or opposite ones; coordinates have one decimal.
            if (dx.abs() - dy.abs()).abs() > 0.5 {
                assert!(
                    if dx.abs() >= dy.abs() { oy > 0.0 } else { ox > 0.0 },
                    "{name}: wrong side"
                );
            }
            let middle = (0.5 * (stroke[0].0 + stroke[1].0), 0.5 * (stroke[0].1 + stroke[1].1));
            // The name tells which bond it is: the label that follows the lines.
            let label = drawing.texts.iter().filter(|text| text.class == "bond-name").nth(bond - 1);
            let words = label.map_or("", |text| &text.words);
            let index =
                graph.bonds.iter().position(|bond| bond.name == words).unwrap_or(usize::MAX);
            let at = if causes.strokes[index] == Some(BondSide::To) { tip } else { start };
            // Coordinates are written with one decimal.
            assert!(
                (middle.0 - at.0).abs() <= 0.11 && (middle.1 - at.1).abs() <= 0.11,
                "{name}: {words}"
            );
        }
    }
}

#[test]
fn modulated_elements_have_a_signal_arrow() {
    for name in MODELS {
        let graph = graph(&model(name));
        let arrows = svg(&graph, name).matches("class=\"signal\"").count();
        // A line and two sides of its head.
        let modulated = graph.elements.iter().filter(|element| element.modulated).count();
        assert_eq!(arrows, 3 * modulated, "{name}");
    }
}

#[test]
fn names_with_markup_are_escaped() {
    let mut graph = graph(&model("series_resonance"));
    graph.elements[0].name = "a<b>&c".into();
    let text = svg(&graph, "x<y");
    assert!(text.contains("MSe:a&lt;b&gt;&amp;c") && text.contains("x&lt;y"));
}

#[test]
fn a_pair_of_elements_and_a_large_ladder_are_drawn() {
    let pair = graph(r#"Se "U" { e = 1; } R "r" { R = 1; } Bond "1" { From = U; To = r; }"#);
    check("pair", &pair);
    let mut ladder =
        String::from("Se \"U\" { e = 1; } Junction1 \"j0\" {} Bond \"s\" { From = U; To = j0; }\n");
    for k in 0..40 {
        let (kind, next) = if k % 2 == 0 { ("Junction0", "C") } else { ("Junction1", "I") };
        let n = k + 1;
        ladder += &format!(
            "{kind} \"j{n}\" {{}} Bond \"b{n}\" {{ From = j{k}; To = j{n}; }} {next} \"x{n}\" {{ {next} = 1; }} Bond \"x{n}b\" {{ From = j{n}; To = x{n}; }}\n"
        );
    }
    let graph = graph(&ladder);
    assert!(
        graph.elements.iter().filter(|element| element.kind == ElementKind::Zero).count() == 20
    );
    check("ladder", &graph);
}
