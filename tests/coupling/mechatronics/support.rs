//! What the tests of drive trains share.

use std::rc::Rc;

use dysim_tests::circuits::{Setting, solve};
use dysim_tests::simulate::Table;

/// Relative tolerance per step. A run has a few hundred steps at most, each of which may err by this much, so that
/// results are known to a few 1e-7 of their largest size; tests allow 1e-6 of this size unless they say otherwise.
pub const TOLERANCE: f64 = 1e-9;

/// Runs elements until `end`, with this many rows.
pub fn rows(end: f64, count: u32, elements: &str) -> Rc<Table> {
    let step = end / f64::from(count);
    solve(Setting { solver: "derf", end, step, tolerance: TOLERANCE }, elements).table("csv")
}

/// The value is `expected` to 1e-6 of `size`.
pub fn near(table: &Table, t: f64, column: &str, expected: f64, size: f64) {
    let found = table.at(t, column);
    let gap = (found - expected).abs() / size;
    assert!(gap <= 1e-6, "{column} at {t} s: {found} instead of {expected}");
}
