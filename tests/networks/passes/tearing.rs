//! Loops that are torn give what whole ones give.

use std::path::{Path, PathBuf};

use dysim_tests::circuits::{Setting, power_gap, solve};
use dysim_tests::loading::{model_of_file, own_system};
use engine::Model;
use engine::internals::system::Run;
use integrate::Problem;

fn circuits() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/circuits");
    let mut all: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    all.sort();
    all.retain(|path| path.extension().is_some_and(|end| end == "dys"));
    all
}

/// Rates at the start and at a few states near it, and the number of unknowns that systems are solved for.
fn rates(model: &Model, tears: bool) -> (Vec<Vec<f64>>, String) {
    let mut system = own_system(model);
    let start = model.checked().solver.start;
    system.network.as_mut().unwrap().tears = tears;
    let mut run = Run::new(&system);
    let mut y = system.initial_state();
    run.assemble(start, &mut y).unwrap();
    run.begin(&mut y).unwrap();
    let mut all = Vec::new();
    for k in 0..4 {
        let at: Vec<f64> = y.iter().map(|y| y * (1.0 + 1e-3 * f64::from(k))).collect();
        let mut ydot = vec![0.0; y.len()];
        run.derivatives(start, &at, &mut ydot).unwrap();
        all.push(ydot);
    }
    (all, run.equations())
}

#[test]
fn torn_and_whole_loops_agree() {
    let mut torn_somewhere = 0;
    for path in circuits() {
        let model = model_of_file(&path);
        let ((torn, report), (whole, other)) = (rates(&model, true), rates(&model, false));
        torn_somewhere += usize::from(report != other);
        // At an operating point the rates themselves are rounding, so those nearby are the measure.
        let size = whole.iter().flatten().fold(0.0f64, |size, x| size.max(x.abs()));
        for (torn, whole) in torn.iter().zip(&whole) {
            for (a, b) in torn.iter().zip(whole) {
                // Newton's iterations end at 1e-11 of the unknowns, and tearing may cost three digits of sixteen.
                assert!((a - b).abs() <= 1e-9 * size, "{}: {a} {b}", path.display());
            }
        }
    }
    assert!(torn_somewhere >= 3, "{torn_somewhere} circuits have loops that are torn");
}

/// A bridge on a source that is held by a resistor only: between two outputs, which lie inside one long step, the
/// source moves by many times the voltage of a junction. The iteration has to begin where the last one ended.
#[test]
fn junctions_follow_a_source_that_moves_far() {
    let diodes = [("a", "p"), ("b", "p"), ("gnd", "a"), ("gnd", "b")].iter().enumerate();
    let diodes: String = diodes
        .map(|(k, (p, n))| {
            format!("Diode \"D{k}\" {{ p = {p}; n = {n}; Model = exponential; Is = 1e-10; N = 1.5; Rs = 0.05; }}")
        })
        .collect();
    let rest = "VoltageSource \"V\" { p = a; n = b; V = 20*sin(2*pi*50*t); } Resistor \"R0\" { p = b; n = gnd; R = 1000; } \
                Capacitor \"C\" { p = p; n = gnd; C = 220e-6; } Resistor \"R\" { p = p; n = gnd; R = 200; }";
    let setting = Setting { solver: "radau5", end: 0.1, step: 1e-4, tolerance: 1e-5 };
    let table = solve(setting, &(diodes + rest)).table("csv");
    assert!(power_gap(&table) < 1e-9);
    // Two drops of about 0.9 V below the peak, and R C = 44 ms between peaks 10 ms apart.
    let late = table.rows.iter().filter(|row| row[0] > 0.05).map(|row| row[table.index("p.v")]);
    let (low, high) = late.fold((f64::MAX, f64::MIN), |(l, h), x| (l.min(x), h.max(x)));
    assert!(high > 17.5 && high < 19.0, "{high}");
    assert!(low > 17.5 * (-10.0f64 / 44.0).exp() && low < high, "{low}");
}
