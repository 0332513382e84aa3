//! Equilibria.

use std::f64::consts::PI;

use dysim_tests::blocks::Text;
use dysim_tests::simulate::Outcome;

use super::support::{
    DOWN, G, analyse, heading, near, prismatic, refusal, refusal_of_unphysical, revolute,
};

/// A forgiving bound for coordinates: the search ends with corrections below 1e-10 of the unit and then improves
/// quadratically, so that only rounding of forces over stiffness is left.
const Q: f64 = 1e-11;

/// A rod of 1 m and 2 kg that hangs along -z at q = 0.
fn pendulum(text: Text, q: f64, more: &str) -> Text {
    text.joint("Revolute", ["J", "world", "rod"], [0.0; 3], &revolute("0, 1, 0", q, more)).body(
        ["rod", "world", "J"],
        2.0,
        [1.0 / 6.0, 1.0 / 6.0, 1e-3],
        [0.0, 0.0, -0.5],
    )
}

fn notes(outcome: &Outcome) -> String {
    outcome.summary.remarks.join("\n")
}

#[test]
fn a_pendulum_hangs_from_wherever_it_starts() {
    for start in [0.1, PI / 3.0, 2.0, 3.1, -3.0] {
        let outcome = analyse(&pendulum(heading("static", DOWN, ""), start, ""));
        let csv = outcome.table("csv");
        near(csv.last("J.q"), 0.0, Q);
        // The joint carries the weight.
        near(csv.last("J.fz"), 2.0 * G, 1e-10);
        assert!(outcome.summary.findings.iter().any(|line| line == "it is stable"));
        assert_eq!(csv.rows.len(), 1);
    }
}

#[test]
fn an_upright_pendulum_is_called_unstable_with_its_time_constant() {
    let outcome = analyse(&pendulum(heading("static", DOWN, ""), PI, ""));
    let said = notes(&outcome);
    // I phi'' = m g l phi with I = 1/6 + 2 * 0.25.
    let time = (2.0_f64 / 3.0 / (2.0 * G * 0.5)).sqrt();
    assert!(said.contains("UNSTABLE") && said.contains("J.q"), "{said}");
    assert!(said.contains(&format!("{time:.3e}")), "{said} {time}");
}

#[test]
fn a_ball_joint_pendulum_hangs_and_its_spin_is_indifferent() {
    let ball = "Qinit = 0.4, 2.0, 0.3; QDinit = 0, 0, 0; AngleType = euler; Degrees = rad;";
    let text = heading("static", DOWN, "")
        .joint("Spherical", ["J", "world", "bob"], [0.0; 3], ball)
        .body(["bob", "world", "J"], 3.0, [0.02, 0.03, 0.04], [0.0, 0.0, -0.7]);
    let outcome = analyse(&text);
    let pva = outcome.table("pva");
    // The axis of the body points down again whatever the rotation about it.
    near(pva.last("bob.D33"), 1.0, Q);
    let said = notes(&outcome);
    assert!(said.contains("indifferent") && said.contains("J.rot_z"), "{said}");
}

#[test]
fn springs_sag_by_weight_over_stiffness() {
    // The reference problem of a mass on a TSDA: m = 2, k = 50.
    let text = heading("static", [0.0, 0.0, -9.8065], "")
        .joint("Prismatic", ["J", "world", "mass"], [0.0; 3], &prismatic("0, 0, 1", 0.3, ""))
        .body(["mass", "world", "J"], 2.0, [0.1; 3], [0.0; 3])
        .with("TSDA \"S\" { Joint1D = J; ElasticLinear = 50; DampingLinear = 1.5; ZeroLength = 0; OneSide = bi; }");
    near(analyse(&text).table("csv").last("J.q"), -2.0 * 9.8065 / 50.0, Q);
    // Two springs in series between free bodies, which also have to come to hang below each other.
    let free = |x: f64, z: f64| {
        format!(
            "Qinit = {x:?}, 0.05, {z:?}, 0, 0, 0; QDinit = 0, 0, 0, 0, 0, 0; AngleType = cardan; Degrees = rad;"
        )
    };
    let spring = |name: &str, from: &str, to: &str, k: f64| {
        format!(
            "Spring \"{name}\" {{ TriadFrom = {from}; TriadTo = {to}; ElasticLinear = {k:?}; DampingLinear = 0; ZeroLength = 0.5; OneSide = bi; }}"
        )
    };
    let text = heading("static", DOWN, "")
        .triad("hook", "world", [0.0; 3])
        .joint("Free", ["A", "world", "a"], [0.0; 3], &free(0.2, -0.4))
        .body(["a", "world", "A"], 1.0, [0.01; 3], [0.0; 3])
        .joint("Free", ["B", "world", "b"], [0.0; 3], &free(-0.1, -1.3))
        .body(["b", "world", "B"], 2.0, [0.01; 3], [0.0; 3])
        .with(&spring("upper", "hook", "A_1", 200.0))
        .with(&spring("lower", "A_1", "B_1", 100.0));
    let csv = analyse(&text).table("csv");
    let upper = 0.5 + 3.0 * G / 200.0;
    let lower = 0.5 + 2.0 * G / 100.0;
    for (signal, expected) in
        [("A.q[1]", 0.0), ("A.q[3]", -upper), ("B.q[2]", 0.0), ("B.q[3]", -upper - lower)]
    {
        near(csv.last(signal), expected, 1e-10);
    }
}

