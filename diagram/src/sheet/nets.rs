//! The nodes of networks on a sheet: lines, lines that meet, or symbols at each end.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Maker, PortKey, Shape, SheetEnd, SheetNet};
use crate::flat_model::{Kind, Place, Source};
use crate::layered::graph::{Direction, Side};

/// What is at a node: box, port, label, and whether it only reads a signal.
type Ends = Vec<(usize, PortKey, String, bool)>;

impl Maker<'_> {
    /// The nodes with their elements.
    pub(super) fn add_nodes(&mut self, elements: &[usize]) {
        let mut order: Vec<usize> = Vec::new();
        let mut ends: FxHashMap<usize, (Ends, usize)> = FxHashMap::default();
        let model = self.model;
        let mut note = |node: usize, end: (usize, PortKey, String, bool)| {
            let known = ends.entry(node).or_insert_with(|| {
                order.push(node);
                (Vec::new(), 0)
            });
            known.1 += 1;
            if !known.0.contains(&end) {
                known.0.push(end);
            }
        };
        for &element in elements {
            let one = &model.elements[element];
            let Some(at) = self.box_of(element) else { continue };
            let part = model.part_of(one.instance, self.scope);
            for (port, node) in &one.terminals {
                let label = match part {
                    Some(part) => self.ports_to(Place::Node(*node), Some(part)),
                    None => port.clone(),
                };
                // Two ports of an element at one node are two lines; of an instance it is not known.
                let own = one.terminals.iter().position(|(name, _)| name == port);
                let key = match part {
                    Some(_) => PortKey::Node(*node),
                    None => PortKey::Terminal(own.unwrap_or(0), *node),
                };
                note(*node, (at, key, label, false));
            }
            for (parameter, source) in &one.reads {
                if let Source::Node(node) = source {
                    let (key, label) = match (part, one.keyword.as_str()) {
                        (Some(_), "Input") if one.instance == part => (
                            PortKey::Input(element, Place::Node(*node)),
                            model.local(&one.name, part).to_string(),
                        ),
                        (Some(_), _) => (PortKey::Node(*node), String::new()),
                        (None, _) => (PortKey::Place(Place::Node(*node)), parameter.clone()),
                    };
                    note(*node, (at, key, label, true));
                }
            }
            for &relation in &model.relations_of[element] {
                let relation = &model.relations[relation];
                for node in [relation.from, relation.to] {
                    if let Place::Node(node) = node {
                        let key = PortKey::Place(Place::Node(node));
                        note(node, (at, key, String::new(), false));
                    }
                }
            }
        }
        for node in order {
            if let Some((ends, inside)) = ends.remove(&node) {
                self.add_node(node, ends, inside);
            }
        }
    }

    /// A node: a line, lines that meet, or symbols at each end.
    fn add_node(&mut self, node: usize, mut ends: Ends, inside: usize) {
        let what = &self.model.nodes[node];
        if what.is_reference {
            for (at, _, label, _) in ends {
                let one = &mut self.sheet.boxes[at];
                let is_explicit = one.part.is_none() || !label.is_empty();
                if is_explicit && !one.grounds.contains(&(label.clone(), what.kind)) {
                    one.grounds.push((label, what.kind));
                }
            }
            return;
        }
        let name = self.ports_to(Place::Node(node), self.scope);
        if self.scope.is_some() && (!name.is_empty() || inside < what.ends) {
            let key = PortKey::Node(node);
            let label = match name.is_empty() {
                true => self.model.local(&what.name, self.scope).to_string(),
                false => name,
            };
            let side = side_of_port(&label, what.kind);
            let at = self.border(key, &label, side);
            ends.insert(0, (at, key, String::new(), false));
        }
        // What one instance has to itself is its own business.
        let is_alone = ends.iter().all(|end| end.0 == ends[0].0);
        if is_alone && ends.first().is_some_and(|end| self.sheet.boxes[end.0].part.is_some()) {
            return;
        }
        let kind = what.kind;
        let mut made: Vec<SheetEnd> = Vec::new();
        for (at, key, label, is_read) in ends {
            let port = self.port(at, key, &label);
            let (direction, kind) =
                if is_read { (Direction::Away, Kind::Signal) } else { (Direction::None, kind) };
            if !made.iter().any(|end| (end.at, end.port, end.kind) == (at, port, kind)) {
                made.push(SheetEnd { at, port, direction, kind });
            }
        }
        let name = self.model.local(&what.name, self.scope).to_string();
        self.add_net(name, kind, made);
    }

    /// A net with the ends of a node, of which some are joined to it and others read its potential.
    fn add_net(&mut self, name: String, kind: Kind, mut made: Vec<SheetEnd>) {
        // A box that is joined to the node knows it anyway.
        let joined: FxHashSet<usize> =
            made.iter().filter(|e| e.direction == Direction::None).map(|e| e.at).collect();
        let boxes = &self.sheet.boxes;
        made.retain(|e| {
            e.direction == Direction::None || !joined.contains(&e.at) || boxes[e.at].part.is_none()
        });
        // What only reads is told by the one that is joined.
        let joined_ends = made.iter().filter(|e| e.direction == Direction::None).count();
        if joined_ends == 1 {
            made.sort_by_key(|end| end.direction != Direction::None);
            let mut others = made.iter().skip(1);
            if made.len() > 1 && others.all(|end| end.at != made[0].at) {
                made[0].kind = Kind::Signal;
                let kind = Kind::Signal;
                self.sheet.nets.push(SheetNet { name, kind, is_dashed: false, ends: made });
                return;
            }
        }
        let boxes: FxHashSet<usize> = made.iter().map(|end| end.at).collect();
        let is_plain = made.len() == 2
            && boxes.len() == 2
            && made.iter().all(|end| end.direction == Direction::None);
        if made.len() < 2 {
            return;
        }
        if !is_plain {
            let at = self.point();
            made.insert(0, SheetEnd { at, port: 0, direction: Direction::None, kind });
        }
        self.sheet.nets.push(SheetNet { name, kind, is_dashed: false, ends: made });
    }

    /// Nets with equal ends, such as those between the members of groups, are one.
    pub(super) fn merge_nets(&mut self) {
        let mut known: FxHashSet<Vec<(usize, String, Kind)>> = FxHashSet::default();
        let mut is_unused = vec![false; self.sheet.boxes.len()];
        let boxes = &self.sheet.boxes;
        let is_grouped = |end: &SheetEnd| boxes[end.at].count > 1;
        self.sheet.nets.retain(|net| {
            if !net.ends.iter().any(is_grouped) {
                return true;
            }
            let ends = net.ends.iter().filter(|end| boxes[end.at].shape != Shape::Point);
            let label = |end: &SheetEnd| boxes[end.at].ports[end.port as usize].label.clone();
            let mut ends: Vec<_> = ends.map(|end| (end.at, label(end), end.kind)).collect();
            ends.sort_unstable();
            let is_new = known.insert(ends);
            if !is_new && boxes[net.ends[0].at].shape == Shape::Point {
                is_unused[net.ends[0].at] = true;
            }
            is_new
        });
        let mut number = Vec::new();
        let mut next = 0;
        for unused in &is_unused {
            number.push(next);
            next += usize::from(!unused);
        }
        let mut index = 0;
        self.sheet.boxes.retain(|_| {
            index += 1;
            !is_unused[index - 1]
        });
        let ends = self.sheet.nets.iter_mut().flat_map(|net| &mut net.ends);
        ends.for_each(|end| end.at = number[end.at]);
    }
}

/// Where a port stands at the border of the inside of its component, by the names that components of the library use:
/// power comes in from the left, and mechanical work leaves to the right.
fn side_of_port(name: &str, kind: Kind) -> Side {
    let first = name.split([',', '[']).next().unwrap_or("");
    let is_mechanical = matches!(kind, Kind::Rotational | Kind::Translational);
    match first {
        "a" | "p" | "in" | "from" | "motor" | "engine" | "p1" | "n1" => Side::Left,
        "b" | "n" | "out" | "to" | "p2" | "n2" => Side::Right,
        _ if is_mechanical || first.ends_with("out") || first.ends_with("Out") => Side::Right,
        _ => Side::Left,
    }
}
