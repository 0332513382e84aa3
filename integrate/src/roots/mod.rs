//! Finds the first zero of any guard inside a step, on the interpolant, to round-off.
//!
//! A guard is looked at through `r = sign * g`, with `sign` that of the side on which it belongs:
//! `r > 0` while nothing happens, and a root is where `r` falls below zero. The located time is the
//! far end of the final bracket, so the sign has really changed there.
//!
//! A guard at zero, at the start or after its own event, is *unarmed*: its value is noise, so its
//! root is shifted to `r = -band` until `r` has exceeded `+band` once. So an event is not repeated
//! by round-off, and not lost either if the guard leaves zero on the wrong side.
//!
//! An even number of crossings shows at neither end of a step. The interpolant is therefore
//! sampled inside the step, and where a parabola through three samples has its minimum between
//! them it is followed down until it is below zero or clearly turns above it. Where the first samples
//! show that all guards stay far from zero beside what they change, there are no more. A method that
//! evaluates the system inside its steps anyway brings the first samples along.
//!
//! The interpolant of a multistep method does not quite pass through the beginning of the step. The
//! gap, an error within the tolerance, is spread linearly over the step, so that the path searched
//! for roots has no jumps: near a zero just left they would be taken for crossings.
//!
//! Not here: what a crossing means (`Events::switch`), clusters in time (`chatter.rs`).

mod narrow;
mod watch;

use super::tolerance::time_resolution;
use narrow::{Bracket, Reading};

use super::{Crossing, EvaluationError, GuardId, HybridSystem, IntegrationError, Method, Side};
use watch::{GuardWatch, ZERO_BAND};

/// Bounds on the number of parts in which a step is sampled.
const PARTS: (usize, usize) = (3, 32);
/// A guard whose distance from zero exceeds its change and this factor times its second difference does not reach zero.
const CALM: f64 = 2.0;
/// Number of parts of a step from which on a few samples are inspected before all others.
const MANY_PARTS: usize = 8;
/// Largest number of samples of a calm step, both ends included.
const MOST_SAMPLES: usize = 8;
/// Number of events of one guard, none with the guard outside its band before, that make an accumulation.
pub(super) const ACCUMULATION_LIMIT: usize = 10;

/// Watches all guards of a problem.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub(super) struct RootFinder {
    n: usize,
    watches: Vec<GuardWatch>,
    /// Guards that are watched in the present modes.
    watched: Vec<usize>,
    /// Guard values at the beginning of the step.
    start: Vec<f64>,
    /// Guard values at the beginning of the step before, and the length of that step; no length after an event.
    earlier: Vec<f64>,
    length: Option<f64>,
    /// Guard values at the sample points of the step, row by row; row 0 is the beginning.
    samples: Vec<f64>,
    values: Vec<f64>,
    bands: Vec<f64>,
    sides: Vec<Side>,
    y: Vec<f64>,
    ydot: Vec<f64>,
    /// State at the beginning of the step.
    y_start: Vec<f64>,
    /// State at the beginning of the step minus the interpolant there.
    gap: Vec<f64>,
    crossed: Vec<Crossing>,
    /// Root of each guard in the step under search; NaN where there is none.
    found: Vec<f64>,
    evaluations: u64,
}

/// Events of one guard that belong together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cluster {
    pub guard: GuardId,
    pub events: usize,
    pub t_first: f64,
}

/// The step under search, and how to evaluate inside it.
struct Inside<'a> {
    problem: &'a mut dyn HybridSystem,
    method: &'a mut dyn Method,
    t_a: f64,
    t_b: f64,
}

impl RootFinder {
    pub fn new(n_states: usize, n_guards: usize) -> Self {
        Self {
            n: n_guards,
            watches: vec![GuardWatch::new(); n_guards],
            watched: Vec::with_capacity(n_guards),
            start: vec![0.0; n_guards],
            earlier: vec![0.0; n_guards],
            length: None,
            samples: vec![0.0; n_guards * (PARTS.1 + 1)],
            values: vec![0.0; n_guards],
            bands: vec![ZERO_BAND; n_guards],
            sides: vec![Side::Positive; n_guards],
            y: vec![0.0; n_states],
            ydot: vec![0.0; n_states],
            y_start: vec![0.0; n_states],
            gap: vec![0.0; n_states],
            crossed: Vec::with_capacity(n_guards),
            found: vec![f64::NAN; n_guards],
            evaluations: 0,
        }
    }

