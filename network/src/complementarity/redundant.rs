//! Laws of closed valves that follow from all other laws.
//!
//! Where gears or transformers lie between valves, no loop of valves shows that one of them says what others say already. The
//! linear equations with constant factors do: eliminated one after the other, with those of closed valves last, a law
//! of which nothing is left is `sum of y v = 0` over the valves that took part. Powers of ideal elements cancel, so that a
//! flow in the proportions y runs around without driving anything (Tellegen's theorem): its size is what nothing determines,
//! and the least sum of squares is where `sum of y i = 0`.

use rustc_hash::FxHashSet;

use super::echelon::{Echelon, NOTHING, Row};
use super::undetermined::{Shares, is_closed};
use equations::expr::Arena;
use equations::flat::{Equation, Flat, Valve, split_terms};
use parser::syntax::BinaryOp;

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
        row.parts.push((number, 1.0));
        let Some(left) = echelon.add(row) else { continue };
        if left.constant.abs() > NOTHING {
            continue;
        }
        let largest = left.parts.iter().fold(0.0f64, |most, (_, y)| most.max(y.abs()));
        let mut terms = Vec::new();
        let mut group = vec![*mode];
        for &(other, y) in left.parts.iter().filter(|(_, y)| y.abs() > NOTHING * largest) {
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
