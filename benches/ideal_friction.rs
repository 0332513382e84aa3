//! Ideal friction against a steep smooth law: evaluations for the same accuracy, as a table.
//!
//! A block of 1 kg is driven by 6 sin(2 t) N against 4 N of friction: each half swing it sticks, slides
//! and sticks. The smooth law replaces the sign of the speed v by tanh(v/eps); it creeps where it should
//! stick, so its error falls with eps while its rate R/(m eps) grows. The reference is the ideal law at a
//! tolerance of 1e-12. Evaluations are those of derivatives and of guards.

use dysim_generated::loading::{model, system};
use engine::internals::system::Run;
use integrate::{MethodKind, Settings, Silent, StepLimits, Stop, Tolerance, build};

const END: f64 = 10.0;
/// Short enough not to step over the beginning, where nothing moves yet.
const LARGEST_STEP: f64 = 0.1;

fn text(smoothing: Option<f64>) -> String {
    let drive = "6*sin(2*t)";
    let (friction, value) = match smoothing {
        None => ("Friction = 4;", drive.to_string()),
        Some(eps) => ("", format!("{drive} - 4*tanh(J.qd/{eps:e})")),
    };
    format!(
        "Header \"h\" {{ ModelName = m; OutputType = all; }}\n\
         System \"s\" {{ GravAccel = 0, 0, 0; ScaleGrav = 1; }}\n\
         Solver \"d\" {{ Type = dynamic; Solver = derf; Tend = {END}; }}\n\
         Triad \"a\" {{ Parent = world; }}\n\
         Triad \"b\" {{ Parent = block; }}\n\
         Prismatic \"J\" {{ TriadFrom = a; TriadTo = b; JointAxis = 1, 0, 0; {friction} }}\n\
         Body \"block\" {{ Parent = world; Joint = J; Mass = 1; }}\n\
         JointForce \"F\" {{ Joint1D = J; Value = {value}; }}\n"
    )
}

/// The last position and all evaluations.
fn measure(smoothing: Option<f64>, tolerance: f64) -> Result<(f64, u64), String> {
    let model = model(text(smoothing));
    let system = system(&model);
    let mut run = Run::new(&system);
    let mut settings = Settings::new(MethodKind::Derf, Tolerance::new(tolerance, tolerance));
    settings.limits = StepLimits { max: LARGEST_STEP, ..StepLimits::default() };
    let mut driver = build(MethodKind::Derf, system.n_states(), system.n_guards(), &settings)
        .map_err(|error| error.to_string())?;
    let y = system.initial_state();
    let failed = |error: integrate::IntegrationError| error.to_string();
    driver.start(&mut run, 0.0, &y, 1.0, &mut Silent).map_err(failed)?;
    while driver.advance(&mut run, END, &mut Silent).map_err(failed)? != Stop::Output {}
    let work = driver.statistics();
    Ok((driver.y()[0], work.evaluations + work.guard_evaluations))
}

fn main() -> Result<(), String> {
    let (exact, _) = measure(None, 1e-12)?;
    println!("block with dry friction, t = 0 to {END} s, derf");
    println!("{:<22} {:>9} {:>12} {:>13}", "law", "tolerance", "error, m", "evaluations");
    for digits in [4, 6, 8, 10] {
        let tolerance = 10f64.powi(-digits);
        let (q, work) = measure(None, tolerance)?;
        let error = (q - exact).abs();
        println!("{:<22} {tolerance:>9.0e} {error:>12.2e} {work:>13}", "ideal");
    }
    for eps in [1e-2, 1e-3, 1e-4, 1e-5] {
        // The law, not the integration, is to limit the accuracy.
        let tolerance = 0.01 * eps;
        let (q, work) = measure(Some(eps), tolerance)?;
        let (law, error) = (format!("tanh(v/{eps:.0e})"), (q - exact).abs());
        println!("{law:<22} {tolerance:>9.0e} {error:>12.2e} {work:>13}");
    }
    Ok(())
}
