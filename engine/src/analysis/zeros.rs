//! Zeros of the response of one output to one input.
//!
//! At a zero s of `C (s - A)^-1 B + D` an input `e^(st)` leaves no trace in the output:
//!
//! ```text
//! | A - s   B | |x|
//! |   C     D | |u| = 0          (M - s N) z = 0
//! ```
//!
//! With a shift p that is no zero the eigenvalues m of `(M - p N)^-1 N` give `s = p + 1/m`. Those of zeros at infinity vanish but
//! for rounding, which makes finite numbers of them; so each candidate is judged by the response itself, which at a zero
//! falls far below its size around it, and is then brought to rounding by the secant method.

use nalgebra::linalg::balancing::balance_parlett_reinsch;
use nalgebra::{Complex, DMatrix, DVector};

use super::LinearModel;
use integrate::linear::eigen;

/// Models with more states have no zeros computed: each pair costs the cube of them.
const MOST_STATES: usize = 100;
/// At a zero the response is below this part of its size nearby.
const FALLS: f64 = 1e-6;
/// Steps of the secant method.
const STEPS: usize = 12;

/// Zeros of a pair of output and input.
#[derive(Clone, Debug)]
pub struct Zeros {
    /// The output, by its number.
    pub output: usize,
    /// The input.
    pub input: usize,
    /// The zeros; of a conjugate pair the one above the real axis.
    pub values: Vec<Complex<f64>>,
}

/// The zeros of all pairs; nothing for a large model.
pub fn zeros(linear: &LinearModel) -> Vec<Zeros> {
    if linear.states.len() > MOST_STATES {
        return Vec::new();
    }
    let pairs = (0..linear.inputs.len())
        .flat_map(|input| (0..linear.outputs.len()).map(move |output| (output, input)));
    pairs
        .map(|(output, input)| Zeros { output, input, values: of_pair(linear, output, input) })
        .collect()
}

/// The response of a pair.
struct Pair<'a> {
    a: &'a DMatrix<f64>,
    b: DVector<f64>,
    c: DVector<f64>,
    d: [f64; 3],
}

impl Pair<'_> {
    fn at(&self, s: Complex<f64>) -> Option<Complex<f64>> {
        let n = self.a.nrows();
        let shifted = DMatrix::from_fn(n, n, |i, j| {
            let own = Complex::new(-self.a[(i, j)], 0.0);
            if i == j { own + s } else { own }
        });
        let right = self.b.map(|x| Complex::new(x, 0.0));
        let x = if n == 0 { right } else { shifted.lu().solve(&right)? };
        let sum: Complex<f64> = self.c.iter().zip(x.iter()).map(|(c, x)| x * *c).sum();
        let [d0, d1, d2] = self.d;
        let value = sum + s * s * d2 + s * d1 + d0;
        (value.re.is_finite() && value.im.is_finite()).then_some(value)
    }

    /// The size of the response around a point.
    fn around(&self, s: Complex<f64>, radius: f64) -> f64 {
        let points = (0..6).map(|k| s + Complex::from_polar(radius, f64::from(k)));
        points.filter_map(|s| self.at(s)).map(|g| g.norm()).fold(0.0, f64::max)
    }

    /// Brings a candidate to a zero; nothing if there is none.
    fn polish(&self, start: Complex<f64>, scale: f64) -> Option<Complex<f64>> {
        let radius = 0.05 * start.norm().max(1e-3 * scale);
        let size = self.around(start, radius);
        let (mut last, mut s) = (start + radius * 1e-3, start);
        let mut g_last = self.at(last)?;
        for _ in 0..STEPS {
            let Some(g) = self.at(s) else { break };
            let slope = (g - g_last) / (s - last);
            if g.norm() == 0.0 || slope.norm() == 0.0 || !slope.re.is_finite() {
                break;
            }
            let next = s - g / slope;
            (last, g_last) = (s, g);
            if (next - start).norm() > radius || (next - s).norm() <= 1e-15 * s.norm() {
                break;
            }
            s = next;
        }
        (self.at(s)?.norm() <= FALLS * size).then_some(s)
    }
}

fn of_pair(linear: &LinearModel, output: usize, input: usize) -> Vec<Complex<f64>> {
    let n = linear.states.len();
    let [d1, d2] = &linear.d_rates;
    let entry = |d: &DMatrix<f64>| d[(output, input)];
    let pair = Pair {
        a: &linear.a,
        b: linear.b.column(input).into_owned(),
        c: linear.c.row(output).transpose(),
        d: [entry(&linear.d), entry(d1), entry(d2)],
    };
    // An improper response would need a larger pencil.
    if n == 0
        || pair.d[1] != 0.0
        || pair.d[2] != 0.0
        || pair.c.amax() == 0.0
        || pair.b.amax() == 0.0
    {
        return Vec::new();
    }
    // States, input and output of one size: the pencil is balanced as a matrix.
    let mut balanced = linear.a.clone();
    let sizes = balance_parlett_reinsch(&mut balanced);
    let b = DVector::from_fn(n, |i, _| pair.b[i] / sizes[i]);
    let c = DVector::from_fn(n, |j, _| pair.c[j] * sizes[j]);
    let scale = balanced.amax().max(f64::MIN_POSITIVE);
    let (of_input, of_output) = (scale / b.amax(), scale / c.amax());
    let pencil = |p: f64| {
        DMatrix::from_fn(n + 1, n + 1, |i, j| match (i < n, j < n) {
            (true, true) => balanced[(i, j)] - if i == j { p } else { 0.0 },
            (true, false) => b[i] * of_input,
            (false, true) => c[j] * of_output,
            (false, false) => pair.d[0] * of_input * of_output,
        })
    };
    // Two shifts: what one of them sees badly the other may see well.
    let mut found: Vec<Complex<f64>> = Vec::new();
    for p in [0.37 * scale, 0.0173 * scale] {
        let Some(inverse) = pencil(p).try_inverse() else { continue };
        let mut shifted = inverse;
        shifted.column_mut(n).fill(0.0);
        let Some(eigen) = eigen::general(&shifted) else { continue };
        for value in eigen.values.iter().filter(|value| value.norm() > 0.0) {
            let candidate = Complex::new(p, 0.0) + value.inv();
            let Some(zero) = pair.polish(candidate, scale) else { continue };
            let is_known = |known: &Complex<f64>| {
                (known - zero).norm() <= 1e-6 * zero.norm().max(1e-9 * scale)
            };
            if zero.im >= -1e-9 * zero.norm() && !found.iter().any(is_known) {
                let is_real = zero.im.abs() <= 1e-9 * zero.norm();
                found.push(if is_real { Complex::new(zero.re, 0.0) } else { zero });
            }
        }
    }
    found.sort_by(|a, b| a.norm().total_cmp(&b.norm()));
    found
}
