//! Between passes 2 and 3: constraints that show only where equations are added.
//!
//! Two charges between the same nodes say a = p - n and b = p - n. By their structure alone one could determine
//! p and the other n, although both together determine p - n only, and a = b stays hidden. So sums with
//! factors of one, which is what Kirchhoff's laws are, are added up by elimination; where all variables but those
//! with derivatives cancel, what is left takes the place of an equation, and the reduction of the index
//! finds it (Otter and Elmqvist, *Transformation of Differential Array Equations to Index One Form*, 2017).

use rustc_hash::FxHashMap;

use crate::passes::equation_structure::Kept;
use crate::passes::linear_form::variables_of;
use equations::expr::{Arena, ExprId, Node, VarId};
use equations::flat::{Equation, Variable, split_terms};
use equations::walk::Marks;
use parser::syntax::BinaryOp;

/// Additions of terms, over the number of terms, after which the search ends: what is found until then holds.
const MOST_WORK: usize = 1000;

/// A sum of whole multiples of variables and of other terms.
#[derive(Clone, Debug, Default)]
struct Row {
    /// Ascending.
    terms: Vec<(VarId, i32)>,
    rest: Vec<(ExprId, i32)>,
    equation: usize,
    /// Has the rest no variables but those with derivatives?
    is_plain: bool,
}

impl Row {
    fn factor(&self, variable: VarId) -> Option<i32> {
        let place = self.terms.binary_search_by_key(&variable, |(v, _)| *v).ok()?;
        Some(self.terms[place].1)
    }

    /// Subtracts what makes a variable vanish; the other has it with a factor of one.
    fn eliminate(&mut self, variable: VarId, other: &Row) {
        let (Some(own), Some(unit)) = (self.factor(variable), other.factor(variable)) else {
            return;
        };
        // The other factor is one or minus one, so that the sums stay whole.
        let by = -own * unit;
        self.terms = merged(&self.terms, &other.terms, by);
        self.rest = merged(&self.rest, &other.rest, by);
    }
}

/// a + by b, for ascending lists.
fn merged<K: Ord + Copy>(a: &[(K, i32)], b: &[(K, i32)], by: i32) -> Vec<(K, i32)> {
    let mut sum = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        // The lower of the two next entries, or the sum of both if they belong together.
        let next = match (a.get(i), b.get(j)) {
            (Some(x), Some(y)) if x.0 == y.0 => {
                (i, j) = (i + 1, j + 1);
                (x.0, x.1 + by * y.1)
            }
            (Some(x), Some(y)) if x.0 < y.0 => {
                i += 1;
                *x
            }
            (Some(x), None) => {
                i += 1;
                *x
            }
            (_, Some(y)) => {
                j += 1;
                (y.0, by * y.1)
            }
            (None, None) => break,
        };
        // What cancels is gone; that is what all this is for.
        if next.1 != 0 {
            sum.push(next);
        }
    }
    sum
}

/// Puts constraints in the place of equations that hide them. Gives for each equation the variable that its
/// constraint had best determine: the choice makes all constraints independent.
pub(crate) fn combine(
    arena: &mut Arena,
    variables: &[Variable],
    equations: &mut [Equation],
    kept: Kept<'_>,
    marks: &mut Marks,
) -> FxHashMap<usize, VarId> {
    let mut chosen = FxHashMap::default();
    // Variables with derivatives stay; all others are to vanish.
    let keeps = |variable: VarId| variables[variable.index()].rate.is_some();
    let (core, open) = core(arena, variables, equations, &keeps, marks);
    let (mut constraints, others) = hidden(core, &keeps);
    add_meshed(&mut constraints, open);
    // As states are chosen: those that store nothing are determined first, then those without given values.
    let preference = |variable: VarId| {
        let given = kept.is_given.get(variable.index()) == Some(&true);
        let stores = kept.is_storage.get(variable.index()) == Some(&true);
        let Variable { initial, wish, .. } = &variables[variable.index()];
        (given, stores, initial.is_some(), wish.is_some(), std::cmp::Reverse(variable))
    };
    for (row, variable) in independent(constraints, preference) {
        chosen.insert(row.equation, variable);
        equations[row.equation].terms = written(arena, &row);
    }
    for row in others {
        equations[row.equation].terms = written(arena, &row);
    }
    chosen
}

