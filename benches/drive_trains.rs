//! Drive trains of N stages (N = 10 to 10000): time to read and prepare them, time of one evaluation of the
//! derivatives, and time of whole runs: the adaptive implicit solver, and mixed mode with fixed steps. All should grow in proportion to N.
//!
//! Tables come first, with slopes of log time over log N; `-- table` stops there, else criterion's statistics follow.
//! Times are processor times, the least of some rounds in which all sizes take turns.

use std::hint::black_box;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, Throughput};
use dysim_generated::loading::{model, system};
use dysim_generated::trains::{elastic_train, rigid_train};
use engine::internals::system::Run;
use integrate::{MethodKind, Problem, Settings, Silent, StepLimits, Stop, Tolerance, build_for};

const SIZES: [usize; 4] = [10, 100, 1000, 10_000];
const ROUNDS: usize = 3;

/// The processor time of this program so far; on systems that do not tell it, the time of day.
fn clock() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let statistics = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let used = statistics.split(' ').next().and_then(|nanoseconds| nanoseconds.parse().ok());
    used.map_or_else(|| START.elapsed(), Duration::from_nanos)
}

/// Simulated time of a run, s: the torque has passed the first stages.
const END: f64 = 0.05;
/// The fixed step, s.
const STEP: f64 = 1e-3;
/// What is measured.
const KINDS: [&str; 4] = ["prepare", "evaluate", "stiff", "euler_mixed"];

/// Seconds of a run.
fn simulate(run: &mut Run<'_>, y: &[f64], kind: MethodKind) -> Result<f64, String> {
    let start = clock();
    let settings = Settings::new(kind, Tolerance::new(1e-6, 1e-8));
    let max = if kind.has_fixed_step() { STEP } else { END };
    let settings = settings.with_outputs(END, StepLimits { max, min: 0.0, initial: None });
    let mut driver = build_for(kind, run, &settings).map_err(|error| error.to_string())?;
    driver.start(run, 0.0, y, 1.0, &mut Silent).map_err(|error| error.to_string())?;
    while driver.advance(run, END, &mut Silent).map_err(|error| error.to_string())? != Stop::Output
    {
    }
    black_box(driver.y());
    Ok((clock() - start).as_secs_f64())
}

/// Seconds to read and prepare a train, seconds per evaluation, and seconds of runs.
fn measure(text: &str) -> Result<[f64; KINDS.len()], String> {
    let start = clock();
    let model = model(text);
    let system = system(&model);
    let mut run = Run::new(&system);
    let mut y = system.initial_state();
    run.begin(&mut y).map_err(|failure| format!("{failure:?}"))?;
    let prepared = (clock() - start).as_secs_f64();
    let mut ydot = vec![0.0; y.len()];
    let count = (200_000 / y.len()).clamp(5, 2000);
    let start = clock();
    for _ in 0..count {
        run.derivatives(0.0, black_box(&y), &mut ydot).map_err(|failure| format!("{failure:?}"))?;
    }
    let evaluated = (clock() - start).as_secs_f64() / count as f64;
    let stiff = simulate(&mut run, &y, MethodKind::Stiff)?;
    let mixed = simulate(&mut run, &y, MethodKind::EulerMixed)?;
    Ok([prepared, evaluated, stiff, mixed])
}

/// The slope of log y over log x by least squares.
fn slope(points: &[(f64, f64)]) -> f64 {
    let logs = || points.iter().map(|(x, y)| (x.ln(), y.ln()));
    let count = points.len() as f64;
    let (mx, my) =
        (logs().map(|p| p.0).sum::<f64>() / count, logs().map(|p| p.1).sum::<f64>() / count);
    let (above, below) = logs().fold((0.0, 0.0), |(above, below), (x, y)| {
        (above + (x - mx) * (y - my), below + (x - mx) * (x - mx))
    });
    above / below
}

fn table(name: &str, train: fn(usize) -> String) -> Result<(), String> {
    let texts = SIZES.map(train);
    let mut least = [[f64::MAX; KINDS.len()]; SIZES.len()];
    for _ in 0..ROUNDS {
        for (text, least) in texts.iter().zip(&mut least) {
            for (least, time) in least.iter_mut().zip(measure(text)?) {
                *least = least.min(time);
            }
        }
    }
    println!("{name:>14}   ms to prepare   us/evaluation   ms, stiff   ms, euler_mixed");
    for (n, [prepare, evaluate, stiff, mixed]) in SIZES.into_iter().zip(least) {
        println!(
            "{n:>14} {:>15.2} {:>15.2} {:>11.2} {:>17.2}",
            1e3 * prepare,
            1e6 * evaluate,
            1e3 * stiff,
            1e3 * mixed
        );
    }
    let slopes = KINDS.iter().enumerate().map(|(column, kind)| {
        let points = SIZES.iter().zip(&least).skip(1);
        let points: Vec<(f64, f64)> = points.map(|(n, times)| (*n as f64, times[column])).collect();
        format!("{kind} {:.3}", slope(&points))
    });
    let slopes: Vec<String> = slopes.collect();
    println!("slope of log time over log N from 100 on: {}\n", slopes.join(", "));
    Ok(())
}

fn statistics(criterion: &mut Criterion) -> Result<(), String> {
    let mut group = criterion.benchmark_group("drive_trains/elastic");
    for n in [10, 1000] {
        let text = elastic_train(n);
        let model = model(text.as_str());
        let system = system(&model);
        let mut run = Run::new(&system);
        let mut y = system.initial_state();
        run.begin(&mut y).map_err(|failure| format!("{failure:?}"))?;
        let mut ydot = vec![0.0; y.len()];
        group.throughput(Throughput::Elements(n as u64));
        group.bench_function(BenchmarkId::new("evaluate", n), |b| {
            b.iter(|| run.derivatives(0.0, black_box(&y), &mut ydot).is_ok())
        });
    }
    group.finish();
    Ok(())
}

fn main() -> Result<(), String> {
    table("elastic stages", elastic_train)?;
    table("rigid stages", rigid_train)?;
    if std::env::args().any(|argument| argument == "table") {
        return Ok(());
    }
    let mut criterion = Criterion::default().configure_from_args();
    statistics(&mut criterion)?;
    criterion.final_summary();
    Ok(())
}
