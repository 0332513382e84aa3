//! Bonds that end at nodes of networks: e = v, p, T and f into the node; at mechanical nodes f = speed, e on the node.

use super::support::{gap, solve, text};

#[test]
fn a_motor_between_a_circuit_and_a_drive_train() {
    // Circuit and load are networks, the motor in between is a gyrator.
    let mixed = solve(&text(
        0.2,
        0.002,
        r#"VoltageSource "U" { p = a; n = gnd; V = 24; } Resistor "R" { p = a; n = b; R = 0.5; }
        Inductor "L" { p = b; n = c; L = 2e-3; }
        Bond "electrical" { From = c; To = motor; } GY "motor" { r = 0.05; }
        Bond "mechanical" { From = motor; To = shaft; }
        Inertia "J" { a = shaft; J = 2e-4; } TorsionSpring "d" { a = base; b = shaft; d = 5e-4; }"#,
    ));
    let pure = solve(&text(
        0.2,
        0.002,
        r#"Se "U" { e = 24; } Junction1 "armature" {} R "R" { R = 0.5; } I "L" { I = 2e-3; }
        GY "motor" { r = 0.05; } Junction1 "shaft" {} I "J" { I = 2e-4; } R "d" { R = 5e-4; }
        Bond "1" { From = U; To = armature; } Bond "2" { From = armature; To = R; } Bond "3" { From = armature; To = L; }
        Bond "4" { From = armature; To = motor; } Bond "5" { From = motor; To = shaft; }
        Bond "6" { From = shaft; To = J; } Bond "7" { From = shaft; To = d; }"#,
    ));
    let (mixed, pure) = (mixed.table("csv"), pure.table("csv"));
    // Two runs with 1e-9 per step and damping.
    for (one, two) in
        [("shaft.w", "J.f"), ("L.i", "L.f"), ("mechanical.e", "5.e"), ("electrical.e", "4.e")]
    {
        let gap = gap((&mixed, one), (&pure, two));
        assert!(gap <= 1e-7, "{one} is off by {gap:e}");
    }
}

#[test]
fn a_bond_to_a_translational_node_pushes_it() {
    let outcome = solve(&text(
        1.0,
        0.1,
        r#"Mass "m" { a = x; m = 2; } Se "F" { e = 3; } Bond "push" { From = F; To = node:x; }"#,
    ));
    let table = outcome.table("csv");
    assert!((table.last("x.v") - 1.5).abs() <= 1e-9);
    assert!((table.last("push.power") - 4.5).abs() <= 1e-8);
    assert!((table.last("x.s") - 0.75).abs() <= 1e-9);
}

#[test]
fn half_arrows_from_and_to_a_node_count_with_opposite_sign() {
    let one = r#"Resistor "R1" { p = a; n = gnd; R = 2; } Sf "I" { f = 3; } Bond "b" { From = I; To = a; }"#;
    let two = one.replace("From = I; To = a", "From = a; To = I");
    for (elements, expected) in [(one.to_string(), 6.0), (two, -6.0)] {
        let outcome = solve(&text(0.1, 0.1, &elements));
        assert!((outcome.table("csv").last("a.v") - expected).abs() <= 1e-12);
    }
}

#[test]
fn fixed_nodes_are_ends_of_bonds() {
    // gnd gives no effort, base no flow.
    let outcome = solve(&text(
        1.0,
        0.5,
        r#"Se "U" { e = 6; } Junction1 "loop" {} R "r" { R = 2; }
        Bond "1" { From = U; To = loop; } Bond "2" { From = loop; To = r; } Bond "3" { From = loop; To = gnd; }
        Se "F" { e = 5; } Junction0 "link" {} R "d" { R = 10; }
        Bond "4" { From = F; To = link; } Bond "5" { From = link; To = d; } Bond "6" { From = link; To = base; }"#,
    ));
    let table = outcome.table("csv");
    for (signal, expected) in [("r.f", 3.0), ("3.e", 0.0), ("d.f", 0.5), ("6.f", 0.0), ("6.e", 5.0)]
    {
        let found = table.last(signal);
        assert!((found - expected).abs() <= 1e-12, "{signal} = {found}");
    }
}

#[test]
fn two_bonds_meet_at_a_node_that_only_they_touch() {
    // A capacitor node between two bond graphs: charge from one, loss in the other.
    let outcome = solve(&text(
        1.0,
        0.1,
        r#"Capacitor "C1" { p = a; n = gnd; C = 0.5; Vinit = 2; } R "r" { R = 2; } Bond "1" { From = a; To = r; }"#,
    ));
    let table = outcome.table("csv");
    for (t, v) in table.column("t").into_iter().zip(table.column("a.v")) {
        // RC = 1 s; the tolerance is 1e-9 per step.
        assert!((v - 2.0 * (-t).exp()).abs() <= 1e-7, "v({t}) = {v}");
    }
}

/// An arm that swings about a horizontal axis, with more in its joint block and behind it.
fn arm(joint: &str, more: &str) -> String {
    format!(
        r#"Triad "pivot" {{ Parent = world; }} Triad "end" {{ Parent = arm; }}
        Revolute "hinge" {{ Parent = arm; TriadFrom = pivot; TriadTo = end; JointAxis = 0, -1, 0; Qinit = -1; {joint} }}
        Body "arm" {{ Parent = world; Joint = hinge; Mass = 8; Inertia = 0.01, 0, 0, 0.7, 0, 0.7; CGFramePosition = 0.5, 0, 0; }}
        {more}"#
    )
}

