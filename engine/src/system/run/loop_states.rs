//! Closed loops in motion: rows in force, rows that are selected, their strength and residuals.
//!
//! The rows that take part are chosen once (`LoopWorkspace::select_rows`) and kept until a row that was left out opens.

use super::body_states::BodyStates;
use super::singular_passage::{Approach, Expected};
use super::{Failure, System};
use mechanics::loops::{Hold, LoopWorkspace};
use mechanics::{Tree, Workspace};

/// Gaps above this mean that the constraints are not kept, m or rad.
pub(super) const GAP_LIMIT: f64 = 1e-10;
/// The same for rates, m/s or rad/s.
pub(super) const RATE_LIMIT: f64 = 1e-9;
/// A singular position is near when the weakest row has less than this fraction of the strength that it had.
const NEAR_SINGULAR: f64 = 0.01;
/// Notes that are kept.
const MAX_NOTES: usize = 50;

/// Sizes of a mechanism that residuals are compared with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    /// Reach, at least 1 m.
    pub length: f64,
    /// Speed, at least 1 m/s.
    pub speed: f64,
}

/// The largest residuals of the rows in a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Residuals {
    /// Of positions, m or rad.
    pub gap: f64,
    /// Of speeds, m/s or rad/s.
    pub rate: f64,
}

/// Something about the constraints that the log should tell: time, row, what.
#[derive(Clone, Copy, Debug)]
pub struct LoopNote {
    /// Time, s.
    pub t: f64,
    /// The row.
    pub row: usize,
    /// What happened to it.
    pub what: LoopEvent,
}

/// What happened to a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopEvent {
    /// It depends on others at the start.
    Redundant,
    /// The mechanism passes a singular position, near which it depends on others.
    Singular,
}

/// All that changes of the closed loops.
#[derive(educe::Educe)]
#[educe(Clone)]
pub(super) struct LoopStates {
    /// Rows, coordinates of loop joints, factors.
    pub workspace: LoopWorkspace,
    /// Changes of speeds or coordinates.
    pub change: Vec<f64>,
    /// The same as changes of position coordinates.
    shift: Vec<f64>,
    /// True if the rows in force have changed since rows were selected from them.
    pub stale: bool,
    /// The largest residuals so far.
    pub residuals: Residuals,
    /// Notes for the log.
    pub notes: Vec<LoopNote>,
    /// True if a singular position is near: weak rows are damped there.
    is_near_singular: bool,
    /// Strength of the weakest row where it was strongest.
    strongest: f64,
    /// Other rows are looked for when the weakest one has no more than this fraction of its strength.
    looked_at: f64,
    /// The way of the weakest row to a singular position.
    approach: Approach,
    /// Accelerations that the last states near a singular position let expect.
    pub expected: Expected,
    /// The state before its corrections.
    pub before: Vec<f64>,
}

/// The absolute value of a number. NaN counts as infinite: comparisons with NaN are false, so that a search for the
/// largest residual would pass over it.
pub(super) fn magnitude(x: f64) -> f64 {
    if x.is_nan() { f64::INFINITY } else { x.abs() }
}

impl LoopStates {
    /// Loops at the beginning of a run; `None` without rows.
    pub fn new(system: &System) -> Option<Self> {
        let rows = &system.constraints.rows;
        (!rows.is_empty()).then(|| Self {
            workspace: LoopWorkspace::new(rows),
            change: vec![0.0; system.tree.n_v()],
            shift: vec![0.0; system.tree.n_q()],
            stale: true,
            residuals: Residuals::default(),
            notes: Vec::new(),
            is_near_singular: false,
            strongest: 0.0,
            looked_at: NEAR_SINGULAR,
            approach: Approach::default(),
            expected: Expected::new(system.tree.n_v()),
            before: Vec::with_capacity(system.n_states()),
        })
    }

    /// Is a singular position near?
    pub fn is_near_singular(&self) -> bool {
        self.is_near_singular
    }

    /// Damps weak rows as near a singular position, or not.
    pub fn set_near_singular(&mut self, yes: bool) {
        self.is_near_singular = yes;
    }

    /// Factor on the goals: near a singular position what is left open is divided by the distance to it.
    pub fn precision(&self) -> f64 {
        if self.is_near_singular { 1e-3 } else { 1.0 }
    }

    /// Corrections go on as long as each leaves less than this fraction of what there was: damped ones are slow.
    pub fn least_progress(&self) -> f64 {
        if self.is_near_singular { 0.95 } else { 0.5 }
    }

