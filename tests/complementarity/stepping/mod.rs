//! The course of a complementarity system in time: implicit Euler with extrapolation, and Lemke at every event.
//!
//! Implicit Euler with complementarity at the end of each step converges for passive networks, through switching,
//! jumps of charge and dependent storages alike (Camlibel, Heemels and Schumacher 2002; Acary and Brogliato 2008,
//! chapter 9). Where no pair changes its side, H is done with 1, 2, 4, 8, 16 steps and extrapolated (Hairer and Wanner
//! 1996, IV.9); where one does, H is halved until it is so short that one step of implicit Euler is accurate enough.
//! Edges of gates and output times end a step.

mod open_values;
mod resting;

use std::collections::HashMap;
use std::rc::Rc;

use crate::conditions::{Conditions, Operator, Rule};
use crate::course::{Course, Jump, Trouble};
use crate::reduced::Reduced;
use crate::waves::Wave;

/// Signs are known within this part of what the remembered variables and sources can add up to: a few roundings.
const ROUNDING: f64 = 2e-14;
/// More columns than these do not pay.
const COLUMNS: usize = 5;
/// What is not remembered may be this much less accurate: its errors do not add up.
const OTHERS: f64 = 100.0;
/// A smaller jump of a remembered variable, over the largest value of its kind, is an error of the search for an event.
const JUMP: f64 = 1e-4;
/// The longest step over an event, over the shortest step.
const LONGEST_ACROSS: f64 = 64.0;
/// Least steps in a period of a source.
const STEPS_PER_PERIOD: f64 = 200.0;
/// Steps after which the reference gives up.
const MOST_STEPS: usize = 800_000;

/// How accurate a course is.
#[derive(Clone, Copy, Debug)]
pub struct Accuracy {
    /// Error of a step relative to the largest value of its kind.
    pub tolerance: f64,
    /// Shortest step over the time of the run.
    pub shortest: f64,
}

struct Stepper<'a> {
    conditions: &'a Conditions,
    reduced: Reduced,
    accuracy: Accuracy,
    shortest: f64,
    operators: HashMap<(Vec<bool>, u64), Rc<Operator>>,
    t: f64,
    /// The stretch between edges is known by a time within it.
    within: f64,
    memory: Vec<f64>,
    active: Vec<bool>,
    forced: Vec<Option<bool>>,
    /// Latches that were left by their gates while nothing determined their current.
    doubtful: Vec<bool>,
    /// Is the friction of the source at rest?
    at_rest: Vec<bool>,
    /// The last solution: free variables and pairs.
    solution: Vec<f64>,
    steps: usize,
    course: Course,
}

enum Attempt {
    Done,
    Changed,
    Inaccurate,
}

/// Follows a system from 0 through the output times; gates change within `end`.
pub fn follow(
    conditions: &Conditions,
    outputs: &[f64],
    accuracy: Accuracy,
) -> Result<Course, Trouble> {
    let end = outputs.last().copied().unwrap_or(0.0);
    let mut stepper = Stepper::new(conditions, end, accuracy);
    let mut stops: Vec<(f64, bool)> = outputs.iter().map(|&t| (t, true)).collect();
    stops.extend(edges(conditions, end).into_iter().map(|t| (t, false)));
    stops.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut is_event = true;
    for (stop, is_output) in stops {
        if stop - stepper.t > 1e-12 * end {
            stepper.within = 0.5 * (stepper.t + stop);
            stepper.advance(stop, is_event)?;
            stepper.t = stop;
            is_event = false;
        }
        if is_output {
            stepper.report();
        } else {
            is_event = true;
        }
    }
    Ok(stepper.course)
}

