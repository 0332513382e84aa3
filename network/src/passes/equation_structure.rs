//! Passes 3 to 5: which equation determines which variable, which equations have to be differentiated, and
//! which variables are states.
//!
//! The algorithms work on plain graphs: `matching.rs`, `index_reduction.rs`, `state_choice.rs`. This file joins them to the
//! expressions of the equations, whose derivatives it writes.

use rustc_hash::FxHashMap;

use crate::passes::alias::{self, Aliases, Meaning};
use crate::passes::index_reduction::{EquationGraph, Reduction, reduce_index};
use crate::passes::linear_form::variables_of;
use crate::passes::matching::{self, Matching, Met};
use crate::passes::state_choice::{choose_states, take_chosen, take_determined};
use crate::passes::state_selection::{Determined, rises};
use equations::expr::{Arena, VarId};
use equations::flat::{Equation, Variable, rate_of, split_terms, time_derivative};
use equations::walk::Walks;

/// No equation needs to be differentiated more often than this in any network that makes sense.
const MOST_DERIVATIVES: u8 = 6;

/// Equations with the variables that they determine.
#[derive(Clone, Debug)]
pub struct Structure {
    /// All equations, those that were differentiated after the others.
    pub equations: Vec<Equation>,
    /// The unknowns of each equation.
    pub incidence: Vec<Vec<VarId>>,
    /// The variable that each equation determines.
    pub solves: Vec<Option<VarId>>,
    /// Variables with a derivative that no equation determines.
    pub states: Vec<VarId>,
    /// For each equation the one that it is the derivative of.
    pub derived_from: Vec<Option<usize>>,
}

impl Structure {
    /// How often each equation was differentiated.
    pub(crate) fn differentiations(&self) -> Vec<u8> {
        let mut counts = vec![0; self.derived_from.len()];
        // Derivatives stand behind what they are derived from.
        for (equation, from) in self.derived_from.iter().enumerate().rev() {
            if let Some(from) = *from {
                counts[from] = counts[equation] + 1;
            }
        }
        counts
    }
}

/// Which variables had best be states, by index.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kept<'a> {
    /// Those that stand for a storage.
    pub is_storage: &'a [bool],
    /// Those that are states of the mechanics.
    pub is_given: &'a [bool],
}

/// Equations that do not determine their variables.
#[derive(Clone, Debug)]
pub struct Singular {
    /// Equations of which there is one too many.
    pub equations: Vec<Equation>,
    /// Variables that these equations speak of.
    pub variables: Vec<VarId>,
    /// Would it take the derivative of a signal from outside of the networks?
    pub needs_rate: bool,
}

/// What the choice of states goes by.
#[derive(Clone, Copy)]
pub(crate) struct Choice<'a> {
    /// The variables that had best be states.
    pub kept: Kept<'a>,
    /// For some constraints the variable that each had best determine.
    pub chosen: &'a FxHashMap<usize, VarId>,
    /// Constraints and the variables that they shall determine together, chosen by numbers.
    pub determined: &'a Determined,
}

/// Equations as expressions, while their index is reduced.
struct Equations<'a> {
    arena: &'a mut Arena,
    variables: &'a mut Vec<Variable>,
    list: Vec<Equation>,
    incidence: Vec<Vec<VarId>>,
    aliases: &'a Aliases,
    walks: &'a mut Walks,
}

impl EquationGraph for Equations<'_> {
    type Refusal = Singular;

    fn incidence(&self) -> &[Vec<VarId>] {
        &self.incidence
    }

    fn n_variables(&self) -> usize {
        self.variables.len()
    }

    fn rate(&self, variable: VarId) -> Option<VarId> {
        self.variables[variable.index()].rate
    }

    fn own_rate(&self, variable: VarId) -> Option<VarId> {
        match self.aliases.find(self.rate(variable)?) {
            Meaning::Same(own, _) => Some(own),
            Meaning::Constant(_) => None,
        }
    }

    fn order(&self, variable: VarId) -> usize {
        usize::from(rises(self.variables, self.aliases, variable))
    }

    fn check(&mut self, met: &Met, origins: &[Option<usize>]) -> Result<(), Singular> {
        let Met { equations, variables } = met;
        // Equations that are differentiated again and again have no solution.
        let deepest = equations.iter().map(|&e| self.list[e].level).max().unwrap_or(0);
        // An equation between states says something about their rates; one without variables does not.
        let is_idle =
            variables.is_empty() && equations.iter().all(|&e| self.incidence[e].is_empty());
        if deepest >= MOST_DERIVATIVES || is_idle && deepest > 0 {
            return Err(self.singular(equations, origins));
        }
        // A signal from outside has no derivative that the networks could ask for.
        if let Some(&given) = equations.iter().find(|&&e| self.uses_input(e)) {
            return Err(Singular { needs_rate: true, ..self.singular(&[given], origins) });
        }
        Ok(())
    }

    fn differentiate(&mut self, met: &Met) {
        // New derivatives of variables first, since the derivatives of the equations speak of them.
        for &variable in &met.variables {
            rate_of(self.variables, variable);
        }
        let Walks { images, marks } = &mut *self.walks;
        let done = images.start();
        let aliases = self.aliases;
        // The rate of a variable may be the rate of another.
        let meaning = |arena: &mut Arena, rate: VarId| alias::meaning(arena, aliases, rate);
        for &index in &met.equations {
            let old = self.list[index].clone();
            // The derivative of a sum, term by term; constants vanish.
            let mut terms = Vec::with_capacity(old.terms.len());
            for &term in &old.terms {
                let rate = time_derivative(self.arena, self.variables, term, done, meaning);
                if self.arena.value(rate) != Some(0.0) {
                    terms.extend(split_terms(self.arena, rate));
                }
            }
            self.incidence.push(variables_of(self.arena, &terms, marks));
            self.list.push(Equation { terms, level: old.level + 1, ..old });
        }
    }
}

