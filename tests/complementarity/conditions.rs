//! A linear complementarity system: equations with memory, and pairs of which one is zero.
//!
//! Unknowns are the free variables x and, for each pair k, w_k >= 0 and z_k >= 0 with w_k z_k = 0. A step of implicit
//! Euler of the size h solves
//!
//! sum a x + sum b w + sum c z + h (the same with other factors) = sum d y_old + sum e s(t + h),
//!
//! where y are the components of x that the equations remember, and s sources. A pair may be forced to one side: a switch
//! is a pair with z = i and w = v, a thyristor without a gate signal one with z = 0.

use crate::elimination::Solved;
use crate::waves::{Gate, Wave};

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

    pub fn input(&self, known: Known) -> usize {
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

    /// The sums of magnitudes of a gain by scale.
    pub fn reach(&self, gain: &[Vec<f64>]) -> Vec<[f64; SCALES]> {
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
