//! Signals and relations on a sheet: who reads whom, which joints and forces join which bodies.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Maker, PortKey, SheetEnd, SheetNet};
use crate::flat_model::{Kind, Place, Source};
use crate::layered::graph::{Direction, Side};

/// Who reads whom in the scope, and across its border.
pub(super) fn collect_signals(maker: &mut Maker<'_>, elements: &[usize]) {
    let model = maker.model;
    for &element in elements {
        let one = &model.elements[element];
        let Some(reader) = maker.box_of(element) else { continue };
        let part = model.part_of(one.instance, maker.scope);
        let is_border_input =
            one.instance == maker.scope && maker.scope.is_some() && one.keyword == "Input";
        for (parameter, source) in &one.reads {
            let Source::Element(source) = *source else { continue };
            let label = match (part, one.keyword.as_str()) {
                (Some(_), "Input") if one.instance == part => {
                    model.local(&one.name, part).to_string()
                }
                (Some(_), _) => String::new(),
                (None, _) if parameter == "Value" || parameter == "y" => String::new(),
                (None, _) => parameter.clone(),
            };
            match maker.box_of(source) {
                Some(from) if from != reader => {
                    let key = reader_key(maker, part, element, from);
                    maker.signals.push((from, reader, key, label));
                }
                Some(_) => {}
                // What an input of the scope is given comes from outside by itself.
                None if is_border_input => {}
                None => {
                    let name = &model.elements[source].name;
                    let key = PortKey::Place(Place::Element(source));
                    let from = maker.border(key, name, Side::Left);
                    let key = reader_key(maker, part, element, from);
                    maker.signals.push((from, reader, key, label));
                }
            }
        }
        let is_read_outside = maker.scope.is_some()
            && model.readers[element]
                .iter()
                .any(|&r| !model.is_within(model.elements[r].instance, maker.scope));
        let is_border = maker.sheet.boxes[reader].border.is_some();
        if is_read_outside && !is_border {
            let name = model.local(&one.name, maker.scope);
            let to = maker.border(PortKey::Signal(element), name, Side::Right);
            maker.signals.push((reader, to, PortKey::From(reader), String::new()));
        }
    }
}

fn is_input(maker: &Maker<'_>, element: usize, part: Option<usize>) -> bool {
    let one = &maker.model.elements[element];
    one.keyword == "Input" && one.instance == part
}

/// Signals from one box enter an element by one port, and an instance by its inputs.
fn reader_key(maker: &Maker<'_>, part: Option<usize>, element: usize, from: usize) -> PortKey {
    match part {
        Some(_) if is_input(maker, element, part) => PortKey::Input(element, Place::Element(from)),
        _ => PortKey::From(from),
    }
}

/// One net for all signals of a box.
pub(super) fn add_signals(maker: &mut Maker<'_>) {
    let signals = std::mem::take(&mut maker.signals);
    let mut net_of: FxHashMap<usize, usize> = FxHashMap::default();
    for (from, to, key, label) in signals {
        let port = maker.port(to, key, &label);
        let end = SheetEnd { at: to, port, direction: Direction::Away, kind: Kind::Signal };
        let out = maker.port(from, PortKey::Out, "");
        let nets = &mut maker.sheet.nets;
        let net = *net_of.entry(from).or_insert_with(|| {
            let direction = Direction::None;
            let start = SheetEnd { at: from, port: out, direction, kind: Kind::Signal };
            let name = maker.sheet.boxes[from].name.clone();
            nets.push(SheetNet { name, kind: Kind::Signal, is_dashed: false, ends: vec![start] });
            nets.len() - 1
        });
        if !nets[net].ends.contains(&end) {
            nets[net].ends.push(end);
        }
    }
}

pub(super) fn collect_relations(maker: &mut Maker<'_>, elements: &[usize]) {
    let mut found: FxHashSet<usize> = FxHashSet::default();
    for &element in elements {
        found.extend(&maker.model.relations_of[element]);
    }
    let mut found: Vec<usize> = found.into_iter().collect();
    found.sort_unstable();
    for number in found {
        let relation = &maker.model.relations[number];
        let is_node = |place| matches!(place, Place::Node(_));
        if is_node(relation.from) || is_node(relation.to) {
            continue;
        }
        let from = box_of_place(maker, relation.from, relation.to, Side::Left);
        let to = box_of_place(maker, relation.to, relation.from, Side::Right);
        if let (Some(from), Some(to)) = (from, to)
            && from != to
        {
            maker.relations.push((from, to, number));
        }
    }
}

/// The box of one end of a relation.
fn box_of_place(maker: &mut Maker<'_>, place: Place, other: Place, side: Side) -> Option<usize> {
    let other_box = match other {
        Place::Element(element) => maker.box_of(element),
        _ => None,
    };
    match place {
        Place::Element(element) => maker.box_of(element).or_else(|| {
            let name = maker.ports_to(place, maker.scope);
            let full = &maker.model.elements[element].name;
            let name = if name.is_empty() { full.clone() } else { name };
            Some(maker.border(PortKey::Place(place), &name, side))
        }),
        Place::World => {
            let other = other_box?;
            let port = maker.ports_to(place, maker.scope);
            if !port.is_empty() {
                return Some(maker.border(PortKey::Place(place), &port, side));
            }
            // Parts stand on the world by a symbol, so that not all lines begin at one box.
            match maker.world.filter(|_| maker.sheet.boxes[other].part.is_none()) {
                Some(world) => Some(world),
                None => {
                    let one = &mut maker.sheet.boxes[other];
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
pub(super) fn add_relations(maker: &mut Maker<'_>) {
    let relations = std::mem::take(&mut maker.relations);
    let mut known: FxHashSet<(usize, usize, Kind)> = FxHashSet::default();
    for (from, to, number) in relations {
        let relation = &maker.model.relations[number];
        let kind = relation.kind;
        // Bonds and arrows may go both ways.
        let pair = match kind {
            Kind::Mechanics | Kind::Force => (from.min(to), from.max(to), kind),
            _ => (from, to, kind),
        };
        if !known.insert(pair) {
            continue;
        }
        let label = |this: &Maker<'_>, at: usize, place: Place| {
            let part = this.sheet.boxes[at].part;
            if part.is_some() { this.ports_to(place, part) } else { String::new() }
        };
        let (a, b) = (label(maker, from, relation.to), label(maker, to, relation.from));
        let direction = if relation.is_directed { Direction::Away } else { Direction::None };
        let port = maker.port(from, PortKey::Relation(to, kind), &a);
        let first = SheetEnd { at: from, port, direction: Direction::None, kind };
        let port = maker.port(to, PortKey::Relation(from, kind), &b);
        let second = SheetEnd { at: to, port, direction, kind };
        let ends = vec![first, second];
        let name = relation.name.clone();
        maker.sheet.nets.push(SheetNet { name, kind, is_dashed: relation.is_dashed, ends });
    }
}
