//! What there is to see, in a few lines.

use std::collections::HashSet;
use std::io::{self, Read, Seek};

use engine::model::Model;
use parser::animation::AniReader;

/// Names shown of each kind that has too many.
const SHOWN: usize = 5;

/// Bodies and shapes of the model, rows and time span of its motion, and what does not match.
pub fn describe<R: Read + Seek>(
    model: &Model,
    path: &str,
    motion: &mut AniReader<R>,
) -> io::Result<String> {
    let mut out = format!(
        "{}: {}, {}\n",
        model.name,
        count(model.bodies.len() as u64, "body", "bodies"),
        count(model.primitives.len() as u64, "primitive", "primitives")
    );
    let rows = motion.n_rows();
    let span = match (motion.first_row()?, motion.last_row()?) {
        (Some(first), Some(last)) => format!(" from {} s to {} s", first.time, last.time),
        _ => String::new(),
    };
    let (errors, warnings) = motion.problem_counts();
    let moving = motion.header().map_or(&[] as &[String], |header| &header.names);
    let n_moving = count(moving.len() as u64, "body", "bodies");
    out.push_str(&format!("{path}: {n_moving}, {}{span}", count(rows, "row", "rows")));
    if errors + warnings > 0 {
        let errors = count(errors, "error", "errors");
        out.push_str(&format!(", {errors}, {}", count(warnings, "warning", "warnings")));
    }
    out.push('\n');
    let known: HashSet<&str> = model.bodies.iter().map(|b| model.block_name(b.block)).collect();
    let placed: HashSet<&str> = moving.iter().map(String::as_str).collect();
    let strange = moving.iter().map(String::as_str).filter(|name| !known.contains(name));
    list(&mut out, "only in the result file", strange);
    let still = model.bodies.iter().map(|body| model.block_name(body.block));
    list(&mut out, "without motion", still.filter(|name| !placed.contains(name)));
    Ok(out)
}

fn count(n: u64, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// Adds a line with names, unless there are none.
fn list<'a>(out: &mut String, what: &str, names: impl Iterator<Item = &'a str>) {
    let names: Vec<&str> = names.collect();
    if names.is_empty() {
        return;
    }
    let more = if names.len() > SHOWN { ", ..." } else { "" };
    let shown = names[..names.len().min(SHOWN)].join(", ");
    out.push_str(&format!("{what}: {shown}{more}\n"));
}