    fn note(&mut self, t: f64, row: usize, what: LoopEvent) {
        if self.notes.len() < MAX_NOTES {
            self.notes.push(LoopNote { t, row, what });
        }
    }

    /// The largest gap and rate of the rows that a condition picks, with their rows.
    pub fn worst(&self, pick: impl Fn(usize) -> bool) -> [(f64, usize); 2] {
        let mut worst = [(0.0, 0); 2];
        let all = self.workspace.gap.iter().zip(&self.workspace.rate).enumerate();
        for (row, (gap, rate)) in all.filter(|(row, _)| pick(*row)) {
            for (worst, value) in worst.iter_mut().zip([gap, rate]) {
                let size = magnitude(*value);
                if size > worst.0 {
                    *worst = (size, row);
                }
            }
        }
        worst
    }

    /// Rows and coordinates of loop joints for bodies that are placed; if `lean`, only what accelerations need.
    pub fn update(
        &mut self,
        system: &System,
        bodies: &mut BodyStates,
        lean: bool,
    ) -> Result<(), Failure> {
        let (rows, n_q, n_v) = (&system.constraints.rows, system.tree.n_q(), system.tree.n_v());
        let (q, of_loops_q) = bodies.q.split_at_mut(n_q);
        let (v, of_loops_v) = bodies.v.split_at_mut(n_v);
        if lean && !self.stale {
            self.workspace.update_loads(rows, &bodies.workspace, q);
            self.workspace.update_demands(rows, &bodies.workspace, v);
            return Ok(());
        }
        self.workspace.update_positions(rows, &bodies.workspace, q);
        self.workspace.update_velocities(rows, &bodies.workspace, v);
        if self.stale {
            self.select(system, &mut bodies.workspace)?;
            self.stale = false;
        }
        of_loops_q.copy_from_slice(&self.workspace.q);
        of_loops_v.copy_from_slice(&self.workspace.v);
        Ok(())
    }

    /// Selects independent rows; true if others were selected before.
    fn select(&mut self, system: &System, w: &mut Workspace) -> Result<bool, Failure> {
        let selected = self.workspace.select_rows(&system.constraints.rows, &system.tree, w);
        selected.map_err(Failure::Dynamics)
    }

    /// Selects rows anew; true if others were selected before.
    pub fn reselect(
        &mut self,
        system: &System,
        bodies: &mut BodyStates,
        t: f64,
    ) -> Result<bool, Failure> {
        let changed = self.select(system, &mut bodies.workspace)?;
        let rows = &system.constraints.rows;
        let is_dropped = |&row: &usize| {
            self.workspace.is_in_force(rows, row) && !self.workspace.is_selected(row)
        };
        let dropped = (0..rows.n_rows()).find(is_dropped);
        if let Some(row) = dropped.filter(|_| changed) {
            self.note(t, row, LoopEvent::Singular);
        }
        Ok(changed)
    }

    /// Selects rows anew and factors the equations with them.
    pub fn refactor(&mut self, system: &System, bodies: &mut BodyStates) -> Result<(), Failure> {
        self.select(system, &mut bodies.workspace)?;
        let factored = self.workspace.factor(&system.tree, &mut bodies.workspace);
        factored.map_err(Failure::Dynamics)
    }

    /// Factors the equations with the rows that are selected.
    pub fn factor(&mut self, tree: &Tree, bodies: &mut BodyStates) -> Result<(), Failure> {
        let factored = match self.is_near_singular {
            true => self.workspace.factor_damped(tree, &mut bodies.workspace),
            false => self.workspace.factor(tree, &mut bodies.workspace),
        };
        factored.map_err(Failure::Dynamics)
    }

    /// Sizes of the mechanism where its bodies are placed.
    pub fn sizes(&self, bodies: &BodyStates) -> Sizes {
        let length = self.workspace.reach(&bodies.workspace).max(1.0);
        let speed = bodies.v.iter().fold(0.0, |most: f64, v| most.max(v.abs()));
        Sizes { length, speed: (length * speed).max(1.0) }
    }

    /// True if damped corrections left more than a tenth of the residuals that are allowed.
    pub fn is_loose(&self) -> bool {
        if !self.is_near_singular {
            return false;
        }
        let [(gap, _), (rate, _)] = self.worst(|row| self.workspace.is_selected(row));
        gap > 0.1 * GAP_LIMIT || rate > 0.1 * RATE_LIMIT
    }

