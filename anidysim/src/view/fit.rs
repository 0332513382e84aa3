//! Finds the place from which a set of points fills the picture, and round lengths.

use mechanics::{Vec3, vec3};

use super::camera::{Camera, Projection};

/// Part of the picture that stays empty on each side.
const MARGIN: f64 = 0.06;

impl Camera {
    /// Keeps the direction and moves so that all `points` are in a picture of the given aspect
    /// ratio (width / height), as large as possible.
    ///
    /// Let x, y, z be the coordinates of a point to the right, up and towards the eye, and `t` the
    /// tangent of half the horizontal angle of view. The eye at (ex, ez) sees the point if
    /// `x - ex <= (ez - z) t` and `ex - x <= (ez - z) t`. With `A = max(x + z t)` and
    /// `B = max(-x + z t)` this means `A <= ex + ez t` and `B <= -ex + ez t`, and the nearest eye is
    /// `ex = (A - B)/2`, `ez = (A + B)/(2 t)`. The same holds vertically; the farther one counts.
    pub fn fit(&mut self, points: &[Vec3], aspect: f64) {
        let finite: Vec<Vec3> = points.iter().copied().filter(|p| p.is_finite()).collect();
        if finite.is_empty() || !(aspect.is_finite() && aspect > 0.0) {
            return;
        }
        let (right, up, toward) = self.axes();
        let local = |p: &Vec3| vec3(p.dot(right), p.dot(up), p.dot(toward));
        let (low, high) = extent_of(&finite.iter().map(local).collect::<Vec<_>>());
        let size = (high - low).norm().max(1e-6);
        let vertical = self.half_tangent() * (1.0 - 2.0 * MARGIN);
        let horizontal = vertical * aspect;
        let middle = (low + high) * 0.5;
        let (eye, distance) = match self.projection {
            Projection::Perspective => {
                let most = |f: &dyn Fn(Vec3) -> f64| {
                    finite.iter().map(|p| f(local(p))).fold(f64::NEG_INFINITY, f64::max)
                };
                let a = most(&|p| p.x + p.z * horizontal);
                let b = most(&|p| -p.x + p.z * horizontal);
                let c = most(&|p| p.y + p.z * vertical);
                let d = most(&|p| -p.y + p.z * vertical);
                let z = ((a + b) / (2.0 * horizontal)).max((c + d) / (2.0 * vertical));
                (vec3((a - b) / 2.0, (c - d) / 2.0, middle.z), z - middle.z)
            }
            Projection::Orthographic => {
                let span = high - low;
                (middle, (span.x / (2.0 * horizontal)).max(span.y / (2.0 * vertical)))
            }
        };
        self.target = right * eye.x + up * eye.y + toward * eye.z;
        // A single point is seen from a distance of its own.
        self.distance = distance.max(size / 2.0);
    }
}

/// The corners of the box around all finite points; a unit box if there are none.
pub(super) fn extent_of(points: &[Vec3]) -> (Vec3, Vec3) {
    let mut finite = points.iter().copied().filter(|p| p.is_finite());
    let Some(first) = finite.next() else {
        return (vec3(-0.5, -0.5, -0.5), vec3(0.5, 0.5, 0.5));
    };
    finite.fold((first, first), |(low, high), p| {
        (
            vec3(low.x.min(p.x), low.y.min(p.y), low.z.min(p.z)),
            vec3(high.x.max(p.x), high.y.max(p.y), high.z.max(p.z)),
        )
    })
}

/// The largest of 1, 2, 5 times a power of ten that is not above `length`.
pub(super) fn round_down(length: f64) -> f64 {
    let power = 10f64.powf(length.log10().floor());
    // Slightly below, so that 0.5 is 0.5 although 0.1 is not exact.
    let mantissa = length / power * (1.0 + 1e-9);
    let round = if mantissa >= 5.0 {
        5.0
    } else if mantissa >= 2.0 {
        2.0
    } else {
        1.0
    };
    round * power
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::Plane;

    const SIZE: (f64, f64) = (320.0, 240.0);

    fn corners() -> Vec<Vec3> {
        let pick = |k: usize, bit: usize, a: f64, b: f64| if k & bit == 0 { a } else { b };
        (0..8)
            .map(|k| vec3(pick(k, 1, -0.5, 2.0), pick(k, 2, 1.0, 1.4), pick(k, 4, 0.0, 3.0)))
            .collect()
    }

    /// Distances of the outermost points from the nearest edges of the picture, as parts of the picture.
    fn margins(camera: &Camera) -> [f64; 4] {
        let mut out = [f64::INFINITY; 4];
        for point in corners() {
            let at = camera.project(point, SIZE).unwrap();
            let here = [at.x / SIZE.0, 1.0 - at.x / SIZE.0, at.y / SIZE.1, 1.0 - at.y / SIZE.1];
            out = std::array::from_fn(|k| out[k].min(here[k]));
        }
        out
    }

    /// Every point is inside, and one pair of opposite margins is exactly the one aimed at.
    #[test]
    fn fitted_points_fill_the_picture() {
        for projection in [Projection::Perspective, Projection::Orthographic] {
            let mut cameras: Vec<Camera> = [Plane::Xy, Plane::Xz, Plane::Yz]
                .into_iter()
                .map(|plane| {
                    let mut camera = Camera::standard();
                    camera.look_at_plane(plane);
                    camera
                })
                .collect();
            cameras.push(Camera::standard());
            for mut camera in cameras {
                camera.projection = projection;
                camera.fit(&corners(), SIZE.0 / SIZE.1);
                let [left, right, top, bottom] = margins(&camera);
                let least = left.min(right).min(top).min(bottom);
                assert!(least > MARGIN - 1e-9, "{camera:?}: {least}");
                let tight = |a: f64, b: f64| (a - MARGIN).abs() + (b - MARGIN).abs() < 1e-9;
                assert!(tight(left, right) || tight(top, bottom), "{camera:?}");
            }
        }
    }

    #[test]
    fn nothing_and_nonsense_leave_a_usable_camera() {
        let nothing = Camera::standard();
        for points in [vec![], vec![vec3(f64::NAN, 0.0, 0.0)]] {
            let mut camera = nothing.clone();
            camera.fit(&points, 1.0);
            assert_eq!(camera, nothing);
        }
        let mut camera = nothing;
        camera.fit(&[vec3(5.0, 0.0, 0.0)], 1.0);
        assert!(camera.distance > 0.0 && camera.distance.is_finite());
    }

    #[test]
    fn round_lengths_are_round() {
        let cases =
            [(0.5, 0.5), (0.49, 0.2), (1.0, 1.0), (9.9, 5.0), (1234.0, 1000.0), (3e-4, 2e-4)];
        for (length, round) in cases {
            assert!((round_down(length) / round - 1.0).abs() < 1e-9, "{length}");
        }
    }
}
