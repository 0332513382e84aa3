//! What events remember from one to the next, and the lists that they use.

use crate::prepared::network_model::Network;
use crate::run::Span;
use crate::run::corners::Way;
use problem::Event;

/// Steps by which a storage may be beyond an event that was seen at the end of one: rates change in a step.
const OVERSHOOT: f64 = 2.0;
/// A part of the run that is as good as no time at all.
const INSTANT: f64 = 1e-14;
/// How exactly an instant is found, over the time.
const RESOLUTION: f64 = 16.0 * f64::EPSILON;

/// What events remember from one to the next.
#[derive(educe::Educe)]
#[educe(Clone)]
pub(crate) struct EventMemory {
    /// Modes before the last event.
    pub modes_before: Vec<i8>,
    /// Largest value of each guard so far.
    pub(super) scales: Vec<f64>,
    /// How far each storage may be beyond the event at hand.
    pub(super) overshoots: Vec<f64>,
    /// Largest value of each storage at an event so far.
    pub(super) largest: Vec<f64>,
    /// Storages just before the event, as the modes of before had them: those that depend on others or on sources follow these,
    /// while the integrator's own values are off by its tolerance.
    pub(super) left: Vec<f64>,
    /// Does the run begin at the operating point?
    pub is_steady: bool,
    /// A step that is as good as none, s.
    pub instant: f64,
    /// Are iterations that fail tried again along a homotopy?
    pub is_patient: bool,
    /// How states of switches are found that stand in loops of equations.
    pub(super) way: Way,
    pub(super) room: Room,
}

impl EventMemory {
    /// Before the first event.
    pub fn new(network: &Network, Span { start, end, is_steady }: Span) -> Self {
        Self {
            modes_before: network.flat.modes.iter().map(|law| law.first).collect(),
            scales: vec![0.0; network.watches.len()],
            overshoots: vec![0.0; network.n_states()],
            largest: vec![0.0; network.n_states()],
            left: Vec::with_capacity(network.n_states()),
            is_steady,
            instant: INSTANT * (end - start).abs(),
            is_patient: false,
            way: Way::default(),
            room: Room::default(),
        }
    }

    /// Says how far storages may be beyond an event that was seen late: by what they change in that time, and
    /// where others lead them, by what the guards that were crossed have gone beyond zero.
    pub(super) fn measure_overshoots(&mut self, event: &Event<'_>, beyond: f64, rates: &[f64]) {
        let led = if event.delay > 0.0 { beyond } else { 0.0 };
        let resolution = RESOLUTION * event.t.abs();
        for (overshoot, rate) in self.overshoots.iter_mut().zip(rates) {
            *overshoot = OVERSHOOT * ((event.delay + resolution) * rate.abs()) + led;
        }
    }

    /// Remembers how large storages are.
    pub(super) fn measure_storages(&mut self, y: &[f64]) {
        for (largest, y) in self.largest.iter_mut().zip(y) {
            *largest = largest.max(y.abs());
        }
    }
}

/// Lists that events use, kept so that events allocate nothing.
#[derive(Default, educe::Educe)]
#[educe(Clone)]
pub(super) struct Room {
    /// Guards that ask for a change.
    pub due: Vec<usize>,
    /// Guards of modes that the event crossed.
    pub crossed: Vec<usize>,
    /// Modes that are tried next.
    pub modes: Vec<i8>,
    /// Modes at the start of the iteration.
    pub start: Vec<i8>,
    /// Modes before the pass of the event.
    pub before: Vec<i8>,
    /// States of switches before the pass of the event.
    pub states: Vec<f64>,
    /// For each mode: does it change in this pass?
    pub changed: Vec<bool>,
}
