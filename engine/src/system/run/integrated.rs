//! A run as the integrators see it: derivatives, events, and hints that save work.

use super::super::jacobian_structure::{self, When};
use super::plugin_calls::PluginCalls;
use super::stage::Stage;
use super::{
    Failure, Now, Run, event_actions, network_part, network_solution, port_coupling, tree_jacobian,
};
use integrate::{
    ChangeList, EvaluationError, Event, Events, Hints, Matrix, Pattern, Problem, Side,
};
use network::NetworkRun;
use network::code::block_compiler::Level;

impl Problem for Run<'_> {
    fn len(&self) -> usize {
        self.system.n_states()
    }

    fn derivatives(&mut self, t: f64, y: &[f64], ydot: &mut [f64]) -> Result<(), EvaluationError> {
        // A failure that a shorter step got over is no reason for a later one.
        self.failure = None;
        let computed = self.bring_to(Stage::Accelerated, t, y);
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
        vdot.copy_from_slice(&self.now.bodies.vdot[..tree.n_v()]);
        for (element, power) in self.system.elements.iter().zip(&self.now.elements.powers) {
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
        Ok(())
    }

    fn project(&mut self, t: f64, y: &mut [f64]) -> Result<(), EvaluationError> {
        let projected =
            port_coupling::take_over(self, t, y).and_then(|()| self.project_state(t, y));
        projected.map_err(|failure| self.fail(failure))
    }

    fn jacobian(
        &mut self,
        t: f64,
        y: &[f64],
        _: &[f64],
        jacobian: &mut Matrix,
    ) -> Option<Result<(), EvaluationError>> {
        if jacobian.is_extended() {
            let filled = tree_jacobian::fill(self, t, y, jacobian);
            return Some(filled.map_err(|failure| self.fail(failure)));
        }
        network_part::network_jacobian(self, t, y, jacobian)
    }

    fn follow(&mut self, y: &mut [f64]) -> Result<(), EvaluationError> {
        network_part::follow_network(self, y).map_err(|failure| self.fail(failure))
    }

    fn jacobian_pattern(&self) -> Option<Pattern> {
        let network = self.network.as_ref();
        self.system
            .constraints
            .is_empty()
            .then(|| jacobian_structure::pattern(self.system, network, When::Ever))
    }
}

