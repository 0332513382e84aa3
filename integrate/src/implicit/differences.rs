//! The Jacobian by differences, several columns at a time where the pattern allows.

use super::super::problem::{check_finite, check_finite_at};
use super::super::{EvaluationError, HybridSystem};
use super::matrix::Matrix;
use super::pattern::Pattern;

/// States smaller than this are varied as if they had this size (RADAU5: `sqrt(eps max(1e-5, |y|))`),
/// where a term may be the small difference of large ones.
const SMALL_STATE: f64 = 1e-5;
/// Fine increments of small states, in multiples of their allowed errors.
const FINE: f64 = 1e-3;

/// How states far below one are varied. Neither way suits all problems: a fine one drowns where large
/// terms cancel, a coarse one misses a curvature at the scale of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Increments {
    Coarse,
    Fine,
    /// By their own size alone: a slope that holds near zero only is found there.
    Relative,
}

/// Groups of columns, and room for one evaluation.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub struct Differences {
    groups: Vec<Vec<usize>>,
    /// `None` if every row may depend on every column.
    pattern: Option<Pattern>,
    /// The states of rows and columns; `None` means all.
    part: Option<Vec<usize>>,
    y: Vec<f64>,
    f: Vec<f64>,
    increments: Vec<f64>,
    kind: Increments,
}

/// The point at which the derivatives are differenced.
#[derive(Clone, Copy, Debug)]
pub struct StatePoint<'a> {
    /// Time, s.
    pub t: f64,
    /// The state.
    pub y: &'a [f64],
    /// Derivatives at `y`, of the part at least.
    pub f: &'a [f64],
    /// Allowed error of each state.
    pub allowed: &'a [f64],
    /// Direction of integration: states are varied the way they go, where the problem is at home.
    pub direction: f64,
}

impl Differences {
    /// Differences for a Jacobian of this size with this pattern; all entries if there is none.
    pub fn new(n: usize, pattern: Option<Pattern>) -> Self {
        let groups = match &pattern {
            Some(pattern) => pattern.groups(),
            None => (0..n).map(|column| vec![column]).collect(),
        };
        let zero = || vec![0.0; n];
        let (y, f, increments) = (zero(), zero(), zero());
        Self { groups, pattern, part: None, y, f, increments, kind: Increments::Coarse }
    }

    /// Differences for the block of the Jacobian that belongs to `part`, ascending numbers of some of the `n` states, by
    /// [`Hints::held_derivatives`](crate::Hints::held_derivatives); `pattern` belongs to the Jacobian of all states.
    pub fn of_part(n: usize, part: &[usize], pattern: Option<&Pattern>) -> Self {
        let block = pattern.map(|pattern| pattern.of_part(part));
        let columns = Self::new(part.len(), block);
        let zero = || vec![0.0; n];
        Self { part: Some(part.to_vec()), y: zero(), f: zero(), ..columns }
    }

    /// The state of a row or column.
    fn state(&self, place: usize) -> usize {
        self.part.as_ref().map_or(place, |part| part[place])
    }

    /// Goes on with other entries of the matrix of all states.
    pub fn reshape(&mut self, pattern: Pattern) {
        self.groups = pattern.groups();
        self.pattern = Some(pattern);
    }

    /// Begins with the increments that suit most problems.
    pub fn reset(&mut self) {
        self.kind = Increments::Coarse;
    }

    /// The last Jacobian did not serve: small states are varied the other way from here on.
    pub fn doubt(&mut self) {
        self.kind = match self.kind {
            Increments::Coarse => Increments::Fine,
            Increments::Fine | Increments::Relative => Increments::Coarse,
        };
    }

    /// Writes the Jacobian by differences so short that no state changes its sign.
    pub fn form_closely(
        &mut self,
        problem: &mut dyn HybridSystem,
        point: StatePoint<'_>,
        jacobian: &mut Matrix,
        evaluations: &mut u64,
    ) -> Result<(), EvaluationError> {
        let kind = std::mem::replace(&mut self.kind, Increments::Relative);
        let formed = self.form(problem, point, jacobian, evaluations);
        self.kind = kind;
        formed
    }

    /// Evaluations that a Jacobian takes.
    pub fn cost(&self) -> usize {
        self.groups.len()
    }

