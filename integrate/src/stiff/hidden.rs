//! What a steep slope hides that holds within the allowed errors of the states only.
//!
//! A power `|x|^0.12` has at x = 1e-18 a slope of 1e15, and at the allowed error of x, 1e-8, one of 1e6. The iteration and the
//! estimate of the error weigh what is left with `(mu/h M - J)^-1`. With the first slope any residual is a tiny error of x,
//! so that a step of any length would pass, however far the solution is: a linear model speaks of the place where it was
//! formed only.
//!
//! Where a slope changes a derivative by more than itself within the allowed errors, the derivatives at that distance tell.
//! If what is left changes its sign there, falls to half, or does so where a state is zero, there is a solution within about the
//! allowed error, as where a state comes to rest. If not, the slope has hidden it, and the step has to be shorter.

use super::super::implicit::{Mass, Matrix, StatePoint};
use super::super::one_step::ratio;
use super::super::problem::check_finite;
use super::super::{HybridSystem, Statistics};
use super::step_equations::StepEquations;

/// What falls to this part within the allowed errors is as good as gone.
const FALLS: f64 = 0.5;
/// Most stages of a method.
const MOST: usize = 7;

/// Where derivatives are asked for.
#[derive(Clone, Copy)]
enum Place<'a> {
    Here,
    /// Away by the allowed errors, in the direction of these or against it.
    Moved(&'a [f64], f64),
    /// States that may as well be zero are zero: there most laws have their border.
    Zero,
}

impl Place<'_> {
    /// The value of a state here or there.
    fn of(self, state: usize, y: f64, allowed: f64) -> f64 {
        match self {
            Place::Moved(directions, way) if directions[state] != 0.0 => {
                y + allowed.copysign(way * directions[state])
            }
            Place::Zero if y.abs() <= allowed => 0.0,
            _ => y,
        }
    }
}

/// Rows with steep slopes, and room for evaluations.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub(super) struct Hidden {
    /// Does the Jacobian have slopes that hold within the allowed errors only?
    pub is_steep: bool,
    /// For each row: by how much the derivative changes within the allowed errors, if the slopes hold.
    changes: Vec<f64>,
    point: Vec<f64>,
    /// Derivatives at all stages, here and at the distance of the allowed errors.
    f: [Vec<f64>; 2],
    /// What is left at all stages, here and there.
    left: [Vec<f64>; 2],
    /// What becomes of it.
    fate: Vec<Fate>,
    /// What derivatives change by at most within the allowed errors.
    falls: Vec<f64>,
}

impl Hidden {
    /// Room for `n` states.
    pub fn new(n: usize, most_stages: usize) -> Self {
        let (zero, stages) = (|| vec![0.0; n], || vec![0.0; n * most_stages]);
        Self {
            is_steep: false,
            changes: zero(),
            point: zero(),
            f: [stages(), stages()],
            left: [stages(), stages()],
            fate: vec![Fate::Grows; n * most_stages],
            falls: zero(),
        }
    }

    /// Measures the slopes where the derivatives are `f`. True if one changes its derivative by more than itself.
    fn measure(&mut self, jacobian: &Matrix, allowed: &[f64], f: &[f64]) -> bool {
        self.changes.fill(0.0);
        let changes = &mut self.changes;
        jacobian.for_each(|row, column, slope| changes[row] += slope.abs() * allowed[column]);
        changes.iter().zip(f).any(|(change, f)| *change > f.abs())
    }

    /// Looks at a Jacobian that was formed at a point: do its slopes hold?
    pub fn look(
        &mut self,
        problem: &mut dyn HybridSystem,
        point: StatePoint<'_>,
        jacobian: &Matrix,
        statistics: &mut Statistics,
    ) {
        self.is_steep = false;
        let StatePoint { t, y, f, allowed, direction } = point;
        // The slopes of an extended matrix are not known one by one; the forces behind it have no such slopes.
        if jacobian.is_extended() || !self.measure(jacobian, allowed, f) {
            return;
        }
        // States are varied the way they go.
        for ((place, y), (f, allowed)) in self.point.iter_mut().zip(y).zip(f.iter().zip(allowed)) {
            *place = y + allowed.copysign(if *f == 0.0 { direction } else { direction * f });
        }
        statistics.evaluations += 1;
        let n = y.len();
        let found = &mut self.f[0][..n];
        if problem.derivatives(t, &self.point, found).and_then(|()| check_finite(found)).is_err() {
            // No value so near: the slopes do not hold.
            self.is_steep = true;
            return;
        }
        let [moved, foreseen] = &mut self.left;
        let (moved, foreseen) = (&mut moved[..n], &mut foreseen[..n]);
        moved.iter_mut().zip(&self.point).zip(y).for_each(|((moved, there), y)| *moved = there - y);
        foreseen.copy_from_slice(f);
        jacobian.add_product(moved, foreseen);
        let rows = found.iter().zip(&*foreseen).zip(self.changes.iter().zip(f));
        self.is_steep = rows
            .filter(|(_, (change, f))| **change > f.abs())
            .any(|((found, foreseen), (change, _))| (found - foreseen).abs() > FALLS * change);
    }

