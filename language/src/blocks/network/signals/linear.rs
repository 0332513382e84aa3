//! Linear blocks in state form: x' = A x + B u, y = C x + D u.

use crate::writing::{Operand, Writer};
use equations::expr::Ex;

/// A linear block; matrices row by row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Linear {
    pub a: Vec<f64>,
    pub b: Vec<f64>,
    pub c: Vec<f64>,
    pub d: Vec<f64>,
    /// Given initial values of x.
    pub initial: Vec<Option<f64>>,
}

impl Linear {
    /// One input, one output, one state.
    pub fn first_order([a, b, c, d]: [f64; 4], initial: Option<f64>) -> Self {
        Self { a: vec![a], b: vec![b], c: vec![c], d: vec![d], initial: vec![initial] }
    }

    /// No state: y = D u.
    pub fn direct(d: Vec<f64>) -> Self {
        Self { a: Vec::new(), b: Vec::new(), c: Vec::new(), d, initial: Vec::new() }
    }

    /// Number of states.
    pub fn n(&self) -> usize {
        self.initial.len()
    }

    /// States and their rates, before an addition to the last rate.
    fn states<'a>(&self, e: &Writer<'a>, u: &[Ex<'a>]) -> (Vec<Ex<'a>>, Vec<Ex<'a>>) {
        let x: Vec<Ex<'a>> = self.initial.iter().map(|&initial| e.state("x", initial)).collect();
        let rates = (0..self.n())
            .map(|row| dot(e, &self.a[row * self.n()..], &x) + dot(e, &self.b[row * u.len()..], u));
        (x.clone(), rates.collect())
    }

    /// The outputs in a state.
    pub fn output<'a>(&self, e: &Writer<'a>, x: &[Ex<'a>], u: &[Ex<'a>]) -> Vec<Ex<'a>> {
        let count = self.d.len() / u.len().max(1);
        (0..count)
            .map(|row| dot(e, &self.c[row * x.len()..], x) + dot(e, &self.d[row * u.len()..], u))
            .collect()
    }

    /// Writes the equations; gives states and outputs.
    pub fn write<'a>(&self, e: &Writer<'a>, u: &[Ex<'a>]) -> (Vec<Ex<'a>>, Vec<Ex<'a>>) {
        let (x, rates) = self.states(e, u);
        for (&x, &rate) in x.iter().zip(&rates) {
            e.equal(e.rate(x), rate);
        }
        let y = self.output(e, &x, u);
        (x, y)
    }

    /// Writes the block with a limited output, whose excess drives the last state back: + Tw (y - yd).
    pub fn write_limited<'a>(
        &self,
        e: &Writer<'a>,
        u: Ex<'a>,
        limits: [Option<f64>; 2],
        back: f64,
    ) -> Ex<'a> {
        let (x, mut rates) = self.states(e, &[u]);
        let wanted = self.output(e, &x, &[u]).first().copied().unwrap_or(u);
        let y = if limits == [None; 2] {
            wanted
        } else {
            Operand::of(e, wanted).limited(e, wanted, limits)
        };
        if let Some(last) = rates.last_mut() {
            *last = *last + back * (y - wanted);
        }
        for (&x, &rate) in x.iter().zip(&rates) {
            e.equal(e.rate(x), rate);
        }
        y
    }
}

/// The sum of products; as many as there are factors.
pub(crate) fn dot<'a>(e: &Writer<'a>, numbers: &[f64], x: &[Ex<'a>]) -> Ex<'a> {
    numbers.iter().zip(x).fold(e.number(0.0), |sum, (&number, &x)| sum + number * x)
}