/// The sums that may hide something: all but those with a variable of their own, one after the other. Behind them the sums
/// of variables with derivatives alone, which are constraints as they stand.
fn core(
    arena: &mut Arena,
    variables: &[Variable],
    equations: &[Equation],
    keeps: &impl Fn(VarId) -> bool,
    marks: &mut Marks,
) -> (Vec<Row>, Vec<Row>) {
    let mut rows: Vec<Option<Row>> = Vec::with_capacity(equations.len());
    let mut users: Vec<Vec<u32>> = vec![Vec::new(); variables.len()];
    for (index, equation) in equations.iter().enumerate() {
        // The equation as a sum, if it is one, with the note whether its other terms are free of variables that are to
        // vanish.
        let mut row = row(arena, index, equation);
        for row in row.iter_mut() {
            let rest: Vec<ExprId> = row.rest.iter().map(|(term, _)| *term).collect();
            row.is_plain = variables_of(arena, &rest, marks).into_iter().all(keeps);
        }
        // The rows of each variable that is to vanish.
        for (variable, _) in row.iter().flat_map(|row| &row.terms).filter(|(v, _)| !keeps(*v)) {
            users[variable.index()].push(rows.len() as u32);
        }
        rows.push(row);
    }
    // A row with a variable that no other row has cannot lose it: the row goes, and with it one use of its other
    // variables.
    let mut uses: Vec<usize> = users.iter().map(Vec::len).collect();
    let mut lonely: Vec<usize> = (0..uses.len()).filter(|&v| uses[v] == 1).collect();
    while let Some(variable) = lonely.pop() {
        let Some(&row) = users[variable].iter().find(|&&row| rows[row as usize].is_some()) else {
            continue;
        };
        // The row leaves the search; its other variables may be lonely now.
        let Some(gone) = rows[row as usize].take() else { continue };
        for (variable, _) in gone.terms.into_iter().filter(|(v, _)| !keeps(*v)) {
            let left = &mut uses[variable.index()];
            *left -= 1;
            if *left == 1 {
                lonely.push(variable.index());
            }
        }
    }
    // What has nothing but states is a constraint already, and a sum of variables without any is no constraint.
    let touched = |row: &Row| row.terms.iter().any(|(v, _)| !keeps(*v));
    let (all, mut open): (Vec<Row>, Vec<Row>) = rows.into_iter().flatten().partition(touched);
    open.retain(|row| row.is_plain && row.terms.len() > 1);
    let any_state = all.iter().any(|row| row.terms.iter().any(|(v, _)| keeps(*v)));
    (if any_state { all } else { Vec::new() }, open)
}

/// Adds the constraints that stand open and are meshed with each other or with those that are given: rows and variables form a
/// ring. Only then may variables that fit by their structure be dependent: of `a + b + c = 0` and `a + b = d` the first must not
/// determine a where the second determines b. Where there is no ring, any choice will do.
fn add_meshed(constraints: &mut Vec<Row>, open: Vec<Row>) {
    let n_given = constraints.len();
    let rows: Vec<&Row> = constraints.iter().chain(&open).collect();
    // The rows first, then the variables as they are met.
    let mut parents: Vec<usize> = (0..rows.len()).collect();
    let mut places: FxHashMap<VarId, usize> = FxHashMap::default();
    let mut has_ring = vec![false; rows.len()];
    let find = |parents: &mut Vec<usize>, mut at: usize| {
        while parents[at] != at {
            parents[at] = parents[parents[at]];
            at = parents[at];
        }
        at
    };
    for (index, row) in rows.iter().enumerate() {
        for (variable, _) in &row.terms {
            let place = *places.entry(*variable).or_insert_with(|| {
                parents.push(parents.len());
                has_ring.push(false);
                parents.len() - 1
            });
            let (a, b) = (find(&mut parents, index), find(&mut parents, place));
            has_ring[a] |= a == b || has_ring[b];
            parents[b] = a;
        }
    }
    let is_meshed: Vec<bool> =
        (0..rows.len()).map(|row| has_ring[find(&mut parents, row)]).collect();
    let meshed = open.into_iter().zip(&is_meshed[n_given..]).filter(|(_, meshed)| **meshed);
    constraints.extend(meshed.map(|(row, _)| row));
}

