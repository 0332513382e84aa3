//! Circuits against closed forms and reference values.
//!
//! Linear circuits are run with a relative tolerance of 1e-9 per step. Over some hundred steps errors add up to
//! less than 1e-7 of the largest value, which is what is asked for unless a case says otherwise.

#![allow(clippy::panic, reason = "a test ends where something is not so")]

use dysim_tests::circuits::{Setting, power_gap, solve, text};
use dysim_tests::simulate::{Table, run};

const FINE: f64 = 1e-9;

fn near(table: &Table, t: f64, column: &str, expected: f64, tolerance: f64) {
    let found = table.at(t, column);
    let allowed = tolerance * expected.abs().max(1e-3);
    assert!(
        (found - expected).abs() <= allowed,
        "{column} at t = {t}: {found} instead of {expected}, off by {:e}",
        found - expected
    );
}

fn derf(end: f64, step: f64) -> Setting {
    Setting { solver: "derf", end, step, tolerance: FINE }
}

fn stiff(end: f64, step: f64) -> Setting {
    Setting { solver: "stiff", ..derf(end, step) }
}

#[test]
fn series_resonance_follows_the_matrix_exponential() {
    // EL-rlc_series: 10 V on R, L = 10 mH, C = 0.1 mF.
    let cases = [
        (
            10.0,
            [
                (0.001, 3.4029984660829833803, 0.53350719511469298276),
                (0.005, 10.745905665950332998, -0.08794242073251285424),
            ],
        ),
        (
            20.0,
            [
                (0.001, 2.6424111765711535681, 0.3678794411714423216),
                (0.005, 9.5957231800548719742, 0.033689734995427335483),
            ],
        ),
        (
            100.0,
            [
                (0.001, 0.86766341866691804881, 0.092250260095258918254),
                (0.005, 3.9033460087875130048, 0.061588712251621314549),
            ],
        ),
    ];
    for setting in [derf(0.01, 0.0005), stiff(0.01, 0.0005)] {
        for (r, values) in cases {
            let outcome = solve(
                setting,
                &format!(
                    "VoltageSource \"V\" {{ p = in; n = gnd; V = 10; }} Resistor \"R\" {{ p = in; n = a; R = {r}; }} \
                 Inductor \"L\" {{ p = a; n = b; L = 0.01; }} Capacitor \"C\" {{ p = b; n = gnd; C = 1e-4; }}"
                ),
            );
            let table = outcome.table("csv");
            for (t, v, i) in values {
                near(&table, t, "C.v", v, 1e-7);
                near(&table, t, "L.i", i, 1e-7);
            }
            assert!(power_gap(&table) < 1e-12);
        }
    }
}

#[test]
fn half_wave_rectifier_with_an_inductor() {
    // EL-HW-RL: an open diode leaves the inductor without a state of its own.
    for setting in [derf(0.04, 0.0005), stiff(0.04, 0.0005)] {
        let outcome = solve(
            setting,
            "VoltageSource \"V\" { p = in; n = gnd; V = 10*sin(2*pi*50*t); } Diode \"D\" { p = in; n = a; } \
             Resistor \"R\" { p = a; n = b; R = 5; } Inductor \"L\" { p = b; n = gnd; L = 0.02; }",
        );
        let table = outcome.table("csv");
        near(&table, 0.0025, "L.i", 0.38087127479054094925, 1e-7);
        near(&table, 0.005, "L.i", 1.0546416898433415266, 1e-7);
        near(&table, 0.01, "L.i", 1.0544521433810207757, 1e-7);
        assert_eq!(table.at(0.015, "L.i"), 0.0);
        near(&table, 0.0225, "L.i", 0.38087127479054094925, 1e-7);
        let log = outcome.text("log");
        let off = log
            .lines()
            .find(|line| line.contains("Diode D: closed -> open"))
            .unwrap_or_else(|| panic!("{log}"));
        let t: f64 =
            off.split(['=', ':', ',', ' ']).find_map(|word| word.parse().ok()).unwrap_or(0.0);
        assert!((t - 0.01295805917159720288).abs() < 1e-9, "{off}");
        assert!(power_gap(&table) < 1e-12);
    }
}

