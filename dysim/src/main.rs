//! `dysim`: simulates the system that a `.dys` file describes.
//!
//! Only the command line is here: arguments, printing, exit codes. The work is done by the engine.

mod arguments;
mod commands;
mod exit;
mod progress;
mod terminal;

use std::process::ExitCode;

use arguments::{Arguments, Command};
use clap::Parser;
use exit::Exit;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return arguments::explain(&error).into(),
    };
    terminal::start_log(arguments.verbosity());
    run(arguments).into()
}

fn run(arguments: Arguments) -> Exit {
    match arguments.command {
        Some(Command::Fmt(ref options)) => commands::format::run(options),
        Some(Command::ImportSpice(ref options)) => commands::import_spice::run(options),
        Some(Command::Completions { shell }) => commands::generate::completions(shell),
        Some(Command::Man) => commands::generate::man_page(),
        None if arguments.list.is_some() => {
            commands::list::run(arguments.list.flatten().as_deref())
        }
        None => commands::simulate::run(&arguments),
    }
}
