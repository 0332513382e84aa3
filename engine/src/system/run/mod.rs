//! The right-hand side of the equations of motion, and everything that changes with it.
//!
//! A run has parts that own their state, one file each: the bodies (`body_states.rs`), the closed loops
//! (`loop_states.rs`), the force elements (`element_states.rs`), the time expressions (`expression_values.rs`), the angles of
//! joints (`joint_angles.rs`), the plugins (`plugin_calls.rs`), the ports (`port_states.rs`) and the networks. The run itself
//! brings them from stage to stage ([`Stage`]) in the order in which they need each other. Tasks that take several
//! stages borrow the run: `Projection`, `Assembler`, `PluginCalls`, `Probe`, and the functions of `prescribed_coordinates.rs`
//! and, each using those before it, of `network_solution.rs`, `open_drives.rs`, `port_coupling.rs` and `network_part.rs`.
//!
//! Derivatives of the right-hand side by its states are in `tree_jacobian.rs` (sparse, for integrators) and `tree_slopes.rs` (full, for
//! analyses), where the bodies are a tree on which local forces act.
//!
//! The methods of a run are here, in `integrated.rs` (what integrators ask) and in `readings.rs` (what results show).

mod assembly;
mod body_states;
mod element_states;
mod event_actions;
mod expression_order;
mod expression_values;
mod failure;
mod frame_signals;
mod impulses;
mod integrated;
mod joint_angles;
mod late_values;
mod linear_networks;
mod loop_projection;
mod loop_states;
mod network_part;
mod network_solution;
mod open_drives;
mod plugin_calls;
mod port_coupling;
mod port_states;
mod prescribed_coordinates;
mod probe;
mod readings;
mod shared_modes;
mod singular_passage;
mod stage;
mod tree_jacobian;
mod tree_slopes;

use parser::diagnostic::Diagnostic;

pub use assembly::Assembly;
pub use element_states::Drift;
pub use failure::Failure;
pub use loop_states::{LoopEvent, LoopNote, Residuals};
pub use probe::{ConstraintRows, Probe};
pub use shared_modes::{have_same_modes, take_modes};
pub use tree_slopes::{TreeColumns, TreeSlopes};

use assembly::Assembler;
use body_states::BodyStates;
use element_states::ElementStates;
use expression_values::ExpressionValues;
use joint_angles::JointAngles;
use late_values::LateValues;
use loop_projection::Projection;
use loop_states::LoopStates;
use network::run::NetworkModes;
use plugin_calls::{PluginCalls, PluginStates};
use port_states::PortStates;
use stage::Stage;
use tree_jacobian::TreeJacobian;

use super::{Element, SignalSource, System};
use integrate::EvaluationError;
use mechanics::forces::law::View;
use network::response::{Impossible, Sweep, Wanted};
use network::{NetworkRun, NetworkState};

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
#[derive(educe::Educe)]
#[educe(Clone)]
pub struct RunState {
    now: Now,
    network: Option<Box<NetworkState>>,
}

/// All that changes without the networks.
#[derive(educe::Educe)]
#[educe(Clone)]
struct Now {
    /// Time, s.
    t: f64,
    /// The state; prescribed coordinates and speeds have their prescribed values.
    y: Vec<f64>,
    /// How far the parts are worked out for this time and state.
    stage: Stage,
    /// True if locks hold what acts at rest, whatever the other freedoms would do.
    is_quasi_static: bool,
    bodies: BodyStates,
    loops: Option<LoopStates>,
    elements: ElementStates,
    expressions: ExpressionValues,
    joints: JointAngles,
    late: LateValues,
    plugins: PluginStates,
    /// The extended Jacobian, made when it is asked for first.
    tree_jacobian: Option<Box<TreeJacobian>>,
    /// Where networks touch the bodies.
    ports: Option<Box<PortStates>>,
    /// Forces on all freedoms beside those of the model, to find what an impulse does; empty if there are none.
    push: Vec<f64>,
    /// Work of `When` blocks on the bodies, J.
    action_work: f64,
}

impl Now {
    /// True if a stage has been reached at a time and state.
    fn is_at(&self, stage: Stage, t: f64, y: &[f64]) -> bool {
        self.stage >= stage && t == self.t && *y == self.y[..]
    }
}

