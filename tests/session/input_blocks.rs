//! Values from outside: Input blocks that a session sets, and tables that they follow.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use engine::{Error, ErrorKind, Inputs, Model, Session};

/// Methods of all kinds: with and without root finding, implicit, of fixed step.
const METHODS: [&str; 5] = ["de", "derf", "stiff", "rk4", "odeint_rk"];

/// What a step of the voltage leaves after its time.
const TAU: f64 = 0.1;
/// Mass of the block.
const MASS: f64 = 2.0;

fn solver(method: &str) -> String {
    format!(
        "Solver \"s\" {{ Solver = {method}; Tend = 1; Tstep = 0.1; TstepMax = 0.002; RelErr = 1e-10; AbsErr = 1e-10; }}\n"
    )
}

fn rc(method: &str) -> Model {
    let text = r#"
        Input "u" { Unit = "V"; Default = 0.5; About = "voltage of the source"; }
        VoltageSource "V1" { p = a; n = gnd; V = u.y; }
        Resistor "R1" { p = a; n = b; R = 1; }
        Capacitor "C1" { p = b; n = gnd; C = 0.1; Vinit = 0; }
    "#;
    Model::from_text("rc.dys", &(solver(method) + text)).unwrap_or_else(|error| panic!("{error}"))
}

/// A mass with a force from outside, and nothing else that belongs to a network.
fn mass(method: &str) -> Model {
    let text = r#"
        System "y" { GravAccel = 0, 0, 0; }
        Input "F" { Unit = "N"; }
        Triad "a" { Parent = world; } Triad "b" { Parent = block; }
        Prismatic "J" { Parent = block; TriadFrom = a; TriadTo = b; JointAxis = 1, 0, 0; }
        Body "block" { Parent = world; Joint = J; Mass = 2; Inertia = 1, 0, 0, 1, 0, 1; }
        Force "f" { TriadTo = b; Vector = F.y, 0, 0; }
    "#;
    Model::from_text("mass.dys", &(solver(method) + text)).unwrap_or_else(|error| panic!("{error}"))
}

fn model(text: &str) -> Model {
    Model::from_text("case.dys", text).unwrap_or_else(|error| panic!("{error}"))
}

fn value(session: &mut Session, signal: &str) -> f64 {
    session.signal(signal).unwrap_or_else(|error| panic!("{error}")).value()
}

/// Instants and new values; they are no multiples of any step.
const STEPS: [(f64, f64); 5] =
    [(0.0, 2.0), (0.0713, -1.0), (0.2291, 3.5), (0.2304, 0.0), (0.61, 1.0)];

/// The error of `rk4` for x' = -x/T is (h/T)^4/120 of x for each T that passes: below 2e-9 for h = T/50, and ten T pass.
/// The others keep 1e-10 in each of some hundred steps.
const NEAR: f64 = 2e-8;

#[test]
fn steps_of_voltage_charge_a_capacitor() {
    for method in METHODS {
        let model = rc(method);
        let handle = model.input("u").unwrap();
        let mut session = model.session().unwrap();
        let (mut v, mut t) = (0.0, 0.0);
        for (k, &(at, u)) in STEPS.iter().enumerate() {
            session.advance_to(at).unwrap();
            session.set(&handle, u).unwrap();
            // Algebraic variables follow at once, states stay.
            let i = value(&mut session, "R1.i");
            assert!((i - (u - v)).abs() < NEAR, "{method} at {at}: {i}");
            assert_eq!(value(&mut session, "u.y"), u);
            let end = STEPS.get(k + 1).map_or(1.0, |next| next.0);
            v = u + (v - u) * f64::exp(-(end - at) / TAU);
            t = end;
        }
        session.advance_to(t).unwrap();
        let found = value(&mut session, "C1.v");
        assert!((found - v).abs() < NEAR, "{method}: {found} instead of {v}");
    }
}

#[test]
fn steps_of_force_move_a_mass() {
    for method in METHODS {
        let mut session = mass(method).session().unwrap();
        let (mut x, mut v) = (0.0, 0.0);
        for (k, &(at, force)) in STEPS.iter().enumerate() {
            session.advance_to(at).unwrap();
            session.input("F").unwrap().set(force).unwrap();
            assert!(
                (value(&mut session, "J.qdd") - force / MASS).abs() < 1e-12,
                "{method} at {at}"
            );
            let duration = STEPS.get(k + 1).map_or(1.0, |next| next.0) - at;
            x += duration * (v + 0.5 * duration * force / MASS);
            v += duration * force / MASS;
        }
        session.advance_to(1.0).unwrap();
        let found = (value(&mut session, "J.q"), value(&mut session, "J.qd"));
        // Polynomials of degree two, which all these methods integrate without error.
        assert!((found.0 - x).abs() < 1e-10 && (found.1 - v).abs() < 1e-10, "{method}: {found:?}");
    }
}

