//! Switching in time expressions: comparisons, `abs sign min max clamp floor ceil mod`, and `if` with a
//! number as its condition.
//!
//! Each has a state that is frozen between events, so that an expression is smooth there. A guard that
//! is affine in time alone, such as that of `t < 1.3` or of `mod(t, 0.1)`, has known roots: these are
//! time events and are hit exactly. All others are state events and are searched for. Operations
//! inside `smooth()` are evaluated as they are, and so are comparisons of numbers that change at events only.
//!
//! Not here: where an expression switches (`find.rs`), what each kind does (`kind.rs`), roots in time (`timed.rs`).

mod find;
mod kind;
mod timed;

use std::ops::Range;

use crate::expression::{Jet, Op, Program, SignalRef};
use problem::{Change, ChangeList, Event, GuardId, Side};

use find::find;
pub use kind::Kind;
pub use timed::{Affine, affine};

/// Most guards of one switch.
const MAX_GUARDS: usize = 64;

/// Where an expression is evaluated.
#[derive(Clone, Copy)]
pub struct Point<'a> {
    /// Time, s.
    pub t: f64,
    /// Argument of the law.
    pub argument: f64,
    /// Values of the signals that expressions use.
    pub signals: &'a [f64],
}

/// One place in an expression that switches.
#[derive(Clone, Debug)]
pub struct Switch {
    /// The expression.
    program: usize,
    kind: Kind,
    operands: usize,
    /// Its guards, counted from the first of all switches.
    guards: Range<usize>,
    /// Are all its guards affine in time alone?
    timed: bool,
}

/// All switches of a system.
#[derive(Clone, Debug, Default)]
pub struct Switches {
    list: Vec<Switch>,
    /// For each expression its switches by operation; empty where there are none.
    by_op: Vec<Box<[Option<u32>]>>,
    /// For each expression its switches.
    of_program: Vec<Range<usize>>,
    /// Expressions with a guard whose roots have to be searched for, and how many of their operations the last of these
    /// guards needs.
    searched: Vec<(usize, usize)>,
    /// Switches with a guard whose roots have to be searched for.
    untimed: Vec<usize>,
    /// The first guard of the switches among all guards of the system.
    pub first_guard: usize,
    n_guards: usize,
}

/// The states and guards of the switches, which change while time passes.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub struct SwitchStates {
    states: Vec<f64>,
    before: Vec<f64>,
    guards: Vec<f64>,
    stack: Vec<Option<Affine>>,
    roots: Vec<Option<Affine>>,
    /// The states that the roots belong to.
    rooted: Vec<f64>,
    /// Nothing is known yet: states follow the operands.
    fresh: bool,
    /// Grows with every change of a state.
    version: u64,
    direction: f64,
}

impl Switches {
    /// Finds the switches in the expressions.
    ///
    /// `steps` says which signals change at events only, so that their comparisons need no guard.
    pub fn new(programs: &[Program], steps: impl Fn(SignalRef) -> bool) -> Self {
        let mut all = Self::default();
        programs.iter().for_each(|program| all.push(program, &steps));
        all.find_timed(programs);
        all
    }

    /// Finds the switches in a further expression.
    pub fn push(&mut self, program: &Program, steps: impl Fn(SignalRef) -> bool) {
        let index = self.by_op.len();
        let found = find(program, steps);
        let mut by_op = vec![None; if found.is_empty() { 0 } else { program.ops().len() }];
        let first = self.list.len();
        for (op, kind, operands) in found {
            let guards = self.n_guards..self.n_guards + kind.n_guards(operands);
            by_op[op] = Some(self.list.len() as u32);
            self.n_guards = guards.end;
            self.list.push(Switch { program: index, kind, operands, guards, timed: false });
        }
        self.by_op.push(by_op.into());
        self.of_program.push(first..self.list.len());
    }

    /// The switch at an operation of an expression: its number and kind.
    pub fn at(&self, program: usize, op: usize) -> Option<(u32, Kind)> {
        let number = (*self.by_op.get(program)?.get(op)?)?;
        Some((number, self.list[number as usize].kind))
    }