/// When gates change.
pub fn edges(conditions: &Conditions, end: f64) -> Vec<f64> {
    let mut all = Vec::new();
    for (_, _, rule) in &conditions.pairs {
        if let Rule::Switch(gate) | Rule::Latch(gate) = rule {
            all.extend(gate.edges(end));
        }
    }
    for source in &conditions.sources {
        all.extend(source.gate.iter().flat_map(|gate| gate.edges(end)));
        if let Wave::Pulse { gate, .. } = source.wave {
            all.extend(gate.edges(end));
        }
    }
    all.sort_by(f64::total_cmp);
    all.dedup_by(|a, b| (*a - *b).abs() < 1e-12 * end);
    all
}

impl<'a> Stepper<'a> {
    fn new(conditions: &'a Conditions, end: f64, accuracy: Accuracy) -> Self {
        let memory: Vec<f64> = conditions.memory.iter().map(|&(_, initial)| initial).collect();
        let mut sizes = conditions.floors.map(|floor| floor.max(1e-12));
        for source in &conditions.sources {
            let size = &mut sizes[source.scale as usize];
            *size = size.max(source.wave.size());
        }
        for &(variable, initial) in &conditions.memory {
            let size = &mut sizes[conditions.free[variable] as usize];
            *size = size.max(initial.abs());
        }
        let pairs = conditions.pairs.len();
        // Friction is at rest where its speed is 0 at the start; the first event decides.
        Stepper {
            conditions,
            reduced: conditions.reduce(),
            accuracy,
            shortest: accuracy.shortest * end,
            operators: HashMap::new(),
            t: 0.0,
            within: 0.0,
            memory,
            active: vec![false; pairs],
            forced: vec![None; pairs],
            doubtful: vec![false; pairs],
            at_rest: vec![true; conditions.sources.len()],
            solution: vec![0.0; conditions.free.len() + pairs],
            steps: 0,
            course: Course { sizes, ..Course::default() },
        }
    }

    /// The time of the run.
    fn whole(&self) -> f64 {
        self.shortest / self.accuracy.shortest
    }

    /// Goes to a time within the same stretch of all gates.
    fn advance(&mut self, stop: f64, mut is_event: bool) -> Result<(), Trouble> {
        let whole = self.whole();
        // What a source asks for between the ends of a step without memory is seen by nobody.
        let waves = self.conditions.sources.iter().filter_map(|source| source.wave.period());
        let part =
            waves.fold(1.0 / 16.0, |x: f64, period| x.min(period / whole / STEPS_PER_PERIOD));
        let longest = whole * part.log2().floor().exp2();
        let mut h = longest.min(whole / 64.0);
        // A change was seen at the end of a step of this size, at this time: if shorter steps pass by without seeing it,
        // it is within their rounding, and the longer step decides.
        let mut seen: Option<(f64, f64)> = None;
        let mut across = self.shortest;
        while self.t < stop {
            let rest = stop - self.t;
            if rest < 1e-3 * self.shortest {
                break;
            }
            if is_event {
                self.cross(across.min(rest))?;
                h = 2.0 * across;
                (is_event, seen, across) = (false, None, self.shortest);
                continue;
            }
            // All steps but the last before a stop are powers of two of the run, so that operators are found again.
            let size = if h > 0.999 * rest { rest } else { h };
            match self.attempt(size) {
                Attempt::Done => {
                    h *= 4.0;
                    if let Some((_, longer)) = seen.filter(|(t, _)| *t <= self.t) {
                        // A long step of implicit Euler may have erred.
                        if longer <= LONGEST_ACROSS * self.shortest {
                            (is_event, across) = (true, longer);
                        }
                        seen = None;
                    }
                }
                Attempt::Changed | Attempt::Inaccurate if size <= 1.5 * self.shortest => {
                    is_event = true
                }
                attempt => {
                    if matches!(attempt, Attempt::Changed) {
                        seen = Some((self.t + size, size));
                    }
                    while h >= size {
                        h *= 0.5;
                    }
                    h = (0.5 * h).max(self.shortest);
                }
            }
            h = h.min(longest);
            if self.steps > MOST_STEPS {
                return Err(Trouble::TooManySteps(self.t));
            }
        }
        Ok(())
    }

