//! The front door of the engine: models, sessions, tables.

mod input_blocks;

use std::path::{Path, PathBuf};

use engine::LoadOptions;
use engine::internals::load::Input;
use engine::plugin::Plugins;
use engine::{Error, Model, Session, Signal};

/// Models of all kinds: contact, loops, diodes, sampled controllers, delay, plugin, friction.
const MODELS: [&str; 8] = [
    "mechanics/bouncing_ball",
    "mechanics/block_on_incline",
    "loops/four_bar",
    "circuits/bridge_rectifier",
    "mechatronics/inverted_pendulum_sampled",
    "mechatronics/dc_motor_pi",
    "plugins/parachutist",
    "switching/friction_robot",
];

const RC: &str = r#"
    Parameters "p" { R0 = 1; }
    Solver "s" { Solver = derf; Tend = 1; Tstep = 0.1; RelErr = 1e-9; AbsErr = 1e-9; }
    VoltageSource "source" { p = a; n = gnd; V = 1; }
    Resistor "R1" { p = a; n = b; R = R0; }
    Capacitor "C1" { p = b; n = gnd; C = 0.1; Vinit = 0; }
"#;

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../models").join(format!("{name}.dys"))
}

fn options() -> LoadOptions {
    LoadOptions { plugins: Plugins::Known(user_plugins::PLUGINS), ..LoadOptions::default() }
}

/// A model of the repository, with another method.
fn with_method(name: &str, method: &str) -> Result<Model, Error> {
    let text = std::fs::read_to_string(path(name)).expect("a model file");
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    let mut changed = false;
    for line in &mut lines {
        let Some((before, behind)) = line.split_once('=') else { continue };
        if before.trim() == "Solver" {
            let rest = behind.split_once(';').map_or("", |(_, rest)| rest);
            *line = format!("Solver = {method};{rest}");
            changed = true;
        }
    }
    assert!(changed, "{name} names no method");
    let bytes = lines.join("\n").into_bytes();
    Model::open(Input::Text { name: format!("{name}.dys"), bytes }, options())
}

fn all_signals(model: &Model) -> Vec<Signal> {
    model.signals().iter().map(|name| model.signal(name).expect("a signal")).collect()
}

/// All signals at some instants, as bits.
fn bits(session: &mut Session, signals: &[Signal], times: &[f64]) -> Vec<u64> {
    let mut values = vec![0.0; signals.len()];
    let mut bits = Vec::new();
    for &t in times {
        session.advance_to(t).unwrap_or_else(|error| panic!("{error}"));
        session.values(signals, &mut values).expect("signals of this model");
        bits.extend(values.iter().map(|value| value.to_bits()));
    }
    bits
}