#[test]
fn half_wave_rectifier_with_a_filter() {
    // EL-halfwave_RC_filter_ideal_diode.
    for setting in [derf(0.1, 0.001), stiff(0.1, 0.001)] {
        let outcome = solve(
            setting,
            "VoltageSource \"V\" { p = in; n = gnd; V = 10*sin(2*pi*50*t); } Diode \"D\" { p = in; n = a; } \
             Resistor \"Rs\" { p = a; n = out; R = 1; } Capacitor \"C\" { p = out; n = gnd; C = 1e-3; } \
             Resistor \"Rl\" { p = out; n = gnd; R = 100; }",
        );
        let table = outcome.table("csv");
        near(&table, 0.02, "C.v", 8.2253277158177654602, 1e-7);
        near(&table, 0.04, "C.v", 8.3180347737362375442, 1e-7);
        near(&table, 0.06, "C.v", 8.321962478947596329, 1e-7);
        near(&table, 0.1, "C.v", 8.3221408751248390843, 1e-7);
        assert_eq!(outcome.summary.events, 10);
    }
}

#[test]
fn coupled_inductors() {
    // EL-coupled_inductors_step, as inductors with a coupling and as a transformer.
    let rest = "VoltageSource \"V\" { p = in; n = gnd; V = 10; } Resistor \"R1\" { p = in; n = a; R = 2; } \
                Resistor \"R2\" { p = b; n = gnd; R = 3; }";
    let by_inductors = format!(
        "{rest} Inductor \"L1\" {{ p = a; n = gnd; L = 1; }} Inductor \"L2\" {{ p = b; n = gnd; L = 0.5; }} \
                                MutualInductor \"K\" {{ Inductor1 = L1; Inductor2 = L2; M = 0.6; }}"
    );
    let by_transformer = format!(
        "{rest} Transformer \"T\" {{ p1 = a; n1 = gnd; p2 = b; n2 = gnd; L1 = 1; L2 = 0.5; M = 0.6; }}"
    );
    for (elements, i1, i2) in [(by_inductors, "L1.i", "L2.i"), (by_transformer, "T.i1", "T.i2")] {
        let outcome = solve(derf(3.0, 0.1), &elements);
        let table = outcome.table("csv");
        near(&table, 0.1, i1, 1.5936979325701035504, 1e-7);
        near(&table, 0.1, i2, -1.3261798699884775123, 1e-7);
        near(&table, 1.0, i1, 4.2020327537252965577, 1e-7);
        near(&table, 3.0, i2, -0.014385208414264594811, 1e-6);
        assert!(power_gap(&table) < 1e-12);
    }
}

#[test]
fn higher_index() {
    // EL-index2_VC_loop and EL-index2_LI_cutset: derivatives of the sources.
    let table = solve(derf(0.01, 0.001),
        "VoltageSource \"V\" { p = a; n = gnd; V = 5*sin(2*pi*50*t); } Capacitor \"C\" { p = a; n = gnd; C = 1e-5; } \
         CurrentSource \"I\" { p = gnd; n = b; I = 0.2*sin(2*pi*50*t); } Inductor \"L\" { p = b; n = gnd; L = 0.1; }").table("csv");
    near(&table, 0.003, "C.i", 0.0092329091524522837863, 1e-12);
    near(&table, 0.003, "L.v", 3.6931636609809135145, 1e-12);
    assert!(power_gap(&table) < 1e-12);
}

