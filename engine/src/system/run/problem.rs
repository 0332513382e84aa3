//! A run as the integrators see it: derivatives, guards, events.

use super::super::structure::{self, When};
use super::Run;
use crate::network::NetworkRun;
use integrate::{ChangeList, EvaluationError, Event, Matrix, Pattern, Problem, Side};

impl Problem for Run<'_> {
    fn len(&self) -> usize {
        self.system.n_states()
    }

    fn derivatives(&mut self, t: f64, y: &[f64], ydot: &mut [f64]) -> Result<(), EvaluationError> {
        // A failure that a shorter step got over is no reason for a later one.
        self.failure = None;
        let computed = self
            .update(t, y)
            .and_then(|()| self.apply_forces())
            .and_then(|()| self.accelerate(false));
        computed.map_err(|failure| self.fail(failure))?;
        let tree = &self.system.tree;
        if !self.system.constraints.drives.is_empty() {
            self.react();
        }
        let (q, v, _) = self.system.split(&self.now.y);
        let (qdot, rest) = ydot.split_at_mut(tree.n_q());
        let (vdot, work) = rest.split_at_mut(tree.n_v());
        if let Some(network) = &self.network {
            network.rates(&mut work[self.system.n_work..]);
        }
        tree.fill_coordinate_rates(q, v, qdot);
        vdot.copy_from_slice(&self.now.vdot[..tree.n_v()]);
        for (element, power) in self.system.elements.iter().zip(&self.now.powers) {
            if let Some(place) = element.work {
                work[place] = *power;
            }
        }
        for (index, drive) in self.system.constraints.drives.iter().enumerate() {
            work[drive.work] = self.drive_power(index);
        }
        if let Some(ports) = &self.now.ports {
            work[self.system.ports.work] = ports.power;
        }
        for (plugin, power) in self.system.plugins.list.iter().zip(&self.now.plugins.powers) {
            if let Some(place) = plugin.work {
                work[place] = *power;
            }
        }
        self.now.is_evaluated = true;
        Ok(())
    }

    fn part_derivatives(
        &mut self,
        part: &[usize],
        t: f64,
        y: &[f64],
        ydot: &mut [f64],
    ) -> Result<(), EvaluationError> {
        self.now.is_evaluated = false;
        self.some_derivatives(part, t, y, ydot, false)
    }

    fn held_derivatives(
        &mut self,
        part: &[usize],
        t: f64,
        y: &[f64],
        ydot: &mut [f64],
    ) -> Result<(), EvaluationError> {
        self.now.is_evaluated = false;
        self.some_derivatives(part, t, y, ydot, true)
    }

    fn held_pattern(&self) -> Option<Pattern> {
        let network = self.network.as_ref();
        let is_free = self.system.constraints.is_empty();
        is_free.then(|| structure::pattern(self.system, network, When::Held))
    }

    fn cheap_states(&self) -> std::ops::Range<usize> {
        if self.system.tree.n_v() > 0 { self.system.network_states() } else { 0..0 }
    }

    fn integrals(&self) -> std::ops::Range<usize> {
        let is_driven = !self.system.constraints.drives.is_empty();
        0..if is_driven { 0 } else { self.system.tree.n_q() }
    }

    fn project(&mut self, t: f64, y: &mut [f64]) -> Result<(), EvaluationError> {
        let projected = self.take_over(t, y).and_then(|()| self.project_state(t, y));
        projected.map_err(|failure| self.fail(failure))
    }

    fn jacobian(
        &mut self,
        t: f64,
        y: &[f64],
        _: &[f64],
        jacobian: &mut Matrix,
    ) -> Option<Result<(), EvaluationError>> {
        self.network_jacobian(t, y, jacobian)
    }

    fn follow(&mut self, y: &mut [f64]) -> Result<(), EvaluationError> {
        self.follow_network(y).map_err(|failure| self.fail(failure))
    }

    fn jacobian_pattern(&self) -> Option<Pattern> {
        let network = self.network.as_ref();
        self.system
            .constraints
            .is_empty()
            .then(|| structure::pattern(self.system, network, When::Ever))
    }

    fn pattern_now(&self) -> Option<Pattern> {
        let network = self.network.as_ref();
        let is_free = self.system.constraints.is_empty();
        let find = || structure::pattern(self.system, network, When::Now);
        is_free.then(|| network.map_or_else(find, |network| network.known_pattern(find)))
    }

    fn structure(&self) -> u64 {
        self.network.as_ref().map_or(0, |network| network.choices_made() as u64)
    }

    fn n_guards(&self) -> usize {
        self.system.n_guards
    }

    fn guards(
        &mut self,
        t: f64,
        y: &[f64],
        _: &[f64],
        values: &mut [f64],
    ) -> Result<(), EvaluationError> {
        // At the end of a step the derivatives have just been computed.
        let is_known = self.now.is_evaluated
            && !self.now.asks_drive
            && t == self.now.t
            && *y == self.now.y[..];
        if !is_known {
            let updated = self.update(t, y).and_then(|()| self.update_drive());
            updated.map_err(|failure| self.fail(failure))?;
        }
        for (index, element) in self.system.elements.iter().enumerate() {
            if element.guards.is_empty() {
                continue;
            }
            let values = &mut values[element.guards.clone()];
            element.law.guards(&self.view(), self.frozen(index, element), values);
        }
        let switches = &self.system.switches;
        let plugins = &self.system.plugins;
        let (first, end) = (plugins.first_guard, plugins.first_guard + plugins.n_states);
        self.now.switches.fill_guards(switches, &mut values[switches.first_guard..first]);
        let filled = self
            .fill_plugin_guards(&mut values[first..end])
            .and_then(|()| if is_known { Ok(()) } else { self.couple_for_guards() })
            .and_then(|()| self.network_guards(&mut values[end..]));
        filled.map_err(|failure| self.fail(failure))
    }

    fn has_cheap_guards(&self) -> bool {
        !self.now.asks_drive
    }

    fn sides(&self, sides: &mut [Side]) {
        let all = self.system.elements.iter().zip(&self.now.modes);
        for (element, &mode) in all.filter(|(element, _)| !element.guards.is_empty()) {
            element.law.sides(mode, &mut sides[element.guards.clone()]);
        }
        let switches = &self.system.switches;
        let plugins = &self.system.plugins;
        let (first, end) = (plugins.first_guard, plugins.first_guard + plugins.n_states);
        self.now.switches.fill_sides(switches, &mut sides[switches.first_guard..first]);
        sides[first..end].fill(Side::Positive);
        if let Some(network) = &self.network {
            network.sides(&mut sides[end..]);
        }
    }

    fn guard_scales(&self, scales: &mut [f64]) {
        for element in &self.system.elements {
            element.law.guard_scales(&mut scales[element.guards.clone()]);
        }
        let all = &self.system.plugins;
        let states = all.list.iter().flat_map(|plugin| &plugin.declared);
        let scales = scales[all.first_guard..].iter_mut();
        scales.zip(states).for_each(|(scale, state)| *scale = state.scale);
    }

    fn next_time_event(&mut self, t: f64, direction: f64) -> Option<f64> {
        let (switches, programs) = (&self.system.switches, &self.system.programs);
        let own = self.now.switches.next_instant(switches, programs, t, direction);
        let network = self.network.as_mut().and_then(|n| n.next_instant(t, direction));
        match (own, network) {
            (Some(a), Some(b)) => Some(if direction * (a - b) < 0.0 { a } else { b }),
            (a, b) => a.or(b),
        }
    }

    fn step_event(&mut self, t: f64, y: &[f64], _: &[f64]) -> Result<bool, EvaluationError> {
        self.follow_angles(t, y)?;
        if self.system.has_locks {
            self.update(t, y).map_err(|failure| self.fail(failure))?;
            self.follow_modes(t);
        }
        if self.system.n_memory > 0 {
            self.update(t, y).map_err(|failure| self.fail(failure))?;
            // Laws see the present memory while they write the new one.
            let mut memory = std::mem::take(&mut self.now.memory);
            let view = self.view();
            for (element, &mode) in self.system.elements.iter().zip(&self.now.modes) {
                element.law.follow(&view, mode, &mut memory[element.memory.clone()]);
            }
            self.now.memory = memory;
        }
        let reviewed = self.review_choice(t, y);
        reviewed.map_err(|failure| self.fail(failure))
    }

    fn recorded_points(&self) -> &'static [f64] {
        let delays = self.network.as_ref().is_some_and(NetworkRun::has_delays);
        if delays { &crate::network::run::delay_history::NODES } else { &[] }
    }

    fn record(&mut self, part: [f64; 2], point: usize, y: &[f64]) -> Result<(), EvaluationError> {
        let recorded = self.record_network(part, point, y);
        recorded.map_err(|failure| self.fail(failure))
    }

    fn switch(
        &mut self,
        event: &Event<'_>,
        y: &mut [f64],
        changes: &mut ChangeList,
    ) -> Result<(), EvaluationError> {
        self.now.is_evaluated = false;
        if event.iteration == 0 {
            self.now.modes_before.copy_from_slice(&self.now.modes);
            self.now.t_looked = event.t;
        }
        self.update(event.t, y).map_err(|failure| self.fail(failure))?;
        let (n_q, n_v) = (self.system.tree.n_q(), self.system.tree.n_v());
        self.now.vdot[..n_v].copy_from_slice(&event.ydot[n_q..][..n_v]);
        self.settle_laws(event, changes);
        let (switches, programs) = (&self.system.switches, &self.system.programs);
        self.now.switches.settle(switches, programs, event, changes);
        let settled = self.settle_plugins(event, changes);
        settled.map_err(|failure| self.fail(failure))?;
        self.update_locks();
        self.stop_locked(y);
        if !self.system.constraints.is_empty() {
            self.project_state(event.t, y).map_err(|failure| self.fail(failure))?;
        }
        self.switch_network(event, y, changes).map_err(|failure| self.fail(failure))
    }
}
