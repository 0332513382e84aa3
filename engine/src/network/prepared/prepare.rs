//! All passes in order, for one combination of modes.
//!
//! The combination decides about the structure: an open diode leaves an inductor without a current of its own,
//! a closed switch makes one state of two capacitors. So each combination that is met is prepared for itself,
//! and kept; combinations that are never met cost nothing.

use std::cell::OnceCell;

use crate::network::code::compile::{Code, Level, N_LEVELS, Plan, compile};
use crate::network::code::evaluate::Values;
use crate::network::code::straight::Frozen;
use crate::network::code::tangent::Tangents;
use crate::network::complementarity::undetermined;
use crate::network::equations::expr::{Arena, Contents, ExprId, Node, VarId};
use crate::network::equations::flat::{
    Equation, Flat, Source, Valve, ValveKind, Variable, split_into, split_terms,
};
use crate::network::equations::walk::{Images, Walks};
use crate::network::passes::alias::{self, Aliases};
use crate::network::passes::combine;
use crate::network::passes::selection::{self, Determined, Group};
use crate::network::passes::storages::{leads, mark_storages};
use crate::network::passes::structure::{self, Kept, Singular, Structure};
use crate::network::prepared::coupled::{Asked, Coupled, Sorted, fix_given, given_variables};
use crate::network::prepared::drives::Drives;
use crate::network::prepared::network::Watch;
use integrate::Pattern;

/// Conductance from an island to the reference, over a usual one: fixes its potential and carries nothing that counts.
pub(crate) const ISLAND_CONDUCTANCE: f64 = 1e-12;

/// Why a combination of modes has no solution.
#[derive(Clone, Debug)]
pub(crate) enum Impossible {
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

/// The networks in one combination of modes.
#[derive(Clone, Debug)]
pub(crate) struct Prepared {
    /// The modes in force.
    pub modes: Vec<i8>,
    /// Those that it was prepared for: one for all that differ in numbers only.
    pub key: Vec<i8>,
    pub kind: Valves,
    pub variables: Vec<Variable>,
    pub aliases: Aliases,
    pub structure: Structure,
    pub blocks: Vec<Vec<usize>>,
    /// For each of the storages: the state whose value it gives, with its sign.
    pub leads: Vec<Option<(VarId, f64)>>,
    /// A node of each part without reference.
    pub islands: Vec<usize>,
    pub coupled: Coupled,
    /// Constraints that may come to determine other variables.
    pub groups: Vec<Group>,
    /// What was chosen for them by numbers.
    pub determined: Determined,
    pub code: Code,
    pub values: Values,
    /// Slopes of the numbers, once a Jacobian was asked for.
    pub tangents: Option<Box<Tangents>>,
    /// What the forces of open ports are made of, once they were asked for.
    pub drives: Option<Box<Drives>>,
    /// The code without branches.
    pub frozen: Frozen,
    /// Which rates of the whole system depend on which states, once that was asked for.
    pub pattern: OnceCell<Pattern>,
}

impl Prepared {
    /// Lists the numbers from outside: all from the time to the registers, and states. Those that the mechanics gives are
    /// among the former.
    pub fn fill_outside(&self, list: &mut Vec<f64>) {
        let numbers = &self.values.numbers;
        list.clear();
        list.extend_from_slice(&numbers[self.code.time as usize..self.code.one as usize]);
        list.extend(self.leads.iter().flatten().map(|(state, _)| numbers[state.index()]));
    }

    /// Are these the numbers from outside?
    pub fn is_outside(&self, list: &[f64]) -> bool {
        let numbers = &self.values.numbers;
        let inputs = &numbers[self.code.time as usize..self.code.one as usize];
        let mut states = self.leads.iter().flatten().map(|(state, _)| numbers[state.index()]);
        list.starts_with(inputs) && list[inputs.len()..].iter().all(|x| states.next() == Some(*x))
    }

    /// Puts modes in force that have this structure; the numbers of modes stand behind the states of switches.
    pub fn take_modes(&mut self, modes: &[i8], n_switches: usize) {
        self.frozen.is_new = true;
        self.modes.clear();
        self.modes.extend_from_slice(modes);
        let first = self.code.states as usize + n_switches;
        for (number, &mode) in self.values.numbers[first..].iter_mut().zip(modes) {
            *number = f64::from(mode);
        }
    }
}

/// How valves are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Valves {
    /// As they are.
    Ideal,
    /// With a small resistance while closed and a small conductance while open. A combination of modes that
    /// would need an infinite voltage or current then needs a large one, whose sign tells which valve
    /// will give way.
    Soft,
    /// As they are, and the storages are unknowns too.
    Static(Rule),
    /// As they are, and the accelerations at the ports are numbers from outside (`open.rs`).
    Open,
}

impl Valves {
    /// Number of kinds.
    pub const KINDS: usize = 5;

