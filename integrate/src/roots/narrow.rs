//! Narrows a bracket to round-off, and follows a minimum down until it crosses or turns.

use super::super::IntegrationError;
use super::super::tolerance::ROUND_OFF;
use super::{Inside, RootFinder};

/// Iterations of bracketing: bisection alone needs 53 to resolve a step to round-off.
const BRACKET_ITERATIONS: usize = 200;
/// Iterations that follow a minimum down.
const MINIMUM_ITERATIONS: usize = 20;

/// A point of a guard.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    /// Time, s.
    pub t: f64,
    /// Reading of the guard: positive until the guard crosses.
    pub r: f64,
}

/// Two points with a root between them.
#[derive(Clone, Copy)]
pub(super) struct Bracket {
    /// The point on the side where the guard belongs.
    pub above: Reading,
    /// The point beyond the root.
    pub below: Reading,
}

impl RootFinder {
    /// Narrows a bracket to neighbouring numbers and returns the time beyond the root: inverse quadratic
    /// interpolation where the last three points allow it, else bisection (Chandrupatla, Adv. Eng. Software 28
    /// (1997) 145). A point next to one end steps over the root, so that the bracket closes from the other side.
    pub(super) fn bracket(
        &mut self,
        inside: &mut Inside<'_>,
        i: usize,
        ends: Bracket,
    ) -> Result<f64, IntegrationError> {
        // The last point, and the point on the other side of the root.
        let Bracket { above: mut across, below: mut new } = ends;
        // The first trial is the secant through both ends.
        let mut fraction = new.r / (new.r - across.r);
        for _ in 0..BRACKET_ITERATIONS {
            let width = across.t - new.t;
            let resolution = ROUND_OFF * new.t.abs().max(across.t.abs());
            let least = resolution / width.abs();
            // `least` is not a number if both ends are at time zero.
            if least.is_nan() || least >= 1.0 {
                break;
            }
            // A fraction that is not a number, or outside of the bracket, is replaced by bisection.
            let inner = if fraction > 0.0 && fraction < 1.0 { fraction } else { 0.5 };
            let t = new.t + inner.clamp(least.min(0.5), 1.0 - least.min(0.5)) * width;
            if t == new.t || t == across.t {
                break;
            }
            self.evaluate_inside(inside, t)?;
            let g = self.values[i];
            // An unarmed guard that leaves its band is armed, which moves its root to zero.
            if self.watches[i].reading(g) >= 0.0 && !self.watches[i].armed {
                self.watches[i].arm_if_clear(g);
            }
            let r = self.watches[i].reading(g);
            // The new point replaces the end on its own side of the root.
            let mut old = new;
            if (r < 0.0) != (new.r < 0.0) {
                std::mem::swap(&mut old, &mut across);
            }
            new = Reading { t, r };
            fraction = next_fraction(new, across, old);
        }
        Ok(if new.r < 0.0 { new.t } else { across.t })
    }

    /// Follows a minimum of the reading down, from three points where it is positive, by fitting
    /// parabolas. Returns a bracket of the first root, or `None` if the minimum stays positive.
    pub(super) fn follow_minimum(
        &mut self,
        inside: &mut Inside<'_>,
        i: usize,
        mut t: [f64; 3],
        mut r: [f64; 3],
    ) -> Result<Option<Bracket>, IntegrationError> {
        for _ in 0..MINIMUM_ITERATIONS {
            let Some((vertex, bottom)) = parabola_minimum(t, r) else { return Ok(None) };
            // If the predicted bottom is above half of the lowest point, the guard does not reach zero.
            if bottom > 0.5 * r[0].min(r[1]).min(r[2]) || t.contains(&vertex) {
                return Ok(None);
            }
            self.evaluate_inside(inside, vertex)?;
            let value = self.watches[i].reading(self.values[i]);
            // The vertex lies between two of the three points; these and the vertex are the next three.
            let first = (vertex - t[0]) * (vertex - t[1]) < 0.0;
            let side = if first { 0 } else { 1 };
            if value < 0.0 {
                let above = Reading { t: t[side], r: r[side] };
                return Ok(Some(Bracket { above, below: Reading { t: vertex, r: value } }));
            }
            t = [t[side], vertex, t[side + 1]];
            r = [r[side], value, r[side + 1]];
        }
        Ok(None)
    }
}

/// Presumed place of the root, as a fraction of the way from the last point to the point across the root.
fn next_fraction(new: Reading, across: Reading, old: Reading) -> f64 {
    let (x1, x2, x3) = (new.t, across.t, old.t);
    let (f1, f2, f3) = (new.r, across.r, old.r);
    let (xi, phi) = ((x1 - x2) / (x3 - x2), (f1 - f2) / (f3 - f2));
    // Inverse quadratic interpolation is safe if the inverse parabola through the three points is monotonic.
    if phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi {
        f1 / (f2 - f1) * f3 / (f2 - f3) + (x3 - x1) / (x2 - x1) * f1 / (f3 - f1) * f2 / (f3 - f2)
    } else {
        0.5
    }
}

/// Vertex and value of the parabola through three points, if it has a minimum between them.
fn parabola_minimum(t: [f64; 3], r: [f64; 3]) -> Option<(f64, f64)> {
    // Newton's divided differences about the middle point.
    let (u, v) = (t[0] - t[1], t[2] - t[1]);
    let (p, q) = ((r[0] - r[1]) / u, (r[2] - r[1]) / v);
    let curvature = (p - q) / (u - v);
    let slope = p - curvature * u;
    if curvature <= 0.0 || !curvature.is_finite() {
        return None;
    }
    let offset = -0.5 * slope / curvature;
    let bottom = r[1] + 0.5 * slope * offset;
    ((t[1] + offset - t[0]) * (t[1] + offset - t[2]) < 0.0).then_some((t[1] + offset, bottom))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `(t - 1)^2 - 2` sampled at 0, 1/2, 3: exact for a parabola.
    #[test]
    fn a_parabola_is_its_own_fit() {
        let r = |t: f64| (t - 1.0) * (t - 1.0) - 2.0;
        let fit = parabola_minimum([0.0, 0.5, 3.0], [r(0.0), r(0.5), r(3.0)]);
        let (t, bottom) = fit.expect("a minimum");
        assert!((t - 1.0).abs() < 4.0 * ROUND_OFF && (bottom + 2.0).abs() < 8.0 * ROUND_OFF);
        assert_eq!(parabola_minimum([0.0, 1.0, 2.0], [0.0, 1.0, 2.0]), None);
    }
}
