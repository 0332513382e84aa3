//! `dysim plot` and `dysim --plot`.

use std::fs;
use std::io::Write;
use std::path::Path;

use dysim_tests::programs::{Run, dysim, ends, example, run};
use tempfile::TempDir;

/// Runs `dysim ARGUMENTS` in a directory.
fn on(directory: &TempDir, arguments: &[&str]) -> Run {
    run(dysim().current_dir(directory.path()).args(arguments))
}

fn read(directory: &TempDir, name: &str) -> String {
    fs::read_to_string(directory.path().join(name)).unwrap()
}

/// A table with this text.
fn table(text: &str) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("x.csv"), text).unwrap();
    directory
}

/// What stands in the text elements of a picture.
fn words(svg: &str) -> Vec<&str> {
    let texts = svg.split("<text ").skip(1);
    texts.filter_map(|rest| rest.split('>').nth(1)?.split('<').next()).collect()
}

/// As [`words`], for pictures of the manual.
pub fn words_of(svg: &str) -> Vec<String> {
    words(svg).into_iter().map(str::to_string).collect()
}

/// The number of curves: lines as wide as curves are.
fn curves(svg: &str) -> usize {
    svg.matches("stroke-width=\"1.6\"").count()
}

#[test]
fn a_run_plots_its_coordinates_and_energies_with_units_and_events() {
    let directory = tempfile::tempdir().unwrap();
    let run = on(&directory, &["--plot", &example("mechanics/falling_box")]);
    ends(&run, 0, &["wrote ./falling_box.svg"]);
    let svg = read(&directory, "falling_box.svg");
    let words = words(&svg);
    let expected = [
        "falling_box",
        "m",
        "rad",
        "J",
        "J.q[1]",
        "J.q[6]",
        "kinetic energy",
        "t [s]",
        "50 events",
    ];
    for word in expected {
        assert!(words.contains(&word), "no `{word}` in {words:?}");
    }
    assert!(!words.contains(&"J.qd[1]"), "rates are not among the usual columns: {words:?}");
    assert_eq!(curves(&svg), 9, "three shifts, three angles, three energies");
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    let left: Vec<_> =
        fs::read_dir(directory.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().ends_with("part")), "{left:?}");
}

