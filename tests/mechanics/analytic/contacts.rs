//! Contacts with closed forms: event times and states at the events.

use dysim_tests::blocks::{Run, Text};
use dysim_tests::simulate::Outcome;

use dysim_tests::bounds::{Expected, compare, references};

/// A ball on a vertical slider above a plane.
fn ball(how: Run, gravity: f64, mass: f64, contact: &str, height: f64) -> String {
    let start =
        format!("JointAxis = 0, 0, 1; JointPoint = 0, 0, 0; Qinit = {height:?}; QDinit = 0;");
    Text::new([0.0, 0.0, -gravity], how)
        .joint("Prismatic", ["J", "world", "b"], [0.0; 3], &start)
        .body(["b", "world", "J"], mass, [1.0; 3], [0.0; 3])
        .with(&format!("ContactSimple \"c\" {{ TriadFrom = J_0; TriadTo = J_1; {contact} }}"))
        .with("Output \"o\" { Signals = J.q, J.qd, c.state; Files = csv; Events = yes; }")
        .text()
        .to_string()
}

/// Rows at events come in pairs, off the output grid: time, position, velocity of the first of each pair.
fn events(outcome: &Outcome) -> Vec<[f64; 3]> {
    let rows = outcome.table("csv").rows.clone();
    let pairs = rows.windows(2).filter(|pair| pair[0][0] == pair[1][0]);
    pairs.map(|pair| [pair[0][0], pair[0][1], pair[0][2]]).collect()
}

fn measure_ball(outcome: &Outcome, expected: &Expected) -> f64 {
    if expected.at == "end" {
        let csv = outcome.table("csv");
        return csv.last(if expected.quantity == "z" { "J.q" } else { "J.qd" });
    }
    let number: usize = expected.at.parse().unwrap_or(0);
    let place = ["t", "z", "v"].iter().position(|name| *name == expected.quantity);
    events(outcome)[number - 1][place.unwrap_or(0)]
}

#[test]
fn a_ball_bounces_at_the_times_of_its_closed_form() {
    // The undamped ball touches and leaves at r_n = 0, where depth and force vanish together.
    let damped = "ElasticLinearZ = 1e4; DampingLinearZ = 20; FrictionXY = 0;";
    let undamped = "ElasticLinearZ = 5e3; DampingLinearZ = 0; FrictionXY = 0;";
    let cases = [
        ("CT-BALL", damped, 1.0, 9.8065, 1.0, 3.0, 18),
        ("CT-BALL0", undamped, 2.0, 9.81, 0.5, 2.0, 6),
    ];
    for (name, contact, mass, gravity, height, end, count) in cases {
        let model = |how: Run, shift: f64| ball(how, gravity, mass, contact, height + shift);
        let how = Run::new("derf", 1e-10, end, 0.25);
        let outcome = dysim_tests::simulate::run(&model(how, 0.0)).complete();
        assert_eq!(events(&outcome).len(), count, "{name}: {:?}", events(&outcome));
        compare(name, how, &model, &references(name, f64::INFINITY), &measure_ball);
    }
}

/// A block slides down a slope, slows down, and sticks.
fn block(how: Run, shift: f64) -> String {
    let normal = 9.8065 * 20.0_f64.to_radians().cos();
    let depth = -normal / 1e5;
    Text::new([0.0, 0.0, -9.8065], how)
        .with("Triad \"slope\" { Parent = world; Position = 0, 0, 0; Orientation = 0, 20, 0; AngleType = cardan; Degrees = deg; }")
        .triad("foot", "b", [0.0; 3])
        .with(&format!(
            "TriPrismatic \"J\" {{ Parent = b; TriadFrom = slope; TriadTo = foot; Qinit = {shift:?}, 0, {depth:?}; QDinit = {:?}, 0, 0; }}",
            1.0 + shift
        ))
        .body(["b", "world", "J"], 1.0, [1.0; 3], [0.0; 3])
        .with("Contact \"c\" { TriadFrom = slope; TriadTo = foot; ElasticLinearZ = 1e5; DampingLinearZ = 0; DampingO2MixedZ = 0; SlipDampingLinear = 0.5; SlipFrictionCoeff = 0.4; VSlipMin = 0.01; SlipFrictionCoeffRot = 0; OmegaSlipMin = 1; StickElasticLinear = 1e4; StickDampingLinear = 200; StaticFrictionCoeff = 0.5; StickElasticLinearRot = 0; StickDampingLinearRot = 0; StaticFrictionCoeffRot = 0; Degrees = rad; }")
        .with("Output \"o\" { Signals = J.q[1], J.qd[1], c.state; Files = csv, frc; Events = yes; }")
        .text()
        .to_string()
}

#[test]
fn a_block_on_a_slope_sticks_when_its_closed_form_says() {
    let expected = [
        Expected { at: "event", quantity: "t", value: 1.807436389922582363584 },
        Expected { at: "event", quantity: "x", value: 0.7797981136886784093716 },
        Expected { at: "3", quantity: "x", value: 0.7801335157422307264147 },
        Expected { at: "3", quantity: "normal", value: -9.215095685737010568227e-5 },
        Expected { at: "3", quantity: "tangential", value: 3.354020535523170430597e-4 },
    ];
    let measure = |o: &Outcome, e: &Expected| match (e.at, e.quantity) {
        ("event", "t") => events(o)[0][0],
        ("event", _) => events(o)[0][1],
        (_, "x") => o.table("csv").last("J.q[1]"),
        // The force on the slope, in its axes, over the stiffness: the errors of lengths are controlled.
        (_, "normal") => o.table("frc").last("c.fz") / 1e5,
        _ => o.table("frc").last("c.fx") / 1e4,
    };
    let how = Run::new("derf", 1e-11, 3.0, 0.25);
    let outcome = dysim_tests::simulate::run(&block(how, 0.0)).complete();
    assert_eq!(events(&outcome).len(), 1, "one event, slip to stick: {:?}", events(&outcome));
    assert!(outcome.text("log").contains("Contact c: slip -> stick"));
    compare("CT-INCLINE", how, &block, &expected, &measure);
}
