//! Causality as the book prints it (W. Roddeck, Bondgraphen, Springer 2019, sections 5.3 and 5.4).
//!
//! `--->|` means that the stroke is at the end that the half arrow points at, `|--->` that it is at the other.

use super::support::{element, graph, model};
use engine::internals::bondgraph::{
    Assignment, BondSide, Graph, assign, dependences, loops, simplify,
};

/// The strokes of all bonds that are named, in words.
fn strokes(graph: &Graph, causes: &Assignment, names: &[&str]) -> Vec<&'static str> {
    let of = |name: &&str| {
        let found = graph.bonds.iter().position(|bond| bond.name == *name);
        let bond = found.unwrap_or_else(|| panic!("no bond {name}"));
        match causes.strokes[bond] {
            Some(BondSide::From) => "|--->",
            Some(BondSide::To) => "--->|",
            None => "none",
        }
    };
    names.iter().map(of).collect()
}

fn strong<'g>(graph: &'g Graph, causes: &Assignment, junction: &str) -> &'g str {
    let found = causes.strong_bond(element(graph, junction));
    &graph.bonds[found.unwrap_or_else(|| panic!("{junction} has no strong bond"))].name
}

/// Names of the storages with differential causality.
fn differential(graph: &Graph, causes: &Assignment) -> Vec<String> {
    let found = causes.storages.iter().filter(|storage| !storage.is_integral);
    found.map(|storage| graph.elements[storage.element].name.clone()).collect()
}

const FIGURE_18: &str = r#"
Sf "source" { f = 1; }
Junction0 "zero" {}
C "store" { C = 1; }
Junction1 "one" {}
R "loss" { R = 1; }
I "mass" { I = 1; }
Bond "1" { From = source; To = zero; }
Bond "2" { From = zero; To = store; }
Bond "3" { From = zero; To = one; }
Bond "4" { From = one; To = loss; }
Bond "5" { From = one; To = mass; }
"#;

#[test]
fn figure_5_18_step_by_step() {
    let graph = graph(FIGURE_18);
    let causes = assign(&graph);
    // The source of flow has the stroke at itself; C tells the 0-junction its effort; I tells the 1-junction its flow;
    // the stroke of the resistor is at the 1-junction.
    let found = strokes(&graph, &causes, &["1", "2", "3", "4", "5"]);
    assert_eq!(found, ["|--->", "|--->", "--->|", "|--->", "--->|"]);
    assert_eq!(strong(&graph, &causes, "zero"), "2");
    assert_eq!(strong(&graph, &causes, "one"), "5");
    assert!(differential(&graph, &causes).is_empty() && loops(&graph, &causes).is_empty());
}

#[test]
fn causality_does_not_depend_on_the_direction_of_half_arrows() {
    let turned = FIGURE_18.replace("From = zero; To = one", "From = one; To = zero");
    let (one, two) = (graph(FIGURE_18), graph(&turned));
    let (before, after) = (assign(&one), assign(&two));
    assert_eq!(strokes(&two, &after, &["3"]), ["|--->"]);
    for name in ["1", "2", "4", "5"] {
        assert_eq!(strokes(&one, &before, &[name]), strokes(&two, &after, &[name]));
    }
}

#[test]
fn figure_5_19_the_spring_at_the_force_is_not_independent() {
    // The graph of figure 5.10 becomes that of figure 5.11b.
    let (graph, _) = simplify(&graph(&model("lever")));
    let kinds: Vec<String> = graph.elements.iter().map(|element| element.label()).collect();
    let expected =
        ["MSe:F", "C:k1", "C:k2", "R:d", "TF:to_spring", "TF:to_damper", "1:v2", "0:at_k1"];
    let (mut found, mut wanted) = (kinds, expected.map(String::from).to_vec());
    found.sort();
    wanted.sort();
    assert_eq!(found, wanted);
    let causes = assign(&graph);
    // Bond 1 has its stroke at the 0-junction, which is complete with that; so the bonds to k1 and to
    // the lever are told the effort.
    assert_eq!(strokes(&graph, &causes, &["1", "3", "4"]), ["--->|", "--->|", "--->|"]);
    assert_eq!(strong(&graph, &causes, "at_k1"), "1");
    assert_eq!(differential(&graph, &causes), ["k1"]);
    let [found] = &dependences(&graph, &causes)[..] else { panic!("one dependent storage") };
    assert_eq!(found.sources, [element(&graph, "F")]);
    assert!(found.storages.is_empty());
}

#[test]
fn figure_5_21_the_mass_removes_differential_causality() {
    let graph = graph(&model("lever_mass"));
    let causes = assign(&graph);
    let names = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];
    let expected = [
        "--->|", // the force acts on the junction v1
        "|--->", // v1 is told its flow by the mass alone
        "--->|", // integral causality of the mass
        "|--->", // integral causality of k1
        "--->|", // which follows from that
        "|--->", // the transformer passes the stroke of bond 8 on
        "--->|", // the other end than bond 6
        "|--->", // integral causality of k2
        "--->|", // the same end as bond 7
    ];
    assert_eq!(strokes(&graph, &causes, &names), expected);
    assert_eq!(strong(&graph, &causes, "v1"), "3");
    assert_eq!(strong(&graph, &causes, "at_k1"), "4");
    assert_eq!(strong(&graph, &causes, "v2"), "7");
    assert!(differential(&graph, &causes).is_empty() && loops(&graph, &causes).is_empty());
}

