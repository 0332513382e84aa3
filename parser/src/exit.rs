//! The exit codes of both programs: what they tell the shell.

use std::process::ExitCode;

/// How a run of a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Everything is done.
    Done = 0,
    /// The model is wrong.
    Model = 1,
    /// The simulation failed.
    Simulation = 2,
    /// The machine failed: a file or a device.
    Machine = 3,
    /// A part is done, and the rest is named.
    Partly = 4,
    /// The command line is wrong.
    Usage = 64,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}
