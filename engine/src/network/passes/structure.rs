//! Passes 3 to 5: which equation determines which variable, which equations have to be differentiated, and
//! which variables are states.
//!
//! Pantelides (SIAM J. Sci. Stat. Comput. 9 (1988) 213) finds the equations to differentiate; the constraints
//! that were differentiated then determine variables that would be states otherwise (dummy derivatives,
//! Mattsson and Söderlind, SIAM J. Sci. Comput. 14 (1993) 677).

use rustc_hash::{FxHashMap, FxHashSet};

use crate::network::equations::expr::{Arena, VarId};
use crate::network::equations::flat::{Equation, Variable, rate_of, time_derivative};
use crate::network::equations::walk::Walks;
use crate::network::passes::alias::{self, Aliases, Meaning, variables_of};
use crate::network::passes::selection::{Determined, rises};
use integrate::graph::strong_components;

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
pub(in crate::network) struct Choice<'a> {
    /// The variables that had best be states.
    pub kept: Kept<'a>,
    /// For some constraints the variable that each had best determine.
    pub chosen: &'a FxHashMap<usize, VarId>,
    /// Constraints and the variables that they shall determine together, chosen by numbers.
    pub determined: &'a Determined,
}

struct Search<'a> {
    arena: &'a mut Arena,
    variables: &'a mut Vec<Variable>,
    equations: Vec<Equation>,
    incidence: Vec<Vec<VarId>>,
    /// The equation that determines each variable.
    solved_by: Vec<Option<u32>>,
    solves: Vec<Option<VarId>>,
    derivative_of: Vec<Option<usize>>,
    derivative: Vec<Option<usize>>,
    /// Round in which a variable or equation was met last.
    met: Vec<u32>,
    met_equations: Vec<u32>,
    /// All that the last search met.
    last: (Vec<usize>, Vec<VarId>),
    round: u32,
    walks: &'a mut Walks,
    aliases: &'a Aliases,
}

/// Matches equations and variables; reduces the index; chooses states. Where a constraint is told which variable
/// it had best determine, that is no state.
///
/// # Errors
/// If some equations contradict each other or say the same.
pub(in crate::network) fn find(
    arena: &mut Arena,
    variables: &mut Vec<Variable>,
    equations: Vec<Equation>,
    aliases: &Aliases,
    Choice { kept, chosen, determined }: Choice<'_>,
    walks: &mut Walks,
) -> Result<Structure, Singular> {
    let marks = &mut walks.marks;
    let incidence: Vec<Vec<VarId>> =
        equations.iter().map(|equation| variables_of(arena, &equation.terms, marks)).collect();
    let count = equations.len();
    let mut search = Search {
        solved_by: vec![None; variables.len()],
        solves: vec![None; count],
        derivative_of: vec![None; count],
        derivative: vec![None; count],
        met: vec![0; variables.len()],
        met_equations: vec![0; count],
        last: (Vec::new(), Vec::new()),
        round: 0,
        arena,
        variables,
        equations,
        incidence,
        walks,
        aliases,
    };
    search.match_singletons();
    search.reduce_index()?;
    search.take_determined(determined);
    search.take_chosen(chosen);
    search.choose_states(kept)?;
    search.check_determined()?;
    let states = search.states();
    let Search { equations, incidence, solves, derivative_of, .. } = search;
    Ok(Structure { equations, incidence, solves, states, derived_from: derivative_of })
}