    /// Number of states.
    pub fn n_states(&self) -> usize {
        self.list.len()
    }

    /// Number of guards.
    pub fn n_guards(&self) -> usize {
        self.n_guards
    }

    /// Does an expression switch?
    pub fn has(&self, program: usize) -> bool {
        self.by_op.get(program).is_some_and(|by_op| !by_op.is_empty())
    }

    /// How many operations of an expression the guards need whose roots are not known beforehand.
    pub fn n_searched(&self, program: usize) -> usize {
        self.searched.iter().find(|(index, _)| *index == program).map_or(0, |(_, count)| *count)
    }

    /// True if the states of an expression depend on the values of its guards. The guards of `min` and `max` are compared
    /// with each other, and guards of state events are searched for; all other guards have known roots in time, so that
    /// their sides are known without their values.
    pub fn has_values(&self, program: usize) -> bool {
        let own = self.of_program.get(program).cloned().unwrap_or_default();
        let decides = |kind: Kind| matches!(kind, Kind::Least | Kind::Greatest);
        self.list[own].iter().any(|switch| !switch.timed || decides(switch.kind))
    }

    /// The switch of a guard: its expression, how it is written, its states in words.
    pub fn describe(&self, guard: usize, codes: [i32; 2]) -> Option<(usize, String, [String; 2])> {
        let at = guard.checked_sub(self.first_guard)?;
        let switch = self.list.iter().find(|switch| switch.guards.contains(&at))?;
        let words = codes.map(|code| switch.kind.state_words(code));
        Some((switch.program, format!("`{}`", switch.kind.word()), words))
    }

    /// The switches whose roots are searched for, and whose guards do not depend on their states. They are left to others:
    /// neither [`search`](Self::search) nor [`SwitchStates::fill_guards`] looks after them any more.
    pub fn take_coded(&mut self) -> Vec<usize> {
        let list = &self.list;
        let is_coded = |switch: &Switch| switch.timed || !switch.kind.has_moving_guards();
        let of_program = &self.of_program;
        let mut coded = Vec::new();
        self.searched.retain(|&(index, _)| {
            let own = of_program[index].clone();
            let all = list[own.clone()].iter().all(is_coded);
            coded.extend(own.filter(|&switch| all && !list[switch].timed));
            !all
        });
        self.untimed.retain(|switch| !coded.contains(switch));
        coded
    }

    /// The kind of a switch, and its guards.
    pub fn guards_of(&self, switch: usize) -> (Kind, Range<usize>) {
        (self.list[switch].kind, self.list[switch].guards.clone())
    }

    /// The value of an expression with frozen states; leaves its guards. Allocates nothing.
    ///
    /// A frozen branch goes on beyond its border, because a step passes an event before it is found. Where it has no value
    /// there, as `sqrt(abs(x))` with a sign that is frozen, the value is that of the expression as it is written. Both agree
    /// at the border of a continuous expression, and an expression that really has no value still has none.
    pub fn evaluate(
        &self,
        (index, program): (usize, &Program),
        point: Point<'_>,
        now: &mut SwitchStates,
        stack: &mut [f64],
    ) -> f64 {
        self.execute((index, program.ops()), point, now, stack);
        if stack[0].is_finite() {
            return stack[0];
        }
        self.follow((index, program.ops()), point, &now.states, stack)
    }

    /// The states that the operands of an expression ask for, but for those of switches at known instants, which stay.
    pub fn ask(
        &self,
        (index, program): (usize, &Program),
        point: Point<'_>,
        states: &mut [f64],
        stack: &mut [f64],
    ) {
        self.walk((index, program.ops()), point, stack, |found, switch, x| {
            let state = &mut states[found];
            let first = switch.kind.first(x);
            if !switch.timed && first.is_finite() {
                *state = first;
            }
            Some(switch.kind.value(*state, x, 1.0))
        });
    }

    /// The value of an expression as it is written, where only switches at known instants are frozen.
    fn follow(
        &self,
        program: (usize, &[Op]),
        point: Point<'_>,
        states: &[f64],
        stack: &mut [f64],
    ) -> f64 {
        self.walk(program, point, stack, |found, switch, x| {
            switch.timed.then(|| switch.kind.value(states[found], x, 1.0))
        });
        stack[0]
    }

