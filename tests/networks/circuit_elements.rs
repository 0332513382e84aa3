//! Elements of circuits against closed forms: valves, amplifiers, transistors, couplings, rest positions.

#![allow(clippy::panic, reason = "a test ends where something is not so")]

use dysim_tests::circuits::{Setting, power_gap, solve, text};
use dysim_tests::simulate::{Table, run};

/// With a relative tolerance of 1e-9 per step, errors stay below 1e-7 over a few hundred steps.
const SETTING: Setting = Setting { solver: "derf", end: 0.02, step: 0.001, tolerance: 1e-9 };

fn near(table: &Table, t: f64, column: &str, expected: f64, tolerance: f64) {
    let found = table.at(t, column);
    let allowed = tolerance * expected.abs().max(1e-3);
    assert!((found - expected).abs() <= allowed, "{column} at {t}: {found} instead of {expected}");
}

/// A source of 10 sin(w t) V, w = 100 pi, behind 100 Ohm.
const SOURCE: &str = "VoltageSource \"V\" { p = in; n = gnd; V = 10*sin(100*pi*t); } Resistor \"R\" { p = in; n = a; R = 100; }\n";

fn source(t: f64) -> f64 {
    10.0 * (100.0 * std::f64::consts::PI * t).sin()
}

#[test]
fn a_zener_diode_clips_on_both_sides() {
    let outcome =
        solve(SETTING, &format!("{SOURCE} Zener \"Z\" {{ p = gnd; n = a; Vz = 5; Rz = 1; }}"));
    let table = outcome.table("csv");
    // Breakdown: v = -5 + Rz i with i = -(v_in - 5)/(R + Rz); forward: 0.7 V.
    near(&table, 0.005, "a.v", 5.0 + 5.0 / 101.0, 1e-9);
    near(&table, 0.015, "a.v", -0.7, 1e-12);
    near(&table, 0.001, "a.v", source(0.001), 1e-12);
    near(&table, 0.005, "Z.state", -1.0, 0.0);
    near(&table, 0.015, "Z.state", 1.0, 0.0);
    assert!(power_gap(&table) < 1e-12);
}

#[test]
fn diodes_with_threshold_and_resistances() {
    let table = solve(
        SETTING,
        &format!("{SOURCE} Diode \"D\" {{ p = a; n = gnd; Vf = 0.6; Ron = 10; Roff = 1e4; }}"),
    )
    .table("csv");
    // Closed: v = Vf + Ron (i - Vf/Roff), i = (v_in - v)/R.
    let (g, t) = (1e-4, 0.005);
    let i = (source(t) - 0.6 + 10.0 * g * 0.6) / 110.0;
    near(&table, t, "D.i", i, 1e-12);
    near(&table, 0.015, "D.v", source(0.015) * 1e4 / 10_100.0, 1e-12);
}

#[test]
fn a_thyristor_waits_for_its_gate() {
    let outcome = solve(
        SETTING,
        &format!(
            "{SOURCE} Thyristor \"T\" {{ p = a; n = gnd; Gate = t >= 0.004 && t < 0.005; Ihold = 0.01; }}"
        ),
    );
    let table = outcome.table("csv");
    near(&table, 0.003, "T.i", 0.0, 0.0);
    near(&table, 0.004, "T.i", source(0.004) / 100.0, 1e-12);
    near(&table, 0.008, "T.i", source(0.008) / 100.0, 1e-12);
    // It opens where the current falls to the holding current: 10 sin(w t)/100 = 0.01.
    let open = 0.01 - (0.1f64).asin() / (100.0 * std::f64::consts::PI);
    let log = outcome.text("log");
    let line = log
        .lines()
        .find(|line| line.contains("Thyristor T: closed -> open"))
        .unwrap_or_else(|| panic!("{log}"));
    let t: f64 = line.split(['=', ':', ',', ' ']).find_map(|word| word.parse().ok()).unwrap_or(0.0);
    assert!((t - open).abs() < 1e-10, "{line}, not {open}");
}

