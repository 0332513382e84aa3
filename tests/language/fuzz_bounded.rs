//! The fuzz targets on the kept corpus and on damaged copies of it, the same ones on every run.

use std::path::Path;
use std::{fs, io, panic};

use dysim_tests::fuzz::{format_target, parse_target};
use dysim_tests::fuzz_animation::animation_target;
use dysim_tests::fuzz_engine::{expression_target, model_target};
use dysim_tests::mutate::{Numbers, mutate};

/// Damaged copies of each file of the corpus: a few seconds for all of them.
const COPIES: usize = 300;

/// How often a text that fails is gone through to make it shorter.
const CUTS: usize = 3;

/// The files of a corpus in a fixed order.
fn corpus(name: &str) -> io::Result<Vec<Vec<u8>>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus").join(name);
    let entries: io::Result<Vec<_>> = fs::read_dir(folder)?.collect();
    let mut paths: Vec<_> = entries?.iter().map(fs::DirEntry::path).collect();
    paths.sort();
    paths.iter().map(fs::read).collect()
}

/// Runs a target; a text that fails is printed in as few characters as cutting pieces off leaves.
fn try_text(bytes: &[u8], target: fn(&[u8])) {
    let fails = |bytes: &[u8]| panic::catch_unwind(|| target(bytes)).err();
    let Some(cause) = fails(bytes) else { return };
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let mut shortest = bytes.to_vec();
    for _ in 0..CUTS {
        let mut length = shortest.len() / 2;
        while length > 0 {
            let mut at = 0;
            while at < shortest.len() {
                let end = (at + length).min(shortest.len());
                let shorter = [&shortest[..at], &shortest[end..]].concat();
                if fails(&shorter).is_some() { shortest = shorter } else { at += 1 }
            }
            length = length * 4 / 5;
        }
    }
    panic::set_hook(hook);
    eprintln!("this text fails:\n{}", String::from_utf8_lossy(&shortest));
    panic::resume_unwind(cause);
}

fn run(name: &str, copies: usize, target: fn(&[u8])) -> io::Result<()> {
    let corpus = corpus(name)?;
    assert!(corpus.len() >= 7, "the corpus has {} files", corpus.len());
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    for bytes in &corpus {
        try_text(bytes, target);
        let text = String::from_utf8_lossy(bytes);
        for _ in 0..copies {
            let damaged = mutate(&text, &numbers.damages());
            try_text(damaged.as_bytes(), target);
            // Bytes that are no UTF-8 reach the parser as replacement characters.
            let mut raw = damaged.into_bytes();
            let at = numbers.next_number() as usize % (raw.len() + 1);
            raw.insert(at, numbers.next_number() as u8);
            try_text(&raw, target);
        }
    }
    Ok(())
}

#[test]
fn parsing_survives_the_corpus_and_its_mutations() -> io::Result<()> {
    run("parse", COPIES, parse_target)
}

#[test]
fn formatting_survives_the_corpus_and_its_mutations() -> io::Result<()> {
    run("parse", COPIES, format_target)
}

/// A model takes a hundred times as long as its text.
const MODELS: usize = 60;

#[test]
fn model_building_survives_the_corpus_and_its_mutations() -> io::Result<()> {
    run("model", MODELS, model_target)
}

#[test]
fn expressions_survive_the_corpus_and_its_mutations() -> io::Result<()> {
    run("expression", COPIES, expression_target)
}

#[test]
fn the_reader_of_animations_survives_the_corpus_and_its_mutations() -> io::Result<()> {
    run("animation", COPIES, animation_target)
}
