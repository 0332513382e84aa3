//! Rolling without slip, against the equations of a disc and of a sphere written for themselves.

use dysim_tests::extrapolation::integrate;
use dysim_tests::mechanism::{cross, dot};

const GRAVITY: f64 = 9.81;

/// A disc of radius a on the xy plane: mass m, moments A across and C about its axis n.
struct Disc {
    radius: f64,
    mass: f64,
    across: f64,
    about: f64,
}

/// Of uniform thickness zero: C = m a^2/2, A = C/2.
const DISC: Disc = Disc { radius: 0.5, mass: 2.0, across: 0.125, about: 0.25 };

fn scaled(a: [f64; 3], k: f64) -> [f64; 3] {
    a.map(|x| x * k)
}

fn sum(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|i| a[i] + b[i])
}

impl Disc {
    /// With e, the direction in the disc from the point of contact to the centre, the centre has the velocity
    /// v = w x (a e). The force F = m (v' - g) at the contact gives I w' + w x I w = -a e x F; with
    /// v' = w' x (a e) + w x (a e') that is linear in w'.
    /// State: n, w, and the way of the centre.
    fn slope(&self, y: &[f64; 9]) -> [f64; 9] {
        let [n, w] = [[y[0], y[1], y[2]], [y[3], y[4], y[5]]];
        let turned = cross(w, n);
        let (c, c_rate) = (n[2], turned[2]);
        let s = (1.0 - c * c).sqrt();
        let s_rate = -c * c_rate / s;
        let up = [0.0, 0.0, 1.0];
        // e = (z - c n)/s.
        let e = scaled(sum(up, scaled(n, -c)), 1.0 / s);
        let e_rate = sum(
            scaled(sum(scaled(n, -c_rate), scaled(turned, -c)), 1.0 / s),
            scaled(e, -s_rate / s),
        );
        let (a, m) = (self.radius, self.mass);
        let spin = dot(n, w);
        let momentum = sum(scaled(w, self.across), scaled(n, (self.about - self.across) * spin));
        // All of v' but w' x (a e), and gravity.
        let rest = sum(scaled(cross(w, e_rate), a), [0.0, 0.0, GRAVITY]);
        let torque = sum(scaled(cross(e, rest), -a * m), scaled(cross(w, momentum), -1.0));
        // Columns of I w' + a^2 m e x (w' x e), for the unit vectors as w'.
        let column = |k: usize| {
            let mut unit = [0.0; 3];
            unit[k] = 1.0;
            let inertia =
                sum(scaled(unit, self.across), scaled(n, (self.about - self.across) * n[k]));
            sum(inertia, scaled(cross(e, cross(unit, e)), a * a * m))
        };
        let [p, q, r] = [column(0), column(1), column(2)];
        // Cramer's rule.
        let det = dot(p, cross(q, r));
        let w_rate = [dot(torque, cross(q, r)), dot(p, cross(torque, r)), dot(p, cross(q, torque))]
            .map(|x| x / det);
        let v = scaled(cross(w, e), a);
        let mut slope = [0.0; 9];
        slope[..3].copy_from_slice(&turned);
        slope[3..6].copy_from_slice(&w_rate);
        slope[6..].copy_from_slice(&v);
        slope
    }
}

#[test]
fn the_equations_of_the_disc_keep_its_energy_and_the_plane() {
    let n = [0.2f64.cos(), 0.0, 0.2f64.sin()];
    let w = sum(scaled(n, 6.0), [0.0, 0.3, 0.4]);
    let start = [n[0], n[1], n[2], w[0], w[1], w[2], 0.0, 0.0, DISC.radius * n[0]];
    let energy = |y: &[f64; 9]| {
        let [n, w] = [[y[0], y[1], y[2]], [y[3], y[4], y[5]]];
        let slope = DISC.slope(y);
        let v = [slope[6], slope[7], slope[8]];
        let spin = dot(n, w);
        let turning = DISC.across * (dot(w, w) - spin * spin) + DISC.about * spin * spin;
        0.5 * (DISC.mass * dot(v, v) + turning) + DISC.mass * GRAVITY * y[8]
    };
    let times: Vec<f64> = (0..=50).map(|k| 0.1 * f64::from(k)).collect();
    for y in integrate(|y| DISC.slope(y), start, &times, 0.005) {
        // 1000 steps with rounding of some 1e-14 J each.
        assert!((energy(&y) - energy(&start)).abs() < 1e-11, "{}", energy(&y) - energy(&start));
        let height = DISC.radius * (1.0 - y[2] * y[2]).sqrt();
        assert!((y[8] - height).abs() < 1e-12, "{} {height}", y[8]);
    }
}

/// Steady rolling on a circle (Routh, Dynamics II, art. 244): the axis makes the angle h with the vertical and goes
/// round with the rate W, the disc turns about its axis with w3, and
/// (C + m a^2) w3 W sin h = A W^2 sin h cos h - m g a cos h.
fn steady(h: f64, around: f64) -> [f64; 6] {
    let Disc { radius: a, mass: m, across, about } = DISC;
    let (sin, cos) = h.sin_cos();
    let w3 = (across * around * around * sin * cos - m * GRAVITY * a * cos)
        / ((about + m * a * a) * around * sin);
    let n = [sin, 0.0, cos];
    let w = sum(scaled(n, w3 - around * cos), [0.0, 0.0, around]);
    [n[0], n[1], n[2], w[0], w[1], w[2]]
}

#[test]
fn the_equations_of_the_disc_have_the_steady_circle_of_routh() {
    let [x, y, z, u, v, w] = steady(1.2, 1.5);
    let start = [x, y, z, u, v, w, 0.0, 0.0, DISC.radius * x];
    let times: Vec<f64> = (0..=20).map(|k| 0.1 * f64::from(k)).collect();
    for (t, y) in times.iter().zip(integrate(|y| DISC.slope(y), start, &times, 0.005)) {
        let expected = [x * (1.5 * t).cos(), x * (1.5 * t).sin(), z];
        for i in 0..3 {
            assert!((y[i] - expected[i]).abs() < 1e-11, "{y:?} {expected:?} at {t}");
        }
    }
}
