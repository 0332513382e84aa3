//! Plugins that fail: the run ends with the name of the plugin, its line and the time; files are closed and
//! keep their rows.

use std::process::Command;

use dysim_tests::blocks::{Run, Text};
use dysim_tests::programs::{self, root};
use dysim_tests::simulate::{Outcome, Unwatched, mistake, model, open, run};
use engine::{ErrorKind, Mistake, Options};

/// A model whose plugin fails; the last line is that of the plugin.
fn text(method: &'static str, place: &str, how: &str) -> String {
    let joint = "JointAxis = 1, 0, 0; JointPoint = 0, 0, 0; Qinit = 0; QDinit = 1;";
    Text::new([0.0; 3], Run::new(method, 1e-8, 0.5, 0.05))
        .joint("Prismatic", ["rail", "world", "block"], [0.0; 3], joint)
        .body(["block", "world", "rail"], 1.0, [0.1; 3], [0.0; 3])
        .with("Output \"o\" { Files = csv, pva; Signals = rail.q, bad.one; Events = no; }")
        .with(&format!("Plugin \"bad\" {{ Type = faulty; Where = {place}; How = {how}; At = 0.25; Body = block; Joint = rail; }}"))
        .text()
        .to_string()
}

/// What the run says, after making sure that it points at the line of the plugin.
fn said<'m>(text: &str, mistake: &'m Mistake) -> &'m str {
    let line = mistake.place.as_ref().map(|(_, line, _)| *line);
    assert_eq!(line, Some(text.lines().count()), "{mistake:?}");
    assert!(mistake.message.contains("Plugin `bad`: "), "{}", mistake.message);
    &mistake.message
}

/// The time in `the simulation stops at t = ... s`.
fn time(message: &str) -> f64 {
    let rest = message.split_once("t = ").map_or("", |(_, rest)| rest);
    rest.split(' ').next().unwrap_or("").parse().unwrap_or(f64::NAN)
}

/// Every file is closed under its name, has this many rows, and says that there are no more.
fn assert_kept(outcome: &Outcome, rows: usize) {
    assert_eq!(outcome.files(), ["case.bad.rows", "case.csv", "case.log", "case.pva"]);
    assert_eq!(outcome.table("csv").rows.len(), rows);
    assert_eq!(outcome.table("pva").rows.len(), rows);
    assert!(outcome.text("pva").lines().last().unwrap_or("").contains("incomplete"));
    assert!(outcome.text("log").contains("INCOMPLETE: the simulation stops at t = "));
    let own = outcome.text("bad.rows");
    assert!(own.ends_with("incomplete\n"), "{own}");
    let own_rows = own.lines().filter(|line| line.parse::<f64>().is_ok()).count();
    // Its own row at the failure is missing where it failed to write it.
    assert!(own_rows == rows || own_rows + 1 == rows, "{own}");
}

#[test]
fn a_plugin_that_does_not_fail_is_no_trouble() {
    let outcome = run(&text("derf", "nowhere", "panic")).complete();
    let own = outcome.text("bad.rows");
    assert_eq!(own.lines().count(), 11 + 1 + 1, "{own}");
    assert!(own.contains(" event\n0.3") && own.ends_with("complete\n"), "{own}");
    assert!(outcome.text("log").contains(": Plugin bad, half: first -> second (pass 1)"));
    assert!(outcome.summary.files.iter().any(|path| path.ends_with("case.bad.rows")));
}

/// Failures in the equations of motion, in the switching functions, and in what is shown.
#[test]
fn a_failure_in_the_equations_ends_the_run_with_name_line_and_time() {
    let panicked = "it panicked: this was to be expected";
    let cases = [
        ("apply", "panic", panicked, 0.25),
        ("apply", "nan", "its force on the body `block` is not finite", 0.25),
        ("apply", "error", "the pen is dry", 0.25),
        ("generalised", "panic", panicked, 0.25),
        ("generalised", "nan", "its force on the joint `rail` is not finite", 0.25),
        ("generalised", "error", "the joint `rail` has no coordinate 9", 0.25),
        ("guard", "panic", panicked, 0.25),
        ("guard", "nan", "a switching function is not finite", 0.25),
        ("switch", "panic", panicked, 0.3),
        ("switch", "error", "its state `half` switches to value 7, but has 2", 0.3),
        ("signals", "panic", panicked, 0.3),
        ("signals", "nan", "one of its signals is not finite", 0.3),
        ("energy", "panic", panicked, 0.3),
        ("energy", "nan", "its energy is not finite", 0.3),
    ];
    for method in ["derf", "stiff"] {
        for (place, how, reason, at) in cases {
            let text = text(method, place, how);
            let outcome = run(&text);
            let message = said(&text, outcome.failure());
            assert!(message.contains(reason), "{method}, {place}, {how}: {message}");
            // A step is at most one output interval long.
            let t = time(message);
            assert!(t >= at && t <= at + 0.05 + 1e-12, "{method}, {place}, {how}: {message}");
            // The row at 0.25 s is finished unless the step that goes beyond it is the one that fails.
            let rows = outcome.table("csv").rows.len();
            assert!(rows == 5 || rows == 6, "{method}, {place}, {how}: {rows}");
            assert_kept(&outcome, rows);
        }
    }
}

