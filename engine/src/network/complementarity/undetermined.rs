//! What ideal valves leave undetermined takes its least-norm value.
//!
//! Ideal closed valves that form a loop say the same once too often, and nothing says how they share their current: the
//! shares with the least sum of squares are those without a current around the loop, `sum of +-i = 0`. Dually nothing says
//! what potential a part has that open valves cut off, while one of its balances follows from the others: the least sum
//! of squares of the voltages across the cut is where `sum of +-v = 0`.

use rustc_hash::FxHashSet;

use crate::network::equations::expr::{Arena, ExprId, Node, VarId};
use crate::network::equations::flat::{Equation, Flat, Tie, Valve, ValveKind};
use crate::network::passes::alias::linear_form;
use crate::network::passes::islands::{Forest, parts_without_reference};
use parser::syntax::BinaryOp;

/// Voltages around a loop whose sum is below this, over the largest, fit.
const FITS: f64 = 1e-12;

/// A closed valve without resistance.
struct Edge {
    equation: usize,
    /// Its nodes: the current flows from the first to the second.
    nodes: [usize; 2],
    v: f64,
    i: ExprId,
}

fn holds(tie: &Tie, modes: &[i8]) -> bool {
    tie.only_in.is_none_or(|(mode, value)| modes.get(mode as usize) == Some(&value))
}

/// The voltage of a closed valve whose law fixes that and nothing else.
fn fixed_voltage(arena: &Arena, flat: &Flat, tie: &Tie, equation: &Equation) -> Option<f64> {
    let mut form: Vec<(VarId, f64)> = Vec::new();
    let offset = linear_form(arena, &equation.terms, &mut form)?;
    let [a, b] = tie.nodes.map(|node| arena.node(flat.potentials[node.index()]));
    let factor = |node: Node| -> f64 {
        form.iter().filter(|(v, _)| node == Node::Variable(*v)).map(|(_, x)| x).sum()
    };
    let is_potential = |v: &VarId| [a, b].contains(&Node::Variable(*v));
    let (x, y) = (factor(a), factor(b));
    let is_zero = |node: Node| node == Node::Constant(0.0f64.to_bits());
    if !form.iter().all(|(v, _)| is_potential(v)) {
        return None;
    }
    match (is_zero(a), is_zero(b)) {
        (false, true) if x != 0.0 => Some(-offset / x),
        (true, false) if y != 0.0 => Some(offset / y),
        (false, false) if x != 0.0 && x == -y => Some(-offset / x),
        _ => None,
    }
}

/// The way through a forest from one node to another: numbers of edges, with 1 where they are passed along their direction.
fn way(edges: &[Edge], tree: &[usize], from: usize, to: usize, n: usize) -> Vec<(usize, f64)> {
    let mut neighbours: Vec<Vec<(usize, usize, f64)>> = vec![Vec::new(); n];
    for &number in tree {
        let [a, b] = edges[number].nodes;
        neighbours[a].push((b, number, 1.0));
        neighbours[b].push((a, number, -1.0));
    }
    let mut came: Vec<Option<(usize, usize, f64)>> = vec![None; n];
    let mut stack = vec![from];
    while let Some(node) = stack.pop() {
        for &(next, number, sign) in &neighbours[node] {
            if next != from && came[next].is_none() {
                came[next] = Some((node, number, sign));
                stack.push(next);
            }
        }
    }
    let mut steps = Vec::new();
    let mut at = to;
    while at != from {
        let Some((before, number, sign)) = came[at] else { break };
        steps.push((number, sign));
        at = before;
    }
    steps
}

/// Gives loops of closed ideal valves the law of their shares.
pub(in crate::network) fn share_loops(
    arena: &mut Arena,
    flat: &Flat,
    modes: &[i8],
    equations: &mut [Equation],
) {
    let n = flat.potentials.len();
    let mut forest = Forest::new(n);
    let mut edges: Vec<Edge> = Vec::new();
    let mut tree: Vec<usize> = Vec::new();
    for tie in &flat.ties {
        let Some((mode, _)) = tie.only_in.filter(|_| holds(tie, modes)) else { continue };
        let valve = flat.modes.get(mode as usize).and_then(|law| law.valve);
        let Some(Valve { equation, i, kind: ValveKind::Switch, .. }) = valve else { continue };
        let Some(v) = fixed_voltage(arena, flat, tie, &equations[equation]) else { continue };
        let nodes = tie.nodes.map(|node| node.index());
        edges.push(Edge { equation, nodes, v, i });
        let own = edges.len() - 1;
        if forest.unite(tie.nodes[0], tie.nodes[1]) {
            tree.push(own);
            continue;
        }
        let back = way(&edges, &tree, nodes[1], nodes[0], n);
        let sum = back.iter().fold(v, |sum, &(edge, sign)| sum + sign * edges[edge].v);
        let largest = back.iter().fold(v.abs(), |most, &(edge, _)| most.max(edges[edge].v.abs()));
        if sum.abs() > FITS * largest {
            continue;
        }
        let mut terms = vec![edges[own].i];
        for (edge, sign) in back {
            let i = edges[edge].i;
            terms.push(if sign > 0.0 { i } else { arena.make(Node::Negate(i)) });
        }
        equations[edges[own].equation].terms = terms;
    }
}

/// For each island the sum of the voltages across the valves that cut it off, if they alone do.
pub(in crate::network) fn cut_voltages(
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
        forest.unite(tie.nodes[0], tie.nodes[1]);
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
