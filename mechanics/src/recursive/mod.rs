//! Forward dynamics with cost proportional to the number of bodies.
//!
//! The articulated-body recursion (Featherstone 1983; Schubert 2014, algorithm 3.3), for each link
//! with inertia `MA`, load `lA`, bias `c` and columns `phi` of the joint:
//!
//! ```text
//! towards the root     MA = M + sum of children,   lA = applied - h + sum of children
//!   factor (q only)    U = MA phi,  D = phi^T U + rotor,  Ma = MA - U D^-1 U^T   -> parent
//!   load               l' = lA - MA c,  r = tau + phi^T l',  la = l' - U D^-1 r  -> parent
//! away from the root   vdot = D^-1 (r - U^T G x_V),  x = G x_V + c + phi vdot
//! ```
//!
//! Two remarks on this form. `Ma c = MA c - U D^-1 U^T c` makes the load step independent of `Ma`.
//! And the freedoms of one joint are eliminated one after the other, each by the formulas of a
//! single freedom: `D` is diagonal then, no small system is solved, and a rotor inertia is a term
//! of its pivot. That is the factorisation `D = L diag L^T` with L never formed.
//!
//! The acceleration of a link is formed from the *rounded* `vdot`, never by a shorter way around it. The joints further out
//! then see the rounding of the joints before them and compensate it. In chains of a thousand links this keeps the
//! residual of the equations some 1e4 times smaller.
//!
//! A rotor that a link carries and that is geared to a joint on this link couples the two (Otter 1995, 5.3). With the
//! inertias k of joint and link about the unit vector n, the joint has `D = phi^T U + k_vv`, and in place of the carried
//! column `G^T U` the parent feels
//!
//! ```text
//! W = G^T U + k_vm n,    G^T MA G - W D^-1 W^T + k_mm n n^T,    G^T l' - W D^-1 r,    vdot = D^-1 (r - W^T x_V)
//! ```
//!
//! The factor step does not depend on velocities or loads: `factor` once, then any number of
//! `respond`. `accelerations` does both steps in one pass over the memory.

mod driven;
mod free;
mod general;
mod pivot;
mod prismatic;
pub(crate) mod revolute;
mod spherical;

use super::error::EvalError;
use super::ids::{BodyId, JointId};
use super::inertia::ArticulatedInertia;
use super::joints::SweepForm;
use super::kinematics;
use super::loads;
use super::spatial::{Load, Motion, Pose};
use super::tree::{Link, Tree};
use super::vector::Vec3;
use super::workspace::{Sweep, Workspace};
use pivot::{BadPivot, SMALLEST_PIVOT, invert_pivot};

/// Accelerations of the coordinates, kinematics included, without applied loads.
///
/// Outputs: `vdot` (rad/s^2, m/s^2). Inputs: coordinates `q`, speeds `v`, generalised joint forces
/// `tau` (N m, N). Allocates nothing.
pub fn forward_dynamics(
    tree: &Tree,
    q: &[f64],
    v: &[f64],
    tau: &[f64],
    w: &mut Workspace,
    vdot: &mut [f64],
) -> Result<(), EvalError> {
    // Poses and velocities, then no loads but gravity, which comes with the acceleration of the world.
    kinematics::update_state(tree, q, v, w);
    loads::clear_loads(w);
    accelerations(tree, tau, w, vdot)
}

/// Accelerations of the coordinates under the joint forces `tau` and the applied loads. Needs
/// `kinematics::update_state`; leaves the factorisation for `respond`.
pub fn accelerations(
    tree: &Tree,
    tau: &[f64],
    w: &mut Workspace,
    vdot: &mut [f64],
) -> Result<(), EvalError> {
    debug_assert_eq!(tau.len(), tree.n_v());
    debug_assert_eq!(vdot.len(), tree.n_v());
    // Towards the root: parents come before their children in the list, so the list is walked backwards.
    for i in (1..tree.links.len()).rev() {
        // Inertia and load of a link in one pass, while both are near in memory.
        factor_link(tree, w, i)?;
        load_link(tree, tau, w, i);
    }
    accelerate_links(tree, w, vdot);
    check_finite(tree, vdot)
}