#[test]
fn the_value_that_an_input_has_costs_nothing() {
    let model = rc("derf");
    let handle = model.input("u").unwrap();
    let (mut plain, mut busy) = (model.session().unwrap(), model.session().unwrap());
    for k in 1..50 {
        let t = 0.02 * f64::from(k);
        plain.advance_to(t).unwrap();
        busy.advance_to(t).unwrap();
        busy.set(&handle, 7.0).unwrap();
        busy.set(&handle, 0.5).unwrap();
        assert_eq!(value(&mut plain, "C1.v").to_bits(), value(&mut busy, "C1.v").to_bits(), "{t}");
    }
    assert_eq!(plain.statistics(), busy.statistics());
}

/// A session that is saved between `set` and the next call has the value that was set.
#[test]
fn saved_sessions_have_their_inputs() {
    for method in METHODS {
        let model = rc(method);
        let mut session = model.session().unwrap();
        session.input("u").unwrap().set(2.0).unwrap();
        session.advance_to(0.033).unwrap();
        session.input("u").unwrap().set(-1.0).unwrap();
        let saved = session.save();
        let go_on = |session: &mut Session| {
            session.advance_to(0.05).unwrap();
            session.input("u").unwrap().set(0.25).unwrap();
            session.advance_to(0.4).unwrap();
            ["u.y", "C1.v", "R1.i"].map(|name| value(session, name).to_bits())
        };
        let first = go_on(&mut session);
        session.restore(&saved);
        assert_eq!(value(&mut session, "u.y"), -1.0);
        assert_eq!(go_on(&mut session), first, "{method}");
        let mut other = model.session().unwrap();
        other.restore(&saved);
        assert_eq!(go_on(&mut other), first, "{method}");
    }
}

#[test]
fn a_session_does_what_a_step_block_does() {
    let text = |source: &str| {
        solver("derf")
            + source
            + "VoltageSource \"V1\" { p = a; n = gnd; V = u.y; }
               Diode \"D1\" { p = a; n = b; Vf = 0; }
               Resistor \"R1\" { p = b; n = c; R = 1; } Inductor \"L1\" { p = c; n = d; L = 0.05; Iinit = 0; }
               Capacitor \"C1\" { p = d; n = gnd; C = 0.1; Vinit = 0; } Resistor \"R2\" { p = d; n = gnd; R = 3; }"
    };
    let known = model(&text("Step \"u\" { Tbegin = 0.3; Offset = -1; Amplitude = 3; }"));
    let open = model(&text("Input \"u\" { Default = -1; }"));
    let (mut known, mut open) = (known.session().unwrap(), open.session().unwrap());
    open.advance_to(0.3).unwrap();
    assert_eq!(value(&mut open, "D1.i"), 0.0);
    open.input("u").unwrap().set(2.0).unwrap();
    // The diode opens at once: the whole voltage is at the inductor.
    assert!((value(&mut open, "L1.v") - 2.0).abs() < 1e-12, "{}", value(&mut open, "L1.v"));
    for t in [0.4, 0.55, 1.0] {
        known.advance_to(t).unwrap();
        open.advance_to(t).unwrap();
        for name in ["C1.v", "L1.i", "D1.i"] {
            let (a, b) = (value(&mut known, name), value(&mut open, name));
            assert!((a - b).abs() < 1e-8, "{name} at {t}: {a} and {b}");
        }
    }
}

/// What a session remembers is never ahead of the time at which an input is set.
#[test]
fn delays_and_samplers_see_what_was_set() {
    for method in ["derf", "stiff"] {
        let text = solver(method)
            + "Input \"u\" { } Delay \"d\" { u = u.y + t; T = 0.25; yinit = 0; } Integrator \"I\" { u = d.y; }
               SampleHold \"h\" { u = u.y; Tsample = 0.1; }";
        let mut session = model(&text).session().unwrap();
        session.advance_to(0.137).unwrap();
        session.input("u").unwrap().set(4.0).unwrap();
        session.advance_to(0.15).unwrap();
        assert_eq!(value(&mut session, "h.y"), 0.0);
        session.advance_to(0.2).unwrap();
        assert_eq!(value(&mut session, "h.y"), 4.0);
        // What is set at an instant of a sampler comes behind it.
        session.input("u").unwrap().set(-3.0).unwrap();
        assert_eq!(value(&mut session, "h.y"), 4.0);
        session.advance_to(0.31).unwrap();
        assert_eq!(value(&mut session, "h.y"), -3.0);
        session.advance_to(1.0).unwrap();
        // u(t - T) + t - T from t = T on: 4 for 0.063 s, then -3.
        let expected = 0.5 * 0.75 * 0.75 + 4.0 * 0.063 - 3.0 * (0.75 - 0.2);
        let found = value(&mut session, "I.y");
        assert!((found - expected).abs() < 1e-8, "{method}: {found} instead of {expected}");
    }
}

