//! Events of a motion with sensitivities: instants, jumps, and what the neighbours make of them.

use integrate::{Cause, ChangeList, EvaluationError, Event, Events, Problem, Side};

use super::{Bundle, VARIATION, place};
use crate::system::{Run, Snapshot, have_same_modes};

/// Passes in which the modes of a neighbour must come to rest.
const MOST_PASSES: usize = 100;
/// Instants of two neighbours whose middle is further off the event than this part of their distance belong to two
/// things that happen at one instant.
const ONE_SIDED: f64 = 1e-3;
/// A guard that changes more slowly than this part of its fastest change at this instant only touches zero.
const GRAZING: f64 = 1e-9;

/// An event on its way through the neighbours of one parameter.
#[derive(Default)]
pub(super) struct Crossing {
    /// States of both before, at the instants of both, and behind.
    before: [Vec<f64>; 2],
    behind: [Vec<f64>; 2],
    /// What both remembered before.
    memory: [Option<Snapshot>; 2],
    /// A neighbour could not carry the event out.
    has_failed: bool,
}

impl Events for Bundle<'_> {
    fn branch(&self) -> u64 {
        self.run.branch()
    }

    fn n_guards(&self) -> usize {
        self.run.n_guards()
    }

    fn guards(
        &mut self,
        t: f64,
        y: &[f64],
        ydot: &[f64],
        values: &mut [f64],
    ) -> Result<(), EvaluationError> {
        let y = self.own(y);
        self.run.guards(t, y, ydot, values)
    }

    fn sides(&self, sides: &mut [Side]) {
        self.run.sides(sides);
    }

    fn guard_scales(&self, scales: &mut [f64]) {
        self.run.guard_scales(scales);
    }

    fn next_time_event(&mut self, t: f64, direction: f64) -> Option<f64> {
        for pair in &mut self.pairs {
            for side in 0..2 {
                // A neighbour that has its event a little later must not announce this event again.
                let asked = if self.last_event == Some(t) { pair.times[side] } else { t };
                pair.instants[side] = pair.runs[side].next_time_event(asked, direction);
            }
        }
        self.run.next_time_event(t, direction)
    }

    fn step_event(&mut self, t: f64, y: &[f64], ydot: &[f64]) -> Result<bool, EvaluationError> {
        let own = self.own(y);
        let asked = self.run.step_event(t, own, ydot)?;
        self.each_neighbour(y, |run, y| run.step_event(t, y, &[]).map(drop))?;
        Ok(asked)
    }

    fn recorded_points(&self) -> &'static [f64] {
        self.run.recorded_points()
    }

    fn record(&mut self, part: [f64; 2], point: usize, y: &[f64]) -> Result<(), EvaluationError> {
        let own = self.own(y);
        self.run.record(part, point, own)?;
        self.each_neighbour(y, |run, y| run.record(part, point, y))
    }

    fn switch(
        &mut self,
        event: &Event<'_>,
        y: &mut [f64],
        changes: &mut ChangeList,
    ) -> Result<(), EvaluationError> {
        if self.pairs.is_empty() {
            return self.run.switch(event, y, changes);
        }
        let n = self.work.y.len();
        if event.iteration == 0 {
            self.is_carried = false;
            begin(self, event, y);
        }
        // One more pass evaluates the rates of the sensitivities that the event has changed.
        if self.is_carried {
            return Ok(());
        }
        let own = Event { ydot: &event.ydot[..n], ..*event };
        self.run.switch(&own, &mut y[..n], changes)?;
        if changes.is_settled() && event.iteration > 0 {
            end(self, event, y);
            self.is_carried = true;
            changes.values_changed();
        }
        Ok(())
    }
}

