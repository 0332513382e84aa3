//! The command line.

use std::path::PathBuf;

use clap::Parser;

mod recording;
mod viewing;

use crate::commands;
pub use recording::Recording;
pub use viewing::Viewing;

/// Show in 3D what dysim simulated.
#[derive(Debug, Parser)]
#[command(name = "anidysim", version, max_term_width = 100, after_help = after_help())]
pub struct Arguments {
    /// Model file, with or without .dys
    pub model: PathBuf,

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

    /// Keep the state of the animator in this file, as one line of text; a tool for tests
    #[arg(long, value_name = "FILE", hide = true)]
    pub state: Option<PathBuf>,
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
