//! Joint rates that are set by impulses.
//!
//! An impulse p on a coordinate changes all speeds, and the speeds of rigid drive trains with them:
//!
//! ```text
//! M dv = J^T lambda + e_k p,    J dv = 0
//! ```
//!
//! That is the equation of the accelerations under a force, so that a unit impulse changes speeds and storages by as much as
//! a unit force changes their rates: loops, rotors and gears are in it, whatever the networks have there. With the
//! responses r_l of the rates that are to be set, and R_kl the change of rate k by r_l, the impulses follow from
//! R p = wanted - present, all at once.
//!
//! What sticks by dry friction is let go first: friction is a bounded force, and no match for an impulse.

use super::event_actions::reading;
use super::stage::Stage;
use super::{Failure, Run};
use equations::actions::JointPlace;
use integrate::Problem;
use language::element::written;
use network::run::set_storages::least;
use network::run::set_storages::release_locks;

/// Rates within this, over the largest of them, are reached.
const REACHED: f64 = 1e-9;
/// A unit force is made larger where it changes accelerations by less than this part, against round-off.
const WEAK: f64 = 1e-2;
/// Responses below this, over the largest rate and inertia that a mechanism may have, are none.
const NONE: f64 = 1e-14;

/// A joint rate that is wanted.
#[derive(Clone, Copy, Debug)]
pub(super) struct WantedRate {
    pub place: JointPlace,
    pub value: f64,
    /// The `When` that asks for it.
    pub when: usize,
}

/// Impulses at an instant.
pub(super) struct Impulses<'r, 's> {
    run: &'r mut Run<'s>,
    t: f64,
}

impl<'r, 's> Impulses<'r, 's> {
    pub fn new(run: &'r mut Run<'s>, t: f64) -> Self {
        Self { run, t }
    }

    /// Brings rates to their values by impulses on their coordinates.
    pub fn push(mut self, y: &mut [f64], wanted: &[WantedRate]) -> Result<(), Failure> {
        let stuck = self.let_go();
        let pushed = self.push_free(y, wanted);
        self.hold_again(y, &stuck)?;
        if pushed? {
            return Ok(());
        }
        Err(self.not_settable(wanted))
    }

    fn push_free(&mut self, y: &mut [f64], wanted: &[WantedRate]) -> Result<bool, Failure> {
        let old = y.to_vec();
        if self.solve(y, wanted)? {
            return Ok(true);
        }
        // What sticks in the networks is let go as well.
        y.copy_from_slice(&old);
        let released = self.run.network.as_mut().map_or(Ok(false), release_locks);
        match released {
            Ok(true) => self.solve(y, wanted),
            _ => Ok(false),
        }
    }

    /// Solves for the impulses; false if there are none that do it.
    fn solve(&mut self, y: &mut [f64], wanted: &[WantedRate]) -> Result<bool, Failure> {
        let n = wanted.len();
        let base = self.derivatives(y)?;
        let present = self.rates(y, wanted)?;
        let mut responses = Vec::with_capacity(n);
        let mut matrix = vec![0.0; n * n];
        for (column, rate) in wanted.iter().enumerate() {
            let response = self.response(y, rate.place, &base)?;
            let mut moved = y.to_vec();
            moved.iter_mut().zip(&response).for_each(|(y, r)| *y += r);
            for (row, (after, before)) in
                self.rates(&moved, wanted)?.iter().zip(&present).enumerate()
            {
                matrix[row * n + column] = after - before;
            }
            responses.push(response);
        }
        let rest: Vec<f64> = wanted.iter().zip(&present).map(|(w, now)| w.value - now).collect();
        let impulses = least(&mut matrix, rest);
        for (impulse, response) in impulses.iter().zip(&responses) {
            y.iter_mut().zip(response).for_each(|(y, r)| *y += impulse * r);
        }
        // Rates that are speeds of the tree have exactly their values.
        let reached = self.rates(y, wanted)?;
        let size = wanted.iter().zip(&present).map(|(w, now)| w.value.abs().max(now.abs()));
        let size = size.fold(0.0, f64::max);
        let all = reached.iter().zip(wanted);
        let is_there = all.into_iter().all(|(now, w)| (now - w.value).abs() <= REACHED * size);
        if is_there {
            self.take_exactly(y, wanted);
        }
        Ok(is_there)
    }

    fn take_exactly(&self, y: &mut [f64], wanted: &[WantedRate]) {
        let system = self.run.system;
        for WantedRate { place, value, .. } in wanted {
            let Some(of) = system.coordinates[place.joint.index()] else { continue };
            if of.q < system.tree.n_q() && place.component < of.n_plain() {
                y[system.tree.n_q() + of.v + place.component] = *value;
            }
        }
    }

    /// The rates of the joints at a state.
    fn rates(&mut self, y: &[f64], wanted: &[WantedRate]) -> Result<Vec<f64>, Failure> {
        self.run.place(self.t, y)?;
        Ok(wanted.iter().map(|rate| reading(self.run, rate.place)[1]).collect())
    }

