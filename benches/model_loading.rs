//! How fast models are read, and with how much memory: `cargo bench -p dysim-benches --bench model_loading`.
//!
//! First a table for 10^4, 10^5 and 10^6 blocks of a generated linkage, and for texts that are extreme
//! in one respect; then criterion's statistics of the linkage. `-- table` stops after the table.
//! The table has processor time with page faults, so that other work on the machine matters little.
//!
//! Parsing takes the same time per block at every size. Loading takes more where tables of names and
//! blocks no longer fit the caches, and where fresh memory comes from the operating system.

use std::hint::black_box;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, Throughput};
use dysim_generated::counting::{Counting, usage_of};
use dysim_generated::loading::load_text;
use dysim_generated::models;
use engine::LoadOptions;
use engine::internals::load::Loaded;
use parser::source::Sources;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const SIZES: [usize; 3] = [10_000, 100_000, 1_000_000];

/// Makes a text of the given size.
type Generator = fn(usize) -> String;

fn parse(sources: &Sources) -> parser::Parsed {
    sources.all().first().map(parser::parse).unwrap_or_default()
}

fn read(text: String) -> Loaded {
    load_text(text, &LoadOptions::default())
}

fn sources(text: &str) -> Sources {
    let mut sources = Sources::default();
    // Only a text of more than 4 GiB is refused.
    let _ = sources.add("generated.dys", text);
    sources
}

/// The processor time of this program so far; on systems that do not tell it, the time of day.
fn clock() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let statistics = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let used = statistics.split(' ').next().and_then(|nanoseconds| nanoseconds.parse().ok());
    used.map_or_else(|| START.elapsed(), Duration::from_nanos)
}

/// The mean time of several runs.
fn time<T>(runs: usize, mut work: impl FnMut() -> T) -> Duration {
    let mut run = || {
        let start = clock();
        // Taking a model apart again is not part of reading it.
        let result = black_box(work());
        let time = clock() - start;
        drop(result);
        time
    };
    (0..runs).map(|_| run()).sum::<Duration>() / runs as u32
}

fn row(name: &str, n: usize, text: &str) {
    let runs = (1_000_000 / n).clamp(1, 50);
    let sources = sources(text);
    let parsing = time(runs, || parse(&sources));
    // The copy of the text that `load` takes over is made before the clock starts.
    let mut copies: Vec<String> = vec![text.to_string(); runs];
    let loading = time(runs, || copies.pop().map(read));
    drop(sources);
    let (loaded, usage) = usage_of(|| read(text.to_string()));
    let (errors, warnings) = (loaded.diagnostics.errors(), loaded.diagnostics.warnings());
    drop(loaded);
    let outcome = format!("{errors} errors, {warnings} warnings");
    let speed = |time: Duration| text.len() as f64 / 1e6 / time.as_secs_f64();
    let each = |time: Duration| time.as_secs_f64() * 1e9 / n as f64;
    println!(
        "{name:<22}{n:>9}{:>8.1}{:>9.1}{:>9.0}{:>9.1}{:>9.0}{:>10.0}   {outcome}",
        text.len() as f64 / 1e6,
        speed(parsing),
        each(parsing),
        speed(loading),
        each(loading),
        usage.peak as f64 / n as f64,
    );
}

fn table() {
    println!(
        "{:<22}{:>9}{:>8}{:>9}{:>9}{:>9}{:>9}{:>10}",
        "text", "n", "MB", "parse", "", "load", "", "memory"
    );
    println!(
        "{:<22}{:>9}{:>8}{:>9}{:>9}{:>9}{:>9}{:>10}",
        "", "", "", "MB/s", "ns/n", "MB/s", "ns/n", "bytes/n"
    );
    for n in SIZES {
        row("linkage, blocks", n, &models::linkage(n));
    }
    let extreme: [(&str, Generator); 10] = [
        ("chain of bodies", models::chain),
        ("chain of parameters", models::parameter_chain),
        ("corners of one list", models::long_list),
        ("terms of one sum", models::long_sum),
        ("unknown blocks", |n| models::repeated(n, "Boddy \"b#\" { Mass = 1; }")),
        ("unknown parameters", |n| {
            models::repeated(n, "Triad \"t#\" { Parent = world; Positon = 0, 0, 0; }")
        }),
        ("unknown references", |n| models::repeated(n, "Triad \"t#\" { Parent = b#; }")),
        ("unknown names", |n| {
            models::repeated(n, "Triad \"t#\" { Parent = world; Position = x#, 0, 0; }")
        }),
        ("equal names", |n| models::repeated(n, "Triad \"t\" { Parent = world; }")),
        ("missing semicolons", |n| {
            models::repeated(n, "Triad \"t#\" { Parent = world Degrees = rad }")
        }),
    ];
    for (name, generate) in extreme {
        for n in [10_000, 1_000_000] {
            row(name, n, &generate(n));
        }
    }
}

fn statistics(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("model_loading");
    group.sample_size(10);
    for n in SIZES {
        let text = models::linkage(n);
        group.throughput(Throughput::Bytes(text.len() as u64));
        let sources = sources(&text);
        group.bench_with_input(BenchmarkId::new("parse", n), &sources, |bencher, sources| {
            bencher.iter_with_large_drop(|| parse(sources));
        });
        drop(sources);
        group.bench_with_input(BenchmarkId::new("load", n), &text, |bencher, text| {
            bencher.iter_with_large_drop(|| read(text.clone()));
        });
    }
    group.finish();
}

fn main() {
    table();
    if std::env::args().any(|argument| argument == "table") {
        return;
    }
    let mut criterion = Criterion::default().configure_from_args();
    statistics(&mut criterion);
    criterion.final_summary();
}
