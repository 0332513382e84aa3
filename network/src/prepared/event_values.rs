//! What the networks compute at events, and where each number stands.
//!
//! ```text
//!  storages | guards of | used    | starts | watched | delay  | steady    | conditions, | guards of | slopes of
//!           | modes     | signals |        |         | inputs | registers | targets     | switches  | constraints
//!           |<------------------------ the expressions `Network::at_events` --------------------->|
//! ```
//!
//! *Storages* are the values that the present combination gives the states of the integrator; *used signals* are those of
//! time expressions; *starts* are the values that storages begin at; *watched* values, *delay inputs* and *steady registers*
//! belong to the discrete part; *conditions* and *targets*, the values that a `When` sets, belong to actions; *guards of switches* are those of time expressions that the code computes; the *slopes of
//! constraints* say which variables are best states (`state_selection.rs`).

use std::ops::Range;

use equations::expression::is_true;

/// How many numbers of each kind there are.
#[derive(Clone, Debug, Default)]
pub(crate) struct EventLayout {
    /// Storages of the networks.
    pub n_storages: usize,
    /// Guards of modes.
    pub n_guards: usize,
    /// Signals that time expressions use.
    pub n_signals: usize,
    /// Storages that start at the value of an expression.
    pub n_starts: usize,
    /// Values that blocks watch at events.
    pub n_watched: usize,
    /// Delay lines.
    pub n_delays: usize,
    /// Registers that the operating point determines.
    pub n_steady: usize,
    /// Conditions of actions.
    pub n_conditions: usize,
    /// Values that actions set.
    pub n_targets: usize,
    /// Guards of time expressions that the code computes.
    pub n_coded: usize,
}

impl EventLayout {
    /// The guards of modes among the expressions at events.
    pub fn guards(&self) -> Range<usize> {
        0..self.n_guards
    }

    /// The signals of time expressions among the expressions at events.
    pub fn signals(&self) -> Range<usize> {
        let first = self.guards().end;
        first..first + self.n_signals
    }

    /// The values that storages start at among the expressions at events.
    fn starts(&self) -> Range<usize> {
        let first = self.signals().end;
        first..first + self.n_starts
    }

    /// The watched values among the expressions at events.
    fn watched(&self) -> Range<usize> {
        let first = self.starts().end;
        first..first + self.n_watched
    }

    /// The inputs of delay lines among the expressions at events.
    fn delays(&self) -> Range<usize> {
        let first = self.watched().end;
        first..first + self.n_delays
    }

    /// The steady registers among the expressions at events.
    fn steady(&self) -> Range<usize> {
        let first = self.delays().end;
        first..first + self.n_steady
    }

    /// The conditions of actions among the expressions at events.
    fn conditions(&self) -> Range<usize> {
        let first = self.steady().end;
        first..first + self.n_conditions
    }

    /// The values that actions set among the expressions at events.
    fn targets(&self) -> Range<usize> {
        let first = self.conditions().end;
        first..first + self.n_targets
    }

    /// The slopes of constraints, behind all expressions at events.
    fn slopes(&self) -> usize {
        self.targets().end + self.n_coded
    }
}

/// The numbers of a combination at an event.
#[derive(Clone, Copy)]
pub(crate) struct EventValues<'a> {
    pub layout: &'a EventLayout,
    /// Places of the numbers in the code.
    pub places: &'a [u32],
    /// All numbers of the code.
    pub numbers: &'a [f64],
}

impl EventValues<'_> {
    /// The value of a storage.
    pub fn storage(&self, number: usize) -> f64 {
        self.numbers[self.places[number] as usize]
    }

    /// The value of one of the expressions at events.
    pub fn expression(&self, number: usize) -> f64 {
        self.storage(self.layout.n_storages + number)
    }

    /// The value of a guard of the modes.
    pub fn guard(&self, number: usize) -> f64 {
        self.expression(number)
    }

    /// The value of a signal that time expressions use.
    pub fn signal(&self, number: usize) -> f64 {
        self.expression(self.layout.signals().start + number)
    }

    /// The value that a storage starts at.
    pub fn start(&self, number: usize) -> f64 {
        self.expression(self.layout.starts().start + number)
    }

    /// All values that blocks watch.
    pub fn watched(&self) -> impl Iterator<Item = f64> + '_ {
        self.layout.watched().map(|number| self.expression(number))
    }

    /// The input of a delay line.
    pub fn delay(&self, line: usize) -> f64 {
        self.expression(self.layout.delays().start + line)
    }

    /// The inputs of all delay lines.
    pub fn delays(&self) -> impl Iterator<Item = f64> + '_ {
        self.layout.delays().map(|number| self.expression(number))
    }

    /// The registers that the operating point determines.
    pub fn steady(&self) -> impl Iterator<Item = f64> + '_ {
        self.layout.steady().map(|number| self.expression(number))
    }

    /// A condition of actions.
    pub fn condition(&self, number: usize) -> bool {
        is_true(self.expression(self.layout.conditions().start + number))
    }

    /// A value that actions set.
    pub fn target(&self, number: usize) -> f64 {
        self.expression(self.layout.targets().start + number)
    }

    /// A slope of the constraints that choose states.
    pub fn slope(&self, number: usize) -> f64 {
        self.expression(self.layout.slopes() + number)
    }
}

