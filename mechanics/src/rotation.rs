//! Euler and Cardan angles: what the user writes and reads.
//!
//! | | order | D |
//! |---|---|---|
//! | Euler (phi, theta, psi) | z x z | Dz(phi) Dx(theta) Dz(psi) |
//! | Cardan (alpha, beta, gamma) | x y z | Dx(alpha) Dy(beta) Dz(gamma) |
//!
//! D maps body components to components in the frame in which the angles are given. Nothing is integrated in these angles;
//! their singularities only affect reported values, and never yield a number that is not finite.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_2, PI, TAU};

use super::quaternion::Quaternion;
use super::vector::{Mat3, Vec3, vec3};

/// Half-angle radius below which a rotation counts as exactly singular. Quaternion components
/// have errors near 1e-16, so the undetermined angle has at best eight digits here.
const SINGULAR_RADIUS: f64 = 1e-8;

/// Sine of the middle angle (cosine for Cardan) below which rates of the outer angles are not
/// resolved; consistent with `SINGULAR_RADIUS` (the sine of twice the half angle).
const SINGULAR_SINE: f64 = 2.0 * SINGULAR_RADIUS;

/// The two systems of angles of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum AngleType {
    /// z x z.
    #[default]
    Euler,
    /// x y z.
    Cardan,
}

/// Angles extracted from a rotation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Angles {
    /// The three angles in the order of their rotations (rad).
    pub values: Vec3,
    /// Sine of the distance of the middle angle from the next singularity (0 at the singularity).
    pub clearance: f64,
}

impl AngleType {
    /// The rotation matrix D of three angles (rad).
    #[inline]
    pub fn matrix(self, angles: Vec3) -> Mat3 {
        let Vec3 { x: a, y: b, z: c } = angles;
        match self {
            AngleType::Euler => Mat3::rotation_z(a) * Mat3::rotation_x(b) * Mat3::rotation_z(c),
            AngleType::Cardan => Mat3::rotation_x(a) * Mat3::rotation_y(b) * Mat3::rotation_z(c),
        }
    }

    /// The unit quaternion of three angles (rad).
    #[inline]
    pub fn quaternion(self, angles: Vec3) -> Quaternion {
        let turn = Quaternion::from_axis_angle;
        let axes = match self {
            AngleType::Euler => [Vec3::Z, Vec3::X, Vec3::Z],
            AngleType::Cardan => [Vec3::X, Vec3::Y, Vec3::Z],
        };
        turn(axes[0], angles.x).times(turn(axes[1], angles.y)).times(turn(axes[2], angles.z))
    }

    /// The angles of a rotation. With `previous` (rad) the angles of the nearest branch, so that a
    /// sequence of reports is continuous; without, the branch with the middle angle in 0..pi
    /// (Euler) or -pi/2..pi/2 (Cardan) and the others in -pi..pi.
    ///
    /// For a proper sequence with half sum s and half difference d of the outer angles the
    /// quaternion is `(cos(b/2) cos s, sin(b/2) cos d, sin(b/2) sin d, cos(b/2) sin s)`, the
    /// components ordered w, middle axis, third axis, outer axis. Cardan becomes proper by the
    /// factor `Dy(-pi/2)`: `D Dy(-pi/2) = Dx(alpha) Dy(beta - pi/2) Dx(gamma)`
    /// (Bernardes and Viollet 2022). At b = 0 the sum, at b = pi the difference stays determined.
    pub fn extract(self, rotation: Quaternion, previous: Option<Vec3>) -> Angles {
        let q = rotation.normalized();
        let (w, outer, middle, third, offset) = match self {
            AngleType::Euler => (q.w, q.v.z, q.v.x, q.v.y, 0.0),
            AngleType::Cardan => {
                let p = q.times(Quaternion::new(FRAC_1_SQRT_2, 0.0, -FRAC_1_SQRT_2, 0.0));
                (p.w, p.v.x, p.v.y, p.v.z, FRAC_PI_2)
            }
        };
        let (cosine, sine) = (w.hypot(outer), middle.hypot(third));
        let b = 2.0 * sine.atan2(cosine);
        let (sum, difference) = (2.0 * outer.atan2(w), 2.0 * third.atan2(middle));
        let held = previous.map_or(0.0, |p| p.x);
        let (first, last) = if sine < SINGULAR_RADIUS {
            (held, sum - held)
        } else if cosine < SINGULAR_RADIUS {
            (held, held - difference)
        } else {
            (0.5 * (sum + difference), 0.5 * (sum - difference))
        };
        let near = vec3(first, offset + b, last);
        let far = vec3(first + PI, offset - b, last + PI);
        let values = match (previous, self) {
            (None, AngleType::Euler) => wrap_near(near, vec3(0.0, FRAC_PI_2, 0.0)),
            (None, AngleType::Cardan) => wrap_near(far, Vec3::ZERO),
            (Some(p), _) => {
                let (near, far) = (wrap_near(near, p), wrap_near(far, p));
                if (near - p).norm() <= (far - p).norm() { near } else { far }
            }
        };
        Angles { values, clearance: 2.0 * sine * cosine }
    }

    /// Angular velocity in body axes (rad/s) of angles (rad) and their rates (rad/s).
    #[inline]
    pub fn angular_velocity(self, angles: Vec3, rates: Vec3) -> Vec3 {
        let (first, middle) = self.body_axes(angles);
        first * rates.x + middle * rates.y + Vec3::Z * rates.z
    }

