//! Stiff models: the implicit method agrees with the explicit one and needs far less, and the explicit one
//! names it as the remedy.
#![allow(clippy::expect_used)]

use std::path::Path;

use dysim_tests::loading::{model, system};
use dysim_tests::simulate;
use engine::internals::system::Run;
use integrate::{Pattern, Problem, Statistics};

/// The last row of the signals, the work and the remarks of a run.
fn run(text: &str) -> (Vec<f64>, Statistics, Vec<String>) {
    let outcome = simulate::run(text).complete();
    let values = outcome.table("csv").rows.last().expect("a row").clone();
    (values, outcome.summary.statistics, outcome.summary.remarks)
}

/// The model of the mount with another solver, tolerance and end. By 0.3 s the swing has begun, and
/// the foot has fallen, landed and come to rest.
fn mount(solver: &str, relative: &str, absolute: &str, end: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/mechanics/stiff_mount.dys");
    let mut text = std::fs::read_to_string(path).expect("the model");
    for (parameter, old, new) in [
        ("Solver", "stiff", solver),
        ("RelErr", "1.e-7", relative),
        ("AbsErr", "1.e-9", absolute),
        ("Tend", "2.0", end),
    ] {
        let is_it = |line: &&str| line.trim_start().starts_with(parameter) && line.contains(" = ");
        let line = text.lines().find(is_it);
        let line = line.expect("the parameter stands on a line of its own").to_string();
        assert!(line.contains(old), "{line}");
        text = text.replace(&line, &line.replace(old, new));
    }
    text
}

/// A mount and a floor with rates of 1e5 and more: `stiff` and `derf` agree within a hundred times
/// the tolerance of the former, which takes fifty times fewer evaluations (order 5 alone: twenty).
#[test]
fn a_stiff_mount_and_a_hard_floor() {
    let (reference, explicit, remarks) = run(&mount("derf", "1.e-10", "1.e-12", "0.3"));
    assert!(remarks.iter().any(|remark| remark.contains("`Solver = stiff`")), "{remarks:?}");
    for (solver, saving) in [("stiff", 50), ("radau", 50), ("radau5", 20)] {
        let (found, implicit, remarks) = run(&mount(solver, "1.e-8", "1.e-10", "0.3"));
        assert!(remarks.is_empty(), "{remarks:?}");
        for (found, reference) in found.iter().zip(&reference) {
            let allowed = 1e-6 * reference.abs() + 1e-8;
            assert!((found - reference).abs() < allowed, "{solver}: {found} {reference}");
        }
        assert_eq!(implicit.roots, explicit.roots);
        assert!(saving * implicit.evaluations < explicit.evaluations, "{implicit:?} {explicit:?}");
    }
}

/// `de` finds the stiffness, goes on, and names the remedy.
#[test]
fn de_names_the_remedy() {
    let (_, statistics, remarks) = run(&mount("de", "1.e-6", "1.e-9", "0.05"));
    let stiff = remarks.iter().find(|remark| remark.contains("stiff")).expect("a remark");
    assert!(stiff.contains("`Solver = stiff`"), "{stiff}");
    assert!(statistics.steps > 500);
}

fn pattern(text: &str) -> Pattern {
    let model = model(text);
    let system = system(&model);
    Run::new(&system).jacobian_pattern().expect("a pattern")
}

/// `n` pendulums on the world, each with a damper whose work is integrated; neighbours are joined
/// by springs if wanted.
fn pendulums(n: usize, springs: bool) -> String {
    let mut text = String::from("Solver \"s\" { Solver = stiff; }\n");
    for i in 0..n {
        text += &format!(
            "Triad \"a{i}\" {{ Parent = world; Position = {i}, 0, 0; }}\n\
             Triad \"b{i}\" {{ Parent = p{i}; }}\n\
             Triad \"c{i}\" {{ Parent = p{i}; Position = 0, 0, -1; }}\n\
             Revolute \"j{i}\" {{ Parent = p{i}; TriadFrom = a{i}; TriadTo = b{i}; \
             JointAxis = 0, 1, 0; Damping = 0.1; }}\n\
             Body \"p{i}\" {{ Parent = world; Joint = j{i}; Mass = 1; \
             Inertia = 1, 0, 0, 1, 0, 1; CGFramePosition = 0, 0, -1; }}\n"
        );
        if springs && i > 0 {
            let before = i - 1;
            text += &format!(
                "Spring \"k{i}\" {{ TriadFrom = c{before}; TriadTo = c{i}; \
                 ElasticLinear = 10; ZeroLength = 1; }}\n"
            );
        }
    }
    text
}

/// Ten machines side by side cost as many evaluations for a Jacobian as one, until springs join
/// them; works have no columns.
#[test]
fn separate_machines_are_differenced_together() {
    for n in [1, 10] {
        let pattern = pattern(&pendulums(n, false));
        assert_eq!((pattern.len(), pattern.groups().len()), (3 * n, 2));
        // The angle's own rate, the acceleration and the work depend on it.
        assert_eq!(pattern.rows(0), [0, n, 2 * n]);
        assert!(pattern.rows(2 * n).is_empty());
    }
    assert_eq!(pattern(&pendulums(10, true)).groups().len(), 20);
}
