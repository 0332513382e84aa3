//! Every model with a network runs to its end; in every row of its results Kirchhoff's laws hold and the powers of all
//! elements of all domains add up to nothing.
//!
//! Currents come from linear systems or from Newton's iteration, whose last correction is below 1e-11 of the
//! unknown; an island is held by 1e-12 S. Relative to the largest current or power of the run, 1e-9 leaves room for both.

#![allow(clippy::panic, reason = "a test ends where something is not so")]

use std::path::{Path, PathBuf};

use dysim_tests::circuits::{Setting, solve};
use dysim_tests::kirchhoff::current_gap;
use dysim_tests::simulate::run_with_all_signals;

/// What rounding and the last correction of an iteration leave open.
const ALLOWED: f64 = 1e-9;

fn models(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models").join(folder);
    let mut all: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{error}"))
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "dys"))
        .collect();
    all.sort();
    all
}

/// Runs all models of a folder. Where bodies take part, their energy balance closes to the tolerance of the integration
/// too: errors of RelErr in each of up to some ten thousand steps.
fn check(folder: &str, at_least: usize) {
    let all = models(folder);
    assert!(all.len() >= at_least, "{} models", all.len());
    for path in all {
        let (model, outcome) = run_with_all_signals(&path);
        let name = path.display();
        let table = outcome.table("csv");
        assert!(table.rows.len() > 50, "{name}: {} rows", table.rows.len());
        assert!(table.rows.iter().flatten().all(|x| x.is_finite()), "{name}");
        let gap = current_gap(&model, &table);
        assert!(gap < ALLOWED, "{name}: the currents at a node add up to {gap:e}");
        let balance = &outcome.summary.balance;
        if let Some(gap) = balance.relative_power_gap() {
            assert!(gap < ALLOWED, "{name}: the powers add up to {gap:e}");
        }
        let (gap, allowed) = (balance.relative_gap(), 1e4 * model.solver.relative_error);
        assert!(gap < allowed, "{name}: the energy of the bodies is off by {gap:e}");
    }
}

#[test]
fn circuits() {
    check("circuits", 14);
}

#[test]
fn mechatronics() {
    check("mechatronics", 12);
}

#[test]
fn bond_graphs() {
    check("bondgraphs", 12);
}

/// Storages whose capacity depends on what they store, or on their effort: what one gives the other takes, and the energy at the
/// start is the integral that the law gives. Half the product of both was wrong by a fifth here.
#[test]
fn storages_with_laws_keep_their_energy() {
    let cases = [
        (
            "C \"a\" { C = 1/(100 + 50*a.q^2); Qinit = 1; } I \"b\" { I = 2; } Junction1 \"j\" { }
             Bond \"1\" { From = a; To = j; } Bond \"2\" { From = j; To = b; }",
            50.0 + 12.5,
        ),
        (
            "C \"a\" { C = 0.01; Qinit = 1; } I \"b\" { I = 2/(1 + 3*b.p^2); } Junction1 \"j\" { }
             Bond \"1\" { From = a; To = j; } Bond \"2\" { From = j; To = b; }",
            50.0,
        ),
        (
            "Capacitor \"a\" { p = x; n = gnd; C = 1e-3*(1 + 0.1*a.v^2); Vinit = 3; } Inductor \"b\" { p = x; n = gnd; L = 0.1/(1 + b.i^2); }",
            1e-3 * (4.5 + 0.1 * 3.0 * 81.0 / 4.0),
        ),
        (
            "Capacitor \"a\" { p = x; n = gnd; C = 1e-3; Vinit = 3; } Inductor \"b\" { p = x; n = gnd; L = 0.1*exp(-b.i); }",
            4.5e-3,
        ),
    ];
    for (elements, expected) in cases {
        let setting = Setting { solver: "derf", end: 1.0, step: 0.05, tolerance: 1e-9 };
        let table = solve(setting, elements).table("csv");
        let (a, b) = (table.column("a.energy"), table.column("b.energy"));
        assert!(b.iter().any(|b| *b > 0.5 * expected), "energy goes to and fro");
        for (a, b) in a.iter().zip(&b) {
            let gap = (a + b - expected).abs() / expected;
            assert!(gap < 1e-6, "{a} + {b}, not {expected}: {gap:e}\n{elements}");
        }
    }
}
