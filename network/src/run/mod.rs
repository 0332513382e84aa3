//! The networks while time passes: combinations of modes as they are met, values, guards.
//!
//! The parts of a run own their state: the combinations of modes (`combinations`), the numbers from outside
//! (`outside_numbers`), registers and histories (`registers`), the memory of events (`settle`), the choice of
//! states (`rechosen_states`), and notes for the report. `NetworkRun` holds them together: its own methods are
//! here, in `evaluation` (values at an instant, search for events) and in `actions`.

pub mod actions;
pub mod at_ports;
mod combinations;
mod conflicts;
mod continuation;
mod corners;
pub mod delay_history;
mod evaluation;
mod event_memory;
pub mod jumps;
mod left_limit;
mod network_start;
pub mod open_ports;
mod outside_numbers;
pub mod rate_origins;
pub mod rechosen_states;
pub mod registers;
pub mod set_storages;
pub mod settle;
mod single_changes;
mod static_step;
mod together;
pub mod unsettled;

use crate::code::block_compiler::Level;
use crate::code::evaluate::Unsolved;
use crate::prepared::combination::Combination;
use crate::prepared::drive_forces::Drives;
use crate::prepared::network_model::Network;
use crate::prepared::valves::Valves;
use actions::ActionRun;
use at_ports::AtPorts;
use combinations::Combinations;
use equations::expr::Node;
use equations::port_inputs::PortInputs;
use equations::span::Span;
use event_memory::EventMemory;
use integrate::{ChangeList, Event, Pattern};
use jumps::JumpNote;
use network_start::Beginning;
use outside_numbers::Outside;
use rate_origins::{Dependences, Origins};
use rechosen_states::Choices;
use registers::DiscreteRun;
use settle::{Settling, Unsettled};

/// A given initial value that the equations do not allow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MissedValue {
    /// The block that it is given for.
    pub block: u32,
    /// The value that the text gives.
    pub given: f64,
    /// The value that the run starts at.
    pub taken: f64,
}

/// A part of the networks that was cut off from its reference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Island {
    /// One of its nodes.
    pub node: usize,
    /// When it was cut off first, s.
    pub since: f64,
}

/// Ideal valves in parallel: only what they carry together is determined.
#[derive(Clone, Debug)]
pub struct Shared {
    /// Their blocks.
    pub blocks: Vec<u32>,
    /// When that was so first, s.
    pub since: f64,
}

/// All that is discrete in the networks, so that it can be put in force again.
pub struct NetworkModes {
    modes: Vec<i8>,
    /// States of what switches in time expressions.
    switches: Vec<f64>,
    registers: Vec<f64>,
}

impl NetworkModes {
    /// Are the modes the same, whatever the registers hold?
    pub fn are_modes_of(&self, other: &Self) -> bool {
        self.modes == other.modes && self.switches == other.switches
    }

    /// These modes with the registers of others.
    #[must_use]
    pub fn with_registers_of(self, other: &Self) -> Self {
        Self { registers: other.registers.clone(), ..self }
    }
}

/// What the report tells besides results.
#[derive(Default, educe::Educe)]
#[educe(Clone)]
pub struct Notes {
    /// Given initial values that the equations do not allow.
    pub missed: Vec<MissedValue>,
    /// Parts that were cut off from their reference.
    pub islands: Vec<Island>,
    /// Valves among which nothing determined how they share.
    pub shared: Vec<Shared>,
    /// Jumps of storages that the log has not told yet.
    pub jumps: Vec<JumpNote>,
}

impl Notes {
    /// Remembers what a combination leaves open.
    pub(super) fn note(&mut self, network: &Network, combination: Option<&Combination>, t: f64) {
        self.note_islands(combination, t);
        let Some(present) = combination else { return };
        for group in &present.fixed.shares.groups {
            let mut blocks = group.iter().map(|&mode| network.flat.modes[mode].block);
            let is_known =
                self.shared.iter().any(|known| known.blocks.iter().copied().eq(blocks.clone()));
            if !is_known {
                let blocks = blocks.by_ref().collect();
                self.shared.push(Shared { blocks, since: t });
            }
        }
    }

    /// Remembers which parts a combination cuts off from their reference.
    fn note_islands(&mut self, combination: Option<&Combination>, t: f64) {
        for &node in combination.map_or(&[][..], |present| &present.fixed.islands) {
            if !self.islands.iter().any(|known| known.node == node) {
                self.islands.push(Island { node, since: t });
            }
        }
    }
}

/// The networks at an instant.
pub struct NetworkRun<'n> {
    /// What is fixed.
    pub network: &'n Network,
    /// In a box, so that a run that lets go of its system hands over a pointer.
    pub now: Box<NetworkState>,
}

