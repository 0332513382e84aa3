//! Small problems, each made for one property of the event handling.

use std::f64::consts::PI;

use integrate::{
    BinaryStates, Cause, Change, ChangeList, EvaluationError, Event, Events, GuardId, Hints,
    Problem, Side,
};

/// `y' = 1` and `y' = -1` in turn, switched by a clock every 0.25 s: no search, exact times.
#[derive(Clone, Debug)]
pub struct Clocked {
    /// Derivative.
    pub slope: f64,
    /// No clock; asks for an event after the step that passes 1/2.
    pub asked_at_step: bool,
}

impl Problem for Clocked {
    fn len(&self) -> usize {
        1
    }

    fn derivatives(&mut self, _: f64, _: &[f64], f: &mut [f64]) -> Result<(), EvaluationError> {
        f[0] = self.slope;
        Ok(())
    }
}

impl Events for Clocked {
    fn next_time_event(&mut self, t: f64, direction: f64) -> Option<f64> {
        let next = if direction > 0.0 { (t / 0.25).floor() + 1.0 } else { (t / 0.25).ceil() - 1.0 };
        (!self.asked_at_step).then_some(0.25 * next)
    }

    fn step_event(&mut self, _: f64, y: &[f64], _: &[f64]) -> Result<bool, EvaluationError> {
        Ok(self.asked_at_step && y[0] > 0.5 && self.slope > 0.0)
    }

    fn switch(
        &mut self,
        event: &Event<'_>,
        _: &mut [f64],
        changes: &mut ChangeList,
    ) -> Result<(), EvaluationError> {
        if event.iteration == 0 && event.t > 0.0 {
            self.slope = -self.slope;
            changes.values_changed();
        }
        Ok(())
    }
}

impl Hints for Clocked {}

/// Two states, each of which wants what the other has not: they never settle.
#[derive(Clone, Debug)]
pub struct Quarrel(pub bool);

impl Problem for Quarrel {
    fn len(&self) -> usize {
        1
    }

    fn derivatives(&mut self, _: f64, _: &[f64], f: &mut [f64]) -> Result<(), EvaluationError> {
        f[0] = 1.0;
        Ok(())
    }
}

impl Events for Quarrel {
    fn n_guards(&self) -> usize {
        3
    }

    fn guards(
        &mut self,
        _: f64,
        y: &[f64],
        _: &[f64],
        values: &mut [f64],
    ) -> Result<(), EvaluationError> {
        values.copy_from_slice(&[1.0, y[0] - 0.5, if self.0 { 1.0 } else { -1.0 }]);
        Ok(())
    }

    fn switch(
        &mut self,
        event: &Event<'_>,
        _: &mut [f64],
        changes: &mut ChangeList,
    ) -> Result<(), EvaluationError> {
        if event.t > 0.0 {
            self.0 = !self.0;
            changes.push(Change { guard: GuardId(2), from: 0, to: 1 });
            changes.push(Change { guard: GuardId(1), from: 0, to: 1 });
        }
        Ok(())
    }
}

impl Hints for Quarrel {}

/// An event at `y_0 = 2` puts the state back to the start.
#[derive(Clone, Debug)]
pub struct Sawtooth;

impl Problem for Sawtooth {
    fn len(&self) -> usize {
        2
    }

    fn derivatives(&mut self, _: f64, y: &[f64], f: &mut [f64]) -> Result<(), EvaluationError> {
        f[0] = 1.0 + y[1] * y[1];
        f[1] = (3.0 * y[0]).cos();
        Ok(())
    }
}

impl Events for Sawtooth {
    fn n_guards(&self) -> usize {
        1
    }

    fn guards(
        &mut self,
        _: f64,
        y: &[f64],
        _: &[f64],
        values: &mut [f64],
    ) -> Result<(), EvaluationError> {
        values[0] = 2.0 - y[0];
        Ok(())
    }

    fn sides(&self, sides: &mut [Side]) {
        sides[0] = Side::Positive;
    }

    fn switch(
        &mut self,
        event: &Event<'_>,
        y: &mut [f64],
        changes: &mut ChangeList,
    ) -> Result<(), EvaluationError> {
        if !event.crossed.is_empty() {
            y.fill(0.0);
            changes.values_changed();
        }
        Ok(())
    }
}

impl Hints for Sawtooth {}

/// `y' = sin 3t`, and `y` jumps by one at every multiple of the interval.
#[derive(Clone, Debug)]
pub struct Stairs {
    /// Seconds between jumps.
    pub interval: f64,
}

impl Problem for Stairs {
    fn len(&self) -> usize {
        1
    }

    fn derivatives(&mut self, t: f64, _: &[f64], f: &mut [f64]) -> Result<(), EvaluationError> {
        f[0] = (3.0 * t).sin();
        Ok(())
    }
}

impl Events for Stairs {
    fn next_time_event(&mut self, t: f64, _: f64) -> Option<f64> {
        Some(self.interval * ((t / self.interval).round() + 1.0))
    }

    fn switch(
        &mut self,
        event: &Event<'_>,
        y: &mut [f64],
        changes: &mut ChangeList,
    ) -> Result<(), EvaluationError> {
        if event.t > 0.0 && event.iteration == 0 {
            y[0] += 1.0;
            changes.values_changed();
        }
        Ok(())
    }
}

