//! The programs as a user meets them: exit codes, messages, help, pipes.

#![allow(clippy::unwrap_used, reason = "a helper of a test may fail like the test")]

use std::fs::{self, File};
use std::process::{Command, Stdio};

use dysim_tests::programs::{Run, anidysim, dysim, root, run, run_with_input};

const PENDULUM: &str = "models/mechanics/pendulum";
/// A model without a warning.
const QUIET: &str = "Header \"h\" { ModelName = m; OutputType = none; }\n\
    System \"s\" { GravAccel = 0, 0, 0; ScaleGrav = 1; }\n\
    Solver \"v\" { Type = dynamic; Solver = de; AbsErr = 1e-9; RelErr = 1e-6; Tstart = 0; Tend = 1; \
    Tstep = 0.1; TstepMax = 0.1; TstepMin = 0; TstepIni = 0.01; }\n";

/// A spring whose direction is undefined from the start.
const COINCIDENT: &str = "Triad \"a\" { Parent = world; } Triad \"b\" { Parent = body; }\n\
    Free \"j\" { TriadFrom = a; TriadTo = b; } Body \"body\" { Joint = j; }\n\
    Spring \"k\" { TriadFrom = a; TriadTo = b; ElasticLinear = 1; ZeroLength = 1; }\n";

fn on(arguments: &[&str]) -> Run {
    run(dysim().args(arguments))
}

/// Runs `dysim ARGUMENTS -` on a text.
fn on_text(arguments: &[&str], text: &str) -> Run {
    run_with_input(dysim().args(arguments).arg("-"), text.as_bytes()).unwrap()
}

#[track_caller]
fn check_code(run: &Run, code: i32) {
    assert_eq!(run.code, Some(code), "{run:?}");
    assert!(!run.err.contains("panicked"), "{run:?}");
}

#[test]
fn every_exit_code_has_its_reason() {
    check_code(&on(&["--check", PENDULUM]), 0);
    check_code(&on_text(&["--check"], "Boddy {"), 1);
    let directory = tempfile::tempdir().unwrap();
    let out = ["--out", directory.path().to_str().unwrap()];
    check_code(&on(&[out[0], out[1], PENDULUM]), 0);
    let run = on_text(&out, &format!("{QUIET}{COINCIDENT}"));
    check_code(&run, 2);
    assert!(run.err.contains("its ends coincide") && run.err.contains("<stdin>:"), "{}", run.err);
    check_code(&on(&["--check", "models/no_such_model"]), 3);
    check_code(&on(&[]), 64);
}

/// Against the clock; whether steps are late is up to the machine.
#[test]
fn the_command_line_takes_a_speed() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().to_str().unwrap();
    let file = directory.path().join("case.dys");
    let text = fs::read_to_string(root().join(PENDULUM).with_extension("dys")).unwrap();
    fs::write(&file, text.replace("= de;", "= euler_mixed;").replace("= 10.0;", "= 0.3;")).unwrap();
    let model = file.to_str().unwrap();
    let with = |arguments: &[&str]| run(dysim().args(["--out", out]).args(arguments).arg(model));
    let clock = std::time::Instant::now();
    let real = with(&["--realtime"]);
    check_code(&real, 0);
    assert!(clock.elapsed() >= std::time::Duration::from_millis(300));
    assert!(
        real.err.contains("time per step, us: mean") && real.err.contains("  real time: "),
        "{}",
        real.err
    );
    let fast = with(&["--realtime=1e9"]);
    assert!(fast.err.contains("30 of 30 steps were late, by up to"), "{}", fast.err);
    for wrong in ["--realtime=0", "--realtime=-1", "--realtime=fast", "--realtime=inf"] {
        check_code(&with(&[wrong]), 64);
    }
    check_code(&with(&["--realtime", "--check"]), 64);
    let analysis = with(&["--realtime", "--analysis", "static"]);
    check_code(&analysis, 64);
    assert!(analysis.err.contains("`--realtime` needs a simulation"), "{}", analysis.err);
}

