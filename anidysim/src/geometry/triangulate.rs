//! Cuts a simple polygon into triangles by clipping ears (Meisters 1975): a corner is an ear if the
//! triangle with its neighbours lies inside, that is, if the corner is convex and no other corner
//! lies in the triangle. Every simple polygon of more than three corners has two ears.

/// Twice the signed area of a triangle; positive if counter-clockwise.
fn cross(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// Area of a polygon, positive if counter-clockwise.
pub(super) fn signed_area(points: &[[f64; 2]]) -> f64 {
    let Some(&origin) = points.first() else { return 0.0 };
    points.windows(2).map(|pair| cross(origin, pair[0], pair[1])).sum::<f64>() / 2.0
}

/// Triangles of a counter-clockwise polygon, by indices; two fewer than corners. If the outline
/// crosses itself they overlap, but there are as many.
pub(super) fn triangulate(points: &[[f64; 2]]) -> Vec<[usize; 3]> {
    let n = points.len();
    if n < 3 {
        return Vec::new();
    }
    let mut ring = Ring::new(points);
    let mut faces = Vec::with_capacity(n - 2);
    let mut corner = 0;
    // Corners looked at since the last ear.
    let mut waited = 0;
    while faces.len() < n - 3 {
        // After a full turn without an ear the outline is not simple: cut off what is convex, then
        // anything, so that all corners are used.
        let left = n - faces.len();
        let good = match waited / left {
            0 => ring.is_ear(corner),
            1 => ring.turn(corner) >= 0.0,
            _ => true,
        };
        let next = ring.next[corner];
        if good {
            faces.push([ring.previous[corner], corner, next]);
            ring.remove(corner);
            // Taking every second corner avoids fans of thin triangles.
            corner = ring.next[next];
            waited = 0;
        } else {
            corner = next;
            waited += 1;
        }
    }
    faces.push([ring.previous[corner], corner, ring.next[corner]]);
    faces
}

/// The corners that are left, as a ring.
struct Ring<'a> {
    points: &'a [[f64; 2]],
    next: Vec<usize>,
    previous: Vec<usize>,
    /// Corners at which the outline turns right or not at all; only they can lie in an ear.
    reflex: Vec<usize>,
}

impl<'a> Ring<'a> {
    fn new(points: &'a [[f64; 2]]) -> Self {
        let n = points.len();
        let next = (0..n).map(|k| (k + 1) % n).collect();
        let previous = (0..n).map(|k| (k + n - 1) % n).collect();
        let mut ring = Self { points, next, previous, reflex: Vec::new() };
        ring.reflex = (0..n).filter(|&k| ring.turn(k) <= 0.0).collect();
        ring
    }

    /// Positive if the outline turns left at a corner.
    fn turn(&self, k: usize) -> f64 {
        let at = |k: usize| self.points[k];
        cross(at(self.previous[k]), at(k), at(self.next[k]))
    }

    fn is_ear(&self, k: usize) -> bool {
        if self.turn(k) < 0.0 {
            return false;
        }
        let [a, b, c] = [self.previous[k], k, self.next[k]].map(|k| self.points[k]);
        // Corners on the new edge from `c` to `a` count as inside, others on the boundary do not:
        // they touch the outline, and the triangle does not cross it there.
        !self.reflex.iter().map(|&k| self.points[k]).any(|p| {
            p != a
                && p != b
                && p != c
                && cross(a, b, p) > 0.0
                && cross(b, c, p) > 0.0
                && cross(c, a, p) >= 0.0
        })
    }

