//! Elements of plugins in motion: what they apply, how they switch, what they show.

use super::element_states::PASSES_TOGETHER;
use super::{Failure, Run};
use crate::system::System;
use crate::system::plugin_elements::PluginElement;
use integrate::{Change, ChangeList, Event, GuardId, Side};
use language::plugin::instance::guarded;
use language::plugin::{Forces, Observed, State};
use mechanics::forces::law::BodyLoad;

/// What changes of the plugins while time passes.
#[derive(educe::Educe)]
#[educe(Clone)]
pub(super) struct PluginStates {
    /// Discrete states, and their values before the last event.
    pub states: Vec<u8>,
    pub before: Vec<u8>,
    /// What plugins remember.
    pub memory: Vec<f64>,
    /// Where a switching plugin writes what it remembers.
    next_memory: Vec<f64>,
    /// Power of each plugin, W.
    pub powers: Vec<f64>,
    /// Energy that each plugin stores, as last observed, J.
    energies: Vec<f64>,
    /// Signals of all plugins, as last observed.
    signals: Vec<f64>,
    /// Buffer for the forces of one plugin.
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

    /// A signal of a plugin, as last observed.
    pub fn signal(&self, plugin: &PluginElement, signal: usize) -> f64 {
        self.signals[plugin.signals.start + signal]
    }

    /// Energy stored in all plugins, as last observed, J.
    pub fn energy(&self) -> f64 {
        self.energies.iter().sum()
    }
}

/// Calls the plugins of a run. A panic ends the run: no plugin is called again after one.
pub(super) struct PluginCalls<'r, 's> {
    run: &'r mut Run<'s>,
}

impl<'r, 's> PluginCalls<'r, 's> {
    /// Calls of the plugins of a run.
    pub fn new(run: &'r mut Run<'s>) -> Self {
        Self { run }
    }

    fn check_panicked(&self) -> Result<(), Failure> {
        self.run.now.plugins.panicked.clone().map_or(Ok(()), Err)
    }

    fn fault(&self, plugin: usize, reason: impl Into<std::borrow::Cow<'static, str>>) -> Failure {
        Failure::Plugin { plugin, t: self.run.now.t, reason: reason.into() }
    }

    fn panicked(&mut self, plugin: usize, message: &str) -> Failure {
        let failure = self.fault(plugin, format!("it panicked: {message}"));
        self.run.now.plugins.panicked = Some(failure.clone());
        failure
    }

    /// Adds the forces of all plugins up.
    #[inline]
    pub fn apply(&mut self) -> Result<(), Failure> {
        if self.run.system.plugins.list.is_empty() { Ok(()) } else { self.apply_all() }
    }

    fn apply_all(&mut self) -> Result<(), Failure> {
        let system = self.run.system;
        self.check_panicked()?;
        for (index, plugin) in system.plugins.list.iter().enumerate() {
            if !plugin.is_force {
                continue;
            }
            let mut forces = std::mem::take(&mut self.run.now.plugins.forces);
            forces.clear();
            let now = State::new(self.run, index);
            let applied = guarded(|| plugin.instance.apply(&now, &mut forces));
            let added = match applied {
                Ok(Ok(())) => self.add_forces(index, &forces),
                Ok(Err(reason)) => Err(self.fault(index, reason.0)),
                Err(message) => Err(self.panicked(index, &message)),
            };
            self.run.now.plugins.forces = forces;
            added?;
        }
        Ok(())
    }

