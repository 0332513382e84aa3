//! The system of equations of a model: what is fixed (`System`), what changes (`Run`), and how named
//! quantities are found in it.
//!
//! The state vector is `y = [q | v | work | x]`: position coordinates, speeds, the work done so far by
//! each element that converts energy, and the storages of the networks.

mod build;
mod constraints;
mod describe;
mod elements;
mod plugins;
mod ports;
mod run;
mod signals;
mod structure;

use std::ops::Range;
use std::sync::Arc;

use crate::expression::Program;
use crate::model::Model;
use crate::network::Network;
use mechanics::coordinates::UserCoordinates;
use mechanics::forces::law::{Attachment, Law};
use mechanics::{BodyId, Tree};

use crate::blocks::general::Analysis;
use crate::expression::switches::Switches;
pub use build::build;
pub use constraints::{ConstraintList, Drive, Place};
pub use describe::words;
use plugins::PluginElements;
use ports::PortList;
pub use run::{
    Assembly, ConstraintRows, Failure, LoopEvent, LoopNote, Modes, Residuals, Run, RunState,
    Snapshot,
};
pub use signals::{Quantity, SignalSource, source};

// Coordinates and speeds of joints that close loops are no states; where all coordinates or speeds stand in one
// row, they come behind those of the tree.

/// Everything about a model that does not change while time passes.
pub struct System {
    /// The model it was built from.
    pub model: Arc<Model>,
    /// The bodies.
    pub tree: Tree,
    /// Use the mass matrix instead of the recursion.
    pub dense: bool,
    /// Bodies of the tree by index of the model's bodies; the world first.
    pub bodies: Vec<BodyId>,
    /// Coordinates of joints by index of the model's joints; `None` without freedoms.
    pub coordinates: Vec<Option<UserCoordinates>>,
    /// Bodies of the tree that joints carry, by index of the model's joints.
    pub carried: Vec<BodyId>,
    /// Triads by index of the model's triads.
    pub triads: Vec<Attachment>,
    /// Force elements, those of the model first, in its order; then those of joints.
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
    /// Signals that time expressions of the networks use: their number there, and where they come from.
    network_inputs: Vec<(usize, SignalSource)>,
    /// Where the networks touch the bodies.
    pub(crate) ports: PortList,
    /// Elements of plugins.
    pub(crate) plugins: PluginElements,
    /// What switches in the time expressions.
    switches: Switches,
    /// Is any freedom locked, now or at times?
    has_locks: bool,
    /// Loop joints and other constraints.
    pub constraints: ConstraintList,
    n_guards: usize,
    n_memory: usize,
    n_work: usize,
}

/// A force element with its place in the vectors of the run.
pub struct Element {
    /// The block that declares it.
    pub block: u32,
    /// What part of the block it is, empty for a force element itself.
    pub part: &'static str,
    /// What it does.
    pub law: Box<dyn Law>,
    /// Its guards.
    pub guards: Range<usize>,
    /// Its remembered numbers.
    pub memory: Range<usize>,
    /// Its place among the works.
    pub work: Option<usize>,
}

impl System {
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
        self.n_guards
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

    /// The state at the beginning.
    pub fn initial_state(&self) -> Vec<f64> {
        let mut q = self.tree.home();
        let mut v = vec![0.0; self.tree.n_v()];
        for (joint, coordinates) in self.model.joints.iter().zip(&self.coordinates) {
            if let Some(coordinates) = coordinates.filter(|of| of.q < self.tree.n_q()) {
                let (x, rates) = joint.initial();
                coordinates.write(x, rates, &mut q, &mut v);
            }
        }
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
