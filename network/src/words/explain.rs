//! Words about networks whose equations have no solution.

use crate::code::evaluate::Unsolved;
use crate::prepared::prepare::Impossible;
use crate::run::NetworkRun;
use crate::run::settle::Unsettled;
use crate::words::contradiction::{Words, advice, domain, stored};
use equations::flat::{Equation, Flat, Source};
use equations::names::{Names, variable_name};

/// Several names as a list, the first few of them.
pub(super) fn list(names: &[String]) -> String {
    const MOST: usize = 8;
    let shown = names[..names.len().min(MOST)].join(", ");
    match names.len().saturating_sub(MOST) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Who takes part: blocks with their names, or with the line of the text that each equation is.
fn parties(called: &dyn Names, impossible: &Impossible) -> Vec<(u32, String)> {
    let of = |equation: &Equation| (equation.block, called.origin(equation));
    let mut parties: Vec<(u32, String)> = match impossible {
        Impossible::Contradiction(equation) => vec![of(equation)],
        Impossible::Singular(singular) => {
            let equations = singular.equations.iter();
            let laws = equations.filter(|equation| equation.source != Source::Definition);
            laws.map(of).collect()
        }
        Impossible::Jerk(port) | Impossible::AlgebraicLoop(port) | Impossible::Distance(port) => {
            vec![(*port, called.element(*port))]
        }
    };
    parties.sort_by_key(|(block, _)| *block);
    parties.dedup();
    parties
}

/// Why a combination of modes has no solution: a place to point at, and words.
fn impossible(called: &dyn Names, flat: &Flat, impossible: &Impossible) -> (u32, String) {
    let parties = parties(called, impossible);
    let first = parties.first().map_or(0, |(block, _)| *block);
    let names: Vec<String> = parties.into_iter().map(|(_, name)| name).collect();
    let message = match impossible {
        Impossible::Singular(singular) if singular.needs_rate => format!(
            "the law of {} takes the derivative of a signal that has none: a signal of the mechanics fixes what a \
             storage holds",
            list(&names)
        ),
        Impossible::Jerk(_) => {
            format!(
                "the network needs the derivative of the acceleration that {} has",
                list(&names)
            )
        }
        Impossible::Distance(_) => format!(
            "{} has its length given by the network (incompressible oil, a source of position or speed), while the \
             distance of its triads follows from the bodies",
            list(&names)
        ),
        Impossible::AlgebraicLoop(_) => format!(
            "a force on the bodies depends on the acceleration that {} has, which depends on the force",
            list(&names)
        ),
        Impossible::Contradiction(_) => {
            format!("the law of {} contradicts those of its neighbours", list(&names))
        }
        Impossible::Singular(singular) => {
            let known = singular.variables.iter().filter(|v| v.index() < flat.variables.len());
            let open: Vec<String> = known
                .map(|&variable| format!("`{}`", variable_name(called, &flat.variables, variable)))
                .collect();
            match open.is_empty() {
                true => format!("these say the same or contradict each other: {}", list(&names)),
                false => format!("{} do not determine {}", list(&names), list(&open)),
            }
        }
    };
    (first, message)
}

/// Why a block of equations has no solution: a place to point at, and words.
pub fn unsolved(called: &dyn Names, run: &NetworkRun<'_>, unsolved: Unsolved) -> (u32, String) {
    let (flat, prepared) = (&run.network.flat, run.present());
    let (number, words) = match unsolved {
        Unsolved::Singular { block, .. } => (block, "have no unique solution"),
        Unsolved::Diverged { block } => (block, "were not solved by Newton's iteration"),
        Unsolved::NotFinite { block } => (block, "have no finite solution"),
    };
    let block = &prepared.fixed.code.blocks[number];
    let names: Vec<String> = block
        .unknowns
        .iter()
        .map(|&variable| {
            format!("`{}`", variable_name(called, &prepared.fixed.variables, variable))
        })
        .collect();
    let equations = || block.equations.iter().map(|&e| &prepared.fixed.structure.equations[e]);
    let owners = equations().map(|equation| equation.block);
    let lines = equations().filter(|equation| matches!(equation.source, Source::Line(_)));
    let mut lines: Vec<String> = lines.map(|equation| called.origin(equation)).collect();
    lines.dedup();
    let mut text = format!("the equations for {} {words}", list(&names));
    if !lines.is_empty() {
        text += &format!("; of the text: {}", list(&lines));
    }
    if !matches!(unsolved, Unsolved::Diverged { .. }) {
        let limited = |owner: &u32| flat.limits.iter().find(|(block, _)| block == owner);
        if let Some((owner, what)) = owners.clone().find_map(|owner| limited(&owner).copied()) {
            return (
                owner,
                format!("{text}: {what} of {} leaves its range", called.element(owner)),
            );
        }
    }
    (owners.into_iter().next().unwrap_or(0), text)
}

/// Why an event does not settle: a place to point at, words, and a remedy.
pub fn unsettled(
    called: &dyn Names,
    flat: &Flat,
    unsettled: &Unsettled,
) -> (u32, String, Option<String>) {
    match unsettled {
        Unsettled::Unsolved(_) => (0, "the network has no solution".into(), None),
        Unsettled::Impossible(found) => {
            let (block, words) = impossible(called, flat, found);
            let help = remedy_of_impossible(found);
            let help = help.unwrap_or_else(|| advice(domain(called, flat, block), false));
            (block, words, Some(help.into()))
        }
        Unsettled::Conflict(conflict) => Words { called, flat, conflict }.all(),
        Unsettled::NotSettable(block, words) => (*block, words.clone(), None),
        Unsettled::Refused(block, words) => {
            let words = format!("{}: {words}", called.element(*block));
            (*block, words, None)
        }
        Unsettled::Accumulation(block) => {
            let words = "it acts again and again, and time does not go on".to_string();
            let help = "let it come to rest: set a rate that is small to zero, and keep the condition from becoming true \
                        again";
            (*block, words, Some(help.into()))
        }
        Unsettled::SetTwice(blocks, target) => set_twice(called, *blocks, target),
        Unsettled::Endless(blocks) => endless(called, blocks),
        Unsettled::Circle(block, automata) => circle(called, *block, automata),
        Unsettled::Cycle(elements) => {
            let names = list(&names(called, elements));
            let first = elements.first().copied().unwrap_or(0);
            (first, format!("these keep switching and do not settle: {names}"), None)
        }
        Unsettled::RunsAway(elements) => runs_away(called, elements),
        Unsettled::Impulse { storage, elements } => impulse(called, *storage, elements),
    }
}

/// The names of elements.
fn names(called: &dyn Names, blocks: &[u32]) -> Vec<String> {
    blocks.iter().map(|&block| called.element(block)).collect()
}

/// The remedy that follows from the kind of a contradiction alone, if one does.
fn remedy_of_impossible(found: &Impossible) -> Option<&'static str> {
    match found {
        Impossible::Jerk(_) => Some("let the network see a filtered value, such as a PT1 of it"),
        Impossible::Distance(_) => Some(
            "between triads something must give way: `Beta` and volumes of a Cylinder, a Compliance at its port, a \
             spring at the flange of a LineAxis; a Rod keeps a distance",
        ),
        Impossible::AlgebraicLoop(_) => {
            Some("let the force see a state, such as a PT1 of what it depends on")
        }
        Impossible::Singular(singular) if singular.needs_rate => {
            Some("let the signal act through something that does not store: a resistor, a damper")
        }
        _ => None,
    }
}

