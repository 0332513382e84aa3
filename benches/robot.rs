//! The complete robot Manutec r3: how much faster than real time it runs, as a table.
//!
//! Two methods at the same tolerance in one run, each the best of several, so that the ratio means something on a
//! machine that others use too.

use std::path::Path;
use std::time::Instant;

use dysim_generated::loading::{model_of_file, system};
use engine::internals::system::Run;
use integrate::{
    IntegrationError, MethodKind, Settings, Silent, StepLimits, Stop, Tolerance, build,
};

const END: f64 = 1.5;
const TOLERANCE: f64 = 1e-6;
const REPETITIONS: usize = 12;

fn main() -> Result<(), String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/mechatronics/r3_complete.dys");
    let model = model_of_file(&path);
    let system = system(&model);
    println!("complete robot, t = 0 to {END} s, RelErr = {TOLERANCE:e}");
    println!(
        "{:<8} {:>8} {:>12} {:>12} {:>14}",
        "solver", "steps", "evaluations", "guards", "x real time"
    );
    for (name, kind) in [("derf", MethodKind::Derf), ("stiff", MethodKind::Stiff)] {
        let mut best = f64::INFINITY;
        let mut words = String::new();
        for _ in 0..REPETITIONS {
            let mut run = Run::new(&system);
            let mut settings = Settings::new(kind, Tolerance::new(TOLERANCE, 0.01 * TOLERANCE));
            settings.limits = StepLimits { max: 0.01, ..StepLimits::default() };
            let mut driver = build(kind, system.n_states(), system.n_guards(), &settings)
                .map_err(|error| error.to_string())?;
            let mut y = system.initial_state();
            run.begin(&mut y).map_err(|failure| format!("{failure:?}"))?;
            let failed = |error: IntegrationError| error.to_string();
            let start = Instant::now();
            driver.start(&mut run, 0.0, &y, 1.0, &mut Silent).map_err(failed)?;
            while driver.advance(&mut run, END, &mut Silent).map_err(failed)? != Stop::Output {}
            best = best.min(start.elapsed().as_secs_f64());
            let work = driver.statistics();
            words = format!(
                "{:>8} {:>12} {:>12}",
                work.steps, work.evaluations, work.guard_evaluations
            );
        }
        println!("{name:<8} {words} {:>14.1}", END / best);
    }
    Ok(())
}
