//! A linear complementarity system: equations with memory, and pairs of which one is zero.
//!
//! Unknowns are the free variables x and, for each pair k, w_k >= 0 and z_k >= 0 with w_k z_k = 0. A step of implicit
//! Euler of the size h solves
//!
//! sum a x + sum b w + sum c z + h (the same with other factors) = sum d y_old + sum e s(t + h),
//!
//! where y are those of the x that the equations remember, and s sources. A pair may be forced to one side: a switch
//! is a pair with z = i and w = v, a thyristor without a gate signal one with z = 0.

use crate::elimination::{self, Solved};
use crate::lemke::{self, Solution};

/// Something that an equation contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Var {
    /// A free variable.
    X(usize),
    /// The w of a pair.
    W(usize),
    /// The z of a pair.
    Z(usize),
}

/// What is known at the beginning of a step.
#[derive(Clone, Copy, Debug)]
pub enum Known {
    /// A remembered variable, at the beginning of the step.
    Old(usize),
    /// A source, at the end of the step.
    Source(usize),
}

/// One equation.
#[derive(Clone, Debug, Default)]
pub struct Equation {
    /// Terms with constant factors.
    pub terms: Vec<(Var, f64)>,
    /// Terms with a factor times h.
    pub step_terms: Vec<(Var, f64)>,
    /// The right side.
    pub known: Vec<(Known, f64)>,
}

/// A function of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wave {
    /// Does not change.
    Constant(f64),
    /// offset + amplitude sin(2 pi frequency t + phase).
    Sine {
        /// Amplitude.
        amplitude: f64,
        /// Frequency, Hz.
        frequency: f64,
        /// Phase, rad.
        phase: f64,
        /// Mean.
        offset: f64,
    },
    /// `high` while the gate is on, otherwise `low`.
    Pulse {
        /// Value while off.
        low: f64,
        /// Value while on.
        high: f64,
        /// When it is on.
        gate: Gate,
    },
}

/// On while mod(t + shift, period) < on, or the opposite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gate {
    /// Period, s.
    pub period: f64,
    /// Length of the first part of a period, s.
    pub on: f64,
    /// Shift to earlier times, s, not negative.
    pub shift: f64,
    /// Is it on in the second part instead?
    pub inverted: bool,
}

impl Gate {
    /// Is it on?
    pub fn is_on(&self, t: f64) -> bool {
        ((t + self.shift).rem_euclid(self.period) < self.on) != self.inverted
    }

    /// When it changes before `end`.
    pub fn edges(&self, end: f64) -> Vec<f64> {
        let first = (self.shift / self.period).floor() as i64;
        let last = ((end + self.shift) / self.period).ceil() as i64;
        let starts = (first..=last).map(|k| k as f64 * self.period - self.shift);
        starts.flat_map(|t| [t, t + self.on]).filter(|&t| t > 0.0 && t < end).collect()
    }

    /// As a condition of a model.
    pub fn text(&self) -> String {
        let Gate { period, on, shift, inverted } = *self;
        let sign = if inverted { ">=" } else { "<" };
        format!("mod(t + {shift:?}, {period:?}) {sign} {on:?}")
    }
}

impl Wave {
    /// Its value at `t`, with gates as they are at `within`, a time in the same stretch between edges.
    pub fn value(&self, t: f64, within: f64) -> f64 {
        match *self {
            Wave::Constant(value) => value,
            Wave::Sine { amplitude, frequency, phase, offset } => {
                offset + amplitude * (std::f64::consts::TAU * frequency * t + phase).sin()
            }
            Wave::Pulse { low, high, gate } => {
                if gate.is_on(within) {
                    high
                } else {
                    low
                }
            }
        }
    }

    /// Its largest magnitude.
    pub fn size(&self) -> f64 {
        match *self {
            Wave::Constant(value) => value.abs(),
            Wave::Sine { amplitude, offset, .. } => amplitude.abs() + offset.abs(),
            Wave::Pulse { low, high, .. } => low.abs().max(high.abs()),
        }
    }

    /// As an expression of a model.
    pub fn text(&self) -> String {
        match *self {
            Wave::Constant(value) => format!("{value:?}"),
            Wave::Sine { amplitude, frequency, phase, offset } => {
                format!("{offset:?} + {amplitude:?}*sin(2*pi*{frequency:?}*t + {phase:?})")
            }
            Wave::Pulse { low, high, gate } => format!("if({}, {high:?}, {low:?})", gate.text()),
        }
    }
}

