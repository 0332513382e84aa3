//! Problems that switch, with closed forms.

use integrate::{
    BinaryStates, Cause, Change, ChangeList, EvaluationError, Event, Events, GuardId, Hints,
    Problem, Side,
};

/// Gravity of the falling bodies, m/s^2.
pub const GRAVITY: f64 = 9.81;

/// A ball that falls on a rigid floor: `v -> -restitution v` at each impact. When impacts
/// accumulate it comes to rest, if it may.
#[derive(Clone, Debug)]
pub struct BouncingBall {
    /// Ratio of speeds after and before an impact.
    pub restitution: f64,
    /// The ball has a state of rest.
    pub may_rest: bool,
    /// It rests.
    pub resting: bool,
}

impl BouncingBall {
    /// Time of the first impact from rest at height `h`.
    pub fn first_impact(h: f64) -> f64 {
        (2.0 * h / GRAVITY).sqrt()
    }
}

impl Problem for BouncingBall {
    fn len(&self) -> usize {
        2
    }

    fn derivatives(&mut self, _: f64, y: &[f64], f: &mut [f64]) -> Result<(), EvaluationError> {
        f[0] = if self.resting { 0.0 } else { y[1] };
        f[1] = if self.resting { 0.0 } else { -GRAVITY };
        Ok(())
    }
}

impl Events for BouncingBall {
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
        values[0] = y[0];
        Ok(())
    }

    fn sides(&self, sides: &mut [Side]) {
        sides[0] = if self.resting { Side::Unwatched } else { Side::Positive };
    }

    fn switch(
        &mut self,
        event: &Event<'_>,
        y: &mut [f64],
        changes: &mut ChangeList,
    ) -> Result<(), EvaluationError> {
        if event.cause == Cause::Accumulation && self.may_rest && !self.resting {
            self.resting = true;
            y.fill(0.0);
            changes.push(Change { guard: GuardId(0), from: 0, to: 1 });
        } else if event.cause == Cause::State && !event.crossed.is_empty() {
            y[1] *= -self.restitution;
            changes.values_changed();
        }
        Ok(())
    }
}

impl Hints for BouncingBall {}

/// `x' = -x + u`, `u = +-1` switched by a relay with hysteresis at `x = +-width`.
#[derive(Clone, Debug)]
pub struct Relay {
    /// Half the hysteresis.
    pub width: f64,
    /// Sign of `u`.
    pub states: BinaryStates,
}

impl Relay {
    /// A relay that is switched on.
    pub fn new(width: f64) -> Self {
        Self { width, states: BinaryStates::new(1) }
    }

    /// Time of switching n (from 1) after a start from `x = 0`.
    pub fn switching_time(&self, n: usize) -> f64 {
        let first = -(1.0 - self.width).ln();
        let half_period = ((1.0 + self.width) / (1.0 - self.width)).ln();
        first + (n - 1) as f64 * half_period
    }
}

impl Problem for Relay {
    fn len(&self) -> usize {
        1
    }

    fn derivatives(&mut self, _: f64, y: &[f64], f: &mut [f64]) -> Result<(), EvaluationError> {
        f[0] = f64::from(self.states.value(GuardId(0))) - y[0];
        Ok(())
    }
}

watched!(Relay, |_| 1, |it, y, values| values[0] =
    f64::from(it.states.value(GuardId(0))) * it.width - y[0]);

/// A unit mass that falls on a spring: `y'' = -g - omega^2 y` while `y < 0`.
#[derive(Clone, Debug)]
pub struct Trampoline {
    /// Eigenfrequency in contact, rad/s.
    pub omega: f64,
    /// +1 in flight.
    pub states: BinaryStates,
}

impl Trampoline {
    /// In flight at the beginning.
    pub fn new(omega: f64) -> Self {
        Self { omega, states: BinaryStates::new(1) }
    }

    /// Times of the first `n` contacts and releases after a fall from rest at `h`. In contact
    /// `y = (g/omega^2)(cos omega t - 1) - (v/omega) sin omega t` returns to zero at
    /// `omega t = 2 (pi - atan(v omega / g))`; it leaves with the speed of its arrival.
    pub fn switching_times(&self, h: f64, n: usize) -> Vec<f64> {
        let fall = BouncingBall::first_impact(h);
        let speed = GRAVITY * fall;
        let half_turn = std::f64::consts::PI - (speed * self.omega / GRAVITY).atan();
        let contact = 2.0 * half_turn / self.omega;
        let mut t = fall;
        let mut times = vec![t];
        while times.len() < n {
            t += if times.len() % 2 == 1 { contact } else { 2.0 * fall };
            times.push(t);
        }
        times
    }
}

