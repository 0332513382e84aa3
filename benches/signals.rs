//! Signal blocks: time of one evaluation of the derivatives and of one instant, for N blocks.
//!
//! A ring of N lags, every tenth of which is limited, and a row of N sampled lags of one period, each the input
//! of the next. Time should grow with N. `-- table` prints times per block and stops; else criterion's
//! statistics follow.

use std::hint::black_box;
use std::time::Instant;

use criterion::{BenchmarkId, Criterion, Throughput};
use dysim_generated::loading::{model, system};
use engine::internals::system::{Run, System};
use integrate::{Driver, MethodKind, Problem, Settings, Silent, Stop, Tolerance, build};

const SIZES: [usize; 4] = [10, 100, 1000, 10_000];
const ROUNDS: usize = 9;

/// Lags in a ring with a sine outside; `sampled` gives them a period.
fn text(n: usize, sampled: bool) -> String {
    use std::fmt::Write;
    let mut text = String::from(
        "Solver \"s\" { Solver = derf; Tend = 100; }\nSine \"source\" { Frequency = 0.5; }\n",
    );
    let period = if sampled { "Tsample = 0.01;" } else { "" };
    for k in 0..n {
        let before = match (k, sampled) {
            (0, true) => "source.y".to_string(),
            (0, false) => format!("source.y - 0.5*b{}.y", n - 1),
            _ => format!("b{}.y", k - 1),
        };
        let _ = match k % 10 {
            9 => writeln!(text, "Limiter \"b{k}\" {{ u = {before}; ymax = 0.9; {period} }}"),
            _ => writeln!(text, "PT1 \"b{k}\" {{ u = {before}; T = 0.05; {period} }}"),
        };
    }
    text
}

/// A run at its start.
struct Started<'s> {
    run: Run<'s>,
    driver: Driver,
}

fn start<'s>(system: &'s System) -> Result<Started<'s>, String> {
    let mut run = Run::new(system);
    let settings = Settings::new(MethodKind::Derf, Tolerance::new(1e-6, 1e-6));
    let mut driver = build(MethodKind::Derf, system.n_states(), system.n_guards(), &settings)
        .map_err(|error| error.to_string())?;
    let mut y = system.initial_state();
    run.begin(&mut y).map_err(|failure| format!("{failure:?}"))?;
    driver.start(&mut run, 0.0, &y, 1.0, &mut Silent).map_err(|error| error.to_string())?;
    Ok(Started { run, driver })
}

impl Started<'_> {
    /// Goes on to a time.
    fn advance(&mut self, t: f64) -> Result<(), String> {
        loop {
            let stop = self.driver.advance(&mut self.run, t, &mut Silent);
            if stop.map_err(|error| error.to_string())? == Stop::Output {
                return Ok(());
            }
        }
    }
}

/// Least time of several rounds, s.
fn least(mut action: impl FnMut() -> Result<(), String>) -> Result<f64, String> {
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let begun = Instant::now();
        action()?;
        best = best.min(begun.elapsed().as_secs_f64());
    }
    Ok(best)
}

fn table() -> Result<(), String> {
    println!("{:>7} {:>16} {:>18}", "blocks", "evaluation, ns/N", "ten instants, ns/N");
    for n in SIZES {
        let (smooth, sampled) = (model(text(n, false)), model(text(n, true)));
        let (smooth, sampled) = (system(&smooth), system(&sampled));
        let Started { mut run, driver } = start(&smooth)?;
        let (y, mut ydot) = (driver.y().to_vec(), vec![0.0; smooth.n_states()]);
        let evaluation = least(|| {
            for _ in 0..10 {
                run.derivatives(black_box(0.1), &y, &mut ydot).map_err(|e| e.to_string())?;
            }
            Ok(())
        })?;
        let mut started = start(&sampled)?;
        let mut t = 0.005;
        let instants = least(|| {
            t += 0.1;
            started.advance(t)
        })?;
        let per_block = |time: f64| 1e9 * time / n as f64;
        println!("{n:>7} {:>16.1} {:>18.1}", per_block(evaluation / 10.0), per_block(instants));
    }
    Ok(())
}

fn statistics(criterion: &mut Criterion) -> Result<(), String> {
    let mut group = criterion.benchmark_group("signal blocks");
    for n in SIZES {
        let model = model(text(n, false));
        let system = system(&model);
        let Started { mut run, driver } = start(&system)?;
        let (y, mut ydot) = (driver.y().to_vec(), vec![0.0; system.n_states()]);
        group.throughput(Throughput::Elements(n as u64));
        group.bench_function(BenchmarkId::new("derivatives", n), |bencher| {
            bencher.iter(|| run.derivatives(black_box(0.1), &y, &mut ydot));
        });
    }
    group.finish();
    Ok(())
}

fn main() -> Result<(), String> {
    table()?;
    if std::env::args().any(|argument| argument == "table") {
        return Ok(());
    }
    let mut criterion = Criterion::default().configure_from_args();
    statistics(&mut criterion)?;
    criterion.final_summary();
    Ok(())
}
