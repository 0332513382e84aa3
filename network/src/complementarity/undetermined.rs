//! What ideal valves leave undetermined takes its least-norm value.
//!
//! Ideal closed valves that form a loop say the same once too often, and nothing says how they share their current: the
//! shares with the least sum of squares are those without a current around the loop, `sum of +-i = 0`. Dually nothing says
//! what potential a part has that open valves cut off, while one of its balances follows from the others: the least sum
//! of squares of the voltages across the cut is where `sum of +-v = 0`.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::passes::linear_form::linear_form;
use equations::expr::{Arena, ExprId, Node, VarId};
use equations::flat::{Equation, Flat, Tie, Valve, ValveKind, split_terms};
use equations::islands::{Forest, parts_without_reference};
use parser::syntax::BinaryOp;

/// Voltages around a loop whose sum is below this, over the largest, fit.
const FITS: f64 = 1e-12;

/// Stands for the reference among the variables that valves join.
const REFERENCE: VarId = VarId(u32::MAX);

/// A closed valve without resistance, or something that sticks.
struct Edge {
    mode: usize,
    equation: usize,
    /// The variables whose difference it fixes, or one of them and the reference: the flow goes from the first to the second.
    ends: [VarId; 2],
    /// The difference.
    v: f64,
    i: ExprId,
}

fn holds(tie: &Tie, modes: &[i8]) -> bool {
    tie.only_in.is_none_or(|(mode, value)| modes.get(mode as usize) == Some(&value))
}

/// The variables and the fixed difference of a valve whose law says nothing else.
fn edge(arena: &mut Arena, (mode, valve): (usize, Valve), equation: &Equation) -> Option<Edge> {
    let [mut law, mut form] = [Vec::new(), Vec::new()];
    let offset = linear_form(arena, &equation.terms, &mut law)?;
    let terms = split_terms(arena, valve.v);
    if linear_form(arena, &terms, &mut form)? != 0.0 {
        return None;
    }
    let ends = match form[..] {
        [(a, x), (b, y)] if x == -y && a != b => {
            if x > 0.0 {
                [a, b]
            } else {
                [b, a]
            }
        }
        [(a, x)] if x > 0.0 => [a, REFERENCE],
        [(a, _)] => [REFERENCE, a],
        _ => return None,
    };
    // The law is a factor times v - offset.
    let factor = law.iter().find(|(v, _)| *v == form[0].0)?.1 / form[0].1;
    let is_same = |(v, x): &(VarId, f64)| law.contains(&(*v, factor * x));
    (law.len() == form.len() && factor != 0.0 && form.iter().all(is_same)).then(|| Edge {
        mode,
        equation: valve.equation,
        ends,
        v: -offset / factor,
        i: valve.i,
    })
}

/// The way through a forest from one end to another: numbers of edges, with 1 where they are passed along their direction.
/// None if they are not joined.
fn way(edges: &[Edge], tree: &[usize], from: VarId, to: VarId) -> Option<Vec<(usize, f64)>> {
    let mut neighbours: FxHashMap<VarId, Vec<(VarId, usize, f64)>> = FxHashMap::default();
    for &number in tree {
        let [a, b] = edges[number].ends;
        neighbours.entry(a).or_default().push((b, number, 1.0));
        neighbours.entry(b).or_default().push((a, number, -1.0));
    }
    let mut came: FxHashMap<VarId, (VarId, usize, f64)> = FxHashMap::default();
    let mut stack = vec![from];
    while let Some(node) = stack.pop() {
        for &(next, number, sign) in neighbours.get(&node).map_or(&[][..], Vec::as_slice) {
            if next != from && !came.contains_key(&next) {
                came.insert(next, (node, number, sign));
                stack.push(next);
            }
        }
    }
    let mut steps = Vec::new();
    let mut at = to;
    while at != from {
        let &(before, number, sign) = came.get(&at)?;
        steps.push((number, sign));
        at = before;
    }
    Some(steps)
}

/// Valves whose shares nothing determines.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shares {
    /// Their modes: those that share with each other.
    pub groups: Vec<Vec<usize>>,
}