    fn add_forces(&mut self, plugin: usize, forces: &Forces) -> Result<(), Failure> {
        let mut power = 0.0;
        for &(body, point, load) in &forces.loads {
            if !(point.is_finite() && load.is_finite()) {
                let name = self.run.system.model.body_name(body);
                let reason = format!("its force on the body `{name}` is not finite");
                return Err(self.fault(plugin, reason));
            }
            let load = BodyLoad { body: self.run.system.bodies[body.index()], point, load };
            power += self.run.now.bodies.load_power(&self.run.system.tree, &load);
            self.run.now.bodies.add_load(&load);
        }
        for &(joint, component, force) in &forces.generalised {
            power += self.add_generalised(plugin, joint, component, force)?;
        }
        self.run.now.plugins.powers[plugin] = power;
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
        let found = self.run.system.coordinates[joint.index()];
        let Some(coordinates) = found.filter(|found| component < found.count()) else {
            let name = self.run.system.model.block_name(self.run.system.model.joint(joint).block);
            let reason = format!("the joint `{name}` has no coordinate {component} from 0");
            return Err(self.fault(plugin, reason));
        };
        if !force.is_finite() {
            let name = self.run.system.model.block_name(self.run.system.model.joint(joint).block);
            let reason = format!("its force on the joint `{name}` is not finite");
            return Err(self.fault(plugin, reason));
        }
        let (q, v) = (&self.run.now.bodies.q, &self.run.now.bodies.v);
        let (x, _) = coordinates.read(q, v, &self.run.now.joints.last_angles[joint.index()]);
        let mut forces = [0.0; 6];
        forces[component] = force;
        let effect = coordinates.effect(&x, &forces[..coordinates.count()]);
        let bodies = &mut self.run.now.bodies;
        bodies.add_effect(&effect);
        Ok(bodies.power(&self.run.system.tree, &effect))
    }

    /// Writes the guards of the discrete states of plugins.
    #[inline]
    pub fn fill_guards(&mut self, values: &mut [f64]) -> Result<(), Failure> {
        if self.run.system.plugins.n_states == 0 { Ok(()) } else { self.fill_all_guards(values) }
    }

    fn fill_all_guards(&mut self, values: &mut [f64]) -> Result<(), Failure> {
        let system = self.run.system;
        self.check_panicked()?;
        for (index, plugin) in system.plugins.list.iter().enumerate() {
            for (state, at) in plugin.states.clone().enumerate() {
                let now = State::new(self.run, index);
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
    pub fn settle(&mut self, event: &Event<'_>, changes: &mut ChangeList) -> Result<(), Failure> {
        let system = self.run.system;
        if event.iteration == 0 {
            self.run.now.plugins.before.copy_from_slice(&self.run.now.plugins.states);
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
                let from = self.run.now.plugins.states[at];
                let to = self.switch(index, state)?;
                if to != from {
                    self.run.now.plugins.states[at] = to;
                    changes.push(Change { guard, from: i32::from(from), to: i32::from(to) });
                }
            }
        }
        Ok(())
    }

    /// Asks a plugin for the next value of a state.
    fn switch(&mut self, index: usize, state: usize) -> Result<u8, Failure> {
        let plugin = &self.run.system.plugins.list[index];
        let mut memory = std::mem::take(&mut self.run.now.plugins.next_memory);
        let next = &mut memory[plugin.memory.clone()];
        next.copy_from_slice(self.run.memory(index));
        let now = State::new(self.run, index);
        let switched = guarded(|| plugin.instance.switch(state, &now, next));
        let finite = next.iter().all(|number| number.is_finite());
        self.run.now.plugins.memory[plugin.memory.clone()].copy_from_slice(next);
        self.run.now.plugins.next_memory = memory;
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
    pub fn observe(&mut self) -> Result<(), Failure> {
        let system = self.run.system;
        for (index, plugin) in system.plugins.list.iter().enumerate() {
            self.check_panicked()?;
            let mut signals = std::mem::take(&mut self.run.now.plugins.signals);
            let values = &mut signals[plugin.signals.clone()];
            let stores = plugin.is_force && plugin.work.is_none();
            let now = State::new(self.run, index);
            let shown = guarded(|| {
                plugin.instance.signals(&now, values);
                if stores { plugin.instance.energy(&now) } else { 0.0 }
            });
            let finite = values.iter().all(|value| value.is_finite());
            self.run.now.plugins.signals = signals;
            let energy = shown.map_err(|message| self.panicked(index, &message))?;
            if !finite || !energy.is_finite() {
                let what = if finite { "its energy" } else { "one of its signals" };
                return Err(self.fault(index, format!("{what} is not finite")));
            }
            self.run.now.plugins.energies[index] = energy;
        }
        Ok(())
    }
}
