//! What the circuit models promise in their comments.

use std::path::Path;

use dysim_tests::simulate::{Table, run, run_file};

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

/// A run that is longer, or has no rows between, is the same run: commutations come in another order of steps.
#[test]
fn models_run_on_with_other_ends_and_rows() {
    let model = |name: &str| {
        let path = format!("{}/../models/circuits/{name}.dys", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(path).expect("a model")
    };
    let changed = |text: &str, changes: &[(&str, &str)]| {
        changes.iter().fold(text.to_string(), |text, (from, to)| {
            assert!(text.contains(from), "{from}");
            text.replace(from, to)
        })
    };
    for solver in ["derf", "stiff", "radau5"] {
        let method = ("= derf;", format!("= {solver};"));
        let method = (method.0, method.1.as_str());
        // In a hundred periods nothing changes from one to the next.
        let text =
            changed(&model("thyristor_phase_control"), &[method, ("Tend     = 0.06", "Tend = 2")]);
        let table = run(&text).complete().table("csv");
        let column =
            table.columns.iter().find(|name| name.ends_with("L.i")).expect("a current").clone();
        for t in [0.045, 0.055] {
            let (early, late) = (table.at(t, &column), table.at(t + 1.94, &column));
            assert!((early - late).abs() < 1e-5 * early.abs().max(1.0), "{solver}: {early} {late}");
        }
        let rows =
            [method, ("Tstep    = 1e-4", "Tstep = 0.02"), ("TstepMax = 1e-4", "TstepMax = 1")];
        let coarse = run(&changed(&model("bridge_rectifier"), &rows)).complete().table("csv");
        let fine = run_model("bridge_rectifier");
        let [coarse, fine] = [coarse.at(0.2, "C.v"), fine.at(0.2, "C.v")];
        assert!((coarse - fine).abs() < 1e-5, "{solver}: {coarse} {fine}");
    }
}
