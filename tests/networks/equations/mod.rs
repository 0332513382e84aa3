//! Equations of one's own: Variables, Ports, lines, Formulas, Signals.

mod components;
mod corners;
mod domains;
mod events;
mod formulas;
mod inverse;
mod linear_daes;
mod mechanics;
mod systems;

use dysim_tests::circuits::{Setting, solve};
use dysim_tests::simulate::Table;
use std::rc::Rc;

/// Relative tolerance of a step. Errors of some hundred steps add up to less than a hundred times as much.
const FINE: f64 = 1e-9;

/// The signals of a model that runs with fine tolerances.
fn table(end: f64, step: f64, text: &str) -> Rc<Table> {
    solve(Setting { solver: "derf", end, step, tolerance: FINE }, text).table("csv")
}

/// Both columns agree in all rows, to this part of their largest value.
fn agree(table: &Table, first: &str, second: &str, tolerance: f64) {
    let (a, b) = (table.column(first), table.column(second));
    let largest = a.iter().fold(f64::MIN_POSITIVE, |size: f64, x| size.max(x.abs()));
    assert!(a.len() > 2 && largest > 1e-6, "{first} says nothing");
    for (row, (x, y)) in a.iter().zip(&b).enumerate() {
        let gap = (x - y).abs() / largest;
        assert!(gap <= tolerance, "row {row}: {first} = {x}, {second} = {y}, apart by {gap:e}");
    }
}

/// A value at a time.
fn near(table: &Table, t: f64, column: &str, expected: f64, tolerance: f64) {
    let found = table.at(t, column);
    let gap = (found - expected).abs() / expected.abs().max(1e-3);
    assert!(gap <= tolerance, "{column} at {t}: {found}, not {expected}, off by {gap:e}");
}
