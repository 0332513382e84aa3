//! The second, independent formulation: mass matrix by composite rigid bodies, then Cholesky.
//!
//! Cost grows with the cube of the freedoms. It shares kinematics and inverse dynamics with the
//! recursive formulation, but none of its eliminations, so that each can check the other.

use super::error::EvalError;
use super::ids::JointId;
use super::inertia::ArticulatedInertia;
use super::inverse;
use super::recursive::check_finite;
use super::tree::Tree;
use super::workspace::Workspace;

/// A pivot of the Cholesky factorisation must exceed this fraction of its diagonal entry; what
/// remains of a complete cancellation over n terms is about n units of round-off.
const SMALLEST_PIVOT: f64 = 64.0 * f64::EPSILON;

/// Buffers of the dense formulation, sized once.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub struct DenseWorkspace {
    /// Mass matrix by rows; its lower triangle becomes the factor L.
    mass: Vec<f64>,
    /// Inertia of each link with all that hangs on it, as if frozen.
    composite: Vec<ArticulatedInertia>,
    /// A vector of zeros.
    rest: Vec<f64>,
}

impl DenseWorkspace {
    /// Buffers for a tree.
    pub fn new(tree: &Tree) -> DenseWorkspace {
        let n = tree.n_v();
        DenseWorkspace {
            mass: vec![0.0; n * n],
            composite: vec![ArticulatedInertia::ZERO; tree.n_bodies() + 1],
            rest: vec![0.0; n],
        }
    }

    /// The mass matrix by rows, after `fill_mass_matrix`.
    pub fn mass_matrix(&self) -> &[f64] {
        &self.mass
    }

    /// Solves `L x = b` in place, after `factor_mass_matrix`.
    pub(super) fn solve_lower(&self, b: &mut [f64]) {
        let n = b.len();
        for i in 0..n {
            // Forward: x_i = (b_i - sum_j<i L_ij x_j) / L_ii.
            let row = &self.mass[i * n..i * n + n];
            b[i] = (b[i] - dot(&row[..i], &b[..i])) / row[i];
        }
    }

    /// Solves `L^T x = b` in place, after `factor_mass_matrix`.
    pub(super) fn solve_upper(&self, b: &mut [f64]) {
        let n = b.len();
        for i in (0..n).rev() {
            // Backward, with the rows of L as columns of L^T.
            let row = &self.mass[i * n..i * n + n];
            b[i] /= row[i];
            let x = b[i];
            for (b, l) in b[..i].iter_mut().zip(&row[..i]) {
                *b -= l * x;
            }
        }
    }
}

/// Accelerations of the coordinates under the joint forces `tau` (N m, N) and the applied loads.
/// Needs `kinematics::update_state`. Same result as `recursive::accelerations`.
pub fn accelerations(
    tree: &Tree,
    tau: &[f64],
    w: &mut Workspace,
    dense: &mut DenseWorkspace,
    vdot: &mut [f64],
) -> Result<(), EvalError> {
    // M vdot = tau - (the forces that keep vdot = 0).
    inverse::inverse_dynamics(tree, &dense.rest, w, vdot);
    for (a, &t) in vdot.iter_mut().zip(tau) {
        *a = t - *a;
    }
    // M = L L^T, then L y = b and L^T vdot = y.
    factor_mass_matrix(tree, w, dense, vdot)?;
    dense.solve_lower(vdot);
    dense.solve_upper(vdot);
    inverse::update_accelerations(tree, vdot, w);
    check_finite(tree, vdot)
}

/// Factors the mass matrix; the equations of locked freedoms, with the right-hand sides `rhs`, demand that they
/// rest. Needs `kinematics::update_positions`.
pub(super) fn factor_mass_matrix(
    tree: &Tree,
    w: &Workspace,
    dense: &mut DenseWorkspace,
    rhs: &mut [f64],
) -> Result<(), EvalError> {
    fill_mass_matrix(tree, w, dense);
    lock(&w.locked, &mut dense.mass, rhs);
    factor_cholesky(tree, &mut dense.mass)
}

/// Replaces the equation of each locked freedom by `vdot = 0`.
fn lock(locked: &[bool], mass: &mut [f64], rhs: &mut [f64]) {
    let n = locked.len();
    for k in (0..n).filter(|&k| locked[k]) {
        // The row and the column: the others feel nothing of a freedom at rest.
        for m in 0..n {
            mass[k * n + m] = 0.0;
            mass[m * n + k] = 0.0;
        }
        mass[k * n + k] = 1.0;
        rhs[k] = 0.0;
    }
}

