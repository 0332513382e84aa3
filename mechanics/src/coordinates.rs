//! The coordinates of joints as the user sees them: angles instead of quaternions, and their rates.

use std::f64::consts::{FRAC_PI_2, PI};

use super::forces::law::Effect;
use super::quaternion::Quaternion;
use super::rotation::AngleType;
use super::vector::{Vec3, vec3};

/// How the coordinates of one joint follow from the states.
#[derive(Clone, Copy, Debug)]
pub struct UserCoordinates {
    /// First position coordinate.
    pub q: usize,
    /// First speed.
    pub v: usize,
    /// Number of coordinates, which is that of the freedoms.
    pub count: usize,
    /// The angles of the user if the last three coordinates are angles where the states are a
    /// quaternion and the angular velocity in T1. All other coordinates are states themselves.
    pub angles: Option<AngleType>,
    /// Initial angles; reported angles begin on this branch (rad).
    pub first_angles: Vec3,
}

/// Where the angles of a joint and the states that they stand for begin.
struct Angles {
    system: AngleType,
    /// First of four coordinates of the tree.
    quaternion: usize,
    /// First of three speeds of the tree.
    spin: usize,
    /// First of three coordinates of the user.
    start: usize,
}

impl UserCoordinates {
    /// Number of coordinates.
    #[inline]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Number of leading coordinates that are states themselves.
    #[inline]
    pub fn n_plain(&self) -> usize {
        if self.angles.is_some() { self.count - 3 } else { self.count }
    }

    /// Numbers that must be remembered to report continuous angles: the last ones.
    #[inline]
    pub fn n_memory(&self) -> usize {
        self.count - self.n_plain()
    }

    /// The angles, if there are any.
    #[inline]
    fn rotation(&self) -> Option<Angles> {
        let start = self.n_plain();
        let place =
            |system| Angles { system, quaternion: self.q + start, spin: self.v + start, start };
        self.angles.map(place)
    }

    /// Coordinates and rates; angles on the branch nearest to the remembered ones.
    pub fn read(&self, q: &[f64], v: &[f64], memory: &[f64]) -> ([f64; 6], [f64; 6]) {
        let (mut x, mut rates) = ([0.0; 6], [0.0; 6]);
        let plain = self.n_plain();
        x[..plain].copy_from_slice(&q[self.q..self.q + plain]);
        rates[..plain].copy_from_slice(&v[self.v..self.v + plain]);
        if let Some(Angles { system, quaternion: at, spin, start }) = self.rotation() {
            let last = <[f64; 3]>::try_from(memory).ok().map(|[x, y, z]| vec3(x, y, z));
            let angles = system.extract(Quaternion::from_slice(&q[at..at + 4]), last).values;
            let omega = vec3(v[spin], v[spin + 1], v[spin + 2]);
            x[start..start + 3].copy_from_slice(&angles.to_array());
            rates[start..start + 3].copy_from_slice(&system.rates(angles, omega).to_array());
        }
        (x, rates)
    }

    /// Fills the remembered numbers with their values before the first step.
    pub fn fill_memory(&self, memory: &mut [f64]) {
        if self.n_memory() > 0 {
            memory.copy_from_slice(&self.first_angles.to_array());
        }
    }

    /// Remembers the angles of the present state.
    pub fn follow(&self, q: &[f64], v: &[f64], memory: &mut [f64]) {
        if let Some(Angles { start, .. }) = self.rotation() {
            let (x, _) = self.read(q, v, memory);
            memory.copy_from_slice(&x[start..start + 3]);
        }
    }

