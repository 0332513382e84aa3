//! Reads the head of the table: four lines in any order among other comments. What is missing or
//! contradicts is reported, and as much as possible is made of the rest.

use super::problem::{Fault, ProblemList, column_at, excerpt};
use super::row::count_numbers;
use super::window::Window;
use super::{ANI_VERSION, AniHeader, MAX_BODIES, MAX_LINE_BYTES, NUMBERS_PER_BODY, columns_for};
use std::io::{self, Read, Seek};

/// The header lines, in the order they are written.
const KEYS: [&str; 4] = ["DySimAniFileVersion", "ModelName", "NumberOfBodies", "NamesOfBodies"];
const VERSION: usize = 0;
const MODEL: usize = 1;
const COUNT: usize = 2;
const NAMES: usize = 3;

/// Result of reading the head.
pub(super) enum HeaderOutcome {
    /// More has to be written before the head is complete.
    Waiting,
    /// No table can be made of this; the problems say why.
    Unusable,
    /// The header, and offset and number of the line after it.
    Ready { header: AniHeader, offset: u64, line: u64 },
}

/// Reads the head from the start of the file up to the first line that is no comment.
pub(super) fn read_header<R: Read + Seek>(
    window: &mut Window<R>,
    growing: bool,
    problems: &mut ProblemList,
) -> io::Result<HeaderOutcome> {
    let mut draft = Draft::default();
    let mut offset = byte_order_mark(window)?;
    let mut line_number = 1;
    loop {
        let budget = (MAX_LINE_BYTES as u64).saturating_sub(offset);
        let limit = usize::try_from(budget).unwrap_or(MAX_LINE_BYTES);
        let Some(line) = window.line(offset, limit)? else { break };
        if line.too_long {
            problems.error(line_number, no_end());
            return Ok(HeaderOutcome::Unusable);
        }
        if growing && !line.terminated {
            return Ok(HeaderOutcome::Waiting);
        }
        match line.text.trim_ascii().first() {
            None => {}
            Some(b'#') => draft.take(line_number, line.text, problems),
            Some(_) => {
                // The first row helps where the header contradicts itself.
                let numbers = count_numbers(line.text);
                if numbers.is_none() && draft.is_empty() {
                    problems.error(line_number, foreign(line.text));
                    return Ok(HeaderOutcome::Unusable);
                }
                return Ok(draft.resolve(numbers, offset, line_number, problems));
            }
        }
        offset = line.next;
        line_number += 1;
    }
    if growing {
        return Ok(HeaderOutcome::Waiting);
    }
    if draft.is_empty() {
        problems.error(1, empty(window.end()));
        return Ok(HeaderOutcome::Unusable);
    }
    Ok(draft.resolve(None, offset, line_number, problems))
}

/// The header key of a comment line, if it is one.
pub(super) fn header_key(text: &[u8]) -> Option<&'static str> {
    split_entry(text).map(|(key, _)| KEYS[key])
}

/// The bytes to skip at the start of the file.
fn byte_order_mark<R: Read + Seek>(window: &mut Window<R>) -> io::Result<u64> {
    let mark = "\u{FEFF}".as_bytes();
    let marked = window.at(0, mark.len())?.starts_with(mark);
    Ok(if marked { mark.len() as u64 } else { 0 })
}

