//! Fewer points where a picture cannot show all.
//!
//! Over the time, a column of pixels shows the first, lowest, highest and last value in it, so that no peak is lost, however many
//! rows there are. A curve in a plane loses only points that lie within half a pixel of the one before.

/// Points per pixel column at most.
const PER_COLUMN: usize = 4;
/// Points of a curve in a plane are at least so far apart (points).
const APART: f64 = 0.4;

/// Points so near to a straight line of the curve are left out.
const ON_LINE: f64 = 0.1;

/// Pieces of a curve in picture coordinates; a piece ends where values are missing.
pub(crate) fn pieces(
    points: impl Iterator<Item = Option<(f64, f64)>>,
    over_time: bool,
) -> Vec<Vec<(f64, f64)>> {
    let mut pieces = Vec::new();
    let mut piece = CurvePiece::new(over_time);
    for point in points {
        match point {
            Some(point) => piece.push(point),
            None => piece.end(&mut pieces),
        }
    }
    piece.end(&mut pieces);
    pieces
}

/// A piece that grows.
struct CurvePiece {
    over_time: bool,
    kept: Vec<(f64, f64)>,
    /// The pixel column of the last points, and where it begins in `kept`.
    column: Option<(f64, usize)>,
    /// A point that was left out so far.
    pending: Option<(f64, f64)>,
}

impl CurvePiece {
    fn new(over_time: bool) -> Self {
        Self { over_time, kept: Vec::new(), column: None, pending: None }
    }

    fn push(&mut self, point: (f64, f64)) {
        match self.over_time {
            true => self.push_in_column(point),
            false => self.push_apart(point),
        }
    }

    fn push_in_column(&mut self, point: (f64, f64)) {
        let pixel = point.0.floor();
        let begin = match self.column {
            Some((column, begin)) if column == pixel => begin,
            _ => {
                self.column = Some((pixel, self.kept.len()));
                self.kept.len()
            }
        };
        self.kept.push(point);
        if self.kept.len() - begin <= PER_COLUMN {
            return;
        }
        // Five points: the second, third or fourth goes that is neither lowest nor highest.
        let inner = &self.kept[begin..];
        let by_height = |a: &usize, b: &usize| inner[*a].1.total_cmp(&inner[*b].1);
        let lowest = (0..inner.len()).min_by(by_height).unwrap_or(0);
        let highest = (0..inner.len()).max_by(by_height).unwrap_or(0);
        let superfluous = (1..PER_COLUMN).find(|&at| at != lowest && at != highest);
        self.kept.remove(begin + superfluous.unwrap_or(1));
    }

    fn push_apart(&mut self, point: (f64, f64)) {
        let near = |kept: &(f64, f64)| {
            (point.0 - kept.0).abs() < APART && (point.1 - kept.1).abs() < APART
        };
        if self.kept.last().is_some_and(near) {
            self.pending = Some(point);
            return;
        }
        self.kept.push(point);
        self.pending = None;
    }

    fn end(&mut self, pieces: &mut Vec<Vec<(f64, f64)>>) {
        self.kept.extend(self.pending.take());
        self.column = None;
        let piece = std::mem::take(&mut self.kept);
        match (piece.is_empty(), self.over_time) {
            (true, _) => {}
            (false, true) => pieces.push(without_points_on_lines(&piece)),
            (false, false) => pieces.push(piece),
        }
    }
}

