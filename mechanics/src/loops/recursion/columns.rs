//! How the columns of multipliers pass the joints on the way to the root.

use std::ops::Range;

use super::LoopFactors;
use crate::joints::SweepForm;
use crate::loops::loop_structure::LoopStructure;
use crate::recursive::{LinkFactor, revolute};
use crate::spatial::Load;
use crate::tree::Tree;
use crate::workspace::Workspace;

impl LoopFactors {
    /// Passes the open columns of a link through its joint. With `motion`, the forces and the bias of the joint also enter
    /// the right-hand sides of the rows.
    #[inline(always)]
    pub(super) fn carry(
        &mut self,
        plan: &LoopStructure,
        tree: &Tree,
        w: &Workspace,
        i: usize,
        motion: bool,
    ) {
        let link = &tree.links[i];
        if plan.links[i].open.is_empty() {
            return;
        }
        let ma = &w.articulated[i];
        let v = link.v_start as usize;
        match (link.form, link.nv) {
            (SweepForm::Revolute, _) => {
                let reduce = |l, tau, push: &mut f64| {
                    revolute::reduce_load(ma, w.inverse_pivot[v], l, tau, push)
                };
                self.carry_single(plan, tree, w, i, motion, reduce);
            }
            (_, 1) => {
                let f = LinkFactor::new(w, link, i);
                let reduce =
                    |l, tau, push: &mut f64| f.reduce_load(l, &[tau], std::slice::from_mut(push));
                self.carry_single(plan, tree, w, i, motion, reduce);
            }
            _ => {
                self.carry_columns(plan, tree, w, i);
                if motion {
                    let (inverse, residual) = (&w.inverse_pivot, &w.sweep.residual);
                    self.carry_load(plan, tree, i, inverse, residual, Some(&w.bias[i]));
                }
            }
        }
    }

    /// Passes the open columns of a link through a joint with one freedom.
    #[inline(always)]
    fn carry_single(
        &mut self,
        plan: &LoopStructure,
        tree: &Tree,
        w: &Workspace,
        i: usize,
        motion: bool,
        reduce: impl Fn(Load, f64, &mut f64) -> Load,
    ) {
        let OpenRows { columns, first, pairs, start: v, .. } = OpenRows::new(plan, tree, i);
        let inverse = w.inverse_pivot[v];
        let drive = inverse * w.sweep.residual[v];
        let (x, bias) = (&w.x_parent[i], &w.bias[i]);
        // Columns of the parent come before the columns of the link.
        let (parents, own) = self.columns.split_at_mut(columns.start);
        let direct = &self.direct[first..first + columns.len()];
        let pushes = &mut self.pushes[first..first + columns.len()];
        let mut pairs = plan.pairs[pairs..].iter();
        for (a, column) in plan.columns[columns].iter().enumerate() {
            // e = phi^T K; the rest of the column, K - U D^-1 e, goes to the parent.
            let (load, position) = (own[a], column.position as usize);
            let mut push = 0.0;
            let rest = reduce(load, direct[a], &mut push);
            parents[column.parent as usize] += rest.transformed(x);
            pushes[a] = push;
            // gamma <- gamma - e^T D^-1 r - K^T c.
            if motion {
                self.gamma[position] -= push * drive + bias.dot(&load);
            }
            // A <- A + e^T D^-1 e: products with all earlier columns, then the square on the diagonal.
            let share = push * inverse;
            for (push, &place) in pushes[..a].iter().zip(&mut pairs) {
                self.matrix[place as usize] += share * push;
            }
            // The last product of a column is its square, on the diagonal.
            pairs.next();
            self.matrix[position] += share * push;
            self.own[position] += share * push;
        }
    }

    /// Passes the open columns through a joint with any number of freedoms, without the right-hand sides.
    fn carry_columns(&mut self, plan: &LoopStructure, tree: &Tree, w: &Workspace, i: usize) {
        let OpenRows { columns, first, pairs, nv, start } = OpenRows::new(plan, tree, i);
        let f = LinkFactor::new(w, &tree.links[i], i);
        let inverse = &w.inverse_pivot[start..start + nv];
        let (freedoms, mut pairs) = (columns.len() * nv, plan.pairs[pairs..].iter());
        let direct = &self.direct[first..first + freedoms];
        let pushes = &mut self.pushes[first..first + freedoms];
        for (a, column) in plan.columns[columns.clone()].iter().enumerate() {
            let (at, position) = (a * nv, column.position as usize);
            let load = self.columns[columns.start + a];
            let rest = f.reduce_load(load, &direct[at..at + nv], &mut pushes[at..at + nv]);
            self.columns[column.parent as usize] += rest.transformed(&w.x_parent[i]);
            let (before, own) = pushes.split_at(at);
            let own = &own[..nv];
            // A joint without freedoms has no products.
            for (other, &place) in before.chunks_exact(nv.max(1)).zip(&mut pairs) {
                self.matrix[place as usize] += product(own, inverse, other);
            }
            pairs.next();
            let square = product(own, inverse, own);
            self.matrix[position] += square;
            self.own[position] += square;
        }
    }

    /// Adds to the bounds of the open rows of a link the largest effect that their loads could have on the link's joint.
    pub(super) fn measure(&mut self, plan: &LoopStructure, tree: &Tree, w: &Workspace, i: usize) {
        let OpenRows { columns, first, nv, start, .. } = OpenRows::new(plan, tree, i);
        // The square of the radius of gyration compares forces with torques.
        let ma = &w.articulated[i];
        let length = (ma.theta.trace() / ma.mass.trace()).clamp(f64::MIN_POSITIVE, f64::MAX);
        for (a, column) in plan.columns[columns.clone()].iter().enumerate() {
            let load = &self.columns[columns.start + a];
            let (torque, force) = (load.torque.dot(load.torque), load.force.dot(load.force));
            for k in 0..nv {
                let (phi, inverse) = (&w.phi[start + k], w.inverse_pivot[start + k]);
                let direct = self.direct[first + a * nv + k];
                let turning = phi.ang.dot(phi.ang) * (torque + length * force);
                let moving = phi.lin.dot(phi.lin) * (force + torque / length);
                self.bound[column.position as usize] +=
                    (turning + moving + direct * direct) * inverse;
            }
        }
    }
}

/// `a^T D^-1 b`, by freedom.
#[inline(always)]
pub(super) fn product(a: &[f64], inverse: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(inverse).zip(b).map(|((a, inverse), b)| a * inverse * b).sum()
}

/// The open rows of a link.
pub(super) struct OpenRows {
    /// Columns of the open rows.
    pub(super) columns: Range<usize>,
    /// First of the entries per freedom of all columns, which lie one after the other.
    pub(super) first: usize,
    /// First of the places of the products of these columns.
    pairs: usize,
    /// Freedoms of the link.
    pub(super) nv: usize,
    /// First freedom of the link among the freedoms of the tree.
    pub(super) start: usize,
}

impl OpenRows {
    #[inline(always)]
    pub(super) fn new(plan: &LoopStructure, tree: &Tree, i: usize) -> Self {
        let (link, of) = (&tree.links[i], &plan.links[i]);
        let columns = of.open.clone();
        let first = plan.columns.get(columns.start).map_or(0, |column| column.freedoms as usize);
        Self {
            columns,
            first,
            pairs: of.pairs,
            nv: usize::from(link.nv),
            start: link.v_start as usize,
        }
    }
}
