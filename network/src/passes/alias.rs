//! Pass 2: variables that are equal, opposite or constant become one.
//!
//! A union-find over the variables (Tarjan, J. ACM 22 (1975) 215), each with a sign. Where two variables are one, so are their
//! derivatives; the derivative of a constant is zero. An equation that is a sum of constants times variables is looked at again
//! whenever one of its variables turns out to be another or a number, until no equation says anything new:
//!
//! ```text
//! c x + d = 0     x is the number -d/c
//! c x - c y = 0   x is y;  c x + c y = 0   x is -y
//! 0 = 0           the equation is redundant;  0 = d  a contradiction
//! ```

use std::ops::Range;

use super::linear_form::linear_form;
use equations::expr::{Arena, Contents, ExprId, Node, VarId};
use equations::flat::{Equation, Variable, rate_of, split_into};
use equations::walk::Images;

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

/// Sums of constants times variables, one for each equation that is one.
struct Forms {
    /// Variables and factors of all sums.
    terms: Vec<(VarId, f64)>,
    /// For each equation its sum.
    list: Vec<Option<Form>>,
}

/// The sum of one equation.
#[derive(Clone, Copy)]
struct SumOf<'a> {
    /// Variables and factors.
    terms: &'a [(VarId, f64)],
    offset: f64,
}

/// Where the sum of one equation stands.
struct Form {
    /// Its terms among those of all sums.
    terms: Range<usize>,
    offset: f64,
}

impl Forms {
    fn new(arena: &Arena, equations: &[Equation]) -> Self {
        let mut terms = Vec::with_capacity(4 * equations.len());
        let list = equations.iter().map(|equation| {
            let start = terms.len();
            let offset = linear_form(arena, &equation.terms, &mut terms);
            if offset.is_none() {
                terms.truncate(start);
            }
            Some(Form { terms: start..terms.len(), offset: offset? })
        });
        let list = list.collect();
        Self { terms, list }
    }

    /// The sum of an equation that is one.
    fn get(&self, equation: usize) -> Option<SumOf<'_>> {
        let Form { terms, offset } = self.list[equation].as_ref()?;
        Some(SumOf { terms: &self.terms[terms.clone()], offset: *offset })
    }
}

/// The equations of each variable, as a chain of uses from the first to the last.
struct Users {
    uses: Vec<Use>,
    /// For each variable its chain.
    chains: Vec<Chain>,
}

/// A variable in an equation.
struct Use {
    equation: u32,
    /// The next use of the same variable.
    next: u32,
}

/// The first and the last use of a variable.
#[derive(Clone, Copy)]
struct Chain {
    first: u32,
    last: u32,
}

impl Users {
    /// Stands for no use.
    const NONE: u32 = u32::MAX;
    /// No use at all.
    const EMPTY: Chain = Chain { first: Self::NONE, last: Self::NONE };

    fn new(forms: &Forms, count: usize) -> Self {
        let uses = Vec::with_capacity(forms.terms.len());
        let mut users = Self { uses, chains: vec![Self::EMPTY; count] };
        for equation in 0..forms.list.len() {
            for (variable, _) in forms.get(equation).map_or(&[][..], |sum| sum.terms) {
                let new = users.uses.len() as u32;
                users.uses.push(Use { equation: equation as u32, next: Self::NONE });
                users.append(variable.index(), Chain { first: new, last: new });
            }
        }
        users
    }

    /// Puts a chain behind that of a variable.
    fn append(&mut self, variable: usize, chain: Chain) {
        let own = &mut self.chains[variable];
        match self.uses.get_mut(own.last as usize) {
            Some(last) => last.next = chain.first,
            None => own.first = chain.first,
        }
        own.last = chain.last;
    }

    /// The equations of a variable become those of another too.
    fn give(&mut self, from: VarId, to: VarId) {
        let chain = std::mem::replace(&mut self.chains[from.index()], Self::EMPTY);
        if chain.first != Self::NONE {
            self.append(to.index(), chain);
        }
    }

    /// The equations of a variable.
    fn of(&self, variable: VarId) -> impl Iterator<Item = u32> + '_ {
        let mut next = self.chains[variable.index()].first;
        std::iter::from_fn(move || {
            let own = self.uses.get(next as usize)?;
            next = own.next;
            Some(own.equation)
        })
    }
}

/// Eliminates aliases; gives what remains of the equations.
///
/// # Errors
/// An equation that contradicts others: `0 = number`.
pub(crate) fn eliminate(
    arena: &mut Arena,
    variables: &mut Vec<Variable>,
    mut equations: Vec<Equation>,
    images: &mut Images,
) -> Result<(Vec<Equation>, Aliases), Equation> {
    let mut aliases = Aliases::new(variables.len());
    let forms = Forms::new(arena, &equations);
    let mut users = Users::new(&forms, variables.len());
    // Equations that say all that they can say, and equations that are to be looked at, the first first.
    let mut solved = vec![false; equations.len()];
    let mut queue: Vec<u32> = (0..equations.len() as u32).rev().collect();
    while let Some(index) = queue.pop() {
        let index = index as usize;
        let Some(form) = forms.get(index).filter(|_| !solved[index]) else { continue };
        let Some(finding) = judge(&mut aliases, form) else { continue };
        match finding {
            Finding::Redundant => solved[index] = true,
            Finding::Contradiction => return Err(equations.swap_remove(index)),
            Finding::Constant(variable, number) => {
                solved[index] = true;
                set_constant(&mut aliases, variables, variable, number);
                wake(&users, &forms, variable, &mut queue);
            }
            Finding::Same(variable, other, sign) => {
                solved[index] = true;
                let united = unite(&mut aliases, variables, variable, other, sign);
                // Derivatives may have come behind the other variables.
                users.chains.resize(variables.len(), Users::EMPTY);
                for (gone, kept) in united {
                    wake(&users, &forms, gone, &mut queue);
                    wake(&users, &forms, kept, &mut queue);
                    users.give(gone, kept);
                }
            }
        }
    }
    // The equations that are left speak of the variables that are left.
    let rest = equations.into_iter().zip(solved).filter(|(_, solved)| !solved);
    let done = images.start();
    let rest = rest.map(|(equation, _)| substitute(arena, &mut aliases, equation, done));
    Ok((rest.collect(), aliases))
}

