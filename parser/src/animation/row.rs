//! Judges one line of the table: a row, nothing, or a fault. Knows neither files nor line numbers.

use super::problem::{Fault, column_at, excerpt};
use super::window::TextLine;
use super::{NUMBERS_PER_BODY, Pose, columns_for};

/// How far a rotation may be from orthonormal, and a last row from 0 0 0 1. Six digits in a table
/// made by another program are enough, and the picture shows no difference.
const POSE_TOLERANCE: f64 = 1e-5;

/// Kind of a line.
pub(super) enum RowVerdict {
    /// Blank, or a comment.
    Nothing,
    /// A row with all its numbers at this time; its poses are in the buffer.
    Row(f64),
    /// A line that can not be used.
    Bad(Fault),
}

/// Judges `line` of a table with the bodies `names`, without regard to other rows. The poses of a
/// good row are left in `poses`.
pub(super) fn judge(line: &TextLine<'_>, names: &[String], poses: &mut Vec<Pose>) -> RowVerdict {
    if line.too_long {
        return RowVerdict::Bad(too_long(names.len()));
    }
    match line.text.trim_ascii().first() {
        None | Some(b'#') => return RowVerdict::Nothing,
        Some(_) => {}
    }
    match parse_row(line.text, names, poses) {
        Ok(_) if !line.terminated && may_be_cut(poses) => {
            RowVerdict::Bad(cut_off(line.text, names.len()))
        }
        Ok(time) => RowVerdict::Row(time),
        // Only too few columns, or half a number, come from a cut.
        Err(_) if !line.terminated && tokens(line.text).count() <= columns_for(names.len()) => {
            RowVerdict::Bad(cut_off(line.text, names.len()))
        }
        Err(fault) => RowVerdict::Bad(fault),
    }
}

/// A warning if a pose of a good row is no rigid motion; only the first is described.
pub(super) fn check_poses(text: &[u8], names: &[String], poses: &[Pose]) -> Option<Fault> {
    let flaws = || poses.iter().enumerate().filter_map(|(k, pose)| Some((k, flaw(pose)?)));
    let (body, what) = flaws().next()?;
    let others = flaws().count() - 1;
    let name = names.get(body).map_or("", String::as_str);
    let mut message = format!("the pose of body `{name}` {what}");
    if others > 0 {
        message.push_str(&format!(" (and {others} more in this row)"));
    }
    let at = tokens(text).nth(columns_for(body)).map_or(0, |token| token.0);
    let help = "the row is shown as it is, shapes may look distorted; check the program that \
                wrote the table";
    Some(Fault { column: column_at(text, at), message, help: help.to_owned() })
}

/// How many numbers a line has; `None` if it has anything else.
pub(super) fn count_numbers(text: &[u8]) -> Option<usize> {
    let mut count = 0;
    for (_, token) in tokens(text) {
        parse_number(token)?;
        count += 1;
    }
    Some(count)
}

/// Reads the time and the poses.
fn parse_row(text: &[u8], names: &[String], poses: &mut Vec<Pose>) -> Result<f64, Fault> {
    poses.clear();
    poses.resize(names.len(), Pose::default());
    let expected = columns_for(names.len());
    let mut time = 0.0;
    let mut count = 0;
    for (at, token) in tokens(text) {
        let number = match parse_number(token) {
            Some(number) if number.is_finite() => number,
            found => return Err(unusable(text, at, token, count, names, found.is_some())),
        };
        // The first number is the time, the next 16 are the first pose.
        match count.checked_sub(1) {
            None => time = number,
            Some(place) => match poses.get_mut(place / NUMBERS_PER_BODY) {
                Some(pose) => pose[place % NUMBERS_PER_BODY / 4][place % 4] = number,
                None => return Err(wrong_columns(text, at, names.len())),
            },
        }
        count += 1;
    }
    if count < expected {
        return Err(wrong_columns(text, text.trim_ascii_end().len(), names.len()));
    }
    Ok(time)
}

/// The words of a line with the byte at which each starts.
fn tokens(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = text.get(at..)?;
        let start = at + rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
        let word = &text[start..];
        let length = word.iter().position(u8::is_ascii_whitespace).unwrap_or(word.len());
        at = start + length;
        Some((start, &word[..length]))
    })
}

fn parse_number(token: &[u8]) -> Option<f64> {
    std::str::from_utf8(token).ok()?.parse().ok()
}

/// Whether a row without line end may lack digits. The last number of a pose is a 1 that stands
/// alone, so a row that ends in 0 0 0 1 is whole.
fn may_be_cut(poses: &[Pose]) -> bool {
    poses.last().is_none_or(|pose| pose[3] != [0.0, 0.0, 0.0, 1.0])
}

