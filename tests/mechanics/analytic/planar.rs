//! Pendulums and chains in a plane, and a mass on a spring.

use dysim_tests::blocks::{Run, Text};
use dysim_tests::simulate::Outcome;

use dysim_tests::bounds::{
    Expected, compare, compare_converged, compare_fixed, compare_methods, references,
};

/// Links that hang down along -y and turn about z; angles from the downward vertical.
struct Chain {
    length: f64,
    mass: f64,
    /// Distance of the centre from the hinge.
    centre: f64,
    /// Moment of inertia about the centre.
    inertia: f64,
    gravity: f64,
    /// Absolute initial angles.
    angles: &'static [f64],
}

const HALF_PI: f64 = std::f64::consts::FRAC_PI_2;
const POINTS: Chain =
    Chain { length: 1.0, mass: 1.0, centre: 1.0, inertia: 0.0, gravity: 9.81, angles: &[] };
const RODS: Chain =
    Chain { length: 1.0, mass: 1.0, centre: 0.5, inertia: 1.0 / 12.0, gravity: 9.81, angles: &[] };

const FIVE_RODS: Chain = Chain {
    length: 0.4,
    mass: 0.5,
    centre: 0.2,
    inertia: 0.5 * 0.16 / 12.0,
    gravity: 9.81,
    angles: &[HALF_PI; 5],
};

impl Chain {
    fn text(&self, how: Run, shift: f64) -> String {
        let mut text = Text::new([0.0, -self.gravity, 0.0], how);
        let mut mother = "world".to_string();
        let mut before = 0.0;
        for (k, angle) in self.angles.iter().enumerate() {
            let (joint, body) = (format!("J{}", k + 1), format!("b{}", k + 1));
            let place = [0.0, if k == 0 { 0.0 } else { -self.length }, 0.0];
            let start = angle - before + if k == 0 { shift } else { 0.0 };
            let parameters = format!(
                "JointAxis = 0, 0, 1; JointPoint = 0, 0, 0; Qinit = {start:?}; QDinit = {shift:?}; Degrees = rad;"
            );
            text = text.joint("Revolute", [&joint, &mother, &body], place, &parameters).body(
                [&body, &mother, &joint],
                self.mass,
                [self.inertia, 0.0, self.inertia],
                [0.0, -self.centre, 0.0],
            );
            mother = body;
            before = *angle;
        }
        text.text().to_string()
    }

    /// Angles and rates are sums over the joints; the tip follows from the pose of the last link.
    fn measure(&self, outcome: &Outcome, expected: &Expected) -> f64 {
        let (csv, pva) = (outcome.table("csv"), outcome.table("pva"));
        let t = expected.time();
        let sum = |signal: &str, count: usize| -> f64 {
            (1..=count).map(|k| csv.at(t, &format!("J{k}.{signal}"))).sum()
        };
        let last = self.angles.len();
        let link = |part: &str| pva.at(t, &format!("b{last}.{part}"));
        let name = expected.quantity;
        match name {
            "theta_from_down" => sum("q", 1),
            "thetad" => sum("qd", 1),
            "tip_x" | "x" => link("x") - self.length * link("D12"),
            "tip_y" | "y" => link("y") - self.length * link("D22"),
            // The tip at -y of the link: v + w x r.
            "vx" => link("vx") + link("wz") * self.length * link("D22"),
            "vy" => link("vy") - link("wz") * self.length * link("D12"),
            _ => match name.split_at(2) {
                ("th", k) => sum("q", k.parse().unwrap_or(0)),
                ("om", k) => sum("qd", k.parse().unwrap_or(0)),
                _ => panic!("unknown quantity {name}"),
            },
        }
    }
}

#[test]
fn the_benchmark_pendulum_follows_its_elliptic_function() {
    let pendulum = Chain { angles: &[-HALF_PI], ..POINTS };
    let expected = references("IFT-A01", 10.0);
    let model = |how: Run, shift: f64| pendulum.text(how, shift);
    let measure = |o: &Outcome, e: &Expected| pendulum.measure(o, e);
    compare_methods("IFT-A01", Run::new("derf", 1e-9, 10.0, 0.5), &model, &expected, &measure);
    compare_fixed("IFT-A01", Run::new("rk4", 1e-9, 10.0, 0.01), &model, &expected, &measure);
}

#[test]
fn regular_and_chaotic_double_pendulums_agree_with_quadruple_precision() {
    let regular = Chain { angles: &[HALF_PI / 3.0, HALF_PI / 2.0], ..POINTS };
    let horizontal = &[HALF_PI, HALF_PI];
    // The chaotic ones amplify errors by e^(lambda t): the end is where the bound still tells something.
    let cases = [
        ("CL-DP-REG", regular, 10.0, 1e-10),
        ("CL-DP-CHAOS", Chain { angles: horizontal, ..POINTS }, 5.0, 1e-10),
        ("CL-DP-ROD", Chain { angles: horizontal, ..RODS }, 5.0, 1e-10),
    ];
    for (name, chain, end, tolerance) in cases {
        let expected = references(name, end);
        let how = Run::new("derf", tolerance, end, 0.5);
        let model = |how: Run, shift: f64| chain.text(how, shift);
        let measure = |o: &Outcome, e: &Expected| chain.measure(o, e);
        compare_methods(name, how, &model, &expected, &measure);
        compare_fixed(
            name,
            Run { solver: "rk4", step: 1.0 / 1024.0, ..how },
            &model,
            &expected,
            &measure,
        );
    }
}

