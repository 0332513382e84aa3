//! Derivatives of the forward dynamics: the recursion linearised about a state.
//!
//! Accelerations follow from `tau = ID(q, v, vdot)` with the inverse dynamics ID, so that
//!
//! ```text
//! d vdot = M^-1 (d tau - d ID at constant vdot)
//! ```
//!
//! (Carpentier and Mansard, *Analytical derivatives of rigid body dynamics algorithms*, RSS 2018). The change of ID is the
//! Newton-Euler recursion differentiated link by link (`link.rs`); no differences are taken. It serves twice:
//!
//! * [`Linearised::accelerations`] follows one change of all states and forces through the tree, away from the root and back,
//!   and solves with the factors of the recursion. A whole matrix takes one such pass per column, which is as fast as the
//!   matrix has entries.
//! * [`extended`] keeps the equations of all links side by side, without solving for the accelerations: a sparse matrix in
//!   which each link knows its neighbours only. Implicit methods eliminate it from the tips to the root, in time and memory
//!   proportional to the number of bodies, where the matrix of the accelerations alone is full.
//!
//! Changes of a joint are displacements: numbers in the space of the speeds, as in `Tree::displace`. [`fill_displacement`] has
//! those of a change of coordinates, which differ where these are a quaternion.
//!
//! Forces of elements (`element.rs`) depend on the bodies that they touch alone; their derivatives are taken element by element.

pub mod element;
pub mod extended;
mod link;
pub mod ridders;

pub use link::Variation;

use super::joints::Joint;
use super::quaternion::Quaternion;
use super::recursive;
use super::spatial::{Load, Motion};
use super::tree::Tree;
use super::vector::{Vec3, vec3};
use super::workspace::{Sweep, Workspace};
use link::LinkPoint;

/// The recursion linearised about a state.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub struct Linearised {
    points: Vec<LinkPoint>,
    speeds: Vec<f64>,
    accelerations: Vec<f64>,
}

/// A change of states and forces.
#[derive(Clone, Copy)]
pub struct Change<'a> {
    /// Displacements of the joints, one per freedom.
    pub step: &'a [f64],
    /// Changes of the speeds.
    pub speeds: &'a [f64],
    /// Changes of the generalised forces.
    pub forces: &'a [f64],
}

/// Room for the passes along one change.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub struct Passage {
    /// Changes of all links, at constant accelerations of the freedoms.
    pub links: Vec<Variation>,
    case: Sweep,
    forces: Vec<f64>,
    still: Vec<f64>,
}

impl Passage {
    /// Room for a tree.
    pub fn new(tree: &Tree) -> Self {
        Self {
            links: vec![Variation::default(); tree.n_bodies() + 1],
            case: Sweep::new(tree),
            forces: vec![0.0; tree.n_v()],
            still: vec![0.0; tree.n_v()],
        }
    }

    /// Adds to a component of the change of the load on a link about its origin, in its axes: torques, then forces.
    pub fn add_load(&mut self, link: usize, component: usize, change: f64) {
        let Motion { ang, lin } = element::component(component);
        self.case.load[link] += Load::new(ang, lin) * change;
    }
}

impl Linearised {
    /// Room for a tree.
    pub fn new(tree: &Tree) -> Self {
        Self {
            points: vec![LinkPoint::default(); tree.n_bodies() + 1],
            speeds: vec![0.0; tree.n_v()],
            accelerations: vec![0.0; tree.n_v()],
        }
    }

    /// Takes over the state of a workspace in which `kinematics::update_state` and then `recursive::accelerations` with the
    /// result `vdot` have been carried out, before its loads are used up.
    pub fn form(&mut self, tree: &Tree, w: &Workspace, v: &[f64], vdot: &[f64]) {
        self.speeds.copy_from_slice(v);
        self.accelerations.copy_from_slice(vdot);
        for (i, link) in tree.links.iter().enumerate().skip(1) {
            let parent = link.parent as usize;
            let (x, vs) = (&w.x_parent[i], link.v_range());
            let phi = &w.phi[vs.clone()];
            let twist = sum(phi, &v[vs]);
            let motion = link::ParentMotion {
                omega: w.omega[parent],
                velocity: self.points[parent].velocity,
                acceleration: w.sweep.acceleration[parent],
            };
            let load = link.inertia.mul(&w.sweep.acceleration[i]) + w.gyroscopic[i];
            let load = if w.has_applied { load - w.applied[i] } else { load };
            self.points[i] = LinkPoint::new(x, &motion, twist, w.omega[i], load);
        }
        for (i, link) in tree.links.iter().enumerate().skip(1).rev() {
            let carried = self.points[i].load.transformed(&w.x_parent[i]);
            self.points[link.parent as usize].load += carried;
        }
    }

