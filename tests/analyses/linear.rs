//! Linear models, eigenvalues, mode shapes.

use std::f64::consts::{PI, TAU};

use dysim_tests::blocks::Text;
use parser::animation::{AniReader, FileState, Progress};

use super::support::{DOWN, G, Matrix, analyse, eigenvalues, heading, near, prismatic, revolute};

/// Relative bound: the estimated error of differences is about 1e-13, that of the eigenvalues some n eps.
const REL: f64 = 1e-11;

/// A mass on a spring and damper along z, as in the reference problems CL-TSDA.
fn oscillator(c: f64, more: &str) -> Text {
    heading("linear", [0.0, 0.0, -9.8065], more)
        .joint("Prismatic", ["J", "world", "mass"], [0.0; 3], &prismatic("0, 0, 1", 0.0, ""))
        .body(["mass", "world", "J"], 2.0, [0.1; 3], [0.0; 3])
        .with(&format!("TSDA \"S\" {{ Joint1D = J; ElasticLinear = 50; DampingLinear = {c:?}; ZeroLength = 0; OneSide = bi; }}"))
        .with("JointForce \"F\" { Joint1D = J; Value = 0; }")
        .with("Output \"o\" { Files = ani, csv; Signals = J.q, J.qd, J.qdd, mass.z; Events = no; }")
}

#[test]
fn a_mass_spring_damper_has_the_matrices_of_the_textbook() {
    let outcome = analyse(&oscillator(1.5, "At = static;"));
    let (m, k, c) = (2.0, 50.0, 1.5);
    let expected: [(&str, &[&[f64]]); 4] = [
        ("A", &[&[0.0, 1.0], &[-k / m, -c / m]]),
        ("B", &[&[0.0], &[1.0 / m]]),
        ("C", &[&[1.0, 0.0], &[0.0, 1.0], &[-k / m, -c / m], &[1.0, 0.0]]),
        ("D", &[&[0.0], &[0.0], &[1.0 / m], &[0.0]]),
    ];
    for (name, rows) in expected {
        let matrix = Matrix::read(&outcome, name);
        for (found, row) in matrix.numbers().iter().zip(rows) {
            for (found, expected) in found.iter().zip(*row) {
                near(*found, *expected, REL * 25.0);
            }
        }
        assert_eq!(matrix.rows.len(), rows.len());
    }
    let a = Matrix::read(&outcome, "A");
    assert_eq!(a.columns, ["J.q", "J.qd"]);
    assert_eq!(Matrix::read(&outcome, "B").columns, ["F.f"]);
    let c = Matrix::read(&outcome, "C");
    let names: Vec<&str> = c.rows.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["J.q", "J.qd", "J.qdd", "mass.z"]);
    // The operating point is the equilibrium.
    near(outcome.table("csv").last("J.q"), -2.0 * 9.8065 / 50.0, 1e-11);
}

#[test]
fn damping_below_and_above_the_aperiodic_limit() {
    for c in [1.5, 5.0, 30.0] {
        let outcome = analyse(&oscillator(c, "At = static;"));
        let (m, k) = (2.0_f64, 50.0);
        let (re, disc) = (-c / (2.0 * m), c * c / (4.0 * m * m) - k / m);
        let found = eigenvalues(&outcome);
        let table = Matrix::read(&outcome, "eigenvalues");
        if disc < 0.0 {
            assert_eq!(found.len(), 1);
            near(found[0].0, re, REL);
            near(found[0].1, (-disc).sqrt(), REL * 5.0);
            near(table.column("natural_frequency_Hz")[0], (k / m).sqrt() / TAU, REL);
            near(table.column("damping_ratio")[0], c / (2.0 * (k * m).sqrt()), REL);
            near(table.column("time_constant_s")[0], -1.0 / re, REL * 10.0);
        } else {
            assert_eq!(found.len(), 2);
            near(found[0].0, re + disc.sqrt(), REL * 10.0);
            near(found[1].0, re - disc.sqrt(), REL * 10.0);
        }
    }
    // Without damping the eigenvalue lies exactly on the axis.
    let found = eigenvalues(&analyse(&oscillator(0.0, "At = static;")));
    assert_eq!((found.len(), found[0].0), (1, 0.0));
    near(found[0].1, 5.0, REL * 5.0);
}

