//! Independent freedoms, and displacements that keep all constraints.
//!
//! At coordinates q the constraints permit the displacements `d` with `G d = 0`. Gauss-Jordan elimination with full
//! pivoting picks the dependent freedoms and writes all permitted displacements as `d = T x` with the displacements x of
//! the independent freedoms. A tree has no rows: T is the identity. Locked and stuck freedoms, loops and prescribed motions
//! all are rows of G; the rest of the file does not distinguish them.

use nalgebra::{DMatrix, DVector};

use super::Trouble;
use crate::system::{ConstraintRows, Failure, Run};
use integrate::{Driver, MethodKind, Problem, Settings, Silent, Tolerance};

/// Most freedoms for which dense matrices are used: such a matrix takes 32 MB, a factorisation some seconds.
const MOST_FREEDOMS: usize = 2000;
/// A pivot below this part of the largest entry of its row is rounding: the row is redundant.
const SMALLEST_PIVOT: f64 = 1e-9;
/// Newton iterations for closing the constraints after a displacement.
const CLOSINGS: usize = 20;
/// Gaps that count as closed, m or rad.
const CLOSED: f64 = 1e-12;

/// The independent freedoms at a point.
#[derive(Clone, Debug)]
pub struct Chart {
    /// Freedoms whose displacements are independent, in rising order.
    pub independent: Vec<usize>,
    /// The other freedoms, in rising order.
    pub dependent: Vec<usize>,
    /// T: displacements of all freedoms per displacement of each independent freedom.
    pub tangent: DMatrix<f64>,
}

impl Chart {
    /// Number of independent freedoms.
    pub fn len(&self) -> usize {
        self.independent.len()
    }

    /// True if nothing can move.
    pub fn is_empty(&self) -> bool {
        self.independent.is_empty()
    }

    /// The chart of the relations `G d = 0`.
    pub fn new(jacobian: &DMatrix<f64>) -> Self {
        let n = jacobian.ncols();
        let (reduced, pivots) = eliminate(jacobian.clone());
        let mut is_dependent = vec![None; n];
        for (row, &column) in pivots.iter().enumerate() {
            is_dependent[column] = Some(row);
        }
        let independent: Vec<usize> = (0..n).filter(|&k| is_dependent[k].is_none()).collect();
        let dependent = (0..n).filter(|&k| is_dependent[k].is_some()).collect();
        let tangent = DMatrix::from_fn(n, independent.len(), |k, j| match is_dependent[k] {
            Some(row) => -reduced[(row, independent[j])],
            None => f64::from(independent[j] == k),
        });
        Self { independent, dependent, tangent }
    }
}

/// Reduced row echelon form with full pivoting, and the pivot columns of its first rows.
fn eliminate(mut g: DMatrix<f64>) -> (DMatrix<f64>, Vec<usize>) {
    let (m, n) = g.shape();
    // Rows of different units become comparable.
    for mut row in g.row_iter_mut() {
        let largest = row.amax();
        if largest > 0.0 {
            row /= largest;
        }
    }
    let mut pivots = Vec::new();
    // The largest entry of the remaining rows is the pivot.
    for step in 0..m {
        let mut best = (0.0, step, 0);
        for i in step..m {
            for j in 0..n {
                if g[(i, j)].abs() > best.0 {
                    best = (g[(i, j)].abs(), i, j);
                }
            }
        }
        let (size, row, column) = best;
        if size < SMALLEST_PIVOT {
            break;
        }
        // Gauss-Jordan: the pivot column becomes zero in all other rows.
        g.swap_rows(step, row);
        let pivot = g[(step, column)];
        g.row_mut(step).scale_mut(1.0 / pivot);
        for i in (0..m).filter(|&i| i != step) {
            let factor = g[(i, column)];
            if factor != 0.0 {
                for j in 0..n {
                    let change = factor * g[(step, j)];
                    g[(i, j)] -= change;
                }
                g[(i, column)] = 0.0;
            }
        }
        pivots.push(column);
    }
    (g, pivots)
}

/// A run at an instant, seen as a mechanism that can be displaced.
pub struct Mechanism<'r, 's> {
    /// The run.
    pub run: &'r mut Run<'s>,
    /// The instant, s.
    pub t: f64,
    /// Sources of motion in the networks count as constraints.
    pub by_networks: bool,
    /// What a state has behind coordinates and speeds: works, and storages of the networks.
    pub tail: Vec<f64>,
    /// Settles modes as an integration does at its start.
    driver: Driver,
}

impl<'r, 's> Mechanism<'r, 's> {
    /// The mechanism of a run at an instant.
    ///
    /// # Errors
    /// If it has too many freedoms, or nothing can settle its modes.
    pub fn new(run: &'r mut Run<'s>, t: f64) -> Result<Self, Trouble> {
        let freedoms = run.system.tree.n_v();
        if freedoms > MOST_FREEDOMS {
            return Err(Trouble::TooLarge(freedoms, MOST_FREEDOMS));
        }
        let settings = Settings::new(MethodKind::Derf, Tolerance::new(1e-6, 1e-9));
        let driver = integrate::build_for(MethodKind::Derf, run, &settings);
        let tree = &run.system.tree;
        let tail = vec![0.0; run.system.n_states() - tree.n_q() - tree.n_v()];
        let driver = driver.map_err(|_| Trouble::Settings)?;
        Ok(Self { run, t, by_networks: false, tail, driver })
    }

