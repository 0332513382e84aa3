//! What every picture must hold, whatever it shows.

use std::collections::BTreeSet;

use diagram::Diagram;
use diagram::Shape;
use diagram::picture::{Picture, PlacedBox};
use language::load::{Disk, Input, LoadOptions, Loaded, load};
use parser::diagnostic::Severity;

/// Left, top, right, bottom.
type Extent = [f64; 4];

/// Less than this is no overlap, in points.
const TOUCH: f64 = 0.01;

/// Loads a text with its flat text.
pub fn loaded(name: &str, text: &str) -> Loaded {
    let input = Input::Text { name: name.into(), bytes: text.as_bytes().to_vec() };
    let options =
        LoadOptions { expands: true, only_warns_of_primitives: true, ..LoadOptions::default() };
    let loaded = load(input, &options, &Disk).unwrap();
    let errors = loaded.diagnostics.iter().filter(|d| d.severity == Severity::Error);
    // The text with every block names files that are nowhere.
    let mistakes: Vec<&str> = errors
        .map(|mistake| mistake.message.as_str())
        .filter(|message| !message.starts_with("cannot read"))
        .collect();
    assert!(mistakes.is_empty(), "{name}: {mistakes:?}\n{text}");
    loaded
}

/// The diagram of a text.
pub fn diagram(name: &str, text: &str) -> Diagram {
    Diagram::new(&loaded(name, text)).unwrap()
}

/// The scopes of all pictures of a model: the whole, and the insides that its boxes lead to.
pub fn pictures(diagram: &Diagram) -> Vec<(Option<usize>, Picture)> {
    let mut found = Vec::new();
    let mut open = vec![None];
    while let Some(scope) = open.pop() {
        let picture = diagram.picture(scope, 0).unwrap();
        open.extend(picture.boxes.iter().filter_map(|one| one.part).map(Some));
        found.push((scope, picture));
    }
    found
}

fn overlap(a: &Extent, b: &Extent) -> bool {
    a[0] + TOUCH < b[2] && b[0] + TOUCH < a[2] && a[1] + TOUCH < b[3] && b[1] + TOUCH < a[3]
}

/// A box with the symbols that hang below it.
fn whole(one: &PlacedBox) -> Extent {
    let [left, top, right, bottom] = one.extent;
    [left, top, right, if one.grounds.is_empty() { bottom } else { bottom + 20.0 }]
}

/// Checks all that can be checked without knowing the model.
#[track_caller]
pub fn inspect(name: &str, picture: &Picture) {
    boxes_stand_apart(name, picture);
    texts_are_readable(name, picture);
    lines_lead_from_port_to_port(name, picture);
    lines_avoid_boxes(name, picture);
    nets_do_not_lie_on_each_other(name, picture);
    let within = |(x, y): (f64, f64)| {
        (-TOUCH..=picture.width + TOUCH).contains(&x)
            && (-TOUCH..=picture.height + TOUCH).contains(&y)
    };
    for line in &picture.lines {
        assert!(line.points.iter().all(|point| within(*point)), "{name}: {} leaves", line.name);
    }
    for one in visible(picture) {
        let Some(inside) = &one.inside else { continue };
        let (left, top) = inside.at;
        let (width, height) = (inside.picture.width, inside.picture.height);
        let place = [left, top, left + width, top + height];
        let [l, t, r, b] = one.extent;
        let is_framed = l < place[0] && t < place[1] && place[2] < r && place[3] < b;
        assert!(is_framed, "{name}: the inside of {} leaves its frame", one.title);
        for text in &one.texts {
            assert!(!overlap(&text.extent(), &place), "{name}: `{}` is covered", text.words);
        }
        inspect(&format!("{name} / {}", one.title), &inside.picture);
    }
}

fn visible(picture: &Picture) -> impl Iterator<Item = &PlacedBox> {
    picture.boxes.iter().filter(|one| one.shape != Shape::Point)
}

#[track_caller]
fn boxes_stand_apart(name: &str, picture: &Picture) {
    let all: Vec<&PlacedBox> = visible(picture).collect();
    for (k, a) in all.iter().enumerate() {
        for b in &all[..k] {
            assert!(!overlap(&whole(a), &whole(b)), "{name}: {} lies on {}", a.title, b.title);
        }
    }
}

#[track_caller]
fn texts_are_readable(name: &str, picture: &Picture) {
    for one in visible(picture) {
        let [left, top, right, bottom] = whole(one);
        for (k, text) in one.texts.iter().enumerate() {
            let extent = text.extent();
            assert!(
                left <= extent[0] + 0.5
                    && extent[2] <= right + 0.5
                    && top <= extent[1]
                    && extent[3] <= bottom,
                "{name}: `{}` leaves the box {}",
                text.words,
                one.title
            );
            assert!(!text.words.is_empty());
            for other in &one.texts[..k] {
                let words = (&text.words, &other.words);
                assert!(!overlap(&extent, &other.extent()), "{name}: {words:?} in {}", one.title);
            }
        }
    }
}

#[track_caller]
fn lines_lead_from_port_to_port(name: &str, picture: &Picture) {
    for line in &picture.lines {
        assert!(line.points.len() >= 2, "{name}: {line:?}");
        let ends = [line.points[0], line.points[line.points.len() - 1]];
        for (end, at) in ends.into_iter().zip(line.boxes) {
            let one = &picture.boxes[at];
            if one.shape == Shape::Point {
                // A point without lines to one side is left out: its lines begin where the first of them turns.
                let on_its_row = (one.extent[1] - end.1).abs() < TOUCH;
                assert!(on_its_row, "{name}: {} begins beside its point", line.name);
                continue;
            }
            assert!(
                one.ports.contains(&end),
                "{name}: {} ends at no port of {}",
                line.name,
                one.title
            );
            let on_edge = end.0 == one.extent[0] || end.0 == one.extent[2];
            assert!(
                on_edge && one.extent[1] < end.1 && end.1 < one.extent[3],
                "{name}: {}",
                one.title
            );
        }
        for pair in line.points.windows(2) {
            let is_level = pair[0].1 == pair[1].1;
            let is_upright = pair[0].0 == pair[1].0;
            assert!(is_level != is_upright, "{name}: {pair:?} of {}", line.name);
        }
    }
}

