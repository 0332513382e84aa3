//! Why a network has no solution in some modes: the loop or the cut.
//!
//! At an instant charges, fluxes and momenta are known, and the laws are linear equations in all else. They have no solution if and
//! only if a sum of some of them with factors says `0 = number` (Rouché and Capelli). Elimination that remembers what it added up finds such
//! a set of which none can be left out, a circuit of the matroid of the equations: in a network a loop of sources, closed
//! valves and capacities, or, where balances of nodes take part, a cut of sources, open valves and inductances (Recski,
//! *Matroid Theory and its Applications*, 1989, chapter 2). Gears and transformers on the way belong to it.
//!
//! Sources that agree at the instant may part right behind it, so that the derivatives of the laws are asked too.

use super::assemble::Question;
use super::echelon::{Echelon, Known, Number, Row};
use super::linearise::Lineariser;
use equations::expr::{Contents, ExprId, Node, VarId};
use equations::flat::Source;
use parser::syntax::BinaryOp;

/// A number below this, over those that add up to it, is rounding.
const ROUNDING: f64 = 1e-9;
/// And where storages take part, which are known to the tolerance of the integrator.
const STORED: f64 = 1e-6;
/// A number below this, over the largest in any law, is rounding.
const LEAST: f64 = 1e-13;
/// A factor below this, over the largest, is rounding.
const NO_PART: f64 = 1e-7;
/// Derivatives of the laws that are asked.
const MOST_ORDERS: usize = 3;
/// Larger networks are not searched: the search takes time that grows faster than they do.
const MOST_EQUATIONS: usize = 3000;

/// Equations of which none can be left out and that contradict each other.
#[derive(Clone, Debug)]
pub(crate) struct Conflict {
    /// Blocks whose laws take part, ascending.
    pub blocks: Vec<u32>,
    /// Storages whose values take part.
    pub storages: Vec<VarId>,
    /// Nodes whose balances take part; none in a loop.
    pub nodes: Vec<u32>,
    /// In which derivative they show.
    pub order: usize,
    /// Do they agree by chance, so that one of them says nothing new?
    pub agrees: bool,
}

/// Who says a row.
#[derive(Clone, Copy)]
enum Says {
    Equation(usize),
    Storage(VarId),
}