/// What forces a pair to one side, or decides about it besides its signs.
#[derive(Clone, Copy, Debug)]
pub enum Rule {
    /// Complementarity alone.
    Free,
    /// w = 0 while the gate is on, otherwise z = 0: a switch.
    Switch(Gate),
    /// While the gate is off, z = 0 stays: a thyristor.
    Latch(Gate),
    /// z = 0 as long as a free variable is not positive: a stop that is not touched.
    Positive(usize),
}

/// What kind of quantity a variable is: each has a size of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Voltage; in trains speed.
    Across,
    /// Current; in trains force.
    Through,
    /// Positions of trains.
    Position,
}

/// The number of scales.
pub const SCALES: usize = 3;

/// A source of a system.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// Its course in time.
    pub wave: Wave,
    /// Its kind.
    pub scale: Scale,
    /// While this gate is off, it is 0.
    pub gate: Option<Gate>,
    /// Another value while the pair is at rest (z = 0) together with the one behind it: stiction.
    pub at_rest: Option<(f64, usize, usize)>,
}

/// A complementarity system.
#[derive(Clone, Debug, Default)]
pub struct Conditions {
    /// Kinds of the free variables.
    pub free: Vec<Scale>,
    /// Kinds of w and z, and the rule of each pair.
    pub pairs: Vec<(Scale, Scale, Rule)>,
    /// Remembered variables and their initial values.
    pub memory: Vec<(usize, f64)>,
    /// Sources.
    pub sources: Vec<Source>,
    /// Sizes of the kinds below which a value is nothing but rounding, as far as they are known before a run.
    pub floors: [f64; SCALES],
    /// The equations, as many as free variables and pairs.
    pub equations: Vec<Equation>,
}

/// A step of one size with each pair on a given side.
pub struct Operator {
    /// Free variables, then of each pair the side that is not zero, from remembered variables and sources.
    pub solved: Solved,
    /// For each of them and each scale: the sum of the magnitudes of the gain.
    pub reach: Vec<[f64; SCALES]>,
}

impl Conditions {
    /// A new free variable.
    pub fn variable(&mut self, scale: Scale) -> usize {
        self.free.push(scale);
        self.free.len() - 1
    }

    /// A new pair.
    pub fn pair(&mut self, w: Scale, z: Scale, rule: Rule) -> usize {
        self.pairs.push((w, z, rule));
        self.pairs.len() - 1
    }

    /// A variable is remembered from step to step.
    pub fn remember(&mut self, variable: usize, initial: f64) -> Known {
        self.memory.push((variable, initial));
        Known::Old(self.memory.len() - 1)
    }

    /// A new source.
    pub fn source(&mut self, wave: Wave, scale: Scale) -> Known {
        self.sources.push(Source { wave, scale, gate: None, at_rest: None });
        Known::Source(self.sources.len() - 1)
    }

    /// Adds an equation.
    pub fn equate(&mut self, terms: &[(Var, f64)], known: &[(Known, f64)]) {
        self.equations.push(Equation {
            terms: terms.to_vec(),
            known: known.to_vec(),
            ..Equation::default()
        });
    }

    /// Adds an equation with terms times h.
    pub fn remembering(
        &mut self,
        terms: &[(Var, f64)],
        step_terms: &[(Var, f64)],
        known: &[(Known, f64)],
    ) {
        let (terms, step_terms, known) = (terms.to_vec(), step_terms.to_vec(), known.to_vec());
        self.equations.push(Equation { terms, step_terms, known });
    }

    /// The number of known numbers of a step.
    pub fn inputs(&self) -> usize {
        self.memory.len() + self.sources.len()
    }

    fn input(&self, known: Known) -> usize {
        match known {
            Known::Old(k) => k,
            Known::Source(k) => self.memory.len() + k,
        }
    }

    /// The kind of a known number.
    fn input_scale(&self, input: usize) -> Scale {
        match input.checked_sub(self.memory.len()) {
            None => self.free[self.memory[input].0],
            Some(source) => self.sources[source].scale,
        }
    }

    /// The kind of a solved number: a free variable or the side of a pair that is not zero.
    pub fn solved_scale(&self, at: usize, active: &[bool]) -> Scale {
        match at.checked_sub(self.free.len()) {
            None => self.free[at],
            Some(k) if active[k] => self.pairs[k].1,
            Some(k) => self.pairs[k].0,
        }
    }

