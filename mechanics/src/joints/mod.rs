//! The joints, one file each: transform, motion subspace, bias, loads, coordinates of a pose.
//!
//! A user writes a joint by its geometry in the coordinates of the triad T0 ([`Geometry`]). For the
//! sweeps the joint is brought into a canonical form ([`Joint`]) between a base frame fixed to T0 and
//! a tip frame fixed to T1, chosen so that rotations turn about the third axis through the origin:
//! `joint(q) = base * transform(q) * tip^-1`. With body-fixed axes at the joint most motion
//! subspaces are constant, and numbers stay as small as the bodies. Both enums come from one list
//! (`joints!` at the end); they are two because the sweeps carry only the numbers that they read.
//!
//! All results of a canonical joint are in the axes of the tip frame, about its origin:
//! * motion subspace: the columns `phi_k` with relative twist `sum phi_k v_k`;
//! * bias: relative acceleration at `vdot = 0`. Its linear part is the second derivative of the
//!   origin's position seen from the base, so constant speeds along fixed directions give zero.

pub mod bi_prismatic;
pub mod bracket;
pub mod constant_velocity;
pub mod cylindrical;
pub mod dual;
pub mod free;
pub mod planar;
pub mod prismatic;
pub mod revolute;
pub mod screw;
pub mod spherical;
pub mod tri_prismatic;
pub mod universal;

#[cfg(test)]
mod testing;

use super::error::{BuildError, Quantity};
use super::spatial::{Motion, Pose};
use super::vector::{Mat3, Vec3};
use dual::DualBases;

/// The form of the recursive sweeps that a link takes. Every joint may take the general form; the
/// other forms leave out products with zeros and ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SweepForm {
    /// One rotation about z without rotor.
    Revolute,
    /// One translation along z without rotor.
    Prismatic,
    /// One rotation about z with a rotor, a drive or a lock.
    Driven,
    /// Three rotations without rotors.
    Spherical,
    /// Six freedoms without rotors.
    Free,
    /// Any joint, with or without rotors.
    General,
}

/// A joint in canonical form: everything that the file of a joint says about it.
pub(crate) trait Kinematics {
    /// Number of freedoms, that is of speeds.
    const N_FREEDOMS: usize;
    /// Number of position coordinates: a quaternion has one more than it has freedoms.
    const N_COORDINATES: usize = Self::N_FREEDOMS;
    /// Where the quaternion starts within the coordinates, if there is one.
    const QUATERNION: Option<usize> = None;
    /// Whether the motion subspace does not depend on the coordinates.
    const HAS_CONSTANT_MOTION: bool = true;
    /// The form of the sweeps without rotors and locks.
    const PLAIN_FORM: SweepForm = SweepForm::General;
    /// The form of the sweeps with rotors or locks: these are terms of a pivot, which the shortest
    /// forms do not have.
    const DRIVEN_FORM: SweepForm = SweepForm::General;

    /// Pose of the tip frame in the base frame.
    fn transform(&self, q: &[f64]) -> Pose;

    /// Writes the columns of the motion subspace, one per freedom, for the coordinates `q` with
    /// the transform `x`.
    fn fill_motion(&self, q: &[f64], x: &Pose, phi: &mut [Motion]);

    /// Relative acceleration at `vdot = 0` for the columns `phi` of the motion subspace. Zero for
    /// motion subspaces that are constant in the axes of the tip or of the base.
    #[inline]
    fn bias(&self, _phi: &[Motion], _v: &[f64]) -> Motion {
        Motion::ZERO
    }

    /// Change of the relative twist `sum phi_k u_k` for constant numbers `u`, where the joint moves by `step` (one number
    /// per freedom, as a displacement of the tip in the axes of the motion subspace). Zero for constant motion subspaces.
    #[inline]
    fn vary_motion(&self, _phi: &[Motion], _step: &[f64], _u: &[f64]) -> Motion {
        Motion::ZERO
    }

    /// Change of the [bias](Self::bias) where the joint moves by `step` and its speeds `v` change by `dv`.
    #[inline]
    fn vary_bias(&self, _phi: &[Motion], _v: &[f64], _step: &[f64], _dv: &[f64]) -> Motion {
        Motion::ZERO
    }

    /// Time derivative of the coordinates.
    #[inline]
    fn fill_coordinate_rates(&self, _q: &[f64], v: &[f64], qdot: &mut [f64]) {
        qdot.copy_from_slice(v);
    }