#[test]
fn a_rotor_geared_to_a_joint_is_the_rotor_inertia_of_the_joint() {
    // f2 = m f1: the rotor turns 50 times as fast, so that the joint feels 50^2 J, and a torque M 50 times.
    let train = arm(
        "",
        r#"JointAxis "axis" { flange = shaft; Joint = hinge; } I "J" { I = 2e-4; } R "d" { R = 1e-3; }
        MSe "M" { e = 0.5*sin(3*t); } Junction1 "rotor" {} TF "gear" { m = 1/50; }
        Bond "1" { From = M; To = rotor; } Bond "2" { From = rotor; To = J; } Bond "3" { From = rotor; To = d; }
        Bond "4" { From = rotor; To = gear; } Bond "5" { From = gear; To = shaft; }"#,
    );
    let plain = arm(
        "RotorInertia = 0.5; Damping = 2.5;",
        r#"JointForce "M" { Joint1D = hinge; Value = 25*sin(3*t); }"#,
    );
    let (train, plain) = (solve(&text(2.0, 0.02, &train)), solve(&text(2.0, 0.02, &plain)));
    let (train, plain) = (train.table("csv"), plain.table("csv"));
    for column in ["hinge.q", "hinge.qd"] {
        let gap = gap((&train, column), (&plain, column));
        assert!(gap <= 1e-7, "{column} is off by {gap:e}");
    }
}

#[test]
fn the_motor_of_the_network_is_the_gyrator() {
    let motor = solve(&text(
        0.2,
        0.002,
        r#"VoltageSource "U" { p = a; n = gnd; V = 24; }
        Motor "M" { p = a; n = gnd; shaft = s; R = 0.5; L = 2e-3; k = 0.05; J = 2e-4; d = 5e-4; }"#,
    ));
    let graph = solve(&text(
        0.2,
        0.002,
        r#"Se "U" { e = 24; } Junction1 "armature" {} R "R" { R = 0.5; } I "L" { I = 2e-3; }
        GY "motor" { r = 0.05; } Junction1 "shaft" {} I "J" { I = 2e-4; } R "d" { R = 5e-4; }
        Bond "1" { From = U; To = armature; } Bond "2" { From = armature; To = R; } Bond "3" { From = armature; To = L; }
        Bond "4" { From = armature; To = motor; } Bond "5" { From = motor; To = shaft; }
        Bond "6" { From = shaft; To = J; } Bond "7" { From = shaft; To = d; }"#,
    ));
    let (motor, graph) = (motor.table("csv"), graph.table("csv"));
    for (one, two) in [("M.w", "J.f"), ("M.i", "L.f")] {
        let gap = gap((&motor, one), (&graph, two));
        assert!(gap <= 1e-7, "{one} is off by {gap:e}");
    }
}

#[test]
fn the_feed_drive_is_its_drive_train() {
    let train = solve(&text(
        2.0,
        0.002,
        r#"TorqueSource "MA" { a = w1; Tau = 2; } Inertia "J1" { a = w1; J = 0.004; }
        TorsionSpring "k1" { a = w2; b = w1; c = 60; } Inertia "J2" { a = w2; J = 0.001; }
        RackPinion "n" { a = w2; b = x; r = 0.03; } Mass "m" { a = x; m = 8; }
        LinearSpring "k2" { a = base; b = x; c = 20000; d = 80; }"#,
    ));
    let graph = solve(&super::support::with_all_signals(&super::support::model("feed_drive")));
    let (train, graph) = (train.table("csv"), graph.table("csv"));
    // Lightly damped: 2000 steps of 1e-8 may add up.
    for (one, two) in [("J1.w", "J1.f"), ("J2.w", "J2.f"), ("x.v", "m.f")] {
        let gap = gap((&train, one), (&graph, two));
        assert!(gap <= 2e-5, "{one} is off by {gap:e}");
    }
}

#[test]
fn a_hydraulic_node_takes_the_flow_of_a_bond() {
    // Compliance and laminar resistor: p' = (Q - p/R)/C.
    let outcome = solve(&text(
        2.0,
        0.1,
        r#"Compliance "tank1" { a = x; C = 2e-9; } HydraulicResistor "out" { a = x; R = 1e9; }
        Sf "pump" { f = 1e-4; } Bond "b" { From = pump; To = x; }"#,
    ));
    let table = outcome.table("csv");
    for (t, p) in table.column("t").into_iter().zip(table.column("x.p")) {
        // RC = 2 s, and 1e5 Pa at the end; the tolerance is 1e-9 per step.
        let expected = 1e5 * (1.0 - (-t / 2.0).exp());
        assert!((p - expected).abs() <= 1e-2, "p({t}) = {p}");
    }
}

#[test]
fn a_thermal_node_takes_the_heat_of_a_bond() {
    let outcome = solve(&text(
        2.0,
        0.1,
        r#"HeatCapacity "block" { a = x; C = 10; Tinit = 300; } Sf "heater" { f = 50; } Bond "b" { From = heater; To = x; }"#,
    ));
    let table = outcome.table("csv");
    assert!((table.last("x.T") - 310.0).abs() <= 1e-6, "{}", table.last("x.T"));
    assert!((table.last("b.e") - 310.0).abs() <= 1e-6);
}
