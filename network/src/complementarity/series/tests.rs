//! The axioms of an ordered field, against rational functions at small numbers.

use super::*;

/// Pseudo-random numbers (Knuth's MMIX constants).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as f64) / (1u64 << 31) as f64
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() * n as f64) as usize
    }

    /// A polynomial of small whole numbers: exact in all operations without division.
    fn polynomial(&mut self) -> Series {
        let first = self.below(5) as i32 - 2;
        let coefficients: Vec<f64> =
            (0..1 + self.below(3)).map(|_| (self.below(19) as f64) - 9.0).collect();
        Series::bounded(first, &coefficients, &vec![0.0; coefficients.len()])
    }

    fn not_zero(&mut self) -> Series {
        loop {
            let series = self.polynomial();
            if !series.is_nothing() {
                return series;
            }
        }
    }
}

/// Where the first ten coefficients of both agree within their bounds.
fn agree(a: Series, b: Series) -> bool {
    let first = a.first.min(b.first);
    let end = [a, b].iter().filter(|s| !s.is_whole).map(Series::end).min().unwrap_or(first + 10);
    (first..end).all(|order| {
        let ((x, dx), (y, dy)) = (a.term(order), b.term(order));
        (x - y).abs() <= dx + dy
    })
}

#[test]
fn sums_and_products_follow_the_axioms() {
    let mut random = Random(1);
    for _ in 0..500 {
        let (a, b, c) = (random.polynomial(), random.polynomial(), random.polynomial());
        assert!(agree(a + b, b + a));
        assert!(agree((a + b) + c, a + (b + c)));
        assert!(agree(a * b, b * a));
        assert!(agree((a * b) * c, a * (b * c)));
        assert!(agree(a * (b + c), a * b + a * c));
        assert!((a - a).is_nothing());
        assert!(agree(a * Series::one(), a));
        assert!(agree(a + Series::ZERO, a));
    }
}

#[test]
fn a_quotient_times_its_divisor_is_the_dividend() {
    let mut random = Random(2);
    for _ in 0..500 {
        let (a, b) = (random.polynomial(), random.not_zero());
        assert!(agree(a / b * b, a), "{a:?} / {b:?}");
    }
}

#[test]
fn the_order_is_that_of_the_values_at_a_small_number() {
    let mut random = Random(3);
    let eps = 1e-4;
    let mut decided = 0;
    for _ in 0..500 {
        let (a, b) = (random.not_zero(), random.not_zero());
        let (c, d) = (random.not_zero(), random.not_zero());
        let (series, value) = (a / b - c / d, a.at(eps) / b.at(eps) - c.at(eps) / d.at(eps));
        // Coefficients are whole numbers to 9: the next term is at least 1/81 of it at this eps.
        if series.sign() != Ordering::Equal {
            decided += 1;
            assert_eq!(series.sign(), value.total_cmp(&0.0), "{series:?} {value}");
        }
        // Positive numbers have positive sums and products.
        let up = |s: Series| if s.sign() == Ordering::Less { -s } else { s };
        assert_eq!((up(a) + up(c)).sign(), Ordering::Greater);
        assert_eq!((up(a) * up(c)).sign(), Ordering::Greater);
    }
    assert!(decided > 400);
}

#[test]
fn values_agree_with_rational_functions() {
    let mut random = Random(4);
    let eps: f64 = 1e-6;
    for _ in 0..200 {
        let (a, b) = (random.not_zero(), random.not_zero());
        let (series, value) = ((a / b).at(eps), a.at(eps) / b.at(eps));
        assert!((series - value).abs() <= 1e-12 * value.abs(), "{series} {value}");
    }
}

#[test]
fn rounding_counts_as_zero_and_what_comes_after_decides() {
    let third = Series::one() / Series::exact(3.0);
    let rest = Series::one() - (third + third + third);
    assert_eq!(rest.sign(), Ordering::Equal);
    let small = Series::power(-1.0, 3);
    assert_eq!((rest + small).sign(), Ordering::Less);
    let noisy = Series::bounded(0, &[1e-17, 2.0], &[1e-15, 0.0]);
    assert_eq!(noisy.leading(), Some((1, 2.0)));
    let sum = Series::rounded(0.1) + Series::rounded(0.2) - Series::rounded(0.3);
    assert_eq!(sum.sign(), Ordering::Equal, "0.1 + 0.2 - 0.3 is {}", sum.coefficient(0));
}

#[test]
fn a_small_resistance_survives_a_cancellation() {
    // Two equal resistors in parallel behind a soft valve each: the difference is of the order of the valves.
    let (r, soft) = (Series::exact(3.3), Series::power(1.0, 4));
    let schur = (r + soft) - r * r / (r + soft);
    let (order, value) = schur.leading().unwrap();
    assert_eq!(order, 4);
    assert!((value - 2.0).abs() < 1e-14);
}

#[test]
fn what_is_unknown_stays_unknown() {
    let long = Series::one() / (Series::one() - Series::power(1.0, 1));
    assert!(!long.is_whole);
    let difference = long - long;
    assert_eq!(difference.sign(), Ordering::Equal);
    assert!(!difference.is_nothing());
    let by_zero = Series::one() / difference;
    assert!(by_zero.coefficient(0).is_nan());
}