#[test]
fn figure_5_25_the_pinion_depends_on_the_rack() {
    let (graph, _) = simplify(&graph(&model("feed_drive")));
    let causes = assign(&graph);
    // The rack tells the transformer its flow, and that the junction of the pinion, which J2 would like to tell.
    assert_eq!(
        strokes(&graph, &causes, &["9", "8", "7", "6"]),
        ["--->|", "|--->", "|--->", "|--->"]
    );
    // The others are integrators, and the damper gives a force.
    let rest = strokes(&graph, &causes, &["1", "2", "3", "4", "5", "10", "13"]);
    assert_eq!(rest, ["--->|", "--->|", "|--->", "|--->", "--->|", "|--->", "|--->"]);
    assert_eq!(strong(&graph, &causes, "v2"), "9");
    assert_eq!(strong(&graph, &causes, "w2"), "7");
    assert_eq!(strong(&graph, &causes, "w1"), "2");
    assert_eq!(differential(&graph, &causes), ["J2"]);
    let [found] = &dependences(&graph, &causes)[..] else { panic!("one dependent storage") };
    assert_eq!(found.storages, [element(&graph, "m")]);
    assert!(found.sources.is_empty());
}

#[test]
fn figure_5_26_elastic_teeth_make_the_pinion_independent() {
    let graph = graph(&model("feed_drive_elastic"));
    let causes = assign(&graph);
    assert!(differential(&graph, &causes).is_empty() && loops(&graph, &causes).is_empty());
    assert_eq!(
        strokes(&graph, &causes, &["6", "7", "12", "13"]),
        ["--->|", "|--->", "|--->", "--->|"]
    );
    assert_eq!(strong(&graph, &causes, "at_k3"), "12");
    assert_eq!(strong(&graph, &causes, "w2"), "6");
}

#[test]
fn every_junction_has_one_strong_bond_and_every_converter_its_rule() {
    use engine::internals::bondgraph::ElementKind;
    for name in super::support::MODELS {
        let full = graph(&model(name));
        for graph in [simplify(&full).0, full] {
            let causes = assign(&graph);
            assert_eq!(causes.clash, None, "{name}");
            for (index, element) in graph.elements.iter().enumerate() {
                let told =
                    |bond: &&usize| causes.is_told_effort(&graph, index, **bond) == Some(true);
                let efforts = element.bonds.iter().filter(told).count();
                let count = element.bonds.len();
                let fits = match element.kind {
                    ElementKind::Se => efforts == 0,
                    ElementKind::Sf => efforts == 1,
                    ElementKind::Transformer => efforts == 1,
                    ElementKind::Gyrator => efforts != 1,
                    ElementKind::Zero => efforts == 1 || element.open && efforts == 0,
                    ElementKind::One => efforts + 1 == count || element.open && efforts == count,
                    ElementKind::R
                    | ElementKind::C
                    | ElementKind::I
                    | ElementKind::Box
                    | ElementKind::Signal => true,
                };
                assert!(fits, "{name}: {}", element.label());
            }
        }
    }
}

#[test]
fn resistors_in_a_row_are_an_algebraic_loop() {
    // A voltage divider: U = (R1 + R2) f needs both resistors at once; the mid-point is told by neither alone.
    let graph = graph(
        r#"Se "U" { e = 1; } Junction1 "loop" {} R "R1" { R = 1; } R "R2" { R = 2; }
        Bond "1" { From = U; To = loop; } Bond "2" { From = loop; To = R1; } Bond "3" { From = loop; To = R2; }"#,
    );
    let causes = assign(&graph);
    let [found] = &loops(&graph, &causes)[..] else { panic!("one loop") };
    assert_eq!(found.resistors, [element(&graph, "R1"), element(&graph, "R2")]);
    assert!(found.storages.is_empty());
}

#[test]
fn rigid_inertias_depend_on_each_other_without_an_algebraic_loop() {
    let graph = graph(&model("feed_drive"));
    let causes = assign(&graph);
    // J2 takes a torque from the rack which changes the acceleration that J2 differentiates; the momentum of the
    // rack is a state, so the loop is closed by the rates and not by the variables themselves.
    assert!(loops(&graph, &causes).is_empty());
    assert_eq!(differential(&graph, &causes), ["J2"]);
}

#[test]
fn the_report_explains_the_pinion_in_words() {
    let loaded = dysim_tests::simulate::read(&model("feed_drive"));
    let Some(model) = loaded.model else { panic!("a correct model") };
    let text = engine::internals::bondgraph::report(&model);
    assert!(text.contains("I `J2` and I `m` are not independent"), "{text}");
    assert!(text.contains("5 storages, 4 states"), "{text}");
    assert!(text.contains("simplified: 12 elements, 11 bonds"), "{text}");
}
