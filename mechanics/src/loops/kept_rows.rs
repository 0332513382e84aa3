//! Which rows the equations of motion keep: as many rows as are independent, no more.

use super::Constraints;
use super::loop_structure::{LoopStructure, RowShape};
use super::recursion::{self, LoopFactors, Push, RowNumbers};
use crate::error::EvalError;
use crate::spatial::Load;
use crate::tree::Tree;
use crate::workspace::Workspace;

/// A row counts as dependent on other rows if the square of the sine of its angle with them, in the metric of the inertia,
/// is below this value. For rows that depend on each other only in closed positions (Bricard's mechanism) the sine squared
/// is of the size of the squared gaps, which is far below.
const DEPENDENT: f64 = 1e-10;
/// Once the rows are chosen, only pivots that are round-off count as zero: a mechanism that passes a singular position comes
/// this near to it while it turns by 1e-6 rad.
const ROUND_OFF: f64 = 1e-12;

/// Limits on the strength of rows, tried in turn: the first limit that leaves enough rows is taken.
const LIMITS: [f64; 7] = [0.1, 0.03, 0.01, 1e-3, 1e-4, 1e-6, 0.0];

/// The loads and coefficients of all rows.
pub(super) struct Columns<'a> {
    loads: &'a [Load],
    coefficients: &'a [f64],
}

impl<'a> Columns<'a> {
    pub fn of(loads: &'a [Load], coefficients: &'a [f64]) -> Self {
        Self { loads, coefficients }
    }
}

/// The rows available for selection.
pub(super) struct Candidates<'a> {
    pub constraints: &'a Constraints,
    pub tree: &'a Tree,
    /// Rows in force at present.
    pub in_force: Vec<bool>,
}

/// The rows that the equations of motion keep, with the structure and the factors of these equations.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub(super) struct KeptRows {
    /// True for each row that is kept.
    selected: Vec<bool>,
    plan: LoopStructure,
    factors: LoopFactors,
    /// The factors belong to the present plan.
    is_factored: bool,
    /// The greatest strength of each row so far.
    best: Vec<f64>,
}

impl KeptRows {
    /// All rows, before the first selection.
    pub fn new(n_rows: usize) -> Self {
        Self {
            selected: vec![true; n_rows],
            plan: LoopStructure::default(),
            factors: LoopFactors::default(),
            is_factored: false,
            best: vec![0.0; n_rows],
        }
    }

    /// Whether a row is kept.
    #[inline]
    pub fn is_kept(&self, row: usize) -> bool {
        self.selected[row]
    }

    /// For each row whether it is kept.
    #[inline]
    pub fn mask(&self) -> &[bool] {
        &self.selected
    }

    /// The rows that are kept, in the order of the equations.
    #[inline]
    pub fn rows(&self) -> &[u32] {
        &self.plan.rows
    }

    /// Rows with their multipliers in the last solution.
    pub fn multipliers(&self) -> impl Iterator<Item = (usize, f64)> {
        self.plan
            .rows
            .iter()
            .zip(&self.factors.lambda)
            .map(|(&row, &lambda)| (row as usize, lambda))
    }

    /// Rows with the share of their demands that damping took, in the last solution.
    pub fn damped_shares(&self) -> impl Iterator<Item = (usize, f64)> {
        let shares = self.factors.added.iter().zip(&self.factors.lambda);
        self.plan
            .rows
            .iter()
            .zip(shares)
            .map(|(&row, (added, lambda))| (row as usize, added * lambda))
    }

    /// Keeps as many independent rows as there are; true if other rows were kept before.
    pub fn select(
        &mut self,
        candidates: &Candidates<'_>,
        columns: &Columns<'_>,
        w: &mut Workspace,
    ) -> Result<bool, EvalError> {
        let before = self.selected.clone();
        // The number of independent rows, whatever their strength.
        let rank = self.try_selection(candidates, columns, w, 0.0)?;
        let in_force = candidates.in_force.iter().filter(|in_force| **in_force).count();
        if rank < in_force {
            // A row that is nearly dependent may give way to a later, stronger row.
            for least in LIMITS {
                if self.try_selection(candidates, columns, w, least)? == rank {
                    break;
                }
            }
        }
        self.make_plan(candidates);
        Ok(before != self.selected)
    }

    /// Keeps as many rows as before, but other rows if these are stronger; true if other rows were kept before.
    pub fn select_as_many(
        &mut self,
        candidates: &Candidates<'_>,
        columns: &Columns<'_>,
        w: &mut Workspace,
    ) -> Result<bool, EvalError> {
        let (before, count) = (self.selected.clone(), self.plan.rows.len());
        // As for `select`, but with the number of rows that were kept before.
        let mut found = false;
        for least in LIMITS {
            found = self.try_selection(candidates, columns, w, least)? == count;
            if found {
                break;
            }
        }
        // No selection has as many rows: the old one stays.
        if !found {
            self.selected.clone_from(&before);
        }
        self.make_plan(candidates);
        Ok(before != self.selected)
    }

