//! The motion as the animator sees it: exact at rows, smooth between them, and robust against damage, growth and
//! replacement of the file.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a helper of a test may fail like the test"
)]

mod tables;

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anidysim::motion::forces::Forces;
use anidysim::motion::{Change, Motion};
use mechanics::{Mat3, vec3};
use tables::{header, model, model_with, row};

const BUDGET: Duration = Duration::from_millis(50);

/// A directory with `m.ani` in it.
struct Case {
    directory: tempfile::TempDir,
}

impl Case {
    fn new(table: &str) -> Self {
        let case = Self { directory: tempfile::tempdir().unwrap() };
        fs::write(case.path("m.ani"), table).unwrap();
        case
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn open(&self, names: &[&str]) -> Motion {
        Motion::open(&self.path("m.ani"), &model(names)).unwrap()
    }
}

/// Rows at 0, 0.1, ... in which the body turns at 1 rad/s and moves at 2 m/s.
fn steady(n_rows: usize) -> String {
    let times = (0..n_rows).map(|k| k as f64 * 0.1);
    times.fold(header(&["a"]), |table, t| table + &row(t, t, 2.0 * t, 1))
}

#[test]
fn poses_are_exact_at_rows_and_follow_a_steady_motion_between_them() {
    let case = Case::new(&steady(21));
    let mut motion = case.open(&["a"]);
    assert_eq!(motion.span(), Some((0.0, 2.0)));
    for k in 0..=20 {
        let time = f64::from(k) * 0.1;
        motion.seek(time).unwrap();
        let pose = motion.poses()[0].unwrap();
        assert_eq!(pose.translation, vec3(2.0 * time, 0.0, 0.0));
        let (s, c) = time.sin_cos();
        assert_eq!(pose.rotation.rows[0], vec3(c, -s, 0.0));
    }
    for time in [0.01, 0.05, 0.777, 1.23456, 1.9999] {
        motion.seek(time).unwrap();
        let pose = motion.poses()[0].unwrap();
        // Slerp and the straight line are exact for this motion; a few roundings.
        assert!((pose.rotation - Mat3::rotation_z(time)).max_abs() < 1e-14, "{time}");
        assert!((pose.translation - vec3(2.0 * time, 0.0, 0.0)).max_abs() < 1e-14, "{time}");
        assert_eq!(motion.poses_at(time).unwrap()[0].unwrap().translation, pose.translation);
    }
    for (asked, shown) in [(-3.0, 0.0), (99.0, 2.0)] {
        motion.seek(asked).unwrap();
        assert_eq!(motion.time(), Some(shown));
    }
}

#[test]
fn single_frames_visit_every_row_also_both_rows_of_an_event() {
    let mut table = header(&["a"]);
    let times = [0.0, 0.1, 0.1, 0.2, 0.3];
    for (k, time) in times.into_iter().enumerate() {
        table += &row(time, 0.0, k as f64, 1);
    }
    let case = Case::new(&table);
    let mut motion = case.open(&["a"]);
    // Before and after the numbers of the rows are known.
    for judged in [false, true] {
        if judged {
            motion.judge_all().unwrap();
        }
        motion.seek(0.0).unwrap();
        let mut seen = vec![motion.poses()[0].unwrap().translation.x];
        while motion.step(1).unwrap() {
            let shown = motion.time().unwrap();
            // Drawing asks for the same time again and must not move.
            motion.seek(shown).unwrap();
            seen.push(motion.poses()[0].unwrap().translation.x);
        }
        assert_eq!(seen, [0.0, 1.0, 2.0, 3.0, 4.0], "judged: {judged}");
        let mut back = Vec::new();
        while motion.step(-1).unwrap() {
            back.push(motion.poses()[0].unwrap().translation.x);
        }
        assert_eq!(back, [3.0, 2.0, 1.0, 0.0], "judged: {judged}");
        // From between two rows to the nearer one in either direction.
        motion.seek(0.25).unwrap();
        motion.step(1).unwrap();
        assert_eq!(motion.time(), Some(0.3));
        motion.seek(0.25).unwrap();
        motion.step(-1).unwrap();
        assert_eq!(motion.time(), Some(0.2));
    }
}

#[test]
fn every_kth_row_is_shown_alone() {
    let case = Case::new(&steady(50));
    let mut motion = case.open(&["a"]);
    motion.judge_all().unwrap();
    assert_eq!(motion.progress(), (50, 1.0));
    for (time, every, number) in
        [(0.0, 7, 0), (0.69, 7, 0), (0.75, 7, 7), (4.85, 7, 42), (1.0, 1, 10)]
    {
        motion.seek_every(time, every).unwrap();
        assert_eq!(motion.number(), Some(number), "{time} {every}");
        assert_eq!(motion.time(), Some(number as f64 * 0.1));
    }
}

#[test]
fn a_file_that_dysim_still_writes_is_followed_to_its_end() {
    let directory = tempfile::tempdir().unwrap();
    let wanted = directory.path().join("m.ani");
    assert!(Motion::open(&wanted, &model(&["a"])).is_err());
    // As dysim names it; this process is the one that writes.
    let part = directory.path().join(format!("m.ani.{}.part", std::process::id()));
    fs::write(&part, "# DySimAniFileVersion: 0.5\n# Mode").unwrap();
    let mut motion = Motion::open(&wanted, &model(&["a"])).unwrap();
    assert!(motion.is_growing() && motion.span().is_none() && motion.problems().is_empty());
    let append = |text: &str| {
        let mut file = OpenOptions::new().append(true).open(&part).unwrap();
        file.write_all(text.as_bytes()).unwrap();
    };
    append(&header(&["a"])["# DySimAniFileVersion: 0.5\n# Mode".len()..]);
    append(&row(0.0, 0.0, 0.0, 1));
    let second = row(0.1, 0.1, 0.2, 1);
    append(&second[..20]);
    assert_eq!(motion.update(BUDGET).unwrap(), Change::Grown);
    assert_eq!(motion.span(), Some((0.0, 0.0)));
    append(&second[20..]);
    assert_eq!(motion.update(BUDGET).unwrap(), Change::Grown);
    assert_eq!(motion.span(), Some((0.0, 0.1)));
    fs::rename(&part, &wanted).unwrap();
    wait_until(&mut motion, |motion, _| !motion.is_growing());
    assert_eq!(motion.span(), Some((0.0, 0.1)));
    assert_eq!(motion.problems(), Vec::<String>::new());
}

/// Updates until something holds; fails after a time that no machine needs.
fn wait_until(motion: &mut Motion, holds: impl Fn(&Motion, Change) -> bool) {
    let start = Instant::now();
    loop {
        let change = motion.update(BUDGET).unwrap();
        if holds(motion, change) {
            return;
        }
        assert!(start.elapsed() < Duration::from_secs(30), "nothing happened");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn the_remains_of_a_killed_run_are_shown_if_there_is_nothing_better() {
    let directory = tempfile::tempdir().unwrap();
    // No process has this number: it is above the largest one.
    let part = directory.path().join("m.ani.4294967290.part");
    let cut = row(0.2, 0.0, 0.0, 1);
    fs::write(&part, steady(2) + &cut[..30]).unwrap();
    let wanted = directory.path().join("m.ani");
    let mut motion = Motion::open(&wanted, &model(&["a"])).unwrap();
    motion.judge_all().unwrap();
    assert_eq!((motion.is_growing(), motion.span()), (false, Some((0.0, 0.1))));
    assert!(motion.problems()[0].contains(":7:"), "{:?}", motion.problems());
    assert!(motion.problems()[0].contains("cut off"), "{:?}", motion.problems());
    fs::write(&wanted, steady(11)).unwrap();
    let motion = Motion::open(&wanted, &model(&["a"])).unwrap();
    assert_eq!(motion.span(), Some((0.0, 1.0)));
}

#[test]
fn replaced_files_are_noticed_and_read_again() {
    let case = Case::new(&steady(21));
    let mut motion = case.open(&["a"]);
    motion.judge_all().unwrap();
    motion.seek(1.0).unwrap();
    // Under the same name lies another file: told once, and shown when asked for.
    fs::write(case.path("new"), steady(31)).unwrap();
    fs::rename(case.path("new"), case.path("m.ani")).unwrap();
    wait_until(&mut motion, |_, change| change == Change::Newer);
    assert_eq!(motion.span(), Some((0.0, 2.0)), "the old one is still shown");
    motion.reopen().unwrap();
    assert_eq!((motion.span(), motion.time()), (Some((0.0, 3.0)), Some(1.0)));
    // Written over in place, the old data is gone.
    motion.judge_all().unwrap();
    fs::write(case.path("m.ani"), steady(5)).unwrap();
    assert_eq!(motion.update(BUDGET).unwrap(), Change::Reopened);
    assert_eq!(motion.span(), Some((0.0, 0.4)));
    assert_eq!(motion.time(), Some(0.4), "the nearest there is");
    // And if it vanishes, what was opened stays.
    fs::remove_file(case.path("m.ani")).unwrap();
    assert!(motion.reopen().is_err());
    motion.seek(0.1).unwrap();
    assert_eq!(motion.time(), Some(0.1));
}

/// Opens a damaged table; gives the times that are shown and the messages.
fn damaged(table: &str, names: &[&str]) -> (Vec<f64>, String) {
    let case = Case::new(table);
    let mut motion = case.open(names);
    motion.judge_all().unwrap();
    let mut times = Vec::new();
    if let Some((first, _)) = motion.span() {
        motion.seek(first).unwrap();
        times.extend(motion.time());
        while motion.step(1).unwrap() {
            times.extend(motion.time());
        }
    }
    (times, motion.problems().join("\n"))
}

#[test]
fn of_damaged_tables_the_good_part_is_shown_and_the_rest_is_told_with_its_line() {
    let (head, line) = (header(&["a"]), |t: f64| row(t, 0.0, 0.0, 1));
    let good = [line(0.0), line(0.1), line(0.2)];
    let [first, second, third] = &good;
    let nan = second.replacen(" 0 ", " NaN ", 1);
    let short = second.trim_end().rsplit_once(' ').unwrap().0.to_owned() + "\n";
    let cut = &third[..third.len() - 9];
    let cases: [(&str, String, &[f64], &[&str]); 9] = [
        (
            "NaN",
            format!("{head}{first}{nan}{third}"),
            &[0.0, 0.2],
            &["m.ani:6:", "`NaN` is not finite"],
        ),
        (
            "columns",
            format!("{head}{first}{short}{third}"),
            &[0.0, 0.2],
            &["m.ani:6:", "16 columns"],
        ),
        ("cut off", format!("{head}{first}{second}{cut}"), &[0.0, 0.1], &["m.ani:7:", "cut off"]),
        ("empty", String::new(), &[], &["m.ani:1:", "the file is empty"]),
        ("no rows", head.clone(), &[], &["m.ani:5:", "no usable row"]),
        (
            "version",
            format!("{}{first}", head.replace("0.5", "7.1")),
            &[0.0],
            &["m.ani:1:", "version `7.1`", "expected `0.5`"],
        ),
        ("no table", "PNG\n\u{1}\n".into(), &[], &["m.ani:1:", "no .ani table"]),
        (
            "other bodies",
            format!("{}{first}{second}", head.replace(": a\n", ": b\n")),
            &[0.0, 0.1],
            &["the model has no body `b`", "no motion for body `a`"],
        ),
        (
            "other model",
            format!("{}{first}", head.replace(": m\n", ": other\n")),
            &[0.0],
            &["the data is of model `other`, expected `m`"],
        ),
    ];
    for (what, table, times, messages) in cases {
        let (shown, told) = damaged(&table, &["a"]);
        assert_eq!(shown, times, "{what}: {told}");
        for message in messages {
            assert!(told.contains(message), "{what}: expected `{message}` in\n{told}");
        }
    }
}

#[test]
fn bodies_are_found_by_name_and_not_by_place() {
    let table = header(&["c", "a", "x"]) + &row(0.0, 0.0, 0.0, 3);
    let case = Case::new(&table);
    let motion = case.open(&["a", "b", "c"]);
    let heights: Vec<Option<f64>> =
        motion.poses().iter().map(|pose| pose.map(|pose| pose.translation.z)).collect();
    assert_eq!(heights, [Some(1.0), None, Some(0.0)]);
}

#[test]
fn directories_and_missing_files_are_errors_with_a_reason() {
    let directory = tempfile::tempdir().unwrap();
    let missing = Motion::open(&directory.path().join("m.ani"), &model(&["a"]));
    assert_eq!(missing.err().unwrap().kind(), std::io::ErrorKind::NotFound);
    assert!(Motion::open(directory.path(), &model(&["a"])).is_err());
}

#[test]
fn contact_forces_stand_at_the_contact_point_and_push_the_body() {
    // The surface is the world's plane z = 1, turned by a quarter about z; the force in the table is on it.
    let contact = "Triad \"floor\" { Parent = world; Position = 0, 0, 1; Orientation = 90, 0, 0; \
        AngleType = euler; Degrees = deg; }\n\
        Contact \"k\" { TriadFrom = floor; TriadTo = t_a; ElasticLinearZ = 1; }\n";
    let model = model_with(&["a"], contact);
    let case = Case::new(&steady(11));
    assert!(Forces::beside(&case.path("m.ani"), &model).unwrap().is_none(), "no table");
    let line = |t: f64, touches: u8, fz: f64| {
        format!("{t} 0.5 0 -0.01 0 0 0 {touches} 0 0 0 3 0 {fz} 0 0 0\n")
    };
    let table =
        format!("# t k.rx\n{}{}{}", line(0.0, 1, -10.0), line(0.5, 1, -20.0), line(1.0, 0, 0.0));
    fs::write(case.path("m.frc"), table).unwrap();
    let mut forces = Forces::beside(&case.path("m.ani"), &model).unwrap().unwrap();
    let motion = case.open(&["a"]);
    let mut at = |time: f64| forces.arrows(time, &motion.poses()).unwrap();
    // x of the surface is y of the world; the body is pushed against the force on the surface.
    for (time, push) in [(0.0, 10.0), (0.25, 15.0), (0.5, 20.0), (0.9, 20.0)] {
        let [arrow] = at(time)[..] else { panic!("one arrow at {time}") };
        assert!((arrow.point - vec3(0.0, 0.5, 0.99)).max_abs() < 1e-12, "{arrow:?}");
        assert!((arrow.force - vec3(0.0, -3.0, push)).max_abs() < 1e-12, "{arrow:?}");
    }
    assert!(at(1.0).is_empty(), "apart");
    // A table that does not fit the model gives no arrows.
    fs::write(case.path("m.frc"), "0 1 2 3\n").unwrap();
    assert!(Forces::beside(&case.path("m.ani"), &model).unwrap().is_none());
}

/// Bytes this thread has read from files.
fn bytes_read() -> u64 {
    let text = fs::read_to_string("/proc/thread-self/io").unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix("rchar: ")).unwrap();
    line.parse().unwrap()
}

#[test]
fn a_long_file_opens_and_seeks_without_being_read() {
    if !Path::new("/proc/thread-self/io").exists() {
        eprintln!("skipped: this system does not count bytes read");
        return;
    }
    let case = Case::new("");
    let path = case.path("m.ani");
    let n_rows = 400_000_u32;
    let mut file = std::io::BufWriter::new(fs::File::create(&path).unwrap());
    file.write_all(header(&["a"]).as_bytes()).unwrap();
    for k in 0..n_rows {
        file.write_all(row(f64::from(k), 0.001 * f64::from(k), 0.5, 1).as_bytes()).unwrap();
    }
    file.into_inner().unwrap();
    let length = fs::metadata(&path).unwrap().len();
    assert!(length > 30_000_000, "{length}");
    let before = bytes_read();
    let mut motion = case.open(&["a"]);
    assert_eq!(motion.span(), Some((0.0, f64::from(n_rows - 1))));
    for k in 0..20 {
        let time = f64::from(k * 19_937) + 0.25;
        motion.seek(time).unwrap();
        assert_eq!(motion.time(), Some(time));
        motion.step(1).unwrap();
        assert_eq!(motion.time(), Some(time.ceil()));
    }
    // A bisection of 2^25 bytes down to 2^14 reads a chunk of 2^16 at each of its 11 jumps, and some more at
    // the end: below 2 MB for opening and each seek.
    let read = bytes_read() - before;
    assert!(read < 21 * 2_000_000, "{read} bytes of {length}");
    assert!(read < length, "{read} bytes of {length}");
}
