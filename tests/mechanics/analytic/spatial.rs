//! Bodies that turn in space: tops, chains of ball joints, a universal joint, a body on a spring.

use dysim_tests::blocks::{Run, Text, list};
use dysim_tests::simulate::{Outcome, Table};
use mechanics::quaternion::Quaternion;
use mechanics::rotation::AngleType;
use mechanics::{Mat3, Vec3, vec3};

use dysim_tests::bounds::{
    Expected, compare, compare_converged, compare_fixed, compare_methods, references,
};

/// Pose and motion of a body frame as `.pva` has them.
struct Frame {
    position: Vec3,
    rotation: Mat3,
    velocity: Vec3,
    omega: Vec3,
}

impl Frame {
    fn read(pva: &Table, body: &str, t: f64) -> Self {
        let value = |part: &str| pva.at(t, &format!("{body}.{part}"));
        let vector = |a: &str, b: &str, c: &str| vec3(value(a), value(b), value(c));
        let row = |i: usize| vector(&format!("D{i}1"), &format!("D{i}2"), &format!("D{i}3"));
        Self {
            position: vector("x", "y", "z"),
            rotation: Mat3 { rows: [row(1), row(2), row(3)] },
            velocity: vector("vx", "vy", "vz"),
            omega: vector("wx", "wy", "wz"),
        }
    }

    /// A quantity by the name of the references: `comx`, `vx`, `R12`, `wx`, `wbody_x`, `wworld_x`, `rx`.
    fn quantity(&self, name: &str, centre: Vec3) -> f64 {
        let arm = self.rotation * centre;
        if let Some(place) = name.strip_prefix('R') {
            let digit = |at: usize| usize::from(place.as_bytes()[at] - b'1');
            return self.rotation.rows[digit(0)].to_array()[digit(1)];
        }
        let (what, axis) = name.split_at(name.len() - 1);
        let vector = match what {
            "com" => self.position + arm,
            "r" => self.position,
            "v" => self.velocity + self.omega.cross(arm),
            "w" | "wworld_" => self.omega,
            "wbody_" => self.rotation.transpose_mul(self.omega),
            _ => panic!("unknown quantity {name}"),
        };
        match axis {
            "x" => vector.x,
            "y" => vector.y,
            _ => vector.z,
        }
    }
}

fn measure_body(outcome: &Outcome, expected: &Expected, last: &str, centre: Vec3) -> f64 {
    let (body, name) = match expected.quantity.split_once('.') {
        Some(("last", name)) => (last, name),
        Some((body, name)) => (body, name),
        None => (last, expected.quantity),
    };
    Frame::read(&outcome.table("pva"), body, expected.time()).quantity(name, centre)
}

/// A body on a ball joint at the origin; initial angles and rates in a system of angles.
struct Top {
    angle_type: &'static str,
    angles: [f64; 3],
    rates: [f64; 3],
    mass: f64,
    inertia: [f64; 3],
    centre: [f64; 3],
    gravity: f64,
    joint: &'static str,
}

const TOP: Top = Top {
    angle_type: "cardan",
    angles: [0.0; 3],
    rates: [0.0; 3],
    mass: 1.0,
    inertia: [1.0; 3],
    centre: [0.0; 3],
    gravity: 0.0,
    joint: "Spherical",
};

impl Top {
    fn text(&self, how: Run, shift: f64) -> String {
        let mut angles = self.angles;
        angles[1] += shift;
        let rates = self.rates.map(|rate| rate + shift);
        let (mut q, mut qd) = (list(&angles), list(&rates));
        if self.joint == "Free" {
            (q, qd) = (format!("0, 0, 0, {q}"), format!("0, 0, 0, {qd}"));
        }
        let parameters =
            format!("Qinit = {q}; QDinit = {qd}; AngleType = {}; Degrees = rad;", self.angle_type);
        Text::new([0.0, 0.0, -self.gravity], how)
            .joint(self.joint, ["J", "world", "b"], [0.0; 3], &parameters)
            .body(["b", "world", "J"], self.mass, self.inertia, self.centre)
            .text()
            .to_string()
    }

    fn measure(&self, outcome: &Outcome, expected: &Expected) -> f64 {
        let [x, y, z] = self.centre;
        measure_body(outcome, expected, "b", vec3(x, y, z))
    }
}

