//! Ordinary differential equations with known answers, and a way to run any method on them.

/// `Events` and `Hints` of a problem whose field `states` holds the signs of its guards, and whose values do not jump: the
/// number of guards, and what writes their values.
macro_rules! watched {
    ($problem:ty, $count:expr, $guards:expr) => {
        impl integrate::Events for $problem {
            fn n_guards(&self) -> usize {
                let count: fn(&Self) -> usize = $count;
                count(self)
            }

            fn guards(
                &mut self,
                _: f64,
                y: &[f64],
                _: &[f64],
                values: &mut [f64],
            ) -> Result<(), integrate::EvaluationError> {
                let write: fn(&Self, &[f64], &mut [f64]) = $guards;
                write(self, y, values);
                Ok(())
            }

            fn sides(&self, sides: &mut [integrate::Side]) {
                self.states.fill_sides(sides);
            }

            fn switch(
                &mut self,
                event: &integrate::Event<'_>,
                _: &mut [f64],
                changes: &mut integrate::ChangeList,
            ) -> Result<(), integrate::EvaluationError> {
                self.states.update(event, changes);
                Ok(())
            }
        }

        impl integrate::Hints for $problem {}
    };
}

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
