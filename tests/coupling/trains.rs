//! Friction, motors and prescribed motions behind gears on a joint.

use super::arms::{FINE, G, distance, solved};
use dysim_tests::blocks::{Run, Text};

/// A pendulum of 2 kg with its centre at 0.5 m and 0.3 kg m^2 about that: I = 0.8 kg m^2, m g l = G Nm.
fn pendulum(run: Run, [q, qd]: [f64; 2], joint: &str) -> Text {
    let parameters = format!(
        "JointAxis = 0, 1, 0; JointPoint = 0, 0, 0; Qinit = {q}; QDinit = {qd}; Degrees = rad; {joint}"
    );
    Text::new([0.0, 0.0, -G], run)
        .joint("Revolute", ["J", "world", "arm"], [0.0; 3], &parameters)
        .body(["arm", "world", "J"], 2.0, [0.2, 0.3, 0.25], [0.0, 0.0, -0.5])
}

/// A rotor of 0.02 kg m^2 behind a gear of -7: it reflects 0.98 kg m^2.
const TRAIN: &str = "JointAxis \"axis\" { flange = load; Joint = J; }
    Gear \"gear\" { a = shaft; b = load; Ratio = -7; }
    Inertia \"rotor\" { a = shaft; J = 0.02; }";

#[test]
fn friction_on_the_motor_shaft_holds_the_joint() {
    let setting = || Run::new("derf", FINE, 5.0, 0.05);
    let columns = "Output \"o\" { Signals = J.q, J.qd; Files = csv; }";
    let train = pendulum(setting(), [1.0, 0.3], "")
        .with(TRAIN)
        .with("Friction \"friction\" { a = shaft; Rmax = 1; Rv = 0.8 + 0.01*abs(shaft.w); }")
        .with(columns);
    // The same in the joint: seven times the torque at a seventh of the speed.
    let plain = pendulum(setting(), [1.0, 0.3], "RotorInertia = 0.98; Friction = 7, 5.6 + 0.49*v;")
        .with(columns);
    let (a, b) = (solved(&train), solved(&plain));
    let apart = distance(&a.table("csv"), &b.table("csv"));
    assert!(apart < 1e3 * FINE, "{apart:e}");
    // It comes to rest for good, and does not creep.
    assert_eq!(a.table("csv").last("J.qd"), 0.0);
    let angles = a.table("csv").column("J.q");
    assert_eq!(angles[angles.len() - 1], angles[angles.len() - 30]);
}

/// The torque at the motor for q = sin 3t, from the closed form: i tau = (I + i^2 J) q'' + m g l sin q.
fn torque_for(q: f64) -> f64 {
    ((0.8 + 0.98) * (-9.0 * q) + G * q.sin()) / -7.0
}

#[test]
fn sources_on_the_shaft_prescribe_the_joint_and_tell_the_torque() {
    let sources = [
        "AngleSource \"ref\" { a = shaft; Phi = -7*sin(3*t); }",
        "SpeedSource \"ref\" { a = shaft; W = -21*cos(3*t); }",
    ];
    for source in sources {
        let text = pendulum(Run::new("derf", FINE, 1.0, 0.01), [0.0, 3.0], "")
            .with(TRAIN)
            .with(source)
            .with("Output \"o\" { Signals = J.q, J.qd, ref.tau; Files = csv; }");
        for row in &solved(&text).table("csv").rows {
            let [t, q, qd, tau] = row[..] else { panic!("four columns") };
            let (sine, cosine) = (3.0 * t).sin_cos();
            let errors = [q - sine, qd - 3.0 * cosine, tau - torque_for(sine)];
            for error in errors {
                assert!(error.abs() < 1e3 * FINE, "{source} t = {t}: {errors:?}");
            }
        }
    }
}

