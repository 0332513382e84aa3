//! Chains of N bodies with a spring and a damper in each joint: time of a stiff step and of a linear model.
//!
//! The chain is 10 m long whatever N is, and falls from the horizontal. A step costs in proportion to N where each link meets
//! its neighbours only, so that the last column stays.

use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

use dysim_generated::loading::{model, model_of_file, system};
use engine::Model;
use engine::internals::analysis::{Mechanism, inputs, linearise};
use engine::internals::system::Run;
use integrate::{IntegrationError, MethodKind, Settings, Silent, Stop, Tolerance, build_for};

const SIZES: [usize; 7] = [10, 20, 50, 200, 1000, 2000, 5000];
const END: f64 = 1.0;
const TOLERANCE: f64 = 1e-6;

fn chain(n: usize) -> String {
    let (length, mass) = (10.0 / n as f64, 10.0 / n as f64);
    let half = 0.5 * length;
    let moment = mass * length * length / 12.0;
    let mut text = String::from("System \"s\" { GravAccel = 0, 0, -9.81; ScaleGrav = 1; }\n");
    for i in 0..n {
        let (mother, at) = match i {
            0 => (String::from("world"), 0.0),
            _ => (format!("b{}", i - 1), half),
        };
        let _ = writeln!(
            text,
            "Triad \"a{i}\" {{ Parent = {mother}; Position = {at:?}, 0, 0; }}\n\
             Triad \"e{i}\" {{ Parent = b{i}; Position = {:?}, 0, 0; }}\n\
             Revolute \"J{i}\" {{ Parent = b{i}; TriadFrom = a{i}; TriadTo = e{i}; JointAxis = 0, 1, 0; }}\n\
             Body \"b{i}\" {{ Parent = {mother}; Joint = J{i}; Mass = {mass:?}; \
             Inertia = {:?}, 0, 0, {moment:?}, 0, {moment:?}; }}\n\
             RSDA \"k{i}\" {{ Joint1D = J{i}; ElasticLinear = 50; DampingLinear = 1; }}",
            -half,
            0.01 * moment,
        );
    }
    text
}

fn steps(kind: MethodKind, n: usize) -> Result<(), String> {
    let model = model(chain(n));
    let system = system(&model);
    let mut run = Run::new(&system);
    let settings = Settings::new(kind, Tolerance::new(TOLERANCE, TOLERANCE));
    let mut driver = build_for(kind, &run, &settings).map_err(|error| error.to_string())?;
    let failed = |error: IntegrationError| error.to_string();
    let y = system.initial_state();
    let start = Instant::now();
    driver.start(&mut run, 0.0, &y, 1.0, &mut Silent).map_err(failed)?;
    while driver.advance(&mut run, END, &mut Silent).map_err(failed)? != Stop::Output {}
    let seconds = start.elapsed().as_secs_f64();
    let work = driver.statistics();
    let steps = work.steps as f64;
    println!(
        "{:<8} {n:>6} {:>6} {:>10} {:>14} {:>8.3} {:>12.3} {:>14.2}",
        driver.method().name(),
        work.steps,
        work.jacobians,
        work.factorizations,
        seconds,
        1e3 * seconds / steps,
        1e6 * seconds / steps / n as f64
    );
    Ok(())
}

fn linear(name: &str, model: &Model) -> Result<(), String> {
    let system = system(model);
    let mut run = Run::new(&system);
    let mut y = system.initial_state();
    run.begin(&mut y).map_err(|failure| format!("{failure:?}"))?;
    let failed = |trouble| format!("{trouble:?}");
    let mut mechanism = Mechanism::new(&mut run, 0.0).map_err(failed)?;
    if system.network.is_some() {
        mechanism.begin_networks(&mut y).map_err(failed)?;
    }
    let y = mechanism.settle(&y).map_err(failed)?;
    let start = Instant::now();
    let found = linearise(&mut mechanism, &y, 1.0, &inputs(&system), &[]).map_err(failed)?;
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{name:<14} {:>6} states {:>8.1} ms, estimated error {:.0e}",
        found.states.len(),
        1e3 * seconds,
        found.relative_error()
    );
    Ok(())
}

fn main() -> Result<(), String> {
    println!(
        "{:<8} {:>6} {:>6} {:>10} {:>14} {:>8} {:>12} {:>14}",
        "solver",
        "bodies",
        "steps",
        "Jacobians",
        "factorisations",
        "s",
        "ms per step",
        "us per body"
    );
    for kind in [MethodKind::Stiff, MethodKind::Radau5] {
        SIZES.into_iter().try_for_each(|n| steps(kind, n))?;
    }
    println!("linear models, without outputs");
    linear("chain of 200", &model(chain(200)))?;
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/mechatronics/r3_complete.dys");
    linear("complete r3", &model_of_file(&path))
}
