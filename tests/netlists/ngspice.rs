//! ngspice as a reference: netlists go in, numbers come out.

use std::collections::HashMap;
use std::fs;
use std::process::Command;

/// Is ngspice there? The integration server must have it.
pub fn is_installed() -> bool {
    let found = Command::new("ngspice").arg("--version").output().is_ok();
    assert!(found || std::env::var_os("CI").is_none(), "ngspice is not installed");
    if !found {
        eprintln!("skipped: ngspice is not installed");
    }
    found
}

/// The operating point of a netlist without `.end`: voltages by node. None where ngspice finds none.
pub fn operating_point(netlist: &str, nodes: &[String]) -> Option<HashMap<String, f64>> {
    let prints: String = nodes.iter().map(|node| format!("print v({node})\n")).collect();
    let options = ".options reltol=1e-7 abstol=1e-15 vntol=1e-10";
    let text =
        format!("{netlist}\n{options}\n.control\nset numdgt=15\nop\n{prints}quit\n.endc\n.end\n");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("point.cir");
    fs::write(&path, text).unwrap();
    let output = Command::new("ngspice").arg("-b").arg(&path).output().unwrap();
    let voltage = |line: &str| -> Option<(String, f64)> {
        let (name, value) = line.strip_prefix("v(")?.split_once(") = ")?;
        Some((name.to_string(), value.trim().parse().ok()?))
    };
    let told = String::from_utf8_lossy(&output.stdout);
    let found: HashMap<String, f64> = told.lines().filter_map(voltage).collect();
    (found.len() == nodes.len()).then_some(found)
}
