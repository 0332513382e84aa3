//! Expected texts in files: compared, or written anew with `UPDATE_EXPECT=1`.

use std::fs;
use std::path::Path;

/// The first line in which two texts differ, in words; `None` if they are equal.
pub fn difference(expected: &str, found: &str) -> Option<String> {
    if expected == found {
        return None;
    }
    let (mut left, mut right) = (expected.split('\n'), found.split('\n'));
    let mut line = 0;
    loop {
        line += 1;
        match (left.next(), right.next()) {
            (a, b) if a == b && a.is_some() => {}
            (a, b) => {
                let show =
                    |text: Option<&str>| text.map_or("(the end)".into(), |t| format!("`{t}`"));
                return Some(format!("line {line}: expected {}, found {}", show(a), show(b)));
            }
        }
    }
}

/// Compares a text with the content of a file. `UPDATE_EXPECT=1` writes the file instead.
pub fn check(path: &Path, found: &str) -> Result<(), String> {
    if std::env::var_os("UPDATE_EXPECT").is_some_and(|value| value == "1") {
        let old = fs::read_to_string(path).unwrap_or_default();
        if old != found {
            fs::write(path, found).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        return Ok(());
    }
    let expected =
        fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    match difference(&expected, found) {
        None => Ok(()),
        Some(difference) => Err(format!(
            "{}: {difference}\n(UPDATE_EXPECT=1 writes the file; read what changed)\n{found}",
            path.display()
        )),
    }
}
