//! The networks while time passes: combinations of modes as they are met, values, guards.

mod choice;
pub(crate) mod history;
mod jacobian;
mod kept;
mod left_limit;
pub(crate) mod open;
pub(crate) mod pattern;
pub(crate) mod registers;
pub(crate) mod settle;
mod start;
mod straighten;
mod together;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::expression::switches::{Point, SwitchStates};
use crate::network::code::compile::{LEVELS, Level};
use crate::network::code::evaluate::Unsolved;
use crate::network::equations::expr::Arena;
use crate::network::equations::programs::{CodedSwitch, UsedSignal};
use crate::network::passes::selection::Rechosen;
use crate::network::prepared::network::Network;
use crate::network::prepared::prepare::{Prepared, Valves};
use integrate::Side;
use registers::DiscreteRun;

/// A part of the run that is as good as no time at all.
const INSTANT: f64 = 1e-14;

/// Lists that events use, kept so that they allocate nothing.
#[derive(Clone, Default)]
pub(in crate::network) struct Room {
    pub due: Vec<usize>,
    pub crossed: Vec<usize>,
    pub modes: Vec<i8>,
    pub start: Vec<i8>,
    pub before: Vec<i8>,
    pub states: Vec<f64>,
    pub changed: Vec<bool>,
}

/// The time that a run passes through, and how it begins.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// First instant, s.
    pub start: f64,
    /// Last instant, s.
    pub end: f64,
    /// Does the run begin at the operating point?
    pub is_steady: bool,
}

/// The networks at an instant.
pub struct NetworkRun<'n> {
    pub(crate) network: &'n Network,
    /// In a box because the networks are taken out of a run and put back again and again.
    pub(crate) now: Box<NetworkState>,
}

/// All that changes in the networks.
#[derive(Clone)]
pub struct NetworkState {
    pub(in crate::network) arena: Arena,
    pub(in crate::network) kept: Vec<Prepared>,
    /// Where combinations are kept, for each way to take valves.
    pub(in crate::network) places: FxHashMap<Vec<i8>, [Option<usize>; Valves::KINDS]>,
    pub(in crate::network) current: usize,
    /// Modes before the last event.
    pub(in crate::network) modes_before: Vec<i8>,
    /// States of what switches in time expressions.
    pub(crate) switches: SwitchStates,
    /// Signals that time expressions use.
    pub(crate) signals: Vec<f64>,
    /// Numbers of the ports: accelerations without their forces, responses by rows, coordinates and speeds.
    pub(crate) at_ports: Vec<f64>,
    stack: Vec<f64>,
    /// Largest value of each guard so far.
    pub(in crate::network) scales: Vec<f64>,
    /// How far each storage may be beyond the event at hand.
    pub(in crate::network) overshoots: Vec<f64>,
    /// Registers and what changes them.
    pub(crate) discrete: DiscreteRun,
    /// The level up to which the present values are computed.
    pub(in crate::network) known: Option<Level>,
    /// Begin at the operating point.
    pub(in crate::network) is_steady: bool,
    /// A step that is as good as none, s.
    pub(in crate::network) instant: f64,
    /// Given initial values that the equations do not allow: block, value, value instead.
    pub(crate) missed: Vec<(u32, f64, f64)>,
    /// Combinations of modes that contradict themselves.
    pub(in crate::network) impossible: FxHashSet<Vec<i8>>,
    /// Combinations in which the ports cannot be open.
    pub(in crate::network) closed: FxHashSet<Vec<i8>>,
    /// Are iterations that fail tried again along a homotopy?
    pub(in crate::network) is_patient: bool,
    /// Nodes of parts that were cut off from their reference, and since when.
    pub(crate) islands: Vec<(usize, f64)>,
    /// Largest value of each storage so far, where constraints may come to determine others.
    pub(in crate::network) sizes: Vec<f64>,
    /// Largest value of each storage at an event so far.
    pub(in crate::network) largest: Vec<f64>,
    /// How often states were chosen anew, and the first times.
    pub(crate) rechosen: (usize, Vec<Rechosen>),
    pub(in crate::network) room: Room,
    /// Modes of a structure that is looked for.
    pub(in crate::network) key: Vec<i8>,
    /// Numbers from outside before they were set anew.
    outside: Vec<f64>,
}

