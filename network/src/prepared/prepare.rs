//! All passes in order, for one combination of modes.
//!
//! The combination decides about the structure: an open diode leaves an inductor without a current of its own,
//! a closed switch makes one state of two capacitors. So each combination that is met is prepared for itself,
//! and kept; combinations that are never met cost nothing.

use std::sync::OnceLock;

use crate::code::block_compiler::{Level, ModeGuard, N_LEVELS, Plan, compile};
use crate::complementarity::undetermined::Shares;
use crate::passes::alias::{self, Aliases};
use crate::passes::equation_structure::{self, Choice, Kept, Singular, Structure};
use crate::passes::hidden_constraints::combine;
use crate::passes::state_selection::{self, Constraints, Determined};
use crate::passes::storages::{Lead, leads, mark_storages};
use crate::prepared::combination::{Prepared, StateInput};
use crate::prepared::combination_equations::{self, Meanings, Written};
use crate::prepared::coupled::{Asked, Sorted, given_variables};
use crate::prepared::network_model::Watch;
use crate::prepared::valves::Valves;
use equations::expr::{Arena, ExprId, VarId};
use equations::flat::{Equation, Flat, Variable};
use equations::islands::islands;
use equations::walk::{Images, Walks};

/// Why a combination of modes has no solution.
#[derive(Clone, Debug)]
pub enum Impossible {
    /// `0 = number`.
    Contradiction(Equation),
    /// Equations that do not determine their variables.
    Singular(Singular),
    /// The derivative of an acceleration of the mechanics is needed: block of the port.
    Jerk(u32),
    /// The networks determine the distance of two triads: block of the port.
    Distance(u32),
    /// A force of the mechanics depends on its accelerations: block of a port on the way.
    AlgebraicLoop(u32),
}

/// What is computed besides the rates.
pub(crate) struct Wanted<'a> {
    /// Variables with a derivative: the states that the integrator sees.
    pub storages: &'a [VarId],
    /// Needed with the rates.
    pub used: &'a [ExprId],
    /// Needed at events; guards of modes first.
    pub at_events: &'a [ExprId],
    /// Numbers of the expressions at events whose roots are searched for, as far as they are watched.
    pub searched: &'a [usize],
    pub watches: &'a [Watch],
    /// Needed for results.
    pub results: &'a [ExprId],
    pub n_inputs: usize,
    pub n_states: usize,
    /// Are loops torn?
    pub tears: bool,
}

impl Wanted<'_> {
    /// The storages that may be states.
    fn free_storages(&self, kind: Valves) -> &[VarId] {
        if kind.rule().is_some() { &[] } else { self.storages }
    }

    /// What each level computes, in the variables that are left.
    fn asked(
        &self,
        arena: &mut Arena,
        meanings: Meanings<'_>,
        at_ports: Asked,
        images: &mut Images,
    ) -> [Vec<ExprId>; N_LEVELS] {
        // All expressions are rewritten in the variables that are left.
        let done = images.start();
        let mut meaning = |arena: &mut Arena, id: ExprId| meanings.rewrite(arena, id, done);
        let (mut rates, mut events) = (Vec::new(), Vec::new());
        for storage in self.storages {
            // Of each storage its rate for the integrator, and its value for events.
            if let Some(rate) = meanings.flat.variables[storage.index()].rate {
                let rate = arena.variable(rate);
                rates.push(meaning(arena, rate));
            }
            let value = arena.variable(*storage);
            events.push(meaning(arena, value));
        }
        // Behind the rates of the storages the forces in the ports, and so on in the order of the levels.
        rates.extend(&at_ports.forces);
        let searched = self.searched_in(meanings.flat, meanings.modes);
        let searched = searched.iter().map(|&k| meaning(arena, self.at_events[k])).collect();
        events.extend(self.at_events.iter().map(|&value| meaning(arena, value)));
        let results = self.results.iter().map(|&result| meaning(arena, result)).collect();
        [at_ports.before, at_ports.drives, rates, searched, events, results]
    }

    /// Numbers of the expressions at events that the search for events needs in modes of this structure: guards that may be
    /// watched, then signals and guards of time expressions.
    fn searched_in(&self, flat: &Flat, modes: &[i8]) -> Vec<usize> {
        let is_possible = |&&number: &&usize| {
            self.watches.get(number).is_none_or(|watch| {
                let law = &flat.modes[watch.mode];
                law.structural(watch.from) == law.structural(modes[watch.mode])
            })
        };
        self.searched.iter().filter(is_possible).copied().collect()
    }

    /// The guards of modes among these numbers.
    fn guards_among(&self, searched: &[usize]) -> Vec<ModeGuard> {
        let guard = |&number: &usize| {
            let watch = self.watches.get(number)?;
            Some(ModeGuard { number, mode: watch.mode, from: watch.from })
        };
        searched.iter().map_while(guard).collect()
    }
}

