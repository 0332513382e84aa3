//! `When` blocks and automata at an event.
//!
//! They look at their conditions when everything else at the instant has come to rest. First the automata go from state
//! to state, all at once and one passage each, until none has a way that is open. Then the `When` blocks act whose
//! conditions have become true since they last looked; what they change may ask for all of this again.
//!
//! ```text
//! modes, switches, clocks at rest -> automata -> When blocks -> end of the instant
//!               ^----------------------'              |
//!               '-------------------------------------'
//! ```
//!
//! Right sides are evaluated with the continuous values before the event, or, behind an action at the same instant, as
//! that has left them; registers have the values that they have now.
//!
//! Not here: how the storages of a `When` get their values (`set_storages.rs`), joints (the engine).

use rustc_hash::{FxHashMap, FxHashSet};

use crate::run::left_limit as left;
use crate::run::settle::Unsettled;
use crate::run::{NetworkRun, NetworkState};
use equations::actions::{Automaton, JointPlace, Target};
use equations::clock::just_before;
use equations::programs::UsedSignal;
use problem::{Cause, Event};

/// Rounds in which `When` blocks may follow each other at one instant, and so many more for each block.
const ROUNDS: usize = 100;
const ROUNDS_PER_WHEN: usize = 4;
/// The same for passages of automata, for each state.
const PASSAGES: usize = 100;
const PASSAGES_PER_STATE: usize = 4;
/// Passages that a message about a cycle names.
const NAMED: usize = 12;

/// A new value of something.
#[derive(Clone, Copy, Debug)]
pub struct Assignment {
    /// Which `When`.
    pub when: usize,
    /// Which of its lines.
    pub line: usize,
    /// What gets the value.
    pub target: Target,
    /// The value.
    pub value: f64,
}

/// Something that the log tells: which block did what.
#[derive(Clone, Debug)]
pub struct ActionNote {
    /// Time, s.
    pub t: f64,
    /// The block.
    pub block: u32,
    /// What it did.
    pub what: String,
}

/// What actions remember.
#[derive(Default, educe::Educe)]
#[educe(Clone)]
pub struct ActionRun {
    /// The condition of each `When` as it was when the last instant ended.
    seen: Vec<bool>,
    /// Signals of time expressions before the event.
    left: Vec<f64>,
    /// Has an action changed continuous values at this instant?
    has_acted: bool,
    /// The rounds of this instant: the `When` blocks that acted.
    rounds: Vec<Vec<usize>>,
    /// Passages since the `When` blocks acted last: automaton, states before and behind.
    path: Vec<(usize, usize, usize)>,
    /// Registers and conditions that the automata met since then.
    met: FxHashSet<Vec<u64>>,
    /// What the log has to tell.
    pub notes: Vec<ActionNote>,
}

