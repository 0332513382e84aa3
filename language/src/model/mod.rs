//! From blocks to a model: typed blocks with defaults filled in, references resolved, everything checked.

pub(crate) mod checks;
pub(crate) mod elaborate;
pub mod excitations;
mod frame_ports;
mod inline;
mod input_columns;
mod manual_page;
mod nodes;
mod plausibility;
pub mod plugins;
pub mod reference;
pub mod registry;
mod topology;
mod values;

use std::ops::Deref;
use std::sync::Arc;

use parser::source::{Sources, Span};

use crate::blocks::body::{Body, Triad};
use crate::blocks::constraints::Constraint;
use crate::blocks::derived::DerivedSignal;
use crate::blocks::forces::ForceElement;
use crate::blocks::general::{Header, Output, Solver, System};
use crate::blocks::graphics::Primitive;
use crate::blocks::joints::Joint;
use crate::blocks::network::NetworkElement;
use crate::blocks::network::actions::when::Place;
use crate::blocks::network::signals::AnyBlock;
use crate::blocks::network::signals::input::{INPUT, Input};
use crate::blocks::network::user_equations::variable::VariableType;
use crate::blocks::sensor::Sensor;
use crate::element::{Family, SignalShape};
use crate::reading::fields::FreeText;
use crate::reading::ids::{BodyId, JointId, NodeId, TriadId};
use crate::reading::names::BlockEntry;
use equations::expression::SignalRef;
use equations::flattened::Flattened;
pub use excitations::{Changed, Excitation, Excitations};
pub use nodes::Node;
use plugins::PluginBlock;

/// Something that a block declares, with its name and place.
#[derive(Clone, Debug, PartialEq)]
pub struct Declared<T> {
    /// Index in [`Model::blocks`].
    pub block: u32,
    /// The declared object.
    pub what: T,
}

impl<T> Deref for Declared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.what
    }
}

/// A checked model. All numbers are in SI units and radians; all references point to what is there.
#[derive(Clone, Debug)]
pub struct Model {
    /// The texts it was read from.
    pub sources: Arc<Sources>,
    /// All blocks in the order of the text, included files in place.
    pub blocks: Vec<BlockEntry>,
    /// The name of the model and of its result files.
    pub name: String,
    /// Settings of the Header block.
    pub header: Header,
    /// Settings of the System block.
    pub system: System,
    /// Settings of the Solver block.
    pub solver: Solver,
    /// Settings of the Output block, if there is one.
    pub output: Option<Output>,
    /// Values of all entries of Parameters blocks, in the order of the text.
    pub parameters: Vec<(String, f64)>,
    /// Bodies; [`BodyId`] counts from the world, which is not in this list.
    pub bodies: Vec<Declared<Body>>,
    /// Triads.
    pub triads: Vec<Declared<Triad>>,
    /// Sensors.
    pub sensors: Vec<Declared<Sensor>>,
    /// Joints.
    pub joints: Vec<Declared<Joint>>,
    /// Further constraints.
    pub constraints: Vec<Declared<Constraint>>,
    /// Force elements.
    pub forces: Vec<Declared<ForceElement>>,
    /// Elements written by users.
    pub plugins: Vec<Declared<PluginBlock>>,
    /// Graphics primitives.
    pub primitives: Vec<Declared<Primitive>>,
    /// Network elements.
    pub elements: Vec<Declared<NetworkElement>>,
    /// Derived quantities.
    pub signals: Vec<Declared<DerivedSignal>>,
    /// Nodes of networks, in the order in which they are named; a node's entry in `blocks` has its
    /// name and first place.
    pub nodes: Vec<Declared<Node>>,
    /// The value of the parameter that is varied, as the text says it; none if nothing is varied.
    pub varied: Option<f64>,
    /// Equations of the networks, made of all of the above; none without network elements.
    pub equations: Option<Arc<Flattened>>,
    /// What the analysis changes from outside.
    pub excitations: Excitations,
}

impl Model {
    /// The body, `None` for the world.
    pub fn body(&self, id: BodyId) -> Option<&Declared<Body>> {
        self.bodies.get(id.index().checked_sub(1)?)
    }

    /// The triad.
    pub fn triad(&self, id: TriadId) -> &Declared<Triad> {
        &self.triads[id.index()]
    }

    /// The joint.
    pub fn joint(&self, id: JointId) -> &Declared<Joint> {
        &self.joints[id.index()]
    }

    /// The name of a block.
    pub fn block_name(&self, block: u32) -> &str {
        self.sources.text(self.name_span(block))
    }

    /// Where the name of a block stands.
    pub fn name_span(&self, block: u32) -> Span {
        self.blocks.get(block as usize).map_or(Span::default(), |entry| entry.name)
    }

