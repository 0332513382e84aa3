//! Eigenvalues of a linear model, as natural frequencies, damping ratios and mode shapes.
//!
//! Without damping, gyroscopic and circulatory forces the eigenvalues come from the symmetric pair `K x = w2 M x`, which
//! keeps them exactly on the axes; otherwise from the matrix A of the linear model.

use std::f64::consts::TAU;

use nalgebra::{Complex, DMatrix};

use super::{LinearModel, Trouble};
use integrate::linear::eigen;

/// The behaviour of a mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModeKind {
    /// Oscillates.
    Oscillation,
    /// Decays or grows without oscillating.
    Aperiodic,
    /// Neither: an eigenvalue that is zero within the error of the matrix.
    Rigid,
}

/// One eigenvalue, or a conjugate pair of eigenvalues.
#[derive(Clone, Debug)]
pub struct Mode {
    /// The eigenvalue, the one above the real axis of a pair, 1/s.
    pub value: Complex<f64>,
    /// The behaviour of the mode.
    pub kind: ModeKind,
    /// Displacements of the independent freedoms; the largest is 1 or the size of the model.
    pub shape: Vec<Complex<f64>>,
    /// For each state its part in the mode, from 0 to 1: the product of its entries in the right and the left eigenvector (Perez-
    /// Arriaga, Verghese, Schweppe, IEEE Trans. PAS-101 (1982) 3117), over the largest. Nothing for the modes of a symmetric
    /// pair.
    pub participation: Vec<f64>,
}

impl Mode {
    /// Frequency of the oscillation, Hz.
    pub fn frequency(&self) -> f64 {
        self.value.im.abs() / TAU
    }

    /// Natural frequency: what it would be without damping, Hz.
    pub fn natural_frequency(&self) -> f64 {
        self.value.norm() / TAU
    }

    /// Damping ratio (1: aperiodic limit, negative: grows).
    pub fn damping_ratio(&self) -> f64 {
        let size = self.value.norm();
        if self.value.re == 0.0 { 0.0 } else { -self.value.re / size }
    }

    /// Time in which it decays, or grows if negative, by a factor e, s.
    pub fn time_constant(&self) -> f64 {
        if self.value.re == 0.0 { f64::INFINITY } else { -self.value.re.recip() }
    }

    /// Whether the mode grows.
    pub fn grows(&self) -> bool {
        self.kind != ModeKind::Rigid && self.value.re > 0.0
    }
}

/// All modes of a linear model.
#[derive(Clone, Debug)]
pub struct Modes {
    /// Modes by rising absolute value of their eigenvalues.
    pub all: Vec<Mode>,
    /// The modes come from the symmetric pair.
    pub is_conservative: bool,
}

/// The modes of a linear model. `units` has what counts as one for each independent freedom: 1 rad, or the size of the
/// model.
///
/// # Errors
/// If the eigenvalues are not found.
pub fn modes(linear: &LinearModel, units: &[f64]) -> Result<Modes, Trouble> {
    if linear.states.is_empty() {
        return Ok(Modes { all: Vec::new(), is_conservative: true });
    }
    let conservative = if linear.has_storages() { None } else { conservative_modes(linear) };
    let is_conservative = conservative.is_some();
    let mut all = match conservative {
        Some(all) => all,
        None => general_modes(linear)?,
    };
    all.iter_mut().for_each(|mode| normalise(&mut mode.shape, units));
    Ok(Modes { all, is_conservative })
}

/// Modes by the symmetric pair, if the model has no other forces.
fn conservative_modes(linear: &LinearModel) -> Option<Vec<Mode>> {
    /// Estimated errors are right within about this factor.
    const DOUBT: f64 = 10.0;
    let d = linear.chart.len();
    let block = |m: &DMatrix<f64>, i: usize, j: usize| m.view((i * d, j * d), (d, d)).into_owned();
    let (slope, damping) = (block(&linear.a, 1, 0), block(&linear.a, 1, 1));
    let (slope_error, damping_error) = (block(&linear.errors, 1, 0), block(&linear.errors, 1, 1));
    let fastest = slope.amax().sqrt();
    let is_damped = damping
        .iter()
        .zip(damping_error.iter())
        .any(|(x, e)| x.abs() > DOUBT * e + f64::EPSILON * fastest);
    if is_damped || block(&linear.a, 0, 0).amax() > 0.0 {
        return None;
    }
    let stiffness = -(&linear.mass * &slope);
    let error = linear.mass.abs() * slope_error;
    let tolerance = DOUBT * error.amax() + 1e-13 * stiffness.amax();
    if (&stiffness - stiffness.transpose()).amax() > tolerance {
        return None;
    }
    let symmetric = (&stiffness + stiffness.transpose()) * 0.5;
    let (values, shapes) = eigen::symmetric_pair(&symmetric, &linear.mass)?;
    let mut all = Vec::new();
    let doubt = zero_below(linear);
    for (k, value) in values.into_iter().enumerate() {
        let shape: Vec<Complex<f64>> =
            shapes.column(k).iter().map(|&x| Complex::new(x, 0.0)).collect();
        let mut add = |re: f64, im: f64, kind: ModeKind| {
            let (value, participation) = (Complex::new(re, im), Vec::new());
            all.push(Mode { value, kind, shape: shape.clone(), participation });
        };
        if value.abs() <= doubt {
            add(0.0, 0.0, ModeKind::Rigid);
        } else if value > 0.0 {
            add(0.0, value.sqrt(), ModeKind::Oscillation);
        } else {
            let rate = (-value).sqrt();
            add(-rate, 0.0, ModeKind::Aperiodic);
            add(rate, 0.0, ModeKind::Aperiodic);
        }
    }
    all.sort_by(|a, b| a.value.norm().total_cmp(&b.value.norm()));
    Some(all)
}

