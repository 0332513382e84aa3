//! The right-hand side of the equations of motion, and everything that changes with it.

mod analysis;
mod angles;
mod assembly;
mod forces;
mod locks;
mod loops;
mod modes;
mod network_part;
mod open_drives;
mod part;
mod plugins;
mod port_coupling;
mod prescribed_motion;
mod problem;
mod results;
mod singular;

use std::borrow::Cow;

pub use analysis::{ConstraintRows, Snapshot};
pub use assembly::Assembly;
pub use loops::{LoopEvent, LoopNote, Residuals};
pub use modes::Modes;

use loops::LoopRun;
use plugins::PluginStates;
use port_coupling::PortRun;

use super::{Element, System};
use crate::expression::Jet;
use crate::expression::switches::{Point, SwitchStates};
use crate::network::{NetworkRun, NetworkState};
use integrate::EvaluationError;
use mechanics::dense::DenseWorkspace;
use mechanics::forces::law::{Effect, Frozen, View};
use mechanics::{EvalError, Workspace};

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

/// A system in motion.
pub struct Run<'s> {
    /// The system.
    pub system: &'s System,
    now: Now,
    /// The networks.
    pub(super) network: Option<NetworkRun<'s>>,
    /// The last failure of an evaluation.
    pub failure: Option<Failure>,
}

/// All that changes in a run, without the system: what a run leaves behind when it lets go of the system, and what
/// another run on the same system takes up.
#[derive(Clone)]
pub struct RunState {
    now: Now,
    network: Option<Box<NetworkState>>,
}

/// What changes without the networks: buffers, modes, remembered numbers.
#[derive(Clone)]
struct Now {
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
    /// Where networks touch the bodies.
    ports: Option<Box<PortRun>>,
    plugins: PluginStates,
    /// Does a guard ask what a lock holds in the present modes?
    asks_drive: bool,
    /// Time at which modes were last looked at.
    t_looked: f64,
    /// Do locks hold what acts at rest, whatever the other freedoms would do?
    is_quasi_static: bool,
    /// Added to the values of time expressions; empty if nothing is.
    input_offsets: Vec<f64>,
}

impl<'s> Run<'s> {
    /// A run at its beginning.
    pub fn new(system: &'s System) -> Self {
        let tree = &system.tree;
        let mut memory = vec![0.0; system.n_memory];
        for element in &system.elements {
            element.law.fill_memory(&mut memory[element.memory.clone()]);
        }
        let n_v = tree.n_v() + system.constraints.rows.n_v();
        let deepest = system.programs.iter().map(|program| program.depth()).max();
        let now = Now {
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
            ports: PortRun::new(system).map(Box::new),
            plugins: PluginStates::new(system),
            asks_drive: false,
            t_looked: 0.0,
            is_quasi_static: false,
            input_offsets: Vec::new(),
        };
        let network = system.network.as_ref();
        let network = network.map(|network| NetworkRun::new(network, system.model.solver.span()));
        Self { system, now, network, failure: None }.with_locks()
    }

    /// A run on `system` that goes on where another run on the same system was left.
    pub fn attach(system: &'s System, state: RunState) -> Self {
        let networks = system.network.as_ref().zip(state.network);
        let network = networks.map(|(network, state)| NetworkRun::attach(network, state));
        Self { system, now: state.now, network, failure: None }
    }

    /// Lets go of the system.
    pub fn detach(self) -> RunState {
        RunState { now: self.now, network: self.network.map(NetworkRun::detach) }
    }

    fn with_locks(mut self) -> Self {
        self.hold_driven();
        self.update_locks();
        self
    }

    /// The present mode of an element.
    pub fn mode(&self, element: usize) -> u8 {
        self.now.modes[element]
    }

    fn frozen(&self, index: usize, element: &Element) -> Frozen<'_> {
        Frozen { mode: self.now.modes[index], memory: &self.now.memory[element.memory.clone()] }
    }

    /// Changes of mode since the last call that were no events: time, element, modes.
    pub fn take_drifts(&mut self) -> impl Iterator<Item = (f64, usize, u8, u8)> + '_ {
        self.now.drifts.drain(..)
    }

    /// The state of the bodies for laws.
    pub(crate) fn view(&self) -> View<'_> {
        View {
            tree: &self.system.tree,
            workspace: &self.now.workspace,
            t: self.now.t,
            q: &self.now.q,
            v: &self.now.v,
            inputs: &self.now.inputs,
            vdot: &self.now.vdot,
            drive: &self.now.drive,
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
            self.now.signals[index] = self.signal(source);
        }
        for (index, program) in self.system.programs.iter().enumerate() {
            let signals = &self.now.signals;
            let freedom = self.system.program_arguments[index];
            let argument = freedom.map_or(0.0, |k| self.now.v[k].abs());
            let value = if self.system.switches.has(index) {
                let (now, point) =
                    (&mut self.now.switches, Point { t: self.now.t, argument, signals });
                self.system.switches.evaluate((index, program), point, now, &mut self.now.stack)
            } else {
                let signal =
                    |reference: crate::expression::SignalRef| signals[reference.block as usize];
                program.evaluate(self.now.t, argument, signal, &mut self.now.stack)
            };
            if !value.is_finite() {
                return Err(Failure::Expression(index));
            }
            self.now.inputs[index] =
                value + self.now.input_offsets.get(index).copied().unwrap_or(0.0);
        }
        Ok(())
    }

    /// Keeps a failure for the report and tells the integrator that there is one.
    fn fail(&mut self, failure: Failure) -> EvaluationError {
        self.failure = Some(failure);
        EvaluationError::Undefined { index: 0, what: "right-hand side" }
    }
}
