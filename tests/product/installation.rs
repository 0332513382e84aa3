//! What is installed: programs that start at once, and packages whose files and libraries are all named.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use dysim_tests::programs::{anidysim, dysim, root, run};

/// A program needs the same few milliseconds each time, and a busy machine adds to them: the fastest of many starts counts.
#[test]
fn the_program_starts_in_twenty_milliseconds() {
    let bound = Duration::from_millis(20);
    for arguments in [&["--version"][..], &["--check", "models/mechanics/pendulum.dys"]] {
        // The first start may read the program from the disk.
        let mut least = Duration::MAX;
        for _ in 0..200 {
            let clock = Instant::now();
            assert_eq!(run(dysim().args(arguments)).code, Some(0));
            least = least.min(clock.elapsed());
            if least < bound {
                break;
            }
        }
        assert!(least < bound, "dysim {arguments:?} takes {least:?}");
    }
}

/// The section of a manifest that describes the package.
fn package(program: &str) -> String {
    let manifest = fs::read_to_string(root().join(program).join("Cargo.toml")).unwrap();
    let section = manifest.split("[package.metadata.deb]").nth(1).unwrap();
    section.split("\n[").next().unwrap().to_string()
}

/// Source, folder and permissions of each file of a package.
fn assets(program: &str) -> Vec<[String; 3]> {
    let section = package(program);
    let list = section.split("assets = [").nth(1).unwrap();
    let rows = list.lines().map(str::trim).filter(|line| line.starts_with('['));
    let fields = rows.map(|row| {
        let mut words = row.split('"').skip(1).step_by(2).map(str::to_string);
        [words.next().unwrap(), words.next().unwrap(), words.next().unwrap()]
    });
    fields.collect()
}

/// `packaging/debian.sh` builds the packages, installs them and runs what they contain; this is what can be told without that.
#[test]
fn the_packages_name_files_that_exist_and_everything_a_user_needs() {
    let script = fs::read_to_string(root().join("packaging/debian.sh")).unwrap();
    for program in ["dysim", "anidysim"] {
        let assets = assets(program);
        for [source, _, _] in &assets {
            let file = source.trim_start_matches("../");
            if let Some(made) = file.strip_prefix("target/packaging/") {
                let named = made.replace(program, "$program");
                assert!(script.contains(&format!("$generated/{named}")), "nobody makes `{made}`");
            } else if file != format!("target/release/{program}") {
                let folder = file.split('*').next().unwrap();
                assert!(root().join(folder).exists(), "`{file}` of {program}");
            }
        }
        let places: BTreeSet<&str> = assets.iter().map(|[_, place, _]| place.as_str()).collect();
        let bash = format!("usr/share/bash-completion/completions/{program}");
        for place in [
            "usr/bin/",
            "usr/share/man/man1/",
            &bash,
            "usr/share/zsh/vendor-completions/",
            "usr/share/fish/vendor_completions.d/",
        ] {
            assert!(places.contains(place), "{program} has nothing in `{place}`");
        }
        let license = package(program).split("license-file = [\"").nth(1).unwrap().to_string();
        let license = license.split('"').next().unwrap();
        assert!(root().join(program).join(license).exists(), "`{license}` of {program}");
    }
    // What the window loads at run time, which no tool finds in the program.
    let depends = package("anidysim");
    for library in
        ["libvulkan1", "mesa-vulkan-drivers", "libxcursor1", "libxi6", "libxkbcommon-x11-0"]
    {
        assert!(depends.contains(library), "anidysim does not pull {library}");
    }
}

#[test]
fn manual_pages_and_completions_come_from_the_programs() {
    for (mut command, page, script, option) in [
        (dysim(), &["man"][..], &["completions", "bash"][..], "--realtime"),
        (anidysim(), &["--man"], &["--completions", "bash"], "--record"),
    ] {
        let program = command.get_program().to_owned();
        let shown = run(command.args(page));
        let words = option.replace('-', "\\-");
        assert!(shown.code == Some(0) && shown.out.starts_with(".ie"), "{shown:?}");
        assert!(shown.out.contains(&words), "no {option} in {}", shown.out);
        let completed = run(Command::new(program).args(script));
        assert!(completed.code == Some(0) && completed.out.contains(option), "{completed:?}");
    }
}

#[cfg(unix)]
#[test]
fn every_script_can_be_read_by_its_shell() {
    let mut scripts = 0;
    for folder in ["packaging", "docs/gallery", "benches/peers", ".ci"] {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let text = fs::read(&path).unwrap_or_default();
            if text.starts_with(b"#!/") && !text.starts_with(b"#!/usr/bin/env python3") {
                let run = run(Command::new("bash").arg("-n").arg(&path));
                assert_eq!(run.code, Some(0), "{}: {}", path.display(), run.err);
                scripts += 1;
            }
        }
    }
    assert!(scripts >= 5, "{scripts} scripts");
}
