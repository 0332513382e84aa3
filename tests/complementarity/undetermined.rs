//! What the equations of an instant leave undetermined.
//!
//! Storages are known at an instant, and with them, as they follow a course, their rates: currents of capacitors, voltages
//! across inductors. Any step of implicit Euler with the same storages at its end says so. The solutions of a monotone linear complementarity problem are a convex set, and along
//! any way d within it the sides of a pair that is not zero on both stay as they are, dw >= 0 and dz >= 0 where both
//! are zero, and the sum of dw dz vanishes (Cottle, Pang and Stone 1992, 3.1.7 and 3.5.6). That sum is a semidefinite form
//! of the directions that the equations allow, so that they are its null space: no resistor takes another current. A quantity
//! that moves along none of them is determined.

use crate::conditions::{Conditions, Scale};
use crate::elimination;
use crate::reduced::Reduced;

/// A power below this, over the largest voltage times the largest current, is none.
const POWER: f64 = 1e-9;

/// Which sides of a pair may be another number than they are: w, z.
pub type Movable = [bool; 2];

/// Directions of the free variables, all w and all z that satisfy all equations at an instant with the storages as they are. `sizes` are
/// the largest values of the kinds; h is the size of any step.
pub fn directions(
    conditions: &Conditions,
    reduced: &Reduced,
    h: f64,
    movable: &[Movable],
    sizes: &[f64],
) -> Vec<Vec<f64>> {
    let pairs = movable.len();
    let kept = reduced.kept();
    // Columns: what is kept of the free variables, then the sides of pairs that may move.
    let sides: Vec<usize> = (0..2 * pairs).filter(|&s| movable[s % pairs][s / pairs]).collect();
    let place = |side: usize| sides.iter().position(|&own| own == side).map(|at| kept + at);
    let width = kept + sides.len();
    let mut rows = reduced.homogeneous(h, width, &place);
    let express = |variable: usize| reduced.expression(variable, width, &place);
    rows.extend(conditions.memory.iter().map(|&(variable, _)| express(variable)));
    let none = vec![Vec::new(); rows.len()];
    let basis: Vec<Vec<f64>> = match rows.is_empty() {
        true => {
            (0..width).map(|k| (0..width).map(|j| f64::from(u8::from(j == k))).collect()).collect()
        }
        false => elimination::solve(&rows, &none).null,
    };
    let free: Vec<Vec<f64>> = (0..conditions.free.len()).map(express).collect();
    let move_all = |d: &[f64]| -> Vec<f64> {
        free.iter().map(|row| row.iter().zip(d).map(|(a, b)| a * b).sum()).collect()
    };
    let side_of = |d: &[f64], side: usize| place(side).map_or(0.0, |at| d[at]);
    // Directions in units of the kinds, so that powers can be compared.
    let unit = |scale: Scale| sizes[scale as usize];
    let basis: Vec<Vec<f64>> = basis
        .into_iter()
        .map(|d| {
            let of_free = move_all(&d).into_iter().zip(&conditions.free).map(|(x, &s)| x / unit(s));
            let of_pairs = sides.iter().enumerate().map(|(at, &side)| {
                let (w, z, _) = conditions.pairs[side % pairs];
                d[kept + at] / unit(if side < pairs { w } else { z })
            });
            let size = of_free.chain(of_pairs).fold(0.0_f64, |a, b| a.max(b.abs()));
            d.into_iter().map(|x| if size > 0.0 { x / size } else { x }).collect()
        })
        .collect();
    let power = |a: &[f64], b: &[f64]| -> f64 {
        let of_pair = |k: usize| {
            let (w, z, _) = conditions.pairs[k];
            let [of_a, of_b] = [a, b].map(|d| [side_of(d, k), side_of(d, pairs + k)]);
            0.5 * (of_a[0] * of_b[1] + of_a[1] * of_b[0]) / (unit(w) * unit(z))
        };
        (0..pairs).map(of_pair).sum()
    };
    let form: Vec<Vec<f64>> =
        basis.iter().map(|a| basis.iter().map(|b| power(a, b)).collect()).collect();
    let combine = |factors: Vec<f64>| {
        let mut sum = vec![0.0; width];
        for (factor, d) in factors.iter().zip(&basis) {
            sum.iter_mut().zip(d).for_each(|(x, y)| *x += factor * y);
        }
        let mut all = move_all(&sum);
        all.extend((0..2 * pairs).map(|side| side_of(&sum, side)));
        all
    };
    null_space(form).into_iter().map(combine).collect()
}

/// The null space of a semidefinite matrix, by its triangular factors with the largest diagonal first.
fn null_space(mut m: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let n = m.len();
    let mut pivots: Vec<usize> = Vec::new();
    loop {
        let rest = (0..n).filter(|k| !pivots.contains(k));
        let Some(k) = rest.max_by(|&i, &j| m[i][i].total_cmp(&m[j][j])) else { break };
        if m[k][k] <= POWER {
            break;
        }
        pivots.push(k);
        let factor = 1.0 / m[k][k];
        let row: Vec<f64> = m[k].iter().map(|x| x * factor).collect();
        for i in (0..n).filter(|&i| i != k) {
            let own = m[i][k];
            m[i].iter_mut().zip(&row).for_each(|(x, y)| *x -= own * y);
        }
        m[k] = row;
    }
    let free = (0..n).filter(|k| !pivots.contains(k));
    free.map(|k| {
        let entry = |j: usize| match () {
            () if j == k => 1.0,
            () if pivots.contains(&j) => -m[j][k],
            () => 0.0,
        };
        (0..n).map(entry).collect()
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (x + y)^2 + z^2 vanishes for x = -y, z = 0.
    #[test]
    fn form_of_rank_two_has_one_null_vector() {
        let m = vec![vec![1.0, 1.0, 0.0], vec![1.0, 1.0, 0.0], vec![0.0, 0.0, 1.0]];
        let found = null_space(m);
        assert_eq!(found.len(), 1);
        assert!((found[0][0] + found[0][1]).abs() < 1e-15 && found[0][2].abs() < 1e-15);
    }
}
