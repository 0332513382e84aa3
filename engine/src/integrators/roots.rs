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
//! sampled inside the step, and where the samples of a guard have a minimum it is followed
//! down until it is below zero or clearly turns above it.
//!
//! Not here: what a crossing means (`Problem::switch`), clusters in time (`chatter.rs`).

use super::tolerance::{ROUND_OFF, time_resolution};
use super::{Crossing, EvaluationError, GuardId, IntegrationError, Method, Problem, Side};

/// Half width of the zero band relative to a guard's scale: some fifty round-offs, as a guard is
/// typically a difference of a few states of its scale.
const ZERO_BAND: f64 = 1e-14;
/// Bounds on the number of parts in which a step is sampled.
const PARTS: (usize, usize) = (3, 8);
/// Events of one guard, each without leaving its band before, that make an accumulation.
pub(super) const ACCUMULATION_LIMIT: usize = 10;
/// Iterations of bracketing: bisection alone needs 53 to resolve a step to round-off, and every
/// third one bisects.
const BRACKET_ITERATIONS: usize = 200;
/// Iterations that follow a minimum down.
const MINIMUM_ITERATIONS: usize = 40;

/// State of one guard between events.
#[derive(Clone, Copy, Debug)]
struct Watch {
    side: Side,
    /// The guard has been clearly on its side since the last event.
    armed: bool,
    /// Half width of the zero band.
    band: f64,
    /// Shift of the root while unarmed: the band, or infinite for a guard that is not on its side.
    shift: f64,
    scale: f64,
    /// Consecutive events without arming, and the time of the first.
    unarmed_events: usize,
    t_first: f64,
}

impl Watch {
    /// Positive while nothing happens.
    fn reading(&self, g: f64) -> f64 {
        let r = self.side.sign() * g;
        if self.armed { r } else { r + self.shift }
    }

    fn arm_if_clear(&mut self, g: f64) {
        if self.side.sign() * g > self.band {
            self.armed = true;
        }
    }
}

/// Watches all guards of a problem.
#[derive(Clone, Debug)]
pub(super) struct RootFinder {
    n: usize,
    watches: Vec<Watch>,
    /// Guard values at the beginning of the step.
    start: Vec<f64>,
    /// Guard values at the sample points of the step, row by row; row 0 is the beginning.
    samples: Vec<f64>,
    values: Vec<f64>,
    bands: Vec<f64>,
    sides: Vec<Side>,
    y: Vec<f64>,
    ydot: Vec<f64>,
    crossed: Vec<Crossing>,
    /// Root of each guard in the step under search; NaN where there is none.
    found: Vec<f64>,
    evaluations: u64,
}

/// The step under search, and how to evaluate inside it.
struct Inside<'a> {
    problem: &'a mut dyn Problem,
    method: &'a mut dyn Method,
}

impl RootFinder {
    pub fn new(n_states: usize, n_guards: usize) -> Self {
        let watch = Watch {
            side: Side::Positive,
            armed: false,
            band: ZERO_BAND,
            shift: ZERO_BAND,
            scale: 1.0,
            unarmed_events: 0,
            t_first: 0.0,
        };
        Self {
            n: n_guards,
            watches: vec![watch; n_guards],
            start: vec![0.0; n_guards],
            samples: vec![0.0; n_guards * (PARTS.1 + 1)],
            values: vec![0.0; n_guards],
            bands: vec![ZERO_BAND; n_guards],
            sides: vec![Side::Positive; n_guards],
            y: vec![0.0; n_states],
            ydot: vec![0.0; n_states],
            crossed: Vec::with_capacity(n_guards),
            found: vec![f64::NAN; n_guards],
            evaluations: 0,
        }
    }

    /// Guard values at the last point evaluated.
    pub fn values(&self) -> &[f64] {
        &self.values
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
        problem: &mut dyn Problem,
        t: f64,
        y: &[f64],
        ydot: &[f64],
    ) -> Result<(), EvaluationError> {
        self.evaluations += 1;
        problem.guards(t, y, ydot, &mut self.values)?;
        super::adams::check_finite(&self.values)
    }

    /// Asks for the scales and takes the sides of the values last evaluated.
    pub fn begin(&mut self, problem: &mut dyn Problem) {
        self.bands.fill(1.0);
        problem.guard_scales(&mut self.bands);
        for i in 0..self.n {
            let watch = &mut self.watches[i];
            watch.scale = self.bands[i];
            watch.band = ZERO_BAND * watch.scale;
            watch.unarmed_events = 0;
            watch.side = Side::of(self.values[i]);
            self.bands[i] = watch.band;
        }
        self.crossed.clear();
    }

