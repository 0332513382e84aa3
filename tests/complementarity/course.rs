//! What the course of a complementarity system leaves behind, or why there is none.

use std::rc::Rc;

use crate::conditions::{Operator, SCALES};

/// Why there is no course, with the numbers of the free variables it is about.
#[derive(Clone, Debug, PartialEq)]
pub enum Trouble {
    /// No combination of sides satisfies the equations.
    NoSolution(f64),
    /// Equations contradict each other; these are the variables of the sources in the contradiction.
    Contradiction(f64, Vec<usize>),
    /// The reference itself needs too many steps.
    TooManySteps(f64),
}

/// An instant at which remembered variables jump.
#[derive(Clone, Debug)]
pub struct Jump {
    /// When.
    pub t: f64,
    /// Free variables that are infinite at the instant, with their integral over it.
    pub impulses: Vec<(usize, f64)>,
    /// Remembered variables before and after.
    pub memory: Vec<(f64, f64)>,
}

/// Directions in which the free variables may move at an instant without violating any equation.
#[derive(Clone, Debug, Default)]
pub struct Slack(pub Vec<Vec<f64>>);

impl Slack {
    /// Does a sum of variables move with one of the directions?
    pub fn is_open(&self, terms: &[(usize, f64)]) -> bool {
        self.0.iter().any(|direction| {
            let size = direction.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
            terms.iter().map(|&(k, factor)| factor * direction[k]).sum::<f64>().abs() > 1e-9 * size
        })
    }
}

/// What a course leaves behind.
#[derive(Clone, Default)]
pub struct Course {
    /// Free variables at each output time.
    pub values: Vec<Vec<f64>>,
    /// What nothing determines then.
    pub undetermined: Vec<Slack>,
    /// How a step from each output time on depends on the storages there: gains of the free variables.
    pub gains: Vec<Rc<Operator>>,
    /// From here on another course is as good.
    pub ambiguous_from: Option<f64>,
    /// When a pair changed its side.
    pub changes: Vec<f64>,
    /// When variables jumped.
    pub jumps: Vec<Jump>,
    /// Largest values of each kind.
    pub sizes: [f64; SCALES],
}
