//! Spring, RSDA, TSDA, Bushing, Force, Torque: the values at a given state.
//!
//! What a law gives is a few products of numbers of size 1 to 1000: errors of some units of round-off,
//! so that 1e-11 is both far above them and far below any mistake.

use dysim_tests::blocks::{Run, Text, list};
use dysim_tests::simulate::{Outcome, run};

const ROUND_OFF: f64 = 1e-11;

/// A run so short that only its first row matters.
fn shortest() -> Run {
    Run::new("derf", 1e-9, 1e-3, 1e-3)
}

fn close(found: f64, expected: f64, what: &str) {
    assert!(
        (found - expected).abs() < ROUND_OFF * (1.0 + expected.abs()),
        "{what}: {found} {expected}"
    );
}

fn first(outcome: &Outcome, file: &str, column: &str) -> f64 {
    outcome.table(file).column(column)[0]
}

/// A free body of 2 kg without gravity.
fn free_body(q: &[f64], qd: &[f64], rest: &str) -> Outcome {
    let start =
        format!("Qinit = {}; QDinit = {}; AngleType = cardan; Degrees = rad;", list(q), list(qd));
    let text = Text::new([0.0; 3], shortest())
        .joint("Free", ["J", "world", "b"], [0.0; 3], &start)
        .body(["b", "world", "J"], 2.0, [0.1, 0.2, 0.4], [0.0; 3])
        .triad("origin", "world", [0.0; 3])
        .triad("eye", "b", [0.0; 3])
        .with(rest);
    run(text.text()).complete()
}

#[test]
fn springs_pull_or_push_as_their_side_allows() {
    // s = 5 m along (0, 0.6, 0.8); ds/dt = 0.6*2 - 0.8*1 = 0.4 m/s.
    let (k, r) = (30.0, 7.0);
    for (s0, side) in [(4.0, "bi"), (4.0, "-"), (4.0, "+"), (6.0, "bi"), (6.0, "-"), (6.0, "+")] {
        let f = k * (5.0 - s0) + r * 0.4;
        let acts = match side {
            "-" => f > 0.0,
            "+" => f < 0.0,
            _ => true,
        };
        let f = if acts { f } else { 0.0 };
        let o = free_body(
            &[0.0, 3.0, 4.0, 0.0, 0.0, 0.0],
            &[1.0, 2.0, -1.0, 0.0, 0.0, 0.0],
            &format!(
                "Spring \"s\" {{ TriadFrom = origin; TriadTo = eye; ElasticLinear = {k}; DampingLinear = {r}; ZeroLength = {s0}; OneSide = {side}; }}
                 Output \"o\" {{ Files = csv; Signals = s.f, s.s, s.power, s.energy, b.ax, b.ay, b.az; Events = no; }}"
            ),
        );
        let what = format!("s0 = {s0}, OneSide = {side}");
        close(first(&o, "csv", "s.f"), f, &what);
        close(first(&o, "csv", "s.s"), 5.0, &what);
        close(first(&o, "csv", "s.power"), -f * 0.4, &what);
        let energy = if acts { 0.5 * k * (5.0 - s0) * (5.0 - s0) } else { 0.0 };
        close(first(&o, "csv", "s.energy"), energy, &what);
        // The body of T1 is pulled towards T0.
        close(first(&o, "csv", "b.ax"), 0.0, &what);
        close(first(&o, "csv", "b.ay"), -0.6 * f / 2.0, &what);
        close(first(&o, "csv", "b.az"), -0.8 * f / 2.0, &what);
    }
}

#[test]
fn torsion_and_axial_springs_follow_their_coordinate() {
    let (k, r, q, qd) = (12.0, 3.0, 0.5, -2.0);
    for (joint, element, rest_name) in
        [("Revolute", "RSDA", "ZeroAngle"), ("Prismatic", "TSDA", "ZeroLength")]
    {
        for (rest, side) in
            [(0.2, "bi"), (0.2, "+"), (0.2, "-"), (-0.8, "bi"), (-0.8, "+"), (-0.8, "-")]
        {
            let f = k * (rest - q) - r * qd;
            let acts = side == "bi" || (side == "+") == (f > 0.0);
            let f = if acts { f } else { 0.0 };
            let degrees = if joint == "Revolute" { "Degrees = rad;" } else { "" };
            let start = format!(
                "JointAxis = 0, 0, 1; JointPoint = 0, 0, 0; Qinit = {q}; QDinit = {qd}; {degrees}"
            );
            let text = Text::new([0.0; 3], shortest())
                .joint(joint, ["J", "world", "b"], [0.0; 3], &start)
                .body(["b", "world", "J"], 2.0, [2.0; 3], [0.0; 3])
                .with(&format!(
                    "{element} \"s\" {{ Joint1D = J; ElasticLinear = {k}; DampingLinear = {r}; {rest_name} = {rest}; OneSide = {side}; {degrees} }}
                     Output \"o\" {{ Files = csv; Signals = s.f, s.power, J.f, J.qdd; Events = no; }}"
                ));
            let o = run(text.text()).complete();
            let what = format!("{element}, rest {rest}, OneSide = {side}");
            close(first(&o, "csv", "s.f"), f, &what);
            close(first(&o, "csv", "s.power"), f * qd, &what);
            close(first(&o, "csv", "J.f"), f, &what);
            // Mass and moment of inertia are both 2.
            close(first(&o, "csv", "J.qdd"), f / 2.0, &what);
        }
    }
}

