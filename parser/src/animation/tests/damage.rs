//! Damaged tables: each kind is reported with its line, and the good rows are still there.

use super::*;

/// Asserts a problem at `line` and `column` whose message contains `part`, and that it has a help.
#[track_caller]
fn assert_problem<R: std::io::Read + std::io::Seek>(
    reader: &AniReader<R>,
    (line, column): (u64, u64),
    severity: Severity,
    part: &str,
) {
    let found = reader.problems().iter().find(|problem| {
        (problem.line, problem.column, problem.severity) == (line, column, severity)
            && problem.message.contains(part)
    });
    let found = found.unwrap_or_else(|| panic!("{:#?}", reader.problems()));
    assert!(!found.help.is_empty());
}

/// A header for one body `a`; the rows start in line 5.
const HEAD: &str =
    "# DySimAniFileVersion: 0.5\n# ModelName: m\n# NumberOfBodies: 1\n# NamesOfBodies: a\n";
const POSE: &str = "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1";

/// Rows at t = 0 and t = 2 around `middle`, in line 6.
fn with_middle(middle: &str) -> String {
    format!("{HEAD}0 {POSE}\n{middle}\n2 {POSE}\n")
}

#[test]
fn each_bad_row_is_reported_and_left_out() {
    let cases = [
        ("1 1 0 0", 8, "4 columns, expected 17"),
        (&format!("1 {POSE} 5 6"), 35, "19 columns, expected 17"),
        (&format!("1 x{POSE}"), 3, "`x1` is not a number, expected pose element 1,1 of body `a`"),
        (&format!("nan {POSE}"), 1, "`nan` is not finite, expected the time"),
        (&format!("1 {}", POSE.replacen('0', "NaN", 1)), 5, "not finite"),
        (&format!("1 {}", POSE.replacen('0', "1e999", 1)), 5, "not finite"),
        (&format!("1 {}", POSE.replacen('0', "0,5", 1)), 5, "`0,5` is not a number"),
        (&format!("-1 {POSE}"), 1, "time -1.0 goes back, expected 0.0 or later"),
        ("\u{0}\u{0}\u{0}\u{0}", 1, "is not a number"),
        ("1 ä ö", 3, "`ä` is not a number"),
    ];
    for (middle, column, part) in cases {
        let text = with_middle(middle);
        let mut reader = scanned(text.as_bytes());
        assert_problem(&reader, (6, column), Severity::Error, part);
        assert_eq!(reader.problem_counts(), (1, 0), "{middle}");
        assert_eq!(times(&mut reader), [0.0, 2.0], "{middle}");
    }
}

#[test]
fn single_time_out_of_order_does_not_hide_the_rows_after_it() {
    let cases: [(&[f64], &[f64], u64); 5] = [
        (&[0.0, 1.0, 2e300, 3.0, 4.0], &[0.0, 1.0, 3.0, 4.0], 7),
        (&[0.0, 1.0, 0.5, 3.0, 4.0], &[0.0, 0.5, 3.0, 4.0], 6),
        (&[0.0, 1.0, 2.0, 0.5, 3.0, 4.0], &[0.0, 1.0, 2.0, 3.0, 4.0], 8),
        // Two runs in one file: the second is left out.
        (&[0.0, 1.0, 2.0, 0.0, 1.0, 2.0], &[0.0, 1.0, 2.0, 2.0], 8),
        (&[0.0, 1.0, 9.0, 0.0, 5.0], &[0.0, 1.0, 9.0], 8),
    ];
    for (given, expected, line) in cases {
        let rows: String = given.iter().map(|time| format!("{time} {POSE}\n")).collect();
        let text = format!("{HEAD}{rows}");
        let mut reader = scanned(text.as_bytes());
        assert_eq!(times(&mut reader), expected);
        assert_eq!(reader.problems()[0].line, line, "{:?}", reader.problems());
        assert!(reader.problems()[0].message.len() < 100);
        assert_eq!(walked(&mut reader), expected);
    }
}

