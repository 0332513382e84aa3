//! A motion and its sensitivities as one system of equations.

use integrate::{Differences, EvaluationError, Hints, Matrix, Pattern, Problem, StatePoint};

use super::{Bundle, Pair, Work, place};
use crate::system::Run;

impl Pair<'_> {
    /// Rates of the sensitivities.
    fn rates(
        &mut self,
        t: f64,
        y: &[f64],
        index: usize,
        work: &mut Work,
    ) -> Result<(), EvaluationError> {
        let n = work.y.len();
        for side in 0..2 {
            place(&mut work.y, y, n, index, self.of.shifts[side]);
            self.runs[side].derivatives(t, &work.y, &mut work.rates[side])?;
        }
        Ok(())
    }
}

/// Lets every neighbour change its state; the sensitivities are the differences of what they get.
fn carry(
    bundle: &mut Bundle<'_>,
    y: &mut [f64],
    before: &[f64],
    act: impl Fn(&mut Run<'_>, &mut [f64]) -> Result<(), EvaluationError>,
) -> Result<(), EvaluationError> {
    let Bundle { run, pairs, work, .. } = bundle;
    let n = work.y.len();
    for (index, pair) in pairs.iter_mut().enumerate() {
        for side in 0..2 {
            place(&mut work.rates[side], before, n, index, pair.of.shifts[side]);
            if let Err(error) = act(&mut pair.runs[side], &mut work.rates[side]) {
                run.failure = pair.runs[side].failure.take();
                return Err(error);
            }
        }
        let [low, high] = &work.rates;
        let own = &mut y[n * (index + 1)..][..n];
        for ((s, low), high) in own.iter_mut().zip(low).zip(high) {
            *s = (high - low) / pair.of.distance();
        }
    }
    Ok(())
}

impl Problem for Bundle<'_> {
    fn len(&self) -> usize {
        self.run.len() * (1 + self.pairs.len())
    }

    fn derivatives(&mut self, t: f64, y: &[f64], ydot: &mut [f64]) -> Result<(), EvaluationError> {
        if self.pairs.is_empty() {
            return self.run.derivatives(t, y, ydot);
        }
        let Self { run, pairs, work, .. } = self;
        let n = work.y.len();
        run.derivatives(t, &y[..n], &mut ydot[..n])?;
        for (index, pair) in pairs.iter_mut().enumerate() {
            if let Err(error) = pair.rates(t, y, index, work) {
                run.failure = pair.runs.iter_mut().find_map(|run| run.failure.take());
                return Err(error);
            }
            let [low, high] = &work.rates;
            let own = &mut ydot[n * (index + 1)..][..n];
            for ((rate, low), high) in own.iter_mut().zip(low).zip(high) {
                *rate = (high - low) / pair.of.distance();
            }
        }
        Ok(())
    }

    fn project(&mut self, t: f64, y: &mut [f64]) -> Result<(), EvaluationError> {
        if self.pairs.is_empty() {
            return self.run.project(t, y);
        }
        let n = self.work.y.len();
        let before = y.to_vec();
        self.run.project(t, &mut y[..n])?;
        carry(self, y, &before, |run, y| run.project(t, y))
    }

    /// The motion's own Jacobian, for the motion and for each of its sensitivities: their equations are linear with this matrix. How
    /// the sensitivities depend on the motion is left out, as they do not act back.
    fn jacobian(
        &mut self,
        t: f64,
        y: &[f64],
        ydot: &[f64],
        jacobian: &mut Matrix,
    ) -> Option<Result<(), EvaluationError>> {
        if self.pairs.is_empty() {
            return self.run.jacobian(t, y, ydot, jacobian);
        }
        let n = self.work.y.len();
        let pattern = self.run.pattern_now();
        let mut own = pattern.as_ref().map_or_else(|| Matrix::zeros(n), Matrix::sparse);
        let formed = self.run.jacobian(t, &y[..n], &ydot[..n], &mut own);
        let formed = formed.unwrap_or_else(|| {
            let solver = &self.run.system.model.solver;
            let allowed: Vec<f64> = y[..n]
                .iter()
                .map(|y| solver.relative_error * y.abs() + solver.absolute_error)
                .collect();
            let point =
                StatePoint { t, y: &y[..n], f: &ydot[..n], allowed: &allowed, direction: 1.0 };
            let mut differences = Differences::new(n, pattern);
            differences.form(&mut self.run, point, &mut own, &mut 0)
        });
        jacobian.clear();
        for block in 0..=self.pairs.len() {
            own.for_each(|row, column, value| {
                jacobian.set(block * n + row, block * n + column, value);
            });
        }
        Some(formed)
    }

    fn jacobian_pattern(&self) -> Option<Pattern> {
        self.repeated(self.run.jacobian_pattern())
    }

    fn follow(&mut self, y: &mut [f64]) -> Result<(), EvaluationError> {
        if self.pairs.is_empty() {
            return self.run.follow(y);
        }
        let n = self.work.y.len();
        let before = y.to_vec();
        self.run.follow(&mut y[..n])?;
        carry(self, y, &before, |run, y| run.follow(y))
    }
}