/// Full matrices, so that every row and column counts.
fn matrix(seed: f64) -> [[f64; 6]; 6] {
    std::array::from_fn(|i| std::array::from_fn(|j| ((7 * i + 3 * j) as f64 * seed).sin() * 10.0))
}

#[test]
fn bushings_multiply_their_matrices_with_shifts_and_angles() {
    let (stiffness, damping) = (matrix(0.9), matrix(1.7));
    let (r, angles) = ([0.1, -0.2, 0.3], [0.4_f64, 0.7, -0.3]);
    let (v, rates) = ([0.5, 0.2, -0.6], [0.3, -0.4, 0.8]);
    let x: Vec<f64> = r.iter().chain(&angles).copied().collect();
    let xd: Vec<f64> = v.iter().chain(&rates).copied().collect();
    let y: Vec<f64> = (0..6)
        .map(|i| (0..6).map(|j| stiffness[i][j] * x[j] + damping[i][j] * xd[j]).sum())
        .collect();
    let ((sa, ca), (sb, cb)) = (angles[0].sin_cos(), angles[1].sin_cos());
    // Columns: the axes about which the three rates turn, in T0.
    let cardan = [[1.0, 0.0, sb], [0.0, ca, -sa * cb], [0.0, sa, ca * cb]];
    let euler = [[0.0, ca, sa * sb], [0.0, sa, -ca * sb], [1.0, 0.0, cb]];
    for (angle_type, axes) in [("cardan", cardan), ("euler", euler)] {
        let flat = |m: &[[f64; 6]; 6]| list(m.as_flattened());
        let start = format!(
            "Qinit = {}; QDinit = {}; AngleType = {angle_type}; Degrees = rad;",
            list(&x),
            list(&xd)
        );
        let text = Text::new([0.0; 3], shortest())
            .joint("Free", ["J", "world", "b"], [0.0; 3], &start)
            .body(["b", "world", "J"], 2.0, [0.1, 0.2, 0.25], [0.0; 3])
            .with(&format!(
                "Bushing \"e\" {{ TriadFrom = J_0; TriadTo = J_1; ElasticLinear = {}; DampingLinear = {}; AngleType = {angle_type}; Degrees = rad; }}
                 Output \"o\" {{ Files = csv; Signals = e.fx, e.fy, e.fz, e.tx, e.ty, e.tz, b.ax, b.ay, b.az; Events = no; }}",
                flat(&stiffness),
                flat(&damping)
            ));
        let o = run(text.text()).complete();
        for (i, axis) in ["x", "y", "z"].iter().enumerate() {
            let torque: f64 = (0..3).map(|j| axes[i][j] * y[3 + j]).sum();
            close(first(&o, "csv", &format!("e.f{axis}")), y[i], angle_type);
            close(first(&o, "csv", &format!("e.t{axis}")), torque, angle_type);
            close(first(&o, "csv", &format!("b.a{axis}")), -y[i] / 2.0, angle_type);
        }
    }
}

#[test]
fn bushings_report_their_singular_angle() {
    let quarter = std::f64::consts::FRAC_PI_2;
    for (angle_type, middle, word) in
        [("cardan", quarter, "90 degrees"), ("euler", 0.0, "0 or 180 degrees")]
    {
        let start = format!(
            "Qinit = 0, 0, 0, 0, {middle:?}, 0; QDinit = 0, 0, 0, 0, 0, 0; AngleType = {angle_type}; Degrees = rad;"
        );
        let zeros = list(&[0.0; 36]);
        let text = Text::new([0.0; 3], shortest())
            .joint("Free", ["J", "world", "b"], [0.0; 3], &start)
            .body(["b", "world", "J"], 2.0, [0.1, 0.2, 0.25], [0.0; 3])
            .with(&format!("Bushing \"rubber\" {{ TriadFrom = J_0; TriadTo = J_1; ElasticLinear = {zeros}; DampingLinear = {zeros}; AngleType = {angle_type}; Degrees = rad; }}"));
        let message = format!("{:?}", run(text.text()).error.expect("a failure"));
        assert!(message.contains("rubber") && message.contains(word), "{angle_type}: {message}");
    }
}

