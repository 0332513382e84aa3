//! What one picture shows: the boxes of one scope, their ports, and the lines between them.

use language::element::Family;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::flat_model::{FlatModel, Kind, Place, Source};
use crate::layered::graph::{Direction, Side};

/// More equal members of a Repeat than this are one box.
const MOST_MEMBERS: usize = 6;
/// Joints on the world that lead to a box `world`; more of them stand on a symbol of the ground each.
const MOST_ON_WORLD: usize = 8;

/// How a box looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// An element.
    Block,
    /// A block that computes.
    Signal,
    /// A rigid body.
    Body,
    /// The body that does not move.
    World,
    /// A joint.
    Joint,
    /// An instance of a component.
    Instance,
    /// A port of the component whose inside is shown.
    Border,
    /// Where the lines of a net meet.
    Point,
}

/// What a port is for, seen from outside and from inside of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PortKey {
    /// A node.
    Node(usize),
    /// A port of an element, by its number, and its node: members of a group have different ones.
    Terminal(usize, usize),
    /// The signal of an output.
    Signal(usize),
    /// An input, and the box or node whose signal it takes.
    Input(usize, Place),
    /// Signals from another box of the sheet.
    From(usize),
    /// Signals to other boxes.
    Out,
    /// What is outside, or where a relation leads.
    Place(Place),
    /// A relation to another box of the sheet.
    Relation(usize, Kind),
}

/// A port of a box.
#[derive(Clone, Debug)]
pub struct Port {
    pub key: PortKey,
    /// What stands beside it, perhaps nothing.
    pub label: String,
}

/// A box.
#[derive(Clone, Debug)]
pub struct SheetBox {
    pub shape: Shape,
    pub name: String,
    /// Keyword or component.
    pub what: String,
    /// More about it, for those who point at it.
    pub details: Vec<String>,
    pub ports: Vec<Port>,
    /// Symbols of fixed potentials below it: port and kind.
    pub grounds: Vec<(String, Kind)>,
    pub border: Option<Side>,
    /// The instance that it is, or the first of them.
    pub part: Option<usize>,
    /// How many blocks or instances it stands for.
    pub count: usize,
    pub is_dashed: bool,
    pub is_source: bool,
}

/// One end of a net.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SheetEnd {
    pub at: usize,
    pub port: u32,
    pub direction: Direction,
    pub kind: Kind,
}

/// A net; its lines go from the first end to the others.
#[derive(Clone, Debug)]
pub struct SheetNet {
    pub name: String,
    pub kind: Kind,
    pub is_dashed: bool,
    pub ends: Vec<SheetEnd>,
}

/// A picture as far as it is no geometry.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    pub boxes: Vec<SheetBox>,
    pub nets: Vec<SheetNet>,
}

/// Boxes of nodes while a sheet is made: box, port, and whether a signal is read there.
type Ends = Vec<(usize, PortKey, String, bool)>;

/// Makes the sheet of a scope: the whole model, or the inside of an instance. Instances are opened `depth` levels deep: their
/// blocks stand in the sheet like those of the scope.
pub fn sheet(model: &FlatModel, scope: Option<usize>, depth: usize) -> Sheet {
    let mut maker = Maker {
        model,
        scope,
        depth,
        sheet: Sheet::default(),
        box_of_element: FxHashMap::default(),
        box_of_part: FxHashMap::default(),
        borders: FxHashMap::default(),
        ports: FxHashMap::default(),
        world: None,
        signals: Vec::new(),
        relations: Vec::new(),
    };
    maker.add_boxes();
    let elements = maker.elements();
    maker.add_world(&elements);
    maker.add_nodes(&elements);
    maker.collect_signals(&elements);
    maker.collect_relations(&elements);
    maker.add_signals();
    maker.add_relations();
    maker.merge_nets();
    maker.sheet
}

struct Maker<'m> {
    model: &'m FlatModel,
    scope: Option<usize>,
    depth: usize,
    sheet: Sheet,
    box_of_element: FxHashMap<usize, usize>,
    box_of_part: FxHashMap<usize, usize>,
    /// Ports of the scope that are boxes at the border.
    borders: FxHashMap<PortKey, usize>,
    /// The numbers of the ports of each box.
    ports: FxHashMap<(usize, PortKey), usize>,
    world: Option<usize>,
    /// Reads: source box with its port, reader box with its port and label.
    signals: Vec<(usize, usize, PortKey, String)>,
    relations: Vec<(usize, usize, usize)>,
}