    /// Selects the rows in force that are independent of the rows before them and stronger than a limit; gives
    /// the number of these rows.
    fn try_selection(
        &mut self,
        candidates: &Candidates<'_>,
        columns: &Columns<'_>,
        w: &mut Workspace,
        least: f64,
    ) -> Result<usize, EvalError> {
        // Factor with all rows in force.
        self.selected.copy_from_slice(&candidates.in_force);
        self.make_plan(candidates);
        (self.factors.least_independence, self.factors.least_strength) = (DEPENDENT, least);
        let factored = self.factor(candidates.tree, w, columns);
        // Keep the rows whose pivots are large enough.
        let mut count = 0;
        for (position, &row) in self.plan.rows.iter().enumerate() {
            self.selected[row as usize] = self.factors.is_kept(position);
            count += usize::from(self.selected[row as usize]);
        }
        (self.factors.least_independence, self.factors.least_strength) = (ROUND_OFF, 0.0);
        factored.map(|()| count)
    }

    /// The structure of the equations with the rows that are selected.
    fn make_plan(&mut self, Candidates { constraints, tree, .. }: &Candidates<'_>) {
        // The shape of the tree, and of each row the links and freedoms that it touches.
        let parents: Vec<u32> = tree.links.iter().map(|link| link.parent).collect();
        let freedoms: Vec<u8> = tree.links.iter().map(|link| link.nv).collect();
        let rows = constraints.rows.iter().enumerate().filter(|(at, _)| self.selected[*at]);
        let shapes: Vec<RowShape> = rows
            .map(|(at, row)| RowShape {
                row: at as u32,
                element: row.element,
                loads: row
                    .loads
                    .clone()
                    .map(|load| (load, constraints.load_links[load as usize]))
                    .collect(),
                directs: row
                    .directs
                    .clone()
                    .map(|direct| {
                        let (link, v) = constraints.direct_links[direct as usize];
                        (direct, link, v - tree.links[link as usize].v_start)
                    })
                    .collect(),
            })
            .collect();
        self.is_factored = false;
        // What fits another structure is worth nothing now.
        self.plan = LoopStructure::new(&parents, &freedoms, &shapes);
        self.factors.fit(&self.plan);
    }

    /// Factors the equations of motion, and measures how strong and how independent the rows are.
    pub fn factor(
        &mut self,
        tree: &Tree,
        w: &mut Workspace,
        columns: &Columns<'_>,
    ) -> Result<(), EvalError> {
        self.is_factored = true;
        let Columns { loads, coefficients } = columns;
        recursion::factor(tree, w, &self.plan, &mut self.factors, loads, coefficients)
    }

    /// Factors with weak rows damped by a fraction of their best pivots. The equations of motion must be factored again after.
    pub fn factor_damped(
        &mut self,
        tree: &Tree,
        w: &mut Workspace,
        columns: &Columns<'_>,
        damping: f64,
    ) -> Result<(), EvalError> {
        // Damping is for this factorisation only: equations of motion must not have it.
        self.factors.damping = damping;
        let factored = self.factor(tree, w, columns);
        self.factors.damping = 0.0;
        self.is_factored = false;
        factored
    }

    /// Records the best strength that each row has had.
    pub fn compare(&mut self) {
        for (position, &row) in self.plan.rows.iter().enumerate() {
            let best = &mut self.best[row as usize];
            *best = best.max(self.factors.strength(position));
            self.factors.best[position] = *best;
        }
    }

    /// The weakest row and its strength in the last factorisation, if there was one.
    pub fn weakest(&self) -> Option<(usize, f64)> {
        if !self.is_factored {
            return None;
        }
        let all = self.plan.rows.iter().enumerate();
        let all = all.map(|(position, &row)| (row as usize, self.factors.strength(position)));
        all.min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Accelerations and multipliers in one pass over the tree.
    pub fn accelerations(
        &mut self,
        tree: &Tree,
        tau: &[f64],
        w: &mut Workspace,
        rows: &RowNumbers<'_>,
        vdot: &mut [f64],
    ) -> Result<(), EvalError> {
        recursion::accelerations(tree, tau, w, &self.plan, &mut self.factors, rows, vdot)
    }

    /// Accelerations that a push alone causes, by the present factors.
    pub fn respond(&mut self, tree: &Tree, w: &mut Workspace, push: Push<'_>, vdot: &mut [f64]) {
        recursion::respond(tree, w, &self.plan, &mut self.factors, push, vdot);
    }
}
