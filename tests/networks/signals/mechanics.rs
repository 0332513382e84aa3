//! Blocks and bodies: joints as inputs, blocks as forces, against textbook equations of motion.

use std::path::Path;

use super::{TOLERANCE, compare};
use dysim_tests::circuits::{Setting, text};
use dysim_tests::simulate::{Outcome, run, run_file};

fn mass(blocks: &str) -> Outcome {
    let bodies = r#"
        Triad "a" { Parent = world; } Triad "b" { Parent = m; }
        Prismatic "J" { TriadFrom = a; TriadTo = b; JointAxis = 1, 0, 0; Qinit = 0.5; QDinit = 0; }
        Body "m" { Parent = world; Joint = J; Mass = 2; }
        JointForce "F" { Joint1D = J; Value = f.y; }
    "#;
    let setting = Setting { solver: "derf", end: 4.0, step: 0.05, tolerance: TOLERANCE };
    run(&text(setting, "", &format!("{bodies}{blocks}"))).complete()
}

/// m q'' = -c q - d q' with m = 2, c = 20, d = 4: a damped oscillation, q at this instant feeds back at this instant.
#[test]
fn a_block_between_sensor_and_force_acts_at_once() {
    let table = mass(r#"Sum "f" { u = J.q, J.qd; k = -20, -4; }"#).table("csv");
    // The first step begins at 5e-5 s; errors of 1e-10 per step over some hundred steps.
    compare(&table, "J.q", 5e-8, |t| 0.5 * (-t).exp() * ((3.0 * t).cos() + (3.0 * t).sin() / 3.0));
    let (q, qd, f) = (table.index("J.q"), table.index("J.qd"), table.index("f.y"));
    for row in &table.rows {
        // The force in a row is that of the state in the row.
        assert!((row[f] + 20.0 * row[q] + 4.0 * row[qd]).abs() < 1e-12);
    }
}

/// A held force moves a mass along parabolas: q += h v + h^2 F/(2 m), v += h F/m.
#[test]
fn a_sampled_controller_moves_a_mass_along_parabolas() {
    let table = mass(r#"Sum "f" { u = J.q, J.qd; k = -20, -8; Tsample = 0.05; }"#).table("csv");
    let (mut q, mut v, h) = (0.5, 0.0, 0.05);
    for step in 0..80 {
        let t = f64::from(step) * h;
        let force = -20.0 * q - 8.0 * v;
        for (column, expected) in [("J.q", q), ("J.qd", v), ("f.y", force)] {
            assert!((table.at(t, column) - expected).abs() < 1e-7, "{column} at {t}");
        }
        q += h * v + 0.25 * h * h * force;
        v += 0.5 * h * force;
    }
    assert!(q.abs() < 0.02, "{q}");
}

/// A delayed measurement: the dead time is seen in the force.
#[test]
fn a_delay_of_a_joint_coordinate() {
    let table =
        mass(r#"Delay "d" { u = J.q; T = 0.4; } Function "f" { y = 0*d.y + 2; }"#).table("csv");
    compare(&table, "J.q", 5e-8, |t| 0.5 + 0.5 * t * t);
    compare(&table, "d.y", 5e-8, |t| {
        let then = (t - 0.4).max(0.0);
        0.5 + 0.5 * then * then
    });
}

/// Cart of 1 kg, rod of 0.2 kg and 1 m; the angle counts from upright:
/// (M + m) x'' + m l (q'' cos q - q'^2 sin q) = F, (I + m l^2) q'' + m l x'' cos q = m g l sin q.
fn cart_and_rod([_, v, q, w]: [f64; 4], force: f64) -> [f64; 4] {
    let (cart, rod, l, g) = (1.0, 0.2, 0.5, 9.8065);
    let (a, b, c) = (cart + rod, rod * l * q.cos(), rod / 12.0 + rod * l * l);
    let (right, turn) = (force + rod * l * w * w * q.sin(), rod * g * l * q.sin());
    let det = a * c - b * b;
    [v, (c * right - b * turn) / det, w, (a * turn - b * right) / det]
}

/// One step of the classical Runge-Kutta method.
fn step(x: [f64; 4], h: f64, rates: impl Fn([f64; 4]) -> [f64; 4]) -> [f64; 4] {
    let add = |x: [f64; 4], f: [f64; 4], h: f64| std::array::from_fn(|i| x[i] + h * f[i]);
    let a = rates(x);
    let b = rates(add(x, a, 0.5 * h));
    let c = rates(add(x, b, 0.5 * h));
    let d = rates(add(x, c, h));
    std::array::from_fn(|i| x[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]))
}

const FEEDBACK: [f64; 4] = [4.6398, 6.3708, 50.036, 12.647];

fn feedback(x: [f64; 4]) -> f64 {
    (0..4).map(|i| FEEDBACK[i] * x[i]).sum::<f64>().clamp(-30.0, 30.0)
}

fn model(name: &str) -> Outcome {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/mechatronics");
    run_file(&models.join(name)).complete()
}

/// Runge-Kutta steps of 1 ms: errors of (5/1000)^4 per second for the fastest pole of 5 1/s, below 1e-7.
#[test]
fn state_feedback_keeps_a_rod_upright() {
    let outcome = model("inverted_pendulum.dys");
    let table = outcome.table("csv");
    let mut x = [0.0, 0.0, 20f64.to_radians(), 0.0];
    for row in 0..400 {
        let t = f64::from(row) * 0.02;
        for (column, expected) in [("x.q", x[0]), ("q.q", x[2]), ("force.y", feedback(x))] {
            let found = table.at(t, column);
            assert!((found - expected).abs() < 1e-5, "{column} at {t}: {found}, not {expected}");
        }
        for _ in 0..20 {
            x = step(x, 1e-3, |x| cart_and_rod(x, feedback(x)));
        }
    }
    assert!(x[0].abs() < 1e-3 && x[2].abs() < 1e-4, "{x:?}");
}

/// The same with encoders, differences and a held force, all written out. Both integrations differ by less than 1e-7;
/// a value that is so near to the middle between two steps of an encoder may be rounded either way, which is to be
/// expected every few seconds (100 roundings per second and encoder, each with the odds 1e-7/1e-4). So the first two
/// seconds are compared with the integration, the rest with the steps of the encoders.
#[test]
fn a_sampled_controller_with_encoders_keeps_it_upright_too() {
    let outcome = model("inverted_pendulum_sampled.dys");
    let table = outcome.table("csv");
    let (mut x, ts) = ([0.0, 0.0, 20f64.to_radians(), 0.0], 0.01);
    let round = |u: f64, quantum: f64| (u / quantum).round() * quantum;
    let mut before = [0.0, 20f64.to_radians()];
    for instant in 0..800 {
        let seen = [round(x[0], 1e-4), round(x[2], std::f64::consts::TAU / 4096.0)];
        let speeds = [(seen[0] - before[0]) / ts, (seen[1] - before[1]) / ts];
        let force = feedback([seen[0], speeds[0], seen[1], speeds[1]]);
        before = seen;
        if instant % 2 == 0 {
            let t = f64::from(instant) * ts;
            for (column, expected) in [("x.q", x[0]), ("q.q", x[2]), ("force.y", force)] {
                let found = table.at(t, column);
                // One step of the angle changes the force by kq dq + kw dq/Ts, 2.0 N.
                let allowed = match column {
                    _ if t < 2.0 => 1e-5,
                    "force.y" => 8.0,
                    _ => 5e-3,
                };
                assert!((found - expected).abs() < allowed, "{column} at {t}: {found}, {expected}");
            }
        }
        for _ in 0..10 {
            x = step(x, 1e-3, |x| cart_and_rod(x, force));
        }
    }
    assert!(x[2].abs() < 0.01, "{x:?}");
}

/// The reference is the fastest motion within 2.5 m/s and 1.2 m/s^2: 14 m take 14/2.5 + 2.5/1.2 s from 1 s on.
#[test]
fn the_elevator_follows_its_reference() {
    let outcome = model("elevator.dys");
    let table = outcome.table("csv");
    let (time, reference, q, v) =
        (table.index("t"), table.index("ref.y"), table.index("car.q"), table.index("car.qd"));
    let end = 1.0 + 14.0 / 2.5 + 2.5 / 1.2;
    let mut fastest: f64 = 0.0;
    for row in &table.rows {
        assert!((row[q] - row[reference]).abs() < 3e-4, "{row:?}");
        fastest = fastest.max(row[v]);
        if row[time] < 1.0 {
            assert!(row[q].abs() < 1e-9, "it moves before it is asked to: {row:?}");
        }
    }
    assert!((fastest - 2.5).abs() < 5e-3, "{fastest}");
    assert!((table.at(12.0, "car.q") - 14.0).abs() < 1e-4);
    assert!((table.at(10.0, "ref.y") - 14.0).abs() < 1e-12 && end < 10.0);
}

/// A motion may name a source, which is a function of time; the force is m times its acceleration.
#[test]
fn a_motion_follows_a_trapezoid() {
    let blocks = r#"
        Triad "a" { Parent = world; } Triad "b" { Parent = m; }
        Prismatic "J" { TriadFrom = a; TriadTo = b; JointAxis = 1, 0, 0; Qinit = 1; QDinit = 0; }
        Body "m" { Parent = world; Joint = J; Mass = 2; }
        Trapezoid "ref" { To = 2; Vmax = 1; Amax = 2; Tbegin = 0.25; }
        Motion "M" { Joint = J; Q = 1 + ref.y; }
        Output "out" { Files = csv; Signals = J.q, J.qd, M.f, ref.y, ref.yd, ref.ydd; }
    "#;
    let setting = Setting { solver: "derf", end: 3.0, step: 0.1, tolerance: TOLERANCE };
    let outcome =
        run(&text(setting, "", blocks).replace("Output \"o\" { Files = csv; }", "")).complete();
    let table = outcome.table("csv");
    let column = |name: &str| table.index(name);
    for row in &table.rows {
        assert!((row[column("J.q")] - 1.0 - row[column("ref.y")]).abs() < 1e-12);
        assert!((row[column("J.qd")] - row[column("ref.yd")]).abs() < 1e-12);
        assert!((row[column("M.f")] - 2.0 * row[column("ref.ydd")]).abs() < 1e-9);
    }
    assert!((table.last("J.q") - 3.0).abs() < 1e-12);
}

/// L i' = v - R i - k w, (J + Jl/n^2) w' = k i + tau/n with both controllers and their limits, in Runge-Kutta steps of
/// 10 us. Where a limit is met within a step its error is h^2/2 times the jump of the second derivative, in the worst
/// case 1e6 A/s^2: 5e-5 A, and less for the speed.
#[test]
fn a_motor_under_speed_and_current_control() {
    let outcome = model("dc_motor_speed_control.dys");
    let table = outcome.table("csv");
    let (r, l, k, ratio) = (0.5, 1.5e-3, 0.2, 5.0);
    let inertia = 1e-3 + 0.02 / (ratio * ratio);
    let reference = |t: f64| match t - 0.05 {
        x if x < 0.0 => 0.0,
        x if x < 0.05 => 1e4 * x * x,
        x if x < 0.1 => 25.0 + 1000.0 * (x - 0.05),
        x if x < 0.15 => 100.0 - 1e4 * (0.15 - x) * (0.15 - x),
        _ => 100.0,
    };
    // Speed controller, current controller, current, speed; the torque of the half-step is that of its begin.
    let rates = |t: f64, [a, b, i, w]: [f64; 4], load: f64| {
        let error = reference(t) - w;
        let wanted: f64 = 0.8 * (error + a);
        let set = wanted.clamp(-8.0, 8.0);
        let voltage: f64 = 1.5 * (set - i + b);
        let limited = voltage.clamp(-24.0, 24.0);
        [
            error / 0.05 + (set - wanted) / (0.8 * 0.05),
            (set - i) / (l / r) + (limited - voltage) / (1.5 * l / r),
            (limited - r * i - k * w) / l,
            (k * i + load / ratio) / inertia,
        ]
    };
    let (mut x, h) = ([0.0; 4], 1e-5);
    let mut largest: f64 = 0.0;
    for count in 0..100_000u32 {
        let t = f64::from(count) * h;
        if count % 200 == 0 {
            for (column, expected, allowed) in [("motor.i", x[2], 1e-2), ("motor.w", x[3], 1e-2)] {
                let found = table.at(t, column);
                assert!((found - expected).abs() < allowed, "{column} at {t}: {found}, {expected}");
            }
        }
        largest = largest.max(x[3]);
        let load = if count >= 60_000 { -6.0 } else { 0.0 };
        let add = |x: [f64; 4], f: [f64; 4], h: f64| std::array::from_fn(|i| x[i] + h * f[i]);
        let a = rates(t, x, load);
        let b = rates(t + 0.5 * h, add(x, a, 0.5 * h), load);
        let c = rates(t + 0.5 * h, add(x, b, 0.5 * h), load);
        let d = rates(t + h, add(x, c, h), load);
        x = std::array::from_fn(|i| x[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]));
    }
    assert!((x[3] - 100.0).abs() < 0.5, "the speed is {}", x[3]);
    assert!(largest < 110.0, "it overshoots to {largest}");
}
