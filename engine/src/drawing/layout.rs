//! Where everything goes. Junctions, transformers and gyrators are laid out in layers, from left to right along
//! the half arrows; elements with one bond are then put around them, each at the first place near its
//! neighbour where nothing is in the way.

use rust_sugiyama::configure::Config;

use super::geometry::{DrawnPoint, Rect, Segment};
use language::bondgraph::{Assignment, BondSide, ElementKind, Graph, GraphElement};

/// Height of the letters of elements and of bonds, and width of a letter over its height.
pub(super) const LETTERS: (f64, f64) = (14.0, 11.0);
const LETTER_WIDTH: f64 = 0.6;
/// Gap between an element and its bonds.
const GAP: f64 = 5.0;
/// Half the length of a causal stroke; length and height of a half arrow.
const STROKE: f64 = 8.0;
const BARB: (f64, f64) = (11.0, 6.0);
/// Between layers, and between rows.
pub(super) const LAYER: f64 = 62.0;
pub(super) const ROW: f64 = 150.0;
/// Free space around marks and letters.
pub(super) const CLEAR: f64 = 4.0;

/// A bond as it is drawn.
#[derive(Clone, Debug)]
pub(super) struct Route {
    pub bond: usize,
    pub points: Vec<DrawnPoint>,
    /// The causal stroke and the half arrow.
    pub stroke: Option<Segment>,
    pub barb: Segment,
    pub label: Option<Rect>,
}

impl Route {
    pub fn segments(&self) -> impl Iterator<Item = Segment> + '_ {
        self.points.windows(2).map(|pair| Segment::new(pair[0], pair[1]))
    }

    pub fn marks(&self) -> impl Iterator<Item = Segment> + '_ {
        self.stroke.into_iter().chain([self.barb])
    }
}

/// The drawing.
pub(super) struct GraphLayout<'g> {
    pub graph: &'g Graph,
    causes: &'g Assignment,
    /// Elements; none before they are placed.
    pub boxes: Vec<Option<Rect>>,
    pub routes: Vec<Route>,
    /// Signal arrows, over these points.
    pub signals: Vec<Vec<DrawnPoint>>,
}

/// The size of a text.
pub(super) fn text_size(text: &str, height: f64) -> (f64, f64) {
    (LETTER_WIDTH * height * text.chars().count() as f64, height)
}

/// Where a bond leaves a box towards a point: so far out that a stroke there does not touch the box.
fn attach(from: &Rect, towards: DrawnPoint) -> DrawnPoint {
    let direction = from.middle.to(towards).unit();
    let normal = direction.flow_side();
    let mut at = from.leave(towards, GAP);
    for _ in 0..20 {
        let stroke = Segment::new(at.plus(normal, -STROKE), at.plus(normal, STROKE));
        if from.distance_to(&stroke) >= CLEAR {
            break;
        }
        at = at.plus(direction, 1.0);
    }
    at
}

/// Finds a place for everything: in layers, or on a grid where that looks better.
pub(super) fn layout<'g>(graph: &'g Graph, causes: &'g Assignment) -> GraphLayout<'g> {
    let layers = place(graph, causes, false);
    // Sources of signals stand below each other there, far from what they change.
    let sources = graph.elements.iter().filter(|own| own.kind == ElementKind::Signal).count();
    let faults = layers.faults() + sources;
    if faults == 0 {
        return layers;
    }
    let grid = place(graph, causes, true);
    if grid.faults() < faults { grid } else { layers }
}

fn place<'g>(graph: &'g Graph, causes: &'g Assignment, on_grid: bool) -> GraphLayout<'g> {
    let boxes = vec![None; graph.elements.len()];
    let mut layout = GraphLayout { graph, causes, boxes, routes: Vec::new(), signals: Vec::new() };
    layout.place_backbone();
    if on_grid {
        layout.arrange();
    }
    for bond in 0..graph.bonds.len() {
        let own = &graph.bonds[bond];
        if layout.boxes[own.from].is_some() && layout.boxes[own.to].is_some() {
            layout.join(bond);
        }
    }
    layout.name_routes();
    for element in 0..graph.elements.len() {
        layout.place_leaf(element);
    }
    for &[from, to] in &graph.information {
        layout.inform(from, to);
    }
    for element in 0..graph.elements.len() {
        layout.place_signal(element);
    }
    layout
}

