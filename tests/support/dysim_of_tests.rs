//! `dysim` with the plugins of the tests: a program of another crate than that of dysim.

use std::process::ExitCode;

fn main() -> ExitCode {
    dysim::main_with(dysim_tests::plugins::PLUGINS)
}