    /// A state vector of coordinates and speeds.
    pub fn state(&self, q: &[f64], v: &[f64]) -> Vec<f64> {
        let mut y = Vec::with_capacity(self.run.system.n_states());
        y.extend_from_slice(q);
        y.extend_from_slice(v);
        y.extend_from_slice(&self.tail);
        y
    }

    /// Lets the networks take part: `y` is a state from which they begin.
    ///
    /// # Errors
    /// If they have no solution there.
    pub fn begin_networks(&mut self, y: &mut [f64]) -> Result<(), Trouble> {
        self.by_networks = true;
        self.run.begin_at(self.t, y)?;
        self.take_tail(y);
        Ok(())
    }

    /// Takes works and storages of a state.
    pub fn take_tail(&mut self, y: &[f64]) {
        let first = y.len() - self.tail.len();
        self.tail.copy_from_slice(&y[first..]);
    }

    /// The places in a state of the storages of the networks that are states in the present modes; nothing where the networks
    /// take no part.
    pub fn storages(&self) -> Vec<usize> {
        if self.by_networks { self.run.free_storages() } else { Vec::new() }
    }

    /// All derivatives of a state.
    ///
    /// # Errors
    /// If one has no value.
    pub fn rates(&mut self, y: &[f64]) -> Result<Vec<f64>, Trouble> {
        let mut rates = vec![0.0; y.len()];
        let found = self.run.derivatives(self.t, y, &mut rates);
        found.map_err(|_| self.run.failure.take().unwrap_or(Failure::Expression(0)))?;
        Ok(rates)
    }

    /// Settles the modes at a state, as at the start of a run; gives the state that follows, in which locked
    /// freedoms have no speed.
    ///
    /// # Errors
    /// If they do not settle.
    pub fn settle(&mut self, y: &[f64]) -> Result<Vec<f64>, Trouble> {
        let started = self.driver.start(self.run, self.t, y, 1.0, &mut Silent);
        started.map_err(|error| Trouble::Settling(Box::new(error), self.run.failure.take()))?;
        Ok(self.driver.y().to_vec())
    }

    /// A state near the given one that satisfies all constraints, and the change of the coordinates that it took, by
    /// freedom.
    ///
    /// # Errors
    /// If there is none.
    pub fn assemble(&mut self, y: &[f64]) -> Result<(Vec<f64>, Vec<f64>), Trouble> {
        let (q, v, _) = self.run.system.split(y);
        let (mut q, v) = (q.to_vec(), v.to_vec());
        let chart = self.chart(&q)?;
        let moved = self.close(&mut q, &chart)?;
        let v = self.consistent_speeds(&q, &chart, v)?;
        Ok((self.state(&q, &v), moved))
    }

    /// The relations among the freedoms at rest at coordinates.
    fn rows(&mut self, q: &[f64]) -> Result<ConstraintRows, Trouble> {
        let rest = vec![0.0; self.run.system.tree.n_v()];
        let y = self.state(q, &rest);
        self.all_rows(&y)
    }

    /// The relations among the freedoms at a state.
    fn all_rows(&mut self, y: &[f64]) -> Result<ConstraintRows, Trouble> {
        let mut rows = self.run.probe().constraint_rows(self.t, y)?;
        if self.by_networks {
            self.run.probe().add_network_rows(self.t, y, &mut rows)?;
        }
        Ok(rows)
    }

    /// The independent freedoms at coordinates.
    ///
    /// # Errors
    /// If a constraint has no value.
    pub fn chart(&mut self, q: &[f64]) -> Result<Chart, Trouble> {
        Ok(Chart::new(&self.rows(q)?.jacobian))
    }

    /// T at other coordinates near the chart, with the same independent freedoms.
    ///
    /// # Errors
    /// If a constraint has no value.
    pub fn tangent(&mut self, q: &[f64], chart: &Chart) -> Result<DMatrix<f64>, Trouble> {
        if chart.dependent.is_empty() {
            return Ok(chart.tangent.clone());
        }
        let g = self.rows(q)?.jacobian;
        let right = -g.select_columns(&chart.independent);
        let solved = least_squares(g.select_columns(&chart.dependent), &right);
        let mut tangent = chart.tangent.clone();
        for (row, &k) in chart.dependent.iter().enumerate() {
            tangent.row_mut(k).copy_from(&solved.row(row));
        }
        Ok(tangent)
    }

