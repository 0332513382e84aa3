//! Gears with and without losses, planetary gears, differentials.

use super::support::{near, rows};

#[test]
fn a_gear_reduces_inertia_by_the_square_of_its_ratio() {
    // (J1 + J2/i^2) phi1'' = u: the intro example of Otter's thesis without its spring, i = -5.
    let table = rows(
        1.0,
        2,
        "Inertia \"s1\" { a = x; J = 0.01; } Gear \"g\" { a = x; b = y; Ratio = -5; } Inertia \"s2\" { a = y; J = 0.1; }\n\
         TorqueSource \"u\" { a = x; Tau = 0.07; }",
    );
    let a = 0.07 / (0.01 + 0.1 / 25.0);
    near(&table, 1.0, "s1.w", a, a);
    near(&table, 1.0, "s2.w", -a / 5.0, a);
    near(&table, 1.0, "s2.phi", -a / 10.0, a);
    near(&table, 1.0, "g.tau_b", 0.1 * a / 5.0, 1.0);
}

#[test]
fn a_gear_reacts_on_its_housing() {
    // The housing takes -(tau_a + tau_b); w_a - w_h = i (w_b - w_h). Momentum of the free train stays zero.
    let table = rows(
        1.0,
        2,
        "Inertia \"A\" { a = x; J = 1; } Inertia \"B\" { a = y; J = 2; } Inertia \"H\" { a = h; J = 5; }\n\
         Gear \"G\" { a = x; b = y; housing = h; Ratio = 3; } TorqueSource \"T\" { a = x; b = h; Tau = 6; }",
    );
    let [wa, wb, wh] = ["A.w", "B.w", "H.w"].map(|column| table.at(1.0, column));
    assert!((wa + 2.0 * wb + 5.0 * wh).abs() < 1e-6, "momentum {}", wa + 2.0 * wb + 5.0 * wh);
    assert!((wa - wh - 3.0 * (wb - wh)).abs() < 1e-9);
    // With x = w_a - w_h, w_b - w_h = x/3: the kinetic energy is that of the work 6 phi_rel.
    let angle = table.at(1.0, "A.phi") - table.at(1.0, "H.phi");
    let energy = 0.5 * (wa * wa + 2.0 * wb * wb + 5.0 * wh * wh);
    assert!((energy - 6.0 * angle).abs() < 1e-6 * energy, "{energy} {angle}");
}

#[test]
fn a_gear_with_losses_drives_in_both_directions() {
    let (i, eta, jm, jl) = (4.0, 0.8, 0.05, 1.2);
    let driving = rows(
        1.0,
        1,
        "Inertia \"m\" { a = x; J = 0.05; } Gear \"g\" { a = x; b = y; Ratio = 4; Efficiency = 0.8; } Inertia \"l\" { a = y; J = 1.2; }\n\
         TorqueSource \"u\" { a = x; Tau = 2; }",
    );
    // J_m i a = u - tau, J_l a = i eta tau with the torque tau into the gear.
    let a = i * eta * 2.0 / (jl + eta * i * i * jm);
    near(&driving, 1.0, "l.w", a, a);
    near(&driving, 1.0, "g.state", 1.0, 1.0);
    let loss = (1.0 - eta) * (2.0 - jm * i * a) * i * a;
    near(&driving, 1.0, "g.power", loss, loss);
    // J_l a = L - T, J_m i a = eta T/i with the torque T into the gear at b.
    let driven = rows(
        1.0,
        1,
        "Inertia \"m\" { a = x; J = 0.05; } Gear \"g\" { a = x; b = y; Ratio = 4; Efficiency = 0.8; } Inertia \"l\" { a = y; J = 1.2; }\n\
         TorqueSource \"u\" { a = y; Tau = 2; }",
    );
    let a = 2.0 / (jl + jm * i * i / eta);
    near(&driven, 1.0, "l.w", a, a);
    near(&driven, 1.0, "g.state", -1.0, 1.0);
}

#[test]
fn losses_hold_a_load_that_is_not_much_too_heavy() {
    // 2 Nm at a lift up to i eta u = 6.4 Nm and hold up to i u/eta = 10 Nm. A load of 8 Nm that still moves up slows
    // down, stops and stays; at 12 Nm it sinks.
    let table = rows(
        3.0,
        6,
        "Inertia \"m\" { a = x; J = 0.05; Winit = 4; } Gear \"g\" { a = x; b = y; Ratio = 4; Efficiency = 0.8; } Inertia \"l\" { a = y; J = 1.2; Winit = 1; }\n\
         TorqueSource \"u\" { a = x; Tau = 2; } TorqueSource \"L\" { a = y; Tau = if(t < 2, -8, -12); }",
    );
    // Up: (J_l + eta i^2 J_m) a = i eta u - 8.
    let up = (6.4 - 8.0) / (1.2 + 0.8 * 16.0 * 0.05);
    near(&table, 1.0, "l.w", 1.0 + up, 1.0);
    let stop = -1.0 / up;
    assert!(stop < 2.0);
    near(&table, 2.0, "l.w", 0.0, 1.0);
    near(&table, 2.0, "l.phi", 0.5 * stop, 1.0);
    near(&table, 1.5, "g.state", if stop < 1.5 { 0.0 } else { 1.0 }, 1.0);
    // Down, the load drives: J_l a = -12 + T, J_m i a = 2 - eta T/i.
    let down = (-12.0 + 4.0 * 2.0 / 0.8) / (1.2 + 16.0 * 0.05 / 0.8);
    near(&table, 3.0, "l.w", down, 1.0);
    near(&table, 3.0, "g.state", -1.0, 1.0);
    // Rounding of tau_a w_a + tau_b w_b, of some 10 W each.
    assert!(table.column("g.power").iter().all(|&loss| loss >= -1e-9));
}

