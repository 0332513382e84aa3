//! Trim: inputs at which given signals have wanted values, against closed forms and equilibria at the inputs that were found.

use dysim_tests::blocks::Text;
use dysim_tests::random::Random;
use dysim_tests::simulate::Outcome;

use super::support::{DOWN, G, analyse, heading, near, prismatic, refusal, revolute};

/// The number behind `name = ` in the log.
fn found(outcome: &Outcome, name: &str) -> f64 {
    let log = outcome.text("log");
    let start = format!("{name} = ");
    let line = log.lines().find(|line| line.starts_with(&start)).unwrap_or_else(|| panic!("{log}"));
    line[start.len()..].split_whitespace().next().unwrap().parse().unwrap()
}

/// The voltage that holds a rod at 0.5 rad: the current carries the weight, R i is the voltage.
#[test]
fn a_motor_holds_a_rod_where_it_is_wanted() {
    let text = heading("static", DOWN, "Unknown = V1.V; Given = J.q, 0.5;")
        .joint("Revolute", ["J", "world", "rod"], [0.0; 3], &revolute("0, 1, 0", 0.0, ""))
        .body(["rod", "world", "J"], 1.0, [0.01, 0.1, 0.1], [0.5, 0.0, 0.0])
        .with("JointAxis \"axis\" { flange = shaft; Joint = J; } VoltageSource \"V1\" { p = p; n = gnd; V = 2; }
               Motor \"m\" { p = p; n = gnd; shaft = shaft; R = 3; L = 1e-3; k = 0.5; J = 0.01; d = 0.1; }");
    let outcome = analyse(&text);
    let expected = 3.0 * G * 0.5 * 0.5_f64.cos() / 0.5;
    near(found(&outcome, "V1.V").abs(), expected, 1e-6);
    near(outcome.table("csv").last("J.q"), 0.5, 1e-9);
    near(outcome.table("csv").last("m.i").abs(), expected / 3.0, 1e-7);
}

/// A body in the air rests nowhere but at the thrust that carries its weight, and at the height that is asked for.
#[test]
fn a_body_hovers_at_the_thrust_of_its_weight() {
    let text = heading("static", DOWN, "Unknown = thrust; Given = P.q, 2;")
        .joint("Prismatic", ["P", "world", "body"], [0.0; 3], &prismatic("0, 0, 1", 0.0, ""))
        .body(["body", "world", "P"], 3.0, [0.01; 3], [0.0; 3])
        .with("JointForce \"thrust\" { Joint1D = P; Value = 1; }");
    let outcome = analyse(&text);
    near(found(&outcome, "thrust.f"), 3.0 * G, 1e-9);
    near(outcome.table("csv").last("P.q"), 2.0, 1e-9);
}

/// Two sources feed one node: of all voltages that give it 5 V those are taken that change least.
#[test]
fn more_unknowns_than_conditions_change_as_little_as_possible() {
    let text = heading("static", DOWN, "Unknown = V1, V2.V; Given = a.v, 5;").with(
        "VoltageSource \"V1\" { p = p; n = gnd; V = 1; } Resistor \"R1\" { p = p; n = a; R = 1; }
         VoltageSource \"V2\" { p = q; n = gnd; V = 2; } Resistor \"R2\" { p = q; n = a; R = 2; }
         Resistor \"R3\" { p = a; n = gnd; R = 4; } Capacitor \"C\" { p = a; n = gnd; C = 1e-6; }",
    );
    let outcome = analyse(&text);
    let sum = 1.0 + 0.5 + 0.25;
    let (a1, a2) = (1.0 / sum, 0.5 / sum);
    let rest = (5.0 - a1 - 2.0 * a2) / (a1 * a1 + a2 * a2);
    near(found(&outcome, "V1"), 1.0 + a1 * rest, 1e-7);
    near(found(&outcome, "V2.V"), 2.0 + a2 * rest, 1e-7);
    near(outcome.table("csv").last("a.v"), 5.0, 1e-9);
}