    /// The coordinates after displacing the independent freedoms by `x`, with all constraints closed again.
    ///
    /// # Errors
    /// If they do not close so far away.
    pub fn displace(&mut self, q: &[f64], chart: &Chart, x: &[f64]) -> Result<Vec<f64>, Trouble> {
        let step = &chart.tangent * DVector::from_column_slice(x);
        let mut moved = q.to_vec();
        self.run.system.tree.displace(&mut moved, step.as_slice());
        self.close(&mut moved, chart)?;
        Ok(moved)
    }

    /// Moves the dependent freedoms until the constraints hold; gives the sum of the changes.
    ///
    /// # Errors
    /// If they do not close.
    pub fn close(&mut self, q: &mut [f64], chart: &Chart) -> Result<Vec<f64>, Trouble> {
        let n_v = self.run.system.tree.n_v();
        let mut moved = vec![0.0; n_v];
        if chart.dependent.is_empty() {
            return Ok(moved);
        }
        let y = self.state(q, &moved);
        q.copy_from_slice(self.run.probe().driven_coordinates(self.t, &y)?);
        // Newton's iteration for the gaps, until they are zero or stop shrinking below the limit.
        let mut last = f64::INFINITY;
        for _ in 0..CLOSINGS {
            let ConstraintRows { jacobian, gap, .. } = self.rows(q)?;
            let size = gap.iter().fold(0.0, |size: f64, gap| size.max(gap.abs()));
            if size == 0.0 || (size <= CLOSED && size >= 0.5 * last) {
                return Ok(moved);
            }
            last = size;
            let right = -DMatrix::from_column_slice(gap.len(), 1, &gap);
            let change = least_squares(jacobian.select_columns(&chart.dependent), &right);
            let mut step = vec![0.0; n_v];
            for (row, &k) in chart.dependent.iter().enumerate() {
                step[k] = change[(row, 0)];
            }
            if !step.iter().all(|step| step.is_finite()) {
                return Err(Trouble::Open(size));
            }
            self.run.system.tree.displace(q, &step);
            moved.iter_mut().zip(&step).for_each(|(sum, step)| *sum += step);
        }
        if last <= CLOSED { Ok(moved) } else { Err(Trouble::Open(last)) }
    }

    /// Speeds with the independent entries of `v`; the dependent entries follow from the constraints.
    ///
    /// # Errors
    /// If a constraint has no value.
    pub fn consistent_speeds(
        &mut self,
        q: &[f64],
        chart: &Chart,
        mut v: Vec<f64>,
    ) -> Result<Vec<f64>, Trouble> {
        if chart.dependent.is_empty() {
            return Ok(v);
        }
        let y = self.state(q, &v);
        let ConstraintRows { jacobian, gap_rate, .. } = self.all_rows(&y)?;
        let right = -DMatrix::from_column_slice(gap_rate.len(), 1, &gap_rate);
        let change = least_squares(jacobian.select_columns(&chart.dependent), &right);
        for (row, &k) in chart.dependent.iter().enumerate() {
            v[k] += change[(row, 0)];
        }
        Ok(v)
    }

    /// Forces on the independent freedoms at rest: `T^T Q`.
    ///
    /// # Errors
    /// If a force has no value.
    pub fn forces(&mut self, q: &[f64], chart: &Chart) -> Result<DVector<f64>, Trouble> {
        let tangent = self.tangent(q, chart)?;
        let forces = DVector::from_column_slice(self.run.probe().forces_at_rest(self.t, q)?);
        Ok(tangent.tr_mul(&forces))
    }

    /// Mass matrix of the independent freedoms: `T^T M T`.
    pub fn mass(&mut self, q: &[f64], chart: &Chart) -> DMatrix<f64> {
        let mass = self.run.probe().mass_matrix(q);
        if chart.dependent.is_empty() {
            return mass;
        }
        chart.tangent.tr_mul(&(mass * &chart.tangent))
    }
}

/// The X that makes `|A X - B|` least; if rows are redundant, the smallest such X.
fn least_squares(a: DMatrix<f64>, b: &DMatrix<f64>) -> DMatrix<f64> {
    let columns = a.ncols();
    let svd = a.svd(true, true);
    let tolerance = SMALLEST_PIVOT * svd.singular_values.amax();
    svd.solve(b, tolerance).unwrap_or_else(|_| DMatrix::zeros(columns, b.ncols()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permitted_displacements_satisfy_all_relations() {
        // Two relations and one that follows from them.
        let g = DMatrix::from_row_slice(
            3,
            5,
            &[1.0, 2.0, 0.0, -1.0, 0.5, 0.0, 3.0, 1.0, 1.0, 0.0, 2.0, 7.0, 1.0, -1.0, 1.0],
        );
        let chart = Chart::new(&g);
        assert_eq!((chart.len(), chart.dependent.len()), (3, 2));
        assert!((&g * &chart.tangent).amax() < 1e-14);
        for (j, &k) in chart.independent.iter().enumerate() {
            assert_eq!(chart.tangent[(k, j)], 1.0);
        }
    }

    #[test]
    fn without_relations_all_freedoms_are_independent() {
        let chart = Chart::new(&DMatrix::zeros(0, 4));
        assert_eq!(chart.tangent, DMatrix::identity(4, 4));
    }
}
