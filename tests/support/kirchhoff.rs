//! Kirchhoff's current law in the results of any model, from the signals of its elements alone.

use engine::internals::blocks::network::NetworkElement;
use engine::internals::blocks::network::bonds::BondEnd;
use engine::internals::domain::Domain;
use engine::internals::model::Model;
use engine::internals::reading::fields::ElectricalNode;

use crate::simulate::Table;

/// Terminals of an element with the signal that flows into it there, and its sign.
fn terminals(element: &NetworkElement) -> Vec<(ElectricalNode, &'static str, f64)> {
    use NetworkElement as E;
    let two = |p, n| vec![(p, "i", 1.0), (n, "i", -1.0)];
    match element {
        E::Resistor(x) => two(x.p, x.n),
        E::Capacitor(x) => two(x.p, x.n),
        E::Inductor(x) => two(x.p, x.n),
        E::VoltageSource(x) => two(x.p, x.n),
        E::CurrentSource(x) => two(x.p, x.n),
        E::Switch(x) => two(x.p, x.n),
        E::Diode(x) => two(x.p, x.n),
        E::Zener(x) => two(x.p, x.n),
        E::Thyristor(x) => two(x.p, x.n),
        E::Vcvs(x) => two(x.p, x.n),
        E::Vccs(x) => two(x.p, x.n),
        E::Ccvs(x) => two(x.p, x.n),
        E::Cccs(x) => two(x.p, x.n),
        E::Npn(x) | E::Pnp(x) => vec![(x.c, "ic", 1.0), (x.b, "ib", 1.0), (x.e, "ie", 1.0)],
        E::Nmos(x) | E::Pmos(x) => {
            let bulk = x.b.unwrap_or(x.s);
            vec![(x.d, "id", 1.0), (x.g, "ig", 1.0), (x.s, "is", 1.0), (bulk, "ib", 1.0)]
        }
        E::OpAmp(x) => vec![(x.out, "i", -1.0), (x.reference, "i", 1.0)],
        E::Transformer(x) => {
            vec![(x.p1, "i1", 1.0), (x.n1, "i1", -1.0), (x.p2, "i2", 1.0), (x.n2, "i2", -1.0)]
        }
        E::Potentiometer(x) => {
            vec![(x.p, "i", 1.0), (x.w, "iw", 1.0), (x.n, "i", -1.0), (x.n, "iw", -1.0)]
        }
        E::Motor(x) | E::Generator(x) => two(x.p, x.n),
        E::Emf(x) => two(x.p, x.n),
        E::Solenoid(x) => two(x.p, x.n),
        // All others have no electrical terminals.
        _ => Vec::new(),
    }
}

/// Largest sum of currents at a node over the largest current.
pub fn current_gap(model: &Model, table: &Table) -> f64 {
    let mut flows: Vec<Vec<(usize, f64)>> = vec![Vec::new(); model.nodes.len()];
    for element in &model.elements {
        let name = model.block_name(element.block);
        for (node, signal, sign) in terminals(&element.what) {
            flows[node.0.index()].push((table.index(&format!("{name}.{signal}")), sign));
        }
        let NetworkElement::Bond(bond) = &element.what else { continue };
        for (end, sign) in [(bond.from, 1.0), (bond.to, -1.0)] {
            if let BondEnd::Node(node) = end
                && model.nodes[node.index()].domain == Domain::Electrical
            {
                flows[node.index()].push((table.index(&format!("{name}.f")), sign));
            }
        }
    }
    let size =
        |row: &Vec<f64>| flows.iter().flatten().map(|(k, _)| row[*k].abs()).fold(0.0, f64::max);
    let largest = table.rows.iter().map(size).fold(f64::MIN_POSITIVE, f64::max);
    let mut worst: f64 = 0.0;
    for row in &table.rows {
        for (node, flows) in model.nodes.iter().zip(&flows) {
            if !node.is_reference {
                worst = worst.max(flows.iter().map(|(k, sign)| sign * row[*k]).sum::<f64>().abs());
            }
        }
    }
    worst / largest
}
