//! What closes a loop with a joint: the loads that it transmits, and the coordinates of a given pose.
//!
//! A joint whose motion subspace is `Phi` has loads `psi` of two kinds, in the axes of the tip frame about
//! its origin: `Psi` with `Psi^T Phi = 1`, conjugate to the freedoms, and `Psibar` with `Psibar^T Phi = 0`,
//! which the joint carries (the dual bases of Schubert 2014, 2.4). So `Psi^T y` are the speeds of a
//! relative twist `y`, and `Psibar^T y = 0` is the constraint.

use std::f64::consts::TAU;

use super::Joint;
use crate::quaternion::Quaternion;
use crate::spatial::{Load, Motion, Pose};
use crate::vector::{Mat3, Vec3};

/// The loads of a joint, in tip axes.
#[derive(Clone, Copy, Debug)]
pub struct DualBases {
    /// Conjugate to the freedoms; as many as there are.
    pub free: [Load; 6],
    /// Carried by the joint; the others of six.
    pub locked: [Load; 6],
}

const AXES: [Vec3; 3] = [Vec3::X, Vec3::Y, Vec3::Z];

fn torque(v: Vec3) -> Load {
    Load::new(v, Vec3::ZERO)
}

fn force(v: Vec3) -> Load {
    Load::new(Vec3::ZERO, v)
}

/// The vectors `a*`, `b*` in the plane of `a` and `b` with `a*.a = b*.b = 1`, `a*.b = b*.a = 0`, and the
/// unit normal of the plane.
fn dual_pair(a: Vec3, b: Vec3) -> (Vec3, Vec3, Vec3) {
    let n = a.cross(b);
    let square = n.dot(n).max(f64::MIN_POSITIVE);
    (b.cross(n) * (1.0 / square), n.cross(a) * (1.0 / square), n * (1.0 / square.sqrt()))
}

impl Joint {
    /// The loads of the joint for the columns `phi` of its motion subspace.
    pub fn dual_bases(&self, phi: &[Motion]) -> DualBases {
        let mut bases = DualBases { free: [Load::ZERO; 6], locked: [Load::ZERO; 6] };
        let DualBases { free, locked } = &mut bases;
        let [tx, ty, tz] = AXES.map(torque);
        let [fx, fy, fz] = AXES.map(force);
        match self {
            Joint::Bracket => *locked = [tx, ty, tz, fx, fy, fz],
            Joint::Revolute => {
                free[0] = tz;
                locked[..5].copy_from_slice(&[tx, ty, fx, fy, fz]);
            }
            Joint::Prismatic => {
                free[0] = fz;
                locked[..5].copy_from_slice(&[tx, ty, tz, fx, fy]);
            }
            Joint::Screw(screw) => {
                free[0] = tz;
                let thrust = screw.locked_thrust();
                locked[..5].copy_from_slice(&[tx, ty, fx, fy, thrust]);
            }
            Joint::Cylindrical => {
                free[..2].copy_from_slice(&[tz, fz]);
                locked[..4].copy_from_slice(&[tx, ty, fx, fy]);
            }
            Joint::Planar => {
                free[..3].copy_from_slice(&[force(phi[0].lin), force(phi[1].lin), tz]);
                locked[..3].copy_from_slice(&[tx, ty, fz]);
            }
            Joint::Spherical => {
                free[..3].copy_from_slice(&[tx, ty, tz]);
                locked[..3].copy_from_slice(&[fx, fy, fz]);
            }
            Joint::TriPrismatic => {
                free[..3].copy_from_slice(&[fx, fy, fz]);
                locked[..3].copy_from_slice(&[tx, ty, tz]);
            }
            Joint::BiPrismatic(_) => {
                let (a, b, n) = dual_pair(phi[0].lin, phi[1].lin);
                free[..2].copy_from_slice(&[force(a), force(b)]);
                locked[..4].copy_from_slice(&[tx, ty, tz, force(n)]);
            }
            Joint::Universal(_) | Joint::ConstantVelocity(_) => {
                let (a, b, n) = dual_pair(phi[0].ang, phi[1].ang);
                free[..2].copy_from_slice(&[torque(a), torque(b)]);
                locked[0] = torque(n);
                // A force at the tip turns the axes that do not pass through it; a torque holds them.
                for (load, e) in locked[1..4].iter_mut().zip(AXES) {
                    *load = Load::new(-(a * phi[0].lin.dot(e) + b * phi[1].lin.dot(e)), e);
                }
            }
            Joint::Free => {
                let [x, y, z] = [phi[0].lin, phi[1].lin, phi[2].lin].map(force);
                *free = [x, y, z, tx, ty, tz];
            }
        }
        bases
    }

