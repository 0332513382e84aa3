//! Narrows a bracket to round-off, and follows a minimum down until it crosses or turns.

use super::super::IntegrationError;
use super::super::tolerance::ROUND_OFF;
use super::{Inside, RootFinder};

/// Iterations of bracketing: bisection alone needs 53 to resolve a step to round-off, and every
/// third one bisects.
const BRACKET_ITERATIONS: usize = 200;
/// Iterations that follow a minimum down.
const MINIMUM_ITERATIONS: usize = 20;

/// Two points, time and reading each, with a root between them.
type Bracket = ((f64, f64), (f64, f64));

impl RootFinder {
    /// Narrows `reading(a) >= 0 > reading(b)` to neighbouring numbers and returns the far end:
    /// regula falsi with Illinois weights, every third iteration a bisection.
    pub(super) fn bracket(
        &mut self,
        inside: &mut Inside<'_>,
        i: usize,
        (mut a, mut r_a): (f64, f64),
        (mut b, mut r_b): (f64, f64),
    ) -> Result<f64, IntegrationError> {
        let mut last_side = 0;
        for iteration in 0..BRACKET_ITERATIONS {
            let resolution = (ROUND_OFF * a.abs().max(b.abs())).copysign(b - a);
            if (b - a).abs() <= resolution.abs() {
                break;
            }
            let secant = b - (b - a) * (r_b / (r_b - r_a));
            let inner = (secant - a) * (secant - b) < 0.0;
            let mut t = if inner && iteration % 3 != 2 { secant } else { a + 0.5 * (b - a) };
            // Next to one end: step over the root, so that the bracket closes from the other side.
            if (t - a).abs() < resolution.abs() {
                t = a + resolution;
            } else if (t - b).abs() < resolution.abs() {
                t = b - resolution;
            }
            if t == a || t == b {
                break;
            }
            self.evaluate_inside(inside, t)?;
            let g = self.values[i];
            let r = self.watches[i].reading(g);
            if r < 0.0 {
                (b, r_b) = (t, r);
                if last_side == 1 {
                    r_a *= 0.5;
                }
                last_side = 1;
            } else {
                if !self.watches[i].armed {
                    self.watches[i].arm_if_clear(g);
                }
                (a, r_a) = (t, self.watches[i].reading(g));
                if last_side == -1 {
                    r_b *= 0.5;
                }
                last_side = -1;
            }
        }
        Ok(b)
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
            // A bottom that hardly lies below the points will not reach zero either.
            if bottom > 0.5 * r[0].min(r[1]).min(r[2]) || t.contains(&vertex) {
                return Ok(None);
            }
            self.evaluate_inside(inside, vertex)?;
            let value = self.watches[i].reading(self.values[i]);
            let first = (vertex - t[0]) * (vertex - t[1]) < 0.0;
            let side = if first { 0 } else { 1 };
            if value < 0.0 {
                return Ok(Some(((t[side], r[side]), (vertex, value))));
            }
            t = [t[side], vertex, t[side + 1]];
            r = [r[side], value, r[side + 1]];
        }
        Ok(None)
    }
}

/// Vertex and value of the parabola through three points, if it has a minimum between them.
fn parabola_minimum(t: [f64; 3], r: [f64; 3]) -> Option<(f64, f64)> {
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
