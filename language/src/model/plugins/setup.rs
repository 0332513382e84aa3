//! What a plugin sees when it is made: the model, and handles for the names in it.

use parser::suggest::nearest;

use crate::element::{BlockSchema, Family, Quantity, SignalSchema, SignalShape, Target};
use crate::model::Model;
use crate::reading::fields::Signals;
use crate::reading::ids::{BodyId as BodyHandle, JointId as JointHandle, TriadId as TriadHandle};
use crate::reading::names::{self, Found, NameIndex};
use equations::expression::SignalRef;

/// Why a plugin cannot be made from its block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub(super) message: String,
    pub(super) help: Option<String>,
    pub(super) parameter: Option<&'static str>,
}

impl Refusal {
    /// A reason; the message points at the name of the block.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: None, parameter: None }
    }

    /// A reason that lies in one parameter; the message points at its value.
    pub fn of(parameter: &'static str, message: impl Into<String>) -> Self {
        Self { parameter: Some(parameter), ..Self::new(message) }
    }

    /// This mistake with advice.
    pub fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }
}

/// A force element, a joint or another plugin, for asking its discrete states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElementHandle(pub(crate) u32);

/// A signal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignalHandle(pub(crate) SignalRef);

/// The model while a plugin is made. Names may be written as in the language: `name` or `Keyword:name`.
pub struct Setup<'a> {
    pub(super) model: &'a Model,
    pub(super) index: &'a NameIndex<'a>,
    pub(super) block: u32,
    /// Is it asked only when forces and accelerations are known?
    pub(super) reads_forces: bool,
}

impl<'a> Setup<'a> {
    /// The whole model: bodies, joints and elements with their parameters, in SI units and radians.
    pub fn model(&self) -> &'a Model {
        self.model
    }

    /// The name of the plugin's block.
    pub fn name(&self) -> &'a str {
        self.model.block_name(self.block)
    }

    /// The text of a parameter of type `Name` or `FileName`.
    pub fn text<const FILE: bool>(&self, text: crate::reading::fields::Text<FILE>) -> &'a str {
        self.model.sources.text(text.0)
    }

    /// A body; `world` is one.
    ///
    /// # Errors
    /// If there is no such body.
    pub fn body(&self, name: &str) -> Result<BodyHandle, Refusal> {
        if name == "world" {
            return Ok(BodyHandle::WORLD);
        }
        let block = self.find(name, "body", |schema| Target::Body.accepts(schema))?;
        // The world is the first body of the table.
        Ok(BodyHandle(self.model.blocks[block as usize].handle + 1))
    }

    /// A triad.
    ///
    /// # Errors
    /// If there is no such triad.
    pub fn triad(&self, name: &str) -> Result<TriadHandle, Refusal> {
        let block = self.find(name, "triad", |schema| Target::Triad.accepts(schema))?;
        Ok(TriadHandle(self.model.blocks[block as usize].handle))
    }

    /// A joint.
    ///
    /// # Errors
    /// If there is no such joint.
    pub fn joint(&self, name: &str) -> Result<JointHandle, Refusal> {
        let block = self.find(name, "joint", |schema| Target::Joint.accepts(schema))?;
        Ok(JointHandle(self.model.blocks[block as usize].handle))
    }

    /// An element that may have discrete states: a force, a joint or another plugin.
    ///
    /// # Errors
    /// If there is no such element.
    pub fn element(&self, name: &str) -> Result<ElementHandle, Refusal> {
        let switches = |schema: &BlockSchema| {
            matches!(schema.family, Family::Force | Family::Joint | Family::Plugin)
        };
        self.find(name, "element", switches).map(ElementHandle)
    }

    /// A signal by its path, such as `hinge.q` or `arm.vx`.
    ///
    /// # Errors
    /// If there is no such signal, or if it depends on forces and the plugin is asked before these are known.
    pub fn signal(&self, path: &str) -> Result<SignalHandle, Refusal> {
        let unknown = || Refusal::new(format!("there is no signal `{path}`"));
        let (keyword, whole) = names::split_reference(path);
        let value =
            names::find(self.index, &self.model.blocks, keyword, whole, BlockSchema::is_value);
        if let Found::One(block) = value {
            return self.readable(SignalRef { block, signal: 0, component: 0 });
        }
        let parts = names::split_path(path).ok_or_else(unknown)?;
        let named = |schema: &BlockSchema| schema.all_signals().any(|s| s.name == parts.signal);
        let element = match parts.keyword {
            Some(keyword) => format!("{keyword}:{}", parts.element),
            None => parts.element.to_string(),
        };
        let block = self.find(&element, "element with such a signal", named)?;
        let schema = self.model.blocks[block as usize].schema;
        let mut signals = schema.all_signals().enumerate();
        let (index, signal) =
            signals.find(|(_, signal)| signal.name == parts.signal).ok_or_else(unknown)?;
        let count = match signal.shape {
            SignalShape::Scalar => 1,
            SignalShape::PerCoordinate => schema.coordinates.len(),
            SignalShape::Vector => self.model.width(block, signal.name),
        };
        if !(1..=count).contains(&parts.component) {
            return Err(unknown());
        }
        let component = (parts.component - 1) as u16;
        self.readable(SignalRef { block, signal: index as u16, component })
    }

    /// The signals of a parameter of type `Signals`.
    ///
    /// # Errors
    /// If one depends on forces and the plugin is asked before these are known.
    pub fn signals(&self, signals: &Signals) -> Result<Vec<SignalHandle>, Refusal> {
        signals.0.iter().map(|(signal, _)| self.readable(*signal)).collect()
    }

    fn readable(&self, signal: SignalRef) -> Result<SignalHandle, Refusal> {
        let entry = &self.model.blocks[signal.block as usize];
        let schema = entry.schema.all_signals().nth(usize::from(signal.signal));
        let early = schema.is_some_and(|schema| known_before_forces(entry.schema.family, schema));
        if early || self.reads_forces {
            return Ok(SignalHandle(signal));
        }
        let name = self.model.signal_name(signal);
        let message = format!("`{name}` is known only after all forces are");
        Err(Refusal::new(message).help("a plugin that is an output and nothing else may read it"))
    }

    fn find(
        &self,
        name: &str,
        what: &str,
        accept: impl Fn(&BlockSchema) -> bool,
    ) -> Result<u32, Refusal> {
        let (keyword, plain) = names::split_reference(name);
        let (model, blocks) = (self.model, &self.model.blocks);
        match names::find(self.index, blocks, keyword, plain, &accept) {
            Found::One(block) => Ok(block),
            Found::Several(_) => {
                let message = format!("`{name}` could be several elements");
                Err(Refusal::new(message).help("write `Keyword:name`"))
            }
            Found::WrongKind(other) => {
                let keyword = blocks[other as usize].schema.keyword;
                Err(Refusal::new(format!("there is no {what} `{name}`; this is a {keyword}")))
            }
            Found::Unknown => {
                let known = blocks.iter().filter(|entry| accept(entry.schema));
                let near = nearest(plain, known.map(|entry| model.sources.text(entry.name)));
                let help = near.map(|near| format!("did you mean `{near}`?"));
                Err(Refusal { help, ..Refusal::new(format!("there is no {what} `{name}`")) })
            }
        }
    }
}

/// Whether a signal depends on positions and velocities alone.
fn known_before_forces(family: Family, schema: &SignalSchema) -> bool {
    match family {
        Family::Joint => !schema.needs_accelerations && schema.quantity != Quantity::Applied,
        Family::Body | Family::Triad | Family::Sensor => !schema.needs_accelerations,
        _ => false,
    }
}