/// Height of the line with the value, and space inside of frames.
pub(super) const VALUE_LINE: f64 = 13.0;
const FRAME: f64 = 4.0;

/// The value of an element, as it is written below its name; with its letter for transformers and gyrators.
pub(super) fn value_words(element: &GraphElement) -> Option<String> {
    let letter = match element.kind {
        ElementKind::Transformer => "m: ",
        ElementKind::Gyrator => "r: ",
        _ => "",
    };
    let number = element.value.filter(|_| !element.zero).map(short);
    match (letter, number) {
        (_, Some(number)) => Some(format!("{letter}{number}")),
        ("", None) => None,
        (letter, None) => Some(format!("{letter}variable")),
    }
}

/// A number with four digits at most.
fn short(number: f64) -> String {
    let size = number.abs();
    if size != 0.0 && !(1e-3..1e5).contains(&size) {
        let text = format!("{number:.3e}");
        let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
        return format!("{}e{power}", digits.trim_end_matches('0').trim_end_matches('.'));
    }
    let decimals = (3 - size.max(1e-3).log10().floor() as i32).max(0) as usize;
    let text = format!("{number:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').into() } else { text }
}

impl GraphLayout<'_> {
    pub fn size(&self, element: usize) -> (f64, f64) {
        let own = &self.graph.elements[element];
        let (width, height) = text_size(&own.label(), LETTERS.0);
        let (value, more) = match value_words(own) {
            Some(words) => (text_size(&words, LETTERS.1).0, VALUE_LINE),
            None => (0.0, 0.0),
        };
        let frame = if own.kind.has_frame() { 2.0 * FRAME } else { 0.0 };
        (width.max(value) + 4.0 + frame, height + 2.0 + more + frame)
    }

    /// Elements with several neighbours; of a pair of others the first.
    pub fn is_backbone(&self, element: usize) -> bool {
        let own = &self.graph.elements[element];
        let Some(&bond) = own.bonds.first() else { return true };
        let other = self.graph.bonds[bond].other(element);
        own.kind.is_inner() || (!self.graph.elements[other].kind.is_inner() && element < other)
    }

    fn place_backbone(&mut self) {
        let backbone: Vec<usize> =
            (0..self.graph.elements.len()).filter(|&e| self.is_backbone(e)).collect();
        // The layers of the crate run downwards: width and height change places. Its vertices are numbers from 0.
        let vertices: Vec<(u32, (f64, f64))> = (0u32..)
            .zip(&backbone)
            .map(|(number, &element)| (number, (ROW, self.size(element).0 + LAYER)))
            .collect();
        let number = |element: usize| backbone.binary_search(&element).ok();
        let mut edges: Vec<(u32, u32)> = self
            .graph
            .bonds
            .iter()
            .filter_map(|bond| Some((number(bond.from)? as u32, number(bond.to)? as u32)))
            .collect();
        edges.sort_unstable();
        edges.dedup();
        let config = Config { vertex_spacing: 1.0, ..Config::default() };
        let work = || rust_sugiyama::from_vertices_and_edges(&vertices, &edges, &config);
        // A graph that the crate cannot handle still gets a drawing: one row.
        let parts = std::panic::catch_unwind(work).unwrap_or_else(|_| {
            let at = |(k, v): (usize, &(u32, (f64, f64)))| (v.0 as usize, (0.0, 160.0 * k as f64));
            vec![(vertices.iter().enumerate().map(at).collect(), 0.0, 0.0)]
        });
        let mut top = 0.0;
        for (mut part, ..) in parts {
            part.sort_by_key(|(number, _)| *number);
            let least = |k: fn(&(f64, f64)) -> f64| {
                part.iter().map(|(_, place)| k(place)).fold(f64::INFINITY, f64::min)
            };
            let (x0, y0) = (least(|p| p.1), least(|p| p.0));
            let mut bottom: f64 = top;
            for (number, (across, along)) in part {
                let element = backbone[number];
                let middle = DrawnPoint::new(along - x0, top + across - y0);
                bottom = bottom.max(middle.y);
                self.boxes[element] = Some(Rect::new(middle, self.size(element)));
            }
            top = bottom + 1.6 * ROW;
        }
    }

    /// Draws a bond between two elements that have places, round others if need be.
    fn join(&mut self, bond: usize) {
        let own = &self.graph.bonds[bond];
        let (Some(from), Some(to)) = (self.boxes[own.from], self.boxes[own.to]) else { return };
        let straight = from.middle.to(to.middle);
        let normal = straight.unit().flow_side();
        let at = |part: f64, aside: f64| from.middle.plus(straight, part).plus(normal, aside);
        let mut ways = vec![Vec::new()];
        for step in [30.0, 45.0, 60.0, 75.0, 90.0, 120.0, 150.0, 190.0, 240.0] {
            for aside in [-step, step] {
                ways.extend([0.5, 0.25, 0.75].map(|part| vec![at(part, aside)]));
                ways.push(vec![at(0.2, aside), at(0.8, aside)]);
                ways.push(vec![at(0.05, aside), at(0.95, aside)]);
            }
        }
        let routes: Vec<Route> = ways.iter().map(|way| self.route(bond, from, to, way)).collect();
        // Lines may cross where there is no other way, but not over marks and letters.
        let best = |may_cross: bool| routes.iter().find(|route| self.is_free(route, may_cross));
        let best = best(false).or_else(|| best(true)).or(routes.first());
        self.routes.extend(best.cloned());
    }

    /// Finds places for the names of bonds, after all bonds have their routes.
    fn name_routes(&mut self) {
        for k in 0..self.routes.len() {
            self.routes[k].label = self.label(&self.routes[k]);
        }
    }

    /// A bond over these points in between, with its marks; its name has no place yet.
    fn route(&self, bond: usize, from: Rect, to: Rect, way: &[DrawnPoint]) -> Route {
        let first = way.first().copied().unwrap_or(to.middle);
        let last = way.last().copied().unwrap_or(from.middle);
        let (start, tip) = (attach(&from, first), attach(&to, last));
        let mut points = vec![start];
        points.extend_from_slice(way);
        points.push(tip);
        let direction = points[points.len() - 2].to(tip).unit();
        let side = direction.flow_side();
        let barb = Segment::new(tip, tip.plus(direction, -BARB.0).plus(side, BARB.1));
        let stroke = self.causes.strokes[bond].map(|end| {
            let (at, along) = match end {
                BondSide::From => (start, start.to(points[1]).unit()),
                BondSide::To => (tip, direction),
            };
            let normal = along.flow_side();
            Segment::new(at.plus(normal, -STROKE), at.plus(normal, STROKE))
        });
        Route { bond, points, stroke, barb, label: None }
    }

    /// A place for the name of a bond, on the side of the effort if that is free.
    fn label(&self, route: &Route) -> Option<Rect> {
        let size = text_size(&self.graph.bonds[route.bond].name, LETTERS.1);
        let mut segments: Vec<Segment> = route.segments().collect();
        segments.sort_by(|a, b| b.a.to(b.b).length().total_cmp(&a.a.to(a.b).length()));
        let mut first = None;
        for segment in segments {
            let along = segment.a.to(segment.b);
            let side = along.unit().flow_side();
            for sign in [-1.0, 1.0] {
                for part in [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74] {
                    let reach = 0.5 * (size.0 * side.x.abs() + size.1 * side.y.abs()) + CLEAR + 1.0;
                    let middle = segment.a.plus(along, part).plus(side, sign * reach);
                    let label = Rect::new(middle, size);
                    first = first.or(Some(label));
                    if self.is_label_free(&label, route) {
                        return Some(label);
                    }
                }
            }
        }
        first
    }

    fn labels(&self) -> impl Iterator<Item = Rect> + '_ {
        self.routes.iter().filter_map(|route| route.label)
    }

    fn is_label_free(&self, label: &Rect, own: &Route) -> bool {
        let lines = |route: &Route| {
            route.segments().chain(route.marks()).all(|s| label.distance_to(&s) >= CLEAR)
        };
        let boxes = self.boxes.iter().flatten();
        let ends = &self.graph.bonds[own.bond];
        let mut own_boxes = [ends.from, ends.to].into_iter().filter_map(|end| self.boxes[end]);
        lines(own)
            && self.routes.iter().filter(|route| route.bond != own.bond).all(lines)
            && self.labels().all(|other| label.is_clear_of(&other, CLEAR))
            && boxes.into_iter().all(|other| label.is_clear_of(other, CLEAR))
            && own_boxes.all(|other| label.is_clear_of(&other, CLEAR))
    }

    /// Whether the way of a bond is free.
    fn is_free(&self, route: &Route, may_cross: bool) -> bool {
        let own = &self.graph.bonds[route.bond];
        let boxes = self.boxes.iter().enumerate().filter_map(|(k, b)| Some((k, (*b)?)));
        let mut others = boxes.filter(|(k, _)| *k != own.from && *k != own.to);
        let clear = |rect: &Rect| {
            route.segments().chain(route.marks()).all(|s| rect.distance_to(&s) >= CLEAR)
        };
        others.all(|(_, rect)| clear(&rect))
            && self.labels().all(|other| clear(&other))
            && self.routes.iter().all(|other| self.are_apart(route, other, may_cross))
    }

    fn are_apart(&self, a: &Route, b: &Route, may_cross: bool) -> bool {
        let (of_a, of_b) = (&self.graph.bonds[a.bond], &self.graph.bonds[b.bond]);
        let shared = [of_a.from, of_a.to].iter().any(|end| [of_b.from, of_b.to].contains(end));
        let lines = a.segments().all(|one| {
            b.segments().all(|two| match shared {
                true => !one.crosses(&two),
                false => one.distance(&two) >= CLEAR,
            })
        });
        let clear = |one: &Route, two: &Route| {
            let mut lines = two.segments().chain(two.marks());
            lines.all(|line| one.marks().all(|mark| mark.distance(&line) >= CLEAR))
        };
        (lines || may_cross) && clear(a, b) && clear(b, a)
    }

    /// Puts an element with one bond next to its neighbour.
    fn place_leaf(&mut self, element: usize) {
        let Some(&bond) = self.graph.elements[element].bonds.first() else { return };
        if self.boxes[element].is_some() {
            return;
        }
        let other = self.graph.bonds[bond].other(element);
        let Some(near) = self.boxes[other] else { return };
        let size = self.size(element);
        let is_source =
            matches!(self.graph.elements[element].kind, ElementKind::Se | ElementKind::Sf);
        // Degrees: sources come from the left, the others go up or down.
        let first: [f64; 4] =
            if is_source { [180.0, 90.0, 270.0, 0.0] } else { [90.0, 270.0, 0.0, 180.0] };
        let diagonal =
            [60.0, 120.0, 300.0, 240.0, 45.0, 135.0, 315.0, 225.0, 30.0, 150.0, 330.0, 210.0];
        for ring in 0..8 {
            let reach = 52.0 + 22.0 * f64::from(ring);
            for angle in first.iter().chain(&diagonal) {
                let (y, x) = (-angle.to_radians()).sin_cos();
                let wide = 0.5 * (near.width + size.0) * x.abs();
                let middle = near.middle.plus(DrawnPoint::new(x, y), reach + wide);
                let rect = Rect::new(middle, size);
                if let Some(route) = self.fit_leaf(element, bond, rect) {
                    self.routes.push(route);
                    return;
                }
            }
        }
        // Nothing is free: below everything.
        let bottom = self.boxes.iter().flatten().map(|b| b.middle.y).fold(0.0, f64::max);
        self.boxes[element] = Some(Rect::new(DrawnPoint::new(near.middle.x, bottom + ROW), size));
        self.join(bond);
        self.name_routes();
    }

    /// The bond to an element at this place, if both fit. The element stays there then.
    fn fit_leaf(&mut self, element: usize, bond: usize, rect: Rect) -> Option<Route> {
        let margin = 2.0 * CLEAR;
        let clear = self.boxes.iter().flatten().all(|other| rect.is_clear_of(other, margin))
            && self.routes.iter().all(|route| {
                let mut lines = route.segments().chain(route.marks());
                route.label.is_none_or(|label| rect.is_clear_of(&label, CLEAR))
                    && lines.all(|line| rect.distance_to(&line) >= margin)
            });
        if !clear {
            return None;
        }
        self.boxes[element] = Some(rect);
        let own = &self.graph.bonds[bond];
        let ends = (self.boxes[own.from], self.boxes[own.to]);
        let route = match ends {
            (Some(from), Some(to)) => Some(self.route(bond, from, to, &[])),
            _ => None,
        };
        let named = route.map(|route| Route { label: self.label(&route), ..route });
        let route = named.filter(|route| {
            let named = route.label.is_some_and(|label| self.is_label_free(&label, route));
            named && self.is_free(route, false)
        });
        if route.is_none() {
            self.boxes[element] = None;
        }
        route
    }
}
