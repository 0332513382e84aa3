//! The result files: names, columns, rows, and what is left of a run that fails.

use std::io::Cursor;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use dysim_tests::blocks::{Run, Text};
use dysim_tests::simulate::{Outcome, Unwatched, mistake, model, run};
use engine::{Error, ErrorKind, Options};
use parser::animation::{AniReader, FileState, Progress};

/// Two bodies and two contacts: a slider that falls on the floor, and a pendulum that is apart from it.
fn two_bodies(how: Run, rest: &str) -> String {
    let contact = |name: &str, from: &str, to: &str| {
        format!(
            "Contact \"{name}\" {{ TriadFrom = {from}; TriadTo = {to}; ElasticLinearZ = 1e4; DampingLinearZ = 20; DampingO2MixedZ = 0; SlipDampingLinear = 0; SlipFrictionCoeff = 0.3;
             VSlipMin = 0.01; SlipFrictionCoeffRot = 0; OmegaSlipMin = 1; StickElasticLinear = 1e4; StickDampingLinear = 20; StaticFrictionCoeff = 0.5;
             StickElasticLinearRot = 0; StickDampingLinearRot = 0; StaticFrictionCoeffRot = 0; Degrees = rad; }}"
        )
    };
    Text::new([0.0, 0.0, -9.81], how)
        .joint(
            "TriPrismatic",
            ["J", "world", "a"],
            [0.0; 3],
            "Qinit = 0.1, 0.2, 0.3; QDinit = 0.5, 0, 0;",
        )
        .body(["a", "world", "J"], 2.0, [0.1; 3], [0.0, 0.0, 0.05])
        .joint(
            "Revolute",
            ["K", "world", "b"],
            [1.0, 0.0, 2.0],
            "JointAxis = 0, 1, 0; JointPoint = 0, 0, 0; Qinit = 1; QDinit = 0; Degrees = rad;",
        )
        .body(["b", "world", "K"], 1.0, [0.1, 0.1, 0.0], [0.0, 0.0, -0.5])
        .triad("tip", "b", [0.0, 0.0, -1.0])
        .with(&contact("c1", "J_0", "J_1"))
        .with(&contact("c2", "J_0", "tip"))
        .with(rest)
        .text()
        .to_string()
}

fn half_second() -> Run {
    Run::new("derf", 1e-8, 0.5, 0.05)
}