/// The modes of all elements, and the states of what switches in time expressions.
pub struct Modes {
    elements: Vec<u8>,
    expressions: Vec<f64>,
    plugins: Vec<u8>,
    network: Option<NetworkModes>,
}

/// Everything discrete and remembered, to come back to.
pub struct Snapshot {
    modes: Modes,
    memory: Vec<f64>,
}

impl<'s> Run<'s> {
    /// A run at its beginning.
    pub fn new(system: &'s System) -> Self {
        let now = Now {
            t: 0.0,
            y: system.initial_state(),
            stage: Stage::Unplaced,
            is_quasi_static: false,
            bodies: BodyStates::new(system),
            loops: LoopStates::new(system),
            elements: ElementStates::new(system),
            expressions: ExpressionValues::new(system),
            joints: JointAngles::new(system),
            late: LateValues::new(system),
            plugins: PluginStates::new(system),
            tree_jacobian: None,
            ports: PortStates::new(system).map(Box::new),
            push: Vec::new(),
            action_work: 0.0,
        };
        let network = system.network.as_ref();
        let network = network.map(|network| NetworkRun::new(network, system.span()));
        let mut run = Self { system, now, network, failure: None };
        run.hold_driven();
        run.update_locks();
        run
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

    /// Closes all loops of an initial state at a time and makes its speeds fit; `None` without constraints.
    ///
    /// # Errors
    /// If the loops cannot be closed from there: the joints of the loop and the gap.
    pub fn assemble(&mut self, t: f64, y: &mut [f64]) -> Result<Option<Assembly>, Box<Diagnostic>> {
        Assembler::new(self).assemble(t, y)
    }

    /// Puts values of the networks that fit their equations into the state at the start.
    ///
    /// # Errors
    /// If there are none.
    pub fn begin(&mut self, y: &mut [f64]) -> Result<(), Failure> {
        self.begin_at(self.system.model.solver.start, y)
    }

    /// The same at any instant.
    ///
    /// # Errors
    /// If there are none.
    pub fn begin_at(&mut self, t: f64, y: &mut [f64]) -> Result<(), Failure> {
        network_part::begin(self, t, y)
    }

    /// Gives the `Input` of a block another value. True if an event has to follow, because it had another one.
    pub fn set_input(&mut self, block: u32, value: f64) -> bool {
        network_part::set_input(self, block, value)
    }

    /// The value that an `Input` block has now.
    pub fn input_value(&self, block: u32) -> Option<f64> {
        network_part::input_value(self, block)
    }

    /// The linear equations of the networks at the observed state, ready for any frequency.
    ///
    /// # Errors
    /// If there are none.
    pub fn network_sweep(&self, t: f64, wanted: Wanted<'_>) -> Result<Sweep, Impossible> {
        linear_networks::sweep(self, t, wanted)
    }

    /// A signal of networks alone near the observed state: places of results and their factors. Nothing for other signals.
    pub fn network_slopes(&self, source: SignalSource) -> Option<Vec<(usize, f64)>> {
        linear_networks::slopes(self, source)
    }

    /// What analyses ask besides integration.
    pub fn probe(&mut self) -> Probe<'_, 's> {
        Probe::new(self)
    }
}

/// From stage to stage.
impl Run<'_> {
    /// Brings the run to a stage at a state, up to [`Stage::Reacted`].
    fn bring_to(&mut self, goal: Stage, t: f64, y: &[f64]) -> Result<(), Failure> {
        self.update(t, y)?;
        if goal >= Stage::Forces {
            self.apply_forces()?;
        }
        if goal >= Stage::Accelerated {
            // Loads in joints follow from the accelerations of the links.
            port_coupling::accelerate(self, goal > Stage::Accelerated)?;
            self.now.stage = Stage::Accelerated;
        }
        if goal >= Stage::Reacted {
            self.react();
        }
        Ok(())
    }