    fn operator(&mut self, h: f64, active: &[bool]) -> Rc<Operator> {
        let key = (active.to_vec(), h.to_bits());
        if let Some(known) = self.operators.get(&key) {
            return Rc::clone(known);
        }
        if self.operators.len() > 5000 {
            self.operators.clear();
        }
        let made = Rc::new(self.reduced.operator(self.conditions, h, active));
        self.operators.insert(key, Rc::clone(&made));
        made
    }

    /// Remembered variables and sources of a step that ends at `t`.
    fn known(&self, memory: &[f64], t: f64, known: &mut Vec<f64>) {
        known.clear();
        known.extend_from_slice(memory);
        for (source, &at_rest) in self.conditions.sources.iter().zip(&self.at_rest) {
            let is_on = source.gate.is_none_or(|gate| gate.is_on(self.within));
            let value = match source.at_rest {
                _ if !is_on => 0.0,
                Some((limit, ..)) if at_rest => limit,
                _ => source.wave.value(t, self.within),
            };
            known.push(value);
        }
    }

    /// Tries a step of the size H without a change of sides, by extrapolation.
    fn attempt(&mut self, whole: f64) -> Attempt {
        let conditions = self.conditions;
        let n = conditions.free.len();
        let active = self.active.clone();
        let mut table: Vec<Vec<f64>> = Vec::new();
        let mut known = Vec::new();
        for column in 0..COLUMNS {
            let count = 1_usize << column;
            let h = whole / count as f64;
            let operator = self.operator(h, &active);
            let mut memory = self.memory.clone();
            let mut last = Vec::new();
            for k in 1..=count {
                self.known(&memory, self.t + h * k as f64, &mut known);
                self.steps += 1;
                if self.changes(&operator, &known) {
                    return Attempt::Changed;
                }
                if k == count {
                    last = operator.solved.gain.iter().map(|row| dot(row, &known)).collect();
                } else {
                    for (state, &(variable, _)) in memory.iter_mut().zip(&conditions.memory) {
                        *state = dot(&operator.solved.gain[variable], &known);
                    }
                }
            }
            // Neville's scheme for the expansion of the error in powers of h: factors 2^m - 1.
            let mut best = last.clone();
            let mut row = vec![last];
            for (m, previous) in (1..).zip(&table) {
                let factor = 1.0 / ((1_u64 << m) - 1) as f64;
                let step =
                    row[m - 1].iter().zip(previous).map(|(new, old)| new + (new - old) * factor);
                best = step.collect();
                row.push(best.clone());
            }
            if column > 0 {
                let before = &row[column - 1];
                let error = |k: usize| {
                    let size = self.course.sizes[conditions.solved_scale(k, &active) as usize];
                    (best[k] - before[k]).abs() / size
                };
                let of_memory =
                    conditions.memory.iter().map(|&(k, _)| error(k)).fold(0.0, f64::max);
                let of_all = (0..best.len()).map(error).fold(0.0, f64::max);
                if of_memory <= self.accuracy.tolerance
                    && of_all <= OTHERS * self.accuracy.tolerance
                {
                    if self.has_changed(&operator, &best) {
                        return Attempt::Changed;
                    }
                    self.accept(best, whole, n);
                    return Attempt::Done;
                }
            }
            table = row;
        }
        Attempt::Inaccurate
    }

    /// Does a pair change its side, or a stop its contact?
    fn changes(&self, operator: &Operator, known: &[f64]) -> bool {
        let n = self.conditions.free.len();
        for (k, (_, _, rule)) in self.conditions.pairs.iter().enumerate() {
            if let Rule::Positive(variable) = *rule {
                let value = dot(&operator.solved.gain[variable], known);
                if (value > 0.0) != self.forced[k].is_none() {
                    return true;
                }
            }
            if self.forced[k].is_some() {
                continue;
            }
            let value = dot(&operator.solved.gain[n + k], known);
            if value < -self.allowance(operator, n + k) {
                return true;
            }
        }
        false
    }

