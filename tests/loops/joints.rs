//! Every kind of joint as the one that closes a loop, and rods, couplings and motions against closed forms.

use dysim_tests::blocks::{Run, Text, list};
use dysim_tests::bounds::{Expected, compare, references};
use dysim_tests::mechanism::cross;
use dysim_tests::mechanism_text::{Moved, distance};
use dysim_tests::simulate::{Outcome, run};

/// A joint with coordinates zero at the start, its rates, and the motion they give the body: angular
/// velocity, and velocity of the point at the origin.
struct Case {
    keyword: &'static str,
    parameters: &'static str,
    rates: &'static [f64],
    spin: [f64; 3],
    velocity: [f64; 3],
}

/// Velocity of the origin when the body turns about an axis through a point.
fn about(spin: [f64; 3], point: [f64; 3]) -> [f64; 3] {
    cross(point, spin)
}

fn plus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|i| a[i] + b[i])
}

const AXIS: [f64; 3] = [0.6, 0.0, 0.8];
const AT: [f64; 3] = [0.1, -0.2, 0.3];

fn along(axis: [f64; 3], rate: f64) -> [f64; 3] {
    axis.map(|x| x * rate)
}

fn cases() -> Vec<Case> {
    let case = |keyword, parameters, rates, spin, velocity| Case {
        keyword,
        parameters,
        rates,
        spin,
        velocity,
    };
    let none = [0.0; 3];
    let one = "JointAxis = 0.6, 0, 0.8; JointPoint = 0.1, -0.2, 0.3;";
    let (first, second) = (along([0.0, 1.0, 0.0], 1.5), along([0.6, 0.0, 0.8], -2.0));
    let crossed = plus(about(first, AT), about(second, [0.4, 0.0, 0.1]));
    let bent = plus(along([0.0, 1.0, 0.0], 2.0), along(AXIS, -0.7));
    let turn = along(AXIS, 2.0);
    vec![
        case("Bracket", "", &[], none, none),
        case("Revolute", one, &[2.0], turn, about(turn, AT)),
        case(
            "Universal",
            "JointAxis1 = 0, 1, 0; JointPoint1 = 0.1, -0.2, 0.3; JointAxis2 = 0.6, 0, 0.8; JointPoint2 = 0.4, 0, 0.1;",
            &[1.5, -2.0],
            plus(first, second),
            crossed,
        ),
        case("Spherical", "AngleType = cardan;", &[0.5, -1.0, 2.0], [0.5, -1.0, 2.0], none),
        case("Prismatic", one, &[0.5], none, along(AXIS, 0.5)),
        case(
            "BiPrismatic",
            "JointAxis1 = 0.6, 0, 0.8; JointPoint1 = 0, 0, 0; JointAxis2 = 0, 1, 0; JointPoint2 = 0, 0, 0;",
            &[0.5, 0.3],
            none,
            plus(along(AXIS, 0.5), [0.0, 0.3, 0.0]),
        ),
        case("TriPrismatic", "", &[0.1, 0.2, -0.3], none, [0.1, 0.2, -0.3]),
        case(
            "Screw",
            "JointAxis = 0.6, 0, 0.8; JointPoint = 0.1, -0.2, 0.3; Pitch = 0.2;",
            &[2.0],
            turn,
            plus(about(turn, AT), along(AXIS, 0.4)),
        ),
        case("Cylindrical", one, &[2.0, 0.3], turn, plus(about(turn, AT), along(AXIS, 0.3))),
        case(
            "Planar",
            "JointAxis = 0, 0, 1; JointPoint = 0.1, -0.2, 0.3;",
            &[0.2, -0.1, 2.0],
            [0.0, 0.0, 2.0],
            plus([0.2, -0.1, 0.0], about([0.0, 0.0, 2.0], AT)),
        ),
        case(
            "ConstantVelocity",
            "JointAxis1 = 0, 1, 0; JointAxis2 = 0.6, 0, 0.8; JointPoint = 0.1, -0.2, 0.3;",
            &[1.0, -0.7],
            bent,
            about(bent, AT),
        ),
    ]
}