/// Links that hang down along -z and turn about y.
fn chain(kind: &str, n: usize, mass: f64, centre: f64, inertia: f64, more: &str) -> Text {
    let mut text = heading(kind, DOWN, more);
    let mut mother = "world".to_string();
    for k in 0..n {
        let (joint, body) = (format!("J{}", k + 1), format!("b{}", k + 1));
        let place = [0.0, 0.0, if k == 0 { 0.0 } else { -1.0 }];
        text = text
            .joint("Revolute", [&joint, &mother, &body], place, &revolute("0, 1, 0", 0.0, ""))
            .body([&body, &mother, &joint], mass, [inertia, inertia, 0.0], [0.0, 0.0, -centre]);
        mother = body;
    }
    text
}

#[test]
fn double_pendulums_have_their_closed_form_frequencies() {
    // Two rods: w2 = g/l (3 -+ 6/sqrt 7); two points: w2 = g/l (2 -+ sqrt 2).
    let rods = eigenvalues(&analyse(&chain("linear", 2, 1.0, 0.5, 1.0 / 12.0, "")));
    let points = eigenvalues(&analyse(&chain("linear", 2, 1.0, 1.0, 0.0, "")));
    let expected = [(rods, 3.0, 6.0 / 7.0_f64.sqrt()), (points, 2.0, 2.0_f64.sqrt())];
    for (found, mean, half) in expected {
        for (k, sign) in [-1.0, 1.0].into_iter().enumerate() {
            assert_eq!(found[k].0, 0.0);
            near(found[k].1, (G * (mean + sign * half)).sqrt(), REL * 10.0);
        }
    }
}

#[test]
fn mode_shapes_of_the_point_double_pendulum_are_those_of_the_closed_form() {
    // In absolute angles the second is sqrt 2 times the first, in phase and against it.
    let outcome = analyse(&chain("linear", 2, 1.0, 1.0, 0.0, ""));
    let shapes = Matrix::read(&outcome, "modes");
    for (mode, sign) in [(1, 1.0), (2, -1.0)] {
        let re = shapes.column(&format!("mode{mode}_real"));
        near((re[0] + re[1]) / re[0], sign * 2.0_f64.sqrt(), 1e-9);
        assert!(shapes.column(&format!("mode{mode}_imaginary")).iter().all(|x| x.abs() < 1e-12));
    }
}

#[test]
fn a_chain_of_masses_and_springs_has_all_its_frequencies() {
    let (n, m, k) = (15, 0.5, 800.0_f64);
    let mut text = heading("linear", [0.0; 3], "");
    text =
        text.triad("left", "world", [0.0; 3]).triad("right", "world", [(n + 1) as f64, 0.0, 0.0]);
    for i in 1..=n {
        let (joint, body) = (format!("J{i}"), format!("m{i}"));
        text = text
            .joint(
                "Prismatic",
                [&joint, "world", &body],
                [i as f64, 0.0, 0.0],
                &prismatic("1, 0, 0", 0.0, ""),
            )
            .body([&body, "world", &joint], m, [1.0; 3], [0.0; 3]);
    }
    let triad = |i: usize| match i {
        0 => "left".to_string(),
        i if i == n + 1 => "right".to_string(),
        i => format!("J{i}_1"),
    };
    for i in 0..=n {
        text = text.with(&format!(
            "Spring \"S{i}\" {{ TriadFrom = {}; TriadTo = {}; ElasticLinear = {k:?}; DampingLinear = 0; ZeroLength = 1; OneSide = bi; }}",
            triad(i),
            triad(i + 1),
        ));
    }
    let found = eigenvalues(&analyse(&text));
    assert_eq!(found.len(), n);
    for (r, (re, im)) in found.into_iter().enumerate() {
        let angle = (r + 1) as f64 * PI / (2.0 * (n + 1) as f64);
        assert_eq!(re, 0.0);
        near(im, 2.0 * (k / m).sqrt() * angle.sin(), REL * 80.0);
    }
}

