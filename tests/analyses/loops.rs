//! Equilibria and linear models of closed loops.

use dysim_tests::blocks::Text;
use dysim_tests::mechanisms::FOUR_BAR;

use super::support::{G, Matrix, analyse, eigenvalues, heading, near, prismatic, revolute};

const DOWN_Y: [f64; 3] = [0.0, -G, 0.0];

/// A thin rod along x.
fn rod(text: Text, names: [&str; 3], mass: f64, length: f64) -> Text {
    let theta = mass * length * length / 12.0;
    let end = format!("{}_end", names[0]);
    text.body(names, mass, [0.0, theta, theta], [0.5 * length, 0.0, 0.0]).triad(
        &end,
        names[0],
        [length, 0.0, 0.0],
    )
}

fn closing(name: &str, from: &str, to: &str) -> String {
    format!(
        "Revolute \"{name}\" {{ TriadFrom = {from}; TriadTo = {to}; JointAxis = 0, 0, 1; JointPoint = 0, 0, 0; Qinit = 0; QDinit = 0; Degrees = rad; Role = loop; }}"
    )
}

/// The four-bar of the reference problem LP-4BAR, base 1 m along x.
fn four_bar(kind: &str, crank: f64, more: &str) -> Text {
    let [a, b, c] = FOUR_BAR;
    let (coupler, rocker) = four_bar_angles(crank);
    let z = "0, 0, 1";
    let text = heading(kind, DOWN_Y, more).joint(
        "Revolute",
        ["J1", "world", "crank"],
        [0.0; 3],
        &revolute(z, crank, ""),
    );
    let text = rod(text, ["crank", "world", "J1"], 1.0, a).joint(
        "Revolute",
        ["J2", "crank", "coupler"],
        [a, 0.0, 0.0],
        &revolute(z, coupler - crank, ""),
    );
    let text = rod(text, ["coupler", "crank", "J2"], 2.0, b).joint(
        "Revolute",
        ["J3", "world", "rocker"],
        [1.0, 0.0, 0.0],
        &revolute(z, rocker, ""),
    );
    rod(text, ["rocker", "world", "J3"], 1.5, c).with(&closing("L", "coupler_end", "rocker_end"))
}

/// Angles of coupler and rocker for an angle of the crank, with the coupler point above the line of centres.
fn four_bar_angles(crank: f64) -> (f64, f64) {
    let [a, b, c] = FOUR_BAR;
    let (x, y) = (1.0 - a * crank.cos(), -a * crank.sin());
    let d = x.hypot(y);
    let direction = y.atan2(x);
    let inner = ((b * b + d * d - c * c) / (2.0 * b * d)).acos();
    let coupler = direction + inner;
    let (px, py) = (a * crank.cos() + b * coupler.cos(), a * crank.sin() + b * coupler.sin());
    (coupler, py.atan2(px - 1.0))
}

/// Potential energy of the four-bar.
fn potential(crank: f64) -> f64 {
    let [a, b, c] = FOUR_BAR;
    let (coupler, rocker) = four_bar_angles(crank);
    let heights = 1.0 * 0.5 * a * crank.sin()
        + 2.0 * (a * crank.sin() + 0.5 * b * coupler.sin())
        + 1.5 * 0.5 * c * rocker.sin();
    G * heights
}

/// Derivatives of the angles of coupler and rocker by that of the crank, sixth-order differences: good to 1e-11.
fn ratios(crank: f64) -> (f64, f64) {
    let h = 0.01;
    let weights = [3.0 / 4.0, -3.0 / 20.0, 1.0 / 60.0];
    let slope = |of: &dyn Fn(f64) -> f64| -> f64 {
        let terms = weights.iter().zip(1..).map(|(w, k)| {
            let s = f64::from(k) * h;
            w * (of(crank + s) - of(crank - s))
        });
        terms.sum::<f64>() / h
    };
    (slope(&|q| four_bar_angles(q).0), slope(&|q| four_bar_angles(q).1))
}

#[test]
fn a_four_bar_comes_to_rest_where_its_potential_energy_is_least() {
    for start in [0.7, 2.5, -0.6] {
        let outcome = analyse(&four_bar("static", start, ""));
        let q = outcome.table("csv").last("J1.q");
        // The second derivative is some 10 J: a slope of 1e-8 J is a position of 1e-9 rad, the error of the differences.
        let h = 1e-3;
        let slope = (8.0 * (potential(q + h) - potential(q - h)) - potential(q + 2.0 * h)
            + potential(q - 2.0 * h))
            / (12.0 * h);
        near(slope, 0.0, 1e-8);
        assert!(potential(q) < potential(q + 0.05) && potential(q) < potential(q - 0.05));
        assert!(outcome.summary.findings.iter().any(|line| line == "it is stable"));
    }
}