    /// After the modes have settled: takes over sides and values, arms what is clear of zero.
    pub fn rearm(&mut self, problem: &mut dyn Problem) {
        for i in 0..self.n {
            let (g, watch) = (self.values[i], &self.watches[i]);
            let crossing = self.crossed.iter().find(|c| c.guard.0 == i);
            self.sides[i] = match crossing {
                Some(c) if c.rising => Side::Positive,
                Some(_) => Side::Negative,
                None if g.abs() > watch.band => Side::of(g),
                None => watch.side,
            };
        }
        problem.sides(&mut self.sides);
        for i in 0..self.n {
            let g = self.values[i];
            let crossed = self.crossed.iter().any(|c| c.guard.0 == i);
            let watch = &mut self.watches[i];
            watch.side = self.sides[i];
            // The value left over by a located root is noise by definition, whatever its size.
            let noise = if crossed { 2.0 * g.abs() } else { 0.0 };
            watch.band = (ZERO_BAND * watch.scale).max(noise);
            self.bands[i] = watch.band;
            let r = watch.side.sign() * g;
            watch.armed = r > watch.band;
            watch.shift = if r < -watch.band { f64::INFINITY } else { watch.band };
        }
        self.start.copy_from_slice(&self.values);
    }

    /// A guard that has fired too often without leaving zero: guard, count, time of the first.
    pub fn accumulation(&self) -> Option<(GuardId, usize, f64)> {
        let found = self.watches.iter().position(|w| w.unarmed_events >= ACCUMULATION_LIMIT)?;
        let watch = &self.watches[found];
        Some((GuardId(found), watch.unarmed_events, watch.t_first))
    }

    /// Forgets an accumulation that has been dealt with.
    pub fn forget_accumulation(&mut self) {
        self.watches.iter_mut().for_each(|w| w.unarmed_events = 0);
    }

    /// Looks for the first root after `t_a` in the step that ended at `method.t()`. With `locate`
    /// false only the end is looked at, and it is the event.
    pub fn search(
        &mut self,
        problem: &mut dyn Problem,
        method: &mut dyn Method,
        t_a: f64,
        locate: bool,
    ) -> Result<Option<f64>, IntegrationError> {
        self.crossed.clear();
        let t_b = method.t();
        let parts =
            if locate { (method.report().order / 2 + 2).clamp(PARTS.0, PARTS.1) } else { 1 };
        let mut inside = Inside { problem, method };
        self.sample(&mut inside, t_a, t_b, parts)?;
        for i in 0..self.n {
            let watched = self.watches[i].side != Side::Unwatched;
            let root = if watched {
                self.first_root(&mut inside, i, (t_a, t_b), parts, locate)?
            } else {
                None
            };
            self.found[i] = root.unwrap_or(f64::NAN);
        }
        // NaN distances lose every comparison, so guards without a root drop out.
        let distance = |t: &f64| (t - t_a).abs();
        let earliest = self.found.iter().map(distance).fold(f64::INFINITY, f64::min);
        if !earliest.is_finite() {
            self.keep_end(parts);
            return Ok(None);
        }
        // Roots that the arithmetic cannot tell apart are one event, at the last of them.
        let same = earliest + time_resolution(t_b);
        let (mut t, mut last) = (t_b, -1.0);
        for root in &self.found {
            if distance(root) <= same && distance(root) > last {
                (t, last) = (*root, distance(root));
            }
        }
        self.settle_root(&mut inside, t_a, t, last)?;
        Ok(Some(t))
    }

    /// Fills the sample rows: the known beginning, interpolated points, the computed end.
    fn sample(
        &mut self,
        inside: &mut Inside<'_>,
        t_a: f64,
        t_b: f64,
        parts: usize,
    ) -> Result<(), IntegrationError> {
        let n = self.n;
        self.samples[..n].copy_from_slice(&self.start);
        if parts > 1 {
            inside.method.prepare_interpolation(inside.problem)?;
        }
        for part in 1..=parts {
            let t = t_b - (t_b - t_a) * ((parts - part) as f64 / parts as f64);
            self.evaluate_inside(inside, t, part == parts)?;
            self.samples[part * n..(part + 1) * n].copy_from_slice(&self.values);
        }
        Ok(())
    }