/// Lets all neighbours have the event.
fn begin(bundle: &mut Bundle<'_>, event: &Event<'_>, y: &[f64]) {
    let n = bundle.work.y.len();
    let slope = match event.cause {
        Cause::State | Cause::Accumulation => guard_slope(bundle, event, y),
        _ => None,
    };
    bundle.last_event = Some(event.t);
    for index in 0..bundle.pairs.len() {
        let rate = match event.cause {
            Cause::State | Cause::Accumulation => {
                slope.map_or(0.0, |slope| guard_rate(bundle, event, y, index, slope))
            }
            Cause::Time => instant_rate(bundle, event.t, index),
            Cause::Start | Cause::Step | Cause::Outside => 0.0,
        };
        let pair = &mut bundle.pairs[index];
        pair.crossing.has_failed = false;
        for side in 0..2 {
            let shift = pair.of.shifts[side];
            let t = match (event.cause, pair.instants[side]) {
                (Cause::Time, Some(instant)) if rate != 0.0 => instant,
                _ => event.t + shift * rate,
            };
            pair.times[side] = t;
            let before = &mut pair.crossing.before[side];
            before.resize(n, 0.0);
            place(before, y, n, index, shift);
            for (y, f) in before.iter_mut().zip(event.ydot) {
                *y += shift * rate * f;
            }
            let run = &mut pair.runs[side];
            if let Some(slope) = slope {
                pair.times[side] = meet(run, t, before, event, slope, &mut bundle.work.guards[0]);
            }
            pair.crossing.memory[side] = Some(run.snapshot());
            let settled = settle(run, pair.times[side], event, before);
            let behind = &mut pair.crossing.behind[side];
            behind.clone_from(before);
            match settled {
                Some(state) => behind.copy_from_slice(&state),
                None => pair.crossing.has_failed = true,
            }
        }
    }
}

/// Lets a neighbour go on until its guard has the value that it has in the motion, behind zero by as much; gives the instant.
/// The instant is known to the first order already, and what remains would decide about the modes.
fn meet(
    run: &mut Run<'_>,
    mut t: f64,
    y: &mut [f64],
    event: &Event<'_>,
    (guard, slope): (usize, f64),
    values: &mut [f64],
) -> f64 {
    for _ in 0..2 {
        if run.guards(t, y, event.ydot, values).is_err() {
            break;
        }
        let left = (event.guards[guard] - values[guard]) / slope;
        t += left;
        y.iter_mut().zip(event.ydot).for_each(|(y, f)| *y += left * f);
    }
    t
}

/// Lets a neighbour settle its modes at its own instant and state; gives the state behind the event.
fn settle(run: &mut Run<'_>, t: f64, event: &Event<'_>, before: &[f64]) -> Option<Vec<f64>> {
    let mut y = before.to_vec();
    let mut ydot = vec![0.0; y.len()];
    let mut guards = vec![0.0; event.guards.len()];
    let mut changes = ChangeList::with_capacity(4 * guards.len() + 16);
    let mut acted: Option<Vec<f64>> = None;
    run.project(t, &mut y).ok()?;
    for iteration in 0..MOST_PASSES {
        run.derivatives(t, &y, &mut ydot).ok()?;
        run.guards(t, &y, &ydot, &mut guards).ok()?;
        changes.clear();
        let own = Event {
            t,
            iteration,
            crossed: if iteration == 0 { event.crossed } else { &[] },
            guards: &guards,
            ydot: &ydot,
            delay: 0.0,
            acted: acted.as_deref(),
            ..*event
        };
        run.switch(&own, &mut y, &mut changes).ok()?;
        if changes.is_settled() {
            return Some(y);
        }
        if changes.counts_anew() && acted.is_none() {
            acted = Some(guards.clone());
        }
    }
    None
}

/// Finds the sensitivities behind an event, whose rates are those of the motion behind it.
fn end(bundle: &mut Bundle<'_>, event: &Event<'_>, y: &mut [f64]) {
    let Bundle { run, pairs, notes, .. } = bundle;
    let n = run.system.n_states();
    let (own, sensitivities) = y.split_at_mut(n);
    for (index, pair) in pairs.iter_mut().enumerate() {
        let others = pair.runs.iter().any(|neighbour| !have_same_modes(neighbour, run));
        if pair.crossing.has_failed || others {
            tell(&mut pair.is_told, notes, || {
                format!(
                    "with another value of `{}` the model does not switch as it does with its own, first at t = {} s: the \
                     derivative may not exist there; it goes on as if modes changed and nothing else",
                    pair.of.name, event.t
                )
            });
            take_modes(run, pair, own, event.t);
        }
        let [low, high] = &pair.crossing.behind;
        let rate = (pair.times[1] - pair.times[0]) / pair.of.distance();
        let s = &mut sensitivities[n * index..][..n];
        for (((s, low), high), f) in s.iter_mut().zip(low).zip(high).zip(event.ydot) {
            *s = (high - low) / pair.of.distance() - f * rate;
        }
    }
}

/// Tells the user once for each parameter.
fn tell(is_told: &mut bool, notes: &mut Vec<String>, words: impl FnOnce() -> String) {
    if !std::mem::replace(is_told, true) {
        notes.push(words());
    }
}

