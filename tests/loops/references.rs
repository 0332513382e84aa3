//! Published values: the four-bar, the N-four-bar (A02) and Andrews' squeezing mechanism (A03).

use dysim_tests::blocks::Run;
use dysim_tests::bounds::{Expected, compare, compare_fixed, compare_methods, references};
use dysim_tests::closed_forms::{DOWN, four_bar, windows};
use dysim_tests::examples::{example, with, with_solver};
use dysim_tests::mechanism::Mechanism;
use dysim_tests::mechanism_text::{Moved, Start};
use dysim_tests::simulate::Outcome;

/// A mechanism as the comparisons want it: the shift goes to the variable and its speed, so that the loop
/// stays closed.
fn text(mechanism: &Mechanism, speed: f64, cuts: &[usize], how: Run, shift: f64) -> String {
    mechanism.text(how, Start { at: shift, speed: speed + shift, cuts, more: "" })
}

#[test]
fn the_four_bar_agrees_with_quadruple_precision() {
    let mechanism = four_bar([0.3, 0.9, 0.7, 1.0], DOWN);
    let model = |how: Run, shift: f64| text(&mechanism, 10.0, &[2], how, shift);
    let measure = |outcome: &Outcome, e: &Expected| {
        let csv = outcome.table("csv");
        let at = |signal: &str| csv.at(e.time(), signal);
        match e.quantity {
            "crank_angle" => at("JA.q"),
            "crank_omega" => at("JA.qd"),
            "crank_alpha" => at("JA.qdd"),
            "coupler_angle" => 0.87257385343233668609 + at("JA.q") + at("JB.q"),
            "coupler_omega" => at("JA.qd") + at("JB.qd"),
            "rocker_angle" => 1.7451477068646733722 + at("JD.q"),
            "rocker_omega" => at("JD.qd"),
            "reaction_A_x" => at("JA.fx"),
            "reaction_A_y" => at("JA.fz"),
            name => panic!("unknown quantity {name}"),
        }
    };
    // Accelerations and reactions are large and grow most: only for them the tightest tolerance and the first second.
    let all = references("LP-4BAR", 1.0);
    let is_slow = |e: &&Expected| e.quantity.ends_with("angle") || e.quantity.ends_with("omega");
    let slow = |end| references("LP-4BAR", end).iter().filter(is_slow).cloned().collect::<Vec<_>>();
    let how = Run::new("derf", 1e-10, 1.0, 0.1);
    compare_methods("LP-4BAR", how, &model, &slow(1.0), &measure);
    compare("LP-4BAR", Run { solver: "stiff", ..how }, &model, &slow(1.0), &measure);
    compare("LP-4BAR", Run { end: 2.0, ..how }, &model, &slow(2.0), &measure);
    compare("LP-4BAR", Run::new("derf", 1e-11, 1.0, 0.1), &model, &all, &measure);
    let fixed = Run { solver: "rk4", step: 0.001, ..how };
    compare_fixed("LP-4BAR", fixed, &model, &slow(1.0), &measure);
}

#[test]
fn rows_of_windows_follow_their_elliptic_function_through_all_singular_positions() {
    for (name, count) in [("IFT-A02-N2", 2), ("IFT-A02-N40", 40)] {
        let mechanism = windows(count);
        let parts = (mechanism.parts)(0.0.into());
        let cuts: Vec<usize> =
            (0..parts.pins.len()).filter(|k| parts.pins[*k].name.starts_with('C')).collect();
        let model = |how: Run, shift: f64| text(&mechanism, 1.0, &cuts, how, shift);
        let measure = |outcome: &Outcome, e: &Expected| {
            let (csv, pva) = (outcome.table("csv"), outcome.table("pva"));
            let row = pva.rows.iter().find(|row| (row[0] - e.time()).abs() < 1e-9);
            let post = Moved::read(row.expect("a row at the time"), Some(0));
            let tip = [0.0, 0.0, 1.0];
            match e.quantity {
                "phi" => csv.at(e.time(), "A0.q"),
                "phid" => csv.at(e.time(), "A0.qd"),
                "B0x" => post.place(tip)[0],
                "B0y" => post.place(tip)[2],
                "B0vx" => post.speed(tip)[0],
                "B0vy" => post.speed(tip)[2],
                name => panic!("unknown quantity {name}"),
            }
        };
        let how = Run::new("derf", 1e-9, 10.0, 0.5);
        compare(name, how, &model, &references(name, 10.0), &measure);
    }
}

#[test]
fn the_squeezing_mechanism_agrees_with_quadruple_precision() {
    let file = example("loops/squeezer");
    // Speeds in rad/ms: the crank turns with 1 rad/ms and all numbers are of order 1 to 10.
    let mut expected = references("IFT-A03", 0.05);
    for e in expected.iter_mut().filter(|e| e.quantity.starts_with("qdot")) {
        e.value *= 1e-3;
    }
    let model = |how: Run, shift: f64| {
        let text = with_solver(&file, how);
        let first = "= -0.0617138900142764496;";
        with(&text, first, &format!("= -0.0617138900142764496 + {shift:?}; Fixed = yes;"))
    };
    let measure = |outcome: &Outcome, e: &Expected| {
        let csv = outcome.table("csv");
        let at = |signal: &str| csv.at(e.time(), signal);
        match e.quantity.strip_prefix("qdot").or(e.quantity.strip_prefix('q')) {
            Some(k) if e.quantity.starts_with("qdot") => 1e-3 * at(&format!("J{k}.qd")),
            Some(k) => at(&format!("J{k}.q")),
            None if e.quantity == "F_x" => 0.007 * at("J1.q").cos(),
            None => 0.007 * at("J1.q").sin(),
        }
    };
    let how = Run { absolute: 1e-12, ..Run::new("derf", 1e-11, 0.05, 1e-3) };
    compare("IFT-A03", how, &model, &expected, &measure);
}
