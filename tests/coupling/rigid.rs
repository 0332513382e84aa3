//! Rigid drives: the reflected inertia adds to that of the joint, and costs no stiffness.

use super::arms::{ARMS, FINE, G, distance, second, solved, two_arms};
use dysim_tests::blocks::{Run, Text};

/// One arm with a geared motor, against the closed form: (I + i^2 J) q'' = - m g l sin q + i tau.
#[test]
fn a_geared_motor_moves_a_pendulum_as_the_reduced_inertia_says() {
    let (m, l, own, ratio, rotor, torque) = (2.0, 0.5, 0.3, -7.0, 0.02, 0.4);
    let arm = Text::new([0.0, 0.0, -G], second())
        .joint(
            "Revolute",
            ["J", "world", "arm"],
            [0.0; 3],
            "JointAxis = 0, 1, 0; JointPoint = 0, 0, 0; Qinit = 1; QDinit = 0.3; Degrees = rad;",
        )
        .body(["arm", "world", "J"], m, [0.2, own, 0.25], [0.0, 0.0, -l])
        .with("JointAxis \"axis\" { flange = load; Joint = J; }")
        .with(&format!("Gear \"gear\" {{ a = shaft; b = load; Ratio = {ratio}; }}"))
        .with(&format!("Inertia \"rotor\" {{ a = shaft; J = {rotor}; }}"))
        .with(&format!("TorqueSource \"motor\" {{ a = shaft; Tau = {torque}*cos(5*t); }}"))
        .with("Output \"o\" { Signals = J.q, J.qd, rotor.w, axis.tau; Files = csv; }");
    let outcome = solved(&arm);
    let table = outcome.table("csv");
    let total = own + m * l * l + ratio * ratio * rotor;
    let acceleration =
        |t: f64, q: f64| (ratio * torque * (5.0 * t).cos() - m * G * l * q.sin()) / total;
    // Runge's method with steps of 1e-4: its error of (h w)^4 is far below 1e-12.
    let (mut q, mut v, h) = (1.0_f64, 0.3_f64, 1e-4);
    let mut worst = 0.0_f64;
    for (index, row) in table.rows.iter().enumerate() {
        let [time, found, speed, turning, tau] = row[..] else { panic!("five columns") };
        worst = worst.max((found - q).abs()).max((speed - v).abs());
        worst = worst.max((turning - ratio * v).abs() / ratio.abs());
        // The gear gives the joint what is left of the torque of the motor.
        let rest =
            ratio * torque * (5.0 * time).cos() - ratio * ratio * rotor * acceleration(time, q);
        worst = worst.max((tau - rest).abs() / 10.0);
        for step in 0..100 {
            let t = 0.01 * index as f64 + f64::from(step) * h;
            let k1 = (v, acceleration(t, q));
            let k2 = (v + 0.5 * h * k1.1, acceleration(t + 0.5 * h, q + 0.5 * h * k1.0));
            let k3 = (v + 0.5 * h * k2.1, acceleration(t + 0.5 * h, q + 0.5 * h * k2.0));
            let k4 = (v + h * k3.1, acceleration(t + h, q + h * k3.0));
            q += h / 6.0 * (k1.0 + 2.0 * k2.0 + 2.0 * k3.0 + k4.0);
            v += h / 6.0 * (k1.1 + 2.0 * k2.1 + 2.0 * k3.1 + k4.1);
        }
    }
    assert!(worst < 1e-9, "{worst:e}");
}

const RIGID: &str = "JointAxis \"axis\" { flange = s; Joint = J2; }
    Inertia \"rotor\" { a = s; J = 0.32; }
    TorqueSource \"motor\" { a = s; Tau = 8*sin(3*t); }";

#[test]
fn a_shaft_on_a_joint_is_a_rotor_of_the_joint() {
    let train = two_arms(second(), "0, 1, 0", ["", ""]).with(RIGID).with(ARMS);
    let plain = two_arms(second(), "0, 1, 0", ["", "RotorInertia = 0.32;"])
        .with("JointForce \"f\" { Joint1D = J2; Value = 8*sin(3*t); }")
        .with(ARMS);
    let (a, b) = (solved(&train), solved(&plain));
    // Two runs with steps of their own: each has the error of the integrator.
    let apart = distance(&a.table("csv"), &b.table("csv"));
    assert!(apart < 1e3 * FINE, "{apart:e}");
}

#[test]
fn the_dense_formulation_agrees() {
    let train = two_arms(second(), "1, 0, 0", ["", ""])
        .with("JointAxis \"axis\" { flange = s; Joint = J2; }")
        .with("Inertia \"rotor\" { a = s; J = 0.1; MountedOn = arm1; MountAxis = 1, 0, 0; }")
        .with("TorqueSource \"motor\" { a = s; Tau = 2*sin(3*t); }")
        .with(ARMS);
    let text = train.text().replace("ScaleGrav = 1;", "ScaleGrav = 1; Formalism = dense;");
    let (a, b) = (solved(&train), solved(&Text::default().with(&text)));
    let apart = distance(&a.table("csv"), &b.table("csv"));
    assert!(apart < 1e3 * FINE, "{apart:e}");
}

