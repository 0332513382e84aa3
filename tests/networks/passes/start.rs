//! Where a run begins when the first guess is far away, and values that are known only then.

use super::{follows, stiff};
use dysim_tests::circuits::{solve, text};
use dysim_tests::simulate::run;

/// Newton's iteration for 10 atan(v - 5) + v/R = 0 from v = 0 overshoots into a cycle of 1.6e7 V, whole and halved
/// steps alike; along a homotopy it arrives.
#[test]
fn an_iteration_that_overshoots_is_led_along_a_homotopy() {
    let elements = "CurrentSource \"I\" { p = x; n = gnd; I = 10*atan(x.v - 5); } \
                    Resistor \"R\" { p = x; n = gnd; R = 1e6; }";
    let table = solve(stiff(1.0, 0.5), elements).table("csv");
    // atan(d) = d to third order: 10 d = -(5 + d)/1e6.
    let exact = 5.0 - 5.0 / (1e7 + 1.0);
    follows(&table, "x.v", 1e-12, |_| exact);
}

/// q' = -v/R with C = C0 (1 + t) and R C0 = 1 s: q = q0/(1 + t), v = v0/(1 + t)^2; likewise the inductor.
#[test]
fn given_values_of_storages_that_vary_are_kept() {
    let table = solve(
        stiff(1.0, 0.05),
        "Capacitor \"C\" { p = a; n = gnd; C = 1e-6*(1 + t); Vinit = 5; } Resistor \"R\" { p = a; n = gnd; R = 1e6; } \
         Inductor \"L\" { p = b; n = gnd; L = 2*(1 + t); Iinit = 3; } Resistor \"Rl\" { p = b; n = gnd; R = 2; }",
    )
    .table("csv");
    follows(&table, "C.v", 1e-5, |t| 5.0 / (1.0 + t).powi(2));
    follows(&table, "L.i", 1e-5, |t| 3.0 / (1.0 + t).powi(2));
}

#[test]
fn a_wiper_that_leaves_its_track_is_named() {
    let elements = "VoltageSource \"V\" { p = in; n = gnd; V = 10; } \
                    Potentiometer \"Pot\" { p = in; n = gnd; w = out; R = 1000; Position = 0.5 + t; } \
                    Resistor \"Load\" { p = out; n = gnd; R = 1e5; }";
    let outcome = run(&text(stiff(1.0, 0.1), "", elements));
    let Some(error) = &outcome.error else { panic!("it ran") };
    let words = format!("{error:?}");
    assert!(words.contains("the position of Potentiometer `Pot` leaves its range"), "{words}");
}

/// A part that a switch cuts off keeps its potential, and the log says so.
#[test]
fn a_part_that_is_cut_off_is_noted_in_the_log() {
    let elements = "VoltageSource \"V\" { p = in; n = gnd; V = 10; } Resistor \"R\" { p = in; n = gnd; R = 10; } \
                    Switch \"S\" { p = in; n = a; Closed = t < 0.5; } \
                    Resistor \"R1\" { p = a; n = b; R = 10; } Resistor \"R2\" { p = a; n = b; R = 10; }";
    let outcome = solve(stiff(1.0, 0.1), elements);
    let log = outcome.text("log");
    assert!(log.contains("was cut off from `gnd`"), "{log}");
    assert!(log.contains("power balance of the networks"), "{log}");
}

/// What grows without end has no steady state, and is named; what is large has one, an angle that nobody looks at may grow, and
/// a value that is given stays.
#[test]
fn a_start_without_a_steady_state_is_refused() {
    let steady = |elements: &str| run(&text(stiff(0.1, 0.05), "Initial = steady;", elements));
    let motor =
        "Motor \"m\" { p = p; n = gnd; shaft = s; R = 1; k = 0.05; L = 1e-3; J = 1e-5; d = 1e-5; }
                 VoltageSource \"V\" { p = p; n = gnd; V = 12; }";
    let refused = [
        ("Integrator \"x\" { u = 1; }", "Integrator `x`: it would grow"),
        ("Inertia \"J\" { a = s; J = 1; } TorqueSource \"q\" { a = s; Tau = 2; }", "node `s`: it would grow"),
        (
            "PT1 \"a\" { u = 0.5; T = 2; } Integrator \"b\" { u = a.y - 0.5; } Integrator \"c\" { u = a.y - 0.25; }
             Integrator \"d\" { u = c.y - 3; }",
            "Integrator `c`: it and Integrator `d` would grow",
        ),
        (&format!("{motor} Integrator \"i\" {{ u = 1e-6*sin(m.phi) + 1e-3; }}"), "Integrator `i`"),
        ("PI \"c\" { u = 0.1; k = 2; Ti = 0.5; }", "PI `c`: it would grow"),
    ];
    for (elements, words) in refused {
        let outcome = steady(elements);
        let Some(error) = &outcome.error else { panic!("it ran: {elements}") };
        assert!(format!("{error:?}").contains(words), "{words}: {error:?}");
    }
    let found = [
        (motor, "m.w", 12.0 * 0.05 / (0.05 * 0.05 + 1e-5)),
        ("PT1 \"far\" { u = 1e9; T = 1; }", "far.y", 1e9),
        ("Integrator \"x\" { u = 1; yinit = 3; }", "x.y", 3.0),
        ("Integrator \"x\" { u = 2 - x.y; k = 1e-6; }", "x.y", 2.0),
    ];
    for (elements, column, expected) in found {
        let outcome = steady(elements);
        assert!(outcome.error.is_none(), "{:?}", outcome.error);
        let x = outcome.table("csv").at(0.0, column);
        // The operating point is where an implicit step of 1e10 s ends.
        assert!((x - expected).abs() <= 1e-3 * expected.abs(), "{column} = {x}, not {expected}");
    }
}