    /// Leaves the guards whose roots are not known beforehand. Allocates nothing.
    pub fn search(
        &self,
        programs: &[Program],
        point: Point<'_>,
        now: &mut SwitchStates,
        stack: &mut [f64],
    ) {
        for &(index, count) in &self.searched {
            self.execute((index, &programs[index].ops()[..count]), point, now, stack);
        }
    }

    fn execute(
        &self,
        program: (usize, &[Op]),
        point: Point<'_>,
        now: &mut SwitchStates,
        stack: &mut [f64],
    ) {
        self.walk(program, point, stack, |found, switch, x| {
            if now.fresh {
                let first = switch.kind.first(x);
                now.states[found] = if first.is_finite() { first } else { 0.0 };
                now.version += 1;
            }
            let state = now.states[found];
            let g = &mut now.guards[switch.guards.clone()];
            match switch.kind {
                Kind::Mod => switch.kind.guards(state, &[x[0] / x[1]], 1.0, g),
                kind => kind.guards(state, x, 1.0, g),
            }
            Some(switch.kind.value(state, x, 1.0))
        });
    }

    /// Evaluates an expression. `value` gives the value of a switch, by its number and operands, or nothing where it is to be taken
    /// as it is written.
    fn walk(
        &self,
        (index, ops): (usize, &[Op]),
        point: Point<'_>,
        stack: &mut [f64],
        mut value: impl FnMut(usize, &Switch, &[f64]) -> Option<f64>,
    ) {
        let mut top = 0;
        for (op, found) in ops.iter().zip(&self.by_op[index]) {
            if let Some(found) = found.map(|found| found as usize) {
                let switch = &self.list[found];
                let first = top - switch.operands;
                if let Some(value) = value(found, switch, &stack[first..top]) {
                    stack[first] = value;
                    top = first + 1;
                    continue;
                }
            }
            let signal = |signal: SignalRef| point.signals[signal.block as usize];
            top = op.apply(point.t, point.argument, signal, stack, top);
        }
    }
}

impl Switches {
    /// The value of an expression of time and of signals that rest between events, with its derivatives, in frozen states. `stack` is as deep
    /// as the expression. Allocates nothing.
    pub fn evaluate_jet(
        &self,
        (index, program): (usize, &Program),
        point: Point<'_>,
        now: &SwitchStates,
        stack: &mut [Jet],
    ) -> Jet {
        let mut top = 0;
        for (at, op) in program.ops().iter().enumerate() {
            let found = self.by_op.get(index).and_then(|by_op| by_op.get(at).copied().flatten());
            let Some(found) = found else {
                let signal = |signal: SignalRef| point.signals[signal.block as usize];
                top = op.apply_jet(point.t, signal, stack, top);
                continue;
            };
            let switch = &self.list[found as usize];
            top -= switch.operands;
            let mut parts = [[0.0; MAX_GUARDS]; 3];
            for (k, jet) in stack[top..top + switch.operands].iter().enumerate() {
                (parts[0][k], parts[1][k], parts[2][k]) = (jet.value, jet.first, jet.second);
            }
            let [x, first, second] = parts.each_ref().map(|part| &part[..switch.operands]);
            let state = if now.fresh { switch.kind.first(x) } else { now.states[found as usize] };
            // In a frozen state the value is affine in the operands.
            stack[top] = Jet {
                value: switch.kind.value(state, x, 1.0),
                first: switch.kind.value(state, first, 0.0),
                second: switch.kind.value(state, second, 0.0),
            };
            top += 1;
        }
        stack.first().copied().unwrap_or_default()
    }
}

impl SwitchStates {
    /// States before the first event, for expressions of this depth.
    pub fn new(switches: &Switches, depth: usize) -> Self {
        let n = switches.list.len();
        Self {
            states: vec![0.0; n],
            before: vec![0.0; n],
            guards: vec![0.0; switches.n_guards],
            stack: vec![None; depth],
            roots: vec![None; switches.n_guards],
            rooted: vec![f64::NAN; n],
            fresh: true,
            version: 1,
            direction: 1.0,
        }
    }

