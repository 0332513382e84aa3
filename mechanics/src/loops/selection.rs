//! Which rows the equations of motion keep: as many as are independent, no more.

use super::structure::{RowShape, Structure};
use super::{Constraints, LoopWorkspace};
use crate::error::EvalError;
use crate::tree::Tree;
use crate::workspace::Workspace;

/// A row is taken as dependent on others if the square of the sine of its angle with them, in the metric of
/// the inertia, is below this. Rows that depend on each other only in closed positions (Bricard's mechanism)
/// leave the square of the gaps of the position, far below.
const DEPENDENT: f64 = 1e-10;
/// With rows chosen, only what is round-off is not divided by: a mechanism that passes a singular position
/// comes this near to it while it turns by 1e-6 rad.
const ROUND_OFF: f64 = 1e-12;

/// Limits on the strength of rows that are tried in turn: the first with which enough rows are left is taken.
const LIMITS: [f64; 7] = [0.1, 0.03, 0.01, 1e-3, 1e-4, 1e-6, 0.0];

impl LoopWorkspace {
    /// Finds rows in force that are independent of each other, as many as there are and as far from
    /// dependence as a few trials give, and makes them those that the equations of motion keep; true if others
    /// were before. Needs `update_positions`. Allocates.
    pub fn select_rows(
        &mut self,
        constraints: &Constraints,
        tree: &Tree,
        w: &mut Workspace,
    ) -> Result<bool, EvalError> {
        let before = self.selected.clone();
        let rank = self.try_selection(constraints, tree, w, 0.0)?;
        let in_force = constraints.rows.iter().filter(|row| self.in_force(row)).count();
        if rank < in_force {
            // A row that is nearly dependent may give way to one behind it.
            for least in LIMITS {
                if self.try_selection(constraints, tree, w, least)? == rank {
                    break;
                }
            }
        }
        self.make_plan(constraints, tree);
        Ok(before != self.selected)
    }

    /// The same in motion, with the number of rows kept: one that depends on others only because a singular position is
    /// near is not given up, and one that is independent only because a step has left the closed positions is not
    /// taken, since it would hold the mechanism.
    pub fn select_as_many(
        &mut self,
        constraints: &Constraints,
        tree: &Tree,
        w: &mut Workspace,
    ) -> Result<bool, EvalError> {
        let (before, count) = (self.selected.clone(), self.n_selected());
        let mut found = false;
        for least in LIMITS {
            found = self.try_selection(constraints, tree, w, least)? == count;
            if found {
                break;
            }
        }
        if !found {
            self.selected.clone_from(&before);
        }
        self.make_plan(constraints, tree);
        Ok(before != self.selected)
    }

    /// Selects the rows in force that are independent of those before them and stronger than a limit; how many
    /// they are.
    fn try_selection(
        &mut self,
        constraints: &Constraints,
        tree: &Tree,
        w: &mut Workspace,
        least: f64,
    ) -> Result<usize, EvalError> {
        for (at, row) in constraints.rows.iter().enumerate() {
            self.selected[at] = self.in_force(row);
        }
        self.make_plan(constraints, tree);
        (self.factors.least_independence, self.factors.least_strength) = (DEPENDENT, least);
        let factored = self.factor(tree, w);
        let mut count = 0;
        for (position, &row) in self.plan.rows.iter().enumerate() {
            self.selected[row as usize] = self.factors.is_kept(position);
            count += usize::from(self.selected[row as usize]);
        }
        (self.factors.least_independence, self.factors.least_strength) = (ROUND_OFF, 0.0);
        factored.map(|()| count)
    }

    fn make_plan(&mut self, constraints: &Constraints, tree: &Tree) {
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
        self.plan = Structure::new(&parents, &freedoms, &shapes);
        self.factors.fit(&self.plan);
        self.change.resize(tree.n_v(), 0.0);
    }
}
