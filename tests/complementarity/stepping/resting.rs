//! Which frictions are at rest: their limit is another one than while they slide.

use super::{Stepper, dot};
use crate::conditions::{Operator, Source};

/// A step that shows whether something slides, over the shortest one.
const LOOK_AHEAD: f64 = 1024.0;
/// What is slower than this, over the largest speed, may be at rest.
const SLOW: f64 = 1e-6;

impl Stepper<'_> {
    /// For each source: is the friction that it limits at rest from now on, where a step has led to these sides of pairs? One
    /// that others hold may be at its limit without any speed: that shows in a longer step, in which a speed of its own
    /// exceeds rounding.
    pub(super) fn rest(
        &mut self,
        active: &[bool],
        operator: &Operator,
        known: &[f64],
    ) -> Vec<bool> {
        let n = self.conditions.free.len();
        let sources = &self.conditions.sources;
        let speed = |operator: &Operator, known: &[f64], pair: usize| {
            dot(&operator.solved.gain[n + pair], known)
        };
        let moving = |source: &Source| match source.at_rest {
            Some((_, one, two)) => [one, two].into_iter().find(|&pair| active[pair]),
            None => None,
        };
        let mut at_rest: Vec<bool> =
            sources.iter().map(|s| s.at_rest.is_some() && moving(s).is_none()).collect();
        let is_slow = |pair: usize| {
            let size = self.course.sizes[self.conditions.solved_scale(n + pair, active) as usize];
            speed(operator, known, pair) < SLOW * size
        };
        let slow: Vec<(usize, usize)> = (0..sources.len())
            .filter_map(|k| Some((k, moving(&sources[k])?)))
            .filter(|&(_, pair)| is_slow(pair))
            .collect();
        if slow.is_empty() {
            return at_rest;
        }
        slow.iter().for_each(|&(k, _)| at_rest[k] = true);
        let before = std::mem::replace(&mut self.at_rest, at_rest.clone());
        let h = LOOK_AHEAD * self.shortest;
        let mut later = Vec::new();
        self.known(&self.memory, self.t + h, &mut later);
        self.at_rest = before;
        let Some(sides) = self.reduced.settle(h, &self.forced, &later) else { return at_rest };
        let operator = self.reduced.operator(self.conditions, h, &sides);
        for (k, pair) in slow {
            let allowance = 10.0 * self.allowance(&operator, n + pair);
            at_rest[k] = !sides[pair] || speed(&operator, &later, pair) <= allowance;
        }
        at_rest
    }
}