/// Leaves out points that a straight line between their neighbours passes within [`ON_LINE`].
///
/// From the last point that was kept, all points behind it leave a sector of slopes for the line; a point outside of it
/// ends the line (the swinging-door method of Bristol, 1990).
fn without_points_on_lines(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let Some((&first, rest)) = points.split_first() else { return Vec::new() };
    let mut kept = vec![first];
    let (mut anchor, mut last) = (first, first);
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    for &point in rest {
        let slope = |y: f64| (y - anchor.1) / (point.0 - anchor.0);
        let fits = point.0 > anchor.0 && (low..=high).contains(&slope(point.1));
        if !fits && last != anchor {
            kept.push(last);
            anchor = last;
            (low, high) = (f64::NEG_INFINITY, f64::INFINITY);
        }
        if point.0 > anchor.0 {
            let slope = |y: f64| (y - anchor.1) / (point.0 - anchor.0);
            low = low.max(slope(point.1 - ON_LINE));
            high = high.min(slope(point.1 + ON_LINE));
        } else {
            // Straight up or down: no slope.
            kept.push(point);
            anchor = point;
            (low, high) = (f64::NEG_INFINITY, f64::INFINITY);
        }
        last = point;
    }
    if last != anchor {
        kept.push(last);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_peak_is_lost_in_a_million_rows() {
        let n = 1_000_000;
        let x = |k: usize| 800.0 * k as f64 / n as f64;
        let y = |k: usize| match k {
            123_456 => 7.0,
            654_321 => -9.0,
            _ => (k as f64).sin(),
        };
        let kept = pieces((0..n).map(|k| Some((x(k), y(k)))), true);
        assert_eq!(kept.len(), 1);
        assert!(kept[0].len() <= 4 * 801, "{}", kept[0].len());
        assert!(kept[0].contains(&(x(123_456), 7.0)) && kept[0].contains(&(x(654_321), -9.0)));
        assert!(kept[0].windows(2).all(|pair| pair[0].0 <= pair[1].0), "in their order");
        assert_eq!(
            (kept[0].first(), kept[0].last()),
            (Some(&(0.0, 0.0)), Some(&(x(n - 1), y(n - 1))))
        );
    }

    #[test]
    fn a_curve_in_a_plane_keeps_its_shape_to_half_a_pixel() {
        let circle = |k: usize| {
            let angle = k as f64 * 1e-4;
            (100.0 * angle.cos(), 100.0 * angle.sin())
        };
        let kept = pieces((0..70_000).map(|k| Some(circle(k))), false);
        assert!(kept[0].len() < 2200, "{}", kept[0].len());
        let far = |p: &(f64, f64)| (p.0.hypot(p.1) - 100.0).abs() > 1e-9;
        assert!(!kept[0].iter().any(far));
        let gap = |pair: &[(f64, f64)]| (pair[0].0 - pair[1].0).hypot(pair[0].1 - pair[1].1);
        assert!(kept[0].windows(2).all(|pair| gap(pair) < 0.6));
        assert_eq!(kept[0].last(), Some(&circle(69_999)));
    }

    #[test]
    fn a_smooth_curve_needs_few_points_and_stays_where_it_is() {
        let height = |x: f64| 100.0 * (x / 60.0).sin();
        let points: Vec<(f64, f64)> =
            (0..1600).map(|k| (0.5 * f64::from(k), height(0.5 * f64::from(k)))).collect();
        let kept = without_points_on_lines(&points);
        assert!(kept.len() < 160, "{} points", kept.len());
        assert_eq!((kept.first(), kept.last()), (points.first(), points.last()));
        for &(x, y) in &points {
            let at = kept.partition_point(|point| point.0 < x).max(1);
            let (a, b) = (kept[at - 1], kept[at]);
            let line = a.1 + (x - a.0) / (b.0 - a.0) * (b.1 - a.1);
            assert!((line - y).abs() <= ON_LINE * (1.0 + 1e-9), "{x}: {line} {y}");
        }
        // A step keeps its corners.
        let step = [(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (2.0, 9.0), (3.0, 9.0), (4.0, 9.0)];
        assert_eq!(
            without_points_on_lines(&step),
            [(0.0, 0.0), (2.0, 0.0), (2.0, 9.0), (4.0, 9.0)]
        );
    }

    #[test]
    fn missing_values_cut_the_curve() {
        let points = [Some((0.0, 1.0)), None, None, Some((2.0, 1.0)), Some((3.0, 2.0)), None];
        assert_eq!(
            pieces(points.into_iter(), true).iter().map(Vec::len).collect::<Vec<_>>(),
            [1, 2]
        );
        assert!(pieces([None, None].into_iter(), false).is_empty());
    }
}
