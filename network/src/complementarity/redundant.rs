//! Laws of closed valves that follow from all other laws.
//!
//! Where gears or transformers lie between valves, no loop of valves shows that one of them says what others say already. The
//! linear equations with constant factors do: eliminated one after the other, with those of closed valves last, a law
//! of which nothing is left is `sum of y v = 0` over the valves that took part. Powers of ideal elements cancel, so that a
//! flow in the proportions y runs around without driving anything (Tellegen's theorem): its size is what nothing determines,
//! and the least sum of squares is where `sum of y i = 0`.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::undetermined::{Shares, is_closed};
use equations::expr::{Arena, ExprId, Node, VarId};
use equations::flat::{Equation, Flat, Valve, Variable, split_terms};
use parser::syntax::BinaryOp;

/// Below this, over the largest factor of its row, a factor is rounding.
const NOTHING: f64 = 1e-10;

/// A linear equation with factor 1 as its largest one, and the valves whose laws were added up for it.
#[derive(Clone, Default)]
struct Row {
    factors: FxHashMap<VarId, f64>,
    constant: f64,
    /// Numbers of valves with factors.
    valves: Vec<(usize, f64)>,
}

/// Rows in the order of their pivots.
#[derive(Default)]
struct Echelon {
    rows: Vec<(VarId, Row)>,
    /// The row that gives a variable.
    places: FxHashMap<VarId, usize>,
}

impl Row {
    /// The terms of an equation, if they are constants times variables.
    fn of(arena: &Arena, terms: &[ExprId]) -> Option<Self> {
        let mut row = Row::default();
        let mut stack: Vec<(ExprId, f64)> = terms.iter().map(|&term| (term, 1.0)).collect();
        while let Some((id, factor)) = stack.pop() {
            match arena.node(id) {
                Node::Constant(bits) => row.constant += factor * f64::from_bits(bits),
                Node::Variable(variable) => *row.factors.entry(variable).or_default() += factor,
                Node::Negate(inner) => stack.push((inner, -factor)),
                Node::Binary(BinaryOp::Add, a, b) => stack.extend([(a, factor), (b, factor)]),
                Node::Binary(BinaryOp::Subtract, a, b) => stack.extend([(a, factor), (b, -factor)]),
                Node::Binary(BinaryOp::Multiply, a, b) => match (arena.value(a), arena.value(b)) {
                    (Some(number), _) => stack.push((b, factor * number)),
                    (_, Some(number)) => stack.push((a, factor * number)),
                    _ => return None,
                },
                Node::Binary(BinaryOp::Divide, a, b) => {
                    stack.push((a, factor / arena.value(b)?));
                }
                _ => return None,
            }
        }
        row.scale();
        Some(row)
    }

    /// The largest factor becomes one.
    fn scale(&mut self) {
        self.factors.retain(|_, x| *x != 0.0);
        let largest = self.factors.values().fold(0.0f64, |most, x| most.max(x.abs()));
        if largest > 0.0 {
            self.factors.values_mut().for_each(|x| *x /= largest);
            self.constant /= largest;
            self.valves.iter_mut().for_each(|(_, x)| *x /= largest);
        }
    }

    /// The same for the rates, if all variables have one.
    fn rate(&self, variables: &[Variable]) -> Option<Self> {
        let rate = |(variable, x): (&VarId, &f64)| Some((variables[variable.index()].rate?, *x));
        let factors: Option<FxHashMap<VarId, f64>> = self.factors.iter().map(rate).collect();
        Some(Row { factors: factors?, ..Row::default() })
    }

    /// Subtracts a multiple of another row.
    fn subtract(&mut self, factor: f64, other: &Row) {
        for (variable, x) in &other.factors {
            *self.factors.entry(*variable).or_default() -= factor * x;
        }
        self.constant -= factor * other.constant;
        for (valve, x) in &other.valves {
            match self.valves.iter_mut().find(|(own, _)| own == valve) {
                Some((_, own)) => *own -= factor * x,
                None => self.valves.push((*valve, -factor * x)),
            }
        }
    }
}

impl Echelon {
    /// Takes a row up; what is left of one that says nothing new comes back.
    fn add(&mut self, mut row: Row) -> Option<Row> {
        let place = |variable: &VarId| self.places.get(variable).copied();
        let mut open: BTreeSet<usize> = row.factors.keys().filter_map(place).collect();
        // A row has no variable of an earlier pivot, so that the places of what it brings in only rise.
        while let Some(at) = open.pop_first() {
            let (pivot, own) = &self.rows[at];
            let Some(factor) = row.factors.get(pivot).copied() else { continue };
            if factor.abs() > NOTHING {
                row.subtract(factor / own.factors[pivot], own);
            }
            row.factors.remove(pivot);
            open.extend(own.factors.keys().filter_map(place).filter(|&next| next > at));
        }
        row.factors.retain(|_, x| x.abs() > NOTHING);
        // Of equal ones the first, so that a model is always treated alike.
        let largest = row
            .factors
            .iter()
            .max_by(|(a, x), (b, y)| x.abs().total_cmp(&y.abs()).then(b.index().cmp(&a.index())));
        let Some(pivot) = largest.map(|(variable, _)| *variable) else { return Some(row) };
        row.scale();
        self.places.insert(pivot, self.rows.len());
        self.rows.push((pivot, row));
        None
    }
}

/// Gives each closed valve whose law follows from others the law of its share instead.
pub(crate) fn share_redundant(
    arena: &mut Arena,
    flat: &Flat,
    modes: &[i8],
    equations: &mut [Equation],
    shares: &mut Shares,
) {
    let laws = flat.modes.iter().enumerate();
    let closed = laws.filter_map(|(mode, law)| Some((mode, law.valve?)));
    let valves: Vec<(usize, Valve)> =
        closed.filter(|(mode, valve)| is_closed(valve, modes[*mode])).collect();
    let of_valves: FxHashSet<usize> = valves.iter().map(|(_, valve)| valve.equation).collect();
    let mut echelon = Echelon::default();
    for (number, equation) in equations.iter().enumerate() {
        if of_valves.contains(&number) {
            continue;
        }
        let Some(row) = Row::of(arena, &equation.terms) else { continue };
        if let Some(rate) = row.rate(&flat.variables) {
            echelon.add(rate);
        }
        echelon.add(row);
    }
    for (number, (mode, valve)) in valves.iter().enumerate() {
        let Some(mut row) = Row::of(arena, &equations[valve.equation].terms) else { continue };
        row.valves.push((number, 1.0));
        let Some(left) = echelon.add(row) else { continue };
        if left.constant.abs() > NOTHING {
            continue;
        }
        let largest = left.valves.iter().fold(0.0f64, |most, (_, y)| most.max(y.abs()));
        let mut terms = Vec::new();
        let mut group = vec![*mode];
        for &(other, y) in left.valves.iter().filter(|(_, y)| y.abs() > NOTHING * largest) {
            let (other_mode, other) = valves[other];
            let factor = arena.constant(y);
            let term = arena.binary(BinaryOp::Multiply, factor, other.i);
            terms.extend(split_terms(arena, term));
            group.push(other_mode);
        }
        shares.add(group);
        equations[valve.equation].terms = terms;
    }
}
