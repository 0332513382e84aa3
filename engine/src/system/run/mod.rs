//! The right-hand side of the equations of motion, and everything that changes with it.

mod analysis;
mod angles;
mod assembly;
mod drives;
mod forces;
mod locks;
mod loops;
mod modes;
mod network;
mod part;
mod plugins;
mod ports;
mod results;
mod singular;

use std::borrow::Cow;

pub use analysis::{ConstraintRows, Snapshot};
pub use assembly::Assembly;
pub use loops::{LoopEvent, LoopNote, Residuals};
pub use modes::Modes;

use loops::LoopRun;
use plugins::PluginStates;
use ports::PortRun;

use super::structure::When;
use super::switches::{Point, SwitchStates};
use super::{Element, System, structure};
use crate::expression::Jet;
use crate::integrators::{ChangeList, EvaluationError, Event, Matrix, Pattern, Problem, Side};
use crate::mechanics::dense::DenseWorkspace;
use crate::mechanics::forces::law::{Effect, Frozen, View};
use crate::mechanics::{EvalError, Workspace};
use crate::network::NetworkRun;

/// Modes are numbered up to this.
const MAX_MODE: u8 = 7;
/// Most signals of one force element.
const MAX_SIGNALS: usize = 8;

/// Why the right-hand side has no value.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// A force element has no value: block and reason.
    Element(u32, &'static str),
    /// A time expression is not finite: block that uses it is not known here, index of the expression.
    Expression(usize),
    /// The accelerations cannot be computed.
    Dynamics(EvalError),
    /// The networks have no solution: block, words, remedy.
    Network(u32, String, Option<String>),
    /// A row of the constraints cannot be kept.
    Constraint(usize),
    /// A plugin failed.
    Plugin {
        /// Which one.
        plugin: usize,
        /// Time at which it was called, s.
        t: f64,
        /// Why.
        reason: Cow<'static, str>,
    },
}

/// A system in motion: buffers, modes, remembered numbers.
pub struct Run<'s, 'm> {
    /// The system.
    pub system: &'s System<'m>,
    workspace: Workspace,
    /// Does anything ask at every evaluation where bodies are in the world?
    needs_world: bool,
    dense: Option<DenseWorkspace>,
    /// Coordinates, speeds, forces, accelerations: those of the tree, then those of loop joints.
    q: Vec<f64>,
    v: Vec<f64>,
    tau: Vec<f64>,
    vdot: Vec<f64>,
    /// What locks and drives hold; up to date after `react`.
    drive: Vec<f64>,
    /// Forces on the freedoms of the tree, those of couplings included.
    tau_reacting: Vec<f64>,
    /// Accelerations of driven coordinates of the tree.
    driven: Vec<f64>,
    jets: Vec<Jet>,
    loops: Option<LoopRun>,
    /// Changes of mode that were no events, for the log: time, element, modes.
    drifts: Vec<(f64, usize, u8, u8)>,
    modes: Vec<u8>,
    /// The modes before the last event.
    modes_before: Vec<u8>,
    memory: Vec<f64>,
    /// Angles of each joint at the last step, so that reported angles are continuous.
    last_angles: Vec<[f64; 3]>,
    /// When the angles of each joint first passed a singular position.
    singular_since: Vec<Option<f64>>,
    /// Coordinates, rates and applied forces of each joint as `observe` found them: angles are worked out
    /// once, not for each column of the results.
    observed: Vec<[[f64; 6]; 3]>,
    /// Do they belong to the present state?
    is_observed: bool,
    /// Do all numbers belong to the derivatives at the present time and state?
    is_evaluated: bool,
    signals: Vec<f64>,
    inputs: Vec<f64>,
    stack: Vec<f64>,
    powers: Vec<f64>,
    effects: Vec<Effect>,
    t: f64,
    y: Vec<f64>,
    /// Frozen states of what switches in time expressions.
    switches: SwitchStates,
    /// The networks.
    pub(super) network: Option<NetworkRun<'s>>,
    /// Where networks touch the bodies.
    ports: Option<PortRun>,
    plugins: PluginStates,
    /// Does a guard ask what a lock holds in the present modes?
    asks_drive: bool,
    /// Time at which modes were last looked at.
    t_looked: f64,
    /// Do locks hold what acts at rest, whatever the other freedoms would do?
    is_quasi_static: bool,
    /// Added to the values of time expressions; empty if nothing is.
    input_offsets: Vec<f64>,
    /// The last failure of an evaluation.
    pub failure: Option<Failure>,
}

