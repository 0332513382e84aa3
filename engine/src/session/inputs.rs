//! Values from outside: the Input blocks of a model, what sets them, and tables that they follow.

use std::sync::Arc;

use parser::suggest::nearest;

use super::motion::{Landing, Session};
use super::{Error, Model, Recording};
use language::reading::Inputs;

/// An Input block of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct InputInfo {
    /// Name of the input.
    pub name: String,
    /// Unit of the value; empty if there is none.
    pub unit: String,
    /// Value while no other value is set.
    pub default: f64,
    /// Description in words; empty if the model has none.
    pub about: String,
    /// The input follows a column of a table, so it cannot be set.
    pub follows_table: bool,
}

/// An input of a model, found once.
#[derive(Clone)]
pub struct InputHandle {
    pub(super) model: Arc<language::model::Model>,
    pub(super) block: u32,
}

impl InputHandle {
    /// The name of the Input block.
    pub fn name(&self) -> &str {
        self.model.block_name(self.block)
    }
}

/// An input of a session, to be set.
pub struct InputPort<'s> {
    pub(super) session: &'s mut Session,
    pub(super) handle: InputHandle,
}

impl InputPort<'_> {
    /// Gives the input another value: see [`Session::set`].
    ///
    /// # Errors
    /// If the value is not finite.
    pub fn set(self, value: f64) -> Result<(), Error> {
        self.session.set(&self.handle, value)
    }
}

impl Model {
    /// The Input blocks of the model, in the order of the text.
    pub fn inputs(&self) -> Vec<InputInfo> {
        let checked = self.checked();
        let text = |span| checked.sources.text(span).to_string();
        let inputs = checked.inputs().map(|(block, input)| InputInfo {
            name: checked.block_name(block).to_string(),
            unit: checked.input_unit(input).to_string(),
            default: input.parameters.default,
            about: input.parameters.about.map_or_else(String::new, |about| text(about.0)),
            follows_table: input.column.is_some(),
        });
        inputs.collect()
    }

    /// Finds an input by the name of its block.
    ///
    /// # Errors
    /// If there is no such Input block, or if it follows a column of a table.
    pub fn input(&self, name: &str) -> Result<InputHandle, Error> {
        let checked = self.checked();
        let wanted = name.strip_suffix(".y").unwrap_or(name);
        let found = checked.inputs().find(|(block, _)| checked.block_name(*block) == wanted);
        let Some((block, input)) = found else {
            let all: Vec<&str> =
                checked.inputs().map(|(block, _)| checked.block_name(block)).collect();
            let help = match nearest(wanted, all.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None if all.is_empty() => "the model has no Input blocks".into(),
                None => format!("the inputs of the model are {}", all.join(", ")),
            };
            return Err(Error::plain(format!("there is no input `{name}`"), Some(help)));
        };
        if input.column.is_some() {
            let message = format!("the input `{name}` follows a column of a table");
            let help = "leave the column out of the table, or do not set the input".to_string();
            return Err(Error::plain(message, Some(help)));
        }
        Ok(InputHandle { model: Arc::clone(checked), block })
    }

    /// This model with inputs that follow the columns of a table, like `--input` on the command line. Inputs without a column
    /// keep their defaults.
    ///
    /// # Errors
    /// If the table has mistakes, or if the model has mistakes with these inputs.
    pub fn with_inputs(&self, inputs: &Inputs) -> Result<Self, Error> {
        let mut options = self.shared.options.clone();
        options.inputs = Some(inputs.clone());
        Self::load(self.shared.input.clone(), options, Arc::clone(&self.shared.files))
    }

    /// A run from `Tstart` to `Tend` with inputs that follow the columns of a table.
    ///
    /// # Errors
    /// As [`with_inputs`](Self::with_inputs) and [`run`](Self::run).
    pub fn run_with(&self, inputs: &Inputs) -> Result<Recording, Error> {
        self.with_inputs(inputs)?.run()
    }

    /// A motion of the model whose inputs begin with these values: the initial values fit them, as they do not after
    /// a call of [`Session::set`].
    ///
    /// # Errors
    /// As [`session`](Self::session), and if there is no such input or its value is not finite.
    pub fn session_with(&self, inputs: &[(&str, f64)]) -> Result<Session, Error> {
        let mut first = Vec::with_capacity(inputs.len());
        for &(name, value) in inputs {
            first.push((self.input(name)?.block, finite(name, value)?));
        }
        // What a session remembers must not be ahead of the time at which an input is set.
        let is_open = self.checked().inputs().any(|(_, input)| input.column.is_none());
        let landing = if is_open { Landing::OnOutputs } else { Landing::Free };
        Session::start(self.clone(), &first, landing)
    }
}

/// A value for an input.
pub(super) fn finite(name: &str, value: f64) -> Result<f64, Error> {
    match value.is_finite() {
        true => Ok(value),
        false => Err(Error::plain(format!("the input `{name}` cannot be {value}"), None)),
    }
}