/// Wound up by more than half a turn, a bushing goes on pulling back; its angle does not jump.
#[test]
fn a_bushing_is_followed_over_several_turns() {
    let mut stiffness = [0.0; 36];
    stiffness[35] = 0.04;
    let how = Run::new("de", 1e-9, 20.0, 0.1);
    let text = Text::new([0.0; 3], how)
        .joint("Revolute", ["J", "world", "b"], [0.0; 3], "JointAxis = 0, 0, 1; JointPoint = 0, 0, 0; Qinit = 0; QDinit = 3; Degrees = rad;")
        .body(["b", "world", "J"], 2.0, [1.0; 3], [0.0; 3])
        .with(&format!("Bushing \"e\" {{ TriadFrom = J_0; TriadTo = J_1; ElasticLinear = {}; DampingLinear = {}; AngleType = cardan; Degrees = rad; }}", list(&stiffness), list(&[0.0; 36])));
    let o = run(text.text()).complete();
    // q = 15 sin(0.2 t); errors of 1e-9 (1 + 15) in each step, carried on over 1/omega = 5.
    let bound = o.summary.statistics.steps as f64 * 16e-9 * 5.0;
    for row in &o.table("csv").rows {
        let expected = 15.0 * (0.2 * row[0]).sin();
        assert!(
            (row[1] - expected).abs() < bound && bound < 1e-2,
            "t = {}: {} {expected}",
            row[0],
            row[1]
        );
    }
}

#[test]
fn given_forces_and_torques_act_at_their_triad_and_react_at_the_other() {
    // Both bodies are turned by 90 degrees about z: local x is world y.
    let quarter = std::f64::consts::FRAC_PI_2;
    let start = |x: f64| {
        format!(
            "Qinit = {x:?}, 0, 0, 0, 0, {quarter:?}; QDinit = 0, 0, 0, 0, 0, 0; AngleType = cardan; Degrees = rad;"
        )
    };
    for frame in ["world", "local"] {
        for reaction in [false, true] {
            let from = if reaction { "TriadFrom = ta;" } else { "" };
            let text = Text::new([0.0; 3], shortest())
                .joint("Free", ["J1", "world", "a"], [0.0; 3], &start(0.0))
                .body(["a", "world", "J1"], 2.0, [1.0, 1.0, 4.0], [0.0; 3])
                .joint("Free", ["J2", "world", "b"], [0.0; 3], &start(5.0))
                .body(["b", "world", "J2"], 4.0, [1.0, 1.0, 8.0], [0.0; 3])
                .triad("ta", "a", [0.0; 3])
                // In the world this arm is (0, 0.5, 0).
                .triad("tb", "b", [0.5, 0.0, 0.0])
                .with(&format!(
                    "Force \"f\" {{ TriadTo = tb; {from} Vector = 3 + t, J2.q[1] - 5, 0; Frame = {frame}; }}
                     Torque \"q\" {{ TriadTo = tb; {from} Vector = 0, 0, 2*cos(t); Frame = {frame}; }}
                     Output \"o\" {{ Files = csv, pva; Signals = f.fx, f.fy, q.tz, f.power; Events = no; }}"
                ));
            let o = run(text.text()).complete();
            let what = format!("{frame}, reaction {reaction}");
            let force = if frame == "world" { [3.0, 0.0] } else { [0.0, 3.0] };
            close(first(&o, "csv", "f.fx"), force[0], &what);
            close(first(&o, "csv", "f.fy"), force[1], &what);
            close(first(&o, "csv", "q.tz"), 2.0, &what);
            close(first(&o, "pva", "b.ax"), force[0] / 4.0, &what);
            close(first(&o, "pva", "b.ay"), force[1] / 4.0, &what);
            // Torque about z: the given one, and arm x force = -0.5 fx.
            close(first(&o, "pva", "b.alz"), (2.0 - 0.5 * force[0]) / 8.0, &what);
            let back = if reaction { -1.0 } else { 0.0 };
            close(first(&o, "pva", "a.ax"), back * force[0] / 2.0, &what);
            close(first(&o, "pva", "a.ay"), back * force[1] / 2.0, &what);
            close(first(&o, "pva", "a.alz"), back * 2.0 / 4.0, &what);
        }
    }
}

#[test]
fn coincident_ends_of_a_spring_are_an_error_with_its_line() {
    let spring = |rest: &str| {
        let o = run(Text::new([0.0; 3], shortest())
            .joint(
                "Free",
                ["J", "world", "b"],
                [0.0; 3],
                "Qinit = 0, 0, 0, 0, 0, 0; QDinit = 1, 0, 0, 0, 0, 0; AngleType = cardan; Degrees = rad;",
            )
            .body(["b", "world", "J"], 2.0, [1.0; 3], [0.0; 3])
            .with(&format!("Spring \"rope\" {{ TriadFrom = J_0; TriadTo = J_1; {rest} OneSide = bi; }}"))
            .text());
        o.error.map(|error| format!("{error:?}"))
    };
    for parameters in [
        "ElasticLinear = 5; DampingLinear = 0; ZeroLength = 1;",
        "ElasticLinear = 0; DampingLinear = 2; ZeroLength = 0;",
    ] {
        let message = spring(parameters).expect("a failure");
        assert!(message.contains("rope") && message.contains("coincide"), "{message}");
    }
    // Relaxed at length zero it has no force, and no direction is needed.
    assert_eq!(spring("ElasticLinear = 5; DampingLinear = 0; ZeroLength = 0;"), None);
}
