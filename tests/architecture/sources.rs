//! The sources of the workspace as the other tests read them.

use std::fs;
use std::path::{Path, PathBuf};

use dysim_generated::root;

/// The Rust files below a folder, without files of tests.
pub fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name == "tests" || name == "tests.rs" || name == "testing.rs" {
            continue;
        }
        if path.is_dir() {
            found.extend(sources(&path));
        } else if name.ends_with(".rs") {
            found.push(path);
        }
    }
    found
}

/// The text without comments and without the tests at its end.
pub fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let text = text.split("#[cfg(test)]\nmod ").next().unwrap();
    text.lines().map(|line| line.split("//").next().unwrap()).collect::<Vec<_>>().join("\n")
}

/// The folders of sources of all crates, such as `engine/src`.
pub fn crates() -> Vec<String> {
    let workspace = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let (_, members) = workspace.split_once("members = [").unwrap();
    let (members, _) = members.split_once(']').unwrap();
    let folders = members.split('"').skip(1).step_by(2).map(|member| format!("{member}/src"));
    folders.filter(|folder| root().join(folder).exists()).collect()
}

/// The path from the root of the workspace, with `/` on every system.
pub fn from_root(path: &Path) -> String {
    let parts = path.strip_prefix(root()).unwrap().iter();
    parts.map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")
}
