//! Combinations of stages, for all states at once.
//!
//! A vector of stages has the states of the first stage, then the states of the second, and so on. The number of stages is
//! known when the loops are compiled, so that sums stay in registers.

use super::tableau::{LANES, ModeShares, StageShares, Stages};
use crate::linear::lanes::Lanes;

/// Calls a function with the number of stages as a constant.
macro_rules! with_stages {
    ($s:expr, $function:ident($($argument:expr),* $(,)?)) => {
        match $s {
            3 => $function::<3>($($argument),*),
            5 => $function::<5>($($argument),*),
            _ => $function::<7>($($argument),*),
        }
    };
}

/// Writes `finish(l, sum_j weights_j x_jl)` for each state l.
#[inline]
pub(super) fn sum(
    s: usize,
    weights: &Stages,
    x: &[f64],
    out: &mut [f64],
    finish: impl Fn(usize, f64) -> f64,
) {
    with_stages!(s, sum_of(weights, x, out, finish));
}

#[inline]
fn sum_of<const S: usize>(
    weights: &Stages,
    x: &[f64],
    out: &mut [f64],
    finish: impl Fn(usize, f64) -> f64,
) {
    let x: [&[f64]; S] = stages(x, out.len());
    for (l, out) in out.iter_mut().enumerate() {
        let mut sum = weights[0] * x[0][l];
        for j in 1..S {
            sum += weights[j] * x[j][l];
        }
        *out = finish(l, sum);
    }
}

/// The stages of a vector of `n` states each.
#[inline]
fn stages<const S: usize>(x: &[f64], n: usize) -> [&[f64]; S] {
    std::array::from_fn(|j| &x[j * n..][..n])
}

/// Writes the largest size among the stages for each state; if one is not finite, neither is what is written.
pub(super) fn largest(s: usize, x: &[f64], out: &mut [f64]) {
    with_stages!(s, largest_of(x, out));
}

fn largest_of<const S: usize>(x: &[f64], out: &mut [f64]) {
    let x: [&[f64]; S] = stages(x, out.len());
    for (l, out) in out.iter_mut().enumerate() {
        let (mut largest, mut sum) = (0.0, 0.0);
        for x in &x {
            let size = x[l].abs();
            largest = if size > largest { size } else { largest };
            sum += size;
        }
        // The comparison passes over what is not a number, the sum does not.
        *out = largest + 0.0 * sum;
    }
}

/// Parts of the modes in each state, from the stages.
pub(super) fn to_modes(s: usize, shares: &ModeShares, x: &[f64], modes: &mut [Lanes<LANES>]) {
    with_stages!(s, to_modes_of(shares, x, modes));
}

fn to_modes_of<const S: usize>(shares: &ModeShares, x: &[f64], modes: &mut [Lanes<LANES>]) {
    let x: [&[f64]; S] = stages(x, modes.len());
    for (l, mode) in modes.iter_mut().enumerate() {
        let mut sum = Lanes::ZERO;
        for i in 0..S {
            sum.add_multiple(&shares[i], x[i][l]);
        }
        *mode = sum;
    }
}

/// The stages, from the parts of the modes in each state.
pub(super) fn from_modes(s: usize, shares: &StageShares, modes: &[Lanes<LANES>], x: &mut [f64]) {
    with_stages!(s, from_modes_of(shares, modes, x));
}

fn from_modes_of<const S: usize>(shares: &StageShares, modes: &[Lanes<LANES>], x: &mut [f64]) {
    let n = modes.len();
    let mut rest = x;
    let x: [&mut [f64]; S] = std::array::from_fn(|_| {
        let (stage, behind) = std::mem::take(&mut rest).split_at_mut(n);
        rest = behind;
        stage
    });
    for (l, mode) in modes.iter().enumerate() {
        // The first mode is real.
        let mut sums = shares.re[0].map(|share| share * mode.re[0]);
        for k in 1..=S / 2 {
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum += shares.re[k][i] * mode.re[k] + shares.im[k][i] * mode.im[k];
            }
        }
        for i in 0..S {
            x[i][l] = sums[i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tableau::FAMILY;
    use super::*;
    use crate::linear::complex::{Complex, Scalar};

    /// Five states with some numbers in every stage.
    fn vector(s: usize) -> Vec<f64> {
        (0..5 * s).map(|k| (k as f64 * 1.3).sin() + 0.2).collect()
    }

    #[test]
    fn sums_are_those_of_single_states() {
        for tableau in FAMILY.iter() {
            let (s, x, mut out) = (tableau.s, vector(tableau.s), [0.0; 5]);
            sum(s, &tableau.c, &x, &mut out, |l, sum| 2.0 * sum - l as f64);
            for (l, out) in out.iter().enumerate() {
                let sum: f64 = (0..s).map(|j| tableau.c[j] * x[j * 5 + l]).sum();
                // Seven terms of a size of one.
                assert!((out - (2.0 * sum - l as f64)).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn the_largest_size_is_found_and_nothing_wrong_is_lost() {
        let mut x = vector(7);
        x[9] = -4.0;
        let mut out = [0.0; 5];
        largest(7, &x, &mut out);
        for (l, out) in out.iter().enumerate() {
            let size = (0..7).fold(0.0, |size: f64, i| size.max(x[5 * i + l].abs()));
            assert_eq!(*out, size);
        }
        for wrong in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            x[12] = wrong;
            largest(7, &x, &mut out);
            assert!(!out[2].is_finite() && out[4] == 4.0 && out[3].is_finite());
        }
    }

    /// To the modes with `mu l_i`, divided by mu there, and back: the stages again.
    #[test]
    fn modes_lead_back_to_the_stages() {
        for tableau in FAMILY.iter() {
            let (s, x) = (tableau.s, vector(tableau.s));
            let mut modes = vec![Lanes::ZERO; 5];
            to_modes(s, &tableau.into_modes, &x, &mut modes);
            for (l, lanes) in modes.iter_mut().enumerate() {
                for (k, mode) in tableau.modes.iter().enumerate() {
                    let factor = |i: usize| mode.eigenvalue * mode.left[i];
                    let sum =
                        (0..s).fold(Complex::ZERO, |sum, i| sum + factor(i).scaled(x[i * 5 + l]));
                    assert!((sum - lanes.lane(k)).size() < 1e-12 * (1.0 + sum.size()));
                    lanes.set_lane(k, sum / mode.eigenvalue);
                }
            }
            let mut back = vec![0.0; 5 * s];
            from_modes(s, &tableau.out_of_modes, &modes, &mut back);
            // The eigenvectors of seven stages have a condition of some ten thousands.
            assert!(back.iter().zip(&x).all(|(back, x)| (back - x).abs() < 1e-10), "{s}");
        }
    }
}
