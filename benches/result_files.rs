//! What writing result files costs beside the integration, for models of ten bodies with an output
//! every millisecond: `cargo bench -p dysim-benches --bench result_files`.
//!
//! Both runs integrate the same steps; one writes all files, the other only the log. The time of day is what
//! a user waits for; the processor time is the sum over all threads.

use std::fs::DirEntry;
use std::hint::black_box;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use dysim_generated::{loading, models};
use engine::{Model, Options, Progress};

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
    loading::model(text)
}

fn run(model: &Model, directory: &Path) -> Duration {
    let interrupted = AtomicBool::new(false);
    let options = Options::new(directory, &interrupted);
    let start = Instant::now();
    let outcome = model.simulate(options, &mut Silent).expect("the directory can be written");
    black_box(&outcome);
    start.elapsed()
}

/// Processor time of this program so far, on systems that tell it.
#[derive(Clone, Copy, Default)]
struct Processor {
    /// Of the thread that integrates.
    own: Duration,
    /// Of all threads, also those that have ended; counted in hundredths of a second.
    all: Duration,
}

impl Processor {
    fn now() -> Option<Self> {
        let own = std::fs::read_to_string("/proc/self/schedstat").ok()?;
        let own = Duration::from_nanos(own.split(' ').next()?.parse().ok()?);
        let all = std::fs::read_to_string("/proc/self/stat").ok()?;
        // Behind the name in parentheses: state, ten numbers, then the times of program and system.
        let (_, fields) = all.rsplit_once(')')?;
        let ticks = |at| fields.split_whitespace().nth(at)?.parse::<u64>().ok();
        Some(Self { own, all: Duration::from_millis(10 * (ticks(11)? + ticks(12)?)) })
    }
}

/// What a kind of run took.
#[derive(Clone, Copy)]
struct Taken {
    /// The shortest of several times: the one that other work on the machine disturbed least.
    wall: Duration,
    /// The sum of all processor times.
    processor: Option<Processor>,
    bytes: u64,
}

const ROUNDS: u32 = 40;

/// Runs with the two models in turn, so that other work on the machine meets both. Each run gets an empty
/// directory: replacing a file makes some file systems write it to the disk at once.
fn measure(models: &[Model; 2], directory: &Path) -> [Taken; 2] {
    let nothing = Taken { wall: Duration::MAX, processor: Some(Processor::default()), bytes: 0 };
    let mut taken = [nothing; 2];
    for _ in 0..ROUNDS {
        for (model, taken) in models.iter().zip(&mut taken) {
            std::fs::create_dir(directory).expect("a temporary directory");
            let before = Processor::now();
            taken.wall = taken.wall.min(run(model, directory));
            let times = taken.processor.zip(before).zip(Processor::now());
            taken.processor = times.map(|((sum, before), now)| Processor {
                own: sum.own + (now.own - before.own),
                all: sum.all + (now.all - before.all),
            });
            let files = std::fs::read_dir(directory).expect("the directory");
            let size = |entry: std::io::Result<DirEntry>| Some(entry.ok()?.metadata().ok()?.len());
            taken.bytes = files.filter_map(size).sum();
            std::fs::remove_dir_all(directory).expect("the temporary directory can be removed");
        }
    }
    taken
}

fn report(name: &str, text: &str) {
    let directory = std::env::temp_dir().join(format!("dysim_result_files_{}", std::process::id()));
    let [none, all] = measure(&[model(text, "none"), model(text, "all")], &directory);
    println!("{name}: {:.1} MB", all.bytes as f64 / 1e6);
    let line = |what: &str, none: Duration, all: Duration| {
        let [none, all] = [none, all].map(|time| time.as_secs_f64() * 1e3);
        let (writing, ratio) = (all - none, all / none - 1.0);
        println!(
            "  {what}: integration alone {none:6.2} ms, files {writing:6.2} ms, {ratio:.2} of it"
        );
    };
    line("time of day, best            ", none.wall, all.wall);
    if let Some((none, all)) = none.processor.zip(all.processor) {
        line("processor, integrating thread", none.own / ROUNDS, all.own / ROUNDS);
        line("processor, all threads       ", none.all / ROUNDS, all.all / ROUNDS);
    }
}

fn main() {
    report("person, ten bodies with contacts, 1200 rows", &person());
    report("chain, ten bodies without forces, 1000 rows", &chain());
}
