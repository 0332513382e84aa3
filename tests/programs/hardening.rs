//! Runs that are killed, interrupted, short of disk, or not alone: what is left behind can be trusted.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use dysim_tests::programs::{Run, dysim, root, run};
use parser::animation::{AniReader, FileState};

/// A pendulum that runs until `end`, with a row every millisecond.
fn pendulum(end: &str) -> String {
    format!(
        "Header \"h\" {{ ModelName = case; OutputType = all; }}\n\
         System \"s\" {{ GravAccel = 0, 0, -9.81; ScaleGrav = 1; }}\n\
         Solver \"v\" {{ Type = dynamic; Solver = de; Tend = {end}; Tstep = 0.001; }}\n\
         Triad \"hinge\" {{ Parent = world; }} Triad \"end\" {{ Parent = rod; }}\n\
         Revolute \"J\" {{ Parent = rod; TriadFrom = hinge; TriadTo = end; JointAxis = 0, 1, 0; Qinit = 1; }}\n\
         Body \"rod\" {{ Parent = world; Joint = J; CGFramePosition = 0, 0, -0.5; }}\n"
    )
}

/// Starts a run in a directory.
fn start(directory: &Path, end: &str) -> Child {
    let path = directory.join("model.dys");
    // A run that has just started may still be reading it.
    if fs::read_to_string(&path).ok() != Some(pendulum(end)) {
        fs::write(&path, pendulum(end)).unwrap();
    }
    let mut command = dysim();
    command.current_dir(directory).arg(path).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// All files but the model, by name.
fn files(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let named = entries.map(|path| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        (name, fs::read(&path).unwrap())
    });
    named.filter(|(name, _)| !name.ends_with(".dys")).collect()
}

/// The complete rows of a table; all have as many numbers as the first, and only the last line may be torn.
fn whole_rows(name: &str, bytes: &[u8]) -> usize {
    let text = std::str::from_utf8(bytes).unwrap();
    let is_csv = name.contains(".csv");
    let mut width = None;
    let mut rows = 0;
    for line in text.split_inclusive('\n').filter(|line| line.ends_with('\n')) {
        if line.starts_with('#') || line.starts_with('t') {
            continue;
        }
        let separated = line.trim_end().replace(',', " ");
        let line = if is_csv { separated.as_str() } else { line };
        let numbers = line.split_ascii_whitespace().map(str::parse::<f64>);
        let numbers: Vec<f64> =
            numbers.collect::<Result<_, _>>().unwrap_or_else(|_| panic!("{name}: {line}"));
        assert_eq!(numbers.len(), *width.get_or_insert(numbers.len()), "{name}: {line}");
        rows += 1;
    }
    rows
}

