//! Corners of laws that stand in a loop of equations: `i = clamp((5 - out.v)/0.01, 0, 1.5)` at a load.
//!
//! Equations are solved with the states of switches frozen, and the solution may ask for other states. If all states follow
//! at once, a steep piece throws the solution far to and fro, and no pass is like the one before but every other is. For a
//! continuous law of straight pieces there is a way that arrives: from a point whose states are those it asks for, go
//! towards the solution of its piece, and change to the next piece at the first border on the way (Katzenelson, Bell Syst.
//! Tech. J. 44 (1965) 1605). The distance of the equations from zero shrinks with each piece.

use super::{NetworkRun, NetworkState};
use equations::expression::switches::Point;

/// Passes in which all states follow at once.
pub(super) const AT_ONCE: usize = 6;
/// Most borders on the way.
const MOST_BORDERS: usize = 400;
/// Halvings that find a border.
const HALVINGS: usize = 60;

/// Lists for the way, kept so that events allocate nothing.
#[derive(Default, educe::Educe)]
#[educe(Clone)]
pub(super) struct Way {
    /// Signals where the way begins.
    from: Vec<f64>,
    /// Signals of the solution with frozen states.
    to: Vec<f64>,
    /// States that a point asks for.
    asked: Vec<f64>,
    /// States before the way.
    before: Vec<f64>,
}

impl NetworkRun<'_> {
    /// Remembers the signals of time expressions, as the point where a way may begin.
    pub(super) fn begin_way(&mut self) {
        let NetworkState { outside, events, .. } = &mut *self.now;
        events.way.from.clone_from(&outside.signals);
    }

    /// Goes from border to border until the states of switches are those that their solution asks for. False if there is no
    /// end; the states are what they were then.
    pub(super) fn find_states(&mut self, t: f64, y: &[f64]) -> bool {
        let mut way = std::mem::take(&mut self.now.events.way);
        way.before.clear();
        way.before.extend_from_slice(self.now.outside.switches.get());
        let is_found = self.go(t, y, &mut way);
        if !is_found {
            self.now.outside.switches.set(&way.before);
            // It was solved with them before.
            let _ = self.update_events(t, y);
            self.take_signals();
        }
        self.now.events.way = way;
        is_found
    }

    /// The states of switches before the last way.
    pub(super) fn states_before_way(&self) -> &[f64] {
        &self.now.events.way.before
    }

    /// True if there is an end. The values of the equations and the signals are those of the states then.
    fn go(&mut self, t: f64, y: &[f64], way: &mut Way) -> bool {
        let Way { from, to, asked, .. } = way;
        if from.len() != self.now.outside.signals.len() {
            return false;
        }
        self.ask(t, from, asked);
        for _ in 0..MOST_BORDERS {
            self.now.outside.switches.set(asked);
            if self.update_events(t, y).is_err() {
                return false;
            }
            self.take_signals();
            to.clone_from(&self.now.outside.signals);
            self.ask(t, to, asked);
            if self.now.outside.switches.get() == asked {
                return true;
            }
            // The first border between a point of this piece and one that is not.
            let (mut inside, mut outside) = (0.0, 1.0);
            for _ in 0..HALVINGS {
                let middle = 0.5 * (inside + outside);
                self.ask_between([from, to], middle, t, asked);
                let is_inside = self.now.outside.switches.get() == asked;
                *if is_inside { &mut inside } else { &mut outside } = middle;
            }
            self.ask_between([from, to], outside, t, asked);
            for (from, to) in from.iter_mut().zip(&*to) {
                *from += outside * (to - *from);
            }
        }
        false
    }

    /// The states that a point of the way asks for.
    fn ask_between(&mut self, [from, to]: [&[f64]; 2], part: f64, t: f64, asked: &mut Vec<f64>) {
        let signals = &mut self.now.outside.signals;
        for ((signal, from), to) in signals.iter_mut().zip(from).zip(to) {
            *signal = from + part * (to - from);
        }
        self.ask_here(t, asked);
    }

    /// The states that signals ask for.
    fn ask(&mut self, t: f64, signals: &[f64], asked: &mut Vec<f64>) {
        self.now.outside.signals.copy_from_slice(signals);
        self.ask_here(t, asked);
    }

    fn ask_here(&mut self, t: f64, asked: &mut Vec<f64>) {
        let programs = &self.network.flat.programs;
        let outside = &mut self.now.outside;
        let point = Point { t, argument: 0.0, signals: &outside.signals };
        asked.clear();
        asked.extend_from_slice(outside.switches.get());
        for program in programs.list.iter().enumerate() {
            programs.switches.ask(program, point, asked, &mut outside.stack);
        }
    }
}