/// All that changes in the networks.
#[derive(educe::Educe)]
#[educe(Clone)]
pub struct NetworkState {
    pub(crate) combinations: Combinations,
    /// Numbers from outside: signals, ports, states of switches.
    pub outside: Outside,
    /// Numbers from outside before they were set anew.
    last_outside: Vec<f64>,
    /// Registers, clocks and histories.
    pub discrete: DiscreteRun,
    /// What `When` blocks and automata remember.
    pub actions: ActionRun,
    pub(crate) events: EventMemory,
    /// Which storages are states, where that is chosen by numbers.
    pub choices: Choices,
    /// What the report tells besides results.
    pub notes: Notes,
}

impl<'n> NetworkRun<'n> {
    /// The networks before the start.
    pub fn new(network: &'n Network, span: Span) -> Self {
        let now = NetworkState {
            combinations: Combinations::new(network),
            outside: Outside::new(network),
            last_outside: Vec::new(),
            discrete: DiscreteRun::new(network, span.start),
            actions: ActionRun::default(),
            events: EventMemory::new(network, span),
            choices: Choices::default(),
            notes: Notes::default(),
        };
        Self { network, now: Box::new(now) }
    }

    /// The networks where they were left.
    pub fn attach(network: &'n Network, now: Box<NetworkState>) -> Self {
        Self { network, now }
    }

    /// What has changed, without the networks themselves.
    pub fn detach(self) -> Box<NetworkState> {
        self.now
    }

    /// Finds modes, storages and registers at the start. Signals from outside are set.
    pub fn begin(&mut self, t: f64, y: &mut [f64]) -> Result<(), Unsettled> {
        Beginning { run: self, t, y }.begin()
    }

    /// One pass of the event iteration of the whole system; `rates` are those of the storages before the event.
    pub fn switch(
        &mut self,
        event: &Event<'_>,
        rates: &[f64],
        y: &mut [f64],
        changes: &mut ChangeList,
    ) -> Result<(), Unsettled> {
        if !self.has_begun() {
            return Ok(());
        }
        Settling { run: self, t: event.t, y }.switch(event, rates, changes)
    }

    /// The present combination.
    pub(crate) fn present(&self) -> &Combination {
        self.now.combinations.present()
    }

    /// Is a valve closed whose share nothing determines?
    pub(crate) fn is_shared_valve(&self, mode: usize) -> bool {
        self.present().fixed.shares.contains(mode)
    }

    /// The storages that are states in the present modes.
    pub fn free_storages(&self) -> Vec<usize> {
        let leads = self.now.combinations.get().map_or(&[][..], |present| &present.fixed.leads);
        (0..leads.len()).filter(|&storage| leads[storage].is_some()).collect()
    }

    /// Is there a solution? Before [`begin`](Self::begin) there is none.
    pub fn has_begun(&self) -> bool {
        self.now.combinations.has_begun()
    }

    /// The present modes.
    pub fn modes(&self) -> &[i8] {
        let present = self.now.combinations.get();
        present.map_or(&self.now.events.modes_before, |present| &present.now.modes)
    }

    /// Modes, states of switches and registers as they are.
    pub fn save_modes(&self) -> NetworkModes {
        NetworkModes {
            modes: self.modes().to_vec(),
            switches: self.now.outside.switches.get().to_vec(),
            registers: self.now.discrete.memory.clone(),
        }
    }

    /// Puts modes, states of switches and registers in force that were so once.
    pub fn restore_modes(&mut self, NetworkModes { modes, switches, registers }: &NetworkModes) {
        self.set_modes(modes);
        self.now.outside.switches.set(switches);
        self.now.discrete.set(registers);
    }

    /// Puts modes, states of switches and registers before the last event in force.
    pub fn look_back(&mut self) {
        let modes = self.now.events.modes_before.clone();
        let switches = self.now.outside.switches.before().to_vec();
        self.set_modes(&modes);
        self.now.outside.switches.set(&switches);
        self.now.discrete.look_back();
    }

    fn set_modes(&mut self, modes: &[i8]) {
        // A combination that was in force once has a solution.
        let _ = self.now.combinations.enter_modes(self.network, modes, Valves::Ideal);
    }

    /// Lets the delay lines remember their inputs at a point of a part of a step. Values of events are computed.
    pub fn record(&mut self, part: [f64; 2], point: usize) {
        let NetworkState { combinations, discrete, .. } = &mut *self.now;
        if discrete.has_delays() {
            let values = combinations.present().events(&self.network.event_layout);
            discrete.record(values, part, point);
        }
    }

    /// Is there a delay line whose input has to be recorded?
    pub fn has_delays(&self) -> bool {
        self.now.discrete.has_delays()
    }

    /// How often states were chosen anew.
    pub fn choices_made(&self) -> usize {
        self.now.choices.count
    }

    /// Opens the ports, if that is possible in the present modes and worth the while; `carries` says whether the mechanics can
    /// carry an entry of the inertia, and `holds` whether it can hold a port.
    pub fn open(&mut self, carries: impl Fn(usize, usize) -> bool, holds: impl Fn(usize) -> bool) {
        self.now.combinations.open(self.network, carries, holds);
    }