    /// Whether the angles are singular between the remembered state and this one, or nearly singular in this one.
    pub fn is_singular(&self, q: &[f64], memory: &[f64]) -> bool {
        /// Sine of the middle angle's distance from its singular value, below which the outer angles
        /// lose two of their digits.
        const NEAR: f64 = 1e-2;
        let Some(Angles { system, quaternion: at, .. }) = self.rotation() else { return false };
        let Ok([x, y, z]) = <[f64; 3]>::try_from(memory) else { return false };
        let angles = system.extract(Quaternion::from_slice(&q[at..at + 4]), Some(vec3(x, y, z)));
        let offset = if system == AngleType::Cardan { FRAC_PI_2 } else { 0.0 };
        let branch = |middle: f64| ((middle - offset) / PI).floor();
        angles.clearance < NEAR || branch(angles.values.y) != branch(y)
    }

    /// Angular velocity of T1 relative to T0, in T0 axes (rad/s).
    pub fn relative_omega(&self, q: &[f64], v: &[f64]) -> Vec3 {
        self.rotation().map_or(Vec3::ZERO, |Angles { quaternion: at, spin, .. }| {
            let turned = Quaternion::from_slice(&q[at..at + 4]).normalized().matrix();
            turned * vec3(v[spin], v[spin + 1], v[spin + 2])
        })
    }

    /// Generalised forces conjugate to the coordinates, as forces on the speeds.
    ///
    /// With rates = B omega the power f . rates is (B^T f) . omega; the columns of B are the rates of
    /// unit angular velocities.
    pub fn effect(&self, x: &[f64; 6], forces: &[f64]) -> Effect {
        let mut tau = [0.0; 6];
        let count = self.count();
        tau[..count].copy_from_slice(forces);
        if let Some(Angles { system, start, .. }) = self.rotation() {
            let angles = vec3(x[start], x[start + 1], x[start + 2]);
            let f = vec3(forces[start], forces[start + 1], forces[start + 2]);
            for (k, axis) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().enumerate() {
                tau[start + k] = f.dot(system.rates(angles, axis));
            }
        }
        Effect::Joint { start: self.v, count, tau }
    }

    /// Forces on the speeds `tau` of the whole system as generalised forces conjugate to the coordinates:
    /// the transpose of the map from angle rates to angular velocity.
    pub fn generalised(&self, x: &[f64; 6], tau: &[f64]) -> [f64; 6] {
        let mut forces = [0.0; 6];
        let count = self.count();
        forces[..count].copy_from_slice(&tau[self.v..self.v + count]);
        if let Some(Angles { system, spin, start, .. }) = self.rotation() {
            let angles = vec3(x[start], x[start + 1], x[start + 2]);
            let torque = vec3(tau[spin], tau[spin + 1], tau[spin + 2]);
            for (k, rate) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().enumerate() {
                forces[start + k] = torque.dot(system.angular_velocity(angles, rate));
            }
        }
        forces
    }

    /// Second derivatives of the coordinates for accelerations `vdot` of the whole system.
    ///
    /// With rates = B(angles) omega they are B omega' + B' omega; B' along the motion is taken as a
    /// central difference, whose step balances its error h^2 against rounding eps/h: eight digits.
    pub fn accelerations(
        &self,
        x: &[f64; 6],
        rates: &[f64; 6],
        v: &[f64],
        vdot: &[f64],
    ) -> [f64; 6] {
        const STEP: f64 = 1e-5;
        let mut second = [0.0; 6];
        let count = self.count();
        second[..count].copy_from_slice(&vdot[self.v..self.v + count]);
        if let Some(Angles { system, spin, start, .. }) = self.rotation() {
            let at = |values: &[f64; 6]| vec3(values[start], values[start + 1], values[start + 2]);
            let omega = vec3(v[spin], v[spin + 1], v[spin + 2]);
            let alpha = vec3(vdot[spin], vdot[spin + 1], vdot[spin + 2]);
            let (angles, motion) = (at(x), at(rates));
            let (ahead, behind) = (angles + motion * STEP, angles - motion * STEP);
            let change = system.rates(ahead, omega) - system.rates(behind, omega);
            let total = system.rates(angles, alpha) + change * (0.5 / STEP);
            second[start..start + 3].copy_from_slice(&total.to_array());
        }
        second
    }