#[test]
fn a_ball_falls_onto_the_ground_and_sinks_in() {
    let text = heading("static", DOWN, "")
        .triad("ground", "world", [0.0; 3])
        .joint("Prismatic", ["J", "world", "ball"], [0.0; 3], &prismatic("0, 0, 1", 5.0, ""))
        .body(["ball", "world", "J"], 2.0, [0.1; 3], [0.0; 3])
        .with("ContactSimple \"C\" { TriadFrom = ground; TriadTo = J_1; ElasticLinearZ = 1e5; DampingLinearZ = 10; FrictionXY = 1; }");
    let outcome = analyse(&text);
    near(outcome.table("csv").last("J.q"), -2.0 * G / 1e5, 1e-12);
    assert!(outcome.summary.findings.iter().any(|line| line == "it is stable"));
}

/// A block on a plane that falls towards +x by the angle, with static friction `mu`.
fn incline(angle: f64, mu: f64) -> Text {
    let gravity = [G * angle.sin(), 0.0, -G * angle.cos()];
    heading("static", gravity, "")
        .triad("ground", "world", [0.0; 3])
        .joint("TriPrismatic", ["J", "world", "block"], [0.0; 3], "Qinit = 0, 0, -1e-5; QDinit = 0, 0, 0;")
        .body(["block", "world", "J"], 5.0, [0.1; 3], [0.0; 3])
        .with(&format!(
            "Contact \"C\" {{ TriadFrom = ground; TriadTo = J_1; ElasticLinearZ = 1e6; DampingLinearZ = 100; DampingO2MixedZ = 0;\n\
             SlipDampingLinear = 0; SlipFrictionCoeff = {mu:?}; VSlipMin = 0.01; SlipFrictionCoeffRot = 0; OmegaSlipMin = 1;\n\
             StickElasticLinear = 2e5; StickDampingLinear = 100; StaticFrictionCoeff = {mu:?}; StickElasticLinearRot = 0;\n\
             StickDampingLinearRot = 0; StaticFrictionCoeffRot = 0; Degrees = rad; }}"
        ))
}

#[test]
fn a_block_sticks_on_an_incline_that_friction_holds() {
    let outcome = analyse(&incline(0.3, 0.5));
    let csv = outcome.table("csv");
    near(csv.last("J.q[3]"), -5.0 * G * 0.3_f64.cos() / 1e6, 1e-12);
    // It sticks where it first touches and gives by the stiffness of sticking.
    near(csv.last("J.q[1]"), 5.0 * G * 0.3_f64.sin() / 2e5, 1e-11);
    let frc = outcome.table("frc");
    assert_eq!((frc.last("C.contact"), frc.last("C.stick")), (1.0, 1.0));
    near(frc.last("C.fx"), 5.0 * G * 0.3_f64.sin(), 1e-6);
}

#[test]
fn a_block_on_a_steep_incline_is_named_with_its_force() {
    let said = refusal(&incline(0.6, 0.5));
    assert!(said.contains("no equilibrium") && said.contains("J.q[1]"), "{said}");
}

#[test]
fn a_body_that_nothing_holds_is_named_with_its_weight() {
    let free =
        "Qinit = 0, 0, 0, 0, 0, 0; QDinit = 0, 0, 0, 0, 0, 0; AngleType = cardan; Degrees = rad;";
    let text = heading("static", DOWN, "").joint("Free", ["J", "world", "b"], [0.0; 3], free).body(
        ["b", "world", "J"],
        4.0,
        [0.1; 3],
        [0.0; 3],
    );
    let said = refusal(&text);
    assert!(said.contains("J.q[3] (-3.924e1 N left)"), "{said}");
}

#[test]
fn friction_holds_a_pendulum_as_far_as_it_can() {
    // m g l = 9.81 Nm; friction of 3 Nm holds it up to asin(3 / 9.81) = 0.311.
    let held = analyse(&pendulum(heading("static", DOWN, ""), 0.25, "Friction = 3;"));
    near(held.table("csv").last("J.q"), 0.25, 0.0);
    let slid = analyse(&pendulum(heading("static", DOWN, ""), 1.2, "Friction = 3;"));
    // Everything within the limit is an equilibrium; it stops as soon as friction holds.
    let torque = G * slid.table("csv").last("J.q").sin();
    assert!((2.9..=3.0 + 1e-9).contains(&torque), "{torque}");
}