#[test]
fn a_four_bar_oscillates_about_its_rest_with_one_frequency() {
    let outcome = analyse(&four_bar("linear", 0.7, "At = static;"));
    let q = outcome.table("csv").last("J1.q");
    let a = Matrix::read(&outcome, "A");
    assert_eq!(a.rows.len(), 2, "one freedom has two states");
    // Inertia that the crank feels, from the speeds of the centres; stiffness from the potential energy.
    let [l1, l2, l3] = FOUR_BAR;
    let (coupler, _) = four_bar_angles(q);
    let (db, dc) = ratios(q);
    let vx = -l1 * q.sin() - 0.5 * l2 * coupler.sin() * db;
    let vy = l1 * q.cos() + 0.5 * l2 * coupler.cos() * db;
    let inertia = l1 * l1 / 3.0
        + 2.0 * (vx * vx + vy * vy + l2 * l2 / 12.0 * db * db)
        + 1.5 * l3 * l3 / 3.0 * dc * dc;
    let h = 0.02;
    let second = (-potential(q + 2.0 * h) + 16.0 * potential(q + h) - 30.0 * potential(q)
        + 16.0 * potential(q - h)
        - potential(q - 2.0 * h))
        / (12.0 * h * h);
    let expected = (second / inertia).sqrt();
    let (independent, value) = (&a.columns[0], eigenvalues(&outcome)[0]);
    assert_eq!(value.0, 0.0);
    // Differences of fourth order with steps of 0.02: about 1e-6 of the second derivative.
    near(value.1, expected, 2e-6 * expected);
    assert!(["J1.q", "J2.q", "J3.q"].contains(&independent.as_str()));
    // The shape has the ratios of the angles.
    let shape = Matrix::read(&outcome, "modes").column("mode1_real");
    near((shape[0] + shape[1]) / shape[0], db, 1e-8);
    near(shape[2] / shape[0], dc, 1e-8);
}

#[test]
fn a_hanging_parallelogram_is_a_pendulum_with_redundant_rows() {
    // Two cranks of 0.5 m and 1 kg, a coupler of 2 kg that only shifts: I = 2/3 m r^2 + M r^2, K = g r (m + M).
    let cranks = |kind: &str, q: f64, more: &str| {
        let z = "0, 0, 1";
        let text = heading(kind, DOWN_Y, more).joint(
            "Revolute",
            ["A", "world", "left"],
            [0.0; 3],
            &revolute(z, q, ""),
        );
        let text = rod(text, ["left", "world", "A"], 1.0, 0.5).joint(
            "Revolute",
            ["B", "left", "beam"],
            [0.5, 0.0, 0.0],
            &revolute(z, -q, ""),
        );
        let text = rod(text, ["beam", "left", "B"], 2.0, 1.0).joint(
            "Revolute",
            ["C", "world", "right"],
            [1.0, 0.0, 0.0],
            &revolute(z, q, ""),
        );
        rod(text, ["right", "world", "C"], 1.0, 0.5).with(&closing("L", "beam_end", "right_end"))
    };
    let down = -std::f64::consts::FRAC_PI_2;
    let rest = analyse(&cranks("static", 0.3, ""));
    near(rest.table("csv").last("A.q"), down, 1e-10);
    // Both hinges carry half of the weight of 4 kg.
    near(rest.table("csv").last("A.fy"), 2.0 * G, 1e-8);
    near(rest.table("csv").last("C.fy"), 2.0 * G, 1e-8);
    let outcome = analyse(&cranks("linear", 0.3, "At = static;"));
    let expected = (G * 0.5 * 3.0 / (2.0 / 3.0 * 0.25 + 2.0 * 0.25)).sqrt();
    let found = eigenvalues(&outcome);
    assert_eq!(found.len(), 1);
    near(found[0].1, expected, 1e-10);
    assert!(outcome.files().contains(&"case_mode1.ani".into()));
}