/// The part of the forward dynamics that depends on `q` only. Needs `kinematics::update_positions`.
pub fn factor(tree: &Tree, w: &mut Workspace) -> Result<(), EvalError> {
    for i in (1..tree.links.len()).rev() {
        factor_link(tree, w, i)?;
    }
    Ok(())
}

/// The part of the forward dynamics that depends on loads and velocities. Needs `factor` and
/// `kinematics::update_velocities`.
pub fn solve(
    tree: &Tree,
    tau: &[f64],
    w: &mut Workspace,
    vdot: &mut [f64],
) -> Result<(), EvalError> {
    for i in (1..tree.links.len()).rev() {
        load_link(tree, tau, w, i);
    }
    accelerate_links(tree, w, vdot);
    check_finite(tree, vdot)
}

impl Sweep {
    /// Removes all loads.
    pub fn clear(&mut self) {
        self.load.fill(Load::ZERO);
        self.residual.fill(0.0);
    }

    /// Adds a load (force at a world point and torque, world axes) for `respond`. Needs
    /// `kinematics::update_world_poses`.
    pub fn add_load_at(&mut self, w: &Workspace, body: BodyId, point: Vec3, load: &Load) {
        let x = &w.x_world[body.index()];
        // The load about the origin of the link, in its axes.
        let arm = point - x.translation;
        let force = x.rotation.transpose_mul(load.force);
        let torque = x.rotation.transpose_mul(load.torque + arm.cross(load.force));
        self.load[body.index()] += Load::new(torque, force);
    }

    /// Angular acceleration and acceleration of a world point of a body in the response, world
    /// axes. Needs `respond`.
    pub fn acceleration_at(&self, w: &Workspace, body: BodyId, point: Vec3) -> Motion {
        let (x, a) = (&w.x_world[body.index()], &self.acceleration[body.index()]);
        // The acceleration of a point without velocities: a + alpha x arm.
        let alpha = x.rotation * a.ang;
        Motion::new(alpha, x.rotation * a.lin + alpha.cross(point - x.translation))
    }
}

/// Accelerations caused by the loads of `case` and the joint forces `tau` alone: no gravity, no
/// velocities. Linear in the loads. Needs `factor`; uses up the loads.
pub fn respond(tree: &Tree, w: &Workspace, case: &mut Sweep, tau: &[f64], vdot: &mut [f64]) {
    // Towards the root: each joint keeps its residual r and passes the rest of the load to the parent.
    for (i, link) in tree.links.iter().enumerate().skip(1).rev() {
        let l = case.load[i];
        let vs = link.v_range();
        // A load acts only on the links between the loaded link and the ground.
        if l == Load::ZERO && tau[vs.clone()].iter().all(|&tau| tau == 0.0) {
            case.residual[vs].fill(0.0);
            continue;
        }
        // r = tau + phi^T l stays, l - U D^-1 r goes on.
        let f = LinkFactor::new(w, link, i);
        let reduced = f.reduce_load(l, &tau[vs.clone()], &mut case.residual[vs]);
        case.load[link.parent as usize] += reduced.transformed(&w.x_parent[i]);
    }
    // Away from the root: accelerations of freedoms and links; the world is at rest.
    case.acceleration[0] = Motion::ZERO;
    for (i, link) in tree.links.iter().enumerate().skip(1) {
        let x_v = carried(&case.acceleration[link.parent as usize], &w.x_parent[i]);
        let vs = link.v_range();
        let f = LinkFactor::new(w, link, i);
        case.acceleration[i] =
            f.accelerate(&x_v, &Motion::ZERO, &case.residual[vs.clone()], &mut vdot[vs]);
    }
}

/// Adds the residual joint forces caused by a load on link `i` and by a force `tau` on a freedom of that link, for all
/// joints from link `i` to the root.
///
/// A residual is the factor r of the response: with the pivots D, the acceleration along one load case that another load
/// case causes is the sum of `r_1 r_2 / D` over all freedoms, since the recursion is a factorisation of the inverse mass
/// matrix (Rodriguez and Kreutz-Delgado 1992). No sweep away from the root is needed. Needs `factor`.
pub(super) fn add_residuals(
    tree: &Tree,
    w: &Workspace,
    mut i: usize,
    load: Load,
    tau: Option<(usize, f64)>,
    residuals: &mut [f64],
) {
    let mut l = load;
    // Only the first link may have a force of its own freedom.
    let (mut own, mut found) = ([0.0; 6], [0.0; 6]);
    if let Some((k, tau)) = tau {
        own[k] = tau;
    }
    while i != 0 {
        let link = &tree.links[i];
        let vs = link.v_range();
        let n = vs.len();
        // The same step as in `respond`, along one branch only.
        let rest = LinkFactor::new(w, link, i).reduce_load(l, &own[..n], &mut found[..n]);
        residuals[vs].iter_mut().zip(&found).for_each(|(sum, r)| *sum += r);
        // On to the parent, with the rest of the load in the axes of the parent.
        own = [0.0; 6];
        l = rest.transformed(&w.x_parent[i]);
        i = link.parent as usize;
    }
}