    /// The number of a kind.
    pub fn number(self) -> usize {
        match self {
            Self::Ideal => 0,
            Self::Soft => 1,
            Self::Static(Rule::Jump) => 2,
            Self::Static(Rule::Steady) => 3,
            Self::Open => 4,
        }
    }
}

/// What holds for the storages where they are unknowns: `h dx/dt = x - x_old`, a step of the implicit Euler
/// method. A step of no length redistributes charge and flux; one without end leads to the operating point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Rule {
    /// For all of them.
    Jump,
    /// For those without a given initial value; the others keep it.
    Steady,
}

/// Resistance of a soft valve while closed, Ohm, and conductance while open, S.
const SOFTNESS: f64 = 1e-9;

/// What is locked looks ahead by this, s.
const SOON: f64 = 1e-3;

/// What is computed besides the rates.
pub(crate) struct Wanted<'a> {
    /// Variables with a derivative: the states that the integrator sees.
    pub storages: &'a [VarId],
    /// Needed with the rates.
    pub used: &'a [ExprId],
    /// Needed at events; guards of modes first.
    pub at_events: &'a [ExprId],
    /// Those of them whose roots are searched for, as far as they are watched.
    pub searched: &'a [usize],
    pub watches: &'a [Watch],
    /// Needed for results.
    pub results: &'a [ExprId],
    pub n_inputs: usize,
    pub n_states: usize,
    /// Are loops torn?
    pub tears: bool,
    /// For each open port: do the networks determine its acceleration? Then the mechanics gives its force.
    pub held: &'a [bool],
}

impl Wanted<'_> {
    /// The storages that may be states.
    fn free_storages(&self, kind: Valves) -> &[VarId] {
        if matches!(kind, Valves::Static(_)) { &[] } else { self.storages }
    }

    /// What each level computes, in the variables that are left.
    fn asked(
        &self,
        arena: &mut Arena,
        (flat, aliases, modes): (&Flat, &Aliases, &[i8]),
        at_ports: Asked,
        images: &mut Images,
    ) -> [Vec<ExprId>; N_LEVELS] {
        let done = images.start();
        let mut meaning =
            |arena: &mut Arena, id: ExprId| rewrite(arena, (flat, aliases, modes), id, done);
        let (mut rates, mut events) = (Vec::new(), Vec::new());
        for storage in self.storages {
            if let Some(rate) = flat.variables[storage.index()].rate {
                let rate = arena.variable(rate);
                rates.push(meaning(arena, rate));
            }
            let value = arena.variable(*storage);
            events.push(meaning(arena, value));
        }
        rates.extend(&at_ports.forces);
        let searched = self.searched_in(flat, modes);
        let searched = searched.into_iter().map(|guard| meaning(arena, guard)).collect();
        events.extend(self.at_events.iter().map(|&value| meaning(arena, value)));
        let results = self.results.iter().map(|&result| meaning(arena, result)).collect();
        [at_ports.before, at_ports.drives, rates, searched, events, results]
    }

    /// Guards that are watched in modes of this structure, and signals of time expressions that are searched.
    fn searched_in(&self, flat: &Flat, modes: &[i8]) -> Vec<ExprId> {
        let is_possible = |&&number: &&usize| {
            self.watches.get(number).is_none_or(|watch| {
                let law = &flat.modes[watch.mode];
                law.structural(watch.from) == law.structural(modes[watch.mode])
            })
        };
        self.searched.iter().filter(is_possible).map(|&number| self.at_events[number]).collect()
    }
}

/// Equations of a combination with index one, and what their variables are.
struct Reduced {
    islands: Vec<usize>,
    variables: Vec<Variable>,
    aliases: Aliases,
    structure: Structure,
    is_storage: Vec<bool>,
    is_given: Vec<bool>,
}

