//! The recursion with closed loops: the multipliers of constraints are eliminated on the way to the root.
//!
//! Row k of the constraints demands `sum K_k . x = gamma_k` of the accelerations x of the links that it
//! touches, and its multiplier loads them with `K_k lambda_k`. A link with open rows carries, besides inertia
//! and load, the columns K and the matrix A of the multipliers:
//!
//! ```text
//! MA x = lA + K lambda,      K^T x + A lambda = gamma
//! joint of a link    e = phi^T K,  K <- K - U D^-1 e,  A <- A + e^T D^-1 e,
//!                    gamma <- gamma - K^T c - e^T D^-1 r                          -> parent
//! base of row c      MA <- MA + K_c K_c^T / A_cc,   lA <- lA + K_c gamma_c / A_cc,
//!                    K_r <- K_r - K_c A_cr / A_cc,  A_rs <- A_rs - A_rc A_cs / A_cc
//! away from the root lambda_c = (gamma_c - K_c^T x - sum A_cr lambda_r) / A_cc,   r <- r + e lambda
//! ```
//!
//! (Popov, Vereshchagin, Zenkevich 1978; Brandl, Johanni, Otter 1988; Sathya, Carpentier 2024.) A is positive
//! semidefinite; a pivot that vanishes belongs to a row that depends on earlier rows. As the load of a dependent row changes
//! no acceleration, its multiplier is put to zero.
//!
//! `factor` depends on q only and measures the rows; any number of `respond` follow. `accelerations` does
//! everything in one pass over the memory and measures nothing.

mod columns;

use columns::{OpenRows, product};

use super::loop_structure::{Column, LoopStructure};
use crate::error::EvalError;
use crate::inertia::ArticulatedInertia;
use crate::recursive::{
    LinkFactor, accelerate_link, carried, complete_inertia, eliminate_link, link_load,
};
use crate::spatial::{Load, Motion};
use crate::tree::Tree;
use crate::vector::Vec3;
use crate::workspace::Workspace;

/// A sum of squares below this fraction of its bound belongs to a load that no joint feels: the sum consists of squares of
/// round-off. A load on a joint a hundred million times as heavy as the lightest joint is far above this fraction.
const NOTHING: f64 = 1e-20;

/// A row is damped, if at all, when its strength is below this fraction of its best strength.
const WEAK: f64 = 1e-3;

/// The numbers of a factorisation with loops, sized by its structure.
#[derive(Debug, Default, educe::Educe)]
#[educe(Clone)]
pub(crate) struct LoopFactors {
    columns: Vec<Load>,
    /// Coefficients of coordinates in the rows, per freedom of each open column.
    direct: Vec<f64>,
    /// `e = phi^T K`, per freedom of each open column.
    pushes: Vec<f64>,
    /// The matrix of the multipliers: diagonal, then the entries below it; becomes L.
    matrix: Vec<f64>,
    inverse: Vec<f64>,
    /// The diagonal entries before earlier rows were eliminated: sums of squares.
    own: Vec<f64>,
    /// The largest value that `own` could have, if all loads acted on all joints: the measure of its round-off.
    bound: Vec<f64>,
    gamma: Vec<f64>,
    /// The greatest strength that each row had so far.
    pub best: Vec<f64>,
    /// Terms that damping added to the pivots.
    pub added: Vec<f64>,
    /// The multipliers of the last solution, by position.
    pub lambda: Vec<f64>,
    /// Fraction of the best pivot that is added to the pivot of a weak row; zero in the equations of motion.
    pub damping: f64,
    /// Rows whose independence is not above this are left out.
    pub least_independence: f64,
    /// Rows whose strength is not above this are left out.
    pub least_strength: f64,
}

impl LoopFactors {
    /// Fits the buffers to a structure; buffers that are large enough are kept.
    pub fn fit(&mut self, plan: &LoopStructure) {
        let m = plan.rows.len();
        self.columns.resize(plan.columns.len(), Load::ZERO);
        for per_freedom in [&mut self.direct, &mut self.pushes] {
            per_freedom.clear();
            per_freedom.resize(plan.n_freedoms, 0.0);
        }
        self.matrix.resize(m + plan.later.len(), 0.0);
        for per_row in [
            &mut self.inverse,
            &mut self.own,
            &mut self.bound,
            &mut self.gamma,
            &mut self.best,
            &mut self.added,
            &mut self.lambda,
        ] {
            per_row.clear();
            per_row.resize(m, 0.0);
        }
    }

    /// The part of a row that is independent of earlier rows: the square of the sine of the angle between the row and the
    /// earlier rows, in the metric of the inertia. Zero for a row that moves nothing.
    pub fn independence(&self, position: usize) -> f64 {
        // The pivot is what is left of `own` once earlier rows are eliminated.
        let (own, pivot) = (self.own[position], self.matrix[position]);
        if own > NOTHING * self.bound[position] && pivot > 0.0 { pivot / own } else { 0.0 }
    }

