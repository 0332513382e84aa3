//! Modes that differ in numbers only share one structure.

use dysim_tests::loading::{model, system};
use engine::internals::system::Run;
use integrate::Problem;

/// A flywheel of 2 kg m^2 that rubs with 4 Nm: its rates at the start, and its sorted equations.
fn flywheel(speed: f64) -> (Vec<f64>, String) {
    let text = format!(
        "Solver \"v\" {{ Solver = derf; }} Inertia \"J\" {{ a = n; J = 2; Winit = {speed:?}; }} Friction \"F\" {{ a = base; b = n; Rmax = 5; Rv = 4; }}"
    );
    let model = model(text);
    let system = system(&model);
    let mut run = Run::new(&system);
    let mut y = system.initial_state();
    run.begin(&mut y).unwrap();
    let mut ydot = vec![0.0; y.len()];
    run.derivatives(0.0, &y, &mut ydot).unwrap();
    (ydot, run.equations())
}

#[test]
fn sliding_to_and_fro_is_one_structure_and_locking_another() {
    let (forward, to) = flywheel(3.0);
    let (backward, fro) = flywheel(-3.0);
    let (_, locked) = flywheel(0.0);
    // w' = -4/2 against the motion.
    assert!(forward.contains(&-2.0) && backward.contains(&2.0), "{forward:?} {backward:?}");
    let sorted = |report: &str| report.split("Solved").nth(1).unwrap_or_default().to_string();
    assert!(to.contains("F is Forward") && to.contains("F is Backward"), "{to}");
    assert_eq!(sorted(&to), sorted(&fro));
    assert!(!locked.contains("F is Forward"), "{locked}");
}
