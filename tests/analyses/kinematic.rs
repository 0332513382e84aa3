//! Prescribed motion and the forces that it takes.

use dysim_tests::blocks::Text;

use super::support::{DOWN, G, analyse, heading, near, prismatic, refusal, revolute};

#[test]
fn freedoms_that_nothing_drives_are_named() {
    let text = heading("kinematic", DOWN, "")
        .joint(
            "Revolute",
            ["J", "world", "a"],
            [0.0; 3],
            &revolute("0, 1, 0", 0.3, "Locked = yes;"),
        )
        .body(["a", "world", "J"], 1.0, [0.1; 3], [0.0, 0.0, -0.5])
        .joint("Revolute", ["K", "a", "b"], [0.0, 0.0, -1.0], &revolute("0, 1, 0", 0.3, ""))
        .body(["b", "a", "K"], 1.0, [0.1; 3], [0.0, 0.0, -0.5]);
    let said = refusal(&text);
    assert!(
        said.contains("1 freedom is not prescribed") && said.ends_with("can move: K.q"),
        "{said}"
    );
}

#[test]
fn a_driven_pendulum_takes_the_torque_of_the_textbook() {
    let text = heading("kinematic", DOWN, "")
        .joint(
            "Revolute",
            ["J", "world", "rod"],
            [0.0; 3],
            &revolute("0, 1, 0", 0.0, "Damping = 0.4;"),
        )
        .body(["rod", "world", "J"], 2.0, [1.0 / 6.0, 1.0 / 6.0, 1e-3], [0.0, 0.0, -0.5])
        .with("Motion \"M\" { Joint = J; Q = 0.5*sin(3*t) + t; }");
    let outcome = analyse(&text);
    let csv = outcome.table("csv");
    assert_eq!(csv.rows.len(), 11);
    for row in 0..csv.rows.len() {
        let at = |name: &str| csv.column(name)[row];
        let t = at("t");
        let (q, qd, qdd) =
            (0.5 * (3.0 * t).sin() + t, 1.5 * (3.0 * t).cos() + 1.0, -4.5 * (3.0 * t).sin());
        near(at("J.q"), q, 1e-15);
        near(at("J.qd"), qd, 1e-14);
        // I qdd + d qd + m g l sin q, with I = 2/3 about the hinge.
        let torque = 2.0 / 3.0 * qdd + 0.4 * qd + G * q.sin();
        near(at("M.f"), torque, 1e-13);
        near(at("M.power"), torque * qd, 1e-12);
    }
}

