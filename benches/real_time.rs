//! Euler's methods with fixed steps on robots: error, time of a step, and time of a simulated second, for many steps of each
//! method in one run.
//!
//! An arm of n links, each driven by a motor with a current loop and a filter of a tenth of a millisecond: the circuits are fast, the
//! bodies slow. Beside it the Manutec r3 with all its electronics, in its own motion, where two joints rest, and in one where all
//! six move. The error is the largest difference of a joint angle from an adaptive solution at any output. Methods are
//! compared at the longest steps that keep an error, and mixed mode with the implicit method at its own step too.
//!
//! Times are those between steps, with events and without results. The first step in a combination of switching
//! states prepares its equations, which no method can help; the median does not see it, the longest step does.

use std::fmt::Write;
use std::hint::black_box;
use std::time::Instant;

use dysim_generated::loading::{model, system};
use dysim_generated::root;
use engine::internals::system::{Run, System};
use integrate::{
    EventSettings, Listener, MethodKind, RootSearch, Settings, StepLimits, StepReport, Stop,
    Tolerance, build_for,
};

const METHODS: [MethodKind; 3] =
    [MethodKind::Euler, MethodKind::EulerImplicit, MethodKind::EulerMixed];
/// Steps that are tried, s; all are parts of 8 ms, the period of the sampled controllers.
const STEPS: [f64; 12] =
    [8e-3, 4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4, 1.6e-4, 1e-4, 8e-5, 6.4e-5, 5e-5, 2.5e-5];
const OUTPUT: f64 = 8e-3;
/// Rounds of each measurement; the least time counts.
const ROUNDS: usize = 3;

struct Case {
    name: String,
    text: String,
    /// Simulated time, s.
    end: f64,
    /// Errors at which methods are compared, rad.
    errors: [f64; 2],
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
    Case { name: format!("arm, {n} links"), text, end: 0.496, errors: [5e-3, 1e-3] }
}

/// The complete robot; two of its joints rest unless all are to move.
fn robot(all_move: bool) -> Case {
    let path = root().join("models/mechatronics/r3_complete.dys");
    let mut text = std::fs::read_to_string(path).expect("the model");
    let mut name = "Manutec r3".to_string();
    if all_move {
        name.push_str(", all joints move");
        let last = "    qd5  = ref5.yd;\n";
        assert!(text.contains(last), "the robot has changed");
        for joint in [4, 6] {
            let more =
                format!("{last}    q{joint} = ref{joint}.y;\n    qd{joint} = ref{joint}.yd;\n");
            text = text.replace(last, &more);
            let _ = write!(
                text,
                "\nTrapezoid \"ref{joint}\" {{ From = 0; To = 1; Vmax = 1.5; Amax = 3; Tbegin = 0; }}\n"
            );
        }
    }
    Case { name, text, end: 1.496, errors: [5e-3, 1e-3] }
}

/// When steps ended.
struct Clock {
    last: Instant,
    /// Times of steps, us.
    times: Vec<f64>,
}

impl Listener for Clock {
    fn step(&mut self, _: &StepReport) {
        let now = Instant::now();
        self.times.push(1e6 * (now - self.last).as_secs_f64());
        self.last = now;
    }
}

/// What came of a run.
struct Outcome {
    /// Coordinates at the outputs.
    rows: Vec<Vec<f64>>,
    /// Ascending, us.
    times: Vec<f64>,
    fast: usize,
}

impl Outcome {
    fn median(&self) -> f64 {
        self.times[self.times.len() / 2]
    }

    /// Largest difference of a coordinate.
    fn error(&self, exact: &Self) -> f64 {
        let rows = self.rows.iter().zip(&exact.rows);
        let pairs = rows.flat_map(|(a, b)| a.iter().zip(b));
        pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    }
}

