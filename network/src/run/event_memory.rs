//! What events remember from one to the next.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::prepared::network_model::Network;
use crate::run::Span;
use crate::run::corners::Way;
use equations::flat::ValveKind;
use problem::Event;

/// A guard below this, over the largest value it ever had, counts as zero.
pub(super) const NOISE: f64 = 1e-12;
/// And below this in any case.
pub(super) const LEAST: f64 = 1e-14;
/// A storage that changes by more than this, over its size, jumps.
const JUMP: f64 = 1e-6;
/// The size of a storage is at least this part of the largest one.
const LEAST_SIZE: f64 = 1e-3;
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
    /// Storages as the pass of the event at hand finds them.
    pub(super) entry: Vec<f64>,
    /// Modes for which no valve gives way in the event at hand; none if there are none.
    pub(super) blamed: Vec<i8>,
    /// Combinations of modes in which no source is cut off.
    pub(super) agreed: FxHashSet<Arc<[i8]>>,
    /// Does the run begin at the operating point?
    pub is_steady: bool,
    /// A step that is as good as none, s.
    pub instant: f64,
    /// Are iterations that fail tried again along a homotopy?
    pub is_patient: bool,
    /// Is the next evaluation the first one behind an event?
    pub is_behind: bool,
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
            entry: Vec::with_capacity(network.n_states()),
            blamed: Vec::new(),
            agreed: FxHashSet::default(),
            is_steady,
            instant: INSTANT * (end - start).abs(),
            is_patient: false,
            is_behind: false,
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

    /// Does a step say that something moves whose speed is but rounding? What others held until now has the speed zero only to
    /// rounding where its states are chosen anew, and must not count as sliding: it is at rest and may stick.
    pub(super) fn is_rounding(&self, network: &Network, value: f64, number: usize) -> bool {
        let watch = network.watches[number];
        let valve = network.flat.modes[watch.mode].valve.map(|valve| valve.kind);
        let Some(ValveKind::Lock { locked, .. }) = valve.filter(|_| watch.steps) else {
            return false;
        };
        if watch.to == locked {
            return false;
        }
        // The guards that lead from sliding to rest are the speed.
        let all = network.watches.iter().zip(&self.scales);
        let speeds =
            all.filter(|(own, _)| own.mode == watch.mode && !own.steps && own.to == locked);
        let largest = speeds.fold(0.0f64, |largest, (_, scale)| largest.max(*scale));
        value <= NOISE * largest + LEAST
    }

    /// Tells whether a storage that had one of these values jumps to another one.
    pub(super) fn jump_test<'a>(&'a self, old: &'a [f64]) -> impl Fn(usize, f64) -> bool + 'a {
        let largest = old.iter().fold(0.0f64, |largest, y| largest.max(y.abs()));
        // Where nothing is stored, what crosses guards is a measure of the network.
        let noise = self.scales.iter().fold(0.0f64, |most, scale| most.max(*scale)) * NOISE + LEAST;
        move |k, new| {
            let size = old[k].abs() + LEAST_SIZE * largest;
            (new - old[k]).abs() > JUMP * size + noise + self.overshoots[k]
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
    pub(super) due: Vec<usize>,
    /// Guards of modes that the event crossed.
    pub(super) crossed: Vec<usize>,
    /// Modes that are tried next.
    pub(super) modes: Vec<i8>,
    /// Modes at the start of the iteration.
    pub(super) start: Vec<i8>,
    /// Modes before the pass of the event.
    pub(super) before: Vec<i8>,
    /// States of switches before the pass of the event.
    pub(super) states: Vec<f64>,
    /// For each mode: does it change in this pass?
    pub(super) changed: Vec<bool>,
}