/// Failures of the output: what was written stays.
#[test]
fn a_failure_to_write_ends_the_run_with_name_line_and_time() {
    for how in ["panic", "error"] {
        for (place, at, rows) in [("write", 0.3, 7), ("event", 0.3, 6)] {
            let text = text("derf", place, how);
            let outcome = run(&text);
            let message = said(&text, mistake(outcome.error.as_ref(), ErrorKind::File));
            let reason = match how {
                "panic" => "it panicked: this was to be expected",
                _ => "it cannot write its results: the pen is dry",
            };
            assert!(message.contains(reason), "{message}");
            assert!((time(message) - at).abs() < 1e-12, "{message}");
            assert_kept(&outcome, rows);
        }
    }
}

#[test]
fn a_failure_to_finish_is_reported_and_the_other_files_are_complete() {
    for how in ["panic", "error"] {
        let text = text("derf", "finish", how);
        let outcome = run(&text);
        said(&text, mistake(outcome.error.as_ref(), ErrorKind::File));
        assert_eq!(outcome.table("csv").rows.len(), 11);
        assert!(!outcome.text("pva").contains("incomplete"));
        assert!(outcome.text("log").contains("INCOMPLETE"));
    }
}

/// What cannot be opened does not begin, and older results stay.
#[test]
fn a_failure_to_create_ends_the_run_before_it_begins() {
    for how in ["panic", "error"] {
        let text = text("derf", "create", how);
        let directory = tempfile::tempdir().expect("a directory");
        let old = directory.path().join("case.csv");
        std::fs::write(&old, "old").expect("a file");
        let interrupted = std::sync::atomic::AtomicBool::new(false);
        let options = Options::new(directory.path(), &interrupted);
        let error = model(&text).simulate(options, &mut Unwatched).err();
        assert_eq!(time(said(&text, mistake(error.as_ref(), ErrorKind::File))), 0.0);
        assert_eq!(std::fs::read_to_string(&old).expect("the old file"), "old");
        let entries = std::fs::read_dir(directory.path()).expect("a directory");
        assert_eq!(entries.count(), 2, "the log and the old file");
    }
}

/// `Undefined` with every method, also with methods that do not locate events.
#[test]
fn a_force_without_value_ends_the_run_with_every_method() {
    for method in ["de", "derf", "rk4", "odeint_rk", "odeint_bs", "stiff"] {
        let text = text(method, "nowhere", "panic");
        let start = text.find("Plugin").expect("the plugin");
        let text = format!("{}Plugin \"bad\" {{ Type = pusher; Way = force; }}", &text[..start])
            .replace(", bad.one", "");
        let outcome = run(&text);
        let message = said(&text, outcome.failure());
        assert!(message.contains("its points or its joint are missing"));
        assert_eq!(time(message), 0.0, "{method}");
    }
}

#[test]
fn a_plugin_that_cannot_be_made_is_a_mistake_of_the_model() {
    for (how, reason) in
        [("panic", "it panicked: this was to be expected"), ("error", "the pen is dry")]
    {
        let text = text("derf", "new", how);
        let error = open(&text).err();
        let mistake = mistake(error.as_ref(), ErrorKind::Model);
        assert!(said(&text, mistake).contains(reason), "{}", mistake.message);
        assert_eq!(mistake.code, "A119");
    }
}

/// A program of another crate, with its own plugins: same exit codes, same messages.
#[test]
fn a_program_with_other_plugins_behaves_as_dysim() {
    let program = |arguments: &[&str], text: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dysim_of_tests"));
        let directory = tempfile::tempdir().expect("a directory");
        command.current_dir(directory.path()).args(arguments);
        programs::run_with_input(&mut command, text.as_bytes()).expect("a program")
    };
    for (place, how, code) in [
        ("nowhere", "panic", 0),
        ("new", "error", 1),
        ("apply", "panic", 2),
        ("apply", "nan", 2),
        ("create", "error", 3),
        ("write", "error", 3),
        ("finish", "panic", 3),
    ] {
        let ran = program(&["-"], &text("derf", place, how));
        assert_eq!(ran.code, Some(code), "{place}, {how}: {}", ran.err);
        assert_eq!(code != 0, ran.err.contains("<stdin>:11:9: error["), "{place}: {}", ran.err);
    }
    let list = program(&["--list", "Plugin"], "").out;
    assert!(list.contains("spring_copy") && !list.contains("hill_muscle"), "{list}");
    let one = program(&["--list", "spring_copy"], "").out;
    assert!(one.contains("ElasticLinear = 0 [N/m]") && one.contains(".power"), "{one}");
    // The plugins of the repository are not those of this program.
    let model =
        std::fs::read_to_string(root().join("models/plugins/governor.dys")).expect("a model");
    let ran = program(&["--check", "-"], &model);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("this program has no plugin `two_point_control`"), "{}", ran.err);
}
