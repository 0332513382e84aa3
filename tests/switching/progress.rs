//! Runs that get nowhere end with a message, runs that are interrupted end at once, and contacts come to rest.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use dysim_tests::event_runs::{model_text, simulate};
use dysim_tests::loading;
use dysim_tests::simulate::{Unwatched, mistake, run};
use engine::{ErrorKind, Options};

/// A mass on which a force acts that oscillates with this rate, in rad/s; a row is due at the end.
fn crawling(solver: &str, rate: &str, end: f64) -> String {
    format!(
        "Header \"h\" {{ ModelName = m; OutputType = none; }}\n\
         System \"s\" {{ GravAccel = 0, 0, -9.81; ScaleGrav = 1; }}\n\
         Solver \"d\" {{ Type = dynamic; Solver = {solver}; RelErr = 1e-10; AbsErr = 1e-12; \
         Tstart = 0; Tend = {end}; Tstep = {end}; TstepMax = {end}; TstepMin = 0; TstepIni = 1e-3; }}\n\
         Triad \"T0\" {{ Parent = world; }}\n\
         Triad \"R1\" {{ Parent = B1; }}\n\
         Prismatic \"P\" {{ Parent = B1; TriadFrom = T0; TriadTo = R1; JointAxis = 1, 0, 0; Qinit = 1; QDinit = 0; }}\n\
         Body \"B1\" {{ Parent = world; Joint = P; Mass = 1; Inertia = 1, 0, 0, 1, 0, 1; }}\n\
         JointForce \"f\" {{ Joint1D = P; Value = sin({rate}*t); }}\n"
    )
}

/// A force of 1e9 rad/s asks for steps of a nanosecond, where a row is due every million seconds.
#[test]
fn a_run_without_progress_ends_and_names_what_holds_its_steps_down() {
    for solver in ["derf", "de", "odeint_rk", "odeint_bs", "stiff", "radau5"] {
        let outcome = run(&crawling(solver, "1e9", 1e6));
        let mistake = outcome.failure();
        assert_eq!(mistake.code, "S206", "{solver}: {}", mistake.message);
        assert!(mistake.message.contains("`P.q"), "{solver}: {}", mistake.message);
        assert!(mistake.message.contains("JointForce `f`"), "{solver}: {}", mistake.message);
    }
}

/// The same bits whatever the clock says: a run that stalls ends at the same instant every time.
#[test]
fn the_end_of_a_run_without_progress_does_not_depend_on_the_clock() {
    let text = crawling("derf", "1e9", 1e6);
    let [a, b] = [run(&text), run(&text)];
    assert_eq!(a.summary.end.to_bits(), b.summary.end.to_bits());
    assert_eq!(a.summary.statistics.evaluations, b.summary.statistics.evaluations);
}

/// A root of a quantity that is zero has no slope there. The mass slides through it and comes to its end.
#[test]
fn a_force_that_is_a_root_does_not_hold_a_run_up() {
    for solver in ["stiff", "radau5", "derf"] {
        let text = format!(
            "Header \"h\" {{ ModelName = m; OutputType = none; }}\n\
             System \"s\" {{ GravAccel = 0, 0, -9.81; ScaleGrav = 1; }}\n\
             Solver \"d\" {{ Type = dynamic; Solver = {solver}; RelErr = 1e-6; AbsErr = 1e-9; \
             Tstart = 0; Tend = 2; Tstep = 0.01; TstepMax = 0.01; TstepMin = 0; TstepIni = 1e-3; }}\n\
             Output \"o\" {{ Signals = P.q; Files = csv; Events = no; }}\n\
             Triad \"T0\" {{ Parent = world; }}\n\
             Triad \"R1\" {{ Parent = B1; }}\n\
             Prismatic \"P\" {{ Parent = B1; TriadFrom = T0; TriadTo = R1; JointAxis = 0, 0, 1; Qinit = 0; QDinit = 0; }}\n\
             Body \"B1\" {{ Parent = world; Joint = P; Mass = 100; Inertia = 1, 0, 0, 1, 0, 1; }}\n\
             JointForce \"f\" {{ Joint1D = P; Value = sqrt(abs(P.q)); }}\n"
        );
        let told = simulate(&text).to_the_end();
        // The root slows the fall by less than 1/100 sqrt(20) of the 9.81 m/s^2.
        let free = -0.5 * 9.81 * 4.0;
        let q = told.last("P.q");
        assert!(q > free && q < free * (1.0 - 0.05 / 9.81), "{solver}: {q}");
        assert!(told.statistics.steps < 20_000, "{solver}: {} steps", told.statistics.steps);
    }
}