    /// Closes the ports; true if they were open. The numbers have to be computed anew then.
    pub fn close(&mut self) -> bool {
        self.now.combinations.close(self.network)
    }

    /// Closes the ports for good in the present modes.
    pub fn stay_closed(&mut self) {
        self.now.combinations.stay_closed(self.network);
    }

    /// Finds the forces of open ports without accelerations and, where it may have changed, their inertia.
    pub fn ask_drives(&mut self) -> Result<(), Unsolved> {
        let NetworkState { combinations, outside, .. } = &mut *self.now;
        combinations.ask_drives(self.network, &mut outside.ports)
    }

    /// For each port: does its force follow without accelerations? Nothing before the start.
    pub fn known_ports(&self) -> &[bool] {
        self.now.combinations.get().map_or(&[], |present| &present.fixed.coupled.known)
    }

    /// For each port whether its force follows without accelerations, and the numbers of the ports, to be written.
    pub fn known_and_inputs(&mut self) -> (&[bool], &mut PortInputs) {
        let NetworkState { combinations, outside, .. } = &mut *self.now;
        let known = combinations.get().map_or(&[][..], |present| &present.fixed.coupled.known);
        (known, &mut outside.ports)
    }

    /// Does a guard need accelerations of the mechanics?
    pub fn guards_wait(&self) -> bool {
        self.now.combinations.get().is_some_and(|present| present.fixed.coupled.guards_wait)
    }

    /// For each port: do the networks determine coordinate and speed? Nothing before the start.
    pub fn fixed_ports(&self) -> &[[bool; 2]] {
        self.now.combinations.get().map_or(&[], |present| &present.fixed.coupled.fixed)
    }

    /// For each open port: is its acceleration determined by the networks? Nothing if the ports are closed.
    pub fn held(&self) -> &[bool] {
        self.now.combinations.get().map_or(&[], |present| &present.fixed.coupled.held)
    }

    /// Are the ports open?
    pub fn is_open(&self) -> bool {
        self.now.combinations.get().is_some_and(|present| present.fixed.kind == Valves::Open)
    }

    /// The forces of open ports as functions of accelerations.
    pub fn drives(&self) -> Option<&Drives> {
        self.now.combinations.get()?.now.drives.as_deref()
    }

    /// What the networks do at the ports; nothing before the start.
    pub fn at_ports(&self) -> Option<AtPorts<'_>> {
        Some(AtPorts::new(self.network, self.now.combinations.get()?))
    }

    /// The coordinate (0) or speed (1) of a port that the networks determine.
    pub fn fixed_value(&self, port: usize, order: usize) -> f64 {
        self.before(self.network.before_forces().determined(port, order))
    }

    /// A signal that the mechanics uses. A register has a value before the start, too.
    pub fn used(&self, number: usize) -> f64 {
        if !self.has_begun()
            && let Node::Memory(register) = self.network.arena.node(self.network.used[number])
        {
            return self.now.discrete.memory[register as usize];
        }
        self.before(self.network.before_forces().used(number))
    }

    /// A number that is computed before the forces of the mechanics; zero before the start.
    fn before(&self, number: usize) -> f64 {
        self.now.combinations.get().map_or(0.0, |present| present.asked(Level::Forces, number))
    }

    /// A signal, after all levels are computed; not a number in an analysis that leaves the networks out.
    pub fn result(&self, place: usize) -> f64 {
        let present = self.now.combinations.get();
        present.map_or(f64::NAN, |present| present.asked(Level::Results, place))
    }

    /// The sum of the powers that flow into all elements, and the largest of them; after all levels are computed.
    pub fn powers(&self) -> (f64, f64) {
        let powers = self.network.powers.iter().map(|&(place, sign)| sign * self.result(place));
        powers.fold((0.0, 0.0), |(sum, largest), power| (sum + power, power.abs().max(largest)))
    }

    /// What rates and forces depend on in the present modes; none before the start.
    pub fn origins(&self) -> Option<Origins> {
        Some(Dependences::new(self.network, self.now.combinations.get()?).origins())
    }

    /// For each state the rates that may depend on it, in some mode.
    pub fn dependences(&self) -> Vec<Vec<usize>> {
        rate_origins::in_any_mode(self.network, self.now.combinations.get())
    }

    /// The pattern of the whole system in the present combination, which is found once.
    pub fn known_pattern(&self, find: impl Fn() -> Pattern) -> Pattern {
        let present = self.now.combinations.get();
        present.map_or_else(&find, |present| present.fixed.pattern.get_or_init(&find).clone())
    }

    /// Does the rate of a state wait for the accelerations of the mechanics?
    pub fn is_late(&self, state: usize) -> bool {
        let present = self.now.combinations.get();
        present.is_some_and(|present| present.fixed.coupled.late_rates.get(state) == Some(&true))
    }
}