    /// Writes the Jacobian at a point; `evaluations` counts the calls of the derivatives.
    pub fn form(
        &mut self,
        problem: &mut dyn HybridSystem,
        point: StatePoint<'_>,
        jacobian: &mut Matrix,
        evaluations: &mut u64,
    ) -> Result<(), EvaluationError> {
        jacobian.clear();
        for group in 0..self.groups.len() {
            *evaluations += 1;
            if self.evaluate(problem, point, group, point.direction).is_err() {
                // Where the states go there is no value; there may be one where they come from.
                *evaluations += 1;
                self.evaluate(problem, point, group, -point.direction)?;
            }
            for &column in &self.groups[group] {
                let increment = self.increments[column];
                let slope = |row: usize| {
                    let state = self.state(row);
                    (self.f[state] - point.f[state]) / increment
                };
                match &self.pattern {
                    Some(pattern) => pattern
                        .rows(column)
                        .iter()
                        .for_each(|&row| jacobian.set(row, column, slope(row))),
                    None => {
                        (0..jacobian.len()).for_each(|row| jacobian.set(row, column, slope(row)));
                    }
                }
            }
        }
        Ok(())
    }

    /// Derivatives with the states of a group varied.
    fn evaluate(
        &mut self,
        problem: &mut dyn HybridSystem,
        point: StatePoint<'_>,
        group: usize,
        direction: f64,
    ) -> Result<(), EvaluationError> {
        self.y.copy_from_slice(point.y);
        for &column in &self.groups[group] {
            let state = self.state(column);
            let (y, f) = (point.y[state], point.f[state]);
            let size = match self.kind {
                Increments::Coarse => (f64::EPSILON * y.abs().max(SMALL_STATE)).sqrt(),
                Increments::Fine => {
                    let relative = f64::EPSILON.sqrt() * y.abs().min(y.abs().sqrt());
                    relative.max(FINE * point.allowed[state])
                }
                // Of zero there is no part; what has been allowed is the only measure.
                Increments::Relative if y == 0.0 => FINE * point.allowed[state],
                Increments::Relative => f64::EPSILON.sqrt() * y.abs(),
            };
            self.y[state] = y + size.copysign(if f == 0.0 { direction } else { direction * f });
            // The increment as the arithmetic has it.
            self.increments[column] = self.y[state] - y;
        }
        let Some(part) = &self.part else {
            problem.derivatives(point.t, &self.y, &mut self.f)?;
            return check_finite(&self.f);
        };
        problem.held_derivatives(part, point.t, &self.y, &mut self.f)?;
        part.iter().try_for_each(|&state| check_finite_at(&self.f, state))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Events, Hints, Problem};

    /// `f_i = y_i^2 - y_{i+1}`, with a pattern of two diagonals.
    struct Chain(usize);

    impl Problem for Chain {
        fn len(&self) -> usize {
            self.0
        }

        fn derivatives(&mut self, _: f64, y: &[f64], f: &mut [f64]) -> Result<(), EvaluationError> {
            for i in 0..y.len() {
                f[i] = y[i] * y[i] - y.get(i + 1).copied().unwrap_or(0.0);
            }
            Ok(())
        }
    }

    impl Events for Chain {}

    impl Hints for Chain {}

    #[test]
    fn groups_give_what_single_columns_give() {
        let n = 8;
        let y: Vec<f64> = (0..n).map(|i| 0.3 * i as f64 - 1.0).collect();
        let mut f = vec![0.0; n];
        let mut problem = Chain(n);
        assert_eq!(problem.derivatives(0.0, &y, &mut f), Ok(()));
        let mut pattern = Pattern::empty(n);
        for i in 0..n {
            pattern.add(i, i);
            if i > 0 {
                pattern.add(i - 1, i);
            }
        }
        for (pattern, cost) in [(None, 8), (Some(pattern), 2)] {
            let mut differences = Differences::new(n, pattern);
            let (mut jacobian, mut evaluations) = (Matrix::zeros(n), 0);
            let allowed = vec![1e-9; n];
            let point = StatePoint { t: 0.0, y: &y, f: &f, allowed: &allowed, direction: 1.0 };
            let formed = differences.form(&mut problem, point, &mut jacobian, &mut evaluations);
            assert_eq!((formed, evaluations, differences.cost()), (Ok(()), cost, cost as usize));
            for (i, y) in y.iter().enumerate() {
                for j in 0..n {
                    let exact = if i == j { 2.0 * y } else { -f64::from(u8::from(j == i + 1)) };
                    // The increment itself, times the second derivative of two, and round-off.
                    assert!((jacobian.get(i, j) - exact).abs() < 1e-6, "{i} {j}");
                }
            }
        }
    }
}