    fn derivatives(&mut self, y: &[f64]) -> Result<Vec<f64>, Failure> {
        self.run.now.stage.lower_to(Stage::Unplaced);
        let mut ydot = vec![0.0; y.len()];
        match self.run.derivatives(self.t, y, &mut ydot) {
            Ok(()) => Ok(ydot),
            Err(_) => Err(self.run.failure.take().unwrap_or(Failure::Network(
                0,
                "the accelerations have no value".into(),
                None,
            ))),
        }
    }

    /// Changes of speeds and storages by a unit impulse on a coordinate.
    fn response(
        &mut self,
        y: &[f64],
        place: JointPlace,
        base: &[f64],
    ) -> Result<Vec<f64>, Failure> {
        let system = self.run.system;
        let (n_q, n_v) = (system.tree.n_q(), system.tree.n_v());
        let unit = self.force_of(y, place)?;
        let mut size = 1.0;
        let mut response = self.difference(y, &unit, size, base)?;
        // Against round-off the force is about as large as the others.
        let largest = |values: &[f64]| values.iter().fold(0.0f64, |most, x| most.max(x.abs()));
        let (own, others) = (largest(&response), largest(&base[n_q..n_q + n_v]));
        if own > NONE * others && own < WEAK * others {
            size = others / own;
            response = self.difference(y, &unit, size, base)?;
        }
        Ok(response)
    }

    /// The forces on all freedoms, of the tree and of loop joints, that are a unit force on a coordinate.
    fn force_of(&mut self, y: &[f64], place: JointPlace) -> Result<Vec<f64>, Failure> {
        self.run.place(self.t, y)?;
        let (system, now) = (self.run.system, &self.run.now);
        let joint = place.joint.index();
        let mut push = vec![0.0; now.bodies.tau.len()];
        let Some(of) = system.coordinates[joint] else { return Ok(push) };
        let (x, _) = of.read(&now.bodies.q, &now.bodies.v, &now.joints.last_angles[joint]);
        let mut forces = [0.0; 6];
        forces[place.component] = 1.0;
        if let mechanics::forces::law::Effect::Joint { start, count, tau } =
            of.effect(&x, &forces[..of.count()])
        {
            push[start..start + count].copy_from_slice(&tau[..count]);
        }
        Ok(push)
    }

    /// What a force changes of the rates of speeds and storages, over its size.
    fn difference(
        &mut self,
        y: &[f64],
        unit: &[f64],
        size: f64,
        base: &[f64],
    ) -> Result<Vec<f64>, Failure> {
        self.run.now.push.clear();
        self.run.now.push.extend(unit.iter().map(|force| size * force));
        let pushed = self.derivatives(y);
        self.run.now.push.clear();
        let system = self.run.system;
        let (n_q, n_v, networks) = (system.tree.n_q(), system.tree.n_v(), system.network_states());
        let is_moved = |k: usize| (n_q..n_q + n_v).contains(&k) || networks.contains(&k);
        let pairs = pushed?.into_iter().zip(base).enumerate();
        Ok(pairs.map(|(k, (a, b))| if is_moved(k) { (a - b) / size } else { 0.0 }).collect())
    }

    /// Lets joints go that stick by friction; gives these elements with their modes.
    fn let_go(&mut self) -> Vec<(usize, u8)> {
        let system = self.run.system;
        let modes = &mut self.run.now.elements.modes;
        let mut stuck = Vec::new();
        for (index, element) in system.elements.iter().enumerate() {
            let first = element.law.first_mode();
            let is_stuck = element.law.locks(modes[index]).is_some();
            if is_stuck && element.law.locks(first).is_none() {
                stuck.push((index, modes[index]));
                modes[index] = first;
            }
        }
        if !stuck.is_empty() {
            self.run.update_locks();
        }
        stuck
    }

    /// What has not begun to move sticks again.
    fn hold_again(&mut self, y: &[f64], stuck: &[(usize, u8)]) -> Result<(), Failure> {
        if stuck.is_empty() {
            return Ok(());
        }
        self.run.place(self.t, y)?;
        for &(index, mode) in stuck {
            let freedom = self.run.system.elements[index].law.locks(mode);
            if freedom.is_some_and(|freedom| self.run.now.bodies.v[freedom] == 0.0) {
                self.run.now.elements.modes[index] = mode;
            }
        }
        self.run.update_locks();
        Ok(())
    }

    fn not_settable(&self, wanted: &[WantedRate]) -> Failure {
        let model = &self.run.system.model;
        let name = |rate: &WantedRate| {
            let joint = model.joint(rate.place.joint);
            let component = match joint.initial().0.len() {
                1 => String::new(),
                _ => format!("[{}]", rate.place.component + 1),
            };
            format!("`{}.qd{component}` = {}", model.block_name(joint.block), written(rate.value))
        };
        let names: Vec<String> = wanted.iter().map(name).collect();
        let network = self.run.network.as_ref();
        let block = wanted
            .first()
            .zip(network)
            .map_or(0, |(rate, network)| network.network.flat.actions.whens[rate.when].block);
        let words = format!("no impulses give {}", names.join(", "));
        let help =
            "the joint is held, or closed loops and drive trains tie these rates to each other";
        Failure::Action(block, words, Some(help.into()))
    }
}