/// Splits `# Key: value` into the place of the key in `KEYS` and the byte where the value starts.
fn split_entry(text: &[u8]) -> Option<(usize, usize)> {
    let hash = text.iter().position(|&byte| byte == b'#')?;
    let colon = hash + text[hash..].iter().position(|&byte| byte == b':')?;
    let key = text[hash + 1..colon].trim_ascii();
    let place = KEYS.iter().position(|known| key.eq_ignore_ascii_case(known.as_bytes()))?;
    let blanks = text[colon + 1..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    Some((place, colon + 1 + blanks))
}

/// The value of a header line and where it stands.
struct HeaderEntry {
    value: String,
    line: u64,
    column: u64,
}

/// The header lines found so far, by their place in `KEYS`.
#[derive(Default)]
struct Draft {
    entries: [Option<HeaderEntry>; 4],
}

impl Draft {
    fn is_empty(&self) -> bool {
        self.entries.iter().all(Option::is_none)
    }

    /// Takes a comment line, which may be a header line.
    fn take(&mut self, line: u64, text: &[u8], problems: &mut ProblemList) {
        let Some((key, at)) = split_entry(text) else { return };
        let column = column_at(text, at);
        let raw = text[at..].trim_ascii();
        let value = String::from_utf8_lossy(raw).into_owned();
        if std::str::from_utf8(raw).is_err() {
            problems.error(line, not_utf8(column, KEYS[key]));
        }
        match &self.entries[key] {
            Some(first) => problems.error(line, repeated(column, KEYS[key], first, &value)),
            None => self.entries[key] = Some(HeaderEntry { value, line, column }),
        }
    }

    /// Makes a header of the lines, given how many numbers the first row has.
    fn resolve(
        &self,
        numbers: Option<usize>,
        offset: u64,
        line: u64,
        problems: &mut ProblemList,
    ) -> HeaderOutcome {
        // What is missing is expected before the first row.
        for (key, entry) in KEYS.iter().zip(&self.entries) {
            match entry {
                Some(_) => {}
                None if [KEYS[VERSION], KEYS[MODEL]].contains(key) => {
                    problems.warning(line, missing(key));
                }
                None => problems.error(line, missing(key)),
            }
        }
        if let Some(version) = &self.entries[VERSION]
            && version.value != ANI_VERSION
        {
            problems.warning(version.line, other_version(version));
        }
        let Some(names) = self.resolve_bodies(numbers, problems) else {
            problems.error(line, no_bodies_known());
            return HeaderOutcome::Unusable;
        };
        warn_of_names(&names, self.entries[NAMES].as_ref(), problems);
        let text = |key: usize| self.entries[key].as_ref().map_or("", |entry| &entry.value);
        let header = AniHeader {
            version: text(VERSION).to_owned(),
            model_name: text(MODEL).to_owned(),
            names,
        };
        HeaderOutcome::Ready { header, offset, line }
    }

    /// Decides how many bodies there are. Where count and names differ, the first row decides;
    /// where it fits neither, the names do, since they are harder to get wrong.
    fn resolve_bodies(
        &self,
        numbers: Option<usize>,
        problems: &mut ProblemList,
    ) -> Option<Vec<String>> {
        let count = self.entries[COUNT].as_ref().and_then(|entry| {
            let count = entry.value.parse().ok().filter(|&count: &usize| count <= MAX_BODIES);
            if count.is_none() {
                problems.error(entry.line, no_count(entry));
            }
            count
        });
        let names: Option<Vec<String>> = self.entries[NAMES].as_ref().and_then(|entry| {
            // One more than allowed is enough to see that there are too many.
            let names = entry.value.split_whitespace().take(MAX_BODIES + 1);
            let names: Vec<String> = names.map(str::to_owned).collect();
            if names.len() > MAX_BODIES {
                problems.error(entry.line, too_many_names(entry.column));
                return None;
            }
            Some(names)
        });
        let fits = |n_bodies: usize| numbers == Some(columns_for(n_bodies));
        let n_bodies = match (count, &names) {
            (Some(count), Some(names)) if count != names.len() => {
                let chosen = if fits(count) { count } else { names.len() };
                if let Some(entry) = &self.entries[COUNT] {
                    problems.error(entry.line, contradiction(entry, names.len(), chosen));
                }
                chosen
            }
            (Some(count), _) => count,
            (None, Some(names)) => names.len(),
            (None, None) => {
                let in_poses = numbers?.checked_sub(1)?;
                let n_bodies = in_poses / NUMBERS_PER_BODY;
                let whole = in_poses % NUMBERS_PER_BODY == 0;
                (whole && (1..=MAX_BODIES).contains(&n_bodies)).then_some(n_bodies)?
            }
        };
        let mut names = names.unwrap_or_default();
        names.truncate(n_bodies);
        names.extend((names.len()..n_bodies).map(|place| format!("#{}", place + 1)));
        Some(names)
    }
}

/// Warns of names given twice and of a table without bodies.
fn warn_of_names(names: &[String], entry: Option<&HeaderEntry>, problems: &mut ProblemList) {
    let (line, column) = entry.map_or((1, 1), |entry| (entry.line, entry.column));
    let mut sorted: Vec<&String> = names.iter().collect();
    sorted.sort_unstable();
    if let Some(twice) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        let name = excerpt(twice[0].as_bytes());
        let message = format!("body `{name}` is named twice, expected one column block per body");
        let help = "give each body its own name; now they share their shapes".to_owned();
        problems.warning(line, Fault { column, message, help });
    }
    if names.is_empty() {
        let message = "the table has no bodies, expected at least one".to_owned();
        let help = "there is nothing to show; add a body to the model".to_owned();
        problems.warning(line, Fault { column, message, help });
    }
}