    /// Number of loads that the joint carries.
    pub fn n_locked(&self) -> usize {
        6 - self.n_freedoms()
    }

    /// The coordinates of the pose of the joint that is nearest to the pose `x` of the tip in the base.
    /// On entry `q` are coordinates on the branch that is wanted: angles stay within half a turn.
    pub fn locate(&self, x: &Pose, q: &mut [f64]) {
        let (r, t) = (&x.rotation, x.translation);
        match self {
            Joint::Bracket => {}
            Joint::Revolute => q[0] = near(angle_z(r), q[0]),
            Joint::Prismatic => q[0] = t.z,
            Joint::Screw(screw) => q[0] = near(angle_z(r), screw.turn_at(t.z, q[0])),
            Joint::Cylindrical => {
                q[0] = near(angle_z(r), q[0]);
                q[1] = t.z;
            }
            Joint::Planar => {
                (q[0], q[1]) = (t.x, t.y);
                q[2] = near(angle_z(r), q[2]);
            }
            Joint::TriPrismatic => q.copy_from_slice(&t.to_array()),
            Joint::BiPrismatic(b) => {
                let [first, second] = b.axes();
                let (a, b, _) = dual_pair(first, second);
                (q[0], q[1]) = (a.dot(t), b.dot(t));
            }
            Joint::Universal(universal) => {
                let [first, second] = universal.angles(r);
                (q[0], q[1]) = (near(first, q[0]), near(second, q[1]));
            }
            Joint::ConstantVelocity(joint) => {
                let (outer, inner) = joint.angles(r, [q[0], q[1]]);
                (q[0], q[1]) = (outer, inner);
            }
            Joint::Spherical => locate_quaternion(r, q),
            Joint::Free => {
                q[..3].copy_from_slice(&t.to_array());
                locate_quaternion(r, &mut q[3..7]);
            }
        }
    }
}

/// The quaternion of a rotation on the side of the one that stands there.
fn locate_quaternion(r: &Mat3, q: &mut [f64]) {
    let found = Quaternion::from_matrix(r).to_array();
    let along: f64 = found.iter().zip(q.iter()).map(|(a, b)| a * b).sum();
    let sign = if along < 0.0 { -1.0 } else { 1.0 };
    for (q, found) in q.iter_mut().zip(found) {
        *q = sign * found;
    }
}

/// The rotation about z that is nearest to a rotation.
pub(super) fn angle_z(r: &Mat3) -> f64 {
    (r.rows[1].x - r.rows[0].y).atan2(r.rows[0].x + r.rows[1].y)
}

/// Full turns are added to an angle until it is within half a turn of the target.
pub(super) fn near(angle: f64, target: f64) -> f64 {
    angle - TAU * ((angle - target) / TAU).round()
}

/// The small displacement that leads from the pose `nominal` to `x`, in the axes of `nominal`: twice the
/// vector part of the quaternion of the rotation (its sine for small angles), and the translation.
pub fn displacement(nominal: &Pose, x: &Pose) -> Motion {
    let turn = Quaternion::from_matrix(&(nominal.rotation.transpose() * x.rotation));
    let sign = if turn.w < 0.0 { -2.0 } else { 2.0 };
    let shift = nominal.rotation.transpose_mul(x.translation - nominal.translation);
    Motion::new(turn.v * sign, shift)
}

