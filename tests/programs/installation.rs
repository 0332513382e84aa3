//! What is installed: programs that start at once, and packages whose files and libraries are all named.

use std::fs;
use std::path::Path;
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

/// `packaging/debian.sh --try` installs and uses the packages as well; here they are built from the programs of the tests.
#[cfg(target_os = "linux")]
#[test]
fn the_packages_have_everything_a_user_needs_and_pull_what_the_window_loads() {
    let tools = ["dpkg-deb", "dpkg-shlibdeps"];
    if !tools.iter().all(|tool| Command::new(tool).arg("--version").output().is_ok()) {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    for (mut command, depends) in [
        (dysim(), &["libc6"][..]),
        (
            anidysim(),
            &["libvulkan1", "mesa-vulkan-drivers", "libxcursor1", "libxi6", "libxkbcommon-x11-0"],
        ),
    ] {
        let program = Path::new(command.get_program()).to_path_buf();
        let name = program.file_name().unwrap().to_string_lossy().into_owned();
        let mut script = Command::new("bash");
        script.arg(root().join("packaging/debian.sh")).arg(&name);
        script.env("PROGRAMS", program.parent().unwrap()).env("OUT", directory.path());
        script.env("COMPRESSION", "none");
        let built = run(&mut script);
        assert_eq!(built.code, Some(0), "{built:?}");
        let package = built.out.trim();
        let field = |name: &str| run(Command::new("dpkg-deb").args(["--field", package, name])).out;
        let pulled = field("Depends");
        assert!(depends.iter().all(|library| pulled.contains(library)), "{name}: {pulled}");
        let version = run(command.arg("--version")).out;
        assert!(version.contains(field("Version").trim()), "{version}");
        let contents = run(Command::new("dpkg-deb").args(["--contents", package])).out;
        for file in [
            format!("/usr/bin/{name}\n"),
            format!("/usr/share/man/man1/{name}.1.gz\n"),
            format!("/usr/share/bash-completion/completions/{name}\n"),
            format!("/usr/share/zsh/vendor-completions/_{name}\n"),
            format!("/usr/share/fish/vendor_completions.d/{name}.fish\n"),
            format!("/usr/share/doc/{name}/copyright\n"),
        ] {
            assert!(contents.contains(&file), "no {file} in {contents}");
        }
        assert!(contents.lines().all(|line| line.contains("root/root")), "{contents}");
        let has_models = contents.contains("/doc/dysim/models/mechanics/pendulum.dys");
        assert_eq!(has_models, name == "dysim");
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