#[test]
fn parallel_capacitors_and_series_inductors_are_one_state() {
    // R C with C = C1 + C2, R L with L = L1 + L2.
    let table = solve(derf(0.01, 0.001),
        "VoltageSource \"V\" { p = in; n = gnd; V = 10; } Resistor \"R\" { p = in; n = a; R = 1000; } \
         Capacitor \"C1\" { p = a; n = gnd; C = 1e-6; } Capacitor \"C2\" { p = a; n = gnd; C = 2e-6; } \
         Resistor \"R2\" { p = in; n = b; R = 3; } Inductor \"L1\" { p = b; n = c; L = 0.01; } Inductor \"L2\" { p = c; n = gnd; L = 0.005; }").table("csv");
    let t: f64 = 0.004;
    near(&table, t, "C1.v", 10.0 * (1.0 - (-t / 3e-3).exp()), 1e-7);
    near(&table, t, "C2.i", 2.0 / 3.0 * 0.01 * (-t / 3e-3).exp(), 1e-7);
    near(&table, t, "L2.i", 10.0 / 3.0 * (1.0 - (-t / 5e-3).exp()), 1e-7);
    near(&table, t, "L1.v", 2.0 / 3.0 * 10.0 * (-t / 5e-3).exp(), 1e-7);
}

#[test]
fn op_amp_integrator_and_transformer_between_capacitors() {
    // v_out = -1/(R C) integral of 2 sin(w t); ideal transformer: C1 and C2/n^2 in parallel at the primary side.
    let table = solve(derf(0.02, 0.001),
        "VoltageSource \"V\" { p = in; n = gnd; V = 2*sin(300*t); } Resistor \"R\" { p = in; n = m; R = 1e4; } \
         Capacitor \"C\" { p = m; n = out; C = 1e-6; } OpAmp \"A\" { p = gnd; n = m; out = out; } Resistor \"Rl\" { p = out; n = gnd; R = 1000; } \
         Resistor \"R2\" { p = in; n = a; R = 1000; } Capacitor \"C1\" { p = a; n = gnd; C = 1e-6; } \
         Transformer \"T\" { p1 = a; n1 = gnd; p2 = b; n2 = gnd; Ratio = 2; } Capacitor \"C2\" { p = b; n = gnd; C = 4e-6; }").table("csv");
    let t: f64 = 0.013;
    near(&table, t, "out.v", -100.0 * 2.0 / 300.0 * (1.0 - (300.0 * t).cos()), 1e-7);
    let (tau, w) = (1000.0 * (1e-6 + 4e-6 / 4.0), 300.0);
    let k = w * tau;
    let v = 2.0 / (1.0 + k * k) * ((w * t).sin() - k * (w * t).cos() + k * (-t / tau).exp());
    near(&table, t, "C1.v", v, 1e-7);
    near(&table, t, "C2.v", v / 2.0, 1e-7);
    assert!(power_gap(&table) < 1e-12);
}

#[test]
fn wheatstone_bridge() {
    let table = solve(derf(1.0, 0.5),
        "VoltageSource \"V\" { p = in; n = gnd; V = 10; } Resistor \"R1\" { p = in; n = a; R = 100; } Resistor \"R2\" { p = a; n = gnd; R = 220; } \
         Resistor \"R3\" { p = in; n = b; R = 150; } Resistor \"R4\" { p = b; n = gnd; R = 270; } Resistor \"Rb\" { p = a; n = b; R = 47; }").table("csv");
    near(&table, 1.0, "a.v", 6.7303484261908769567, 1e-14);
    near(&table, 1.0, "b.v", 6.6314593502777310217, 1e-14);
    near(&table, 1.0, "Rb.i", 0.0021040228917690624474, 1e-12);
    near(&table, 1.0, "V.i", -0.055153453402906356954, 1e-14);
}

#[test]
fn clipper_with_exponential_diodes() {
    // EL-CLIPPER.
    for setting in [derf(0.002, 5e-5), stiff(0.002, 5e-5)] {
        let table = solve(setting,
            "VoltageSource \"V\" { p = in; n = gnd; V = 3*sin(2*pi*1000*t); } Resistor \"R\" { p = in; n = a; R = 1000; } \
             Capacitor \"C\" { p = a; n = gnd; C = 100e-9; } Diode \"D1\" { p = a; n = gnd; Model = exponential; Vt = 0.025; } \
             Diode \"D2\" { p = gnd; n = a; Model = exponential; Vt = 0.025; }").table("csv");
        for (t, v) in [
            (0.0001, 6.2999327427005813961e-1),
            (0.00025, 6.5452172916317582797e-1),
            (0.0005, 4.9112626229704426422e-1),
            (0.002, -4.9112626229704426422e-1),
        ] {
            near(&table, t, "C.v", v, 1e-7);
        }
        assert!(power_gap(&table) < 1e-10);
    }
}