impl<'s, 'm> Run<'s, 'm> {
    /// A run at its beginning.
    pub fn new(system: &'s System<'m>) -> Self {
        let tree = &system.tree;
        let mut memory = vec![0.0; system.n_memory];
        for element in &system.elements {
            element.law.fill_memory(&mut memory[element.memory.clone()]);
        }
        let n_v = tree.n_v() + system.constraints.rows.n_v();
        let deepest = system.programs.iter().map(|program| program.depth()).max();
        Self {
            workspace: Workspace::new(tree),
            needs_world: system.needs_world(),
            dense: system.dense.then(|| DenseWorkspace::new(tree)),
            q: vec![0.0; tree.n_q() + system.constraints.rows.n_q()],
            v: vec![0.0; n_v],
            tau: vec![0.0; n_v],
            vdot: vec![0.0; n_v],
            drive: vec![0.0; n_v],
            tau_reacting: vec![0.0; tree.n_v()],
            driven: vec![0.0; tree.n_v()],
            jets: vec![Jet::default(); deepest.unwrap_or(0)],
            loops: LoopRun::new(system),
            drifts: Vec::with_capacity(system.elements.len()),
            modes: system.elements.iter().map(|element| element.law.first_mode()).collect(),
            modes_before: vec![0; system.elements.len()],
            memory,
            last_angles: angles::first_angles(system),
            singular_since: vec![None; system.coordinates.len()],
            observed: vec![[[0.0; 6]; 3]; system.coordinates.len()],
            is_observed: false,
            is_evaluated: false,
            signals: vec![0.0; system.expression_signals.len()],
            inputs: vec![0.0; system.programs.len()],
            stack: vec![0.0; deepest.unwrap_or(0)],
            powers: vec![0.0; system.elements.len()],
            effects: vec![Effect::None; system.elements.len()],
            t: 0.0,
            y: system.initial_state(),
            switches: SwitchStates::new(&system.switches, deepest.unwrap_or(0)),
            network: system.network.as_ref().map(|n| NetworkRun::new(n, &system.model.solver)),
            ports: PortRun::new(system),
            plugins: PluginStates::new(system),
            asks_drive: false,
            t_looked: 0.0,
            is_quasi_static: false,
            input_offsets: Vec::new(),
            system,
            failure: None,
        }
        .with_locks()
    }

    fn with_locks(mut self) -> Self {
        self.hold_driven();
        self.update_locks();
        self
    }

    /// The present mode of an element.
    pub fn mode(&self, element: usize) -> u8 {
        self.modes[element]
    }

    fn frozen(&self, index: usize, element: &Element) -> Frozen<'_> {
        Frozen { mode: self.modes[index], memory: &self.memory[element.memory.clone()] }
    }

    /// Changes of mode since the last call that were no events: time, element, modes.
    pub fn take_drifts(&mut self) -> impl Iterator<Item = (f64, usize, u8, u8)> + '_ {
        self.drifts.drain(..)
    }

    /// The state of the bodies for laws.
    pub(crate) fn view(&self) -> View<'_> {
        View {
            tree: &self.system.tree,
            workspace: &self.workspace,
            t: self.t,
            q: &self.q,
            v: &self.v,
            inputs: &self.inputs,
            vdot: &self.vdot,
            drive: &self.drive,
        }
    }

    /// Poses, velocities and time expressions at a state.
    fn update(&mut self, t: f64, y: &[f64]) -> Result<(), Failure> {
        self.place_with(t, y, self.system.constraints.is_lean)?;
        self.evaluate_expressions()
    }

    /// Solves the networks, which time expressions may use, and evaluates these.
    fn evaluate_expressions(&mut self) -> Result<(), Failure> {
        self.update_network()?;
        for (index, &source) in self.system.expression_signals.iter().enumerate() {
            self.signals[index] = self.signal(source);
        }
        for (index, program) in self.system.programs.iter().enumerate() {
            let signals = &self.signals;
            let freedom = self.system.program_arguments[index];
            let argument = freedom.map_or(0.0, |k| self.v[k].abs());
            let value = if self.system.switches.has(index) {
                let (now, point) = (&mut self.switches, Point { t: self.t, argument, signals });
                self.system.switches.evaluate((index, program), point, now, &mut self.stack)
            } else {
                let signal =
                    |reference: crate::expression::SignalRef| signals[reference.block as usize];
                program.evaluate(self.t, argument, signal, &mut self.stack)
            };
            if !value.is_finite() {
                return Err(Failure::Expression(index));
            }
            self.inputs[index] = value + self.input_offsets.get(index).copied().unwrap_or(0.0);
        }
        Ok(())
    }

    /// Keeps a failure for the report and tells the integrator that there is one.
    fn fail(&mut self, failure: Failure) -> EvaluationError {
        self.failure = Some(failure);
        EvaluationError::Undefined { index: 0, what: "right-hand side" }
    }
}