#[test]
fn a_planetary_gear_adds_speeds_and_splits_torques() {
    // (1 + i) w_c = w_s + i w_r with i = 2.5: sun driven at 7 rad/s, ring at -1 rad/s.
    let table = rows(
        1.0,
        1,
        "SpeedSource \"S\" { a = s; W = 7; } SpeedSource \"R\" { a = r; W = -1; } Inertia \"C\" { a = c; J = 2; }\n\
         Planetary \"P\" { sun = s; carrier = c; ring = r; Ratio = 2.5; } TorsionSpring \"D\" { a = c; d = 3; }",
    );
    let w = (7.0 - 2.5) / 3.5;
    near(&table, 1.0, "C.w", w, 1.0);
    near(&table, 1.0, "P.tau_sun", 3.0 * w / 3.5, 1.0);
    near(&table, 1.0, "P.tau_ring", 2.5 * 3.0 * w / 3.5, 1.0);
    near(&table, 1.0, "P.tau_carrier", -3.0 * w, 1.0);
    near(&table, 1.0, "P.power", 0.0, 1.0);
    // With a fixed ring it is a reduction gear of 3.5: J_s + J_c/3.5^2.
    let fixed = rows(
        1.0,
        1,
        "Inertia \"S\" { a = s; J = 1; } Inertia \"C\" { a = c; J = 24.5; } TorqueSource \"T\" { a = s; Tau = 6; }\n\
         Planetary \"P\" { sun = s; carrier = c; ring = base; Ratio = 2.5; }",
    );
    near(&fixed, 1.0, "S.w", 2.0, 1.0);
    near(&fixed, 1.0, "C.w", 2.0 / 3.5, 1.0);
}

#[test]
fn a_differential_splits_its_torque_evenly() {
    // Ratio 4, 3 Nm: 6 Nm on each side, whatever the sides do.
    let table = rows(
        1.0,
        1,
        "TorqueSource \"T\" { a = d; Tau = 3; } Differential \"D\" { in = d; left = l; right = r; Ratio = 4; }\n\
         Inertia \"L\" { a = l; J = 1; } Inertia \"R\" { a = r; J = 3; }",
    );
    near(&table, 1.0, "L.w", 6.0, 1.0);
    near(&table, 1.0, "R.w", 2.0, 1.0);
    near(&table, 1.0, "d.w", 16.0, 1.0);
    near(&table, 1.0, "D.tau_left", -6.0, 1.0);
}

#[test]
fn a_long_rigid_train_has_one_freedom() {
    // 1000 shafts of 1 kg m^2 behind ratios of 1.25 and 0.8 in turn: every second one turns at 1/1.25 of the first, so
    // the inertia at the first is 500 (1 + 0.64).
    let settings = "Output \"o\" { Files = csv; Signals = J0.w, J1.w, J999.phi; }";
    let train = dysim_generated::trains::rigid_train(1000);
    let elements = &train[train.find("TorqueSource").unwrap_or(0)..];
    let text = dysim_tests::circuits::text(
        dysim_tests::circuits::Setting { solver: "derf", end: 1.0, step: 0.5, tolerance: 1e-9 },
        "",
        elements,
    );
    let text = text.replace("Output \"o\" { Files = csv; }", settings);
    let table = dysim_tests::simulate::run(&text).complete().table("csv");
    let w = 1.0 / (500.0 * 1.64);
    near(&table, 1.0, "J0.w", w, w);
    near(&table, 1.0, "J1.w", 0.8 * w, w);
    near(&table, 1.0, "J999.phi", 0.5 * 0.8 * w, w);
}

#[test]
fn rigid_parts_that_begin_differently_share_their_momentum() {
    // On one shaft J = 1 at 3 rad/s and J = 2 at rest; through a ratio of 2, J = 1 at 3 rad/s and J = 4 at rest. Torques
    // of a gear do not keep the sum of momenta, but J_a w_a + J_b w_b/i of both shafts.
    let table = rows(
        1.0,
        1,
        "Inertia \"A\" { a = x; J = 1; Winit = 3; } Inertia \"B\" { a = x; J = 2; Winit = 0; }\n\
         Inertia \"C\" { a = u; J = 1; Winit = 3; } Gear \"G\" { a = u; b = v; Ratio = 2; } Inertia \"D\" { a = v; J = 4; Winit = 0; }",
    );
    near(&table, 0.0, "A.w", 1.0, 1.0);
    near(&table, 1.0, "B.w", 1.0, 1.0);
    near(&table, 0.0, "C.w", 1.5, 1.0);
    near(&table, 1.0, "D.w", 0.75, 1.0);
}
