//! Initial values of dependent storages, and what happens to momenta where a modulus jumps.

use super::support::{solve, text};

const TOGETHER: &str = r#"
I "fast" { I = 1; Pinit = 2; }
I "slow" { I = 3; Pinit = 0; }
Junction1 "shaft" {}
Bond "1" { From = shaft; To = fast; }
Bond "2" { From = shaft; To = slow; }
"#;

#[test]
fn momenta_that_do_not_fit_are_shared_out_with_a_warning() {
    // 2 = (1 + 3) f: as after a plastic impact. The values come from a linear system in the first instant.
    let outcome = solve(&text(1.0, 0.5, TOGETHER));
    let table = outcome.table("csv");
    for (column, expected) in [("fast.f", 0.5), ("slow.f", 0.5), ("fast.p", 0.5), ("slow.p", 1.5)] {
        let found = table.at(0.0, column);
        assert!((found - expected).abs() <= 1e-12, "{column} = {found}");
    }
    let log = outcome.text("log");
    for words in ["I `fast` starts at 0.5 instead of 2", "I `slow` starts at 1.5 instead of 0"] {
        assert!(log.contains(words), "{log}");
    }
    assert!(log.contains("I `slow` has differential causality"), "{log}");
}

#[test]
fn a_value_that_is_not_given_yields_without_a_word() {
    let quiet = TOGETHER.replace("I = 3; Pinit = 0;", "I = 3;");
    let outcome = solve(&text(1.0, 0.5, &quiet));
    // The momentum that is given stays: f = 2, and the other follows.
    assert!((outcome.table("csv").at(0.0, "slow.p") - 6.0).abs() <= 1e-12);
    assert!(!outcome.text("log").contains("starts at"), "{}", outcome.text("log"));
}

#[test]
fn charges_that_do_not_fit_are_shared_out() {
    // 4 C and 0 C on 1 F and 3 F in parallel: 1 V.
    let outcome = solve(&text(
        1.0,
        0.5,
        r#"C "full" { C = 1; Qinit = 4; } C "empty" { C = 3; Qinit = 0; } Junction0 "rail" {}
        Bond "1" { From = rail; To = full; } Bond "2" { From = rail; To = empty; }"#,
    ));
    let table = outcome.table("csv");
    assert!((table.at(0.0, "full.e") - 1.0).abs() <= 1e-12);
    assert!((table.at(0.0, "empty.q") - 3.0).abs() <= 1e-12);
}

#[test]
fn a_source_wins_against_an_initial_value() {
    let outcome = solve(&text(
        1.0,
        0.5,
        r#"Se "U" { e = 5; } C "store" { C = 2; Qinit = 4; } Junction0 "rail" {} R "load" { R = 1; }
        Bond "1" { From = U; To = rail; } Bond "2" { From = rail; To = store; } Bond "3" { From = rail; To = load; }"#,
    ));
    assert!((outcome.table("csv").at(0.0, "store.q") - 10.0).abs() <= 1e-12);
    assert!(
        outcome.text("log").contains("C `store` starts at 10 instead of 4"),
        "{}",
        outcome.text("log")
    );
}

#[test]
fn a_gear_change_between_rigid_inertias_conserves_the_momentum_of_the_new_gear() {
    // f2 = m f1 and an impulse S in the new gear: I1 (f1 - f1_old) = -m S, I2 (f2 - f2_old) = S, so that
    // p1 + m p2 stays: f1 = (p1_old + m p2_old)/(I1 + m^2 I2).
    let (one, two, before, after) = (2.0, 3.0, 0.5, 2.0);
    let outcome = solve(&text(
        2.0,
        0.5,
        r#"I "I1" { I = 2; Pinit = 6; } I "I2" { I = 3; } Junction1 "a" {} Junction1 "b" {}
        MTF "gear" { m = if(t < 1, 0.5, 2); }
        Bond "1" { From = a; To = I1; } Bond "2" { From = a; To = gear; }
        Bond "3" { From = gear; To = b; } Bond "4" { From = b; To = I2; }"#,
    ));
    let table = outcome.table("csv");
    let start = 3.0;
    let (p1, p2): (f64, f64) = (one * start, two * before * start);
    let expected = (p1 + after * p2) / (one + after * after * two);
    assert!((table.at(0.5, "I1.f") - start).abs() <= 1e-12);
    assert!((table.at(1.5, "I1.f") - expected).abs() <= 1e-12, "{}", table.at(1.5, "I1.f"));
    assert!((table.at(1.5, "I2.f") - after * expected).abs() <= 1e-12);
    // An impact loses energy, never gains.
    let energy = |t: f64| table.at(t, "I1.energy") + table.at(t, "I2.energy");
    assert!(energy(1.5) < energy(0.5));
}

#[test]
fn a_gear_change_in_front_of_a_spring_needs_no_impulse() {
    // The inertias are independent: no speed jumps, only the rate of the spring does.
    let outcome = solve(&text(
        1.5,
        0.25,
        r#"I "I1" { I = 2; Pinit = 6; } I "I2" { I = 3; } C "shaft" { C = 1e-3; }
        Junction1 "a" {} Junction0 "twist" {} Junction1 "b" {} MTF "gear" { m = if(t < 1, 0.5, 2); }
        Bond "1" { From = a; To = I1; } Bond "2" { From = a; To = gear; } Bond "3" { From = gear; To = twist; }
        Bond "4" { From = twist; To = shaft; } Bond "5" { From = twist; To = b; } Bond "6" { From = b; To = I2; }"#,
    ));
    let table = outcome.table("csv");
    // A lossless system: energy is kept through the change. The tolerance of 1e-9 per step and some thousand
    // steps of oscillation leave 1e-6.
    let energy = |t: f64| {
        ["I1", "I2", "shaft"].iter().map(|name| table.at(t, &format!("{name}.energy"))).sum::<f64>()
    };
    assert!((energy(1.5) - 9.0).abs() <= 9.0e-6, "{}", energy(1.5));
}
