//! The command line.

use std::path::PathBuf;

use clap::{CommandFactory, Parser};
use clap_complete::Shell;

mod record_options;
mod viewing;

use crate::commands;
pub use record_options::Recording;
pub use viewing::Viewing;

/// What `--version` tells: number, source, how it was built.
const VERSION: &str =
    concat!(env!("CARGO_PKG_VERSION"), "\n", env!("BUILD_SOURCE"), "; ", env!("BUILD_PROFILE"));

/// Show in 3D what dysim simulated.
#[derive(Debug, Parser)]
#[command(name = "anidysim", version, long_version = VERSION, max_term_width = 100, after_help = after_help())]
pub struct Arguments {
    /// Model file, with or without .dys
    #[arg(required_unless_present_any = ["man", "completions"])]
    pub model: Option<PathBuf>,

    /// Show every part of a picture while it is drawn (without waiting for the screen)
    #[arg(short)]
    pub single_buffer: bool,

    /// Motion to show instead of the .ani file that the model names
    #[arg(long, value_name = "FILE")]
    pub data: Option<PathBuf>,

    /// Pictures without a window.
    #[command(flatten)]
    pub recording: Recording,

    /// Camera and what is shown.
    #[command(flatten)]
    pub viewing: Viewing,

    /// Print the manual page (roff)
    #[arg(long)]
    pub man: bool,

    /// Print a script that completes the command line in a shell
    #[arg(long, value_name = "SHELL")]
    pub completions: Option<Shell>,

    /// Keep the state of the animator in this file, as one line of text; a tool for tests
    #[arg(long, value_name = "FILE", hide = true)]
    pub state: Option<PathBuf>,
}

impl Arguments {
    /// A text to print instead of showing anything, if one is asked for.
    ///
    /// # Errors
    /// If the manual page cannot be made.
    pub fn text(&self) -> Option<std::io::Result<Vec<u8>>> {
        let mut text = Vec::new();
        if let Some(shell) = self.completions {
            clap_complete::generate(shell, &mut Self::command(), "anidysim", &mut text);
            return Some(Ok(text));
        }
        let page = self.man.then(|| clap_mangen::Man::new(Self::command()).render(&mut text));
        page.map(|made| made.map(|()| text))
    }
}

fn after_help() -> String {
    format!(
        "The shapes come from the Primitive blocks of the model, their motion from <ModelName>.ani in the \
         current directory: a header with the names of the bodies, then a row for each time with a 4x4 pose \
         for each body.\n\nKeys and mouse:\n{}\n\
         Exit codes: 0 done, 1 the model is wrong, 3 a file or the window failed, 64 the command line is wrong.",
        commands::overview()
    )
}
