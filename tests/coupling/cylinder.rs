//! A hydraulic cylinder between two triads of moving bodies: what the oil gives is what the bodies get.

use super::arms::{FINE, distance, solved, two_arms};
use dysim_tests::blocks::{Run, Text};
use dysim_tests::simulate::{Outcome, run};

/// Where the cylinder is fixed on the first and second arm, m.
const CASE: [f64; 3] = [0.2, 0.0, -0.3];
const ROD: [f64; 3] = [0.3, 0.0, -0.5];
/// Area of the piston, m^2, and pressure of the pump, Pa.
const AREA: f64 = 1e-3;
const PRESSURE: f64 = 2e4;

/// Two arms about parallel axes, unless another is given, with a cylinder between them.
fn arms(axis: &str, oil: &str) -> Text {
    two_arms(Run::new("derf", FINE, 0.6, 0.01), axis, ["", ""])
        .triad("case", "arm1", CASE)
        .triad("rod", "arm2", ROD)
        .with(&format!("Cylinder \"Z\" {{ a = x; TriadFrom = case; TriadTo = rod; AreaA = {AREA}; }}\n{oil}"))
        .with("Output \"o\" { Signals = J1.q, J1.qd, J2.q, J2.qd, Z.s, Z.v, Z.f, Z.qa; Files = csv; }")
}

/// A point that turns about y.
fn turned([x, _, z]: [f64; 3], angle: f64) -> [f64; 2] {
    let (sin, cos) = angle.sin_cos();
    [cos * x + sin * z, cos * z - sin * x]
}

/// What the bodies gained, J.
fn gain(outcome: &Outcome) -> f64 {
    outcome.summary.balance.end - outcome.summary.balance.start
}

#[test]
fn a_constant_pressure_does_the_work_of_its_stroke() {
    let outcome =
        solved(&arms("0, 1, 0", &format!("PressureSource \"P\" {{ a = x; P = {PRESSURE}; }}")));
    let table = outcome.table("csv");
    for row in &table.rows {
        let at = |column: &str| row[table.index(column)];
        let first = turned(CASE, at("J1.q"));
        let (elbow, tip) =
            (turned([0.0, 0.0, -1.0], at("J1.q")), turned(ROD, at("J1.q") + at("J2.q")));
        let s = (elbow[0] + tip[0] - first[0]).hypot(elbow[1] + tip[1] - first[1]);
        assert!((at("Z.s") - s).abs() < 1e-14, "{} and {s}", at("Z.s"));
        assert!((at("Z.qa") - AREA * at("Z.v")).abs() < 1e-17);
    }
    let stroke = table.last("Z.s") - table.at(0.0, "Z.s");
    let work = PRESSURE * AREA * stroke;
    assert!(stroke.abs() > 0.1, "it moves by {stroke} m");
    // Energies of some 10 J to the tolerance of the run.
    assert!((gain(&outcome) - work).abs() < 10.0 * 100.0 * FINE, "{} and {work}", gain(&outcome));
    // What the rod gives to the arms counts in the balance of the networks.
    let log = outcome.text("log");
    let balance = log.split_once("power balance of the networks").expect("there is a balance").1;
    let gap = balance.lines().find(|line| line.contains("largest gap")).expect("a line");
    let part = gap.split_once('(').and_then(|(_, part)| part.split_once(' ')).expect("a part").0;
    assert!(part.parse::<f64>().expect("a number") < 1e-12, "{gap}");
}

/// Oil with inertia and without compliance moves with the rod: its pressure depends on the acceleration of the arms, and its
/// kinetic energy L q^2/2 is missing in theirs.
#[test]
fn the_inertia_of_oil_is_added_to_that_of_the_arms() {
    for axis in ["0, 1, 0", "1, 0, 0"] {
        let inertance = 4e6;
        let oil = format!(
            "PressureSource \"P\" {{ a = y; P = {PRESSURE}; }} Inertance \"L\" {{ a = y; b = x; L = {inertance}; }}"
        );
        let text = arms(axis, &oil);
        let outcome = solved(&text);
        let table = outcome.table("csv");
        let stroke = table.last("Z.s") - table.at(0.0, "Z.s");
        let kinetic = |q: f64| 0.5 * inertance * q * q;
        let oil = kinetic(table.last("Z.qa")) - kinetic(table.at(0.0, "Z.qa"));
        let work = PRESSURE * AREA * stroke - oil;
        // Far above what the comparison allows.
        assert!(oil.abs() > 1e-3, "the oil has {oil} J");
        assert!(
            (gain(&outcome) - work).abs() < 10.0 * 100.0 * FINE,
            "{} and {work}",
            gain(&outcome)
        );
        // The full matrices of the bodies say the same.
        let dense = text.text().replace("ScaleGrav = 1;", "ScaleGrav = 1; Formalism = dense;");
        let apart = distance(&table, &run(&dense).complete().table("csv"));
        assert!(apart < 1e3 * FINE, "{axis}: {apart:e}");
    }
}

#[test]
fn oil_that_leaves_no_freedom_is_refused() {
    let outcome = run(arms("0, 1, 0", "FlowSource \"Q\" { a = x; Q = 1e-4; }").text());
    let error = outcome.error.as_ref().map(|error| error.to_string()).unwrap_or_default();
    assert!(
        error.contains("Cylinder `Z` has its length given by the network (incompressible oil"),
        "{error}"
    );
}