    /// Everything that results may show of a state: poses, forces, accelerations, joint loads.
    ///
    /// # Errors
    /// If something has no value.
    pub fn observe(&mut self, t: f64, y: &[f64]) -> Result<(), Failure> {
        self.place(t, y)?;
        self.evaluate_expressions()?;
        let (_, v, _) = self.system.split(&self.now.y);
        self.now.bodies.place_in_world(&self.system.tree, v);
        self.apply_forces()?;
        port_coupling::accelerate(self, true)?;
        self.react();
        self.now.joints.observe(self.system, &self.now.bodies);
        self.now.stage = Stage::Observed;
        network_part::observe_network(self)?;
        PluginCalls::new(self).observe()
    }

    /// Poses and velocities of a state, with all coordinates of loop joints.
    fn place(&mut self, t: f64, y: &[f64]) -> Result<(), Failure> {
        self.place_with(t, y, false)
    }

    /// The same; if `lean`, of the constraints only what accelerations need.
    fn place_with(&mut self, t: f64, y: &[f64], lean: bool) -> Result<(), Failure> {
        self.now.stage = Stage::Unplaced;
        self.now.t = t;
        self.now.y.copy_from_slice(y);
        let has_drives = !self.system.constraints.drives.is_empty();
        if has_drives {
            prescribed_coordinates::put_drives(self, t)?;
        }
        let (system, now) = (self.system, &mut self.now);
        let (q, v, _) = system.split(&now.y);
        now.bodies.place(&system.tree, q, v);
        now.bodies.q[..q.len()].copy_from_slice(q);
        now.bodies.v[..v.len()].copy_from_slice(v);
        if let Some(loops) = &mut now.loops {
            loops.update(system, &mut now.bodies, lean)?;
        }
        if has_drives {
            prescribed_coordinates::add_driven_bias(self);
        }
        self.now.stage = Stage::Placed;
        Ok(())
    }

    /// Poses, velocities and time expressions at a state.
    fn update(&mut self, t: f64, y: &[f64]) -> Result<(), Failure> {
        self.place_with(t, y, self.system.constraints.is_lean)?;
        self.evaluate_expressions()
    }

    /// Solves the networks, which time expressions may use, and evaluates these.
    fn evaluate_expressions(&mut self) -> Result<(), Failure> {
        late_values::update(self)
    }

    /// Adds the forces of all elements up, and of the networks what follows without accelerations.
    fn apply_forces(&mut self) -> Result<(), Failure> {
        self.apply_elements()?;
        port_coupling::apply_ports(self, true);
        self.now.stage = Stage::Forces;
        Ok(())
    }

    /// Adds the forces of all elements and plugins up.
    fn apply_elements(&mut self) -> Result<(), Failure> {
        self.now.stage.needs(Stage::Updated);
        let (system, now) = (self.system, &mut self.now);
        now.bodies.clear_forces();
        now.elements.act(system, &mut now.bodies, now.t, &now.expressions.inputs)?;
        PluginCalls::new(self).apply()?;
        let Now { bodies, loops, push, .. } = &mut self.now;
        bodies.tau.iter_mut().zip(push).for_each(|(tau, push)| *tau += *push);
        if let Some(loops) = loops {
            let (rows, n_v) = (&system.constraints.rows, system.tree.n_v());
            loops.workspace.add_forces(rows, &bodies.tau[n_v..], &mut bodies.workspace);
        }
        Ok(())
    }

    /// Accelerations of the coordinates under the forces applied.
    fn accelerate_freely(&mut self) -> Result<(), Failure> {
        let now = &mut self.now;
        now.bodies.accelerate(self.system, now.loops.as_mut(), now.t)
    }

    /// The same for other forces in the same position, with the factors of the last call.
    fn accelerate_again(&mut self) -> Result<(), Failure> {
        let now = &mut self.now;
        now.bodies.accelerate_again(self.system, now.loops.as_mut(), now.t)
    }

    /// Loads that joints transmit, and forces of locks and drives. Uses up the applied loads.
    fn react(&mut self) {
        self.now.stage.needs(Stage::Forces);
        self.now.bodies.carry_loads(self.system, self.now.loops.as_ref());
        prescribed_coordinates::put_driven_accelerations(self);
        self.now.bodies.fill_drive(self.system, self.now.loops.as_ref());
        self.now.stage = Stage::Reacted;
    }

