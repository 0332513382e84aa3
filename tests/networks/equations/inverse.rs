//! Inverted models: equations prescribe a motion, and an unknown drives it.

use super::mechanics::arms;
use super::{FINE, agree, near, table};
use dysim_tests::circuits::{Setting, text};
use dysim_tests::simulate::run;

const G: f64 = 9.8065;

/// One arm: moment of inertia 2 about its joint, mass 1 at a distance of 1.
fn arm(q: f64, qd: f64) -> String {
    let frame = "Position = 0, 0, 0; Orientation = 0, 0, 0; AngleType = euler; Degrees = rad;";
    format!(
        "Body \"b\" {{ Joint = arm; Mass = 1; Inertia = 1, 0, 0, 1, 0, 1; CGFramePosition = 0, 0, -1; \
         CGFrameOrientation = 0, 0, 0; AngleType = euler; Degrees = rad; }} \
         Triad \"w0\" {{ Parent = world; {frame} }} Triad \"b0\" {{ Parent = b; {frame} }} \
         Revolute \"arm\" {{ Parent = b; TriadFrom = w0; TriadTo = b0; JointAxis = 0, 1, 0; JointPoint = 0, 0, 0; Qinit = {q:?}; \
         QDinit = {qd:?}; Degrees = rad; }} "
    )
}

/// The torque that 0.3 sin t asks for, and its arm.
fn needed(t: f64) -> (f64, f64) {
    let q = 0.3 * t.sin();
    (-2.0 * q + G * q.sin(), q)
}

#[test]
fn the_torque_of_a_joint_follows_from_its_motion() {
    // The start of the joint fits, or is taken over from the equations.
    for qd in [0.3, 0.0] {
        let text = arm(0.0, qd)
            + "Equations \"inverse\" { arm.q = 0.3*sin(t); } Variable \"tau\" { Unit = \"N m\"; } \
               JointForce \"drive\" { Joint1D = arm; Value = tau; } Signal \"drive.torque\" { Value = drive.f; } \
               Signal \"drive.work\" { Value = drive.power; }";
        let table = table(3.0, 0.1, &text);
        for row in 1..=30 {
            let t = 0.1 * f64::from(row);
            let (tau, q) = needed(t);
            near(&table, t, "arm.q", q, 1e-8);
            near(&table, t, "tau", tau, 1e-8);
            near(&table, t, "drive.torque", tau, 1e-8);
            near(&table, t, "drive.work", tau * 0.3 * t.cos(), 1e-7);
        }
    }
}

/// The voltage that a motor needs on a moving arm: v = R i + L i' + k w with k i = torque + J w'.
#[test]
fn the_voltage_of_a_motor_follows_from_the_motion_of_its_arm() {
    let text = arm(0.0, 0.3)
        + "Equations \"inverse\" { arm.q = 0.3*sin(t); } Variable \"u\" { Unit = \"V\"; } \
           VoltageSource \"V\" { p = p; n = gnd; V = u; } JointAxis \"axis\" { flange = s; Joint = arm; } \
           Motor \"M\" { p = p; n = gnd; shaft = s; R = 2; L = 0; k = 0.5; J = 0.1; }";
    let table = table(3.0, 0.1, &text);
    for row in 1..=30 {
        let t = 0.1 * f64::from(row);
        let (tau, q) = needed(t);
        let i = (tau - 0.1 * q) / 0.5;
        near(&table, t, "arm.q", q, 1e-8);
        near(&table, t, "M.i", i, 1e-7);
        near(&table, t, "u", 2.0 * i + 0.5 * 0.3 * t.cos(), 1e-7);
    }
}

/// Two arms that carry each other: torques of equations, and of prescribed motions.
#[test]
fn torques_of_equations_are_those_of_prescribed_motions() {
    let start = |text: String| text.replace("Qinit = 1; QDinit = 0.2;", "Qinit = 0; QDinit = 0.4;");
    let written = start(arms(true))
        + "Equations \"e\" { Ja.q = 0.2*sin(2*t); Jb.q + Ja.q = 0.6*sin(t)^2 + 0.8*t; } \
           Variable \"u\" { } Variable \"v\" { } JointForce \"A\" { Joint1D = Ja; Value = u - v; } \
           JointForce \"B\" { Joint1D = Jb; Value = 2*v; } Signal \"ta\" { Value = A.f; } Signal \"tb\" { Value = B.f; }";
    let moved = start(arms(true))
        + "Motion \"A\" { Joint = Ja; Q = 0.2*sin(2*t); } Motion \"B\" { Joint = Jb; Q = 0.6*sin(t)^2 + 0.8*t - 0.2*sin(2*t); } \
           Signal \"ta\" { Value = A.f; } Signal \"tb\" { Value = B.f; } Function \"f\" { y = 1; }";
    let [written, moved] = [written, moved].map(|text| table(2.0, 0.1, &text));
    for name in ["Ja.q", "Jb.q", "ta", "tb"] {
        for row in 1..=20 {
            let t = 0.1 * f64::from(row);
            let (a, b) = (written.at(t, name), moved.at(t, name));
            assert!((a - b).abs() < 1e-6, "{name} at {t}: {a} and {b}");
        }
    }
}

/// A rate may be prescribed too; then the angle is what it becomes.
#[test]
fn a_prescribed_rate_asks_for_a_torque() {
    let text = arm(0.5, 0.0)
        + "Equations \"inverse\" { arm.qd = 0.4*sin(t); } Variable \"tau\" { } JointForce \"drive\" { Joint1D = arm; Value = tau; } \
           Signal \"law\" { Value = 2*0.4*cos(t) + 9.8065*sin(arm.q); }";
    let table = table(3.0, 0.1, &text);
    agree(&table, "law", "tau", 1e-8);
    near(&table, 3.0, "arm.q", 0.5 + 0.4 * (1.0 - 3.0f64.cos()), 1e-8);
}

/// An unknown without influence is not determined: no number is made up for it.
#[test]
fn an_unknown_that_moves_nothing_is_refused() {
    let elements = arm(0.0, 0.3)
        + "Equations \"e\" { arm.q = 0.3*sin(t); } Variable \"u\" { } JointForce \"A\" { Joint1D = arm; Value = 0*u; }";
    let setting = Setting { solver: "derf", end: 0.1, step: 0.05, tolerance: FINE };
    let outcome = run(&text(setting, "", &elements));
    assert!(outcome.error.is_some());
}
