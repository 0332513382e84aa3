//! Random trees of bodies with all joints and with forces between any two bodies.

use crate::blocks::{Text, list};
use crate::random::Random;

/// Joints with their numbers of freedoms and of coordinates that the user gives.
const JOINTS: [(&str, usize); 12] = [
    ("Revolute", 1),
    ("Prismatic", 1),
    ("Screw", 1),
    ("Universal", 2),
    ("Cylindrical", 2),
    ("BiPrismatic", 2),
    ("ConstantVelocity", 2),
    ("Spherical", 3),
    ("TriPrismatic", 3),
    ("Planar", 3),
    ("Free", 6),
    ("Bracket", 0),
];

/// The axes that a joint asks for.
fn axes(keyword: &str, r: &mut Random) -> String {
    let axis = |r: &mut Random| list(&r.direction().to_array());
    let point = |r: &mut Random| list(&r.vector(0.2).to_array());
    match keyword {
        "Revolute" | "Cylindrical" | "Planar" => {
            format!("JointAxis = {}; JointPoint = {};", axis(r), point(r))
        }
        "Prismatic" => format!("JointAxis = {};", axis(r)),
        "Screw" => format!("JointAxis = {}; JointPoint = {}; Pitch = 0.2;", axis(r), point(r)),
        "Universal" => format!(
            "JointAxis1 = 1, 0, 0.1; JointPoint1 = {}; JointAxis2 = 0.2, 1, 0; JointPoint2 = {};",
            point(r),
            point(r)
        ),
        "BiPrismatic" => "JointAxis1 = 1, 0, 0.3; JointAxis2 = 0, 1, 0.5;".into(),
        "ConstantVelocity" => "JointAxis1 = 1, 0, 0.2; JointAxis2 = 0.3, 1, 0;".into(),
        _ => String::new(),
    }
}

/// Adds a random tree with at least `least` freedoms, springs, dampers, bushings, loads and joint forces to a text; no element
/// switches, so that differences may cross every state.
pub fn random_springs(seed: u64, least: usize, mut text: Text) -> String {
    let mut r = Random::new(seed);
    let (mut freedoms, mut bodies) = (0, 0);
    while freedoms < least {
        let (keyword, count) = JOINTS[r.below(JOINTS.len())];
        let back = 1 + r.below(3);
        let mother = if bodies < back { "world".into() } else { format!("b{}", bodies - back) };
        let mut parameters = axes(keyword, &mut r);
        if count > 0 {
            let numbers = |r: &mut Random, low: f64, high: f64| {
                list(&(0..count).map(|_| r.between(low, high)).collect::<Vec<f64>>())
            };
            parameters += &format!("Qinit = {};", numbers(&mut r, -0.4, 0.4));
            parameters += &format!("QDinit = {};", numbers(&mut r, -0.5, 0.5));
            let ball = matches!(keyword, "Spherical" | "Free");
            let angular = !matches!(keyword, "Prismatic" | "BiPrismatic" | "TriPrismatic");
            parameters += if angular { " Degrees = rad;" } else { "" };
            parameters += if ball { " AngleType = cardan;" } else { "" };
            parameters += &format!(" Damping = {};", numbers(&mut r, 0.5, 2.0));
            parameters += &format!(" Stiffness = {};", numbers(&mut r, 50.0, 100.0));
            if r.below(3) == 0 && !ball {
                parameters += &format!(" RotorInertia = {};", numbers(&mut r, 0.1, 0.5));
            }
        }
        let (joint, body) = (format!("j{bodies}"), format!("b{bodies}"));
        let shape = [r.between(0.05, 0.06), r.between(0.05, 0.06), r.between(0.06, 0.08)];
        text = text
            .joint(keyword, [&joint, &mother, &body], r.vector(0.4).to_array(), &parameters)
            .body([&body, &mother, &joint], r.between(0.5, 2.0), shape, r.vector(0.2).to_array())
            .triad(&format!("t{bodies}"), &body, r.vector(0.3).to_array());
        if keyword == "Revolute" {
            text = text.with(&format!(
                "RSDA \"r{bodies}\" {{ Joint1D = {joint}; ElasticLinear = 20; DampingLinear = 1; }}"
            ));
        }
        (freedoms, bodies) = (freedoms + count, bodies + 1);
    }
    text = text.triad("t_world", "world", [0.1, 0.2, 3.0]);
    let triad = |r: &mut Random| match r.below(bodies + 1) {
        0 => String::from("t_world"),
        k => format!("t{}", k - 1),
    };
    let diagonal: Vec<f64> =
        (0..36).map(|k| if k % 7 == 0 { 40.0 } else { r.between(-3.0, 3.0) }).collect();
    let matrix = list(&diagonal);
    for k in 0..6 {
        let (from, to) = (triad(&mut r), triad(&mut r));
        if from == to {
            continue;
        }
        let ends = format!("TriadFrom = {from}; TriadTo = {to};");
        text = text.with(&match k % 3 {
            0 => format!(
                "Spring \"s{k}\" {{ {ends} ElasticLinear = 80; DampingLinear = 3; ZeroLength = 0.3; }}"
            ),
            1 => format!(
                "Bushing \"u{k}\" {{ {ends} ElasticLinear = {matrix}; DampingLinear = {matrix}; AngleType = cardan; Degrees = rad; }}"
            ),
            _ => format!("Force \"f{k}\" {{ {ends} Vector = sin(3*t), 2, -1; Frame = local; }}"),
        });
    }
    text.with("Torque \"q\" { TriadTo = t0; Vector = 0.1, 0.2*cos(t), 0.3; Frame = world; }")
        .text()
        .to_string()
}
