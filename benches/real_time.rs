//! Euler's methods with fixed steps on robots: processor time for a simulated second at equal accuracy.
//!
//! An arm of n links, each driven by a motor with a current loop and a filter of a tenth of a millisecond: the circuits are fast, the
//! bodies slow. Beside it the Manutec r3 with all its electronics. For each method the longest step of a sequence is sought that
//! is stable and keeps the coordinates at the end as near to the solution as asked for; then the methods are timed in turns, so
//! that a busy machine disturbs all alike.

use std::fmt::Write;
use std::hint::black_box;
use std::time::{Duration, Instant};

use dysim_tests::programs::root;
use engine::integrators::{
    EventSettings, MethodKind, RootSearch, Settings, Silent, StepLimits, Stop, Tolerance, build_for,
};
use engine::model::{Disk, Input, LoadOptions, Model, load};
use engine::system::{Run, System, build};

const METHODS: [MethodKind; 3] =
    [MethodKind::Euler, MethodKind::EulerImplicit, MethodKind::EulerMixed];
/// Steps that are tried, s.
const STEPS: [f64; 10] = [2e-3, 1e-3, 5e-4, 2e-4, 1e-4, 5e-5, 2e-5, 1e-5, 5e-6, 2e-6];
/// Rounds of the measurement.
const ROUNDS: usize = 5;

struct Case {
    name: String,
    text: String,
    /// Simulated time, s.
    end: f64,
    /// Largest error of a coordinate at the end, rad.
    error: f64,
}

/// An arm of `n` links of half a metre with drives that hold it against gravity and then move it.
fn arm(n: usize) -> Case {
    let mut text = String::from(
        "Header \"h\" { ModelName = arm; OutputType = none; }\nSystem \"s\" { GravAccel = 0, 0, -9.81; }\n\
         Solver \"d\" { Solver = stiff; Tend = 1; }\nTriad \"t0\" { Parent = world; }\n",
    );
    for k in 1..=n {
        let (axis, share) = (if k % 2 == 0 { "0, 1, 0" } else { "1, 0, 0" }, (n - k + 1) as f64);
        // Writing to a String cannot fail.
        let _ = write!(
            text,
            "Triad \"r{k}\" {{ Parent = b{k}; Position = 0, 0, 0.25; }}\nTriad \"t{k}\" {{ Parent = b{k}; Position = 0, 0, -0.25; }}\n\
             Revolute \"j{k}\" {{ TriadFrom = t{}; TriadTo = r{k}; JointAxis = {axis}; Qinit = 0.1; Damping = {}; }}\n\
             Body \"b{k}\" {{ Parent = {}; Joint = j{k}; Mass = 2; Inertia = 0.05, 0, 0, 0.05, 0, 0.01; }}\n\
             VoltageSource \"u{k}\" {{ p = a{k}; n = gnd; V = 40*(0.3*sin(3*t) - j{k}.q) - 10*j{k}.qd; }}\n\
             Resistor \"f{k}\" {{ p = a{k}; n = c{k}; R = 100; }}\nCapacitor \"C{k}\" {{ p = c{k}; n = gnd; C = 1e-6; }}\n\
             VCVS \"v{k}\" {{ p = e{k}; n = gnd; cp = c{k}; cn = gnd; Gain = 5; }}\nResistor \"R{k}\" {{ p = e{k}; n = g{k}; R = 10; }}\n\
             Inductor \"L{k}\" {{ p = g{k}; n = gnd; L = 5e-4; }}\n\
             JointForce \"m{k}\" {{ Joint1D = j{k}; Value = {}*L{k}.i; }}\n",
            k - 1,
            0.2 * share,
            if k == 1 { "world".into() } else { format!("b{}", k - 1) },
            share,
        );
    }
    Case { name: format!("arm, {n} links"), text, end: 0.5, error: 5e-3 }
}

fn robot() -> Case {
    let path = root().join("models/mechatronics/r3_complete.dys");
    let text = std::fs::read_to_string(path).expect("the model");
    Case { name: "Manutec r3, complete".into(), text, end: 0.2, error: 1e-3 }
}