/// One source, two wishes: the voltage with the least sum of squares of what is missed.
#[test]
fn more_conditions_than_unknowns_are_met_in_the_sense_of_least_squares() {
    let text = heading("static", DOWN, "Unknown = V1; Given = a.v, 3, b.v, 1;").with(
        "VoltageSource \"V1\" { p = p; n = gnd; V = 1; } Resistor \"R1\" { p = p; n = a; R = 1; }
         Resistor \"R2\" { p = a; n = b; R = 1; } Resistor \"R3\" { p = b; n = gnd; R = 2; } Capacitor \"C\" { p = a; n = b; C = 1e-6; }",
    );
    let outcome = analyse(&text);
    let (a, b) = (0.75, 0.5);
    let voltage = (a * 3.0 + b) / (a * a + b * b);
    near(found(&outcome, "V1"), voltage, 1e-7);
    near(found(&outcome, "a.v"), a * voltage, 1e-7);
    assert!(outcome.text("log").contains("instead of 3.0, in the sense of least squares"));
}

/// What cannot be reached is an error with the signal and its value.
#[test]
fn what_cannot_be_reached_is_told() {
    let circuit = "Input \"u\" { Default = 0.2; } Limiter \"l\" { u = u.y; ymin = -1; ymax = 1; } PT1 \"p\" { u = l.y; T = 1; }";
    let message = refusal(&heading("static", DOWN, "Unknown = u; Given = p.y, 2;").with(circuit));
    assert!(
        message.contains("no trim found: p.y is") && message.contains("instead of 2"),
        "{message}"
    );
}

fn machine(kind: &str, more: &str, numbers: &[f64], volts: [f64; 2]) -> Text {
    let mut networks = String::new();
    for (k, joint) in (1..=2).enumerate() {
        let x = |n: usize| numbers[6 * k + n];
        networks += &format!(
            "JointAxis \"axis{joint}\" {{ flange = s{joint}; Joint = J{joint}; }}
             Gear \"g{joint}\" {{ a = f{joint}; b = s{joint}; Ratio = {:?}; }}
             Motor \"m{joint}\" {{ p = p{joint}; n = gnd; shaft = f{joint}; R = {:?}; L = {:?}; k = {:?}; J = 1e-4; d = 1e-3; }}
             VoltageSource \"V{joint}\" {{ p = p{joint}; n = gnd; V = {:?}; }}
             TorsionSpring \"c{joint}\" {{ a = base; b = s{joint}; c = {:?}; d = {:?}; }}",
            x(0), x(1), x(2), x(3), volts[k], x(4), x(5),
        );
    }
    heading(kind, DOWN, more)
        .joint("Revolute", ["J1", "world", "one"], [0.0; 3], &revolute("0, 1, 0", 0.4, ""))
        .body(["one", "world", "J1"], 1.0, [0.01, 0.1, 0.1], [0.5, 0.0, 0.0])
        .joint("Revolute", ["J2", "one", "two"], [1.0, 0.0, 0.0], &revolute("0, 1, 0", -0.3, ""))
        .body(["two", "one", "J2"], 0.5, [0.01, 0.05, 0.05], [0.3, 0.0, 0.0])
        .with(&networks)
}

/// Random machines: with the voltages that are found, and from another start, they rest where they were wanted.
#[test]
fn random_machines_rest_where_they_are_wanted() {
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let mut numbers = Vec::new();
        for _ in 0..2 {
            // The spring is stiff enough for one equilibrium at any voltage.
            for (low, high) in
                [(2.0, 20.0), (0.5, 3.0), (1e-3, 2e-2), (0.02, 0.2), (15.0, 30.0), (1.0, 3.0)]
            {
                numbers.push(random.between(low, high));
            }
        }
        let wanted = [random.between(-0.8, 0.8), random.between(-0.8, 0.8)];
        let more =
            format!("Unknown = V1.V, V2; Given = J1.q, {:?}, J2.q, {:?};", wanted[0], wanted[1]);
        let trimmed = analyse(&machine("static", &more, &numbers, [0.5, -0.5]));
        let volts = [found(&trimmed, "V1.V"), found(&trimmed, "V2")];
        let rest = analyse(&machine("static", "", &numbers, volts));
        for (name, wanted) in ["J1.q", "J2.q"].into_iter().zip(wanted) {
            near(trimmed.table("csv").last(name), wanted, 1e-8);
            near(rest.table("csv").last(name), wanted, 1e-7);
        }
    }
}
