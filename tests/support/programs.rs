//! Runs the programs of the workspace as a user does: with arguments, standard input and exit code.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

pub use dysim_generated::root;

/// `dysim`, ready for arguments.
pub fn dysim() -> Command {
    program("dysim")
}

/// `anidysim`, ready for arguments.
pub fn anidysim() -> Command {
    program("anidysim")
}

fn program(name: &str) -> Command {
    let mut command = Command::new(directory().join(name));
    command.current_dir(root()).stdin(Stdio::null());
    // What the tester has set must not change the outcome.
    for variable in ["RUST_LOG", "RUST_LOG_STYLE", "NO_COLOR", "CLICOLOR_FORCE", "COLUMNS"] {
        command.env_remove(variable);
    }
    command
}

/// Where the programs are: beside the running test, once they are built with the same profile.
fn directory() -> &'static Path {
    static DIRECTORY: OnceLock<PathBuf> = OnceLock::new();
    DIRECTORY.get_or_init(|| {
        let test = std::env::current_exe().unwrap_or_default();
        // <target>/<profile>/deps/<test>
        let directory = test.ancestors().nth(2).unwrap_or(Path::new("")).to_path_buf();
        let profile = match directory.file_name().and_then(|name| name.to_str()) {
            Some("debug") | None => "dev",
            Some(name) => name,
        };
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
        cargo.args(["build", "--quiet", "--workspace", "--bins", "--profile"]);
        cargo.arg(profile).arg("--target-dir").arg(directory.parent().unwrap_or(Path::new(".")));
        let built = cargo.current_dir(root()).status().is_ok_and(|status| status.success());
        assert!(built, "the programs cannot be built");
        directory
    })
}

/// What a run said and how it ended.
#[derive(Debug)]
pub struct Run {
    /// The exit code; `None` if a signal ended it.
    pub code: Option<i32>,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Self { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

/// Runs a command to its end.
pub fn run(command: &mut Command) -> Run {
    match command.output() {
        Ok(output) => output.into(),
        Err(error) => Run { code: None, out: String::new(), err: error.to_string() },
    }
}

/// Runs a command with a text on standard input.
pub fn run_with_input(command: &mut Command, input: &[u8]) -> std::io::Result<Run> {
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(input)?;
    }
    Ok(child.wait_with_output()?.into())
}

/// An example model, by its folder and name.
pub fn example(name: &str) -> String {
    root().join("models").join(name).display().to_string()
}

/// Fails unless a program ended with a code, without a panic and with these words among its messages.
#[track_caller]
pub fn ends(run: &Run, code: i32, said: &[&str]) {
    assert_eq!(run.code, Some(code), "{run:?}");
    assert!(!run.err.contains("panicked"), "{run:?}");
    for words in said {
        assert!(run.err.contains(words), "no `{words}` in {}", run.err);
    }
}