fn model(text: &str) -> Model {
    let input = Input::Text { name: "case.dys".into(), bytes: text.as_bytes().to_vec() };
    let loaded = load(input, &LoadOptions::default(), &Disk).expect("a text");
    let words: Vec<String> = loaded.diagnostics.iter().map(|d| d.message.clone()).collect();
    loaded.model.unwrap_or_else(|| panic!("{words:?}"))
}

/// What came of a run.
struct Outcome {
    y: Vec<f64>,
    time: Duration,
    steps: u64,
    fast: usize,
}

/// Integrates to the end; `None` if the method fails. The start, which looks for fast states, is not timed.
fn run(system: &System<'_>, kind: MethodKind, step: f64, end: f64) -> Option<Outcome> {
    let mut run = Run::new(system);
    let mut y = system.initial_state();
    run.assemble(0.0, &mut y).ok()?;
    run.begin(&mut y).ok()?;
    let mut settings = Settings::new(kind, Tolerance::new(1e-7, 1e-9));
    settings = settings.with_outputs(1e-2, StepLimits { max: step, min: 0.0, initial: None });
    if kind.has_fixed_step() {
        settings.events = EventSettings { search: RootSearch::StepEnd, ..settings.events };
    }
    let mut driver = build_for(kind, &run, &settings).ok()?;
    driver.start(&mut run, 0.0, &y, 1.0, &mut Silent).ok()?;
    let start = Instant::now();
    let outputs = (end / 1e-2).round() as usize;
    for k in 1..=outputs {
        while driver.advance(&mut run, end * k as f64 / outputs as f64, &mut Silent).ok()?
            != Stop::Output
        {}
    }
    let (time, steps) = (start.elapsed(), driver.statistics().steps);
    let fast = driver.method().fast_states().len();
    Some(Outcome { y: black_box(driver.y().to_vec()), time, steps, fast })
}

/// The longest step with which a method is good enough.
fn longest_step(system: &System<'_>, kind: MethodKind, case: &Case, exact: &[f64]) -> Option<f64> {
    let n_q = system.tree.n_q();
    STEPS.into_iter().find(|&step| {
        let outcome = run(system, kind, step, case.end);
        outcome.is_some_and(|outcome| {
            let pairs = outcome.y[..n_q].iter().zip(exact);
            pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) <= case.error
        })
    })
}

fn measure(case: &Case) {
    let model = model(&case.text);
    let system = build(&model, false).unwrap_or_else(|all| panic!("{all:#?}"));
    let exact = run(&system, MethodKind::Stiff, 1e-2, case.end).expect("a reference").y;
    let steps = METHODS.map(|kind| longest_step(&system, kind, case, &exact));
    let mut best = METHODS.map(|_| None::<Outcome>);
    for _ in 0..ROUNDS {
        for (at, kind) in METHODS.into_iter().enumerate() {
            let outcome = steps[at].and_then(|step| run(&system, kind, step, case.end));
            let is_faster = match (&outcome, &best[at]) {
                (Some(new), Some(old)) => new.time < old.time,
                (new, _) => new.is_some(),
            };
            if is_faster {
                best[at] = outcome;
            }
        }
    }
    let mixed = best[2].as_ref().map_or(f64::NAN, |best| best.time.as_secs_f64());
    for (at, kind) in METHODS.into_iter().enumerate() {
        let Some(Outcome { time, steps: count, fast, .. }) = &best[at] else {
            println!("| {} | {} | none | | | | |", case.name, kind.name());
            continue;
        };
        let seconds = time.as_secs_f64();
        println!(
            "| {} | {} | {:e} | {fast} of {} | {:.1} | {:.3} | {:.1} |",
            case.name,
            kind.name(),
            steps[at].unwrap_or(f64::NAN),
            system.n_states(),
            seconds / *count as f64 * 1e6,
            seconds / case.end,
            seconds / mixed,
        );
    }
}

fn main() {
    println!(
        "| model | method | step, s | fast states | time of a step, us | time of a simulated second, s | over mixed mode |"
    );
    println!("|---|---|---|---|---|---|---|");
    for case in [arm(6), arm(12), arm(24), robot()] {
        measure(&case);
    }
}