#[test]
fn the_analysis_can_be_chosen_on_the_command_line() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().to_str().unwrap();
    let run = on(&["--out", out, "--analysis", "static", PENDULUM]);
    check_code(&run, 0);
    assert!(
        run.err.contains("pendulum: static analysis") && run.err.contains("it is stable"),
        "{}",
        run.err
    );
    let run = on(&["--out", out, "--analysis", "linear", PENDULUM]);
    check_code(&run, 0);
    assert!(run.err.contains("2 states") && run.err.contains("pendulum_A.csv"), "{}", run.err);
    let run = on(&["--out", out, "--analysis", "kinematic", PENDULUM]);
    check_code(&run, 2);
    assert!(run.err.contains("S211") && run.err.contains("J.q"), "{}", run.err);
    check_code(&on(&["--analysis", "modal", PENDULUM]), 64);
}

#[test]
fn the_suffix_may_be_left_out_and_flags_may_follow_the_model() {
    let suffixed = format!("{PENDULUM}.dys");
    for arguments in [["--check", PENDULUM], [PENDULUM, "--check"], [&suffixed, "--check"]] {
        let run = on(&arguments);
        check_code(&run, 0);
        assert_eq!(run.out, "pendulum: correct; 1 body, 1 joint, 1 freedom, 1 primitive\n");
        assert_eq!(run.err, "");
    }
}

#[test]
fn standard_input_is_a_model() {
    let run = on_text(&["--check"], QUIET);
    check_code(&run, 0);
    assert_eq!((run.out.as_str(), run.err.as_str()), ("m: correct; no elements\n", ""));
    let run = on_text(&["--check"], "Triad \"t\" { Parent = b; }");
    check_code(&run, 1);
    assert!(run.err.contains("<stdin>:1:22: error[A"), "{}", run.err);
}

#[test]
fn empty_models_are_told_apart_from_wrong_ones() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("empty.dys");
    fs::write(&path, "").unwrap();
    let file = run(dysim().arg("--check").arg(&path));
    let input = on_text(&["--check"], "");
    for run in [&file, &input] {
        check_code(run, 0);
        assert_eq!(run.err.matches("warning[").count(), 3, "{}", run.err);
    }
    assert_eq!(file.out, "empty: correct; 3 warnings\n");
    check_code(&on_text(&["--check", "--strict"], ""), 1);
}

#[test]
fn set_changes_parameters_and_its_mistakes_are_the_command_lines() {
    check_code(&on(&["--check", "--set", "L=2", "--set", "m=L/2", PENDULUM]), 0);
    let cases = [
        ("Q=1", "no parameter `Q`"),
        ("L", "expected NAME=VALUE"),
        ("L=", "expected NAME=VALUE"),
        ("=2", "expected NAME=VALUE"),
        ("L=2+", "L=2+"),
        ("L=1/0", "division by zero"),
        ("L=\"a", "L=\"a"),
        ("L=2;m=3", "L=2;m=3"),
        ("L=nan", "nan"),
    ];
    for (assignment, said) in cases {
        let run = on(&["--check", "--set", assignment, PENDULUM]);
        check_code(&run, 64);
        assert!(run.err.contains(said), "{assignment}: {}", run.err);
    }
    let run = on_text(&["--check", "--set", "lenght=1"], "Parameters \"p\" { length = 1; }");
    assert!(run.err.contains("did you mean `length`?"), "{}", run.err);
}

#[test]
fn strict_makes_warnings_errors() {
    let text = format!("{QUIET}System \"s\" {{ }}");
    let run = on_text(&["--check"], &text);
    check_code(&run, 0);
    assert!(run.err.contains("warning[") && run.out.ends_with("1 warning\n"), "{run:?}");
    let run = on_text(&["--check", "--strict"], &text);
    check_code(&run, 1);
    assert!(run.err.contains("error[") && run.err.ends_with("1 error\n"), "{run:?}");
}

#[test]
fn quiet_says_errors_only_and_verbose_more() {
    let run = on_text(&["--check", "--quiet"], "");
    check_code(&run, 0);
    assert_eq!((run.out.as_str(), run.err.as_str()), ("", ""));
    let run = on_text(&["--check", "-q"], "Triad \"t\" { Parent = b; }");
    check_code(&run, 1);
    assert!(run.err.contains("error[") && !run.err.contains("warning["), "{}", run.err);
    let run = on_text(&["--check", "--verbose"], QUIET);
    check_code(&run, 0);
    assert!(run.err.contains("<stdin>") && run.err.contains("bytes"), "{}", run.err);
    let run = on(&["--quiet", "--verbose", PENDULUM]);
    check_code(&run, 64);
}