#[test]
fn a_strut_buckles_when_its_spring_is_too_weak() {
    // Upright at q = 0 with a torsion spring: stable for k > m g l = 9.81, else at k q = m g l sin q.
    let strut = |k: f64, q: f64| {
        heading("static", DOWN, "")
            .joint("Revolute", ["J", "world", "rod"], [0.0; 3], &revolute("0, 1, 0", q, ""))
            .body(["rod", "world", "J"], 2.0, [0.2, 0.2, 1e-3], [0.0, 0.0, 0.5])
            .with(&format!("RSDA \"S\" {{ Joint1D = J; ElasticLinear = {k:?}; DampingLinear = 0; ZeroAngle = 0; OneSide = bi; Degrees = rad; }}"))
    };
    near(analyse(&strut(12.0, 0.3)).table("csv").last("J.q"), 0.0, Q);
    let q = analyse(&strut(8.0, 0.01)).table("csv").last("J.q");
    assert!(q > 0.5, "{q}");
    near(8.0 * q, G * q.sin(), 1e-9);
    let straight = analyse(&strut(8.0, 0.0));
    assert!(notes(&straight).contains("UNSTABLE"));
}

#[test]
fn a_stop_carries_what_leans_on_it() {
    // The rod falls from 2 rad towards its stop at 1 rad.
    let more = "LowerLimit = 1; UpperLimit = 4; StopStiffness = 1e4; StopDamping = 1;";
    let q = analyse(&pendulum(heading("static", DOWN, ""), 2.0, more)).table("csv").last("J.q");
    near(1e4 * (1.0 - q), G * q.sin(), 1e-7);
}

#[test]
fn a_follower_force_that_makes_a_column_flutter_is_reported() {
    // Ziegler's column (1952): two links of length 1, masses 2 m and m at their ends, springs c, and a force P that
    // follows the last link. Without damping it flutters for P l / c between 7/2 - sqrt 2 and 7/2 + sqrt 2.
    let column = |p: f64| {
        let mut text = heading("static", [0.0; 3], "");
        for (k, (mother, body)) in [("world", "lower"), ("lower", "upper")].into_iter().enumerate()
        {
            let joint = format!("J{}", k + 1);
            let place = [0.0, 0.0, k as f64];
            text = text
                .joint(
                    "Revolute",
                    [&joint, mother, body],
                    place,
                    &revolute("0, 1, 0", 0.0, "Stiffness = 1; QRest = 0;"),
                )
                .body(
                    [body, mother, &joint],
                    if k == 0 { 2.0 } else { 1.0 },
                    [0.0; 3],
                    [0.0, 0.0, 1.0],
                );
        }
        text.triad("tip", "upper", [0.0, 0.0, 1.0]).with(&format!(
            "Force \"P\" {{ TriadTo = tip; Vector = 0, 0, -{p:?}; Frame = local; }}"
        ))
    };
    let limit = 3.5 - 2.0_f64.sqrt();
    let stable = analyse(&column(0.999 * limit));
    assert!(stable.summary.findings.iter().any(|line| line == "it is stable"));
    let flutter = notes(&analyse(&column(1.001 * limit)));
    assert!(flutter.contains("UNSTABLE"), "{flutter}");
}

#[test]
fn a_mass_matrix_that_is_not_positive_has_no_modes() {
    let text = heading("static", DOWN, "")
        .joint(
            "Prismatic",
            ["J", "world", "b"],
            [0.0; 3],
            &prismatic("0, 0, 1", 0.0, "Stiffness = 5; QRest = 0;"),
        )
        .body(["b", "world", "J"], -1.0, [0.1; 3], [0.0; 3]);
    let said = refusal_of_unphysical(&text);
    assert!(said.contains("the eigenvalues cannot be found"), "{said}");
}

#[test]
fn a_model_that_is_too_large_for_dense_matrices_is_refused() {
    let mut text = heading("static", DOWN, "").triad("here", "world", [0.0; 3]);
    for k in 0..=2000 {
        text = text
            .triad(&format!("t{k}"), &format!("b{k}"), [0.0; 3])
            .with(&format!(
                "Prismatic \"J{k}\" {{ Parent = b{k}; TriadFrom = here; TriadTo = t{k}; }}"
            ))
            .body([&format!("b{k}"), "world", &format!("J{k}")], 1.0, [0.1; 3], [0.0; 3]);
    }
    let said = refusal(&text);
    assert!(said.contains("2001 freedoms") && said.contains("up to 2000"), "{said}");
}
