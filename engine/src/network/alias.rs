//! Pass 2: variables that are equal, opposite or constant become one.
//!
//! A union-find over the variables, each with a sign. Where two variables are one, so are their
//! derivatives; the derivative of a constant is zero.

use rustc_hash::FxHashMap;

use super::expr::{Arena, ExprId, Marks, Node, VarId};
use super::flatten::{Equation, Variable, rate_of, split_terms};
use parser::syntax::BinaryOp;

/// Equations with more terms than this are not looked at again when one of them becomes known.
const FEW_TERMS: usize = 32;

/// What a variable turned out to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Meaning {
    /// This sign times another variable, or itself.
    Same(VarId, f64),
    /// A number.
    Constant(f64),
}

/// The variables by what they are.
#[derive(Clone, Debug)]
pub struct Aliases {
    parents: Vec<Meaning>,
}

/// An equation that contradicts others: `0 = number`.
#[derive(Clone, Copy, Debug)]
pub struct Contradiction {
    /// Index of the equation.
    pub equation: usize,
}

impl Aliases {
    fn new(count: usize) -> Self {
        Self { parents: (0..count).map(|k| Meaning::Same(VarId(k as u32), 1.0)).collect() }
    }

    /// What a variable is.
    pub fn find(&self, variable: VarId) -> Meaning {
        let (mut at, mut sign) = (variable, 1.0);
        loop {
            match self.parents.get(at.index()) {
                Some(&Meaning::Same(parent, _)) if parent == at => return Meaning::Same(at, sign),
                Some(&Meaning::Same(parent, relative)) => (at, sign) = (parent, sign * relative),
                Some(&Meaning::Constant(number)) => return Meaning::Constant(sign * number),
                None => return Meaning::Same(at, sign),
            }
        }
    }

    /// Shortens the way from a variable to what it is.
    fn compress(&mut self, variable: VarId) -> Meaning {
        let meaning = self.find(variable);
        self.parents[variable.index()] = meaning;
        meaning
    }
}

/// A sum of constants times variables.
struct Linear {
    terms: Vec<(VarId, f64)>,
    offset: f64,
}

/// Eliminates aliases; gives what remains of the equations.
pub(crate) fn eliminate(
    arena: &mut Arena,
    variables: &mut Vec<Variable>,
    equations: Vec<Equation>,
) -> Result<(Vec<Equation>, Aliases), Contradiction> {
    let mut aliases = Aliases::new(variables.len());
    let linear: Vec<Option<Linear>> =
        equations.iter().map(|equation| linear_form(arena, &equation.terms)).collect();
    let mut users: Vec<Vec<u32>> = vec![Vec::new(); variables.len()];
    for (index, form) in linear.iter().enumerate() {
        for (variable, _) in form.iter().flat_map(|form| &form.terms) {
            users[variable.index()].push(index as u32);
        }
    }
    let mut solved = vec![false; equations.len()];
    let mut queue: Vec<u32> = (0..equations.len() as u32).rev().collect();
    while let Some(index) = queue.pop() {
        let index = index as usize;
        let Some(form) = linear[index].as_ref().filter(|_| !solved[index]) else { continue };
        let Some(finding) = judge(&mut aliases, form) else { continue };
        match finding {
            Finding::Redundant => solved[index] = true,
            Finding::Contradiction => return Err(Contradiction { equation: index }),
            Finding::Constant(variable, number) => {
                solved[index] = true;
                set_constant(&mut aliases, variables, variable, number);
                wake(&users, &linear, variable, &mut queue);
            }
            Finding::Same(variable, other, sign) => {
                solved[index] = true;
                let united = unite(&mut aliases, variables, variable, other, sign);
                users.resize(variables.len(), Vec::new());
                for (gone, kept) in united {
                    wake(&users, &linear, gone, &mut queue);
                    wake(&users, &linear, kept, &mut queue);
                    let moved = std::mem::take(&mut users[gone.index()]);
                    users[kept.index()].extend(moved);
                }
            }
        }
    }
    let rest = equations.into_iter().zip(solved).filter(|(_, solved)| !solved);
    let mut done = FxHashMap::default();
    let rest = rest.map(|(equation, _)| substitute(arena, &mut aliases, equation, &mut done));
    Ok((rest.collect(), aliases))
}