    /// The same for a solution that is extrapolated: it may see a change that the steps of implicit Euler do not see.
    fn has_changed(&self, operator: &Operator, solution: &[f64]) -> bool {
        let n = self.conditions.free.len();
        (0..self.conditions.pairs.len()).any(|k| {
            let scale = self.conditions.solved_scale(n + k, &self.active);
            let error = OTHERS * self.accuracy.tolerance * self.course.sizes[scale as usize];
            let is_past = match self.conditions.pairs[k].2 {
                Rule::Positive(variable) => (solution[variable] > 0.0) != self.forced[k].is_none(),
                _ => false,
            };
            let is_negative = solution[n + k] < -self.allowance(operator, n + k) - error;
            is_past || (self.forced[k].is_none() && is_negative)
        })
    }

    /// What rounding of remembered variables and sources makes of a number.
    fn allowance(&self, operator: &Operator, at: usize) -> f64 {
        let reach = operator.reach[at];
        let scale = self.conditions.solved_scale(at, &self.active) as usize;
        // What elimination leaves of a number that is zero is a rounding of the largest that could be there.
        let left = self.conditions.floors[scale] / crate::circuit::FLOOR;
        ROUNDING * (reach.iter().zip(&self.course.sizes).map(|(a, b)| a * b).sum::<f64>() + left)
    }

    fn accept(&mut self, solution: Vec<f64>, h: f64, n: usize) {
        for (state, &(variable, _)) in self.memory.iter_mut().zip(&self.conditions.memory) {
            *state = solution[variable];
        }
        for (value, &scale) in solution[..n].iter().zip(&self.conditions.free) {
            let size = &mut self.course.sizes[scale as usize];
            *size = size.max(value.abs());
        }
        self.solution = solution;
        self.t += h;
    }

    /// One step of implicit Euler over an instant at which sides may change.
    fn cross(&mut self, h: f64) -> Result<(), Trouble> {
        let before = self.active.clone();
        let n = self.conditions.free.len();
        let mut known = Vec::new();
        self.steps += 1;
        let gates_before = self.forced.clone();
        self.force();
        self.refuse_demands(h)?;
        self.known(&self.memory, self.t + h, &mut known);
        let settle = |reduced: &Reduced, forced: &[Option<bool>], known: &[f64], t: f64| {
            reduced.settle(h, forced, known).ok_or(Trouble::NoSolution(t))
        };
        let mut active = settle(&self.reduced, &self.forced, &known, self.t)?;
        // A friction that stops sliding is held by the limit at rest, which may be higher.
        let mut again = false;
        for (source, at_rest) in self.conditions.sources.iter().zip(&mut self.at_rest) {
            if let Some((_, forward, backward)) = source.at_rest {
                let same =
                    active[forward] == before[forward] && active[backward] == before[backward];
                if !*at_rest && !same {
                    *at_rest = true;
                    again = true;
                }
            }
        }
        // What moves from the start on has never been at rest.
        if self.t == 0.0 {
            let operator = self.operator(h, &active);
            again = self.let_move(&active, &operator, &known);
        }
        if again {
            self.known(&self.memory, self.t + h, &mut known);
            active = settle(&self.reduced, &self.forced, &known, self.t)?;
        }
        let operator = self.operator(h, &active);
        let at_rest = self.rest(&active, &operator, &known);
        if self.is_ambiguous(h, &active, &at_rest) {
            self.course.ambiguous_from.get_or_insert(self.t);
        }
        self.at_rest = at_rest;
        self.check(&operator, &known)?;
        let solution: Vec<f64> = operator.solved.gain.iter().map(|row| dot(row, &known)).collect();
        self.find_impulses(h, &active, &solution);
        if active != before {
            self.course.changes.push(self.t);
        }
        self.active = active;
        let sizes = self.course.sizes;
        self.accept(solution, h, n);
        // Impulses are no measure of size.
        if self.course.jumps.last().is_some_and(|jump| jump.t == self.t - h) {
            self.course.sizes = sizes;
        }
        self.doubt(gates_before);
        // A pair with a latch that does not conduct any more stays so; a stop may have been left.
        self.force();
        Ok(())
    }

