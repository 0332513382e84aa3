//! Components of `library/drives.dys`.

use std::path::Path;
use std::rc::Rc;

use dysim_tests::simulate::{Table, run_file};

/// The results of an example of the library.
fn table(name: &str) -> Rc<Table> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../models/library/{name}.dys"));
    run_file(&path).complete().table("csv")
}

fn near(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((found - expected).abs() <= tolerance, "{what}: {found} instead of {expected}");
}

/// Forty time constants after the start: k i = Tc + d w and R i + k w = 24 V.
#[test]
fn the_dc_motor_ends_where_its_torques_are_in_balance() {
    let (r, k, d, dry) = (0.8, 0.08, 1e-4, 0.05);
    let table = table("drives_motors");
    let w = (24.0 * k / r - dry) / (k * k / r + d);
    let i = (dry + d * w) / k;
    near(table.last("dc.w"), w, 1e-6 * w, "speed");
    near(table.last("dc.i"), i, 1e-6 * i, "current");
    near(table.last("dc.tau"), k * i, 1e-6 * k * i, "torque");
    let loss = r * i * i + d * w * w;
    near(table.last("dc.loss"), loss, 1e-6 * loss, "loss");
}

/// The zeros of the controllers cancel the windings: the current is a lag of 1/2000 s, and the speed its integral.
#[test]
fn the_brushless_motor_follows_its_current_control() {
    let table = table("drives_motors");
    let (band, inertia) = (2000.0, 0.02 + 2e-4);
    for row in &table.rows {
        let of = |name: &str| row[table.index(name)];
        let t = (row[0] - 0.02).max(0.0);
        let lag = 1.0 - (-band * t).exp();
        // The run keeps eight digits of 10 A.
        near(of("brushless.iq"), 10.0 * lag, 1e-5, "iq");
        near(of("brushless.id"), 0.0, 1e-5, "id");
        // Torque 3/2 * 4 pairs * 0.05 V s * iq.
        let w = 3.0 / inertia * (t - lag / band);
        near(of("brushless.w"), w, 1e-5 * w.max(1.0), "speed");
        // What the three sources deliver is heat, power of the shaft, and what goes into the windings while the current rises.
        if t > 0.01 {
            let power =
                -["va", "vb", "vc"].iter().map(|v| of(&format!("control.{v}.power"))).sum::<f64>();
            let spent = of("brushless.loss") + of("brushless.tau") * of("brushless.w");
            near(power, spent, 1e-4 * spent, "power");
        }
    }
}

