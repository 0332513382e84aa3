//! Algebraic loops torn and whole: time of one evaluation of the derivatives.
//!
//! Ladders of N sections without storages, but for a capacitor at the end, in three forms: resistors, whose factors are kept;
//! resistors that change with time, so that every evaluation factorises; and diodes across each section, solved by
//! Newton's iteration. `-- table` prints the ratios and stops; else criterion's statistics follow.

use std::hint::black_box;
use std::time::Instant;

use criterion::{BenchmarkId, Criterion};
use dysim_generated::loading::{self, model};
use engine::Model;
use engine::internals::system::{Run, System};
use integrate::Problem;

const SIZES: [usize; 3] = [10, 100, 1000];
const ROUNDS: usize = 9;

/// What the sections are made of.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    Constant,
    Changing,
    Diodes,
}

fn text(n: usize, form: Form) -> String {
    use std::fmt::Write;
    let mut text = String::from(
        "Solver \"s\" { Solver = stiff; Tend = 1; }\nVoltageSource \"V\" { p = n0; n = gnd; V = 5 + sin(t); }\n",
    );
    for k in 1..=n {
        let before = k - 1;
        let along = if form == Form::Changing { "100 + 10*sin(t)" } else { "100" };
        let _ = writeln!(text, "Resistor \"A{k}\" {{ p = n{before}; n = n{k}; R = {along}; }}");
        let _ = writeln!(text, "Resistor \"B{k}\" {{ p = n{k}; n = gnd; R = 1e4; }}");
        if form == Form::Diodes {
            let _ = writeln!(
                text,
                "Diode \"D{k}\" {{ p = n{k}; n = gnd; Model = exponential; Is = 1e-14; }}"
            );
        }
    }
    let _ = writeln!(
        text,
        "Resistor \"E\" {{ p = n{n}; n = c; R = 10; }}\nCapacitor \"C\" {{ p = c; n = gnd; C = 1e-3; }}"
    );
    text
}

fn system(model: &Model, tears: bool) -> System {
    let mut system = loading::own_system(model);
    if let Some(network) = system.network.as_mut() {
        network.tears = tears;
    }
    system
}

/// A run at its start, evaluated at instants that move on.
struct Ladder<'s> {
    run: Run<'s>,
    y: Vec<f64>,
    ydot: Vec<f64>,
    t: f64,
}

impl<'s> Ladder<'s> {
    fn start(system: &'s System) -> Result<Self, String> {
        let mut run = Run::new(system);
        let mut y = system.initial_state();
        run.begin(&mut y).map_err(|failure| format!("{failure:?}"))?;
        let ydot = vec![0.0; y.len()];
        Ok(Self { run, y, ydot, t: 0.0 })
    }

    fn evaluate(&mut self) {
        self.t += 1e-4;
        let done = self.run.derivatives(self.t, &self.y, &mut self.ydot);
        let _ = black_box((done, &self.ydot));
    }

    /// The least time of one evaluation in some rounds, us.
    fn time(&mut self, count: usize) -> f64 {
        let mut least = f64::INFINITY;
        for _ in 0..ROUNDS {
            let start = Instant::now();
            (0..count).for_each(|_| self.evaluate());
            least = least.min(start.elapsed().as_secs_f64() / count as f64);
        }
        1e6 * least
    }
}

fn table() -> Result<(), String> {
    println!(
        "{:<10} {:>6} {:>12} {:>12} {:>14}",
        "form", "N", "torn, us", "whole, us", "whole/torn"
    );
    for form in [Form::Constant, Form::Changing, Form::Diodes] {
        for n in SIZES {
            let model = model(text(n, form));
            let (torn, whole) = (system(&model, true), system(&model, false));
            let (mut torn, mut whole) = (Ladder::start(&torn)?, Ladder::start(&whole)?);
            let count = 20_000 / n;
            let (torn, whole) = (torn.time(count), whole.time(count));
            println!("{form:<10?} {n:>6} {torn:>12.3} {whole:>12.3} {:>14.2}", whole / torn);
        }
    }
    Ok(())
}

fn statistics() -> Result<(), String> {
    let mut criterion = Criterion::default().configure_from_args().sample_size(20);
    let mut group = criterion.benchmark_group("tearing");
    for form in [Form::Constant, Form::Changing, Form::Diodes] {
        for n in SIZES {
            let model = model(text(n, form));
            for tears in [true, false] {
                let system = system(&model, tears);
                let mut ladder = Ladder::start(&system)?;
                let name = format!("{form:?}/{}", if tears { "torn" } else { "whole" });
                group.bench_with_input(BenchmarkId::new(name, n), &n, |bencher, _| {
                    bencher.iter(|| ladder.evaluate());
                });
            }
        }
    }
    group.finish();
    criterion.final_summary();
    Ok(())
}

fn main() -> Result<(), String> {
    if std::env::args().any(|argument| argument == "table") { table() } else { statistics() }
}
