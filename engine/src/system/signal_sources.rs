//! Where the value of a named signal comes from.

use super::{ConstraintList, Place, System};
use equations::expression::SignalRef;
use language::element::{Family, Quantity, SignalShape};
use language::model::Model;
use mechanics::loops::ConstraintId;
use mechanics::ports::Port;
use network::Network;

/// A signal, found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignalSource {
    /// A quantity of a joint: index of the model's joint, component.
    Joint(Quantity, usize, usize),
    /// A quantity of a body: index of the model's body (the world is 0), component.
    Body(Quantity, usize, usize),
    /// A quantity of a triad: index of the model's triad, component.
    Triad(Quantity, usize, usize),
    /// A quantity of a sensor: index of the model's sensor, component.
    Sensor(Quantity, usize, usize),
    /// A derived quantity: index of the model's Signal block.
    Derived(usize),
    /// A signal of a force element: index of the element, index in its table.
    Force {
        /// Index of the element.
        element: usize,
        /// Index in its table of signals.
        signal: usize,
    },
    /// The power of a force element.
    Power {
        /// Index of the element.
        element: usize,
    },
    /// A signal of a network: its place among the results.
    Network(usize),
    /// A signal of a network that the mechanics uses: its number.
    NetworkUsed(usize),
    /// Force or power of a prescribed motion, by index.
    Drive {
        /// Index of the motion.
        drive: usize,
        /// True for the power of the motion, false for its force.
        power: bool,
    },
    /// The force of a constraint: which of its rows.
    Multiplier(ConstraintId, usize),
    /// A signal of a plugin: index of the plugin, index in its table; the first is its power.
    Plugin {
        /// Index of the plugin.
        plugin: usize,
        /// Index in its table of signals.
        signal: usize,
    },
    /// A signal that a time expression uses and that waits for the accelerations: its place among these.
    Late(usize),
    /// A signal that has no value in this version.
    Nothing,
}

impl System {
    /// Does anything ask at every evaluation where bodies are in the world? Joints do not.
    pub(super) fn needs_world(&self) -> bool {
        let of_body = |source: &SignalSource| {
            matches!(
                source,
                SignalSource::Body(..) | SignalSource::Triad(..) | SignalSource::Sensor(..)
            )
        };
        let idle = self.elements.is_empty() && self.plugins.list.is_empty();
        !idle
            || !self.late.list.is_empty()
            || !self.constraints.is_empty()
            || self.network_inputs.iter().any(|(_, source)| of_body(source))
            || self.ports.ports.iter().any(|p| matches!(p, Port::Distance(_) | Port::Frames(_)))
    }
}

/// Finds a signal of the model.
pub fn source(system: &System, signal: SignalRef) -> SignalSource {
    find(&system.model, system.network.as_ref(), &system.constraints, signal)
}

/// Finds a signal in the parts of a system.
pub(super) fn find(
    model: &Model,
    network: Option<&Network>,
    constraints: &ConstraintList,
    signal: SignalRef,
) -> SignalSource {
    let Some(entry) = model.blocks.get(signal.block as usize) else {
        return SignalSource::Nothing;
    };
    let Some(schema) = entry.schema.all_signals().nth(usize::from(signal.signal)) else {
        return SignalSource::Nothing;
    };
    let (handle, of_table) = (entry.handle as usize, usize::from(schema.component));
    match entry.schema.family {
        Family::Joint => {
            let component = match schema.shape {
                SignalShape::PerCoordinate => usize::from(signal.component),
                SignalShape::Scalar | SignalShape::Vector => of_table,
            };
            SignalSource::Joint(schema.quantity, handle, component)
        }
        Family::Body => SignalSource::Body(schema.quantity, handle + 1, of_table),
        Family::Triad => SignalSource::Triad(schema.quantity, handle, of_table),
        Family::Sensor => SignalSource::Sensor(schema.quantity, handle, of_table),
        Family::Signal => SignalSource::Derived(handle),
        // A force in a joint that acts through ports of the networks.
        Family::Force if let Some(place) = network.and_then(|network| network.result(signal)) => {
            SignalSource::Network(place)
        }
        Family::Force if schema.quantity == Quantity::Power => {
            SignalSource::Power { element: handle }
        }
        Family::Force => {
            SignalSource::Force { element: handle, signal: usize::from(signal.signal) }
        }
        Family::Network | Family::Node => {
            let place = network.and_then(|network| network.result(signal));
            place.map_or(SignalSource::Nothing, SignalSource::Network)
        }
        Family::Constraint => match constraints.places.get(handle) {
            Some(&Place::Drive(drive)) => {
                SignalSource::Drive { drive, power: schema.quantity == Quantity::Power }
            }
            Some(&Place::Rows(id)) => SignalSource::Multiplier(id, of_table),
            Some(Place::Nothing) | None => SignalSource::Nothing,
        },
        Family::Plugin => {
            SignalSource::Plugin { plugin: handle, signal: usize::from(signal.signal) }
        }
        _ => SignalSource::Nothing,
    }
}
