//! The networks of a model as one system: what is fixed.

use rustc_hash::FxHashMap;

use crate::passes::state_selection::Determined;
use crate::prepared::before_forces::BeforeForces;
use crate::prepared::combination::Prepared;
use crate::prepared::event_values::{EventLayout, GuardLayout};
use crate::prepared::prepare::{Impossible, Remedy, Task, Wanted, prepare};
use crate::prepared::valves::Valves;
use equations::expr::{Arena, ExprId, Node, VarId};
use equations::expression::{Op, Program, SignalRef};
use equations::flat::{Flat, ModeLaw, Transition};
use equations::flattened::Flattened;
use equations::names::{Names, variable_name};
use equations::programs::{CodedSwitch, UsedSignal};

/// A change of mode with its guard.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watch {
    pub mode: usize,
    pub from: i8,
    pub to: i8,
    pub steps: bool,
}

/// All networks of a model.
pub struct Network {
    pub(crate) arena: Arena,
    /// The equations.
    pub flat: Flat,
    /// Variables with a derivative, in order: the states of the networks.
    pub(crate) storages: Vec<VarId>,
    /// All changes of modes.
    pub(crate) watches: Vec<Watch>,
    /// Expressions that are needed at events, in the order of `event_values.rs`.
    pub(crate) at_events: Vec<ExprId>,
    /// Numbers of the signals that come from outside, ascending.
    pub(crate) from_outside: Vec<u32>,
    /// How many expressions of each kind are needed at events.
    pub(crate) event_layout: EventLayout,
    /// Numbers of the expressions at events that the search for events needs, ascending.
    pub(crate) searched: Vec<usize>,
    /// Numbers of the signals of time expressions that the search for events needs, ascending.
    pub(crate) searched_signals: Vec<usize>,
    /// Switches of time expressions whose guards are among the expressions at events.
    pub(crate) coded: Vec<CodedSwitch>,
    /// Their guards, one after the other: numbers among all guards of time expressions. In this order they end the list of
    /// expressions that the search for events needs.
    pub(crate) coded_guards: Vec<usize>,
    /// Values of all signals.
    pub(crate) results: Vec<ExprId>,
    /// The place of each signal among the results.
    pub(crate) result_of: FxHashMap<SignalRef, usize>,
    /// Places of the powers of all elements among the results, with the sign that makes them flow into the element.
    pub powers: Vec<(usize, f64)>,
    /// Signals that the mechanics uses.
    pub(crate) used: Vec<ExprId>,
    /// The first guard of the networks among all of the system.
    pub first_guard: usize,
    /// Are loops torn? Only tests and benchmarks do without.
    pub tears: bool,
}

impl Network {
    /// The networks of a checked model.
    pub fn of(equations: &Flattened) -> Self {
        let Flattened { arena, flat, powers } = equations;
        let sign = |signal: SignalRef| {
            let found = powers.binary_search_by_key(&signal, |(power, _)| *power);
            found.ok().map(|at| powers[at].1)
        };
        Self::new(arena.clone(), flat.clone(), sign)
    }

    /// The networks whose equations are these. `power_sign` tells whether a signal is a power that counts in the
    /// balance of the networks, and with which sign.
    pub(crate) fn new(
        mut arena: Arena,
        mut flat: Flat,
        power_sign: impl Fn(SignalRef) -> Option<f64>,
    ) -> Self {
        let programs = &mut flat.programs;
        programs.switches.find_timed(&programs.list);
        let is_given = |v: &VarId| flat.ports.all_given().any(|(given, _)| given == *v);
        let storages: Vec<VarId> =
            flat.storages.iter().copied().filter(|storage| !is_given(storage)).collect();
        let watches = watches(&flat);
        let AtEvents { asked, coded, layout } = AtEvents::of(&mut arena, &mut flat, storages.len());
        let searched_signals = flat.programs.searched_signals();
        let searched = searched(&watches, &searched_signals, &coded);
        let coded_guards = coded.iter().flat_map(|coded| coded.guards.clone()).collect();
        let mut named: Vec<(SignalRef, ExprId)> = flat.signals.iter().collect();
        named.sort_unstable();
        let result_of = named.iter().enumerate().map(|(place, (key, _))| (*key, place)).collect();
        let powers = named.iter().enumerate();
        let powers =
            powers.filter_map(|(place, (key, _))| Some((place, power_sign(*key)?))).collect();
        let from_outside = from_outside(&flat);
        let has_no_rate = |number: &u32| !arena.input_rates.contains_key(number);
        arena.without_rate = from_outside.iter().copied().filter(has_no_rate).collect();
        let results = named.into_iter().map(|(_, value)| value).collect();
        Self {
            arena,
            flat,
            storages,
            watches,
            at_events: asked,
            from_outside,
            event_layout: layout,
            searched,
            searched_signals,
            coded,
            coded_guards,
            results,
            result_of,
            powers,
            used: Vec::new(),
            first_guard: 0,
            tears: true,
        }
    }