/// Looks again at the equations of a variable.
fn wake(users: &[Vec<u32>], linear: &[Option<Linear>], variable: VarId, queue: &mut Vec<u32>) {
    let few = |index: &&u32| {
        linear[**index as usize].as_ref().is_some_and(|form| form.terms.len() <= FEW_TERMS)
    };
    queue.extend(users[variable.index()].iter().filter(few));
}

enum Finding {
    Redundant,
    Contradiction,
    Constant(VarId, f64),
    /// The first is the sign times the second.
    Same(VarId, VarId, f64),
}

/// What an equation says about its variables, if it is simple enough.
fn judge(aliases: &mut Aliases, form: &Linear) -> Option<Finding> {
    let mut offset = form.offset;
    let mut scale = form.offset.abs();
    let mut left: Vec<(VarId, f64)> = Vec::with_capacity(3);
    for &(variable, factor) in &form.terms {
        match aliases.compress(variable) {
            Meaning::Constant(number) => {
                offset += factor * number;
                scale = scale.max((factor * number).abs());
            }
            Meaning::Same(other, sign) => {
                match left.iter().position(|(known, _)| *known == other) {
                    Some(place) => left[place].1 += factor * sign,
                    None if left.len() > 2 => return None,
                    None => left.push((other, factor * sign)),
                }
            }
        }
    }
    left.retain(|(_, factor)| *factor != 0.0);
    let rounding = 8.0 * f64::EPSILON * scale;
    match left[..] {
        [] if offset.abs() <= rounding => Some(Finding::Redundant),
        [] => Some(Finding::Contradiction),
        [(variable, factor)] => Some(Finding::Constant(variable, -offset / factor)),
        [(a, x), (b, y)] if offset == 0.0 && x.abs() == y.abs() => {
            // The older variable stays: nodes come before elements.
            let (kept, gone) = if a < b { (a, b) } else { (b, a) };
            Some(Finding::Same(gone, kept, if x == y { -1.0 } else { 1.0 }))
        }
        _ => None,
    }
}

fn set_constant(aliases: &mut Aliases, variables: &[Variable], variable: VarId, number: f64) {
    let (mut at, mut number) = (Some(variable), number);
    while let Some(variable) = at {
        if let Meaning::Same(own, sign) = aliases.compress(variable) {
            aliases.parents[own.index()] = Meaning::Constant(sign * number);
            at = variables[own.index()].rate;
        } else {
            at = None;
        }
        number = 0.0;
    }
}

/// `gone = sign * kept`, and so are their derivatives. Gives the pairs that became one.
fn unite(
    aliases: &mut Aliases,
    variables: &mut Vec<Variable>,
    gone: VarId,
    kept: VarId,
    sign: f64,
) -> Vec<(VarId, VarId)> {
    let (mut gone, mut kept, mut sign) = (gone, kept, sign);
    let mut united = Vec::with_capacity(2);
    loop {
        match (aliases.compress(gone), aliases.compress(kept)) {
            (Meaning::Same(a, x), Meaning::Same(b, y)) if a != b => {
                aliases.parents[a.index()] = Meaning::Same(b, sign * x * y);
                united.push((a, b));
                let initial = variables[a.index()].initial.map(|value| sign * x * y * value);
                variables[b.index()].initial = variables[b.index()].initial.or(initial);
                if let Some(rate) = variables[a.index()].rate {
                    let other = rate_of(variables, b);
                    if other.index() == aliases.parents.len() {
                        aliases.parents.push(Meaning::Same(other, 1.0));
                    }
                    (gone, kept, sign) = (rate, other, sign * x * y);
                    continue;
                }
            }
            // A variable that is its own opposite is zero.
            (Meaning::Same(a, x), Meaning::Same(_, y)) if sign * x * y < 0.0 => {
                set_constant(aliases, variables, a, 0.0);
                united.push((a, a));
            }
            (Meaning::Same(a, x), Meaning::Constant(number)) => {
                set_constant(aliases, variables, a, sign * x * number);
            }
            (Meaning::Constant(number), Meaning::Same(b, y)) => {
                set_constant(aliases, variables, b, sign * y * number);
            }
            _ => {}
        }
        return united;
    }
}

