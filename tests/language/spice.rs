//! SPICE netlists as models: the translations kept beside the netlists, and damaged netlists.

use std::path::{Path, PathBuf};
use std::{fs, io};

use dysim_tests::expectation;
use dysim_tests::mutate::{Numbers, mutate};
use engine::internals::spice::import;
use parser::diagnostic::Diagnostics;
use parser::render::{Style, render_all};
use parser::source::Sources;

fn translate(name: &str, text: &str) -> (String, String, Diagnostics) {
    let mut sources = Sources::default();
    let index = sources.add(name, text).unwrap();
    let imported = import(sources.get(index).unwrap());
    let messages = render_all(&imported.diagnostics, &sources, Style::Plain);
    (imported.text, messages, imported.diagnostics)
}

fn netlists() -> io::Result<Vec<PathBuf>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("spice");
    let entries: io::Result<Vec<_>> = fs::read_dir(folder)?.collect();
    let mut paths: Vec<_> = entries?.iter().map(fs::DirEntry::path).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "cir"));
    paths.sort();
    Ok(paths)
}

/// `UPDATE_EXPECT=1` writes the translations anew.
#[test]
fn translations_are_as_expected() -> io::Result<()> {
    let netlists = netlists()?;
    assert!(netlists.len() >= 3);
    for path in netlists {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let (model, messages, diagnostics) = translate(&name, &fs::read_to_string(&path)?);
        let model = if diagnostics.errors() > 0 { String::new() } else { model };
        let found = format!("{model}\n/*\n{messages}*/\n");
        let result = expectation::check(&path.with_extension("expected"), &found);
        assert!(result.is_ok(), "{}", result.unwrap_err());
    }
    Ok(())
}

/// Every translation is a text that the parser reads without a complaint.
#[test]
fn translations_are_models() -> io::Result<()> {
    for path in netlists()? {
        let (model, _, _) = translate("netlist", &fs::read_to_string(&path)?);
        let mut sources = Sources::default();
        let index = sources.add("model", model).unwrap();
        let parsed = parser::parse(sources.get(index).unwrap());
        let messages = render_all(&parsed.diagnostics, &sources, Style::Plain);
        assert!(parsed.diagnostics.is_empty(), "{}:\n{messages}", path.display());
    }
    Ok(())
}

#[test]
fn damaged_netlists_are_survived() -> io::Result<()> {
    let mut numbers = Numbers(0x5eed_0001);
    for path in netlists()? {
        let text = fs::read_to_string(path)?;
        for _ in 0..300 {
            translate("damaged", &mutate(&text, &numbers.damages()));
        }
    }
    Ok(())
}

/// Subcircuits that multiply, or contain each other, end with a message instead of filling the memory.
#[test]
fn subcircuits_cannot_explode() {
    let mut text = String::from("bomb\n.subckt s0 a b\nr1 a b 1\n.ends\n");
    for level in 1..40 {
        let inner = level - 1;
        text.push_str(&format!(".subckt s{level} a b\nx1 a b s{inner}\nx2 a b s{inner}\n.ends\n"));
    }
    text.push_str("x1 n 0 s39\n.tran 1 10\n");
    let (_, messages, _) = translate("bomb.cir", &text);
    assert!(messages.contains("more than 1000000 elements"), "{messages}");
    let recursive = "r\n.subckt s a b\nx1 a b s\n.ends\nx1 n 0 s\n.tran 1 10\n";
    let (_, messages, _) = translate("recursive.cir", recursive);
    assert!(messages.contains("contain each other"), "{messages}");
}

/// A hundred thousand parameters that refer to the next one are sorted, not searched.
#[test]
fn parameters_in_reverse_order() {
    let n = 100_000;
    let mut text = String::from("chain\n");
    for k in 0..n {
        text.push_str(&format!(".param p{k}={{p{}+1}}\n", k + 1));
    }
    text.push_str(&format!(".param p{n}=0\nr1 a 0 {{p0}}\n.tran 1 10\n"));
    let (model, messages, _) = translate("chain.cir", &text);
    assert!(model.contains("R = 100000;"), "{messages}");
}
