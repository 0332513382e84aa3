//! The passes of the network engine, from `.dys` texts: constraints, tearing, the start.

#![allow(clippy::unwrap_used, reason = "a test that cannot build its model has failed")]

mod constraints;
mod jacobian;
mod modes;
mod selection;
mod start;
mod tearing;
mod windings;

use dysim_tests::circuits::Setting;
use dysim_tests::simulate::Table;

/// A stiff run with a tolerance of 1e-8.
fn stiff(end: f64, step: f64) -> Setting {
    Setting { solver: "stiff", end, step, tolerance: 1e-8 }
}

/// Every row of a column against a closed form.
fn follows(table: &Table, column: &str, tolerance: f64, exact: impl Fn(f64) -> f64) {
    for (row, x) in table.rows.iter().zip(table.column(column)) {
        let expected = exact(row[0]);
        assert!((x - expected).abs() < tolerance, "{column} at {}: {x}, not {expected}", row[0]);
    }
}