#[test]
fn list_shows_all_blocks_or_one() {
    let all = on(&["--list"]);
    check_code(&all, 0);
    for keyword in ["Header", "Body", "Revolute", "Contact", "Primitive"] {
        assert!(all.out.contains(&format!("\n  {keyword} ")), "{keyword}");
    }
    let body = on(&["--list", "Body"]);
    check_code(&body, 0);
    for line in all.out.lines().chain(body.out.lines()) {
        assert!(line.chars().count() <= 100, "{line}");
    }
    for word in ["Parent = world", "Inertia = 1, 0, 0, 1, 0, 1 [kg m^2]", "Signals", ".ekin"] {
        assert!(body.out.contains(word), "{word}: {}", body.out);
    }
    let run = on(&["--list", "Boddy"]);
    check_code(&run, 64);
    assert!(run.err.contains("did you mean `Body`?"), "{}", run.err);
    let run = on(&["--list", "Quux"]);
    check_code(&run, 64);
    assert!(run.err.contains("`dysim --list`"), "{}", run.err);
}

#[test]
fn help_is_complete_and_fits_the_screen() {
    for program in [dysim, anidysim] {
        for flag in ["-h", "--help"] {
            let help = run(program().arg(flag));
            check_code(&help, 0);
            assert_eq!(help.err, "");
            for line in help.out.lines() {
                assert!(line.chars().count() <= 100, "{line}");
            }
            for word in ["Usage:", "Exit codes:", "64", "--version"] {
                assert!(help.out.contains(word), "{word}: {}", help.out);
            }
        }
        let number = concat!(" ", env!("CARGO_PKG_VERSION"));
        let version = run(program().arg("-V"));
        check_code(&version, 0);
        assert!(version.out.trim_end().ends_with(number), "{version:?}");
        // The long form also tells what was built, and how.
        let version = run(program().arg("--version"));
        check_code(&version, 0);
        let lines: Vec<&str> = version.out.lines().collect();
        assert!(lines.len() == 2 && lines[0].ends_with(number), "{version:?}");
        assert!(
            lines[1].contains(std::env::consts::ARCH) && lines[1].contains("; "),
            "{version:?}"
        );
    }
}

/// The long flags that the help names.
fn flags() -> Vec<String> {
    let help = on(&["--help"]).out;
    let words = help.split(|c: char| c.is_whitespace() || ",.[".contains(c));
    words.filter(|word| word.starts_with("--")).map(str::to_string).collect()
}

#[test]
fn manual_page_and_completions_know_every_flag() {
    let page = on(&["man"]);
    check_code(&page, 0);
    assert!(page.out.contains(".TH dysim") && flags().len() > 8, "{}", page.out);
    let plain = page.out.replace("\\-", "-");
    for flag in flags() {
        assert!(plain.contains(&flag), "{flag}");
    }
    for shell in ["bash", "zsh", "fish"] {
        let script = on(&["completions", shell]);
        check_code(&script, 0);
        for flag in flags() {
            assert!(script.out.contains(flag.trim_start_matches('-')), "{shell} {flag}");
        }
    }
    let run = on(&["completions", "tcsh"]);
    check_code(&run, 64);
}

#[test]
fn wrong_command_lines_are_explained() {
    let run = on(&["--strikt", PENDULUM]);
    check_code(&run, 64);
    assert!(run.err.contains("--strict"), "{}", run.err);
    let run = on(&["--check", PENDULUM, "another"]);
    check_code(&run, 64);
    assert!(run.err.contains("one model at a time: unexpected argument `another`"), "{}", run.err);
    check_code(&on(&["fmt"]), 64);
    check_code(&on(&["--out"]), 64);
}