/// The square of an eigenvalue that cannot be distinguished from zero, 1/s^2.
fn zero_below(linear: &LinearModel) -> f64 {
    let d = linear.chart.len();
    if d == 0 {
        return 0.0;
    }
    let error = linear.errors.view((d, 0), (d, d)).amax();
    let size = linear.a.view((d, 0), (d, d)).amax();
    error + 1e-13 * size
}

/// A real part that cannot be distinguished from zero: errors of the stiffness enter the square of an eigenvalue, errors of
/// the damping enter the eigenvalue itself.
fn real_below(linear: &LinearModel, value: Complex<f64>) -> f64 {
    let d = linear.chart.len();
    if d == 0 {
        return 0.0;
    }
    let half = |m: &DMatrix<f64>| m.view((d, d), (d, d)).amax();
    let spin = linear.a.view((0, 0), (d, d)).amax();
    let damping = half(&linear.errors) + 1e-13 * (half(&linear.a) + spin);
    zero_below(linear) / (2.0 * value.norm()) + damping
}

/// The error of an eigenvalue to first order, `|w| E |v|` with the left and right eigenvectors w v = 1 (Wilkinson, The
/// Algebraic Eigenvalue Problem, 1965, chapter 2), by the estimated errors of the entries of A and rounding.
fn eigenvalue_error(
    linear: &LinearModel,
    right: &DMatrix<Complex<f64>>,
    left: &DMatrix<Complex<f64>>,
    k: usize,
) -> f64 {
    /// Rounding of the iteration that finds them, in units of the last place.
    const ROUNDING: f64 = 100.0 * f64::EPSILON;
    let n = linear.states.len();
    let entry = |i: usize, j: usize| linear.errors[(i, j)] + ROUNDING * linear.a[(i, j)].abs();
    let row = |i: usize| (0..n).map(|j| entry(i, j) * right[(j, k)].norm()).sum::<f64>();
    (0..n).map(|i| left[(k, i)].norm() * row(i)).sum()
}

fn general_modes(linear: &LinearModel) -> Result<Vec<Mode>, Trouble> {
    let d = linear.chart.len();
    let found = eigen::general(&linear.a).ok_or(Trouble::NoEigenvalues)?;
    let left = found.vectors.clone().try_inverse();
    /// The square root of a relative error of 1e-13.
    const SPLIT: f64 = 3e-7;
    let mut all = Vec::new();
    for (k, &value) in found.values.iter().enumerate() {
        let (doubt, real_doubt) = match &left {
            Some(left) if linear.has_storages() => {
                let error = eigenvalue_error(linear, &found.vectors, left, k);
                (error, error)
            }
            _ => (zero_below(linear).sqrt(), real_below(linear, value)),
        };
        // Rounding splits a double real eigenvalue into a pair by its square root.
        let is_real = value.im.abs() <= SPLIT * value.norm();
        if value.im < 0.0 && !is_real && value.norm() > doubt {
            continue;
        }
        let kind = match (value.norm() <= doubt, is_real) {
            (true, _) => ModeKind::Rigid,
            (_, true) => ModeKind::Aperiodic,
            _ => ModeKind::Oscillation,
        };
        let value = match kind {
            ModeKind::Rigid => Complex::new(0.0, 0.0),
            ModeKind::Aperiodic => Complex::new(value.re, 0.0),
            ModeKind::Oscillation if value.re.abs() <= real_doubt => Complex::new(0.0, value.im),
            ModeKind::Oscillation => value,
        };
        let shape = found.vectors.column(k).iter().take(d).copied().collect();
        let participation = left.as_ref().map_or_else(Vec::new, |left| {
            let part = |i: usize| (found.vectors[(i, k)] * left[(k, i)]).norm();
            let parts: Vec<f64> = (0..linear.states.len()).map(part).collect();
            let largest = parts.iter().fold(f64::MIN_POSITIVE, |most: f64, part| most.max(*part));
            parts.iter().map(|part| part / largest).collect()
        });
        all.push(Mode { value, kind, shape, participation });
    }
    Ok(all)
}

/// Makes the largest entry, in units, real and equal to its unit.
fn normalise(shape: &mut [Complex<f64>], units: &[f64]) {
    let sizes = shape.iter().zip(units).map(|(x, unit)| x.norm() / unit);
    // Of a mode of storages alone the entries are rounding.
    let largest = sizes.enumerate().fold((0, 0.0), |best, (k, size)| {
        // Equal sizes differ by rounding: the first of the equal sizes counts.
        if size > best.1 * (1.0 + 1e-9) { (k, size) } else { best }
    });
    let (k, size) = largest;
    if size > 0.0 {
        let factor = shape[k] / units[k];
        shape.iter_mut().for_each(|x| *x /= factor);
    }
}
