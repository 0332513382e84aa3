//! Loops do not open: gaps of all joints, worked out from the poses in the result files, and the energy.

use dysim_tests::blocks::Run;
use dysim_tests::closed_forms::{DOWN, bennett, bricard, four_bar, windows};
use dysim_tests::mechanism::Mechanism;
use dysim_tests::mechanism_text::{Start, residual};
use dysim_tests::simulate::run;

use super::closed_forms::motion;

const EXPLICIT: [&str; 4] = ["de", "derf", "odeint_rk", "odeint_bs"];

/// Name, mechanism, start, speed and cut joints.
type Case = (&'static str, Mechanism, f64, f64, Vec<usize>);

fn cases() -> Vec<Case> {
    let quarter = std::f64::consts::FRAC_PI_4;
    vec![
        ("four-bar", four_bar([0.3, 0.9, 0.7, 1.0], DOWN), 0.0, 10.0, vec![2]),
        ("Bricard", bricard(), quarter, 0.0, vec![5]),
        ("Bennett", bennett(), 1.0, 3.0, vec![3]),
        ("windows", windows(2), 0.0, 1.0, vec![3, 5]),
    ]
}

/// Largest minus least value of a column.
fn extent(rows: &[Vec<f64>], column: usize) -> f64 {
    let values = || rows.iter().map(|row| row[column]);
    values().fold(f64::MIN, f64::max) - values().fold(f64::MAX, f64::min)
}

fn closed_for_100_seconds(solver: &'static str) {
    for (name, mechanism, at, speed, cuts) in cases() {
        let parts = (mechanism.parts)(at.into());
        assert!(cuts.iter().all(|cut| parts.pins[*cut].keyword == "Revolute"));
        let how = Run { solver, relative: 1e-6, absolute: 1e-9, end: 100.0, step: 0.02 };
        let text = mechanism.text(how, Start { at, speed, cuts: &cuts, more: "" });
        let outcome = run(&text).complete();
        let table = outcome.table("pva");
        let worst = residual(&parts, &table);
        // A mechanism that stands still keeps its loops closed without any merit.
        let swing = (1..table.columns.len()).map(|k| extent(&table.rows, k)).fold(0.0, f64::max);
        assert!(swing > 0.1, "{name}, {solver}: moves by {swing:e} only");
        println!("{name:9} {solver:9}: {worst:?}");
        assert!(worst.position < 1e-10, "{name}, {solver}: gap of {:e} m", worst.position);
        assert!(worst.axis < 1e-10, "{name}, {solver}: axes apart by {:e}", worst.axis);
        assert!(worst.velocity < 1e-9, "{name}, {solver}: {:e} m/s", worst.velocity);
    }
}

#[test]
fn loops_stay_closed_for_100_seconds_with_the_multistep_methods() {
    closed_for_100_seconds("de");
    closed_for_100_seconds("derf");
}

#[test]
fn loops_stay_closed_for_100_seconds_with_the_one_step_methods() {
    closed_for_100_seconds("odeint_rk");
    closed_for_100_seconds("odeint_bs");
    closed_for_100_seconds("rk4");
}

#[test]
fn loops_stay_closed_for_100_seconds_with_the_implicit_method() {
    closed_for_100_seconds("stiff");
}

/// Relative to the energy that takes part: the largest kinetic energy of the run.
#[test]
fn energy_drifts_by_less_than_a_millionth_in_10_seconds() {
    for (name, mechanism, at, speed, cuts) in cases() {
        // The implicit method at this tolerance: an ignored test of motion.rs.
        let implicit: &[&str] = if name == "windows" { &[] } else { &["stiff"] };
        for solver in EXPLICIT.iter().chain(implicit) {
            let how = Run::new(solver, 1e-9, 10.0, 0.02);
            let text = mechanism.text(how, Start { at, speed, cuts: &cuts, more: "" });
            let epl = run(&text).complete().table("epl");
            let energies = || epl.rows.iter().map(|row| row[1] + row[2]);
            let first = energies().next().expect("a row");
            let drift = energies().fold(0.0, |worst: f64, e| worst.max((e - first).abs()));
            let size = epl.rows.iter().fold(0.0, |size: f64, row| size.max(row[2]));
            println!("{name:9} {solver:9}: drift {:.1e} of {size:.1} J", drift / size);
            assert!(drift < 1e-6 * size, "{name}, {solver}: {:e}", drift / size);
        }
    }
}

/// Twice a turn all rods of the windows are in one line, at cos(phi) = 0.
#[test]
fn the_log_tells_of_singular_positions() {
    let mechanism = windows(2);
    let how = Run::new("derf", 1e-8, 10.0, 0.02);
    let text = mechanism.text(how, Start { at: 0.0, speed: 1.0, cuts: &[3, 5], more: "" });
    let log = run(&text).complete().text("log");
    let told = log.lines().filter_map(|line| line.split("singular position at t = ").nth(1));
    let mut times: Vec<f64> = told
        .filter_map(|rest| rest.split(' ').next().and_then(|number| number.parse().ok()))
        .collect();
    times.insert(0, 0.0);
    times.sort_by(f64::total_cmp);
    let path = motion(&mechanism, [0.0, 1.0], &times, 0.005);
    let mut seen = Vec::new();
    for (t, [phi, _]) in times.iter().zip(&path).skip(1) {
        assert!(phi.cos().abs() < 0.15, "told at t = {t}, phi = {phi}");
        seen.push((phi / std::f64::consts::PI - 0.5).round() as i64);
    }
    // phi(10 s) = 31.75 is past 19 pi/2.
    assert_eq!(seen, (0..10).collect::<Vec<i64>>(), "{times:?}");
}
