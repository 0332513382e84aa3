//! What writing result files costs beside the integration, for a chain of ten bodies with an output
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

fn model(output: &str) -> Model {
    let text = models::linkage(10 * models::BLOCKS_PER_LINK)
        .replace("OutputType = none", &format!("OutputType = {output}"))
        .replace("Tstep = 0.01; TstepMax = 0.01", "Tstep = 0.001; TstepMax = 0.001")
        .replace("TstepIni = 0.001", "TstepIni = 0.0001");
    let input = Input::Text { name: "chain.dys".into(), bytes: text.into_bytes() };
    let loaded = load(input, &LoadOptions::default(), &Disk).expect("a text needs no file");
    loaded.model.expect("the generated model is right")
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

/// The shortest of several times is the one that other work on the machine disturbed least.
fn best(model: &Model, directory: &Path) -> Duration {
    (0..7).map(|_| run(model, directory)).min().unwrap_or_default()
}

fn main() {
    let directory = std::env::temp_dir().join(format!("dysim_result_files_{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a temporary directory");
    let (all, none) = (best(&model("all"), &directory), best(&model("none"), &directory));
    let bytes: u64 = std::fs::read_dir(&directory)
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.metadata().ok()?.len()))
        .sum();
    let writing = all.saturating_sub(none);
    let ratio = writing.as_secs_f64() / none.as_secs_f64();
    println!("1000 rows of ten bodies, {:.1} MB in all files", bytes as f64 / 1e6);
    println!("integration alone    {:8.2} ms", none.as_secs_f64() * 1e3);
    println!(
        "writing all files    {:8.2} ms, {ratio:.2} of the integration",
        writing.as_secs_f64() * 1e3
    );
    std::fs::remove_dir_all(&directory).expect("the temporary directory can be removed");
}
