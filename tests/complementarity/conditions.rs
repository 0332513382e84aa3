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

    /// Matrices of all equations for the columns that `place` gives to variables.
    fn matrices(
        &self,
        h: f64,
        width: usize,
        place: &dyn Fn(Var) -> Option<usize>,
    ) -> (Vec<Vec<f64>>, Vec<Vec<f64>>) {
        let mut left = vec![vec![0.0; width]; self.equations.len()];
        let mut right = vec![vec![0.0; self.inputs()]; self.equations.len()];
        for (row, equation) in self.equations.iter().enumerate() {
            let stepped = equation.step_terms.iter().map(|&(var, factor)| (var, h * factor));
            for (var, factor) in equation.terms.iter().copied().chain(stepped) {
                if let Some(column) = place(var) {
                    left[row][column] += factor;
                }
            }
            for &(known, factor) in &equation.known {
                right[row][self.input(known)] += factor;
            }
        }
        (left, right)
    }

    /// A step of the size h with z of the active pairs and w of the others.
    pub fn operator(&self, h: f64, active: &[bool]) -> Operator {
        let n = self.free.len();
        let place = |var: Var| match var {
            Var::X(k) => Some(k),
            Var::W(k) => (!active[k]).then_some(n + k),
            Var::Z(k) => active[k].then_some(n + k),
        };
        let (left, right) = self.matrices(h, n + self.pairs.len(), &place);
        let solved = elimination::solve(&left, &right);
        let reach = solved.gain.iter().map(|row| {
            let mut sums = [0.0; SCALES];
            for (input, factor) in row.iter().enumerate() {
                sums[self.input_scale(input) as usize] += factor.abs();
            }
            sums
        });
        Operator { reach: reach.collect(), solved }
    }

    /// How all unknowns move with the side of pair k that is zero, if the other side does not move with it: the share of
    /// parallel valves, the potential between valves in series that block.
    pub fn slack(&self, h: f64, active: &[bool], k: usize, unit: f64) -> Option<Vec<f64>> {
        let n = self.free.len();
        let place = |var: Var| match var {
            Var::X(k) => Some(k),
            Var::W(k) => (!active[k]).then_some(n + k),
            Var::Z(k) => active[k].then_some(n + k),
        };
        let (left, _) = self.matrices(h, n + self.pairs.len(), &place);
        let zero = if active[k] { Var::W(k) } else { Var::Z(k) };
        let (column, _) = self.matrices(h, 1, &|var| (var == zero).then_some(0));
        let negative: Vec<Vec<f64>> = column.iter().map(|row| vec![-row[0]]).collect();
        let solved = elimination::solve(&left, &negative);
        let contradicts = solved.contradictions.iter().any(|row| row[0].abs() > 1e-9);
        let moves = solved.gain[n + k][0].abs() > 1e-12 * unit;
        let direction = || solved.gain[..n].iter().map(|row| row[0]).collect();
        (!contradicts && !moves).then(direction)
    }

    /// The sides of all pairs at the end of a step; `forced` sides stay. `None` if the problem has no solution.
    pub fn settle(&self, h: f64, forced: &[Option<bool>], known: &[f64]) -> Option<Vec<bool>> {
        let n = self.free.len();
        let mut width = n;
        let mut own = vec![None; self.pairs.len()];
        let mut loose = Vec::new();
        for (k, side) in forced.iter().enumerate() {
            if side.is_some() {
                own[k] = Some(width);
                width += 1;
            } else {
                loose.push(k);
            }
        }
        // Eliminate all free variables, with w and z of the loose pairs as if they were known.
        let place = |var: Var| match var {
            Var::X(k) => Some(k),
            Var::W(k) => own[k].filter(|_| forced[k] == Some(false)),
            Var::Z(k) => own[k].filter(|_| forced[k] == Some(true)),
        };
        let (left, right) = self.matrices(h, width, &place);
        let pairs = |var: Var| match var {
            Var::W(k) => loose.iter().position(|&l| l == k),
            Var::Z(k) => loose.iter().position(|&l| l == k).map(|at| loose.len() + at),
            Var::X(_) => None,
        };
        let (mut of_pairs, _) = self.matrices(h, 2 * loose.len(), &pairs);
        for (row, inputs) in of_pairs.iter_mut().zip(&right) {
            row.push(inputs.iter().zip(known).map(|(factor, value)| factor * value).sum());
        }
        let rows = elimination::solve(&left, &of_pairs).contradictions;
        let mut forced_sides: Vec<bool> = forced.iter().map(|side| *side == Some(true)).collect();
        for (&k, active) in loose.iter().zip(solve_horizontal(rows, loose.len())?) {
            forced_sides[k] = active;
        }
        Some(forced_sides)
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
        debug_assert!(rows[row][if is_z { n + k } else { k }] == 1.0, "a pivot");
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