#[test]
fn a_slider_crank_balances_by_virtual_work() {
    // A torsion spring at the crank against a force on the slider, no gravity: k (phi0 - phi) + F dx/dphi = 0.
    let (r, l, k, phi0, force) = (0.2_f64, 0.5_f64, 40.0, 0.5, -150.0);
    let z = "0, 0, 1";
    let text = heading("static", [0.0; 3], "").joint(
        "Revolute",
        ["C", "world", "crank"],
        [0.0; 3],
        &revolute(z, phi0, ""),
    );
    let beta = (-r * phi0.sin() / l).asin();
    let text = rod(text, ["crank", "world", "C"], 1.0, r).joint(
        "Revolute",
        ["P", "crank", "rod"],
        [r, 0.0, 0.0],
        &revolute(z, beta - phi0, ""),
    );
    let x = r * phi0.cos() + l * beta.cos();
    let text = rod(text, ["rod", "crank", "P"], 1.0, l)
        .joint("Prismatic", ["S", "world", "slider"], [0.0; 3], &prismatic("1, 0, 0", x, ""))
        .body(["slider", "world", "S"], 1.0, [0.01; 3], [0.0; 3])
        .triad("pin", "slider", [0.0; 3])
        .with(&closing("L", "rod_end", "pin"))
        .with(&format!("RSDA \"T\" {{ Joint1D = C; ElasticLinear = {k:?}; DampingLinear = 0; ZeroAngle = {phi0:?}; OneSide = bi; Degrees = rad; }}"))
        .with(&format!("JointForce \"F\" {{ Joint1D = S; Value = {force:?}; }}"));
    let csv = analyse(&text).table("csv");
    let phi = csv.last("C.q");
    let root = (l * l - (r * phi.sin()).powi(2)).sqrt();
    let slope = -r * phi.sin() - r * r * phi.sin() * phi.cos() / root;
    near(k * (phi0 - phi) + force * slope, 0.0, 1e-8);
    assert!((phi - phi0).abs() > 0.1, "{phi}");
    near(csv.last("S.q"), r * phi.cos() + root, 1e-12);
}

#[test]
fn a_mass_on_a_massless_rod_hangs_below_its_hook_and_swings() {
    let text = |kind: &str| {
        heading(kind, [0.0, 0.0, -G], "At = static;")
            .triad("hook", "world", [0.0; 3])
            .joint(
                "TriPrismatic",
                ["J", "world", "bob"],
                [0.0; 3],
                "Qinit = 0.6, 0.3, -1.8; QDinit = 0, 0, 0;",
            )
            .body(["bob", "world", "J"], 3.0, [0.1; 3], [0.0; 3])
            .with("Rod \"R\" { TriadFrom = hook; TriadTo = J_1; Length = 2; }")
    };
    let csv = analyse(&text("static")).table("csv");
    for (k, expected) in [0.0, 0.0, -2.0].into_iter().enumerate() {
        near(csv.last(&format!("J.q[{}]", k + 1)), expected, 1e-9);
    }
    near(csv.last("R.f").abs(), 3.0 * G, 1e-8);
    // A spherical pendulum: two modes of the same frequency.
    let found = eigenvalues(&analyse(&text("linear")));
    assert_eq!(found.len(), 2);
    for (re, im) in found {
        assert_eq!(re, 0.0);
        near(im, (G / 2.0).sqrt(), 1e-9);
    }
}

#[test]
fn a_prescribed_joint_stands_still_in_an_equilibrium_and_is_no_state() {
    // The hook of a pendulum is driven with a speed that does not vanish at Tstart.
    let text = |kind: &str| {
        heading(kind, [0.0, 0.0, -G], "At = static;")
            .joint("Prismatic", ["H", "world", "cart"], [0.0; 3], &prismatic("1, 0, 0", 0.0, ""))
            .body(["cart", "world", "H"], 1.0, [0.1; 3], [0.0; 3])
            .joint("Revolute", ["J", "cart", "bob"], [0.0; 3], &revolute("0, 1, 0", 0.9, ""))
            .body(["bob", "cart", "J"], 2.0, [0.0; 3], [0.0, 0.0, -1.0])
            .with("Motion \"M\" { Joint = H; Q = 0.25 + sin(5*t); }")
    };
    let csv = analyse(&text("static")).table("csv");
    near(csv.last("H.q"), 0.25, 0.0);
    near(csv.last("J.q"), 0.0, 1e-10);
    near(csv.last("M.f"), 0.0, 1e-9);
    let outcome = analyse(&text("linear"));
    assert_eq!(Matrix::read(&outcome, "A").columns, ["J.q", "J.qd"]);
    near(eigenvalues(&outcome)[0].1, G.sqrt(), 1e-10);
}
