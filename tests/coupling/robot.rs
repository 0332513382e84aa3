//! The robot Manutec r3 against the numbers of Otter's thesis (1994, chapter 7).

use std::path::Path;

use dysim_tests::simulate::{Outcome, run, run_file};

fn model(name: &str) -> Outcome {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/mechatronics").join(name);
    let outcome = run_file(&path);
    assert!(outcome.error.is_none(), "{:?}", outcome.error.as_ref().map(|e| e.to_string()));
    outcome
}

/// The column of the angle of a joint.
fn angle_of(joint: usize) -> String {
    format!("r3.arm.l{joint}.J.q")
}

/// Table 7.1: voltages of the tacho filters 0.2 s after the current set points stepped. The thesis prints three digits; an
/// independent computation finds the second and third 1.1 to 1.5 % higher, for reasons unknown.
#[test]
fn the_tacho_voltages_are_those_of_table_7_1() {
    let outcome = model("r3_current_steps.dys");
    let table = outcome.table("csv");
    let expected = [(1, -8.71, 0.01), (2, 8.07, 0.02), (3, -6.09, 0.02), (4, -9.84, 0.01)];
    for (motor, volts, tolerance) in expected {
        let found = table.at(0.2, &format!("c{motor}.tacho2.y"));
        let error = (found / volts - 1.0).abs();
        assert!(error < tolerance, "U{motor}: {found} instead of {volts}");
    }
}

/// The point-to-point motion: the largest control error of the thesis is 0.1 rad on the way; the robot has arrived at
/// the end, where it is far smaller.
#[test]
fn the_complete_robot_goes_from_point_to_point() {
    let outcome = model("r3_complete.dys");
    let table = outcome.table("csv");
    for joint in [1, 2, 3, 5] {
        let (angle, reference) =
            (table.column(&angle_of(joint)), table.column(&format!("ref{joint}.y")));
        let errors: Vec<f64> = angle.iter().zip(&reference).map(|(q, r)| (q - r).abs()).collect();
        let worst = errors.iter().fold(0.0, |worst: f64, error| worst.max(*error));
        assert!(worst < 0.1, "joint {joint}: {worst} rad");
        assert!(errors[errors.len() - 1] < 0.01, "joint {joint}: {errors:?}");
    }
    let ends = [1.0, 0.5, -1.0, 0.0, 1.64, 0.0];
    let limits = [9.0, 9.0, 9.0, 1.9, 2.0, 0.65];
    for (joint, (end, limit)) in ends.into_iter().zip(limits).enumerate() {
        let name = joint + 1;
        assert!((table.last(&angle_of(name)) - end).abs() < 0.01, "joint {name}");
        let torques = table.column(&format!("r3.a{name}.tau"));
        assert!(torques.iter().all(|torque| torque.abs() <= limit), "motor {name}");
    }
    // Works of drive trains are integrated with RelErr = 1e-6.
    let gap = outcome.summary.balance.relative_gap();
    assert!(gap < 1e-5, "{gap:e}");
}

/// With friction alone: the events of the thesis (section 4.3), at the times of an independent computation with steps of
/// 1e-5 s, which has six digits.
#[test]
fn the_robot_with_friction_sticks_and_slides_when_it_should() {
    let outcome = model("r3_friction.dys");
    let log = outcome.text("log");
    let expected = [
        ("friction1: Forward -> Locked", 0.0492081),
        ("friction3: Locked -> StartBackward", 0.0492081),
        ("friction6: Locked -> StartBackward", 0.0492081),
        ("friction2: Backward -> Locked", 0.0539979),
        ("friction3: Backward -> Locked", 0.0938826),
    ];
    for (words, time) in expected {
        let line = log.lines().find(|line| line.contains(words));
        let line = line.unwrap_or_else(|| panic!("no `{words}` in\n{log}"));
        let found: f64 = line
            .trim_start_matches("t = ")
            .split(':')
            .next()
            .and_then(|number| number.parse().ok())
            .unwrap_or(f64::NAN);
        assert!((found - time).abs() < 2e-7, "{words}: {found} instead of {time}");
    }
    for still in ["friction4", "friction5"] {
        let moves = |line: &&str| line.contains(still) && line.contains(": Locked ->");
        assert_eq!(log.lines().find(moves), None);
    }
}

/// Friction lets shafts go at the same instants whatever the method and its tolerance. With those of the first rows the guard of a held
/// shaft once fell asleep behind its limit, or two states changed into each other for the rounding of their forces.
#[test]
fn shafts_break_away_at_the_same_instants_with_every_tolerance() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/mechatronics/r3_complete.dys");
    let text = std::fs::read_to_string(path).expect("the model");
    let mut cases = vec![("stiff", 1e-8), ("derf", 3.802e-10), ("radau5", 6.166e-8)];
    for solver in ["stiff", "derf", "radau5"] {
        cases.extend((0..12).map(|k| (solver, 10f64.powf(-6.0 - 0.31 * f64::from(k)))));
    }
    for (solver, tolerance) in cases {
        let replaced = text
            .replace("Solver   = stiff;", &format!("Solver   = {solver};"))
            .replace("AbsErr   = 1e-8;", "AbsErr   = 1e-10;")
            .replace("RelErr   = 1e-6;", &format!("RelErr   = {tolerance:e};"))
            .replace("Tend     = 1.5;", "Tend     = 0.012;");
        let outcome = run(&replaced);
        assert!(outcome.error.is_none(), "{solver} {tolerance:e}");
        let log = outcome.text("log");
        for (shaft, expected) in
            [("r3.a3.d.friction", 0.003_563_904), ("r3.a1.d.friction", 0.009_055_085)]
        {
            let words = format!(": Friction {shaft}: Locked -> StartBackward");
            let line = log.lines().find(|line| line.contains(&words)).unwrap_or_default();
            let t: f64 = line
                .strip_prefix("t = ")
                .and_then(|rest| rest.split(':').next())
                .and_then(|t| t.parse().ok())
                .unwrap_or(f64::NAN);
            // Forces rise by some hundred Nm/s; they have six digits at the largest tolerance.
            assert!((t - expected).abs() < 1e-7, "{solver} {tolerance:e}: {shaft} at {t}");
        }
    }
}