    /// The place of a signal among the results.
    pub fn result(&self, signal: SignalRef) -> Option<usize> {
        self.result_of.get(&signal).copied()
    }

    /// Makes a signal known to the mechanics; gives its number.
    pub fn use_result(&mut self, result: usize) -> usize {
        self.used.push(self.results[result]);
        self.used.len() - 1
    }

    /// The register that a signal is, if it is one.
    pub fn register_of(&self, signal: SignalRef) -> Option<u32> {
        match self.arena.node(self.flat.signals.get(signal)?) {
            Node::Memory(register) => Some(register),
            _ => None,
        }
    }

    /// Do only `When` blocks and automata use a signal of time expressions?
    pub fn is_of_actions(&self, number: usize) -> bool {
        let Flat { programs, discrete, actions, .. } = &self.flat;
        let uses = |program: &Program| {
            program.ops().iter().any(|op| matches!(op, Op::Signal(s) if s.block as usize == number))
        };
        let is_action = |block: u32| actions.blocks().any(|own| own == block);
        let mut lists = programs.list.iter().zip(&programs.owners);
        let samplers = discrete.samplers.iter().map(|sampler| &sampler.inputs);
        let watchers = discrete.watchers.iter().map(|watcher| &watcher.inputs);
        let mut inputs =
            samplers.chain(watchers).flat_map(|inputs| &discrete.inputs[inputs.clone()]);
        !lists.any(|(program, owner)| uses(program) && !is_action(*owner)) && !inputs.any(uses)
    }

    /// The name of a state.
    pub fn state_words(&self, called: &dyn Names, state: usize) -> String {
        variable_name(called, &self.flat.variables, self.storages[state])
    }

    /// The block of a state, and its name there.
    pub fn state_label(&self, state: usize) -> (u32, &'static str) {
        let variable = &self.flat.variables[self.storages[state].index()];
        (variable.block, variable.label)
    }

    /// Are there blocks that act at instants of a clock, or delays?
    pub fn is_sampled(&self) -> bool {
        let discrete = &self.flat.discrete;
        !(discrete.clocks.is_empty() && discrete.delays.is_empty())
    }

    /// Number of states.
    pub fn n_states(&self) -> usize {
        self.storages.len()
    }

    /// Number of numbers from outside: signals, then those of the ports.
    pub(crate) fn n_inputs(&self) -> usize {
        self.flat.programs.signals.len() + self.flat.ports.n_inputs()
    }

    /// Number of guards: those of time expressions, then those of modes.
    pub fn n_guards(&self) -> usize {
        self.flat.programs.switches.n_guards() + self.watches.len()
    }

    /// Tells where the guards of the networks begin among all of the system.
    pub fn set_first_guard(&mut self, first: usize) {
        self.first_guard = first;
        self.flat.programs.switches.first_guard = first;
    }

    /// Where the guards of the networks stand among all of the system.
    pub(crate) fn guard_layout(&self) -> GuardLayout {
        let n_programs = self.flat.programs.switches.n_guards();
        GuardLayout { first: self.first_guard, n_programs, n_modes: self.watches.len() }
    }

    /// Where the numbers stand that are computed before the forces of the mechanics.
    pub(crate) fn before_forces(&self) -> BeforeForces {
        BeforeForces { n_used: self.used.len(), n_ports: self.flat.ports.list.len() }
    }

