//! All that changes during an evaluation, sized once.
//!
//! Fields are grouped by what they depend on. Entry 0 of the arrays per body is the world. Link
//! axes unless said otherwise.

use super::inertia::ArticulatedInertia;
use super::spatial::{Load, Motion, Pose};
use super::tree::Tree;
use super::vector::{Sym3, Vec3};

/// Buffers of the evaluations of one tree.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub struct Workspace {
    // Depends on q. Filled by kinematics::update_positions.
    /// Pose of each link in the link of its parent.
    pub(super) x_parent: Vec<Pose>,
    /// Columns of the motion subspaces, one per freedom.
    pub(super) phi: Vec<Motion>,
    // Depends on q. Filled by kinematics::update_world_poses.
    /// Pose of each link in the world.
    pub(super) x_world: Vec<Pose>,
    // Depends on q. Filled by recursive::factor.
    /// Articulated inertia of each link with all that hangs on it.
    pub(super) articulated: Vec<ArticulatedInertia>,
    /// Reduced columns `MA phi`, one per freedom (unused for plain revolutes).
    pub(super) reduced: Vec<Load>,
    /// Inverse pivots, one per freedom (1/(kg m^2) or 1/kg).
    pub(super) inverse_pivot: Vec<f64>,

    // Depends on q and v. Filled by kinematics::update_velocities.
    /// Angular velocity of each link (rad/s).
    pub(super) omega: Vec<Vec3>,
    /// Acceleration of each link relative to that of its parent at `vdot = 0`.
    pub(super) bias: Vec<Motion>,
    /// Load that the rotation of each body demands.
    pub(super) gyroscopic: Vec<Load>,
    // Filled by kinematics::update_world_velocities.
    /// Twist of each link at its origin, world axes.
    pub(super) twist_world: Vec<Motion>,

    // Inputs beside q and v. Filled by loads.rs.
    /// Applied load on each body about its link origin.
    pub(super) applied: Vec<Load>,
    /// Freedoms that are held at rest: their acceleration is zero whatever acts.
    pub(super) locked: Vec<bool>,
    /// Inertia that drives add to each freedom for the time being, of joints that were declared lockable.
    pub(super) added_inertia: Vec<f64>,
    /// Rotors that each link carries, beyond its own inertia.
    pub(super) mounted: Vec<Sym3>,
    /// Coupling of each joint with its parent by rotors that sit on the parent and turn with the joint: the torque on the
    /// parent per unit acceleration of the joint, in axes of the parent. By symmetry of the mass matrix it is also the
    /// torque on the joint per unit angular acceleration of the parent.
    pub(super) carried: Vec<Vec3>,
    /// True if `mounted` or `carried` has an entry that is not zero.
    pub(super) has_mounted: bool,
    /// Whether any applied load was set since the last `clear_loads`.
    pub(super) has_applied: bool,

    // Depends on q, v and loads. Filled by recursive::solve, dense or inverse.
    /// Loads and residual joint forces of the sweep towards the root, and the accelerations of the
    /// links less gravity of the sweep away from it.
    pub(super) sweep: Sweep,
    /// Load that each joint exerts on its body; filled by inverse.rs.
    pub(super) joint_load: Vec<Load>,
}

/// The buffers of one load case: one for the motion itself, further ones for responses to unit
/// loads that reuse the factorisation.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub struct Sweep {
    /// Load on each link from all that hangs on it.
    pub(super) load: Vec<Load>,
    /// Residual generalised force of each freedom.
    pub(super) residual: Vec<f64>,
    /// Acceleration of each link; with gravity taken as an upward acceleration of the world.
    pub(super) acceleration: Vec<Motion>,
}

impl Sweep {
    /// Buffers for a tree.
    pub fn new(tree: &Tree) -> Sweep {
        let n = tree.n_bodies() + 1;
        Sweep {
            load: vec![Load::ZERO; n],
            residual: vec![0.0; tree.n_v()],
            acceleration: vec![Motion::ZERO; n],
        }
    }
}

impl Workspace {
    /// Buffers for a tree.
    pub fn new(tree: &Tree) -> Workspace {
        let n = tree.n_bodies() + 1;
        let mut phi = vec![Motion::ZERO; tree.n_v()];
        let home = tree.home();
        // Constant columns are written here once.
        for link in &tree.links {
            let q = &home[link.q_range()];
            link.joint.fill_motion(q, &link.joint.transform(q), &mut phi[link.v_range()]);
        }
        Workspace {
            x_parent: vec![Pose::IDENTITY; n],
            phi,
            x_world: vec![Pose::IDENTITY; n],
            articulated: vec![ArticulatedInertia::ZERO; n],
            reduced: vec![Load::ZERO; tree.n_v()],
            inverse_pivot: vec![0.0; tree.n_v()],
            omega: vec![Vec3::ZERO; n],
            bias: vec![Motion::ZERO; n],
            gyroscopic: vec![Load::ZERO; n],
            twist_world: vec![Motion::ZERO; n],
            applied: vec![Load::ZERO; n],
            locked: vec![false; tree.n_v()],
            added_inertia: vec![0.0; tree.n_v()],
            mounted: vec![Sym3::ZERO; n],
            carried: vec![Vec3::ZERO; n],
            has_mounted: false,
            has_applied: false,
            sweep: Sweep::new(tree),
            joint_load: vec![Load::ZERO; n],
        }
    }

    /// Locks or unlocks a freedom of a joint that was declared lockable; true if that is a change.
    #[inline]
    pub fn lock(&mut self, freedom: usize, locked: bool) -> bool {
        std::mem::replace(&mut self.locked[freedom], locked) != locked
    }

    /// Whether a freedom is locked.
    #[inline]
    pub fn is_locked(&self, freedom: usize) -> bool {
        self.locked[freedom]
    }
}