/// The stiffer a gear, the nearer the motion comes to that of the rigid one: the difference falls like 1/c.
#[test]
fn a_stiff_elastic_gear_tends_to_the_rigid_one() {
    let setting = || Run::new("derf", 1e-10, 0.5, 0.05);
    let elastic = |c: f64| {
        let train = format!(
            "JointAxis \"axis\" {{ flange = s; Joint = J2; }}
             Inertia \"rotor\" {{ a = r; J = 0.32; Phiinit = -0.7; Winit = -0.5; }}
             TorsionSpring \"gear\" {{ a = r; b = s; c = {c}; d = {}; }}
             TorqueSource \"motor\" {{ a = r; Tau = 8*sin(3*t); }}",
            2.0 * (0.1 * c).sqrt()
        );
        solved(&two_arms(setting(), "0, 1, 0", ["", ""]).with(&train).with(ARMS))
    };
    let rigid = solved(&two_arms(setting(), "0, 1, 0", ["", ""]).with(RIGID).with(ARMS));
    let apart = |c: f64| distance(&elastic(c).table("csv"), &rigid.table("csv"));
    let (soft, stiff) = (apart(1e4), apart(1e6));
    // The twist is the torque, up to 20 Nm, over c; speeds feel its rate, damping makes both decay as fast as they can.
    assert!(stiff < 20.0 / 1e6 * 20.0, "{stiff:e}");
    let ratio = soft / stiff;
    assert!((30.0..300.0).contains(&ratio), "{ratio}");
}

#[test]
fn two_drives_on_one_arm_are_solved_together() {
    let train = two_arms(second(), "0, 1, 0", ["", ""])
        .with(RIGID)
        .with(
            "JointAxis \"axis1\" { flange = u; Joint = J1; }
             Inertia \"rotor1\" { a = u; J = 1.5; }
             TorqueSource \"motor1\" { a = u; Tau = 5*rotor.w; }",
        )
        .with(ARMS);
    let plain = two_arms(second(), "0, 1, 0", ["RotorInertia = 1.5;", "RotorInertia = 0.32;"])
        .with(
            "JointForce \"f\" { Joint1D = J2; Value = 8*sin(3*t); }
             JointForce \"f1\" { Joint1D = J1; Value = 5*J2.qd; }",
        )
        .with(ARMS);
    let (a, b) = (solved(&train), solved(&plain));
    let apart = distance(&a.table("csv"), &b.table("csv"));
    assert!(apart < 1e3 * FINE, "{apart:e}");
}

/// A voltage that is the angle of a joint fixes what a capacitor holds, whose current would be the speed of the joint.
#[test]
fn the_derivative_of_a_signal_of_the_mechanics_is_refused() {
    let text = two_arms(second(), "0, 1, 0", ["", ""])
        .with("VoltageSource \"V\" { p = x; n = gnd; V = J1.q; } Capacitor \"C\" { p = x; n = gnd; C = 1; }");
    let outcome = dysim_tests::simulate::run(text.text());
    let error = outcome.error.as_ref().map(|error| error.to_string()).unwrap_or_default();
    assert!(error.contains("takes the derivative of a signal that has none"), "{error}");
    assert!(error.contains("VoltageSource `V`"), "{error}");
}

/// The joint decides where the shaft begins; what the shaft asks for is missed with a note.
#[test]
fn initial_values_of_a_shaft_on_a_joint_are_those_of_the_joint() {
    let with = |initial: &str| {
        two_arms(second(), "0, 1, 0", ["", ""])
            .with("JointAxis \"axis\" { flange = s; Joint = J2; }")
            .with(&format!("Inertia \"rotor\" {{ a = s; J = 0.1; {initial} }}"))
    };
    let log = |initial: &str| solved(&with(initial)).text("log");
    // The joint begins at -0.7 rad with -0.5 rad/s.
    let text = log("Phiinit = 0.2; Winit = 3;");
    assert!(text.contains("Inertia `rotor` starts at -0.7 instead of 0.2"), "{text}");
    assert!(text.contains("Inertia `rotor` starts at -0.5 instead of 3"), "{text}");
    assert!(!log("Phiinit = -0.7; Winit = -0.5;").contains("starts at"));
}

/// Nothing but the network asks where the body is: it falls, z = -g t^2/2, and the integral of that is -g t^3/6.
#[test]
fn a_network_sees_a_body_where_it_is() {
    let text = Text::new([0.0, 0.0, -G], second())
        .joint(
            "Prismatic",
            ["J", "world", "stone"],
            [0.0; 3],
            "JointAxis = 0, 0, 1; JointPoint = 0, 0, 0; Qinit = 0; QDinit = 0;",
        )
        .body(["stone", "world", "J"], 1.0, [0.1; 3], [0.0; 3])
        .with("Integrator \"sum\" { u = stone.z; } Output \"o\" { Signals = sum.y; Files = csv; }");
    let found = solved(&text).table("csv").last("sum.y");
    assert!((found + G / 6.0).abs() < 100.0 * FINE, "{found}");
}