    /// Guard values at the last point evaluated.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// State and derivative at the last root.
    pub fn state(&self) -> (&[f64], &[f64]) {
        (&self.y, &self.ydot)
    }

    /// Half widths of the zero bands.
    pub fn bands(&self) -> &[f64] {
        &self.bands
    }

    /// Guards that crossed at the last root.
    pub fn crossed(&self) -> &[Crossing] {
        &self.crossed
    }

    pub fn clear_crossed(&mut self) {
        self.crossed.clear();
    }

    /// Evaluations of the guards since the last call.
    pub fn take_evaluations(&mut self) -> u64 {
        std::mem::take(&mut self.evaluations)
    }

    /// Evaluates the guards at a point.
    pub fn evaluate(
        &mut self,
        problem: &mut dyn HybridSystem,
        t: f64,
        y: &[f64],
        ydot: &[f64],
    ) -> Result<(), EvaluationError> {
        self.evaluations += 1;
        problem.guards(t, y, ydot, &mut self.values)?;
        super::problem::check_finite(&self.values)
    }

    /// Asks for the scales and takes the sides of the values last evaluated.
    pub fn begin(&mut self, problem: &mut dyn HybridSystem) {
        self.bands.fill(1.0);
        problem.guard_scales(&mut self.bands);
        for i in 0..self.n {
            let watch = &mut self.watches[i];
            watch.scale = self.bands[i];
            watch.band = ZERO_BAND * watch.scale;
            watch.forget();
            watch.side = Side::of(self.values[i]);
            self.bands[i] = watch.band;
        }
        self.crossed.clear();
    }

    /// After the modes have settled: takes over sides and values, and arms the guards that are clear of zero.
    pub fn rearm(&mut self, problem: &mut dyn HybridSystem, y: &[f64]) {
        self.y_start.copy_from_slice(y);
        for i in 0..self.n {
            // A guard that crossed is on its new side; a guard inside its band stays on its old side.
            let (g, watch) = (self.values[i], &self.watches[i]);
            let crossing = self.crossed.iter().find(|c| c.guard.0 == i);
            self.sides[i] = match crossing {
                Some(c) if c.rising => Side::Positive,
                Some(_) => Side::Negative,
                None if g.abs() > watch.band => Side::of(g),
                None => watch.side,
            };
        }
        // The problem has the last word on the sides, and says which guards are not watched.
        problem.sides(&mut self.sides);
        for i in 0..self.n {
            self.watches[i].rearm(self.sides[i], self.values[i]);
            self.bands[i] = self.watches[i].band;
        }
        self.watched.clear();
        self.watched.extend((0..self.n).filter(|&i| self.watches[i].side != Side::Unwatched));
        self.start.copy_from_slice(&self.values);
        self.length = None;
    }

    /// A guard that has fired too often without leaving zero.
    pub fn accumulation(&self) -> Option<Cluster> {
        let found = self.watches.iter().position(|w| w.repetitions >= ACCUMULATION_LIMIT)?;
        let watch = &self.watches[found];
        Some(Cluster { guard: GuardId(found), events: watch.repetitions, t_first: watch.t_first })
    }

    /// A guard that slides along zero, reported at every so many of its events.
    pub fn sliding(&self) -> Option<Cluster> {
        let crossed = self.crossed.iter().map(|c| c.guard.0);
        let found = crossed.into_iter().find(|i| self.watches[*i].is_sliding())?;
        let watch = &self.watches[found];
        Some(Cluster { guard: GuardId(found), events: watch.alternations, t_first: watch.t_first })
    }

    /// Forgets an accumulation that has been dealt with.
    pub fn forget_accumulation(&mut self) {
        self.watches.iter_mut().for_each(GuardWatch::forget);
    }

