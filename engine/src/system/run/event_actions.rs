//! `When` blocks and automata: what they ask for at an event, done to the whole system.
//!
//! The networks know conditions, right sides, registers and storages (`network/src/run/actions.rs`). Here are the joints,
//! and the order in which new values come into force: registers, storages, joint coordinates, joint rates.

use std::fmt::Write;

use super::assembly::Assembler;
use super::impulses::{Impulses, WantedRate};
use super::network_solution::{why_unsettled, why_unsolved};
use super::port_coupling::answer_ports;
use super::stage::Stage;
use super::{Failure, Run};
use equations::actions::{JointPlace, Target};
use integrate::{ChangeList, Event};
use language::element::written;
use network::code::block_compiler::Level;
use network::run::actions::Assignment;
use network::run::set_storages::{Wish, set_storages};

/// Steps in which the coordinate of a joint that closes a loop is brought to its new value.
const STEPS: usize = 50;
/// A coordinate within this, over its size or 1, has its new value.
const REACHED: f64 = 1e-12;

fn acts(run: &Run<'_>) -> bool {
    run.network.as_ref().is_some_and(|network| network.has_actions() && network.has_begun())
}

/// An event begins: keeps the values before it.
pub(super) fn begin(run: &mut Run<'_>, t: f64, y: &[f64]) -> Result<(), Failure> {
    if !acts(run) {
        return Ok(());
    }
    run.update(t, y)?;
    answer_ports(run)?;
    let solved = run.network.as_mut().map_or(Ok(()), |network| {
        network.complete(Level::Events).map(|()| network.begin_actions())
    });
    solved.map_err(|unsolved| why_unsolved(run, unsolved))?;
    run.now.stage.lower_to(Stage::Placed);
    Ok(())
}

/// Everything else at the instant has come to rest: automata go on, or `When` blocks act.
pub(super) fn act(
    run: &mut Run<'_>,
    event: &Event<'_>,
    y: &mut [f64],
    changes: &mut ChangeList,
) -> Result<(), Failure> {
    if !acts(run) || !changes.is_settled() {
        return Ok(());
    }
    let Some(network) = &mut run.network else { return Ok(()) };
    let asked = network.pass_on(event.t).and_then(|passed| match passed {
        true => Ok((true, Vec::new())),
        false => network.due_assignments(event).map(|due| (!due.is_empty(), due)),
    });
    let (acted, due) = asked.map_err(|unsettled| why_unsettled(run, &unsettled))?;
    if acted {
        changes.count_anew();
        Assigning { run, t: event.t, y, told: Vec::new() }.assign(&due)?;
    }
    Ok(())
}

/// New values that come into force.
struct Assigning<'r, 's> {
    run: &'r mut Run<'s>,
    t: f64,
    y: &'r mut [f64],
    /// Values before and after, for the log: `When`, line, both values.
    told: Vec<(usize, usize, [f64; 2])>,
}

impl Assigning<'_, '_> {
    fn assign(&mut self, due: &[Assignment]) -> Result<(), Failure> {
        let moves = |a: &&Assignment| matches!(a.target, Target::Position(_) | Target::Rate(_));
        let is_mechanical = due.iter().any(|a| moves(&a));
        // Values before, of joints and storages, are read where they are.
        let before = if is_mechanical { self.energy()? } else { 0.0 };
        for assignment in due {
            let old = self.value(assignment.target);
            self.told.push((assignment.when, assignment.line, [old, assignment.value]));
        }
        self.set_registers(due);
        self.set_storages(due)?;
        self.set_positions(due)?;
        self.set_rates(due)?;
        if is_mechanical {
            self.run.now.action_work += self.energy()? - before;
        }
        self.tell();
        Ok(())
    }

    /// Energy of the bodies and force elements in the present state, J.
    fn energy(&mut self) -> Result<f64, Failure> {
        self.run.update(self.t, self.y)?;
        let system = self.run.system;
        let (_, v, _) = system.split(&self.run.now.y);
        self.run.now.bodies.place_in_world(&system.tree, v);
        Ok(self.run.mechanical_energy() + self.run.stored_energy())
    }