impl<'n> NetworkRun<'n> {
    /// The networks before the start.
    pub fn new(network: &'n Network, Span { start, end, is_steady }: Span) -> Self {
        let programs = &network.flat.programs;
        let depth = programs.list.iter().map(|program| program.depth()).max().unwrap_or(0);
        let now = NetworkState {
            arena: network.arena.clone(),
            kept: Vec::new(),
            places: FxHashMap::default(),
            current: 0,
            modes_before: network.flat.modes.iter().map(|law| law.first).collect(),
            switches: SwitchStates::new(&programs.switches, depth),
            signals: vec![0.0; programs.signals.len()],
            at_ports: vec![0.0; network.flat.ports.n_inputs()],
            stack: vec![0.0; depth],
            scales: vec![0.0; network.watches.len()],
            overshoots: vec![0.0; network.n_states()],
            discrete: DiscreteRun::new(network, start),
            known: None,
            is_steady,
            instant: INSTANT * (end - start).abs(),
            missed: Vec::new(),
            impossible: FxHashSet::default(),
            closed: FxHashSet::default(),
            is_patient: false,
            islands: Vec::new(),
            sizes: Vec::new(),
            largest: Vec::new(),
            rechosen: (0, Vec::new()),
            room: Room::default(),
            key: Vec::with_capacity(network.flat.modes.len()),
            outside: Vec::new(),
        };
        Self { network, now: Box::new(now) }
    }

    /// The networks where they were left.
    pub(crate) fn attach(network: &'n Network, now: Box<NetworkState>) -> Self {
        Self { network, now }
    }

    /// What has changed, without the networks themselves.
    pub(crate) fn detach(self) -> Box<NetworkState> {
        self.now
    }

    /// The present combination.
    pub(crate) fn present(&self) -> &Prepared {
        &self.now.kept[self.now.current]
    }

    /// The present modes.
    pub fn modes(&self) -> &[i8] {
        self.now
            .kept
            .get(self.now.current)
            .map_or(&self.now.modes_before, |prepared| &prepared.modes)
    }

    /// Is there a solution? Before [`begin`](Self::begin) there is none.
    pub(crate) fn has_begun(&self) -> bool {
        !self.now.kept.is_empty()
    }

    /// The modes before the last event.
    pub fn modes_before(&self) -> &[i8] {
        &self.now.modes_before
    }

    /// Gives the code time, signals from outside and states.
    fn set(&mut self, t: f64, y: &[f64]) {
        let prepared = &mut self.now.kept[self.now.current];
        let code = &prepared.code;
        let numbers = &mut prepared.values.numbers;
        numbers[code.time as usize] = t;
        let inputs = code.inputs as usize;
        // The code has the others as variables and registers.
        for &number in &self.now.arena.without_rate {
            numbers[inputs + number as usize] = self.now.signals[number as usize];
        }
        self.now.discrete.follow(self.network, t);
        let memory = code.memory as usize;
        numbers[memory..memory + self.now.discrete.memory.len()]
            .copy_from_slice(&self.now.discrete.memory);
        let inputs = inputs + self.now.signals.len();
        copy_ports(&mut numbers[inputs..], &self.now.at_ports, self.network, prepared.kind);
        for &(state, sign, input) in &prepared.coupled.given {
            numbers[state.index()] = sign * numbers[(code.inputs + input) as usize];
        }
        if prepared.frozen.version != self.now.switches.version() {
            prepared.frozen.version = self.now.switches.version();
            let frozen = self.now.switches.get();
            numbers[code.states as usize..][..frozen.len()].copy_from_slice(frozen);
            prepared.frozen.is_new = true;
        }
        for (lead, &value) in prepared.leads.iter().zip(y) {
            if let Some((state, sign)) = lead {
                numbers[state.index()] = sign * value;
            }
        }
    }

    /// Computes what events need, unless it is known already. Newton's iterations go no further then.
    pub(in crate::network) fn renew(&mut self, t: f64, y: &[f64]) -> Result<(), Unsolved> {
        if self.now.known < Some(Level::Events) {
            return self.update(t, y).and_then(|()| self.complete(Level::Events));
        }
        let mut before = std::mem::take(&mut self.now.outside);
        self.present().fill_outside(&mut before);
        self.set(t, y);
        let is_same = self.present().is_outside(&before);
        self.now.outside = before;
        if is_same {
            return Ok(());
        }
        self.compute().and_then(|()| self.complete(Level::Events))
    }

    /// Sets time, signals from outside and states, and computes what the forces of the mechanics need; without
    /// ports what derivatives need too.
    pub(crate) fn update(&mut self, t: f64, y: &[f64]) -> Result<(), Unsolved> {
        self.set(t, y);
        self.compute()
    }

    fn compute(&mut self) -> Result<(), Unsolved> {
        self.now.known = None;
        let prepared = &mut self.now.kept[self.now.current];
        prepared.values.is_patient = self.now.is_patient;
        prepared.look_at_states();
        prepared.run(Level::Forces)?;
        self.now.known = Some(Level::Forces);
        if self.network.flat.ports.list.is_empty() { self.complete(Level::Rates) } else { Ok(()) }
    }