/// Two actions set one value at one instant.
fn set_twice(
    called: &dyn Names,
    [first, second]: [u32; 2],
    target: &str,
) -> (u32, String, Option<String>) {
    let (one, other) = (called.element(first), called.element(second));
    let words = format!("{one} and {other} set `{target}` at the same time");
    let help = "let the conditions exclude each other, or set it in one of them only";
    (second, words, Some(help.into()))
}

/// Actions set each other off for ever.
fn endless(called: &dyn Names, blocks: &[u32]) -> (u32, String, Option<String>) {
    let names = names(called, blocks);
    let words = match names.len() {
        1 => "it sets itself off again and again at one instant".to_string(),
        _ => format!("these set each other off without end at one instant: {}", list(&names)),
    };
    let help = "a condition has to become false and stay so until time goes on";
    (blocks.first().copied().unwrap_or(0), words, Some(help.into()))
}

/// Automata go through their states for ever.
fn circle(
    called: &dyn Names,
    block: u32,
    automata: &[(u32, String)],
) -> (u32, String, Option<String>) {
    let words =
        |(block, states): &(u32, String)| format!("{} goes {states}", called.element(*block));
    let all: Vec<String> = automata.iter().map(words).collect();
    let words = format!("the transitions do not come to rest: {}", all.join(", "));
    let help = "let one of the conditions exclude the others";
    (block, words, Some(help.into()))
}

/// Storages grow for ever where a steady state is asked for. The first of them stands before the words.
fn runs_away(called: &dyn Names, elements: &[u32]) -> (u32, String, Option<String>) {
    let first = elements.first().copied().unwrap_or(0);
    let all = match names(called, elements.get(1..).unwrap_or_default()).as_slice() {
        [] => "it".to_string(),
        others => format!("it and {}", list(others)),
    };
    let words = format!("{all} would grow without end, so that there is no steady state");
    let help = "give it an initial value of its own, which stays, or leave `Initial = steady` out";
    (first, words, Some(help.into()))
}

/// A storage would have to jump as elements switch.
fn impulse(called: &dyn Names, storage: u32, elements: &[u32]) -> (u32, String, Option<String>) {
    let quantity = stored(called, storage);
    let remedy = match quantity {
        "charge" => "give the switch a resistance: `Ron = 1e-3;`",
        "volume" => "give the valve a resistance: `Ron = 1e6;`",
        "flow" => "give it a way: a CheckValve across it, or `Roff`",
        "speed" => "put a spring with a damper between what meets there",
        _ => "give it a way: a diode across it, or `Roff = 1e6;` at the switch",
    };
    let by = match names(called, elements).as_slice() {
        [] => String::new(),
        names => format!(", as {} switches", list(names)),
    };
    let words = format!("the {quantity} of {} would have to jump{by}", called.element(storage));
    (storage, words, Some(remedy.into()))
}