    /// Solves the equations without memory once for as many free variables as possible.
    pub fn reduce(&self) -> Reduced {
        let (n, m) = (self.free.len(), self.pairs.len());
        let column = |var: Var| match var {
            Var::X(k) => k,
            Var::W(k) => n + k,
            Var::Z(k) => n + m + k,
        };
        let width = n + 2 * m;
        let dense = |terms: &[(Var, f64)], known: &[(Known, f64)]| {
            let mut row = vec![0.0; width + self.inputs()];
            terms.iter().for_each(|&(var, factor)| row[column(var)] += factor);
            known.iter().for_each(|&(known, factor)| row[width + self.input(known)] += factor);
            row
        };
        let (still, moving): (Vec<&Equation>, Vec<&Equation>) =
            self.equations.iter().partition(|equation| equation.step_terms.is_empty());
        let rows: Vec<Vec<f64>> = still.iter().map(|e| dense(&e.terms, &e.known)).collect();
        let left: Vec<Vec<f64>> = rows.iter().map(|row| row[..n].to_vec()).collect();
        // What is not eliminated counts as known: pairs with the opposite sign, inputs as they are.
        let right: Vec<Vec<f64>> = rows
            .iter()
            .map(|row| {
                row[n..width].iter().map(|x| -x).chain(row[width..].iter().copied()).collect()
            })
            .collect();
        let solved = elimination::solve(&left, &right);
        let mut direction = vec![Vec::new(); n];
        for null in &solved.null {
            direction.iter_mut().zip(null).for_each(|(row, x)| row.push(*x));
        }
        // x = direction u + gain (w, z, inputs), where u are coordinates of what is left.
        let kept = solved.null.len();
        let express = |row: &[f64]| {
            let mut out = vec![0.0; kept];
            let mut rest: Vec<f64> = row[n..width].to_vec();
            let mut known = row[width..].to_vec();
            for (k, &factor) in row[..n].iter().enumerate().filter(|(_, factor)| **factor != 0.0) {
                out.iter_mut().zip(&direction[k]).for_each(|(x, d)| *x += factor * d);
                let gain = &solved.gain[k];
                rest.iter_mut().zip(&gain[..2 * m]).for_each(|(x, g)| *x += factor * g);
                known.iter_mut().zip(&gain[2 * m..]).for_each(|(x, g)| *x -= factor * g);
            }
            (out, rest, known)
        };
        let mut lines: Vec<Line> = Vec::new();
        for equation in moving {
            let constant = express(&dense(&equation.terms, &equation.known));
            let step = express(&dense(&equation.step_terms, &[]));
            lines.push(Line { constant, step: Some(step) });
        }
        for row in &solved.contradictions {
            // 0 = row (w, z, inputs).
            let pairs = row[..2 * m].iter().map(|x| -x).collect();
            lines.push(Line {
                constant: (vec![0.0; kept], pairs, row[2 * m..].to_vec()),
                step: None,
            });
        }
        Reduced { kept, pairs: m, inputs: self.inputs(), lines, direction, gain: solved.gain }
    }

    /// The sums of magnitudes of a gain by scale.
    fn reach(&self, gain: &[Vec<f64>]) -> Vec<[f64; SCALES]> {
        let sums = |row: &Vec<f64>| {
            let mut sums = [0.0; SCALES];
            for (input, factor) in row.iter().enumerate() {
                sums[self.input_scale(input) as usize] += factor.abs();
            }
            sums
        };
        gain.iter().map(sums).collect()
    }
}

/// Factors of what is left of the free variables, of all w and z, and of what is known.
type Factors = (Vec<f64>, Vec<f64>, Vec<f64>);

/// An equation of the reduced system.
#[derive(Clone, Debug)]
struct Line {
    constant: Factors,
    /// Factors times h.
    step: Option<Factors>,
}

/// A system without the free variables that equations without memory determine.
#[derive(Clone, Debug)]
pub struct Reduced {
    kept: usize,
    pairs: usize,
    inputs: usize,
    lines: Vec<Line>,
    direction: Vec<Vec<f64>>,
    gain: Vec<Vec<f64>>,
}