#[cfg(test)]
mod tests {
    use super::super::Geometry;
    use super::super::bi_prismatic::BiPrismaticAxes;
    use super::super::constant_velocity::ConstantVelocityAxes;
    use super::super::cylindrical::CylindricalAxis;
    use super::super::planar::PlanarNormal;
    use super::super::prismatic::PrismaticAxis;
    use super::super::revolute::RevoluteAxis;
    use super::super::screw::ScrewAxis;
    use super::super::universal::UniversalAxes;
    use super::*;
    use crate::vector::vec3;

    fn all() -> [Geometry; 12] {
        let (axis, point) = (vec3(1.0, -2.0, 2.0), vec3(0.3, 0.1, -0.8));
        let (axis1, axis2) = (vec3(1.0, 0.2, 0.0), vec3(0.5, 1.0, -0.4));
        let (point1, point2) = (point, vec3(-0.4, 0.6, 0.9));
        [
            Geometry::Free,
            Geometry::Bracket,
            Geometry::Revolute(RevoluteAxis { axis, point }),
            Geometry::Universal(UniversalAxes { axis1, point1, axis2, point2 }),
            Geometry::Spherical,
            Geometry::Prismatic(PrismaticAxis { axis }),
            Geometry::BiPrismatic(BiPrismaticAxes { axis1, axis2 }),
            Geometry::TriPrismatic,
            Geometry::Screw(ScrewAxis { axis, point, pitch: 0.15 }),
            Geometry::Cylindrical(CylindricalAxis { axis, point }),
            Geometry::Planar(PlanarNormal { normal: axis, point }),
            Geometry::ConstantVelocity(ConstantVelocityAxes { axis1, axis2, point }),
        ]
    }

    /// Coordinates of a joint that differ from state to state.
    fn sample(joint: &Joint, state: usize) -> Vec<f64> {
        let wave = |k: usize| 1.2 * (1.3 * (state * 7 + k + 1) as f64).sin();
        let mut q: Vec<f64> = (0..joint.n_coordinates()).map(wave).collect();
        if let Some(start) = joint.quaternion_offset() {
            q[start] += 2.0;
            let unit = Quaternion::from_slice(&q[start..]).normalized().to_array();
            q[start..start + 4].copy_from_slice(&unit);
        }
        q
    }

    #[test]
    fn the_bases_are_dual_to_the_motion() {
        for geometry in all() {
            let joint = geometry.prepare().unwrap().joint;
            for state in 0..10 {
                let q = sample(&joint, state);
                let mut phi = vec![Motion::ZERO; joint.n_freedoms()];
                joint.fill_motion(&q, &joint.transform(&q), &mut phi);
                let bases = joint.dual_bases(&phi);
                // Round-off of a few products of numbers up to ten.
                for (k, phi) in phi.iter().enumerate() {
                    for m in 0..joint.n_freedoms() {
                        let unit = f64::from(u8::from(k == m));
                        assert!((phi.dot(&bases.free[m]) - unit).abs() < 1e-13, "{geometry:?}");
                    }
                    for locked in &bases.locked[..joint.n_locked()] {
                        assert!(phi.dot(locked).abs() < 1e-14, "{geometry:?} {locked:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_coordinates_of_a_pose_of_the_joint_are_found() {
        for geometry in all() {
            let joint = geometry.prepare().unwrap().joint;
            for state in 0..40 {
                let q = sample(&joint, state);
                let x = joint.transform(&q);
                let mut found = sample(&joint, state);
                for value in &mut found {
                    *value += 0.01;
                }
                joint.locate(&x, &mut found);
                for (found, q) in found.iter().zip(&q) {
                    // Angles from sines and cosines near their flat places lose half of the digits at worst.
                    assert!((found - q).abs() < 1e-7, "{geometry:?} {found} {q}");
                }
                let back = displacement(&joint.transform(&found), &x);
                assert!(back.ang.max_abs() < 1e-14 && back.lin.max_abs() < 1e-14, "{geometry:?}");
            }
        }
    }
}
