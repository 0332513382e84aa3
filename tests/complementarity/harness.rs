//! Runs a model through the engine and compares its signals with the reference.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use dysim_generated::loading::load_text;
use dysim_tests::simulate::Unwatched;
use engine::LoadOptions;
use engine::Options;
use engine::internals::simulation::simulate;

use crate::reference::Answer;

/// Methods that find events.
pub const METHODS: [&str; 3] = ["derf", "stiff", "radau5"];
/// Relative tolerance of the runs.
pub const TOLERANCE: f64 = 1e-7;
/// What some hundred steps and events make of the tolerance, relative to the largest value of a kind.
const GROWTH: f64 = 300.0;
/// The absolute tolerance of the runs over the relative one (`Circuit::text`).
const ABSOLUTE: f64 = 1e-3;
/// A run that takes longer is slow, s.
const PATIENCE: f64 = 10.0;

/// How a run compares.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// All values within their bars.
    Agrees,
    /// The worst signal, its time, the engine's value and that of the reference.
    Differs(String, f64, f64, f64),
    /// The run ends early with a message.
    Stops(String),
    /// The model is refused before it runs.
    Refused(String),
    /// It did not end in time.
    Slow,
    /// The program panics.
    Panics,
}

impl Outcome {
    /// The column of a table.
    pub fn word(&self) -> &'static str {
        match self {
            Outcome::Agrees => "agree",
            Outcome::Differs(..) => "differ",
            Outcome::Stops(_) => "stop",
            Outcome::Refused(_) => "refused",
            Outcome::Slow => "slow",
            Outcome::Panics => "panic",
        }
    }
}

/// Why a run of the engine gave no table.
enum NoTable {
    Stops(String),
    Refused(String),
    Slow,
    Panics,
}

/// Runs a model and reads its table as columns by name.
fn run(text: &str) -> Result<BTreeMap<String, Vec<f64>>, NoTable> {
    let loaded = load_text(text, &LoadOptions::default());
    let Some(model) = loaded.model else {
        let all: Vec<String> = loaded.diagnostics.iter().map(|d| d.message.clone()).collect();
        return Err(NoTable::Refused(all.join("; ")));
    };
    let system = engine::internals::system::build(&model, false).map_err(|all| {
        let all: Vec<String> = all.iter().map(|d| d.message.clone()).collect();
        NoTable::Refused(all.join("; "))
    })?;
    let directory = tempfile::tempdir().expect("a directory");
    let interrupted = AtomicBool::new(false);
    let done = AtomicBool::new(false);
    let began = Instant::now();
    let options = Options::new(directory.path(), &interrupted);
    let result = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) && began.elapsed().as_secs_f64() < PATIENCE {
                std::thread::park_timeout(Duration::from_millis(20));
            }
            interrupted.store(true, Ordering::Relaxed);
        });
        let run = || simulate(&system, &[], options, &mut Unwatched);
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run));
        done.store(true, Ordering::Relaxed);
        result
    });
    let Ok(result) = result else { return Err(NoTable::Panics) };
    match result {
        Err(error) => return Err(NoTable::Stops(error.to_string())),
        Ok((_, Some(_))) if began.elapsed().as_secs_f64() >= PATIENCE => return Err(NoTable::Slow),
        Ok((_, Some(error))) => return Err(NoTable::Stops(error.to_string())),
        Ok((_, None)) => {}
    }
    let path = directory.path().join(format!("{}.csv", model.name));
    let table = std::fs::read_to_string(path).expect("a table");
    let mut lines = table.lines();
    let names: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let mut columns: BTreeMap<String, Vec<f64>> =
        names.iter().map(|name| ((*name).to_string(), Vec::new())).collect();
    for line in lines {
        for (name, cell) in names.iter().zip(line.split(',')) {
            if let Some(column) = columns.get_mut(*name) {
                column.push(cell.parse().unwrap_or(f64::NAN));
            }
        }
    }
    Ok(columns)
}

/// How a run ends that should not come to its end: nothing if it does.
pub fn ending(text: &str) -> Option<Outcome> {
    match run(text) {
        Ok(_) => None,
        Err(NoTable::Stops(message)) => Some(Outcome::Stops(message)),
        Err(NoTable::Refused(message)) => Some(Outcome::Refused(message)),
        Err(NoTable::Slow) => Some(Outcome::Slow),
        Err(NoTable::Panics) => Some(Outcome::Panics),
    }
}