    /// The part of the load of a row that its joints feel, without the part that depends on earlier rows: of the order of one,
    /// small for light joints beside heavy joints, zero for a row that is dependent or moves nothing.
    pub fn strength(&self, position: usize) -> f64 {
        let (bound, pivot) = (self.bound[position], self.matrix[position]);
        if bound > 0.0 && pivot > 0.0 { pivot / bound } else { 0.0 }
    }

    /// Inverse of the pivot of a row; zero for a row that is left out. If the rows are not `measured`, the bounds of the last
    /// measurement count, and no row is left out for being weak.
    #[inline(always)]
    fn inverse_of(&self, position: usize, measured: bool) -> f64 {
        // Between two measurements a row that gets weak stays in force: leaving it out would let the loop open.
        let kept = if measured {
            self.is_kept(position)
        } else {
            self.independence(position) > self.least_independence
        };
        if kept { 1.0 / self.matrix[position] } else { 0.0 }
    }

    /// Damping term of the pivot of a row: zero for a row about as strong as it ever was, growing as the row gets weaker.
    fn damping_of(&self, position: usize) -> f64 {
        let best = self.best[position];
        // Without damping down to a thousandth of the best strength, then growing with a continuous slope.
        let weakness = (1.0 - self.strength(position) / (WEAK * best)).max(0.0);
        self.damping * best * self.bound[position] * weakness * weakness
    }

    /// Whether a row is used.
    pub fn is_kept(&self, position: usize) -> bool {
        self.independence(position) > self.least_independence
            && self.strength(position) > self.least_strength
    }

    /// Puts the loads and coefficients of the rows into empty columns.
    fn begin(&mut self, plan: &LoopStructure, loads: &[Load], coefficients: &[f64]) {
        self.columns.fill(Load::ZERO);
        self.matrix.fill(0.0);
        self.own.fill(0.0);
        // A row whose two loads act on one link has one column there: their sum.
        for &(load, column) in &plan.loads {
            self.columns[column as usize] += loads[load as usize];
        }
        for &(direct, entry) in &plan.directs {
            self.direct[entry as usize] = coefficients[direct as usize];
        }
    }

    /// Eliminates the rows that are closed on a link.
    #[inline(always)]
    fn close(
        &mut self,
        plan: &LoopStructure,
        link: usize,
        ma: &mut ArticulatedInertia,
        measured: bool,
    ) {
        let m = plan.rows.len();
        for column in plan.links[link].closed.clone() {
            let position = plan.columns[column].position as usize;
            // The pivot A_cc, and its inverse: zero for a row that is left out.
            if self.damping > 0.0 && self.best[position] > 0.0 {
                self.added[position] = self.damping_of(position);
                self.matrix[position] += self.added[position];
            }
            let pivot = self.matrix[position];
            let inverse = self.inverse_of(position, measured);
            self.inverse[position] = inverse;
            // A_rs <- A_rs - A_rc A_cs / A_cc and K_r <- K_r - K_c A_cr / A_cc for all later rows.
            let k = self.columns[column];
            let mut update = plan.update_start[position] as usize;
            let range = plan.later_range(position);
            for a in range.clone() {
                // The entry of L for the later row: A_rc / A_cc.
                let share = self.matrix[m + a] * inverse;
                for b in range.start..=a {
                    // Entries before a are entries of L already: A_rc A_sc / d = l_r d l_s.
                    let other =
                        if b == a { self.matrix[m + b] } else { self.matrix[m + b] * pivot };
                    self.matrix[plan.updates[update] as usize] -= share * other;
                    update += 1;
                }
                self.matrix[m + a] = share;
                // The later row feels the closed row by way of the link on which both act.
                let later = plan.later[a].column as usize;
                self.columns[later] = self.columns[later] - k * share;
            }
            // MA <- MA + K_c K_c^T / A_cc; the world has no inertia.
            if link != 0 {
                ma.subtract_dyad(&k, -inverse);
            }
        }
    }

    /// Takes the rows closed on a link out of the right-hand sides; returns the load `sum K_c gamma_c / A_cc` of
    /// these rows on the link.
    #[inline(always)]
    fn close_load(&mut self, plan: &LoopStructure, link: usize) -> Load {
        let m = plan.rows.len();
        let mut sum = Load::ZERO;
        for column in plan.links[link].closed.clone() {
            let position = plan.columns[column].position as usize;
            // lA <- lA + K_c gamma_c / A_cc.
            let gamma = self.gamma[position];
            sum += self.columns[column] * (gamma * self.inverse[position]);
            // gamma_r <- gamma_r - L_rc gamma_c, the forward substitution.
            for a in plan.later_range(position) {
                self.gamma[plan.later[a].position as usize] -= self.matrix[m + a] * gamma;
            }
        }
        sum
    }

