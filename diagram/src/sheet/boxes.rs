//! The boxes of a sheet: elements, instances, groups of equal ones, the world.

use language::element::Family;
use rustc_hash::FxHashMap;

use super::{Maker, Shape, SheetBox, plain};
use crate::flat_model::{FlatModel, Kind, Place};
use crate::layered::graph::Side;

/// More equal members of a Repeat than this are one box.
const MOST_MEMBERS: usize = 6;
/// Joints on the world that lead to a box `world`; more of them stand on a symbol of the ground each.
const MOST_ON_WORLD: usize = 8;

impl Maker<'_> {
    /// The boxes of elements and instances; many equal ones are one box.
    pub(super) fn add_boxes(&mut self) {
        let model = self.model;
        let (elements, parts) = self.shown();
        let base = |name: &str| without_numbers(model.local(name, self.scope));
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
            if let (Some(name), true) = (without_numbers(&new.name), group.len() > 1) {
                new.name = name;
                new.count = group.len();
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
            || (one.terminals.is_empty() && only_computes(&one.keyword, self.model, element));
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
                        "VoltageSource"
                            | "CurrentSource"
                            | "PressureSource"
                            | "FlowSource"
                            | "PositionSource"
                            | "SpeedSource"
                            | "AngleSource"
                            | "Se"
                            | "Sf"
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

    /// The body that does not move: a box, or a symbol at each joint that stands on it.
    pub(super) fn add_world(&mut self, elements: &[usize]) {
        let on_world = |element: &&usize| {
            let relations = self.model.relations_of[**element].iter();
            let leads = |relation: &usize| {
                let relation = &self.model.relations[*relation];
                relation.from == Place::World || relation.to == Place::World
            };
            self.model.elements[**element].instance == self.scope && relations.clone().any(leads)
        };
        // Inside of what is given a frame of the world, that frame is a port.
        if !self.ports_to(Place::World, self.scope).is_empty() {
            return;
        }
        let count = elements.iter().filter(on_world).count();
        if (1..=MOST_ON_WORLD).contains(&count) {
            self.world = Some(self.sheet.boxes.len());
            let world = plain(Shape::World, "world".into(), String::new());
            let here = self.model.world.iter().filter(|(instance, _)| *instance == self.scope);
            let details = here.map(|(_, words)| words.clone()).collect();
            self.sheet.boxes.push(SheetBox { is_source: true, details, ..world });
        }
        // Instances that are given a frame of the world stand on it.
        for part in self.shown().1 {
            let at = self.box_of_part.get(&part).copied();
            let (Some(at), port) = (at, self.ports_to(Place::World, Some(part))) else { continue };
            let is_new =
                self.sheet.boxes[at].grounds.iter().all(|(_, kind)| *kind != Kind::Mechanics);
            if !port.is_empty() && is_new {
                self.sheet.boxes[at].grounds.push((port, Kind::Mechanics));
            }
        }
    }
}

/// A name with dots in its brackets, which the members of a Repeat have in common; none without brackets.
fn without_numbers(name: &str) -> Option<String> {
    let mut parts = name.split('[');
    let mut common = parts.next()?.to_string();
    for part in parts {
        let (_, behind) = part.split_once(']')?;
        common.push_str("[…]");
        common.push_str(behind);
    }
    name.contains('[').then_some(common)
}

/// Is a block without nodes one that computes?
fn only_computes(keyword: &str, model: &FlatModel, element: usize) -> bool {
    let family = model.elements[element].family;
    family == Family::Network
        && !matches!(
            keyword,
            "R" | "C" | "I" | "TF" | "GY" | "Se" | "Sf" | "Junction0" | "Junction1"
        )
        && model.relations_of[element].iter().all(|&r| model.relations[r].kind == Kind::Signal)
}
