//! How far a run may be from its reference, and the references.
//!
//! In each of its `n` steps an integrator with RelErr = AbsErr = tol commits an error of at most
//! `tol (1 + |y|)`. The motion carries that error on and makes it grow, at most by some factor `G`.
//! `G` is measured, not guessed: the same model runs again with its initial values shifted by a small
//! `delta`, and `G` is how far the results move, over `delta`. The sum over all steps is the bound
//! `n tol (1 + |y|) G`.

use crate::blocks::Run;
use crate::simulate::{Outcome, run};

const REFERENCES: &str = include_str!("../references/mechanics.csv");

/// A value that a run shall give.
#[derive(Clone, Debug)]
pub struct Expected {
    /// Time of the value, or number of an event, as written in the table.
    pub at: &'static str,
    /// Its name.
    pub quantity: &'static str,
    /// The value.
    pub value: f64,
}

impl Expected {
    /// The time of the value, s.
    pub fn time(&self) -> f64 {
        self.at.parse().unwrap_or_else(|e| panic!("{}: {e}", self.at))
    }
}

/// The values of a problem up to a time.
pub fn references(problem: &str, end: f64) -> Vec<Expected> {
    let rows = REFERENCES.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let of_problem = rows.filter(|row| row[0] == problem);
    let all = of_problem.map(|row| {
        let value = row[3].parse().unwrap_or_else(|e| panic!("{row:?}: {e}"));
        Expected { at: row[1], quantity: row[2], value }
    });
    let found: Vec<Expected> = all.filter(|e| e.at == "end" || e.time() <= end).collect();
    assert!(!found.is_empty(), "no references of {problem}");
    found
}

/// A model as text, its initial values shifted by a small number.
pub type Model<'a> = &'a dyn Fn(Run, f64) -> String;
/// Reads from a run the value that is compared.
pub type Measure<'a> = &'a dyn Fn(&Outcome, &Expected) -> f64;

/// Shift of the initial values: far above the errors of the runs, and small enough for linearity.
const DELTA: f64 = 1e-7;

/// Runs a model and holds it against its references; gives the largest error.
pub fn compare(
    name: &str,
    how: Run,
    model: Model<'_>,
    expected: &[Expected],
    measure: Measure<'_>,
) -> f64 {
    let plain = run(&model(how, 0.0)).complete();
    let shifted = run(&model(how, DELTA)).complete();
    let (mut error, mut growth, mut size): (f64, f64, f64) = (0.0, 1.0, 1.0);
    for value in expected {
        let found = measure(&plain, value);
        error = error.max((found - value.value).abs());
        growth = growth.max((measure(&shifted, value) - found).abs() / DELTA);
        size = size.max(1.0 + value.value.abs());
    }
    let steps = plain.summary.statistics.steps as f64;
    let bound = steps * how.relative * size * growth;
    println!(
        "{name:18} {:9} tol {:.0e}: error {error:.1e}, bound {bound:.1e} ({steps} steps, growth {growth:.0})",
        how.solver, how.relative
    );
    assert!(error <= bound, "{name} with {}: error {error:e}, bound {bound:e}", how.solver);
    // A bound that lets a wrong model pass proves nothing.
    assert!(bound < 1e-2, "{name} with {}: the bound {bound:e} says nothing", how.solver);
    error
}

/// The classical Runge-Kutta method has no tolerance. Its error falls with the fourth power of the step,
/// so that halving the step leaves 1/16 of the error, which is 16/15 of the change. Twice that
/// is allowed for the higher orders.
pub fn compare_fixed(
    name: &str,
    how: Run,
    model: Model<'_>,
    expected: &[Expected],
    measure: Measure<'_>,
) {
    let coarse = run(&model(how, 0.0)).complete();
    let halved = Run { step: 0.5 * how.step, ..how };
    let fine = run(&model(halved, 0.0)).complete();
    let (mut error, mut change): (f64, f64) = (0.0, 0.0);
    for value in expected {
        let found = measure(&coarse, value);
        error = error.max((found - value.value).abs());
        change = change.max((found - measure(&fine, value)).abs());
    }
    let bound = 2.0 * change * 16.0 / 15.0;
    println!(
        "{name:18} {:9} step {:.0e}: error {error:.1e}, bound {bound:.1e}",
        how.solver, how.step
    );
    assert!(error <= bound, "{name}: error {error:e}, bound {bound:e}");
    assert!(bound < 1e-2, "{name}: the bound {bound:e} says nothing");
}

/// All adaptive methods at one tolerance, and the two multistep ones at a second: a tighter one is better.
pub fn compare_methods(
    name: &str,
    how: Run,
    model: Model<'_>,
    expected: &[Expected],
    measure: Measure<'_>,
) {
    for solver in ["odeint_rk", "odeint_bs"] {
        compare(name, Run { solver, ..how }, model, expected, measure);
    }
    let with = |solver, tolerance: f64| {
        let how = Run { solver, relative: tolerance, absolute: tolerance, ..how };
        compare(name, how, model, expected, measure)
    };
    for solver in ["de", "derf"] {
        let (loose, tight) = (with(solver, 1e2 * how.relative), with(solver, how.relative));
        // Unless round-off is all that is left.
        assert!(tight < loose.max(1e-12), "{name}: {tight:e} {loose:e}");
    }
}

/// Motions that make errors grow by ten thousands leave little of the bound above, which lets the error of
/// every step grow as long as that of the first. They run with three tolerances, each a hundredth of the one before.
/// The error falls with the tolerance, so that the change from the second run to the third is nearly the
/// whole error of the second: more than that of the third, which is compared. Beside it stands what no
/// tolerance removes: `n` steps that round by `eps (1 + |y|)` each, at random and so `sqrt(n)` of them at
/// once, with the growth `G` that is measured as above.
pub fn compare_converged(
    name: &str,
    how: Run,
    model: Model<'_>,
    expected: &[Expected],
    measure: Measure<'_>,
) {
    /// The growth is some ten thousand: the shifted motion is far from the errors and still near.
    const SHIFT: f64 = 1e-9;
    let with = |tolerance: f64, shift: f64| {
        let how = Run { relative: tolerance, absolute: tolerance, ..how };
        run(&model(how, shift)).complete()
    };
    let [loose, middle, tight] = [1e4, 1e2, 1.0].map(|part| with(part * how.relative, 0.0));
    let shifted = with(how.relative, SHIFT);
    let largest = |difference: &dyn Fn(&Expected) -> f64| {
        expected.iter().map(|e| difference(e).abs()).fold(0.0, f64::max)
    };
    let change = |a: &Outcome, b: &Outcome| largest(&|e| measure(a, e) - measure(b, e));
    let error = largest(&|e| measure(&tight, e) - e.value);
    let (first, second) = (change(&loose, &middle), change(&middle, &tight));
    let growth = (change(&shifted, &tight) / SHIFT).max(1.0);
    let size = 1.0 + largest(&|e| e.value);
    let steps = tight.summary.statistics.steps as f64;
    let round_off = steps.sqrt() * f64::EPSILON * size * growth;
    let bound = second + round_off;
    println!(
        "{name:18} {:9} tol {:.0e}: error {error:.1e}, bound {bound:.1e} (changes {first:.1e}, {second:.1e}, round-off {round_off:.1e}, growth {growth:.1e})",
        how.solver, how.relative
    );
    assert!(error <= bound, "{name} with {}: error {error:e}, bound {bound:e}", how.solver);
    assert!(second < 0.1 * first + round_off, "{name}: no convergence: {first:e} {second:e}");
    assert!(bound < 1e-4, "{name} with {}: the bound {bound:e} says nothing", how.solver);
}