#[test]
fn a_free_asymmetric_top_tumbles_as_computed_in_quadruple_precision() {
    let expected = references("CL-FREETOP", 20.0);
    for joint in ["Spherical", "Free"] {
        let top = Top { inertia: [1.0, 2.0, 3.0], rates: [0.1, 2.0, 0.05], joint, ..TOP };
        let model = |how: Run, shift: f64| top.text(how, shift);
        let measure = |o: &Outcome, e: &Expected| top.measure(o, e);
        let how = Run::new("derf", 1e-10, 20.0, 0.5);
        compare_methods("CL-FREETOP", how, &model, &expected, &measure);
        let how = Run { solver: "rk4", step: 0.0125, ..how };
        compare_fixed("CL-FREETOP", how, &model, &expected, &measure);
    }
}

#[test]
fn a_free_symmetric_top_precesses_as_its_closed_form_says() {
    let top = Top {
        inertia: [2.0, 2.0, 1.0],
        angle_type: "euler",
        angles: [0.0, 0.4, 0.0],
        rates: [2.714261070958096757785, 0.0, 2.5],
        ..TOP
    };
    let model = |how: Run, shift: f64| top.text(how, shift);
    let measure = |o: &Outcome, e: &Expected| top.measure(o, e);
    let how = Run::new("derf", 1e-9, 10.0, 0.5);
    compare_methods("CL-SYMTOP", how, &model, &references("CL-SYMTOP", 10.0), &measure);
}

/// Spins about a principal axis straight through the singularity of the angles in which they began.
#[test]
fn principal_spins_pass_the_singularities_of_their_angles() {
    let inertia = [2.0, 3.0, 4.0];
    let euler = Top {
        inertia,
        angle_type: "euler",
        angles: [0.0, 0.5, 0.0],
        rates: [0.0, -1.0, 0.0],
        ..TOP
    };
    let cardan = Top { inertia, rates: [0.0, 1.0, 0.0], ..TOP };
    let cases = [
        ("CL-EULERSING a", euler, "1", AngleType::Cardan.matrix(vec3(-0.5, 0.0, 0.0))),
        ("CL-EULERSING b", cardan, "2", AngleType::Cardan.matrix(vec3(0.0, 2.0, 0.0))),
    ];
    let names = ["R11", "R12", "R13", "R21", "R22", "R23", "R31", "R32", "R33"];
    for (name, top, at, rotation) in cases {
        let values = rotation.rows.iter().flat_map(|row| row.to_array());
        let expected: Vec<Expected> =
            values.zip(names).map(|(value, quantity)| Expected { at, quantity, value }).collect();
        let model = |how: Run, shift: f64| top.text(how, shift);
        let measure = |o: &Outcome, e: &Expected| top.measure(o, e);
        let how = Run::new("derf", 1e-9, 2.0, 0.125);
        compare(name, how, &model, &expected, &measure);
        compare(name, Run { solver: "odeint_bs", ..how }, &model, &expected, &measure);
    }
}

#[test]
fn the_heavy_top_agrees_with_quadruple_precision() {
    let top = Top {
        mass: 15.0,
        inertia: [0.234375, 0.46875, 0.234375],
        centre: [0.0, 1.0, 0.0],
        gravity: 9.81,
        rates: [0.0, 150.0, -4.61538],
        ..TOP
    };
    let model = |how: Run, shift: f64| top.text(how, shift);
    let measure = |o: &Outcome, e: &Expected| top.measure(o, e);
    let how = Run::new("derf", 1e-10, 0.5, 0.1);
    compare_methods("CL-HEAVYTOP", how, &model, &references("CL-HEAVYTOP", 0.5), &measure);
    let how = Run::new("derf", 1e-11, 2.0, 0.1);
    compare("CL-HEAVYTOP", how, &model, &references("CL-HEAVYTOP", 2.0), &measure);
}

/// Links along x with ball joints; the whole chain starts turning like one body.
fn ball_chain(links: usize, how: Run, shift: f64) -> String {
    let mut text = Text::new([0.0, 0.0, -9.8065], how);
    let mut mother = "world".to_string();
    for k in 1..=links {
        let (joint, body) = (format!("J{k}"), format!("b{k}"));
        let rates = if k == 1 { [1.0, shift, 2.0 + shift] } else { [0.0; 3] };
        let parameters = format!(
            "Qinit = {}; QDinit = {}; AngleType = cardan; Degrees = rad;",
            list(&[shift, 0.0, 0.0]),
            list(&rates)
        );
        let place = [if k == 1 { 0.0 } else { 0.5 }, 0.0, 0.0];
        text = text.joint("Spherical", [&joint, &mother, &body], place, &parameters).body(
            [&body, &mother, &joint],
            1.0,
            [0.02, 0.03, 0.04],
            [0.25, 0.0, 0.0],
        );
        mother = body;
    }
    text.text().to_string()
}

