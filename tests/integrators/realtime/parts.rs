//! Derivatives of some states alone agree with the derivatives of all states, whichever are left out.

use std::path::{Path, PathBuf};

use dysim_tests::loading::{model, model_of_file, system};
use dysim_tests::random::Random;
use engine::Model;
use engine::internals::system::Run;
use integrate::{
    Hints, MethodKind, Problem, RootSearch, Settings, Silent, Stop, Tolerance, build_for,
};

fn models(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models").join(folder);
    let entries = std::fs::read_dir(folder).expect("the folder").flatten();
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    found.retain(|path| path.extension().is_some_and(|e| e == "dys"));
    found.sort();
    found
}

/// A circuit that feels a joint, and a joint that feels a circuit.
const COUPLED: &str = r#"
Header "h" { ModelName = m; OutputType = none; }
System "s" { GravAccel = 0, 0, -9.81; }
Solver "v" { Solver = stiff; Tend = 1; Tstep = 0.01; }
Triad "a" { Parent = world; } Triad "b" { Parent = rod; Position = 0, 0, 0.5; }
Revolute "j" { TriadFrom = a; TriadTo = b; JointAxis = 0, 1, 0; Qinit = 0.4; QDinit = 1.5; }
Body "rod" { Parent = world; Joint = j; Mass = 2; Inertia = 0.2, 0, 0, 0.2, 0, 0.01; }
VoltageSource "emf" { p = n1; n = gnd; V = 5 - 0.3*j.qd; }
Resistor "R" { p = n1; n = n2; R = 2; }
Inductor "L" { p = n2; n = gnd; L = 1e-3; }
JointForce "motor" { Joint1D = j; Value = 0.3*L.i; }
"#;

/// Compares parts of the derivatives with the whole at random states near the initial one.
fn compare(model: &Model) {
    let system = system(model);
    let model = model.checked();
    let mut run = Run::new(&system);
    let mut y = system.initial_state();
    run.assemble(model.solver.start, &mut y).expect("an assembly");
    run.begin(&mut y).expect("initial values");
    let n = run.len();
    let mut random = Random::new(7);
    let networks = system.network_states();
    let coordinates = 0..system.tree.n_q();
    let mixed: Vec<usize> = coordinates.clone().chain(networks.clone()).collect();
    let parts = [coordinates.collect(), networks.collect(), mixed, (0..n).step_by(2).collect()];
    let (mut whole, mut some) = (vec![0.0; n], vec![0.0; n]);
    for part in parts.iter().filter(|part: &&Vec<usize>| !part.is_empty()) {
        for turn in 0..6 {
            let t = model.solver.start + 1e-4 * f64::from(turn / 3);
            // Bodies and networks move, then networks only, then nothing.
            let from = [0, system.network_states().start, n][turn as usize % 3];
            for y in &mut y[from..] {
                *y += 1e-3 * random.between(-1.0, 1.0);
            }
            some.fill(f64::NAN);
            let partial = run.part_derivatives(part, t, &y, &mut some);
            let full = run.derivatives(t, &y, &mut whole);
            if partial.is_err() || full.is_err() {
                // A state that breaks a loop or that a diode does not allow has no derivatives at all.
                continue;
            }
            let is_same = |some: &[f64]| {
                // Equations that are iterated end within 1e-9 of a solution, wherever they began.
                let largest = whole.iter().fold(0.0f64, |largest, f| largest.max(f.abs()));
                part.iter().all(|&k| (some[k] - whole[k]).abs() <= 1e-9 * largest)
            };
            assert!(is_same(&some), "{} {part:?}", model.name);
            // And after the whole has been computed.
            some.fill(f64::NAN);
            run.part_derivatives(part, t, &y, &mut some).expect("derivatives");
            assert!(is_same(&some), "{} {part:?}", model.name);
        }
    }
}

#[test]
fn a_coupled_system_has_the_same_parts() {
    compare(&model(COUPLED));
}

#[test]
fn examples_have_the_same_parts() {
    for folder in ["mechanics", "circuits", "switching", "loops"] {
        models(folder).into_iter().for_each(|path| compare(&model_of_file(&path)));
    }
}

