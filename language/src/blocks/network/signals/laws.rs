//! What blocks do at the instants of a clock.

use std::sync::Arc;

use super::exponential::discretise;
use super::linear::{Linear, dot};
use crate::writing::Writer;
use crate::writing::{Sampled, SampledForm};
use equations::discrete::SampledLaw;
use equations::expr::Ex;
use equations::expression::Program;

/// x := Ad x + Bd u + E (y - yd), yd = C x + D u, y = yd within limits.
#[derive(Debug)]
pub(crate) struct LinearLaw {
    pub a: Vec<f64>,
    pub b: Vec<f64>,
    pub c: Vec<f64>,
    pub d: Vec<f64>,
    /// Addition to each state per excess over the limits.
    pub excess: Vec<f64>,
    pub limits: [Option<f64>; 2],
}

fn limited(y: f64, [low, high]: [Option<f64>; 2]) -> f64 {
    y.max(low.unwrap_or(f64::NEG_INFINITY)).min(high.unwrap_or(f64::INFINITY))
}

/// Limits an expression, without events.
fn limited_expression<'a>(e: &Writer<'a>, y: Ex<'a>, [low, high]: [Option<f64>; 2]) -> Ex<'a> {
    let above = low.map_or(y, |low| (y - low).if_positive(y, e.number(low)));
    high.map_or(above, |high| (y - high).if_positive(e.number(high), above))
}

fn sum(numbers: &[f64], x: &[f64]) -> f64 {
    numbers.iter().zip(x).map(|(a, x)| a * x).sum()
}

impl LinearLaw {
    fn wanted(&self, row: usize, x: &[f64], u: &[f64]) -> f64 {
        sum(&self.c[row * x.len()..], x) + sum(&self.d[row * u.len()..], u)
    }
}

impl SampledLaw for LinearLaw {
    fn output(&self, x: &[f64], u: &[f64], y: &mut [f64]) {
        for (row, y) in y.iter_mut().enumerate() {
            *y = limited(self.wanted(row, x, u), self.limits);
        }
    }

    fn advance(&self, x: &mut [f64], u: &[f64], y: &[f64]) {
        let over = y.first().map_or(0.0, |y| y - self.wanted(0, x, u));
        let n = x.len();
        let next: Vec<f64> = (0..n)
            .map(|row| {
                let free = sum(&self.a[row * n..], x) + sum(&self.b[row * u.len()..], u);
                free + self.excess.get(row).map_or(0.0, |factor| factor * over)
            })
            .collect();
        x.copy_from_slice(&next);
    }
}

impl Sampled for LinearLaw {
    fn steady<'a>(&self, e: &Writer<'a>, x: &[Ex<'a>], u: &[Ex<'a>]) -> (Vec<Ex<'a>>, Vec<Ex<'a>>) {
        let (n, m) = (x.len(), u.len());
        let wanted: Vec<Ex<'a>> = (0..self.d.len() / m.max(1))
            .map(|row| dot(e, &self.c[row * n..], x) + dot(e, &self.d[row * m..], u))
            .collect();
        let y: Vec<Ex<'a>> =
            wanted.iter().map(|&yd| limited_expression(e, yd, self.limits)).collect();
        let rests = (0..n).map(|row| {
            let change = dot(e, &self.a[row * n..], x) + dot(e, &self.b[row * m..], u) - x[row];
            match (self.excess.get(row), y.first(), wanted.first()) {
                (Some(&factor), Some(&y), Some(&yd)) => change + factor * (y - yd),
                _ => change,
            }
        });
        (rests.collect(), y)
    }
}

/// The matrices of a step from one instant to the next: `x_(k+1) = a x_k + b u_k`.
#[derive(Default)]
pub(crate) struct StepMatrices {
    pub a: Vec<f64>,
    pub b: Vec<f64>,
    /// Addition to each state per excess over the limits; nothing without limits.
    pub excess: Vec<f64>,
}

impl Linear {
    /// The block at instants: the exact equivalent for inputs that are held over a period.
    pub fn sampled(&self, inputs: Vec<Program>, period: f64) -> SampledForm {
        let (a, b) = discretise(&self.a, &self.b, self.n(), inputs.len(), period);
        self.with_steps(inputs, StepMatrices { a, b, excess: Vec::new() }, [None; 2])
    }

