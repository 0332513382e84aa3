//! `dysim fmt`: model files in a uniform layout.

use crate::arguments::FormatOptions;
use crate::exit::Exit;

/// Formats all files.
pub fn run(_options: &FormatOptions) -> Exit {
    Exit::Done
}