    /// Signals from outside that time expressions use, by their number.
    pub fn outside(&self) -> impl Iterator<Item = (usize, SignalRef)> + '_ {
        self.flat.programs.signals.iter().enumerate().filter_map(|(k, used)| match used {
            UsedSignal::Other(signal) => Some((k, *signal)),
            UsedSignal::Network(_) | UsedSignal::Memory(_) => None,
        })
    }

    /// Prepares a combination of modes. `determined` are variables that constraints shall determine; `held` says of each
    /// open port whether the networks determine its acceleration.
    pub(crate) fn prepare(
        &self,
        arena: &mut Arena,
        modes: &[i8],
        kind: Valves,
        determined: &Determined,
        held: &[bool],
    ) -> Result<Prepared, Impossible> {
        let wanted = Wanted {
            storages: &self.storages,
            used: &self.used,
            at_events: &self.at_events,
            searched: &self.searched,
            watches: &self.watches,
            results: &self.results,
            n_inputs: self.n_inputs(),
            n_states: self.flat.programs.switches.n_states(),
            tears: self.tears,
        };
        let task = Task {
            flat: &self.flat,
            modes,
            kind,
            wanted: &wanted,
            determined,
            held,
            remedy: Remedy::Plain,
        };
        prepare(arena, &task)
    }

    /// The block of a guard of the modes.
    pub fn block_of_guard(&self, guard: usize) -> Option<u32> {
        let watch = self.watches[self.guard_layout().number_of_mode(guard)?];
        Some(self.flat.modes[watch.mode].block)
    }

    /// Does a guard belong to a time expression, and not to a mode?
    pub fn is_of_expression(&self, guard: usize) -> bool {
        self.guard_layout().behind_programs(guard).is_none()
    }

    /// The element of a guard, and two values of its mode in words.
    pub fn words(
        &self,
        called: &dyn Names,
        guard: usize,
        codes: [i32; 2],
    ) -> (String, [String; 2]) {
        let element = |block: u32| format!("{} {}", called.keyword(block), called.name(block));
        if let Some(watch) = self.guard_layout().behind_programs(guard) {
            let law = &self.flat.modes[self.watches[watch].mode];
            let word = |code: i32| {
                let found = law.words.iter().find(|(value, _)| i32::from(*value) == code);
                found.map_or_else(|| code.to_string(), |(_, word)| (*word).to_string())
            };
            return (element(law.block), codes.map(word));
        }
        let programs = &self.flat.programs;
        match programs.switches.describe(guard, codes) {
            Some((program, what, words)) => {
                (format!("{}, {what}", element(programs.owners[program])), words)
            }
            None => (format!("guard {guard}"), codes.map(|code| code.to_string())),
        }
    }
}

/// All changes of modes, in the order of their guards.
fn watches(flat: &Flat) -> Vec<Watch> {
    let of_mode = |(mode, law): (usize, &ModeLaw)| {
        let watch = |t: &Transition| Watch { mode, from: t.from, to: t.to, steps: t.steps };
        law.transitions.iter().map(watch).collect::<Vec<Watch>>()
    };
    flat.modes.iter().enumerate().flat_map(of_mode).collect()
}

/// What is evaluated at events.
struct AtEvents {
    asked: Vec<ExprId>,
    coded: Vec<CodedSwitch>,
    layout: EventLayout,
}

impl AtEvents {
    /// Guards of modes, signals of time expressions, initial values, what samplers and actions watch, and guards of switches,
    /// in the order of `event_values.rs`.
    fn of(arena: &mut Arena, flat: &mut Flat, n_storages: usize) -> Self {
        let transitions = flat.modes.iter().flat_map(|law| &law.transitions);
        let mut asked: Vec<ExprId> = transitions.map(|transition| transition.guard).collect();
        let n_guards = asked.len();
        asked.extend(flat.programs.signals.iter().map(|used| match used {
            UsedSignal::Network(variable) => arena.variable(*variable),
            UsedSignal::Memory(_) | UsedSignal::Other(_) => arena.constant(0.0),
        }));
        asked.extend(flat.starts.iter().map(|(_, value)| *value));
        asked.extend(flat.discrete.wanted());
        asked.extend(flat.actions.wanted());
        let n_before_coded = asked.len();
        let coded = flat.programs.code_guards(arena, &mut asked);
        let watchers = &flat.discrete.watchers;
        let layout = EventLayout {
            n_storages,
            n_guards,
            n_signals: flat.programs.signals.len(),
            n_starts: flat.starts.len(),
            n_watched: watchers.iter().map(|watcher| watcher.watched.len()).sum(),
            n_delays: flat.discrete.delays.len(),
            n_steady: flat.discrete.steady.len(),
            n_conditions: flat.actions.conditions.len(),
            n_targets: flat.actions.storages.len(),
            n_coded: asked.len() - n_before_coded,
        };
        Self { asked, coded, layout }
    }
}

/// What the search for events needs of what events need.
fn searched(watches: &[Watch], signals: &[usize], coded: &[CodedSwitch]) -> Vec<usize> {
    let guards = (0..watches.len()).filter(|&number| !watches[number].steps);
    let signals = signals.iter().map(|number| watches.len() + number);
    let coded = coded.iter().flat_map(|coded| coded.first..coded.first + coded.guards.len());
    guards.chain(signals).chain(coded).collect()
}

/// Numbers of the signals that come from outside.
fn from_outside(flat: &Flat) -> Vec<u32> {
    let signals = flat.programs.signals.iter().enumerate();
    let outside = signals.filter(|(_, used)| matches!(used, UsedSignal::Other(_)));
    outside.map(|(number, _)| number as u32).collect()
}
