//! Inertias, springs, stops, sources and racks.

use dysim_tests::circuits::{Setting, text};
use dysim_tests::simulate::run;

use super::support::{near, rows};

#[test]
fn a_torsion_pendulum_swings_as_its_closed_form() {
    // J phi'' + d phi' + c (phi - phi0) = 0 with J = 2, d = 0.4, c = 8 about phi0 = 0.1, from 0.6 rad at rest.
    let table = rows(
        2.0,
        4,
        "Inertia \"J\" { a = x; J = 2; Phiinit = 0.6; }\n\
         TorsionSpring \"S\" { a = base; b = x; c = 8; d = 0.4; phi0 = 0.1; }",
    );
    let (decay, w) = (0.1f64, (4.0f64 - 0.01).sqrt());
    for t in [0.5, 1.0, 2.0] {
        let swing = 0.5 * (-decay * t).exp() * ((w * t).cos() + decay / w * (w * t).sin());
        near(&table, t, "J.phi", 0.1 + swing, 1.0);
        near(&table, t, "S.phi", 0.1 + swing, 1.0);
        near(&table, t, "S.energy", 4.0 * swing * swing, 1.0);
        let speed = -0.5 * 4.0 / w * (-decay * t).exp() * (w * t).sin();
        near(&table, t, "x.w", speed, 1.0);
        near(&table, t, "S.tau", 8.0 * swing + 0.4 * speed, 1.0);
        near(&table, t, "J.a", -(8.0 * swing + 0.4 * speed) / 2.0, 1.0);
        near(&table, t, "J.ekin", speed * speed, 1.0);
    }
}

#[test]
fn shafts_on_one_node_share_their_motion() {
    // 3 Nm on 1 + 2 kg m^2, one of them between two nodes: phi = t^2/2.
    let table = rows(
        1.0,
        2,
        "Inertia \"A\" { a = x; b = y; J = 1; } Inertia \"B\" { a = y; J = 2; }\n\
         TorqueSource \"T\" { a = x; Tau = 3; }",
    );
    for (column, expected) in [("A.phi", 0.5), ("B.w", 1.0), ("y.a", 1.0), ("T.power", -3.0)] {
        near(&table, 1.0, column, expected, 1.0);
    }
}

#[test]
fn backlash_lets_a_mass_coast() {
    // A mass of 2 kg at 1 m/s crosses a play of +-0.1 m freely, then swings for half a period in c = 200 N/m and
    // comes back with the opposite speed.
    let table = rows(
        0.6,
        12,
        "Mass \"M\" { a = x; m = 2; Vinit = 1; } LinearSpring \"S\" { a = base; b = x; c = 200; Backlash = 0.1; }",
    );
    near(&table, 0.1, "M.s", 0.1, 1.0);
    near(&table, 0.05, "S.state", 0.0, 1.0);
    near(&table, 0.05, "S.f", 0.0, 1.0);
    // Inside the spring s = 0.1 + sin(10 t)/10 for half a period, pi/10.
    near(&table, 0.25, "M.s", 0.1 + 0.1 * (10.0f64 * 0.15).sin(), 1.0);
    near(&table, 0.25, "S.state", 1.0, 1.0);
    let back = 0.1 + std::f64::consts::PI / 10.0;
    near(&table, 0.5, "M.v", -1.0, 1.0);
    near(&table, 0.6, "M.s", 0.1 - (0.6 - back), 1.0);
}

#[test]
fn a_stop_pushes_and_never_pulls() {
    // From s = 0 at 1 m/s onto a stop at 0.2 m with c = 100 N/m and d = 12 N s/m, m = 1 kg. In contact, x = s - 0.2:
    // x = exp(-6 t) sin(8 t)/8. The force 100 x + 12 x' vanishes where 3.5 sin(8 t) + 12 cos(8 t) = 0, and the mass
    // leaves there, while the stop is still compressed.
    let table = rows(
        1.0,
        10,
        "Mass \"M\" { a = x; m = 1; Vinit = 1; } Stop \"S\" { a = base; b = x; smin = -0.5; smax = 0.2; c = 100; d = 12; }",
    );
    let release = (std::f64::consts::PI - (12.0f64 / 3.5).atan()) / 8.0;
    let away = (-6.0 * release).exp() * ((8.0 * release).cos() - 0.75 * (8.0 * release).sin());
    assert!(away < 0.0, "{away}");
    near(&table, 0.1, "S.f", 0.0, 1.0);
    let inside: f64 = 0.1;
    let x = (-6.0 * inside).exp() * (8.0 * inside).sin() / 8.0;
    let v = (-6.0 * inside).exp() * ((8.0 * inside).cos() - 0.75 * (8.0 * inside).sin());
    near(&table, 0.3, "M.s", 0.2 + x, 1.0);
    near(&table, 0.3, "S.f", 100.0 * x + 12.0 * v, 10.0);
    near(&table, 0.3, "S.state", 1.0, 1.0);
    near(&table, 1.0, "M.v", away, 1.0);
    assert!(table.column("S.f").iter().all(|&f| f >= 0.0));
}

