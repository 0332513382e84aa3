//! Work against accuracy: every method on six problems, two of them stiff, at a range of tolerances.
//!
//! `cargo bench -p dysim-benches --bench work_precision` prints the table and draws it to
//! `docs/work_precision_evaluations.svg` and `docs/work_precision_time.svg`. Evaluations are those of the
//! derivatives, Jacobians included. Times are the shortest of several runs.

use std::path::Path;
use std::time::Instant;

use dysim_benches::svg::{Chart, Panel, Series};
use dysim_generated::ode::run::{driver, integrate};
use dysim_generated::ode::{Ode, reference, standard, stiff};
use integrate::{MethodKind, Settings, Silent, Tolerance};

/// `derf` without events is `de`. Colours after Okabe and Ito (2008).
const METHODS: [(MethodKind, &str); 6] = [
    (MethodKind::De, "#0072b2"),
    (MethodKind::Rk4, "#888888"),
    (MethodKind::OdeintRk, "#e69f00"),
    (MethodKind::OdeintBs, "#009e73"),
    (MethodKind::Stiff, "#d55e00"),
    (MethodKind::Radau5, "#cc79a7"),
];

/// A problem with the end of its solution.
struct Case {
    problem: Ode,
    title: &'static str,
    end: Vec<f64>,
    /// Absolute tolerance over relative.
    scale: f64,
    stiff: bool,
}

/// What one run took and reached.
struct Point {
    error: f64,
    evaluations: f64,
    microseconds: f64,
}

fn cases() -> Vec<Case> {
    let smooth = |name: &str, title| {
        let problem = standard::find(name)?;
        let (_, end) = reference::end(name)?;
        Some(Case { problem, title, end, scale: 1.0, stiff: false })
    };
    let hard = |name: &str, title, scale| {
        let case = stiff::find(name)?;
        Some(Case { problem: case.problem, title, end: case.end, scale, stiff: true })
    };
    [
        smooth("B5", "rigid body without torque (DETEST B5)"),
        smooth("C5", "five planets (DETEST C5)"),
        smooth("D5", "orbit of eccentricity 0.9 (DETEST D5)"),
        smooth("ARENSTORF", "Arenstorf's orbit"),
        hard("HIRES", "HIRES, stiff", 1e-2),
        hard("VDP1000", "van der Pol, mu = 1000, stiff", 1.0),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Settings from coarse to fine; fixed steps for rk4.
fn settings(kind: MethodKind, case: &Case) -> Vec<Settings> {
    let span = case.problem.t1 - case.problem.t0;
    if kind == MethodKind::Rk4 {
        // Below this many steps rk4 is unstable on the stiff problems.
        let first = if case.problem.name == "VDP1000" { 22 } else { 8 };
        return (0..5)
            .map(|k| {
                let mut settings = Settings::new(kind, Tolerance::new(1e-6, 1e-6));
                settings.fixed_step = span / f64::from(1u32 << (first + 2 * k).min(24));
                settings
            })
            .collect();
    }
    let mixed = |digits: i32| Tolerance::new(10f64.powi(-digits), case.scale * 10f64.powi(-digits));
    // Explicit methods take millions of steps on a stiff problem whatever the tolerance.
    let implicit = matches!(kind, MethodKind::Stiff | MethodKind::Radau5);
    let stride = if case.stiff && !implicit { 3 } else { 1 };
    (3..=12).step_by(stride).map(|digits| Settings::new(kind, mixed(digits))).collect()
}

/// One run; `None` if it fails or its result is useless.
fn measure(kind: MethodKind, case: &Case, settings: &Settings) -> Option<Point> {
    let (span, y0) = ((case.problem.t0, case.problem.t1), &case.problem.y0);
    let mut best = f64::INFINITY;
    let mut outcome = None;
    let clock = Instant::now();
    // At most a tenth of a second per point, at least one run.
    for _ in 0..20 {
        let mut problem = case.problem.clone();
        let mut driver = driver(kind, &problem, settings);
        let start = Instant::now();
        let run = integrate(&mut driver, &mut problem, span, y0, 1, &mut Silent).ok()?;
        best = best.min(1e6 * start.elapsed().as_secs_f64());
        outcome = Some(run);
        if clock.elapsed().as_secs_f64() > 0.1 {
            break;
        }
    }
    let outcome = outcome?;
    let share = |(y, end): (&f64, &f64)| (y - end).abs() / (end.abs() + case.scale);
    let error = outcome.y.iter().zip(&case.end).map(share).fold(0.0, f64::max);
    let useful = error.is_finite() && error < 0.3;
    let error = error.max(1e-16);
    let evaluations = outcome.statistics.evaluations as f64;
    useful.then_some(Point { error, evaluations, microseconds: best })
}

fn main() -> std::io::Result<()> {
    let chart = |title: &str, y: &str| Chart {
        title: title.into(),
        x: "error at the end".into(),
        y: y.into(),
        legend: METHODS.iter().map(|(kind, colour)| (kind.name().into(), *colour)).collect(),
        panels: Vec::new(),
    };
    let mut evaluations = chart("Evaluations of the derivatives against accuracy", "evaluations");
    let mut times = chart("Time against accuracy", "time in microseconds");
    println!("problem     method      error      evaluations     time, us");
    for case in cases() {
        let panel = || Panel { title: case.title.into(), series: Vec::new() };
        let (mut by_count, mut by_time) = (panel(), panel());
        for (style, (kind, _)) in METHODS.into_iter().enumerate() {
            let all = settings(kind, &case);
            let points: Vec<Point> =
                all.iter().filter_map(|settings| measure(kind, &case, settings)).collect();
            for Point { error, evaluations, microseconds } in &points {
                let (name, method) = (case.problem.name, kind.name());
                println!(
                    "{name:10}  {method:10}  {error:9.2e}  {evaluations:11}  {microseconds:11.1}"
                );
            }
            let series = |value: fn(&Point) -> f64| {
                let points = points.iter().map(|point| (point.error, value(point))).collect();
                Series { style, points }
            };
            by_count.series.push(series(|point| point.evaluations));
            by_time.series.push(series(|point| point.microseconds));
        }
        evaluations.panels.push(by_count);
        times.panels.push(by_time);
    }
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    std::fs::create_dir_all(&docs)?;
    std::fs::write(docs.join("work_precision_evaluations.svg"), evaluations.render())?;
    std::fs::write(docs.join("work_precision_time.svg"), times.render())
}