/// The equation with its variables replaced by what they are.
fn substitute(
    arena: &mut Arena,
    aliases: &mut Aliases,
    mut equation: Equation,
    done: &mut FxHashMap<ExprId, ExprId>,
) -> Equation {
    let mut terms = Vec::with_capacity(equation.terms.len());
    let mut offset = 0.0;
    for &term in &equation.terms {
        let new = rewrite(arena, aliases, term, done);
        for part in split_terms(arena, new) {
            match arena.value(part) {
                Some(number) => offset += number,
                None => terms.push(part),
            }
        }
    }
    if offset != 0.0 {
        terms.push(arena.constant(offset));
    }
    equation.terms = terms;
    equation
}

/// An expression with its variables replaced by what they are.
pub(crate) fn rewrite(
    arena: &mut Arena,
    aliases: &Aliases,
    expression: ExprId,
    done: &mut FxHashMap<ExprId, ExprId>,
) -> ExprId {
    arena.rewrite(expression, done, |arena, id| {
        let Node::Variable(variable) = arena.node(id) else { return None };
        Some(meaning(arena, aliases, variable))
    })
}

/// What a variable is, as an expression.
pub(crate) fn meaning(arena: &mut Arena, aliases: &Aliases, variable: VarId) -> ExprId {
    match aliases.find(variable) {
        Meaning::Constant(number) => arena.constant(number),
        Meaning::Same(other, sign) => {
            let other = arena.variable(other);
            if sign < 0.0 { arena.make(Node::Negate(other)) } else { other }
        }
    }
}

/// The terms as constants times variables, if they are that.
fn linear_form(arena: &Arena, terms: &[ExprId]) -> Option<Linear> {
    let mut form = Linear { terms: Vec::with_capacity(terms.len()), offset: 0.0 };
    for &term in terms {
        let (mut at, mut factor) = (term, 1.0);
        loop {
            match arena.node(at) {
                Node::Constant(bits) => form.offset += factor * f64::from_bits(bits),
                Node::Variable(variable) => form.terms.push((variable, factor)),
                Node::Negate(inner) => {
                    (at, factor) = (inner, -factor);
                    continue;
                }
                Node::Binary(BinaryOp::Multiply, a, b) => {
                    match (arena.value(a), arena.value(b)) {
                        (Some(number), _) => (at, factor) = (b, factor * number),
                        (_, Some(number)) => (at, factor) = (a, factor * number),
                        _ => return None,
                    }
                    continue;
                }
                Node::Binary(BinaryOp::Divide, a, b) => {
                    (at, factor) = (a, factor / arena.value(b)?);
                    continue;
                }
                _ => return None,
            }
            break;
        }
    }
    Some(form)
}

/// Are the terms constants times variables?
pub(crate) fn is_linear(arena: &Arena, terms: &[ExprId]) -> bool {
    linear_form(arena, terms).is_some()
}

/// The variables of an equation, each once, ascending.
pub(crate) fn variables_of(arena: &Arena, terms: &[ExprId], marks: &mut Marks) -> Vec<VarId> {
    let mut found = Vec::new();
    for &term in terms {
        match arena.node(term) {
            Node::Variable(variable) => found.push(variable),
            _ => arena.variables(term, marks, |variable| found.push(variable)),
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