#[test]
fn given_motions_ask_for_the_torque_they_take() {
    // An angle of sin(2 t) on J = 3 takes tau = -12 sin(2 t); a speed of 2 t on m = 5 takes 10 N.
    let table = rows(
        1.0,
        4,
        "AngleSource \"A\" { a = x; Phi = sin(2*t); } Inertia \"J\" { a = x; J = 3; }\n\
         SpeedSource \"W\" { a = y; W = 3*t^2; Phiinit = 0.25; } Inertia \"K\" { a = y; J = 2; }\n\
         VelocitySource \"V\" { a = u; V = 2*t; Sinit = 1; } Mass \"M\" { a = u; m = 5; }\n\
         PositionSource \"S\" { a = v; b = u; S = t^3; } Mass \"N\" { a = v; m = 1; }",
    );
    for t in [0.25f64, 0.5, 1.0] {
        near(&table, t, "A.tau", -12.0 * (2.0 * t).sin(), 12.0);
        near(&table, t, "J.w", 2.0 * (2.0 * t).cos(), 1.0);
        near(&table, t, "A.power", 12.0 * (2.0 * t).sin() * 2.0 * (2.0 * t).cos(), 12.0);
        near(&table, t, "W.tau", 12.0 * t, 12.0);
        near(&table, t, "K.phi", 0.25 + t.powi(3), 1.0);
        // The second mass rides on the first: s_v = s_u + t^3.
        near(&table, t, "M.s", 1.0 + t * t, 1.0);
        near(&table, t, "S.f", 2.0 + 6.0 * t, 10.0);
        near(&table, t, "V.f", 10.0 + 2.0 + 6.0 * t, 10.0);
    }
}

#[test]
fn a_force_lifts_a_mass_against_its_weight() {
    let table = rows(
        1.0,
        2,
        "Mass \"M\" { a = x; m = 2; Sinit = 1; Vinit = 3; } ForceSource \"G\" { a = x; F = -2*9.81; }",
    );
    near(&table, 1.0, "M.s", 1.0 + 3.0 - 0.5 * 9.81, 1.0);
    near(&table, 1.0, "G.power", 2.0 * 9.81 * (3.0 - 9.81), 100.0);
}

#[test]
fn a_rack_adds_its_mass_to_the_pinion() {
    // J + m r^2 = 0.5 + 2*0.25 = 1 under 4 Nm.
    let table = rows(
        1.0,
        2,
        "Inertia \"J\" { a = x; J = 0.5; } RackPinion \"R\" { a = x; b = y; r = 0.5; } Mass \"M\" { a = y; m = 2; }\n\
         TorqueSource \"T\" { a = x; Tau = 4; }",
    );
    near(&table, 1.0, "J.w", 4.0, 1.0);
    near(&table, 1.0, "M.v", 2.0, 1.0);
    near(&table, 1.0, "M.s", 1.0, 1.0);
    near(&table, 1.0, "R.f", -4.0, 1.0);
    near(&table, 1.0, "R.tau", 2.0, 1.0);
}

#[test]
fn a_node_without_inertia_has_a_speed_and_an_acceleration() {
    // Two equal springs in series: the node between moves by half as much as the mass, m = 1, c/2 = 2 N/m.
    let table = rows(
        1.0,
        2,
        "Mass \"M\" { a = x; m = 1; Vinit = 1; } LinearSpring \"A\" { a = x; b = k; c = 4; } LinearSpring \"B\" { a = k; c = 4; }",
    );
    let w = 2.0f64.sqrt();
    near(&table, 1.0, "k.s", 0.5 * w.sin() / w, 1.0);
    near(&table, 1.0, "k.v", 0.5 * w.cos(), 1.0);
    near(&table, 1.0, "k.a", -0.5 * w * w.sin(), 1.0);
    near(&table, 1.0, "A.v", -0.5 * w.cos(), 1.0);
}

/// A network without a solution ends the run with the names of the elements that contradict each other, and with advice of their
/// own domain.
#[test]
fn contradictions_name_their_elements() {
    let cases = [
        (
            "SpeedSource \"A\" { a = x; W = 1; } Gear \"G\" { a = x; b = y; Ratio = 2; } SpeedSource \"B\" { a = y; W = 3; }",
            "Gear `G`",
            "TorsionSpring",
        ),
        (
            "Inertia \"J\" { a = x; J = 1; } Clutch \"C\" { a = x; b = y; Rmax = 1; Engaged = t > 0.5; } TorqueSource \"T\" { a = y; Tau = 2; }",
            "TorqueSource `T`",
            "Inertia",
        ),
        ("ForceSource \"F\" { a = x; F = 1; }", "ForceSource `F`", "Mass"),
    ];
    for (elements, name, remedy) in cases {
        let setting = Setting { solver: "derf", end: 1.0, step: 0.5, tolerance: 1e-9 };
        let outcome = run(&text(setting, "", elements));
        let mistake = outcome.failure();
        assert!(mistake.message.contains(name), "{}", mistake.message);
        let help = mistake.help.as_deref().unwrap_or("");
        assert!(help.contains(remedy), "{help}");
    }
}