/// Looks again at the equations of a variable.
fn wake(users: &Users, forms: &Forms, variable: VarId, queue: &mut Vec<u32>) {
    let few =
        |index: &u32| forms.get(*index as usize).is_some_and(|sum| sum.terms.len() <= FEW_TERMS);
    queue.extend(users.of(variable).filter(few));
}

/// What an equation says.
enum Finding {
    /// Nothing that is not known.
    Redundant,
    /// `0 = number`.
    Contradiction,
    /// A variable is a number.
    Constant(VarId, f64),
    /// The first is the sign times the second.
    Same(VarId, VarId, f64),
}

/// What an equation says about its variables, if it is simple enough.
fn judge(aliases: &mut Aliases, sum: SumOf<'_>) -> Option<Finding> {
    // The sum in the variables that are left, at most three of them, and the size of its numbers.
    let SumOf { terms, mut offset } = sum;
    let mut scale = offset.abs();
    let mut room = [(VarId(0), 0.0); 3];
    let mut count = 0;
    for &(variable, factor) in terms {
        match aliases.compress(variable) {
            Meaning::Constant(number) => {
                offset += factor * number;
                scale = scale.max((factor * number).abs());
            }
            Meaning::Same(other, sign) => {
                match room[..count].iter().position(|(known, _)| *known == other) {
                    Some(place) => room[place].1 += factor * sign,
                    None => {
                        *room.get_mut(count)? = (other, factor * sign);
                        count += 1;
                    }
                }
            }
        }
    }
    // Variables whose factors cancel are gone.
    let mut left = 0;
    for place in 0..count {
        if room[place].1 != 0.0 {
            room[left] = room[place];
            left += 1;
        }
    }
    let rounding = 8.0 * f64::EPSILON * scale;
    match room[..left] {
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

/// A variable is a number, and its derivatives are zero.
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
    // Once for the variables, then for their derivatives as far as there are any.
    loop {
        match (aliases.compress(gone), aliases.compress(kept)) {
            (Meaning::Same(a, x), Meaning::Same(b, y)) if a != b => {
                // As in x' = -x, a derivative goes: the other way round there would be a further one for ever.
                let ((a, x), (b, y)) = match is_derivative(aliases, variables, b, a) {
                    true => ((b, y), (a, x)),
                    false => ((a, x), (b, y)),
                };
                aliases.parents[a.index()] = Meaning::Same(b, sign * x * y);
                united.push((a, b));
                // The variable that stays inherits a given initial value.
                let initial = variables[a.index()].initial.map(|value| sign * x * y * value);
                variables[b.index()].initial = variables[b.index()].initial.or(initial);
                inherit_wish(variables, a, b, sign * x * y);
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

/// Is a variable a derivative of another, of any order?
fn is_derivative(
    aliases: &Aliases,
    variables: &[Variable],
    variable: VarId,
    origin: VarId,
) -> bool {
    let mut at = origin;
    // A chain of derivatives is no longer than there are variables.
    for _ in 0..variables.len() {
        let Some(rate) = variables[at.index()].rate else { return false };
        let Meaning::Same(own, _) = aliases.find(rate) else { return false };
        if own == variable {
            return true;
        }
        at = own;
    }
    false
}

/// A variable that stays begins where the one that goes wishes to begin, unless it has a wish of its own.
fn inherit_wish(variables: &mut [Variable], gone: VarId, kept: VarId, sign: f64) {
    let wish = variables[gone.index()].wish.map(|wish| sign * wish);
    let kept = &mut variables[kept.index()];
    if let (None, Some(wish)) = (kept.wish, wish) {
        kept.wish = Some(wish);
        if kept.initial.is_none() {
            kept.guess = wish;
        }
    }
}

/// The equation with its variables replaced by what they are.
fn substitute(
    arena: &mut Arena,
    aliases: &mut Aliases,
    mut equation: Equation,
    done: &mut Images,
) -> Equation {
    let mut terms = Vec::with_capacity(equation.terms.len());
    let mut offset = 0.0;
    for &term in &equation.terms {
        let new = rewrite(arena, aliases, term, done);
        let from = terms.len();
        split_into(arena, new, &mut terms);
        // Numbers are added up.
        let mut kept = from;
        for place in from..terms.len() {
            match arena.value(terms[place]) {
                Some(number) => offset += number,
                None => {
                    terms[kept] = terms[place];
                    kept += 1;
                }
            }
        }
        terms.truncate(kept);
    }
    if offset != 0.0 {
        terms.push(arena.constant(offset));
    }
    equation.terms = terms;
    equation
}

/// An expression with its variables replaced by what they are.
fn rewrite(arena: &mut Arena, aliases: &Aliases, expression: ExprId, done: &mut Images) -> ExprId {
    arena.rewrite(expression, Contents::VARIABLES, done, |arena, id| {
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
