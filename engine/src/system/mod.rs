//! The system of equations of a model: what is fixed (`System`), what changes (`Run`), and how named
//! quantities are found in it.
//!
//! The state vector is `y = [q | v | work | x]`: position coordinates, speeds, the work done so far by
//! each element that converts energy, and the storages of the networks.

mod build;
mod constraint_list;
mod describe;
mod element_builder;
mod guard_layout;
mod jacobian_structure;
mod late_signals;
mod plugin_elements;
mod port_places;
mod run;
mod signal_sources;
mod skeleton;

use std::ops::Range;
use std::sync::Arc;

use equations::expression::Program;
use language::model::Model;
use mechanics::coordinates::UserCoordinates;
use mechanics::forces::law::{Attachment, Law};
use mechanics::frame_pair::FramePair;
use mechanics::{BodyId, Pose, Tree};
use network::Network;

pub use build::build;
pub use constraint_list::{ConstraintList, Drive, Place};
pub use describe::words;
use equations::expression::switches::Switches;
use equations::span::Span;
use guard_layout::GuardLayout;
use language::blocks::general::{Analysis, LinearAt};
pub use language::element::Quantity;
use late_signals::LateSignals;
use plugin_elements::PluginElements;
use port_places::PortList;
pub use run::{
    Assembly, ConstraintRows, Drift, Failure, LoopEvent, LoopNote, Modes, Probe, Residuals, Run,
    RunState, Snapshot, TreeColumns, TreeSlopes, have_same_modes, take_modes,
};
pub use signal_sources::{SignalSource, source};
use skeleton::initial_coordinates;

// Coordinates and speeds of joints that close loops are no states. Vectors of all coordinates or all speeds have the entries
// of the tree first and the entries of loop joints behind them.

/// Everything about a model that does not change while time passes.
pub struct System {
    /// The model from which the system is built.
    pub model: Arc<Model>,
    /// The bodies.
    pub tree: Tree,
    /// True if the accelerations come from the mass matrix instead of the recursion.
    pub dense: bool,
    /// Bodies of the tree by index of the model's bodies; the world first.
    pub bodies: Vec<BodyId>,
    /// Coordinates of joints by index of the model's joints; `None` without freedoms.
    pub coordinates: Vec<Option<UserCoordinates>>,
    /// Bodies of the tree that joints carry, by index of the model's joints.
    pub carried: Vec<BodyId>,
    /// Triads by index of the model's triads.
    pub triads: Vec<Attachment>,
    /// Force elements: the blocks of the model in its order, then friction, stops, springs and locks of joints.
    pub elements: Vec<Element>,
    /// Time expressions; their signals are indices into `expression_signals`.
    pub programs: Vec<Program>,
    /// For each time expression the freedom whose speed is the argument of its law.
    pub program_arguments: Vec<Option<usize>>,
    /// The block that each time expression belongs to.
    pub program_owners: Vec<u32>,
    /// The signals that time expressions use.
    pub expression_signals: Vec<SignalSource>,
    /// The networks.
    pub network: Option<Network>,
    /// Signals of time expressions that are registers of the networks and that motions use: their number and register.
    motion_registers: Vec<(usize, u32)>,
    /// Signals that time expressions of the networks use: their number there, and where they come from.
    network_inputs: Vec<(usize, SignalSource)>,
    /// Signals of forces and accelerations in time expressions.
    pub(crate) late: LateSignals,
    /// Do the networks use such signals?
    late_in_networks: bool,
    /// Where the networks touch the bodies.
    pub(crate) ports: PortList,
    /// Elements of plugins.
    pub(crate) plugins: PluginElements,
    /// Switches in the time expressions.
    switches: Switches,
    /// True if an element can lock a freedom.
    has_locks: bool,
    /// Loop joints and other constraints.
    pub constraints: ConstraintList,
    /// The order of the guards.
    guards: GuardLayout,
    /// Number of remembered numbers of force elements.
    n_memory: usize,
    /// Number of works.
    n_work: usize,
}

