//! Registers while time passes.

use crate::prepared::event_values::EventValues;
use crate::prepared::network_model::Network;
use crate::run::delay_history::{History, POINTS};
use crate::run::left_limit as left;
use crate::run::settle::Unsettled;
use equations::clock::just_before;
use equations::discrete::Sampler;
use equations::programs::UsedSignal;

/// What the discrete part of the networks remembers.
#[derive(educe::Educe)]
#[educe(Clone)]
pub struct DiscreteRun {
    /// The registers.
    pub memory: Vec<f64>,
    /// The registers before the last event.
    pub before: Vec<f64>,
    /// Are the registers those before the last event, for a row of results?
    pub is_looking_back: bool,
    /// Has a value from outside changed since the last event?
    is_given: bool,
    /// Signals just before the present event.
    left: Vec<f64>,
    /// Number of the last instant of each clock.
    fired: Vec<f64>,
    /// Watched values as they were last.
    seen: Vec<f64>,
    /// Values of all sampled inputs.
    inputs: Vec<f64>,
    /// Operands of a sampled input while it is evaluated.
    stack: Vec<[f64; 2]>,
    /// The past of each delay line.
    histories: Vec<History>,
    /// The inputs of each delay line at the points of the present part of a step.
    points: Vec<[f64; POINTS]>,
    /// The lowest order of the breaks that outputs of delay lines pass in this event.
    order: Option<u8>,
    /// First instant of the run, s.
    start: f64,
}

impl DiscreteRun {
    /// Registers at the start of a run, s.
    pub fn new(network: &Network, start: f64) -> Self {
        let discrete = &network.flat.discrete;
        let watched = discrete.watchers.iter().map(|watcher| watcher.watched.len()).sum();
        Self {
            memory: discrete.first.clone(),
            before: discrete.first.clone(),
            is_looking_back: false,
            is_given: false,
            left: vec![0.0; network.flat.programs.signals.len()],
            fired: vec![-1.0; discrete.clocks.len()],
            seen: vec![0.0; watched],
            inputs: vec![0.0; discrete.inputs.len()],
            stack: Vec::new(),
            histories: Vec::new(),
            points: vec![[0.0; POINTS]; discrete.delays.len()],
            order: None,
            start,
        }
    }

    /// Lets the outputs of delay lines follow their histories. Allocates nothing.
    pub fn follow(&mut self, network: &Network, t: f64) {
        if self.is_looking_back {
            return;
        }
        for (history, delay) in self.histories.iter().zip(&network.flat.discrete.delays) {
            self.memory[delay.register] = history.value(t);
        }
    }

    /// The next known instant.
    pub fn next_instant(&self, network: &Network, t: f64) -> Option<f64> {
        let discrete = &network.flat.discrete;
        let clocks = discrete.clocks.iter().map(|clock| clock.next(t));
        let histories = self.histories.iter().map(|history| history.next(t));
        let watchers = discrete.watchers.iter().flat_map(|watcher| {
            let instants = watcher.law.instants(&self.memory[watcher.y.clone()]);
            instants
                .into_iter()
                .flatten()
                .filter(|&next| next > t && !equations::clock::same(next, t))
        });
        clocks.chain(histories).chain(watchers).min_by(f64::total_cmp)
    }

    /// The value of a sampled input with the registers as they are now and all other signals as they were before the event.
    fn input(&mut self, network: &Network, input: usize, t: f64) -> f64 {
        let programs = &network.flat.programs;
        let signal = |number: u32| match programs.signals[number as usize] {
            UsedSignal::Memory(register) => self.memory[register as usize],
            _ => self.left[number as usize],
        };
        let before = if t == self.start { t } else { just_before(t) };
        let program = &network.flat.discrete.inputs[input];
        left::evaluate(program, [t, before], &signal, &mut self.stack)
    }

    /// All inputs of a block.
    fn fill_inputs(&mut self, network: &Network, inputs: std::ops::Range<usize>, t: f64) {
        for input in inputs {
            self.inputs[input] = self.input(network, input, t);
        }
    }

    /// Lets the samplers act whose instant it is. True if any did.
    fn sample(&mut self, network: &Network, t: f64) -> bool {
        let discrete = &network.flat.discrete;
        let due: Vec<bool> = (discrete.clocks.iter().zip(&mut self.fired))
            .map(|(clock, fired)| {
                let count = clock.count(t);
                let is_due = count > *fired;
                *fired = fired.max(count);
                is_due
            })
            .collect();
        if !due.contains(&true) {
            return false;
        }
        let is_due = |sampler: &Sampler| due[sampler.clock];
        for sampler in discrete.order.iter().map(|&k| &discrete.samplers[k]).filter(|s| is_due(s)) {
            if sampler.feeds_through {
                self.fill_inputs(network, sampler.inputs.clone(), t);
            }
            let (x, y) = self.memory.split_at_mut(sampler.y.start);
            let u = &self.inputs[sampler.inputs.clone()];
            sampler.law.output(&x[sampler.x.clone()], u, &mut y[..sampler.y.len()]);
        }
        // All outputs are new now, which blocks without a direct way through see in their inputs.
        for sampler in discrete.samplers.iter().filter(|s| is_due(s) && !s.feeds_through) {
            self.fill_inputs(network, sampler.inputs.clone(), t);
        }
        for sampler in discrete.samplers.iter().filter(|s| is_due(s)) {
            let (x, y) = self.memory.split_at_mut(sampler.y.start);
            let u = &self.inputs[sampler.inputs.clone()];
            sampler.law.advance(&mut x[sampler.x.clone()], u, &y[..sampler.y.len()]);
        }
        true
    }

