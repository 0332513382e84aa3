//! Which frictions are at rest: their limit is another one than while they slide.

use super::{Stepper, dot};
use crate::conditions::{Operator, Scale, Source};

/// A step that shows whether something slides, over the shortest one.
const LOOK_AHEAD: f64 = 1024.0;

/// Over the largest speed: nothing gets as fast in one step.
const FAST: f64 = 1e-5;

impl Stepper<'_> {
    /// Frictions with a speed that no step can have given to them are not at rest. Is there one?
    pub(super) fn let_move(&mut self, active: &[bool], operator: &Operator, known: &[f64]) -> bool {
        let n = self.conditions.free.len();
        let size = self.course.sizes[Scale::Across as usize];
        let is_fast =
            |pair: usize| active[pair] && dot(&operator.solved.gain[n + pair], known) > FAST * size;
        let mut found = false;
        for (source, at_rest) in self.conditions.sources.iter().zip(&mut self.at_rest) {
            if let Some((_, one, two)) = source.at_rest.filter(|_| *at_rest)
                && (is_fast(one) || is_fast(two))
            {
                (*at_rest, found) = (false, true);
            }
        }
        found
    }

    /// Does something let go that would be held, if what lets go with it pushed with no more than it does while it slides? Then the order in which
    /// they let go decides, which no law of friction tells.
    pub(super) fn is_ambiguous(&mut self, h: f64, active: &[bool], at_rest: &[bool]) -> bool {
        let before = std::mem::replace(&mut self.at_rest, at_rest.to_vec());
        let mut known = Vec::new();
        self.known(&self.memory, self.t + h, &mut known);
        self.at_rest = before;
        let Some(sides) = self.reduced.settle(h, &self.forced, &known) else { return false };
        let pairs = self.conditions.sources.iter().filter_map(|source| source.at_rest);
        let mut moves =
            pairs.map(|(_, one, two)| [active, &sides[..]].map(|sides| sides[one] || sides[two]));
        moves.any(|[together, alone]| together && !alone)
    }

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
        // What slides already may have stopped; what is at rest may begin.
        let is_slow = |&(k, pair): &(usize, usize)| {
            self.at_rest[k]
                || speed(operator, known, pair) <= 10.0 * self.allowance(operator, n + pair)
        };
        let slow: Vec<(usize, usize)> = (0..sources.len())
            .filter_map(|k| Some((k, moving(&sources[k])?)))
            .filter(is_slow)
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