/// Integrates to the end; `None` if the method fails. The start, which looks for fast states, is not timed.
fn run(system: &System, kind: MethodKind, step: f64, end: f64) -> Option<Outcome> {
    let mut run = Run::new(system);
    let mut y = system.initial_state();
    run.assemble(0.0, &mut y).ok()?;
    run.begin(&mut y).ok()?;
    let mut settings = Settings::new(kind, Tolerance::new(1e-7, 1e-9));
    settings = settings.with_outputs(OUTPUT, StepLimits { max: step, min: 0.0, initial: None });
    if kind.has_fixed_step() {
        settings.events = EventSettings { search: RootSearch::StepEnd, ..settings.events };
    }
    let mut driver = build_for(kind, &run, &settings).ok()?;
    let mut clock = Clock { last: Instant::now(), times: Vec::with_capacity(100_000) };
    driver.start(&mut run, 0.0, &y, 1.0, &mut clock).ok()?;
    let n_q = system.tree.n_q();
    let mut rows = Vec::new();
    clock.last = Instant::now();
    for k in 1..=(end / OUTPUT).round() as usize {
        while driver.advance(&mut run, OUTPUT * k as f64, &mut clock).ok()? != Stop::Output {}
        rows.push(driver.y()[..n_q].to_vec());
        if rows.last()?.iter().any(|q| q.abs() > 1e3) {
            return None;
        }
    }
    let fast = driver.method().fast_states().len();
    clock.times.sort_by(f64::total_cmp);
    Some(Outcome { rows: black_box(rows), times: clock.times, fast })
}

/// One line of the table.
struct Line {
    kind: MethodKind,
    step: f64,
    error: f64,
    /// Median time of a step, us.
    median: f64,
}

impl Line {
    /// Time of a simulated second without the preparation of modes, ms.
    fn second(&self) -> f64 {
        1e-3 * self.median / self.step
    }
}

fn measure(case: &Case) {
    let model = model(case.text.as_str());
    let system = system(&model);
    let n = system.n_states();
    let exact = run(&system, MethodKind::Derf, OUTPUT, case.end).expect("a reference");
    let mut lines: Vec<Line> = Vec::new();
    for step in STEPS {
        let mut best = METHODS.map(|_| None::<(Outcome, f64)>);
        // Methods take turns, so that a busy machine disturbs all alike.
        for _ in 0..ROUNDS {
            for (best, kind) in best.iter_mut().zip(METHODS) {
                // No need to know how good the others are with steps that the explicit method can take.
                if (kind == MethodKind::EulerImplicit && step < 2e-4)
                    || (kind == MethodKind::EulerMixed && step < 1e-4)
                {
                    continue;
                }
                let Some(outcome) = run(&system, kind, step, case.end) else { continue };
                let median = outcome.median();
                if best.as_ref().is_none_or(|(_, least)| median < *least) {
                    *best = Some((outcome, median));
                }
            }
        }
        for (best, kind) in best.into_iter().zip(METHODS) {
            let Some((outcome, median)) = best else { continue };
            let longest = outcome.times.last().copied().unwrap_or(f64::NAN);
            let line = Line { kind, step, error: outcome.error(&exact), median };
            println!(
                "| {} | {} | {step:e} | {} of {n} | {:.1e} | {median:.1} | {longest:.0} | {:.1} |",
                case.name,
                kind.name(),
                outcome.fast,
                line.error,
                line.second(),
            );
            lines.push(line);
        }
    }
    compare(case, &lines);
}

/// Prints how much faster mixed mode is.
fn compare(case: &Case, lines: &[Line]) {
    for allowed in case.errors {
        let longest = |kind| lines.iter().find(|l| l.kind == kind && l.error <= allowed);
        let Some(mixed) = longest(MethodKind::EulerMixed) else { continue };
        let mut words =
            format!("{}, errors up to {allowed:e} rad, mixed step {:e} s:", case.name, mixed.step);
        for kind in [MethodKind::Euler, MethodKind::EulerImplicit] {
            if let Some(other) = longest(kind) {
                let factor = other.second() / mixed.second();
                let _ =
                    write!(words, " {factor:.1} times `{}` with {:e} s;", kind.name(), other.step);
            }
        }
        let same = |l: &&Line| l.kind == MethodKind::EulerImplicit && l.step == mixed.step;
        if let Some(same) = lines.iter().find(same) {
            let factor = same.second() / mixed.second();
            let _ = write!(words, " {factor:.1} times `euler_implicit` with the same step");
        }
        eprintln!("{words}");
    }
}

fn main() {
    println!(
        "| model | method | step, s | fast states | largest error, rad | median time of a step, us | longest, us | time of a simulated second, ms |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for case in [arm(6), arm(12), arm(24), robot(false), robot(true)] {
        measure(&case);
    }
}
