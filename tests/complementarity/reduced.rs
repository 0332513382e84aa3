//! A complementarity system whose equations without memory are solved once, because no step size and no side of a pair
//! changes them. Steps and sides of pairs come from what is left.

use crate::conditions::{Conditions, Equation, Known, Operator, Var};
use crate::elimination::{self, Solved};
use crate::horizontal::solve_horizontal;
use crate::lemke;

/// Factors of what is left of the free variables, of all w and z, and of what is known.
type Factors = (Vec<f64>, Vec<f64>, Vec<f64>);

/// An equation of the reduced system.
#[derive(Clone, Debug)]
struct Line {
    constant: Factors,
    /// Factors times h.
    step: Option<Factors>,
}

/// A system without the free variables that equations without memory determine.
#[derive(Clone, Debug)]
pub struct Reduced {
    kept: usize,
    pairs: usize,
    inputs: usize,
    lines: Vec<Line>,
    direction: Vec<Vec<f64>>,
    gain: Vec<Vec<f64>>,
}

impl Reduced {
    /// Matrices for the columns that `place` gives to w (k) and z (pairs + k), behind the columns of the kept variables.
    fn matrices(
        &self,
        h: f64,
        width: usize,
        place: &dyn Fn(usize) -> Option<usize>,
    ) -> (Vec<Vec<f64>>, Vec<Vec<f64>>) {
        let mut left = vec![vec![0.0; width]; self.lines.len()];
        let mut right = vec![vec![0.0; self.inputs]; self.lines.len()];
        for ((line, left), right) in self.lines.iter().zip(&mut left).zip(&mut right) {
            let parts = [Some((1.0, &line.constant)), line.step.as_ref().map(|step| (h, step))];
            for (size, (kept, pairs, known)) in parts.into_iter().flatten() {
                left.iter_mut().zip(kept).for_each(|(x, y)| *x += size * y);
                for (k, factor) in pairs.iter().enumerate().filter(|(_, factor)| **factor != 0.0) {
                    if let Some(at) = place(k) {
                        left[at] += size * factor;
                    }
                }
                right.iter_mut().zip(known).for_each(|(x, y)| *x += size * y);
            }
        }
        (left, right)
    }

    /// Where the side of each pair that is not zero stands.
    fn side(&self, active: &[bool], var: usize) -> Option<usize> {
        let (k, is_z) = (var % self.pairs.max(1), var >= self.pairs);
        (active[k] == is_z).then_some(self.kept + k)
    }

    /// All free variables and pairs from a solution (kept variables, pairs) for each of some inputs.
    fn expand(
        &self,
        solution: &[Vec<f64>],
        active: &[bool],
        inputs: usize,
        with_known: bool,
    ) -> Vec<Vec<f64>> {
        let mut all = Vec::new();
        for (direction, gain) in self.direction.iter().zip(&self.gain) {
            let mut row = vec![0.0; inputs];
            if with_known {
                row.copy_from_slice(&gain[2 * self.pairs..]);
            }
            for (factor, line) in direction.iter().zip(solution) {
                row.iter_mut().zip(line).for_each(|(x, y)| *x += factor * y);
            }
            for k in 0..self.pairs {
                let factor = gain[if active[k] { self.pairs + k } else { k }];
                if factor != 0.0 {
                    lemke::reduce(&mut row, -factor, &solution[self.kept + k]);
                }
            }
            all.push(row);
        }
        all.extend(solution[self.kept..].iter().cloned());
        all
    }

    /// A step of the size h with z of the active pairs and w of the others.
    pub fn operator(&self, conditions: &Conditions, h: f64, active: &[bool]) -> Operator {
        let (left, right) = self.matrices(h, self.kept + self.pairs, &|var| self.side(active, var));
        let found = elimination::solve(&left, &right);
        let gain = self.expand(&found.gain, active, self.inputs, true);
        let columns: Vec<Vec<f64>> = (0..self.kept + self.pairs)
            .map(|k| found.null.iter().map(|null| null[k]).collect())
            .collect();
        let rows = self.expand(&columns, active, found.null.len(), false);
        let null =
            (0..found.null.len()).map(|at| rows.iter().map(|row| row[at]).collect()).collect();
        let solved = Solved { gain, null, contradictions: found.contradictions };
        Operator { reach: conditions.reach(&solved.gain), solved }
    }

    /// The number of free variables that are left.
    pub fn kept(&self) -> usize {
        self.kept
    }

    /// The equations of a step without their right sides; `place` says where w (k) and z (pairs + k) stand.
    pub fn homogeneous(
        &self,
        h: f64,
        width: usize,
        place: &dyn Fn(usize) -> Option<usize>,
    ) -> Vec<Vec<f64>> {
        self.matrices(h, width, place).0
    }

    /// A free variable by the same columns, without what is known.
    pub fn expression(
        &self,
        variable: usize,
        width: usize,
        place: &dyn Fn(usize) -> Option<usize>,
    ) -> Vec<f64> {
        let mut row = vec![0.0; width];
        row[..self.kept].copy_from_slice(&self.direction[variable]);
        for side in 0..2 * self.pairs {
            if let Some(at) = place(side) {
                row[at] += self.gain[variable][side];
            }
        }
        row
    }