/// Where the guards of the networks stand among those of the whole system.
///
/// ```text
///  ... others | guards of time expressions | guards of modes | others ...
///             ^ first                      ^ first + n_programs
/// ```
#[derive(Clone, Copy, Debug)]
pub(crate) struct GuardLayout {
    pub first: usize,
    /// Guards of time expressions.
    pub n_programs: usize,
    /// Guards of modes.
    pub n_modes: usize,
}

impl GuardLayout {
    /// The guard of a mode among those of the system.
    pub fn mode(self, number: usize) -> usize {
        self.first + self.n_programs + number
    }

    /// The number among the guards of modes of a guard of the system, if it stands at or behind the first of them.
    pub fn behind_programs(self, guard: usize) -> Option<usize> {
        guard.checked_sub(self.mode(0))
    }

    /// The number among the guards of modes of a guard of the system, if it is one of them.
    pub fn number_of_mode(self, guard: usize) -> Option<usize> {
        self.behind_programs(guard).filter(|&number| number < self.n_modes)
    }

    /// Splits a list of the networks' guards into those of time expressions and those of modes.
    pub fn split<T>(self, guards: &mut [T]) -> (&mut [T], &mut [T]) {
        guards.split_at_mut(self.n_programs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that tell their kind are read back under the name of that kind.
    #[test]
    fn every_kind_is_read_where_it_stands() {
        let layout = EventLayout {
            n_storages: 2,
            n_guards: 3,
            n_signals: 4,
            n_starts: 1,
            n_watched: 2,
            n_delays: 3,
            n_steady: 1,
            n_conditions: 1,
            n_targets: 2,
            n_coded: 2,
        };
        let counts = [2, 3, 4, 1, 2, 3, 1, 1, 2, 2, 2];
        let kinds = counts.iter().enumerate();
        let numbers: Vec<f64> =
            kinds.flat_map(|(kind, &n)| (0..n).map(move |k| (10 * kind + k) as f64)).collect();
        let places: Vec<u32> = (0..numbers.len() as u32).collect();
        let values = EventValues { layout: &layout, places: &places, numbers: &numbers };
        assert_eq!(values.storage(1), 1.0);
        assert_eq!([values.guard(0), values.guard(2)], [10.0, 12.0]);
        assert_eq!(values.signal(3), 23.0);
        assert_eq!(values.start(0), 30.0);
        assert_eq!(values.watched().collect::<Vec<_>>(), [40.0, 41.0]);
        assert_eq!(values.delays().collect::<Vec<_>>(), [50.0, 51.0, 52.0]);
        assert_eq!(values.delay(2), 52.0);
        assert_eq!(values.steady().collect::<Vec<_>>(), [60.0]);
        assert!(values.condition(0));
        assert_eq!([values.target(0), values.target(1)], [80.0, 81.0]);
        assert_eq!([values.slope(0), values.slope(1)], [100.0, 101.0]);
    }

    #[test]
    fn guards_are_counted_from_the_first_of_the_networks() {
        let guards = GuardLayout { first: 5, n_programs: 2, n_modes: 3 };
        assert_eq!(guards.mode(0), 7);
        assert_eq!(guards.number_of_mode(9), Some(2));
        assert_eq!(guards.number_of_mode(10), None);
        assert_eq!(guards.number_of_mode(6), None);
        let mut list = [0, 1, 2, 3, 4];
        let (programs, modes) = guards.split(&mut list);
        assert_eq!((&*programs, &*modes), (&[0, 1][..], &[2, 3, 4][..]));
    }
}