#[test]
fn tables_have_the_columns_of_the_manual() {
    let o = run(&two_bodies(half_second(), "")).complete();
    let all = ["ani", "csv", "epl", "frc", "log", "pva"].map(|e| format!("case.{e}"));
    assert_eq!(o.files(), all, "and no temporary file is left");
    let (pva, epl, frc) = (o.table("pva"), o.table("epl"), o.table("frc"));
    for (table, width) in [(&pva, 1 + 2 * 24), (&epl, 1 + 3 * 11), (&frc, 1 + 2 * 16)] {
        assert_eq!(table.columns[0], "t");
        assert_eq!(table.columns.len(), width);
        assert!(table.rows.iter().all(|row| row.len() == width));
    }
    // Body or contact n starts in column 24(n-1)+2, 11(n-1)+13, 16(n-1)+2, counted from 1.
    for (n, (body, contact)) in [("a", "c1"), ("b", "c2")].iter().enumerate() {
        assert_eq!(pva.columns[24 * n + 2 - 1], format!("{body}.x"));
        assert_eq!(epl.columns[11 * n + 13 - 1], format!("{body}.epot"));
        assert_eq!(frc.columns[16 * n + 2 - 1], format!("{contact}.rx"));
    }
    // Spot checks of what stands in them, at the start.
    let (p, e, f) = (&pva.rows[0], &epl.rows[0], &frc.rows[0]);
    assert_eq!(p[1..13], [0.1, 0.2, 0.3, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
    assert_eq!(p[13..22], [0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -9.81]);
    // Potential energy m g z_cg and kinetic energy; momentum; angular momentum r x p.
    let close = |found: &[f64], expected: &[f64]| {
        assert!(
            found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-13),
            "{found:?} {expected:?}"
        );
    };
    let z = 0.3 + 0.05;
    close(&e[12..23], &[2.0 * 9.81 * z, 0.25, 0.1, 0.2, z, 1.0, 0.0, 0.0, 0.0, z, -0.2]);
    let (s, c) = 1.0_f64.sin_cos();
    let (bx, bz) = (1.0 - 0.5 * s, 2.0 - 0.5 * c);
    close(&e[23..28], &[9.81 * bz, 0.0, bx, 0.0, bz]);
    close(
        &e[1..6],
        &[2.0 * 9.81 * z + 9.81 * bz, 0.25, (0.2 + bx) / 3.0, 0.4 / 3.0, (2.0 * z + bz) / 3.0],
    );
    close(
        &f[1..17],
        &[0.1, 0.2, 0.3, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    );
}

#[test]
fn all_files_have_the_same_doubles_to_the_last_bit() {
    let output = "Output \"o\" { Files = ani, pva, csv; Signals = a.x, a.z, a.vz, b.x, b.wy, b.az; Events = no; }";
    let o = run(&two_bodies(half_second(), output)).complete();
    let (pva, csv) = (o.table("pva"), o.table("csv"));
    assert_eq!(csv.columns, ["t", "a.x", "a.z", "a.vz", "b.x", "b.wy", "b.az"]);
    for name in &csv.columns {
        let bits = |values: Vec<f64>| values.into_iter().map(f64::to_bits).collect::<Vec<_>>();
        assert_eq!(bits(csv.column(name)), bits(pva.column(name)), "{name}");
    }
    // RFC 4180, 17 significant digits.
    let text = o.text("csv");
    assert!(text.split("\r\n").all(|line| !line.contains('\n')) && text.ends_with("\r\n"));
    let number = text.split("\r\n").nth(1).and_then(|line| line.split(',').nth(1));
    assert_eq!(number, Some("1.0000000000000001e-1"));
    // The animation shows the same poses.
    let file = Cursor::new(o.text("ani").into_bytes());
    let mut reader = AniReader::open(file, FileState::Finished).expect("readable");
    while reader.scan(1 << 20).expect("readable") == Progress::More {}
    assert!(reader.problems().is_empty());
    assert_eq!(reader.n_rows(), 11);
    let header = reader.header().expect("a header");
    assert_eq!((header.model_name.as_str(), header.n_columns()), ("case", 33));
    let rows: Vec<Vec<f64>> = o
        .text("ani")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            line.split_whitespace().map(|number| number.parse().expect("a number")).collect()
        })
        .collect();
    for (row, expected) in rows.iter().zip(&pva.rows) {
        for n in 0..2 {
            let (pose, frame) = (&row[1 + 16 * n..17 + 16 * n], &expected[1 + 24 * n..]);
            let translation = [pose[3], pose[7], pose[11]];
            assert_eq!(translation, frame[..3], "the last column is the position");
            let rotation = [0, 1, 2, 4, 5, 6, 8, 9, 10].map(|at| pose[at]);
            assert_eq!(rotation, frame[3..12]);
            assert_eq!(pose[12..], [0.0, 0.0, 0.0, 1.0]);
        }
    }
    let text = o.text("ani");
    let head: Vec<&str> = text.lines().take(4).collect();
    let expected = [
        "# DySimAniFileVersion: 0.5",
        "# ModelName: case",
        "# NumberOfBodies: 2",
        "# NamesOfBodies: a b",
    ];
    assert_eq!(head, expected);
}

