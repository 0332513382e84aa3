//! What `--equations` tells: each line has unknowns of earlier lines and its own only, and no line says that something is
//! itself.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use dysim_tests::programs::root;
use engine::plugin::Plugins;
use engine::{LoadOptions, Model, ModelSource};

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).expect("the folder of models is there");
    for path in entries.map(|entry| entry.expect("entries can be read").path()) {
        match path.is_dir() {
            true => files(&path, found),
            false if path.extension().is_some_and(|suffix| suffix == "dys") => found.push(path),
            false => {}
        }
    }
    found.sort();
}

/// One entry of the list: what it gives, and the equations that give it.
struct Block<'r> {
    unknowns: Vec<&'r str>,
    equations: Vec<&'r str>,
}

/// The text of an equation without its place.
fn equation(line: &str) -> Option<&str> {
    let (_, text) = line.split_once("0 = ")?;
    Some(text.split("   [").next().unwrap_or(text))
}

fn blocks(report: &str) -> Vec<Block<'_>> {
    let solved = report.lines().skip_while(|line| !line.starts_with("Solved "));
    let mut all: Vec<Block<'_>> = Vec::new();
    for line in solved.filter(|line| line.starts_with(' ')) {
        let numbered = line.trim_start().split_once("  ").filter(|(n, _)| n.parse::<u32>().is_ok());
        match numbered {
            Some((_, rest)) => {
                let unknowns = match rest.split_once(" equations for ") {
                    Some((_, names)) => names.split(", ").collect(),
                    None => rest.split_whitespace().take(1).collect(),
                };
                all.push(Block { unknowns, equations: equation(line).into_iter().collect() });
            }
            None => {
                let block = all.last_mut().expect("equations stand below a number");
                block.equations.extend(equation(line));
            }
        }
    }
    all
}

/// Has an equation a name, but not as a part of another one or as what `der` is taken of?
fn has(equation: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || "_.[](\"".contains(c);
    equation.match_indices(name).any(|(at, _)| {
        let (before, behind) = (&equation[..at], &equation[at + name.len()..]);
        let is_own = before.ends_with('(') && !before.ends_with("der(");
        (is_own || !before.ends_with(is_part)) && !behind.starts_with(is_part)
    })
}

#[test]
fn equations_have_only_unknowns_of_earlier_lines() {
    let mut all = Vec::new();
    files(&root().join("models"), &mut all);
    let (mut compared, mut reports) = (0, 0);
    for path in all {
        let plugins = Plugins::Known(user_plugins::PLUGINS);
        let options = LoadOptions { plugins, ..LoadOptions::default() };
        let model = Model::open(ModelSource::File(path.clone()), options);
        let model = model.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        // Models of linear or static analyses have equations, too.
        let Ok(Some(report)) = model.equations() else { continue };
        reports += 1;
        for line in report.lines() {
            let is_idle = line.split_once(" = ").is_some_and(|(a, b)| a.trim() == b.trim());
            assert!(!is_idle, "{}: {line}", path.display());
        }
        let blocks = blocks(&report);
        let mut known: HashSet<&str> = HashSet::new();
        for (at, block) in blocks.iter().enumerate() {
            known.extend(&block.unknowns);
            let later = blocks[at + 1..].iter().flat_map(|later| &later.unknowns);
            for name in later.filter(|name| !known.contains(*name)) {
                for equation in &block.equations {
                    let place = path.display();
                    assert!(!has(equation, name), "{place}: {name} in {equation}\n{report}");
                    compared += 1;
                }
            }
        }
    }
    assert!(reports > 40 && compared > 1000, "{reports} reports, {compared} comparisons");
}