    /// Looks for the first root after `t_a` in the step that ended at `method.t()`. With `locate` false only the end of the
    /// step is evaluated, and the end counts as the time of the event.
    pub fn search(
        &mut self,
        problem: &mut dyn HybridSystem,
        method: &mut dyn Method,
        t_a: f64,
        locate: bool,
    ) -> Result<Option<f64>, IntegrationError> {
        self.crossed.clear();
        let t_b = method.t();
        let wanted = method.parts_to_inspect().clamp(PARTS.0, PARTS.1);
        let parts = if locate { wanted } else { 1 };
        let mut inside = Inside { problem, method, t_a, t_b };
        // The end of the step is evaluated in any case: it is the last sample.
        self.evaluate_inside(&mut inside, t_b)?;
        let end = parts * self.n;
        self.samples[end..end + self.n].copy_from_slice(&self.values);
        // Three cheap tests that no guard comes near zero: from the two last steps, from samples at the stages of the method,
        // and from two samples of the interpolant.
        if parts > 1 && inside.method.has_short_steps() && self.is_calm(t_b - t_a) {
            self.keep_end(parts, t_b - t_a, inside.method.y());
            return Ok(None);
        }
        let told = if parts > 1 { self.is_calm_at_stages(inside.method, t_a) } else { None };
        if told == Some(true) {
            self.keep_end(parts, t_b - t_a, inside.method.y());
            return Ok(None);
        }
        self.begin_samples(&mut inside, parts)?;
        let first = [parts / 3, 3 * parts / 4];
        // Samples of the method that are not calm may have seen a crossing that two other samples miss.
        let looks_first = parts >= MANY_PARTS && told.is_none();
        if looks_first {
            first.iter().try_for_each(|&part| self.sample(&mut inside, parts, part))?;
            let at = |part: usize| {
                let row = &self.samples[part * self.n..(part + 1) * self.n];
                (part as f64 / parts as f64, row)
            };
            if self.is_calm_at(&[at(0), at(first[0]), at(first[1]), at(parts)], None) {
                self.keep_end(parts, t_b - t_a, inside.method.y());
                return Ok(None);
            }
        }
        // The step is not calm: all samples, then the first root of each guard.
        for part in (1..parts).filter(|part| !looks_first || !first.contains(part)) {
            self.sample(&mut inside, parts, part)?;
        }
        self.found.fill(f64::NAN);
        for k in 0..self.watched.len() {
            let i = self.watched[k];
            let root = self.first_root(&mut inside, i, parts, locate)?;
            self.found[i] = root.unwrap_or(f64::NAN);
        }
        // NaN distances lose every comparison, so guards without a root drop out.
        let distance = |t: &f64| (t - t_a).abs();
        let earliest = self.found.iter().map(distance).fold(f64::INFINITY, f64::min);
        if !earliest.is_finite() {
            self.keep_end(parts, t_b - t_a, inside.method.y());
            return Ok(None);
        }
        // Roots closer than the resolution of time are one event, at the latest of these roots.
        let same = earliest + time_resolution(t_b);
        let (mut t, mut last) = (t_b, -1.0);
        for root in &self.found {
            if distance(root) <= same && distance(root) > last {
                (t, last) = (*root, distance(root));
            }
        }
        self.settle_root(&mut inside, t, last)?;
        Ok(Some(t))
    }

    /// Whether all guards are so far from zero that none reaches zero between the ends of the last step.
    ///
    /// A guard with values r0, r1 at the ends and the second difference c over this step and the one before lies
    /// at most about c/8 below the lesser end. Here it has to be farther away than its whole change and twice c.
    /// A guard that is zero at both ends, such as the speed of a shaft at rest, stays at zero.
    fn is_calm(&self, h: f64) -> bool {
        let Some(length) = self.length else { return false };
        let quotient = h / length;
        self.watched.iter().all(|&i| {
            let watch = &self.watches[i];
            let (earlier, start, end) = (self.earlier[i], self.start[i], self.values[i]);
            // Second difference for steps of different length: the change minus the change that the step before foresees.
            let change = end - start;
            let bend = change - (start - earlier) * quotient;
            let least = (watch.side.sign() * start).min(watch.side.sign() * end);
            let rests = start.abs().max(end.abs()) <= watch.band;
            if watch.armed { least > change.abs() + CALM * bend.abs() } else { rests }
        })
    }

