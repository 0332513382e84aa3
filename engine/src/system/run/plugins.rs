//! Elements of plugins in motion: what they apply, how they switch, what they show.

use super::modes::PASSES_TOGETHER;
use super::{Failure, Run};
use crate::system::{System, source};
use equations::expression::SignalRef;
use integrate::{Change, ChangeList, Event, GuardId, Side};
use language::model::Model;
use language::plugin::instance::guarded;
use language::plugin::{Forces, Observed, State};
use mechanics::forces::law::{BodyLoad, Effect};
use mechanics::{Motion, Pose, Vec3};

/// What changes of the plugins while time passes.
#[derive(Clone)]
pub(super) struct PluginStates {
    /// Discrete states, and their values before the last event.
    pub states: Vec<u8>,
    pub before: Vec<u8>,
    memory: Vec<f64>,
    /// Where a switching plugin writes what it remembers.
    next_memory: Vec<f64>,
    pub powers: Vec<f64>,
    energies: Vec<f64>,
    signals: Vec<f64>,
    forces: Forces,
    /// A plugin that has panicked is not called again.
    panicked: Option<Failure>,
}

impl PluginStates {
    pub fn new(system: &System) -> Self {
        let all = &system.plugins;
        let first = all.list.iter().flat_map(|plugin| &plugin.declared);
        let states: Vec<u8> = first.map(|state| state.first).collect();
        let memory = all.list.iter().flat_map(|plugin| &plugin.first_memory);
        let memory: Vec<f64> = memory.copied().collect();
        Self {
            before: states.clone(),
            states,
            next_memory: memory.clone(),
            memory,
            powers: vec![0.0; all.list.len()],
            energies: vec![0.0; all.list.len()],
            signals: vec![0.0; all.n_signals],
            forces: if all.list.is_empty() { Forces::default() } else { Forces::with_room() },
            panicked: None,
        }
    }
}

/// What plugins read of a run.
impl Observed for Run<'_> {
    fn time(&self) -> f64 {
        self.now.t
    }

    fn model(&self) -> &Model {
        &self.system.model
    }

    fn body(&self, body: usize) -> (Pose, Motion) {
        (self.body_pose(body), self.body_twist(body))
    }

    fn centre(&self, body: usize) -> Vec3 {
        self.body_centre(body)
    }

    fn triad(&self, triad: usize) -> (Pose, Motion) {
        let placed = self.view().place(&self.system.triads[triad]);
        (placed.pose, placed.twist)
    }

    fn n_coordinates(&self, joint: usize) -> usize {
        self.system.coordinates[joint].map_or(0, |coordinates| coordinates.count())
    }

    fn coordinate(&self, joint: usize, component: usize) -> [f64; 2] {
        // Only plugins ask, whose panics are caught: that of a wrong index tells them what is wrong.
        let Some(coordinates) = &self.system.coordinates[joint] else { return [][component] };
        let (q, v) = (&self.now.q, &self.now.v);
        match coordinates.angles {
            None => {
                let q = &q[coordinates.q..][..coordinates.count()];
                [q[component], v[coordinates.v + component]]
            }
            Some(_) => {
                let (x, rates) = coordinates.read(q, v, &self.now.last_angles[joint]);
                [x[..coordinates.count()][component], rates[component]]
            }
        }
    }

    fn signal(&self, signal: SignalRef) -> f64 {
        Run::signal(self, source(self.system, signal))
    }

    fn input(&self, plugin: usize, input: usize) -> f64 {
        self.now.inputs[self.system.plugins.list[plugin].first_input + input]
    }

    fn states(&self, plugin: usize) -> &[u8] {
        &self.now.plugins.states[self.system.plugins.list[plugin].states.clone()]
    }

    fn states_before(&self, plugin: usize) -> &[u8] {
        &self.now.plugins.before[self.system.plugins.list[plugin].states.clone()]
    }

    fn memory(&self, plugin: usize) -> &[f64] {
        &self.now.plugins.memory[self.system.plugins.list[plugin].memory.clone()]
    }

    fn mode_word(&self, block: u32, part: &str) -> Option<&'static str> {
        let all = &self.system.plugins;
        if let Some(plugin) = all.of_block(block) {
            let at = plugin.declared.iter().position(|state| state.name == part)?;
            let value = self.now.plugins.states[plugin.states.start + at];
            return plugin.declared[at].values.get(usize::from(value)).copied();
        }
        let first = all.first_element(block)?;
        let parts = self.system.elements[first..].iter().zip(&self.now.modes[first..]);
        let mut parts = parts.take_while(|(element, _)| element.block == block);
        let (element, &mode) = parts.find(|(element, _)| element.part == part)?;
        Some(element.law.mode_word(mode))
    }
}