impl Maker<'_> {
    /// All elements in the scope, in the order of the text.
    fn elements(&self) -> Vec<usize> {
        let Some(scope) = self.scope else { return (0..self.model.elements.len()).collect() };
        let slots = scope..self.model.parts[scope].end;
        let mut all: Vec<usize> = slots.flat_map(|part| &self.model.inside[part]).copied().collect();
        all.sort_unstable();
        all
    }

    /// The elements and closed instances that stand in the sheet.
    fn shown(&self) -> (Vec<usize>, Vec<usize>) {
        let (mut elements, mut closed) = (Vec::new(), Vec::new());
        let mut open = vec![(self.scope, 0)];
        while let Some((scope, level)) = open.pop() {
            let slot = self.model.slot(scope);
            elements.extend(&self.model.inside[slot]);
            let parts = &self.model.parts_inside[slot];
            if level == self.depth {
                closed.extend(parts);
            } else {
                open.extend(parts.iter().map(|&part| (Some(part), level + 1)));
            }
        }
        elements.sort_unstable();
        closed.sort_unstable();
        (elements, closed)
    }

    /// The boxes of elements and instances; many equal ones are one box.
    fn add_boxes(&mut self) {
        let model = self.model;
        let (elements, parts) = self.shown();
        let base = |name: &str| {
            let local = model.local(name, self.scope);
            local.find('[').map(|at| local[..at].to_string())
        };
        let mut members: FxHashMap<(String, &str), Vec<(bool, usize)>> = FxHashMap::default();
        for &element in &elements {
            let one = &model.elements[element];
            if let Some(base) = base(&one.name) {
                members.entry((base, &one.keyword)).or_default().push((false, element));
            }
        }
        for &part in &parts {
            let one = &model.parts[part];
            if let Some(base) = base(&one.name) {
                members.entry((base, &one.component)).or_default().push((true, part));
            }
        }
        let mut group_of: FxHashMap<(bool, usize), &Vec<(bool, usize)>> = FxHashMap::default();
        for group in members.values().filter(|group| group.len() > MOST_MEMBERS) {
            group_of.extend(group.iter().map(|&member| (member, group)));
        }
        let all = elements.iter().map(|&e| (false, e)).chain(parts.iter().map(|&p| (true, p)));
        for member in all {
            let group = group_of.get(&member);
            if group.is_some_and(|group| group[0] != member) {
                continue;
            }
            let (is_part, number) = member;
            let mut new = if is_part { self.part_box(number) } else { self.element_box(number) };
            let index = self.sheet.boxes.len();
            let alone = vec![member];
            let group: &Vec<(bool, usize)> = group.copied().unwrap_or(&alone);
            if let (Some(at), true) = (new.name.find('['), group.len() > 1) {
                new.name.truncate(at);
                new.count = group.len();
                new.name.push_str("[…]");
                new.what = format!("{} × {}", group.len(), new.what);
            }
            for &(is_part, number) in group {
                if is_part {
                    self.box_of_part.insert(number, index);
                } else {
                    self.box_of_element.insert(number, index);
                }
            }
            self.sheet.boxes.push(new);
        }
    }

    fn part_box(&self, part: usize) -> SheetBox {
        let one = &self.model.parts[part];
        let name = self.model.local(&one.name, self.scope).to_string();
        SheetBox { part: Some(part), ..plain(Shape::Instance, name, one.component.clone()) }
    }

    fn element_box(&self, element: usize) -> SheetBox {
        let one = &self.model.elements[element];
        let name = self.model.local(&one.name, self.scope).to_string();
        let computes = one.family == Family::Signal
            || (one.terminals.is_empty() && language_computes(&one.keyword, self.model, element));
        let is_read_inside = self.model.readers[element]
            .iter()
            .any(|&reader| self.model.is_within(self.model.elements[reader].instance, self.scope));
        let is_own = one.instance == self.scope;
        let (shape, border) = match (one.family, one.keyword.as_str()) {
            (_, "Input") if is_own && self.scope.is_some() => (Shape::Border, Some(Side::Left)),
            (Family::Signal, _) if is_own && self.scope.is_some() && !is_read_inside => {
                (Shape::Border, Some(Side::Right))
            }
            (Family::Body, _) => (Shape::Body, None),
            (Family::Joint, _) => (Shape::Joint, None),
            _ if computes => (Shape::Signal, None),
            _ => (Shape::Block, None),
        };
        let is_source = border == Some(Side::Left)
            || (one.reads.is_empty()
                && (computes
                    || matches!(
                        one.keyword.as_str(),
                        "VoltageSource" | "CurrentSource" | "PressureSource" | "FlowSource"
                            | "PositionSource" | "SpeedSource" | "AngleSource" | "Se" | "Sf"
                    )));
        let what = if border.is_some() { String::new() } else { one.keyword.clone() };
        let is_dashed = one.closes_loop;
        SheetBox {
            details: one.carries.clone(),
            border,
            is_dashed,
            is_source,
            ..plain(shape, name, what)
        }
    }

    /// The box that an element is in; none outside of the scope.
    fn box_of(&self, element: usize) -> Option<usize> {
        let instance = self.model.elements[element].instance;
        if !self.model.is_within(instance, self.scope) {
            return None;
        }
        match self.model.part_of(instance, self.scope, self.depth) {
            Some(part) => self.box_of_part.get(&part).copied(),
            None => self.box_of_element.get(&element).copied(),
        }
    }

    /// The number of a port of a box, which is added if it is new.
    fn port(&mut self, at: usize, key: PortKey, label: &str) -> u32 {
        let ports = &mut self.sheet.boxes[at].ports;
        let number = *self.ports.entry((at, key)).or_insert(ports.len());
        if number < ports.len() {
            let known = number;
            let written = &mut ports[known].label;
            if !label.is_empty() && !written.split(", ").any(|part| part == label) {
                let comma = if written.is_empty() { "" } else { ", " };
                written.push_str(comma);
                written.push_str(label);
            }
            return known as u32;
        }
        ports.push(Port { key, label: label.into() });
        (ports.len() - 1) as u32
    }

    /// A port of the scope as a box at its border.
    fn border(&mut self, key: PortKey, name: &str, side: Side) -> usize {
        if let Some(&known) = self.borders.get(&key) {
            return known;
        }
        let index = self.sheet.boxes.len();
        let tag = plain(Shape::Border, name.to_string(), String::new());
        self.sheet.boxes.push(SheetBox {
            border: Some(side),
            is_source: side == Side::Left,
            ..tag
        });
        self.borders.insert(key, index);
        index
    }

    /// The ports of the scope that are joined to a place.
    fn ports_to(&self, place: Place, part: Option<usize>) -> String {
        let ports = part.map_or(&[] as &[_], |part| self.model.parts[part].ports.as_slice());
        let names = ports.iter().filter(|(_, joined)| *joined == place).map(|(name, _)| name.as_str());
        names.collect::<Vec<_>>().join(", ")
    }

    /// The body that does not move: a box, or a symbol at each joint that stands on it.
    fn add_world(&mut self, elements: &[usize]) {
        let on_world = |element: &&usize| {
            let relations = self.model.relations_of[**element].iter();
            let leads = |relation: &usize| {
                let relation = &self.model.relations[*relation];
                relation.from == Place::World || relation.to == Place::World
            };
            self.model.elements[**element].instance == self.scope && relations.clone().any(leads)
        };
        let count = elements.iter().filter(on_world).count();
        if (1..=MOST_ON_WORLD).contains(&count) {
            self.world = Some(self.sheet.boxes.len());
            let world = plain(Shape::World, "world".into(), String::new());
            self.sheet.boxes.push(SheetBox { is_source: true, ..world });
        }
        // Instances that are given a frame of the world stand on it; inside of one such, that frame is a port.
        if !self.ports_to(Place::World, self.scope).is_empty() {
            return;
        }
        for part in self.shown().1 {
            let at = self.box_of_part.get(&part).copied();
            let (Some(at), port) = (at, self.ports_to(Place::World, Some(part))) else { continue };
            let is_new = self.sheet.boxes[at].grounds.iter().all(|(_, kind)| *kind != Kind::Mechanics);
            if !port.is_empty() && is_new {
                self.sheet.boxes[at].grounds.push((port, Kind::Mechanics));
            }
        }
    }

    /// The nodes with their elements.
    fn add_nodes(&mut self, elements: &[usize]) {
        let mut order: Vec<usize> = Vec::new();
        let mut ends: FxHashMap<usize, (Ends, usize)> = FxHashMap::default();
        let model = self.model;
        let mut note = |node: usize, end: Option<(usize, PortKey, String, bool)>| {
            let known = ends.entry(node).or_insert_with(|| {
                order.push(node);
                (Vec::new(), 0)
            });
            known.1 += 1;
            if let Some(end) = end
                && !known.0.contains(&end)
            {
                known.0.push(end);
            }
        };
        for &element in elements {
            let one = &model.elements[element];
            let Some(at) = self.box_of(element) else { continue };
            let part = model.part_of(one.instance, self.scope, self.depth);
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
                note(*node, Some((at, key, label, false)));
            }
            for (parameter, source) in &one.reads {
                if let Source::Node(node) = source {
                    let (key, label) = match (part, one.keyword.as_str()) {
                        (Some(_), "Input") if one.instance == part => {
                            (PortKey::Input(element, Place::Node(*node)), model.local(&one.name, part).to_string())
                        }
                        (Some(_), _) => (PortKey::Node(*node), String::new()),
                        (None, _) => (PortKey::Place(Place::Node(*node)), parameter.clone()),
                    };
                    note(*node, Some((at, key, label, true)));
                }
            }
            for &relation in &model.relations_of[element] {
                let relation = &model.relations[relation];
                for node in [relation.from, relation.to] {
                    if let Place::Node(node) = node {
                        let key = PortKey::Place(Place::Node(node));
                        note(node, Some((at, key, String::new(), false)));
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
                let name = self.model.local(&what.name, self.scope).to_string();
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
        let name = self.model.local(&what.name, self.scope).to_string();
        self.sheet.nets.push(SheetNet { name, kind, is_dashed: false, ends: made });
    }

    fn point(&mut self) -> usize {
        let at = self.sheet.boxes.len();
        self.sheet.boxes.push(plain(Shape::Point, String::new(), String::new()));
        at
    }

    /// Who reads whom in the scope, and across its border.
    fn collect_signals(&mut self, elements: &[usize]) {
        let model = self.model;
        for &element in elements {
            let one = &model.elements[element];
            let Some(reader) = self.box_of(element) else { continue };
            let part = model.part_of(one.instance, self.scope, self.depth);
            let is_border_input =
                one.instance == self.scope && self.scope.is_some() && one.keyword == "Input";
            for (parameter, source) in &one.reads {
                let Source::Element(source) = *source else { continue };
                let label = match (part, one.keyword.as_str()) {
                    (Some(_), "Input") if one.instance == part => model.local(&one.name, part).to_string(),
                    (Some(_), _) => String::new(),
                    (None, _) if parameter == "Value" || parameter == "y" => String::new(),
                    (None, _) => parameter.clone(),
                };
                match self.box_of(source) {
                    Some(from) if from != reader => {
                        let key = self.reader_key(part, element, from);
                        self.signals.push((from, reader, key, label));
                    }
                    Some(_) => {}
                    // What an input of the scope is given comes from outside by itself.
                    None if is_border_input => {}
                    None => {
                        let name = &model.elements[source].name;
                        let key = PortKey::Place(Place::Element(source));
                        let from = self.border(key, name, Side::Left);
                        let key = self.reader_key(part, element, from);
                        self.signals.push((from, reader, key, label));
                    }
                }
            }
            let is_read_outside = self.scope.is_some()
                && model.readers[element]
                    .iter()
                    .any(|&r| !model.is_within(model.elements[r].instance, self.scope));
            let is_border = self.sheet.boxes[reader].border.is_some();
            if is_read_outside && !is_border {
                let name = model.local(&one.name, self.scope);
                let to = self.border(PortKey::Signal(element), name, Side::Right);
                self.signals.push((reader, to, PortKey::From(reader), String::new()));
            }
        }
    }

    fn is_input(&self, element: usize, part: Option<usize>) -> bool {
        let one = &self.model.elements[element];
        one.keyword == "Input" && one.instance == part
    }

    /// Signals from one box enter an element by one port, and an instance by its inputs.
    fn reader_key(&self, part: Option<usize>, element: usize, from: usize) -> PortKey {
        match part {
            Some(_) if self.is_input(element, part) => {
                PortKey::Input(element, Place::Element(from))
            }
            _ => PortKey::From(from),
        }
    }

    /// One net for all signals of a box.
    fn add_signals(&mut self) {
        let signals = std::mem::take(&mut self.signals);
        let mut net_of: FxHashMap<usize, usize> = FxHashMap::default();
        for (from, to, key, label) in signals {
            let port = self.port(to, key, &label);
            let end = SheetEnd { at: to, port, direction: Direction::Away, kind: Kind::Signal };
            let out = self.port(from, PortKey::Out, "");
            let nets = &mut self.sheet.nets;
            let net = *net_of.entry(from).or_insert_with(|| {
                let direction = Direction::None;
                let start = SheetEnd { at: from, port: out, direction, kind: Kind::Signal };
                let name = self.sheet.boxes[from].name.clone();
                nets.push(SheetNet { name, kind: Kind::Signal, is_dashed: false, ends: vec![start] });
                nets.len() - 1
            });
            if !nets[net].ends.contains(&end) {
                nets[net].ends.push(end);
            }
        }
    }

    fn collect_relations(&mut self, elements: &[usize]) {
        let mut found: FxHashSet<usize> = FxHashSet::default();
        for &element in elements {
            found.extend(&self.model.relations_of[element]);
        }
        let mut found: Vec<usize> = found.into_iter().collect();
        found.sort_unstable();
        for number in found {
            let relation = &self.model.relations[number];
            let is_node = |place| matches!(place, Place::Node(_));
            if is_node(relation.from) || is_node(relation.to) {
                continue;
            }
            let from = self.box_of_place(relation.from, relation.to, Side::Left);
            let to = self.box_of_place(relation.to, relation.from, Side::Right);
            if let (Some(from), Some(to)) = (from, to)
                && from != to
            {
                self.relations.push((from, to, number));
            }
        }
    }

    /// The box of one end of a relation.
    fn box_of_place(&mut self, place: Place, other: Place, side: Side) -> Option<usize> {
        let other_box = match other {
            Place::Element(element) => self.box_of(element),
            _ => None,
        };
        match place {
            Place::Element(element) => self.box_of(element).or_else(|| {
                let name = self.ports_to(place, self.scope);
                let full = &self.model.elements[element].name;
                let name = if name.is_empty() { full.clone() } else { name };
                Some(self.border(PortKey::Place(place), &name, side))
            }),
            Place::World => {
                let other = other_box?;
                let port = self.ports_to(place, self.scope);
                if !port.is_empty() {
                    return Some(self.border(PortKey::Place(place), &port, side));
                }
                // Parts stand on the world by a symbol, so that not all lines begin at one box.
                match self.world.filter(|_| self.sheet.boxes[other].part.is_none()) {
                    Some(world) => Some(world),
                    None => {
                        let one = &mut self.sheet.boxes[other];
                        if one.grounds.iter().all(|(_, kind)| *kind != Kind::Mechanics) {
                            one.grounds.push((String::new(), Kind::Mechanics));
                        }
                        None
                    }
                }
            }
            Place::Node(_) => None,
        }
    }

    /// Relations between two boxes are one line.
    fn add_relations(&mut self) {
        let relations = std::mem::take(&mut self.relations);
        let mut known: FxHashSet<(usize, usize, Kind)> = FxHashSet::default();
        for (from, to, number) in relations {
            let relation = &self.model.relations[number];
            let kind = relation.kind;
            // Bonds and arrows may go both ways.
            let pair = match kind {
                Kind::Mechanics | Kind::Force => (from.min(to), from.max(to), kind),
                _ => (from, to, kind),
            };
            if !known.insert(pair) {
                continue;
            }
            let label = |this: &Self, at: usize, place: Place| {
                let part = this.sheet.boxes[at].part;
                if part.is_some() { this.ports_to(place, part) } else { String::new() }
            };
            let (a, b) = (label(self, from, relation.to), label(self, to, relation.from));
            let direction = if relation.is_directed { Direction::Away } else { Direction::None };
            let port = self.port(from, PortKey::Relation(to, kind), &a);
            let first = SheetEnd { at: from, port, direction: Direction::None, kind };
            let port = self.port(to, PortKey::Relation(from, kind), &b);
            let second = SheetEnd { at: to, port, direction, kind };
            let ends = vec![first, second];
            let name = relation.name.clone();
            self.sheet.nets.push(SheetNet { name, kind, is_dashed: relation.is_dashed, ends });
        }
    }

    /// Nets with equal ends, such as those between the members of groups, are one.
    fn merge_nets(&mut self) {
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

/// Is a block without nodes one that computes?
fn language_computes(keyword: &str, model: &FlatModel, element: usize) -> bool {
    let family = model.elements[element].family;
    family == Family::Network
        && !matches!(keyword, "R" | "C" | "I" | "TF" | "GY" | "Se" | "Sf" | "Junction0" | "Junction1")
        && model.relations_of[element].iter().all(|&r| model.relations[r].kind == Kind::Signal)
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

fn plain(shape: Shape, name: String, what: String) -> SheetBox {
    SheetBox {
        shape,
        name,
        what,
        details: Vec::new(),
        ports: Vec::new(),
        grounds: Vec::new(),
        border: None,
        part: None,
        count: 1,
        is_dashed: false,
        is_source: false,
    }
}