#[test]
fn oscillator_with_a_cubic_resistor() {
    // EL-VDP: a current source controlled by its own voltage.
    let table = solve(derf(0.01, 0.0005),
        "Capacitor \"C\" { p = a; n = gnd; C = 1e-6; Vinit = 0.1; } Inductor \"L\" { p = a; n = gnd; L = 1e-2; } \
         CurrentSource \"N\" { p = a; n = gnd; I = -2e-3*a.v + 1e-3*a.v^3; }").table("csv");
    near(&table, 0.001, "a.v", -2.4539328042535467106e-1, 1e-6);
    near(&table, 0.01, "a.v", 1.0870123416087368396, 1e-6);
    near(&table, 0.01, "L.i", -1.2554394304623055192e-2, 1e-6);
}

#[test]
fn operating_point_of_a_transistor() {
    // EL-BJT-DC.
    let table = solve(derf(1.0, 0.5),
        "VoltageSource \"V\" { p = cc; n = gnd; V = 12; } Resistor \"R1\" { p = cc; n = b; R = 47e3; } Resistor \"R2\" { p = b; n = gnd; R = 10e3; } \
         Resistor \"RC\" { p = cc; n = c; R = 2200; } Resistor \"RE\" { p = e; n = gnd; R = 470; } \
         NPN \"Q\" { c = c; b = b; e = e; Is = 1e-15; BF = 150; BR = 2; Vt = 0.025864925786328750067; }").table("csv");
    near(&table, 0.0, "b.v", 1.9630743373394331811, 1e-12);
    near(&table, 0.0, "e.v", 1.2238191785554536101, 1e-12);
    near(&table, 0.0, "c.v", 6.3094218835651853978, 1e-12);
    near(&table, 0.0, "Q.ic", 0.0025866264165612793646, 1e-11);
    near(&table, 0.0, "Q.ib", 0.000017244176109898529098, 1e-10);
}

#[test]
fn low_pass_with_bridging_capacitors() {
    // MSL-Cauer.
    let table = solve(derf(60.0, 0.5),
        "VoltageSource \"V\" { p = in; n = gnd; V = if(t >= 1, 1, 0); } Resistor \"R1\" { p = in; n = a; R = 1; } Capacitor \"C1\" { p = a; n = gnd; C = 1.072; } \
         Inductor \"L1\" { p = a; n = b; L = 1.304; } Capacitor \"C2\" { p = a; n = b; C = 1/(1.704992^2*1.304); } Capacitor \"C3\" { p = b; n = gnd; C = 1.682; } \
         Inductor \"L2\" { p = b; n = c; L = 0.8586; } Capacitor \"C4\" { p = b; n = c; C = 1/(1.179945^2*0.8586); } \
         Capacitor \"C5\" { p = c; n = gnd; C = 0.7262; } Resistor \"R2\" { p = c; n = gnd; R = 1; }").table("csv");
    near(&table, 5.0, "C1.v", 0.41194458873093071668, 1e-7);
    near(&table, 10.0, "C3.v", 0.44693852161248539645, 1e-7);
    near(&table, 20.0, "C5.v", 0.5003431090247737654, 1e-7);
    near(&table, 60.0, "L1.i", 0.49936507799535276534, 1e-7);
    near(&table, 60.0, "L2.i", 0.50096453363769871963, 1e-7);
}

