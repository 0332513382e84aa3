//! The drive train of a car: final speeds, the gear change, and the whole motion against equations by hand.

use super::support::{model, solve, with_all_signals};
use dysim_tests::examples::with;
use dysim_tests::extrapolation::integrate;

const M0: f64 = 300.0;
const W0: f64 = 500.0;
const AXLE: f64 = 4.0;
const RADIUS: f64 = 0.3;
/// Car and two wheels of 1 kg m^2.
const MASS: f64 = 1000.0 + 2.0 / (RADIUS * RADIUS);

/// Force of rolling and air at a speed.
fn drag(v: f64) -> f64 {
    2.0 * 71.0 * (v / RADIUS / 0.1).tanh() + 0.8 * v * v.abs()
}

/// The speed at which the engine holds the drag, in a gear: by bisection.
fn final_speed(ratio: f64) -> f64 {
    let gear = ratio * AXLE / RADIUS;
    // The clutch slips by M/100, which the engine turns faster.
    let excess = |v: f64| {
        let torque = drag(v) / gear;
        M0 * (1.0 - (v * gear + torque / 100.0) / W0) - torque
    };
    let (mut low, mut high) = (0.0, 100.0);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if excess(middle) > 0.0 { low = middle } else { high = middle }
    }
    low
}

#[test]
fn ten_metres_per_second_in_first_gear_and_twelve_in_second() {
    let outcome = solve(&with_all_signals(&model("car_drive_train")));
    let table = outcome.table("csv");
    let (first, second) = (final_speed(3.69), final_speed(3.06));
    assert!((first - 10.0).abs() <= 0.05 && (second - 12.0).abs() <= 0.05, "{first} and {second}");
    // The time constants are 0.7 s and 1 s, and the clutch closes within 1 s: about exp(-4) of the way is left.
    let (v5, v10) = (table.at(4.98, "body.f"), table.at(10.0, "body.f"));
    assert!((v5 - first).abs() <= 0.02 * first, "{v5} instead of {first}");
    assert!((v10 - second).abs() <= 0.02 * (second - first) + 0.02, "{v10} instead of {second}");
    let without = with(&with_all_signals(&model("car_drive_train")), "t < 5", "t < 50");
    let stays = solve(&without).table("csv").last("body.f");
    assert!((stays - first).abs() <= 1e-3 * first, "{stays} instead of {first}");
}

#[test]
fn the_motion_is_that_of_the_equations() {
    // Speed of the engine, speed of the gears, twist of the shaft behind them, speed of the car, time.
    let rhs =
        |&[engine, gears, twist, v, t]: &[f64; 5], ratio: f64, clutch: &dyn Fn(f64) -> f64| {
            let (slip, shaft) = (clutch(t) * (engine - gears), 5000.0 * twist);
            [
                (M0 * (1.0 - engine / W0) - slip) / 0.2,
                (slip - shaft / ratio) / 0.02,
                gears / ratio - v / RADIUS * AXLE,
                (shaft * AXLE / RADIUS - drag(v)) / MASS,
                1.0,
            ]
        };
    let times =
        |from: u32, to: u32| -> Vec<f64> { (from..=to).map(|k| 0.02 * f64::from(k)).collect() };
    // Each piece is smooth: the clutch leaves its least value at 1e-4 s and is closed at 1 s.
    let mut first = vec![0.0, 1e-4];
    first.extend(&times(1, 50));
    /// Instants, ratio of the gear, and how strongly the clutch couples.
    type Piece<'a> = (Vec<f64>, f64, &'a dyn Fn(f64) -> f64);
    let pieces: [Piece<'_>; 4] = [
        (first[..2].to_vec(), 3.69, &|_| 0.01),
        (first[1..].to_vec(), 3.69, &|t| 100.0 * t),
        (times(50, 250), 3.69, &|_| 100.0),
        (times(250, 500), 3.06, &|_| 100.0),
    ];
    let mut path = vec![[0.0; 5]];
    for (times, ratio, clutch) in pieces {
        let start = path[path.len() - 1];
        let part = integrate(|y| rhs(y, ratio, clutch), start, &times, 2e-4);
        path.extend(&part[1..]);
    }
    // The extra point at 1e-4 s is no row of the results.
    path.remove(1);
    let outcome = solve(&with_all_signals(&model("car_drive_train")));
    let table = outcome.table("csv");
    assert_eq!(path.len(), table.rows.len());
    for (column, place, size) in [("body.f", 3, 12.0), ("crank.f", 0, 500.0), ("shaft.q", 2, 0.3)] {
        let values = table.column(column);
        let worst = values.iter().zip(&path).map(|(a, b)| (a - b[place]).abs()).fold(0.0, f64::max);
        // 1e-8 per step, some 10000 steps against the fast clutch, with damping.
        assert!(worst <= 1e-5 * size, "{column} is off by {worst:e}");
    }
}

#[test]
fn the_change_of_gear_keeps_all_momenta() {
    let text = with_all_signals(&model("car_drive_train"));
    let table = solve(&with(&text, "Files = csv;", "Files = csv; Events = yes;")).table("csv");
    let time = table.column("t");
    // Two rows at the event: before and after.
    let at = time.windows(2).position(|pair| pair[0] == pair[1] && (pair[0] - 5.0).abs() < 1e-9);
    let Some(before) = at else { panic!("no event at t = 5") };
    for column in ["crank.p", "gears.p", "body.p", "wheel_left.p", "shaft.q"] {
        let values = table.column(column);
        let jump = (values[before + 1] - values[before]).abs();
        assert!(jump <= 1e-12 * values[before].abs(), "{column} jumps by {jump:e}");
    }
    // What jumps is the speed behind the gearbox, by the ratio of the gears.
    let speed = table.column("gearbox.f2");
    assert!((speed[before + 1] / speed[before] - 3.69 / 3.06).abs() <= 1e-12);
}
