//! A linear system in state form: x' = A x + B u, y = C x + D u.

use super::linear::Linear;
use super::{SampledBlock, Sampling, SignalBlock};
use crate::blocks::network::element_schema;
use crate::codes;
use crate::element::{BlockSchema, SignalSchema, SignalShape, Unit, signal};
use crate::reading::fields::{NumberList, TimeList};
use crate::reading::{Group, parameters};
use crate::writing::SampledForm;
use crate::writing::Writer;
use equations::expr::Ex;

parameters! {
    /// A linear system in state form.
    pub struct StateSpace {
        u: TimeList = "u", Plus, Unit::None, Required, Any, "inputs";
        a: NumberList = "A", Plus, Unit::None, Required, Any, "matrix of the states, row by row";
        b: NumberList = "B", Plus, Unit::None, Required, Any, "matrix of the inputs, row by row";
        c: NumberList = "C", Plus, Unit::None, Required, Any, "matrix of the outputs, row by row";
        d: NumberList = "D", Plus, Unit::None, Number(0.0), Any, "what leads from the inputs to the outputs at once, row by row; 0 is none";
        initial: Option<NumberList> = "xinit", Plus, Unit::None, Absent("0"), Any, "states at the start";
    }
}

const fn vector(name: &'static str, doc: &'static str) -> SignalSchema {
    let (shape, unit) = (SignalShape::Vector, Unit::None);
    SignalSchema { shape, unit, ..signal(name, "", doc) }
}

/// The table of the StateSpace block.
pub static STATE_SPACE: BlockSchema = element_schema(
    "StateSpace",
    "A linear system in state form: x' = A x + B u, y = C x + D u.",
    &[StateSpace::PARAMETERS, Sampling::PARAMETERS],
    &[&[vector("y", "outputs"), vector("x", "states")]],
);

impl StateSpace {
    /// Number of states, rounded where A is not square.
    fn n(&self) -> usize {
        (self.a.0.len() as f64).sqrt().round() as usize
    }

    /// Number of outputs.
    fn outputs(&self) -> usize {
        self.c.0.len() / self.n().max(1)
    }

    /// A message about sizes that do not fit, if there are any.
    fn misfit(&self) -> Option<String> {
        let (n, m) = (self.n(), self.u.0.len());
        let count = |name: &str, has: usize, needs: String| {
            Some(format!("has {has} numbers in `{name}`, and needs {needs}"))
        };
        if n * n != self.a.0.len() || n == 0 {
            return count("A", self.a.0.len(), "a square of a whole number".into());
        }
        if self.b.0.len() != n * m {
            let needs = format!("{} for {n} states and {m} inputs", n * m);
            return count("B", self.b.0.len(), needs);
        }
        let p = self.outputs();
        if p * n != self.c.0.len() || p == 0 {
            return count("C", self.c.0.len(), format!("{n} for each output"));
        }
        if *self.d.0 != [0.0] && self.d.0.len() != p * m {
            let needs = format!("{} for {p} outputs and {m} inputs", p * m);
            return count("D", self.d.0.len(), needs);
        }
        match &self.initial {
            Some(given) if given.0.len() != n => count("xinit", given.0.len(), n.to_string()),
            _ => None,
        }
    }

    fn linear(&self) -> Linear {
        let given = |k: usize| self.initial.as_ref().map(|given| given.0[k]);
        let d = match *self.d.0 {
            [0.0] => vec![0.0; self.outputs() * self.u.0.len()],
            ref all => all.to_vec(),
        };
        Linear {
            a: self.a.0.to_vec(),
            b: self.b.0.to_vec(),
            c: self.c.0.to_vec(),
            d,
            initial: (0..self.n()).map(given).collect(),
        }
    }
}

impl SignalBlock for StateSpace {
    fn equations(&self, e: &Writer<'_>) {
        if let Some(words) = self.misfit() {
            return e.mistake(codes::MATRIX_SIZE, &words, "matrices are written row by row");
        }
        let u: Vec<Ex<'_>> = self.u.0.iter().map(|u| e.time(u)).collect();
        let (x, y) = self.linear().write(e, &u);
        y.iter().enumerate().for_each(|(k, &y)| e.component("y", k, y));
        x.iter().enumerate().for_each(|(k, &x)| e.component("x", k, x));
    }

    fn width(&self, signal: &str) -> usize {
        if signal == "x" { self.n() } else { self.outputs() }
    }
}

impl SampledBlock for StateSpace {
    fn sampled(&self, e: &Writer<'_>, period: f64) -> Option<SampledForm> {
        if let Some(words) = self.misfit() {
            e.mistake(codes::MATRIX_SIZE, &words, "matrices are written row by row");
            return None;
        }
        Some(self.linear().sampled(self.u.0.to_vec(), period))
    }
}
