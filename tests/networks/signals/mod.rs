//! Signal and sampled blocks against closed forms and recursions of their own.

#![allow(clippy::panic, reason = "a test ends where something is not so")]

mod continuous;
mod contradictions;
mod delay;
mod limits;
mod loops;
mod mechanics;
mod memory;
mod sampled;
mod sources;
mod steady;
mod tables;

use dysim_tests::circuits::{Setting, text};
use dysim_tests::simulate::{Outcome, Table, run};

/// Tolerance of the integrator.
const TOLERANCE: f64 = 1e-10;
/// Error of a stable block: a few hundred steps, each with an error of 1e-10 of its value, none of which grows.
const ERROR: f64 = 5e-8;

/// Runs blocks with a solver.
fn solve_with(solver: &'static str, end: f64, step: f64, blocks: &str) -> Outcome {
    run(&text(Setting { solver, end, step, tolerance: TOLERANCE }, "", blocks)).complete()
}

/// Runs blocks.
fn solve(end: f64, step: f64, blocks: &str) -> Outcome {
    solve_with("derf", end, step, blocks)
}

/// Compares a column with a function of time in all rows.
#[track_caller]
fn compare(table: &Table, column: &str, allowed: f64, expected: impl Fn(f64) -> f64) {
    let (time, place) = (table.index("t"), table.index(column));
    assert!(table.rows.len() > 5, "only {} rows", table.rows.len());
    for row in &table.rows {
        let (t, found) = (row[time], row[place]);
        let wanted = expected(t);
        let scale = wanted.abs().max(1.0);
        assert!(
            (found - wanted).abs() <= allowed * scale,
            "{column} at {t}: {found} instead of {wanted}, off by {:e}",
            found - wanted
        );
    }
}
