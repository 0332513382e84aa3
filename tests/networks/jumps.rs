//! Jumps that physics defines are told in the log, with the energy that they take; against closed forms.

use dysim_tests::circuits::{Setting, text};
use dysim_tests::event_runs::simulate;

const SETTING: Setting = Setting { solver: "derf", end: 0.02, step: 1e-3, tolerance: 1e-9 };

/// The line of the log about a jump, and the energy that it tells.
fn jump(blocks: &str) -> (String, f64) {
    let told = simulate(&text(SETTING, "", blocks)).to_the_end();
    let lines: Vec<&str> = told.log.lines().filter(|line| line.contains("jumps from")).collect();
    assert_eq!(lines.len(), 1, "{}", told.log);
    let energy = lines[0].split("; ").nth(1).and_then(|words| words.split(" J").next());
    let energy = energy.and_then(|words| words.split(' ').next_back()?.parse().ok());
    (lines[0].to_string(), energy.unwrap_or_else(|| panic!("no energy: {}", lines[0])))
}

fn near(found: f64, expected: f64) {
    // Seven digits are written; the states are known to 1e-9.
    assert!((found - expected).abs() < 1e-6 * expected, "{found} is not {expected}");
}

#[test]
fn charge_that_is_shared_loses_energy() {
    let (line, lost) = jump(
        "Capacitor \"C1\" { p = a; n = gnd; C = 1e-6; Vinit = 9; } Switch \"S\" { p = a; n = b; Closed = t >= 0.0105; } \
         Capacitor \"C2\" { p = b; n = gnd; C = 2e-6; Vinit = 0; }",
    );
    assert!(line.contains("C1.v jumps from 9 to 3, C2.v jumps from 0 to 3"), "{line}");
    // C1 C2/(2 (C1 + C2)) (v1 - v2)^2.
    near(lost, 0.5 * (2.0 / 3.0) * 1e-6 * 81.0);
}

#[test]
fn a_closed_switch_takes_the_charge_of_a_capacitor() {
    let (line, lost) = jump(
        "Capacitor \"C\" { p = a; n = gnd; C = 1e-6; Vinit = 5; } Switch \"S\" { p = a; n = gnd; Closed = t >= 0.0105; }",
    );
    assert!(line.contains("C.v jumps from 5 to 0") && line.contains("dissipated"), "{line}");
    near(lost, 0.5 * 1e-6 * 25.0);
}

/// Another capacitor behind a diode keeps its charge: the impulse would have to flow backward through it.
#[test]
fn a_diode_holds_charge_back_where_a_switch_takes_it() {
    let told = simulate(&text(
        SETTING,
        "",
        "Capacitor \"C1\" { p = a; n = gnd; C = 1e-6; Vinit = 5; } Diode \"D\" { p = a; n = b; } \
         Capacitor \"C2\" { p = b; n = gnd; C = 1e-6; Vinit = 5; } Switch \"S\" { p = a; n = gnd; Closed = t >= 0.0105; }",
    ))
    .to_the_end();
    assert!(told.last("C1.v").abs() < 1e-9 && (told.last("C2.v") - 5.0).abs() < 1e-9);
}

#[test]
fn coils_that_come_in_series_lose_energy() {
    let (line, lost) = jump(
        "VoltageSource \"V\" { p = in; n = gnd; V = 10; } Inductor \"L1\" { p = in; n = x; L = 0.01; } \
         Switch \"S\" { p = x; n = gnd; Closed = t < 0.0105; } Inductor \"L2\" { p = x; n = y; L = 0.02; } \
         Resistor \"R\" { p = y; n = gnd; R = 5; } Diode \"D\" { p = gnd; n = y; }",
    );
    assert!(line.contains("L1.i jumps from 10.5 to 3.5, L2.i jumps from 0 to 3.5"), "{line}");
    near(lost, 0.5 * (0.01 * 10.5 * 10.5 - 0.03 * 3.5 * 3.5));
}

/// Two inertias on a transformer whose modulus steps from 1/2 to 2. Port 1 turns with f1, port 2 with f2 = m f1, and the impulses
/// of both are in the same proportion, so that I1 f1 + m I2 f2 stays: a plastic impact.
#[test]
fn an_impact_loses_energy() {
    let (line, lost) = jump(
        "I \"J1\" { I = 3; Pinit = 6; } Junction1 \"a\" {} MTF \"gear\" { m = if(t < 0.0105, 0.5, 2); } \
         Junction1 \"b\" {} I \"J2\" { I = 1; } Bond \"p\" { From = a; To = J1; } Bond \"q\" { From = a; To = gear; } \
         Bond \"r\" { From = gear; To = b; } Bond \"s\" { From = b; To = J2; }",
    );
    // Before: f1 = 2, f2 = 1; behind it 3 f1 + 2 * 2 f1 = 3 * 2 + 2 * 1, f2 = 2 f1.
    let f1: f64 = 8.0 / 7.0;
    assert!(line.contains("J1.p jumps from 6 to 3.42857, J2.p jumps from 1 to 2.28571"), "{line}");
    near(lost, 0.5 * (3.0 * 4.0 + 1.0) - 0.5 * (3.0 * f1 * f1 + 4.0 * f1 * f1));
}