    /// Is something left of the equations of a step that a steep slope of this Jacobian hides? `z` are the stages, `delta` is
    /// how they were corrected last.
    pub fn is_left(
        &mut self,
        problem: &mut dyn HybridSystem,
        step: &StepEquations<'_>,
        (z, delta): (&[f64], &[f64]),
        jacobian: &Matrix,
        statistics: &mut Statistics,
    ) -> bool {
        let (n, s) = (step.y0.len(), step.tableau.s);
        let last = (s - 1) * n..s * n;
        if *step.mass != Mass::Identity
            || !self.evaluate(problem, step, (z, Place::Here), statistics)
            || !self.measure_last(step, jacobian, last.clone())
        {
            return false;
        }
        let h = step.h.abs();
        let is_open =
            |place: usize, left: f64| h * left.abs() > step.kappa * step.allowed[place % n];
        if !self.left[0][..n * s].iter().enumerate().any(|(place, left)| is_open(place, *left)) {
            return false;
        }
        // The sign of a correction that is lost in rounding says nothing: both ways are tried.
        let corrections = &delta[last];
        self.fate.fill(Fate::Grows);
        for place in [Place::Moved(corrections, 1.0), Place::Moved(corrections, -1.0), Place::Zero]
        {
            if !self.evaluate(problem, step, (z, place), statistics) {
                continue;
            }
            let [here, there] = &self.left;
            for (fate, (here, there)) in self.fate.iter_mut().zip(here.iter().zip(there)) {
                *fate = fate.and(Fate::of(*here, *there));
            }
        }
        let (here, f) = (&self.left[0], &self.f[0]);
        (0..n * s).any(|place| {
            self.changes[place % n] > f[place].abs()
                && is_open(place, here[place])
                && self.fate[place] != Fate::Vanishes
        })
    }

    /// Measures the slopes at the end of a step.
    fn measure_last(
        &mut self,
        step: &StepEquations<'_>,
        jacobian: &Matrix,
        last: std::ops::Range<usize>,
    ) -> bool {
        let ends = std::mem::take(&mut self.f[0]);
        let is_steep = self.measure(jacobian, step.allowed, &ends[last]);
        self.f[0] = ends;
        is_steep
    }

