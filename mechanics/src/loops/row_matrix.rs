//! The constraints by full matrices: the independent second way, as `mechanics::dense` is for trees.
//!
//! With the mass matrix `M = L L^T` and the matrix J of the rows, `M vdot = f + J^T lambda`, `J vdot = gamma`:
//! `B = L^-1 J^T`, `(B^T B) lambda = gamma - B^T L^-1 f`.

use super::{Constraints, LoopWorkspace};
use crate::dense::{self, DenseWorkspace};
use crate::error::EvalError;
use crate::inverse;
use crate::spatial::Load;
use crate::tree::Tree;
use crate::workspace::Workspace;

/// A tree with its constraints.
#[derive(Clone, Copy)]
pub(super) struct ConstrainedTree<'a> {
    pub tree: &'a Tree,
    pub constraints: &'a Constraints,
}

/// Buffers, sized when they are first needed.
#[derive(Debug, Default, educe::Educe)]
#[educe(Clone)]
pub(super) struct DenseLoops {
    /// Rows of J, then of B^T.
    rows: Vec<f64>,
    gram: Vec<f64>,
    lambda: Vec<f64>,
    rest: Vec<f64>,
}

impl DenseLoops {
    /// Accelerations and multipliers.
    pub fn accelerations(
        &mut self,
        of: ConstrainedTree<'_>,
        loops: &mut LoopWorkspace,
        tau: &[f64],
        w: &mut Workspace,
        dense: &mut DenseWorkspace,
        vdot: &mut [f64],
    ) -> Result<(), EvalError> {
        let tree = of.tree;
        let (n, m) = (tree.n_v(), loops.n_selected());
        // f = tau - (the forces that keep vdot = 0).
        self.rest.resize(n, 0.0);
        inverse::inverse_dynamics(tree, &self.rest, w, vdot);
        for (force, &tau) in vdot.iter_mut().zip(tau) {
            *force = tau - *force;
        }
        // J, and what its rows demand beyond the accelerations at vdot = 0.
        self.fill_rows(of, loops, w);
        // L, then L^-1 f in `vdot` and B^T = (L^-1 J^T)^T in the rows.
        dense::factor_mass_matrix(tree, w, dense, vdot)?;
        dense.solve_lower(vdot);
        for row in self.rows.chunks_exact_mut(n.max(1)).take(m) {
            dense.solve_lower(row);
        }
        // The multipliers, then vdot = L^-T (L^-1 f + B lambda).
        self.solve_multipliers(n, m, vdot);
        for (row, lambda) in self.rows.chunks_exact(n.max(1)).zip(&self.lambda) {
            for (v, b) in vdot.iter_mut().zip(row) {
                *v += b * lambda;
            }
        }
        dense.solve_upper(vdot);
        // Rows that are left out carry nothing.
        loops.multipliers.fill(0.0);
        for (&row, lambda) in loops.kept.rows().iter().zip(&self.lambda) {
            loops.multipliers[row as usize] = *lambda;
        }
        inverse::update_accelerations(tree, vdot, w);
        Ok(())
    }

    /// Rows of J and what they demand beyond the accelerations of the links at rest of the coordinates.
    fn fill_rows(&mut self, of: ConstrainedTree<'_>, loops: &LoopWorkspace, w: &Workspace) {
        let ConstrainedTree { tree, constraints } = of;
        let (n, m) = (tree.n_v(), loops.n_selected());
        self.rows.clear();
        self.rows.resize(n * m, 0.0);
        // The demands are the first part of the right-hand side.
        self.lambda.clear();
        self.lambda.extend(loops.kept.rows().iter().map(|&row| loops.gamma[row as usize]));
        for (position, link, load, direct) in loops.entries(constraints) {
            let row = &mut self.rows[position * n..(position + 1) * n];
            // A coordinate in a row: its coefficient, unless the coordinate is locked.
            if let Some((v, coefficient)) = direct {
                row[v] += if w.locked[v] { 0.0 } else { coefficient };
                continue;
            }
            // A load on a link: the acceleration that the link has at vdot = 0, and the row of J.
            self.lambda[position] -= w.sweep.acceleration[link].dot(&load);
            add_jacobian(tree, w, link, load, row);
        }
    }

    /// `(B^T B) lambda = gamma - B^T f` by Cholesky; the rows are independent.
    fn solve_multipliers(&mut self, n: usize, m: usize, force: &[f64]) {
        let row = |k: usize| &self.rows[k * n..(k + 1) * n];
        self.gram.clear();
        self.gram.resize(m * m, 0.0);
        for a in 0..m {
            // The right-hand side gamma - B^T L^-1 f, and the lower triangle of B^T B.
            self.lambda[a] -= dot(row(a), force);
            for b in 0..=a {
                self.gram[a * m + b] = dot(row(a), row(b));
            }
        }
        // Cholesky, with the forward substitution row by row.
        let (g, x) = (&mut self.gram, &mut self.lambda);
        for a in 0..m {
            for b in 0..=a {
                let sum: f64 = (0..b).map(|k| g[a * m + k] * g[b * m + k]).sum();
                let rest = g[a * m + b] - sum;
                g[a * m + b] = if a == b { rest.sqrt() } else { rest / g[b * m + b] };
            }
            let sum: f64 = (0..a).map(|k| g[a * m + k] * x[k]).sum();
            x[a] = (x[a] - sum) / g[a * m + a];
        }
        // The backward substitution.
        for a in (0..m).rev() {
            let sum: f64 = (a + 1..m).map(|k| g[k * m + a] * x[k]).sum();
            x[a] = (x[a] - sum) / g[a * m + a];
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Adds the work of a load on a link to the freedoms between the link and the root that are not locked.
fn add_jacobian(tree: &Tree, w: &Workspace, link: usize, load: Load, row: &mut [f64]) {
    let mut full = |v: usize, work: f64| row[v] += if w.locked[v] { 0.0 } else { work };
    work_on_freedoms(tree, w, link, load, &mut full);
}

/// Adds the work of a load on a link to all freedoms between the link and the root, locked freedoms included.
pub(super) fn add_full_jacobian(
    tree: &Tree,
    w: &Workspace,
    link: usize,
    load: Load,
    row: &mut [f64],
) {
    work_on_freedoms(tree, w, link, load, &mut |v, work| row[v] += work);
}

fn work_on_freedoms(
    tree: &Tree,
    w: &Workspace,
    link: usize,
    mut load: Load,
    add: &mut dyn FnMut(usize, f64),
) {
    let mut j = link;
    while j != 0 {
        for v in tree.links[j].v_range() {
            add(v, w.phi[v].dot(&load));
        }
        load = load.transformed(&w.x_parent[j]);
        j = tree.links[j].parent as usize;
    }
}