    /// The name of a node.
    pub fn node_name(&self, id: NodeId) -> &str {
        let Some(node) = self.nodes.get(id.index()) else { return "" };
        if node.is_reference { node.domain.reference() } else { self.block_name(node.block) }
    }

    /// The name of a body, `world` for the world.
    pub fn body_name(&self, id: BodyId) -> &str {
        self.body(id).map_or("world", |body| self.block_name(body.block))
    }

    /// Number of components of a signal whose block decides about it.
    pub fn width(&self, block: u32, signal: &str) -> usize {
        let handle = self.blocks.get(block as usize).map(|entry| entry.handle as usize);
        let element = handle.and_then(|handle| self.elements.get(handle));
        element.map_or(1, |element| element.what.width(signal))
    }

    /// Does a signal change at events only?
    pub fn takes_steps(&self, signal: SignalRef) -> bool {
        let entry = self.blocks.get(signal.block as usize);
        let handle = entry.filter(|entry| entry.schema.family == Family::Network);
        let element = handle.and_then(|entry| self.elements.get(entry.handle as usize));
        element.is_some_and(|element| element.what.takes_steps())
    }

    /// Is the value of a block true or false?
    pub(crate) fn is_truth(&self, block: u32) -> bool {
        let handle = self.blocks.get(block as usize).map(|entry| entry.handle as usize);
        match handle.and_then(|handle| self.elements.get(handle)).map(|element| &element.what) {
            Some(NetworkElement::Variable(variable)) => variable.kind == VariableType::Condition,
            _ => false,
        }
    }

    /// The path of a signal as it stands in a table header: `J.q`, or `J.q[2]` for several freedoms.
    pub fn signal_name(&self, signal: SignalRef) -> String {
        let Some(entry) = self.blocks.get(signal.block as usize) else { return String::new() };
        let name = match entry.schema.family {
            Family::Node => self.node_name(NodeId(entry.handle)),
            _ => self.sources.text(entry.name),
        };
        if entry.schema.is_value() {
            return name.into();
        }
        let Some(schema) = entry.schema.all_signals().nth(usize::from(signal.signal)) else {
            return String::new();
        };
        let several = match schema.shape {
            SignalShape::Scalar => false,
            SignalShape::PerCoordinate => entry.schema.coordinates.len() > 1,
            SignalShape::Vector => self.width(signal.block, schema.name) > 1,
        };
        match several {
            true => format!("{name}.{}[{}]", schema.name, signal.component + 1),
            false => format!("{name}.{}", schema.name),
        }
    }

    /// The Input blocks in the order of the text.
    pub fn inputs(&self) -> impl Iterator<Item = (u32, &Input)> {
        self.elements.iter().filter_map(|element| match &element.what {
            NetworkElement::Signal(block) => match &**block {
                AnyBlock::Input(input) => Some((element.block, input)),
                _ => None,
            },
            _ => None,
        })
    }

    /// Joints whose coordinates a `When` sets.
    pub fn positions_set(&self) -> impl Iterator<Item = JointId> {
        let whens = self.elements.iter().filter_map(|element| match &element.what {
            NetworkElement::When(when) => Some(&when.settings),
            _ => None,
        });
        whens.flatten().filter_map(|setting| match setting.place {
            Place::Position(place) => Some(place.joint),
            _ => None,
        })
    }

    /// The unit that an Input block gives its value; empty if it has none.
    pub fn input_unit(&self, input: &Input) -> &str {
        input.parameters.unit.map_or("", |unit| self.sources.text(unit.0))
    }

    /// The unit that the block of a value gives it.
    fn unit_of_value(&self, entry: &BlockEntry) -> Option<FreeText> {
        if entry.schema.family == Family::Signal {
            return self.signals.get(entry.handle as usize)?.parameters.unit;
        }
        match &self.elements.get(entry.handle as usize)?.what {
            NetworkElement::Variable(variable) => variable.unit,
            _ => None,
        }
    }

    /// The unit of a signal; empty if it has none.
    pub fn signal_unit(&self, signal: SignalRef) -> &str {
        let Some(entry) = self.blocks.get(signal.block as usize) else { return "" };
        if std::ptr::eq(entry.schema, &INPUT) {
            let input = self.inputs().find(|(block, _)| *block == signal.block);
            return input.map_or("", |(_, input)| self.input_unit(input));
        }
        if entry.schema.is_value() {
            let unit = self.unit_of_value(entry);
            return unit.map_or("", |unit| self.sources.text(unit.0));
        }
        let schema = entry.schema.all_signals().nth(usize::from(signal.signal));
        let component = usize::from(signal.component);
        schema.map_or("", |schema| schema.unit.of(component, entry.schema.coordinates))
    }
}