#[test]
fn rows_stand_at_products_of_the_step_and_at_the_end() {
    let text = two_bodies(half_second(), "").replace(
        "Tstart = 0; Tend = 0.5; Tstep = 0.05;",
        "Tstart = 0.1; Tend = 0.5; Tstep = 0.07;",
    );
    let o = run(&text).complete();
    let expected: Vec<f64> = (0..6).map(|k| 0.1 + f64::from(k) * 0.07).chain([0.5]).collect();
    for extension in ["pva", "epl", "frc", "csv"] {
        assert_eq!(o.table(extension).column("t"), expected, "{extension}");
    }
    // A step that divides the time only up to round-off leaves no double row at the end.
    let o = run(&two_bodies(Run { end: 0.3, step: 0.1, ..half_second() }, "")).complete();
    assert_eq!(o.table("pva").rows.len(), 4);
}

#[test]
fn output_types_and_files_are_chosen() {
    let none = two_bodies(half_second(), "").replace("OutputType = all", "OutputType = none");
    assert_eq!(run(&none).complete().files(), ["case.log"]);
    let chosen = "Output \"o\" { Files = epl; Events = no; }";
    let none_but = none.clone() + chosen;
    assert_eq!(run(&none_but).complete().files(), ["case.epl", "case.log"], "Output counts more");
    // Without contacts there is no `.frc`, without bodies no file of bodies.
    let pendulum = Text::new([0.0, 0.0, -9.81], half_second())
        .joint(
            "Revolute",
            ["K", "world", "b"],
            [0.0; 3],
            "JointAxis = 0, 1, 0; JointPoint = 0, 0, 0; Qinit = 1; QDinit = 0; Degrees = rad;",
        )
        .body(["b", "world", "K"], 1.0, [0.1, 0.1, 0.0], [0.0, 0.0, -0.5]);
    let without = run(pendulum.text()).complete();
    assert_eq!(without.files(), ["case.ani", "case.csv", "case.epl", "case.log", "case.pva"]);
    assert_eq!(without.table("csv").columns, ["t", "K.q", "K.qd", "K.f"]);
    let empty = run(Text::new([0.0; 3], half_second()).text()).complete();
    assert_eq!(empty.files(), ["case.csv", "case.log"]);
    assert_eq!(empty.table("csv").rows.len(), 11);
}

#[test]
fn events_have_a_row_before_and_a_row_after_in_the_signals_only() {
    let output =
        "Output \"o\" { Files = pva, csv, frc; Signals = c1.state, J.qdd[3], a.z; Events = yes; }";
    let o = run(&two_bodies(half_second(), output)).complete();
    assert_eq!(o.table("pva").rows.len(), 11);
    assert_eq!(o.table("frc").rows.len(), 11);
    let rows = o.table("csv").rows.clone();
    let pairs: Vec<_> = rows.windows(2).filter(|pair| pair[0][0] == pair[1][0]).collect();
    assert_eq!(pairs.len() as u64, o.summary.events);
    assert_eq!(rows.len(), 11 + 2 * pairs.len());
    // Touching: free fall before, braked after.
    let [before, after] = pairs[0] else { panic!("a pair") };
    assert_eq!((before[1], after[1]), (0.0, 1.0));
    assert!((before[2] + 9.81).abs() < 1e-12 && after[2] > 0.0, "{before:?} {after:?}");
    assert_eq!(before[3].to_bits(), after[3].to_bits());
    assert!(rows.windows(2).all(|pair| pair[0][0] <= pair[1][0]), "in the order of time");
}

/// A force that has no value from t = 0.3 s on.
const ROOT: &str = "Force \"pull\" { TriadTo = tip; Vector = sqrt(0.3 - t), 0, 0; Frame = world; }";

fn assert_incomplete(o: &Outcome, rows: usize) {
    assert!(o.text("log").contains("INCOMPLETE"), "{}", o.text("log"));
    for extension in ["pva", "epl", "frc", "csv"] {
        assert_eq!(o.table(extension).rows.len(), rows, "{extension}");
    }
    for extension in ["pva", "epl", "frc", "ani"] {
        let text = o.text(extension);
        let last = text.lines().last().unwrap_or_default();
        assert!(last.starts_with("# incomplete"), "{extension}: {last}");
    }
    assert!(o.files().iter().all(|name| !name.contains("part")), "{:?}", o.files());
}