/// Writes the equations of a combination, eliminates aliases, reduces the index and chooses states.
fn reduce(
    arena: &mut Arena,
    flat: &Flat,
    (modes, kind): (&[i8], Valves),
    (wanted, determined): (&Wanted<'_>, &Determined),
    walks: &mut Walks,
) -> Result<Reduced, Impossible> {
    let islands = crate::network::passes::islands::islands(flat, modes);
    let (mut variables, equations) =
        written(arena, flat, (modes, kind), &islands, (wanted, &mut walks.images));
    let (mut equations, aliases) =
        alias::eliminate(arena, &mut variables, equations, &mut walks.images)
            .map_err(Impossible::Contradiction)?;
    let storages = wanted.free_storages(kind);
    let is_storage = mark_storages(&aliases, storages, variables.len());
    let is_given = mark_storages(&aliases, &given_variables(flat, kind), variables.len());
    let kept = Kept { is_storage: &is_storage, is_given: &is_given };
    let chosen = combine::combine(arena, &variables, &mut equations, kept, &mut walks.marks);
    let by = (&aliases, &chosen, determined);
    let structure = structure::find(arena, &mut variables, equations, kept, by, walks)
        .map_err(Impossible::Singular)?;
    Ok(Reduced { islands, variables, aliases, structure, is_storage, is_given })
}

/// Prepares a combination of modes.
pub(crate) fn prepare(
    arena: &mut Arena,
    flat: &Flat,
    modes: &[i8],
    kind: Valves,
    (wanted, determined): (&Wanted<'_>, &Determined),
) -> Result<Prepared, Impossible> {
    let mut walks = Walks::default();
    let Reduced { islands, variables, aliases, structure, is_storage, is_given } =
        reduce(arena, flat, (modes, kind), (wanted, determined), &mut walks)?;
    let blocks = structure::blocks(&structure, variables.len());
    let n_variables = variables.len();
    let sorted = Sorted {
        flat,
        modes,
        kind,
        aliases: &aliases,
        structure: &structure,
        blocks: &blocks,
        n_variables,
    };
    let searched = wanted.searched_in(flat, modes);
    let (mut coupled, mut at_ports) = sorted.couple(arena, wanted, &searched, &mut walks)?;
    let of = (&variables[..], &aliases);
    let kept = Kept { is_storage: &is_storage, is_given: &is_given };
    let by = (kept, wanted.free_storages(kind));
    let (groups, slopes) = selection::groups(arena, of, &structure, by, &mut walks.images);
    let late = std::mem::take(&mut at_ports.late);
    let mut asked = wanted.asked(arena, (flat, &aliases, modes), at_ports, &mut walks.images);
    asked[Level::Events as usize].extend(slopes);
    let rates = &asked[Level::Rates as usize];
    let n_rates = rates.len().min(wanted.storages.len());
    coupled.late_rates = sorted.late_rates(arena, &late, &rates[..n_rates], &mut walks.marks);
    let plan = Plan {
        structure: &structure,
        blocks: &blocks,
        n_variables: variables.len(),
        n_inputs: wanted.n_inputs + 1 + wanted.storages.len(),
        n_states: wanted.n_states + flat.modes.len(),
        n_memory: flat.discrete.first.len(),
        asked: &asked,
        late: &late,
        tears: wanted.tears,
    };
    let code = compile(arena, &plan, &mut walks);
    let leads = leads(&aliases, &structure.states, wanted.storages, &flat.variables);
    Ok(Prepared {
        values: first_values(&code, &variables),
        modes: modes.to_vec(),
        key: modes.to_vec(),
        kind,
        variables,
        aliases,
        structure,
        blocks,
        leads,
        islands,
        coupled,
        groups,
        determined: determined.clone(),
        code,
        tangents: None,
        drives: None,
        frozen: Frozen::default(),
        pattern: OnceCell::new(),
    })
}

/// The numbers of the code, with a guess for each variable.
fn first_values(code: &Code, variables: &[Variable]) -> Values {
    let mut values = Values::new(code);
    for (place, variable) in values.numbers.iter_mut().zip(variables) {
        *place = variable.guess;
    }
    values
}

/// Variables and equations of a combination, before anything is solved.
fn written(
    arena: &mut Arena,
    flat: &Flat,
    (modes, kind): (&[i8], Valves),
    islands: &[usize],
    (wanted, images): (&Wanted<'_>, &mut Images),
) -> (Vec<Variable>, Vec<Equation>) {
    let mut variables = flat.variables.clone();
    let mut equations = specialise(arena, flat, modes, images);
    if kind == Valves::Soft {
        soften(arena, flat, modes, &mut equations);
    }
    if kind == Valves::Open {
        flat.ports.open(arena, &mut equations, wanted.held);
    }
    let cuts = undetermined::cut_voltages(arena, flat, modes, islands);
    for (&node, cut) in islands.iter().zip(cuts) {
        match (cut, flat.balances[node]) {
            (Some(cut), Some(balance)) => {
                let terms = cut.into_iter().flat_map(|v| split_terms(arena, v));
                equations[balance].terms = terms.collect();
            }
            _ => hold(arena, flat, node, &mut equations),
        }
    }
    if kind != Valves::Soft {
        undetermined::share_loops(arena, flat, modes, &mut equations);
    }
    if kind == Valves::Static(Rule::Steady) {
        for register in &flat.discrete.steady {
            equations[register.equation].terms = split_terms(arena, register.rest);
        }
    }
    if let Valves::Static(rule) = kind {
        fix_rates(arena, &mut variables, &mut equations, rule, wanted);
        fix_given(arena, flat, &mut variables, &mut equations);
    }
    (variables, equations)
}

/// The equations in this combination of modes.
fn specialise(arena: &mut Arena, flat: &Flat, modes: &[i8], images: &mut Images) -> Vec<Equation> {
    if flat.modes.is_empty() {
        return flat.equations.clone();
    }
    let done = images.start();
    let what = Contents::MODES;
    let zero = arena.constant(0.0);
    let mut specialised = |equation: &Equation| {
        let mut terms = Vec::with_capacity(equation.terms.len());
        for &term in &equation.terms {
            let new = arena.rewrite(term, what, done, |arena, id| chosen(arena, flat, modes, id));
            if new == term {
                terms.push(term);
            } else {
                split_into(arena, new, &mut terms);
            }
        }
        terms.retain(|term| *term != zero);
        Equation { terms, ..*equation }
    };
    flat.equations.iter().map(&mut specialised).collect()
}

/// Makes the storages unknowns. The step length and the old values are inputs behind those of the signals.
fn fix_rates(
    arena: &mut Arena,
    variables: &mut [Variable],
    equations: &mut Vec<Equation>,
    rule: Rule,
    wanted: &Wanted<'_>,
) {
    use parser::syntax::BinaryOp::{Multiply, Subtract};
    let length = arena.make(Node::Input(wanted.n_inputs as u32));
    for (k, &storage) in wanted.storages.iter().enumerate() {
        let Variable { rate, initial, block, .. } = variables[storage.index()];
        let Some(rate) = rate else { continue };
        // Speeds jump, positions do not: they stay states, whose constraints hold for the speeds too.
        if rule == Rule::Jump && wanted.storages.binary_search(&rate).is_ok() {
            continue;
        }
        variables[storage.index()].rate = None;
        variables[rate.index()].of = None;
        let (x, rate) = (arena.variable(storage), arena.variable(rate));
        let old = arena.make(Node::Input((wanted.n_inputs + 1 + k) as u32));
        let change = arena.binary(Subtract, x, old);
        let residual = match (rule, initial) {
            (Rule::Steady, Some(_)) => change,
            _ => {
                let growth = arena.binary(Multiply, length, rate);
                arena.binary(Subtract, growth, change)
            }
        };
        let terms = split_terms(arena, residual);
        equations.push(Equation { terms, block, source: Source::Law, level: 0 });
    }
}

/// Gives closed valves a small resistance and open ones a small conductance.
fn soften(arena: &mut Arena, flat: &Flat, modes: &[i8], equations: &mut [Equation]) {
    for (law, &mode) in flat.modes.iter().zip(modes) {
        let Some(Valve { equation, v, i, kind, scale }) = law.valve else { continue };
        let mut soft = |quantity: ExprId, factor: f64| {
            let factor = arena.constant(factor);
            let term = arena.binary(parser::syntax::BinaryOp::Multiply, factor, quantity);
            equations[equation].terms.extend(split_terms(arena, term));
        };
        match kind {
            ValveKind::Switch if mode == 0 => soft(v, -SOFTNESS / scale),
            ValveKind::Switch => soft(i, -SOFTNESS * scale),
            ValveKind::Lock { locked, acceleration } if mode == locked => {
                soft(acceleration, SOON);
                soft(i, -SOFTNESS * scale);
            }
            ValveKind::Lock { .. } => {}
        }
    }
}

/// The branch of a mode that is in force, or where that is a matter of numbers the choice between both.
fn chosen(arena: &mut Arena, flat: &Flat, modes: &[i8], id: ExprId) -> Option<ExprId> {
    let Node::IfMode(mode, value, yes, no) = arena.node(id) else { return None };
    let (law, now) = (flat.modes.get(mode as usize)?, *modes.get(mode as usize)?);
    if law.is_number(now, value) {
        let number = flat.programs.switches.len() as u32 + mode;
        return Some(arena.make(Node::IfState(number, i32::from(value), yes, no)));
    }
    Some(if now == value { yes } else { no })
}

/// An expression in this combination, in the variables that are left.
pub(in crate::network) fn rewrite(
    arena: &mut Arena,
    (flat, aliases, modes): (&Flat, &Aliases, &[i8]),
    id: ExprId,
    done: &mut Images,
) -> ExprId {
    let what = Contents::VARIABLES.and(Contents::MODES);
    arena.rewrite(id, what, done, |arena, id| match arena.node(id) {
        Node::Variable(variable) => Some(alias::meaning(arena, aliases, variable)),
        _ => chosen(arena, flat, modes, id),
    })
}

/// Lets a small current flow from a node to the reference.
fn hold(arena: &mut Arena, flat: &Flat, node: usize, equations: &mut [Equation]) {
    let Some(balance) = flat.balances[node] else { return };
    let conductance = arena.constant(ISLAND_CONDUCTANCE / flat.resistances[node]);
    let leak = arena.binary(parser::syntax::BinaryOp::Multiply, conductance, flat.potentials[node]);
    equations[balance].terms.push(leak);
}