    /// `f_j - u'(c_j)` at all stages, where u is the polynomial through them, here or with all moved by the allowed errors in the
    /// direction of corrections. False if there is no value there.
    ///
    /// Each stage speaks for itself: a state that follows at once is where its own derivative vanishes.
    fn evaluate(
        &mut self,
        problem: &mut dyn HybridSystem,
        step: &StepEquations<'_>,
        (z, place): (&[f64], Place<'_>),
        statistics: &mut Statistics,
    ) -> bool {
        let (n, s) = (step.y0.len(), step.tableau.s);
        let which = usize::from(!matches!(place, Place::Here));
        let slopes = slopes(&step.tableau.c[..s]);
        for (i, slopes) in slopes[..s].iter().enumerate() {
            for (l, point) in self.point.iter_mut().enumerate() {
                *point = place.of(l, step.y0[l] + z[i * n + l], step.allowed[l]);
            }
            statistics.evaluations += 1;
            let f = &mut self.f[which][i * n..(i + 1) * n];
            let evaluated = problem.derivatives(step.time(i), &self.point, f);
            if evaluated.and_then(|()| check_finite(f)).is_err() {
                return false;
            }
            let left = &mut self.left[which][i * n..(i + 1) * n];
            for (l, (left, f)) in left.iter_mut().zip(f).enumerate() {
                let (y0, allowed) = (step.y0[l], step.allowed[l]);
                let moved = |k: usize| match place {
                    Place::Here => z[k * n + l],
                    _ => place.of(l, y0 + z[k * n + l], allowed) - y0,
                };
                let slope: f64 = slopes[..s].iter().enumerate().map(|(k, d)| d * moved(k)).sum();
                *left = *f - slope / step.h;
            }
        }
        true
    }

    /// The largest error over the allowed one that a steep slope hides from the estimate, where `rest` are the derivatives whose
    /// filtered values are `errors`, `f` those at the beginning.
    pub fn error(
        &mut self,
        problem: &mut dyn HybridSystem,
        step: &StepEquations<'_>,
        (rest, errors, f): (&[f64], &[f64], &[f64]),
        evaluations: &mut u64,
    ) -> f64 {
        if !self.is_steep || *step.mass != Mass::Identity {
            return 0.0;
        }
        let gamma = step.tableau.modes[0].eigenvalue.re / step.h.abs();
        self.measure(step.jacobian, step.allowed, f);
        let n = f.len();
        self.fate.fill(Fate::Grows);
        self.falls.fill(0.0);
        let (fate, falls) = (&mut self.fate, &mut self.falls);
        for place in [Place::Moved(errors, 1.0), Place::Moved(errors, -1.0), Place::Zero] {
            for (l, point) in self.point.iter_mut().enumerate() {
                *point = place.of(l, step.y0[l], step.allowed[l]);
            }
            *evaluations += 1;
            let found = &mut self.f[0][..n];
            let evaluated = problem.derivatives(step.t0, &self.point, found);
            if evaluated.and_then(|()| check_finite(found)).is_err() {
                continue;
            }
            for l in 0..n {
                let there = rest[l] + found[l] - f[l];
                fate[l] = fate[l].and(Fate::of(rest[l], there));
                falls[l] = falls[l].max((rest[l] - there).abs());
            }
        }
        let stays = (0..n).filter(|&l| self.changes[l] > f[l].abs() && fate[l] == Fate::Stays);
        // The slope up to there in place of that here.
        let error = |l: usize| rest[l].abs() / (gamma + falls[l] / step.allowed[l]);
        stays.map(|l| ratio(error(l), step.allowed[l])).fold(0.0, f64::max)
    }
}

/// Derivatives at the nodes of the polynomials that are one at a node and zero at the others and at 0 (Berrut, Trefethen,
/// *Barycentric Lagrange interpolation*, SIAM Review 46 (2004) 501, 9.3): row by row, by node.
pub(super) fn slopes(nodes: &[f64]) -> [[f64; MOST]; MOST] {
    let mut all = [0.0; MOST + 1];
    all[1..=nodes.len()].copy_from_slice(nodes);
    let all = &all[..=nodes.len()];
    let others = |k: usize| (0..all.len()).filter(move |&m| m != k);
    let weight = |k: usize| 1.0 / others(k).map(|m| all[k] - all[m]).product::<f64>();
    let mut slopes = [[0.0; MOST]; MOST];
    for j in 1..all.len() {
        for k in 1..all.len() {
            slopes[j - 1][k - 1] = if j == k {
                others(j).map(|m| 1.0 / (all[j] - all[m])).sum()
            } else {
                weight(k) / weight(j) / (all[j] - all[k])
            };
        }
    }
    slopes
}

/// What becomes of something left within the allowed errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// It grows, wherever.
    Grows,
    /// It hardly falls.
    Stays,
    /// It changes its sign, or falls to half.
    Vanishes,
}

impl Fate {
    fn of(here: f64, there: f64) -> Self {
        let part = there / here;
        if part <= FALLS {
            Fate::Vanishes
        } else if part <= 1.0 {
            Fate::Stays
        } else {
            Fate::Grows
        }
    }

    /// The better of two places.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Fate::Vanishes, _) | (_, Fate::Vanishes) => Fate::Vanishes,
            (Fate::Stays, _) | (_, Fate::Stays) => Fate::Stays,
            _ => Fate::Grows,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stiff::tableau::FAMILY;

    #[test]
    fn slopes_undo_the_matrix_of_the_method() {
        for tableau in &*FAMILY {
            let s = tableau.s;
            let d = slopes(&tableau.c[..s]);
            for (i, d) in d[..s].iter().enumerate() {
                for j in 0..s {
                    let product: f64 = (0..s).map(|k| d[k] * tableau.a[k][j]).sum();
                    let expected = f64::from(u8::from(i == j));
                    assert!((product - expected).abs() < 1e-12, "{s} {i} {j}: {product}");
                }
            }
        }
    }
}