#[test]
fn a_chain_of_five_rods_agrees_with_quadruple_precision() {
    let model = |how: Run, shift: f64| FIVE_RODS.text(how, shift);
    let measure = |o: &Outcome, e: &Expected| FIVE_RODS.measure(o, e);
    let how = Run::new("derf", 1e-11, 1.0, 0.25);
    compare_methods("CL-CHAIN5", how, &model, &references("CL-CHAIN5", 1.0), &measure);
    let how = Run::new("derf", 1e-12, 2.0, 0.25);
    compare("CL-CHAIN5", how, &model, &references("CL-CHAIN5", 2.0), &measure);
}

/// To the last value of the references, where errors have grown by up to some ten thousand.
#[test]
fn chaotic_chains_agree_to_the_end_of_their_references() {
    let horizontal = &[HALF_PI, HALF_PI];
    let cases = [
        ("CL-DP-CHAOS", Chain { angles: horizontal, ..POINTS }, 10.0),
        ("CL-DP-ROD", Chain { angles: horizontal, ..RODS }, 10.0),
        ("CL-CHAIN5", FIVE_RODS, 3.0),
    ];
    for (name, chain, end) in cases {
        let expected = references(name, end);
        assert_eq!(expected.last().map(Expected::time), Some(end));
        let model = |how: Run, shift: f64| chain.text(how, shift);
        let measure = |o: &Outcome, e: &Expected| chain.measure(o, e);
        for solver in ["derf", "odeint_rk", "odeint_bs"] {
            let how = Run::new(solver, 1e-13, end, 0.5);
            compare_converged(name, how, &model, &expected, &measure);
        }
    }
}

/// Released at rest, a pendulum is back after one period, and at rest on the other side after half.
#[test]
fn the_period_grows_with_the_amplitude_as_the_elliptic_integral_says() {
    // (amplitude in degrees, period in s) for L = 1 m, g = 9.8065 m/s^2.
    let periods = [
        (5.0_f64, 2.007380041733312126372),
        (30.0, 2.041354077931940848189),
        (60.0, 2.153258819693784044566),
        (90.0, 2.368264458537757664461),
        (120.0, 2.754581260819297097324),
        (150.0, 3.535728979216039020167),
        (170.0, 4.894397460615418222033),
        (179.0, 7.827193250397871483093),
    ];
    for (degrees, period) in periods {
        let amplitude = degrees.to_radians();
        let model = |how: Run, shift: f64| {
            let text = Text::new([0.0, -9.8065, 0.0], how);
            let start = format!(
                "JointAxis = 0, 0, 1; JointPoint = 0, 0, 0; Qinit = {:?}; QDinit = {shift:?}; Degrees = rad;",
                amplitude + shift
            );
            let text = text.joint("Revolute", ["J", "world", "b"], [0.0; 3], &start);
            text.body(["b", "world", "J"], 1.0, [0.0; 3], [0.0, -1.0, 0.0]).text().to_string()
        };
        let expected = [
            Expected { at: "half", quantity: "q", value: -amplitude },
            Expected { at: "half", quantity: "qd", value: 0.0 },
            Expected { at: "whole", quantity: "q", value: amplitude },
            Expected { at: "whole", quantity: "qd", value: 0.0 },
        ];
        let measure = |o: &Outcome, e: &Expected| {
            let t = if e.at == "half" { 0.5 * period } else { period };
            o.table("csv").at(t, &format!("J.{}", e.quantity))
        };
        let how = Run::new("de", 1e-10, period, 0.125 * period);
        compare(&format!("period {degrees}"), how, &model, &expected, &measure);
    }
}

#[test]
fn a_damped_mass_on_a_spring_follows_its_closed_form() {
    for (name, damping) in
        [("CL-TSDA-under", 1.5), ("CL-TSDA-critical", 20.0), ("CL-TSDA-over", 60.0)]
    {
        let model = |how: Run, shift: f64| {
            let start = format!(
                "JointAxis = 0, 0, 1; JointPoint = 0, 0, 0; Qinit = {:?}; QDinit = {shift:?};",
                0.3 + shift
            );
            Text::new([0.0, 0.0, -9.8065], how)
                .joint("Prismatic", ["J", "world", "b"], [0.0; 3], &start)
                .body(["b", "world", "J"], 2.0, [1.0; 3], [0.0; 3])
                .with(&format!(
                    "TSDA \"s\" {{ Joint1D = J; ElasticLinear = 50; DampingLinear = {damping:?}; ZeroLength = 0; OneSide = bi; }}"
                ))
                .text()
                .to_string()
        };
        let measure = |o: &Outcome, e: &Expected| {
            o.table("csv").at(e.time(), if e.quantity == "z" { "J.q" } else { "J.qd" })
        };
        let expected = references(name, 5.0);
        let how = Run::new("derf", 1e-9, 5.0, 0.1);
        compare_methods(name, how, &model, &expected, &measure);
        let how = Run { solver: "rk4", step: 0.01, ..how };
        compare_fixed(name, how, &model, &expected, &measure);
    }
}
