//! The nodes of Radau's formula, to round-off, and integrals of polynomials.

/// Largest number of nodes that is asked for.
pub(super) const MOST: usize = 7;

/// Legendre's polynomial `P_n(x)`, by `k P_k = (2k - 1) x P_{k-1} - (k - 1) P_{k-2}`.
fn legendre(n: usize, x: f64) -> f64 {
    let (mut before, mut value) = (0.0, 1.0);
    for k in 1..=n {
        let order = k as f64;
        let next = ((2.0 * order - 1.0) * x * value - (order - 1.0) * before) / order;
        (before, value) = (value, next);
    }
    value
}

/// The root of `f` between `a` and `b`, where its sign changes: bisection to the last bit.
fn root(f: impl Fn(f64) -> f64, mut a: f64, mut b: f64) -> f64 {
    let left_negative = f(a) < 0.0;
    loop {
        let middle = 0.5 * (a + b);
        if middle <= a || middle >= b {
            return middle;
        }
        if (f(middle) < 0.0) == left_negative { a = middle } else { b = middle }
    }
}

/// Points at which a polynomial is looked at for changes of sign.
const SCAN: usize = 2000;

/// Every root of `f` strictly between -1 and 1, ascending; the rest of the array stays zero.
fn roots(f: impl Fn(f64) -> f64 + Copy) -> [f64; MOST] {
    let mut found = [0.0; MOST];
    let mut count = 0;
    // Offset by half a point, so that neither the ends nor zero are hit.
    let at = |k: usize| -1.0 + (2.0 * k as f64 + 1.0) / SCAN as f64;
    for k in 0..SCAN - 1 {
        if (f(at(k)) < 0.0) != (f(at(k + 1)) < 0.0) && count < MOST {
            found[count] = root(f, at(k), at(k + 1));
            count += 1;
        }
    }
    found
}

/// The s nodes of Radau's right-hand formula in (0, 1]: roots of `P_s(2c - 1) - P_{s-1}(2c - 1)`
/// (Hairer & Wanner, *Solving ODEs II*, IV.5), the last of which is 1.
pub(super) fn radau(s: usize) -> [f64; MOST] {
    let mut nodes = roots(|x| legendre(s, x) - legendre(s - 1, x));
    nodes[..s - 1].iter_mut().for_each(|x| *x = 0.5 * (1.0 + *x));
    nodes[s - 1] = 1.0;
    nodes
}

/// Integral of a polynomial of degree up to seven from 0 to `end`, by the Gauss formula of four
/// points, which is exact for it: nodes `+-sqrt(3/7 -+ 2/7 sqrt(6/5))`, weights `(18 +- sqrt(30))/36`
/// on [-1, 1].
pub(super) fn integral(end: f64, f: impl Fn(f64) -> f64) -> f64 {
    let shift = 2.0 / 7.0 * 1.2f64.sqrt();
    let (inner, outer) = ((3.0 / 7.0 - shift).sqrt(), (3.0 / 7.0 + shift).sqrt());
    let root = 30f64.sqrt();
    let pair = |x: f64| f(0.5 * end * (1.0 - x)) + f(0.5 * end * (1.0 + x));
    end * ((18.0 + root) / 72.0 * pair(inner) + (18.0 - root) / 72.0 * pair(outer))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nodes_of_three_stages_are_the_known_ones() {
        let root6 = 6f64.sqrt();
        let known = [(4.0 - root6) / 10.0, (4.0 + root6) / 10.0, 1.0];
        for (found, known) in radau(3).iter().zip(known) {
            assert!((found - known).abs() < 2.0 * f64::EPSILON, "{found} {known}");
        }
    }

    #[test]
    fn polynomials_are_integrated_exactly() {
        for degree in 0..8 {
            let end = 0.7f64;
            let found = integral(end, |x| x.powi(degree));
            let exact = end.powi(degree + 1) / f64::from(degree + 1);
            assert!((found - exact).abs() < 1e-15, "{degree}");
        }
    }
}