impl Reduced {
    /// Matrices for the columns that `place` gives to w (k) and z (pairs + k), behind those of the kept variables.
    fn matrices(
        &self,
        h: f64,
        width: usize,
        place: &dyn Fn(usize) -> Option<usize>,
    ) -> (Vec<Vec<f64>>, Vec<Vec<f64>>) {
        let mut left = vec![vec![0.0; width]; self.lines.len()];
        let mut right = vec![vec![0.0; self.inputs]; self.lines.len()];
        for ((line, left), right) in self.lines.iter().zip(&mut left).zip(&mut right) {
            let parts = [Some((1.0, &line.constant)), line.step.as_ref().map(|step| (h, step))];
            for (size, (kept, pairs, known)) in parts.into_iter().flatten() {
                left.iter_mut().zip(kept).for_each(|(x, y)| *x += size * y);
                for (k, factor) in pairs.iter().enumerate().filter(|(_, factor)| **factor != 0.0) {
                    if let Some(at) = place(k) {
                        left[at] += size * factor;
                    }
                }
                right.iter_mut().zip(known).for_each(|(x, y)| *x += size * y);
            }
        }
        (left, right)
    }

    /// Where the side of each pair that is not zero stands.
    fn side(&self, active: &[bool], var: usize) -> Option<usize> {
        let (k, is_z) = (var % self.pairs.max(1), var >= self.pairs);
        (active[k] == is_z).then_some(self.kept + k)
    }

    /// All free variables and pairs from a solution (kept variables, pairs) for each of some inputs.
    fn expand(
        &self,
        solution: &[Vec<f64>],
        active: &[bool],
        inputs: usize,
        with_known: bool,
    ) -> Vec<Vec<f64>> {
        let mut all = Vec::new();
        for (direction, gain) in self.direction.iter().zip(&self.gain) {
            let mut row = vec![0.0; inputs];
            if with_known {
                row.copy_from_slice(&gain[2 * self.pairs..]);
            }
            for (factor, line) in direction.iter().zip(solution) {
                row.iter_mut().zip(line).for_each(|(x, y)| *x += factor * y);
            }
            for k in 0..self.pairs {
                let factor = gain[if active[k] { self.pairs + k } else { k }];
                if factor != 0.0 {
                    lemke::reduce(&mut row, -factor, &solution[self.kept + k]);
                }
            }
            all.push(row);
        }
        all.extend(solution[self.kept..].iter().cloned());
        all
    }

    /// A step of the size h with z of the active pairs and w of the others.
    pub fn operator(&self, conditions: &Conditions, h: f64, active: &[bool]) -> Operator {
        let (left, right) = self.matrices(h, self.kept + self.pairs, &|var| self.side(active, var));
        let found = elimination::solve(&left, &right);
        let gain = self.expand(&found.gain, active, self.inputs, true);
        let columns: Vec<Vec<f64>> = (0..self.kept + self.pairs)
            .map(|k| found.null.iter().map(|null| null[k]).collect())
            .collect();
        let rows = self.expand(&columns, active, found.null.len(), false);
        let null =
            (0..found.null.len()).map(|at| rows.iter().map(|row| row[at]).collect()).collect();
        let solved = Solved { gain, null, contradictions: found.contradictions };
        Operator { reach: conditions.reach(&solved.gain), solved }
    }

    /// How all unknowns move with the side of pair k that is zero, if the other side does not move with it: the share of
    /// parallel valves, the potential between valves in series that block.
    pub fn slack(&self, h: f64, active: &[bool], k: usize, unit: f64) -> Option<Vec<f64>> {
        let (left, _) = self.matrices(h, self.kept + self.pairs, &|var| self.side(active, var));
        let zero = if active[k] { k } else { self.pairs + k };
        let (column, _) =
            self.matrices(h, self.kept + 1, &|var| (var == zero).then_some(self.kept));
        let negative: Vec<Vec<f64>> = column.iter().map(|row| vec![-row[self.kept]]).collect();
        let found = elimination::solve(&left, &negative);
        let contradicts = found.contradictions.iter().any(|row| row[0].abs() > 1e-9);
        let moves = found.gain[self.kept + k][0].abs() > 1e-12 * unit;
        let direction = || {
            let all = self.expand(&found.gain, active, 1, false);
            // The side itself acts on eliminated variables, too.
            all.iter().zip(&self.gain).map(|(row, gain)| row[0] + gain[zero]).collect()
        };
        (!contradicts && !moves).then(direction)
    }

