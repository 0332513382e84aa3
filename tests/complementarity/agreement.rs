//! Families of circuits and random circuits: the engine with each method against the reference.

use std::collections::BTreeMap;

use dysim_tests::random::Random;

use crate::circuit::Circuit;
use crate::converters::FAMILIES;
use crate::harness::{METHODS, TOLERANCE, Tally, compare};
use crate::mechanism::of_bodies;
use crate::random_circuits::random_circuit;
use crate::reference::{IllPosed, answer};
use crate::train::random_train;

/// A number from the environment.
pub fn asked(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// Is a family asked for? `DYSIM_FAMILY` selects one by a part of its name.
fn is_wanted(family: &str) -> bool {
    std::env::var("DYSIM_FAMILY").map_or(true, |part| family.contains(&part))
}

/// The methods; `DYSIM_METHOD` selects one.
fn methods() -> Vec<&'static str> {
    let one = std::env::var("DYSIM_METHOD").ok();
    METHODS.into_iter().filter(|method| one.as_ref().is_none_or(|name| name == method)).collect()
}

/// Seeds of random models: so many from `DYSIM_SEED` on.
pub fn seeds(count: u64) -> std::ops::Range<u64> {
    let first = asked("DYSIM_SEED", 0);
    first..first + count
}

/// Runs a circuit with all methods, if the reference has an answer.
fn try_all(tally: &mut Tally, of: (&str, u64), circuit: &Circuit) -> Result<(), IllPosed> {
    let known = answer(circuit)?;
    tally.changes += known.changes;
    tally.count_values(&known);
    for method in methods() {
        let text = circuit.text(method, TOLERANCE);
        tally.add(of, method, &compare(&text, &known), &text);
    }
    Ok(())
}

/// How many of 20 members of a family are tried where nothing else is asked for.
const MEMBERS: u64 = 6;

#[test]
fn converters_agree_with_the_reference_by_family() {
    let mut tally = Tally::default();
    let mut failed = Vec::new();
    for (family, make) in FAMILIES.into_iter().filter(|(family, _)| is_wanted(family)) {
        for seed in 0..asked("DYSIM_MEMBERS", MEMBERS) {
            let tried = try_all(&mut tally, (family, seed), &make(&mut Random::new(seed)));
            if let Err(why) = tried {
                failed.push(family);
                println!("the reference has no answer for {family} {seed}: {why:?}");
            }
        }
        if tally.failures(family) > 0 {
            failed.push(family);
        }
    }
    println!("{}\n{} changes of valves", tally.table(), tally.changes);
    tally.examples.iter().for_each(|example| println!("{example}"));
    assert!(failed.is_empty(), "these do not agree: {failed:?}");
}

fn random_circuits(family: &str, count: u64, every: bool) -> Tally {
    let mut tally = Tally::default();
    let mut ill: BTreeMap<String, usize> = BTreeMap::new();
    for seed in seeds(count) {
        if let Err(why) = try_all(&mut tally, (family, seed), &random_circuit(seed, every)) {
            let told = format!("{why:?}");
            let kind = told.split('(').next().unwrap_or_default().to_string();
            *ill.entry(kind).or_default() += 1;
            println!("{family} {seed}: {told}");
        }
    }
    println!("{}\nwithout an answer, of {count}: {ill:?}", tally.table());
    tally.examples.iter().for_each(|example| println!("{example}"));
    tally
}

#[test]
fn random_circuits_with_a_resistor_at_every_element_agree() {
    let tally = random_circuits("resistor everywhere", asked("DYSIM_NETWORKS", 60), true);
    assert_eq!(tally.failures("resistor everywhere"), 0);
}

#[test]
fn random_circuits_agree() {
    let tally = random_circuits("ideal", asked("DYSIM_NETWORKS", 60), false);
    assert_eq!(tally.failures("ideal"), 0);
}

fn random_trains(count: u64) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds(count) {
        let train = random_train(seed);
        match train.answer() {
            Ok(known) => {
                tally.changes += known.changes;
                tally.count_values(&known);
                for method in methods() {
                    let text = train.text(method, TOLERANCE);
                    tally.add(("trains", seed), method, &compare(&text, &known), &text);
                }
            }
            Err(why) => println!("the reference has no answer for train {seed}: {why:?}"),
        }
    }
    println!("{}", tally.table());
    tally.examples.iter().for_each(|example| println!("{example}"));
    tally
}

#[test]
fn random_mechanisms_agree() {
    let mut tally = Tally::default();
    for seed in seeds(asked("DYSIM_TRAINS", 20)) {
        let train = random_train(seed);
        let Ok(known) = train.answer().map(of_bodies) else { continue };
        tally.count_values(&known);
        for method in methods() {
            let text = train.text_of_bodies(seed, method, TOLERANCE);
            tally.add(("mechanisms", seed), method, &compare(&text, &known), &text);
        }
    }
    println!("{}", tally.table());
    tally.examples.iter().for_each(|example| println!("{example}"));
    assert_eq!(tally.failures("mechanisms"), 0);
}

#[test]
fn random_trains_agree() {
    let tally = random_trains(asked("DYSIM_TRAINS", 20));
    assert_eq!(tally.failures("trains"), 0);
}