/// Waits until a temporary file is at least so large.
fn wait_for_bytes(directory: &Path, suffix: &str, size: u64) {
    let begin = Instant::now();
    let grown = || {
        let mut entries = fs::read_dir(directory).unwrap().flatten();
        entries.any(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            name.starts_with(&format!("case.{suffix}."))
                && entry.metadata().is_ok_and(|data| data.len() >= size)
        })
    };
    while !grown() {
        assert!(begin.elapsed() < Duration::from_secs(60), "the run writes nothing");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn a_killed_run_leaves_temporary_files_and_the_results_of_the_run_before() {
    let directory = tempfile::tempdir().unwrap();
    assert_eq!(Run::from(start(directory.path(), "0.1").wait_with_output().unwrap()).code, Some(0));
    let before = files(directory.path());
    assert_eq!(before.len(), 5, "{:?}", before.keys());
    let mut rows = 0;
    // Moments from the very start to the middle of writing.
    for moment in [0, 1, 4, 15, 50, u64::MAX] {
        let mut child = start(directory.path(), "1e6");
        match moment {
            u64::MAX => wait_for_bytes(directory.path(), "csv", 1 << 20),
            moment => std::thread::sleep(Duration::from_millis(moment)),
        }
        child.kill().unwrap();
        child.wait().unwrap();
        for (name, bytes) in files(directory.path()) {
            match before.get(&name) {
                Some(known) => assert!(*known == bytes, "{name} has changed"),
                None => {
                    assert!(name.ends_with(".part"), "{name} looks complete");
                    if !name.contains(".log.") {
                        rows += whole_rows(&name, &bytes);
                    }
                    fs::remove_file(directory.path().join(&name)).unwrap();
                }
            }
        }
    }
    assert!(rows > 10_000, "{rows} rows survive");
}

#[cfg(unix)]
#[test]
fn an_interrupt_finishes_the_row_closes_the_files_and_tells_the_summary() {
    let directory = tempfile::tempdir().unwrap();
    let child = start(directory.path(), "1e6");
    wait_for_bytes(directory.path(), "csv", 1 << 18);
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let run = Run::from(child.wait_with_output().unwrap());
    assert_eq!(run.code, Some(2), "{run:?}");
    for words in
        ["interrupted at t = ", "finished rows are kept", " steps (", "energy balance", "wrote "]
    {
        assert!(run.err.contains(words), "no `{words}` in {}", run.err);
    }
    let left = files(directory.path());
    let names: Vec<&str> = left.keys().map(String::as_str).collect();
    assert_eq!(names, ["case.ani", "case.csv", "case.epl", "case.log", "case.pva"]);
    let rows: Vec<usize> = left
        .iter()
        .filter(|(name, _)| *name != "case.log")
        .map(|(name, bytes)| whole_rows(name, bytes))
        .collect();
    assert!(rows[0] > 100 && rows.iter().all(|count| *count == rows[0]), "{rows:?}");
    assert!(left.values().all(|bytes| bytes.ends_with(b"\n")), "every file ends with a whole line");
    assert!(String::from_utf8_lossy(&left["case.log"]).contains("INCOMPLETE"));
}

/// A limit on the size of files refuses bytes in the middle of a run as a full disk does.
#[cfg(unix)]
#[test]
fn a_disk_that_becomes_full_is_reported_and_nothing_torn_looks_complete() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("model.dys");
    fs::write(&path, pendulum("60")).unwrap();
    let program = dysim().get_program().to_owned();
    let mut shell = Command::new("sh");
    // 1 MB in blocks of 512 bytes; the signal that comes with the refusal is ignored.
    shell.args(["-c", "trap '' XFSZ; ulimit -f 2048; exec \"$0\" \"$1\""]).arg(program).arg(&path);
    let run = run(shell.current_dir(directory.path()));
    assert_eq!(run.code, Some(3), "{run:?}");
    assert!(
        run.err.contains("cannot write `./case.") && !run.err.contains("panicked"),
        "{}",
        run.err
    );
    let mut survivors = 0;
    for (name, bytes) in files(directory.path()) {
        if name == "case.log" {
            assert!(String::from_utf8_lossy(&bytes).contains("INCOMPLETE"));
            continue;
        }
        if !name.ends_with(".part") {
            assert!(bytes.ends_with(b"\n"), "{name} looks complete");
        }
        survivors += whole_rows(&name, &bytes);
    }
    assert!(survivors > 1000, "{survivors} rows survive");
}

#[cfg(target_os = "linux")]
#[test]
fn a_directory_that_cannot_be_written_is_named() {
    // Not even the superuser creates files there.
    let run = run(dysim().args(["--out", "/proc", "models/mechanics/pendulum"]));
    assert_eq!(run.code, Some(3), "{run:?}");
    assert!(run.err.contains("cannot write `/proc/pendulum.log`"), "{}", run.err);
}

#[test]
fn a_run_whose_listener_has_gone_completes_its_files() {
    let directory = tempfile::tempdir().unwrap();
    let mut child = start(directory.path(), "1");
    drop(child.stderr.take());
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let left = files(directory.path());
    assert_eq!(left.len(), 5, "{:?}", left.keys());
    assert_eq!(whole_rows("case.csv", &left["case.csv"]), 1001);
}

