//! What one combination of modes makes of the ports: which forces follow without accelerations, and which coordinates the
//! networks give back to the mechanics.
//!
//! Coordinates and speeds of joints are states of the mechanics. Where the networks determine one of them, because a
//! source prescribes it or friction holds it, the mechanics takes that value over after each step; its acceleration
//! keeps it there.

use crate::passes::alias::{self, Aliases};
use crate::passes::equation_structure::Structure;
use crate::passes::late::Waiting;
use crate::prepared::before_forces::BeforeExpressions;
use crate::prepared::combination_equations::Meanings;
use crate::prepared::prepare::{Impossible, Task};
use crate::prepared::valves::Valves;
use equations::coupling::{NetworkPort, Touch};
use equations::expr::{Arena, ExprId, Node, VarId};
use equations::flat::{Equation, Flat, Source, Variable};
use equations::walk::{Marks, Walks};

/// The ports in one combination of modes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Coupled {
    /// States that have the coordinate or speed of a joint as their value.
    pub given: Vec<Given>,
    /// For each port: does its force follow without accelerations?
    pub known: Vec<bool>,
    /// For each storage: does its rate wait for accelerations? Nothing without ports.
    pub late_rates: Vec<bool>,
    /// For each port: do the networks determine coordinate and speed?
    pub fixed: Vec<[bool; 2]>,
    /// Does a guard need accelerations?
    pub guards_wait: bool,
    /// For each open port: do the networks determine its acceleration? Nothing if the ports are closed.
    pub held: Vec<bool>,
}

/// A state of the networks that has the coordinate or speed of a joint as its value, times a sign.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Given {
    pub state: VarId,
    /// 1 or -1.
    pub sign: f64,
    /// The number from outside.
    pub input: u32,
}

/// Equations that are sorted.
pub(crate) struct Sorted<'a> {
    pub task: &'a Task<'a>,
    pub aliases: &'a Aliases,
    pub structure: &'a Structure,
    pub blocks: &'a [Vec<usize>],
    pub n_variables: usize,
}

/// What the ports ask for.
#[derive(Default)]
pub(crate) struct Asked {
    /// Before the forces of the mechanics, in the order of `before_forces.rs`.
    pub before: Vec<ExprId>,
    /// Forces that wait for accelerations, if the ports are open.
    pub drives: Vec<ExprId>,
    /// All forces.
    pub forces: Vec<ExprId>,
    /// For each variable: does it wait for accelerations? Nothing without ports.
    pub late: Vec<bool>,
}

/// Coordinate and speed of each port, as expressions where the networks determine them, else zero.
fn determined(
    ports: &[NetworkPort],
    fixed: &[[bool; 2]],
    arena: &mut Arena,
    mut meaning: impl FnMut(&mut Arena, ExprId) -> ExprId,
) -> Vec<[ExprId; 2]> {
    let mut all = vec![[arena.constant(0.0); 2]; ports.len()];
    for ((port, fixed), determined) in ports.iter().zip(fixed).zip(&mut all) {
        for (order, &variable) in port.given.iter().flatten().enumerate() {
            if fixed[order] {
                let variable = arena.variable(variable);
                determined[order] = meaning(arena, variable);
            }
        }
    }
    all
}