#[test]
fn amplifiers_with_gain_pole_and_limits() {
    // Inverting amplifier: v_out = -10 v_in A/(A + 11), through Rout.
    let text_of = |amplifier: &str| {
        format!(
            "VoltageSource \"V\" {{ p = in; n = gnd; V = if(t >= 0.001, 0.5, 0); }} Resistor \"R1\" {{ p = in; n = m; R = 1e3; }} \
         Resistor \"R2\" {{ p = m; n = out; R = 1e4; }} OpAmp \"A\" {{ p = gnd; n = m; out = out; {amplifier} }}"
        )
    };
    let table = solve(SETTING, &text_of("Gain = 1000;")).table("csv");
    near(&table, 0.01, "out.v", -5.0 * 1000.0 / 1011.0, 1e-12);
    let table = solve(SETTING, &text_of("Vmin = -3; Vmax = 3;")).table("csv");
    near(&table, 0.01, "out.v", -3.0, 1e-12);
    near(&table, 0.01, "A.state", -1.0, 0.0);
    // With a pole at fp the loop has the time constant 1/(2 pi fp (1 + A/11)).
    let table = solve(SETTING, &text_of("Gain = 1000; Fp = 10;")).table("csv");
    let tau = 1.0 / (std::f64::consts::TAU * 10.0 * (1.0 + 1000.0 / 11.0));
    near(
        &table,
        0.0015 + 0.0005,
        "out.v",
        -5.0 * 1000.0 / 1011.0 * (1.0 - (-0.001 / tau).exp()),
        1e-6,
    );
}

#[test]
fn field_effect_transistors_in_all_regions() {
    // K = 2e-5 A/V^2, Vto = 1: cut off, linear and saturated, both ways round.
    let case = |vg: f64, vd: f64, vs: f64| {
        solve(SETTING, &format!(
            "VoltageSource \"G\" {{ p = g; n = gnd; V = {vg}; }} VoltageSource \"D\" {{ p = d; n = gnd; V = {vd}; }} \
             VoltageSource \"S\" {{ p = s; n = gnd; V = {vs}; }} NMOS \"M\" {{ d = d; g = g; s = s; Lambda = 0.02; }} \
             VoltageSource \"Gp\" {{ p = gp; n = gnd; V = {}; }} VoltageSource \"Dp\" {{ p = dp; n = gnd; V = {}; }} \
             VoltageSource \"Sp\" {{ p = sp; n = gnd; V = {}; }} PMOS \"P\" {{ d = dp; g = gp; s = sp; Lambda = 0.02; }}",
            -vg, -vd, -vs)).table("csv")
    };
    let k = 2e-5;
    for (vg, vd, vs, id) in [
        (0.5, 5.0, 0.0, 0.0),
        (3.0, 0.5, 0.0, k * (2.0 - 0.25) * 0.5 * 1.01),
        (3.0, 5.0, 0.0, 0.5 * k * 4.0 * 1.1),
        (3.0, 0.0, 0.5, -k * (2.0 - 0.25) * 0.5 * 1.01),
    ] {
        let table = case(vg, vd, vs);
        assert!(
            (table.at(0.0, "M.id") - id).abs() <= 1e-15,
            "{} instead of {id}",
            table.at(0.0, "M.id")
        );
        assert!(
            (table.at(0.0, "P.id") + id).abs() <= 1e-15,
            "{} instead of {}",
            table.at(0.0, "P.id"),
            -id
        );
        assert!(power_gap(&table) < 1e-12);
    }
}

#[test]
fn a_pnp_transistor_mirrors_an_npn_transistor() {
    let half = |sign: f64, keyword: &str, k: u8| {
        format!(
            "VoltageSource \"V{k}\" {{ p = c{k}; n = gnd; V = {}; }} VoltageSource \"B{k}\" {{ p = s{k}; n = gnd; V = {}*t; }} Resistor \"R{k}\" {{ p = s{k}; n = b{k}; R = 1e4; }} \
         {keyword} \"Q{k}\" {{ c = c{k}; b = b{k}; e = e{k}; VAF = 50; RB = 100; RC = 10; RE = 1; }} Resistor \"E{k}\" {{ p = e{k}; n = gnd; R = 100; }}\n",
            5.0 * sign,
            50.0 * sign
        )
    };
    let outcome = solve(SETTING, &(half(1.0, "NPN", 1) + &half(-1.0, "PNP", 2)));
    let table = outcome.table("csv");
    for row in &table.rows {
        for signal in ["ic", "ib", "ie"] {
            let (a, b) = (
                row[table.index(&format!("Q1.{signal}"))],
                row[table.index(&format!("Q2.{signal}"))],
            );
            assert!((a + b).abs() <= 1e-12 * a.abs(), "{signal}: {a} and {b}");
        }
    }
    assert!(table.last("Q1.ic") > 1e-5);
}