impl NetworkRun<'_> {
    /// Has the model a `When` or an automaton?
    pub fn has_actions(&self) -> bool {
        !self.network.flat.actions.is_empty()
    }

    /// An instant begins: keeps the values before it. What events need is computed.
    pub fn begin_actions(&mut self) {
        let network = self.network;
        let NetworkState { combinations, outside, discrete, actions, .. } = &mut *self.now;
        let values = combinations.present().events(&network.event_layout);
        for number in 0..outside.signals.len() {
            outside.take_signal(network, number, values, &discrete.memory);
        }
        actions.left.clone_from(&outside.signals);
        actions.has_acted = false;
        actions.rounds.clear();
        actions.forget_path();
    }

    /// Lets the automata go on by one passage each. True if one did.
    pub fn pass_on(&mut self, t: f64) -> Result<bool, Unsettled> {
        let network = self.network;
        let NetworkState { combinations, discrete, actions, .. } = &mut *self.now;
        let values = combinations.present().events(&network.event_layout);
        let automata = &network.flat.actions.automata;
        let open = |automaton: &Automaton| {
            let state = automaton.state(&discrete.memory);
            let mut ways = automaton.passages.iter().filter(|way| way.from == state);
            ways.find(|way| values.condition(way.condition)).map(|way| way.to)
        };
        let next: Vec<Option<usize>> = automata.iter().map(open).collect();
        if next.iter().all(Option::is_none) {
            return Ok(false);
        }
        // The same registers and conditions again: the automata go round in a circle.
        let n_conditions = network.flat.actions.conditions.len();
        let mut met: Vec<u64> = discrete.memory.iter().map(|value| value.to_bits()).collect();
        met.extend((0..n_conditions).map(|k| u64::from(values.condition(k))));
        let n_states: usize = automata.iter().map(|automaton| automaton.states.len()).sum();
        let most = PASSAGES + PASSAGES_PER_STATE * n_states;
        if !actions.met.insert(met) || actions.met.len() > most {
            return Err(circle(automata, &actions.path));
        }
        for (number, (automaton, next)) in automata.iter().zip(next).enumerate() {
            let Some(next) = next else { continue };
            let state = automaton.state(&discrete.memory);
            automaton.enter(next, &mut discrete.memory);
            actions.path.push((number, state, next));
            let what = format!("{} -> {}", automaton.states[state], automaton.states[next]);
            actions.notes.push(ActionNote { t, block: automaton.block, what });
        }
        Ok(true)
    }

    /// What the `When` blocks ask for whose conditions have become true.
    pub fn due_assignments(&mut self, event: &Event<'_>) -> Result<Vec<Assignment>, Unsettled> {
        let network = self.network;
        let NetworkState { combinations, actions, .. } = &mut *self.now;
        let values = combinations.present().events(&network.event_layout);
        let whens = &network.flat.actions.whens;
        actions.seen.resize(whens.len(), false);
        let mut due = Vec::new();
        for (number, (when, seen)) in whens.iter().zip(&mut actions.seen).enumerate() {
            let now = values.condition(when.condition);
            // True at the start is no change.
            if now && !*seen && event.cause != Cause::Start {
                due.push(number);
            }
            *seen = now;
        }
        if due.is_empty() {
            return Ok(Vec::new());
        }
        if event.cause == Cause::Accumulation {
            let block = whens[due[0]].block;
            return Err(Unsettled::Accumulation(block));
        }
        let most = ROUNDS + ROUNDS_PER_WHEN * whens.len();
        if actions.rounds.len() >= most {
            return Err(endless(whens, &actions.rounds));
        }
        actions.rounds.push(due.clone());
        actions.forget_path();
        let mut all: Vec<Assignment> = Vec::new();
        let mut setters: FxHashMap<(u8, [u32; 2]), usize> = FxHashMap::default();
        for &number in &due {
            for (line, setting) in whens[number].settings.iter().enumerate() {
                let value = self.right_side(setting.value, event.t);
                let target = setting.target;
                if !value.is_finite() {
                    let words = format!("the new value of `{}` is not finite", setting.name);
                    return Err(Unsettled::NotSettable(whens[number].block, words));
                }
                if let Some(key) = self.key(target)
                    && let Some(other) = setters.insert(key, number)
                {
                    let blocks = [whens[other].block, whens[number].block];
                    return Err(Unsettled::SetTwice(blocks, setting.name.clone()));
                }
                all.push(Assignment { when: number, line, target, value });
            }
        }
        self.now.actions.has_acted = true;
        Ok(all)
    }

    /// What is the same for targets that stand for the same quantity.
    fn key(&self, target: Target) -> Option<(u8, [u32; 2])> {
        let place = |place: JointPlace| [place.joint.0, place.component as u32];
        Some(match target {
            Target::Number(register) | Target::Truth(register) => (0, [register, 0]),
            Target::Storage(number) => {
                let target = self.network.flat.actions.storages[number];
                (1, [target.storage.0, target.value.0])
            }
            Target::Position(joint) => (2, place(joint)),
            Target::Rate(joint) => (3, place(joint)),
            Target::Nothing => return None,
        })
    }

    /// The value of a right side.
    fn right_side(&self, input: usize, t: f64) -> f64 {
        let network = self.network;
        let NetworkState { outside, discrete, actions, .. } = &*self.now;
        let programs = &network.flat.programs;
        let continuous = if actions.has_acted { &outside.signals } else { &actions.left };
        let signal = |number: u32| match programs.signals[number as usize] {
            UsedSignal::Memory(register) => discrete.memory[register as usize],
            _ => continuous[number as usize],
        };
        let before = if actions.has_acted { t } else { just_before(t) };
        let program = &network.flat.discrete.inputs[input];
        left::evaluate(program, [t, before], &signal, &mut Vec::new())
    }

    /// Gives a register its new value; gives the value before.
    pub fn set_register(&mut self, target: Target, value: f64) -> f64 {
        let (register, value) = match target {
            Target::Number(register) => (register, value),
            Target::Truth(register) => (register, f64::from(equations::expression::is_true(value))),
            _ => return value,
        };
        std::mem::replace(&mut self.now.discrete.memory[register as usize], value)
    }

    /// The value of one of the storages that are set, at the last event.
    pub fn target(&self, number: usize) -> f64 {
        self.event_values().target(number)
    }

    /// Tells the log what a `When` did.
    pub fn note_action(&mut self, t: f64, when: usize, what: String) {
        let block = self.network.flat.actions.whens[when].block;
        self.now.actions.notes.push(ActionNote { t, block, what });
    }
}

impl ActionRun {
    fn forget_path(&mut self) {
        self.path.clear();
        self.met.clear();
    }
}

/// Automata that come back to where they were: the passages of the circle.
fn circle(automata: &[Automaton], path: &[(usize, usize, usize)]) -> Unsettled {
    // The last passage into the state that an automaton is in now closes the circle.
    let closes = |number: usize| {
        let own: Vec<usize> = (0..path.len()).filter(|&k| path[k].0 == number).collect();
        let (_, _, now) = path[*own.last()?];
        own.iter().rev().skip(1).find(|&&k| path[k].2 == now).copied().or_else(|| {
            own.iter().find(|&&k| path[k].1 == now).copied().map(|k| k.saturating_sub(1))
        })
    };
    let numbers: Vec<usize> = (0..automata.len()).collect();
    let first = numbers.iter().filter_map(|&number| closes(number)).min().unwrap_or(0);
    let mut words = Vec::new();
    let mut block = 0;
    for (number, automaton) in automata.iter().enumerate() {
        let own = path.iter().skip(first).filter(|step| step.0 == number);
        let mut names: Vec<&str> = Vec::new();
        for &(_, from, to) in own.take(NAMED) {
            if names.is_empty() {
                names.push(&automaton.states[from]);
            }
            names.push(&automaton.states[to]);
        }
        if !names.is_empty() {
            if words.is_empty() {
                block = automaton.block;
            }
            words.push((automaton.block, names.join(" -> ")));
        }
    }
    Unsettled::Circle(block, words)
}

/// `When` blocks that set each other off without end: those that acted in the second half of all rounds.
fn endless(whens: &[equations::actions::When], rounds: &[Vec<usize>]) -> Unsettled {
    let mut numbers: Vec<usize> = rounds[rounds.len() / 2..].concat();
    numbers.sort_unstable();
    numbers.dedup();
    Unsettled::Endless(numbers.iter().map(|&number| whens[number].block).collect())
}
