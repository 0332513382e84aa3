//! A file can be found by its name: file names are unique within a crate.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use dysim_generated::root;

use crate::sources::{crates, sources};

/// Names that every crate or folder may have.
const COMMON: &[&str] = &["lib.rs", "main.rs", "mod.rs"];

/// The kinematics of a joint and the sweeps that are made for it: the same name says that they belong together.
const PAIRS: &[(&str, &str)] = &[
    ("mechanics/src", "free.rs"),
    ("mechanics/src", "prismatic.rs"),
    ("mechanics/src", "revolute.rs"),
    ("mechanics/src", "spherical.rs"),
];

#[test]
fn file_names_are_unique_within_a_crate() {
    let mut repeated: BTreeSet<(String, String)> = BTreeSet::new();
    for folder in crates() {
        let mut count: BTreeMap<String, usize> = BTreeMap::new();
        for path in sources(&root().join(&folder)) {
            *count.entry(name_of(&path)).or_default() += 1;
        }
        let names =
            count.into_iter().filter(|(name, n)| *n > 1 && !COMMON.contains(&name.as_str()));
        repeated.extend(names.map(|(name, _)| (folder.clone(), name)));
    }
    let stated: BTreeSet<(String, String)> =
        PAIRS.iter().map(|(folder, name)| ((*folder).to_string(), (*name).to_string())).collect();
    let new: Vec<_> = repeated.difference(&stated).collect();
    assert!(new.is_empty(), "files of one crate have the same name: {new:?}");
    let old: Vec<_> = stated.difference(&repeated).collect();
    assert!(old.is_empty(), "these names are unique: remove them from the list: {old:?}");
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}