#[test]
fn controlled_sources_and_a_potentiometer() {
    let table = solve(SETTING,
        "VoltageSource \"V\" { p = in; n = gnd; V = 12; } Potentiometer \"P\" { p = in; n = gnd; w = w; R = 1000; Position = 0.25 + 0*t; } \
         VCVS \"E\" { p = e; n = gnd; cp = w; cn = gnd; Gain = 2; } Resistor \"Re\" { p = e; n = gnd; R = 10; } \
         VCCS \"G\" { p = gnd; n = g; cp = w; cn = gnd; Gain = 0.1; } Resistor \"Rg\" { p = g; n = gnd; R = 10; } \
         CCVS \"H\" { p = h; n = gnd; Control = Re; Gain = 5; } Resistor \"Rh\" { p = h; n = gnd; R = 10; } \
         CCCS \"F\" { p = gnd; n = f; Control = Re; Gain = 3; } Resistor \"Rf\" { p = f; n = gnd; R = 10; }").table("csv");
    for (signal, value) in [("w.v", 3.0), ("e.v", 6.0), ("g.v", 3.0), ("h.v", 3.0), ("f.v", 18.0)] {
        near(&table, 0.0, signal, value, 1e-12);
    }
    assert!(power_gap(&table) < 1e-12);
}

#[test]
fn a_full_coupling_has_one_flux() {
    // |K| = 1: v2 = v1 sqrt(L2/L1), and the primary side sees L1 beside R2 L1/L2.
    let table = solve(SETTING,
        "VoltageSource \"V\" { p = in; n = gnd; V = 10; } Resistor \"R1\" { p = in; n = a; R = 100; } Inductor \"L1\" { p = a; n = gnd; L = 1; } \
         Inductor \"L2\" { p = b; n = gnd; L = 0.25; } MutualInductor \"K\" { Inductor1 = L1; Inductor2 = L2; K = 1; } Resistor \"R2\" { p = b; n = gnd; R = 25; }").table("csv");
    let parallel = 100.0 * 100.0 / 200.0;
    let v = |t: f64| 5.0 * (-t * parallel).exp();
    near(&table, 0.01, "L1.v", v(0.01), 1e-7);
    near(&table, 0.01, "L2.v", v(0.01) / 2.0, 1e-7);
    assert!(power_gap(&table) < 1e-12);
}

#[test]
fn a_switch_between_capacitors_redistributes_their_charge() {
    let table = solve(SETTING,
        "Capacitor \"C1\" { p = a; n = gnd; C = 1e-6; Vinit = 9; } Switch \"S\" { p = a; n = b; Closed = t >= 0.005; } \
         Capacitor \"C2\" { p = b; n = gnd; C = 2e-6; Vinit = 0; } Resistor \"R\" { p = b; n = gnd; R = 1e9; }").table("csv");
    near(&table, 0.004, "C1.v", 9.0, 1e-9);
    // 9 uC on 3 uF. The resistor takes 1e-6 of it in the meantime.
    near(&table, 0.005, "C1.v", 3.0, 1e-9);
    near(&table, 0.005, "C2.v", 3.0, 1e-9);
}

#[test]
fn contradicting_initial_values_are_redistributed_with_a_warning() {
    let outcome = solve(
        SETTING,
        "Capacitor \"C1\" { p = a; n = gnd; C = 1e-6; Vinit = 9; } Capacitor \"C2\" { p = a; n = gnd; C = 2e-6; Vinit = 0; } \
         Resistor \"R\" { p = a; n = gnd; R = 1e9; }",
    );
    near(&outcome.table("csv"), 0.0, "C1.v", 3.0, 1e-9);
    assert!(
        outcome
            .summary
            .remarks
            .iter()
            .any(|remark| remark.contains("Capacitor `C1` starts at 3 instead of 9")),
        "{:?}",
        outcome.summary.remarks
    );
}

#[test]
fn a_switch_that_shorts_a_charged_capacitor_is_an_error() {
    let outcome = run(&text(
        SETTING,
        "",
        "VoltageSource \"V\" { p = in; n = gnd; V = 5; } Switch \"S\" { p = in; n = a; Closed = t >= 0.005; } \
         Capacitor \"C\" { p = a; n = gnd; C = 1e-6; } Resistor \"R\" { p = a; n = gnd; R = 1000; }",
    ));
    let Some(error) = &outcome.error else { panic!("it ran") };
    let words = format!("{error:?}");
    assert!(
        words.contains("Capacitor `C` would have to jump")
            && words.contains("Switch `S`")
            && words.contains("Ron"),
        "{words}"
    );
}

