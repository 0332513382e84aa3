//! Where a plot goes: files, standard output, the terminal.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use parser::exit::Exit;
use plots::Figure;

use super::Trouble;
use crate::arguments::PlotOptions;
use crate::commands::store::store;
use crate::terminal;

/// Pixels per point of a bitmap: sharp on the screens of today.
const PIXELS: f64 = 2.0;
/// Characters of a line where the output is no terminal.
const COLUMNS: usize = 80;

fn suffix(path: &Path) -> &str {
    path.extension().and_then(|extension| extension.to_str()).unwrap_or_default()
}

/// Writes the figure to all places that are wanted; to `<stem>.svg` if there are none.
pub fn write(
    figure: &Figure<'_>,
    options: &PlotOptions,
    stem: &str,
    notes: &[String],
) -> Result<(), Trouble> {
    let mut paths = options.output.clone();
    if paths.is_empty() && !options.ascii {
        paths.push(PathBuf::from(format!("{stem}.svg")));
    }
    for path in &paths {
        let bytes = match suffix(path) {
            "png" => plots::png(figure, PIXELS).map_err(|error| {
                (format!("cannot draw `{}`: {error}", path.display()), Exit::Machine)
            })?,
            _ => plots::svg(figure).into_bytes(),
        };
        if path.as_os_str() == "-" {
            print(&String::from_utf8_lossy(&bytes))?;
            continue;
        }
        store(path, &bytes).map_err(|error| {
            (format!("cannot write `{}`: {error}", path.display()), Exit::Machine)
        })?;
        if !options.quiet {
            terminal::say(&format!("  wrote {}\n", path.display()));
        }
    }
    if options.ascii {
        print(&plots::text(figure, width()))?;
    }
    if !options.quiet {
        notes.iter().for_each(|note| terminal::say(&format!("  note: {note}\n")));
    }
    Ok(())
}

/// The printer has already said what went wrong.
fn print(text: &str) -> Result<(), Trouble> {
    match terminal::print(text) {
        Exit::Done => Ok(()),
        exit => Err((String::new(), exit)),
    }
}

/// Characters of a line on the terminal.
fn width() -> usize {
    let size = io::stdout().is_terminal().then(terminal_size::terminal_size).flatten();
    size.map_or(COLUMNS, |(width, _)| usize::from(width.0))
}