    /// Guard values at `t` inside the step, or at its end.
    fn evaluate_inside(
        &mut self,
        inside: &mut Inside<'_>,
        t: f64,
        at_end: bool,
    ) -> Result<(), IntegrationError> {
        if at_end {
            self.y.copy_from_slice(inside.method.y());
            self.ydot.copy_from_slice(inside.method.ydot());
        } else {
            inside.method.interpolate(t, &mut self.y, &mut self.ydot);
        }
        self.evaluations += 1;
        let result = inside.problem.guards(t, &self.y, &self.ydot, &mut self.values);
        result.and_then(|()| super::adams::check_finite(&self.values)).map_err(|source| {
            let report = inside.method.report();
            IntegrationError::Evaluation { t, h: report.h, order: report.order, source }
        })
    }

    /// The first root of guard i: far end of its bracket.
    fn first_root(
        &mut self,
        inside: &mut Inside<'_>,
        i: usize,
        (t_a, t_b): (f64, f64),
        parts: usize,
        locate: bool,
    ) -> Result<Option<f64>, IntegrationError> {
        let time = |part: usize| t_b - (t_b - t_a) * ((parts - part) as f64 / parts as f64);
        let value = |s: &Self, part: usize| s.samples[part * s.n + i];
        for part in 1..=parts {
            let g = value(self, part);
            let low = time(part - 1);
            if self.watches[i].reading(g) < 0.0 {
                if !locate {
                    return Ok(Some(t_b));
                }
                let r_low = self.watches[i].reading(value(self, part - 1));
                let r_high = self.watches[i].reading(g);
                return self.bracket(inside, i, (low, r_low), (time(part), r_high)).map(Some);
            }
            self.watches[i].arm_if_clear(g);
            if part < parts && self.watches[i].armed {
                let r = |p: usize| self.watches[i].reading(value(self, p));
                let triple = [r(part - 1), r(part), r(part + 1)];
                if triple[1] < triple[0] && triple[1] <= triple[2] {
                    let times = [low, time(part), time(part + 1)];
                    if let Some(below) = self.follow_minimum(inside, i, times, triple)? {
                        return self.bracket(inside, i, (low, triple[0]), below).map(Some);
                    }
                }
            }
        }
        Ok(None)
    }

    /// Narrows `reading(a) >= 0 > reading(b)` to neighbouring numbers and returns the far end:
    /// regula falsi with Illinois weights, every third iteration a bisection.
    fn bracket(
        &mut self,
        inside: &mut Inside<'_>,
        i: usize,
        (mut a, mut r_a): (f64, f64),
        (mut b, mut r_b): (f64, f64),
    ) -> Result<f64, IntegrationError> {
        let t_end = inside.method.t();
        let mut last_side = 0;
        for iteration in 0..BRACKET_ITERATIONS {
            let resolution = (ROUND_OFF * a.abs().max(b.abs())).copysign(b - a);
            if (b - a).abs() <= resolution.abs() {
                break;
            }
            let secant = b - (b - a) * (r_b / (r_b - r_a));
            let inner = (secant - a) * (secant - b) < 0.0;
            let mut t = if inner && iteration % 3 != 2 { secant } else { a + 0.5 * (b - a) };
            // Next to one end: step over the root, so that the bracket closes from the other side.
            if (t - a).abs() < resolution.abs() {
                t = a + resolution;
            } else if (t - b).abs() < resolution.abs() {
                t = b - resolution;
            }
            if t == a || t == b {
                break;
            }
            self.evaluate_inside(inside, t, t == t_end)?;
            let g = self.values[i];
            let r = self.watches[i].reading(g);
            if r < 0.0 {
                (b, r_b) = (t, r);
                if last_side == 1 {
                    r_a *= 0.5;
                }
                last_side = 1;
            } else {
                if !self.watches[i].armed {
                    self.watches[i].arm_if_clear(g);
                }
                (a, r_a) = (t, self.watches[i].reading(g));
                if last_side == -1 {
                    r_b *= 0.5;
                }
                last_side = -1;
            }
        }
        Ok(b)
    }

