//! What the log of a run tells a plot: units of signals, times of events.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use engine::internals::blocks::general::ResultFile;
use engine::internals::output;
use rustc_hash::FxHashMap;

/// Lines that are read of a log; the units and the first ten thousand events are far above.
const LINES: usize = 200_000;

/// Facts from a log.
#[derive(Default)]
pub struct RunLog {
    /// The table beside which it was found.
    table: Option<ResultFile>,
    units: FxHashMap<String, String>,
    /// Times at which something switched, each once.
    pub events: Vec<f64>,
}

impl RunLog {
    /// The log of the run that wrote a table; without one there are no units and no events.
    pub fn beside(table: &Path) -> Self {
        let suffix = table.extension().unwrap_or_default();
        let kinds = [ResultFile::Energy, ResultFile::Motion, ResultFile::Forces];
        let table_kind = kinds.into_iter().find(|kind| suffix == kind.word());
        let mut log = Self { table: table_kind, ..Self::default() };
        let Ok(file) = File::open(table.with_extension("log")) else { return log };
        let mut in_units = false;
        for line in BufReader::new(file).lines().take(LINES).map_while(Result::ok) {
            if in_units && line.starts_with("  [") {
                log.read_units(&line);
                continue;
            }
            in_units = line == "units of the signals";
            let time = line.strip_prefix("t = ").and_then(|rest| rest.split_once(':'));
            let time = time.and_then(|(time, _)| time.parse::<f64>().ok());
            log.events.extend(time.filter(|time| log.events.last() != Some(time)));
        }
        log
    }

    /// `  [unit] name name ...`
    fn read_units(&mut self, line: &str) {
        let Some((unit, names)) = line.trim_start_matches("  [").split_once(']') else { return };
        let names = names.split_ascii_whitespace();
        self.units.extend(names.map(|name| (name.to_string(), unit.to_string())));
    }

    /// The unit of a column; empty if nothing is known about it.
    pub fn unit(&self, column: &str) -> String {
        if column == "t" {
            return "s".into();
        }
        match self.table {
            Some(kind) => output::table_unit(kind, column).unwrap_or_default().to_string(),
            None => self.units.get(column).cloned().unwrap_or_default(),
        }
    }
}