    /// The effect of the motion of a joint on the right-hand sides of the open rows:
    /// `gamma <- gamma - K^T c - e^T D^-1 r`.
    fn carry_load(
        &mut self,
        plan: &LoopStructure,
        tree: &Tree,
        i: usize,
        inverse_pivot: &[f64],
        residual: &[f64],
        bias: Option<&Motion>,
    ) {
        let OpenRows { columns, first, nv, start, .. } = OpenRows::new(plan, tree, i);
        let inverse = &inverse_pivot[start..start + nv];
        let residual = &residual[start..start + nv];
        for (a, column) in plan.columns[columns.clone()].iter().enumerate() {
            // e^T D^-1 r: what the freedoms of the joint, moving under the loads, do to the row.
            let at = first + a * nv;
            let mut sum = product(&self.pushes[at..at + nv], inverse, residual);
            if let Some(c) = bias {
                sum += c.dot(&self.columns[columns.start + a]);
            }
            self.gamma[column.position as usize] -= sum;
        }
    }

    /// The multipliers of the rows closed on a link, from its acceleration x:
    /// `lambda_c = (gamma_c - K_c^T x) / A_cc - sum l_rc lambda_r`.
    #[inline(always)]
    fn open_multipliers(&mut self, plan: &LoopStructure, link: usize, x: &Motion) {
        let m = plan.rows.len();
        for column in plan.links[link].closed.clone().rev() {
            let position = plan.columns[column].position as usize;
            // What the row demands beyond the motion that its link has already.
            let demand = self.gamma[position] - x.dot(&self.columns[column]);
            let mut lambda = demand * self.inverse[position];
            // The backward substitution: later rows are closed nearer to the root, so that their multipliers are known.
            for a in plan.later_range(position) {
                lambda -= self.matrix[m + a] * self.lambda[plan.later[a].position as usize];
            }
            self.lambda[position] = lambda;
        }
    }

    /// Adds the forces `e lambda` of the open multipliers on the freedoms of a link.
    #[inline(always)]
    fn push_freedoms(&self, plan: &LoopStructure, tree: &Tree, i: usize, residual: &mut [f64]) {
        if plan.links[i].open.is_empty() {
            return;
        }
        let OpenRows { columns, first, nv, start, .. } = OpenRows::new(plan, tree, i);
        let columns = &plan.columns[columns];
        // A single freedom is by far the most frequent case and needs no inner loop.
        if nv == 1 {
            let pushes = &self.pushes[first..first + columns.len()];
            let all = columns.iter().zip(pushes);
            let sum = |sum, (column, push): (&Column, &f64)| {
                sum + push * self.lambda[column.position as usize]
            };
            residual[start] = all.fold(residual[start], sum);
            return;
        }
        let residual = &mut residual[start..start + nv];
        // r <- r + e lambda for each open row and each freedom.
        for (a, column) in columns.iter().enumerate() {
            let lambda = self.lambda[column.position as usize];
            let at = first + a * nv;
            for (residual, push) in residual.iter_mut().zip(&self.pushes[at..at + nv]) {
                *residual += push * lambda;
            }
        }
    }
}

/// The part of the recursion that depends on `q` only. Needs `kinematics::update_positions` and the loads and coefficients
/// of the rows.
pub(crate) fn factor(
    tree: &Tree,
    w: &mut Workspace,
    plan: &LoopStructure,
    f: &mut LoopFactors,
    loads: &[Load],
    coefficients: &[f64],
) -> Result<(), EvalError> {
    f.begin(plan, loads, coefficients);
    f.bound.fill(0.0);
    // Towards the root: rows are closed on their base before its own freedoms are eliminated.
    for i in (1..tree.links.len()).rev() {
        complete_inertia(tree, w, i);
        f.close(plan, i, &mut w.articulated[i], true);
        // The freedoms of the link are eliminated; what the rows feel of them measures the rows.
        eliminate_link(tree, w, i)?;
        f.measure(plan, tree, w, i);
        f.carry(plan, tree, w, i, false);
    }
    // Rows between branches that meet only at the world are closed there.
    f.close(plan, 0, &mut ArticulatedInertia::ZERO.clone(), true);
    Ok(())
}

/// The numbers of all rows that accelerations depend on.
pub(crate) struct RowNumbers<'a> {
    pub loads: &'a [Load],
    pub coefficients: &'a [f64],
    /// Demands, by row.
    pub gamma: &'a [f64],
}