    /// Follows a minimum of the reading between three points down. Returns a time at which the
    /// reading is negative, with it, or `None` if the minimum is positive.
    fn follow_minimum(
        &mut self,
        inside: &mut Inside<'_>,
        i: usize,
        mut t: [f64; 3],
        mut r: [f64; 3],
    ) -> Result<Option<(f64, f64)>, IntegrationError> {
        for iteration in 0..MINIMUM_ITERATIONS {
            let Some((vertex, bottom)) = parabola_minimum(t, r) else { return Ok(None) };
            // A bottom that hardly lies below the middle point will not reach zero either.
            if bottom > 0.5 * r[1] {
                return Ok(None);
            }
            let wide = if (t[1] - t[0]).abs() > (t[2] - t[1]).abs() { 0 } else { 2 };
            let golden = t[1] + 0.381_966 * (t[wide] - t[1]);
            let near = (vertex - t[1]).abs() <= 0.01 * (t[2] - t[0]).abs();
            let trial = if near || iteration % 4 == 3 { golden } else { vertex };
            if trial == t[1] || trial == t[0] || trial == t[2] {
                return Ok(None);
            }
            self.evaluate_inside(inside, trial, false)?;
            let value = self.watches[i].reading(self.values[i]);
            if value < 0.0 {
                return Ok(Some((trial, value)));
            }
            let before = (trial - t[0]) * (trial - t[1]) < 0.0;
            match (value < r[1], before) {
                (true, true) => (t, r) = ([t[0], trial, t[1]], [r[0], value, r[1]]),
                (true, false) => (t, r) = ([t[1], trial, t[2]], [r[1], value, r[2]]),
                (false, true) => (t[0], r[0]) = (trial, value),
                (false, false) => (t[2], r[2]) = (trial, value),
            }
        }
        Ok(None)
    }

    /// No root: the end of this step is the beginning of the next.
    fn keep_end(&mut self, parts: usize) {
        let n = self.n;
        self.start.copy_from_slice(&self.samples[parts * n..(parts + 1) * n]);
        for i in 0..n {
            let g = self.start[i];
            self.watches[i].arm_if_clear(g);
            if self.watches[i].armed {
                self.watches[i].unarmed_events = 0;
            }
        }
    }

    /// Evaluates the guards at the root and lists all that have crossed by then.
    fn settle_root(
        &mut self,
        inside: &mut Inside<'_>,
        t_a: f64,
        t: f64,
        last: f64,
    ) -> Result<(), IntegrationError> {
        let at_end = t == inside.method.t();
        self.evaluate_inside(inside, t, at_end)?;
        for i in 0..self.n {
            let root = (self.found[i] - t_a).abs();
            if root.is_nan() || root > last {
                continue;
            }
            let watch = &mut self.watches[i];
            if watch.armed {
                watch.unarmed_events = 0;
            } else {
                watch.unarmed_events += 1;
                if watch.unarmed_events == 1 {
                    watch.t_first = t;
                }
            }
            let rising = watch.side == Side::Negative;
            self.crossed.push(Crossing { guard: GuardId(i), rising });
        }
        Ok(())
    }
}

/// Vertex and value of the parabola through three points, if it has a minimum between them.
fn parabola_minimum(t: [f64; 3], r: [f64; 3]) -> Option<(f64, f64)> {
    let (u, v) = (t[0] - t[1], t[2] - t[1]);
    let (p, q) = ((r[0] - r[1]) / u, (r[2] - r[1]) / v);
    let curvature = (p - q) / (u - v);
    let slope = p - curvature * u;
    if curvature <= 0.0 || !curvature.is_finite() {
        return None;
    }
    let offset = -0.5 * slope / curvature;
    let bottom = r[1] + 0.5 * slope * offset;
    ((t[1] + offset - t[0]) * (t[1] + offset - t[2]) < 0.0).then_some((t[1] + offset, bottom))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `(t - 1)^2 - 2` sampled at 0, 1/2, 3: exact for a parabola.
    #[test]
    fn a_parabola_is_its_own_fit() {
        let r = |t: f64| (t - 1.0) * (t - 1.0) - 2.0;
        let fit = parabola_minimum([0.0, 0.5, 3.0], [r(0.0), r(0.5), r(3.0)]);
        let (t, bottom) = fit.expect("a minimum");
        assert!((t - 1.0).abs() < 4.0 * ROUND_OFF && (bottom + 2.0).abs() < 8.0 * ROUND_OFF);
        assert_eq!(parabola_minimum([0.0, 1.0, 2.0], [0.0, 1.0, 2.0]), None);
    }
}
