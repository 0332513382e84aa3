//! Random hierarchies of components, against a plain evaluation of the same structure that shares no code with the
//! expansion: each leaf is a resistor with a known name, known nodes and a known value.

use std::collections::BTreeMap;
use std::fmt::Write;

use dysim_tests::random::Random;
use engine::internals::blocks::network::NetworkElement;

use crate::support::load;

/// A component of the generator: resistors and instances of components with higher numbers.
struct Made {
    /// Factor of the default of its parameter.
    default: f64,
    /// Resistors: node (0 is the port, others are inner), factor on the parameter, number of passes of a Repeat.
    resistors: Vec<(usize, f64, usize)>,
    /// Instances: component, node, what the parameter is multiplied with (none: its default), passes of a Repeat.
    instances: Vec<(usize, usize, Option<f64>, usize)>,
}

fn make(random: &mut Random, count: usize) -> Vec<Made> {
    let number = |random: &mut Random| (1.0 + random.below(64) as f64) / 8.0;
    (0..count)
        .map(|at| {
            let resistors = (0..1 + random.below(3))
                .map(|_| (random.below(3), number(random), random.below(3)))
                .collect();
            let deeper = count - at - 1;
            let n = if deeper == 0 { 0 } else { random.below(3) };
            let instances = (0..n)
                .map(|_| {
                    let component = at + 1 + random.below(deeper);
                    let given = (random.below(2) == 0).then(|| number(random));
                    (component, random.below(3), given, random.below(3))
                })
                .collect();
            Made { default: number(random), resistors, instances }
        })
        .collect()
}

fn node_name(node: usize) -> String {
    if node == 0 { "p".into() } else { format!("n{node}") }
}

/// The text of all components.
fn text(all: &[Made]) -> String {
    let mut text = String::from(
        "VoltageSource \"V\" { p = in; n = gnd; V = 1; }\nResistor \"z\" { p = in; n = gnd; R = 1; }\n",
    );
    for (at, one) in all.iter().enumerate() {
        let _ = writeln!(
            text,
            "Component \"C{at}\" {{ Port \"p\" {{ Domain = electrical; }} Parameter \"k\" {{ Default = {}; }}",
            one.default
        );
        for (number, (node, factor, passes)) in one.resistors.iter().enumerate() {
            let node = node_name(*node);
            let _ = match passes {
                0 => writeln!(
                    text,
                    "Resistor \"r{number}\" {{ p = {node}; n = gnd; R = {factor}*k; }}"
                ),
                _ => writeln!(
                    text,
                    "Repeat \"i\" {{ To = {passes}; Resistor \"r{number}[i]\" {{ p = {node}; n = gnd; R = i*{factor}*k; }} }}"
                ),
            };
        }
        for (number, (component, node, given, passes)) in one.instances.iter().enumerate() {
            let node = node_name(*node);
            let given = given.map_or(String::new(), |given| format!("k = {given}*k;"));
            let _ = match passes {
                0 => writeln!(text, "C{component} \"x{number}\" {{ p = {node}; {given} }}"),
                _ => writeln!(
                    text,
                    "Repeat \"j\" {{ To = {passes}; C{component} \"x{number}[j]\" {{ p = {node}; {given} }} }}"
                ),
            };
        }
        text.push_str("}\n");
    }
    text.push_str("C0 \"top\" { p = in; k = 3; }\n");
    text
}

/// What the structure means: name of each resistor, its node, its value.
fn evaluate(
    all: &[Made],
    at: usize,
    prefix: &str,
    port: &str,
    k: f64,
    out: &mut BTreeMap<String, (String, f64)>,
) {
    let node = |node: usize| if node == 0 { port.to_string() } else { format!("{prefix}.n{node}") };
    for (number, (of, factor, passes)) in all[at].resistors.iter().enumerate() {
        match passes {
            0 => {
                out.insert(format!("{prefix}.r{number}"), (node(*of), factor * k));
            }
            _ => {
                for i in 1..=*passes {
                    out.insert(
                        format!("{prefix}.r{number}[{i}]"),
                        (node(*of), i as f64 * factor * k),
                    );
                }
            }
        }
    }
    for (number, (component, of, given, passes)) in all[at].instances.iter().enumerate() {
        let inner = given.map_or(all[*component].default, |given| given * k);
        let names: Vec<String> = match passes {
            0 => vec![format!("{prefix}.x{number}")],
            _ => (1..=*passes).map(|j| format!("{prefix}.x{number}[{j}]")).collect(),
        };
        for name in names {
            evaluate(all, *component, &name, &node(*of), inner, out);
        }
    }
}

#[test]
fn random_hierarchies_have_the_blocks_that_they_say() {
    let mut random = Random::new(22);
    let mut blocks = 0;
    for round in 0..300 {
        let count = 1 + random.below(5);
        let all = make(&mut random, count);
        let text = text(&all);
        let mut expected = BTreeMap::new();
        evaluate(&all, 0, "top", "in", 3.0, &mut expected);
        // Inner nodes of one terminal are mistakes, which the generator does not avoid.
        if has_lonely_node(&expected) {
            continue;
        }
        let loaded = load(&[("m.dys", &text)]);
        let model = loaded.model.expect("the model is correct");
        let mut found = BTreeMap::new();
        for element in &model.elements {
            let NetworkElement::Resistor(resistor) = &element.what else { continue };
            let name = model.block_name(element.block);
            if name != "z" {
                let value = resistor.resistance.as_constant().expect("values are constants");
                found.insert(name.to_string(), (model.node_name(resistor.p.0).to_string(), value));
            }
        }
        assert_eq!(found, expected, "round {round}\n{text}");
        blocks += found.len();
    }
    assert!(blocks > 500, "{blocks} resistors were compared");
}

fn has_lonely_node(blocks: &BTreeMap<String, (String, f64)>) -> bool {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (node, _) in blocks.values() {
        *counts.entry(node).or_default() += 1;
    }
    counts.iter().any(|(node, count)| *node != "in" && *count < 2)
}
