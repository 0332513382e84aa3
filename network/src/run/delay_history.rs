//! What a delay line remembers: its input over the last T seconds, as polynomials over parts of steps.
//!
//! Each part has values at the six Chebyshev points, so that its error is that of degree 5 over one step of the
//! integrator, which is below the error of the step itself. The parts between two jumps of the input belong
//! to one piece; the output passes from a piece to the next at an event, so that it is smooth in between.

use std::collections::VecDeque;

/// Number of points of a part.
pub(crate) const POINTS: usize = 6;

/// The points on 0..1: (1 - cos(k pi/5))/2, ends included.
pub const NODES: [f64; POINTS] = [
    0.0,
    0.095_491_502_812_526_27,
    0.345_491_502_812_526_3,
    0.654_508_497_187_473_7,
    0.904_508_497_187_473_7,
    1.0,
];

/// Their weights in the barycentric formula (Salzer 1972).
const WEIGHTS: [f64; POINTS] = [0.5, -1.0, 1.0, -1.0, 1.0, -0.5];

/// Kinks are passed on this often: the method integrates over those of higher order without noticing.
const DEEPEST: u8 = 3;
/// A change of the input by more than this, over its size, is a jump.
const JUMP: f64 = 1e-12;

/// A part of a step.
#[derive(Clone, Copy, Debug)]
struct Part {
    from: f64,
    to: f64,
    values: [f64; POINTS],
    piece: u64,
}

/// Where a piece begins.
#[derive(Clone, Copy, Debug)]
struct Break {
    t: f64,
    /// Order of the derivative that jumps there.
    order: u8,
}

/// The history of one delay line.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub(crate) struct History {
    delay: f64,
    initial: f64,
    parts: VecDeque<Part>,
    /// Breaks that the output has not reached.
    breaks: VecDeque<Break>,
    /// The piece that is being recorded; the first is 1.
    recorded: u64,
    /// The piece that the output belongs to; before anything has come through, 0.
    passed: u64,
    last: Last,
}

/// The end of a history.
#[derive(Clone, Copy, Debug)]
struct Last {
    /// Time of the last event, s.
    event: Option<f64>,
    /// The input at the end of what is recorded.
    input: f64,
    /// The input before the last event.
    left: f64,
}

impl History {
    /// Begins with an output that stays until the start has come through.
    pub fn new(delay: f64, start: f64, initial: f64, input: f64) -> Self {
        Self {
            delay,
            initial,
            parts: VecDeque::new(),
            breaks: VecDeque::from([Break { t: start, order: 0 }]),
            recorded: 1,
            passed: 0,
            last: Last { event: None, input, left: input },
        }
    }

    /// The output.
    pub fn value(&self, t: f64) -> f64 {
        if self.passed == 0 {
            return self.initial;
        }
        let then = t - self.delay;
        let later = self.parts.partition_point(|part| {
            part.piece < self.passed || part.piece == self.passed && part.to < then
        });
        let fits = |part: &&Part| part.piece == self.passed;
        let part = self.parts.get(later).filter(fits);
        let part = part.or_else(|| self.parts.get(later.wrapping_sub(1)).filter(fits));
        part.map_or(self.last.input, |part| part.value(then))
    }

    /// Remembers a part of a step; parts that are no longer needed are forgotten.
    pub fn record(&mut self, [from, to]: [f64; 2], values: [f64; POINTS]) {
        self.last.input = values[POINTS - 1];
        self.parts.push_back(Part { from, to, values, piece: self.recorded });
        // Rows of results may still be asked for inside of this part.
        let needed = from - self.delay;
        while self.parts.len() > 2 && self.parts[0].to < needed {
            self.parts.pop_front();
        }
    }

    /// An event, which may be told of several times: the input is this behind it. `cause` is the order of the
    /// break in an output that brought it about.
    pub fn note(&mut self, t: f64, input: f64, cause: Option<u8>) {
        // Only the first call at an instant finds the input before the event.
        if self.last.event != Some(t) {
            self.last = Last { event: Some(t), left: self.last.input, ..self.last };
        }
        let left = self.last.left;
        let jumps = (input - left).abs() > JUMP * input.abs().max(left.abs());
        let order = if jumps { 0 } else { cause.map_or(1, |order| order.saturating_add(1)) };
        self.last.input = input;
        match self.breaks.back_mut().filter(|last| last.t == t) {
            Some(known) => known.order = known.order.min(order),
            None if order <= DEEPEST => {
                self.breaks.push_back(Break { t, order });
                self.recorded += 1;
            }
            None => {}
        }
    }

    /// The start, where the output begins at the input unless something else is given.
    pub fn begin(&mut self, input: f64, initial: Option<f64>) {
        self.last.input = input;
        self.initial = initial.unwrap_or(input);
    }

    /// Lets the output pass all breaks that are due; gives the lowest order among them.
    pub fn pass(&mut self, t: f64) -> Option<u8> {
        let mut lowest = None;
        while let Some(next) = self.breaks.front().copied() {
            let due = next.t + self.delay;
            if t < due && !equations::clock::same(t, due) {
                break;
            }
            self.breaks.pop_front();
            self.passed += 1;
            lowest = Some(lowest.map_or(next.order, |order: u8| order.min(next.order)));
        }
        lowest
    }

    /// The next instant: a break, or the end of what is known.
    pub fn next(&self, t: f64) -> f64 {
        let known = t + self.delay;
        self.breaks.front().map_or(known, |next| known.min(next.t + self.delay))
    }
}

impl Part {
    fn value(&self, t: f64) -> f64 {
        let x = ((t - self.from) / (self.to - self.from)).clamp(0.0, 1.0);
        let (mut above, mut below) = (0.0, 0.0);
        for k in 0..POINTS {
            let distance = x - NODES[k];
            if distance == 0.0 || !x.is_finite() {
                return self.values[k];
            }
            let share = WEIGHTS[k] / distance;
            above += share * self.values[k];
            below += share;
        }
        above / below
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_of_degree_five_come_back() {
        let f = |t: f64| 1.0 - t + 2.0 * t.powi(3) - 0.5 * t.powi(5);
        let mut history = History::new(0.5, 0.0, 7.0, f(0.0));
        assert_eq!(history.value(0.3), 7.0);
        // A row may be asked for inside of the step that was recorded last, and up to a delay behind it.
        let check = |history: &History, from: f64, to: f64| {
            for k in 0..=20 {
                let t = from + (to - from) * 0.05 * f64::from(k);
                assert!((history.value(t) - f(t - 0.5)).abs() < 1e-14, "{t}");
            }
        };
        for step in 0..10 {
            let from = 0.1 * f64::from(step);
            history.record([from, from + 0.1], NODES.map(|x| f(from + 0.1 * x)));
            if step == 5 {
                assert_eq!(history.pass(0.5), Some(0));
            }
            if step >= 5 {
                check(&history, from, from + 0.1);
            }
        }
        check(&history, 1.0, 1.5);
    }

    #[test]
    fn jumps_come_out_after_the_delay() {
        let mut history = History::new(0.5, 0.0, 0.0, 1.0);
        history.record([0.0, 0.2], [1.0; POINTS]);
        history.note(0.2, 3.0, None);
        history.record([0.2, 0.6], [3.0; POINTS]);
        assert_eq!(history.next(0.2), 0.5);
        assert_eq!(history.pass(0.5), Some(0));
        assert_eq!(history.value(0.7), 1.0);
        assert_eq!(history.pass(0.7), Some(0));
        assert_eq!(history.value(0.7), 3.0);
    }
}
