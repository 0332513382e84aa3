//! Motors, generators, converters and solenoids.

use dysim_tests::circuits::{Setting, text};
use dysim_tests::simulate::run;

use super::support::{near, rows};

#[test]
fn a_motor_runs_up_with_its_mechanical_time_constant() {
    // Without L and friction: w = V/k (1 - exp(-t k^2/(J R))), i = (V - k w)/R.
    let table = rows(
        1.0,
        4,
        "VoltageSource \"V\" { p = u; n = gnd; V = 24; } Motor \"M\" { p = u; n = gnd; shaft = x; R = 2; k = 0.5; J = 0.1; }",
    );
    for t in [0.25f64, 0.5, 1.0] {
        let rest = (-t * 0.25 / 0.2).exp();
        near(&table, t, "M.w", 48.0 * (1.0 - rest), 48.0);
        near(&table, t, "M.i", 12.0 * rest, 12.0);
        near(&table, t, "M.tau", 6.0 * rest, 6.0);
        near(&table, t, "M.emf", 24.0 * (1.0 - rest), 24.0);
        near(&table, t, "M.phi", 48.0 * (t - (1.0 - rest) * 0.8), 48.0);
    }
}

#[test]
fn a_motor_on_a_free_stator_turns_it_backwards() {
    // Inside a stator of J = 1 the rotor of J = 0.25 turns four times as fast: momentum stays zero.
    let table = rows(
        1.0,
        2,
        "CurrentSource \"I\" { p = gnd; n = u; I = 2; } Motor \"M\" { p = u; n = gnd; shaft = x; stator = y; R = 1; k = 0.5; J = 0.25; }\n\
         Inertia \"S\" { a = y; J = 1; }",
    );
    near(&table, 1.0, "x.w", 4.0, 1.0);
    near(&table, 1.0, "y.w", -1.0, 1.0);
    near(&table, 1.0, "M.w", 5.0, 1.0);
}

#[test]
fn a_generator_feeds_its_load() {
    // 100 rad/s, k = 0.3, R = 1 and a load of 9 Ohm: 3 A, and a torque of 0.9 Nm + d w = 0.2 Nm.
    let table = rows(
        1.0,
        1,
        "SpeedSource \"W\" { a = x; W = 100; } Generator \"G\" { p = u; n = gnd; shaft = x; R = 1; k = 0.3; L = 1e-3; d = 2e-3; }\n\
         Resistor \"R\" { p = u; n = gnd; R = 9; }",
    );
    near(&table, 1.0, "G.iout", 3.0, 3.0);
    near(&table, 1.0, "u.v", 27.0, 27.0);
    near(&table, 1.0, "W.tau", 1.1, 1.0);
}

#[test]
fn a_converter_loses_nothing() {
    // An inductor behind a converter is a spring: k^2/L = 4 Nm/rad, J = 1.
    let table = rows(
        2.0,
        4,
        "EMF \"E\" { p = u; n = gnd; shaft = x; k = 0.2; } Inductor \"L\" { p = u; n = gnd; L = 0.01; } Inertia \"J\" { a = x; J = 1; Winit = 3; }",
    );
    for t in [0.5f64, 2.0] {
        near(&table, t, "J.w", 3.0 * (2.0 * t).cos(), 3.0);
        near(&table, t, "E.power", 0.0, 1.0);
    }
}

#[test]
fn a_solenoid_pulls_where_its_inductance_grows() {
    // L(s) = 0.1/(1 + 50 s): F = i^2/2 dL/ds = -2.5 i^2/(1 + 50 s)^2. With the armature held at s = 0.02, R = 10 Ohm
    // and 20 V: i = 2 (1 - exp(-t R/L)), L = 0.05 H.
    let table = rows(
        0.02,
        4,
        "VoltageSource \"V\" { p = u; n = gnd; V = 20; } PositionSource \"P\" { a = x; S = 0.02; }\n\
         Solenoid \"S\" { p = u; n = gnd; a = x; R = 10; L = 0.1/(1 + 50*S.s); }",
    );
    for t in [0.005f64, 0.02] {
        let i = 2.0 * (1.0 - (-200.0 * t).exp());
        near(&table, t, "S.i", i, 2.0);
        near(&table, t, "S.f", -2.5 * i * i / 4.0, 2.5);
        near(&table, t, "P.f", 2.5 * i * i / 4.0, 2.5);
    }
    // A moving armature at constant current induces i dL/ds v.
    let moving = rows(
        0.01,
        1,
        "CurrentSource \"I\" { p = gnd; n = u; I = 2; } VelocitySource \"P\" { a = x; V = 0.5; }\n\
         Solenoid \"S\" { p = u; n = gnd; a = x; L = 0.1/(1 + 50*S.s); Iinit = 2; }",
    );
    near(&moving, 0.01, "S.v", 2.0 * 0.5 * -5.0 / 1.25f64.powi(2), 1.0);
    // The magnetic field takes i^2/2 dL/dt of what flows in: v i = 2 of it, the armature gets the other half.
    near(&moving, 0.01, "S.power", 0.5 * 4.0 * 0.5 * -5.0 / 1.25f64.powi(2), 1.0);
}

#[test]
fn a_motor_at_its_operating_point_turns_steadily_from_where_it_is() {
    // w = V k/(k^2 + R d); a spring with a load of 5 N at rest is stretched by 5/100 m.
    let elements = "VoltageSource \"V\" { p = u; n = gnd; V = 12; }\n\
        Motor \"M\" { p = u; n = gnd; shaft = m; R = 1.2; L = 0.002; k = 0.05; J = 2e-5; d = 1e-5; } Gear \"G\" { a = m; b = l; Ratio = 20; }\n\
        Inertia \"J\" { a = l; J = 0.01; }\n\
        Mass \"B\" { a = x; m = 2; } LinearSpring \"S\" { a = base; b = x; c = 100; d = 1; } ForceSource \"F\" { a = x; F = 5; }";
    let setting = Setting { solver: "derf", end: 0.1, step: 0.05, tolerance: 1e-9 };
    let outcome = run(&text(setting, "Initial = steady;", elements)).complete();
    let table = outcome.table("csv");
    let w = 12.0 * 0.05 / (0.05 * 0.05 + 1.2 * 1e-5);
    for t in [0.0, 0.1] {
        near(&table, t, "M.w", w, w);
        near(&table, t, "J.w", w / 20.0, w);
        near(&table, t, "J.phi", w / 20.0 * t, 1.0);
        near(&table, t, "B.s", 0.05, 1.0);
        near(&table, t, "B.v", 0.0, 1.0);
    }
}
