//! The command line.

use std::path::PathBuf;

use clap::Parser;

/// Show in 3D what dysim simulated.
#[derive(Debug, Parser)]
#[command(name = "anidysim", version, max_term_width = 100)]
#[command(
    after_help = "The shapes come from the Primitive blocks of the model, their motion from <ModelName>.ani in the \
current directory: a header with the names of the bodies, then a row for each time with a 4x4 pose for each body.\n\
Exit codes: 0 done, 1 the model is wrong, 3 a file or the window failed, 64 the command line is wrong."
)]
pub struct Arguments {
    /// Model file, with or without .dys
    pub model: PathBuf,

    /// Show every part of a picture while it is drawn (without double buffering)
    #[arg(short)]
    pub single_buffer: bool,
}