/// What is done about equations of a combination that do not determine all variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Remedy {
    /// Nothing but what plain loops and cuts of valves ask for.
    Plain,
    /// Closed valves whose laws follow from others share.
    Shares,
    /// Besides, open valves conduct next to nothing, which determines a potential behind a transformer: the least sum of
    /// squares of the voltages across them.
    Leaks,
}

/// A combination of modes that is to be prepared.
#[derive(Clone, Copy)]
pub(crate) struct Task<'a> {
    pub flat: &'a Flat,
    pub modes: &'a [i8],
    pub kind: Valves,
    pub wanted: &'a Wanted<'a>,
    /// Variables that constraints shall determine, by a choice that looked at numbers.
    pub determined: &'a Determined,
    /// For each open port: do the networks determine its acceleration? Then the mechanics gives its force.
    pub held: &'a [bool],
    /// What is done about equations that do not determine all variables.
    pub remedy: Remedy,
}

/// Equations of a combination with index one, and what their variables are.
struct Reduced {
    islands: Vec<usize>,
    shares: Shares,
    variables: Vec<Variable>,
    aliases: Aliases,
    structure: Structure,
    is_storage: Vec<bool>,
    is_given: Vec<bool>,
}

impl Reduced {
    /// The variables that had best be states.
    fn kept(&self) -> Kept<'_> {
        Kept { is_storage: &self.is_storage, is_given: &self.is_given }
    }
}

/// Writes the equations of a combination, eliminates aliases, reduces the index and chooses states.
fn reduce(arena: &mut Arena, task: &Task<'_>, walks: &mut Walks) -> Result<Reduced, Impossible> {
    let Task { flat, modes, kind, wanted, .. } = *task;
    // Open valves may cut parts off from their reference.
    let islands = islands(flat, modes);
    // The equations as the modes have them, then one variable for all that are the same but for a sign or factor.
    let Written { mut variables, equations, shares } =
        combination_equations::write(arena, task, &islands, &mut walks.images);
    let (mut equations, aliases) =
        alias::eliminate(arena, &mut variables, equations, &mut walks.images)
            .map_err(Impossible::Contradiction)?;
    // What had best be a state: storages of energy, above all those whose values are given from outside.
    let storages = wanted.free_storages(kind);
    let is_storage = mark_storages(&aliases, storages, variables.len());
    let is_given = mark_storages(&aliases, &given_variables(flat, kind), variables.len());
    let kept = Kept { is_storage: &is_storage, is_given: &is_given };
    // Constraints that hide behind sums come to light before the index is reduced.
    let chosen = combine(arena, &variables, &mut equations, kept, &mut walks.marks);
    let choice = Choice { kept, chosen: &chosen, determined: task.determined };
    let structure =
        equation_structure::find(arena, &mut variables, equations, &aliases, choice, walks)
            .map_err(Impossible::Singular)?;
    Ok(Reduced { islands, shares, variables, aliases, structure, is_storage, is_given })
}

