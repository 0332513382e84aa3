//! Printing that survives closed pipes and full disks, colours, and the log.

use std::io::{self, IsTerminal, Write};

use parser::exit::Exit;
use parser::render::Style;

/// How much is said on standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verbosity {
    /// Errors only.
    Quiet,
    /// Also warnings and the summary.
    Normal,
    /// Also what happens meanwhile.
    Verbose,
}

/// Starts the log; `RUST_LOG` overrides the verbosity.
pub fn start_log(verbosity: Verbosity) {
    let level = match verbosity {
        Verbosity::Quiet => "error",
        Verbosity::Normal => "warn",
        Verbosity::Verbose => "debug",
    };
    let environment = env_logger::Env::default().default_filter_or(level);
    // A second start, which cannot happen here, would keep the first log.
    let _ = env_logger::Builder::from_env(environment).try_init();
}

/// Colours, unless standard error is no terminal or `NO_COLOR` is set.
pub fn style() -> Style {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    if io::stderr().is_terminal() && !refused && !dumb { Style::Colour } else { Style::Plain }
}

/// Prints a result. A reader that has gone away, such as `head`, is no failure.
pub fn print(text: &str) -> Exit {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Exit::Done,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Done,
        Err(error) => {
            complain(&format!("cannot write to standard output: {error}"));
            Exit::Machine
        }
    }
}

/// Says something on standard error; if even that fails there is nobody to tell.
pub fn say(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Shows something that is probably wrong, though nothing ends for it.
pub fn warn(message: &str) {
    let (yellow, reset) = match style() {
        Style::Colour => ("\x1b[1;33m", "\x1b[0m"),
        Style::Plain => ("", ""),
    };
    say(&format!("{yellow}warning:{reset} {message}\n"));
}

/// Reports a failure that has no place in a model.
pub fn complain(message: &str) {
    let (red, reset) = match style() {
        Style::Colour => ("\x1b[1;31m", "\x1b[0m"),
        Style::Plain => ("", ""),
    };
    say(&format!("{red}error:{reset} {message}\n"));
}