/// Lets both neighbours have the modes of the motion, and its jump.
fn take_modes(run: &Run<'_>, pair: &mut super::Pair<'_>, own: &[f64], t: f64) {
    let crossing = &mut pair.crossing;
    let [low, high] = &crossing.before;
    // The motion before the event is in the middle of both.
    let shifts = pair.of.shifts;
    let weight = shifts[1] / (shifts[1] - shifts[0]);
    let jump: Vec<f64> = (low.iter().zip(high).zip(own))
        .map(|((low, high), own)| own - (weight * low + (1.0 - weight) * high))
        .collect();
    for side in 0..2 {
        if let Some(memory) = crossing.memory[side].take() {
            pair.runs[side].restore(&memory);
        }
        crate::system::take_modes(&mut pair.runs[side], run);
        let behind = &mut crossing.behind[side];
        behind.clone_from(&crossing.before[side]);
        behind.iter_mut().zip(&jump).for_each(|(y, jump)| *y += jump);
        // States of one-sided memory follow the state.
        let _ = pair.runs[side].step_event(t, behind, &[]);
    }
}

/// The guard that crossed zero, and how fast it does so along the motion.
fn guard_slope(bundle: &mut Bundle<'_>, event: &Event<'_>, y: &[f64]) -> Option<(usize, f64)> {
    let n = bundle.work.y.len();
    let guard = event.crossed.first()?.guard.0;
    let span = time_scale(bundle, &y[..n], &event.ydot[..n]);
    let span = (VARIATION * span).max(1e-9 * event.t.abs());
    let (own, rates) = (&y[..n], &event.ydot[..n]);
    let Bundle { run, work, .. } = bundle;
    let mut largest: f64 = 0.0;
    for (side, part) in [-span, span].into_iter().enumerate() {
        for ((out, y), f) in work.y.iter_mut().zip(own).zip(rates) {
            *out = y + part * f;
        }
        run.guards(event.t + part, &work.y, rates, &mut work.guards[side]).ok()?;
        largest = largest.max(work.guards[side][guard].abs());
    }
    let slope = (work.guards[1][guard] - work.guards[0][guard]) / (2.0 * span);
    if slope == 0.0 || slope.abs() * span < GRAZING * largest {
        let words = "a guard touches zero without crossing it: the derivative of this instant does not exist";
        bundle.notes.push(format!("at t = {} s {words}", event.t));
        return None;
    }
    Some((guard, slope))
}

/// A time in which no state changes by more than its size: a state that is near zero has a thousandth of the largest.
fn time_scale(bundle: &Bundle<'_>, y: &[f64], f: &[f64]) -> f64 {
    let largest = y.iter().fold(0.0, |largest: f64, y| largest.max(y.abs()));
    let mut span = 100.0 * bundle.run.system.model.solver.largest_step;
    for (y, f) in y.iter().zip(f).filter(|(_, f)| **f != 0.0) {
        let size = y.abs() + 1e-3 * largest;
        if size > 0.0 {
            span = span.min(size / f.abs());
        }
    }
    span
}

/// How the instant of a crossing depends on a parameter.
fn guard_rate(
    bundle: &mut Bundle<'_>,
    event: &Event<'_>,
    y: &[f64],
    index: usize,
    (guard, slope): (usize, f64),
) -> f64 {
    let Bundle { pairs, work, .. } = bundle;
    let n = work.y.len();
    let pair = &mut pairs[index];
    for side in 0..2 {
        place(&mut work.y, y, n, index, pair.of.shifts[side]);
        let told = pair.runs[side].guards(event.t, &work.y, event.ydot, &mut work.guards[side]);
        if told.is_err() {
            return 0.0;
        }
    }
    let change = work.guards[1][guard] - work.guards[0][guard];
    -change / (pair.of.distance() * slope)
}

/// How a known instant depends on a parameter.
fn instant_rate(bundle: &mut Bundle<'_>, t: f64, index: usize) -> f64 {
    let Bundle { pairs, notes, .. } = bundle;
    let pair = &mut pairs[index];
    let [Some(low), Some(high)] = pair.instants else { return 0.0 };
    let apart = high - low;
    if apart == 0.0 {
        return 0.0;
    }
    let shifts = pair.of.shifts;
    let expected = low - apart * shifts[0] / pair.of.distance();
    if (expected - t).abs() > ONE_SIDED * apart.abs() + 1e-13 * t.abs() {
        tell(&mut pair.is_told, notes, || {
            format!(
                "several things happen at one instant that `{}` would part, first at t = {t} s: their order, and with it \
                 the derivative, is not defined; the instant counts as fixed",
                pair.of.name
            )
        });
        return 0.0;
    }
    apart / pair.of.distance()
}