impl Problem for Run<'_, '_> {
    fn len(&self) -> usize {
        self.system.n_states()
    }

    fn derivatives(&mut self, t: f64, y: &[f64], ydot: &mut [f64]) -> Result<(), EvaluationError> {
        // A failure that a shorter step got over is no reason for a later one.
        self.failure = None;
        let computed =
            self.update(t, y).and_then(|()| self.apply_forces()).and_then(|()| self.accelerate());
        computed.map_err(|failure| self.fail(failure))?;
        let tree = &self.system.tree;
        if !self.system.constraints.drives.is_empty() {
            self.react();
        }
        let (q, v, _) = self.system.split(&self.y);
        let (qdot, rest) = ydot.split_at_mut(tree.n_q());
        let (vdot, work) = rest.split_at_mut(tree.n_v());
        if let Some(network) = &self.network {
            network.rates(&mut work[self.system.n_work..]);
        }
        tree.fill_coordinate_rates(q, v, qdot);
        vdot.copy_from_slice(&self.vdot[..tree.n_v()]);
        for (element, power) in self.system.elements.iter().zip(&self.powers) {
            if let Some(place) = element.work {
                work[place] = *power;
            }
        }
        for (index, drive) in self.system.constraints.drives.iter().enumerate() {
            work[drive.work] = self.drive_power(index);
        }
        if let Some(ports) = &self.ports {
            work[self.system.ports.work] = ports.power;
        }
        for (plugin, power) in self.system.plugins.list.iter().zip(&self.plugins.powers) {
            if let Some(place) = plugin.work {
                work[place] = *power;
            }
        }
        self.is_evaluated = true;
        Ok(())
    }

    fn part_derivatives(
        &mut self,
        part: &[usize],
        t: f64,
        y: &[f64],
        ydot: &mut [f64],
    ) -> Result<(), EvaluationError> {
        self.is_evaluated = false;
        self.some_derivatives(part, t, y, ydot, false)
    }

    fn held_derivatives(
        &mut self,
        part: &[usize],
        t: f64,
        y: &[f64],
        ydot: &mut [f64],
    ) -> Result<(), EvaluationError> {
        self.is_evaluated = false;
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
        is_free.then(|| structure::pattern(self.system, network, When::Now))
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
        let is_known = self.is_evaluated && !self.asks_drive && t == self.t && *y == self.y[..];
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
        self.switches.fill_guards(switches, &mut values[switches.first_guard..first]);
        let filled = self
            .fill_plugin_guards(&mut values[first..end])
            .and_then(|()| if is_known { Ok(()) } else { self.couple_for_guards() })
            .and_then(|()| self.network_guards(&mut values[end..]));
        filled.map_err(|failure| self.fail(failure))
    }

    fn sides(&self, sides: &mut [Side]) {
        let all = self.system.elements.iter().zip(&self.modes);
        for (element, &mode) in all.filter(|(element, _)| !element.guards.is_empty()) {
            element.law.sides(mode, &mut sides[element.guards.clone()]);
        }
        let switches = &self.system.switches;
        let plugins = &self.system.plugins;
        let (first, end) = (plugins.first_guard, plugins.first_guard + plugins.n_states);
        self.switches.fill_sides(switches, &mut sides[switches.first_guard..first]);
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
        let own = self.switches.next_instant(switches, programs, t, direction);
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
            let mut memory = std::mem::take(&mut self.memory);
            let view = self.view();
            for (element, &mode) in self.system.elements.iter().zip(&self.modes) {
                element.law.follow(&view, mode, &mut memory[element.memory.clone()]);
            }
            self.memory = memory;
        }
        let reviewed = self.review_choice(t, y);
        reviewed.map_err(|failure| self.fail(failure))
    }

    fn recorded_points(&self) -> &'static [f64] {
        let delays = self.network.as_ref().is_some_and(NetworkRun::has_delays);
        if delays { &crate::network::discrete::history::NODES } else { &[] }
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
        self.is_evaluated = false;
        if event.iteration == 0 {
            self.modes_before.copy_from_slice(&self.modes);
            self.t_looked = event.t;
        }
        self.update(event.t, y).map_err(|failure| self.fail(failure))?;
        let (n_q, n_v) = (self.system.tree.n_q(), self.system.tree.n_v());
        self.vdot[..n_v].copy_from_slice(&event.ydot[n_q..][..n_v]);
        self.settle_laws(event, changes);
        let (switches, programs) = (&self.system.switches, &self.system.programs);
        self.switches.settle(switches, programs, event, changes);
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