/// A body that hangs on the world by the joint, or is free and joined by it as a loop joint.
fn hung(case: &Case, as_loop: bool) -> String {
    let how = Run::new("derf", 1e-12, 1.0, 0.05);
    let zeros = vec![0.0; case.rates.len()];
    let initial = match case.rates.len() {
        0 => String::new(),
        _ => format!("Qinit = {}; QDinit = {};", list(&zeros), list(case.rates)),
    };
    let mut text = Text::new([1.0, 2.0, -9.81], how)
        .triad("T0", "world", [0.0; 3])
        .triad("T1", "b", [0.0; 3])
        .body(
            ["b", "world", if as_loop { "float" } else { "joint" }],
            2.0,
            [0.3, 0.2, 0.4],
            [0.3, 0.2, -0.4],
        );
    let Case { keyword, parameters, .. } = case;
    let role = if as_loop { "Role = loop;" } else { "Parent = b;" };
    let start = if as_loop { "" } else { &initial };
    text = text.with(&format!(
        "{keyword} \"joint\" {{ {role} TriadFrom = T0; TriadTo = T1; {parameters} {start} }}"
    ));
    if as_loop {
        let mut rates = case.velocity.to_vec();
        rates.extend(case.spin);
        text = text.with(&format!(
            "Free \"float\" {{ Parent = b; TriadFrom = T0; TriadTo = T1; QDinit = {}; AngleType = cardan; }}",
            list(&rates)
        ));
    }
    text.text().to_string()
}

#[test]
fn a_free_body_on_a_loop_joint_moves_like_a_body_on_that_joint() {
    for case in cases() {
        let [tree, closed] = [false, true].map(|as_loop| run(&hung(&case, as_loop)).complete());
        let (tree, closed) = (tree.table("pva"), closed.table("pva"));
        let mut apart: f64 = 0.0;
        for (one, other) in tree.rows.iter().zip(&closed.rows) {
            let [one, other] = [one, other].map(|row| Moved::read(row, Some(0)));
            for p in [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] {
                apart = apart.max(distance(one.place(p), other.place(p)));
                apart = apart.max(distance(one.speed(p), other.speed(p)));
            }
        }
        println!("{:16}: {apart:.1e}", case.keyword);
        // 1e-12 in each of some hundred steps, and a pendulum's growth of at most ten in a second.
        assert!(apart < 1e-8, "{}: {apart:e}", case.keyword);
    }
}

/// The same, with the coordinates that a loop joint reports.
#[test]
fn a_loop_joint_reports_the_coordinates_that_the_tree_joint_has() {
    for case in cases().iter().filter(|case| !case.rates.is_empty()) {
        let count = case.rates.len();
        let signals: Vec<String> = (1..=count)
            .flat_map(|k| ["q", "qd"].map(|signal| format!("joint.{signal}[{k}]")))
            .chain(["fx", "fy", "fz", "tx", "ty", "tz"].map(|signal| format!("joint.{signal}")))
            .collect();
        let more = format!("Output \"o\" {{ Files = csv; Signals = {}; }}", signals.join(", "));
        let [tree, closed] = [false, true]
            .map(|as_loop| run(&format!("{}{more}", hung(case, as_loop))).complete().table("csv"));
        for (one, other) in tree.rows.iter().zip(&closed.rows) {
            for (k, (a, b)) in one.iter().zip(other).enumerate() {
                let (name, gap) = (&tree.columns[k], (a - b).abs());
                // Reactions follow accelerations, which differ by the errors of positions and rates.
                assert!(gap < 1e-7 * (1.0 + a.abs()), "{} {name}: {a} {b}", case.keyword);
            }
        }
    }
}

/// A01 of the IFToMM benchmarks once more: a mass that may go anywhere in a plane, and a rod.
#[test]
fn a_mass_on_a_rod_is_a_pendulum() {
    let expected: Vec<Expected> = references("IFT-A01", 10.0);
    let text = |how: Run, shift: f64| {
        let (sin, cos) = shift.sin_cos();
        Text::new([0.0, -9.81, 0.0], how)
            .triad("O", "world", [0.0; 3])
            .triad("P", "mass", [0.0; 3])
            .with(&format!(
                "BiPrismatic \"J\" {{ Parent = mass; TriadFrom = O; TriadTo = P; JointAxis1 = 1, 0, 0; JointPoint1 = 0, 0, 0; \
                 JointAxis2 = 0, 1, 0; JointPoint2 = 0, 0, 0; Qinit = {:?}, {sin:?}; QDinit = 0, 0; }}",
                -cos
            ))
            .body(["mass", "world", "J"], 1.0, [0.01; 3], [0.0; 3])
            .with("Rod \"rod\" { TriadFrom = O; TriadTo = P; Length = 1; }")
            .text()
            .to_string()
    };
    let measure = |outcome: &Outcome, e: &Expected| {
        let csv = outcome.table("csv");
        let at = |signal: &str| csv.at(e.time(), signal);
        let (x, y, vx, vy) = (at("J.q[1]"), at("J.q[2]"), at("J.qd[1]"), at("J.qd[2]"));
        match e.quantity {
            "x" => x,
            "y" => y,
            "vx" => vx,
            "vy" => vy,
            "theta_from_down" => x.atan2(-y),
            "thetad" => x * vy - y * vx,
            name => panic!("unknown quantity {name}"),
        }
    };
    for solver in ["de", "derf", "odeint_rk", "odeint_bs", "stiff"] {
        compare("A01 on a rod", Run::new(solver, 1e-9, 10.0, 0.5), &text, &expected, &measure);
    }
}