/// An equation as a sum of whole multiples.
fn row(arena: &mut Arena, equation: usize, from: &Equation) -> Option<Row> {
    let mut row = Row { equation, ..Row::default() };
    for &term in &from.terms {
        // A sign is a factor of minus one.
        let (inner, factor) = match arena.node(term) {
            Node::Negate(inner) => (inner, -1),
            _ => (term, 1),
        };
        match arena.node(inner) {
            Node::Variable(variable) => row.terms.push((variable, factor)),
            _ => row.rest.push((inner, factor)),
        }
    }
    row.terms.sort_unstable();
    row.rest.sort_unstable();
    // A variable that occurs twice would have another factor than one.
    let twice = row.terms.windows(2).any(|pair| pair[0].0 == pair[1].0)
        || row.rest.windows(2).any(|pair| pair[0].0 == pair[1].0);
    (!twice && !row.terms.is_empty()).then_some(row)
}

/// Eliminates variables without derivatives; gives the rows that have none any more, plain ones first. Only plain rows
/// serve to eliminate: the rest of another may have the very variable that is to vanish.
fn hidden(mut rows: Vec<Row>, keeps: &impl Fn(VarId) -> bool) -> (Vec<Row>, Vec<Row>) {
    let size = |row: &Row| row.terms.len() + row.rest.len();
    let mut budget = MOST_WORK * rows.iter().map(size).sum::<usize>();
    let mut pivots: FxHashMap<VarId, Row> = FxHashMap::default();
    let (mut constraints, mut others) = (Vec::new(), Vec::new());
    // Short rows first: a row with one variable to eliminate replaces that by states, while one of Kirchhoff's sums
    // replaces it by its neighbours, and so on to the other end of a ladder.
    let length = |row: &Row| row.terms.iter().filter(|(v, _)| !keeps(*v)).count();
    rows.sort_by_key(|row| (!row.is_plain, length(row)));
    for mut row in rows {
        loop {
            // Variables of rows that are done vanish from this row.
            let known = row.terms.iter().map(|(v, _)| *v).find(|v| pivots.contains_key(v));
            let Some((variable, pivot)) = known.and_then(|v| Some((v, pivots.get(&v)?))) else {
                break;
            };
            // Each addition costs as many steps as both rows have terms.
            let Some(left) = budget.checked_sub(size(&row) + size(pivot)) else {
                return (constraints, others);
            };
            budget = left;
            row.eliminate(variable, pivot);
        }
        // What is left has no variable that is to vanish, or a variable that later rows can lose by this row, or
        // neither.
        let unit = row.terms.iter().find(|(v, factor)| !keeps(*v) && factor.abs() == 1);
        let is_free = row.terms.iter().all(|(v, _)| keeps(*v));
        match unit {
            _ if is_free && row.is_plain => constraints.push(row),
            _ if is_free => others.push(row),
            Some(&(variable, _)) if row.is_plain => drop(pivots.insert(variable, row)),
            _ => {}
        }
    }
    (constraints, others)
}

/// The constraints with the variable that each determines, which occurs in no other.
fn independent<P: Ord>(rows: Vec<Row>, preference: impl Fn(VarId) -> P) -> Vec<(Row, VarId)> {
    let mut done: Vec<(Row, VarId)> = Vec::new();
    for mut row in rows {
        // Elimination by Gauss and Jordan: what earlier constraints determine vanishes from this one,
        for (other, variable) in &done {
            row.eliminate(*variable, other);
        }
        let unit = row.terms.iter().filter(|(_, factor)| factor.abs() == 1).map(|(v, _)| *v);
        let Some(variable) = unit.min_by_key(|&variable| preference(variable)) else { continue };
        // and what this one determines vanishes from them.
        for (other, _) in &mut done {
            other.eliminate(variable, &row);
        }
        done.push((row, variable));
    }
    done
}

fn written(arena: &mut Arena, row: &Row) -> Vec<ExprId> {
    // Multiples of variables and of other terms, each split into terms of a sum again.
    let variables: Vec<(ExprId, i32)> =
        row.terms.iter().map(|&(v, factor)| (arena.variable(v), factor)).collect();
    let mut terms = Vec::with_capacity(variables.len() + row.rest.len());
    for (term, factor) in variables.into_iter().chain(row.rest.iter().copied()) {
        let factor = arena.constant(f64::from(factor));
        let product = arena.binary(BinaryOp::Multiply, factor, term);
        terms.extend(split_terms(arena, product));
    }
    terms
}
