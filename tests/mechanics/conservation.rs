//! Energy, momentum and angular momentum: what must stay, and how well it does.

use std::path::Path;

use dysim_tests::blocks::{Run, Text};
use dysim_tests::simulate::{Outcome, run, run_file};

/// Two bodies that float without gravity, with something between them.
fn two_free_bodies(how: Run, speed: f64, between: &str) -> String {
    let start = |x: f64, v: f64| {
        format!(
            "Qinit = {x:?}, 0.1, 0, 0.2, 0.3, -0.1; QDinit = {v:?}, 0.2, 0.1, 0.7, -0.5, 0.4; AngleType = cardan; Degrees = rad;"
        )
    };
    Text::new([0.0; 3], how)
        .joint("Free", ["J1", "world", "a"], [0.0; 3], &start(0.0, speed))
        .body(["a", "world", "J1"], 2.0, [0.1, 0.2, 0.25], [0.05, 0.0, 0.02])
        .joint("Free", ["J2", "world", "b"], [0.0; 3], &start(0.5, -speed))
        .body(["b", "world", "J2"], 1.0, [0.1, 0.12, 0.05], [0.0, 0.03, 0.0])
        .triad("ta", "a", [0.2, 0.1, 0.05])
        .triad("tb", "b", [-0.1, 0.05, 0.1])
        .with(between)
        .text()
        .to_string()
}

/// The largest changes of momentum and of angular momentum about the origin during a run.
fn drift(outcome: &Outcome) -> (f64, f64) {
    let epl = outcome.table("epl");
    let change = |names: [&str; 3]| {
        names.into_iter().fold(0.0_f64, |largest, name| {
            let values = epl.column(&format!("system.{name}"));
            values.iter().fold(largest, |largest, x| largest.max((x - values[0]).abs()))
        })
    };
    (change(["px", "py", "pz"]), change(["lx", "ly", "lz"]))
}

/// Forces in pairs on one line leave both momenta alone; only the local errors of the states remain, at
/// most `tol` of their size in each of `n` steps. Sizes here: masses and distances of about one, speeds
/// and rates up to ten.
fn bound(outcome: &Outcome, how: Run) -> f64 {
    outcome.summary.statistics.steps as f64 * how.relative * 10.0
}

const BUSHING: &str = "Bushing \"e\" { TriadFrom = ta; TriadTo = tb; AngleType = cardan; Degrees = rad;
    ElasticLinear = 80,0,5,0,0,0, 0,60,0,0,3,0, 5,0,70,0,0,0, 0,0,0,4,0,1, 0,3,0,0,5,0, 0,0,0,1,0,6;
    DampingLinear = 2,0,0,0,0,0, 0,2,0,0,0,0, 0,0,3,0,0,0, 0,0,0,0.1,0,0, 0,0,0,0,0.2,0, 0,0,0,0,0,0.1; }";

/// A plane on one body and a point on the other that comes near.
const CONTACT: &str = "Triad \"plane\" { Parent = a; Position = 0.3, 0, 0; Orientation = 0, 90, 0; AngleType = cardan; Degrees = deg; }
    Contact \"e\" { TriadFrom = plane; TriadTo = tb; ElasticLinearZ = 300; DampingLinearZ = 2; DampingO2MixedZ = 1; SlipDampingLinear = 0.5; SlipFrictionCoeff = 0.3;
    VSlipMin = 0.2; SlipFrictionCoeffRot = 0.05; OmegaSlipMin = 2; StickElasticLinear = 300; StickDampingLinear = 2; StaticFrictionCoeff = 0.4;
    StickElasticLinearRot = 3; StickDampingLinearRot = 0.1; StaticFrictionCoeffRot = 0.05; Degrees = rad; }";

#[test]
fn pairs_of_forces_keep_momentum_and_angular_momentum() {
    let elements = [
        ("Spring", "Spring \"e\" { TriadFrom = ta; TriadTo = tb; ElasticLinear = 40; DampingLinear = 1; ZeroLength = 0.3; OneSide = bi; }"),
        ("one-sided spring", "Spring \"e\" { TriadFrom = ta; TriadTo = tb; ElasticLinear = 40; DampingLinear = 0; ZeroLength = 0.6; OneSide = -; }"),
        ("Bushing", BUSHING),
        ("Contact", CONTACT),
        ("ContactSimple", "Triad \"plane\" { Parent = a; Position = 0.3, 0, 0; Orientation = 0, 90, 0; AngleType = cardan; Degrees = deg; }
          ContactSimple \"e\" { TriadFrom = plane; TriadTo = tb; ElasticLinearZ = 300; DampingLinearZ = 2; FrictionXY = 0.5; }"),
        ("Torque", "Torque \"e\" { TriadFrom = ta; TriadTo = tb; Vector = 0.3*sin(t), 0.2, -0.1; Frame = local; }"),
    ];
    for (name, element) in elements {
        let how = Run::new("derf", 1e-9, 2.0, 0.05);
        let outcome = run(&two_free_bodies(how, 0.3, element)).complete();
        let ((momentum, angular), bound) = (drift(&outcome), bound(&outcome, how));
        assert!(momentum < bound, "{name}: momentum drifts by {momentum:e}, bound {bound:e}");
        assert!(angular < bound, "{name}: angular momentum drifts by {angular:e}, bound {bound:e}");
        // The element must have acted: the body alone would keep its momentum.
        let p = outcome.table("epl").column("a.ly");
        let moved = p.iter().fold(0.0_f64, |largest, x| largest.max((x - p[0]).abs()));
        assert!(moved > 1e-3, "{name} did nothing: {moved:e}");
        let gap = outcome.summary.balance.relative_gap();
        assert!(gap < bound, "{name}: the energy balance is open by {gap:e}, bound {bound:e}");
    }
}

