//! Ordinary differential equations with known answers, and a way to run any method on them.

pub mod detest;
pub mod harness;
pub mod reference;
pub mod run;
pub mod special;
pub mod standard;
pub mod stiff;
pub mod switching;

use integrate::{EvaluationError, Events, Hints, Problem};

/// Right-hand side of an equation without modes.
pub type Rhs = fn(f64, &[f64], &mut [f64]);

/// A problem without guards.
#[derive(Clone, Debug)]
pub struct Ode {
    /// Name in the reference tables.
    pub name: &'static str,
    /// Initial values at `t0`.
    pub y0: Vec<f64>,
    /// First time.
    pub t0: f64,
    /// Last time.
    pub t1: f64,
    /// Derivatives.
    pub rhs: Rhs,
}

impl Problem for Ode {
    fn len(&self) -> usize {
        self.y0.len()
    }

    fn derivatives(&mut self, t: f64, y: &[f64], ydot: &mut [f64]) -> Result<(), EvaluationError> {
        (self.rhs)(t, y, ydot);
        Ok(())
    }
}

impl Events for Ode {}

impl Hints for Ode {}