/// The times met by stepping from the first row.
fn walked(reader: &mut TextReader<'_>) -> Vec<f64> {
    let mut times = vec![];
    let mut row = reader.first_row().unwrap();
    while let Some(here) = row {
        times.push(here.time);
        row = reader.next_row(&here).unwrap();
    }
    times
}

#[test]
fn invalid_utf8_and_endless_lines_are_passed_over() {
    let long = [b'7'].repeat(3 << 20);
    for (middle, part) in [(&b"1 \xFF\xFE 3"[..], "is not a number"), (&long, "far too long")] {
        let mut text = format!("{HEAD}0 {POSE}\n").into_bytes();
        text.extend_from_slice(middle);
        text.extend_from_slice(format!("\n2 {POSE}\n").as_bytes());
        let mut reader = scanned(&text);
        assert_eq!(reader.problem_counts(), (1, 0));
        assert!(reader.problems()[0].message.contains(part), "{:?}", reader.problems());
        assert_eq!(reader.problems()[0].line, 6);
        assert!(reader.problems()[0].message.len() < 300);
        assert_eq!(times(&mut reader), [0.0, 2.0]);
    }
}

#[test]
fn poses_that_are_no_rigid_motion_are_warned_of_and_kept() {
    let cases = [
        ("2 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1", "not orthonormal"),
        ("1e300 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1", "not orthonormal"),
        ("-1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1", "mirrors"),
        ("1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 2", "other than 0 0 0 1"),
    ];
    for (pose, part) in cases {
        let text = with_middle(&format!("1 {pose}"));
        let mut reader = scanned(text.as_bytes());
        assert_problem(&reader, (6, 3), Severity::Warning, part);
        assert_eq!(times(&mut reader), [0.0, 1.0, 2.0]);
    }
    // Rounded to six digits by another program: fine.
    let text = with_middle("1 0.877583 -0.479426 0 0 0.479426 0.877583 0 0 0 0 1 0 0 0 0 1");
    assert_eq!(scanned(text.as_bytes()).problem_counts(), (0, 0));
}

#[test]
fn last_row_cut_off_anywhere_is_told_and_the_rest_shown() {
    let whole = format!("{HEAD}0 {POSE}\n1 {POSE}");
    for cut in HEAD.len() + 36..whole.len() {
        let text = &whole[..cut];
        let mut reader = scanned(text.as_bytes());
        assert_eq!(times(&mut reader), [0.0], "cut at {cut}");
        assert_eq!(reader.problem_counts(), (1, 0), "cut at {cut}");
        assert!(reader.problems()[0].message.contains("cut off"));
        assert_eq!(reader.problems()[0].line, 6);
        let last = AniReader::open(Cursor::new(text.as_bytes()), FileState::Finished)
            .and_then(|mut unscanned| unscanned.last_row());
        assert_eq!(last.unwrap().unwrap().time, 0.0);
    }
    // Only the line end is missing: the row is whole.
    let mut reader = scanned(whole.as_bytes());
    assert_eq!(reader.problems(), []);
    assert_eq!(times(&mut reader), [0.0, 1.0]);
}

#[test]
fn a_last_row_that_goes_back_is_not_the_last_before_its_scan_either() {
    let text = format!("{HEAD}0.5 {POSE}\n0.4 {POSE}");
    let mut reader = AniReader::open(Cursor::new(text.as_bytes()), FileState::Growing).unwrap();
    while matches!(reader.scan(1), Ok(Progress::More)) {}
    // Its line end is missing: it counts from now on, and has not been scanned.
    reader.finish();
    assert_eq!(reader.last_row().unwrap().unwrap().time, 0.5);
}

#[test]
fn reports_are_capped_and_counted() {
    let bad = "1 2\n".repeat(1000);
    let text = format!("{HEAD}{bad}3 {POSE}\n");
    let mut reader = scanned(text.as_bytes());
    assert_eq!(reader.problems().len(), 50);
    assert_eq!(reader.problem_counts(), (1000, 0));
    assert_eq!(times(&mut reader), [3.0]);
    assert_eq!(reader.first_row().unwrap().unwrap().number, Some(0));
}

