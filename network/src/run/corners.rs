//! Corners of laws that stand in a loop of equations: `i = clamp((5 - out.v)/0.01, 0, 1.5)` at a load.
//!
//! Equations are solved with the states of switches frozen, and the solution may ask for other states. If all states follow
//! at once, a steep piece throws the solution far to and fro, and no pass is like the one before but every other is. For a
//! continuous law of straight pieces there is a way that arrives: from a point whose states are those it asks for, go
//! towards the solution of its piece, and change to the next piece at the first border on the way (Katzenelson, Bell Syst.
//! Tech. J. 44 (1965) 1605). The distance of the equations from zero shrinks with each piece.

use super::NetworkRun;
use equations::expression::switches::Point;

/// Passes in which all states follow at once.
pub(super) const AT_ONCE: usize = 6;
/// Most borders on the way.
const MOST_BORDERS: usize = 400;
/// Halvings that find a border.
const HALVINGS: usize = 60;

/// Where a way begins, and lists for it.
#[derive(Default, educe::Educe)]
#[educe(Clone)]
pub(super) struct Way {
    /// Signals where the way begins.
    from: Vec<f64>,
    /// Signals of the solution with frozen states.
    to: Vec<f64>,
    /// States that a point asks for.
    asked: Vec<f64>,
}

/// Remembers the signals of time expressions, as the point where a way may begin.
pub(super) fn begin_way(run: &mut NetworkRun<'_>) {
    let now = &mut *run.now;
    now.events.way.from.clone_from(&now.outside.signals);
}

/// The search for the pieces at an instant.
pub(super) struct Corners<'r, 'n> {
    pub run: &'r mut NetworkRun<'n>,
    pub t: f64,
    /// The storages.
    pub y: &'r [f64],
}

impl Corners<'_, '_> {
    /// Goes from border to border until the states of switches are those that their solution asks for, and gives the states
    /// of before. Nothing if there is no end; the states are what they were then.
    pub fn find_states(&mut self) -> Option<Vec<f64>> {
        let before = self.run.now.outside.switches.get().to_vec();
        let mut way = std::mem::take(&mut self.run.now.events.way);
        let is_found = self.go(&mut way);
        self.run.now.events.way = way;
        if is_found {
            return Some(before);
        }
        self.run.now.outside.switches.set(&before);
        // It was solved with them before.
        let _ = self.run.update_events(self.t, self.y);
        self.run.take_signals();
        None
    }

    /// True if there is an end. The values of the equations and the signals are those of the states then.
    fn go(&mut self, way: &mut Way) -> bool {
        let Way { from, to, asked } = way;
        if from.len() != self.run.now.outside.signals.len() {
            return false;
        }
        self.ask(from, asked);
        for _ in 0..MOST_BORDERS {
            self.run.now.outside.switches.set(asked);
            if self.run.update_events(self.t, self.y).is_err() {
                return false;
            }
            self.run.take_signals();
            to.clone_from(&self.run.now.outside.signals);
            self.ask(to, asked);
            if self.is_in(asked) {
                return true;
            }
            // The first border between a point of this piece and one that is not.
            let (mut inside, mut outside) = (0.0, 1.0);
            for _ in 0..HALVINGS {
                let middle = 0.5 * (inside + outside);
                self.ask_between([from, to], middle, asked);
                *if self.is_in(asked) { &mut inside } else { &mut outside } = middle;
            }
            self.ask_between([from, to], outside, asked);
            from.clone_from(&self.run.now.outside.signals);
        }
        false
    }

    /// Are the states in force those that are asked for?
    fn is_in(&self, asked: &[f64]) -> bool {
        self.run.now.outside.switches.get() == asked
    }

    /// The states that a point of the way asks for.
    fn ask_between(&mut self, [from, to]: [&[f64]; 2], part: f64, asked: &mut Vec<f64>) {
        let signals = &mut self.run.now.outside.signals;
        for ((signal, from), to) in signals.iter_mut().zip(from).zip(to) {
            *signal = from + part * (to - from);
        }
        self.ask_here(asked);
    }

    /// The states that signals ask for.
    fn ask(&mut self, signals: &[f64], asked: &mut Vec<f64>) {
        self.run.now.outside.signals.copy_from_slice(signals);
        self.ask_here(asked);
    }

    fn ask_here(&mut self, asked: &mut Vec<f64>) {
        let programs = &self.run.network.flat.programs;
        let outside = &mut self.run.now.outside;
        let point = Point { t: self.t, argument: 0.0, signals: &outside.signals };
        asked.clear();
        asked.extend_from_slice(outside.switches.get());
        for program in programs.list.iter().enumerate() {
            programs.switches.ask(program, point, asked, &mut outside.stack);
        }
    }
}
