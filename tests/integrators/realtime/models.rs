//! Models with methods for real time: accuracy beside the stiff solver, stability, all examples.

use dysim_tests::blocks::Run;
use dysim_tests::examples::{example, with_solver};
use dysim_tests::programs::root;
use dysim_tests::simulate::{Outcome, run};

/// A column of the signals.
fn signal(outcome: &Outcome, name: &str) -> Vec<f64> {
    outcome.table("csv").column(name)
}

/// A weight in a rubber mount of 20 microseconds on a swing of a second, with steps of 1 and 0.5 ms: the explicit method cannot follow,
/// the others come nearer to the stiff solver by a half.
#[test]
fn a_mount_on_a_swing_is_stable_with_fast_states() {
    let text = example("mechanics/stiff_mount");
    let how = |solver, tolerance, step| Run {
        solver,
        relative: tolerance,
        absolute: 1e-2 * tolerance,
        end: 0.25,
        step,
    };
    let at_end = |how| {
        let outcome = run(&with_solver(&text, how)).complete();
        signal(&outcome, "J.q").last().copied().unwrap_or(f64::NAN)
    };
    let exact = at_end(how("stiff", 1e-8, 0.05));
    for solver in ["euler_implicit", "euler_mixed"] {
        let error = |step| (at_end(how(solver, 1e-6, step)) - exact).abs();
        let (coarse, fine) = (error(1e-3), error(5e-4));
        // The speed reaches a t = 2 rad/s, and an error of a step in time is h a t.
        assert!(coarse < 1e-3 * 8.0 * 0.25, "{solver} {coarse:e}");
        assert!((coarse / fine - 2.0).abs() < 0.2, "{solver} {coarse:e} {fine:e}");
    }
    let explicit = run(&with_solver(&text, how("euler", 1e-6, 1e-3)));
    assert!(explicit.error.is_some(), "a step fifty times too long");
}

/// The log names the fast states, of bodies and of networks.
#[test]
fn the_log_names_the_fast_states() {
    let text = example("mechanics/stiff_mount");
    let how = Run { solver: "euler_mixed", relative: 1e-6, absolute: 1e-6, end: 0.01, step: 1e-3 };
    let log = run(&with_solver(&text, how)).complete().text("log");
    assert!(log.contains("states are fast: J.q, "), "{log}");
    assert!(log.contains("W.qd[1], W.qd[2]"), "{log}");
    let how = Run { end: 1e-3, step: 1e-4, ..how };
    let log = run(&with_solver(&example("circuits/rc_rl"), how)).complete().text("log");
    // Time constants of 0.1 and 0.075 ms.
    assert!(log.contains("2 of 2 states are fast: C.v, L.i"), "{log}");
    assert!(log.contains("time per step, us: mean "), "{log}");
}

/// Runs every example of a folder in mixed mode, for up to 300 steps of a tenth of its output interval.
fn run_examples(folder: &str) {
    let mut count = 0;
    for entry in std::fs::read_dir(root().join("models").join(folder)).expect("a folder").flatten()
    {
        let path = entry.path();
        if path.extension().is_none_or(|extension| extension != "dys") {
            continue;
        }
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = example(&format!("{folder}/{name}"));
        let loaded = dysim_tests::simulate::read(&text);
        let Some(model) = &loaded.model else { panic!("{name}") };
        let step = 0.1 * model.solver.output_step;
        let end = (300.0 * step).min(model.solver.end);
        let how = Run { solver: "euler_mixed", relative: 1e-6, absolute: 1e-9, end, step };
        let outcome = run(&with_solver(&text, how));
        assert!(outcome.error.is_none(), "{name}: {:?}", outcome.error);
        let finite = |row: &Vec<f64>| row.iter().all(|value| value.is_finite());
        assert!(outcome.table("csv").rows.iter().all(finite), "{name}");
        count += 1;
    }
    assert!(count > 3, "{folder}");
}

#[test]
fn examples_of_mechanics_run_in_mixed_mode() {
    run_examples("mechanics");
}

#[test]
fn examples_that_switch_run_in_mixed_mode() {
    run_examples("switching");
}

#[test]
fn examples_of_circuits_run_in_mixed_mode() {
    run_examples("circuits");
}

#[test]
fn examples_of_loops_run_in_mixed_mode() {
    run_examples("loops");
}