#[test]
fn wrong_version_is_only_a_warning() {
    let text = with_middle("").replace("0.5", "0.4");
    let mut reader = scanned(text.as_bytes());
    assert_problem(&reader, (1, 24), Severity::Warning, "version `0.4` of the .ani table");
    assert_eq!(reader.problem_counts(), (0, 1));
    assert_eq!(times(&mut reader), [0.0, 2.0]);
}

#[test]
fn missing_header_lines_are_told_and_made_up_for() {
    let cases = [
        ("# DySimAniFileVersion: 0.5\n", Severity::Warning, "a"),
        ("# ModelName: m\n", Severity::Warning, "a"),
        ("# NumberOfBodies: 1\n", Severity::Error, "a"),
        ("# NamesOfBodies: a\n", Severity::Error, "#1"),
    ];
    for (line, severity, name) in cases {
        let text = with_middle("").replace(line, "");
        let mut reader = scanned(text.as_bytes());
        assert_problem(&reader, (4, 1), severity, line.split([' ', ':']).nth(1).unwrap());
        assert_eq!(reader.header().unwrap().names, [name]);
        assert_eq!(times(&mut reader), [0.0, 2.0]);
    }
    // Nothing but numbers.
    let text = with_middle("").replace(HEAD, "");
    let mut reader = scanned(text.as_bytes());
    assert_eq!(reader.problem_counts(), (2, 2));
    assert_eq!(times(&mut reader), [0.0, 2.0]);
}

#[test]
fn count_and_names_that_differ_are_settled_by_the_first_row() {
    for (count, names, chosen) in
        [("1", "a b", vec!["a"]), ("2", "a", vec!["a"]), ("9", "a", vec!["a"])]
    {
        let text = with_middle("")
            .replace("NumberOfBodies: 1", &format!("NumberOfBodies: {count}"))
            .replace("NamesOfBodies: a", &format!("NamesOfBodies: {names}"));
        let mut reader = scanned(text.as_bytes());
        assert_problem(&reader, (3, 19), Severity::Error, "expected as many names as bodies");
        assert_eq!(reader.header().unwrap().names, chosen);
        assert_eq!(times(&mut reader), [0.0, 2.0]);
    }
    let text =
        with_middle("").replace("Bodies: 1", "Bodies: many").replace("a\n", "a\n# ModelName: n\n");
    let reader = scanned(text.as_bytes());
    assert_problem(&reader, (3, 19), Severity::Error, "`many` bodies, expected a whole number");
    assert_problem(&reader, (5, 14), Severity::Error, "contradicts line 2");
    assert_eq!(reader.header().unwrap().model_name, "m");
}

#[test]
fn impossible_counts_do_not_take_memory() {
    for count in ["100001", "18446744073709551615", "1e9", "-1", ""] {
        let text = format!("# NumberOfBodies: {count}\n0 1 2\n");
        let reader = scanned(text.as_bytes());
        assert!(reader.header().is_none());
        assert_problem(&reader, (1, 19), Severity::Error, "expected a whole number");
        assert_problem(&reader, (2, 1), Severity::Error, "number of bodies is unknown");
    }
}

#[test]
fn doubtful_names_and_late_header_lines_are_warned_of() {
    let text = format!(
        "# NumberOfBodies: 2\n# NamesOfBodies: a a\n# ModelName: m\n# DySimAniFileVersion: 0.5\n\
         0 {POSE} {POSE}\n# ModelName: other\n"
    );
    let reader = scanned(text.as_bytes());
    assert_problem(&reader, (2, 18), Severity::Warning, "`a` is named twice");
    assert_problem(&reader, (6, 1), Severity::Warning, "after the first row");
}

#[test]
fn files_that_are_no_table_get_one_clear_message() {
    let utf16: Vec<u8> = "# Dy".encode_utf16().flat_map(u16::to_le_bytes).chain(*b"\n\0").collect();
    let utf16 = [&[0xFF, 0xFE][..], &utf16].concat();
    let cases: [(&[u8], &str); 6] = [
        (b"", "the file is empty"),
        (b"\n\r\n", "no header line and no row"),
        (b"# only\n# remarks", "no header line and no row"),
        (b"<html>\n1 2 3\n", "found `<html>`"),
        (b"\x7FELF\x00\x01\n", "this is no .ani table"),
        (&utf16, "this is no .ani table"),
    ];
    for (bytes, part) in cases {
        let mut reader = scanned(bytes);
        assert_problem(&reader, (1, 1), Severity::Error, part);
        assert_eq!(reader.problem_counts(), (1, 0));
        assert!(reader.header().is_none());
        assert_eq!(reader.rows_around(1.0).unwrap(), None);
        assert_eq!(reader.last_row().unwrap(), None);
    }
}