    /// [`is_calm`](Self::is_calm) from samples that the method took at its stages, if there are any.
    fn is_calm_at_stages(&self, method: &dyn Method, t_a: f64) -> Option<bool> {
        let samples = method.guard_samples().filter(|samples| samples.from == t_a)?;
        // The beginning, the samples of the method, the end.
        let mut points = [(0.0, &self.start[..]); MOST_SAMPLES];
        let rows = samples.values.chunks_exact(self.n.max(1));
        let inner = samples.fractions.iter().copied().zip(rows);
        let count = inner.len() + 2;
        let [_, room @ .., end] = points.get_mut(..count)? else { return None };
        room.iter_mut().zip(inner).for_each(|(point, sample)| *point = sample);
        *end = (1.0, &self.values);
        Some(self.is_calm_at(&points[..count], Some(samples.end)))
    }

    /// [`is_calm`](Self::is_calm) from samples of the step, at unequal distances so that no oscillation is in step with the
    /// samples.
    ///
    /// Between samples a guard goes about as far beyond them as a sample lies off the chord of its neighbours. Samples at the
    /// stages of a method are inexact: the predicted values `thought` at the end, minus the exact values there, show how far
    /// all samples may be off, and how large a bend they may hide.
    fn is_calm_at(&self, points: &[(f64, &[f64])], thought: Option<&[f64]>) -> bool {
        let end = points.len() - 1;
        let mut shares = [0.0; MOST_SAMPLES];
        for (share, three) in shares.iter_mut().zip(points.windows(3)) {
            *share = (three[1].0 - three[0].0) / (three[2].0 - three[0].0);
        }
        self.watched.iter().all(|&i| {
            let watch = &self.watches[i];
            let (low, high) = points
                .iter()
                .map(|(_, row)| row[i])
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), g| (a.min(g), b.max(g)));
            let deviation = thought.map_or(0.0, |thought| (thought[i] - points[end].1[i]).abs());
            let off_chord = |(three, share): (&[(f64, &[f64])], &f64)| {
                let [a, b, c] = [0, 1, 2].map(|k| three[k].1[i]);
                (b - a - share * (c - a)).abs()
            };
            let bend =
                points.windows(3).zip(&shares).map(off_chord).fold(0.0, f64::max) + deviation;
            let least = if watch.side == Side::Positive { low } else { -high };
            if watch.armed {
                least > high - low + 2.0 * CALM * bend
            } else {
                low.abs().max(high.abs()).max(deviation) <= watch.band
            }
        })
    }

    /// Fills the first sample row, the known beginning, and prepares the interpolation; the row of the end is known already.
    fn begin_samples(
        &mut self,
        inside: &mut Inside<'_>,
        parts: usize,
    ) -> Result<(), IntegrationError> {
        self.samples[..self.n].copy_from_slice(&self.start);
        if parts > 1 {
            inside.method.prepare_interpolation(inside.problem)?;
            inside.method.interpolate(inside.t_a, &mut self.gap, &mut self.ydot);
            for (gap, y) in self.gap.iter_mut().zip(&self.y_start) {
                *gap = y - *gap;
            }
        }
        Ok(())
    }

    /// Fills the row of an interpolated point.
    fn sample(
        &mut self,
        inside: &mut Inside<'_>,
        parts: usize,
        part: usize,
    ) -> Result<(), IntegrationError> {
        let (n, t_a, t_b) = (self.n, inside.t_a, inside.t_b);
        let t = t_b - (t_b - t_a) * ((parts - part) as f64 / parts as f64);
        self.evaluate_inside(inside, t)?;
        self.samples[part * n..(part + 1) * n].copy_from_slice(&self.values);
        Ok(())
    }

    /// Guard values at `t` inside the step, or at its end.
    fn evaluate_inside(&mut self, inside: &mut Inside<'_>, t: f64) -> Result<(), IntegrationError> {
        if t == inside.t_b {
            self.y.copy_from_slice(inside.method.y());
            self.ydot.copy_from_slice(inside.method.ydot());
        } else {
            inside.method.interpolate(t, &mut self.y, &mut self.ydot);
            // The gap at the beginning of the step fades linearly to zero at the end.
            let rest = (inside.t_b - t) / (inside.t_b - inside.t_a);
            for (y, gap) in self.y.iter_mut().zip(&self.gap) {
                *y += rest * gap;
            }
        }
        self.evaluations += 1;
        let result = inside.problem.guards(t, &self.y, &self.ydot, &mut self.values);
        result.and_then(|()| super::problem::check_finite(&self.values)).map_err(|source| {
            let report = inside.method.report();
            IntegrationError::Evaluation { t, h: report.h, order: report.order, source }
        })
    }

    /// The first root of guard `i`, as the far end of its bracket.
    fn first_root(
        &mut self,
        inside: &mut Inside<'_>,
        i: usize,
        parts: usize,
        locate: bool,
    ) -> Result<Option<f64>, IntegrationError> {
        let (t_a, t_b) = (inside.t_a, inside.t_b);
        let time = |part: usize| t_b - (t_b - t_a) * ((parts - part) as f64 / parts as f64);
        let value = |s: &Self, part: usize| s.samples[part * s.n + i];
        // Near a zero that the guard has just left, its value is smaller than the error of the interpolant, and a minimum found
        // there would be noise.
        let clear_at_start = self.watches[i].armed;
        for part in 1..=parts {
            let g = value(self, part);
            let low = time(part - 1);
            // A change of sign between two samples brackets a root.
            if self.watches[i].reading(g) < 0.0 {
                if !locate {
                    return Ok(Some(t_b));
                }
                let r_low = self.watches[i].reading(value(self, part - 1));
                let r_high = self.watches[i].reading(g);
                let above = Reading { t: low, r: r_low };
                let below = Reading { t: time(part), r: r_high };
                return self.bracket(inside, i, Bracket { above, below }).map(Some);
            }
            self.watches[i].arm_if_clear(g);
            // Three positive samples with a minimum between them may hide two roots.
            if part < parts && self.watches[i].armed && (part > 1 || clear_at_start) {
                let r = |p: usize| self.watches[i].reading(value(self, p));
                let triple = [r(part - 1), r(part), r(part + 1)];
                let times = [low, time(part), time(part + 1)];
                if triple[2] >= 0.0
                    && let Some(ends) = self.follow_minimum(inside, i, times, triple)?
                {
                    return self.bracket(inside, i, ends).map(Some);
                }
            }
        }
        Ok(None)
    }

    /// No root: the end of this step becomes the beginning of the next step.
    fn keep_end(&mut self, parts: usize, length: f64, y: &[f64]) {
        let n = self.n;
        self.y_start.copy_from_slice(y);
        self.earlier.copy_from_slice(&self.start);
        self.length = Some(length);
        self.start.copy_from_slice(&self.samples[parts * n..(parts + 1) * n]);
        for &i in &self.watched {
            let g = self.start[i];
            self.watches[i].arm_if_clear(g);
            if self.watches[i].armed {
                self.watches[i].forget();
            }
        }
    }

    /// Evaluates the guards at the root and lists all guards that have crossed by then.
    fn settle_root(
        &mut self,
        inside: &mut Inside<'_>,
        t: f64,
        last: f64,
    ) -> Result<(), IntegrationError> {
        self.evaluate_inside(inside, t)?;
        for i in 0..self.n {
            let root = (self.found[i] - inside.t_a).abs();
            if root.is_nan() || root > last {
                continue;
            }
            let watch = &mut self.watches[i];
            watch.fire(t, self.values[i]);
            // The value left by the bracket is noise in the passes of this event, too.
            self.bands[i] = watch.band.max(watch.next_band);
            let rising = watch.side == Side::Negative;
            self.crossed.push(Crossing { guard: GuardId(i), rising });
        }
        Ok(())
    }
}
