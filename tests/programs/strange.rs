//! Requests that nobody should make: each is refused or done, at once and in words.

use std::fs;
use std::path::Path;

use dysim_tests::programs::{Run, dysim, example, run};
use tempfile::TempDir;

/// Runs `dysim` in a directory.
fn on(directory: &TempDir, arguments: &[&str]) -> Run {
    run(dysim().current_dir(directory.path()).args(arguments))
}

/// Runs `dysim plot` on a table.
fn plot(table: &str, arguments: &[&str]) -> (Run, TempDir) {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("x.csv"), table).unwrap();
    (on(&directory, &[&["plot", "x.csv"], arguments].concat()), directory)
}

#[test]
fn a_picture_that_cannot_be_written_is_refused_before_the_run() {
    let directory = tempfile::tempdir().unwrap();
    let run = on(&directory, &["--plot=a.bmp", &example("mechanics/pendulum")]);
    assert_eq!(run.code, Some(64), "{run:?}");
    assert!(run.err.contains("its name must end in .svg or .png"), "{}", run.err);
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0, "nothing has been run");
}

#[test]
fn a_list_without_names_is_not_taken_for_a_table_without_columns() {
    for list in ["", ",,", " "] {
        let (run, _) = plot("t,a\n0,1\n1,2\n", &["-y", list]);
        assert_eq!(run.code, Some(64), "{run:?}");
        assert!(run.err.contains("`-y` names no column"), "{}", run.err);
    }
}

#[test]
fn quoted_names_may_contain_the_separator() {
    let (run, directory) = plot("\"t\",\"a,b\",\"c\"\n0,1,2\n1,2,3\n", &["-o", "x.svg"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let svg = fs::read_to_string(directory.path().join("x.svg")).unwrap();
    assert!(svg.contains(">a,b</text>") && svg.contains(">c</text>"), "{svg}");
}

/// The table that is written can be read, and its columns be named on the command line.
#[test]
fn names_with_two_indices_go_through_tables_and_plots() {
    let directory = tempfile::tempdir().unwrap();
    let text = r#"Header "h" { ModelName = q; OutputType = all; }
        System "s" { GravAccel = 0, 0, -9.81; ScaleGrav = 1; }
        Solver "v" { Type = dynamic; Solver = derf; AbsErr = 1e-9; RelErr = 1e-8; Tend = 1; Tstep = 0.25; }
        VoltageSource "V" { p = a; n = gnd; V = 5; }
        Repeat "i" { From = 1; To = 2; Repeat "j" { From = 1; To = 2;
            Resistor "R[i,j]" { p = a; n = gnd; R = i + 10*j; } } }"#;
    fs::write(directory.path().join("q.dys"), text).unwrap();
    let plot = ["q.dys", "--quiet", "--plot=q.svg"];
    assert_eq!(on(&directory, &plot).code, Some(0));
    let mut table = csv::Reader::from_path(directory.path().join("q.csv")).unwrap();
    let place = table.headers().unwrap().iter().position(|name| name == "R[1,2].i").unwrap();
    for row in table.records() {
        let current: f64 = row.unwrap()[place].parse().unwrap();
        assert!((current - 5.0 / 21.0).abs() < 1e-15);
    }
    let chosen = ["plot", "q.csv", "-y", "R[1,2].i, R[*,1].v", "-o", "x.svg"];
    let run = on(&directory, &chosen);
    assert_eq!(run.code, Some(0), "{run:?}");
    let svg = fs::read_to_string(directory.path().join("x.svg")).unwrap();
    assert!(svg.contains(">R[1,2].i</text>") && svg.contains(">R[2,1].v</text>"), "{svg}");
}

#[test]
fn a_value_that_occurs_again_and_again_is_a_point() {
    let (run, directory) = plot("t,a\n1,1\n1,1\n1,1\n", &["-o", "x.svg", "-o", "x.png"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(!run.err.contains("WARN"), "{}", run.err);
    let svg = fs::read_to_string(directory.path().join("x.svg")).unwrap();
    assert!(svg.contains("<circle"), "{svg}");
}

#[test]
fn of_thousands_of_curves_a_hundred_are_drawn_and_the_rest_counted() {
    let columns = 5000;
    let line = |cell: &dyn Fn(usize) -> String| {
        (0..columns).map(cell).collect::<Vec<_>>().join(",") + "\n"
    };
    let names = line(&|k| if k == 0 { "t".into() } else { format!("c{k}") });
    let table = names + &line(&|k| k.to_string()) + &line(&|k| (k + 1).to_string());
    let (run, _) = plot(&table, &["-y", "c*", "-o", "x.svg"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.err.contains("4899 more columns are not shown"), "{}", run.err);
}

#[cfg(target_os = "linux")]
#[test]
fn a_text_without_end_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    for arguments in [&["import-spice", "/dev/zero"][..], &["--check", "/dev/zero"]] {
        let run = on(&directory, arguments);
        assert_eq!(run.code, Some(3), "{run:?}");
        assert!(run.err.contains("cannot read `/dev/zero`: it does not end"), "{}", run.err);
    }
}

#[test]
fn a_netlist_is_not_overwritten_by_its_model() {
    let directory = tempfile::tempdir().unwrap();
    let netlist = "title\nR1 a 0 1k\nV1 a 0 SIN(0 1 1k)\n.tran 1u 1m\n.end\n";
    let path = directory.path().join("a.cir");
    fs::write(&path, netlist).unwrap();
    // However its path is written.
    for output in ["a.cir", "./a.cir", path.to_str().unwrap()] {
        let run = on(&directory, &["import-spice", "a.cir", "-o", output]);
        assert_eq!(run.code, Some(64), "{run:?}");
        assert!(run.err.contains("is the netlist: the model needs another name"), "{}", run.err);
        assert_eq!(fs::read_to_string(&path).unwrap(), netlist);
    }
    assert_eq!(on(&directory, &["import-spice", "a.cir", "-o", "a.dys"]).code, Some(0));
    assert!(Path::new(&directory.path().join("a.dys")).exists());
}

#[test]
fn analyses_of_networks_say_what_is_held() {
    let directory = tempfile::tempdir().unwrap();
    for analysis in ["static", "linear"] {
        let run = on(
            &directory,
            &["--analysis", analysis, &example("mechatronics/inverted_pendulum_sampled")],
        );
        assert!(run.err.contains("sampled blocks and delays hold their outputs"), "{run:?}");
    }
    let run = on(&directory, &["--analysis", "static", &example("mechanics/pendulum")]);
    assert!(!run.err.contains("sampled"), "{}", run.err);
}
