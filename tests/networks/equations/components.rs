//! Electrical components of equations against built-in elements and closed forms.

use super::{agree, near, table};
use dysim_tests::circuits::power_gap;
use dysim_tests::random::Random;

/// Two ports, voltage and current: what every element with two terminals has.
fn one_port(name: &str, p: &str, n: &str) -> String {
    format!(
        "Port \"{name}.p\" {{ Domain = electrical; Node = {p}; }} Port \"{name}.n\" {{ Domain = electrical; Node = {n}; }} \
         Variable \"{name}.v\" {{ Unit = \"V\"; }} Variable \"{name}.i\" {{ Unit = \"A\"; }} \
         Equations \"{name}.pins\" {{ {name}.v = {name}.p.v - {name}.n.v; {name}.i = {name}.p.i; {name}.p.i + {name}.n.i = 0; }} "
    )
}

/// v + R g v^3 = V has one real solution, by Newton's method.
fn varistor_voltage(source: f64, r: f64, g: f64) -> f64 {
    let mut v = 0.0;
    for _ in 0..200 {
        v -= (v + r * g * f64::powi(v, 3) - source) / (1.0 + 3.0 * r * g * v * v);
    }
    v
}

#[test]
fn a_varistor_follows_its_cubic() {
    let text = format!(
        "VoltageSource \"V\" {{ p = a; n = gnd; V = 10*sin(20*t); }} Resistor \"R\" {{ p = a; n = b; R = 50; }} \
         {} Equations \"x.law\" {{ x.i = 2e-3*sign(x.v)*abs(x.v)^3; }}",
        one_port("x", "b", "gnd")
    );
    let table = table(0.5, 0.01, &text);
    for row in 1..50 {
        let t = f64::from(row) * 0.01;
        let v = varistor_voltage(10.0 * (20.0 * t).sin(), 50.0, 2e-3);
        near(&table, t, "x.v", v, 1e-9);
        near(&table, t, "x.i", 2e-3 * v.powi(3), 1e-9);
    }
    assert!(power_gap(&table) < 1e-12);
}

/// A current source whose current depends on its own voltage is a resistor of any law, and needs no way for its current
/// besides.
#[test]
fn a_current_source_may_depend_on_its_own_voltage() {
    let text = "VoltageSource \"V\" { p = a; n = gnd; V = 10*sin(20*t); } Capacitor \"C\" { p = a; n = b; C = 1e-3; Vinit = 0; } \
                CurrentSource \"D\" { p = b; n = gnd; I = 1e-3*D.v^3 + 1e-2*D.v; } \
                VoltageSource \"W\" { p = c; n = gnd; V = 10*sin(20*t); } Capacitor \"E\" { p = c; n = d; C = 1e-3; Vinit = 0; } \
                Variable \"u\" { } Equations \"e\" { F.i = 1e-3*u^3 + 1e-2*u; } CurrentSource \"F\" { p = d; n = gnd; I = g; } \
                Variable \"g\" { } Equations \"f\" { u = d.v; }";
    let table = table(0.5, 0.01, text);
    agree(&table, "D.v", "F.v", 1e-9);
    // Where nothing stores, the cubic alone decides.
    let alone = "VoltageSource \"V\" { p = a; n = gnd; V = 5*sin(20*t); } Resistor \"R\" { p = a; n = b; R = 50; } \
                 CurrentSource \"D\" { p = b; n = gnd; I = 2e-3*D.v^3; }";
    let table = super::table(0.5, 0.01, alone);
    for row in 1..50 {
        let t = f64::from(row) * 0.01;
        let v = varistor_voltage(5.0 * (20.0 * t).sin(), 50.0, 2e-3);
        near(&table, t, "D.v", v, 1e-9);
    }
}

/// An element between two nodes as a built-in block, or the same of equations.
fn element(kind: usize, name: &str, [p, n]: [&str; 2], value: f64, of_equations: bool) -> String {
    if !of_equations {
        return match kind {
            0 => format!("Resistor \"{name}\" {{ p = {p}; n = {n}; R = {value:?}; }}"),
            1 => format!("Capacitor \"{name}\" {{ p = {p}; n = {n}; C = {value:?}; Vinit = 0; }}"),
            2 => format!("Inductor \"{name}\" {{ p = {p}; n = {n}; L = {value:?}; Iinit = 0; }}"),
            _ => format!(
                "Diode \"{name}\" {{ p = {p}; n = {n}; Model = exponential; Is = 1e-6; N = {value:?}; Vt = 0.025; }}"
            ),
        };
    }
    let law = match kind {
        0 => format!("{name}.v = {value:?}*{name}.i;"),
        1 => format!("{name}.i = {value:?}*der({name}.v);"),
        2 => format!("der({value:?}*{name}.i) = {name}.v;"),
        _ => format!("{name}.i = 1e-6*(exp({name}.v/({value:?}*0.025)) - 1);"),
    };
    format!("{} Equations \"{name}.law\" {{ {law} }}", one_port(name, p, n))
}

