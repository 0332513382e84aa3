//! `dysim fmt`: model files in a uniform layout.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use parser::exit::Exit;
use parser::render::render_all;
use parser::source::Sources;

use crate::arguments::FormatOptions;
use crate::terminal;

/// Formats all files; the worst outcome counts.
pub fn run(options: &FormatOptions) -> Exit {
    let mut worst = Exit::Done;
    for file in &options.files {
        let exit = if file == "-" {
            standard_input(options.check)
        } else {
            in_place(Path::new(file), options.check)
        };
        if exit as u8 > worst as u8 {
            worst = exit;
        }
    }
    worst
}

fn standard_input(check: bool) -> Exit {
    let mut text = String::new();
    if let Err(error) = io::stdin().lock().read_to_string(&mut text) {
        terminal::complain(&format!("cannot read standard input: {error}"));
        return Exit::Machine;
    }
    match formatted("<stdin>", &text) {
        None => Exit::Model,
        Some(_) if check => Exit::Done,
        Some(formatted) => terminal::print(&formatted),
    }
}

fn in_place(path: &Path, check: bool) -> Exit {
    let shown = path.display();
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) => {
            terminal::complain(&format!("cannot read `{shown}`: {error}"));
            return Exit::Machine;
        }
    };
    let Some(formatted) = formatted(&shown.to_string(), &text) else { return Exit::Model };
    if formatted == text {
        return Exit::Done;
    }
    if check {
        terminal::say(&format!("{shown} is not formatted\n"));
        return Exit::Model;
    }
    match replace(path, &formatted) {
        Ok(()) => Exit::Done,
        Err(error) => {
            terminal::complain(&format!("cannot write `{shown}`: {error}"));
            Exit::Machine
        }
    }
}

/// The formatted text; mistakes in it are shown, and it is left alone then.
fn formatted(name: &str, text: &str) -> Option<String> {
    let mut sources = Sources::default();
    let Ok(index) = sources.add(name, text) else {
        terminal::complain(&format!("`{name}` is larger than 4 GiB"));
        return None;
    };
    let source = sources.get(index)?;
    let parsed = parser::parse(source);
    let formatted = parser::format(source, &parsed);
    if formatted.is_none() {
        terminal::say(&render_all(&parsed.diagnostics, &sources, terminal::style()));
        terminal::say(&format!("{name} is left as it is\n"));
    }
    formatted
}

/// Writes beside the file and renames, so that a failure leaves the old text whole.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    // A link keeps pointing to its file.
    let path = fs::canonicalize(path)?;
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.part", std::process::id()));
    let temporary = path.with_file_name(name);
    let written = fs::write(&temporary, text).and_then(|()| {
        fs::set_permissions(&temporary, fs::metadata(&path)?.permissions())?;
        fs::rename(&temporary, &path)
    });
    if written.is_err() {
        // What could not be completed is of no use; if it cannot be removed either, so be it.
        let _ = fs::remove_file(&temporary);
    }
    written
}