    /// Accelerations and what locks hold, for guards that ask for them.
    fn update_drive(&mut self) -> Result<(), Failure> {
        if !self.now.elements.asks_drive {
            return Ok(());
        }
        self.apply_forces()?;
        // What loops hold at rest is only known with the accelerations; in balance these are zero.
        if self.now.is_quasi_static && self.now.loops.is_none() {
            self.now.bodies.fill_rest_drive(&self.system.tree);
            return Ok(());
        }
        port_coupling::accelerate(self, true)?;
        self.react();
        Ok(())
    }

    /// Brings a state onto the manifold of the constraints.
    fn project_state(&mut self, t: f64, y: &mut [f64]) -> Result<(), Failure> {
        Projection::new(self).project(t, y)
    }

    /// The state of the bodies for laws.
    pub(crate) fn view(&self) -> View<'_> {
        let Now { bodies, expressions, t, .. } = &self.now;
        bodies.view(&self.system.tree, *t, &expressions.inputs)
    }

    /// Keeps a failure for the report and tells the integrator that there is one.
    fn fail(&mut self, failure: Failure) -> EvaluationError {
        self.failure = Some(failure);
        EvaluationError::Undefined { index: 0, what: "right-hand side" }
    }
}

/// Modes of all parts.
impl Run<'_> {
    /// Locks driven freedoms.
    fn hold_driven(&mut self) {
        loop_states::hold_driven(self.system, &mut self.now.bodies, self.now.loops.as_mut());
    }

    /// Locks the freedoms that the modes hold.
    fn update_locks(&mut self) {
        if !self.system.has_locks {
            return;
        }
        let now = &mut self.now;
        now.elements.update_locks(self.system, &mut now.bodies, now.loops.as_mut());
        // Whatever friction says, a driven coordinate follows its drive.
        self.hold_driven();
    }

    /// A freedom that was just locked has exactly no speed from now on, so that it does not drift.
    fn stop_locked(&self, y: &mut [f64]) {
        if self.system.has_locks {
            let n_q = self.system.tree.n_q();
            self.locked_freedoms().for_each(|freedom| y[n_q + freedom] = 0.0);
        }
    }

    /// The modes in force.
    fn modes(&self) -> Modes {
        Modes {
            elements: self.now.elements.modes.clone(),
            expressions: self.now.expressions.switches.get().to_vec(),
            plugins: self.now.plugins.states.clone(),
            network: network_part::network_modes(self),
        }
    }

    /// Puts the modes before the last event in force and gives the present ones.
    pub fn swap_modes_before(&mut self) -> Modes {
        self.now.stage.lower_to(Stage::Placed);
        let present = self.modes();
        let before = self.now.expressions.switches.before().to_vec();
        self.now.expressions.switches.set(&before);
        let Now { elements, plugins, .. } = &mut self.now;
        elements.modes.copy_from_slice(&elements.modes_before);
        plugins.states.copy_from_slice(&plugins.before);
        network_part::swap_network_modes(self);
        self.update_locks();
        present
    }

    /// Puts given modes in force again.
    pub fn restore_modes(&mut self, modes: &Modes) {
        self.now.expressions.switches.set(&modes.expressions);
        self.now.plugins.states.copy_from_slice(&modes.plugins);
        network_part::restore_network_modes(self, modes.network.as_ref());
        self.set_modes(&modes.elements);
    }

    /// Puts the modes of the elements in force.
    pub fn set_modes(&mut self, modes: &[u8]) {
        self.now.stage.lower_to(Stage::Placed);
        self.now.elements.modes.copy_from_slice(modes);
        self.update_locks();
    }

    /// The discrete state.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot { modes: self.modes(), memory: self.now.elements.memory.clone() }
    }

    /// Comes back to a discrete state.
    pub fn restore(&mut self, snapshot: &Snapshot) {
        self.now.elements.memory.copy_from_slice(&snapshot.memory);
        self.restore_modes(&snapshot.modes);
    }

    /// Changes of mode since the last call that were no events.
    pub fn take_drifts(&mut self) -> impl Iterator<Item = Drift> + '_ {
        self.now.elements.drifts.drain(..)
    }

    /// Notes about constraints since the last call.
    pub fn take_loop_notes(&mut self) -> Vec<LoopNote> {
        self.now.loops.as_mut().map_or_else(Vec::new, |loops| std::mem::take(&mut loops.notes))
    }
}