    /// Lets the watchers act on what they see. True if a register changed.
    fn react(&mut self, network: &Network, t: f64, now: &[f64]) -> Result<bool, (u32, String)> {
        let mut first = 0;
        let mut changed = false;
        for watcher in &network.flat.discrete.watchers {
            let watched = first..first + watcher.watched.len();
            first = watched.end;
            self.fill_inputs(network, watcher.inputs.clone(), t);
            let u = &self.inputs[watcher.inputs.clone()];
            let y = &mut self.memory[watcher.y.clone()];
            let old = y.to_vec();
            let acted = watcher.law.act(&now[watched.clone()], &self.seen[watched.clone()], u, y);
            acted.map_err(|words| (watcher.block, words))?;
            changed |= old != y;
            self.seen[watched.clone()].copy_from_slice(&now[watched]);
        }
        Ok(changed)
    }

    /// Registers that follow from the values at the start. True if one changed.
    pub(crate) fn start(
        &mut self,
        network: &Network,
        events: EventValues<'_>,
    ) -> Result<bool, Unsettled> {
        let old = self.memory.clone();
        let now: Vec<f64> = events.watched().collect();
        let discrete = &network.flat.discrete;
        let mut first = 0;
        for watcher in &discrete.watchers {
            let watched = first..first + watcher.watched.len();
            first = watched.end;
            let begun = watcher.law.begin(&now[watched], &mut self.memory[watcher.y.clone()]);
            begun.map_err(|words| Unsettled::Refused(watcher.block, words))?;
        }
        for (delay, input) in discrete.delays.iter().zip(events.delays()) {
            self.memory[delay.register] = delay.initial.unwrap_or(input);
        }
        Ok(self.memory != old)
    }

    /// Takes the registers that the operating point gives.
    pub(crate) fn take_steady(&mut self, network: &Network, events: EventValues<'_>) {
        for (register, value) in network.flat.discrete.steady.iter().zip(events.steady()) {
            self.memory[register.register as usize] = value;
        }
    }

    /// The start is found: edges and histories begin here.
    pub(crate) fn begin(&mut self, network: &Network, events: EventValues<'_>, t: f64) {
        self.seen.clear();
        self.seen.extend(events.watched());
        let delays = network.flat.discrete.delays.iter().zip(events.delays());
        self.histories = delays
            .map(|(delay, input)| {
                History::new(delay.delay, t, delay.initial.unwrap_or(input), input)
            })
            .collect();
    }

    /// The discrete part of one pass of an event. True if a register changed. `events` and `signals` are as they are before
    /// the pass.
    pub(crate) fn switch(
        &mut self,
        network: &Network,
        events: EventValues<'_>,
        signals: &[f64],
        pass: EventPass,
    ) -> Result<bool, Unsettled> {
        let EventPass { t, iteration } = pass;
        let now: Vec<f64> = events.watched().collect();
        let mut changed = false;
        if iteration == 0 {
            // Clocks and the breaks of delay lines act once, with the signals before the event.
            self.left.copy_from_slice(signals);
            self.order = None;
            changed |= std::mem::take(&mut self.is_given);
            changed |= self.sample(network, t);
            for history in &mut self.histories {
                let passed = history.pass(t);
                changed |= passed.is_some();
                self.order = passed.or(self.order).min(self.order.or(passed));
            }
        } else {
            // The inputs of delay lines behind the event.
            let lines = network.flat.discrete.delays.iter().zip(events.delays());
            for (history, (line, input)) in self.histories.iter_mut().zip(lines) {
                if t == self.start {
                    history.begin(input, line.initial);
                } else {
                    history.note(t, input, self.order);
                }
            }
        }
        let reacted = self.react(network, t, &now);
        changed |= reacted.map_err(|(block, words)| Unsettled::Refused(block, words))?;
        Ok(changed)
    }

    /// Gives a register a value from outside; an event has to follow where that is another value than before.
    pub fn give(&mut self, register: usize, value: f64) -> bool {
        let is_other = self.memory[register].to_bits() != value.to_bits();
        self.memory[register] = value;
        self.is_given |= is_other;
        is_other
    }

    /// Puts the registers before the last event in force.
    pub fn look_back(&mut self) {
        self.memory.copy_from_slice(&self.before);
        self.is_looking_back = true;
    }

    /// Puts given registers in force.
    pub fn set(&mut self, registers: &[f64]) {
        self.memory.copy_from_slice(registers);
        self.is_looking_back = false;
    }

    /// Keeps the registers as those before an event.
    pub fn keep(&mut self) {
        self.before.copy_from_slice(&self.memory);
    }

    /// Remembers the inputs of the delay lines at a point of a part of a step; the last point completes the part.
    pub(crate) fn record(&mut self, events: EventValues<'_>, part: [f64; 2], point: usize) {
        for (line, points) in self.points.iter_mut().enumerate() {
            points[point] = events.delay(line);
            if point + 1 == POINTS
                && let Some(history) = self.histories.get_mut(line)
            {
                history.record(part, *points);
            }
        }
    }

    /// Is there a delay line whose input has to be recorded?
    pub fn has_delays(&self) -> bool {
        !self.points.is_empty()
    }
}

/// One pass of the event iteration.
#[derive(Clone, Copy)]
pub(crate) struct EventPass {
    pub t: f64,
    /// Counted from 0.
    pub iteration: usize,
}
