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
    /// How they are related.
    pub kind: Kind,
    /// Initial angles; reported angles begin on this branch (rad).
    pub first_angles: Vec3,
}

/// Relation of the user's coordinates to the states.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// They are the states; this many.
    Plain(usize),
    /// Three angles; the states are a quaternion and the angular velocity in T1.
    Spherical(AngleType),
    /// Three shifts and three angles; the states are position, quaternion, velocity in T0, angular
    /// velocity in T1.
    Free(AngleType),
}

impl UserCoordinates {
    /// How many there are.
    #[inline]
    pub fn count(&self) -> usize {
        match self.kind {
            Kind::Plain(count) => count,
            Kind::Spherical(_) => 3,
            Kind::Free(_) => 6,
        }
    }

    /// Numbers that must be remembered to report continuous angles: the last ones.
    #[inline]
    pub fn n_memory(&self) -> usize {
        match self.kind {
            Kind::Plain(_) => 0,
            Kind::Spherical(_) | Kind::Free(_) => 3,
        }
    }

    /// Angle system, and where quaternion, angular velocity and the angles start.
    #[inline]
    fn rotation(&self) -> Option<(AngleType, usize, usize, usize)> {
        match self.kind {
            Kind::Plain(_) => None,
            Kind::Spherical(angles) => Some((angles, self.q, self.v, 0)),
            Kind::Free(angles) => Some((angles, self.q + 3, self.v + 3, 3)),
        }
    }

    /// Coordinates and rates; angles on the branch nearest to the remembered ones.
    pub fn read(&self, q: &[f64], v: &[f64], memory: &[f64]) -> ([f64; 6], [f64; 6]) {
        let (mut x, mut rates) = ([0.0; 6], [0.0; 6]);
        let plain = self.rotation().map_or(self.count(), |(.., start)| start);
        x[..plain].copy_from_slice(&q[self.q..self.q + plain]);
        rates[..plain].copy_from_slice(&v[self.v..self.v + plain]);
        if let Some((system, at, spin, start)) = self.rotation() {
            let last = <[f64; 3]>::try_from(memory).ok().map(|[x, y, z]| vec3(x, y, z));
            let angles = system.extract(Quaternion::from_slice(&q[at..at + 4]), last).values;
            let omega = vec3(v[spin], v[spin + 1], v[spin + 2]);
            x[start..start + 3].copy_from_slice(&angles.to_array());
            rates[start..start + 3].copy_from_slice(&system.rates(angles, omega).to_array());
        }
        (x, rates)
    }

    /// What is remembered before the first step.
    pub fn fill_memory(&self, memory: &mut [f64]) {
        if self.n_memory() > 0 {
            memory.copy_from_slice(&self.first_angles.to_array());
        }
    }

    /// Remembers the angles of the present state.
    pub fn follow(&self, q: &[f64], v: &[f64], memory: &mut [f64]) {
        if let Some((.., start)) = self.rotation() {
            let (x, _) = self.read(q, v, memory);
            memory.copy_from_slice(&x[start..start + 3]);
        }
    }

    /// Are the angles singular between the remembered state and this one, or nearly so in this one?
    pub fn is_singular(&self, q: &[f64], memory: &[f64]) -> bool {
        /// Sine of the middle angle's distance from its singular value, below which the outer angles
        /// lose two of their digits.
        const NEAR: f64 = 1e-2;
        let Some((system, at, ..)) = self.rotation() else { return false };
        let Ok([x, y, z]) = <[f64; 3]>::try_from(memory) else { return false };
        let angles = system.extract(Quaternion::from_slice(&q[at..at + 4]), Some(vec3(x, y, z)));
        let offset = if system == AngleType::Cardan { FRAC_PI_2 } else { 0.0 };
        let branch = |middle: f64| ((middle - offset) / PI).floor();
        angles.clearance < NEAR || branch(angles.values.y) != branch(y)
    }

    /// Angular velocity of T1 relative to T0, in T0 axes (rad/s).
    pub fn relative_omega(&self, q: &[f64], v: &[f64]) -> Vec3 {
        self.rotation().map_or(Vec3::ZERO, |(_, at, spin, _)| {
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
        if let Some((system, .., start)) = self.rotation() {
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
        if let Some((system, _, spin, start)) = self.rotation() {
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
        if let Some((system, _, spin, start)) = self.rotation() {
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
        if let Some((system, .., start)) = self.rotation() {
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
        let plain = self.rotation().map_or(self.count(), |(.., start)| start);
        q[self.q..self.q + plain].copy_from_slice(&x[..plain]);
        v[self.v..self.v + plain].copy_from_slice(&rates[..plain]);
        if let Some((system, at, spin, start)) = self.rotation() {
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
            kind: Kind::Free(AngleType::Cardan),
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
            kind: Kind::Spherical(AngleType::Euler),
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
