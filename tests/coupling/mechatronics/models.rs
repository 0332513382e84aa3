//! The example models do what their comments say, and conserve power.

use std::path::PathBuf;
use std::rc::Rc;

use dysim_tests::circuits::power_gap;
use dysim_tests::simulate::{Outcome, Table, run_file};

use super::support::near;

fn run(name: &str) -> (Outcome, Rc<Table>) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../models/mechatronics");
    let outcome = run_file(&folder.join(format!("{name}.dys"))).complete();
    let table = outcome.table("csv");
    // Sums of some ten products of two numbers each: rounding of 1e-15, but for losses of ideal contact.
    assert!(power_gap(&table) < 1e-10, "{name}: power gap {}", power_gap(&table));
    (outcome, table)
}

/// Instants in the log at which an element switches.
fn instants(outcome: &Outcome, element: &str) -> Vec<(f64, String)> {
    let log = outcome.text("log");
    let lines = log.lines().filter(|line| line.contains(element));
    let parse = |line: &str| {
        let (t, what) = line.strip_prefix("t = ")?.split_once(':')?;
        Some((t.parse().ok()?, what.to_string()))
    };
    lines.filter_map(parse).collect()
}

#[test]
fn clutch_brake_train() {
    let (outcome, table) = run("clutch_brake_train");
    let clutch = instants(&outcome, "Clutch clutch");
    // An independent integration (steps of 1e-6 s) gives these to the digits shown.
    for (expected, (found, _)) in [0.0067797, 0.0593393, 0.1092898].iter().zip(&clutch) {
        assert!((found - expected).abs() < 1e-6, "{found} instead of {expected}");
    }
    // With 300 Nm the clutch slips from 0.578 s, and the load stops at 0.951 s (three digits known).
    assert!((clutch[3].0 - 0.578).abs() < 5e-4, "{clutch:?}");
    let brake = instants(&outcome, "Brake brake");
    let stop = brake.iter().find(|(_, what)| what.contains("Locked")).map_or(0.0, |found| found.0);
    assert!((stop - 0.951).abs() < 5e-4, "{brake:?}");
    near(&table, 1.0, "load.w", 0.0, 100.0);
}

#[test]
fn gear_with_losses() {
    let (_, table) = run("gear_with_losses");
    near(&table, 0.5, "gear.state", 1.0, 1.0);
    near(&table, 2.9, "gear.state", 0.0, 1.0);
    near(&table, 2.9, "drum.w", 0.0, 1.0);
    near(&table, 4.0, "gear.state", -1.0, 1.0);
    // Lifting: (2 + 0.7*100*0.01) a = 10*0.7*12 - 50.
    near(&table, 0.9, "drum.w", 0.9 * 34.0 / 2.7, 10.0);
    // Falling: the load drives, (2 + 100*0.01/0.7) a = -50.
    near(&table, 4.0, "drum.w", -50.0 / (2.0 + 1.0 / 0.7), 10.0);
}

#[test]
fn dc_motor() {
    let (_, table) = run("dc_motor");
    // At the end of the first half the motor runs at its steady speed.
    let (r, k, d) = (1.2, 0.05, 1e-5 + 0.002 / 400.0);
    let w = 12.0 * k / (k * k + r * d);
    let found = table.at(0.499, "motor.w");
    assert!((found - w).abs() < 1e-3 * w, "{found} instead of {w}");
    let peak = table.column("motor.i").into_iter().fold(0.0, f64::max);
    assert!((7.7..7.9).contains(&peak), "{peak}");
}

#[test]
fn hydraulic_jack() {
    let (_, table) = run("hydraulic_jack");
    // Each stroke of 4e-5/pi m^3 lifts by that over the area, less what compresses the oil.
    let before = table.at(7.75, "load.s");
    let strokes = 8.0 * 4e-5 / std::f64::consts::PI / 2e-3;
    assert!((0.95 * strokes..strokes).contains(&before), "{before} of {strokes}");
    let held = table.at(7.9, "oil.p");
    assert!((held / (500.0 * 9.81 / 2e-3) - 1.0).abs() < 0.02, "{held}");
    assert!(table.at(12.0, "load.s") < 0.2 * before);
}

#[test]
fn dc_motor_pi() {
    let (_, table) = run("dc_motor_pi");
    // The integral part leaves no error, with and without load.
    for t in [0.5, 1.0] {
        let found = table.at(t, "motor.w");
        assert!((found - 200.0).abs() < 0.2, "{found} at {t} s");
    }
    near(&table, 1.0, "motor.i", (0.2 + 1e-4 * table.at(1.0, "motor.w")) / 0.1, 100.0);
    let highest = table.column("motor.w").into_iter().fold(0.0, f64::max);
    assert!(highest < 210.0, "overshoot to {highest}");
}

#[test]
fn elevator() {
    let (_, table) = run("elevator_drive");
    // 30 m at 2 m/s and 1 m/s^2: 15 s and 2 s more, from 1 s on.
    near(&table, 20.0, "trip.Tend", 18.0, 1.0);
    let places = table.column("platform.s");
    let wanted = table.column("trip.y");
    let worst = places.iter().zip(&wanted).map(|(s, y)| (s - y).abs()).fold(0.0, f64::max);
    assert!(worst < 0.02, "{worst} m behind");
    near(&table, 20.0, "brake.state", 0.0, 1.0);
    near(&table, 20.0, "platform.v", 0.0, 1.0);
}

#[test]
fn quarter_car() {
    let (_, table) = run("quarter_car");
    near(&table, 0.5, "body.s", 0.0, 1.0);
    let rest = table.at(3.0, "body.s");
    assert!((rest - 0.05).abs() < 1e-3, "{rest}");
    let highest = table.column("body.s").into_iter().fold(0.0, f64::max);
    assert!(highest < 0.056, "swings to {highest} m");
}

#[test]
fn thermostat() {
    let (_, table) = run("thermostat");
    let late: Vec<f64> = table
        .column("t")
        .into_iter()
        .zip(table.column("room.T"))
        .filter_map(|(t, kelvin)| (t > 10000.0).then_some(kelvin))
        .collect();
    let (low, high) = late.iter().fold((f64::MAX, 0.0f64), |(l, h), &k| (l.min(k), h.max(k)));
    assert!(low > 292.15 - 1e-6 && high < 294.15 + 1e-6, "{low} {high}");
    assert!(low < 292.2 && high > 294.1, "{low} {high}");
}