#[test]
fn a_run_that_fails_half_way_keeps_its_rows_and_names_the_element() {
    // Output times 0, 0.05, ... 0.3: seven rows, if 0.3 itself can be reached.
    let text = two_bodies(half_second(), ROOT);
    let o = run(&text);
    o.failure();
    let shown = o.error.as_ref().map(Error::to_string).unwrap_or_default();
    let line = 1 + text.lines().position(|line| line.contains("\"pull\"")).expect("the line");
    assert!(shown.contains("Force `pull`: a time expression is not finite"), "{shown}");
    assert!(shown.contains(&format!("case.dys:{line}:")), "{shown}");
    let rows = o.table("pva").rows.len();
    assert!((6..=7).contains(&rows), "{rows}");
    assert_incomplete(&o, rows);
}

#[test]
fn a_run_that_fails_at_once_says_so_too() {
    let o = run(&two_bodies(half_second(), &ROOT.replace("0.3 - t", "-1 - t")));
    o.failure();
    assert_incomplete(&o, 0);
}

/// Runs in a directory that the test has prepared.
fn run_in(directory: &Path) -> Result<engine::Outcome, Error> {
    let interrupted = AtomicBool::new(false);
    let options = Options::new(directory, &interrupted);
    model(&two_bodies(half_second(), "")).simulate(options, &mut Unwatched)
}

/// The name under which a file is written before it is complete.
fn temporary(directory: &Path, extension: &str) -> std::path::PathBuf {
    directory.join(format!("case.{extension}.{}.part", std::process::id()))
}

fn names(directory: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory).expect("the directory");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn directories_that_cannot_be_written_are_named() {
    let directory = tempfile::tempdir().expect("a directory");
    let missing = directory.path().join("missing");
    let message = run_in(&missing).expect_err("no directory").to_string();
    assert!(message.contains("missing") && message.contains("case.log"), "{message}");
    // One file that cannot be created: its name is told, the others leave no half files behind.
    std::fs::create_dir(temporary(directory.path(), "pva")).expect("an obstacle");
    let message = run_in(directory.path()).expect_err("an obstacle").to_string();
    assert!(message.contains("case.pva"), "{message}");
    std::fs::remove_dir(temporary(directory.path(), "pva")).expect("the obstacle");
    assert_eq!(names(directory.path()), ["case.log"]);
    let log = std::fs::read_to_string(directory.path().join("case.log")).expect("the log");
    assert!(log.contains("INCOMPLETE"), "{log}");
}

/// `/dev/full` refuses every byte as a full disk does.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported_and_the_other_files_are_kept() {
    let directory = tempfile::tempdir().expect("a directory");
    std::os::unix::fs::symlink("/dev/full", temporary(directory.path(), "epl")).expect("a link");
    let made = run_in(directory.path()).expect("the run itself");
    let mistake = mistake(made.error.as_ref(), ErrorKind::File);
    assert!(mistake.message.contains("case.epl"), "{mistake:?}");
    assert!(!directory.path().join("case.epl").exists(), "nothing that looks complete");
    let written: Vec<String> = made
        .summary
        .files
        .iter()
        .filter_map(|path| path.file_name())
        .map(|n| n.to_string_lossy().into_owned())
        .collect();
    assert_eq!(written, ["case.ani", "case.pva", "case.frc", "case.csv", "case.log"]);
    let log = std::fs::read_to_string(directory.path().join("case.log")).expect("the log");
    assert!(log.contains("INCOMPLETE: cannot write"), "{log}");
    let pva = std::fs::read_to_string(directory.path().join("case.pva")).expect("the table");
    assert_eq!(pva.lines().count(), 12);
}
