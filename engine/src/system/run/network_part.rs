//! The networks as part of the right-hand side.

use super::stage::Stage;
use super::{Failure, Run};
use integrate::{ChangeList, EvaluationError, Event, Matrix};
use language::element::written;
use network::NetworkRun;
use network::code::block_compiler::Level;
use network::code::evaluate::Unsolved;
use network::passes::state_selection::Rechosen;
use network::prepared::combination_equations::ISLAND_CONDUCTANCE;
pub(super) use network::run::NetworkModes;
use network::run::delay_history::NODES;
use network::run::rechosen_states::Choices;
use network::run::settle::Unsettled;
use network::run::{Island, MissedValue};
use network::words::explain;
use network::words::report::report;

impl Run<'_> {
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
        if self.network.is_none() {
            return Ok(());
        }
        // The signals that the networks use depend on positions and velocities only.
        self.update(t, y)?;
        self.answer_ports()?;
        self.tell_network();
        let Some(network) = &mut self.network else { return Ok(()) };
        let begun = network.begin(t, &mut y[self.system.network_states()]);
        begun.map_err(|unsettled| self.unsettled(&unsettled))?;
        self.take_over(t, y)?;
        self.begin_stretch();
        Ok(())
    }

    /// Gives the `Input` of a block another value. True if an event has to follow, because it had another one.
    pub fn set_input(&mut self, block: u32, value: f64) -> bool {
        let Some(network) = &mut self.network else { return false };
        let mut given = network.network.flat.discrete.given.iter();
        let register = given.find(|(owner, _)| *owner == block).map(|(_, register)| *register);
        let is_other = register.is_some_and(|register| network.now.discrete.give(register, value));
        if is_other {
            self.now.stage.lower_to(Stage::Placed);
        }
        is_other
    }

    /// Given initial values that the equations of the networks do not allow, in words.
    pub fn missed_values(&self) -> Vec<String> {
        let missed = self.network.as_ref().map_or(&[][..], |network| &network.now.notes.missed);
        let model = &self.system.model;
        let words = |&MissedValue { block, given, taken }: &MissedValue| {
            let keyword = model.blocks[block as usize].schema.keyword;
            let (given, taken) = (written(given), written(taken));
            let name = model.block_name(block);
            format!(
                "{keyword} `{name}` starts at {taken} instead of {given}, as its neighbours ask for"
            )
        };
        missed.iter().map(words).collect()
    }

    /// Parts of the networks that were cut off from their reference for a while, in words.
    pub fn island_notes(&self) -> Vec<String> {
        let islands = self.network.as_ref().map_or(&[][..], |network| &network.now.notes.islands);
        let model = &self.system.model;
        let words = |&Island { node, since }: &Island| {
            let id = language::reading::ids::NodeId(node as u32);
            let reference = model.nodes[node].domain.reference();
            format!(
                "the part of the network at node `{}` was cut off from `{reference}`, at first at t = {}; a \
                 conductance of {} held it meanwhile",
                model.node_name(id),
                written(since),
                written(ISLAND_CONDUCTANCE),
            )
        };
        islands.iter().map(words).collect()
    }

    /// The sum of the powers that flow into all elements of the networks, and the largest of them.
    pub fn network_powers(&self) -> Option<(f64, f64)> {
        let network = self.network.as_ref().filter(|network| !network.network.powers.is_empty());
        network.map(NetworkRun::powers)
    }

    /// The equations of the networks as they are sorted at the start.
    pub fn equations(&mut self) -> String {
        let model = &self.system.model;
        self.network.as_ref().map_or_else(String::new, |network| report(network, &**model))
    }

    /// Solves the networks at the present time and state.
    pub(super) fn update_network(&mut self) -> Result<(), Failure> {
        if !self.network.as_ref().is_some_and(NetworkRun::has_begun) {
            return Ok(());
        }
        self.tell_network();
        let Some(network) = &mut self.network else { return Ok(()) };
        let solved = network.update(self.now.t, &self.now.y[self.system.network_states()]);
        solved.map_err(|unsolved| self.unsolved(unsolved))
    }

    /// Tells the networks the signals that they use, and coordinates and speeds of the joints that they drive.
    fn tell_network(&mut self) {
        for &(number, source) in &self.system.network_inputs {
            let value = self.signal(source);
            if let Some(network) = &mut self.network {
                network.now.outside.signals[number] = value;
            }
        }
        self.give_coordinates();
    }

    /// The Jacobian of networks that hang on nothing else, by the chain rule.
    pub(super) fn network_jacobian(
        &mut self,
        t: f64,
        y: &[f64],
        jacobian: &mut Matrix,
    ) -> Option<Result<(), EvaluationError>> {
        let system = self.system;
        let is_alone = system.network_states() == (0..system.n_states())
            && system.network_inputs.is_empty()
            && self.now.ports.is_none();
        let is_known =
            is_alone && self.network.as_ref()?.has_rates() && self.now.t == t && self.now.y == y;
        if !is_alone {
            return None;
        }
        if !is_known && let Err(failure) = self.update(t, y) {
            return Some(Err(self.fail(failure)));
        }
        let network = self.network.as_mut()?;
        network.jacobian(jacobian).then_some(Ok(()))
    }

    /// Gives storages that are no states in the present modes the values that follow from the others.
    pub(super) fn follow_network(&mut self, y: &mut [f64]) -> Result<(), Failure> {
        self.now.stage.needs(Stage::Accelerated);
        let begun = self.network.as_mut().filter(|network| network.has_begun());
        let followed = begun.map_or(Ok(()), |network| {
            network.complete(Level::Events)?;
            let states = self.system.network_states();
            network.follow(&mut y[states.clone()]);
            // Nothing depends on what has changed, so that all that is computed belongs to this state too.
            self.now.y[states.clone()].copy_from_slice(&y[states]);
            Ok(())
        });
        followed.map_err(|unsolved| self.unsolved(unsolved))
    }

    /// Lets the delay lines remember their inputs at a point of a step.
    pub(super) fn record_network(
        &mut self,
        part: [f64; 2],
        point: usize,
        y: &[f64],
    ) -> Result<(), Failure> {
        self.update(part[0] + NODES[point] * (part[1] - part[0]), y)?;
        self.answer_ports()?;
        let solved = self.network.as_mut().map_or(Ok(()), |network| {
            network.complete(Level::Events).map(|()| network.record(part, point))
        });
        solved.map_err(|unsolved| self.unsolved(unsolved))?;
        self.open_ports();
        Ok(())
    }

    /// Computes all signals of the networks.
    pub(super) fn observe_network(&mut self) -> Result<(), Failure> {
        let solved = self.network.as_mut().map_or(Ok(()), |n| n.complete(Level::Results));
        solved.map_err(|unsolved| self.unsolved(unsolved))
    }

    pub(super) fn network_guards(&mut self, values: &mut [f64]) -> Result<(), Failure> {
        let t = self.now.t;
        let solved = self.network.as_mut().map_or(Ok(()), |network| network.guards(t, values));
        solved.map_err(|unsolved| self.unsolved(unsolved))
    }

    pub(super) fn switch_network(
        &mut self,
        event: &Event<'_>,
        y: &mut [f64],
        changes: &mut ChangeList,
    ) -> Result<(), Failure> {
        let states = self.system.network_states();
        if self.now.ports.is_some() {
            if !(changes.is_settled() && *y == self.now.y[..]) {
                self.update(event.t, y)?;
            }
            self.answer_ports()?;
        }
        let Some(network) = &mut self.network else { return Ok(()) };
        let rates = &event.ydot[states.clone()];
        let switched = network.switch(event, rates, &mut y[states], changes);
        switched.map_err(|unsettled| self.unsettled(&unsettled))?;
        self.take_over(event.t, y)?;
        self.begin_stretch();
        Ok(())
    }

    /// Makes the networks ready for evaluations in modes that stay.
    fn begin_stretch(&mut self) {
        self.open_ports();
        if let Some(network) = &mut self.network {
            network.straighten();
        }
    }

    /// Do the networks ask for other states after a step?
    pub(super) fn review_choice(&mut self, t: f64, y: &[f64]) -> Result<bool, Failure> {
        if !self.network.as_ref().is_some_and(NetworkRun::has_choices) {
            return Ok(false);
        }
        self.update(t, y)?;
        self.answer_ports()?;
        let states = self.system.network_states();
        let Some(network) = &mut self.network else { return Ok(false) };
        let solved = network.complete(Level::Events);
        let reviewed = solved.map(|()| network.review_choice(&y[states]));
        let reviewed = reviewed.map_err(|unsolved| self.unsolved(unsolved))?;
        self.open_ports();
        Ok(reviewed)
    }

    /// What became a state in the place of what, in words.
    pub fn choice_notes(&self) -> Vec<String> {
        let Some(network) = &self.network else { return Vec::new() };
        let Choices { count, told, .. } = &network.now.choices;
        let names = |storages: &[usize]| {
            let words =
                |&s: &usize| format!("`{}`", network.network.state_words(&*self.system.model, s));
            storages.iter().map(words).collect::<Vec<_>>().join(", ")
        };
        let words = |r: &Rechosen| {
            let (t, states, others) = (written(r.t), names(&r.states), names(&r.others));
            format!(
                "at t = {t} {states} became a state instead of {others}, which had become singular"
            )
        };
        let mut notes: Vec<String> = told.iter().map(words).collect();
        if *count > told.len() {
            notes.push(format!("states were chosen anew {count} times in all"));
        }
        notes
    }

    /// The present modes of the networks, and states of what switches in their expressions.
    pub(super) fn network_modes(&self) -> Option<NetworkModes> {
        self.network.as_ref().map(NetworkRun::save_modes)
    }

    /// Puts the modes before the last event in force.
    pub(super) fn swap_network_modes(&mut self) {
        if let Some(network) = &mut self.network {
            network.look_back();
        }
    }

    pub(super) fn restore_network_modes(&mut self, modes: Option<&NetworkModes>) {
        if let (Some(network), Some(modes)) = (&mut self.network, modes) {
            network.restore_modes(modes);
        }
        self.open_ports();
    }

    pub(super) fn unsolved(&self, unsolved: Unsolved) -> Failure {
        let words =
            |network: &NetworkRun<'_>| explain::unsolved(&*self.system.model, network, unsolved);
        let (block, words) = self.network.as_ref().map_or((0, String::new()), words);
        Failure::Network(block, words, None)
    }

    fn unsettled(&self, unsettled: &Unsettled) -> Failure {
        if let Unsettled::Unsolved(unsolved) = unsettled {
            return self.unsolved(*unsolved);
        }
        let words = |network: &NetworkRun<'_>| {
            explain::unsettled(&*self.system.model, &network.network.flat, unsettled)
        };
        let found = self.network.as_ref().map_or((0, String::new(), None), words);
        let (block, words, help) = found;
        Failure::Network(block, words, help)
    }
}