impl Events for Run<'_> {
    fn branch(&self) -> u64 {
        self.now.elements.branch()
    }

    fn n_guards(&self) -> usize {
        self.system.guards.len()
    }

    fn guards(
        &mut self,
        t: f64,
        y: &[f64],
        _: &[f64],
        values: &mut [f64],
    ) -> Result<(), EvaluationError> {
        // At the end of a step the derivatives have just been computed.
        let is_known = !self.now.elements.asks_drive && self.now.is_at(Stage::Accelerated, t, y);
        if !is_known {
            let updated = self.update(t, y).and_then(|()| self.update_drive());
            updated.map_err(|failure| self.fail(failure))?;
        }
        let system = self.system;
        let parts = system.guards.split(values);
        self.now.elements.fill_guards(&system.elements, &self.view(), parts.elements);
        self.now.expressions.switches.fill_guards(&system.switches, parts.expressions);
        let filled = PluginCalls::new(self)
            .fill_guards(parts.plugins)
            .and_then(|()| if is_known { Ok(()) } else { port_coupling::couple_for_guards(self) })
            .and_then(|()| network_part::network_guards(self, parts.network));
        filled.map_err(|failure| self.fail(failure))
    }

    fn sides(&self, sides: &mut [Side]) {
        let system = self.system;
        let parts = system.guards.split(sides);
        self.now.elements.fill_sides(&system.elements, parts.elements);
        self.now.expressions.switches.fill_sides(&system.switches, parts.expressions);
        parts.plugins.fill(Side::Positive);
        if let Some(network) = &self.network {
            network.sides(parts.network);
        }
    }

    fn guard_scales(&self, scales: &mut [f64]) {
        let system = self.system;
        let parts = system.guards.split(scales);
        for element in &system.elements {
            element.law.guard_scales(&mut parts.elements[element.guards.clone()]);
        }
        let states = system.plugins.list.iter().flat_map(|plugin| &plugin.declared);
        parts.plugins.iter_mut().zip(states).for_each(|(scale, state)| *scale = state.scale);
    }

    fn next_time_event(&mut self, t: f64, direction: f64) -> Option<f64> {
        let (switches, programs) = (&self.system.switches, &self.system.programs);
        let own = self.now.expressions.switches.next_instant(switches, programs, t, direction);
        let network = self.network.as_mut().and_then(|n| n.next_instant(t, direction));
        match (own, network) {
            (Some(a), Some(b)) => Some(if direction * (a - b) < 0.0 { a } else { b }),
            (a, b) => a.or(b),
        }
    }

    fn step_event(&mut self, t: f64, y: &[f64], _: &[f64]) -> Result<bool, EvaluationError> {
        self.follow_angles(t, y).map_err(|failure| self.fail(failure))?;
        let system = self.system;
        if system.has_locks {
            self.update(t, y).map_err(|failure| self.fail(failure))?;
            let Now { elements, bodies, expressions, .. } = &mut self.now;
            let view = bodies.view(&system.tree, t, &expressions.inputs);
            elements.follow_modes(&system.elements, &view);
        }
        if self.now.elements.follows_sides {
            self.update(t, y).map_err(|failure| self.fail(failure))?;
            let Now { elements, bodies, expressions, .. } = &mut self.now;
            let view = bodies.view(&system.tree, t, &expressions.inputs);
            elements.note_sides(&system.elements, &view);
        }
        if system.n_memory > 0 {
            self.update(t, y).map_err(|failure| self.fail(failure))?;
            let Now { elements, bodies, expressions, .. } = &mut self.now;
            let view = bodies.view(&system.tree, t, &expressions.inputs);
            elements.follow_memory(&system.elements, &view);
        }
        let reviewed = network_part::review_choice(self, t, y);
        reviewed.map_err(|failure| self.fail(failure))
    }

    fn recorded_points(&self) -> &'static [f64] {
        let delays = self.network.as_ref().is_some_and(NetworkRun::has_delays);
        if delays { &network::run::delay_history::NODES } else { &[] }
    }

    fn record(&mut self, part: [f64; 2], point: usize, y: &[f64]) -> Result<(), EvaluationError> {
        let recorded = network_part::record_network(self, part, point, y);
        recorded.map_err(|failure| self.fail(failure))
    }

    fn switch(
        &mut self,
        event: &Event<'_>,
        y: &mut [f64],
        changes: &mut ChangeList,
    ) -> Result<(), EvaluationError> {
        if event.iteration == 0 {
            self.now.elements.begin_event(event.t);
            event_actions::begin(self, event.t, y).map_err(|failure| self.fail(failure))?;
        }
        self.update(event.t, y).map_err(|failure| self.fail(failure))?;
        // Laws decide with the accelerations of the event.
        let system = self.system;
        let (n_q, n_v) = (system.tree.n_q(), system.tree.n_v());
        let Now { elements, bodies, expressions, .. } = &mut self.now;
        bodies.vdot[..n_v].copy_from_slice(&event.ydot[n_q..][..n_v]);
        let view = bodies.view(&system.tree, event.t, &expressions.inputs);
        elements.settle(&system.elements, &view, event, changes);
        expressions.switches.settle(&system.switches, &system.programs, event, changes);
        let settled = PluginCalls::new(self).settle(event, changes);
        settled.map_err(|failure| self.fail(failure))?;
        self.update_locks();
        self.stop_locked(y);
        if !self.system.constraints.is_empty() {
            self.project_state(event.t, y).map_err(|failure| self.fail(failure))?;
        }
        network_part::switch_network(self, event, y, changes).map_err(|failure| self.fail(failure))
    }
}