/// Corners between the steps of every method, a jump, and values held outside of the table.
#[test]
fn tables_are_followed_from_corner_to_corner() {
    let rows = [(0.1234, 1.0), (0.3217, 5.0), (0.3217, -2.0), (0.777, 0.0)];
    let times: Vec<f64> = rows.iter().map(|row| row.0).collect();
    let values: Vec<f64> = rows.iter().map(|row| row.1).collect();
    let inputs = Inputs::from_columns(&times, &[("u", &values), ("w", &values)]);
    for method in METHODS {
        let text = solver(method)
            + "Input \"u\" { } Input \"w\" { Interpolation = hold; }
               Integrator \"I\" { u = u.y; } Integrator \"K\" { u = w.y; }";
        let table = model(&text).run_with(&inputs).unwrap().all().unwrap();
        let column = |name: &str| table.column(name).unwrap().to_vec();
        let at = |name: &str, row: usize| column(name)[row];
        // Rows every 0.1 s.
        let linear = |t: f64| match t {
            t if t <= 0.1234 => 1.0,
            t if t < 0.3217 => 1.0 + 4.0 * (t - 0.1234) / (0.3217 - 0.1234),
            t if t < 0.777 => -2.0 + 2.0 * (t - 0.3217) / (0.777 - 0.3217),
            _ => 0.0,
        };
        for (row, &t) in table.times().iter().enumerate() {
            assert!((at("u.y", row) - linear(t)).abs() < 1e-14, "{method} at {t}");
        }
        // Trapezia; a method that steps over a corner is wrong by about 2e-3 s times the change of slope or value.
        let area = 0.1234 + 0.5 * (1.0 + 5.0) * (0.3217 - 0.1234) - 0.5 * 2.0 * (0.777 - 0.3217);
        let last = table.rows() - 1;
        assert!((at("I.y", last) - area).abs() < 1e-10, "{method}: {} {area}", at("I.y", last));
        let area = 0.3217 - 2.0 * (0.777 - 0.3217);
        assert!((at("K.y", last) - area).abs() < 1e-10, "{method}: {} {area}", at("K.y", last));
        assert_eq!([3, 4, 8].map(|row| at("w.y", row)), [1.0, -2.0, 0.0], "{method}");
    }
}

#[test]
fn a_table_of_one_row_is_a_constant() {
    let inputs = Inputs::from_text("one.csv", "t,F\n5,3\n");
    let table = mass("derf").run_with(&inputs).unwrap().signals(&["F.y", "J.qd"]).unwrap();
    assert!(table.column("F.y").unwrap().iter().all(|&force| force == 3.0));
    assert!((table.column("J.qd").unwrap()[10] - 1.5).abs() < 1e-10);
    assert_eq!(table.units(), ["N", "m/s"]);
}

#[test]
fn a_model_tells_its_inputs() {
    let inputs = rc("derf").inputs();
    let [u] = &inputs[..] else { panic!("{inputs:?}") };
    assert_eq!((u.name.as_str(), u.unit.as_str(), u.default), ("u", "V", 0.5));
    assert_eq!((u.about.as_str(), u.follows_table), ("voltage of the source", false));
    let driven = rc("derf").with_inputs(&Inputs::from_text("t.csv", "t,u\n0,1\n")).unwrap();
    assert!(driven.inputs()[0].follows_table);
    let error = driven.input("u").err().unwrap();
    assert!(error.to_string().contains("follows a column of a table"), "{error}");
}