#[test]
fn header_without_rows_says_so_once() {
    let mut reader = scanned(HEAD.as_bytes());
    assert_problem(&reader, (5, 1), Severity::Error, "no usable row");
    reader.scan(1).unwrap();
    assert_eq!(reader.problem_counts(), (1, 0));
    assert_eq!(reader.header().unwrap().names, ["a"]);
    assert_eq!(reader.rows_around(0.0).unwrap(), None);
}

#[test]
fn header_that_never_ends_is_given_up() {
    let bytes = [b'#'].repeat(MAX_LINE_BYTES + 10);
    let reader = scanned(&bytes);
    assert_problem(&reader, (1, 1), Severity::Error, "does not end within 64 MiB");
    let lines = b"# a remark that goes on and on\n".repeat(MAX_LINE_BYTES / 30);
    let reader = scanned(&lines);
    assert_eq!(reader.problem_counts(), (1, 0));
    assert!(reader.problems()[0].message.contains("does not end"));
}

#[test]
fn problem_prints_place_severity_and_help() {
    let problem = AniProblem {
        line: 12,
        column: 5,
        severity: Severity::Error,
        message: "a".to_owned(),
        help: "b".to_owned(),
    };
    assert_eq!(problem.to_string(), "12:5: error: a\nhelp: b");
}

/// Calls everything; whatever the bytes are, rows must be in order and nothing may panic.
fn exercise(bytes: &[u8], time: f64) {
    for state in [FileState::Growing, FileState::Finished] {
        let mut reader = AniReader::open(Cursor::new(bytes), state).unwrap();
        for _ in 0..3 {
            let first = reader.first_row().unwrap();
            let last = reader.last_row().unwrap();
            if let Some(pair) = reader.rows_around(time).unwrap() {
                assert!(pair.before.time <= pair.after.time);
                assert!((0.0..=1.0).contains(&pair.fraction(time)));
                reader.next_row(&pair.before).unwrap();
                reader.previous_row(&pair.after).unwrap();
            }
            assert_eq!(first.is_some(), last.is_some());
            reader.scan(200).unwrap();
        }
        while reader.scan(1000).unwrap() == Progress::More {}
        let unscanned = walked(&mut AniReader::open(Cursor::new(bytes), state).unwrap());
        let by_number = times(&mut reader);
        assert!(by_number.is_sorted());
        assert_eq!(by_number, walked(&mut reader));
        assert_eq!(by_number, unscanned);
        assert!(reader.problems().len() <= 100);
    }
}

proptest! {
    #[test]
    fn random_times_give_the_same_rows_scanned_or_not(times in prop::collection::vec(0..12, 0..20)) {
        let rows: String = times.iter().map(|time| format!("{time} {POSE}\n")).collect();
        exercise(format!("{HEAD}{rows}").as_bytes(), 5.5);
    }

    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..600), time in any::<f64>()) {
        exercise(&bytes, time);
    }

    #[test]
    fn random_lines_never_panic(
        lines in prop::collection::vec("(# ?(NumberOfBodies|NamesOfBodies|ModelName) ?: ?[0-3ab ]{0,5}|[-0-9. #aneE\t\r]{0,50}|0 1)", 0..20),
        time in any::<f64>(),
    ) {
        exercise(lines.join("\n").as_bytes(), time);
    }

    #[test]
    fn random_damage_never_panics(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        time in 0.0..3.0,
    ) {
        let mut bytes = table(&["a", "b"], &[0.0, 0.5, 1.0, 1.5, 2.0, 2.5]).into_bytes();
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        exercise(&bytes, time);
    }
}
