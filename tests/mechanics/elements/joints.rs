//! JointForce, and what joints have in themselves: damping, stiffness, stops, rotors, reactions.

use dysim_tests::blocks::{Run, Text};
use dysim_tests::simulate::run;

/// Sums of a few products of size one.
const ROUND_OFF: f64 = 1e-12;

#[test]
fn joint_forces_take_time_and_signals() {
    let text = Text::new([0.0; 3], Run::new("derf", 1e-9, 1.0, 0.1))
        .joint("Revolute", ["J", "world", "b"], [0.0; 3], "JointAxis = 0, 0, 1; JointPoint = 0, 0, 0; Qinit = 0.5; QDinit = 1; Degrees = rad;")
        .body(["b", "world", "J"], 1.0, [1.0, 1.0, 2.0], [0.0; 3])
        .joint("BiPrismatic", ["K", "world", "c"], [0.0; 3], "JointAxis1 = 1, 0, 0; JointPoint1 = 0, 0, 0; JointAxis2 = 0, 1, 0; JointPoint2 = 0, 0, 0; Qinit = 0, 0; QDinit = 0, 0;")
        .body(["c", "world", "K"], 4.0, [1.0; 3], [0.0; 3])
        .with("JointForce \"f\" { Joint1D = J; Value = 3*sin(2*t) - J.q*J.qd + c.vy; }
              JointForce \"g\" { Joint1D = K; Value = t, 2 - J.qd; }
              Output \"o\" { Files = csv; Signals = J.q, J.qd, J.qdd, c.vy, K.qdd[1], K.qdd[2], f.f, f.power; Events = no; }");
    let csv = run(text.text()).complete().table("csv");
    assert_eq!(csv.rows.len(), 11);
    for row in &csv.rows {
        let [t, q, qd, qdd, vy, k1, k2, f, power] = row[..] else { panic!("columns") };
        let force = 3.0 * (2.0 * t).sin() - q * qd + vy;
        assert!((f - force).abs() < ROUND_OFF, "{f} {force}");
        assert!((qdd - force / 2.0).abs() < ROUND_OFF, "t = {t}: {qdd} {force}");
        assert!((power - force * qd).abs() < 4.0 * ROUND_OFF, "{power}");
        assert!((k1 - t / 4.0).abs() < ROUND_OFF && (k2 - (2.0 - qd) / 4.0).abs() < ROUND_OFF);
    }
}

#[test]
fn damping_stiffness_stops_and_rotors_add_up() {
    let (q, qd, inertia, rotor) = (0.5, 2.0, 3.0, 1.5);
    // (parameters, torque at q, qd)
    let cases: [(&str, f64); 8] = [
        ("Damping = 0.7;", -0.7 * qd),
        ("Stiffness = 4;", -4.0 * q),
        ("Stiffness = 4; QRest = 0.2;", -4.0 * (q - 0.2)),
        ("UpperLimit = 0.4; StopStiffness = 50; StopDamping = 3;", -50.0 * (q - 0.4) - 3.0 * qd),
        ("UpperLimit = 0.6; StopStiffness = 50; StopDamping = 3;", 0.0),
        // Beyond the lower stop, but leaving so fast that the damper would pull: no force.
        ("LowerLimit = 0.6; StopStiffness = 50; StopDamping = 3;", 0.0),
        ("LowerLimit = 0.6; StopStiffness = 50; StopDamping = 1;", 50.0 * 0.1 - qd),
        ("Damping = 0.7; Stiffness = 4; UpperLimit = 0.3;", -0.7 * qd - 4.0 * q - 1e6 * (q - 0.3)),
    ];
    for (parameters, torque) in cases {
        let start = format!(
            "JointAxis = 0, 0, 1; JointPoint = 0, 0, 0; Qinit = {q}; QDinit = {qd}; Degrees = rad; RotorInertia = {rotor}; {parameters}"
        );
        let text = Text::new([0.0; 3], Run::new("derf", 1e-6, 1e-4, 1e-4))
            .joint("Revolute", ["J", "world", "b"], [0.0; 3], &start)
            .body(["b", "world", "J"], 1.0, [1.0, 1.0, inertia], [0.0; 3])
            .with("Output \"o\" { Files = csv; Signals = J.qdd, J.f; Events = no; }");
        let csv = run(text.text()).complete().table("csv");
        let (qdd, f) = (csv.rows[0][1], csv.rows[0][2]);
        let expected = torque / (inertia + rotor);
        let room = 1e-13 * (1.0 + torque.abs());
        assert!((qdd - expected).abs() < room, "{parameters}: {qdd} {expected}");
        assert!((f - torque).abs() < room, "{parameters}: {f} {torque}");
    }
}

/// On a ball joint damping acts on the angular velocity, also where the rates of angles are singular.
#[test]
fn damping_of_a_ball_joint_acts_on_the_angular_velocity() {
    let decay = |start: &str| {
        let text = Text::new([0.0; 3], Run::new("derf", 1e-10, 1.0, 0.1))
            .joint("Spherical", ["J", "world", "b"], [0.0; 3], start)
            .body(["b", "world", "J"], 1.0, [2.0; 3], [0.0; 3])
            .with("Output \"o\" { Files = csv; Signals = J.wx, J.wy, J.wz; Events = no; }");
        run(text.text()).complete().table("csv")
    };
    for start in [
        "Qinit = 0.2, 0.4, 0.1; QDinit = 1, 2, 3; AngleType = cardan; Degrees = rad; Damping = 1, 1, 1;",
        "Qinit = 0, 0, 0; QDinit = 0, 2, 3; AngleType = euler; Degrees = rad; Damping = 1, 1, 1;",
    ] {
        let csv = decay(start);
        let speed = |row: &Vec<f64>| row[1].hypot(row[2]).hypot(row[3]);
        let first = speed(&csv.rows[0]);
        assert!(first > 1.0);
        for row in &csv.rows {
            // A sphere: w(t) = w(0) exp(-d t / I); some hundred steps of 1e-10.
            let expected = first * (-row[0] / 2.0).exp();
            assert!((speed(row) - expected).abs() < 1e-7, "{start} t = {}: {}", row[0], speed(row));
        }
    }
}

/// A weight at rest: the hinge carries it, and the spring in the hinge its moment.
#[test]
fn reactions_carry_the_weight() {
    let text = Text::new([0.0, 0.0, -10.0], Run::new("de", 1e-9, 0.1, 0.1))
        .joint("Bracket", ["J", "world", "b"], [1.0, 0.0, 0.0], "")
        .body(["b", "world", "J"], 3.0, [1.0; 3], [0.5, 0.0, 0.0])
        .with("Output \"o\" { Files = csv; Signals = J.fx, J.fy, J.fz, J.tx, J.ty, J.tz; Events = no; }");
    let csv = run(text.text()).complete().table("csv");
    // On the body: 30 N upwards at its origin; the moment balances the weight at 0.5 m along x.
    let expected = [0.0, 0.0, 30.0, 0.0, -15.0, 0.0];
    for (found, expected) in csv.rows[0][1..].iter().zip(expected) {
        assert!((found - expected).abs() < ROUND_OFF * 30.0, "{:?}", csv.rows[0]);
    }
}