/// The arm UR5 of the reference problems: axis, place in the parent, turned by 90 degrees about y or not, mass, centre
/// along z, moments about it across and along z.
type Link = (&'static str, [f64; 3], bool, f64, f64, [f64; 2]);
const UR5: [Link; 6] = [
    ("0, 0, 1", [0.0, 0.0, 0.089159], false, 3.7, 0.0, [0.010267495893, 0.00666]),
    ("0, 1, 0", [0.0, 0.13585, 0.0], true, 8.393, 0.28, [0.22689067591, 0.0151074]),
    ("0, 1, 0", [0.0, -0.1197, 0.425], false, 2.275, 0.25, [0.049443313556, 0.004095]),
    ("0, 1, 0", [0.0, 0.0, 0.39225], true, 1.219, 0.0, [0.111172755531, 0.21942]),
    ("0, 0, 1", [0.0, 0.093, 0.0], false, 1.219, 0.0, [0.111172755531, 0.21942]),
    ("0, 1, 0", [0.0, 0.0, 0.09465], false, 0.1879, 0.0, [0.0171364731454, 0.033822]),
];

fn ur5(motion: impl Fn(usize) -> String) -> Text {
    let mut text = heading("kinematic", DOWN, "");
    let mut mother = "world".to_string();
    for (k, (axis, [x, y, z], is_turned, mass, centre, [across, along])) in
        UR5.into_iter().enumerate()
    {
        let (joint, body) = (format!("J{}", k + 1), format!("b{}", k + 1));
        let turn = if is_turned { 90 } else { 0 };
        text = text
            .with(&format!("Triad \"{joint}_0\" {{ Parent = {mother}; Position = {x:?}, {y:?}, {z:?}; Orientation = 0, {turn}, 0; AngleType = cardan; Degrees = deg; }}"))
            .triad(&format!("{joint}_1"), &body, [0.0; 3])
            .with(&format!("Revolute \"{joint}\" {{ Parent = {body}; TriadFrom = {joint}_0; TriadTo = {joint}_1; {} }}", revolute(axis, 0.0, "")))
            .body([&body, &mother, &joint], mass, [across, across, along], [0.0, 0.0, centre])
            .with(&format!("Motion \"M{}\" {{ Joint = {joint}; Q = {}; }}", k + 1, motion(k)));
        mother = body;
    }
    text
}

#[test]
fn the_robot_of_the_references_takes_the_torques_that_move_it() {
    let q = [0.3, -1.0, 1.2, -0.7, 0.5, 0.2];
    let v = [0.5, -0.3, 0.4, 1.0, -0.8, 0.6];
    // RB-UR5_torque: accelerations that these torques cause, and RB-UR5: the torques that hold the arm.
    let a = [
        1.338335913415405,
        -13.130091843596091,
        64.24381297788699,
        -42.26878007491573,
        -6.5815413569826,
        49.63902075383102,
    ];
    let torques = [10.0, -20.0, 15.0, 3.0, -2.0, 1.0];
    let holding = [0.0, -38.950950665804555, -15.454840648348256, -0.08364453489488112, 0.0, 0.0];
    let moved = analyse(&ur5(|k| format!("{:?} + {:?}*t + {:?}*t^2", q[k], v[k], 0.5 * a[k])));
    let held = analyse(&ur5(|k| format!("{:?}", q[k])));
    for k in 0..6 {
        let name = format!("M{}.f", k + 1);
        // The reference turns by 90 degrees with pi to twelve digits, which its torques of 40 Nm feel.
        near(moved.table("csv").at(0.0, &name), torques[k], 1e-9);
        near(held.table("csv").at(1.0, &name), holding[k], 1e-9);
    }
}

#[test]
fn the_drive_forces_give_the_same_accelerations_in_forward_dynamics() {
    // Three joints that do not turn about one axis; at some instants the torques are put in as given forces.
    let motions = ["0.8*sin(2*t)", "0.3 + 0.5*t^2", "cos(3*t)"];
    let second = |t: f64| [-3.2 * (2.0 * t).sin(), 1.0, -9.0 * (3.0 * t).cos()];
    let arm = |kind: &str, q: [f64; 3], qd: [f64; 3], drive: &dyn Fn(usize) -> String| {
        let mut text = heading(kind, DOWN, "");
        let mut mother = "world".to_string();
        for (k, axis) in ["0, 0, 1", "0, 1, 0", "1, 0, 1"].into_iter().enumerate() {
            let (joint, body) = (format!("J{}", k + 1), format!("b{}", k + 1));
            let parameters = format!(
                "JointAxis = {axis}; JointPoint = 0, 0, 0; Qinit = {:?}; QDinit = {:?}; Degrees = rad;",
                q[k], qd[k]
            );
            text = text
                .joint("Revolute", [&joint, &mother, &body], [0.1, 0.0, 0.4], &parameters)
                .body([&body, &mother, &joint], 2.0, [0.05, 0.07, 0.04], [0.05, -0.02, 0.2])
                .with(&drive(k));
            mother = body;
        }
        text
    };
    let motion =
        |k: usize| format!("Motion \"M{0}\" {{ Joint = J{0}; Q = {1}; }}", k + 1, motions[k]);
    let driven = analyse(&arm("kinematic", [0.0; 3], [0.0; 3], &motion)).table("csv");
    for t in [0.0, 0.4, 1.0] {
        let of = |name: &str| {
            std::array::from_fn(|k| driven.at(t, &name.replace('#', &(k + 1).to_string())))
        };
        let (q, qd, f): ([f64; 3], [f64; 3], [f64; 3]) = (of("J#.q"), of("J#.qd"), of("M#.f"));
        let force = |k: usize| {
            format!("JointForce \"F{0}\" {{ Joint1D = J{0}; Value = {1:?}; }}", k + 1, f[k])
        };
        let text = arm("dynamic", q, qd, &force)
            .with("Output \"o\" { Files = csv; Signals = J1.qdd, J2.qdd, J3.qdd; Events = no; }");
        let csv = analyse(&text).table("csv");
        for (k, expected) in second(t).into_iter().enumerate() {
            near(csv.at(0.0, &format!("J{}.qdd", k + 1)), expected, 1e-11);
        }
    }
}

#[test]
fn a_slider_crank_moves_and_works_as_its_geometry_says() {
    // Crank 0.2 m, connecting rod 0.5 m, piston along x; the crank turns with 10 rad/s.
    let (r, l, w) = (0.2_f64, 0.5_f64, 10.0_f64);
    let text = heading("kinematic", [0.0, -G, 0.0], "")
        .joint("Revolute", ["C", "world", "crank"], [0.0; 3], &revolute("0, 0, 1", 0.0, ""))
        .body(["crank", "world", "C"], 1.0, [0.0, 0.01, 0.01], [0.1, 0.0, 0.0])
        .joint("Revolute", ["P", "crank", "rod"], [0.2, 0.0, 0.0], &revolute("0, 0, 1", 0.0, ""))
        .body(["rod", "crank", "P"], 0.8, [0.0, 0.02, 0.02], [0.25, 0.0, 0.0])
        .joint("Prismatic", ["S", "world", "piston"], [0.0; 3], &prismatic("1, 0, 0", 0.7, ""))
        .body(["piston", "world", "S"], 1.5, [0.01; 3], [0.0; 3])
        .triad("rod_end", "rod", [0.5, 0.0, 0.0])
        .triad("pin", "piston", [0.0; 3])
        .with("Revolute \"L\" { TriadFrom = rod_end; TriadTo = pin; JointAxis = 0, 0, 1; JointPoint = 0, 0, 0; Qinit = 0; QDinit = 0; Degrees = rad; Role = loop; }")
        .with("Motion \"M\" { Joint = C; Q = 10*t; }");
    let outcome = analyse(&text);
    let csv = outcome.table("csv");
    for row in 0..csv.rows.len() {
        let at = |name: &str| csv.column(name)[row];
        let phi = w * at("t");
        let root = (l * l - (r * phi.sin()).powi(2)).sqrt();
        near(at("S.q"), r * phi.cos() + root, 1e-12);
        let slope = -r * phi.sin() - r * r * phi.sin() * phi.cos() / root;
        near(at("S.qd"), w * slope, 1e-11);
        near(at("M.f"), slider_crank_torque(phi, w), 1e-7);
    }
}

/// Torque at the crank that keeps its speed: the derivative of kinetic and potential energy by the angle, from the
/// closed-form positions. The eighth-order central difference of energies of 30 J with steps of 0.01 rad is good to 1e-8.
fn slider_crank_torque(phi: f64, w: f64) -> f64 {
    let (r, l) = (0.2_f64, 0.5_f64);
    let energy = |phi: f64| {
        let beta = (-r * phi.sin() / l).asin();
        let beta_rate = -r * phi.cos() * w / (l * beta.cos());
        let slider_rate = -r * phi.sin() * w - l * beta.sin() * beta_rate;
        let (vx, vy) = (
            -r * phi.sin() * w - 0.5 * l * beta.sin() * beta_rate,
            r * phi.cos() * w + 0.5 * l * beta.cos() * beta_rate,
        );
        let crank = 0.5 * (0.01 + 1.0 * 0.01) * w * w;
        let rod = 0.5 * 0.8 * (vx * vx + vy * vy) + 0.5 * 0.02 * beta_rate * beta_rate;
        let piston = 0.5 * 1.5 * slider_rate * slider_rate;
        let height = 1.0 * 0.1 * phi.sin() + 0.8 * (r * phi.sin() + 0.5 * l * beta.sin());
        crank + rod + piston + G * height
    };
    let h = 0.01;
    let weights = [4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0];
    let sum: f64 = weights
        .iter()
        .zip(1..)
        .map(|(c, k)| c * (energy(phi + f64::from(k) * h) - energy(phi - f64::from(k) * h)))
        .sum();
    sum / h
}

#[test]
fn a_coupled_joint_follows_and_its_share_comes_from_the_drive() {
    // Two shafts with a gear of ratio -3: b = -3 a; no gravity. The drive feels J_a + 9 J_b.
    let shaft = |text: Text, joint: &str, body: &str, x: f64, inertia: f64| {
        text.joint("Revolute", [joint, "world", body], [x, 0.0, 0.0], &revolute("0, 0, 1", 0.0, ""))
            .body([body, "world", joint], 1.0, [0.1, 0.1, inertia], [0.0; 3])
    };
    let text = shaft(heading("kinematic", [0.0; 3], ""), "A", "a", 0.0, 0.2);
    let text = shaft(text, "B", "b", 1.0, 0.05)
        .with("Coupling \"gear\" { Joint1 = B; Joint2 = A; Ratio = -3; }")
        .with("Motion \"M\" { Joint = A; Q = t^3; }");
    let csv = analyse(&text).table("csv");
    for t in [0.0, 0.3, 1.0] {
        near(csv.at(t, "B.q"), -3.0 * t.powi(3), 1e-12);
        near(csv.at(t, "M.f"), (0.2 + 9.0 * 0.05) * 6.0 * t, 1e-12);
    }
}

#[test]
fn a_source_of_angle_in_a_drive_train_drives_its_joint() {
    // The rotor turns five times as fast as the arm: J 25 and the arm itself against gravity. No other motion is prescribed.
    let text = heading("kinematic", [0.0, -G, 0.0], "")
        .joint("Revolute", ["A", "world", "a"], [0.0; 3], &revolute("0, 0, 1", 0.0, ""))
        .body(["a", "world", "A"], 2.0, [0.1, 0.1, 0.3], [0.5, 0.0, 0.0])
        .with("JointAxis \"axis\" { flange = slow; Joint = A; } Gear \"gear\" { a = fast; b = slow; Ratio = 5; }")
        .with("Inertia \"rotor\" { a = fast; J = 0.01; } AngleSource \"source\" { a = fast; Phi = 5*(0.4 + t^3); }");
    let csv = analyse(&text).table("csv");
    for t in [0.0f64, 0.3, 1.0] {
        let (q, qdd) = (0.4 + t.powi(3), 6.0 * t);
        near(csv.at(t, "A.q"), q, 1e-12);
        near(csv.at(t, "A.qd"), 3.0 * t * t, 1e-12);
        // About the joint: 0.3 + 2 0.5^2 of the arm, and 25 0.01 of the rotor; weight 2 g at 0.5 cos q.
        let torque = (0.3 + 0.5 + 0.25) * qdd + 2.0 * G * 0.5 * q.cos();
        near(csv.at(t, "source.tau"), torque / 5.0, 1e-10);
    }
}
