//! `dysim`: simulates the system that a `.dys` file describes.
//!
//! Only the command line is here: arguments, printing, exit codes. The work is done by the engine. A program
//! with other plugins than the plugins of this repository is one line:
//!
//! ```no_run
//! use std::process::ExitCode;
//!
//! use dysim::plugin::PluginType;
//!
//! static PLUGINS: &[PluginType] = &[];
//!
//! fn main() -> ExitCode {
//!     dysim::main_with(PLUGINS)
//! }
//! ```

mod arguments;
mod commands;
mod progress;
mod terminal;

use std::process::ExitCode;

use arguments::{Arguments, Command};
use clap::Parser;
use engine::plugin::{PluginType, Plugins};
use parser::exit::Exit;

pub use engine::plugin;

/// The whole program, with these plugins. Two plugins must not have the same word for `Type`.
pub fn main_with(plugins: &'static [PluginType]) -> ExitCode {
    for (at, plugin) in plugins.iter().enumerate() {
        if plugins[..at].iter().any(|other| other.word() == plugin.word()) {
            terminal::complain(&format!("this program has two plugins `{}`", plugin.word()));
            return Exit::Usage.into();
        }
    }
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return arguments::explain(&error).into(),
    };
    terminal::start_log(arguments.verbosity());
    run(&arguments, Plugins::Known(plugins)).into()
}

fn run(arguments: &Arguments, plugins: Plugins) -> Exit {
    match &arguments.command {
        Some(Command::Fmt(options)) => commands::format::run(options),
        Some(Command::Plot(options)) => commands::plot::run(options),
        Some(Command::Expand(options)) => commands::expand::run(options, plugins),
        Some(Command::Diagram(options)) => commands::diagram::run(options, plugins),
        Some(Command::ImportSpice(options)) => commands::import_spice::run(options),
        Some(Command::Completions { shell }) => commands::generate::completions(*shell),
        Some(Command::Man) => commands::generate::man_page(),
        None if arguments.list.is_some() => commands::list::run(arguments, plugins),
        None => commands::simulate::run(arguments, plugins),
    }
}