impl Hints for Stairs {}

/// `x'' = -x`, watched by `x - c` for each level `c`.
#[derive(Clone, Debug)]
pub struct Levels {
    /// The levels.
    pub levels: Vec<f64>,
    /// Every crossing as (time, level, rising).
    pub crossings: Vec<(f64, usize, bool)>,
}

impl Levels {
    /// The crossings of `cos t` before `end`.
    pub fn expected(&self, end: f64) -> Vec<(f64, usize, bool)> {
        let mut expected = Vec::new();
        for (i, level) in self.levels.iter().enumerate() {
            let mut turn = 0.0;
            while turn < end {
                expected.push((turn + level.acos(), i, false));
                turn += 2.0 * PI;
                expected.push((turn - level.acos(), i, true));
            }
        }
        expected.retain(|crossing| crossing.0 < end);
        expected.sort_by(|a, b| a.0.total_cmp(&b.0));
        expected
    }
}

impl Problem for Levels {
    fn len(&self) -> usize {
        2
    }

    fn derivatives(&mut self, _: f64, y: &[f64], f: &mut [f64]) -> Result<(), EvaluationError> {
        f[0] = y[1];
        f[1] = -y[0];
        Ok(())
    }
}

impl Events for Levels {
    fn n_guards(&self) -> usize {
        self.levels.len()
    }

    fn guards(
        &mut self,
        _: f64,
        y: &[f64],
        _: &[f64],
        values: &mut [f64],
    ) -> Result<(), EvaluationError> {
        for (value, level) in values.iter_mut().zip(&self.levels) {
            *value = y[0] - level;
        }
        Ok(())
    }

    fn switch(
        &mut self,
        event: &Event<'_>,
        _: &mut [f64],
        _: &mut ChangeList,
    ) -> Result<(), EvaluationError> {
        for crossing in event.crossed {
            self.crossings.push((event.t, crossing.guard.0, crossing.rising));
        }
        Ok(())
    }
}

impl Hints for Levels {}

/// No continuous state; counts the seconds.
#[derive(Clone, Debug)]
pub struct Clock(pub usize);

impl Problem for Clock {
    fn len(&self) -> usize {
        0
    }

    fn derivatives(&mut self, _: f64, _: &[f64], _: &mut [f64]) -> Result<(), EvaluationError> {
        Ok(())
    }
}

impl Events for Clock {
    fn next_time_event(&mut self, t: f64, _: f64) -> Option<f64> {
        Some(t.floor() + 1.0)
    }

    fn switch(
        &mut self,
        event: &Event<'_>,
        _: &mut [f64],
        _: &mut ChangeList,
    ) -> Result<(), EvaluationError> {
        self.0 += usize::from(event.cause == Cause::Time);
        Ok(())
    }
}

impl Hints for Clock {}

/// A fixed sequence of numbers in [0, 1): the same in every run.
#[derive(Clone, Debug)]
pub struct Sequence(pub u64);

impl Sequence {
    /// The next number.
    pub fn draw(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// `x'' = -omega^2 x - damping x' + sum_i push_i s_i`, with `s_i` the side of `slope_i x - level_i`: a
/// random relay system. The rates of its guards are continuous, so none can slide along zero.
#[derive(Clone, Debug)]
pub struct Pushed {
    /// `omega^2` and the damping.
    pub spring: [f64; 2],
    /// One relay each: push, slope, level.
    pub relays: Vec<[f64; 3]>,
    /// Their states.
    pub states: BinaryStates,
}

impl Pushed {
    /// A system with `n` relays, from the sequence.
    pub fn random(sequence: &mut Sequence, n: usize) -> Self {
        let spring = [1.0 + 8.0 * sequence.draw(), 0.5 * sequence.draw()];
        let mut between = |low: f64, high: f64| low + (high - low) * sequence.draw();
        let relays =
            (0..n).map(|_| [between(-1.0, 1.0), between(-1.0, 1.0), between(-0.5, 0.5)]).collect();
        Self { spring, relays, states: BinaryStates::new(n) }
    }
}

impl Problem for Pushed {
    fn len(&self) -> usize {
        2
    }

    fn derivatives(&mut self, _: f64, y: &[f64], f: &mut [f64]) -> Result<(), EvaluationError> {
        f[0] = y[1];
        f[1] = -self.spring[0] * y[0] - self.spring[1] * y[1];
        for (i, relay) in self.relays.iter().enumerate() {
            f[1] += relay[0] * f64::from(self.states.value(GuardId(i)));
        }
        Ok(())
    }
}

watched!(Pushed, |it| it.relays.len(), |it, y, values| {
    for (value, relay) in values.iter_mut().zip(&it.relays) {
        *value = relay[1] * y[0] - relay[2];
    }
});

/// `y' = -s` with `s` the side of `y`: after it has reached zero, `y` slides along it.
#[derive(Clone, Debug)]
pub struct Slider {
    /// The side.
    pub states: BinaryStates,
}

impl Problem for Slider {
    fn len(&self) -> usize {
        1
    }

    fn derivatives(&mut self, _: f64, _: &[f64], f: &mut [f64]) -> Result<(), EvaluationError> {
        f[0] = -f64::from(self.states.value(GuardId(0)));
        Ok(())
    }
}

watched!(Slider, |_| 1, |_, y, values| values[0] = y[0]);
