//! A function given by points: pieces of polynomials between them.

use super::table::{Method, Outside};

/// An input is outside of the points if it is beyond their ends by this part of their range.
const MARGIN: f64 = 1e-9;

/// The pieces of a function.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Curve {
    x: Vec<f64>,
    y: Vec<f64>,
    /// Second derivatives at the points, of a spline.
    bend: Vec<f64>,
    method: Method,
    outside: Outside,
}

/// One piece: valid from `low` up to `high`, y = c0 + c1 d + c2 d^2 + c3 d^3 with d = u - at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Piece {
    pub low: f64,
    pub high: f64,
    pub at: f64,
    pub c: [f64; 4],
}

impl Curve {
    /// A function of points whose x do not fall.
    pub fn new(points: &[[f64; 2]], method: Method, outside: Outside) -> Self {
        let (x, y) = (points.iter().map(|p| p[0]).collect(), points.iter().map(|p| p[1]).collect());
        let mut curve = Self { x, y, bend: vec![0.0; points.len()], method, outside };
        if method == Method::Spline {
            curve.bend();
        }
        curve
    }

    /// Second derivatives of the natural cubic spline: the tridiagonal equations of Thomas's elimination.
    fn bend(&mut self) {
        let n = self.x.len();
        let (mut factor, mut right) = (vec![0.0; n], vec![0.0; n]);
        for k in 1..n.saturating_sub(1) {
            let (before, behind) = (self.x[k] - self.x[k - 1], self.x[k + 1] - self.x[k]);
            let slope = |k: usize| (self.y[k + 1] - self.y[k]) / (self.x[k + 1] - self.x[k]);
            let pivot = 2.0 * (before + behind) - before * factor[k - 1];
            factor[k] = behind / pivot;
            right[k] = (6.0 * (slope(k) - slope(k - 1)) - before * right[k - 1]) / pivot;
        }
        for k in (1..n.saturating_sub(1)).rev() {
            self.bend[k] = right[k] - factor[k] * self.bend[k + 1];
        }
    }

    fn ends(&self) -> (f64, f64) {
        let first = self.x.first().copied().unwrap_or(0.0);
        (first, self.x.last().copied().unwrap_or(first))
    }

    /// The piece at `u`.
    ///
    /// # Errors
    /// In words, if there is none.
    pub fn piece(&self, u: f64) -> Result<Piece, String> {
        let (first, last) = self.ends();
        let margin = MARGIN * (last - first);
        let outside = u >= last + margin || u < first - margin;
        if outside && self.outside == Outside::Error {
            return Err(format!(
                "its input {} is outside of the points from {} to {}",
                crate::element::written(u),
                crate::element::written(first),
                crate::element::written(last)
            ));
        }
        let shift = if self.outside == Outside::Periodic && last > first {
            ((u - first) / (last - first)).floor() * (last - first)
        } else {
            0.0
        };
        let behind = self.x.partition_point(|&x| x + shift <= u);
        let n = self.x.len();
        let piece = match behind {
            0 => self.beyond(0, f64::NEG_INFINITY, first),
            k if k == n => self.beyond(n - 1, last, f64::INFINITY),
            k => self.between(k - 1),
        };
        let Piece { low, high, at, c } = piece;
        // An input that leaves the points has to be noticed where that is a mistake.
        let (low, high) = match (self.outside, behind) {
            (Outside::Error, 0) => (first - margin, high),
            (Outside::Error, k) if k == n => (low, last + margin),
            _ => (low, high),
        };
        Ok(Piece { low: low + shift, high: high + shift, at: at + shift, c })
    }

    /// Before the first or behind the last point.
    fn beyond(&self, end: usize, low: f64, high: f64) -> Piece {
        let slope = match (self.outside, self.x.len()) {
            (Outside::Linear, 2..) if self.method != Method::Hold => self.slope_at(end),
            _ => 0.0,
        };
        let (at, value) = (self.x.get(end).copied(), self.y.get(end).copied());
        let c = [value.unwrap_or(0.0), slope, 0.0, 0.0];
        Piece { low, high, at: at.unwrap_or(0.0), c }
    }

    /// The slope at an end.
    fn slope_at(&self, end: usize) -> f64 {
        let n = self.x.len();
        let Piece { low, high, c, .. } = self.between(if end == 0 { 0 } else { n - 2 });
        let d = if end == 0 { 0.0 } else { high - low };
        c[1] + d * (2.0 * c[2] + d * 3.0 * c[3])
    }

    /// Between a point and the next.
    fn between(&self, k: usize) -> Piece {
        let (low, high) = (self.x[k], self.x[k + 1]);
        let h = high - low;
        let slope = (self.y[k + 1] - self.y[k]) / h;
        let c = match self.method {
            Method::Hold => [self.y[k], 0.0, 0.0, 0.0],
            Method::Linear => [self.y[k], slope, 0.0, 0.0],
            Method::Spline => {
                let (a, b) = (self.bend[k], self.bend[k + 1]);
                [self.y[k], slope - h * (2.0 * a + b) / 6.0, 0.5 * a, (b - a) / (6.0 * h)]
            }
        };
        Piece { low, high, at: low, c }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(curve: &Curve, u: f64) -> f64 {
        let Piece { at, c, low, high } = curve.piece(u).unwrap();
        assert!(low <= u && u < high);
        let d = u - at;
        c[0] + d * (c[1] + d * (c[2] + d * c[3]))
    }

    #[test]
    fn pieces_meet_at_their_points() {
        let points = [[0.0, 1.0], [1.0, 3.0], [2.5, 0.0], [3.0, 0.5]];
        let spline = Curve::new(&points, Method::Spline, Outside::Linear);
        for window in points.windows(2) {
            let [[_, y], [x, end]] = [window[0], window[1]];
            assert!((value(&spline, window[0][0]) - y).abs() < 1e-14);
            assert!((value(&spline, x - 1e-12) - end).abs() < 1e-10);
        }
        let steps = Curve::new(&points, Method::Hold, Outside::Periodic);
        assert_eq!(
            [-0.1, 0.0, 1.0, 2.4, 2.9, 3.0, 4.5].map(|u| value(&steps, u)),
            [0.0, 1.0, 3.0, 3.0, 0.0, 1.0, 3.0]
        );
        let jump = Curve::new(
            &[[0.0, 0.0], [1.0, 1.0], [1.0, 5.0], [2.0, 5.0]],
            Method::Linear,
            Outside::Hold,
        );
        assert_eq!([-1.0, 0.5, 1.0, 3.0].map(|u| value(&jump, u)), [0.0, 0.5, 5.0, 5.0]);
    }
}
