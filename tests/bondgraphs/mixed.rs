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