impl Search<'_> {
    fn is_highest(&self, variable: VarId) -> bool {
        self.variables[variable.index()].rate.is_none()
    }

    fn assign(&mut self, equation: usize, variable: VarId) {
        self.solved_by[variable.index()] = Some(equation as u32);
        self.solves[equation] = Some(variable);
    }

    /// Equations with a single unknown, and unknowns with a single equation, have no choice (Karp and
    /// Sipser 1981). In most networks this settles nearly everything, in time proportional to size.
    fn match_singletons(&mut self) {
        let mut users: Vec<Vec<u32>> = vec![Vec::new(); self.variables.len()];
        let mut degree = vec![0u32; self.equations.len()];
        for (index, incidence) in self.incidence.iter().enumerate() {
            for &variable in incidence.iter().filter(|variable| self.is_highest(**variable)) {
                users[variable.index()].push(index as u32);
                degree[index] += 1;
            }
        }
        let mut uses: Vec<u32> = users.iter().map(|users| users.len() as u32).collect();
        let mut equations: Vec<u32> =
            (0..degree.len() as u32).rev().filter(|&e| degree[e as usize] == 1).collect();
        let mut lonely: Vec<u32> =
            (0..uses.len() as u32).rev().filter(|&v| uses[v as usize] == 1).collect();
        loop {
            let pair = if let Some(equation) = equations.pop() {
                let equation = equation as usize;
                let free = |v: &&VarId| self.is_highest(**v) && self.solved_by[v.index()].is_none();
                let found = self.incidence[equation].iter().find(free).copied();
                found.filter(|_| self.solves[equation].is_none()).map(|v| (equation, v))
            } else if let Some(variable) = lonely.pop() {
                let free = |e: &&u32| self.solves[**e as usize].is_none();
                let found = users[variable as usize].iter().find(free).copied();
                let open = self.solved_by[variable as usize].is_none();
                found.filter(|_| open).map(|e| (e as usize, VarId(variable)))
            } else {
                return;
            };
            let Some((equation, variable)) = pair else { continue };
            self.assign(equation, variable);
            for &user in &users[variable.index()] {
                degree[user as usize] -= 1;
                if degree[user as usize] == 1 && self.solves[user as usize].is_none() {
                    equations.push(user);
                }
            }
            for &other in &self.incidence[equation] {
                let left = &mut uses[other.index()];
                *left = left.saturating_sub(1);
                if *left == 1 && self.solved_by[other.index()].is_none() && other != variable {
                    lonely.push(other.0);
                }
            }
        }
    }

    /// Looks for an alternating path from an equation to a free variable that `allowed` admits, and shifts
    /// the matching along it. Leaves marks on all that it met.
    fn augment(&mut self, start: usize, allowed: impl Fn(&Self, usize, VarId) -> bool) -> bool {
        self.round += 1;
        self.met.resize(self.variables.len(), 0);
        self.solved_by.resize(self.variables.len(), None);
        let round = self.round;
        // Each equation of the path, and how many of its variables were tried.
        let mut path: Vec<(usize, usize)> = vec![(start, 0)];
        self.met_equations[start] = round;
        self.last.0.clear();
        self.last.1.clear();
        self.last.0.push(start);
        while let Some(&(equation, next)) = path.last() {
            if next == 0 {
                let free = self.incidence[equation]
                    .iter()
                    .find(|v| self.solved_by[v.index()].is_none() && allowed(self, equation, **v));
                if let Some(&variable) = free {
                    self.shift(&path, variable);
                    return true;
                }
            }
            let Some(&variable) = self.incidence[equation].get(next) else {
                path.pop();
                continue;
            };
            if let Some(last) = path.last_mut() {
                last.1 += 1;
            }
            if self.met[variable.index()] == round || !allowed(self, equation, variable) {
                continue;
            }
            self.met[variable.index()] = round;
            self.last.1.push(variable);
            if let Some(owner) = self.solved_by[variable.index()] {
                let owner = owner as usize;
                if self.met_equations[owner] != round {
                    self.met_equations[owner] = round;
                    self.last.0.push(owner);
                }
                path.push((owner, 0));
            }
        }
        false
    }

    /// Gives each equation of a path the variable through which it was left.
    fn shift(&mut self, path: &[(usize, usize)], last: VarId) {
        let mut variable = last;
        for &(equation, _) in path.iter().rev() {
            let before = self.solves[equation];
            self.assign(equation, variable);
            match before {
                Some(before) => variable = before,
                None => return,
            }
        }
    }

    fn reduce_index(&mut self) -> Result<(), Singular> {
        for start in 0..self.equations.len() {
            let mut equation = start;
            // One that was differentiated on the way is a constraint; what has to be matched is its derivative.
            while let Some(next) = self.derivative[equation] {
                equation = next;
            }
            while self.solves[equation].is_none() {
                if self.augment(equation, |search, _, variable| search.is_highest(variable)) {
                    break;
                }
                let (equations, variables) = self.met_last();
                let deepest = equations.iter().map(|&e| self.equations[e].level).max().unwrap_or(0);
                // An equation between states says something about their rates; one without variables does not.
                let idle =
                    variables.is_empty() && equations.iter().all(|&e| self.incidence[e].is_empty());
                if deepest >= MOST_DERIVATIVES || idle && deepest > 0 {
                    return Err(self.singular(&equations));
                }
                if let Some(&given) = equations.iter().find(|&&e| self.uses_input(e)) {
                    return Err(Singular { needs_rate: true, ..self.singular(&[given]) });
                }
                self.differentiate(&equations, &variables);
                let Some(next) = self.derivative[equation] else { break };
                equation = next;
            }
        }
        Ok(())
    }

    /// Does an equation use a signal from outside, whose derivative is not known?
    fn uses_input(&mut self, equation: usize) -> bool {
        let terms = &self.equations[equation].terms;
        terms.iter().any(|&term| self.arena.has_input(term, &mut self.walks.marks))
    }

    /// What the last search met, in order.
    fn met_last(&mut self) -> (Vec<usize>, Vec<VarId>) {
        let (mut equations, mut variables) = std::mem::take(&mut self.last);
        equations.sort_unstable();
        variables.sort_unstable();
        (equations, variables)
    }

    fn differentiate(&mut self, equations: &[usize], variables: &[VarId]) {
        for &variable in variables {
            rate_of(self.variables, variable);
        }
        let Walks { images, marks } = &mut *self.walks;
        let done = images.start();
        let aliases = self.aliases;
        // The rate of a variable may be the rate of another.
        let meaning = |arena: &mut Arena, rate: VarId| alias::meaning(arena, aliases, rate);
        for &index in equations {
            let old = self.equations[index].clone();
            let mut terms = Vec::with_capacity(old.terms.len());
            for &term in &old.terms {
                let rate = time_derivative(self.arena, self.variables, term, done, meaning);
                if self.arena.value(rate) != Some(0.0) {
                    terms.extend(crate::network::equations::flat::split_terms(self.arena, rate));
                }
            }
            self.incidence.push(variables_of(self.arena, &terms, marks));
            self.derivative[index] = Some(self.equations.len());
            self.derivative.push(None);
            self.derivative_of.push(Some(index));
            self.met_equations.push(0);
            self.solves.push(None);
            self.equations.push(Equation { terms, level: old.level + 1, ..old });
        }
        self.met.resize(self.variables.len(), 0);
        self.solved_by.resize(self.variables.len(), None);
        for &variable in variables {
            let owner = self.solved_by[variable.index()].take();
            let rate = self.variables[variable.index()].rate;
            if let (Some(owner), Some(rate)) = (owner, rate) {
                self.solves[owner as usize] = None;
                if let Some(new) = self.derivative[owner as usize] {
                    self.assign(new, rate);
                }
            }
        }
    }

    /// Lets constraints determine what was chosen for them, and their derivatives its derivatives.
    fn take_chosen(&mut self, chosen: &FxHashMap<usize, VarId>) {
        for (&root, &variable) in chosen {
            let (mut equation, mut variable) = (Some(root), Some(variable));
            while let (Some(e), Some(v)) = (equation, variable) {
                if self.solves[e].is_none() && self.solved_by[v.index()].is_none() {
                    self.assign(e, v);
                }
                (equation, variable) = (self.derivative[e], self.variables[v.index()].rate);
            }
        }
    }

    /// Lets constraints determine what was chosen for them by numbers, and their derivatives its derivatives.
    fn take_determined(&mut self, determined: &Determined) {
        let mut chosen = FxHashSet::default();
        for &variable in &determined.variables {
            let mut at = Some(variable);
            while let Some(variable) = at.filter(|v| !self.is_highest(*v)) {
                chosen.insert(variable);
                let rate = self.variables[variable.index()].rate;
                at = rate.and_then(|rate| match self.aliases.find(rate) {
                    Meaning::Same(own, _) => Some(own),
                    Meaning::Constant(_) => None,
                });
            }
        }
        for &root in &determined.equations {
            let mut at = Some(root);
            while let Some(equation) = at.filter(|&e| self.derivative[e].is_some()) {
                if self.solves[equation].is_none() {
                    self.augment(equation, |_, _, variable| chosen.contains(&variable));
                }
                at = self.derivative[equation];
            }
        }
    }

    /// May a constraint determine a variable? Only one whose derivative of the same order has none any more: its
    /// derivatives determine those of the constraint.
    fn fits(&self, equation: usize, variable: VarId) -> bool {
        let steps = std::iter::successors(self.derivative[equation], |&e| self.derivative[e]);
        steps.count() == usize::from(rises(self.variables, self.aliases, variable))
    }

    /// Constraints determine variables that would be states otherwise: first those that store nothing, then those
    /// without given initial values; the coordinates of joints only where nothing else is left.
    fn choose_states(&mut self, kept: Kept<'_>) -> Result<(), Singular> {
        let stores = |variable: VarId| kept.is_storage.get(variable.index()) == Some(&true);
        let free = |variable: VarId| kept.is_given.get(variable.index()) != Some(&true);
        let helper = |s: &Self, e: usize, v: VarId| free(v) && !stores(v) && s.fits(e, v);
        let unasked = |s: &Self, e: usize, v: VarId| {
            free(v) && s.variables[v.index()].initial.is_none() && s.fits(e, v)
        };
        let any = |s: &Self, e: usize, v: VarId| free(v) && s.fits(e, v);
        for equation in 0..self.equations.len() {
            if self.solves[equation].is_none()
                && !self.augment(equation, helper)
                && !self.augment(equation, unasked)
                && !self.augment(equation, any)
                && !self.augment(equation, Self::fits)
                && !self.augment(equation, |_, _, _| true)
            {
                let (equations, _) = self.met_last();
                return Err(self.singular(&equations));
            }
        }
        Ok(())
    }

    /// Variables with a derivative that no equation determines.
    fn states(&self) -> Vec<VarId> {
        let all = (0..self.variables.len()).map(|v| VarId(v as u32));
        all.filter(|&v| {
            let free = self.solved_by.get(v.index()).is_none_or(Option::is_none);
            let itself = self.aliases.find(v) == Meaning::Same(v, 1.0);
            free && itself && self.variables[v.index()].rate.is_some()
        })
        .collect()
    }

    /// Variables that occur, are no states and are determined by nothing.
    fn check_determined(&self) -> Result<(), Singular> {
        let mut free: Vec<VarId> = Vec::new();
        let mut about: Vec<usize> = Vec::new();
        for (equation, incidence) in self.incidence.iter().enumerate() {
            for &variable in incidence {
                let solved = self.solved_by.get(variable.index()).is_some_and(Option::is_some);
                if !solved && self.is_highest(variable) {
                    free.push(variable);
                    about.push(equation);
                }
            }
        }
        if free.is_empty() {
            return Ok(());
        }
        let mut singular = self.singular(&about);
        free.sort_unstable();
        free.dedup();
        singular.variables = free;
        Err(singular)
    }

    fn singular(&self, equations: &[usize]) -> Singular {
        let mut variables: Vec<VarId> =
            equations.iter().flat_map(|&e| self.incidence[e].iter().copied()).collect();
        variables.sort_unstable();
        variables.dedup();
        let mut roots: Vec<usize> = equations
            .iter()
            .map(|&e| {
                std::iter::successors(Some(e), |&e| self.derivative_of[e]).last().unwrap_or(e)
            })
            .collect();
        roots.sort_unstable();
        roots.dedup();
        let equations = roots.into_iter().map(|e| self.equations[e].clone()).collect();
        Singular { equations, variables, needs_rate: false }
    }
}

/// The equations in blocks that can be solved one after the other, the first first.
pub(crate) fn blocks(structure: &Structure, variables: usize) -> Vec<Vec<usize>> {
    let mut owner: Vec<Option<usize>> = vec![None; variables];
    for (equation, solved) in structure.solves.iter().enumerate() {
        if let Some(variable) = solved {
            owner[variable.index()] = Some(equation);
        }
    }
    let mut needs: Vec<Vec<u32>> = Vec::with_capacity(structure.incidence.len());
    for (equation, incidence) in structure.incidence.iter().enumerate() {
        let others = incidence.iter().filter_map(|variable| owner[variable.index()]);
        needs.push(others.filter(|&other| other != equation).map(|other| other as u32).collect());
    }
    strong_components(&needs)
}
