//! The equations of one combination of modes, before anything is solved.
//!
//! Modes choose branches of the equations of the model; the way in which valves, storages and ports are taken adds or replaces
//! some of them.

use crate::complementarity::share_redundant;
use crate::complementarity::undetermined::{self, Shares};
use crate::passes::alias::{self, Aliases};
use crate::passes::linear_form::variables_of;
use crate::prepared::coupled::fix_given;
use crate::prepared::prepare::{Remedy, Task};
use crate::prepared::valves::{Rule, Valves};
use equations::expr::{Arena, Contents, ExprId, Node};
use equations::flat::{
    Equation, Flat, Source, Valve, ValveKind, Variable, split_into, split_terms,
};
use equations::walk::{Images, Marks};

/// Conductance from an island to the reference, over a usual one: fixes its potential and carries nothing that counts.
pub const ISLAND_CONDUCTANCE: f64 = 1e-12;

/// Resistance of a soft valve while closed, Ohm, and conductance while open, S.
const SOFTNESS: f64 = 1e-9;

/// What is locked looks ahead by this, s.
const SOON: f64 = 1e-3;

/// What expressions of the model mean in one combination of modes.
#[derive(Clone, Copy)]
pub(crate) struct Meanings<'a> {
    pub flat: &'a Flat,
    pub aliases: &'a Aliases,
    pub modes: &'a [i8],
}

impl Meanings<'_> {
    /// An expression with the branches of the modes in force, in the variables that are left without aliases.
    pub fn rewrite(&self, arena: &mut Arena, id: ExprId, done: &mut Images) -> ExprId {
        let what = Contents::VARIABLES.and(Contents::MODES);
        arena.rewrite(id, what, done, |arena, id| match arena.node(id) {
            Node::Variable(variable) => Some(alias::meaning(arena, self.aliases, variable)),
            _ => chosen(arena, self.flat, self.modes, id),
        })
    }
}

/// A combination before anything is solved.
pub(crate) struct Written {
    pub variables: Vec<Variable>,
    pub equations: Vec<Equation>,
    pub shares: Shares,
}

/// Variables and equations of a combination, before anything is solved. `islands` has a node of each part without reference.
pub(crate) fn write(
    arena: &mut Arena,
    task: &Task<'_>,
    islands: &[usize],
    images: &mut Images,
) -> Written {
    let Task { flat, modes, kind, .. } = *task;
    let mut variables = flat.variables.clone();
    let mut equations = specialise(arena, flat, modes, images);
    if kind == Valves::Soft {
        soften(arena, flat, modes, &mut equations);
    }
    if kind == Valves::Open {
        flat.ports.open(arena, &mut equations, task.held);
    }
    // Potentials and shares that nothing determines: voltages across a cut add up to zero, currents around a loop too.
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
    let mut shares = Shares::default();
    if kind != Valves::Soft {
        shares = undetermined::share_loops(arena, flat, modes, &mut equations);
        if task.remedy != Remedy::Plain {
            share_redundant(arena, flat, modes, &mut equations, &mut shares);
        }
        if task.remedy == Remedy::Leaks {
            leak(arena, flat, modes, &mut equations);
        }
    }
    // At the operating point registers rest where their inputs ask for no change.
    if kind.rule() == Some(Rule::Steady) {
        for register in &flat.discrete.steady {
            equations[register.equation].terms = split_terms(arena, register.rest);
        }
    }
    if let Valves::Led(_) = kind {
        lead(arena, task, &mut equations);
    }
    if let Some(rule) = kind.rule() {
        fix_rates(arena, &mut variables, &mut equations, rule, task);
        fix_given(arena, flat, &mut variables, &mut equations);
    }
    Written { variables, equations, shares }
}

