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

/// Signals over time.
pub struct Waves {
    /// Longest step, s.
    pub step: f64,
    /// s
    pub times: Vec<f64>,
    /// Voltages by node.
    pub signals: Vec<(String, Vec<f64>)>,
}

/// The value of a signal at a time.
pub fn interpolate(times: &[f64], values: &[f64], t: f64) -> f64 {
    let behind = times.partition_point(|&own| own < t).clamp(1, times.len() - 1);
    let (from, to) = (times[behind - 1], times[behind]);
    let part = if to > from { ((t - from) / (to - from)).clamp(0.0, 1.0) } else { 1.0 };
    values[behind - 1] + part * (values[behind] - values[behind - 1])
}

/// The transient of a netlist at these times, with tolerances and steps far below those that are compared.
pub fn transient(netlist: &str, nodes: &[&str], times: &[f64]) -> Option<Waves> {
    let stop = *times.last()?;
    let longest = times.windows(2).fold(0.0, |longest: f64, pair| longest.max(pair[1] - pair[0]));
    let step = longest.min(stop / 200.0) / 20.0;
    let mut in_commands = false;
    let mut lines = Vec::new();
    let mut uic = "";
    for line in netlist.lines() {
        in_commands |= line == ".control";
        let is_analysis = line.to_lowercase().starts_with(".tran");
        if is_analysis && line.contains("uic") {
            uic = " uic";
        } else if !(is_analysis || in_commands || line == ".end" || line.starts_with(".save")) {
            lines.push(line);
        }
        in_commands &= line != ".endc";
    }
    let run = format!("tran {step:e} {stop:e} 0 {step:e}{uic}");
    let vectors: Vec<String> = nodes.iter().map(|node| format!("v({node})")).collect();
    let text = format!(
        "{}
.options reltol=1e-5 abstol=1e-14 vntol=1e-8 chgtol=1e-17 itl4=100
.control
set numdgt=12
         set wr_singlescale
{run}
wrdata waves.txt {}
quit
.endc
.end
",
        lines.join(
            "
"
        ),
        vectors.join(" ")
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("waves.cir");
    fs::write(&path, text).unwrap();
    let program = &mut Command::new("ngspice");
    program.arg("-b").arg(&path).current_dir(folder.path()).output().unwrap();
    let written = fs::read_to_string(folder.path().join("waves.txt")).ok()?;
    let mut times = Vec::new();
    let mut signals: Vec<(String, Vec<f64>)> =
        nodes.iter().map(|node| (node.to_string(), Vec::new())).collect();
    for line in written.lines() {
        let numbers: Vec<f64> =
            line.split_whitespace().map_while(|word| word.parse().ok()).collect();
        if numbers.len() != nodes.len() + 1 {
            continue;
        }
        times.push(numbers[0]);
        for ((_, values), &number) in signals.iter_mut().zip(&numbers[1..]) {
            values.push(number);
        }
    }
    (times.len() > 1).then_some(Waves { step, times, signals })
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

/// Real and imaginary parts of the voltages of nodes, one row for each frequency of a sweep of a netlist without `.end`.
pub fn sweep(netlist: &str, sweep: &str, nodes: &[String]) -> Vec<Vec<f64>> {
    let folder = tempfile::tempdir().unwrap();
    let (path, table) = (folder.path().join("sweep.cir"), folder.path().join("sweep.txt"));
    let voltages: Vec<String> = nodes.iter().map(|node| format!("v({node})")).collect();
    let options = ".options reltol=1e-9 abstol=1e-15 vntol=1e-12 gmin=1e-15";
    let text = format!(
        "{netlist}\n{options}\n{sweep}\n.control\nset numdgt=14\nset wr_singlescale\nrun\nwrdata {} {}\nquit\n.endc\n.end\n",
        table.display(),
        voltages.join(" ")
    );
    fs::write(&path, text).unwrap();
    Command::new("ngspice").arg("-b").arg(&path).output().unwrap();
    let text = fs::read_to_string(&table).unwrap_or_else(|error| panic!("{error}\n{netlist}"));
    let numbers =
        |line: &str| line.split_whitespace().skip(1).map(|x| x.parse().unwrap()).collect();
    text.lines().map(numbers).collect()
}