/// A force element with its place in the vectors of the run.
pub struct Element {
    /// The block that declares the element.
    pub block: u32,
    /// The part of the block that the element is; empty for a force element itself.
    pub part: &'static str,
    /// Forces, modes and guards of the element as functions of the state.
    pub law: Box<dyn Law>,
    /// Guards of the element among all guards.
    pub guards: Range<usize>,
    /// Remembered numbers of the element.
    pub memory: Range<usize>,
    /// Place of the element among the works.
    pub work: Option<usize>,
}

impl Element {
    /// True if it has modes that follow the state.
    pub fn has_guards(&self) -> bool {
        !self.guards.is_empty()
    }
}

impl System {
    /// Do networks make up the whole system, without bodies and plugins?
    pub fn is_network_alone(&self) -> bool {
        let has_others = !self.plugins.list.is_empty() || !self.network_inputs.is_empty();
        self.network.is_some() && self.tree.n_v() == 0 && !has_others
    }

    /// The time that a run passes through, and how its networks begin: before a frequency response of networks alone at their
    /// operating point.
    pub(crate) fn span(&self) -> Span {
        let solver = &self.model.solver;
        let is_swept = solver.analysis == Analysis::Frequency
            && solver.at() == LinearAt::Static
            && self.is_network_alone();
        let span = solver.span();
        Span { is_steady: span.is_steady || is_swept, ..span }
    }

    /// Number of states.
    pub fn n_states(&self) -> usize {
        self.network_states().end
    }

    /// The states of the networks.
    pub fn network_states(&self) -> Range<usize> {
        let start = self.tree.n_q() + self.tree.n_v() + self.n_work;
        start..start + self.network.as_ref().map_or(0, Network::n_states)
    }

    /// Number of guards.
    pub fn n_guards(&self) -> usize {
        self.guards.len()
    }

    /// Do one-sided laws follow the state in every evaluation? Methods that look for no switching points need it: a mode
    /// that was kept over a step would be the wrong one in a part of the step.
    pub(crate) fn follows_sides(&self) -> bool {
        let solver = &self.model.solver;
        solver.analysis == Analysis::Dynamic && !solver.method.finds_events()
    }

    /// Position coordinates, speeds and works of a state vector.
    pub fn split<'y>(&self, y: &'y [f64]) -> (&'y [f64], &'y [f64], &'y [f64]) {
        let (q, rest) = y.split_at(self.tree.n_q());
        let (v, rest) = rest.split_at(self.tree.n_v());
        (q, v, &rest[..self.n_work])
    }

    /// The frame of a body of the model (the world is 0).
    pub(crate) fn body_frame(&self, body: usize) -> Attachment {
        Attachment { body: self.bodies[body], pose: Pose::IDENTITY }
    }

    /// The frames whose relative motion a sensor of the model tells.
    pub(crate) fn sensor(&self, sensor: usize) -> FramePair {
        self.model.sensors[sensor].what.frames(&self.triads)
    }

    /// The state at the beginning.
    pub fn initial_state(&self) -> Vec<f64> {
        let (mut q, mut v) = initial_coordinates(&self.model, &self.tree, &self.coordinates);
        // A locked joint stands still whatever its initial rates say.
        for element in &self.elements {
            let locked = element.law.locks(element.law.first_mode());
            if let Some(v) = locked.and_then(|freedom| v.get_mut(freedom)) {
                *v = 0.0;
            }
        }
        q.extend(v);
        q.resize(self.n_states(), 0.0);
        q
    }

    /// The block that a guard belongs to, unless it is one of a time expression.
    pub fn block_of_guard(&self, guard: usize) -> Option<u32> {
        let built_in = self.element_of_guard(guard).map(|element| element.block);
        let plugin = || self.plugins.of_guard(guard).map(|(plugin, _)| plugin.block);
        let network = || self.network.as_ref().and_then(|network| network.block_of_guard(guard));
        built_in.or_else(plugin).or_else(network)
    }

    /// The element that owns a guard.
    pub fn element_of_guard(&self, guard: usize) -> Option<&Element> {
        self.elements.iter().find(|element| element.guards.contains(&guard))
    }
}
