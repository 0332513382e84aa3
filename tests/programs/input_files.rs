//! `--input`: tables that Input blocks follow, good ones and others, as a user meets them.

use std::fs;
use std::path::Path;

use dysim_tests::programs::{Run, dysim, run};

/// A model with two inputs and without a warning; `de` has no root finding.
const MODEL: &str = "Header \"h\" { ModelName = m; OutputType = all; }\n\
    System \"s\" { GravAccel = 0, 0, 0; ScaleGrav = 1; }\n\
    Solver \"v\" { Type = dynamic; Solver = de; AbsErr = 1e-10; RelErr = 1e-10; Tstart = 0; Tend = 1; \
    Tstep = 0.1; TstepMax = 0.1; TstepMin = 0; TstepIni = 0.01; }\n\
    Output \"o\" { Signals = u.y, I.y; }\n\
    Input \"u\" { Unit = \"V\"; Default = 0.5; }\n\
    Input \"w\" { Default = 2; }\n\
    Integrator \"I\" { u = u.y*w.y; }\n";

/// Runs the model with a table in a directory.
fn with_table(directory: &Path, table: &str) -> Run {
    let (model, file) = (directory.join("m.dys"), directory.join("table.csv"));
    fs::write(&model, MODEL).unwrap();
    fs::write(&file, table).unwrap();
    run(dysim().args(["--out", directory.to_str().unwrap(), "--input"]).args([file, model]))
}

/// The last row of the `.csv` file.
fn last_row(directory: &Path) -> Vec<f64> {
    let text = fs::read_to_string(directory.join("m.csv")).unwrap();
    text.lines().last().unwrap().split(',').map(|cell| cell.parse().unwrap()).collect()
}

#[test]
fn a_run_follows_its_table() {
    let directory = tempfile::tempdir().unwrap();
    let done = with_table(directory.path(), "t,u\n0,0\n0.257,1\n0.257,3\n9,3\n");
    assert_eq!(done.code, Some(0), "{done:?}");
    let note = "note: without a column of a table the Input stays at its Default: `w` = 2";
    assert_eq!(done.err.matches(note).count(), 1, "{}", done.err);
    let row = last_row(directory.path());
    let area = 2.0 * (0.5 * 0.257 + 3.0 * (1.0 - 0.257));
    assert!((row[1] - 3.0).abs() < 1e-14 && (row[2] - area).abs() < 1e-9, "{row:?} {area}");
    let log = fs::read_to_string(directory.path().join("m.log")).unwrap();
    assert!(log.contains("[V] u.y"), "{log}");
    // All columns are there: nothing is to be said.
    let done = with_table(directory.path(), "t;w;u\n0;1;2\n");
    assert!(done.code == Some(0) && !done.err.contains("note:"), "{done:?}");
    assert!((last_row(directory.path())[2] - 2.0).abs() < 1e-9);
}

#[test]
fn without_a_table_the_defaults_count() {
    let directory = tempfile::tempdir().unwrap();
    let (model, out) = (directory.path().join("m.dys"), directory.path().to_str().unwrap());
    fs::write(&model, MODEL).unwrap();
    let done = run(dysim().args(["--out", out]).arg(model));
    assert_eq!(done.code, Some(0), "{done:?}");
    let note = "the inputs stay at their Default: `u` = 0.5 V, `w` = 2";
    assert_eq!(done.err.matches(note).count(), 1, "{}", done.err);
    assert!((last_row(directory.path())[2] - 1.0).abs() < 1e-9);
}

#[test]
fn wrong_tables_are_mistakes_with_a_place() {
    let directory = tempfile::tempdir().unwrap();
    for (table, words, place) in [
        ("", "the table of inputs is empty", "table.csv:1:1"),
        ("t,u\n", "has no rows", "table.csv:1:1"),
        ("u,w\n0,1\n", "the first column of a table of inputs is `t`, not `u`", "table.csv:1:1"),
        ("t,u,x\n0,1,2\n", "the model has no Input `x`", "table.csv:1:5"),
        ("t,u\n0,1\n0.5,1\n0.4,1\n", "t = 0.4 comes behind t = 0.5", "table.csv:4:1"),
        ("t,u\n0,1\n0.5,one\n", "`one` in column `u` is not a finite number", "table.csv:3:5"),
        ("t,u\n0,1\n0.5,1,2\n", "this row has 3 cells, the first line has 2", "table.csv:3:1"),
    ] {
        let wrong = with_table(directory.path(), table);
        assert_eq!(wrong.code, Some(1), "{wrong:?}");
        assert!(wrong.err.contains(words) && wrong.err.contains(place), "{}", wrong.err);
        assert!(wrong.err.contains("help:") && wrong.err.contains("1 error"), "{}", wrong.err);
    }
    let missing = run(dysim().args(["--input", "no_such.csv", "models/mechanics/pendulum"]));
    assert_eq!(missing.code, Some(3), "{missing:?}");
    assert!(
        missing.err.contains("cannot read `no_such.csv`: there is no such file"),
        "{missing:?}"
    );
}