impl Problem for Trampoline {
    fn len(&self) -> usize {
        2
    }

    fn derivatives(&mut self, _: f64, y: &[f64], f: &mut [f64]) -> Result<(), EvaluationError> {
        let flying = self.states.is_positive(GuardId(0));
        f[0] = y[1];
        f[1] = if flying { -GRAVITY } else { -GRAVITY - self.omega * self.omega * y[0] };
        Ok(())
    }
}

watched!(Trampoline, |_| 1, |_, y, values| values[0] = y[0]);

/// A unit mass on a spring of stiffness one that slides on a rough plane and can stick: kinetic
/// friction `slip` and the limit `stick`.
#[derive(Clone, Debug)]
pub struct Block {
    /// Friction while sliding, N.
    pub slip: f64,
    /// Largest friction at rest, N.
    pub stick: f64,
    /// Sign of the velocity while sliding, 0 while it sticks.
    pub mode: i32,
}

impl Problem for Block {
    fn len(&self) -> usize {
        2
    }

    fn derivatives(&mut self, _: f64, y: &[f64], f: &mut [f64]) -> Result<(), EvaluationError> {
        f[0] = if self.mode == 0 { 0.0 } else { y[1] };
        f[1] = if self.mode == 0 { 0.0 } else { -y[0] - f64::from(self.mode) * self.slip };
        Ok(())
    }
}

impl Events for Block {
    fn n_guards(&self) -> usize {
        2
    }

    /// Velocity, and what is left of the static limit.
    fn guards(
        &mut self,
        _: f64,
        y: &[f64],
        _: &[f64],
        values: &mut [f64],
    ) -> Result<(), EvaluationError> {
        values[0] = y[1];
        values[1] = self.stick - y[0].abs();
        Ok(())
    }

    fn sides(&self, sides: &mut [Side]) {
        let sliding = if self.mode < 0 { Side::Negative } else { Side::Positive };
        let sticking = self.mode == 0;
        sides[0] = if sticking { Side::Unwatched } else { sliding };
        sides[1] = if sticking { Side::Positive } else { Side::Unwatched };
    }

    /// At rest the spring decides: beyond the static limit it pulls the block along.
    fn switch(
        &mut self,
        event: &Event<'_>,
        y: &mut [f64],
        changes: &mut ChangeList,
    ) -> Result<(), EvaluationError> {
        let stopped = event.cause == Cause::Start || event.crossed.iter().any(|c| c.guard.0 == 0);
        let released = event.crossed.iter().any(|c| c.guard.0 == 1);
        if event.iteration > 0 || !(stopped || released) {
            return Ok(());
        }
        let new = if y[0].abs() <= self.stick && !released {
            0
        } else if y[0] > 0.0 {
            -1
        } else {
            1
        };
        y[1] = 0.0;
        changes.push(Change { guard: GuardId(0), from: self.mode, to: new });
        self.mode = new;
        Ok(())
    }
}

impl Hints for Block {}

/// `x'' = -x` watched by guards that are functions of time and state; their sides are recorded
/// and change nothing.
pub struct Watched {
    /// The guards.
    pub guards: Vec<fn(f64, &[f64]) -> f64>,
    /// Every crossing as (time, guard, rising).
    pub crossings: Vec<(f64, usize, bool)>,
}

impl Watched {
    /// No crossing recorded yet.
    pub fn new(guards: Vec<fn(f64, &[f64]) -> f64>) -> Self {
        Self { guards, crossings: Vec::new() }
    }
}

impl Problem for Watched {
    fn len(&self) -> usize {
        2
    }

    fn derivatives(&mut self, _: f64, y: &[f64], f: &mut [f64]) -> Result<(), EvaluationError> {
        f[0] = y[1];
        f[1] = -y[0];
        Ok(())
    }
}

impl Events for Watched {
    fn n_guards(&self) -> usize {
        self.guards.len()
    }

    fn guards(
        &mut self,
        t: f64,
        y: &[f64],
        _: &[f64],
        values: &mut [f64],
    ) -> Result<(), EvaluationError> {
        for (value, guard) in values.iter_mut().zip(&self.guards) {
            *value = guard(t, y);
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

impl Hints for Watched {}