    /// The sampled form with a limited output, whose excess leads the last state back.
    pub fn sampled_limited(
        &self,
        input: &Program,
        period: f64,
        limits: [Option<f64>; 2],
        back: f64,
    ) -> SampledForm {
        let n = self.n();
        // The excess is a second input, which is held as well.
        let mut both: Vec<f64> = self.b.iter().flat_map(|&b| [b, 0.0]).collect();
        if let Some(last) = both.last_mut() {
            *last = back;
        }
        let (a, both) = discretise(&self.a, &both, n, 2, period);
        let column = |k: usize| both.iter().skip(k).step_by(2).copied().collect();
        let steps = StepMatrices { a, b: column(0), excess: column(1) };
        self.with_steps(vec![input.clone()], steps, limits)
    }

    /// The block at instants with the matrices of its steps.
    pub fn with_steps(
        &self,
        inputs: Vec<Program>,
        StepMatrices { a, b, excess }: StepMatrices,
        limits: [Option<f64>; 2],
    ) -> SampledForm {
        let (c, d) = (self.c.clone(), self.d.clone());
        SampledForm {
            outputs: d.len() / inputs.len().max(1),
            initial: self.initial.clone(),
            before: None,
            feeds_through: d.iter().any(|&d| d != 0.0),
            inputs,
            law: Arc::new(LinearLaw { a, b, c, d, excess, limits }),
        }
    }
}

/// y = u_1 u_2 ...
#[derive(Debug)]
pub(crate) struct ProductLaw;

impl SampledLaw for ProductLaw {
    fn output(&self, _: &[f64], u: &[f64], y: &mut [f64]) {
        y.fill(u.iter().product());
    }

    fn advance(&self, _: &mut [f64], _: &[f64], _: &[f64]) {}
}

impl Sampled for ProductLaw {
    fn steady<'a>(&self, e: &Writer<'a>, _: &[Ex<'a>], u: &[Ex<'a>]) -> (Vec<Ex<'a>>, Vec<Ex<'a>>) {
        (Vec::new(), vec![u.iter().fold(e.number(1.0), |product, &u| product * u)])
    }
}

impl ProductLaw {
    /// A block whose output is the product of its inputs.
    pub fn of(inputs: Vec<Program>) -> SampledForm {
        let (initial, law) = (Vec::new(), Arc::new(Self));
        SampledForm { inputs, initial, outputs: 1, before: Some(0.0), feeds_through: true, law }
    }
}

/// y = u, rounded to multiples of a quantum, within limits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HoldLaw {
    /// 0 does not round.
    pub quantum: f64,
    pub limits: [Option<f64>; 2],
}

impl HoldLaw {
    pub fn value(&self, u: f64) -> f64 {
        let rounded =
            if self.quantum > 0.0 { (u / self.quantum).round() * self.quantum } else { u };
        limited(rounded, self.limits)
    }
}

impl SampledLaw for HoldLaw {
    fn output(&self, _: &[f64], u: &[f64], y: &mut [f64]) {
        y.fill(self.value(u[0]));
    }

    fn advance(&self, _: &mut [f64], _: &[f64], _: &[f64]) {}
}

impl Sampled for HoldLaw {
    fn steady<'a>(&self, e: &Writer<'a>, _: &[Ex<'a>], u: &[Ex<'a>]) -> (Vec<Ex<'a>>, Vec<Ex<'a>>) {
        // Steps of the converter have no slope; the operating point is that of an ideal one.
        (Vec::new(), u.iter().map(|&u| limited_expression(e, u, self.limits)).collect())
    }
}

/// x := x + k T u within limits.
#[derive(Debug)]
pub(crate) struct IntegratorLaw {
    /// k T.
    pub step: f64,
    pub limits: [Option<f64>; 2],
}

impl SampledLaw for IntegratorLaw {
    fn output(&self, x: &[f64], _: &[f64], y: &mut [f64]) {
        y.copy_from_slice(x);
    }

    fn advance(&self, x: &mut [f64], u: &[f64], _: &[f64]) {
        x[0] = limited(x[0] + self.step * u[0], self.limits);
    }
}

impl Sampled for IntegratorLaw {
    fn steady<'a>(&self, _: &Writer<'a>, x: &[Ex<'a>], u: &[Ex<'a>]) -> (Vec<Ex<'a>>, Vec<Ex<'a>>) {
        (u.iter().map(|&u| self.step * u).collect(), x.to_vec())
    }
}