    /// The sides that gates, latches and positions prescribe now.
    fn force(&mut self) {
        for (k, (_, _, rule)) in self.conditions.pairs.iter().enumerate() {
            // A latch that carries nothing with its gate off is open.
            let conducts = self.active[k] && !self.is_zero(k);
            self.forced[k] = match *rule {
                Rule::Free => None,
                Rule::Switch(gate) => Some(gate.is_on(self.within)),
                Rule::Latch(gate) if gate.is_on(self.within) || conducts => None,
                Rule::Latch(_) => Some(false),
                Rule::Positive(variable) if self.solution[variable] > 0.0 => None,
                Rule::Positive(_) => Some(false),
            };
        }
    }

    /// Sources that would have to agree have no share that anything determines, also where they do by chance.
    fn refuse_demands(&self, h: f64) -> Result<(), Trouble> {
        let memory = self.conditions.memory.len();
        for row in self.reduced.demands(h, &self.forced) {
            let size = row.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
            let among: Vec<usize> =
                (memory..row.len()).filter(|&k| row[k].abs() > 1e-9 * size).collect();
            if size > 1e-9 && !among.is_empty() {
                return Err(Trouble::Contradiction(self.t, among));
            }
        }
        Ok(())
    }

    fn check(&self, operator: &Operator, known: &[f64]) -> Result<(), Trouble> {
        for row in &operator.solved.contradictions {
            let gap = dot(row, known).abs();
            let size: f64 = row.iter().zip(known).map(|(a, b)| (a * b).abs()).sum();
            let small = self.course.sizes.iter().fold(f64::MAX, |a, &b| a.min(b.max(1e-12)));
            if gap > 1e-8 * size.max(1e-3 * small) {
                let among = (0..known.len()).filter(|&k| row[k].abs() > 1e-9).collect();
                return Err(Trouble::Contradiction(self.t, among));
            }
        }
        Ok(())
    }

    /// Variables that grow as 1/h when the same step is shorter are impulses.
    fn find_impulses(&mut self, h: f64, active: &[bool], solution: &[f64]) {
        let n = self.conditions.free.len();
        let large = |k: usize| {
            solution[k].abs() > 10.0 * self.course.sizes[self.conditions.free[k] as usize]
        };
        if !(0..n).any(large) {
            return;
        }
        let shorter = self.operator(h / 16.0, active);
        let mut known = Vec::new();
        self.known(&self.memory, self.t + h / 16.0, &mut known);
        let impulses: Vec<(usize, f64)> = (0..n)
            .filter(|&k| dot(&shorter.solved.gain[k], &known).abs() > 8.0 * solution[k].abs())
            .filter(|&k| solution[k].abs() > self.course.sizes[self.conditions.free[k] as usize])
            .map(|k| (k, solution[k] * h))
            .collect();
        if impulses.is_empty() {
            return;
        }
        let after = self.conditions.memory.iter().map(|&(variable, _)| solution[variable]);
        let memory: Vec<(f64, f64)> = self.memory.iter().copied().zip(after).collect();
        // What the search for an event leaves of a current that vanishes is no jump.
        let is_large = |((before, after), &(variable, _)): (&(f64, f64), &(usize, f64))| {
            let scale = self.conditions.free[variable];
            (after - before).abs() > JUMP * self.course.sizes[scale as usize]
        };
        if memory.iter().zip(&self.conditions.memory).any(is_large) {
            self.course.jumps.push(Jump { t: self.t, impulses, memory });
        }
    }
}

pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}
