//! Netlists of all kinds against ngspice: `corpus/*.txt`. A circuit begins with `## name`, behind which each variant gives
//! values of parameters; `loose` stands for a circuit whose oscillation is compared to a percent only.

use std::path::Path;
use std::{fs, io};

use engine::internals::spice::import;
use engine::{Model, Table};
use parser::source::Sources;

use crate::ngspice;

/// One variant of a circuit.
struct Netlist {
    name: String,
    text: String,
    is_loose: bool,
}

fn netlists() -> io::Result<Vec<Netlist>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("netlists/corpus");
    let mut paths: Vec<_> = fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<_>>()?;
    paths.sort();
    let mut found = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path)?;
        for circuit in text.split("## ").skip(1) {
            let (head, body) = circuit.split_once('\n').unwrap_or((circuit, ""));
            let mut variants = head.split('|').map(str::trim);
            let first = variants.next().unwrap_or("");
            let (name, values) = first.split_once(' ').unwrap_or((first, ""));
            let is_loose = values.starts_with("loose");
            let values = values.trim_start_matches("loose").trim();
            for (k, values) in std::iter::once(values).chain(variants).enumerate() {
                let name = format!("{name}_{k}");
                let text = format!("{name}\n.param {values}\n{body}");
                found.push(Netlist { name, text, is_loose });
            }
        }
    }
    Ok(found)
}

fn run(netlist: &Netlist) -> Result<Table, String> {
    let mut sources = Sources::default();
    let index = sources.add(netlist.name.as_str(), netlist.text.as_str()).map_err(|_| "large")?;
    let imported = import(sources.get(index).ok_or("no source")?);
    if imported.missing.is_some() || imported.diagnostics.errors() > 0 {
        return Err(format!("{:?}", imported.diagnostics));
    }
    let model = Model::from_text("model", &imported.text).map_err(|error| error.to_string())?;
    model.run().and_then(engine::Recording::all).map_err(|error| error.to_string())
}

/// The root mean square of differences over the size of the signal, and the signal where it is largest. The time of an edge
/// counts to a step of the reference.
fn difference(table: &Table, reference: &ngspice::Waves) -> (f64, String) {
    let mut worst = (0.0, String::new());
    for (node, expected) in &reference.signals {
        let name = format!("{node}.v");
        let Some(found) = table.column(&name) else { continue };
        let size = expected.iter().fold(1e-6, |size: f64, x| size.max(x.abs()));
        let mut sum = 0.0;
        for (&t, found) in table.times().iter().zip(found) {
            let shifts = [0.0, -reference.step, reference.step];
            let away = shifts.map(|shift| {
                (found - ngspice::interpolate(&reference.times, expected, t + shift)).abs()
            });
            let away = away.into_iter().fold(f64::INFINITY, f64::min);
            sum += away * away;
        }
        let part = (sum / table.rows() as f64).sqrt() / size;
        if part > worst.0 {
            worst = (part, name);
        }
    }
    worst
}

/// Every netlist is translated and runs, and agrees with ngspice.
#[test]
fn netlists_agree_with_ngspice() -> io::Result<()> {
    let netlists = netlists()?;
    assert!(netlists.len() >= 150, "{}", netlists.len());
    let has_reference = ngspice::is_installed();
    let mut mistakes = Vec::new();
    let (mut compared, mut close) = (0, 0);
    for netlist in &netlists {
        let table = match run(netlist) {
            Ok(table) => table,
            Err(error) => {
                mistakes.push(format!("{}: {error}", netlist.name));
                continue;
            }
        };
        if !has_reference {
            continue;
        }
        let nodes = table.names().iter().filter_map(|name| name.strip_suffix(".v"));
        // A node with another name here has no reference.
        let nodes: Vec<&str> = nodes.filter(|node| netlist.text.contains(*node)).collect();
        let Some(reference) = ngspice::transient(&netlist.text, &nodes, table.times()) else {
            mistakes.push(format!("{}: ngspice fails", netlist.name));
            continue;
        };
        let (part, signal) = difference(&table, &reference);
        compared += 1;
        close += usize::from(part <= 1e-3);
        let limit = if netlist.is_loose { 1e-2 } else { 1e-3 };
        if part > limit {
            mistakes.push(format!("{}: {signal} differs by {part:.1e}", netlist.name));
        }
    }
    println!("{} netlists, {compared} compared, {close} within 1e-3", netlists.len());
    assert!(mistakes.is_empty(), "{} mistakes:\n{}", mistakes.len(), mistakes.join("\n"));
    Ok(())
}
