//! Constraints between the bodies of a tree: joints that close loops, rods, coupled coordinates, rolling.
//!
//! Each constraint is one or several *rows*. A row is linear in the accelerations of a few links and
//! coordinates, `sum K . x + sum j vdot = gamma`, in the speeds with the same coefficients, and has a
//! gap that its position leaves. `Constraints` is what does not change, `LoopWorkspace` what does:
//!
//! ```text
//! kinematics::update_state, update_world
//!     -> LoopWorkspace::update_positions     loads K, coefficients j, gaps; coordinates of loop joints
//!     -> LoopWorkspace::update_velocities    rates, demands gamma; speeds of loop joints
//!     -> LoopWorkspace::accelerations        factor and solve, multipliers
//!        LoopWorkspace::correct              smallest change of speeds or coordinates that closes gaps
//! ```
//!
//! Rows that depend on others are found by `select_rows` and left out from then on: the right-hand side of
//! the equations of motion never decides on ranks.

mod constraints_builder;
mod coupling;
mod joint;
mod kept_rows;
mod link_frame;
mod loop_numbers;
pub(super) mod loop_structure;
mod loop_workspace;
mod minimum_degree;
mod reactions;
pub(crate) mod recursion;
mod rod;
mod rolling;
pub(super) mod row_matrix;
mod singular;

pub use constraints_builder::{ConstraintId, ConstraintsBuilder, Frame};
pub use coupling::CoupledCoordinate;
pub use loop_workspace::{Hold, LoopWorkspace};

use coupling::Coupling;
use joint::LoopJoint;
use rod::Rod;
use rolling::Rolling;
use std::ops::Range;

/// One constraint.
#[derive(Clone, Debug)]
enum Constraint {
    Joint(LoopJoint),
    Rod(Rod),
    Coupling(Coupling),
    Rolling(Rolling),
}

/// The place of a row in the lists of all rows.
#[derive(Clone, Debug)]
struct ConstraintRow {
    /// The constraint that the row belongs to.
    element: u32,
    /// Loads of the row.
    loads: Range<u32>,
    /// Coordinates of the row.
    directs: Range<u32>,
    /// The freedom of a loop joint that the row holds, counted over all loop joints; such a row is in force
    /// only while the freedom is held.
    holds: Option<u32>,
}

/// All constraints of a tree.
#[derive(Clone, Debug, Default)]
pub struct Constraints {
    elements: Vec<Constraint>,
    rows: Vec<ConstraintRow>,
    /// Rows of each element.
    element_rows: Vec<Range<usize>>,
    /// Link of each load.
    load_links: Vec<u32>,
    /// Link and freedom (of the tree) of each coordinate.
    direct_links: Vec<(u32, u32)>,
    n_q: usize,
    n_v: usize,
}

impl Constraints {
    /// Whether there is no constraint.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// Number of constraints.
    #[inline]
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// Number of rows, including rows that are in force only at times.
    #[inline]
    pub fn n_rows(&self) -> usize {
        self.rows.len()
    }

    /// Position coordinates of the joints that close loops (a quaternion counts four).
    #[inline]
    pub fn n_q(&self) -> usize {
        self.n_q
    }

    /// Speeds of the joints that close loops.
    #[inline]
    pub fn n_v(&self) -> usize {
        self.n_v
    }

    /// Ranges of the coordinates and speeds of a loop joint among the coordinates and speeds of all loop joints.
    #[inline]
    pub fn coordinates(&self, id: ConstraintId) -> (Range<usize>, Range<usize>) {
        match &self.elements[id.index()] {
            Constraint::Joint(joint) => (joint.q_range(), joint.v_range()),
            Constraint::Rod(_) | Constraint::Coupling(_) | Constraint::Rolling(_) => (0..0, 0..0),
        }
    }

    /// The constraint of a row.
    #[inline]
    pub fn constraint_of(&self, row: usize) -> ConstraintId {
        ConstraintId::new(self.rows[row].element as usize)
    }

    /// The rows of a constraint.
    #[inline]
    pub fn rows_of(&self, id: ConstraintId) -> Range<usize> {
        self.element_rows[id.index()].clone()
    }

    /// Does the gap of a row count in rad? Else in m.
    #[inline]
    pub fn is_angular(&self, row: usize) -> bool {
        let number = row - self.element_rows[self.rows[row].element as usize].start;
        match &self.elements[self.rows[row].element as usize] {
            Constraint::Joint(joint) => joint.is_angular(number),
            Constraint::Rod(_) | Constraint::Rolling(_) => false,
            Constraint::Coupling(coupling) => coupling.is_angular,
        }
    }

    /// The quantity that a row keeps, in words.
    pub fn describe(&self, row: usize) -> String {
        let number = row - self.element_rows[self.rows[row].element as usize].start;
        match &self.elements[self.rows[row].element as usize] {
            Constraint::Joint(joint) => joint.describe(number),
            Constraint::Rod(_) => "length".into(),
            Constraint::Coupling(_) => "ratio".into(),
            Constraint::Rolling(rolling) => rolling.describe(number).into(),
        }
    }

    /// The links that a constraint touches, each at most twice.
    pub fn bodies_of(&self, id: ConstraintId) -> Vec<super::BodyId> {
        let mut bodies = Vec::new();
        for row in self.rows_of(id) {
            let row = &self.rows[row];
            let loads = &self.load_links[row.loads.start as usize..row.loads.end as usize];
            let directs = &self.direct_links[row.directs.start as usize..row.directs.end as usize];
            let links = loads.iter().copied().chain(directs.iter().map(|(link, _)| *link));
            bodies.extend(links.map(super::BodyId));
        }
        bodies.sort_unstable();
        bodies.dedup();
        bodies
    }
}
#[cfg(test)]
mod tests;
