//! Junctions, transformers and gyrators neither store nor lose power, in every row of every model.
//!
//! Efforts and flows come from systems of at most some twenty linear equations, whose solutions satisfy them to
//! n eps of their largest term; 1e-12 of the largest power at an element leaves a factor of a hundred for elements
//! whose powers nearly cancel.

use super::support::{MODELS, graph, model, solve, text, with_all_signals};
use dysim_tests::simulate::Table;

/// Powers that enter minus powers that leave over the largest of them in the whole run.
fn imbalance(table: &Table, terms: &[(String, f64)]) -> f64 {
    let columns: Vec<(Vec<f64>, f64)> =
        terms.iter().map(|(name, sign)| (table.column(&format!("{name}.power")), *sign)).collect();
    let largest = columns
        .iter()
        .flat_map(|(values, _)| values)
        .fold(f64::MIN_POSITIVE, |m, x| m.max(x.abs()));
    let sum = |row: usize| columns.iter().map(|(values, sign)| sign * values[row]).sum::<f64>();
    (0..table.rows.len()).map(|row| sum(row).abs()).fold(0.0, f64::max) / largest
}

#[test]
fn powers_balance_at_junctions_and_converters() {
    for name in MODELS {
        let text = with_all_signals(&model(name));
        let graph = graph(&text);
        let outcome = solve(&text);
        let table = outcome.table("csv");
        let mut checked = 0;
        for (index, element) in graph.elements.iter().enumerate() {
            if !element.kind.is_inner() || element.open {
                continue;
            }
            let sign = |bond: usize| if graph.bonds[bond].to == index { 1.0 } else { -1.0 };
            let terms: Vec<(String, f64)> =
                element.bonds.iter().map(|&b| (graph.bonds[b].name.clone(), sign(b))).collect();
            let gap = imbalance(&table, &terms);
            assert!(gap <= 1e-12, "{name}: {} loses {gap:e} of its power", element.label());
            checked += 1;
        }
        assert!(checked > 0, "{name} has no junction");
    }
}

#[test]
fn stored_and_lost_energy_is_what_the_source_delivers() {
    // Powers of sources along their bonds, of the others into them: Se - R = d/dt (energies). The trapezoidal sum of
    // powers over 2000 steps of 2.5 ms is right to h^2/12 |P''| t: P oscillates at 14 and 28 rad/s with up to 6 W.
    let text = with_all_signals(&model("one_mass_oscillator")).replace("= 0.01;", "= 0.0025;");
    let outcome = solve(&text);
    let table = outcome.table("csv");
    let power: Vec<f64> = table
        .column("F.power")
        .iter()
        .zip(table.column("damper.power"))
        .map(|(source, loss)| source - loss)
        .collect();
    let time = table.column("t");
    let mut given = 0.0;
    for k in 1..time.len() {
        given += 0.5 * (time[k] - time[k - 1]) * (power[k] + power[k - 1]);
    }
    let stored = table.last("spring.energy") + table.last("mass.energy");
    let bound = 0.0025f64.powi(2) / 12.0 * 6.0 * 28.0 * 28.0 * 5.0;
    assert!((stored - given).abs() <= bound, "{stored} stored, {given} given");
    assert!(stored > 10.0 * bound);
}

/// A bond that ends on a node is an element of that network: a source behind a bond feeds a resistor and a capacitor.
/// The balance of a run counts it once; of a graph without nodes the elements with one bond are added.
#[test]
fn bonds_on_nodes_take_part_in_the_balance_of_the_networks() {
    let mixed = text(
        1.0,
        0.1,
        r#"
        MSe "U" { e = sin(3*t); }
        R "r" { R = 2; }
        Junction1 "j" { }
        Bond "1" { From = U; To = j; }
        Bond "2" { From = j; To = r; }
        Bond "out" { From = j; To = node:x; }
        Capacitor "C" { p = x; n = gnd; C = 0.1; }
        Resistor "R" { p = x; n = gnd; R = 5; }
        "#,
    );
    let gap = solve(&mixed).summary.balance.relative_power_gap();
    assert!(gap.is_some_and(|gap| gap < 1e-12), "{gap:?}");
    for name in MODELS {
        let outcome = solve(&model(name));
        let gap = outcome.summary.balance.relative_power_gap();
        assert!(gap.is_some_and(|gap| gap < 1e-12), "{name}: {gap:?}");
        assert!(outcome.text("log").contains("power balance of the networks"), "{name}");
    }
    // A pump of heat between a thermal node and a resistor of a graph: temperature times heat flow is no power.
    let heat = text(
        1.0,
        0.1,
        r#"
        HeatCapacity "body" { a = warm; C = 2; Tinit = 350; }
        R "wall" { R = 5; }
        Junction1 "j" { }
        Bond "1" { From = node:warm; To = j; }
        Bond "2" { From = j; To = wall; }
        Bond "3" { From = j; To = ambient; }
        "#,
    );
    let gap = solve(&heat).summary.balance.relative_power_gap();
    assert!(gap.is_some_and(|gap| gap < 1e-12), "{gap:?}");
}