    /// Rates of the angles (rad/s) for an angular velocity in body axes (rad/s). At a singularity
    /// the first angle is held and the others take up what they can.
    #[inline]
    pub fn rates(self, angles: Vec3, omega: Vec3) -> Vec3 {
        let (first, middle) = self.body_axes(angles);
        // The middle axis is normal to both others; the first one sticks out of the third.
        let middle_rate = middle.dot(omega);
        let across = vec3(first.x, first.y, 0.0);
        let sine_squared = across.dot(across);
        let first_rate = if sine_squared < SINGULAR_SINE * SINGULAR_SINE {
            0.0
        } else {
            across.dot(omega) / sine_squared
        };
        vec3(first_rate, middle_rate, omega.z - first_rate * first.z)
    }

    /// First and middle axis of rotation in body axes; the third is z.
    #[inline]
    fn body_axes(self, angles: Vec3) -> (Vec3, Vec3) {
        let (sb, cb) = angles.y.sin_cos();
        let (sc, cc) = angles.z.sin_cos();
        match self {
            AngleType::Euler => (vec3(sb * sc, sb * cc, cb), vec3(cc, -sc, 0.0)),
            AngleType::Cardan => (vec3(cb * cc, -cb * sc, sb), vec3(sc, cc, 0.0)),
        }
    }
}

/// Adds full turns to each angle until it is within half a turn of the target.
fn wrap_near(angles: Vec3, target: Vec3) -> Vec3 {
    let wrap = |a: f64, t: f64| a - TAU * ((a - t) / TAU).round();
    vec3(wrap(angles.x, target.x), wrap(angles.y, target.y), wrap(angles.z, target.z))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOTH: [AngleType; 2] = [AngleType::Euler, AngleType::Cardan];
    /// Round-off of products of a few sines.
    const ROUND_OFF: f64 = 4e-15;

    fn grid() -> impl Iterator<Item = Vec3> {
        let values = [-3.0, -FRAC_PI_2, -0.4, 0.0, 1e-12, 0.9, FRAC_PI_2, 2.2, PI];
        values
            .into_iter()
            .flat_map(move |a| values.map(|b| (a, b)))
            .flat_map(move |(a, b)| values.map(|c| vec3(a, b, c)))
    }

    #[test]
    fn extracted_angles_give_the_same_rotation_everywhere() {
        for kind in BOTH {
            for angles in grid() {
                let q = kind.quaternion(angles);
                assert!((q.matrix() - kind.matrix(angles)).max_abs() < ROUND_OFF);
                for previous in [None, Some(vec3(0.3, -7.0, 20.0))] {
                    let found = kind.extract(q, previous).values;
                    // Inside the singular radius an angle of that size is dropped.
                    let bound = ROUND_OFF + 2.0 * SINGULAR_RADIUS * f64::from(found != angles);
                    assert!((kind.matrix(found) - q.matrix()).max_abs() < bound);
                }
            }
        }
    }

    #[test]
    fn the_branch_nearest_to_the_previous_report_is_chosen() {
        for kind in BOTH {
            // Beyond the singularity and several turns away.
            let angles = vec3(7.0, -4.0, 30.0);
            let near = angles + vec3(0.01, -0.02, 0.03);
            let found = kind.extract(kind.quaternion(angles), Some(near)).values;
            assert!((found - angles).max_abs() < 1e-13);
        }
    }

    #[test]
    fn a_path_straight_through_the_singularity_is_reported_continuously() {
        for (kind, centre) in [(AngleType::Euler, 0.0), (AngleType::Cardan, FRAC_PI_2)] {
            let mut previous = vec3(0.4, centre - 0.05, -0.3);
            for step in -50..=50 {
                let angles = vec3(0.4, centre + 1e-3 * f64::from(step), -0.3);
                let found = kind.extract(kind.quaternion(angles), Some(previous)).values;
                assert!((found - angles).max_abs() < 1e-12, "{found:?} {angles:?}");
                previous = found;
            }
        }
    }

    #[test]
    fn rates_and_angular_velocity_are_inverse_and_finite() {
        for kind in BOTH {
            for angles in grid() {
                let rates = vec3(0.7, -1.3, 0.4);
                let omega = kind.angular_velocity(angles, rates);
                let back = kind.rates(angles, omega);
                assert!(back.is_finite());
                if kind.extract(kind.quaternion(angles), None).clearance > 0.1 {
                    assert!((back - rates).max_abs() < 1e-13);
                }
            }
        }
    }

    #[test]
    fn angular_velocity_is_the_derivative_of_the_rotation() {
        // Central difference of D against D w~: error h^2 / 6 * |w|^3 + eps / h, below 1e-9.
        let h = 1e-5;
        let rates = vec3(0.7, -1.3, 0.4);
        for kind in BOTH {
            for angles in grid() {
                let at = |s: f64| kind.matrix(angles + rates * s);
                let numeric = (at(h) - at(-h)).scale(0.5 / h);
                let omega = kind.angular_velocity(angles, rates);
                let exact = kind.matrix(angles) * Mat3::skew(omega);
                assert!((numeric - exact).max_abs() < 1e-9);
            }
        }
    }
}
