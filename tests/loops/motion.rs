//! Motions against the equation of motion in the one variable of the closed form.

use dysim_tests::blocks::Run;
use dysim_tests::closed_forms::{
    DOWN, bennett, bricard, four_bar, governor, slider_crank, spherical_four_bar, windows,
};
use dysim_tests::examples::{example, with_solver};
use dysim_tests::mechanism::{Mechanism, Points};
use dysim_tests::mechanism_text::{Start, deviation};
use dysim_tests::simulate::{Table, run};

use super::closed_forms::motion;

/// Shift of the initial values that tells how errors grow.
const DELTA: f64 = 1e-7;

/// Runs a mechanism and compares the poses of all bodies with the closed form at the integrated variable.
/// Bound: `steps * tol * size * growth` as for all comparisons, the growth in metres per shift.
fn follow(name: &str, mechanism: &Mechanism, start: [f64; 2], cuts: &[usize], how: Run) {
    let [at, speed] = start;
    let outcome = run(&mechanism.text(how, Start { at, speed, cuts, more: "" })).complete();
    let pva = outcome.table("pva");
    let times: Vec<f64> = pva.rows.iter().map(|row| row[0]).collect();
    let path = motion(mechanism, start, &times, 0.005);
    let error = deviation(mechanism, at, &pva, &path);
    let shifted = motion(mechanism, [at + DELTA, speed + DELTA], &times, 0.005);
    let growth = deviation(mechanism, at, &pva, &shifted) / DELTA;
    let size = 1.0 + path.iter().flatten().fold(0.0, |size: f64, y| size.max(y.abs()));
    let steps = outcome.summary.statistics.steps as f64;
    let bound = steps * how.relative * size * growth;
    println!(
        "{name:18} {:9}: error {error:.1e}, bound {bound:.1e}, growth {growth:.0}",
        how.solver
    );
    assert!(error < bound, "{name} with {}: error {error:e}, bound {bound:e}", how.solver);
    assert!(bound < 1e-2, "{name}: the bound {bound:e} says nothing");
}

#[test]
fn mechanisms_move_as_their_closed_forms() {
    let angles = [30.0f64, 75.0, 70.0, 80.0].map(f64::to_radians);
    let quarter = std::f64::consts::FRAC_PI_4;
    let cases: [(&str, Mechanism, [f64; 2], &[usize]); 6] = [
        ("four-bar", four_bar([0.3, 0.9, 0.7, 1.0], DOWN), [0.0, 10.0], &[2]),
        ("slider-crank", slider_crank(), [1.0, 20.0], &[2]),
        ("spherical four-bar", spherical_four_bar(angles), [0.3, 5.0], &[2]),
        ("Bennett", bennett(), [1.0, 3.0], &[3]),
        ("Bricard", bricard(), [quarter, 0.0], &[5]),
        ("windows", windows(3), [0.0, 1.0], &[3, 6, 8]),
    ];
    for (name, mechanism, start, cuts) in cases {
        let implicit: &[&str] = if name == "windows" { &[] } else { &["stiff"] };
        for solver in ["derf", "odeint_bs"].iter().chain(implicit) {
            follow(name, &mechanism, start, cuts, Run::new(solver, 1e-10, 3.0, 0.05));
        }
    }
}

#[test]
fn windows_move_as_their_closed_form_with_the_implicit_method() {
    let cuts = &[3, 6, 8];
    follow("windows", &windows(3), [0.0, 1.0], cuts, Run::new("stiff", 1e-10, 3.0, 0.05));
}

/// The energy in the governor's turning depends on the angle of the arms alone, since the angular momentum is
/// constant; what is left has one freedom.
#[test]
fn the_governor_with_rods_follows_routh_and_the_stiff_one_follows_it() {
    let momentum: f64 = {
        let points = governor(30f64.to_radians().into());
        let about = |(mass, p): (f64, dysim_tests::taylor::Point)| {
            let [x, y, _] = p.value();
            mass * (x * x + y * y) * std::f64::consts::TAU
        };
        points.into_iter().map(about).sum()
    };
    let points = Points { gravity: DOWN, momentum, at: &governor };
    let times: Vec<f64> = (0..=100).map(|k| 0.1 * f64::from(k)).collect();
    let path = points.integrate([30f64.to_radians(), 0.0], &times, 0.01);
    let shifted = points.integrate([30f64.to_radians() + DELTA, DELTA], &times, 0.01);
    let growth = path.iter().zip(&shifted).map(|(a, b)| (a[0] - b[0]).abs() / DELTA);
    let growth = growth.fold(1.0, f64::max);

    let how = Run::new("derf", 1e-9, 10.0, 0.1);
    let rods = run(&with_solver(&example("loops/governor_rods"), how)).complete();
    let worst = |csv: &Table| {
        let rows = csv.column("right_swing.q").into_iter().zip(csv.column("lift.q")).zip(&path);
        rows.map(|((arm, lift), [s, _])| (arm - s).abs().max((lift - (1.0 - s.sin())).abs()))
            .fold(0.0, f64::max)
    };
    let error = worst(&rods.table("csv"));
    let bound = rods.summary.statistics.steps as f64 * how.relative * 2.0 * growth;
    println!("rods: error {error:.1e}, bound {bound:.1e}");
    assert!(error < bound && bound < 1e-2, "{error:e}, {bound:e}");
    let epl = rods.table("epl");
    let momenta = epl.rows.iter().map(|row| row[11]);
    assert!(momenta.clone().all(|l| (l - momentum).abs() < bound * momentum), "{momentum}");

    // The springs of 8e5 N/m carry some 100 N: they give way by 1e-4 m of 0.5 m, which the motion makes grow.
    let stiff = run(&example("loops/governor")).complete();
    let csv = stiff.table("csv");
    let every: Vec<Vec<f64>> = csv.rows.iter().step_by(10).cloned().collect();
    let thinned = Table { columns: csv.columns.clone(), rows: every };
    let far = worst(&thinned);
    let force = csv.column("left_link.f").into_iter().fold(0.0, |f: f64, x| f.max(x.abs()));
    let allowed = 2.0 * force / 8e5 / 0.5 * growth;
    println!("springs: {far:.1e} away, allowed {allowed:.1e} ({force:.0} N, growth {growth:.0})");
    assert!(far < allowed && allowed < 0.1, "{far:e}, {allowed:e}");
}