    /// The states.
    pub fn get(&self) -> &[f64] {
        &self.states
    }

    /// The states before the last event.
    pub fn before(&self) -> &[f64] {
        &self.before
    }

    /// Is nothing known yet?
    pub fn is_fresh(&self) -> bool {
        self.fresh
    }

    /// From now on states change by their guards only.
    pub fn keep(&mut self) {
        self.fresh = false;
    }

    /// Puts states in force.
    pub fn set(&mut self, states: &[f64]) {
        self.states.copy_from_slice(states);
        self.version += 1;
    }

    /// A number that is another one whenever states have changed.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Writes the guards. Those of time events say nothing, and those without a value (in a branch that
    /// is not taken) get the sign of their side.
    pub fn fill_guards(&self, switches: &Switches, values: &mut [f64]) {
        values.fill(1.0);
        for &index in &switches.untimed {
            let switch = &switches.list[index];
            let own = &mut values[switch.guards.clone()];
            let mut are_finite = true;
            for (own, g) in own.iter_mut().zip(&self.guards[switch.guards.clone()]) {
                *own = *g;
                are_finite &= g.is_finite();
            }
            if !are_finite {
                self.put_aside(switches, index, own);
            }
        }
    }

    /// Gives guards of a switch that have no value the sign of their side.
    pub fn put_aside(&self, switches: &Switches, switch: usize, own: &mut [f64]) {
        let mut sides = [Side::Unwatched; MAX_GUARDS];
        let sides = &mut sides[..own.len()];
        switches.list[switch].kind.sides(self.states[switch], sides);
        for (g, side) in own.iter_mut().zip(sides).filter(|(g, _)| !g.is_finite()) {
            *g = side.sign();
        }
    }

    /// The sides of the guards.
    pub fn fill_sides(&self, switches: &Switches, sides: &mut [Side]) {
        for (switch, &state) in switches.list.iter().zip(&self.states) {
            let sides = &mut sides[switch.guards.clone()];
            if switch.timed {
                sides.fill(Side::Unwatched);
            } else {
                switch.kind.sides(state, sides);
            }
        }
    }

    /// Tells which states are not what they were before.
    pub fn tell_changes(&self, switches: &Switches, before: &[f64], changes: &mut ChangeList) {
        for ((switch, &from), &to) in switches.list.iter().zip(before).zip(&self.states) {
            if from != to {
                let guard = GuardId(switches.first_guard + switch.guards.start);
                changes.push(Change { guard, from: from as i32, to: to as i32 });
            }
        }
    }

    /// One pass of the event iteration.
    pub fn settle(
        &mut self,
        switches: &Switches,
        programs: &[Program],
        event: &Event<'_>,
        changes: &mut ChangeList,
    ) {
        if event.iteration == 0 {
            self.before.copy_from_slice(&self.states);
        }
        self.fresh = false;
        self.update_roots(switches, programs);
        let mut sides = [None; MAX_GUARDS];
        for (index, switch) in switches.list.iter().enumerate() {
            for (place, at) in switch.guards.clone().enumerate() {
                sides[place] = match switch.timed {
                    true => self.roots[at].and_then(|root| root.side(event.t, self.direction)),
                    false => event.side(GuardId(switches.first_guard + at)),
                };
            }
            let state = self.states[index];
            let g = &self.guards[switch.guards.clone()];
            let rests_at_zero = !switch.timed
                && sides[0].is_none()
                && event.was_moved(GuardId(switches.first_guard + switch.guards.start));
            let next = match switch.kind.at_zero().filter(|_| rests_at_zero) {
                Some(next) => next,
                None => switch.kind.settle(state, &sides[..g.len()], g),
            };
            if next != state {
                self.states[index] = next;
                self.version += 1;
                let guard = GuardId(switches.first_guard + switch.guards.start);
                changes.push(Change { guard, from: state as i32, to: next as i32 });
            }
        }
    }
}