#[test]
fn a_bitmap_has_the_size_that_was_asked_for() {
    let directory = tempfile::tempdir().unwrap();
    ends(&on(&directory, &["-q", "--plot=p.png", &example("mechanics/pendulum")]), 0, &[]);
    let arguments = ["plot", "pendulum.csv", "--size", "640x400", "-y", "J.q", "-o", "q.png"];
    ends(&on(&directory, &arguments), 0, &["wrote q.png"]);
    let bytes = fs::read(directory.path().join("q.png")).unwrap();
    // Signature, then the header with width and height, two pixels per point.
    assert_eq!(bytes[..8], *b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    assert_eq!((number(16), number(20)), (1280, 800));
    assert!(directory.path().join("p.png").exists());
}

#[test]
fn columns_are_chosen_and_units_make_panels() {
    let directory = tempfile::tempdir().unwrap();
    ends(&on(&directory, &["-q", &example("mechanics/pendulum")]), 0, &[]);
    let run = on(&directory, &["plot", "pendulum.csv", "-y", "J.q,J.qd", "-o", "-"]);
    ends(&run, 0, &[]);
    let found = words(&run.out);
    for word in ["J.q", "J.qd", "rad", "rad/s"] {
        assert!(found.contains(&word), "{found:?}");
    }
    // Over something else than the time, in degrees; the suffix may be left out.
    let arguments = ["plot", "pendulum", "-x", "J.q", "-y", "*.qd", "--degrees", "-o", "-"];
    let run = on(&directory, &arguments);
    ends(&run, 0, &[]);
    assert!(words(&run.out).contains(&"J.q [\u{b0}]"), "{:?}", words(&run.out));
    assert!(words(&run.out).contains(&"60"), "the pendulum starts at 60 degrees");
    // The other tables have units too.
    let run = on(&directory, &["plot", "pendulum.epl", "-y", "system.l*", "-o", "-"]);
    ends(&run, 0, &[]);
    assert!(words(&run.out).contains(&"kg m²/s"), "{:?}", words(&run.out));
}

#[test]
fn a_terminal_gets_characters() {
    let directory = tempfile::tempdir().unwrap();
    let run = on(&directory, &["-q", "--ascii", &example("mechanics/pendulum")]);
    ends(&run, 0, &[]);
    assert!(run.out.is_ascii() && run.out.lines().all(|line| line.len() <= 80), "{}", run.out);
    assert!(run.out.contains("rad * J.q") && run.out.contains("t [s]"), "{}", run.out);
    assert!(!directory.path().join("pendulum.svg").exists());
}

#[test]
fn wrong_requests_are_explained() {
    let directory = table("t,J.q,J.qd\n0,1,2\n1,3,4\n");
    let cases: [(&[&str], i32, &str); 9] = [
        (&["plot", "x.csv", "-y", "J.p"], 64, "`x.csv` has no column `J.p`; did you mean `J.q`?"),
        (&["plot", "x.csv", "-y", "speed"], 64, "its columns are t, J.q, J.qd"),
        (&["plot", "x.csv", "-x", "time"], 64, "no column `time`"),
        (&["plot", "x.csv", "-o", "x.pdf"], 64, "`x.pdf`: its name must end in .svg or .png"),
        (&["plot", "x.csv", "--size", "10"], 64, "900x500"),
        (&["plot", "x.csv", "--from", "5"], 64, "no rows in this span of time"),
        (&["plot", "y.csv"], 3, "cannot plot `y.csv`: No such file"),
        (&["plot", "x.csv", "-o", "none/x.svg"], 3, "cannot write `none/x.svg`"),
        (&["plot", "x.dys"], 64, "`dysim x.dys --plot`"),
    ];
    for (arguments, code, said) in cases {
        ends(&on(&directory, arguments), code, &[said]);
    }
}

#[test]
fn tables_that_cannot_be_plotted_say_why() {
    let cases = [
        ("", "the file is empty"),
        ("\n\n", "the file is empty"),
        ("t,a\n", "there are no rows"),
        ("# only a comment\n", "there are no rows"),
        ("t\n1\n2\n", "one column only"),
        ("t,a\n1,2\n2,red\n3,4\n", "line 3, column `a`: `red` is not a number"),
        ("t,a\n1,2\n2\n3,4\n", "line 3 has 1 columns, expected 2"),
        ("t,a\n1,2,3\n3,4\n", "line 2 has 3 columns, expected 2"),
        ("\u{0}\u{1}\u{2}", "one column only"),
        ("t,a\r\n1,2\r\n# c\r\n\r\n2,red\r\n", "line 5, column `a`: `red` is not a number"),
        ("# c\n0,1\n  \n1,2\n # c\n2\n3,4\n", "line 6 has 1 columns, expected 2"),
        ("t a\n  \n1  2\n 2 \t x\n3 4\n", "line 4, column `a`: `x` is not a number"),
        // A quotation mark that is not closed takes the rest of the file, not the place of the mistake.
        ("t,a\n1,2\n2,\"3\n4,5\n", "line 3, column `a`: `3` is not a number"),
    ];
    for (text, said) in cases {
        ends(&on(&table(text), &["plot", "x.csv"]), 3, &[said]);
    }
    // A column of text that nobody asks for does not matter.
    let directory = table("t,a,name\n1,2,red\n2,3,blue\n");
    ends(&on(&directory, &["plot", "x.csv", "-y", "a"]), 0, &[]);
}

#[test]
fn values_that_are_missing_leave_gaps() {
    let directory = table("t,a,b\n0,1,\n1,nan,inf\n2,2,-inf\n3,3,NaN\n");
    let run = on(&directory, &["plot", "x.csv"]);
    ends(
        &run,
        0,
        &["`a` has no finite value in 1 of 4 rows", "`b` has no finite value in 4 of 4 rows"],
    );
    let svg = read(&directory, "x.svg");
    assert!(words(&svg).contains(&"b has no finite value"));
    // One piece of two rows, and one row alone, which is a point.
    assert_eq!((curves(&svg), svg.matches("<circle").count()), (1, 1));
    assert!(!svg.contains("NaN") && !svg.contains("inf\""), "{svg}");
}

#[test]
fn one_row_extreme_values_and_strange_names_are_drawn() {
    for text in [
        "t,a\n0,1\n",
        "t,a\n0,1e308\n1,-1e308\n",
        "t,a\n0,1e-320\n1,2e-320\n",
        "t,a\n1e300,0\n1e300,0\n",
        "t,<a>&\"\u{7}\n0,1\n1,2\n",
        "t;a\r\n0;1\r\n1;2",
        "0 1\n1 2\n",
        "\u{feff}t,a\n0,1\n1,2\n",
    ] {
        let directory = table(text);
        let run = on(&directory, &["plot", "x.csv", "-o", "x.svg", "-o", "x.png", "--ascii"]);
        ends(&run, 0, &[]);
        let svg = read(&directory, "x.svg");
        assert!(
            !svg.contains("NaN") && !svg.contains("inf\"") && !svg.contains('\u{7}'),
            "{text}: {svg}"
        );
    }
}

#[test]
fn a_row_that_is_not_complete_is_left_out() {
    let directory = table("t,a\n0,1\n1,2\n2,");
    fs::rename(directory.path().join("x.csv"), directory.path().join("x.csv.7.part")).unwrap();
    ends(
        &on(&directory, &["plot", "x.csv.7.part", "-o", "x.svg"]),
        0,
        &["last row is not complete"],
    );
    assert!(words(&read(&directory, "x.svg")).contains(&"1.0"), "the time ends at 1 s");
}

/// Every row is read, but the picture does not grow with them and keeps the one peak.
#[test]
fn a_million_rows_make_a_small_picture_that_keeps_every_peak() {
    let directory = tempfile::tempdir().unwrap();
    let rows = 1_000_000;
    write_rows(&directory.path().join("x.csv"), rows);
    let run = on(&directory, &["plot", "x.csv"]);
    ends(&run, 0, &[]);
    let svg = read(&directory, "x.svg");
    assert!(svg.len() < 150_000, "{} bytes", svg.len());
    // The peak is the highest number of the axis: with the margin of a twentieth it stands near its top.
    assert!(words(&svg).contains(&"100"), "{:?}", words(&svg));
}

fn write_rows(path: &Path, rows: usize) {
    let mut file = std::io::BufWriter::new(fs::File::create(path).unwrap());
    writeln!(file, "t,a").unwrap();
    for k in 0..rows {
        let value = if k == 777_777 { 100 } else { k % 7 };
        writeln!(file, "{k}e-6,{value}").unwrap();
    }
}
