//! Signals of forces and accelerations that time expressions use, found together with the motion.
//!
//! With z the values of all such signals, a state has forces f(z), accelerations and reactions under these forces, and from them
//! the values G(z) of the signals. The equations of motion want
//!
//! ```text
//! z = G(z)
//! ```
//!
//! Where no force depends on z, one evaluation of G finds it. Where a loop leads through the mass matrix, as with the friction
//! of a joint that follows from its load, it is solved by Newton's iteration. G is an affine function of the forces, so that
//! the Jacobian by differences has no error but rounding wherever the expressions are linear in z, as Coulomb's law is, and the
//! iteration ends after its second step. It begins at z = 0 at every state: an evaluation must not depend on those before it.

use super::stage::Stage;
use super::{Failure, Run, expression_order, network_solution, port_coupling};
use crate::system::System;

/// Rounding of a value of G, in parts of the largest number that went into it.
const ROUNDING: f64 = 1e-14;
/// A residual that no step makes smaller counts as rounding below this part.
const FLOOR: f64 = 1e-9;
/// A signal below this part of the largest one is judged as if it had this size: it is a small sum of large terms.
const SMALL: f64 = 1e-6;
/// Part of a value by which it is varied: G is almost linear, so that only rounding counts.
const VARIATION: f64 = 1e-4;
/// Newton's steps; a loop that has a solution takes two or three.
const MOST_STEPS: usize = 30;
/// Halvings of a step that leads away.
const MOST_HALVINGS: usize = 12;

/// Values of the signals, and what their search needs.
#[derive(educe::Educe)]
#[educe(Clone)]
pub(super) struct LateValues {
    /// The values in force.
    pub values: Vec<f64>,
    /// G of these.
    found: Vec<f64>,
    /// The largest size of each signal in this search.
    sizes: Vec<f64>,
    base: Vec<f64>,
    residual: Vec<f64>,
    step: Vec<f64>,
    /// 1 - dG/dz, row by row.
    matrix: Vec<f64>,
}

impl LateValues {
    /// No values yet.
    pub fn new(system: &System) -> Self {
        let count = system.late.list.len();
        let zero = || vec![0.0; count];
        Self {
            values: zero(),
            found: zero(),
            sizes: zero(),
            base: zero(),
            residual: zero(),
            step: zero(),
            matrix: vec![0.0; count * count],
        }
    }

    /// The largest residual in parts of the sizes, and whose it is.
    fn gap(&self) -> (f64, usize) {
        let largest = self.sizes.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        let mut worst = (0.0, 0);
        for (k, (found, value)) in self.found.iter().zip(&self.values).enumerate() {
            let gap = (found - value).abs() / self.sizes[k].max(SMALL * largest);
            if gap > worst.0 || gap.is_nan() {
                worst = (gap, k);
            }
        }
        worst
    }

    fn note_sizes(&mut self) {
        for (size, found) in self.sizes.iter_mut().zip(&self.found) {
            *size = size.max(found.abs());
        }
    }
}

/// Solves the networks, which time expressions may use, and evaluates these.
///
/// # Errors
/// If something has no value.
pub(super) fn update(run: &mut Run<'_>) -> Result<(), Failure> {
    run.now.stage.needs(Stage::Placed);
    network_solution::update_network(run)?;
    match run.system.late.list.is_empty() {
        true => expression_order::evaluate(run)?,
        false => settle(run)?,
    }
    run.now.stage = Stage::Updated;
    Ok(())
}

/// Finds all signals that wait for the accelerations, and leaves the time expressions with these values.
///
/// # Errors
/// If they have no values.
fn settle(run: &mut Run<'_>) -> Result<(), Failure> {
    run.now.late.sizes.fill(0.0);
    run.now.late.values.fill(0.0);
    evaluate(run)?;
    take_found(&mut run.now.late);
    evaluate(run)?;
    let mut before = f64::INFINITY;
    for _ in 0..MOST_STEPS {
        let (gap, worst) = run.now.late.gap();
        if gap <= ROUNDING || (gap < FLOOR && gap >= 0.5 * before) {
            return Ok(());
        }
        before = gap;
        vary(run)?;
        let LateValues { matrix, step, residual, .. } = &mut run.now.late;
        step.copy_from_slice(residual);
        if !eliminate(matrix, step) {
            return Err(Failure::Late(worst));
        }
        advance(run, gap)?;
    }
    let (gap, worst) = run.now.late.gap();
    if gap < FLOOR { Ok(()) } else { Err(Failure::Late(worst)) }
}