/// The equations with the branches that the modes of this combination choose.
fn specialise(arena: &mut Arena, flat: &Flat, modes: &[i8], images: &mut Images) -> Vec<Equation> {
    if flat.modes.is_empty() {
        return flat.equations.clone();
    }
    // Expressions that several equations share are rewritten once.
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

/// Makes the storages unknowns, by one step of the implicit Euler method: `h dx/dt = x - x_old`. The step length h and the old
/// values are inputs behind those of the signals and ports.
fn fix_rates(
    arena: &mut Arena,
    variables: &mut [Variable],
    equations: &mut Vec<Equation>,
    rule: Rule,
    task: &Task<'_>,
) {
    use parser::syntax::BinaryOp::{Multiply, Subtract};
    let wanted = task.wanted;
    let inputs = task.kind.inputs(wanted.storages.len(), task.flat.balances.len());
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
        let old = arena.make(Node::Input((wanted.n_inputs + inputs.old(k)) as u32));
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

/// Makes what no variable occurs in a share of itself, and lets a current flow from every node to the value at which it is
/// held: `conductance (potential - anchor)`, the conductance over a usual one.
fn lead(arena: &mut Arena, task: &Task<'_>, equations: &mut [Equation]) {
    use parser::syntax::BinaryOp::{Divide, Multiply, Subtract};
    let Task { flat, wanted, kind, .. } = *task;
    let inputs = kind.inputs(wanted.storages.len(), flat.balances.len());
    let input = |arena: &mut Arena, k: usize| arena.make(Node::Input((wanted.n_inputs + k) as u32));
    let share = input(arena, inputs.share());
    let mut marks = Marks::default();
    for term in equations.iter_mut().flat_map(|equation| &mut equation.terms) {
        if variables_of(arena, &[*term], &mut marks).is_empty() {
            *term = arena.binary(Multiply, share, *term);
        }
    }
    let conductance = input(arena, inputs.conductance());
    for (node, balance) in flat.balances.iter().enumerate() {
        let Some(balance) = *balance else { continue };
        let anchor = input(arena, inputs.anchor(node));
        let away = arena.binary(Subtract, flat.potentials[node], anchor);
        let usual = arena.constant(flat.resistances[node]);
        let away = arena.binary(Divide, away, usual);
        let leak = arena.binary(Multiply, conductance, away);
        equations[balance].terms.push(leak);
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
            ValveKind::Lock { locked, acceleration, .. } if mode == locked => {
                soft(acceleration, SOON);
                soft(i, -SOFTNESS * scale);
            }
            ValveKind::Lock { .. } => {}
        }
    }
}

/// Lets open valves conduct next to nothing.
fn leak(arena: &mut Arena, flat: &Flat, modes: &[i8], equations: &mut [Equation]) {
    for (law, &mode) in flat.modes.iter().zip(modes) {
        let Some(Valve { equation, v, kind: ValveKind::Switch, scale, .. }) = law.valve else {
            continue;
        };
        if mode == 0 {
            let factor = arena.constant(-ISLAND_CONDUCTANCE / scale);
            let term = arena.binary(parser::syntax::BinaryOp::Multiply, factor, v);
            equations[equation].terms.extend(split_terms(arena, term));
        }
    }
}

/// The branch of a mode that is in force, or where that is a matter of numbers the choice between both.
fn chosen(arena: &mut Arena, flat: &Flat, modes: &[i8], id: ExprId) -> Option<ExprId> {
    let Node::IfMode(mode, value, yes, no) = arena.node(id) else { return None };
    let (law, now) = (flat.modes.get(mode as usize)?, *modes.get(mode as usize)?);
    if law.is_number(now, value) {
        let number = flat.programs.switches.n_states() as u32 + mode;
        return Some(arena.make(Node::IfState(number, i32::from(value), yes, no)));
    }
    Some(if now == value { yes } else { no })
}

/// Lets a small current flow from a node to the reference.
fn hold(arena: &mut Arena, flat: &Flat, node: usize, equations: &mut [Equation]) {
    let Some(balance) = flat.balances[node] else { return };
    let conductance = arena.constant(ISLAND_CONDUCTANCE / flat.resistances[node]);
    let leak = arena.binary(parser::syntax::BinaryOp::Multiply, conductance, flat.potentials[node]);
    equations[balance].terms.push(leak);
}