/// The acceleration of a point of the parent at the link's origin, in link axes.
#[inline(always)]
pub(crate) fn carried(x_v: &Motion, x: &Pose) -> Motion {
    Motion::new(
        x.rotation.transpose_mul(x_v.ang),
        x.rotation.transpose_mul(x_v.lin + x_v.ang.cross(x.translation)),
    )
}

/// Completes `MA` of link i, eliminates its freedoms and adds the rest to the parent.
#[inline(always)]
fn factor_link(tree: &Tree, w: &mut Workspace, i: usize) -> Result<(), EvalError> {
    complete_inertia(tree, w, i);
    eliminate_link(tree, w, i)
}

/// Adds the inertia of link i itself to the inertia of its children.
#[inline(always)]
pub(crate) fn complete_inertia(tree: &Tree, w: &mut Workspace, i: usize) {
    let (link, ma) = (&tree.links[i], &mut w.articulated[i]);
    // A leaf has its own inertia alone; in other links the children have left theirs.
    if link.is_leaf {
        *ma = ArticulatedInertia::from_rigid(&link.inertia);
    } else {
        ma.add_rigid(&link.inertia);
    }
    // Rotors that the link carries turn with it about all axes.
    if w.has_mounted {
        ma.theta = ma.theta + w.mounted[i];
    }
}

/// Eliminates the freedoms of link i and adds the rest of its inertia to the parent.
#[inline(always)]
pub(crate) fn eliminate_link(tree: &Tree, w: &mut Workspace, i: usize) -> Result<(), EvalError> {
    let link = &tree.links[i];
    // Parents come before their children.
    let (before, from_i) = w.articulated.split_at_mut(i);
    let (parent, ma) = (&mut before[link.parent as usize], &mut from_i[0]);
    // The pivots D and the columns U of the joint, by the form of its sweep.
    let x = &w.x_parent[i];
    let vs = link.v_range();
    let pivots = &mut w.inverse_pivot[vs.clone()];
    let parent = Parent { inertia: parent, is_first_met: link.is_first_met };
    // Frequent joints have sweeps of their own, in which zeros of phi are left out; all others use the general sweep.
    let result = match link.form {
        SweepForm::Revolute => revolute::factor(ma, x, pivots, parent),
        SweepForm::Driven => {
            let v = vs.start;
            let driven = driven::Driven {
                inertia: tree.rotor[v] + w.added_inertia[v],
                is_locked: w.locked[v],
                carried: w.carried[i],
            };
            driven::factor(ma, x, driven, &mut w.reduced[v], &mut pivots[0], parent)
        }
        SweepForm::Prismatic => prismatic::factor(ma, x, pivots, parent),
        SweepForm::Spherical => spherical::factor(ma, x, &mut w.reduced[vs], pivots, parent),
        SweepForm::Free => free::factor(ma, &mut w.reduced[vs], pivots, parent),
        SweepForm::General => {
            let (phi, rotor) = (&w.phi[vs.clone()], &tree.rotor[vs.clone()]);
            let (added, locked) = (&w.added_inertia[vs.clone()], &w.locked[vs.clone()]);
            let joint = general::Freedoms { phi, rotor, added, locked };
            general::factor(ma, x, joint, &mut w.reduced[vs], pivots, parent)
        }
    };
    result.map_err(|pivot| pivot.into_error(i))?;
    // The coupling by a carried rotor: W in place of G^T U.
    if link.form == SweepForm::General && w.has_mounted && w.carried[i] != Vec3::ZERO {
        let column = w.reduced[link.v_range().start].transformed(&w.x_parent[i]);
        let inverse = w.inverse_pivot[link.v_range().start];
        w.articulated[link.parent as usize].subtract_carried(&column, w.carried[i], inverse);
    }
    Ok(())
}