#[test]
fn a_kinematic_analysis_counts_the_drive_train() {
    let text = pendulum(Run::new("derf", FINE, 1.0, 0.01), [0.0, 3.0], "")
        .with(TRAIN)
        .with("TorqueSource \"motor\" { a = shaft; Tau = 0.1; }")
        .with("Motion \"motion\" { Joint = J; Q = sin(3*t); }")
        .with("Output \"o\" { Signals = motion.f, axis.tau, rotor.w; Files = csv; }");
    let text = Text::default().with(&text.text().replace("Type = dynamic", "Type = kinematic"));
    let outcome = dysim_tests::simulate::run(text.text());
    assert!(outcome.error.is_none(), "{:?}", outcome.error.as_ref().map(|e| e.to_string()));
    let table = outcome.table("csv");
    assert_eq!(table.rows.len(), 101);
    for row in &table.rows {
        let [t, force, tau, w] = row[..] else { panic!("four columns") };
        let (sine, cosine) = (3.0 * t).sin_cos();
        // The motion gives what the motor with its 0.1 Nm leaves; all is worked out, nothing integrated.
        let motor = torque_for(sine);
        let errors = [
            force - -7.0 * (motor - 0.1),
            tau - (-7.0 * 0.1 + 9.0 * 0.98 * sine),
            w - -21.0 * cosine,
        ];
        for error in errors {
            assert!(error.abs() < 1e-12 * 30.0, "t = {t}: {errors:?}");
        }
    }
}

/// A motor in a circuit drives the joint. Power flows from the source through motor, gear and axis into the arm; what
/// flows into all elements together is zero at every instant, and the balance of the bodies closes with its work.
#[test]
fn power_flows_from_the_circuit_to_the_arm() {
    let text = pendulum(Run::new("derf", FINE, 1.0, 0.01), [0.0, 0.0], "")
        .with("JointAxis \"axis\" { flange = load; Joint = J; }")
        .with("Gear \"gear\" { a = shaft; b = load; Ratio = 20; }")
        .with("Motor \"m\" { p = u; n = gnd; shaft = shaft; R = 1; L = 1e-3; k = 0.05; J = 1e-4; d = 1e-4; }")
        .with("VoltageSource \"v\" { p = u; n = gnd; V = 12*(t > 0.1); }")
        .with("Output \"o\" { Signals = m.power, v.power, gear.power, axis.power, J.qd, axis.tau; Files = csv; }");
    let outcome = solved(&text);
    let mut most = 0.0_f64;
    for row in &outcome.table("csv").rows {
        let [_, motor, source, gear, axis, speed, tau] = row[..] else { panic!("seven columns") };
        assert!((motor + source + gear + axis).abs() < 1e-12 * (1.0 + motor.abs()), "{row:?}");
        assert!((axis - tau * speed).abs() < 1e-12 * (1.0 + axis.abs()), "{row:?}");
        most = most.max(axis);
    }
    assert!(most > 5.0, "{most}");
}

/// A sensor on a body feeds a circuit, whose voltage drives a force: signals cross the border in both directions.
#[test]
fn sensors_and_forces_by_signals_close_a_loop() {
    let columns = "Output \"o\" { Signals = J.q, J.qd; Files = csv; }";
    let setting = || Run::new("derf", FINE, 1.0, 0.01);
    let network = pendulum(setting(), [1.0, 0.3], "")
        .with("VoltageSource \"sensor\" { p = a; n = gnd; V = J.qd + arm.wy; }")
        .with("Resistor \"R\" { p = a; n = gnd; R = 2; }")
        .with("JointForce \"f\" { Joint1D = J; Value = -3*R.i; }")
        .with(columns);
    let plain = pendulum(setting(), [1.0, 0.3], "")
        .with("JointForce \"f\" { Joint1D = J; Value = -3*J.qd; }")
        .with(columns);
    let (a, b) = (solved(&network), solved(&plain));
    let apart = distance(&a.table("csv"), &b.table("csv"));
    assert!(apart < 1e3 * FINE, "{apart:e}");
}