    /// A row in force that the state does not keep; else the residuals are noted.
    pub fn broken_row(&mut self, system: &System, bodies: &BodyStates) -> Option<usize> {
        let rows = &system.constraints.rows;
        let Sizes { length, speed } = self.sizes(bodies);
        let [gap, rate] = self.worst(|row| self.workspace.is_in_force(rows, row));
        if gap.0 > GAP_LIMIT * length {
            return Some(gap.1);
        }
        if rate.0 > RATE_LIMIT * speed {
            return Some(rate.1);
        }
        self.residuals.gap = self.residuals.gap.max(gap.0);
        self.residuals.rate = self.residuals.rate.max(rate.0);
        None
    }

    /// Changes the coordinates of a state so that the gaps close, by a fraction of the full way.
    pub fn shift_coordinates(
        &mut self,
        tree: &Tree,
        bodies: &mut BodyStates,
        y: &mut [f64],
        fraction: f64,
    ) {
        self.workspace.close_gaps(tree, &mut bodies.workspace, &mut self.change);
        let (q, _) = y.split_at_mut(tree.n_q());
        tree.fill_coordinate_rates(q, &self.change, &mut self.shift);
        for (q, shift) in q.iter_mut().zip(&self.shift) {
            *q += fraction * shift;
        }
    }

    /// Changes the speeds of a state so that the rates of the rows become zero.
    pub fn shift_speeds(&mut self, tree: &Tree, bodies: &mut BodyStates, y: &mut [f64]) {
        self.workspace.stop_rates(tree, &mut bodies.workspace, &mut self.change);
        let speeds = &mut y[tree.n_q()..tree.n_q() + tree.n_v()];
        for (v, change) in speeds.iter_mut().zip(&self.change) {
            *v += change;
        }
    }

    /// Factors the equations and compares the strengths of the rows.
    fn compare(&mut self, tree: &Tree, bodies: &mut BodyStates) -> Result<(), Failure> {
        let compared = self.workspace.factor_and_compare(tree, &mut bodies.workspace);
        compared.map_err(Failure::Dynamics)
    }

    /// Finds how strong the rows are at the end of a step; true if the equations are factored there.
    pub fn watch_rows(
        &mut self,
        system: &System,
        bodies: &mut BodyStates,
        t: f64,
    ) -> Result<bool, Failure> {
        let (tree, rows) = (&system.tree, &system.constraints.rows);
        self.compare(tree, bodies)?;
        let Some((row, strength)) = self.workspace.weakest() else { return Ok(false) };
        self.strongest = self.strongest.max(strength);
        let fraction = strength / self.strongest.max(f64::MIN_POSITIVE);
        self.is_near_singular = fraction < NEAR_SINGULAR;
        // Other rows may be far from dependent; each tenfold approach is worth a look.
        if !self.is_near_singular {
            self.looked_at = NEAR_SINGULAR;
        } else if fraction <= self.looked_at && self.workspace.n_selected() < rows.n_rows() {
            self.looked_at = 0.1 * fraction;
            let selected = self.workspace.select_as_many(rows, tree, &mut bodies.workspace);
            let changed = selected.map_err(Failure::Dynamics)?;
            self.compare(tree, bodies)?;
            if changed {
                self.approach = Approach::default();
                let now = self.workspace.weakest().map_or(1.0, |(_, strength)| strength);
                self.is_near_singular = now < NEAR_SINGULAR * self.strongest;
                return Ok(!self.is_near_singular);
            }
        }
        // The root of the strength is proportional to the distance from a singular position.
        if let Some(crossing) = self.approach.follow(t, fraction.sqrt()) {
            self.note(crossing, row, LoopEvent::Singular);
        }
        Ok(!self.is_near_singular)
    }
}

/// Locks the driven freedoms of the tree, and holds those of loop joints at their targets.
pub(super) fn hold_driven(
    system: &System,
    bodies: &mut BodyStates,
    mut loops: Option<&mut LoopStates>,
) {
    let n_v = system.tree.n_v();
    for drive in &system.constraints.drives {
        let of = drive.coordinates;
        for v in of.v..of.v + of.count() {
            if drive.closes.is_none() {
                bodies.workspace.lock(v, true);
            } else if let Some(loops) = &mut loops {
                loops.workspace.hold(v - n_v, Hold::Target);
            }
        }
    }
}