/// The link that receives the inertia passed on by a joint.
struct Parent<'a> {
    inertia: &'a mut ArticulatedInertia,
    /// No other child has added to the inertia yet, so the inertia is overwritten.
    is_first_met: bool,
}

impl Parent<'_> {
    /// Adds the inertia. Each form of the sweep calls this function itself, so that its result goes from registers to the
    /// parent without a copy in between.
    #[inline(always)]
    fn receive(self, mut rest: ArticulatedInertia) {
        // The first child that is met needs no sum with what an earlier evaluation has left.
        if !self.is_first_met {
            rest.add(self.inertia);
        }
        *self.inertia = rest;
    }
}

/// Completes `lA` of link i, eliminates its freedoms and adds the rest to the parent.
#[inline(always)]
fn load_link(tree: &Tree, tau: &[f64], w: &mut Workspace, i: usize) {
    link_load(tree, tau, w, i, None);
}

/// Completes `lA` of link i with a further load, eliminates the freedoms and adds the rest to the parent.
#[inline(always)]
pub(crate) fn link_load(
    tree: &Tree,
    tau: &[f64],
    w: &mut Workspace,
    i: usize,
    further: Option<Load>,
) {
    let link = &tree.links[i];
    // lA = applied - h + sum of children, then l' = lA - MA c.
    let mut l = -w.gyroscopic[i];
    if let Some(further) = further {
        l += further;
    }
    if !link.is_leaf {
        l += w.sweep.load[i];
    }
    if w.has_applied {
        l += w.applied[i];
    }
    // l' = lA - MA c: the part of the load that the bias of the joint needs.
    l = l - w.articulated[i].mul(&w.bias[i]);
    let vs = link.v_range();
    let f = LinkFactor {
        form: link.form,
        ma: &w.articulated[i],
        phi: &w.phi[vs.clone()],
        reduced: &w.reduced[vs.clone()],
        inverse_pivot: &w.inverse_pivot[vs.clone()],
    };
    // r = tau + phi^T l', and the rest l' - U D^-1 r in the axes of the parent.
    let mut rest = f
        .reduce_load(l, &tau[vs.clone()], &mut w.sweep.residual[vs.clone()])
        .transformed(&w.x_parent[i]);
    // A rotor on the parent that turns with the joint: W in place of U, see above.
    if w.has_mounted && w.carried[i] != Vec3::ZERO {
        rest.torque -= w.carried[i] * (w.sweep.residual[vs.start] * w.inverse_pivot[vs.start]);
    }
    // As for inertia, the first child overwrites what an earlier evaluation has left.
    let parent = &mut w.sweep.load[link.parent as usize];
    *parent = if link.is_first_met { rest } else { *parent + rest };
}

/// The sweep away from the root.
#[inline(always)]
fn accelerate_links(tree: &Tree, w: &mut Workspace, vdot: &mut [f64]) {
    // Gravity acts like an upward acceleration of the world.
    w.sweep.acceleration[0] = Motion::new(Vec3::ZERO, -tree.gravity);
    for i in 1..tree.links.len() {
        accelerate_link(tree, w, i, vdot);
    }
}

/// Acceleration of link i and of its freedoms from the acceleration of its parent.
#[inline(always)]
pub(crate) fn accelerate_link(tree: &Tree, w: &mut Workspace, i: usize, vdot: &mut [f64]) {
    let link = &tree.links[i];
    let parent = &w.sweep.acceleration[link.parent as usize];
    // G x_V, the motion that the parent alone would give the link.
    let x_v = carried(parent, &w.x_parent[i]);
    let vs = link.v_range();
    // The parent's acceleration acts on the joint by way of the rotor: r - k_vm n^T x_V.
    if w.has_mounted && w.carried[i] != Vec3::ZERO {
        w.sweep.residual[vs.start] -= w.carried[i].dot(parent.ang);
    }
    let f = LinkFactor::new(w, link, i);
    // vdot = D^-1 (r - U^T x_V) and x = G x_V + c + phi vdot.
    let x = f.accelerate(&x_v, &w.bias[i], &w.sweep.residual[vs.clone()], &mut vdot[vs]);
    w.sweep.acceleration[i] = x;
}

