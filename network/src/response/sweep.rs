//! Factors and solutions, frequency by frequency.

use integrate::linear::SparseLu;
use integrate::linear::complex::{Complex, Scalar};

use super::reduction::{Reduced, reduce};
use super::rows::{Descriptor, Factor, Impossible, Row};
use crate::passes::matching::Matching;
use equations::expr::VarId;

/// The equations have no solution at a frequency: the block of an unknown that nothing determines there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Singular(pub u32);

/// The response of the networks, ready for any frequency.
pub struct Sweep {
    system: Descriptor,
    reduced: Reduced,
    lu: SparseLu<Complex>,
    /// Factors of the entries of the matrix, in its order; an entry with a dead time may have several.
    entries: Vec<Vec<Factor>>,
    /// For each input its entries on the right: row of the matrix, factor.
    right: Vec<Vec<(usize, Factor)>>,
    /// The steps of the reduction that outputs need, last first.
    needed: Vec<usize>,
    /// The unknowns that are left, by their place.
    values: Vec<Complex>,
    solution: Vec<Complex>,
    work: Vec<Complex>,
}

/// `c0 + c1 s + c2 s^2`, times `e^(-s delay)`.
fn value(factor: &Factor, s: Complex) -> Complex {
    let [c0, c1, c2] = factor.c;
    let sum = Complex::new(c0, 0.0) + s * (Complex::new(c1, 0.0) + s.scaled(c2));
    if factor.delay == 0.0 {
        return sum;
    }
    let size = (-s.re * factor.delay).exp();
    let angle = -s.im * factor.delay;
    sum * Complex::new(size * angle.cos(), size * angle.sin())
}

impl Sweep {
    /// Reduces the equations and finds an order of elimination.
    ///
    /// # Errors
    /// If the equations cannot determine the unknowns at any frequency.
    pub fn new(mut system: Descriptor) -> Result<Self, Impossible> {
        let reduced = reduce(&mut system);
        let (n, n_inputs) = (reduced.columns.len(), system.n_inputs);
        let mut place = vec![u32::MAX; system.n_unknowns];
        (0..).zip(&reduced.columns).for_each(|(k, column)| place[*column as usize] = k);
        // The rows with the places of unknowns, and the entries of the inputs.
        let mut rows: Vec<Vec<(u32, Factor)>> = Vec::with_capacity(n);
        let mut of_inputs: Vec<Vec<(usize, Factor)>> = vec![Vec::new(); n_inputs];
        for (index, &row) in reduced.rows.iter().enumerate() {
            let mut own = Vec::new();
            for (column, factor) in &system.rows[row] {
                match (*column as usize).checked_sub(system.n_unknowns) {
                    Some(input) => of_inputs[input].push((index, *factor)),
                    None => own.push((place[*column as usize], *factor)),
                }
            }
            rows.push(own);
        }
        let order = diagonal(&rows, n).ok_or(Impossible::Undetermined)?;
        let mut columns: Vec<Vec<u32>> = vec![Vec::new(); n];
        let mut factors: Vec<Vec<Vec<Factor>>> = vec![Vec::new(); n];
        for (row, entries) in rows.iter().enumerate() {
            for (column, factor) in entries {
                let (own, known) = (&mut columns[*column as usize], &mut factors[*column as usize]);
                if own.last() == Some(&order[row]) {
                    known.last_mut().into_iter().for_each(|all| all.push(*factor));
                } else {
                    own.push(order[row]);
                    known.push(vec![*factor]);
                }
            }
        }
        for input in &mut of_inputs {
            input.iter_mut().for_each(|(row, _)| *row = order[*row] as usize);
        }
        let needed = needed(&reduced, &system.outputs);
        let lu = SparseLu::new(&columns);
        let entries = factors.into_iter().flatten().collect();
        let n_values = system.n_unknowns + n_inputs;
        Ok(Self {
            system,
            reduced,
            lu,
            entries,
            right: of_inputs,
            needed,
            values: vec![Complex::ZERO; n_values],
            solution: vec![Complex::ZERO; n],
            work: vec![Complex::ZERO; n],
        })
    }