    /// The present value of a target.
    fn value(&self, target: Target) -> f64 {
        let Some(network) = &self.run.network else { return 0.0 };
        match target {
            Target::Number(register) | Target::Truth(register) => {
                network.now.discrete.memory[register as usize]
            }
            Target::Storage(number) => network.target(number),
            Target::Position(place) => self.reading(place)[0],
            Target::Rate(place) => self.reading(place)[1],
            Target::Nothing => 0.0,
        }
    }

    /// Coordinate and rate of a joint whose bodies are placed.
    fn reading(&self, place: JointPlace) -> [f64; 2] {
        reading(self.run, place)
    }

    fn set_registers(&mut self, due: &[Assignment]) {
        let Some(network) = &mut self.run.network else { return };
        for assignment in due {
            network.set_register(assignment.target, assignment.value);
        }
        self.run.now.stage.lower_to(Stage::Placed);
    }

    fn set_storages(&mut self, due: &[Assignment]) -> Result<(), Failure> {
        let wish = |a: &Assignment| match a.target {
            Target::Storage(target) => Some(Wish { target, when: a.when, value: a.value }),
            _ => None,
        };
        let wishes: Vec<Wish> = due.iter().filter_map(wish).collect();
        if wishes.is_empty() {
            return Ok(());
        }
        let states = self.run.system.network_states();
        let Some(network) = &mut self.run.network else { return Ok(()) };
        let set = set_storages(network, self.t, &mut self.y[states], &wishes);
        set.map_err(|unsettled| why_unsettled(self.run, &unsettled))
    }

    fn set_positions(&mut self, due: &[Assignment]) -> Result<(), Failure> {
        let system = self.run.system;
        let (n_q, n_v) = (system.tree.n_q(), system.tree.n_v());
        let mut held = Vec::new();
        let mut of_loops = Vec::new();
        let mut block = None;
        for assignment in due {
            let Target::Position(place) = assignment.target else { continue };
            block = block.or(Some(self.block(assignment.when)));
            let joint = place.joint.index();
            let Some(of) = system.coordinates[joint] else { continue };
            if of.q >= n_q {
                of_loops.push((place, assignment.value, assignment.when));
                continue;
            }
            // The speeds stay as they are.
            let (q, v) = (&self.y[..n_q], &self.y[n_q..n_q + n_v]);
            let (mut x, rates) = of.read(q, v, &self.run.now.joints.last_angles[joint]);
            x[place.component] = assignment.value;
            let mut speeds = v.to_vec();
            of.write(&x, &rates, &mut self.y[..n_q], &mut speeds);
            let plain = of.n_plain();
            if plain < of.count() {
                self.run.now.joints.last_angles[joint].copy_from_slice(&x[plain..plain + 3]);
            }
            held.extend(of.v..of.v + of.count());
        }
        let Some(block) = block else { return Ok(()) };
        if !held.is_empty() {
            self.close_loops(block, &held)?;
        }
        for (place, value, when) in of_loops {
            self.lead_to(place, value, when)?;
        }
        Ok(())
    }

    fn block(&self, when: usize) -> u32 {
        let network = self.run.network.as_ref();
        network.map_or(0, |network| network.network.flat.actions.whens[when].block)
    }

    /// Closes the loops while freedoms of the tree stay where they are, and lets the speeds fit.
    fn close_loops(&mut self, block: u32, held: &[usize]) -> Result<(), Failure> {
        let gap = Assembler::new(self.run).close_again(self.t, self.y, held)?;
        gap.map_or(Ok(()), |words| {
            let words = format!("behind what it sets, {words}");
            let help = "set a coordinate that the loop can follow, or nearer to where it is";
            Err(Failure::Action(block, words, Some(help.into())))
        })
    }