/// Where k I sin(alpha - N phi) - D sin(4 N phi) carries the load, near the step.
fn angle_of_step(alpha: f64) -> f64 {
    let (holding, teeth, detent, load) = (0.35 * 2.0, 50.0, 0.02, 0.2);
    let rest = |phi: f64| {
        holding * (alpha - teeth * phi).sin() - detent * (4.0 * teeth * phi).sin() - load
    };
    // The torque falls by its whole range within a quarter of a tooth on both sides of the step.
    let (mut low, mut high) = ((alpha - 1.0) / teeth, (alpha + 0.2) / teeth);
    assert!(rest(low) > 0.0 && rest(high) < 0.0);
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if rest(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// The stepper motor rests where its torque carries the load: after ten full steps, and after ten half steps back.
#[test]
fn the_stepper_motor_rests_where_its_torque_carries_the_load() {
    let table = table("drives_motors");
    for (t, steps) in [(0.498, 10.0), (1.0, 5.0)] {
        let alpha = steps * std::f64::consts::FRAC_PI_2;
        near(table.at(t, "stepper.phi"), angle_of_step(alpha), 1e-6, "angle");
        near(table.at(t, "stepper.ia"), 2.0 * alpha.cos(), 1e-5, "ia");
        near(table.at(t, "stepper.ib"), 2.0 * alpha.sin(), 1e-5, "ib");
    }
}

/// The reference of the example: a quintic polynomial of 1 rad from 0.1 s on, half a second long; angle and rate.
fn path(t: f64) -> (f64, f64) {
    let s = ((t - 0.1) / 0.5).clamp(0.0, 1.0);
    let place = s.powi(3) * (10.0 - 15.0 * s + 6.0 * s * s);
    (place, 2.0 * 30.0 * s * s * (1.0 - s).powi(2))
}

/// Rates of angle and rate of the pendulum, current, and the states of both PI controllers, from the equations of the axis.
fn rates(t: f64, [q, qd, i, x_speed, x_current]: [f64; 5]) -> [f64; 5] {
    let (r, l, k, inertia, ratio, load) = (0.5, 1e-3, 0.1, 1e-4, 50.0, 0.3 + 5.0 * 0.16);
    let (wi, ww, wp) = (3000.0, 300.0, 60.0);
    let (set, rate) = path(t);
    let speed_error = ratio * (rate + wp * (set - q)) - ratio * qd;
    let current_error = ww * (inertia + load / (ratio * ratio)) / k * (speed_error + x_speed) - i;
    let voltage = wi * l * (current_error + x_current);
    let weight = 5.0 * 9.81 * 0.4 * q.sin();
    [
        qd,
        (ratio * k * i - weight) / (load + ratio * ratio * inertia),
        (voltage - r * i - k * ratio * qd) / l,
        speed_error * ww / 4.0,
        current_error * r / l,
    ]
}

/// The axis with the rigid gear against its equations, by the classical method of Runge and Kutta with steps of 1e-5 s, thirty
/// to the fastest time constant: its error is below 1e-8.
#[test]
fn the_servo_axis_moves_as_its_equations_say() {
    let table = table("drives_servo");
    let (h, mut y) = (1e-5, [0.0; 5]);
    for (k, row) in table.rows.iter().enumerate() {
        if k > 0 {
            // From row to row there are 500 steps.
            let start = table.rows[k - 1][0];
            for step in 0..500 {
                let t = start + h * f64::from(step);
                let ahead = |k: [f64; 5], h: f64| [0, 1, 2, 3, 4].map(|n| y[n] + h * k[n]);
                let a = rates(t, y);
                let b = rates(t + h / 2.0, ahead(a, h / 2.0));
                let c = rates(t + h / 2.0, ahead(b, h / 2.0));
                let d = rates(t + h, ahead(c, h));
                y = [0, 1, 2, 3, 4]
                    .map(|n| y[n] + h / 6.0 * (a[n] + 2.0 * b[n] + 2.0 * c[n] + d[n]));
            }
        }
        near(row[table.index("left.J.q")], y[0], 1e-6, "angle");
        near(row[table.index("left.J.qd")], y[1], 1e-5, "rate");
        near(row[table.index("rigid.i")], y[2], 1e-4, "current");
    }
    // It has arrived, and its current holds the weight.
    near(table.last("rigid.error"), 0.0, 1e-9, "error");
    near(table.last("rigid.i"), 5.0 * 9.81 * 0.4 * 1f64.sin() / 5.0, 1e-6, "current at rest");
}

/// At rest the elastic axis holds its motor where it is wanted; the arm hangs back by half of the play and the give of the
/// shaft, and the motor has to lift the losses of the gear as well.
#[test]
fn the_gear_stage_hangs_back_by_play_and_give() {
    let table = table("drives_servo");
    let q = table.last("right.J.q");
    let weight = 5.0 * 9.81 * 0.4 * q.sin();
    near(q, 1.0 - 1e-3 - weight / 3e4, 1e-7, "angle");
    near(table.last("elastic.gear.torque"), -weight, 1e-4, "torque of the shaft");
    near(table.last("elastic.tau"), weight / 50.0 / 0.85, 1e-5, "torque of the motor");
    near(table.last("elastic.gear.play"), -1.0, 0.0, "flank");
    assert!(table.column("elastic.gear.play").contains(&1.0));
}