    /// Number of unknowns that are solved for at each frequency.
    pub fn size(&self) -> usize {
        self.reduced.columns.len()
    }

    /// The response of all outputs to each input: `out[input][output]` at the frequency s, 1/s.
    ///
    /// # Errors
    /// If the equations have no solution there.
    pub fn response(&mut self, s: Complex, out: &mut [Vec<Complex>]) -> Result<(), Singular> {
        for (entry, factors) in self.lu.values.iter_mut().zip(&self.entries) {
            *entry = factors.iter().fold(Complex::ZERO, |sum, factor| sum + value(factor, s));
        }
        self.lu.factor().map_err(|column| {
            Singular(self.system.blocks[self.reduced.columns[column] as usize])
        })?;
        for (input, out) in out.iter_mut().enumerate() {
            self.solution.fill(Complex::ZERO);
            for (row, factor) in &self.right[input] {
                self.solution[*row] = self.solution[*row] - value(factor, s);
            }
            self.lu.solve(&mut self.solution, &mut self.work);
            self.values.fill(Complex::ZERO);
            self.values[self.system.n_unknowns + input] = Complex::ONE;
            for (column, x) in self.reduced.columns.iter().zip(&self.solution) {
                self.values[*column as usize] = *x;
            }
            for &step in &self.needed {
                let (column, pivot, row) = &self.reduced.steps[step];
                self.values[*column as usize] = -self.sum(row, s).scaled(pivot.recip());
            }
            for (out, row) in out.iter_mut().zip(&self.system.outputs) {
                *out = self.sum(row, s);
            }
        }
        Ok(())
    }

    fn sum(&self, row: &Row, s: Complex) -> Complex {
        let terms =
            row.iter().map(|(column, factor)| value(factor, s) * self.values[*column as usize]);
        terms.fold(Complex::ZERO, |sum, term| sum + term)
    }
}

/// For each row the column with which it stands on the diagonal; nothing if there is no such order.
fn diagonal(rows: &[Vec<(u32, Factor)>], n: usize) -> Option<Vec<u32>> {
    if rows.len() != n {
        return None;
    }
    // Large entries first.
    let size = |factor: &Factor| factor.c.iter().fold(0.0, |most: f64, c| most.max(c.abs()));
    let incidence: Vec<Vec<VarId>> = rows
        .iter()
        .map(|row| {
            let mut sorted: Vec<(f64, u32)> =
                row.iter().map(|(column, factor)| (size(factor), *column)).collect();
            sorted.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            sorted.into_iter().map(|(_, column)| VarId(column)).collect()
        })
        .collect();
    let mut matching = Matching::new(n, n);
    for row in 0..n {
        if !matching.augment(&incidence, row, |_, _| true) {
            return None;
        }
    }
    matching.into_variables().into_iter().map(|column| column.map(|column| column.0)).collect()
}

/// The steps that outputs need, last first.
fn needed(reduced: &Reduced, outputs: &[Row]) -> Vec<usize> {
    let largest = reduced.steps.iter().map(|(column, ..)| *column).max().unwrap_or(0) as usize;
    let mut is_needed = vec![false; largest + 1];
    let mark = |row: &Row, is_needed: &mut [bool]| {
        for (column, _) in row {
            if let Some(needed) = is_needed.get_mut(*column as usize) {
                *needed = true;
            }
        }
    };
    outputs.iter().for_each(|row| mark(row, &mut is_needed));
    // A row names unknowns that are left, or that later steps give; so the later ones have to be known first.
    let mut steps = Vec::new();
    for (step, (column, _, row)) in reduced.steps.iter().enumerate() {
        if is_needed[*column as usize] {
            mark(row, &mut is_needed);
            steps.push(step);
        }
    }
    steps.reverse();
    steps
}
