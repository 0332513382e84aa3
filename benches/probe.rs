//! Probe.
use engine::integrators::*;
use engine::model::{Disk, Input, LoadOptions, load};
use engine::system::{Run, System, build};

fn run(system: &System<'_>, kind: MethodKind, h: f64, fast: Option<&[usize]>, show: bool) -> Option<(Vec<Vec<f64>>, Vec<usize>)> {
    let mut run = Run::new(system);
    let mut y = system.initial_state();
    run.assemble(0.0, &mut y).ok()?;
    run.begin(&mut y).ok()?;
    let mut settings = Settings::new(kind, Tolerance::new(1e-7, 1e-9));
    settings = settings.with_outputs(8e-3, StepLimits { max: h, min: 0.0, initial: None });
    if kind.has_fixed_step() { settings.events.search = RootSearch::StepEnd; } else { settings.events.search = RootSearch::Locate; }
    let mut driver = match fast {
        None => build_for(kind, &run, &settings).ok()?,
        Some(fast) => {
            let m = Euler::new(EulerKind::Mixed, run.len(), h, run.jacobian_pattern()).with_fast_states(fast);
            Driver::new(Box::new(m), run.len(), run.n_guards(), settings.events)
        }
    };
    driver.start(&mut run, 0.0, &y, 1.0, &mut Silent).ok()?;
    let mut rows = vec![];
    let t0 = std::time::Instant::now();
    for k in 1..=187 {
        loop {
            match driver.advance(&mut run, 8e-3 * k as f64, &mut Silent) {
                Ok(Stop::Output) => break,
                Ok(_) => {}
                Err(e) => { println!("fails at {} {e:?}", driver.t()); return Some((rows, driver.method().fast_states().to_vec())); }
            }
        }
        rows.push(driver.y().to_vec());
    }
    if show { println!("{kind:?} {h} {:?} {:?}", t0.elapsed(), driver.statistics()); }
    Some((rows, driver.method().fast_states().to_vec()))
}

fn compare(label: &str, a: &[Vec<f64>], b: &[Vec<f64>]) {
    let mut worst = vec![(0.0f64, 0usize); 6];
    for (k, (a, b)) in a.iter().zip(b).enumerate() {
        for j in 0..6 { let d = (a[j] - b[j]).abs(); if !(d <= worst[j].0) { worst[j] = (d, k + 1); } }
    }
    let words: Vec<String> = worst.iter().map(|w| format!("{:.1e}@{}", w.0, w.1 * 8)).collect();
    println!("{label:40} {}", words.join(" "));
}

fn main() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../models/mechatronics/r3_complete.dys");
    let text = std::fs::read(path).unwrap();
    let loaded = load(Input::Text { name: "case.dys".into(), bytes: text }, &LoadOptions::default(), &Disk).unwrap();
    let model = loaded.model.unwrap();
    let system = build(&model, false).unwrap();
    let exact = run(&system, MethodKind::Derf, 8e-3, None, true).unwrap().0;
    for h in [5e-4, 1e-3, 2e-3, 4e-3] {
        let (a, fast) = run(&system, MethodKind::EulerMixed, h, None, true).unwrap();
        compare(&format!("auto {h} {}", fast.len()), &exact, &a);
        println!("{fast:?}");
    }
}