#[test]
fn runs_of_one_model_in_one_directory_do_not_disturb_each_other() {
    let alone = tempfile::tempdir().unwrap();
    assert_eq!(start(alone.path(), "2").wait().unwrap().code(), Some(0));
    let directory = tempfile::tempdir().unwrap();
    let children: Vec<Child> = (0..4).map(|_| start(directory.path(), "2")).collect();
    for child in children {
        let run = Run::from(child.wait_with_output().unwrap());
        assert_eq!(run.code, Some(0), "{run:?}");
    }
    assert_same(&files(alone.path()), &files(directory.path()));
}

/// The same files with the same bytes; of the log, what does not tell the time of day.
#[track_caller]
fn assert_same(left: &BTreeMap<String, Vec<u8>>, right: &BTreeMap<String, Vec<u8>>) {
    assert_eq!(left.keys().collect::<Vec<_>>(), right.keys().collect::<Vec<_>>());
    let timeless = |bytes: &[u8]| -> Vec<String> {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let told = ["started ", "ended ", "took "];
        text.lines()
            .filter(|line| !told.iter().any(|word| line.starts_with(word)))
            .map(str::to_string)
            .collect()
    };
    for (name, bytes) in left {
        match name.ends_with(".log") {
            true => assert_eq!(timeless(bytes), timeless(&right[name]), "{name}"),
            false => assert!(*bytes == right[name], "{name} differs"),
        }
    }
}

/// Files have threads of their own, which may run in any order and number.
#[test]
fn the_same_model_gives_the_same_bits_on_one_processor_and_on_all() {
    for model in [
        "mechanics/falling_box",
        "circuits/buck_converter",
        "loops/four_bar",
        "switching/friction_robot",
    ] {
        let path = root().join("models").join(model);
        let results = |mut command: Command| {
            let directory = tempfile::tempdir().unwrap();
            let run = run(command.arg(&path).arg("--out").arg(directory.path()));
            assert_eq!(run.code, Some(0), "{run:?}");
            files(directory.path())
        };
        let first = results(dysim());
        assert_same(&first, &results(dysim()));
        if Command::new("taskset").arg("--version").output().is_ok() {
            let mut pinned = Command::new("taskset");
            pinned.args(["-c", "0"]).arg(dysim().get_program());
            assert_same(&first, &results(pinned));
        }
    }
}

/// Counts what is read.
struct Counted<'c>(File, &'c Cell<u64>);

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.0.read(buffer)?;
        self.1.set(self.1.get() + read as u64);
        Ok(read)
    }
}

impl Seek for Counted<'_> {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        self.0.seek(to)
    }
}

/// Twelve gigabytes of which almost all is a hole, as a file system leaves it after a crash.
#[test]
fn a_file_of_many_gigabytes_is_neither_read_whole_nor_kept_in_memory() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("case.ani");
    let mut file = File::create(&path).unwrap();
    let row = |t: f64| format!("{t} 1 0 0 {t} 0 1 0 0 0 0 1 0 0 0 0 1\n");
    write!(
        file,
        "# DySimAniFileVersion: 0.5\n# ModelName: case\n# NumberOfBodies: 1\n# NamesOfBodies: rod\n"
    )
    .unwrap();
    for k in 0..1000 {
        file.write_all(row(0.001 * f64::from(k)).as_bytes()).unwrap();
    }
    file.set_len(12 << 30).unwrap();
    drop(file);
    let read = Cell::new(0);
    let source = Counted(File::open(&path).unwrap(), &read);
    let mut reader = AniReader::open(source, FileState::Finished).unwrap();
    let pair = reader.rows_around(0.5005).unwrap().unwrap();
    assert_eq!((pair.before.time, pair.after.time), (0.5, 0.501));
    // A search by halves visits the hole some thirty times and looks for a line end each time; a line has 64 MB at most.
    assert!(read.get() < 12 << 28, "{} bytes are read", read.get());
    // A plot needs every row, finds that a line has no end, and says so instead of filling the memory.
    let run = run(dysim().arg("plot").arg(&path));
    assert_eq!(run.code, Some(3), "{run:?}");
    assert!(run.err.contains("has no end: this is not a table"), "{}", run.err);
}
