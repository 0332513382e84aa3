//! Frequency response: amplitude and phase of all outputs, for an input that oscillates with amplitude 1.
//!
//! Networks without bodies are solved as they are, `(A0 + A1 s + A2 s^2) x = B u` with sparse factors (`network::response`). Of
//! all else it is that of the linear model,
//!
//! ```text
//! G(s) = C (s - A)^-1 B + D + s D1 + s^2 D2
//! ```
//!
//! with factors of `s - A` that keep its zeros. A Hessenberg form of A (Laub 1981) would be cheaper for a full matrix, but its
//! rounding, relative to the largest entry of A, drowns weak couplings between parts of different speed.
//!
//! A loop is opened at a signal y without taking it apart: what uses the signal gets y + d. With the response T = y/d of the
//! closed loop that of the open one is, negative feedback counted positive, `L = -T/(1 + T)`.

use std::f64::consts::TAU;

use nalgebra::{Complex, DMatrix};

use super::linear_inputs::{LinearInput, inputs, opening};
use super::{LinearModel, Trouble};
use crate::system::{Run, SignalSource};
use integrate::linear::SparseLu;
use integrate::linear::complex::Complex as Number;
use network::response::{Impossible, Sweep, Wanted};

/// The response of all outputs to all inputs at any frequency.
pub struct FrequencyResponse {
    /// Names of the inputs.
    pub inputs: Vec<String>,
    /// Names of the outputs.
    pub outputs: Vec<String>,
    /// The signal at which a loop is opened; it stands behind the inputs and outputs.
    pub opening: Option<String>,
    kind: Kind,
}

enum Kind {
    /// Networks alone, and outputs as sums of their results.
    Sparse(Box<Sparse>),
    Dense(Box<Dense>),
}

struct Sparse {
    sweep: Sweep,
    /// For each output the results that it is a sum of, with their factors.
    sums: Vec<Vec<(usize, f64)>>,
    /// The response of all results, by inputs.
    found: Vec<Vec<Number>>,
}

struct Dense {
    /// `s - A`, of which only the diagonal depends on s.
    lu: SparseLu<Number>,
    /// The entries of -A in the order of the factors, and which of them are on the diagonal.
    entries: Vec<(f64, bool)>,
    b: DMatrix<f64>,
    c: DMatrix<f64>,
    /// Direct part and what follows derivatives of the inputs.
    d: [DMatrix<f64>; 3],
    work: [Vec<Number>; 2],
}

/// What is asked for.
pub struct Asked {
    /// Inputs, the opening of a loop last.
    pub inputs: Vec<(LinearInput, String)>,
    /// Outputs, the signal at which a loop is opened last.
    pub outputs: Vec<(SignalSource, String)>,
    /// The signal at which a loop is opened.
    pub opening: Option<String>,
}

impl Asked {
    /// The inputs of the model, these outputs, and its loop, whose signal has this source.
    pub fn new(
        run: &Run<'_>,
        mut outputs: Vec<(SignalSource, String)>,
        opened: Option<SignalSource>,
    ) -> Self {
        let mut inputs = inputs(run.system);
        let opening = opening(run.system).zip(opened);
        let name = opening.as_ref().map(|((_, name), _)| name.clone());
        if let Some((input, source)) = opening {
            outputs.push((source, input.1.clone()));
            inputs.push(input);
        }
        Self { inputs, outputs, opening: name }
    }

    fn names(&self) -> [Vec<String>; 2] {
        let drop_last = usize::from(self.opening.is_some());
        let of = |all: &mut dyn Iterator<Item = &String>, count: usize| {
            all.take(count - drop_last).cloned().collect()
        };
        [
            of(&mut self.inputs.iter().map(|(_, name)| name), self.inputs.len()),
            of(&mut self.outputs.iter().map(|(_, name)| name), self.outputs.len()),
        ]
    }
}

impl FrequencyResponse {
    /// The response of networks alone at an observed state; nothing if bodies take part.
    ///
    /// # Errors
    /// If the equations of the networks have no solution at any frequency.
    pub fn of_networks(run: &Run<'_>, t: f64, asked: &Asked) -> Result<Option<Self>, Trouble> {
        if !run.system.is_network_alone() {
            return Ok(None);
        }
        let mut places: Vec<usize> = Vec::new();
        let mut sums = Vec::new();
        for (source, _) in &asked.outputs {
            let Some(slopes) = run.network_slopes(*source) else { return Ok(None) };
            let sum = slopes.into_iter().map(|(place, slope)| {
                let known = places.iter().position(|known| *known == place);
                let at = known.unwrap_or_else(|| {
                    places.push(place);
                    places.len() - 1
                });
                (at, slope)
            });
            sums.push(sum.collect());
        }
        let register = |input: &LinearInput| match input {
            LinearInput::Registers(blocks, _) => Some(blocks[0]),
            LinearInput::Expression(_) => None,
        };
        let registers = asked.inputs.iter().map(|(input, _)| register(input));
        let Some(blocks) = registers.collect::<Option<Vec<u32>>>() else { return Ok(None) };
        let sweep = run.network_sweep(t, Wanted { inputs: &blocks, outputs: &places });
        let sweep = sweep.map_err(|impossible| match impossible {
            Impossible::NotFinite(block) => Trouble::NoLinearEquations(Some(block)),
            Impossible::NotBegun | Impossible::Undetermined => Trouble::NoLinearEquations(None),
        })?;
        let found = vec![vec![Number::default(); places.len()]; blocks.len()];
        let [inputs, outputs] = asked.names();
        let kind = Kind::Sparse(Box::new(Sparse { sweep, sums, found }));
        Ok(Some(Self { inputs, outputs, opening: asked.opening.clone(), kind }))
    }

