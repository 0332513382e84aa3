//! A linear elastic bearing in all six directions.
//!
//! [f; tau] = K [r; angles] + R [v; angle rates], in T0.

use super::law::{Attachment, Effect, Frozen, Law, NoValue, Relative, View};
use crate::quaternion::Quaternion;
use crate::rotation::{AngleType as Angles, Angles as AngleValues};
use crate::vector::{Mat3, Vec3, vec3};

/// A bushing with its frames found.
pub struct BushingLaw {
    /// T0.
    pub from: Attachment,
    /// T1.
    pub to: Attachment,
    /// Stiffness matrix, row by row (N/m, N/rad, Nm/m, Nm/rad).
    pub elastic: Box<[f64; 36]>,
    /// Damping matrix, row by row.
    pub damping: Box<[f64; 36]>,
    /// Kind of the angles.
    pub angle_type: Angles,
}

/// Clearance (sine of the distance from the singular middle angle) below which rates mean nothing.
const SINGULAR: f64 = 1e-6;

impl BushingLaw {
    /// The angles of T1 in T0, near the angles of the last step so that they do not jump at half a turn.
    fn angles(&self, relative: &Relative, last: &[f64]) -> AngleValues {
        let turned = Quaternion::from_matrix(&relative.pose.rotation);
        // Before the first step there are no last ones.
        let last = vec3(last[0], last[1], last[2]);
        self.angle_type.extract(turned, (!last.x.is_nan()).then_some(last))
    }

    /// K x + R x', row by row.
    fn products(&self, x: &[f64; 6], rates: &[f64; 6]) -> [f64; 6] {
        std::array::from_fn(|row| {
            (0..6)
                .map(|k| self.elastic[6 * row + k] * x[k] + self.damping[6 * row + k] * rates[k])
                .sum()
        })
    }
}

impl Law for BushingLaw {
    fn act(&self, view: &View<'_>, frozen: Frozen<'_>) -> Result<Effect, NoValue> {
        let relative = Relative::new(view, &self.from, &self.to);
        let angles = self.angles(&relative, frozen.memory);
        let omega_body = relative.pose.rotation.transpose_mul(relative.omega);
        if angles.clearance < SINGULAR {
            return Err(NoValue(match self.angle_type {
                Angles::Cardan => {
                    "its second Cardan angle reached 90 degrees, where they are singular"
                }
                Angles::Euler => {
                    "its second Euler angle reached 0 or 180 degrees, where they are singular; `AngleType = cardan` is made for frames that nearly coincide"
                }
            }));
        }
        let rates = self.angle_type.rates(angles.values, omega_body);
        let (r, v, a) = (relative.pose.translation, relative.velocity, angles.values);
        let y = self
            .products(&[r.x, r.y, r.z, a.x, a.y, a.z], &[v.x, v.y, v.z, rates.x, rates.y, rates.z]);
        let axes = self.axes(a);
        let torque = axes[0] * y[3] + axes[1] * y[4] + axes[2] * y[5];
        Ok(relative.effect(&self.from, &self.to, vec3(y[0], y[1], y[2]), torque))
    }

    fn works(&self) -> bool {
        true
    }

    fn n_memory(&self) -> usize {
        3
    }

    fn fill_memory(&self, memory: &mut [f64]) {
        memory.fill(f64::NAN);
    }

    fn follow(&self, view: &View<'_>, _: u8, memory: &mut [f64]) {
        let relative = Relative::new(view, &self.from, &self.to);
        memory.copy_from_slice(&self.angles(&relative, memory).values.to_array());
    }

    fn signals(&self, _: &View<'_>, _: Frozen<'_>, effect: &Effect, values: &mut [f64]) {
        if let Effect::Pair([on_from, _]) = effect {
            values[..3].copy_from_slice(&on_from.load.force.to_array());
            values[3..6].copy_from_slice(&on_from.load.torque.to_array());
        }
    }
}

impl BushingLaw {
    /// The three axes of rotation in T0 coordinates; the manual's matrix has them as columns.
    fn axes(&self, angles: Vec3) -> [Vec3; 3] {
        let first = match self.angle_type {
            Angles::Cardan => Mat3::rotation_x(angles.x),
            Angles::Euler => Mat3::rotation_z(angles.x),
        };
        match self.angle_type {
            Angles::Cardan => {
                [Vec3::X, first.column(1), first * Mat3::rotation_y(angles.y).column(2)]
            }
            Angles::Euler => {
                [Vec3::Z, first.column(0), first * Mat3::rotation_x(angles.y).column(2)]
            }
        }
    }
}