/// Ascending instants between two times.
fn instants(seed: &mut u64, from: f64, to: f64, count: usize) -> Vec<f64> {
    let mut next = || {
        *seed =
            seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut all: Vec<f64> = (0..count).map(|_| from + (to - from) * next()).collect();
    all.sort_by(f64::total_cmp);
    all
}

#[test]
fn a_session_follows_a_closed_form() {
    let model = Model::from_text("rc.dys", RC).unwrap().set("R0", 2.0).unwrap();
    let mut session = model.session().unwrap();
    for t in [0.01, 0.2, 0.7] {
        session.advance_to(t).unwrap();
        let probe = session.signal("C1.v").unwrap();
        assert!((probe.value() - (1.0 - f64::exp(-t / 0.2))).abs() < 1e-8, "{t}");
        assert_eq!((probe.name(), probe.unit()), ("C1.v", "V"));
    }
    let table = model.run().unwrap().signals(&["C1.v", "R1.i"]).unwrap();
    assert_eq!((table.rows(), table.names().len()), (11, 2));
    assert_eq!(table.units(), ["V", "A"]);
    let (v, i) = (table.column("C1.v").unwrap(), table.column("R1.i").unwrap());
    assert!(v.iter().zip(i).all(|(v, i)| (1.0 - v - 2.0 * i).abs() < 1e-9));
}

/// Whatever a session has been through, a copy and a restored session go on exactly as it did.
#[test]
fn snapshots_go_on_bit_for_bit() {
    let mut seed = 1;
    let mut cases: Vec<(&str, &str)> = Vec::new();
    for name in MODELS {
        for method in ["derf", "stiff", "rk4", "euler_mixed"] {
            let Ok(model) = with_method(name, method) else { continue };
            // Not every model has a start, or comes far, with every method.
            let Ok(mut session) = model.session() else { continue };
            let solver = &model.checked().solver;
            let end = solver.end.min(solver.start + 40.0 * solver.output_step);
            let times = instants(&mut seed, solver.start, end, 12);
            if session.clone().advance_to(end).is_err() {
                continue;
            }
            cases.push((name, method));
            let signals = all_signals(&model);
            let mut again_and_again = session.save();
            bits(&mut session, &signals, &times[..5]);
            let saved = session.save();
            session.save_to(&mut again_and_again);
            let mut copy = session.clone();
            let first = bits(&mut session, &signals, &times[5..]);
            assert_eq!(first, bits(&mut copy, &signals, &times[5..]), "{name} {method}: copy");
            assert_eq!(session.statistics(), copy.statistics(), "{name} {method}");
            session.restore(&saved);
            assert_eq!(session.time(), times[4]);
            let again = bits(&mut session, &signals, &times[5..]);
            assert_eq!(first, again, "{name} {method}: restored");
            // A snapshot of a young session serves an old one, too.
            copy.restore(&saved);
            assert_eq!(first, bits(&mut copy, &signals, &times[5..]), "{name} {method}: old");
            // So does one that was written over a former snapshot.
            copy.restore(&again_and_again);
            assert_eq!(first, bits(&mut copy, &signals, &times[5..]), "{name} {method}: over");
        }
    }
    for method in ["derf", "stiff"] {
        let count = cases.iter().filter(|case| case.1 == method).count();
        assert_eq!(count, MODELS.len(), "{method}: {cases:?}");
    }
    let fixed = cases.iter().filter(|case| ["rk4", "euler_mixed"].contains(&case.1)).count();
    assert!(fixed >= 6, "{cases:?}");
}

#[test]
fn a_table_is_the_file_of_the_command_line() {
    for name in MODELS {
        let outcome = dysim_tests::simulate::run_file(&path(name)).complete();
        let options = LoadOptions { strict: true, ..options() };
        let model = Model::open(Input::File(path(name)), options).unwrap();
        let table = model.run().unwrap().all().unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(table.to_csv() == outcome.text("csv"), "{name}");
    }
}

#[test]
fn one_model_has_sessions_on_many_threads() {
    let model = Model::open(Input::File(path("circuits/bridge_rectifier")), options()).unwrap();
    let signals = all_signals(&model);
    let solver = &model.checked().solver;
    let times: Vec<f64> =
        (1..30).map(|k| solver.start + f64::from(k) * solver.output_step).collect();
    let alone = bits(&mut model.session().unwrap(), &signals, &times);
    // One session begins here and goes on elsewhere.
    let mut begun = model.session().unwrap();
    let head = bits(&mut begun, &signals, &times[..10]);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..2)
            .map(|_| scope.spawn(|| bits(&mut model.session().unwrap(), &signals, &times)))
            .collect();
        let tail = scope.spawn(|| bits(&mut begun, &signals, &times[10..]));
        for thread in threads {
            assert_eq!(thread.join().unwrap(), alone);
        }
        assert_eq!([head, tail.join().unwrap()].concat(), alone);
    });
}

#[test]
fn mistakes_are_words_and_data() {
    let model = Model::from_text("rc.dys", RC).unwrap();
    let mut session = model.session().unwrap();
    for (path, help) in [
        ("sorce.v", "did you mean `source.v`?"),
        ("C1.powr", "did you mean `C1.power`?"),
        ("C1.vv", "its signals are v"),
        ("C1", "element.signal"),
        ("C1.v[2]", "from 1 to 1"),
    ] {
        let error = session.signal(path).unwrap_err();
        let [mistake] = error.diagnostics() else { panic!("{error}") };
        assert!(mistake.message.contains(&format!("`{path}`")), "{error}");
        assert!(mistake.help.as_ref().is_some_and(|text| text.contains(help)), "{error}");
        assert!(error.to_string().contains(help));
    }
    let error = model.set("R9", 1.0).err().unwrap();
    assert_eq!(error.diagnostics()[0].place.as_ref().unwrap().0, "--set");
    let wrong = RC.replace("R = R0", "R = Q0");
    let error = Model::from_text("rc.dys", &wrong).err().unwrap();
    let (file, line, column) = error.diagnostics()[0].place.clone().unwrap();
    assert_eq!((file.as_str(), line, column), ("rc.dys", 5, 39), "{error}");
    assert!(error.to_string().contains('^') && !error.diagnostics()[0].code.is_empty(), "{error}");
    assert!(Model::from_file("no/such/file.dys").err().unwrap().to_string().contains("no such"));
    session.advance_to(0.5).unwrap();
    assert!(session.advance_to(0.4).unwrap_err().to_string().contains("0.5"));
    assert!(session.advance_to(f64::NAN).is_err());
    let other = model.set("R0", 3.0).unwrap().signal("C1.v").unwrap();
    assert!(session.value(&other).unwrap_err().to_string().contains("another model"));
}