impl Hints for Run<'_> {
    fn part_derivatives(
        &mut self,
        part: &[usize],
        t: f64,
        y: &[f64],
        ydot: &mut [f64],
    ) -> Result<(), EvaluationError> {
        self.now.stage.lower_to(Stage::Placed);
        self.some_derivatives(part, t, y, ydot, false)
    }

    fn held_derivatives(
        &mut self,
        part: &[usize],
        t: f64,
        y: &[f64],
        ydot: &mut [f64],
    ) -> Result<(), EvaluationError> {
        self.now.stage.lower_to(Stage::Placed);
        self.some_derivatives(part, t, y, ydot, true)
    }

    fn held_pattern(&self) -> Option<Pattern> {
        let network = self.network.as_ref();
        let is_free = self.system.constraints.is_empty();
        is_free.then(|| jacobian_structure::pattern(self.system, network, When::Held))
    }

    fn cheap_states(&self) -> std::ops::Range<usize> {
        if self.system.tree.n_v() > 0 { self.system.network_states() } else { 0..0 }
    }

    fn integrals(&self) -> std::ops::Range<usize> {
        let is_driven = !self.system.constraints.drives.is_empty();
        0..if is_driven { 0 } else { self.system.tree.n_q() }
    }

    fn pattern_now(&self) -> Option<Pattern> {
        let network = self.network.as_ref();
        let is_free = self.system.constraints.is_empty();
        let find = || jacobian_structure::pattern(self.system, network, When::Now);
        is_free.then(|| network.map_or_else(find, |network| network.known_pattern(find)))
    }

    fn extended_pattern(&self) -> Option<Pattern> {
        tree_jacobian::pattern(self.system)
    }

    fn structure(&self) -> u64 {
        self.network.as_ref().map_or(0, |network| network.choices_made() as u64)
    }

    fn has_cheap_guards(&self) -> bool {
        !self.now.elements.asks_drive
    }
}

/// Derivatives of some states only, for methods of mixed mode.
///
/// The rates of coordinates and networks need no accelerations, which are the larger part of the work, unless
/// coordinates are driven or a drive train is rigid. While an integrator varies states of the networks, the bodies
/// stand still, and what the networks use of them is known.
impl Run<'_> {
    /// Derivatives of a part; if `held`, networks see the accelerations of the last evaluation.
    fn some_derivatives(
        &mut self,
        part: &[usize],
        t: f64,
        y: &[f64],
        ydot: &mut [f64],
        held: bool,
    ) -> Result<(), EvaluationError> {
        let (tree, networks) = (&self.system.tree, self.system.network_states());
        let (n_q, n_v) = (tree.n_q(), tree.n_v());
        let needs_dynamics = part.iter().any(|state| (n_q..networks.start).contains(state));
        let is_driven = !self.system.constraints.drives.is_empty();
        let is_late = |&state: &usize| {
            let network = self.network.as_ref().filter(|_| networks.contains(&state));
            network.is_some_and(|network| network.is_late(state - networks.start))
        };
        let waits = || !held && self.now.ports.is_some() && part.iter().any(is_late);
        if needs_dynamics || is_driven || self.system.late_in_networks || waits() {
            return self.derivatives(t, y, ydot);
        }
        self.failure = None;
        if part.first().is_some_and(|&first| first < n_q) {
            tree.fill_coordinate_rates(&y[..n_q], &y[n_q..n_q + n_v], &mut ydot[..n_q]);
        }
        if part.last().is_some_and(|&last| last >= networks.start) {
            self.solve_network(t, y).map_err(|failure| self.fail(failure))?;
            if let Some(network) = &self.network {
                network.rates(&mut ydot[networks]);
            }
        }
        Ok(())
    }

    /// Solves the networks at a state; bodies are placed only if networks use them and they have moved.
    fn solve_network(&mut self, t: f64, y: &[f64]) -> Result<(), Failure> {
        let states = self.system.network_states();
        let bodies = ..states.start;
        let have_moved =
            || self.now.stage < Stage::Placed || t != self.now.t || y[bodies] != self.now.y[bodies];
        let uses_bodies = self.now.ports.is_some() || !self.system.network_inputs.is_empty();
        if uses_bodies && have_moved() {
            self.place_with(t, y, self.system.constraints.is_lean)?;
            network_solution::update_network(self)?;
        } else if let Some(network) = &mut self.network {
            let solved = network.update(t, &y[states]);
            solved.map_err(|unsolved| network_solution::why_unsolved(self, unsolved))?;
        }
        // What waits for accelerations is not asked for, or has those of the last evaluation.
        let solved = self.network.as_mut().map_or(Ok(()), |n| n.complete(Level::Rates));
        solved.map_err(|unsolved| network_solution::why_unsolved(self, unsolved))
    }

    /// Keeps the angles of a state; the next angles are near to them.
    fn follow_angles(&mut self, t: f64, y: &[f64]) -> Result<(), Failure> {
        if self.now.loops.is_some() {
            self.place(t, y)?;
            let Now { joints, bodies, .. } = &mut self.now;
            joints.follow(self.system, t, &bodies.q, &bodies.v);
        } else {
            let (q, v, _) = self.system.split(y);
            self.now.joints.follow(self.system, t, q, v);
        }
        if let Some(loops) = &mut self.now.loops {
            loops.workspace.follow();
        }
        Ok(())
    }
}