#[test]
fn a_steady_start_is_at_the_operating_point() {
    let outcome = run(&text(SETTING, "Initial = steady;",
        "VoltageSource \"V\" { p = in; n = gnd; V = 10; } Resistor \"R1\" { p = in; n = a; R = 100; } Inductor \"L\" { p = a; n = b; L = 0.1; } \
         Resistor \"R2\" { p = b; n = gnd; R = 300; } Capacitor \"C\" { p = b; n = gnd; C = 1e-6; } Capacitor \"C3\" { p = b; n = c; C = 1e-6; Vinit = 2; } Resistor \"R3\" { p = c; n = gnd; R = 1e3; }")).complete();
    let table = outcome.table("csv");
    // C3 keeps its given voltage, so that 5.5 V/1 kOhm flow through it at first; all else rests: 10 V on 100 Ohm and
    // 300 Ohm beside 1 kOhm in series with 2 V.
    let v = (10.0 / 100.0 + 2.0 / 1000.0) / (1.0 / 100.0 + 1.0 / 300.0 + 1.0 / 1000.0);
    near(&table, 0.0, "C.v", v, 1e-9);
    near(&table, 0.0, "L.v", 0.0, 1e-9);
    near(&table, 0.0, "C3.v", 2.0, 1e-12);
}

#[test]
fn a_variable_capacitor_keeps_its_charge() {
    // The charge is the integral of the current, whatever the capacitance does; at the end that has doubled.
    let table = solve(SETTING, "Capacitor \"C\" { p = a; n = gnd; C = 1e-6*(1 + 50*t); } CurrentSource \"I\" { p = gnd; n = a; I = 1e-3; }").table("csv");
    near(&table, 0.02, "C.q", 2e-5, 1e-9);
    near(&table, 0.02, "C.v", 2e-5 / 2e-6, 1e-7);
}

#[test]
fn mechanics_and_networks_are_one_system() {
    // A motor written by hand: v = R i + L i' + k w; torque k i on the joint; and a body that only the motor turns.
    let mechanics = "Triad \"base\" { Parent = world; Position = 0,0,0; Orientation = 0,0,0; AngleType = euler; Degrees = rad; }\n\
        Triad \"hub\" { Parent = rotor; Position = 0,0,0; Orientation = 0,0,0; AngleType = euler; Degrees = rad; }\n\
        Revolute \"shaft\" { Parent = rotor; TriadFrom = base; TriadTo = hub; JointAxis = 0,0,1; JointPoint = 0,0,0; Qinit = 0; QDinit = 0; Degrees = rad; }\n\
        Body \"rotor\" { Parent = world; Joint = shaft; Mass = 1; Inertia = 0.01,0,0, 0.01,0, 0.01; CGFramePosition = 0,0,0; CGFrameOrientation = 0,0,0; AngleType = euler; Degrees = rad; }\n\
        JointForce \"torque\" { Joint1D = shaft; Value = 0.5*Ra.i; }\n";
    let network = "VoltageSource \"V\" { p = in; n = gnd; V = 12; } Resistor \"Ra\" { p = in; n = a; R = 1; } Inductor \"La\" { p = a; n = b; L = 0.02; } \
        VoltageSource \"emf\" { p = b; n = gnd; V = 0.5*shaft.qd; }\n";
    for solver in ["derf", "stiff"] {
        let setting = Setting { solver, end: 0.2, step: 0.01, tolerance: 1e-9 };
        let table = solve(setting, &format!("{mechanics}{network}")).table("csv");
        // J L w'' + J R w' + k^2 w = k V: roots of 0.0002 s^2 + 0.01 s + 0.25 are -25 +- 25i.
        let t: f64 = 0.05;
        let w = 24.0 * (1.0 - (-25.0 * t).exp() * ((25.0 * t).cos() + (25.0 * t).sin()));
        near(&table, t, "shaft.qd", w, 1e-6);
        near(
            &table,
            t,
            "La.i",
            0.01 / 0.5 * 24.0 * 50.0 * (-25.0 * t).exp() * (25.0 * t).sin(),
            1e-6,
        );
    }
}
