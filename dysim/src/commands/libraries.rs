//! The directories in which included files are looked for.

use std::env;
use std::path::PathBuf;

/// The directories of the command line, then those of the environment.
pub fn directories(of_command_line: &[PathBuf]) -> Vec<PathBuf> {
    let environment = env::var_os("DYSIM_LIBRARY").unwrap_or_default();
    let of_environment = env::split_paths(&environment).filter(|path| !path.as_os_str().is_empty());
    of_command_line.iter().cloned().chain(of_environment).collect()
}
