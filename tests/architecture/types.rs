//! The methods of a type can be read in a few files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use dysim_generated::root;

use crate::sources::{code, crates, from_root, sources};

/// A type whose methods stand in more files than this has more than one task.
const MOST_FILES: usize = 3;

/// Folder and name of a type.
type TypeName = (String, String);

/// The type of an inherent `impl` at the beginning of a line: `Run` of `impl<'a> Run<'a> {`.
fn inherent(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("impl")?;
    let rest = match rest.strip_prefix('<') {
        // The parameters end with the bracket that closes the first one.
        Some(parameters) => {
            let mut depth = 1;
            let end = parameters.find(|c| {
                depth += i32::from(c == '<') - i32::from(c == '>');
                depth == 0
            })?;
            &parameters[end + 1..]
        }
        None => rest,
    };
    let rest = rest.strip_prefix(' ')?;
    if rest.contains(" for ") {
        return None;
    }
    let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let end = rest.find(|c| !is_path(c)).unwrap_or(rest.len());
    rest[..end].rsplit("::").next()
}

/// The type that a line declares.
fn declared(line: &str) -> Option<&str> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let at = words.iter().position(|word| *word == "struct" || *word == "enum")?;
    if at > 1 || words[..at].iter().any(|word| !word.starts_with("pub")) {
        return None;
    }
    let name = words.get(at + 1)?;
    let end = name.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(name.len());
    Some(&name[..end])
}

/// The files with inherent `impl` blocks of each type of a folder. A name that two files declare is that of two types:
/// these are told apart by the folder below `folder` in which they stand.
fn files_of_types(folder: &str) -> BTreeMap<TypeName, BTreeSet<String>> {
    let all: Vec<(String, String)> =
        sources(&root().join(folder)).iter().map(|path| (from_root(path), code(path))).collect();
    let mut declarations: BTreeMap<&str, usize> = BTreeMap::new();
    for name in all.iter().flat_map(|(_, code)| code.lines().filter_map(declared)) {
        *declarations.entry(name).or_default() += 1;
    }
    let mut files: BTreeMap<TypeName, BTreeSet<String>> = BTreeMap::new();
    for (path, code) in &all {
        for name in code.lines().filter_map(inherent) {
            let is_ambiguous = declarations.get(name).is_some_and(|count| *count > 1);
            let below = Path::new(path).strip_prefix(folder).unwrap().iter().next().unwrap();
            let module = below.to_string_lossy();
            let home = if is_ambiguous { format!("{folder}/{module}") } else { folder.into() };
            files.entry((home, name.into())).or_default().insert(path.clone());
        }
    }
    files
}

#[test]
fn a_type_has_its_methods_in_at_most_three_files() {
    let all: BTreeMap<TypeName, BTreeSet<String>> =
        crates().iter().flat_map(|folder| files_of_types(folder)).collect();
    assert!(all.len() > 300, "{} types", all.len());
    for ((folder, name), files) in &all {
        let is_within = files.len() <= MOST_FILES;
        assert!(is_within, "the methods of `{name}` of {folder} stand in {files:#?}");
    }
}

#[test]
fn inherent_blocks_are_told_from_those_of_traits() {
    assert_eq!(inherent("impl Run {"), Some("Run"));
    assert_eq!(inherent("impl<'a, T: Into<f64>> Writer<'a, T> {"), Some("Writer"));
    assert_eq!(inherent("impl super::Joint {"), Some("Joint"));
    assert_eq!(inherent("impl<T> From<T> for Run {"), None);
    assert_eq!(inherent("implicit();"), None);
    assert_eq!(declared("pub(crate) struct Writer<'a> {"), Some("Writer"));
    assert_eq!(declared("enum Kind {"), Some("Kind"));
    assert_eq!(declared("let a struct of = 1;"), None);
}