/// Random circuits with a source, a tree of resistors that connects all nodes, and random further elements.
fn random_circuit(random: &mut Random, of_equations: bool) -> String {
    let nodes = ["a", "b", "c", "d", "gnd"];
    let mut text =
        String::from("VoltageSource \"V\" { p = a; n = gnd; V = 3*sin(40*t) + cos(7*t); } ");
    for (k, node) in nodes[..4].iter().enumerate() {
        let other = nodes[k + 1 + random.below(4 - k)];
        let (name, value) = (format!("r{k}"), random.between(5.0, 50.0));
        let of_equations = of_equations && random.below(2) == 0;
        text += &element(0, &name, [node, other], value, of_equations);
    }
    for k in 0..5 {
        let first = random.below(5);
        let second = (first + 1 + random.below(4)) % 5;
        let kind = random.below(4);
        let value = match kind {
            0 => random.between(5.0, 50.0),
            1 => random.between(1e-4, 2e-3),
            2 => random.between(0.1, 1.0),
            _ => random.between(1.0, 2.0),
        };
        let equations = random.below(3) > 0;
        let ends = [nodes[first], nodes[second]];
        text += &element(kind, &format!("e{k}"), ends, value, of_equations && equations);
    }
    text
}

#[test]
fn random_circuits_do_not_care_who_wrote_their_laws() {
    for seed in 0..25 {
        let [built_in, written] =
            [false, true].map(|own| random_circuit(&mut Random::new(seed), own));
        let [built_in, written] = [built_in, written].map(|text| table(0.3, 0.02, &text));
        for node in ["b", "c", "d"] {
            let column = format!("{node}.v");
            let (a, b) = (built_in.column(&column), written.column(&column));
            // Both follow the source of 4 V with errors of some hundred steps of 1e-9.
            for (x, y) in a.iter().zip(&b) {
                assert!((x - y).abs() < 1e-6, "seed {seed}, {column}: {x} and {y}");
            }
        }
        assert!(power_gap(&written) < 1e-9, "seed {seed}: {}", power_gap(&written));
    }
}

/// What is inside of a component takes what comes through its port.
#[test]
fn elements_inside_take_the_flow_of_a_port() {
    let text = "VoltageSource \"V\" { p = a; n = gnd; V = 6; } \
                Port \"x.p\" { Domain = electrical; Node = a; } Port \"x.n\" { Domain = electrical; Node = gnd; } \
                Resistor \"x.R\" { p = x.p; n = x.m; R = 2; } Resistor \"x.S\" { p = x.m; n = x.n; R = 1; } \
                Port \"x.y.p\" { Domain = electrical; Node = x.m; } Port \"x.y.n\" { Domain = electrical; Node = x.n; } \
                Resistor \"x.y.R\" { p = x.y.p; n = x.y.n; R = 1; } \
                Variable \"x.y.power\" { } Equations \"x.y.e\" { x.y.power = x.y.p.i*x.y.p.v; }";
    let table = table(0.1, 0.05, text);
    // 2 Ohm in series with 1/2 Ohm: 2.4 A, half of that through the inner port.
    near(&table, 0.1, "x.p.i", 2.4, 1e-12);
    near(&table, 0.1, "x.n.i", -2.4, 1e-12);
    near(&table, 0.1, "x.y.p.i", 1.2, 1e-12);
    near(&table, 0.1, "x.y.power", 1.44, 1e-12);
}

#[test]
fn a_port_that_is_not_connected_carries_nothing() {
    let text = format!(
        "VoltageSource \"V\" {{ p = a; n = gnd; V = 6; }} Resistor \"R\" {{ p = a; n = gnd; R = 3; }} \
         Port \"x.p\" {{ Domain = electrical; }} Port \"x.n\" {{ Domain = electrical; Node = a; }} \
         Resistor \"x.R\" {{ p = x.p; n = x.n; R = 2; }} Port \"idle\" {{ Domain = electrical; }} \
         Port \"also.idle\" {{ Domain = hydraulic; Node = oil; }} Compliance \"C\" {{ a = oil; C = 1e-12; Pinit = 1e5; }} \
         {} Equations \"y.law\" {{ y.i = 3*y.v + 6; }}",
        one_port("y", "none", "gnd").replace("Node = none;", "")
    );
    let table = table(0.1, 0.05, &text);
    near(&table, 0.1, "x.p.i", 0.0, 1e-12);
    near(&table, 0.1, "x.p.v", 6.0, 1e-12);
    near(&table, 0.1, "x.n.i", 0.0, 1e-12);
    near(&table, 0.1, "oil.p", 1e5, 1e-12);
    // Without current the law leaves 0 = 3 v + 6.
    near(&table, 0.1, "y.v", -2.0, 1e-12);
}
