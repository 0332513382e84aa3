//! Factors in a given or a found order against dense factors with exchanges of rows.

use nalgebra::{Complex as Number, DMatrix, DVector};

use super::super::complex::Scalar;
use super::*;

/// Numbers between -0.5 and 0.5.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64 - 0.5
    }
}

/// Rows of each column: some entries per column, some columns empty, some diagonals missing.
fn pattern(n: usize, random: &mut Random) -> Vec<Vec<usize>> {
    let column = |column: usize| {
        let mut rows: Vec<usize> = match column % 5 {
            4 => Vec::new(),
            count => (0..count + 1).map(|_| ((random.next() + 0.5) * n as f64) as usize).collect(),
        };
        if column.is_multiple_of(3) {
            rows.push(column);
        }
        rows.sort_unstable();
        rows.dedup();
        rows
    };
    (0..n).map(column).collect()
}

fn dense(columns: &[Vec<usize>], entries: &[f64], shift: Complex) -> DMatrix<Number<f64>> {
    let n = columns.len();
    let mut matrix = DMatrix::from_diagonal_element(n, n, Number::new(shift.re, shift.im));
    let places = columns.iter().enumerate().flat_map(|(j, rows)| rows.iter().map(move |&i| (i, j)));
    places.zip(entries).for_each(|(place, &value)| matrix[place] -= Number::new(value, 0.0));
    matrix
}

fn factor(shifted: &mut Shifted<2>, jacobian: &[f64], shifts: &[Complex; 2]) -> bool {
    shifted.take(jacobian);
    shifted.factor(shifts)
}

/// Random patterns with moderate shifts, against dense factors with exchanges of rows.
#[test]
fn solutions_agree_with_dense_factors() {
    let mut random = Random(4711);
    let shifts = [Complex::new(3.0, 0.0), Complex::new(2.0, 2.5), Complex::new(-1.0, 4.0)];
    for n in [1, 2, 7, 30, 76, 150] {
        let columns = pattern(n, &mut random);
        let slices: Vec<&[usize]> = columns.iter().map(Vec::as_slice).collect();
        let mut shifted = Shifted::<3>::new(&slices).expect("few products");
        for _ in 0..3 {
            let count = columns.iter().map(Vec::len).sum();
            let jacobian: Vec<f64> = (0..count).map(|_| random.next()).collect();
            shifted.take(&jacobian);
            assert!(shifted.factor(&shifts), "{n}");
            let right: Vec<Lanes<3>> = (0..n)
                .map(|_| {
                    let mut lanes = Lanes::ZERO;
                    lanes.set_lane(0, Complex::new(random.next(), 0.0));
                    lanes.set_lane(1, Complex::new(random.next(), random.next()));
                    lanes.set_lane(2, Complex::new(random.next(), random.next()));
                    lanes
                })
                .collect();
            let mut x = right.clone();
            shifted.solve(&mut x);
            let mut first: Vec<f64> = right.iter().map(|b| b.re[0]).collect();
            shifted.solve_first(&mut first);
            for (lane, &shift) in shifts.iter().enumerate() {
                let b =
                    DVector::from_fn(n, |i, _| Number::new(right[i].re[lane], right[i].im[lane]));
                let exact = dense(&columns, &jacobian, shift).lu().solve(&b).expect("regular");
                for (i, x) in x.iter().enumerate() {
                    // Shifts outweigh the rows, so the condition is below ten.
                    let off = (Number::new(x.re[lane], x.im[lane]) - exact[i]).norm();
                    assert!(off < 1e-13, "{n} {lane} {i}: {off}");
                    assert!(lane > 0 || (first[i] - exact[i].re).abs() < 1e-13, "{n} {i}");
                }
            }
        }
    }
}

