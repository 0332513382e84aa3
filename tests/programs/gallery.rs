//! The gallery shows every model, and no picture that is not there.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use dysim_tests::programs::root;

/// All models as `folder_name`, with their texts.
fn models() -> Vec<(String, String)> {
    let mut all = Vec::new();
    for folder in fs::read_dir(root().join("models")).unwrap() {
        let folder = folder.unwrap().path();
        for file in fs::read_dir(&folder).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "dys") {
                let (group, name) = (folder.file_name().unwrap(), path.file_stem().unwrap());
                let key = format!("{}_{}", group.to_string_lossy(), name.to_string_lossy());
                all.push((key, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    all.sort();
    all
}

/// The pictures of the page.
fn shown() -> BTreeSet<String> {
    let page = fs::read_to_string(root().join("docs/gallery/README.md")).unwrap();
    let links = page.split("![").skip(1).filter_map(|rest| rest.split(['(', ')']).nth(1));
    links.map(str::to_string).collect()
}

fn path(name: &str) -> PathBuf {
    root().join("docs/gallery").join(name)
}

#[test]
fn every_model_has_its_pictures() {
    let shown = shown();
    let has = |key: &str, endings: &[&str]| {
        endings.iter().any(|ending| shown.contains(&format!("{key}{ending}")))
    };
    for (key, text) in models() {
        let remedy = format!("docs/gallery/make.sh {}", key.replacen('_', "/", 1));
        let is_drawn = text.lines().any(|line| line.trim_start().starts_with("Primitive"));
        assert!(!is_drawn || has(&key, &[".png", ".gif"]), "{key} is not drawn: {remedy}");
        // An equilibrium or a linear model has no course in time.
        let has_course = ["Type = dynamic", "Type = kinematic"];
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let has_course = has_course.iter().any(|kind| words.contains(kind));
        assert!(!has_course || has(&key, &[".svg"]), "{key} is not plotted: {remedy}");
        let is_graph = key.starts_with("bondgraphs_");
        assert!(!is_graph || has(&key, &["_graph.svg"]), "no graph of {key}: {remedy}");
    }
}

#[test]
fn pictures_exist_are_shown_and_stay_small() {
    let shown = shown();
    for name in &shown {
        assert!(path(name).exists(), "`{name}` is shown and does not exist");
    }
    let mut size = 0;
    for entry in fs::read_dir(root().join("docs/gallery")).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().to_string_lossy().into_owned();
        size += entry.metadata().unwrap().len();
        let is_picture = [".png", ".gif", ".svg"].iter().any(|ending| name.ends_with(ending));
        assert!(!is_picture || shown.contains(&name), "`{name}` belongs to no model");
    }
    assert!(size < 12_000_000, "the gallery has {size} bytes, which everybody downloads");
}

#[test]
fn what_is_chosen_belongs_to_a_model() {
    let models: BTreeSet<String> = models().into_iter().map(|(key, _)| key).collect();
    let choice = fs::read_to_string(path("choice.txt")).unwrap();
    for line in choice.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let parts: Vec<&str> = line.split('|').map(str::trim).collect();
        assert_eq!(parts.len(), 3, "{line}");
        assert!(models.contains(parts[0]), "there is no model {}", parts[0]);
    }
}