/// A fault of the whole line.
fn fault(column: u64, message: String, help: &str) -> Fault {
    Fault { column, message, help: help.to_owned() }
}

fn empty(length: u64) -> Fault {
    let message = if length == 0 {
        "the file is empty, expected the header of an .ani table".to_owned()
    } else {
        "the file has no header line and no row, expected an .ani table".to_owned()
    };
    fault(1, message, "run dysim on the model to write the table")
}

fn foreign(text: &[u8]) -> Fault {
    let found = excerpt(text.trim_ascii());
    let message =
        format!("this is no .ani table: found `{found}`, expected `# {}: {ANI_VERSION}`", KEYS[0]);
    let utf16 = text.starts_with(&[0xFF, 0xFE]) || text.starts_with(&[0xFE, 0xFF]);
    let help = if utf16 {
        "the file seems to be UTF-16 text; save it as UTF-8"
    } else {
        "choose the .ani file that dysim wrote for this model"
    };
    fault(1, message, help)
}

fn no_end() -> Fault {
    let mib = MAX_LINE_BYTES >> 20;
    let message = format!("the header does not end within {mib} MiB, expected rows before");
    fault(1, message, "choose the .ani file that dysim wrote for this model")
}

fn missing(key: &str) -> Fault {
    let (value, without) = match key {
        "DySimAniFileVersion" => (ANI_VERSION, "the rows are read as this version"),
        "ModelName" => ("name", "any model is accepted"),
        "NumberOfBodies" => ("n", "the other lines decide"),
        _ => ("a b c", "the bodies are numbered, and drawn without the shapes of the model"),
    };
    let message = format!("no line `# {key}: {value}` before the rows");
    fault(1, message, &format!("add the line at the top of the file; without it {without}"))
}

fn other_version(entry: &HeaderEntry) -> Fault {
    let found = excerpt(entry.value.as_bytes());
    let message = format!("version `{found}` of the .ani table, expected `{ANI_VERSION}`");
    let help = "the rows are read all the same; run this dysim again if they look wrong";
    fault(entry.column, message, help)
}

fn repeated(column: u64, key: &str, first: &HeaderEntry, value: &str) -> Fault {
    let relation = if value == first.value { "repeats" } else { "contradicts" };
    let message = format!("this `{key}` {relation} line {}, expected one", first.line);
    fault(column, message, "remove one of the two lines; the first one counts")
}

fn not_utf8(column: u64, key: &str) -> Fault {
    let message = format!("the value of `{key}` is not UTF-8 text");
    fault(column, message, "save the file as UTF-8; the bytes in question are shown as \u{FFFD}")
}

fn no_count(entry: &HeaderEntry) -> Fault {
    let found = excerpt(entry.value.as_bytes());
    let message = format!("`{found}` bodies, expected a whole number from 0 to {MAX_BODIES}");
    fault(entry.column, message, "write the number of names in `# NamesOfBodies:`")
}

fn too_many_names(column: u64) -> Fault {
    let message = format!("more than {MAX_BODIES} names of bodies");
    fault(column, message, "write one name per body, as many as `# NumberOfBodies:` says")
}

fn contradiction(entry: &HeaderEntry, n_names: usize, chosen: usize) -> Fault {
    let count = excerpt(entry.value.as_bytes());
    let message = format!("{count} bodies but {n_names} names, expected as many names as bodies");
    let help = format!("correct `# NumberOfBodies:` or `# NamesOfBodies:`; {chosen} are read");
    fault(entry.column, message, &help)
}

fn no_bodies_known() -> Fault {
    let message = "the number of bodies is unknown, so no row can be read".to_owned();
    fault(1, message, "add `# NumberOfBodies: n` and `# NamesOfBodies: a b c` at the top")
}