/// Accelerations under the joint forces `tau`, the applied loads and the demands of the rows. Needs
/// `kinematics::update_state`.
pub(crate) fn accelerations(
    tree: &Tree,
    tau: &[f64],
    w: &mut Workspace,
    plan: &LoopStructure,
    f: &mut LoopFactors,
    rows: &RowNumbers<'_>,
    vdot: &mut [f64],
) -> Result<(), EvalError> {
    f.begin(plan, rows.loads, rows.coefficients);
    // The demands, in the order in which the rows are closed.
    for (own, &row) in f.gamma.iter_mut().zip(&plan.rows) {
        *own = rows.gamma[row as usize];
    }
    // Towards the root, inertia and load in one pass.
    for i in (1..tree.links.len()).rev() {
        complete_inertia(tree, w, i);
        f.close(plan, i, &mut w.articulated[i], false);
        let closed = f.close_load(plan, i);
        // The freedoms of the link go out of inertia and load, then out of the columns of its open rows.
        eliminate_link(tree, w, i)?;
        link_load(tree, tau, w, i, Some(closed));
        f.carry(plan, tree, w, i, true);
    }
    f.close(plan, 0, &mut ArticulatedInertia::ZERO.clone(), false);
    f.close_load(plan, 0);
    accelerate(tree, w, plan, f, vdot);
    Ok(())
}

/// The sweep away from the root.
#[inline(always)]
fn accelerate(
    tree: &Tree,
    w: &mut Workspace,
    plan: &LoopStructure,
    f: &mut LoopFactors,
    vdot: &mut [f64],
) {
    // Gravity acts like an upward acceleration of the world.
    let world = Motion::new(Vec3::ZERO, -tree.gravity);
    f.open_multipliers(plan, 0, &world);
    w.sweep.acceleration[0] = world;
    for i in 1..tree.links.len() {
        // The multipliers of rows that are open here are known: they were closed nearer to the root.
        f.push_freedoms(plan, tree, i, &mut w.sweep.residual);
        accelerate_link(tree, w, i, vdot);
        f.open_multipliers(plan, i, &w.sweep.acceleration[i]);
    }
}

/// Causes of a response of the constrained tree; without them the tree is at rest.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Push<'a> {
    /// Demands of the rows, by row; zero if empty.
    pub gamma: &'a [f64],
    /// Forces on the freedoms; none if empty.
    pub tau: &'a [f64],
    /// Loads on links.
    pub loads: &'a [(usize, Load)],
}

/// Accelerations caused by a push, without gravity and velocities. With demands of the rows alone, the result is the
/// smallest change of the speeds, in the metric of the inertia, that changes the rates of the rows by the demands. Needs
/// `factor`.
pub(crate) fn respond(
    tree: &Tree,
    w: &mut Workspace,
    plan: &LoopStructure,
    f: &mut LoopFactors,
    push: Push<'_>,
    change: &mut [f64],
) {
    // Demands and loads of the push alone: gravity, velocities and other loads have no part in a response.
    for (own, &row) in f.gamma.iter_mut().zip(&plan.rows) {
        *own = push.gamma.get(row as usize).copied().unwrap_or(0.0);
    }
    w.sweep.clear();
    for &(link, load) in push.loads {
        w.sweep.load[link] += load;
    }
    // Towards the root: loads and right-hand sides of the rows.
    for i in (1..tree.links.len()).rev() {
        let link = &tree.links[i];
        let load = w.sweep.load[i] + f.close_load(plan, i);
        let vs = link.v_range();
        let factor = LinkFactor {
            form: link.form,
            ma: &w.articulated[i],
            phi: &w.phi[vs.clone()],
            reduced: &w.reduced[vs.clone()],
            inverse_pivot: &w.inverse_pivot[vs.clone()],
        };
        // The joint takes its part of the load, and the parent gets the rest.
        let tau = push.tau.get(vs.clone()).unwrap_or(&[0.0; 6][..vs.len()]);
        let rest = factor.reduce_load(load, tau, &mut w.sweep.residual[vs]);
        w.sweep.load[link.parent as usize] += rest.transformed(&w.x_parent[i]);
        f.carry_load(plan, tree, i, &w.inverse_pivot, &w.sweep.residual, None);
    }
    f.close_load(plan, 0);
    // Away from the root: multipliers, then accelerations.
    f.open_multipliers(plan, 0, &Motion::ZERO);
    w.sweep.acceleration[0] = Motion::ZERO;
    for (i, link) in tree.links.iter().enumerate().skip(1) {
        f.push_freedoms(plan, tree, i, &mut w.sweep.residual);
        // The link moves with its parent and by its own freedoms; no bias, as there are no velocities.
        let x_v = carried(&w.sweep.acceleration[link.parent as usize], &w.x_parent[i]);
        let vs = link.v_range();
        let factor = LinkFactor::new(w, link, i);
        let residual = &w.sweep.residual[vs.clone()];
        let x = factor.accelerate(&x_v, &Motion::ZERO, residual, &mut change[vs]);
        w.sweep.acceleration[i] = x;
        f.open_multipliers(plan, i, &x);
    }
}