#[track_caller]
fn lines_avoid_boxes(name: &str, picture: &Picture) {
    for line in &picture.lines {
        for pair in line.points.windows(2) {
            let [(x1, y1), (x2, y2)] = [pair[0], pair[1]];
            let piece = [x1.min(x2), y1.min(y2), x1.max(x2), y1.max(y2)];
            for one in visible(picture) {
                let hit = whole(one);
                let inside = piece[0] < hit[2] - TOUCH
                    && hit[0] + TOUCH < piece[2]
                    && piece[1] < hit[3] - TOUCH
                    && hit[1] + TOUCH < piece[3];
                // Pieces have no width of their own.
                let crosses = inside
                    || (piece[1] == piece[3]
                        && hit[1] + TOUCH < piece[1]
                        && piece[1] < hit[3] - TOUCH
                        && piece[0] < hit[2] - TOUCH
                        && hit[0] + TOUCH < piece[2])
                    || (piece[0] == piece[2]
                        && hit[0] + TOUCH < piece[0]
                        && piece[0] < hit[2] - TOUCH
                        && piece[1] < hit[3] - TOUCH
                        && hit[1] + TOUCH < piece[3]);
                assert!(!crosses, "{name}: {} passes through {}", line.name, one.title);
            }
        }
    }
}

#[track_caller]
fn nets_do_not_lie_on_each_other(name: &str, picture: &Picture) {
    let mut pieces: Vec<(bool, f64, f64, f64, usize)> = Vec::new();
    for line in &picture.lines {
        for pair in line.points.windows(2) {
            let [(x1, y1), (x2, y2)] = [pair[0], pair[1]];
            pieces.push(match y1 == y2 {
                true => (true, y1, x1.min(x2), x1.max(x2), line.net),
                false => (false, x1, y1.min(y2), y1.max(y2), line.net),
            });
        }
    }
    pieces.sort_by(|a, b| {
        (a.0.cmp(&b.0)).then(a.1.total_cmp(&b.1)).then(a.2.total_cmp(&b.2)).then(a.4.cmp(&b.4))
    });
    // Along each line the furthest end so far, and whose it is.
    let mut reach: Option<(bool, f64, f64, usize)> = None;
    for (level, at, from, to, net) in pieces {
        if let Some((l, a, end, other)) = reach
            && (l, a) == (level, at)
            && other != net
        {
            assert!(end <= from + TOUCH, "{name}: nets {other} and {net} at {at}, {from}..{end}");
        }
        let further = reach.is_none_or(|(l, a, end, _)| (l, a) != (level, at) || end < to);
        if further {
            reach = Some((level, at, to, net));
        }
    }
}

/// A name with dots in its brackets.
fn without_numbers(name: &str) -> String {
    let mut parts = name.split('[');
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |common, part| {
        let (_, behind) = part.split_once(']').unwrap();
        format!("{common}[…]{behind}")
    })
}

/// Checks that each element of the model stands in one of the pictures, by itself or in a group of equal ones.
#[track_caller]
pub fn nothing_is_lost(name: &str, diagram: &Diagram, pictures: &[(Option<usize>, Picture)]) {
    let model = diagram.model();
    let mut shown: BTreeSet<String> = BTreeSet::new();
    let mut groups: Vec<String> = Vec::new();
    for (scope, picture) in pictures {
        let prefix = scope.map_or(String::new(), |scope| format!("{}.", model.parts[scope].name));
        for one in &picture.boxes {
            let mut lines = one.title.lines();
            let full = lines.next().unwrap_or_default();
            let local = full.split(": ").next().unwrap_or_default();
            match local.contains("[…]") {
                true => groups.push(without_numbers(&format!("{prefix}{local}"))),
                false => _ = shown.insert(format!("{prefix}{local}")),
            }
        }
    }
    for element in &model.elements {
        let common = without_numbers(&element.name);
        let is_member = |group: &String| match common.strip_prefix(group.as_str()) {
            Some(rest) => rest.is_empty() || rest.starts_with('.'),
            None => false,
        };
        let in_group = groups.iter().any(is_member);
        assert!(
            in_group || shown.contains(&element.name),
            "{name}: {} {} stands in no picture",
            element.keyword,
            element.name
        );
    }
}

/// Checks that a text is XML: elements closed in order, attributes in quotes, no bare characters.
#[track_caller]
pub fn is_xml(text: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        let (between, behind) = rest.split_at(start);
        assert!(!between.contains('>') && entities(between), "{between}");
        let end = behind.find('>').unwrap();
        let tag = &behind[1..end];
        rest = &behind[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
            continue;
        }
        let name = tag.split([' ', '/']).next().unwrap();
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        let quoted: Vec<&str> = tag.split('"').skip(1).step_by(2).collect();
        assert!(quoted.iter().all(|value| entities(value)), "{tag}");
        if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

/// Does each `&` begin an entity?
fn entities(text: &str) -> bool {
    text.split('&')
        .skip(1)
        .all(|rest| ["amp;", "lt;", "gt;", "quot;"].iter().any(|entity| rest.starts_with(entity)))
}