    /// Accelerations of the speeds for given coordinates with their first and second derivatives: the inverse
    /// of `accelerations`. With omega = C(angles) rates it is C rates' + C' rates; C' as there.
    pub fn driven(&self, x: &[f64; 6], rates: &[f64; 6], second: &[f64; 6]) -> [f64; 6] {
        const STEP: f64 = 1e-5;
        let mut vdot = *second;
        if let Some(Angles { system, start, .. }) = self.rotation() {
            let at = |values: &[f64; 6]| vec3(values[start], values[start + 1], values[start + 2]);
            let (angles, motion) = (at(x), at(rates));
            let (ahead, behind) = (angles + motion * STEP, angles - motion * STEP);
            let change =
                system.angular_velocity(ahead, motion) - system.angular_velocity(behind, motion);
            let total = system.angular_velocity(angles, at(second)) + change * (0.5 / STEP);
            vdot[start..start + 3].copy_from_slice(&total.to_array());
        }
        vdot
    }

    /// Writes initial coordinates and rates into the states.
    pub fn write(&self, x: &[f64], rates: &[f64], q: &mut [f64], v: &mut [f64]) {
        let plain = self.n_plain();
        q[self.q..self.q + plain].copy_from_slice(&x[..plain]);
        v[self.v..self.v + plain].copy_from_slice(&rates[..plain]);
        if let Some(Angles { system, quaternion: at, spin, start }) = self.rotation() {
            let angles = vec3(x[start], x[start + 1], x[start + 2]);
            let angle_rates = vec3(rates[start], rates[start + 1], rates[start + 2]);
            q[at..at + 4].copy_from_slice(&system.quaternion(angles).to_array());
            let omega = system.angular_velocity(angles, angle_rates);
            v[spin..spin + 3].copy_from_slice(&omega.to_array());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let free = UserCoordinates {
            q: 0,
            v: 0,
            count: 6,
            angles: Some(AngleType::Cardan),
            first_angles: Vec3::ZERO,
        };
        let x = [1.0, -2.0, 3.0, 0.3, -0.8, 2.0];
        let rates = [0.1, 0.2, -0.3, 1.0, -0.5, 0.25];
        let (mut q, mut v) = ([0.0; 7], [0.0; 6]);
        free.write(&x, &rates, &mut q, &mut v);
        let (read, read_rates) = free.read(&q, &v, &x[3..]);
        for k in 0..6 {
            // A few operations of size one: errors of some units of rounding.
            assert!((read[k] - x[k]).abs() < 1e-14, "{k}: {} {}", read[k], x[k]);
            assert!(
                (read_rates[k] - rates[k]).abs() < 1e-14,
                "{k}: {} {}",
                read_rates[k],
                rates[k]
            );
        }
    }

    #[test]
    fn the_power_of_a_generalised_force_is_that_of_its_coordinates() {
        let ball = UserCoordinates {
            q: 0,
            v: 0,
            count: 3,
            angles: Some(AngleType::Euler),
            first_angles: Vec3::ZERO,
        };
        let (mut q, mut v) = ([0.0; 4], [0.0; 3]);
        ball.write(&[0.4, 1.1, -0.7], &[0.5, -1.5, 2.0], &mut q, &mut v);
        let (x, rates) = ball.read(&q, &v, &[0.4, 1.1, -0.7]);
        let forces = [1.0, -2.0, 0.5];
        let Effect::Joint { tau, .. } = ball.effect(&x, &forces) else { panic!("a joint effect") };
        let power: f64 = (0..3).map(|k| forces[k] * rates[k]).sum();
        let on_speeds: f64 = (0..3).map(|k| tau[k] * v[k]).sum();
        assert!((power - on_speeds).abs() < 1e-13, "{power} {on_speeds}");
    }
}