/// The complete robot goes through its motion with steps of 1 ms, an eighth of the period of its controllers and six times what
/// the explicit method can take: shafts stick and slide again, springs go through their backlash. Joints stay
/// within what the fastest of them, 4.25 rad/s, does in a step.
#[test]
fn the_complete_robot_moves_with_steps_of_a_millisecond() {
    let text = example("mechatronics/r3_complete");
    let robot = |solver, output: f64, step: f64| {
        let how = Run { solver, relative: 1e-6, absolute: 1e-8, end: 1.496, step: output };
        let text = with_solver(&text, how);
        let text = text.replace(&format!("TstepMax = {output:?}"), &format!("TstepMax = {step:?}"));
        run(&text).complete()
    };
    let (exact, mixed) = (robot("derf", 0.008, 0.008), robot("euler_mixed", 0.008, 1e-3));
    for joint in 1..=6 {
        let name = format!("r3.arm.l{joint}.J.q");
        let pairs = signal(&exact, &name).into_iter().zip(signal(&mixed, &name));
        let differences: Vec<f64> = pairs.map(|(a, b)| (a - b).abs()).collect();
        assert_eq!(differences.len(), 188, "{name}");
        let largest = differences.iter().copied().fold(0.0, f64::max);
        assert!(largest <= 4.25e-3, "{name} {largest:e}");
    }
    // Circuits, filters and controllers of all drives are fast; the bodies are slow but for coordinates.
    let log = mixed.text("log");
    for name in ["r3.a1.m.La.i", "r3.a6.m.Ci.v", "r3.a3.c.rate3.x", "r3.a2.d.rotor.w"] {
        assert!(log.contains(name), "{name} {log}");
    }
    assert!(
        !log.lines()
            .any(|line| line.contains("states are fast") && line.contains("r3.arm.l1.J.qd"))
    );
    // With steps of 1 ms the explicit method is lost in the circuits.
    let how = Run { solver: "euler", relative: 1e-6, absolute: 1e-8, end: 0.1, step: 1e-3 };
    let explicit = run(&with_solver(&text, how));
    assert!(explicit.error.is_some());
}

/// A rotor that friction brings to rest drives a pendulum through a spring and a gear: in mixed mode the node behind the spring, which follows
/// the joint, is where the joint is when the friction sticks, so that nothing jumps.
#[test]
fn friction_sticks_at_the_end_of_a_mixed_step() {
    const BRAKED: &str = r#"
Header "h" { ModelName = braked; OutputType = none; }
System "s" { GravAccel = 0, 0, -9.81; }
Solver "v" { Solver = derf; RelErr = 1e-7; AbsErr = 1e-9; Tend = 0.4; Tstep = 0.01; TstepMax = 0.01; }
Triad "a" { Parent = world; } Triad "b" { Parent = rod; Position = 0, 0, 0.3; }
Revolute "j" { TriadFrom = a; TriadTo = b; JointAxis = 0, 1, 0; QDinit = 3; }
Body "rod" { Parent = world; Joint = j; Mass = 1; Inertia = 0.05, 0, 0, 0.05, 0, 0.01; }
Inertia "rotor" { a = shaft; J = 1e-3; Winit = 30; }
Friction "brake" { a = base; b = shaft; Rmax = 0.2; Rv = 0.2 + 1e-3*abs(shaft.w); }
TorsionSpring "spring" { a = shaft; b = inner; c = 20; d = 0.2; }
Gear "gear" { a = inner; b = axis; Ratio = 10; }
JointAxis "drive" { flange = axis; Joint = j; }
VoltageSource "emf" { p = n1; n = gnd; V = 0.1*shaft.w; }
Resistor "R" { p = n1; n = n2; R = 10; }
Inductor "L" { p = n2; n = gnd; L = 1e-3; }
TorqueSource "m" { a = shaft; Tau = -0.1*L.i; }
Output "o" { Signals = j.q, shaft.w; Files = csv; }
"#;
    let exact = run(BRAKED).complete();
    let events = |outcome: &Outcome| outcome.summary.events;
    assert!(events(&exact) > 0);
    for step in [2e-3, 1e-3] {
        let text = BRAKED.replace("Solver = derf", "Solver = euler_mixed");
        let text = text.replace("TstepMax = 0.01", &format!("TstepMax = {step:?}"));
        let mixed = run(&text).complete();
        assert!(events(&mixed) > 0);
        let pairs = signal(&exact, "j.q").into_iter().zip(signal(&mixed, "j.q"));
        let largest = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        // The joint moves with 3 rad/s at most, a tenth of the first speed of the rotor.
        assert!(largest < 3.0 * step, "{step} {largest:e}");
    }
}