impl Bundle<'_> {
    /// The pattern of the motion for each block of states; of full blocks if it has none.
    fn repeated(&self, own: Option<Pattern>) -> Option<Pattern> {
        if self.pairs.is_empty() {
            return own;
        }
        let n = self.work.y.len();
        let own = own.unwrap_or_else(|| Pattern::full(n));
        let mut all = Pattern::empty(n * (1 + self.pairs.len()));
        for block in 0..=self.pairs.len() {
            for column in 0..n {
                for &row in own.rows(column) {
                    all.add(block * n + row, block * n + column);
                }
            }
        }
        Some(all)
    }
}

impl Hints for Bundle<'_> {
    fn part_derivatives(
        &mut self,
        part: &[usize],
        t: f64,
        y: &[f64],
        ydot: &mut [f64],
    ) -> Result<(), EvaluationError> {
        match self.pairs.is_empty() {
            true => self.run.part_derivatives(part, t, y, ydot),
            false => self.derivatives(t, y, ydot),
        }
    }

    fn held_derivatives(
        &mut self,
        part: &[usize],
        t: f64,
        y: &[f64],
        ydot: &mut [f64],
    ) -> Result<(), EvaluationError> {
        match self.pairs.is_empty() {
            true => self.run.held_derivatives(part, t, y, ydot),
            false => self.derivatives(t, y, ydot),
        }
    }

    fn held_pattern(&self) -> Option<Pattern> {
        self.repeated(self.run.held_pattern())
    }

    fn pattern_now(&self) -> Option<Pattern> {
        self.repeated(self.run.pattern_now())
    }

    fn extended_pattern(&self) -> Option<Pattern> {
        if self.pairs.is_empty() { self.run.extended_pattern() } else { None }
    }

    fn structure(&self) -> u64 {
        self.run.structure()
    }

    fn cheap_states(&self) -> std::ops::Range<usize> {
        if self.pairs.is_empty() { self.run.cheap_states() } else { 0..0 }
    }

    fn integrals(&self) -> std::ops::Range<usize> {
        if self.pairs.is_empty() { self.run.integrals() } else { 0..0 }
    }

    fn has_cheap_guards(&self) -> bool {
        self.run.has_cheap_guards()
    }
}

/// What a bundle needs of events without carrying one out.
impl Bundle<'_> {
    /// Lets every neighbour do the same at its state.
    pub(super) fn each_neighbour(
        &mut self,
        y: &[f64],
        act: impl Fn(&mut Run<'_>, &[f64]) -> Result<(), EvaluationError>,
    ) -> Result<(), EvaluationError> {
        let Self { run, pairs, work, .. } = self;
        let n = work.y.len();
        for (index, pair) in pairs.iter_mut().enumerate() {
            for side in 0..2 {
                place(&mut work.y, y, n, index, pair.of.shifts[side]);
                if let Err(error) = act(&mut pair.runs[side], &work.y) {
                    run.failure = pair.runs[side].failure.take();
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    /// The states of the motion alone.
    pub(super) fn own<'y>(&self, y: &'y [f64]) -> &'y [f64] {
        &y[..self.run.len()]
    }
}