/// Matches equations and variables; reduces the index; chooses states. Where a constraint is told which variable
/// it had best determine, that is no state.
///
/// # Errors
/// If some equations contradict each other or say the same.
pub(crate) fn find(
    arena: &mut Arena,
    variables: &mut Vec<Variable>,
    equations: Vec<Equation>,
    aliases: &Aliases,
    Choice { kept, chosen, determined }: Choice<'_>,
    walks: &mut Walks,
) -> Result<Structure, Singular> {
    let marks = &mut walks.marks;
    // The graph: which variables occur in which equation.
    let incidence: Vec<Vec<VarId>> =
        equations.iter().map(|equation| variables_of(arena, &equation.terms, marks)).collect();
    let mut graph = Equations { arena, variables, list: equations, incidence, aliases, walks };
    // Index one, and a matching of all highest derivatives.
    let mut reduction = reduce_index(&mut graph)?;
    // Choices that were made by numbers, or that make constraints independent, come before all others.
    take_determined(&graph, &mut reduction, determined);
    take_chosen(&graph, &mut reduction, chosen);
    // Variables that store nothing are determined first, then those without initial values that are wished for or given; the
    // coordinates of joints only where nothing else is left.
    let stores = |v: VarId| kept.is_storage.get(v.index()) == Some(&true);
    let is_free = |v: VarId| kept.is_given.get(v.index()) != Some(&true);
    let is_unasked = |v: VarId| graph.variables[v.index()].initial.is_none();
    let is_unwished = |v: VarId| graph.variables[v.index()].wish.is_none();
    let preferences: [&dyn Fn(VarId) -> bool; 5] = [
        &|v| is_free(v) && !stores(v),
        &|v| is_free(v) && is_unasked(v) && is_unwished(v),
        &|v| is_free(v) && is_unasked(v),
        &is_free,
        &|_| true,
    ];
    // The lower derivatives that constraints determine; what they leave are the states.
    let competing = choose_states(&graph, &mut reduction, &preferences);
    let Reduction { matching, derivative_of, .. } = reduction;
    competing.map_err(|met| graph.singular(&met.equations, &derivative_of))?;
    // Now every equation has a variable; has every variable an equation?
    graph.check_determined(&matching, &derivative_of)?;
    let states = graph.states(&matching);
    let Equations { list: equations, incidence, .. } = graph;
    let solves = matching.into_variables();
    Ok(Structure { equations, incidence, solves, states, derived_from: derivative_of })
}

impl Equations<'_> {
    /// Does an equation use a signal from outside, whose derivative is not known?
    fn uses_input(&mut self, equation: usize) -> bool {
        let terms = &self.list[equation].terms;
        terms.iter().any(|&term| self.arena.has_input(term, &mut self.walks.marks))
    }

    /// Variables with a derivative that no equation determines.
    fn states(&self, matching: &Matching) -> Vec<VarId> {
        let all = (0..self.variables.len()).map(|v| VarId(v as u32));
        all.filter(|&v| {
            let is_itself = self.aliases.find(v) == Meaning::Same(v, 1.0);
            matching.equation_of(v).is_none() && is_itself && !self.is_highest(v)
        })
        .collect()
    }

    /// Finds variables that occur, are no states and are determined by nothing.
    fn check_determined(
        &self,
        matching: &Matching,
        origins: &[Option<usize>],
    ) -> Result<(), Singular> {
        let mut free: Vec<VarId> = Vec::new();
        let mut about: Vec<usize> = Vec::new();
        for (equation, incidence) in self.incidence.iter().enumerate() {
            for &variable in incidence {
                if matching.equation_of(variable).is_none() && self.is_highest(variable) {
                    free.push(variable);
                    about.push(equation);
                }
            }
        }
        if free.is_empty() {
            return Ok(());
        }
        free.sort_unstable();
        free.dedup();
        Err(Singular { variables: free, ..self.singular(&about, origins) })
    }

    /// Some equations as a mistake, each by the equation that it is a derivative of, however often.
    fn singular(&self, equations: &[usize], origins: &[Option<usize>]) -> Singular {
        let mut variables: Vec<VarId> =
            equations.iter().flat_map(|&e| self.incidence[e].iter().copied()).collect();
        variables.sort_unstable();
        variables.dedup();
        let root = |&e: &usize| std::iter::successors(Some(e), |&e| origins[e]).last().unwrap_or(e);
        let mut roots: Vec<usize> = equations.iter().map(root).collect();
        roots.sort_unstable();
        roots.dedup();
        let equations = roots.into_iter().map(|e| self.list[e].clone()).collect();
        Singular { equations, variables, needs_rate: false }
    }
}

/// The equations in blocks that can be solved one after the other, the first first.
pub(crate) fn blocks(structure: &Structure, n_variables: usize) -> Vec<Vec<usize>> {
    matching::blocks(&structure.incidence, &structure.solves, n_variables)
}