#[test]
fn a_damped_pendulum_has_its_damping_ratio() {
    let (i, mgl, d) = (2.0 / 3.0, 2.0 * G * 0.5, 0.8);
    let text = heading("linear", DOWN, "At = static;")
        .joint(
            "Revolute",
            ["J", "world", "rod"],
            [0.0; 3],
            &revolute("0, 1, 0", 1.0, "Damping = 0.8;"),
        )
        .body(["rod", "world", "J"], 2.0, [1.0 / 6.0, 1.0 / 6.0, 1e-3], [0.0, 0.0, -0.5]);
    let table = Matrix::read(&analyse(&text), "eigenvalues");
    near(table.column("damping_ratio")[0], d / (2.0 * (i * mgl).sqrt()), REL);
    near(table.column("natural_frequency_Hz")[0], (mgl / i).sqrt() / TAU, REL);
}

/// Mass, distance of the centre, and moments of inertia about the tip of a symmetric top.
const TOP: (f64, f64, f64, f64) = (0.5, 0.08, 4.2e-3, 1.5e-3);

/// Rates of the two conical motions of a top that spins upright: A s^2 - C w s + m g l = 0.
fn sleeping_top(spin: f64) -> (f64, f64) {
    let (m, l, a, c) = TOP;
    let root = (c * c * spin * spin - 4.0 * a * m * G * l).sqrt();
    ((c * spin - root) / (2.0 * a), (c * spin + root) / (2.0 * a))
}

fn top_body(text: Text, joint: &str, mother: &str) -> Text {
    let (m, l, a, c) = TOP;
    let across = a - m * l * l;
    text.body(["top", mother, joint], m, [across, across, c], [0.0, 0.0, l])
}

#[test]
fn a_sleeping_top_precesses_and_nutates_as_lagrange_has_it() {
    let spin = 60.0;
    let (slow, fast) = sleeping_top(spin);
    // A universal joint with the spin about the axis of the body: the frequencies of the world.
    let universal = "JointAxis1 = 1, 0, 0; JointPoint1 = 0, 0, 0; JointAxis2 = 0, 1, 0; JointPoint2 = 0, 0, 0; Qinit = 0, 0; QDinit = 0, 0; Degrees = rad;";
    let axis = format!(
        "JointAxis = 0, 0, 1; JointPoint = 0, 0, 0; Qinit = 0; QDinit = {spin:?}; Degrees = rad;"
    );
    let text = heading("linear", DOWN, "")
        .joint("Universal", ["U", "world", "gimbal"], [0.0; 3], universal)
        .body(["gimbal", "world", "U"], 0.0, [0.0; 3], [0.0; 3])
        .joint("Revolute", ["R", "gimbal", "top"], [0.0; 3], &axis);
    let found = eigenvalues(&analyse(&top_body(text, "R", "gimbal")));
    let oscillations: Vec<f64> =
        found.iter().filter(|(_, im)| im.abs() > 1e-3).map(|v| v.1).collect();
    assert_eq!(oscillations.len(), 2, "{found:?}");
    near(oscillations[0], slow, 1e-9 * fast);
    near(oscillations[1], fast, 1e-9 * fast);
    // A ball joint, whose rotations are vectors in the axes of the body, which turn with the spin.
    let ball =
        format!("Qinit = 0, 0, 0; QDinit = 0, 0, {spin:?}; AngleType = cardan; Degrees = rad;");
    let text =
        heading("linear", DOWN, "").joint("Spherical", ["J", "world", "top"], [0.0; 3], &ball);
    let found = eigenvalues(&analyse(&top_body(text, "J", "world")));
    let mut turning: Vec<f64> = found.iter().map(|v| v.1.abs()).filter(|im| *im > 1e-3).collect();
    turning.sort_by(f64::total_cmp);
    let mut expected = [(slow - spin).abs(), (fast - spin).abs()];
    expected.sort_by(f64::total_cmp);
    assert_eq!(turning.len(), 2, "{found:?}");
    near(turning[0], expected[0], 1e-9 * spin);
    near(turning[1], expected[1], 1e-9 * spin);
}

#[test]
fn a_top_that_spins_too_slowly_falls() {
    let (m, l, a, c) = TOP;
    let limit = (4.0 * a * m * G * l).sqrt() / c;
    for (factor, falls) in [(0.99, true), (1.01, false)] {
        let ball = format!(
            "Qinit = 0, 0, 0; QDinit = 0, 0, {:?}; AngleType = cardan; Degrees = rad;",
            factor * limit
        );
        let text =
            heading("linear", DOWN, "").joint("Spherical", ["J", "world", "top"], [0.0; 3], &ball);
        let found = eigenvalues(&analyse(&top_body(text, "J", "world")));
        let growing = found.iter().map(|v| v.0).fold(f64::NEG_INFINITY, f64::max);
        let disc = c * c * limit * limit * factor * factor - 4.0 * a * m * G * l;
        let expected = if falls { (-disc).sqrt() / (2.0 * a) } else { 0.0 };
        // Near a double root the error of eigenvalues is the square root of that of the matrix.
        near(growing, expected, 1e-6 * limit);
    }
}