/// Zero pivots, small ones and numbers that are none are refused, in whatever lane they are; then a sound matrix is
/// factorised as if nothing had been.
#[test]
fn small_pivots_are_refused() {
    let mut shifted = Shifted::<2>::new(&[&[0, 1], &[0, 1]]).expect("few products");
    let shifts = [Complex::new(1.0, 0.0), Complex::new(0.0, 1.0)];
    // Singular with the shift of one, regular with that of i.
    assert!(!factor(&mut shifted, &[2.0, 1.0, 1.0, 2.0], &shifts));
    // The first pivot is zero, and so small that rows should be exchanged.
    assert!(!factor(&mut shifted, &[1.0, 3.0, 1.0, 2.0], &shifts));
    assert!(!factor(&mut shifted, &[0.9999, 3.0, 1.0, 2.0], &shifts));
    for wrong in [f64::NAN, f64::INFINITY] {
        for place in 0..4 {
            let mut jacobian = [0.1, 0.2, 0.3, 0.4];
            jacobian[place] = wrong;
            assert!(!factor(&mut shifted, &jacobian, &shifts), "{wrong} {place}");
        }
    }
    // (1 - J) x = b with J = 3 0 / 1 -1: x = (-1/2, 3/4) for b = (1, 2).
    assert!(factor(&mut shifted, &[3.0, 1.0, 0.0, -1.0], &shifts));
    let mut x = [1.0, 2.0];
    shifted.solve_first(&mut x);
    assert_eq!(x, [-0.5, 0.75]);
}

/// A column whose pivot lies without entries below may be zero too.
#[test]
fn an_empty_row_and_column_needs_a_shift() {
    let mut shifted = Shifted::<2>::new(&[&[0], &[]]).expect("few products");
    assert!(!factor(&mut shifted, &[1.0], &[Complex::new(0.0, 0.0), Complex::new(2.0, 0.0)]));
    assert!(factor(&mut shifted, &[1.0], &[Complex::new(2.0, 0.0), Complex::new(3.0, 0.0)]));
}

/// A link that is not a number is refused too.
#[test]
fn links_are_numbers() {
    let mut shifted = Shifted::<2>::new(&[&[0, 1], &[]]).expect("few products");
    let shifts = [Complex::new(1.0, 0.0), Complex::new(0.0, 1.0)];
    for wrong in [f64::NAN, f64::INFINITY] {
        assert!(!factor(&mut shifted, &[0.5, wrong], &shifts), "{wrong}");
    }
    // (1 - J) x = b with J = 1/2 0 / 4 0: x = (2, 8 + 3) for b = (1, 3).
    assert!(factor(&mut shifted, &[0.5, 4.0], &shifts));
    let mut x = [1.0, 3.0];
    shifted.solve_first(&mut x);
    assert_eq!(x, [2.0, 11.0]);
}

#[test]
fn many_products_are_refused() {
    let n = 200;
    let all: Vec<usize> = (0..n).collect();
    assert!(Shifted::<2>::new(&vec![&all[..]; n]).is_none());
}

/// `y' = z1`, with `0 = -2 y - z1 + 3 z2` and `0 = y + z1 - z2`: the last two give `z1 = -y/2`, so that `J = -1/2`.
#[test]
fn further_unknowns_have_no_shift() {
    let columns: [&[usize]; 3] = [&[1, 2], &[0, 1, 2], &[1, 2]];
    let jacobian = [-2.0, 1.0, 1.0, -1.0, 1.0, 3.0, -1.0];
    let shifts = [Complex::new(2.0, 0.0), Complex::new(1.0, 3.0)];
    for order in [[2, 1, 0], [1, 2, 0]] {
        let mut shifted = Shifted::<2>::in_order(&columns, &order, 1).expect("few products");
        assert!(factor(&mut shifted, &jacobian, &shifts));
        let mut b = [Lanes::real(1.0), Lanes::ZERO, Lanes::ZERO];
        shifted.solve(&mut b);
        for (lane, shift) in shifts.into_iter().enumerate() {
            let left = (shift + Complex::new(0.5, 0.0)) * b[0].lane(lane) - Complex::ONE;
            assert!(left.size() < 1e-15, "{order:?} {lane}");
        }
        let mut first = [1.0, 0.0, 0.0];
        shifted.solve_first(&mut first);
        assert!((first[0] - 1.0 / 2.5).abs() < 1e-15, "{order:?}");
    }
}
