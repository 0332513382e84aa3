//! Linear equations, eliminated one after the other: what is left of one that follows from others, and from which.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use equations::expr::{Arena, ExprId, Node, VarId};
use equations::flat::Variable;
use parser::syntax::BinaryOp;

/// Below this, over the largest factor of its row, a factor is rounding.
pub(super) const NOTHING: f64 = 1e-10;

/// A linear equation with factor 1 as its largest one, and what was added up for it.
#[derive(Clone, Default)]
pub(super) struct Row {
    pub factors: FxHashMap<VarId, f64>,
    pub constant: f64,
    /// Numbers of those that were added up, with factors.
    pub parts: Vec<(usize, f64)>,
}

/// What is known of a part of an equation that is neither a constant nor a variable.
pub(super) enum Known {
    /// It is this number.
    Number(Number),
    /// Of a choice this branch is in force.
    Branch(ExprId),
}

/// A number in an equation, or in one of its derivatives.
#[derive(Clone, Copy)]
pub(super) struct Number {
    /// As a term.
    pub as_term: f64,
    /// As a factor of a variable.
    pub as_factor: f64,
}

/// Rows in the order of their pivots.
#[derive(Default)]
pub(super) struct Echelon {
    rows: Vec<(VarId, Row)>,
    /// The row that gives a variable.
    places: FxHashMap<VarId, usize>,
}

impl Row {
    /// The terms of an equation, if they are constants times variables.
    pub fn of(arena: &Arena, terms: &[ExprId]) -> Option<Self> {
        let mut row = Self::with((arena, terms), 1.0, |_| None)?;
        row.scale();
        Some(row)
    }

    /// The terms of an equation, if they are numbers times variables, where `known` tells what else is a number or which branch
    /// of a choice is in force. Constant terms count with a weight, which is zero in derivatives.
    pub fn with(
        (arena, terms): (&Arena, &[ExprId]),
        weight: f64,
        mut known: impl FnMut(ExprId) -> Option<Known>,
    ) -> Option<Self> {
        let mut row = Row::default();
        let mut stack: Vec<(ExprId, f64)> = terms.iter().map(|&term| (term, 1.0)).collect();
        while let Some((id, factor)) = stack.pop() {
            let mut number = |id: ExprId| {
                arena.value(id).or_else(|| match known(id)? {
                    Known::Number(number) => Some(number.as_factor),
                    Known::Branch(_) => None,
                })
            };
            match arena.node(id) {
                Node::Constant(bits) => row.constant += weight * factor * f64::from_bits(bits),
                Node::Variable(variable) => *row.factors.entry(variable).or_default() += factor,
                Node::Negate(inner) => stack.push((inner, -factor)),
                Node::Binary(BinaryOp::Add, a, b) => stack.extend([(a, factor), (b, factor)]),
                Node::Binary(BinaryOp::Subtract, a, b) => stack.extend([(a, factor), (b, -factor)]),
                Node::Binary(BinaryOp::Multiply, a, b) => match (number(a), number(b)) {
                    (Some(number), _) => stack.push((b, factor * number)),
                    (_, Some(number)) => stack.push((a, factor * number)),
                    _ => return None,
                },
                Node::Binary(BinaryOp::Divide, a, b) => stack.push((a, factor / number(b)?)),
                _ => match known(id)? {
                    Known::Number(number) => row.constant += factor * number.as_term,
                    Known::Branch(branch) => stack.push((branch, factor)),
                },
            }
        }
        Some(row)
    }

    /// The largest factor becomes one.
    pub fn scale(&mut self) {
        self.factors.retain(|_, x| *x != 0.0);
        let largest = self.factors.values().fold(0.0f64, |most, x| most.max(x.abs()));
        if largest > 0.0 {
            self.factors.values_mut().for_each(|x| *x /= largest);
            self.constant /= largest;
            self.parts.iter_mut().for_each(|(_, x)| *x /= largest);
        }
    }

    /// The same for the rates, if all variables have one.
    pub fn rate(&self, variables: &[Variable]) -> Option<Self> {
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
        for (part, x) in &other.parts {
            match self.parts.iter_mut().find(|(own, _)| own == part) {
                Some((_, own)) => *own -= factor * x,
                None => self.parts.push((*part, -factor * x)),
            }
        }
    }
}

impl Echelon {
    /// Takes a row up; what is left of one that says nothing new comes back.
    pub fn add(&mut self, mut row: Row) -> Option<Row> {
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