/// The mass matrix (kg m^2, kg m, kg). Needs `kinematics::update_positions`.
pub fn fill_mass_matrix(tree: &Tree, w: &Workspace, dense: &mut DenseWorkspace) {
    let n = tree.n_v();
    // Composite inertias, leaves first.
    for (i, link) in tree.links.iter().enumerate() {
        dense.composite[i] = ArticulatedInertia::from_rigid(&link.inertia);
    }
    for i in (1..tree.links.len()).rev() {
        // All that hangs on a link moves with it as one body.
        let moved = dense.composite[i].transformed(&w.x_parent[i]);
        dense.composite[tree.links[i].parent as usize].add(&moved);
    }
    // Column k: the load that a unit acceleration demands, felt by all joints towards the root.
    dense.mass.fill(0.0);
    for (i, link) in tree.links.iter().enumerate().skip(1) {
        for k in link.v_range() {
            // M_km = phi_m . (I phi_k), where I is the composite inertia of the outer link (Featherstone 2008, 6.2).
            let mut load = dense.composite[i].mul(&w.phi[k]);
            let mut j = i;
            while j != 0 {
                for m in tree.links[j].v_range() {
                    let entry = w.phi[m].dot(&load);
                    dense.mass[k * n + m] = entry;
                    dense.mass[m * n + k] = entry;
                }
                load = load.transformed(&w.x_parent[j]);
                j = tree.links[j].parent as usize;
            }
            // A rotor adds to its own freedom only.
            dense.mass[k * n + k] += tree.rotor[k];
        }
    }
}

/// Replaces the lower triangle by L with `M = L L^T`.
fn factor_cholesky(tree: &Tree, m: &mut [f64]) -> Result<(), EvalError> {
    let n = tree.n_v();
    for i in 0..n {
        let (above, from_i) = m.split_at_mut(i * n);
        let row_i = &mut from_i[..n];
        for j in 0..i {
            let row_j = &above[j * n..j * n + n];
            // L_ij = (M_ij - sum_k<j L_ik L_jk) / L_jj.
            let sum = dot(&row_i[..j], &row_j[..j]);
            row_i[j] = (row_i[j] - sum) / row_j[j];
        }
        // L_ii^2 = M_ii - sum_k<i L_ik^2, which must not be round-off of M_ii alone.
        let pivot = row_i[i] - dot(&row_i[..i], &row_i[..i]);
        if pivot <= SMALLEST_PIVOT * row_i[i].abs() || pivot.is_nan() {
            return Err(bad_pivot(tree, i, pivot));
        }
        row_i[i] = pivot.sqrt();
    }
    Ok(())
}

/// Four running sums let the processor overlap the additions; the order is fixed.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (a4, b4) = (a.chunks_exact(4), b.chunks_exact(4));
    let tail: f64 = a4.remainder().iter().zip(b4.remainder()).map(|(x, y)| x * y).sum();
    for (x, y) in a4.zip(b4) {
        for k in 0..4 {
            sums[k] += x[k] * y[k];
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + tail
}

#[cold]
fn bad_pivot(tree: &Tree, row: usize, pivot: f64) -> EvalError {
    let owner = tree.links.iter().position(|link| link.v_range().contains(&row)).unwrap_or(0);
    let freedom = row - tree.links[owner].v_start as usize;
    let joint = JointId(owner as u32);
    if pivot.is_nan() {
        EvalError::NotFinite { joint, freedom }
    } else {
        EvalError::SingularInertia { joint, freedom }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::joints::Geometry;
    use crate::vector::{Sym3, Vec3, vec3};
    use crate::{BodyId, BodySpec, TreeBuilder, kinematics};

    #[test]
    fn a_massless_tip_is_an_error_that_names_the_joint() {
        let mut builder = TreeBuilder::new(vec3(0.0, 0.0, -9.81)).unwrap();
        let ball = BodySpec {
            mass: 1.0,
            inertia: Sym3::diagonal(1.0, 1.0, 1.0),
            ..BodySpec::new(BodyId::WORLD, Geometry::Spherical)
        };
        let first = builder.add_body(&ball).unwrap();
        let tip = builder.add_body(&BodySpec::new(first, Geometry::TriPrismatic)).unwrap();
        let tree = builder.build();
        let (mut w, mut d) = (Workspace::new(&tree), DenseWorkspace::new(&tree));
        kinematics::update_state(&tree, &tree.home(), &[0.0; 6], &mut w);
        let result = accelerations(&tree, &[0.0; 6], &mut w, &mut d, &mut [0.0; 6]);
        let joint = tip.joint().unwrap();
        assert_eq!(result, Err(EvalError::SingularInertia { joint, freedom: 0 }));
    }

    #[test]
    fn a_falling_body_accelerates_with_gravity() {
        let gravity = vec3(1.0, 2.0, -9.0);
        let mut builder = TreeBuilder::new(gravity).unwrap();
        let body = BodySpec {
            mass: 3.0,
            inertia: Sym3::diagonal(1.0, 2.0, 2.5),
            ..BodySpec::new(BodyId::WORLD, Geometry::Free)
        };
        builder.add_body(&body).unwrap();
        let tree = builder.build();
        let (mut w, mut d) = (Workspace::new(&tree), DenseWorkspace::new(&tree));
        kinematics::update_state(&tree, &tree.home(), &[0.0; 6], &mut w);
        let mut vdot = [0.0; 6];
        accelerations(&tree, &[0.0; 6], &mut w, &mut d, &mut vdot).unwrap();
        let found = Vec3::from([vdot[0], vdot[1], vdot[2]]);
        assert!((found - gravity).max_abs() < 1e-14 && vdot[3..] == [0.0; 3]);
    }
}
