//! A transfer function Num/Den in controllable canonical form.
//!
//! x_i' = x_(i+1), x_n' = (u - a_0 x_1 - ... - a_(n-1) x_n)/a_n, y = sum (b_i - a_i b_n/a_n) x_(i+1) + b_n/a_n u.

use super::laws::StepMatrices;
use super::linear::Linear;
use super::{SampledBlock, Sampling, SignalBlock};
use crate::blocks::network::element_schema;
use crate::codes;
use crate::element::{BlockSchema, SignalSchema, SignalShape, Unit, signal};
use crate::reading::fields::NumberList;
use crate::reading::{Group, parameters, words};
use crate::writing::SampledForm;
use crate::writing::Writer;
use equations::expression::Program;

words! {
    /// What the polynomials are in.
    pub enum Domain {
        /// The variable s of Laplace.
        Laplace = "s",
        /// The shift z.
        Shift = "z",
    }
}

parameters! {
    /// A transfer function.
    pub struct TransferFunction {
        u: Program = "u", Plus, Unit::None, Required, Any, "input";
        numerator: NumberList = "Num", Plus, Unit::None, Required, Any, "numerator, descending powers";
        denominator: NumberList = "Den", Plus, Unit::None, Required, Any, "denominator, descending powers";
        initial: Option<NumberList> = "xinit", Plus, Unit::None, Absent("0"), Any, "states at the start, the lowest first";
        domain: Domain = "Domain", Plus, Unit::None, Word("s"), Any, "variable of the polynomials; `z` needs Tsample";
    }
}

/// The table of the TransferFunction block.
pub static TRANSFER_FUNCTION: BlockSchema = element_schema(
    "TransferFunction",
    "A transfer function Num/Den in controllable canonical form.",
    &[TransferFunction::PARAMETERS, Sampling::PARAMETERS],
    &[&[
        signal("y", "", "output"),
        SignalSchema {
            shape: SignalShape::Vector,
            unit: Unit::None,
            ..signal("x", "", "states, the lowest first")
        },
    ]],
);

impl TransferFunction {
    /// Coefficients without leading zeros.
    fn polynomial(numbers: &NumberList) -> &[f64] {
        let zeros = numbers.0.iter().take_while(|&&number| number == 0.0).count();
        &numbers.0[zeros..]
    }

    /// Highest power of the denominator.
    fn order(&self) -> usize {
        Self::polynomial(&self.denominator).len().saturating_sub(1)
    }

    /// The state form; nothing, after a message, where there is none.
    fn linear(&self, e: &Writer<'_>) -> Option<Linear> {
        let (above, below) =
            (Self::polynomial(&self.numerator), Self::polynomial(&self.denominator));
        let n = self.order();
        if below.is_empty() {
            e.mistake(codes::IMPROPER, "has a denominator that is zero", "give `Den` a number");
            return None;
        }
        if above.len() > below.len() {
            let words = format!(
                "has a numerator of degree {}, above that of its denominator, {n}",
                above.len() - 1
            );
            let help =
                "it would differentiate its input: give `Den` more terms, such as a small lag";
            e.mistake(codes::IMPROPER, &words, help);
            return None;
        }
        let initial = match &self.initial {
            None => vec![None; n],
            Some(given) if given.0.len() == n => given.0.iter().copied().map(Some).collect(),
            Some(given) => {
                let words = format!("has {n} states and {} initial values", given.0.len());
                e.mistake(codes::MATRIX_SIZE, &words, "give `xinit` one number for each state");
                return None;
            }
        };
        // Coefficient of a power, from the end of the list.
        let of = |list: &[f64], power: usize| {
            list.len().checked_sub(power + 1).map_or(0.0, |place| list[place])
        };
        let lead = of(below, n);
        let direct = of(above, n) / lead;
        let mut a = vec![0.0; n * n];
        let mut b = vec![0.0; n];
        for k in 0..n {
            if k + 1 < n {
                a[k * n + k + 1] = 1.0;
            }
            a[(n - 1) * n + k] = -of(below, k) / lead;
        }
        if let Some(last) = b.last_mut() {
            *last = 1.0 / lead;
        }
        let c = (0..n).map(|k| of(above, k) - of(below, k) * direct).collect();
        Some(Linear { a, b, c, d: vec![direct], initial })
    }
}

impl SignalBlock for TransferFunction {
    fn equations(&self, e: &Writer<'_>) {
        if self.domain == Domain::Shift {
            let help = "add `Tsample = ...;`, or write the polynomials in s";
            return e.mistake(codes::REQUIRED, "has polynomials in z and no period", help);
        }
        let Some(linear) = self.linear(e) else { return };
        let (x, y) = linear.write(e, &[e.time(&self.u)]);
        y.iter().for_each(|&y| e.signal("y", y));
        x.iter().enumerate().for_each(|(k, &x)| e.component("x", k, x));
    }

    fn width(&self, signal: &str) -> usize {
        if signal == "x" { self.order() } else { 1 }
    }
}

impl SampledBlock for TransferFunction {
    fn sampled(&self, e: &Writer<'_>, period: f64) -> Option<SampledForm> {
        let linear = self.linear(e)?;
        let inputs = vec![self.u.clone()];
        Some(match self.domain {
            Domain::Laplace => linear.sampled(inputs, period),
            Domain::Shift => {
                let (a, b) = (linear.a.clone(), linear.b.clone());
                let steps = StepMatrices { a, b, excess: Vec::new() };
                linear.with_steps(inputs, steps, [None; 2])
            }
        })
    }
}