    /// The response of a linear model.
    pub fn of_model(linear: &LinearModel, asked: &Asked) -> Self {
        let n = linear.a.nrows();
        let is_entry = |row: usize, column: usize| row == column || linear.a[(row, column)] != 0.0;
        let rows = |column: usize| {
            (0..n as u32).filter(|&row| is_entry(row as usize, column)).collect::<Vec<u32>>()
        };
        let lu = SparseLu::new(&(0..n).map(rows).collect::<Vec<_>>());
        let entry = |(row, column): (usize, usize)| (-linear.a[(row, column)], row == column);
        let entries = lu.entries().map(entry).collect();
        let [d1, d2] = &linear.d_rates;
        let dense = Dense {
            lu,
            entries,
            b: linear.b.clone(),
            c: linear.c.clone(),
            d: [linear.d.clone(), d1.clone(), d2.clone()],
            work: [(); 2].map(|()| vec![Number::default(); n]),
        };
        let [inputs, outputs] = asked.names();
        let kind = Kind::Dense(Box::new(dense));
        Self { inputs, outputs, opening: asked.opening.clone(), kind }
    }

    /// How it is solved, in words.
    pub fn words(&self) -> String {
        match &self.kind {
            Kind::Sparse(sparse) => {
                let n = sparse.sweep.size();
                format!("the networks as {n} sparse equations for each frequency")
            }
            Kind::Dense(dense) => format!("the linear model with {} states", dense.c.ncols()),
        }
    }

    /// The response at a frequency, Hz: by inputs, then outputs.
    ///
    /// # Errors
    /// If there is none.
    pub fn at(&mut self, frequency: f64) -> Result<Vec<Vec<Complex<f64>>>, Trouble> {
        let w = TAU * frequency;
        match &mut self.kind {
            Kind::Sparse(sparse) => sparse.at(w, frequency),
            Kind::Dense(dense) => dense.at(w, frequency),
        }
    }

    /// The response of the opened loop among that of all, which loses it.
    pub fn take_loop(&self, response: &mut Vec<Vec<Complex<f64>>>) -> Option<Complex<f64>> {
        self.opening.as_ref()?;
        let closed = *response.pop()?.last()?;
        for outputs in response.iter_mut() {
            outputs.pop();
        }
        Some(-closed / (closed + 1.0))
    }

    /// The response of the opened loop at a frequency, Hz.
    ///
    /// # Errors
    /// If there is none.
    pub fn loop_at(&mut self, frequency: f64) -> Result<Option<Complex<f64>>, Trouble> {
        let mut response = self.at(frequency)?;
        Ok(self.take_loop(&mut response))
    }
}

impl Sparse {
    fn at(&mut self, w: f64, frequency: f64) -> Result<Vec<Vec<Complex<f64>>>, Trouble> {
        let solved = self.sweep.response(Number::new(0.0, w), &mut self.found);
        solved.map_err(|singular| Trouble::NoResponse(frequency, Some(singular.0)))?;
        let of = |found: &Vec<Number>| {
            let sums = self.sums.iter().map(|sum| {
                sum.iter().fold(Complex::new(0.0, 0.0), |total, (place, factor)| {
                    total + Complex::new(found[*place].re, found[*place].im) * *factor
                })
            });
            sums.collect()
        };
        Ok(self.found.iter().map(of).collect())
    }
}

impl Dense {
    fn at(&mut self, w: f64, frequency: f64) -> Result<Vec<Vec<Complex<f64>>>, Trouble> {
        for (value, &(entry, is_diagonal)) in self.lu.values.iter_mut().zip(&self.entries) {
            *value = Number::new(entry, if is_diagonal { w } else { 0.0 });
        }
        self.lu.factor().map_err(|_| Trouble::NoResponse(frequency, None))?;
        let [x, work] = &mut self.work;
        let mut all = Vec::with_capacity(self.b.ncols());
        for (input, b) in self.b.column_iter().enumerate() {
            x.iter_mut().zip(b.iter()).for_each(|(x, b)| *x = Number::new(*b, 0.0));
            self.lu.solve(x, work);
            let output = |row: usize| {
                // `D0 + s D1 + s^2 D2` at s = jw.
                let [d0, d1, d2] = self.d.each_ref().map(|d| d[(row, input)]);
                let direct = Complex::new(d0 - w * w * d2, w * d1);
                let c = self.c.row(row);
                c.iter().zip(&*x).fold(direct, |sum, (c, x)| sum + Complex::new(c * x.re, c * x.im))
            };
            all.push((0..self.c.nrows()).map(output).collect());
        }
        Ok(all)
    }
}