#[test]
fn chains_of_ball_joints_agree_with_quadruple_precision() {
    for links in 1..=3 {
        let name = format!("CL-SPH{links}");
        let expected = references(&name, 2.0);
        let last = format!("b{links}");
        let model = |how: Run, shift: f64| ball_chain(links, how, shift);
        let measure = |o: &Outcome, e: &Expected| measure_body(o, e, &last, vec3(0.25, 0.0, 0.0));
        let how = Run::new("derf", 1e-10, 2.0, 0.25);
        compare_methods(&name, how, &model, &expected, &measure);
        let how = Run { solver: "rk4", step: 1.0 / 512.0, ..how };
        compare_fixed(&name, how, &model, &expected, &measure);
    }
}

#[test]
fn a_universal_pendulum_agrees_with_quadruple_precision() {
    let model = |how: Run, shift: f64| {
        let parameters = format!(
            "JointAxis1 = 1, 0, 0; JointPoint1 = 0, 0, 0; JointAxis2 = 0, 1, 0; JointPoint2 = 0, 0, 0; Qinit = {:?}, 0.5; QDinit = 1, {:?}; Degrees = rad;",
            0.7 + shift,
            -3.0 + shift
        );
        Text::new([0.0, 0.0, -9.8065], how)
            .joint("Universal", ["J", "world", "b"], [0.0; 3], &parameters)
            .body(["b", "world", "J"], 2.0, [0.1, 0.12, 0.03], [0.0, 0.0, -0.6])
            .text()
            .to_string()
    };
    let measure = |o: &Outcome, e: &Expected| match e.quantity {
        "q1" => o.table("csv").at(e.time(), "J.q[1]"),
        "q2" => o.table("csv").at(e.time(), "J.q[2]"),
        "qd1" => o.table("csv").at(e.time(), "J.qd[1]"),
        "qd2" => o.table("csv").at(e.time(), "J.qd[2]"),
        _ => measure_body(o, e, "b", vec3(0.0, 0.0, -0.6)),
    };
    let how = Run::new("derf", 1e-10, 5.0, 0.25);
    compare_methods("CL-UNI", how, &model, &references("CL-UNI", 5.0), &measure);
}

#[test]
fn a_body_on_a_damped_spring_agrees_with_quadruple_precision() {
    let turned = Quaternion::from_axis_angle(vec3(1.0, 2.0, 3.0) * (1.0 / 14.0_f64.sqrt()), 0.7);
    let angles = AngleType::Cardan.extract(turned, None).values;
    let omega = turned.matrix().transpose_mul(vec3(3.0, -2.0, 1.0));
    let rates = AngleType::Cardan.rates(angles, omega);
    let model = |how: Run, shift: f64| {
        let parameters = format!(
            "Qinit = {:?}, 0, -0.8, {}; QDinit = 0.5, {:?}, 0, {}; AngleType = cardan; Degrees = rad;",
            0.3 + shift,
            list(&angles.to_array()),
            1.0 + shift,
            list(&rates.to_array()),
        );
        Text::new([0.0, 0.0, -9.8065], how)
            .joint("Free", ["J", "world", "b"], [0.0; 3], &parameters)
            .body(["b", "world", "J"], 1.2, [0.02, 0.05, 0.04], [0.0; 3])
            .triad("hook", "world", [0.0; 3])
            .triad("eye", "b", [0.1, -0.05, 0.2])
            .with("Spring \"s\" { TriadFrom = hook; TriadTo = eye; ElasticLinear = 80; DampingLinear = 0.4; ZeroLength = 0.6; OneSide = bi; }")
            .text()
            .to_string()
    };
    let measure = |o: &Outcome, e: &Expected| measure_body(o, e, "b", Vec3::ZERO);
    let name = e_name(&references("CL-SPRINGBODY", 2.0));
    let how = Run::new("derf", 1e-10, 2.0, 0.25);
    compare_methods("CL-SPRINGBODY", how, &model, &name, &measure);
    // To the end of the references.
    let name = e_name(&references("CL-SPRINGBODY", 5.0));
    assert_eq!(name.last().map(Expected::time), Some(5.0));
    for solver in ["derf", "odeint_rk", "odeint_bs"] {
        let how = Run::new(solver, 1e-13, 5.0, 0.5);
        compare_converged("CL-SPRINGBODY", how, &model, &name, &measure);
    }
}

/// The references name the body `b1`; here it is `b`.
fn e_name(expected: &[Expected]) -> Vec<Expected> {
    let rename = |e: &Expected| Expected {
        quantity: e.quantity.strip_prefix("b1.").unwrap_or(e.quantity),
        ..e.clone()
    };
    expected.iter().map(rename).collect()
}
