//! Every circuit model runs to its end, and in every row of its results Kirchhoff's laws hold and the powers of
//! all elements add up to nothing.
//!
//! Currents come from linear systems or from Newton's iteration, whose last correction is below 1e-11 of the
//! unknown; an island is held by 1e-12 S. Relative to the largest current or power of the run, 1e-9 leaves room for both.

#![allow(clippy::panic, reason = "a test ends where something is not so")]

use std::path::{Path, PathBuf};

use dysim_tests::circuits::power_gap;
use dysim_tests::simulate::{Table, run_file};
use engine::model::fields::ElectricalNode;
use engine::model::{Disk, Input, LoadOptions, Model, load};
use engine::network::elements::NetworkElement;

fn models() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/circuits");
    let mut all: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{error}"))
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "dys"))
        .collect();
    all.sort();
    all
}

/// Terminals of an element with the signal that flows into it there, and its sign.
fn terminals(element: &NetworkElement) -> Vec<(ElectricalNode, &'static str, f64)> {
    use NetworkElement as E;
    let two = |p, n| vec![(p, "i", 1.0), (n, "i", -1.0)];
    match element {
        E::Resistor(x) => two(x.p, x.n),
        E::Capacitor(x) => two(x.p, x.n),
        E::Inductor(x) => two(x.p, x.n),
        E::VoltageSource(x) => two(x.p, x.n),
        E::CurrentSource(x) => two(x.p, x.n),
        E::Switch(x) => two(x.p, x.n),
        E::Diode(x) => two(x.p, x.n),
        E::Zener(x) => two(x.p, x.n),
        E::Thyristor(x) => two(x.p, x.n),
        E::Vcvs(x) => two(x.p, x.n),
        E::Vccs(x) => two(x.p, x.n),
        E::Ccvs(x) => two(x.p, x.n),
        E::Cccs(x) => two(x.p, x.n),
        E::Npn(x) | E::Pnp(x) => vec![(x.c, "ic", 1.0), (x.b, "ib", 1.0), (x.e, "ie", 1.0)],
        E::Nmos(x) | E::Pmos(x) => {
            let bulk = x.b.unwrap_or(x.s);
            vec![(x.d, "id", 1.0), (x.g, "ig", 1.0), (x.s, "is", 1.0), (bulk, "ib", 1.0)]
        }
        E::OpAmp(x) => vec![(x.out, "i", -1.0), (x.reference, "i", 1.0)],
        E::Transformer(x) => {
            vec![(x.p1, "i1", 1.0), (x.n1, "i1", -1.0), (x.p2, "i2", 1.0), (x.n2, "i2", -1.0)]
        }
        E::Potentiometer(x) => {
            vec![(x.p, "i", 1.0), (x.w, "iw", 1.0), (x.n, "i", -1.0), (x.n, "iw", -1.0)]
        }
        // All others have no electrical terminals.
        _ => Vec::new(),
    }
}

/// Largest sum of currents at a node over the largest current.
fn current_gap(model: &Model, table: &Table) -> f64 {
    let mut flows: Vec<Vec<(usize, f64)>> = vec![Vec::new(); model.nodes.len()];
    for element in &model.elements {
        let name = model.block_name(element.block);
        for (node, signal, sign) in terminals(&element.what) {
            flows[node.0.index()].push((table.index(&format!("{name}.{signal}")), sign));
        }
    }
    let size =
        |row: &Vec<f64>| flows.iter().flatten().map(|(k, _)| row[*k].abs()).fold(0.0, f64::max);
    let largest = table.rows.iter().map(size).fold(f64::MIN_POSITIVE, f64::max);
    let mut worst: f64 = 0.0;
    for row in &table.rows {
        for (node, flows) in model.nodes.iter().zip(&flows) {
            if !node.is_reference {
                worst = worst.max(flows.iter().map(|(k, sign)| sign * row[*k]).sum::<f64>().abs());
            }
        }
    }
    worst / largest
}

#[test]
fn kirchhoff_and_tellegen_hold_in_every_row_of_every_model() {
    let all = models();
    assert!(all.len() >= 14, "{} models", all.len());
    for path in all {
        let outcome = run_file(&path).complete();
        let table = outcome.table("csv");
        let options = LoadOptions::default();
        let loaded =
            load(Input::File(path.clone()), &options, &Disk).unwrap_or_else(|e| panic!("{e}"));
        let Some(model) = &loaded.model else { panic!("{} is wrong", path.display()) };
        assert!(table.rows.len() > 50, "{}: {} rows", path.display(), table.rows.len());
        let gap = current_gap(model, &table);
        assert!(gap < 1e-9, "{}: the currents at a node add up to {gap:e}", path.display());
        let gap = power_gap(&table);
        assert!(gap < 1e-9, "{}: the powers add up to {gap:e}", path.display());
        assert!(table.rows.iter().flatten().all(|x| x.is_finite()), "{}", path.display());
    }
}

fn run_model(name: &str) -> std::rc::Rc<Table> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../models/circuits/{name}.dys"));
    run_file(&path).complete().table("csv")
}

fn range(table: &Table, column: &str, after: f64) -> (f64, f64) {
    let k = table.index(column);
    let values = table.rows.iter().filter(|row| row[0] >= after).map(|row| row[k]);
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
}

/// What the comments of the models promise, to the digits that they state.
#[test]
fn models_show_what_they_promise() {
    // The discharge has a slope of 9 V/50 ms, and the corner may lie between two rows, 0.1 ms apart.
    let corner = 9.0 / 0.05 * 1e-4;
    let (low, high) = range(&run_model("half_wave_rectifier"), "C.v", 0.18);
    assert!((low - 6.397).abs() < corner && (high - 8.772).abs() < 1e-3, "{low} {high}");
    let (low, high) = range(&run_model("bridge_rectifier"), "C.v", 0.18);
    assert!((low - 7.879).abs() < corner && (high - 9.004).abs() < 1e-3, "{low} {high}");
    let buck = run_model("buck_converter");
    let (low, high) = range(&buck, "out.v", 0.0045);
    assert!(low > 9.55 && high < 9.65, "{low} {high}");
    // A Butterworth filter of second order overshoots by exp(-pi) of the step.
    let (_, high) = range(&run_model("op_amp_filter"), "out.v", 0.0);
    assert!((high - 1.0 - (-std::f64::consts::PI).exp()).abs() < 1e-3, "{high}");
    let filter = run_model("op_amp_filter");
    let (low, high) = range(&filter, "clipped.v", 0.0);
    assert!(
        (-12.0 - 1e-9..=12.0 + 1e-9).contains(&low) && (high - 12.0).abs() < 1e-9,
        "{low} {high}"
    );
    let amplifier = run_model("transistor_amplifier");
    let (low, high) = range(&amplifier, "c.v", 0.0);
    assert!(low > 6.0 && high < 6.8, "{low} {high}");
    // Nothing moves before the input does: the first row is the operating point.
    assert!(amplifier.at(0.0, "Cin.i").abs() < 1e-12);
    let ring = run_model("ring_oscillator");
    for node in ["n1.v", "n2.v", "n3.v"] {
        let (low, high) = range(&ring, node, 1e-3);
        assert!(low < 1.0 && high > 4.0, "{node}: {low} {high}");
    }
    let chua = run_model("chua");
    let (low, high) = range(&chua, "C1.v", 0.002);
    assert!(low < -1.0 && high > 1.0, "both scrolls are visited: {low} {high}");
}