#[test]
fn a_free_body_without_forces_moves_freely_in_all_directions() {
    let free = "Qinit = 1, 2, 3, 0.3, 0.8, -0.2; QDinit = 0, 0, 0, 0, 0, 0; AngleType = euler; Degrees = rad;";
    let text = heading("linear", [0.0; 3], "")
        .joint("Free", ["J", "world", "b"], [0.0; 3], free)
        .body(["b", "world", "J"], 4.0, [0.1, 0.2, 0.25], [0.1, 0.0, 0.0]);
    let outcome = analyse(&text);
    // No quaternion adds a state: six displacements, six speeds.
    assert_eq!(Matrix::read(&outcome, "A").rows.len(), 12);
    assert!(eigenvalues(&outcome).iter().all(|&v| v == (0.0, 0.0)));
}

#[test]
fn stuck_and_locked_freedoms_drop_out_and_are_named() {
    let text = chain("linear", 1, 1.0, 1.0, 0.0, "")
        .joint(
            "Revolute",
            ["K", "b1", "b"],
            [0.0, 0.0, -1.0],
            &revolute("0, 1, 0", 0.0, "Friction = 2;"),
        )
        .body(["b", "b1", "K"], 1.0, [0.0; 3], [0.0, 0.0, -1.0]);
    let outcome = analyse(&text);
    let a = Matrix::read(&outcome, "A");
    assert_eq!(a.columns, ["J1.q", "J1.qd"]);
    // A rigid pendulum of point masses at 1 m and 2 m: w2 = g (1 + 2) / (1 + 4).
    near(eigenvalues(&outcome)[0].1, (G * 3.0 / 5.0).sqrt(), REL * 5.0);
    let said = outcome.summary.remarks.join("\n");
    assert!(said.contains("stuck") && said.contains("K.q"), "{said}");
}

#[test]
fn a_state_on_a_switching_point_is_said() {
    let text = heading("linear", [0.0; 3], "")
        .triad("ground", "world", [0.0; 3])
        .joint("Prismatic", ["J", "world", "ball"], [0.0; 3], &prismatic("0, 0, 1", 0.0, ""))
        .body(["ball", "world", "J"], 2.0, [0.1; 3], [0.0; 3])
        .with("ContactSimple \"C\" { TriadFrom = ground; TriadTo = J_1; ElasticLinearZ = 1e5; DampingLinearZ = 10; FrictionXY = 1; }");
    let said = analyse(&text).summary.remarks.join("\n");
    assert!(said.contains("switching point of ContactSimple C"), "{said}");
}