/// Reduces the equations; where valves make them singular, with the remedy that helps.
fn reduce_anyway(
    arena: &mut Arena,
    task: &Task<'_>,
    walks: &mut Walks,
) -> Result<Reduced, Impossible> {
    reduce(arena, task, walks).or_else(|impossible| {
        // A closed valve may say what others say already, by way of gears or transformers; an open one may leave a potential
        // behind them open.
        let is_singular = matches!(impossible, Impossible::Singular(_));
        let has_valves = task.flat.modes.iter().any(|law| law.valve.is_some());
        if !is_singular || task.kind == Valves::Soft || !has_valves {
            return Err(impossible);
        }
        let remedies = [Remedy::Shares, Remedy::Leaks].into_iter();
        let mut tried = remedies.map(|remedy| reduce(arena, &Task { remedy, ..*task }, walks));
        tried.find_map(Result::ok).ok_or(impossible)
    })
}

/// The states that storages give.
fn state_inputs(leads: &[Option<Lead>]) -> Vec<StateInput> {
    let input = |(storage, lead): (usize, &Option<Lead>)| {
        let Lead { state, sign } = (*lead)?;
        Some(StateInput { storage: storage as u32, place: state.0, sign })
    };
    leads.iter().enumerate().filter_map(input).collect()
}

/// Prepares a combination of modes.
pub(crate) fn prepare(arena: &mut Arena, task: &Task<'_>) -> Result<Prepared, Impossible> {
    let Task { flat, modes, kind, wanted, .. } = *task;
    let mut walks = Walks::default();
    let reduced = reduce_anyway(arena, task, &mut walks)?;
    let Reduced { variables, aliases, structure, .. } = &reduced;
    // The order of solution.
    let blocks = equation_structure::blocks(structure, variables.len());
    // What the ports ask for, and which variables wait for accelerations.
    let sorted = Sorted { task, aliases, structure, blocks: &blocks, n_variables: variables.len() };
    let searched = wanted.searched_in(flat, modes);
    let guards: Vec<ExprId> = searched.iter().map(|&number| wanted.at_events[number]).collect();
    let (mut coupled, mut at_ports) = sorted.couple(arena, &guards, &mut walks)?;
    // Constraints that may have to determine other variables when their numbers change.
    let constraints = Constraints {
        variables,
        aliases,
        structure,
        kept: reduced.kept(),
        storages: wanted.free_storages(kind),
    };
    let (groups, slopes) = state_selection::groups(arena, &constraints, &mut walks.images);
    // The expressions of each level.
    let late = std::mem::take(&mut at_ports.late);
    let meanings = Meanings { flat, aliases, modes };
    let mut asked = wanted.asked(arena, meanings, at_ports, &mut walks.images);
    asked[Level::Events as usize].extend(slopes);
    let rates = &asked[Level::Rates as usize];
    let n_rates = rates.len().min(wanted.storages.len());
    coupled.late_rates = sorted.late_rates(arena, &late, &rates[..n_rates], &mut walks.marks);
    // The code computes level by level what is asked for, and what that needs.
    let plan = Plan {
        structure,
        blocks: &blocks,
        n_variables: variables.len(),
        n_inputs: wanted.n_inputs + kind.inputs(wanted.storages.len(), flat.balances.len()).len(),
        n_states: wanted.n_states + flat.modes.len(),
        n_memory: flat.discrete.first.len(),
        asked: &asked,
        guards: wanted.guards_among(&searched),
        late: &late,
        // What exponents limit had best be an unknown of its own.
        tears: wanted.tears && !matches!(kind, Valves::Led(_)),
    };
    let code = compile(arena, &plan, &mut walks);
    // Which storage gives each state its value; where the mechanics gives it, none does.
    let is_own = |state: &VarId| coupled.given.iter().all(|given| given.state != *state);
    let own: Vec<VarId> = structure.states.iter().copied().filter(is_own).collect();
    let leads = leads(aliases, &own, wanted.storages, &flat.variables);
    let inputs = state_inputs(&leads);
    let Reduced { islands, shares, variables, aliases, structure, .. } = reduced;
    Ok(Prepared {
        key: modes.to_vec(),
        kind,
        variables,
        aliases,
        structure,
        blocks,
        leads,
        inputs,
        islands,
        shares,
        coupled,
        groups,
        determined: task.determined.clone(),
        code,
        pattern: OnceLock::new(),
    })
}
