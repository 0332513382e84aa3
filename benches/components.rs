//! What parts cost: `cargo bench -p dysim-benches --bench components`.
//!
//! A table of processor times with page faults: hundreds of thousands of instances, a million passes of a Repeat, components of
//! equations up to the first evaluation, and the robot of components beside the one that is written out, each pair in turns in
//! one run.

use std::fmt::Write as _;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use dysim_generated::counting::{Counting, usage_of};
use dysim_generated::loading::{load_text, model, model_of_file, system};
use engine::LoadOptions;
use engine::internals::load::Loaded;
use engine::internals::system::{Run, System};
use integrate::{
    IntegrationError, MethodKind, Settings, Silent, StepLimits, Stop, Tolerance, build,
};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const SETTINGS: &str = "Header \"h\" { ModelName = m; OutputType = none; }
System \"s\" { GravAccel = 0, 0, -9.81; ScaleGrav = 1; }
Solver \"v\" { Type = dynamic; Solver = derf; AbsErr = 1e-9; RelErr = 1e-6; Tend = 1; Tstep = 0.1; }
";

/// The processor time of this program so far; on systems that do not tell it, the time of day.
fn clock() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let statistics = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let used = statistics.split(' ').next().and_then(|nanoseconds| nanoseconds.parse().ok());
    used.map_or_else(|| START.elapsed(), Duration::from_nanos)
}

fn read(text: String) -> Loaded {
    load_text(text, &LoadOptions::default())
}

/// Instances of a filter with ten elements.
fn filters(count: usize) -> String {
    let mut parts = String::new();
    let nodes = ["in", "a", "b", "c", "d", "out"];
    for (k, pair) in nodes.windows(2).enumerate() {
        let (from, to) = (pair[0], pair[1]);
        let _ = write!(
            parts,
            "Resistor \"r{k}\" {{ p = {from}; n = {to}; R = {}*R; }} Capacitor \"c{k}\" {{ p = {to}; n = gnd; C = 1e-6; }} ",
            k + 1
        );
    }
    format!(
        "{SETTINGS} Component \"Filter\" {{ Port \"in\" {{ Domain = electrical; }} Port \"out\" {{ Domain = electrical; }}
         Parameter \"R\" {{ Default = 100; }} {parts} }}
         VoltageSource \"V\" {{ p = n[0]; n = gnd; V = 1; }}
         Repeat \"k\" {{ From = 1; To = {count}; Filter \"f[k]\" {{ in = n[k-1]; out = n[k]; R = 100 + k; }} }}
         Resistor \"load\" {{ p = n[{count}]; n = gnd; R = 1; }}"
    )
}

/// Triads of a Repeat.
fn triads(count: usize) -> String {
    format!(
        "{SETTINGS} Repeat \"k\" {{ From = 1; To = {count}; Triad \"T[k]\" {{ Parent = world; Position = 0.1*k, 0, 0;
         Orientation = 0, 0, 0; AngleType = euler; Degrees = rad; }} }}"
    )
}

/// Components of twenty equations each, every one for itself.
fn equations(count: usize) -> String {
    let mut lines = String::new();
    let mut variables = String::new();
    for k in 0..10 {
        let before = if k == 0 { "sin(w*t)".to_string() } else { format!("y{}", k - 1) };
        let _ = write!(variables, "Variable \"x{k}\" {{ }} Variable \"y{k}\" {{ }} ");
        let _ = write!(lines, "T*der(x{k}) = {before} - x{k}; y{k} + 0.1*y{k}^3 = x{k}; ");
    }
    format!(
        "{SETTINGS} Component \"Lags\" {{ Parameter \"T\" {{ Default = 1; }} Parameter \"w\" {{ Default = 1; }}
         {variables} Equations \"laws\" {{ {lines} }} }}
         Repeat \"k\" {{ From = 1; To = {count}; Lags \"l[k]\" {{ T = 1 + 0.001*k; w = k; }} }}"
    )
}

/// One row of the table of models that are read.
fn row(name: &str, n: usize, text: &str) {
    let copy = text.to_string();
    let start = clock();
    let loaded = black_box(read(copy));
    let time = clock() - start;
    let errors = loaded.diagnostics.errors();
    drop(loaded);
    let (loaded, usage) = usage_of(|| read(text.to_string()));
    drop(loaded);
    println!(
        "{name:<36}{n:>9}{:>9.2}{:>9.2}   {errors} errors",
        time.as_secs_f64(),
        usage.peak as f64 / 1e9
    );
}

fn prepared(system: &System) -> (Run<'_>, Vec<f64>) {
    let mut run = Run::new(system);
    let mut y = system.initial_state();
    // A model that cannot begin shows in the integration.
    let _ = run.begin(&mut y);
    (run, y)
}

/// Reading, making ready and integrating one of the robots, s: by the time of day, the best of many, because the processor time is counted in ticks.
fn robot(path: &Path) -> Result<[f64; 3], String> {
    let start = Instant::now();
    let model = model_of_file(path);
    let read = start.elapsed();
    let start = Instant::now();
    let system = system(&model);
    let (mut run, y) = prepared(&system);
    let made = start.elapsed();
    let mut settings = Settings::new(MethodKind::Derf, Tolerance::new(1e-6, 1e-8));
    settings.limits = StepLimits { max: 0.01, ..StepLimits::default() };
    let mut driver = build(MethodKind::Derf, system.n_states(), system.n_guards(), &settings)
        .map_err(|error| error.to_string())?;
    let failed = |error: IntegrationError| error.to_string();
    let start = Instant::now();
    driver.start(&mut run, 0.0, &y, 1.0, &mut Silent).map_err(failed)?;
    while driver.advance(&mut run, 1.5, &mut Silent).map_err(failed)? != Stop::Output {}
    Ok([read, made, start.elapsed()].map(|time| time.as_secs_f64()))
}

fn main() -> Result<(), String> {
    println!("{:<36}{:>9}{:>9}{:>9}", "model", "n", "s", "GB");
    row("instances of ten blocks", 100_000, &filters(100_000));
    row("passes of a Repeat", 1_000_000, &triads(1_000_000));
    let text = equations(1000);
    row("components of twenty equations", 1000, &text);
    let model = model(text);
    let start = clock();
    let system = system(&model);
    black_box(prepared(&system));
    println!("{:<36}{:>9}{:>9.2}", "  made ready to run", 1000, (clock() - start).as_secs_f64());
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let paths: [PathBuf; 2] =
        ["models/mechatronics/r3_complete.dys", "tests/library/flat/r3_complete_flat.dys"]
            .map(|path| root.join(path));
    let mut best = [[f64::INFINITY; 3]; 2];
    for _ in 0..20 {
        for (best, path) in best.iter_mut().zip(&paths) {
            for (best, time) in best.iter_mut().zip(robot(path)?) {
                *best = best.min(time);
            }
        }
    }
    println!("\n{:<36}{:>9}{:>9}{:>9}", "robot, ms", "read", "ready", "run");
    for (name, times) in ["of components", "written out"].iter().zip(best) {
        println!("{name:<36}{:>9.2}{:>9.2}{:>9.2}", 1e3 * times[0], 1e3 * times[1], 1e3 * times[2]);
    }
    Ok(())
}