    /// Computes what a level needs besides; [`update`](Self::update) comes first.
    pub(crate) fn complete(&mut self, level: Level) -> Result<(), Unsolved> {
        if !self.has_begun() {
            return Ok(());
        }
        let prepared = &mut self.now.kept[self.now.current];
        if self.now.known < Some(Level::Rates) {
            let inputs = prepared.code.inputs as usize + self.now.signals.len();
            let numbers = &mut prepared.values.numbers[inputs..];
            copy_ports(numbers, &self.now.at_ports, self.network, prepared.kind);
        }
        for next in LEVELS.into_iter().skip(1) {
            if self.now.known < Some(next) && next <= level {
                prepared.run(next)?;
                self.now.known = Some(next);
            }
        }
        Ok(())
    }

    /// Lets [`complete`](Self::complete) compute the rates anew.
    pub(in crate::network) fn forget_rates(&mut self) {
        self.now.known = self.now.known.min(Some(Level::Forces));
    }

    /// Are the rates those of the last time and states?
    pub(crate) fn has_rates(&self) -> bool {
        self.has_begun() && self.now.known >= Some(Level::Rates)
    }

    /// Derivatives of the states.
    pub(crate) fn rates(&self, ydot: &mut [f64]) {
        if !self.has_begun() {
            return ydot.fill(0.0);
        }
        let prepared = self.present();
        for (rate, &place) in ydot.iter_mut().zip(prepared.code.asked(Level::Rates)) {
            *rate = prepared.values.numbers[place as usize];
        }
    }

    /// For each port: does its force follow without accelerations? Nothing before the start.
    pub(crate) fn known_ports(&self) -> &[bool] {
        self.now.kept.get(self.now.current).map_or(&[], |prepared| &prepared.coupled.known)
    }

    /// Does a guard need accelerations of the mechanics?
    pub(crate) fn guards_wait(&self) -> bool {
        self.now.kept.get(self.now.current).is_some_and(|prepared| prepared.coupled.guards_wait)
    }

    /// The force of a port that follows without accelerations.
    pub(crate) fn known_force(&self, port: usize) -> f64 {
        self.before(self.network.used.len() + self.network.flat.ports.list.len() + port)
    }

    /// The angular momentum of the rotors of a port.
    pub(crate) fn momentum(&self, port: usize) -> f64 {
        self.before(self.network.used.len() + port)
    }

    /// For each port: do the networks determine coordinate and speed? Nothing before the start.
    pub(crate) fn fixed_ports(&self) -> &[[bool; 2]] {
        self.now.kept.get(self.now.current).map_or(&[], |prepared| &prepared.coupled.fixed)
    }

    /// The coordinate (0) or speed (1) of a port that the networks determine.
    pub(crate) fn fixed_value(&self, port: usize, order: usize) -> f64 {
        let count = self.network.flat.ports.list.len();
        self.before(self.network.used.len() + 2 * count + 2 * port + order)
    }

    /// The force of any port, after the rates are computed.
    pub(crate) fn port_force(&self, port: usize) -> f64 {
        let prepared = self.present();
        let place = prepared.code.asked(Level::Rates)[self.network.n_states() + port];
        prepared.values.numbers[place as usize]
    }

    /// A signal that the mechanics uses.
    pub(crate) fn used(&self, number: usize) -> f64 {
        self.before(number)
    }

    /// What is computed before the forces of the mechanics.
    pub(in crate::network) fn before(&self, number: usize) -> f64 {
        if !self.has_begun() {
            return 0.0;
        }
        let prepared = self.present();
        let place = prepared.code.asked(Level::Forces)[number];
        prepared.values.numbers[place as usize]
    }

    /// A signal, after all levels are computed; not a number in an analysis that leaves the networks out.
    pub fn result(&self, place: usize) -> f64 {
        if !self.has_begun() {
            return f64::NAN;
        }
        let prepared = self.present();
        prepared.values.numbers[prepared.code.asked(Level::Results)[place] as usize]
    }

    /// The sum of the powers that flow into all elements, and the largest of them; after all levels are computed.
    pub(crate) fn powers(&self) -> (f64, f64) {
        let powers = self.network.powers.iter().map(|&(place, sign)| sign * self.result(place));
        powers.fold((0.0, 0.0), |(sum, largest), power| (sum + power, power.abs().max(largest)))
    }

    /// What an expression that is needed at events has as its value.
    pub(in crate::network) fn at_event(&self, number: usize) -> f64 {
        let prepared = self.present();
        let place = prepared.code.asked(Level::Events)[self.network.n_states() + number];
        prepared.values.numbers[place as usize]
    }

    /// The value of a storage as the present combination has it.
    pub(in crate::network) fn storage(&self, number: usize) -> f64 {
        let prepared = self.present();
        prepared.values.numbers[prepared.code.asked(Level::Events)[number] as usize]
    }

