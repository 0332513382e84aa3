//! `.include` and `.lib`: netlists in several files.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use parser::diagnostic::{Diagnostic, Diagnostics};
use parser::source::{Sources, Span};

use super::lines::{self, Line};
use super::spice_codes;

/// Files may include each other this deep.
const MAX_DEPTH: usize = 30;
/// All files together may have this many statements.
const MAX_LINES: usize = 5_000_000;

/// Reads a file.
pub type Read<'a> = &'a dyn Fn(&Path) -> io::Result<Vec<u8>>;

/// What is to be read next: statements of a file, backwards.
struct Open {
    lines: Vec<Line>,
    directory: PathBuf,
    path: Option<PathBuf>,
}

/// All files of a netlist.
pub struct Gathering<'a> {
    pub sources: &'a mut Sources,
    pub read: Read<'a>,
    pub diagnostics: &'a mut Diagnostics,
    /// The statements of each file.
    pub known: HashMap<PathBuf, Vec<Line>>,
}

impl Gathering<'_> {
    /// Puts the statements of all files in order.
    pub fn gather(&mut self, lines: Vec<Line>, directory: &Path) -> Vec<Line> {
        let mut gathered = Vec::new();
        let backwards = |lines: Vec<Line>| lines.into_iter().rev().collect();
        let first =
            Open { lines: backwards(lines), directory: directory.to_path_buf(), path: None };
        let mut stack = vec![first];
        while let Some(open) = stack.last_mut() {
            let Some(line) = open.lines.pop() else {
                stack.pop();
                continue;
            };
            if gathered.len() > MAX_LINES {
                self.complain(spice_codes::TOO_LARGE, line.span, "the files are too long");
                break;
            }
            let word = line.tokens.first().map_or("", |token| token.text.as_str());
            let is_library = word == ".lib" && line.tokens.len() == 2;
            match word {
                ".include" | ".inc" | ".incl" => {}
                ".lib" if !is_library => {}
                ".lib" if !self.is_file(&line, &open.directory) => {
                    // The section of a library in the netlist itself: what it defines counts where it is asked for.
                    skip_section(&mut open.lines);
                    continue;
                }
                ".lib" => {}
                ".endl" => continue,
                _ => {
                    gathered.push(line);
                    continue;
                }
            }
            let Some((lines, path)) = self.included(&line, &stack) else { continue };
            let directory = path.parent().map_or_else(PathBuf::new, Path::to_path_buf);
            stack.push(Open { lines: backwards(lines), directory, path: Some(path) });
        }
        gathered
    }

    fn complain(&mut self, code: parser::diagnostic::Code, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::new(code, span, message));
    }

    fn is_file(&self, line: &Line, directory: &Path) -> bool {
        let name = file_name(line);
        (self.read)(&directory.join(&name)).is_ok()
    }

    /// The statements that a line includes, and the path of their file.
    fn included(&mut self, line: &Line, stack: &[Open]) -> Option<(Vec<Line>, PathBuf)> {
        let name = file_name(line);
        let directory = &stack.last()?.directory;
        let path = directory.join(&name);
        if stack.len() > MAX_DEPTH
            || stack.iter().filter(|open| open.path.as_ref() == Some(&path)).count() > 3
        {
            let message =
                format!("`{name}` includes itself, or files include each other too deeply");
            self.complain(spice_codes::TOO_LARGE, line.span, message);
            return None;
        }
        let all = self.statements(&path, &name, line.span)?;
        let Some(section) = line.tokens.get(2).filter(|_| line.tokens[0].text == ".lib") else {
            return Some((all, path));
        };
        let Some(lines) = section_of(&all, &section.text) else {
            let message = format!("`{name}` has no section `{}`", section.text);
            self.complain(spice_codes::UNKNOWN_MODEL, section.span, message);
            return None;
        };
        Some((lines, path))
    }

    fn statements(&mut self, path: &Path, name: &str, span: Span) -> Option<Vec<Line>> {
        if let Some(known) = self.known.get(path) {
            return Some(known.clone());
        }
        let bytes = match (self.read)(path) {
            Ok(bytes) => bytes,
            Err(error) => {
                let reason = match error.kind() {
                    io::ErrorKind::NotFound => "there is no such file".to_string(),
                    _ => error.to_string(),
                };
                let message = format!("cannot read `{name}`: {reason}");
                let told = Diagnostic::new(spice_codes::UNKNOWN_MODEL, span, message);
                self.diagnostics.push(told.help("the path is relative to the file that names it"));
                return None;
            }
        };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let added = self.sources.add(path.display().to_string(), text);
        let Some(source) = added.ok().and_then(|index| self.sources.get(index)) else {
            self.complain(spice_codes::TOO_LARGE, span, "the files are larger than 4 GiB");
            return None;
        };
        let lines = lines::statements(source.text(), source.base());
        self.known.insert(path.to_path_buf(), lines.clone());
        Some(lines)
    }
}

/// The name of the file in the case in which it is written.
fn file_name(line: &Line) -> String {
    let rest = line.raw.trim_start();
    let rest = rest.split_once(char::is_whitespace).map_or("", |(_, rest)| rest).trim();
    let name = match rest.as_bytes().first() {
        Some(&quote @ (b'"' | b'\'')) => rest[1..].split(char::from(quote)).next(),
        _ => rest.split_whitespace().next(),
    };
    name.unwrap_or("").to_string()
}

/// Passes over a section, the last line of which is `.endl`; lines stand backwards.
fn skip_section(lines: &mut Vec<Line>) {
    while let Some(line) = lines.pop() {
        if line.tokens.first().is_some_and(|token| token.text == ".endl") {
            return;
        }
    }
}

/// The statements between `.lib section` and `.endl`.
fn section_of(lines: &[Line], section: &str) -> Option<Vec<Line>> {
    let begins = |line: &Line| matches!(&line.tokens[..], [word, name] if word.text == ".lib" && name.text == section);
    let start = lines.iter().position(begins)? + 1;
    let ends = |line: &Line| line.tokens.first().is_some_and(|token| token.text == ".endl");
    let end = lines[start..].iter().position(ends).map_or(lines.len(), |length| start + length);
    Some(lines[start..end].to_vec())
}
