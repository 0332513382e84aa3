//! Operating points of transistor circuits.

use engine::Model;
use engine::internals::spice::import;
use parser::source::Sources;

use crate::ngspice;
use crate::transistors::circuit;

/// The voltages of nodes at the operating point.
fn operating_point(netlist: &str, nodes: &[String]) -> Result<Vec<f64>, String> {
    let mut sources = Sources::default();
    let netlist = format!("{netlist}\n.tran 1u 1u\n.end\n");
    let index = sources.add("netlist", netlist).map_err(|_| "too large")?;
    let model = import(sources.get(index).ok_or("no source")?).text;
    let model = Model::from_text("model", &model).map_err(|error| error.to_string())?;
    let mut session = model.session().map_err(|error| error.to_string())?;
    let value = |node: &String| -> Result<f64, engine::Error> {
        let signal = model.signal(&format!("{node}.v"))?;
        session.value(&signal)
    };
    let values: Result<Vec<f64>, engine::Error> = nodes.iter().map(value).collect();
    values.map_err(|error| error.to_string())
}

/// None is lost that ngspice solves, and where there is one solution only it is the same: to 1e-6 of its
/// voltage, or of a volt.
#[test]
fn random_transistor_circuits_have_the_operating_points_of_ngspice() {
    if !ngspice::is_installed() {
        return;
    }
    let (mut compared, mut solved) = (0, 0);
    for seed in 0..200 {
        let circuit = circuit(seed);
        let Some(expected) = ngspice::operating_point(&circuit.text, &circuit.nodes) else {
            continue;
        };
        let found = operating_point(&circuit.text, &circuit.nodes);
        let found = found.unwrap_or_else(|error| panic!("seed {seed}: {error}\n{}", circuit.text));
        solved += 1;
        if circuit.may_latch {
            continue;
        }
        compared += 1;
        for (node, found) in circuit.nodes.iter().zip(found) {
            let expected = expected[node];
            assert!(
                (found - expected).abs() <= 1e-6 * expected.abs().max(1.0),
                "seed {seed}, {node}: {found}, not {expected}\n{}",
                circuit.text
            );
        }
    }
    assert!(solved >= 190 && compared >= 100, "{solved} solved, {compared} compared");
}

/// The pair that SPICE needs Gmin stepping for, too.
#[test]
fn a_differential_pair_with_a_mirror_as_load() {
    let text = "pair\n.model n npn(is=1e-15 bf=100 vaf=100)\n.model p pnp(is=1e-15 bf=100 vaf=60)\n\
                vcc cc 0 10\nvee ee 0 -10\nvin in 0 0\nq1 c1 in e n\nq2 c2 0 e n\ni1 e ee 1m\n\
                q3 c1 c1 cc p\nq4 c2 c1 cc p\nrl c2 0 100k";
    let nodes = ["c1", "c2", "e"].map(String::from);
    let found = operating_point(text, &nodes).unwrap();
    // ngspice 39 with reltol 1e-7.
    let expected = [9.303469, 4.806112, -0.694742];
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-5, "{found}, not {expected}");
    }
}
