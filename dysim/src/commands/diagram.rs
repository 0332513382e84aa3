//! `dysim diagram`: the model as a picture, with pictures of the insides of its instances.

use std::collections::{HashMap, HashSet, VecDeque};
use std::path::{Path, PathBuf};

use diagram::picture::Picture;
use diagram::{Diagram, DiagramError};
use engine::plugin::Plugins;
use parser::exit::Exit;

use super::flat_model::{self, Trouble};
use super::store::store;
use crate::arguments::DiagramOptions;
use crate::terminal;

/// Pixels per point of a bitmap: sharp on the screens of today.
const PIXELS: f64 = 2.0;
/// More insides than this get no pictures of their own.
const MOST_PICTURES: usize = 1000;
/// Longer names of files are not possible everywhere.
const LONGEST_NAME: usize = 120;

/// Draws the model, or tells what is wrong with it.
pub fn run(options: &DiagramOptions, plugins: Plugins) -> Exit {
    flat_model::end(draw(options, plugins))
}

fn draw(options: &DiagramOptions, plugins: Plugins) -> Result<(), Trouble> {
    let loaded = flat_model::read(&options.model, &options.set, &options.library, plugins)?;
    let diagram = Diagram::new(&loaded).ok_or((String::new(), Exit::Model))?;
    let unfit = |error: DiagramError| match error {
        DiagramError::UnknownInstance { .. } => (error.to_string(), Exit::Usage),
        DiagramError::TooLarge { .. } => (error.to_string(), Exit::Model),
    };
    let scope = options.inside.as_ref().map(|name| diagram.instance(name)).transpose();
    let scope = scope.map_err(unfit)?;
    let top = diagram.picture(scope, options.depth).map_err(unfit)?;
    let output = options.output.clone().unwrap_or_else(|| {
        let name = loaded.model.as_ref().map_or("model", |model| model.name.as_str());
        PathBuf::from(format!("{name}.diagram.svg"))
    });
    if output.as_os_str() == "-" {
        return match terminal::print(&diagram.svg(&top, scope, &|_| None)) {
            Exit::Done => Ok(()),
            exit => Err((String::new(), exit)),
        };
    }
    if output.extension().is_some_and(|suffix| suffix == "png") {
        let bytes = diagram.png(&top, scope, PIXELS).map_err(|error| {
            (format!("cannot draw `{}`: {error}", output.display()), Exit::Machine)
        })?;
        return write(&output, &bytes, options.quiet);
    }
    write_all(&diagram, &top, scope, &output, options.quiet)
}

/// The instances in a picture and in its frames.
fn parts_of(picture: &Picture) -> Vec<usize> {
    let mut all = Vec::new();
    let mut open = vec![picture];
    while let Some(picture) = open.pop() {
        all.extend(picture.boxes.iter().filter_map(|one| one.part));
        open.extend(picture.boxes.iter().filter_map(|one| Some(&one.inside.as_ref()?.picture)));
    }
    all
}

/// Writes a picture and those of the insides of all instances in it.
fn write_all(
    diagram: &Diagram,
    top: &Picture,
    scope: Option<usize>,
    output: &Path,
    quiet: bool,
) -> Result<(), Trouble> {
    let mut open: VecDeque<usize> = parts_of(top).into();
    let mut pictures: Vec<(usize, Picture)> = Vec::new();
    let mut missing = 0;
    let mut seen: HashSet<usize> = HashSet::new();
    while let Some(part) = open.pop_front() {
        if !seen.insert(part) {
            continue;
        }
        if pictures.len() == MOST_PICTURES {
            missing += 1;
            continue;
        }
        // An inside that is too large has no picture, and no link leads there.
        let Ok(picture) = diagram.picture(Some(part), 0) else {
            missing += 1;
            continue;
        };
        open.extend(parts_of(&picture));
        pictures.push((part, picture));
    }
    let names = names(diagram, output, pictures.iter().map(|(part, _)| *part));
    let top_name = output.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let file = |wanted: Option<usize>| match wanted {
        _ if wanted == scope => Some(address(&top_name)),
        Some(part) => match names.get(&part) {
            Some(name) => Some(address(name)),
            // The picture of what is opened in the top picture is that picture.
            None => diagram.model().is_within(Some(part), scope).then(|| address(&top_name)),
        },
        None => None,
    };
    let inside = |wanted: Option<usize>| match wanted {
        Some(part) if wanted != scope && !names.contains_key(&part) => None,
        _ => file(wanted),
    };
    // Insides first: the links of a picture that is there lead somewhere.
    for (part, picture) in &pictures {
        let parent = diagram.model().parts[*part].parent;
        let links = |wanted: Option<usize>| {
            if wanted == parent { file(wanted) } else { inside(wanted) }
        };
        let svg = diagram.svg(picture, Some(*part), &links);
        let path = output.with_file_name(&names[part]);
        store(&path, svg.as_bytes()).map_err(|error| unwritten(&path, &error))?;
    }
    let links = |wanted: Option<usize>| match wanted {
        Some(part) if names.contains_key(&part) => inside(wanted),
        _ => None,
    };
    write(output, diagram.svg(top, scope, &links).as_bytes(), quiet)?;
    if !quiet && !pictures.is_empty() {
        let count = pictures.len();
        let s = if count == 1 { "" } else { "s" };
        terminal::say(&format!("  wrote {count} picture{s} of insides beside it\n"));
    }
    if !quiet && missing > 0 {
        terminal::say(&format!(
            "  note: {missing} insides have no pictures; draw one with --inside\n"
        ));
    }
    Ok(())
}

/// Names of the files of insides: `model.m1.svg`. No two differ in the size of letters only.
fn names(
    diagram: &Diagram,
    output: &Path,
    parts: impl Iterator<Item = usize>,
) -> HashMap<usize, String> {
    let stem = output.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut taken: HashSet<String> = HashSet::new();
    let mut names = HashMap::new();
    for part in parts {
        let instance = &diagram.model().parts[part].name;
        let mut name = format!("{stem}.{instance}.svg");
        if name.len() > LONGEST_NAME || !taken.insert(name.to_lowercase()) {
            name = format!("{stem}.part~{part}.svg");
        }
        names.insert(part, name);
    }
    names
}

/// A name of a file as the address of a link.
fn address(name: &str) -> String {
    let mut address = String::new();
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' | b'-' | b'_' | b'~' => {
                address.push(char::from(byte));
            }
            _ => address.push_str(&format!("%{byte:02X}")),
        }
    }
    address
}

fn unwritten(path: &Path, error: &std::io::Error) -> Trouble {
    (format!("cannot write `{}`: {error}", path.display()), Exit::Machine)
}

fn write(path: &Path, bytes: &[u8], quiet: bool) -> Result<(), Trouble> {
    store(path, bytes).map_err(|error| unwritten(path, &error))?;
    if !quiet {
        terminal::say(&format!("  wrote {}\n", path.display()));
    }
    Ok(())
}
