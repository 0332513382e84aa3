//! A spring that is a plugin against the built-in one: one evaluation of the equations of motion.
//!
//! Free bodies in space, each tied to the next by a spring and damper, so that springs are as large a part of
//! the work as they can be. Beside the times there is a ratio, measured in turns so that a busy machine
//! disturbs both alike.

use std::fmt::Write;
use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use dysim_generated::loading::{model_with, system};
use dysim_generated::plugins::PLUGINS;
use engine::internals::system::Run;
use engine::plugin::Plugins;
use engine::{LoadOptions, Model};
use integrate::Problem;

/// What ties the bodies together.
#[derive(Clone, Copy)]
enum Ties {
    None,
    BuiltIn,
    Plugin,
}

fn text(n: usize, ties: Ties) -> String {
    let mut text = String::from(
        "Header \"h\" { ModelName = m; OutputType = none; }\nSystem \"s\" { GravAccel = 0, 0, -9.81; }\n\
         Solver \"d\" { Solver = derf; }\nTriad \"a\" { Parent = world; }\n",
    );
    for k in 0..=n {
        // Writing to a String cannot fail.
        let _ = write!(
            text,
            "Triad \"c{k}\" {{ Parent = b{k}; }}\nTriad \"t{k}\" {{ Parent = b{k}; Position = 0.1, 0.05, 0; }}\n\
             Free \"J{k}\" {{ TriadFrom = a; TriadTo = c{k}; Qinit = {k}, 0.1, 0.2, 0.3, 0.2, 0.1; QDinit = 0, 1, 0, 0.1, 0.2, 0.3; }}\n\
             Body \"b{k}\" {{ Parent = world; Joint = J{k}; Mass = 1; }}\n"
        );
        let parameters = format!(
            "TriadFrom = t{}; TriadTo = t{k}; ElasticLinear = 50; DampingLinear = 1; ZeroLength = 0.8;",
            k.saturating_sub(1)
        );
        let _ = match ties {
            Ties::None => Ok(()),
            _ if k == 0 => Ok(()),
            Ties::BuiltIn => writeln!(text, "Spring \"s{k}\" {{ {parameters} }}"),
            Ties::Plugin => {
                writeln!(text, "Plugin \"s{k}\" {{ Type = spring_copy; {parameters} }}")
            }
        };
    }
    text
}

fn model(n: usize, ties: Ties) -> Model {
    let options = LoadOptions { plugins: Plugins::Known(PLUGINS), ..LoadOptions::default() };
    model_with(text(n, ties), options)
}

/// Many evaluations.
fn evaluate(run: &mut Run<'_>, y: &[f64], ydot: &mut [f64], times: u32) -> Duration {
    let clock = Instant::now();
    for _ in 0..times {
        let _ = black_box(run.derivatives(0.0, black_box(y), ydot));
    }
    clock.elapsed()
}

fn bench(c: &mut Criterion) {
    let mut group = c.benchmark_group("plugin_force");
    for n in [1, 10, 100] {
        let cases =
            [("no spring", Ties::None), ("built-in", Ties::BuiltIn), ("plugin", Ties::Plugin)];
        for (name, ties) in cases {
            let model = model(n, ties);
            let system = system(&model);
            let mut run = Run::new(&system);
            let y = system.initial_state();
            let mut ydot = vec![0.0; y.len()];
            group.bench_function(BenchmarkId::new(name, n), |b| {
                b.iter(|| run.derivatives(0.0, black_box(&y), &mut ydot));
            });
        }
    }
    group.finish();
    for n in [1, 10, 100] {
        ratio(n);
    }
}

/// Prints the smallest times of many turns, and what the plugin costs more.
fn ratio(n: usize) {
    const TURNS: u32 = 400;
    let models = [Ties::None, Ties::BuiltIn, Ties::Plugin].map(|ties| model(n, ties));
    let systems = [system(&models[0]), system(&models[1]), system(&models[2])];
    let mut runs = [Run::new(&systems[0]), Run::new(&systems[1]), Run::new(&systems[2])];
    let states = [0, 1, 2].map(|k: usize| systems[k].initial_state());
    let mut rates = [0, 1, 2].map(|k: usize| vec![0.0; states[k].len()]);
    let times = (20_000 / n as u32).max(20);
    let mut best = [f64::INFINITY; 3];
    for _ in 0..TURNS {
        for k in 0..3 {
            let took = evaluate(&mut runs[k], &states[k], &mut rates[k], times / 10);
            best[k] = best[k].min(took.as_secs_f64() * 1e9 / f64::from(times / 10));
        }
    }
    let [none, built_in, plugin] = best;
    println!(
        "{n:>4} springs: evaluation {none:.0} ns without, {built_in:.0} ns with built-in ones, {plugin:.0} ns with plugins; \
         ratio {:.3}, of the springs alone {:.3}",
        plugin / built_in,
        (plugin - none) / (built_in - none),
    );
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_millis(1000))
        .sample_size(40);
    targets = bench
}
criterion_main!(benches);