#[test]
fn small_motion_of_the_nonlinear_model_is_that_of_the_linear_one() {
    // A ball-jointed arm with a bushing to the world and an offset centre, started 1e-5 rad from its equilibrium.
    // Second-order terms are 1e-10; both sides then agree to 1e-4 of the amplitude.
    let arm = |kind: &str, q: [f64; 3], more: &str| {
        let ball = format!(
            "Qinit = {:?}, {:?}, {:?}; QDinit = 0, 0, 0; AngleType = cardan; Degrees = rad;",
            q[0], q[1], q[2]
        );
        let mut elastic = [0.0; 36];
        let mut damping = [0.0; 36];
        for (k, (e, d)) in
            [(300.0, 5.0), (200.0, 4.0), (400.0, 3.0), (5.0, 0.2), (4.0, 0.1), (3.0, 0.05)]
                .into_iter()
                .enumerate()
        {
            (elastic[7 * k], damping[7 * k]) = (e, d);
        }
        heading(kind, DOWN, more)
            .joint("Spherical", ["J", "world", "arm"], [0.0; 3], &ball)
            .body(["arm", "world", "J"], 1.5, [0.02, 0.05, 0.04], [0.1, 0.05, -0.3])
            .triad("anchor", "world", [0.3, 0.0, -0.4])
            .triad("grip", "arm", [0.3, 0.0, -0.4])
            .with(&format!(
                "Bushing \"S\" {{ TriadFrom = anchor; TriadTo = grip; ElasticLinear = {}; DampingLinear = {}; AngleType = cardan; Degrees = rad; }}",
                dysim_tests::blocks::list(&elastic),
                dysim_tests::blocks::list(&damping),
            ))
    };
    let rest = analyse(&arm("static", [0.1, 0.0, 0.0], ""));
    let q0: Vec<f64> = (1..=3).map(|k| rest.table("csv").last(&format!("J.q[{k}]"))).collect();
    let linear = analyse(&arm("linear", [q0[0], q0[1], q0[2]], ""));
    let a = Matrix::read(&linear, "A").numbers();
    // The outputs J.q[k] give the initial displacement and what to compare: C maps rotation vectors to angles.
    let c = Matrix::read(&linear, "C");
    let rows: Vec<&Vec<f64>> =
        c.rows.iter().filter(|(name, _)| name.starts_with("J.q[")).map(|(_, row)| row).collect();
    let start = [0.0, 1e-5, 0.0];
    let c3 = nalgebra_free::solve3(&rows, start);
    let mut x = [c3[0], c3[1], c3[2], 0.0, 0.0, 0.0];
    // Classical Runge-Kutta with 2000 steps to t = 0.5: an error far below 1e-9 of the amplitude.
    let h = 0.5 / 2000.0;
    let rate = |x: &[f64; 6]| -> [f64; 6] {
        std::array::from_fn(|i| (0..6).map(|j| a[i][j] * x[j]).sum())
    };
    for _ in 0..2000 {
        let plus = |k: &[f64; 6], s: f64| -> [f64; 6] { std::array::from_fn(|i| x[i] + s * k[i]) };
        let k1 = rate(&x);
        let k2 = rate(&plus(&k1, 0.5 * h));
        let k3 = rate(&plus(&k2, 0.5 * h));
        let k4 = rate(&plus(&k3, h));
        x = std::array::from_fn(|i| x[i] + h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]));
    }
    let moved = analyse(&arm("dynamic", [q0[0], q0[1] + 1e-5, q0[2]], "").with(""));
    let csv = moved.table("csv");
    for (k, row) in rows.iter().enumerate() {
        let expected: f64 = (0..6).map(|j| row[j] * x[j]).sum();
        near(csv.at(0.5, &format!("J.q[{}]", k + 1)) - q0[k], expected, 2e-9);
        assert!(k != 1 || expected.abs() > 1e-8, "the comparison would see nothing");
    }
}

/// Three equations.
mod nalgebra_free {
    /// Solves the first three columns of three rows for a right side by Cramer's rule.
    pub fn solve3(rows: &[&Vec<f64>], b: [f64; 3]) -> [f64; 3] {
        let m: [[f64; 3]; 3] = std::array::from_fn(|i| [rows[i][0], rows[i][1], rows[i][2]]);
        let det = |m: &[[f64; 3]; 3]| {
            m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1])
                - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
                + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
        };
        std::array::from_fn(|k| {
            let mut replaced = m;
            for i in 0..3 {
                replaced[i][k] = b[i];
            }
            det(&replaced) / det(&m)
        })
    }
}

#[test]
fn each_oscillation_has_an_animation_of_visible_size() {
    let outcome = analyse(&chain("linear", 2, 1.0, 0.5, 1.0 / 12.0, "ModeAmplitude = 0.2;"));
    let files = outcome.files();
    assert!(
        files.contains(&"case_mode1.ani".into()) && files.contains(&"case_mode2.ani".into()),
        "{files:?}"
    );
    let file = std::fs::File::open(outcome.directory().join("case_mode1.ani")).unwrap();
    let mut reader = AniReader::open(file, FileState::Finished).unwrap();
    while reader.scan(1 << 20).unwrap() == Progress::More {}
    assert_eq!((reader.n_rows(), reader.problems().len()), (121, 0));
    // The larger of the joint angles swings by 0.2 rad.
    let mut largest = 0.0_f64;
    for t in [0.0, 0.5, 1.0] {
        let pair = reader.rows_around(t).unwrap().unwrap();
        let angle = |body: usize| pair.before.poses[body][0][2].asin();
        largest = largest.max(angle(0).abs()).max((angle(1) - angle(0)).abs());
    }
    near(largest, 0.2, 1e-12);
}