/// The flaw of a pose, if there is one.
fn flaw(pose: &Pose) -> Option<&'static str> {
    let r = |i: usize, j: usize| pose[i][j];
    if (0..4).any(|j| (r(3, j) - f64::from(u8::from(j == 3))).abs() > POSE_TOLERANCE) {
        return Some("has a last row other than 0 0 0 1");
    }
    // Columns of a rotation have length 1 and are perpendicular. Written so that an overflow to
    // infinity or NaN counts as a flaw.
    for i in 0..3 {
        for j in i..3 {
            let dot = r(0, i) * r(0, j) + r(1, i) * r(1, j) + r(2, i) * r(2, j);
            let error = (dot - f64::from(u8::from(i == j))).abs();
            if error.is_nan() || error > POSE_TOLERANCE {
                return Some("has a rotation part that is not orthonormal");
            }
        }
    }
    let determinant = r(0, 0) * (r(1, 1) * r(2, 2) - r(1, 2) * r(2, 1))
        - r(0, 1) * (r(1, 0) * r(2, 2) - r(1, 2) * r(2, 0))
        + r(0, 2) * (r(1, 0) * r(2, 1) - r(1, 1) * r(2, 0));
    (determinant < 0.0).then_some("has a rotation part that mirrors the body")
}

/// A word that is no number, or no finite one.
fn unusable(
    text: &[u8],
    at: usize,
    token: &[u8],
    place: usize,
    names: &[String],
    is_number: bool,
) -> Fault {
    let what = if is_number { "is not finite" } else { "is not a number" };
    let found = excerpt(token);
    let whose = describe_place(place, names);
    let help = if token.contains(&0) {
        "the file holds NUL bytes, as after a crash of the machine; run the simulation again"
    } else if is_number {
        "the simulation failed here or the table was changed; this row is left out"
    } else if token.contains(&b',') {
        "write decimal points, and blanks or tabs between the numbers; this row is left out"
    } else {
        "correct the number or run the simulation again; this row is left out"
    };
    Fault {
        column: column_at(text, at),
        message: format!("`{found}` {what}, expected {whose}"),
        help: help.to_owned(),
    }
}

/// The contents of table column `place` (from 0), in words.
fn describe_place(place: usize, names: &[String]) -> String {
    let Some(inside) = place.checked_sub(1) else {
        return "the time in table column 1".to_owned();
    };
    match names.get(inside / NUMBERS_PER_BODY) {
        Some(name) => {
            let (row, column) = (inside % NUMBERS_PER_BODY / 4 + 1, inside % 4 + 1);
            let table_column = place + 1;
            format!("pose element {row},{column} of body `{name}` in table column {table_column}")
        }
        None => format!("no more than {} columns", columns_for(names.len())),
    }
}

fn wrong_columns(text: &[u8], at: usize, n_bodies: usize) -> Fault {
    let found = tokens(text).count();
    let help = if found < columns_for(n_bodies) {
        "run the simulation again, or correct `# NumberOfBodies:` and `# NamesOfBodies:` if all \
         rows are so; this row is left out"
    } else {
        "correct `# NumberOfBodies:` and `# NamesOfBodies:` if all rows are so; this row is left out"
    };
    let message = format!("the row has {found} columns, expected {}", expectation(n_bodies));
    Fault { column: column_at(text, at), message, help: help.to_owned() }
}

fn cut_off(text: &[u8], n_bodies: usize) -> Fault {
    let found = tokens(text).count();
    Fault {
        column: column_at(text, text.len()),
        message: format!(
            "the last row is cut off after {found} columns, expected {} and a line end",
            expectation(n_bodies)
        ),
        help: "the program that wrote the table was stopped; the rows before are shown".to_owned(),
    }
}

fn expectation(n_bodies: usize) -> String {
    let columns = columns_for(n_bodies);
    let bodies = if n_bodies == 1 { "body" } else { "bodies" };
    format!("{columns} (the time and {NUMBERS_PER_BODY} for each of {n_bodies} {bodies})")
}

fn too_long(n_bodies: usize) -> Fault {
    let expected = expectation(n_bodies);
    Fault {
        column: 1,
        message: format!("the line is far too long for a row, expected {expected}"),
        help: "the line is left out; run the simulation again if the file is damaged".to_owned(),
    }
}

/// A row whose time is before that of the row above.
pub(super) fn backwards(text: &[u8], time: f64, last: f64) -> Fault {
    let at = tokens(text).next().map_or(0, |token| token.0);
    Fault {
        column: column_at(text, at),
        message: format!("time {time:?} goes back, expected {last:?} or later"),
        help: "the row is left out; two runs in one file must be split, or correct the time above"
            .to_owned(),
    }
}

/// A row whose time alone is out of order: the next one fits the row above again.
pub(super) fn runs_ahead(time: f64, above: f64, below: f64) -> Fault {
    Fault {
        column: 1,
        message: format!("time {time:?} runs ahead, expected between {above:?} and {below:?}"),
        help: "correct the time; this row is left out".to_owned(),
    }
}
