//! What one picture shows: the boxes of one scope, their ports, and the lines between them.

mod arrows;
mod boxes;
mod nets;

use rustc_hash::FxHashMap;

use crate::flat_model::{FlatModel, Kind, Place};
use crate::layered::graph::{Direction, Side};

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

/// Makes the sheet of a scope: the whole model, or the inside of an instance.
///
/// # Errors
/// The number of boxes, if that is more than `most`.
pub fn sheet(model: &FlatModel, scope: Option<usize>, most: usize) -> Result<Sheet, usize> {
    let mut maker = Maker {
        model,
        scope,
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
    if maker.sheet.boxes.len() > most {
        return Err(maker.sheet.boxes.len());
    }
    let elements = maker.elements();
    maker.add_world(&elements);
    maker.add_nodes(&elements);
    arrows::collect_signals(&mut maker, &elements);
    arrows::collect_relations(&mut maker, &elements);
    arrows::add_signals(&mut maker);
    arrows::add_relations(&mut maker);
    maker.merge_nets();
    Ok(maker.sheet)
}

struct Maker<'m> {
    model: &'m FlatModel,
    scope: Option<usize>,
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
        let mut all: Vec<usize> =
            slots.flat_map(|part| &self.model.inside[part]).copied().collect();
        all.sort_unstable();
        all
    }

    /// The elements and instances that stand in the sheet.
    fn shown(&self) -> (Vec<usize>, Vec<usize>) {
        let slot = self.model.slot(self.scope);
        let sorted = |mut all: Vec<usize>| {
            all.sort_unstable();
            all
        };
        (sorted(self.model.inside[slot].clone()), sorted(self.model.parts_inside[slot].clone()))
    }

    /// The box that an element is in; none outside of the scope.
    fn box_of(&self, element: usize) -> Option<usize> {
        let instance = self.model.elements[element].instance;
        if !self.model.is_within(instance, self.scope) {
            return None;
        }
        match self.model.part_of(instance, self.scope) {
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
        let names =
            ports.iter().filter(|(_, joined)| *joined == place).map(|(name, _)| name.as_str());
        names.collect::<Vec<_>>().join(", ")
    }

    fn point(&mut self) -> usize {
        let at = self.sheet.boxes.len();
        self.sheet.boxes.push(plain(Shape::Point, String::new(), String::new()));
        at
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
