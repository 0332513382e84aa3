//! Inductors that share all of their flux, in groups of three.

use super::{follows, stiff};
use dysim_tests::circuits::{power_gap, solve};

/// 1e-8 relative, and as much again for every one of the some hundred steps.
const TOLERANCE: f64 = 1e-5;

/// Turns as 1 : 2 : 3, all flux through all of them.
const WINDINGS: &str = "MutualInductor \"K12\" { Inductor1 = L1; Inductor2 = L2; K = 1; } \
     MutualInductor \"K13\" { Inductor1 = L1; Inductor2 = L3; K = 1; } \
     MutualInductor \"K23\" { Inductor1 = L2; Inductor2 = L3; K = 1; } \
     Inductor \"L2\" { p = b; n = gnd; L = 4; } Inductor \"L3\" { p = c; n = gnd; L = 9; } \
     Resistor \"R2\" { p = b; n = gnd; R = 40; } Resistor \"R3\" { p = c; n = gnd; R = 45; }";

/// What the loads are beside the first winding: 2^2/40 + 3^2/45, S.
const LOADS: f64 = 0.3;

#[test]
fn three_windings_with_one_flux_are_a_transformer() {
    let table = solve(
        stiff(2.0, 0.02),
        &format!(
            "VoltageSource \"V\" {{ p = in; n = gnd; V = 12; }} Resistor \"R0\" {{ p = in; n = a; R = 5; }} \
             Inductor \"L1\" {{ p = a; n = gnd; L = 1; }} {WINDINGS}"
        ),
    )
    .table("csv");
    // L1 im' = v and (12 - v)/5 = im + 0.3 v: v falls from 2.4/0.5 with the time constant 0.5 s.
    let v = |t: f64| 4.8 * (-2.0 * t).exp();
    follows(&table, "L1.v", TOLERANCE, v);
    follows(&table, "L2.v", TOLERANCE, |t| 2.0 * v(t));
    follows(&table, "L3.v", TOLERANCE, |t| 3.0 * v(t));
    follows(&table, "L1.i", TOLERANCE, |t| 2.4 - 0.2 * v(t));
    follows(&table, "L3.i", TOLERANCE, |t| -3.0 * v(t) / 45.0);
    // One flux: it links the third winding three times as often as the first.
    follows(&table, "L1.flux", TOLERANCE, |t| 2.4 - 0.5 * v(t));
    follows(&table, "L3.flux", TOLERANCE, |t| 3.0 * (2.4 - 0.5 * v(t)));
    assert!(power_gap(&table) < 1e-9);
}

#[test]
fn a_current_at_the_start_gives_the_common_flux() {
    let table = solve(
        stiff(1.0, 0.01),
        &format!(
            "Resistor \"R0\" {{ p = a; n = gnd; R = 5; }} Inductor \"L1\" {{ p = a; n = gnd; L = 1; Iinit = 2; }} {WINDINGS}"
        ),
    )
    .table("csv");
    // The flux of 2 A in L1 decays through 1/5 S and the loads.
    let conductance = 0.2 + LOADS;
    follows(&table, "L1.flux", TOLERANCE, |t| 2.0 * (-t / conductance).exp());
    follows(&table, "L2.v", 5.0 * TOLERANCE, |t| -4.0 / conductance * (-t / conductance).exp());
}

/// Two of three windings share all of their flux, the third half of it: L has the rank two.
#[test]
fn a_third_winding_with_leakage() {
    let drive = "VoltageSource \"V\" { p = in; n = gnd; V = 12*sin(3*t); } Resistor \"R0\" { p = in; n = a; R = 5; } \
                 Resistor \"R2\" { p = b; n = gnd; R = 40; } Resistor \"R3\" { p = c; n = gnd; R = 7; }";
    let windings = solve(
        stiff(4.0, 0.02),
        &format!(
            "{drive} Inductor \"L1\" {{ p = a; n = gnd; L = 1; }} Inductor \"L2\" {{ p = b; n = gnd; L = 4; }} \
             Inductor \"L3\" {{ p = c; n = gnd; L = 1; }} \
             MutualInductor \"K12\" {{ Inductor1 = L1; Inductor2 = L2; M = 2; }} \
             MutualInductor \"K13\" {{ Inductor1 = L1; Inductor2 = L3; K = 0.5; }} \
             MutualInductor \"K23\" {{ Inductor1 = L2; Inductor2 = L3; K = 0.5; }}"
        ),
    )
    .table("csv");
    // The same with an ideal transformer for the second winding.
    let transformer = solve(
        stiff(4.0, 0.02),
        &format!(
            "{drive} Inductor \"L1\" {{ p = a; n = gnd; L = 1; }} Inductor \"L3\" {{ p = c; n = gnd; L = 1; }} \
             MutualInductor \"K13\" {{ Inductor1 = L1; Inductor2 = L3; K = 0.5; }} \
             Transformer \"T\" {{ p1 = a; n1 = gnd; p2 = b; n2 = gnd; Ratio = 0.5; }}"
        ),
    )
    .table("csv");
    for column in ["a.v", "b.v", "c.v", "R0.i", "R3.i", "L3.i"] {
        let (found, expected) = (windings.column(column), transformer.column(column));
        for (x, y) in found.iter().zip(&expected) {
            assert!((x - y).abs() < TOLERANCE, "{column}: {x}, not {y}");
        }
    }
    assert!(power_gap(&windings) < 1e-9);
}
