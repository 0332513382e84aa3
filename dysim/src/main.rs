//! `dysim` with the plugins of this repository.

use std::process::ExitCode;

fn main() -> ExitCode {
    dysim::main_with(user_plugins::PLUGINS)
}