    /// Follows a change away from the root, at constant accelerations of the freedoms. Afterwards the loads that depend on the
    /// motion of links may be added to the passage.
    pub fn follow(&self, tree: &Tree, w: &Workspace, change: Change<'_>, passage: &mut Passage) {
        for (i, link) in tree.links.iter().enumerate().skip(1) {
            let vs = link.v_range();
            let joint = self.joint(tree, w, i);
            let local = link::JointChange {
                step: &change.step[vs.clone()],
                speeds: &change.speeds[vs.clone()],
                accelerations: &passage.still[vs],
            };
            passage.links[i] =
                self.points[i].vary(&joint, &passage.links[link.parent as usize], local);
        }
    }

    /// The change of the accelerations, after [`follow`](Self::follow) with the same change. Uses up the loads of the passage.
    pub fn accelerations(
        &self,
        tree: &Tree,
        w: &Workspace,
        change: Change<'_>,
        passage: &mut Passage,
        vdot: &mut [f64],
    ) {
        for (i, link) in tree.links.iter().enumerate().skip(1).rev() {
            let (vs, point) = (link.v_range(), &self.points[i]);
            let (phi, step) = (&w.phi[vs.clone()], &change.step[vs.clone()]);
            // The load that the link itself demands, and the load at the joint in the changed axes of the parent.
            let demand = link::vary_demand(&link.inertia, point.omega, &passage.links[i]);
            passage.case.load[i] += -demand;
            let moved = point.moved_load(sum(phi, step)).transformed(&w.x_parent[i]);
            passage.case.load[link.parent as usize] += -moved;
            let forces = &mut passage.forces[vs.clone()];
            forces.copy_from_slice(&change.forces[vs]);
            for_each_varied(&link.joint, phi, step, |k, column| {
                forces[k] -= column.dot(&point.load);
            });
        }
        recursive::respond(tree, w, &mut passage.case, &passage.forces, vdot);
        passage.case.clear();
    }

    fn joint<'a>(&'a self, tree: &'a Tree, w: &'a Workspace, i: usize) -> link::JointPoint<'a> {
        let vs = tree.links[i].v_range();
        link::JointPoint {
            joint: &tree.links[i].joint,
            phi: &w.phi[vs.clone()],
            speeds: &self.speeds[vs.clone()],
            accelerations: &self.accelerations[vs],
        }
    }
}

/// `sum phi_k u_k`.
fn sum(phi: &[Motion], u: &[f64]) -> Motion {
    phi.iter().zip(u).fold(Motion::ZERO, |sum, (phi, &u)| sum + *phi * u)
}

/// Calls `visit` with the change of each column of the motion subspace, unless the columns are constant.
fn for_each_varied(
    joint: &Joint,
    phi: &[Motion],
    step: &[f64],
    mut visit: impl FnMut(usize, Motion),
) {
    if joint.has_constant_motion() {
        return;
    }
    let mut unit = [0.0; 6];
    for k in 0..phi.len() {
        unit[k] = 1.0;
        visit(k, joint.vary_motion(phi, step, &unit[..phi.len()]));
        unit[k] = 0.0;
    }
}

/// The displacements that belong to a change `change` of the coordinates `q` of a joint. From `R = R(q)` and a change dq of
/// a quaternion, the rotation vector in T1 axes is `2 vec(q* dq) / |q|^2`.
pub fn fill_displacement(joint: &Joint, q: &[f64], change: &[f64], step: &mut [f64]) {
    let plain = joint.quaternion_offset().unwrap_or(q.len());
    step[..plain].copy_from_slice(&change[..plain]);
    if plain < q.len() {
        let (now, change) = (Quaternion::from_slice(&q[plain..]), &change[plain..]);
        let conjugate = Quaternion { w: now.w, v: -now.v };
        let turn = conjugate.times(Quaternion::from_slice(change)).v;
        let turn = turn * (2.0 / now.norm_squared());
        step[plain..].copy_from_slice(&turn.to_array());
    }
}

/// Change of the rates of the coordinates `q` of a joint, where these change by `change` and the speeds `v` by `dv`.
pub fn fill_rate_change(
    joint: &Joint,
    (q, v): (&[f64], &[f64]),
    (change, dv): (&[f64], &[f64]),
    rates: &mut [f64],
) {
    let plain = joint.quaternion_offset().unwrap_or(q.len());
    rates[..plain].copy_from_slice(&dv[..plain]);
    if plain < q.len() {
        // q' = q (0, w) / 2 is linear in both.
        let omega = |v: &[f64]| -> Vec3 { vec3(v[plain], v[plain + 1], v[plain + 2]) };
        let one = Quaternion::from_slice(&change[plain..]).rates(omega(v)).to_array();
        let other = Quaternion::from_slice(&q[plain..]).rates(omega(dv)).to_array();
        for ((rate, one), other) in rates[plain..].iter_mut().zip(one).zip(other) {
            *rate = one + other;
        }
    }
}
