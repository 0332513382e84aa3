//! Follows `user_plugins/README.md` literally in a copy of the repository: writes its files, makes its changes, runs
//! its commands and compares what they print.
//!
//! The copy lies in the build directory and is built there for itself: crates of a copy have the same names as those of
//! the original, and would take their places.

#![allow(clippy::expect_used, reason = "a guide that cannot be followed is a failing test")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use dysim_tests::programs::root;

/// What the guide asks for, in its order.
#[derive(Debug)]
enum Step<'g> {
    /// A file with this text.
    Write(&'g str, &'g str),
    /// Lines with `+` to be added behind the line before them.
    Change(&'g str, &'g str),
    /// Commands for a shell.
    Run(&'g str),
    /// Lines that the last commands have printed, one after the other.
    Printed(&'g str),
}

fn steps(guide: &str) -> Vec<Step<'_>> {
    let mut steps = Vec::new();
    let mut parts = guide.split("\n```");
    parts.next();
    while let (Some(block), Some(_)) = (parts.next(), parts.next()) {
        let (info, text) = block.split_once('\n').expect("a block with a first line");
        let file = info.split_once("file=").map(|(_, file)| file);
        steps.push(match (info.split(' ').next().unwrap_or(""), file) {
            ("diff", Some(file)) => Step::Change(file, text),
            (_, Some(file)) => Step::Write(file, text),
            ("sh", None) => Step::Run(text),
            ("text", None) => Step::Printed(text),
            other => panic!("what is to be done with {other:?}?"),
        });
    }
    steps
}

/// Writes a file unless it has this content, so that what was built from it is not built again.
fn update(path: &Path, content: &[u8]) {
    if fs::read(path).is_ok_and(|present| present == content) {
        return;
    }
    fs::create_dir_all(path.parent().expect("a directory")).expect("a new directory");
    fs::write(path, content).expect("a new file");
}

/// Brings the copy of a directory up to date.
fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).expect("a directory of the repository") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_os_string();
        let skipped = name.to_string_lossy().starts_with('.') || name == "target";
        let new = to.join(&name);
        if skipped {
            continue;
        } else if path.is_dir() {
            copy(&path, &new);
        } else {
            update(&new, &fs::read(&path).expect("a file of the repository"));
        }
    }
}

/// Adds the lines with `+` behind the lines that stand before them.
fn change(text: &str, changes: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let mut at = None;
    for line in changes.lines() {
        match line.split_at_checked(1) {
            Some((" ", known)) => {
                at = lines.iter().position(|line| *line == known);
                assert!(at.is_some(), "no line `{known}` in\n{text}");
            }
            Some(("+", new)) => {
                let place = at.expect("a line before") + 1;
                lines.insert(place, new);
                at = Some(place);
            }
            _ => assert_eq!(line, "..."),
        }
    }
    lines.join("\n") + "\n"
}

/// How the copy is built: as fast as possible, since little is computed. Both ways share what they can.
const SETTINGS: &str = "[profile.dev]\nopt-level = 0\ndebug = false\nincremental = false\n\
    [profile.dev.package.\"*\"]\nopt-level = 0\n";

/// The place of the copy, of the crate beside it, and of what is built of both. It is kept for the next time.
fn place() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("plugin_guide")
}

/// Runs commands; gives what they printed, and the directory in which they ended.
fn shell(commands: &str, directory: &Path) -> (String, PathBuf) {
    let script = format!("set -e\nexec 2>&1\n{commands}\necho\npwd");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script]).current_dir(directory);
    // Everything that is needed has been fetched for this test.
    shell.env("CARGO_TARGET_DIR", place().join("target")).env("CARGO_NET_OFFLINE", "true");
    for variable in ["RUST_LOG", "CARGO_ENCODED_RUSTFLAGS", "RUSTC_WORKSPACE_WRAPPER"] {
        shell.env_remove(variable);
    }
    let output = shell.output().expect("a shell");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{commands}\n{text}");
    let (printed, end) = text.trim_end().rsplit_once('\n').expect("the directory at the end");
    (printed.to_string(), PathBuf::from(end))
}

/// Every line is there, one after the other.
fn assert_printed(expected: &str, printed: &str) {
    let mut rest = printed;
    for line in expected.lines() {
        let at = rest.find(line).unwrap_or_else(|| panic!("`{line}` is not in\n{printed}"));
        rest = &rest[at + line.len()..];
    }
}

/// The last number of a column.
fn last(csv: &Path, column: &str) -> f64 {
    let text = fs::read_to_string(csv).expect("a result file");
    let header = text.lines().next().expect("a header");
    let at = header.split(',').position(|name| name == column).expect("the column");
    let number = text.lines().last().and_then(|line| line.split(',').nth(at));
    number.and_then(|number| number.parse().ok()).expect("a number")
}

#[test]
fn the_guide_leads_to_a_running_force_in_both_ways() {
    let place = place();
    let dysim = place.join("dysim");
    // What a run before this one has left of the guide itself begins anew.
    for leftover in ["floating_ball.csv", "misspelt.dys"] {
        let _ = fs::remove_file(dysim.join(leftover));
    }
    let _ = fs::remove_dir_all(place.join("my_dysim"));
    update(&place.join(".cargo/config.toml"), SETTINGS.as_bytes());
    copy(root(), &dysim);
    let guide = fs::read_to_string(root().join("user_plugins/README.md")).expect("the guide");
    let steps = steps(&guide);
    let (mut directory, mut printed, mut commands) = (dysim.clone(), String::new(), 0);
    for step in &steps {
        match *step {
            Step::Write(file, text) => update(&dysim.join(file), text.as_bytes()),
            Step::Change(file, changes) => {
                let file = dysim.join(file);
                let text = fs::read_to_string(&file).expect("the file to be changed");
                update(&file, change(&text, changes).as_bytes());
            }
            Step::Run(text) => {
                (printed, directory) = shell(text, &directory);
                commands += 1;
            }
            Step::Printed(text) => assert_printed(text, &printed),
        }
    }
    assert_eq!(commands, 4, "{steps:#?}");
    // The friction of the rod leaves nothing of the swinging after ten seconds: its time constant is
    // 2 m/d = 1 s, and exp(-10) of the 0.1 m at the start are 5e-6 m.
    for csv in [dysim.join("floating_ball.csv"), place.join("my_dysim/floating_ball.csv")] {
        let rest = last(&csv, "rod.q");
        assert!((rest - 0.2).abs() < 1e-5, "{}: {rest}", csv.display());
    }
}

#[test]
fn changes_are_made_behind_the_lines_they_follow() {
    let text = "a\nb\nc\n";
    assert_eq!(change(text, " a\n+x\n+y\n...\n c\n+z"), "a\nx\ny\nb\nc\nz\n");
}