/// Compares a run of a model with the reference; rows of the model are those of the answer behind one at the start.
pub fn compare(text: &str, answer: &Answer) -> Outcome {
    let table = match run(text) {
        Ok(table) => table,
        Err(NoTable::Stops(message)) => return Outcome::Stops(message),
        Err(NoTable::Refused(message)) => return Outcome::Refused(message),
        Err(NoTable::Slow) => return Outcome::Slow,
        Err(NoTable::Panics) => return Outcome::Panics,
    };
    let mut worst = (1.0, Outcome::Agrees);
    let times = &table["t"];
    assert_eq!(times.len(), answer.values.len() + 1, "rows of\n{text}");
    for (column, name) in answer.signals.iter().enumerate() {
        let Some(values) = table.get(name) else {
            panic!("no column {name} in {:?}", table.keys())
        };
        let size = answer.sizes[answer.scales[column] as usize];
        for (row, wanted) in answer.values.iter().enumerate() {
            let Some(wanted) = wanted[column] else { continue };
            let value = values[row + 1];
            let allowed = wanted.bar + GROWTH * TOLERANCE * (size + wanted.reach + ABSOLUTE);
            let ratio = (value - wanted.value).abs() / allowed;
            if ratio > 1.0 && std::env::var("DYSIM_SHOW").is_ok() {
                let t = times[row + 1];
                println!("SHOW {t:.5} {name} {value} {} ratio {ratio:.2}", wanted.value);
            }
            if ratio > worst.0 || ratio.is_nan() {
                worst =
                    (ratio, Outcome::Differs(name.clone(), times[row + 1], value, wanted.value));
            }
        }
    }
    worst.1
}

/// Counts of outcomes by family and method.
#[derive(Default)]
pub struct Tally {
    counts: BTreeMap<(String, String), BTreeMap<&'static str, usize>>,
    /// Changes of valves in all runs of the reference.
    pub changes: usize,
    /// Values of the reference: all, and those that nothing determines or that are too near a change.
    values: [usize; 2],
    /// The first failing models of each family.
    pub examples: Vec<String>,
}

impl Tally {
    /// Adds the outcome of a member of a family; the text of a failing model is kept.
    pub fn add(
        &mut self,
        (family, seed): (&str, u64),
        method: &str,
        outcome: &Outcome,
        text: &str,
    ) {
        let key = (family.to_string(), method.to_string());
        let counts = self.counts.entry(key).or_default();
        let count = counts.entry(outcome.word()).or_default();
        *count += 1;
        if *outcome != Outcome::Agrees {
            let told = format!("{outcome:?}").replace('\n', " ");
            let example = format!("// {family} {seed}, {method}: {told}\n{text}\n");
            keep(&format!("{family}_{seed}_{method}_{}", outcome.word()), &example);
            if *count <= 2 {
                self.examples.push(example);
            }
        }
    }

    /// Counts the values of an answer.
    pub fn count_values(&mut self, answer: &Answer) {
        let values = answer.values.iter().flatten();
        self.values[0] += values.clone().count();
        self.values[1] += values.filter(|value| value.is_none()).count();
    }

    /// Runs that do not agree, by family.
    pub fn failures(&self, family: &str) -> usize {
        let of_family = self.counts.iter().filter(|((name, _), _)| name == family);
        let lost = |counts: &BTreeMap<&'static str, usize>| -> usize {
            counts.iter().filter(|(word, _)| **word != "agree").map(|(_, count)| count).sum()
        };
        of_family.map(|(_, counts)| lost(counts)).sum()
    }

    /// One line for each family and method.
    pub fn table(&self) -> String {
        let words = ["agree", "differ", "stop", "refused", "slow", "panic"];
        let mut text = format!("{:32}{:8}", "family", "method");
        text.extend(words.iter().map(|word| format!("{word:>8}")));
        for ((family, method), counts) in &self.counts {
            text += &format!("\n{family:32}{method:8}");
            let count = |word: &&str| format!("{:>8}", counts.get(*word).copied().unwrap_or(0));
            text.extend(words.iter().map(count));
        }
        let [all, open] = self.values;
        text + &format!("\nof {all} values {open} are not compared")
    }
}

/// Writes a failing model to the directory that `DYSIM_FAILING` names, if it does.
fn keep(name: &str, text: &str) {
    let Ok(directory) = std::env::var("DYSIM_FAILING") else { return };
    let name = format!("{}.dys", name.replace(' ', "_"));
    if let Err(error) = std::fs::write(std::path::Path::new(&directory).join(name), text) {
        println!("a failing model is not kept: {error}");
    }
}