    /// Combinations of inputs that must vanish whatever loose pairs do.
    pub fn demands(&self, h: f64, forced: &[Option<bool>]) -> Vec<Vec<f64>> {
        let fixed: Vec<usize> = (0..self.pairs).filter(|&k| forced[k].is_some()).collect();
        let loose: Vec<usize> = (0..self.pairs).filter(|&k| forced[k].is_none()).collect();
        let width = self.kept + fixed.len() + 2 * loose.len();
        // Loose pairs may have any values.
        let place = |var: usize| {
            let (k, is_z) = (var % self.pairs, var >= self.pairs);
            match (fixed.iter().position(|&f| f == k), loose.iter().position(|&l| l == k)) {
                (Some(at), _) => (forced[k] == Some(is_z)).then_some(self.kept + at),
                (_, Some(at)) => Some(self.kept + fixed.len() + 2 * at + usize::from(is_z)),
                _ => None,
            }
        };
        let (left, right) = self.matrices(h, width, &place);
        elimination::solve(&left, &right).contradictions
    }

    /// The sides of all pairs at the end of a step; `forced` sides stay. `None` if the problem has no solution.
    pub fn settle(&self, h: f64, forced: &[Option<bool>], known: &[f64]) -> Option<Vec<bool>> {
        let loose: Vec<usize> = (0..self.pairs).filter(|&k| forced[k].is_none()).collect();
        let fixed: Vec<usize> = (0..self.pairs).filter(|&k| forced[k].is_some()).collect();
        // Eliminate what is left of the free variables and forced pairs, with loose pairs as if they were known.
        let own = |var: usize| {
            let (k, is_z) = (var % self.pairs, var >= self.pairs);
            let at = fixed.iter().position(|&f| f == k)?;
            (forced[k] == Some(is_z)).then_some(self.kept + at)
        };
        let (left, right) = self.matrices(h, self.kept + fixed.len(), &own);
        let of_loose = |var: usize| {
            let at = loose.iter().position(|&l| l == var % self.pairs)?;
            Some(self.kept + at + if var >= self.pairs { loose.len() } else { 0 })
        };
        let (both, _) = self.matrices(h, self.kept + 2 * loose.len(), &of_loose);
        let mut of_pairs: Vec<Vec<f64>> =
            both.iter().map(|row| row[self.kept..].to_vec()).collect();
        for (row, inputs) in of_pairs.iter_mut().zip(&right) {
            row.push(inputs.iter().zip(known).map(|(factor, value)| factor * value).sum());
        }
        let rows = elimination::solve(&left, &of_pairs).contradictions;
        let mut sides: Vec<bool> = forced.iter().map(|side| *side == Some(true)).collect();
        for (&k, active) in loose.iter().zip(solve_horizontal(rows, loose.len())?) {
            sides[k] = active;
        }
        Some(sides)
    }
}

impl Conditions {
    /// Solves the equations without memory once for as many free variables as possible.
    pub fn reduce(&self) -> Reduced {
        let (n, m) = (self.free.len(), self.pairs.len());
        let column = |var: Var| match var {
            Var::X(k) => k,
            Var::W(k) => n + k,
            Var::Z(k) => n + m + k,
        };
        let width = n + 2 * m;
        let dense = |terms: &[(Var, f64)], known: &[(Known, f64)]| {
            let mut row = vec![0.0; width + self.inputs()];
            terms.iter().for_each(|&(var, factor)| row[column(var)] += factor);
            known.iter().for_each(|&(known, factor)| row[width + self.input(known)] += factor);
            row
        };
        let (still, moving): (Vec<&Equation>, Vec<&Equation>) =
            self.equations.iter().partition(|equation| equation.step_terms.is_empty());
        let rows: Vec<Vec<f64>> = still.iter().map(|e| dense(&e.terms, &e.known)).collect();
        let left: Vec<Vec<f64>> = rows.iter().map(|row| row[..n].to_vec()).collect();
        // What is not eliminated counts as known: pairs with the opposite sign, inputs as they are.
        let right: Vec<Vec<f64>> = rows
            .iter()
            .map(|row| {
                row[n..width].iter().map(|x| -x).chain(row[width..].iter().copied()).collect()
            })
            .collect();
        let solved = elimination::solve(&left, &right);
        let mut direction = vec![Vec::new(); n];
        for null in &solved.null {
            direction.iter_mut().zip(null).for_each(|(row, x)| row.push(*x));
        }
        // x = direction u + gain (w, z, inputs), where u are coordinates of what is left.
        let kept = solved.null.len();
        let express = |row: &[f64]| {
            let mut out = vec![0.0; kept];
            let mut rest: Vec<f64> = row[n..width].to_vec();
            let mut known = row[width..].to_vec();
            for (k, &factor) in row[..n].iter().enumerate().filter(|(_, factor)| **factor != 0.0) {
                out.iter_mut().zip(&direction[k]).for_each(|(x, d)| *x += factor * d);
                let gain = &solved.gain[k];
                rest.iter_mut().zip(&gain[..2 * m]).for_each(|(x, g)| *x += factor * g);
                known.iter_mut().zip(&gain[2 * m..]).for_each(|(x, g)| *x -= factor * g);
            }
            (out, rest, known)
        };
        let mut lines: Vec<Line> = Vec::new();
        for equation in moving {
            let constant = express(&dense(&equation.terms, &equation.known));
            let step = express(&dense(&equation.step_terms, &[]));
            lines.push(Line { constant, step: Some(step) });
        }
        for row in &solved.contradictions {
            // 0 = row (w, z, inputs).
            let pairs = row[..2 * m].iter().map(|x| -x).collect();
            lines.push(Line {
                constant: (vec![0.0; kept], pairs, row[2 * m..].to_vec()),
                step: None,
            });
        }
        Reduced { kept, pairs: m, inputs: self.inputs(), lines, direction, gain: solved.gain }
    }
}