    /// The sides of all pairs at the end of a step; `forced` sides stay. `None` if the problem has no solution.
    pub fn settle(&self, h: f64, forced: &[Option<bool>], known: &[f64]) -> Option<Vec<bool>> {
        let loose: Vec<usize> = (0..self.pairs).filter(|&k| forced[k].is_none()).collect();
        let fixed: Vec<usize> = (0..self.pairs).filter(|&k| forced[k].is_some()).collect();
        // Eliminate what is left of the free variables and forced pairs, with loose pairs as if they were known.
        let own = |var: usize| {
            let (k, is_z) = (var % self.pairs, var >= self.pairs);
            let at = fixed.iter().position(|&f| f == k)?;
            (forced[k] == Some(is_z)).then_some(self.kept + at)
        };
        let (left, right) = self.matrices(h, self.kept + fixed.len(), &own);
        let of_loose = |var: usize| {
            let at = loose.iter().position(|&l| l == var % self.pairs)?;
            Some(self.kept + at + if var >= self.pairs { loose.len() } else { 0 })
        };
        let (both, _) = self.matrices(h, self.kept + 2 * loose.len(), &of_loose);
        let mut of_pairs: Vec<Vec<f64>> =
            both.iter().map(|row| row[self.kept..].to_vec()).collect();
        for (row, inputs) in of_pairs.iter_mut().zip(&right) {
            row.push(inputs.iter().zip(known).map(|(factor, value)| factor * value).sum());
        }
        let rows = elimination::solve(&left, &of_pairs).contradictions;
        let mut sides: Vec<bool> = forced.iter().map(|side| *side == Some(true)).collect();
        for (&k, active) in loose.iter().zip(solve_horizontal(rows, loose.len())?) {
            sides[k] = active;
        }
        Some(sides)
    }
}

/// Finds sides for W w + Z z = q, given as rows (W, Z, q).
///
/// A passive network has a hybrid description: one variable of each pair can be solved for. Which one comes out of
/// elimination with complete pivoting in which no pair is used twice.
fn solve_horizontal(mut rows: Vec<Vec<f64>>, n: usize) -> Option<Vec<bool>> {
    if n == 0 {
        return Some(Vec::new());
    }
    let matrix: Vec<Vec<f64>> = rows.iter().map(|row| row[..2 * n].to_vec()).collect();
    let (row_factor, column_factor) = lemke::balance(&matrix);
    for (row, factor) in rows.iter_mut().zip(&row_factor) {
        row.iter_mut().for_each(|x| *x *= factor);
        row.iter_mut().zip(&column_factor).for_each(|(x, factor)| *x *= factor);
    }
    // For each pair: the row that is solved for one side, and is it z?
    let mut basis: Vec<Option<(usize, bool)>> = vec![None; n];
    let mut used = vec![false; rows.len()];
    loop {
        let mut best = (0, 0, 1e-11);
        for (i, row) in rows.iter().enumerate().filter(|(i, _)| !used[*i]) {
            for column in 0..2 * n {
                if basis[column % n].is_none() && row[column].abs() > best.2 {
                    best = (i, column, row[column].abs());
                }
            }
        }
        let (i, column, size) = best;
        if size <= 1e-11 {
            break;
        }
        let factor = 1.0 / rows[i][column];
        rows[i].iter_mut().for_each(|x| *x *= factor);
        rows[i][column] = 1.0;
        let pivot_row = rows[i].clone();
        for (j, row) in rows.iter_mut().enumerate() {
            let factor = row[column];
            if j != i && factor != 0.0 {
                lemke::reduce(row, factor, &pivot_row);
                row[column] = 0.0;
            }
        }
        used[i] = true;
        basis[column % n] = Some((i, column >= n));
    }
    // A pair that no row determines is at rest: its other side does not act on anything.
    let determined: Vec<usize> = (0..n).filter(|&k| basis[k].is_some()).collect();
    let mut m = Vec::new();
    let mut q = Vec::new();
    for &k in &determined {
        let (row, is_z) = basis[k]?;
        let other = |j: usize| basis[j].map_or(j, |(_, z)| if z { j } else { n + j });
        m.push(determined.iter().map(|&j| -rows[row][other(j)]).collect());
        q.push(rows[row][2 * n]);
    }
    let Solution::Basis(sides) = lemke::solve(&m, &q) else { return None };
    let mut active = vec![false; n];
    for (&k, flipped) in determined.iter().zip(sides) {
        // Lemke tells whether the variable that was not solved for is positive.
        active[k] = basis[k].is_some_and(|(_, is_z)| is_z != flipped);
    }
    Some(active)
}