/// Rotors that arms carry need the accelerations of these. Behind an evaluation they are known, so that what holds them is right there;
/// and the complete robot has states whose rates wait for them.
#[test]
fn held_accelerations_are_those_of_the_last_evaluation() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/mechatronics/r3_complete.dys");
    let model = model_of_file(&path);
    let system = system(&model);
    let mut run = Run::new(&system);
    let mut y = system.initial_state();
    run.begin(&mut y).expect("initial values");
    // At the start all shafts stick; a little later they turn.
    let t = 0.05;
    let mut settings = Settings::new(MethodKind::Euler, Tolerance::new(1e-6, 1e-6));
    settings.events.search = RootSearch::StepEnd;
    settings.fixed_step = 1e-4;
    let mut driver = build_for(MethodKind::Euler, &run, &settings).expect("a driver");
    driver.start(&mut run, 0.0, &y, 1.0, &mut Silent).expect("a start");
    while driver.advance(&mut run, t, &mut Silent).expect("a step") != Stop::Output {}
    y.copy_from_slice(driver.y());
    let mut random = Random::new(3);
    let networks: Vec<usize> = system.network_states().collect();
    let n = run.len();
    let (mut whole, mut held) = (vec![0.0; n], vec![0.0; n]);
    let mut moved = 0;
    for _ in 0..5 {
        y.iter_mut().for_each(|y| *y += 1e-3 * random.between(-1.0, 1.0));
        run.derivatives(t, &y, &mut whole).expect("derivatives");
        held.fill(f64::NAN);
        run.held_derivatives(&networks, t, &y, &mut held).expect("derivatives");
        let largest = whole.iter().fold(0.0f64, |largest, f| largest.max(f.abs()));
        for &k in &networks {
            assert!((held[k] - whole[k]).abs() <= 1e-9 * largest, "{k}");
        }
        // Currents act on the arms: with others the accelerations are no longer the same, and are held.
        y[system.network_states()].iter_mut().for_each(|y| *y += 0.01 * random.between(-1.0, 1.0));
        run.held_derivatives(&networks, t, &y, &mut held).expect("derivatives");
        run.derivatives(t, &y, &mut whole).expect("derivatives");
        moved += networks.iter().filter(|&&k| held[k] != whole[k]).count();
        let same = networks.iter().filter(|&&k| held[k] == whole[k]).count();
        assert!(same > networks.len() / 2, "{same}");
    }
    assert!(moved > 0);
}

/// What a derivative does not depend on according to the pattern makes no difference to it: drives that bodies carry, and the
/// complete robot, whose controllers and drives know little of each other, at its start, with all shafts held, and on its way.
#[test]
fn the_pattern_covers_all_dependences() {
    let robot =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/mechatronics/r3_complete.dys");
    let robot = std::fs::read_to_string(robot).expect("a model");
    for (text, time) in [(COUPLED, 0.0), (&robot, 0.0), (&robot, 0.1)] {
        let model = model(text);
        let system = system(&model);
        let mut run = Run::new(&system);
        let mut y = system.initial_state();
        run.begin(&mut y).expect("initial values");
        let settings = Settings::new(MethodKind::Derf, Tolerance::new(1e-6, 1e-8));
        let mut driver = build_for(MethodKind::Derf, &run, &settings).expect("settings");
        driver.start(&mut run, 0.0, &y, 1.0, &mut Silent).expect("a start");
        while time > 0.0
            && driver.advance(&mut run, time, &mut Silent).expect("a step") != Stop::Output
        {
        }
        y.copy_from_slice(driver.y());
        assert_covered(&mut run, time, &mut y);
    }
}

fn assert_covered(run: &mut Run<'_>, t: f64, y: &mut [f64]) {
    let n = run.len();
    let (mut base, mut varied, mut again) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
    for pattern in [run.jacobian_pattern(), run.pattern_now()] {
        let pattern = pattern.expect("a pattern");
        for column in 0..n {
            run.derivatives(t, y, &mut base).expect("derivatives");
            let before = y[column];
            y[column] += 1e-3;
            run.derivatives(t, y, &mut varied).expect("derivatives");
            y[column] = before;
            run.derivatives(t, y, &mut again).expect("derivatives");
            assert_eq!(base, again, "the derivatives remember");
            for row in 0..n {
                let depends = pattern.rows(column).contains(&row);
                assert!(depends || base[row] == varied[row], "{t}: {row} {column}");
            }
        }
    }
}