impl Sorted<'_> {
    /// Sorts the ports out; `searched` are the guards whose roots are searched for.
    pub fn couple(
        &self,
        arena: &mut Arena,
        searched: &[ExprId],
        walks: &mut Walks,
    ) -> Result<(Coupled, Asked), Impossible> {
        let Task { flat, modes, kind, wanted, held, .. } = *self.task;
        let ports = &flat.ports;
        let Walks { images, marks } = walks;
        let done = images.start();
        let meanings = Meanings { flat, aliases: self.aliases, modes };
        let mut meaning = |arena: &mut Arena, id: ExprId| meanings.rewrite(arena, id, done);
        let used: Vec<ExprId> = wanted.used.iter().map(|&id| meaning(arena, id)).collect();
        let mut before = BeforeExpressions { used, ..BeforeExpressions::default() };
        if ports.list.is_empty() {
            let asked = Asked { before: before.into_list(), ..Asked::default() };
            return Ok((Coupled::default(), asked));
        }
        let (given, fixed) = self.given()?;
        // Signals and momenta enter the forces of the mechanics: they must not wait for its accelerations.
        let late = ports.sort(arena, self.structure, self.blocks, self.n_variables, marks);
        let zero = arena.constant(0.0);
        for port in &ports.list {
            before.momenta.push(meaning(arena, port.momentum.unwrap_or(zero)));
        }
        let mut early = before.used.iter().chain(&before.momenta);
        if early.any(|&root| ports.waits(arena, &late, root, marks)) {
            let block = ports.list.first().map_or(0, |port| port.block);
            return Err(Impossible::AlgebraicLoop(block));
        }
        // Forces that follow without accelerations act at once.
        let mut forces = Vec::with_capacity(ports.list.len());
        for port in &ports.list {
            let force = arena.variable(port.force);
            forces.push(meaning(arena, force));
        }
        let known: Vec<bool> =
            forces.iter().map(|&force| !ports.waits(arena, &late, force, marks)).collect();
        let at_once = forces.iter().zip(&known);
        before.known_forces.extend(at_once.map(|(&f, &known)| if known { f } else { zero }));
        // Coordinates and speeds that the networks give back to the mechanics.
        before.determined = determined(&ports.list, &fixed, arena, &mut meaning);
        // Open ports: accelerations that the networks determine, and forces that wait for the others.
        let mut drives = Vec::new();
        if kind == Valves::Open {
            for (port, &is_held) in ports.list.iter().zip(held) {
                let acceleration = arena.variable(port.acceleration);
                let held = if is_held { meaning(arena, acceleration) } else { zero };
                // An acceleration that another port decides is solved together with it, by closed ports.
                if ports.waits(arena, &late, held, marks) {
                    return Err(Impossible::AlgebraicLoop(port.block));
                }
                before.held.push(held);
            }
            let waiting = forces.iter().zip(&known).zip(held);
            let waiting = waiting.filter(|((_, known), held)| !**known && !**held);
            drives.extend(waiting.map(|((&force, _), _)| force));
        }
        let guards_wait = searched.iter().any(|&guard| {
            let guard = meaning(arena, guard);
            ports.waits(arena, &late, guard, marks)
        });
        let held = if kind == Valves::Open { held.to_vec() } else { Vec::new() };
        Ok((
            Coupled { given, known, fixed, guards_wait, late_rates: Vec::new(), held },
            Asked { before: before.into_list(), drives, forces, late },
        ))
    }

    /// For each of some rates: does it wait for accelerations? Nothing without ports.
    pub fn late_rates(
        &self,
        arena: &Arena,
        late: &[bool],
        rates: &[ExprId],
        marks: &mut Marks,
    ) -> Vec<bool> {
        let ports = &self.task.flat.ports;
        if ports.list.is_empty() {
            return Vec::new();
        }
        rates.iter().map(|&rate| ports.waits(arena, late, rate, marks)).collect()
    }

    /// The states that the mechanics gives, and what it gets back.
    fn given(&self) -> Result<(Vec<Given>, Vec<[bool; 2]>), Impossible> {
        let ports = &self.task.flat.ports;
        let mut fixed = vec![[false; 2]; ports.list.len()];
        let row = |equation: &&Equation| equation.source == Source::Port && equation.level > 0;
        if let Some(equation) = self.structure.equations.iter().find(row) {
            return Err(Impossible::Jerk(equation.block));
        }
        let mut given: Vec<Given> = Vec::new();
        if self.task.kind.rule().is_some() {
            return Ok((given, fixed));
        }
        for (k, port) in ports.list.iter().enumerate() {
            for (order, &variable) in port.given.iter().flatten().enumerate() {
                let meaning = self.aliases.find(variable);
                let is_solved = match meaning {
                    alias::Meaning::Same(own, _) => self.structure.solves.contains(&Some(own)),
                    alias::Meaning::Constant(_) => true,
                };
                if is_solved && matches!(port.touch, Touch::Line(_)) {
                    return Err(Impossible::Distance(port.block));
                }
                let alias::Meaning::Same(own, sign) = meaning else {
                    fixed[k][order] = true;
                    continue;
                };
                if is_solved || given.iter().any(|other| other.state == own) {
                    fixed[k][order] = true;
                } else {
                    given.push(Given { state: own, sign, input: ports.given(k, order) });
                }
            }
        }
        Ok((given, fixed))
    }
}

/// Variables that are states of the mechanics. Where the storages are unknowns these have equations of their own.
pub(crate) fn given_variables(flat: &Flat, kind: Valves) -> Vec<VarId> {
    match kind {
        Valves::Static(_) | Valves::Led(_) => Vec::new(),
        _ => flat.ports.all_given().map(|(variable, _)| variable).collect(),
    }
}

/// Where the storages are unknowns, the coordinates and speeds of joints are numbers from outside.
pub(crate) fn fix_given(
    arena: &mut Arena,
    flat: &Flat,
    variables: &mut [Variable],
    equations: &mut Vec<Equation>,
) {
    for (variable, input) in flat.ports.all_given() {
        let Variable { rate, block, .. } = variables[variable.index()];
        variables[variable.index()].rate = None;
        if let Some(rate) = rate {
            variables[rate.index()].of = None;
        }
        let (x, input) = (arena.variable(variable), arena.make(Node::Input(input)));
        let input = arena.make(Node::Negate(input));
        let (terms, source) = (vec![x, input], Source::Law);
        equations.push(Equation { terms, block, source, level: 0 });
    }
}
