//! The models beside a model: with smaller and larger values of the parameters that sensitivities are asked for.

use std::sync::Arc;

use super::{Error, Model};
use crate::sensitivity::{VARIATION, Varied};
use crate::system::{Run, System};
use integrate::{Events, MethodKind};

/// The methods that integrate sensitivities.
const METHODS: [MethodKind; 5] =
    [MethodKind::De, MethodKind::Derf, MethodKind::Stiff, MethodKind::Radau, MethodKind::Radau5];

/// Builds the neighbours for all parameters that a model names.
pub(super) fn build(model: &Model) -> Result<Arc<[Varied]>, Error> {
    let names = model.sensitivity_parameters();
    let method = model.checked().solver.method;
    if !names.is_empty() && !METHODS.contains(&method) {
        let message = format!("`{}` integrates no sensitivities", method.name());
        let help = "take `derf`, or for stiff equations `stiff`, `radau` or `radau5`";
        return Err(Error::plain(message, Some(help.into())));
    }
    if !names.is_empty() && !Run::new(model.system()?).recorded_points().is_empty() {
        let message = "sensitivities of models with a `Delay` are not known";
        let help = "take the Delay away, or put a PT1 or a TransferFunction in its place";
        return Err(Error::plain(message, Some(help.into())));
    }
    names.into_iter().map(|name| vary(model, name)).collect()
}

/// The neighbours for one parameter.
fn vary(model: &Model, name: &str) -> Result<Varied, Error> {
    let entry = model.checked().parameters.iter().find(|(own, _)| own == name);
    let value = match entry {
        Some((_, value)) => *value,
        None => model.varied_by(name, 0.0)?.checked().varied.ok_or_else(|| not_read(name))?,
    };
    let by = VARIATION * Varied::scale_of(value);
    let neighbour = |by: f64| -> Result<(f64, Arc<System>), Error> {
        let beside = match entry {
            Some(_) => model.set(name, value + by),
            None => model.varied_by(name, by),
        };
        let system = beside.and_then(|beside| beside.system().cloned());
        let system = system.map_err(|error| at_border(name, value, by, &error))?;
        check_structure(model, name, &system)?;
        Ok((value + by, system))
    };
    let neighbours = [neighbour(-by)?, neighbour(by)?];
    Ok(Varied::new(name.into(), value, model.checked().solver.method, neighbours))
}

/// A neighbour must have the same states, switches and signals.
fn check_structure(model: &Model, name: &str, other: &System) -> Result<(), Error> {
    let own = model.system()?;
    let shape = |system: &System| {
        (system.n_states(), system.n_guards(), system.programs.len(), system.model.blocks.len())
    };
    if shape(own) == shape(other) {
        return Ok(());
    }
    let message = format!("the structure of the model depends on `{name}`: there is no derivative");
    Err(Error::plain(message, Some("take it off the list of sensitivities".into())))
}

fn not_read(name: &str) -> Error {
    let message = format!("`{name}` is no constant number: there is nothing to vary");
    let help = "name a parameter whose value is a number, or an entry of a Parameters block that is in its value";
    Error::plain(message, Some(help.into()))
}

/// Beside its value a parameter has no model.
fn at_border(name: &str, value: f64, by: f64, error: &Error) -> Error {
    let message = format!(
        "no sensitivity to `{name}`: it takes the model with both {:?} and {:?}, and one of them is wrong: {error}",
        value - by.abs(),
        value + by.abs(),
    );
    let help = "a value at the border of what is allowed has no derivative; move it inside";
    Error::plain(message, Some(help.into()))
}