/// Two wheels geared 3 : 1 and a torque on the second: with q1 = 3 q2 and the force f of the coupling,
/// J1 q1'' = f, J2 q2'' = M - 3 f, so q2'' = M/(J2 + 9 J1) and f = 3 J1 q2''.
#[test]
fn a_coupling_gears_two_wheels() {
    let wheel = |text: Text, name: &str, inertia: f64| {
        let body = format!("w{name}");
        let parameters =
            "JointAxis = 0, 0, 1; JointPoint = 0, 0, 0; Qinit = 0; QDinit = 0; Degrees = rad;";
        text.joint("Revolute", [name, "world", &body], [0.0; 3], parameters).body(
            [&body, "world", name],
            1.0,
            [inertia; 3],
            [0.0; 3],
        )
    };
    let text = Text::new([0.0; 3], Run::new("derf", 1e-10, 2.0, 0.5));
    let text = wheel(wheel(text, "a", 0.2), "b", 0.5)
        .with("Coupling \"gear\" { Joint1 = a; Joint2 = b; Ratio = 3; }")
        .with("JointForce \"motor\" { Joint1D = b; Value = 4.6; }")
        .with("Output \"o\" { Files = csv; Signals = a.q, b.q, a.qd, b.qd, gear.f; }");
    let csv = run(text.text()).complete().table("csv");
    let rate = 4.6 / (0.5 + 9.0 * 0.2);
    for row in &csv.rows {
        let t = row[0];
        let expected = [1.5 * rate * t * t, 0.5 * rate * t * t, 3.0 * rate * t, rate * t];
        for (value, expected) in row[1..].iter().zip(expected) {
            // A parabola: nothing but the tolerance and rounding.
            assert!((value - expected).abs() < 1e-9 * (1.0 + expected.abs()), "{row:?}");
        }
        assert!((row[5].abs() - 3.0 * 0.2 * rate).abs() < 1e-9, "{}", row[5]);
    }
}

/// A pendulum driven by q = sin(2 t) needs the torque J q'' + m g l sin(q), by hand.
#[test]
fn a_motion_needs_the_torque_of_inverse_dynamics() {
    let (mass, arm, inertia) = (2.0, 0.7, 0.1);
    let parameters =
        "JointAxis = 0, -1, 0; JointPoint = 0, 0, 0; Qinit = 0; QDinit = 0; Degrees = rad;";
    let text = Text::new([0.0, 0.0, -9.81], Run::new("derf", 1e-10, 3.0, 0.1))
        .joint("Revolute", ["J", "world", "b"], [0.0; 3], parameters)
        .body(["b", "world", "J"], mass, [inertia; 3], [0.0, 0.0, -arm])
        .with("Motion \"drive\" { Joint = J; Q = sin(2*t); }")
        .with("Output \"o\" { Files = csv; Signals = J.q, J.qd, drive.f, drive.power; }");
    let csv = run(text.text()).complete().table("csv");
    for row in &csv.rows {
        let (sin, cos) = (2.0 * row[0]).sin_cos();
        let about = inertia + mass * arm * arm;
        let torque = -4.0 * sin * about + mass * 9.81 * arm * sin.sin();
        for (k, expected) in [sin, 2.0 * cos, torque, torque * 2.0 * cos].into_iter().enumerate() {
            assert!((row[k + 1] - expected).abs() < 1e-8 * (1.0 + expected.abs()), "{row:?}");
        }
    }
}