/// The force that the locked freedom of link i needs to have the acceleration given by its bias.
pub(super) fn holding_force(tree: &Tree, w: &Workspace, i: usize) -> f64 {
    let link = &tree.links[i];
    let x_v = carried(&w.sweep.acceleration[link.parent as usize], &w.x_parent[i]);
    // U^T x_V - r: what is left of the equation of the freedom while it cannot move by itself.
    let v = link.v_range().start;
    x_v.dot(&w.reduced[v]) - w.sweep.residual[v]
}

/// Results of the factor step for one link.
pub(crate) struct LinkFactor<'a> {
    pub(crate) form: SweepForm,
    pub(crate) ma: &'a ArticulatedInertia,
    pub(crate) phi: &'a [Motion],
    pub(crate) reduced: &'a [Load],
    pub(crate) inverse_pivot: &'a [f64],
}

impl<'a> LinkFactor<'a> {
    #[inline(always)]
    pub(crate) fn new(w: &'a Workspace, link: &Link, i: usize) -> LinkFactor<'a> {
        let vs = link.v_range();
        LinkFactor {
            form: link.form,
            ma: &w.articulated[i],
            phi: &w.phi[vs.clone()],
            reduced: &w.reduced[vs.clone()],
            inverse_pivot: &w.inverse_pivot[vs],
        }
    }

    /// Reduces a load by the part that the freedoms take up, and writes the residuals `r`; the rest goes to the parent.
    #[inline(always)]
    pub(crate) fn reduce_load(&self, l: Load, tau: &[f64], residual: &mut [f64]) -> Load {
        let pivots = self.inverse_pivot;
        match self.form {
            SweepForm::Revolute => {
                revolute::reduce_load(self.ma, pivots[0], l, tau[0], &mut residual[0])
            }
            SweepForm::Driven => {
                driven::reduce_load(&self.reduced[0], pivots[0], l, tau[0], &mut residual[0])
            }
            SweepForm::Prismatic => {
                prismatic::reduce_load(self.ma, pivots[0], l, tau[0], &mut residual[0])
            }
            SweepForm::Spherical => spherical::reduce_load(self.reduced, pivots, l, tau, residual),
            SweepForm::Free => free::reduce_load(self.phi, self.reduced, pivots, l, tau, residual),
            SweepForm::General => {
                general::reduce_load(self.phi, self.reduced, pivots, l, tau, residual)
            }
        }
    }

    /// Acceleration of the link and of its freedoms, from the acceleration `x_v` of the parent at the link's origin.
    #[inline(always)]
    pub(crate) fn accelerate(
        &self,
        x_v: &Motion,
        c: &Motion,
        residual: &[f64],
        vdot: &mut [f64],
    ) -> Motion {
        let pivots = self.inverse_pivot;
        match self.form {
            SweepForm::Revolute => {
                revolute::accelerate(self.ma, pivots[0], x_v, c, residual[0], &mut vdot[0])
            }
            SweepForm::Driven => {
                driven::accelerate(&self.reduced[0], pivots[0], x_v, c, residual[0], &mut vdot[0])
            }
            SweepForm::Prismatic => {
                prismatic::accelerate(self.ma, pivots[0], x_v, c, residual[0], &mut vdot[0])
            }
            SweepForm::Spherical => {
                spherical::accelerate(self.reduced, pivots, x_v, c, residual, vdot)
            }
            SweepForm::Free => {
                free::accelerate(self.phi, self.reduced, pivots, x_v, c, residual, vdot)
            }
            SweepForm::General => {
                general::accelerate(self.phi, self.reduced, pivots, x_v, c, residual, vdot)
            }
        }
    }
}

/// Finds the first acceleration that is not finite.
pub(super) fn check_finite(tree: &Tree, vdot: &[f64]) -> Result<(), EvalError> {
    // The sum is not finite if a term is not finite; one test is faster than one per term.
    if vdot.iter().sum::<f64>().is_finite() {
        return Ok(());
    }
    for (i, link) in tree.links.iter().enumerate() {
        if let Some(freedom) = vdot[link.v_range()].iter().position(|a| !a.is_finite()) {
            return Err(EvalError::NotFinite { joint: JointId(i as u32), freedom });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