/// The listener is asked before every step, not only at output points.
#[test]
fn an_interrupt_ends_a_run_between_two_outputs() {
    // A row is due at the end only, after hours of work in steps of a tenth of a millisecond.
    let model = loading::model(crawling("derf", "1e4", 1e5));
    let directory = tempfile::tempdir().unwrap();
    let interrupted = AtomicBool::new(false);
    let asked = std::thread::scope(|scope| {
        let run = scope.spawn(|| {
            let options = Options::new(directory.path(), &interrupted);
            let outcome = model.simulate(options, &mut Unwatched).unwrap();
            (outcome.error, Instant::now())
        });
        std::thread::sleep(Duration::from_millis(300));
        let asked = Instant::now();
        interrupted.store(true, Ordering::Relaxed);
        let (error, ended) = run.join().unwrap();
        mistake(error.as_ref(), ErrorKind::Interrupted);
        ended.saturating_duration_since(asked)
    });
    assert!(asked < Duration::from_secs(1), "{asked:?}");
}

/// A contact sticks by the limits that are given, and without any where it stands still.
#[test]
fn a_contact_sticks_by_the_limits_that_are_given() {
    let text = model_text("mechanics/falling_box");
    let rest = |text: &str| {
        let told = simulate(text).to_the_end();
        assert!(told.statistics.steps < 20_000, "{} steps", told.statistics.steps);
        // It lies on four of its corners, which stick in the end.
        let corners = ["Contact c1", "Contact c2", "Contact c5", "Contact c6"];
        for corner in corners {
            let last = told.changes.iter().rfind(|(_, said)| said.starts_with(corner));
            assert!(last.is_some_and(|(_, said)| said.contains("-> stick")), "{corner}: {last:?}");
        }
    };
    rest(&text);
    let lines = |word: &str| -> String {
        let kept = text.lines().filter(|line| !line.trim_start().starts_with(word));
        kept.flat_map(|line| [line, "\n"]).collect()
    };
    rest(&lines("OmegaSlipMin"));
    rest(&lines("VSlipMin"));
    let neither = lines("OmegaSlipMin").replace("VSlipMin               = 0.01", "VSlipMin = 0");
    assert_eq!(neither.matches("VSlipMin = 0;").count(), 8);
    for solver in ["derf", "stiff", "radau5"] {
        rest(&neither.replace("derf", solver));
    }
}

/// Without any limit and without static friction it slides for ever, and a body at rest does not make it turn round in the shortest steps.
#[test]
fn a_contact_that_never_sticks_does_not_creep() {
    let text = model_text("mechanics/falling_box");
    let kept = text.lines().filter(|line| {
        let line = line.trim_start();
        let sticks = ["OmegaSlipMin", "VSlipMin", "StaticFrictionCoeff "];
        !sticks.iter().any(|word| line.starts_with(word))
    });
    let text: String = kept.flat_map(|line| [line, "\n"]).collect();
    let told = simulate(&text.replace("derf", "stiff")).to_the_end();
    assert!(told.statistics.steps < 50_000, "{} steps", told.statistics.steps);
    assert!(!told.log.contains("-> stick"));
}