    fn remove(&mut self, k: usize) {
        let (before, after) = (self.previous[k], self.next[k]);
        self.next[before] = after;
        self.previous[after] = before;
        // A corner that was convex stays so; a reflex one may have become convex.
        let turns = [before, after].map(|corner| self.turn(corner) > 0.0);
        self.reflex.retain(|&corner| {
            corner != k && !(corner == before && turns[0]) && !(corner == after && turns[1])
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All triangles turn left or have no area, and together they have the area of the polygon:
    /// so they do not overlap.
    fn assert_covers(points: &[[f64; 2]]) {
        let faces = triangulate(points);
        assert_eq!(faces.len(), points.len() - 2);
        let areas = faces.iter().map(|face| {
            let [a, b, c] = face.map(|k| points[k]);
            cross(a, b, c) / 2.0
        });
        let area = signed_area(points);
        assert!(areas.clone().all(|part| part >= -1e-12 * area), "{points:?}");
        assert!((areas.sum::<f64>() / area - 1.0).abs() < 1e-12, "{points:?}");
    }

    #[test]
    fn outlines_are_covered_exactly() {
        // A comb, whose teeth make long thin ears.
        let mut comb = vec![[0.0, -1.0], [20.0, -1.0]];
        for k in (0..10).rev() {
            let x = 2.0 * f64::from(k);
            comb.extend([[x + 2.0, 5.0], [x + 1.0, 0.0]]);
        }
        comb.push([0.0, 5.0]);
        assert_covers(&comb);
        // A star with 2 x 12 corners.
        let star: Vec<[f64; 2]> = (0..24)
            .map(|k| {
                let (s, c) = (f64::from(k) * std::f64::consts::TAU / 24.0).sin_cos();
                let r = if k % 2 == 0 { 2.0 } else { 0.3 };
                [r * c, r * s]
            })
            .collect();
        assert_covers(&star);
        // A square with corners on its sides.
        assert_covers(&[
            [0.0, 0.0],
            [1.0, 0.0],
            [2.0, 0.0],
            [2.0, 1.0],
            [2.0, 2.0],
            [1.0, 2.0],
            [0.0, 2.0],
            [0.0, 1.0],
        ]);
        // A spiral.
        let spiral = [
            [0.0, 0.0],
            [6.0, 0.0],
            [6.0, 6.0],
            [1.0, 6.0],
            [1.0, 2.0],
            [4.0, 2.0],
            [4.0, 4.0],
            [3.0, 4.0],
            [3.0, 3.0],
            [2.0, 3.0],
            [2.0, 5.0],
            [5.0, 5.0],
            [5.0, 1.0],
            [0.0, 1.0],
        ];
        assert_covers(&spiral);
        // A hole, joined to the outside by a slit that is there twice.
        let hole = [
            [0.0, 0.0],
            [4.0, 0.0],
            [4.0, 4.0],
            [0.0, 4.0],
            [0.0, 0.0],
            [1.0, 1.0],
            [1.0, 3.0],
            [3.0, 3.0],
            [3.0, 1.0],
            [1.0, 1.0],
        ];
        assert_covers(&hole);
    }

    /// Polygons whose corners lie at growing angles around a centre are simple.
    #[test]
    fn random_stars_are_covered_exactly() {
        let mut state = 0x2545_f491_4f6c_dd1d_u64;
        let mut random = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        for n in 3..80 {
            let points: Vec<[f64; 2]> = (0..n)
                .map(|k| {
                    let turn = (f64::from(k) + 0.8 * random()) / f64::from(n);
                    let (s, c) = (turn * std::f64::consts::TAU).sin_cos();
                    let r = 0.1 + random();
                    [r * c, r * s]
                })
                .collect();
            // With few corners the centre may lie outside and the outline cross itself.
            if n > 6 {
                assert_covers(&points);
            }
        }
    }

    #[test]
    fn crossing_outlines_still_use_every_corner() {
        let bow = [[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]];
        assert_eq!(triangulate(&bow).len(), 2);
        let points: Vec<[f64; 2]> =
            (0..50).map(|k| [f64::from(k * 37 % 50), f64::from(k * 23 % 50)]).collect();
        let faces = triangulate(&points);
        assert_eq!(faces.len(), 48);
        assert!((0..50).all(|k| faces.iter().any(|face| face.contains(&k))));
    }
}