fn take_found(late: &mut LateValues) {
    late.values.copy_from_slice(&late.found);
}

/// Goes a step, or a part of it if the whole leads away; the smallest part is taken in any case.
fn advance(run: &mut Run<'_>, gap: f64) -> Result<(), Failure> {
    let mut part = 1.0;
    for _ in 0..MOST_HALVINGS {
        let LateValues { values, base, step, .. } = &mut run.now.late;
        for ((value, base), step) in values.iter_mut().zip(&*base).zip(&*step) {
            *value = base + part * step;
        }
        evaluate(run)?;
        if run.now.late.gap().0 <= gap.max(FLOOR) {
            break;
        }
        part *= 0.5;
    }
    Ok(())
}

/// Finds the residual `G(z) - z` and `1 - dG/dz` at the present values, which become the base of the next step.
fn vary(run: &mut Run<'_>) -> Result<(), Failure> {
    let count = run.now.late.values.len();
    let LateValues { values, found, base, residual, .. } = &mut run.now.late;
    base.copy_from_slice(values);
    for ((residual, found), value) in residual.iter_mut().zip(&*found).zip(&*values) {
        *residual = found - value;
    }
    let largest = run.now.late.sizes.iter().copied().fold(0.0, f64::max);
    for k in 0..count {
        let late = &mut run.now.late;
        let size = if late.sizes[k] > 0.0 { late.sizes[k] } else { largest.max(1.0) };
        late.values.copy_from_slice(&late.base);
        late.values[k] += VARIATION * size;
        let change = late.values[k] - late.base[k];
        evaluate(run)?;
        let late = &mut run.now.late;
        for row in 0..count {
            let before = late.base[row] + late.residual[row];
            let slope = (late.found[row] - before) / change;
            late.matrix[row * count + k] = f64::from(u8::from(row == k)) - slope;
        }
    }
    Ok(())
}

/// G at the present values.
fn evaluate(run: &mut Run<'_>) -> Result<(), Failure> {
    if run.system.late_in_networks {
        network_solution::update_network(run)?;
    }
    expression_order::evaluate(run)?;
    run.now.stage = Stage::Updated;
    run.apply_forces()?;
    port_coupling::accelerate(run, true)?;
    run.now.stage = Stage::Accelerated;
    run.react();
    for (k, late) in run.system.late.list.iter().enumerate() {
        run.now.late.found[k] = run.signal(late.source);
    }
    if run.now.late.found.iter().any(|value| !value.is_finite()) {
        return Err(Failure::Late(0));
    }
    run.now.late.note_sizes();
    Ok(())
}

/// Solves a small dense system in place, with row pivots; false if it is singular to rounding.
fn eliminate(matrix: &mut [f64], x: &mut [f64]) -> bool {
    let n = x.len();
    for k in 0..n {
        let size = |row: &usize| matrix[row * n + k].abs();
        let pivot = (k..n).max_by(|a, b| size(a).total_cmp(&size(b))).unwrap_or(k);
        let scale = matrix[pivot * n..(pivot + 1) * n].iter().fold(1.0, |s: f64, a| s.max(a.abs()));
        if size(&pivot) <= 1e-10 * scale {
            return false;
        }
        (0..n).for_each(|column| matrix.swap(k * n + column, pivot * n + column));
        x.swap(k, pivot);
        for row in k + 1..n {
            let factor = matrix[row * n + k] / matrix[k * n + k];
            (k..n).for_each(|column| matrix[row * n + column] -= factor * matrix[k * n + column]);
            x[row] -= factor * x[k];
        }
    }
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|column| matrix[k * n + column] * x[column]).sum();
        x[k] = (x[k] - known) / matrix[k * n + k];
    }
    true
}