    /// Evaluates time expressions that switch, for their guards.
    pub(in crate::network) fn evaluate_programs(&mut self, t: f64) {
        (0..self.now.signals.len()).for_each(|number| self.take_signal(number));
        let switches = &self.network.flat.programs.switches;
        let is_fresh = self.now.switches.is_fresh();
        self.evaluate_switching(t, |program| is_fresh || switches.has_values(program));
    }

    /// A signal that time expressions use.
    fn take_signal(&mut self, number: usize) {
        match self.network.flat.programs.signals[number] {
            UsedSignal::Network(_) => {
                self.now.signals[number] = self.at_event(self.network.watches.len() + number);
            }
            UsedSignal::Memory(register) => {
                self.now.signals[number] = self.now.discrete.memory[register as usize];
            }
            UsedSignal::Other(_) => {}
        }
    }

    /// Evaluates some of the time expressions that switch, with the signals as they are.
    pub(in crate::network) fn evaluate_switching(
        &mut self,
        t: f64,
        is_asked: impl Fn(usize) -> bool,
    ) {
        let programs = &self.network.flat.programs;
        let all = programs.list.iter().enumerate();
        for program in all.filter(|(k, _)| programs.switches.has(*k) && is_asked(*k)) {
            let point = Point { t, argument: 0.0, signals: &self.now.signals };
            programs.switches.evaluate(program, point, &mut self.now.switches, &mut self.now.stack);
        }
    }

    /// Writes the values of all guards; [`update`](Self::update) comes first. Those that nobody watches stay behind zero.
    pub(crate) fn guards(&mut self, t: f64, values: &mut [f64]) -> Result<(), Unsolved> {
        if !self.has_begun() {
            values.fill(-1.0);
            return Ok(());
        }
        self.complete(Level::Guards)?;
        let Network { searched, watches, flat, coded, .. } = self.network;
        let (guards, signals) = searched.split_at(searched.partition_point(|&k| k < watches.len()));
        let n_signals = signals.partition_point(|&k| k < watches.len() + self.now.signals.len());
        signals[..n_signals].iter().for_each(|number| self.take_signal(number - watches.len()));
        let point = Point { t, argument: 0.0, signals: &self.now.signals };
        let (switches, programs) = (&flat.programs.switches, &flat.programs.list);
        switches.search(programs, point, &mut self.now.switches, &mut self.now.stack);
        let prepared = &self.now.kept[self.now.current];
        let places = &prepared.code.asked(Level::Events)[self.network.n_states()..];
        let at_event = |number: usize| prepared.values.numbers[places[number] as usize];
        let (of_programs, of_modes) = values.split_at_mut(switches.n_guards());
        self.now.switches.fill_guards(switches, of_programs);
        for CodedSwitch { switch, guards, first } in coded {
            let mut are_finite = true;
            for (k, g) in of_programs[guards.clone()].iter_mut().enumerate() {
                *g = at_event(first + k);
                are_finite &= g.is_finite();
            }
            if !are_finite {
                self.now.switches.put_aside(switches, *switch, &mut of_programs[guards.clone()]);
            }
        }
        of_modes.fill(-1.0);
        for &number in guards {
            let watch = watches[number];
            if prepared.modes[watch.mode] == watch.from {
                of_modes[number] = at_event(number);
            }
        }
        Ok(())
    }

    /// Is the change possible in the present modes, and at an instant of its own?
    fn is_watched(&self, number: usize) -> bool {
        let watch = self.network.watches[number];
        !watch.steps && self.modes()[watch.mode] == watch.from
    }

    /// The sides of all guards.
    pub(crate) fn sides(&self, sides: &mut [Side]) {
        let switches = &self.network.flat.programs.switches;
        let (of_programs, of_modes) = sides.split_at_mut(switches.n_guards());
        self.now.switches.fill_sides(switches, of_programs);
        for (number, side) in of_modes.iter_mut().enumerate() {
            *side = if self.is_watched(number) { Side::Negative } else { Side::Unwatched };
        }
    }

    /// The next known instant.
    pub(crate) fn next_instant(&mut self, t: f64, direction: f64) -> Option<f64> {
        let programs = &self.network.flat.programs;
        let own = self.now.switches.next_instant(&programs.switches, &programs.list, t, direction);
        let registers = self.now.discrete.next_instant(self.network, t);
        own.into_iter().chain(registers).min_by(|a, b| (direction * a).total_cmp(&(direction * b)))
    }
}

/// Gives the code the numbers of the ports; of open ones nobody asks for the responses.
fn copy_ports(inputs: &mut [f64], at_ports: &[f64], network: &Network, kind: Valves) {
    let n = network.flat.ports.list.len();
    let responses = if kind == Valves::Open { n..n + n * n } else { n..n };
    for part in [0..responses.start, responses.end..at_ports.len()] {
        inputs[part.clone()].copy_from_slice(&at_ports[part]);
    }
}