#[test]
fn resonance_circuits() {
    // MSL-Resonance.
    let table = solve(derf(1.0, 0.1),
        "Parameters \"p\" { f = 1/(2*pi*0.01); } CurrentSource \"I\" { p = gnd; n = a; I = sin(2*pi*f*t); } \
         Inductor \"L1\" { p = a; n = gnd; L = 0.01; } Capacitor \"C1\" { p = a; n = gnd; C = 0.01; } Resistor \"R1\" { p = a; n = gnd; R = 1; } \
         VoltageSource \"V\" { p = b; n = gnd; V = sin(2*pi*f*t); } Resistor \"R2\" { p = b; n = c; R = 1; } \
         Inductor \"L2\" { p = c; n = d; L = 0.01; } Capacitor \"C2\" { p = d; n = gnd; C = 0.01; }").table("csv");
    near(&table, 1.0, "C1.v", -0.50636564110975879366, 1e-6);
    near(&table, 1.0, "L1.i", -0.8623188722876839341, 1e-6);
    near(&table, 1.0, "C2.v", -0.8623188722876839341, 1e-6);
    near(&table, 1.0, "L2.i", -0.50636564110975879366, 1e-6);
}

#[test]
fn bridge_rectifier_with_ideal_diodes() {
    // All four diodes block at times: the load then has no path to the reference but the one that is added.
    let outcome = solve(
        derf(0.2, 0.0005),
        "VoltageSource \"V\" { p = in; n = gnd; V = 10*sin(2*pi*50*t); } Resistor \"Ri\" { p = in; n = a; R = 20; } \
         Diode \"D1\" { p = a; n = plus; } Diode \"D2\" { p = gnd; n = plus; } Diode \"D3\" { p = minus; n = a; } Diode \"D4\" { p = minus; n = gnd; } \
         Resistor \"RL\" { p = plus; n = minus; R = 500; } Capacitor \"C\" { p = plus; n = minus; C = 1e-4; }",
    );
    let table = outcome.table("csv");
    // Otter's rectifier, computed independently: 7.879 to 9.004 V in the steady state.
    let last: Vec<f64> =
        table.rows.iter().filter(|row| row[0] > 0.18).map(|row| row[table.index("C.v")]).collect();
    let low = last.iter().copied().fold(f64::INFINITY, f64::min);
    let high = last.iter().copied().fold(0.0, f64::max);
    // Rows are 0.5 ms apart, and the discharge has a slope of 9 V/50 ms.
    let corner = 9.0 / 0.05 * 5e-4;
    assert!((low - 7.879).abs() < corner && (high - 9.004).abs() < 2e-2, "{low} {high}");
    assert!(power_gap(&table) < 1e-10);
}

#[test]
fn a_switch_charges_a_capacitor() {
    // Closed from 1 ms to 3 ms: up to 10 (1 - exp(-1)), then down through R2.
    let table = solve(derf(0.006, 0.0005),
        "VoltageSource \"V\" { p = in; n = gnd; V = 10; } Resistor \"R1\" { p = in; n = a; R = 1000; } Switch \"S\" { p = a; n = b; Closed = t >= 1e-3 && t < 3e-3; } \
         Capacitor \"C\" { p = b; n = gnd; C = 2e-6; } Resistor \"R2\" { p = b; n = gnd; R = 1e6; }").table("csv");
    let (r, tau): (f64, f64) = (1e6 / (1e6 + 1e3), 2e-3 * 1e6 / (1e6 + 1e3));
    let top = 10.0 * r * (1.0 - (-2e-3 / tau).exp());
    near(&table, 0.001, "C.v", 0.0, 1e-9);
    near(&table, 0.003, "C.v", top, 1e-7);
    near(&table, 0.006, "C.v", top * (-3e-3f64 / 2.0).exp(), 1e-7);
}

#[test]
fn a_freewheeling_diode_takes_the_current_over() {
    // The switch opens at 2 ms; the current then decays through the diode with L/R.
    let table = solve(derf(0.01, 0.0005),
        "VoltageSource \"V\" { p = in; n = gnd; V = 10; } Switch \"S\" { p = in; n = a; Closed = t < 2e-3; } Inductor \"L\" { p = a; n = b; L = 0.01; } \
         Resistor \"R\" { p = b; n = gnd; R = 5; } Diode \"D\" { p = gnd; n = a; }").table("csv");
    let peak = 2.0 * (1.0 - (-1.0f64).exp());
    near(&table, 0.002, "L.i", peak, 1e-7);
    near(&table, 0.004, "L.i", peak * (-1.0f64).exp(), 1e-7);
    near(&table, 0.004, "D.i", peak * (-1.0f64).exp(), 1e-7);
}