impl Question<'_> {
    /// All conflicts at the instant, and what says the same twice; none if its equations are independent.
    pub fn conflicts(&self) -> Vec<Conflict> {
        if self.flat.equations.len() > MOST_EQUATIONS {
            return Vec::new();
        }
        (0..MOST_ORDERS).flat_map(|order| self.conflicts_of(order)).collect()
    }

    /// Conflicts in the derivatives of an order. Storages are known at the instant only.
    fn conflicts_of(&self, order: usize) -> Vec<Conflict> {
        let mut search = Search::default();
        let valve = |equation: usize| {
            self.flat.modes.iter().any(|law| law.valve.is_some_and(|v| v.equation == equation))
        };
        let count = self.flat.equations.len();
        let (valves, others): (Vec<usize>, Vec<usize>) = (0..count).partition(|&k| valve(k));
        let mut forms = Lineariser::new(self.arena, &self.at, self.modes);
        for number in others.into_iter().chain(valves) {
            let terms = &self.flat.equations[number].terms;
            let mut row = |order: usize| {
                Row::with((self.arena, terms), if order == 0 { 1.0 } else { 0.0 }, |id| {
                    self.known(&mut forms, id, order)
                })
            };
            let Some(own) = row(order) else { continue };
            // Laws about positions say the same about speeds.
            if let Some(mut rate) = own.rate(&self.flat.variables)
                && let Some(next) = row(order + 1)
            {
                rate.constant = next.constant;
                search.take(rate, Says::Equation(number));
            }
            search.take(own, Says::Equation(number));
        }
        for &(storage, value, _) in self.storages.iter().filter(|_| order == 0) {
            let mut row = Row { constant: -value, ..Row::default() };
            row.factors.insert(storage, 1.0);
            search.take(row, Says::Storage(storage));
        }
        let found = std::mem::take(&mut search.found);
        let conflict = |(parts, agrees): (Vec<usize>, bool)| Conflict {
            agrees,
            order,
            ..self.conflict(&search, &parts)
        };
        found.into_iter().map(conflict).collect()
    }

    /// A part of an equation that no variable has a part in, and choices that are made.
    fn known(&self, forms: &mut Lineariser<'_>, id: ExprId, order: usize) -> Option<Known> {
        match self.arena.node(id) {
            Node::IfMode(mode, value, a, b) => {
                let is = self.modes.get(mode as usize) == Some(&value);
                Some(Known::Branch(if is { a } else { b }))
            }
            Node::IfState(switch, state, a, b) => {
                let now = self.at.states.get(switch as usize).copied().unwrap_or(0.0);
                Some(Known::Branch(if now == f64::from(state) { a } else { b }))
            }
            // Sums are taken apart.
            Node::Binary(BinaryOp::Add | BinaryOp::Subtract, ..) | Node::Negate(_) => None,
            _ if self.arena.has(id, Contents::VARIABLES) => None,
            _ => {
                let free = forms.find(id).free;
                // A factor that changes makes a law another one with each derivative.
                let is_factor = order == 0 || free.is_constant();
                let as_factor = if is_factor { free.c[0] } else { f64::NAN };
                Some(Known::Number(Number { as_term: free.c[order], as_factor }))
            }
        }
    }

    fn conflict(&self, search: &Search, parts: &[usize]) -> Conflict {
        let (mut blocks, mut storages, mut nodes) = (Vec::new(), Vec::new(), Vec::new());
        for &part in parts {
            match search.says[part] {
                Says::Storage(storage) => {
                    storages.push(storage);
                    blocks.push(self.flat.variables[storage.index()].block);
                }
                Says::Equation(number) => {
                    let equation = &self.flat.equations[number];
                    match equation.source {
                        Source::Balance => nodes.push(equation.block),
                        Source::Definition => {}
                        Source::Law | Source::Line(_) | Source::Port => blocks.push(equation.block),
                    }
                }
            }
        }
        blocks.sort_unstable();
        blocks.dedup();
        Conflict { blocks, storages, nodes, order: 0, agrees: false }
    }
}

/// The elimination, and who says each row.
#[derive(Default)]
struct Search {
    echelon: Echelon,
    says: Vec<Says>,
    /// The constants of the rows, and the largest of them.
    constants: Vec<f64>,
    largest: f64,
    /// Rows of which none is independent of the others, and whether they agree.
    found: Vec<(Vec<usize>, bool)>,
}

impl Search {
    fn take(&mut self, mut row: Row, says: Says) {
        if !row.constant.is_finite() || row.factors.values().any(|x| !x.is_finite()) {
            return;
        }
        row.scale();
        row.parts = vec![(self.says.len(), 1.0)];
        self.says.push(says);
        self.constants.push(row.constant);
        self.largest = self.largest.max(row.constant.abs());
        let Some(left) = self.echelon.add(row) else { return };
        let largest = left.parts.iter().fold(0.0f64, |most, (_, x)| most.max(x.abs()));
        let of = |(part, x): &(usize, f64)| (x * self.constants[*part]).abs();
        let size = left.parts.iter().map(of).fold(0.0, f64::max);
        let is_stored = |(part, _): &(usize, f64)| matches!(self.says[*part], Says::Storage(_));
        let noise = if left.parts.iter().any(is_stored) { STORED } else { ROUNDING };
        let agrees = left.constant.abs() <= noise * size + LEAST * self.largest;
        let takes_part = |(_, x): &&(usize, f64)| x.abs() > NO_PART * largest;
        let parts = left.parts.iter().filter(takes_part).map(|(part, _)| *part);
        self.found.push((parts.collect(), agrees));
    }
}
