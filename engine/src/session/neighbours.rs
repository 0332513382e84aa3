//! The models beside a model: with smaller and larger values of the parameters that sensitivities are asked for.

use std::sync::Arc;

use super::{Error, Model};
use crate::output;
use crate::sensitivity::{VARIATION, Varied};
use crate::system::{Run, System};
use integrate::{Events, MethodKind};
use language::model::varied::Variation;

/// The methods that integrate sensitivities.
const METHODS: [MethodKind; 5] =
    [MethodKind::De, MethodKind::Derf, MethodKind::Stiff, MethodKind::Radau, MethodKind::Radau5];

impl Model {
    /// This model with derivatives with respect to these parameters, instead of those that its Solver block names: entries of
    /// Parameters blocks, or parameters of elements such as `Ra.R`. Tables of its runs have a column `J.q/L` for each signal
    /// and parameter.
    ///
    /// # Errors
    /// If there is no such parameter.
    pub fn with_sensitivities(&self, parameters: &[&str]) -> Result<Self, Error> {
        let mut options = self.shared.options.clone();
        options.sensitivity = Some(parameters.iter().map(ToString::to_string).collect());
        Self::load(self.shared.input.clone(), options, Arc::clone(&self.shared.files))
    }

    /// The parameters with respect to which runs have derivatives.
    pub fn sensitivity_parameters(&self) -> Vec<&str> {
        output::sensitivity_parameters(self.checked())
    }

    /// The neighbours of the model, built once for all sessions.
    pub(super) fn varied(&self) -> Result<&Arc<[Varied]>, Error> {
        self.shared.varied.get_or_init(|| self.build_varied()).as_ref().map_err(Clone::clone)
    }

    fn build_varied(&self) -> Result<Arc<[Varied]>, Error> {
        let names = self.sensitivity_parameters();
        let method = self.checked().solver.method;
        if !names.is_empty() && !METHODS.contains(&method) {
            let message = format!("`{}` integrates no sensitivities", method.name());
            let help = "take `derf`, or for stiff equations `stiff`, `radau` or `radau5`";
            return Err(Error::plain(message, Some(help.into())));
        }
        if !names.is_empty() && !Run::new(self.system()?).recorded_points().is_empty() {
            let message = "sensitivities of models with a `Delay` are not known";
            let help = "take the Delay away, or put a PT1 or a TransferFunction in its place";
            return Err(Error::plain(message, Some(help.into())));
        }
        names.into_iter().map(|name| self.vary(name)).collect()
    }

    /// The neighbours for one parameter.
    fn vary(&self, name: &str) -> Result<Varied, Error> {
        let entry = self.checked().parameters.iter().find(|(own, _)| own == name);
        let value = match entry {
            Some((_, value)) => *value,
            None => self.varied_by(name, 0.0)?.checked().varied.ok_or_else(|| not_read(name))?,
        };
        let by = VARIATION * Varied::scale_of(value);
        let neighbour = |by: f64| -> Result<(f64, Arc<System>), Error> {
            let model = match entry {
                Some(_) => self.set(name, value + by),
                None => self.varied_by(name, by),
            };
            let system = model.and_then(|model| model.system().cloned());
            let system = system.map_err(|error| beside(name, value, by, &error))?;
            self.check_structure(name, &system)?;
            Ok((value + by, system))
        };
        Ok(Varied::new(name.into(), value, [neighbour(-by)?, neighbour(by)?]))
    }

    /// This model with another value of a parameter of an element.
    fn varied_by(&self, name: &str, by: f64) -> Result<Self, Error> {
        let mut options = self.shared.options.clone();
        options.variation = Some(Variation { path: name.into(), by });
        Self::load(self.shared.input.clone(), options, Arc::clone(&self.shared.files))
    }

    /// A neighbour must have the same states, switches and signals.
    fn check_structure(&self, name: &str, other: &System) -> Result<(), Error> {
        let own = self.system()?;
        let shape = |system: &System| {
            (system.n_states(), system.n_guards(), system.programs.len(), system.model.blocks.len())
        };
        if shape(own) == shape(other) {
            return Ok(());
        }
        let message =
            format!("the structure of the model depends on `{name}`: there is no derivative");
        Err(Error::plain(message, Some("take it off the list of sensitivities".into())))
    }
}

fn not_read(name: &str) -> Error {
    let message = format!("`{name}` is no constant number: there is nothing to vary");
    let help = "name a parameter whose value is a number, or an entry of a Parameters block that is in its value";
    Error::plain(message, Some(help.into()))
}

/// Beside its value a parameter has no model.
fn beside(name: &str, value: f64, by: f64, error: &Error) -> Error {
    let message = format!(
        "no sensitivity to `{name}`: it takes the model with both {:?} and {:?}, and one of them is wrong: {error}",
        value - by.abs(),
        value + by.abs(),
    );
    let help = "a value at the border of what is allowed has no derivative; move it inside";
    Error::plain(message, Some(help.into()))
}