#[test]
fn a_current_that_nothing_takes_over_is_an_error() {
    let outcome = run(&text(
        derf(0.01, 0.0005),
        "",
        "VoltageSource \"V\" { p = in; n = gnd; V = 10; } Switch \"S\" { p = in; n = a; Closed = t < 2e-3; } Inductor \"L\" { p = a; n = b; L = 0.01; } \
         Resistor \"R\" { p = b; n = gnd; R = 5; }",
    ));
    let Some(error) = &outcome.error else { panic!("it ran") };
    let words = format!("{error:?}");
    assert!(
        words.contains("would have to jump")
            && words.contains("Inductor `L`")
            && words.contains("Roff"),
        "{words}"
    );
}

#[test]
fn fifty_diodes_find_their_states() {
    // A chain of diodes and resistors: the k-th diode conducts while the source is above k volts.
    let mut elements =
        String::from("VoltageSource \"V\" { p = n0; n = gnd; V = 60*sin(2*pi*t); }\n");
    for k in 0..50 {
        elements += &format!(
            "Diode \"D{k}\" {{ p = n0; n = a{k}; }} Resistor \"R{k}\" {{ p = a{k}; n = b{k}; R = 10; }} VoltageSource \"V{k}\" {{ p = b{k}; n = gnd; V = {k}.5; }}\n"
        );
    }
    let outcome = solve(derf(1.0, 0.01), &elements);
    let table = outcome.table("csv");
    for row in &table.rows {
        let v = 60.0 * (std::f64::consts::TAU * row[0]).sin();
        for k in 0..50 {
            let current = ((v - (f64::from(k) + 0.5)) / 10.0).max(0.0);
            let found = row[table.index(&format!("D{k}.i"))];
            assert!(
                (found - current).abs() < 1e-9,
                "diode {k} at {}: {found} instead of {current}",
                row[0]
            );
        }
    }
    assert_eq!(outcome.summary.events, 100);
}

#[test]
fn long_ladders_follow_their_modes() {
    // N sections R C, open at the end, 1 V at t = 0. With u_k = 1 - v_k, u_0 = 0 and u_(N+1) = u_N:
    // u_k = sum over m of 2 cot(theta_m/2)/(2N+1) sin(k theta_m) exp(-4 sin^2(theta_m/2) t/RC), theta_m = (2m-1) pi/(2N+1).
    let mut work = Vec::new();
    for n in [50, 500] {
        let mut elements = String::from("VoltageSource \"V\" { p = n0; n = gnd; V = 1; }\n");
        for k in 1..=n {
            elements += &format!(
                "Resistor \"R{k}\" {{ p = n{}; n = n{k}; R = 1; }} Capacitor \"C{k}\" {{ p = n{k}; n = gnd; C = 1e-3; }}\n",
                k - 1
            );
        }
        let setting = Setting { solver: "stiff", end: 0.1, step: 0.05, tolerance: 1e-7 };
        let outcome = solve(setting, &elements);
        let table = outcome.table("csv");
        for (t, k) in [(0.05, 5), (0.1, 5), (0.1, 40)] {
            let part = |m: i32| {
                let theta = f64::from(2 * m - 1) * std::f64::consts::PI / f64::from(2 * n + 1);
                let rate = 4.0 * (theta / 2.0).sin().powi(2) / 1e-3;
                2.0 / (theta / 2.0).tan() / f64::from(2 * n + 1)
                    * (f64::from(k) * theta).sin()
                    * (-rate * t).exp()
            };
            let v = 1.0 - (1..=n).map(part).sum::<f64>();
            // Steps are controlled to 1e-7 each, and there are some tens of them.
            near(&table, t, &format!("n{k}.v"), v, 1e-5);
        }
        assert!(power_gap(&table) < 1e-10);
        work.push(outcome.summary.statistics.evaluations);
    }
    // The Jacobian takes as many evaluations for a long ladder as for a short one.
    assert!(work[1] < 2 * work[0], "{work:?}");
}