/// The operating point belongs to the values that a session begins with.
#[test]
fn a_session_may_begin_with_other_inputs() {
    let text = "Solver \"s\" { Solver = derf; Tend = 1; Tstep = 0.1; Initial = steady; } Input \"u\" { Default = 1; }
        VoltageSource \"V1\" { p = a; n = gnd; V = u.y; } Resistor \"R1\" { p = a; n = b; R = 1; }
        Capacitor \"C1\" { p = b; n = gnd; C = 0.1; }";
    // The operating point is found to about 1e-11.
    let model = model(text);
    let mut plain = model.session().unwrap();
    assert!((value(&mut plain, "C1.v") - 1.0).abs() < 1e-10);
    let mut other = model.session_with(&[("u", 4.0)]).unwrap();
    assert!((value(&mut other, "C1.v") - 4.0).abs() < 4e-10);
    other.advance_to(0.5).unwrap();
    assert!((value(&mut other, "C1.v") - 4.0).abs() < 1e-9);
}

#[test]
fn mistakes_about_inputs_say_what_to_do() {
    let model = rc("derf");
    let mut session = model.session().unwrap();
    let unknown = session.input("voltage").err().unwrap();
    assert!(unknown.to_string().contains("the inputs of the model are u"), "{unknown}");
    let near = self::model("Input \"speed\" { }").input("sped").err().unwrap();
    assert!(near.to_string().contains("did you mean `speed`?"), "{near}");
    let handle = model.input("u").unwrap();
    let infinite = session.set(&handle, f64::INFINITY).unwrap_err();
    assert!(infinite.to_string().contains("`u` cannot be inf"), "{infinite}");
    let other = rc("derf").input("u").unwrap();
    let foreign = session.set(&other, 1.0).unwrap_err();
    assert!(foreign.to_string().contains("belongs to another model"), "{foreign}");
    for (table, words, place) in [
        ("t,v\n0,1\n", "the model has no Input `v`", Some((1, 3))),
        ("x,u\n0,1\n", "the first column of a table of inputs is `t`", Some((1, 1))),
        ("t,u\n0,1\n0.5,one\n", "`one` in column `u` is not a finite number", Some((3, 5))),
        ("t,u\n1,1\n0.5,1\n", "t = 0.5 comes behind t = 1", Some((3, 1))),
    ] {
        let error = model.with_inputs(&Inputs::from_text("table.csv", table)).err().unwrap();
        let [mistake] = error.diagnostics() else { panic!("{error}") };
        assert!(mistake.message.contains(words) && mistake.help.is_some(), "{error}");
        let found = mistake.place.as_ref().map(|(_, line, column)| (*line, *column));
        assert_eq!(found, place, "{error}");
        assert_eq!(
            (mistake.place.as_ref().unwrap().0.as_str(), error.kind()),
            ("table.csv", ErrorKind::Model)
        );
    }
    let missing = Error::from(Inputs::from_file("no/such/table.csv").unwrap_err());
    assert_eq!(missing.kind(), ErrorKind::File);
    assert!(missing.to_string().contains("no such file"), "{missing}");
    let columns = Inputs::from_columns(&[0.0, 1.0], &[("u", &[1.0, f64::NAN])]);
    assert!(model.with_inputs(&columns).err().unwrap().to_string().contains("`nan`"));
}

#[test]
fn sessions_are_for_motions_only() {
    for kind in ["static", "linear", "kinematic"] {
        let text = format!("Solver \"s\" {{ Type = {kind}; }} Input \"u\" {{ }}");
        let error = model(&text).session().err().unwrap();
        assert!(error.to_string().contains(&format!("asks for `{kind}`")), "{error}");
        assert!(error.to_string().contains("Type = dynamic"), "{error}");
    }
}

#[test]
fn a_session_can_be_interrupted_and_goes_on() {
    let mut session = rc("derf").session().unwrap();
    let flag = Arc::new(AtomicBool::new(true));
    let saved = session.save();
    session.interrupt_by(Arc::clone(&flag));
    session.restore(&saved);
    let error = session.advance_to(0.5).unwrap_err();
    assert_eq!((error.kind(), session.time()), (ErrorKind::Interrupted, 0.0));
    flag.store(false, Ordering::Relaxed);
    session.advance_to(0.5).unwrap();
    assert_eq!(session.time(), 0.5);
}

#[test]
fn a_session_hands_out_its_remarks() {
    let text = solver("derf")
        + "Capacitor \"C1\" { p = a; n = gnd; C = 1; Vinit = 1; } Capacitor \"C2\" { p = a; n = gnd; C = 1; Vinit = 3; }
           Resistor \"R1\" { p = a; n = gnd; R = 1; }";
    let mut session = model(&text).session().unwrap();
    let remarks = session.take_remarks();
    assert!(remarks.iter().any(|remark| remark.contains("instead of")), "{remarks:?}");
    assert_eq!(session.take_remarks(), [""; 0]);
}