#[test]
fn contacts_between_free_bodies_go_through_their_states() {
    let outcome = run(&two_free_bodies(Run::new("derf", 1e-9, 2.0, 0.05), 0.3, CONTACT)).complete();
    let log = outcome.text("log");
    for words in ["apart -> ", "-> apart"] {
        assert!(log.contains(words), "no `{words}` in\n{log}");
    }
}

#[test]
fn an_undamped_spring_keeps_the_energy_of_two_free_bodies() {
    let spring = "Spring \"e\" { TriadFrom = ta; TriadTo = tb; ElasticLinear = 40; DampingLinear = 0; ZeroLength = 0.3; OneSide = bi; }
        Output \"o\" { Files = epl, csv; Signals = e.energy; Events = no; }";
    let how = Run::new("de", 1e-10, 5.0, 0.05);
    let outcome = run(&two_free_bodies(how, 0.0, spring)).complete();
    let kinetic = outcome.table("epl").column("system.ekin");
    let stored = outcome.table("csv").column("e.energy");
    let total: Vec<f64> = kinetic.iter().zip(&stored).map(|(a, b)| a + b).collect();
    let spread = total.iter().fold(0.0_f64, |largest, e| largest.max((e - total[0]).abs()));
    let bound = bound(&outcome, how);
    assert!(spread < bound, "{spread:e} {bound:e}");
    // Energy did go to and fro.
    let lowest = stored.iter().fold(f64::INFINITY, |a, b| a.min(*b));
    let highest = stored.iter().fold(0.0_f64, |a, b| a.max(*b));
    assert!(highest > 2.0 * lowest + 1e-3, "{lowest} {highest}");
}

/// A free body that spins about one axis after the other through all singular positions of both systems
/// of angles keeps energy and angular momentum as well as one that stays away from them.
#[test]
fn singular_angles_leave_no_trace_in_energy_and_angular_momentum() {
    let drift_of = |angle_type: &str, angles: &str, rates: &str| {
        let how = Run::new("de", 1e-10, 20.0, 0.05);
        let start = format!(
            "Qinit = 0, 0, 0, {angles}; QDinit = 0, 0, 0, {rates}; AngleType = {angle_type}; Degrees = rad;"
        );
        let text = Text::new([0.0; 3], how)
            .joint("Free", ["J", "world", "b"], [0.0; 3], &start)
            .body(["b", "world", "J"], 1.0, [1.0, 1.0, 1.8], [0.0; 3]);
        let outcome = run(text.text()).complete();
        let epl = outcome.table("epl").column("system.ekin");
        let energy = epl.iter().fold(0.0_f64, |d, e| d.max((e - epl[0]).abs() / epl[0]));
        let csv = outcome.table("csv");
        assert!(csv.rows.iter().flatten().all(|x| x.is_finite()), "{angle_type}");
        let log = outcome.text("log");
        assert!(log.contains("angles of Free J pass a singular position"), "{log}");
        (energy.max(drift(&outcome).1), bound(&outcome, how))
    };
    // Euler: the middle angle runs through 0 and pi; Cardan: through +-90 degrees, every half turn.
    let cases = [
        ("euler", "0, 0.5, 0", "0, -2, 0"),
        ("euler", "0.3, 0.5, -0.2", "0, 2, 1e-7"),
        ("cardan", "0, 0, 0", "0, 2, 0"),
        ("cardan", "0.1, 0, 0.2", "1e-7, 2, 0"),
    ];
    for (angle_type, angles, rates) in cases {
        let (drift, bound) = drift_of(angle_type, angles, rates);
        assert!(drift < bound, "{angle_type} {angles}: {drift:e} {bound:e}");
    }
}

/// Each step leaves an error of at most RelErr of the states, twice that of energies, which are squares.
/// The examples are to be good examples, so that the sum over the steps must stay below one per cent.
#[test]
fn the_energy_balance_of_every_example_closes() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/mechanics");
    let mut paths: Vec<_> = std::fs::read_dir(&directory)
        .expect("the directory of the models")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    assert!(paths.len() >= 12, "{} models", paths.len());
    for path in paths {
        let outcome = run_file(&path).complete();
        let text = std::fs::read_to_string(&path).expect("the model");
        let relative = text.split("RelErr").nth(1).and_then(|rest| rest.split(['=', ';']).nth(1));
        let relative: f64 = relative.expect("RelErr").trim().parse().expect("a number");
        let bound = 2.0 * relative * outcome.summary.statistics.steps as f64;
        let gap = outcome.summary.balance.relative_gap();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        println!("{name:32} gap {gap:.1e}, bound {bound:.1e}, {} events", outcome.summary.events);
        assert!(gap < bound && bound < 1e-2, "{name}: gap {gap:e}, bound {bound:e}");
        assert!(text.starts_with("//"), "{name} does not say what to look at");
    }
}