#[test]
fn colours_are_for_terminals_only() {
    // Standard error is a pipe here; that a terminal gets colours is for the eye to see.
    for value in ["", "1"] {
        let text = "Triad \"t\" { Parent = b; }";
        let mut command = dysim();
        command.env("NO_COLOR", value).args(["--check", "-"]);
        let run = run_with_input(&mut command, text.as_bytes()).unwrap();
        check_code(&run, 1);
        assert!(!run.err.contains('\x1b'), "{}", run.err);
    }
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    for arguments in [&["--list"][..], &["--help"], &["man"], &["completions", "zsh"]] {
        let mut child =
            dysim().args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let run = Run::from(child.wait_with_output().unwrap());
        check_code(&run, 0);
        assert_eq!(run.err, "");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_failure_of_the_machine() {
    let full = || File::options().write(true).open("/dev/full").unwrap();
    for arguments in [&["--list"][..], &["--help"], &["man"], &["--check", PENDULUM]] {
        let run = run(dysim().args(arguments).stdout(full()));
        check_code(&run, 3);
        assert!(run.err.contains("cannot write to standard output"), "{run:?}");
    }
    // Nobody can be told, but the exit code still says what is wrong with the model.
    let mut command = dysim();
    command.args(["--check", "models"]).stderr(full());
    check_code(&run(&mut command), 3);
}

#[cfg(unix)]
#[test]
fn closed_streams_do_not_disturb() {
    let program = dysim().get_program().to_owned();
    let mut shell = Command::new("sh");
    shell.current_dir(root()).env("DYSIM", program);
    for (line, code) in [
        ("\"$DYSIM\" --check models/mechanics/pendulum 2>&-", 0),
        ("\"$DYSIM\" --check no_such_file 2>&-", 3),
        ("\"$DYSIM\" --check - <&-", 0),
        ("\"$DYSIM\" --strikt 2>&- >&-", 64),
    ] {
        let run = run(Command::new("sh")
            .args(["-c", line])
            .current_dir(root())
            .envs(shell.get_envs().filter_map(|(name, value)| Some((name, value?)))));
        check_code(&run, code);
    }
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let run = on(&["--check", "models"]);
    check_code(&run, 3);
    assert!(run.err.contains("`models`: this is a directory"), "{}", run.err);
    let run = on(&["--check", "no_such_file"]);
    check_code(&run, 3);
    assert!(run.err.contains("`no_such_file.dys`: there is no such file"), "{}", run.err);
}

#[cfg(unix)]
#[test]
fn a_file_without_permission_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("secret.dys");
    fs::write(&path, QUIET).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    if File::open(&path).is_ok() {
        // The superuser may read everything: nothing to see.
        return;
    }
    let run = run(dysim().arg("--check").arg(&path));
    check_code(&run, 3);
    assert!(run.err.contains("not permitted"), "{}", run.err);
}

#[test]
fn a_huge_line_is_read_and_shown_in_part() {
    let terms = "1+".repeat(2_000_000);
    let text = format!("{QUIET}Parameters \"p\" {{ a = {terms}x; }}");
    let run = on_text(&["--check"], &text);
    check_code(&run, 1);
    assert!(run.err.contains("no parameter `x`") && run.err.len() < 1000, "{}", run.err.len());
    let run = on_text(&["--check"], &format!("{QUIET}// {}\n", "long ".repeat(2_000_000)));
    check_code(&run, 0);
}

#[test]
fn anidysim_says_what_it_misses() {
    let directory = tempfile::tempdir().unwrap();
    let model = root().join(PENDULUM);
    let show = || {
        let mut program = anidysim();
        program.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
        run(program.current_dir(directory.path()).arg("-s").arg(&model))
    };
    let run = show();
    check_code(&run, 3);
    assert!(run.err.contains("`pendulum.ani`: there is no such file"), "{}", run.err);
    let head = "# DySimAniFileVersion: 0.5\n# ModelName: pendulum\n# NumberOfBodies: 2\n";
    let pose = "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1";
    let table = format!("{head}# NamesOfBodies: rod\n0 {pose}\n1.5 {pose}\n");
    fs::write(directory.path().join("pendulum.ani"), table).unwrap();
    // What is wrong with the head of the data is said, and that pictures need no display.
    let run = show();
    check_code(&run, 3);
    assert!(run.err.contains("pendulum.ani:3:"), "{}", run.err);
    assert!(run.err.contains("there is no display") && run.err.contains("--record"), "{}", run.err);
    check_code(&self::run(&mut anidysim()), 64);
}

#[test]
fn the_model_of_the_readme_is_correct() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let (_, rest) = readme.split_once("```dys\n").unwrap();
    let (model, rest) = rest.split_once("```").unwrap();
    let run = on_text(&["--check"], model);
    check_code(&run, 0);
    assert!(run.out.starts_with("swing: correct; 1 body, 1 joint, 1 freedom"), "{}", run.out);
    // The command of the README names a model that is there, and it is right.
    let (_, command) = rest.split_once("cargo run --release -p dysim -- ").unwrap();
    let mut words = command.lines().next().unwrap().split(' ');
    let path = words.next().unwrap();
    check_code(&on(&["--check", "--strict", path]), 0);
    assert!(words.all(|option| flags().iter().any(|known| known == option)), "{command}");
}
