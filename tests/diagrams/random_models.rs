//! Random hierarchies: ports inside and outside, signals across borders, groups.

use std::fmt::Write;

use dysim_tests::random::Random;

use crate::inspection::{diagram, inspect, is_xml, nothing_is_lost, pictures};

/// A model of components in components, with two electrical ports, an input and a signal each.
fn text(random: &mut Random) -> String {
    let mut text = String::from(
        "Header \"h\" { ModelName = random; OutputType = all; }\n\
         System \"s\" { GravAccel = 0, 0, -9.81; ScaleGrav = 1; }\n\
         Solver \"v\" { Type = dynamic; Solver = derf; Tend = 1; Tstep = 0.01; }\n",
    );
    let levels = 1 + random.below(3);
    for level in 0..levels {
        let _ = writeln!(
            text,
            "Component \"C{level}\" {{ Port \"p\" {{ Domain = electrical; }} Port \"q\" {{ Domain = electrical; }} \
             Input \"u\" {{ Default = 1; }} Signal \"y\" {{ Value = 2*u + r0.i; }}\n\
             Resistor \"r0\" {{ p = p; n = gnd; R = 1; }} Resistor \"r1\" {{ p = q; n = gnd; R = 1; }}"
        );
        body(random, level, "u", &["p", "q"], &mut text);
        text.push_str("}\n");
    }
    text.push_str(
        "VoltageSource \"V\" { p = a; n = gnd; V = 5; }\nResistor \"r0\" { p = a; n = b; R = 1; }\n\
         Resistor \"r1\" { p = b; n = gnd; R = 1; }\nFunction \"f\" { y = sin(t); }\n",
    );
    body(random, levels, "f.y", &["a", "b"], &mut text);
    text
}

/// Elements and instances of deeper components.
fn body(random: &mut Random, level: usize, input: &str, ports: &[&str], text: &mut String) {
    let mut nodes: Vec<String> = ports.iter().map(|port| (*port).to_string()).collect();
    let mut signals = vec![input.to_string(), "r1.v".to_string()];
    for k in 0..random.below(12) {
        let p = nodes[random.below(nodes.len())].clone();
        let n = match random.below(3) {
            0 => {
                nodes.push(format!("n{k}"));
                for name in ["x", "z"] {
                    let _ =
                        writeln!(text, "Resistor \"{name}{k}\" {{ p = n{k}; n = gnd; R = 1; }}");
                }
                format!("n{k}")
            }
            1 => "gnd".into(),
            _ => nodes[random.below(nodes.len())].clone(),
        };
        let n = if n == p { "gnd".to_string() } else { n };
        let signal = signals[random.below(signals.len())].clone();
        match random.below(5) {
            0 if level > 0 => {
                let inner = random.below(level);
                let _ = writeln!(text, "C{inner} \"c{k}\" {{ p = {p}; q = {n}; u = {signal}; }}");
                signals.push(format!("c{k}.y"));
            }
            1 if level > 0 => {
                let inner = random.below(level);
                let times = 2 + random.below(8);
                let _ = writeln!(
                    text,
                    "Repeat \"k\" {{ From = 1; To = {times}; C{inner} \"d{k}[k]\" {{ p = {p}; u = {signal}; }} }}"
                );
            }
            2 => {
                let _ = writeln!(text, "Gain \"g{k}\" {{ u = {signal}; k = 2; }}");
                signals.push(format!("g{k}.y"));
            }
            3 => {
                let _ = writeln!(
                    text,
                    "CurrentSource \"I{k}\" {{ p = {p}; n = {n}; I = 0.1*{signal}; }}"
                );
            }
            _ => {
                let _ = writeln!(text, "Resistor \"R{k}\" {{ p = {p}; n = {n}; R = 1; }}");
            }
        }
    }
}

#[test]
fn random_hierarchies_have_pictures_that_can_be_read() {
    let mut random = Random::new(77);
    let mut parts = 0;
    for round in 0..60 {
        let name = format!("round {round}");
        let diagram = diagram(&name, &text(&mut random));
        parts += diagram.model().parts.len();
        let pictures = pictures(&diagram);
        for (scope, picture) in &pictures {
            inspect(&format!("{name} {scope:?}"), picture);
            is_xml(&diagram.svg(picture, *scope, &|_| None));
        }
        nothing_is_lost(&name, &diagram, &pictures);
        if diagram.model().elements.len() < 300 {
            inspect(&name, &diagram.picture(None, 99).unwrap());
        }
    }
    assert!(parts > 200, "{parts}");
}
