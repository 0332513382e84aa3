//! Random automata against an interpreter of their own.
//!
//! All conditions are comparisons of the time with numbers, and of discrete states with each other, so that the
//! interpreter needs no integration: it goes from instant to instant and follows the transitions there.

use std::fmt::Write;

/// A number generator of its own (Lehmer), so that the models are the same everywhere.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n
    }
}

#[derive(Clone, Copy, Debug)]
enum Condition {
    /// t >= instant
    After(f64),
    /// t < instant
    Before(f64),
    /// another automaton is in a state
    In(usize, usize),
    /// both
    InAfter(usize, usize, f64),
}

impl Condition {
    fn text(self) -> String {
        match self {
            Self::After(t) => format!("t >= {t:?}"),
            Self::Before(t) => format!("t < {t:?}"),
            Self::In(a, s) => format!("a{a}.s{s}"),
            Self::InAfter(a, s, t) => format!("a{a}.s{s} && t >= {t:?}"),
        }
    }

    fn holds(self, now: f64, states: &[usize]) -> bool {
        match self {
            Self::After(t) => now >= t,
            Self::Before(t) => now < t,
            Self::In(a, s) => states[a] == s,
            Self::InAfter(a, s, t) => states[a] == s && now >= t,
        }
    }
}

/// From one state to another.
type Change = (usize, usize, Condition);

struct Case {
    /// For each automaton its states, and its transitions in order.
    automata: Vec<(usize, Vec<Change>)>,
}

const INSTANTS: usize = 8;

fn instant(dice: &mut Dice) -> f64 {
    0.125 * (dice.below(INSTANTS) + 1) as f64
}

fn case(dice: &mut Dice) -> Case {
    let n = 1 + dice.below(3);
    let sizes: Vec<usize> = (0..n).map(|_| 2 + dice.below(4)).collect();
    let automata = sizes.iter().map(|&size| {
        let ways = (0..1 + dice.below(2 * size)).map(|_| {
            let from = dice.below(size);
            let to = (from + 1 + dice.below(size - 1)) % size;
            let (other, t) = (dice.below(n), instant(dice));
            let state = dice.below(sizes[other]);
            let condition = match dice.below(4) {
                0 => Condition::After(t),
                1 => Condition::Before(t),
                2 => Condition::In(other, state),
                _ => Condition::InAfter(other, state, t),
            };
            (from, to, condition)
        });
        (size, ways.collect())
    });
    Case { automata: automata.collect() }
}

impl Case {
    fn text(&self) -> String {
        let mut text = String::new();
        for (k, (size, ways)) in self.automata.iter().enumerate() {
            let names: Vec<String> = (0..*size).map(|s| format!("s{s}")).collect();
            let ways: String = ways
                .iter()
                .map(|(from, to, c)| format!("s{from} -> s{to} : {};\n", c.text()))
                .collect();
            writeln!(
                text,
                "Automaton \"a{k}\" {{ States = {}; Start = s0; Transitions {{ {ways} }} }}",
                names.join(", ")
            )
            .unwrap();
            // A When counts how often each automaton rests in its second state.
            writeln!(
                text,
                "Variable \"n{k}\" {{ Type = discrete; }}\nWhen \"w{k}\" {{ Condition = a{k}.s1; Set {{ n{k} = n{k} + 1; }} }}"
            )
            .unwrap();
        }
        text
    }

    /// Follows the transitions at an instant until none is open; `None` if they go round.
    fn settle(&self, t: f64, states: &mut Vec<usize>) -> Option<()> {
        let mut met = vec![states.clone()];
        loop {
            let next: Vec<usize> = self
                .automata
                .iter()
                .zip(states.iter())
                .map(|((_, ways), &state)| {
                    let mut own = ways.iter().filter(|way| way.0 == state);
                    own.find(|way| way.2.holds(t, states)).map_or(state, |way| way.1)
                })
                .collect();
            if next == *states {
                return Some(());
            }
            if met.contains(&next) {
                return None;
            }
            *states = next;
            met.push(states.clone());
        }
    }
}

#[test]
fn random_automata_go_where_an_interpreter_says() {
    let mut dice = Dice(7);
    let (mut rested, mut circled) = (0, 0);
    for number in 0..150 {
        let case = case(&mut dice);
        let elements = case.text();
        // The interpreter: states behind each instant, and what the counters have seen.
        let n = case.automata.len();
        let (mut states, mut counts) = (vec![0; n], vec![0.0; n]);
        let mut expected = Vec::new();
        let mut rests = true;
        for k in 0..=INSTANTS {
            let t = 0.125 * k as f64;
            let before = states.clone();
            if case.settle(t, &mut states).is_none() {
                rests = false;
                break;
            }
            for a in 0..n {
                counts[a] += f64::from(k > 0 && before[a] != 1 && states[a] == 1);
            }
            expected.push((t, states.clone(), counts.clone()));
        }
        let outcome = dysim_tests::simulate::run(&super::text("derf", 1.0, 0.125, &elements));
        assert_eq!(
            outcome.error.is_none(),
            rests,
            "case {number}: {:?}\n{elements}",
            outcome.error
        );
        if !rests {
            circled += 1;
            continue;
        }
        rested += 1;
        let table = outcome.table("csv");
        for (t, states, counts) in &expected {
            for a in 0..n {
                let found =
                    [format!("a{a}.state"), format!("n{a}")].map(|name| table.at(*t, &name));
                let wanted = [(states[a] + 1) as f64, counts[a]];
                assert_eq!(found, wanted, "case {number}, t = {t}, automaton {a}\n{elements}");
            }
        }
    }
    // The generator makes both kinds.
    assert!(rested > 50 && circled > 5, "{rested} {circled}");
}
