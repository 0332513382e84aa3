//! Closed loops: time of one evaluation of the derivatives, kinematics and forces included.
//!
//! First tables: rows of N windows (N = 1 to 4096), whose time should grow with N; a pendulum of 120 rods hung up
//! m times (Schubert, thesis, TU Dresden 2014, figure 3.12); the boom of a concrete pump against the same bodies with
//! their loops left open (figure 4.9 of the thesis). `-- table` stops there, `-- boom` after the last of them; else
//! criterion's statistics follow.
//!
//! Times are the least of many short rounds in which all cases of a table take turns.

use std::hint::black_box;
use std::time::Instant;

use criterion::{BenchmarkId, Criterion, Throughput};
use dysim_generated::loading::{model, system};
use dysim_generated::loops::{hung_pendulum, windows};
use engine::internals::system::{Run, System};
use integrate::Problem;

/// The flat text, from which a block can be taken.
const BOOM: &str = include_str!("../tests/library/flat/concrete_pump.dys");
/// The least of many short rounds is a time that nothing else took part in.
const ROUNDS: usize = 60;

/// A model at its start, ready to be evaluated.
struct Case<'s> {
    run: Run<'s>,
    y: Vec<f64>,
    ydot: Vec<f64>,
    /// Evaluations of one round.
    count: usize,
}

impl<'s> Case<'s> {
    fn new(system: &'s System) -> Self {
        let y = system.initial_state();
        let ydot = vec![0.0; y.len()];
        // About 1 ms of work per round, little beside the time slices of the scheduler.
        let count = (5_000 / y.len().max(1)).clamp(1, 1_000);
        Self { run: Run::new(system), y, ydot, count }
    }

    fn evaluate(&mut self) {
        let y = black_box(&self.y);
        // A singular start would be seen in the tables at once: the tests run the same models.
        let _ = black_box(self.run.derivatives(0.0, y, &mut self.ydot));
    }

    /// Seconds per evaluation in one round.
    fn round(&mut self) -> f64 {
        let start = Instant::now();
        (0..self.count).for_each(|_| self.evaluate());
        start.elapsed().as_secs_f64() / self.count as f64
    }
}

/// Least seconds per evaluation of each text, in rounds in which they take turns.
fn measure(texts: Vec<String>) -> Vec<f64> {
    let models: Vec<_> = texts.into_iter().map(model).collect();
    let systems: Vec<_> = models.iter().map(system).collect();
    let mut cases: Vec<Case<'_>> = systems.iter().map(|system| Case::new(system)).collect();
    let mut least = vec![f64::MAX; cases.len()];
    for _ in 0..ROUNDS {
        for (case, least) in cases.iter_mut().zip(&mut least) {
            *least = least.min(case.round());
        }
    }
    least
}

/// The slope of log y over log x by least squares.
fn slope(points: &[(f64, f64)]) -> f64 {
    let logs = || points.iter().map(|(x, y)| (x.ln(), y.ln()));
    let count = points.len() as f64;
    let (mx, my) =
        (logs().map(|p| p.0).sum::<f64>() / count, logs().map(|p| p.1).sum::<f64>() / count);
    let (mut above, mut below) = (0.0, 0.0);
    for (x, y) in logs() {
        above += (x - mx) * (y - my);
        below += (x - mx) * (x - mx);
    }
    above / below
}

/// The boom; `closed` keeps its loop joints.
fn boom(closed: bool) -> String {
    let is_loop = |block: &&str| block.starts_with("Revolute") && block.contains("= loop;");
    let blocks = BOOM.split_inclusive("\n}\n").map(str::trim_start);
    blocks.filter(|block| closed || !is_loop(block)).collect()
}

fn tables() {
    let sizes: Vec<usize> = (0..=12).map(|k| 1 << k).collect();
    let times = measure(sizes.iter().map(|n| windows(*n)).collect());
    println!("windows   us/evaluation   us/window");
    for (n, time) in sizes.iter().zip(&times) {
        println!("{n:>7} {:>15.2} {:>11.3}", 1e6 * time, 1e6 * time / *n as f64);
    }
    let points: Vec<(f64, f64)> = sizes.iter().zip(&times).map(|(n, t)| (*n as f64, *t)).collect();
    println!(
        "slope of log time over log N: {:.3}, from N = 8 on {:.3}\n",
        slope(&points),
        slope(&points[3..])
    );

    let loops = [0, 1, 2, 3, 4, 6, 8, 10, 12, 15, 20, 24, 30, 40, 60];
    let times = measure(loops.iter().map(|m| hung_pendulum(120, *m)).collect());
    println!("loops of a pendulum of 120 rods   us/evaluation   times open");
    for (m, time) in loops.iter().zip(&times) {
        println!("{m:>31} {:>15.2} {:>12.2}", 1e6 * time, time / times[0]);
    }
    println!();
    boom_table();
}

fn boom_table() {
    let times = measure(vec![boom(false), boom(true)]);
    println!(
        "boom of five arms: open {:.2} us, closed {:.2} us, ratio {:.2}",
        1e6 * times[0],
        1e6 * times[1],
        times[1] / times[0]
    );
}

fn statistics(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("loops/windows");
    for n in [1, 16, 256, 4096] {
        let model = model(windows(n));
        let system = system(&model);
        let mut case = Case::new(&system);
        group.throughput(Throughput::Elements(n as u64));
        group.bench_function(BenchmarkId::from_parameter(n), |b| b.iter(|| case.evaluate()));
    }
    group.finish();
    let mut group = criterion.benchmark_group("loops/boom");
    for (name, closed) in [("open", false), ("closed", true)] {
        let model = model(boom(closed));
        let system = system(&model);
        let mut case = Case::new(&system);
        group.bench_function(name, |b| b.iter(|| case.evaluate()));
    }
    group.finish();
}

fn main() {
    if std::env::args().any(|argument| argument == "boom") {
        return boom_table();
    }
    tables();
    if std::env::args().any(|argument| argument == "table") {
        return;
    }
    let mut criterion = Criterion::default().configure_from_args();
    statistics(&mut criterion);
    criterion.final_summary();
}