impl Shares {
    /// Adds the modes of valves that share with each other, and with those that they share with already.
    pub fn add(&mut self, modes: impl IntoIterator<Item = usize>) {
        let mut group: Vec<usize> = modes.into_iter().collect();
        self.groups.retain(|known| {
            let meets = known.iter().any(|mode| group.contains(mode));
            if meets {
                group.extend_from_slice(known);
            }
            !meets
        });
        group.sort_unstable();
        group.dedup();
        self.groups.push(group);
    }

    /// Is the share of a valve undetermined?
    pub fn contains(&self, mode: usize) -> bool {
        self.groups.iter().any(|group| group.contains(&mode))
    }
}

/// Is a valve closed, or does it stick, in a mode?
pub(crate) fn is_closed(valve: &Valve, mode: i8) -> bool {
    match valve.kind {
        ValveKind::Switch => mode != 0,
        ValveKind::Lock { locked, .. } => mode == locked,
    }
}

/// Gives loops of closed ideal valves, and of what sticks, the law of their shares.
pub(crate) fn share_loops(
    arena: &mut Arena,
    flat: &Flat,
    modes: &[i8],
    equations: &mut [Equation],
) -> Shares {
    let mut shares = Shares::default();
    let mut edges: Vec<Edge> = Vec::new();
    let mut tree: Vec<usize> = Vec::new();
    for (mode, law) in flat.modes.iter().enumerate() {
        let Some(valve) = law.valve.filter(|valve| is_closed(valve, modes[mode])) else { continue };
        let Some(new) = edge(arena, (mode, valve), &equations[valve.equation]) else { continue };
        let own = edges.len();
        let [from, to] = new.ends;
        let (v, i, equation) = (new.v, new.i, new.equation);
        edges.push(new);
        let Some(back) = way(&edges, &tree, to, from) else {
            tree.push(own);
            continue;
        };
        let sum = back.iter().fold(v, |sum, &(edge, sign)| sum + sign * edges[edge].v);
        let largest = back.iter().fold(v.abs(), |most, &(edge, _)| most.max(edges[edge].v.abs()));
        if sum.abs() > FITS * largest {
            continue;
        }
        let mut terms = split_terms(arena, i);
        shares.add(back.iter().map(|&(edge, _)| edge).chain([own]).map(|edge| edges[edge].mode));
        for (edge, sign) in back {
            let i = edges[edge].i;
            let term = if sign > 0.0 { i } else { arena.make(Node::Negate(i)) };
            terms.extend(split_terms(arena, term));
        }
        equations[equation].terms = terms;
    }
    shares
}

/// For each island the sum of the voltages across the valves that cut it off, if they alone do.
pub(crate) fn cut_voltages(
    arena: &mut Arena,
    flat: &Flat,
    modes: &[i8],
    islands: &[usize],
) -> Vec<Option<Vec<ExprId>>> {
    if islands.is_empty() {
        return Vec::new();
    }
    let n = flat.potentials.len();
    let mut forest = Forest::new(n);
    for tie in flat.ties.iter().filter(|tie| holds(tie, modes)) {
        forest.unite(tie.nodes[0].index(), tie.nodes[1].index());
    }
    // What nothing ties to a reference in any mode has no cut.
    let adrift = parts_without_reference(flat, |_| true);
    let tied: FxHashSet<u32> = flat.ties.iter().map(|tie| tie.block).collect();
    let mut list = Vec::with_capacity(islands.len());
    for &island in islands {
        let own = |forest: &mut Forest, node: usize| forest.root(node) == island;
        let closed = (0..n).all(|node| {
            !own(&mut forest, node) || flat.terminals[node].iter().all(|block| tied.contains(block))
        });
        if adrift.contains(&island) || !closed {
            list.push(None);
            continue;
        }
        let mut terms = Vec::new();
        let mut met: Vec<u32> = Vec::new();
        for tie in flat.ties.iter().filter(|tie| !holds(tie, modes)) {
            let [a, b] = tie.nodes.map(|node| node.index());
            let inside = [own(&mut forest, a), own(&mut forest, b)];
            let Some((mode, _)) = tie.only_in.filter(|_| inside[0] != inside[1]) else { continue };
            if met.contains(&mode) {
                continue;
            }
            met.push(mode);
            let (from, to) = if inside[0] { (a, b) } else { (b, a) };
            let (from, to) = (flat.potentials[from], flat.potentials[to]);
            terms.push(arena.binary(BinaryOp::Subtract, from, to));
        }
        list.push(Some(terms).filter(|terms| !terms.is_empty()));
    }
    list
}