/// What plugins show.
impl Run<'_> {
    /// Power of a plugin, W.
    pub(super) fn plugin_power(&self, plugin: usize) -> f64 {
        self.now.plugins.powers[plugin]
    }

    /// A signal of a plugin, as `observe` found it.
    pub(super) fn plugin_signal(&self, plugin: usize, signal: usize) -> f64 {
        self.now.plugins.signals[self.system.plugins.list[plugin].signals.start + signal]
    }

    /// Energy stored in plugins, as `observe` found it, J.
    pub(super) fn plugin_energy(&self) -> f64 {
        self.now.plugins.energies.iter().sum()
    }
}

/// Calls of plugins. A panic ends the run: no plugin is called again after one.
impl Run<'_> {
    fn check_panicked(&self) -> Result<(), Failure> {
        self.now.plugins.panicked.clone().map_or(Ok(()), Err)
    }

    fn fault(&self, plugin: usize, reason: impl Into<std::borrow::Cow<'static, str>>) -> Failure {
        Failure::Plugin { plugin, t: self.now.t, reason: reason.into() }
    }

    fn panicked(&mut self, plugin: usize, message: &str) -> Failure {
        let failure = self.fault(plugin, format!("it panicked: {message}"));
        self.now.plugins.panicked = Some(failure.clone());
        failure
    }

    /// Adds the forces of all plugins up.
    pub(super) fn apply_plugins(&mut self) -> Result<(), Failure> {
        let system = self.system;
        if system.plugins.list.is_empty() {
            return Ok(());
        }
        self.check_panicked()?;
        for (index, plugin) in system.plugins.list.iter().enumerate() {
            if !plugin.is_force {
                continue;
            }
            let mut forces = std::mem::take(&mut self.now.plugins.forces);
            forces.clear();
            let now = State::new(self, index);
            let applied = guarded(|| plugin.instance.apply(&now, &mut forces));
            let added = match applied {
                Ok(Ok(())) => self.add_forces(index, &forces),
                Ok(Err(reason)) => Err(self.fault(index, reason.0)),
                Err(message) => Err(self.panicked(index, &message)),
            };
            self.now.plugins.forces = forces;
            added?;
        }
        Ok(())
    }

    fn add_forces(&mut self, plugin: usize, forces: &Forces) -> Result<(), Failure> {
        let mut power = 0.0;
        for &(body, point, load) in &forces.loads {
            if !(point.is_finite() && load.is_finite()) {
                let name = self.system.model.body_name(body);
                let reason = format!("its force on the body `{name}` is not finite");
                return Err(self.fault(plugin, reason));
            }
            let load = BodyLoad { body: self.system.bodies[body.index()], point, load };
            power += self.load_power(&load);
            self.add(&load);
        }
        for &(joint, component, force) in &forces.generalised {
            power += self.add_generalised(plugin, joint, component, force)?;
        }
        self.now.plugins.powers[plugin] = power;
        Ok(())
    }

    /// Adds a generalised force; gives its power.
    fn add_generalised(
        &mut self,
        plugin: usize,
        joint: language::plugin::JointHandle,
        component: usize,
        force: f64,
    ) -> Result<f64, Failure> {
        let found = self.system.coordinates[joint.index()];
        let Some(coordinates) = found.filter(|found| component < found.count()) else {
            let name = self.system.model.block_name(self.system.model.joint(joint).block);
            let reason = format!("the joint `{name}` has no coordinate {component} from 0");
            return Err(self.fault(plugin, reason));
        };
        if !force.is_finite() {
            let name = self.system.model.block_name(self.system.model.joint(joint).block);
            let reason = format!("its force on the joint `{name}` is not finite");
            return Err(self.fault(plugin, reason));
        }
        let (q, v) = (&self.now.q, &self.now.v);
        let (x, _) = coordinates.read(q, v, &self.now.last_angles[joint.index()]);
        let mut forces = [0.0; 6];
        forces[component] = force;
        let effect = coordinates.effect(&x, &forces[..coordinates.count()]);
        let power = self.power(&effect);
        if let Effect::Joint { start, count, tau } = effect {
            let sums = self.now.tau[start..start + count].iter_mut();
            sums.zip(tau).for_each(|(sum, tau)| *sum += tau);
        }
        Ok(power)
    }

    /// Writes the guards of the discrete states of plugins.
    pub(super) fn fill_plugin_guards(&mut self, values: &mut [f64]) -> Result<(), Failure> {
        let system = self.system;
        if system.plugins.n_states == 0 {
            return Ok(());
        }
        self.check_panicked()?;
        for (index, plugin) in system.plugins.list.iter().enumerate() {
            for (state, at) in plugin.states.clone().enumerate() {
                let now = State::new(self, index);
                match guarded(|| plugin.instance.switching_function(state, &now)) {
                    Ok(value) if value.is_finite() => values[at] = value,
                    Ok(_) => return Err(self.fault(index, "a switching function is not finite")),
                    Err(message) => return Err(self.panicked(index, &message)),
                }
            }
        }
        Ok(())
    }

    /// One pass of the event iteration.
    pub(super) fn settle_plugins(
        &mut self,
        event: &Event<'_>,
        changes: &mut ChangeList,
    ) -> Result<(), Failure> {
        let system = self.system;
        if event.iteration == 0 {
            self.now.plugins.before.copy_from_slice(&self.now.plugins.states);
        }
        if system.plugins.n_states == 0 {
            return Ok(());
        }
        self.check_panicked()?;
        for (index, plugin) in system.plugins.list.iter().enumerate() {
            for (state, at) in plugin.states.clone().enumerate() {
                let guard = GuardId(system.plugins.first_guard + at);
                let alone = event.iteration >= PASSES_TOGETHER && !changes.is_settled();
                if event.side(guard) != Some(Side::Negative) || alone {
                    continue;
                }
                let from = self.now.plugins.states[at];
                let to = self.switch_plugin(index, state)?;
                if to != from {
                    self.now.plugins.states[at] = to;
                    changes.push(Change { guard, from: i32::from(from), to: i32::from(to) });
                }
            }
        }
        Ok(())
    }

    /// Asks a plugin for the next value of a state.
    fn switch_plugin(&mut self, index: usize, state: usize) -> Result<u8, Failure> {
        let plugin = &self.system.plugins.list[index];
        let mut memory = std::mem::take(&mut self.now.plugins.next_memory);
        let next = &mut memory[plugin.memory.clone()];
        next.copy_from_slice(self.memory(index));
        let now = State::new(self, index);
        let switched = guarded(|| plugin.instance.switch(state, &now, next));
        let finite = next.iter().all(|number| number.is_finite());
        self.now.plugins.memory[plugin.memory.clone()].copy_from_slice(next);
        self.now.plugins.next_memory = memory;
        let value = switched.map_err(|message| self.panicked(index, &message))?;
        if !finite {
            return Err(self.fault(index, "it remembers a number that is not finite"));
        }
        let declared = &plugin.declared[state];
        if usize::from(value) < declared.values.len() {
            return Ok(value);
        }
        let (name, n_values) = (&declared.name, declared.values.len());
        let reason = format!("its state `{name}` switches to value {value}, but has {n_values}");
        Err(self.fault(index, reason))
    }

    /// Energies and signals of plugins for the results.
    pub(super) fn observe_plugins(&mut self) -> Result<(), Failure> {
        let system = self.system;
        for (index, plugin) in system.plugins.list.iter().enumerate() {
            self.check_panicked()?;
            let mut signals = std::mem::take(&mut self.now.plugins.signals);
            let values = &mut signals[plugin.signals.clone()];
            let stores = plugin.is_force && plugin.work.is_none();
            let now = State::new(self, index);
            let shown = guarded(|| {
                plugin.instance.signals(&now, values);
                if stores { plugin.instance.energy(&now) } else { 0.0 }
            });
            let finite = values.iter().all(|value| value.is_finite());
            self.now.plugins.signals = signals;
            let energy = shown.map_err(|message| self.panicked(index, &message))?;
            if !finite || !energy.is_finite() {
                let what = if finite { "its energy" } else { "one of its signals" };
                return Err(self.fault(index, format!("{what} is not finite")));
            }
            self.now.plugins.energies[index] = energy;
        }
        Ok(())
    }
}