    /// Brings the coordinate of a joint that closes a loop to a value: Newton's method along the motion that a force on
    /// this coordinate would cause.
    fn lead_to(&mut self, place: JointPlace, value: f64, when: usize) -> Result<(), Failure> {
        let system = self.run.system;
        let (n_q, n_v) = (system.tree.n_q(), system.tree.n_v());
        let block = self.block(when);
        for _ in 0..STEPS {
            self.run.place(self.t, self.y)?;
            let gap = value - self.reading(place)[0];
            if gap.abs() <= REACHED * value.abs().max(1.0) {
                return Ok(());
            }
            let wanted = WantedRate { place, value: 1.0, when };
            let mut rest = self.y.to_vec();
            rest[n_q..n_q + n_v].fill(0.0);
            let mut moving = rest.clone();
            Impulses::new(self.run, self.t).push(&mut moving, &[wanted])?;
            let mut shift = vec![0.0; n_q];
            let change: Vec<f64> = moving[n_q..n_q + n_v].iter().map(|v| v * gap).collect();
            system.tree.fill_coordinate_rates(&self.y[..n_q], &change, &mut shift);
            self.y.iter_mut().zip(&shift).for_each(|(q, shift)| *q += shift);
            system.tree.normalize_quaternions(&mut self.y[..n_q]);
            self.close_loops(block, &[])?;
        }
        let words = format!("the coordinate {} is out of reach of the joint", written(value));
        Err(Failure::Action(block, words, None))
    }

    fn set_rates(&mut self, due: &[Assignment]) -> Result<(), Failure> {
        let Some(network) = &self.run.network else { return Ok(()) };
        let whens = &network.network.flat.actions.whens;
        let rate = |a: &Assignment| match a.target {
            Target::Rate(place) => Some(WantedRate { place, value: a.value, when: a.when }),
            _ => None,
        };
        let all = || due.iter().filter_map(rate);
        let (pushed, plain): (Vec<WantedRate>, Vec<WantedRate>) =
            all().partition(|wanted| whens[wanted.when].impulse);
        if !pushed.is_empty() {
            Impulses::new(self.run, self.t).push(self.y, &pushed)?;
        }
        for wanted in plain {
            self.set_number(wanted)?;
        }
        Ok(())
    }

    /// Changes one rate and no other; the projection of the event lets the loops keep it.
    fn set_number(&mut self, wanted: WantedRate) -> Result<(), Failure> {
        let WantedRate { place, value, when } = wanted;
        let system = self.run.system;
        let (n_q, joint) = (system.tree.n_q(), place.joint.index());
        let Some(of) = system.coordinates[joint] else { return Ok(()) };
        if of.q >= n_q {
            let words =
                "without an impulse only joints of the tree can be set, and this one closes a loop";
            let help = "leave `Impulse = no` out";
            let block = self.block(when);
            return Err(Failure::Action(block, words.into(), Some(help.into())));
        }
        self.run.update_locks();
        let (q, rest) = self.y.split_at_mut(n_q);
        let (x, mut rates) = of.read(q, rest, &self.run.now.joints.last_angles[joint]);
        rates[place.component] = value;
        let mut unchanged = q.to_vec();
        of.write(&x, &rates, &mut unchanged, rest);
        Ok(())
    }

    /// Tells the log what changed, one line for each `When`.
    fn tell(&mut self) {
        let Some(network) = &mut self.run.network else { return };
        let all = network.network;
        let told = std::mem::take(&mut self.told);
        let mut lines = told.into_iter().peekable();
        while let Some((when, line, [old, new])) = lines.next() {
            let name = |line: usize| &all.flat.actions.whens[when].settings[line].name;
            let mut words = format!("{} = {} -> {}", name(line), written(old), written(new));
            while let Some((_, line, [old, new])) = lines.next_if(|next| next.0 == when) {
                // Writing to a String cannot fail.
                let _ = write!(words, ", {} = {} -> {}", name(line), written(old), written(new));
            }
            network.note_action(self.t, when, words);
        }
    }
}

/// Coordinate and rate of a joint whose bodies are placed.
pub(super) fn reading(run: &Run<'_>, place: JointPlace) -> [f64; 2] {
    let joint = place.joint.index();
    let Some(of) = run.system.coordinates[joint] else { return [0.0; 2] };
    let bodies = &run.now.bodies;
    let (x, rates) = of.read(&bodies.q, &bodies.v, &run.now.joints.last_angles[joint]);
    [x[place.component], rates[place.component]]
}
