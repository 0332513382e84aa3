//! What writing result files costs beside the integration, for models of ten bodies with an output
//! every millisecond: `cargo bench -p dysim-benches --bench result_files`.
//!
//! Both runs integrate the same steps; one writes all files, the other only the log.

use std::hint::black_box;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use dysim_benches::models;
use engine::model::{Disk, Input, LoadOptions, Model, load};
use engine::simulation::{Options, Progress, simulate};
use engine::system;

/// Nobody watches a benchmark.
struct Silent;

impl Progress for Silent {
    fn reached(&mut self, _: f64) {}
}

/// A chain of ten bodies without forces: as little to integrate as ten bodies can have.
fn chain() -> String {
    models::linkage(10 * models::BLOCKS_PER_LINK)
        .replace("OutputType = none", "OutputType = all")
        .replace("Tstep = 0.01; TstepMax = 0.01", "Tstep = 0.001; TstepMax = 0.001")
        .replace("TstepIni = 0.001", "TstepIni = 0.0001")
}

/// The example of a person: ten bodies with contacts and springs in the joints.
fn person() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/mechanics/person.dys");
    let text = std::fs::read_to_string(path).expect("the example");
    let steps = [("Tstep ", "0.001"), ("TstepMax ", "0.001"), ("TstepIni ", "0.0001")];
    let line = |line: &str| {
        let found = steps.iter().find(|(name, _)| line.trim_start().starts_with(name));
        found.map_or_else(|| line.to_string(), |(name, value)| format!("{name} = {value};"))
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

fn model(text: &str, output: &str) -> Model {
    let text = text.replace("OutputType = all", &format!("OutputType = {output}"));
    let input = Input::Text { name: "model.dys".into(), bytes: text.into_bytes() };
    let loaded = load(input, &LoadOptions::default(), &Disk).expect("a text needs no file");
    loaded.model.expect("the model is right")
}

fn run(model: &Model, directory: &Path) -> Duration {
    let system = system::build(model, false).expect("a chain can be simulated");
    let interrupted = AtomicBool::new(false);
    let options =
        Options { directory, warnings: &[], interrupted: &interrupted, abort_on_chattering: false };
    let start = Instant::now();
    let outcome = simulate(&system, options, &mut Silent).expect("the directory can be written");
    black_box(&outcome);
    start.elapsed()
}

/// The shortest of several times is the one that other work on the machine disturbed least. Each run
/// gets an empty directory: replacing a file makes some file systems write it to the disk at once.
fn best(model: &Model, directory: &Path) -> Duration {
    let mut timed = |_| {
        // The first time there is nothing to remove.
        let _ = std::fs::remove_dir_all(directory);
        std::fs::create_dir_all(directory).expect("a temporary directory");
        run(model, directory)
    };
    (0..7).map(&mut timed).min().unwrap_or_default()
}

fn report(name: &str, text: &str) {
    let directory = std::env::temp_dir().join(format!("dysim_result_files_{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a temporary directory");
    let none = best(&model(text, "none"), &directory);
    let all = best(&model(text, "all"), &directory);
    let files = std::fs::read_dir(&directory).into_iter().flatten();
    let bytes: u64 = files.filter_map(|entry| Some(entry.ok()?.metadata().ok()?.len())).sum();
    let writing = all.saturating_sub(none);
    println!("{name}: {:.1} MB", bytes as f64 / 1e6);
    println!("  integration alone {:8.2} ms", none.as_secs_f64() * 1e3);
    let ratio = writing.as_secs_f64() / none.as_secs_f64();
    println!("  writing all files {:8.2} ms, {ratio:.2} of it", writing.as_secs_f64() * 1e3);
    std::fs::remove_dir_all(&directory).expect("the temporary directory can be removed");
}

fn main() {
    report("person, ten bodies with contacts, 1200 rows", &person());
    report("chain, ten bodies without forces, 1000 rows", &chain());
}
