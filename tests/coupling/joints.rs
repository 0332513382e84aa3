//! Drives on joints of other kinds: sliding ones, several components, joints of closed loops.

use super::arms::{FINE, G, distance, second, solved};
use dysim_tests::blocks::Text;

/// A mass on a rail, with a second one that moves with it through a rod: both fall together.
#[test]
fn a_rod_on_a_prismatic_joint_carries_its_mass() {
    let text = Text::new([0.0, 0.0, -G], second())
        .joint(
            "Prismatic",
            ["P", "world", "cart"],
            [0.0; 3],
            "JointAxis = 0, 0, 1; Qinit = 2; QDinit = 1; Degrees = rad;",
        )
        .body(["cart", "world", "P"], 3.0, [0.1, 0.1, 0.1], [0.0; 3])
        .with("JointAxis \"axis\" { flange = rod; Joint = P; }")
        .with("Mass \"more\" { a = rod; m = 1.5; }")
        .with("ForceSource \"push\" { a = rod; F = 6; }")
        .with("Output \"o\" { Signals = P.q, P.qd, more.s, axis.tau; Files = csv; }");
    let outcome = solved(&text);
    // Only the cart has weight; the mass of the rod has inertia alone.
    let a = (6.0 - 3.0 * G) / 4.5;
    for row in &outcome.table("csv").rows {
        let t = row[0];
        let q = 2.0 + t + 0.5 * a * t * t;
        let expected = [t, q, 1.0 + a * t, q, 6.0 - 1.5 * a];
        for (found, expected) in row.iter().zip(expected) {
            assert!((found - expected).abs() < 1e3 * FINE * 10.0, "{row:?} {expected}");
        }
    }
}

/// Both components of a cylindrical joint have drives: the shaft turns, the rod shifts.
#[test]
fn each_component_of_a_joint_has_a_drive_of_its_own() {
    let joint = |more: &str| {
        Text::new([0.0, 0.0, -G], second())
            .joint(
                "Cylindrical",
                ["C", "world", "bolt"],
                [0.0; 3],
                &format!("JointAxis = 0, 0, 1; JointPoint = 0, 0, 0; Qinit = 0.2, 0.1; QDinit = 3, -1; Degrees = rad; {more}"),
            )
            .body(["bolt", "world", "C"], 2.0, [0.3, 0.2, 0.15], [0.1, 0.0, 0.0])
    };
    let columns = "Output \"o\" { Signals = C.q[1], C.q[2], C.qd[1], C.qd[2]; Files = csv; }";
    let train = joint("")
        .with("JointAxis \"turn\" { flange = shaft; Joint = C; }")
        .with("JointAxis \"lift\" { flange = rod; Joint = C; Component = 2; }")
        .with("Inertia \"wheel\" { a = shaft; J = 0.4; }")
        .with("Mass \"weight\" { a = rod; m = 0.7; }")
        .with("TorqueSource \"m\" { a = shaft; Tau = -weight.v; }")
        .with("ForceSource \"f\" { a = rod; F = wheel.w; }")
        .with(columns);
    let plain = joint("RotorInertia = 0.4, 0.7;")
        .with("JointForce \"jf\" { Joint1D = C; Value = -C.qd[2], C.qd[1]; }")
        .with(columns);
    let (a, b) = (solved(&train), solved(&plain));
    let apart = distance(&a.table("csv"), &b.table("csv"));
    assert!(apart < 1e3 * FINE, "{apart:e}");
}

/// A four-bar linkage at rest that falls, with a geared drive on the joint of its rocker. It is cut open either at the
/// tip of the rocker, so that the driven joint belongs to the tree, or at the driven joint itself.
fn four_bar(closing: &str) -> Text {
    let hinge = "JointAxis = 0, 1, 0; JointPoint = 0, 0, 0; Qinit = 0; QDinit = 0; Degrees = rad;";
    let text = Text::new([0.3, 0.0, -G], second())
        .joint("Revolute", ["A", "world", "crank"], [0.0; 3], hinge)
        .joint("Revolute", ["B", "crank", "coupler"], [0.0, 0.0, 0.4], hinge)
        .body(["crank", "world", "A"], 1.0, [0.02, 0.02, 0.01], [0.0, 0.0, 0.2])
        .body(["coupler", "crank", "B"], 2.0, [0.1, 0.2, 0.1], [0.45, 0.0, 0.15]);
    let close = |text: Text, name: &str, from: (&str, [f64; 3]), to: (&str, [f64; 3])| {
        text.triad(&format!("{name}_0"), from.0, from.1)
            .triad(&format!("{name}_1"), to.0, to.1)
            .with(&format!(
                "Revolute \"{name}\" {{ Role = loop; TriadFrom = {name}_0; TriadTo = {name}_1; {hinge} }}"
            ))
    };
    let text = match closing {
        "C" => {
            let text = text
                .joint("Revolute", ["D", "world", "rocker"], [1.0, 0.0, 0.0], hinge)
                .body(["rocker", "world", "D"], 1.5, [0.1, 0.08, 0.05], [-0.05, 0.0, 0.35]);
            close(text, "C", ("coupler", [0.9, 0.0, 0.3]), ("rocker", [-0.1, 0.0, 0.7]))
        }
        _ => {
            let text = text
                .joint("Revolute", ["C", "coupler", "rocker"], [0.9, 0.0, 0.3], hinge)
                .body(["rocker", "coupler", "C"], 1.5, [0.1, 0.08, 0.05], [0.05, 0.0, -0.35]);
            close(text, "D", ("world", [1.0, 0.0, 0.0]), ("rocker", [0.1, 0.0, -0.7]))
        }
    };
    text.with("JointAxis \"axis\" { flange = s; Joint = D; }")
        .with("Inertia \"rotor\" { a = s; J = 0.015; MountedOn = crank; MountAxis = 0, 1, 0; }")
        .with("TorqueSource \"motor\" { a = s; Tau = 3*cos(4*t) - 0.2*axis.qd; }")
        .with("Output \"o\" { Signals = A.q, A.qd, axis.q, axis.qd, axis.tau, rotor.a; Files = csv; }")
}

#[test]
fn a_drive_on_a_loop_is_the_same_wherever_the_loop_is_cut() {
    let (a, b) = (solved(&four_bar("C")), solved(&four_bar("D")));
    // Speeds of up to 10 rad/s and torques of some 10 Nm.
    let apart = distance(&a.table("csv"), &b.table("csv"));
    assert!(apart < 1e5 * FINE, "{apart:e}");
    let moved =
        a.table("csv").column("axis.q").into_iter().fold(0.0, |most: f64, q| most.max(q.abs()));
    assert!(moved > 0.1, "{moved}");
}