    /// Writes the loads of the joint for the columns `phi` of its motion subspace.
    fn fill_dual_bases(&self, phi: &[Motion], bases: &mut DualBases);

    /// The coordinates of the pose of the joint that is nearest to the pose `x` of the tip in the
    /// base. On entry `q` are coordinates on the branch that is wanted: angles stay within half a
    /// turn.
    fn locate(&self, x: &Pose, q: &mut [f64]);
}

/// A joint in canonical form, with the poses of its frames in T0 and T1 (the same numbers, as T0
/// and T1 coincide at q = 0).
#[derive(Clone, Debug)]
pub struct FramedJoint {
    /// Pose of the base frame in T0.
    pub base: Pose,
    /// Pose of the tip frame in T1.
    pub tip: Pose,
    /// The joint between the two.
    pub joint: Joint,
}

/// Makes both enums from the one list of joints. Each joint has a file with the type of its
/// canonical form; the joints with axes or points also have a type for these.
macro_rules! joints {
    (
        without geometry { $($(#[$doc:meta])* $name:ident in $module:ident,)* }
        with geometry { $($(#[$about:meta])* $axial:ident in $file:ident by $geometry:ident,)* }
    ) => {
        /// A joint as the user describes it, in the coordinates of T0.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum Geometry {
            $($(#[$doc])* $name,)*
            $($(#[$about])* $axial($file::$geometry),)*
        }

        impl Geometry {
            /// Checks the geometry and brings the joint into canonical form.
            pub fn prepare(&self) -> Result<FramedJoint, BuildError> {
                match self {
                    $(Geometry::$name => Ok(FramedJoint {
                        base: Pose::IDENTITY,
                        tip: Pose::IDENTITY,
                        joint: Joint::$name($module::$name),
                    }),)*
                    $(Geometry::$axial(geometry) => geometry.prepare(),)*
                }
            }
        }

        canonical! { $($(#[$doc])* $name in $module,)* $($(#[$about])* $axial in $file,)* }
    };
}

/// Makes the enum of canonical joints, which has the methods of [`Kinematics`].
macro_rules! canonical {
    ($($(#[$doc:meta])* $name:ident in $module:ident,)*) => {
        /// A joint in canonical form.
        #[derive(Clone, Debug)]
        pub enum Joint {
            $($(#[$doc])* $name($module::$name),)*
        }

        /// The constant of the trait for the joint.
        macro_rules! constant {
            ($joint:expr, $constant:ident) => {
                match $joint {
                    $(Joint::$name(_) => $module::$name::$constant,)*
                }
            };
        }

        impl Joint {
            /// Number of position coordinates: four for a quaternion.
            #[inline]
            pub fn n_coordinates(&self) -> usize {
                constant!(self, N_COORDINATES)
            }

            /// Number of freedoms, that is of speeds.
            #[inline]
            pub fn n_freedoms(&self) -> usize {
                constant!(self, N_FREEDOMS)
            }

            /// Where the quaternion starts within the coordinates, if there is one.
            #[inline]
            pub fn quaternion_offset(&self) -> Option<usize> {
                constant!(self, QUATERNION)
            }

            /// Whether the motion subspace does not depend on the coordinates.
            #[inline]
            pub fn has_constant_motion(&self) -> bool {
                constant!(self, HAS_CONSTANT_MOTION)
            }

            /// The form of the recursive sweeps; plain joints have no rotors and no locks.
            pub(crate) fn sweep_form(&self, is_plain: bool) -> SweepForm {
                if is_plain { constant!(self, PLAIN_FORM) } else { constant!(self, DRIVEN_FORM) }
            }

            /// Pose of the tip frame in the base frame.
            #[inline]
            pub fn transform(&self, q: &[f64]) -> Pose {
                match self {
                    $(Joint::$name(joint) => joint.transform(q),)*
                }
            }

            /// Writes the columns of the motion subspace, one per freedom, for the coordinates `q`
            /// with the transform `x`.
            #[inline]
            pub fn fill_motion(&self, q: &[f64], x: &Pose, phi: &mut [Motion]) {
                debug_assert_eq!(phi.len(), self.n_freedoms());
                match self {
                    $(Joint::$name(joint) => joint.fill_motion(q, x, phi),)*
                }
            }

            /// Relative acceleration at `vdot = 0` for the columns `phi` of the motion subspace.
            #[inline]
            pub fn bias(&self, phi: &[Motion], v: &[f64]) -> Motion {
                match self {
                    $(Joint::$name(joint) => joint.bias(phi, v),)*
                }
            }

            /// Change of the relative twist `sum phi_k u_k` for constant numbers `u`, where the joint moves by `step`.
            #[inline]
            pub fn vary_motion(&self, phi: &[Motion], step: &[f64], u: &[f64]) -> Motion {
                match self {
                    $(Joint::$name(joint) => joint.vary_motion(phi, step, u),)*
                }
            }

            /// Change of the bias where the joint moves by `step` and its speeds `v` change by `dv`.
            #[inline]
            pub fn vary_bias(&self, phi: &[Motion], v: &[f64], step: &[f64], dv: &[f64]) -> Motion {
                match self {
                    $(Joint::$name(joint) => joint.vary_bias(phi, v, step, dv),)*
                }
            }

            /// Time derivative of the coordinates.
            #[inline]
            pub fn fill_coordinate_rates(&self, q: &[f64], v: &[f64], qdot: &mut [f64]) {
                match self {
                    $(Joint::$name(joint) => joint.fill_coordinate_rates(q, v, qdot),)*
                }
            }

            /// Writes the loads of the joint for the columns `phi` of its motion subspace.
            pub fn fill_dual_bases(&self, phi: &[Motion], bases: &mut DualBases) {
                match self {
                    $(Joint::$name(joint) => joint.fill_dual_bases(phi, bases),)*
                }
            }

            /// The coordinates of the pose of the joint that is nearest to the pose `x` of the tip
            /// in the base. On entry `q` are coordinates on the branch that is wanted: angles stay
            /// within half a turn.
            pub fn locate(&self, x: &Pose, q: &mut [f64]) {
                match self {
                    $(Joint::$name(joint) => joint.locate(x, q),)*
                }
            }
        }
    };
}

joints! {
    without geometry {
        /// Six freedoms: `q` = position (3), quaternion (4); `v` = velocity in T0 axes (3), angular
        /// velocity in T1 axes (3).
        Free in free,
        /// No freedom.
        Bracket in bracket,
        /// Three rotations: `q` = quaternion (4); `v` = angular velocity in T1 axes (3).
        Spherical in spherical,
        /// Three translations.
        TriPrismatic in tri_prismatic,
    }
    with geometry {
        /// One rotation.
        Revolute in revolute by RevoluteAxis,
        /// Two rotations about successive axes.
        Universal in universal by UniversalAxes,
        /// One translation.
        Prismatic in prismatic by PrismaticAxis,
        /// Two translations.
        BiPrismatic in bi_prismatic by BiPrismaticAxes,
        /// Rotation with proportional advance.
        Screw in screw by ScrewAxis,
        /// Rotation and translation on one axis.
        Cylindrical in cylindrical by CylindricalAxis,
        /// Two translations in a plane and a rotation about its normal.
        Planar in planar by PlanarNormal,
        /// Two rotations, homokinetic.
        ConstantVelocity in constant_velocity by ConstantVelocityAxes,
    }
}

impl Joint {
    /// The coordinates at which T0 and T1 coincide.
    #[inline]
    pub fn fill_home(&self, q: &mut [f64]) {
        q.fill(0.0);
        if let Some(start) = self.quaternion_offset() {
            q[start] = 1.0;
        }
    }

    /// Number of loads that the joint carries.
    pub fn n_locked(&self) -> usize {
        6 - self.n_freedoms()
    }
}

/// The unit vector of axis number `k` (from 1).
fn unit_axis(axis: Vec3, k: u8) -> Result<Vec3, BuildError> {
    if !axis.is_finite() {
        return Err(BuildError::NotFinite(Quantity::Joint));
    }
    axis.normalized().ok_or(BuildError::ZeroAxis(k))
}

/// Refuses two unit axes that are parallel. The sine of their angle must exceed a few units of
/// round-off; anything larger is a legal, if strange, joint.
fn check_independent(a: Vec3, b: Vec3) -> Result<(), BuildError> {
    const SMALLEST_SINE: f64 = 1e-12;
    if a.cross(b).norm() < SMALLEST_SINE { Err(BuildError::DependentAxes) } else { Ok(()) }
}

/// A frame with its third axis along `axis` through `point` (m).
fn axis_frame(axis: Vec3, point: Vec3) -> Result<Pose, BuildError> {
    if !point.is_finite() {
        return Err(BuildError::NotFinite(Quantity::Joint));
    }
    Ok(Pose::new(Mat3::with_third_axis(unit_axis(axis, 1)?), point))
}
