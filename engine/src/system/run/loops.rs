//! Closed loops in motion: rows of the present state, projection, residuals.
//!
//! After each accepted step the state is brought back onto the manifold of the constraints by the smallest
//! changes in the metric of the inertia: `q <- q - M^-1 J^T (J M^-1 J^T)^-1 g`, repeated until the gaps g are
//! round-off, then the speeds likewise. The change of kinetic energy is of second order in the change of the
//! speeds. The rows that take part are chosen once (`LoopWorkspace::select_rows`) and kept until a row that
//! was left out opens.
//!
//! Where two branches of the manifold cross, errors off the manifold have equations of their own, which are
//! unstable. Near such a singular position the weak rows are damped, in the equations of motion as in the projection
//! (`mechanics/src/loops/singular.rs`): the mechanism stays on its branch.

use super::singular::{Approach, Expected};
use super::{Failure, Run};
use mechanics::kinematics;
use mechanics::loops::{Hold, LoopWorkspace};

/// Gaps below this times the size of the mechanism (at least 1 m) are closed, m or rad.
const GAP_GOAL: f64 = 2e-13;
/// Gaps above this mean that the constraints are not kept, m or rad.
const GAP_LIMIT: f64 = 1e-10;
/// The same for rates, m/s or rad/s.
const RATE_GOAL: f64 = 1e-12;
const RATE_LIMIT: f64 = 1e-9;
/// Most corrections of a state; quadratic convergence needs two or three.
const CORRECTIONS: usize = 10;
/// A singular position is near when the weakest row has less than this fraction of the strength that it had.
const NEAR_SINGULAR: f64 = 0.01;
/// Notes that are kept.
const MAX_NOTES: usize = 50;

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

/// The constraints of a run.
#[derive(Clone)]
pub(super) struct LoopRun {
    pub workspace: LoopWorkspace,
    /// Changes of speeds or coordinates.
    pub change: Vec<f64>,
    /// The same as changes of position coordinates.
    pub shift: Vec<f64>,
    /// Other rows are in force than were selected from.
    pub stale: bool,
    pub residuals: Residuals,
    pub notes: Vec<LoopNote>,
    /// Is a singular position near?
    is_near_singular: bool,
    /// Strength of the weakest row where it was strongest.
    strongest: f64,
    /// Other rows were looked for when the weakest one had this fraction of its strength.
    looked_at: f64,
    approach: Approach,
    pub expected: Expected,
    /// The state before its corrections.
    before: Vec<f64>,
}

/// The size of a number; what is none counts as infinite, so that no comparison overlooks it.
pub(super) fn magnitude(x: f64) -> f64 {
    if x.is_nan() { f64::INFINITY } else { x.abs() }
}

impl LoopRun {
    pub fn new(system: &super::System) -> Option<Self> {
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

    /// Factor on the goals: near a singular position what is left open is divided by the distance to it.
    fn precision(&self) -> f64 {
        if self.is_near_singular { 1e-3 } else { 1.0 }
    }

    /// Corrections go on as long as each leaves less than this fraction of what there was: damped ones are slow.
    fn least_progress(&self) -> f64 {
        if self.is_near_singular { 0.95 } else { 0.5 }
    }

    fn note(&mut self, t: f64, row: usize, what: LoopEvent) {
        if self.notes.len() < MAX_NOTES {
            self.notes.push(LoopNote { t, row, what });
        }
    }

    /// The largest gap and rate of the rows that a condition picks, with their rows.
    fn worst(&self, pick: impl Fn(usize) -> bool) -> [(f64, usize); 2] {
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
}

impl Run<'_> {
    /// Takes the held and driven freedoms of loop joints in force from the start.
    pub(super) fn hold_driven(&mut self) {
        let n_v = self.system.tree.n_v();
        for drive in &self.system.constraints.drives {
            let of = drive.coordinates;
            for v in of.v..of.v + of.count() {
                if drive.closes.is_none() {
                    self.now.workspace.lock(v, true);
                } else if let Some(loops) = &mut self.now.loops {
                    loops.workspace.hold(v - n_v, Hold::Target);
                }
            }
        }
    }

    /// Rows and coordinates of loop joints for the present kinematics; if `lean`, only what accelerations need.
    pub(super) fn update_loops(&mut self, lean: bool) -> Result<(), Failure> {
        let (tree, rows) = (&self.system.tree, &self.system.constraints.rows);
        let (q, v, _) = self.system.split(&self.now.y);
        self.now.q[..q.len()].copy_from_slice(q);
        self.now.v[..v.len()].copy_from_slice(v);
        let Some(loops) = &mut self.now.loops else { return Ok(()) };
        if lean && !loops.stale {
            loops.workspace.update_loads(rows, &self.now.workspace, q);
            loops.workspace.update_demands(rows, &self.now.workspace, v);
            return Ok(());
        }
        loops.workspace.update_positions(rows, &self.now.workspace, q);
        loops.workspace.update_velocities(rows, &self.now.workspace, v);
        if loops.stale {
            let selected = loops.workspace.select_rows(rows, tree, &mut self.now.workspace);
            selected.map_err(Failure::Dynamics)?;
            loops.stale = false;
        }
        self.now.q[q.len()..].copy_from_slice(&loops.workspace.q);
        self.now.v[v.len()..].copy_from_slice(&loops.workspace.v);
        Ok(())
    }

    /// Brings a state onto the manifold of the constraints.
    pub(super) fn project_state(&mut self, t: f64, y: &mut [f64]) -> Result<(), Failure> {
        if self.system.constraints.is_empty() {
            return Ok(());
        }
        self.place(t, y)?;
        y.copy_from_slice(&self.now.y);
        if self.now.loops.is_none() {
            return Ok(());
        }
        let result = self.bring_back(t, y);
        self.expect(t, y);
        result
    }

    /// Near a singular position, keeps the accelerations of a state in mind.
    fn expect(&mut self, t: f64, y: &[f64]) {
        let near = self.now.loops.as_ref().is_some_and(|loops| loops.is_near_singular);
        let computed = near
            && self.update(t, y).is_ok()
            && self.apply_forces().is_ok()
            && self.accelerate(true).is_ok();
        let n_v = self.system.tree.n_v();
        let Some(loops) = &mut self.now.loops else { return };
        match computed {
            true => loops.expected.push(t, &self.now.vdot[..n_v]),
            false => loops.expected.clear(),
        }
    }

    /// Brings a placed state onto the manifold.
    fn bring_back(&mut self, t: f64, y: &mut [f64]) -> Result<(), Failure> {
        let factored = self.watch_rows(t)?;
        if let Some(loops) = &mut self.now.loops {
            loops.before.clear();
            loops.before.extend_from_slice(y);
        }
        let residuals = self.residuals();
        let mut broken = self.correct(t, y, factored)?;
        if self.is_loose() {
            // Damping left too much: errors of the step are larger than the round-off that it is there for.
            self.begin_again(t, y, residuals)?;
            broken = self.correct_undamped(t, y)?;
        }
        let Some(row) = broken else { return Ok(()) };
        // Weak rows have led astray: others are looked for where the step ended.
        self.begin_again(t, y, residuals)?;
        if self.reselect(t)? {
            broken = self.correct_undamped(t, y)?;
        }
        broken.map_or(Ok(()), |_| Err(Failure::Constraint(row)))
    }

    /// Takes corrections of a state back.
    fn begin_again(
        &mut self,
        t: f64,
        y: &mut [f64],
        residuals: Option<Residuals>,
    ) -> Result<(), Failure> {
        if let Some(loops) = &mut self.now.loops {
            y.copy_from_slice(&loops.before);
            loops.residuals = residuals.unwrap_or_default();
        }
        self.place(t, y)
    }

    /// Corrects a state with all rows in full, also near a singular position.
    fn correct_undamped(&mut self, t: f64, y: &mut [f64]) -> Result<Option<usize>, Failure> {
        let near = self.now.loops.as_ref().is_some_and(|loops| loops.is_near_singular);
        self.damp(false);
        let broken = self.correct(t, y, false);
        self.damp(near);
        broken
    }

    /// Corrects coordinates, then speeds; a row that is not kept all the same.
    fn correct(&mut self, t: f64, y: &mut [f64], factored: bool) -> Result<Option<usize>, Failure> {
        let factored = self.close_gaps(t, y, factored)?;
        self.stop_rates(t, y, factored)?;
        Ok(self.broken_row())
    }

    /// Did damped corrections leave more than a tenth of what is allowed?
    fn is_loose(&self) -> bool {
        let Some(loops) = self.now.loops.as_ref().filter(|loops| loops.is_near_singular) else {
            return false;
        };
        let [(gap, _), (rate, _)] = loops.worst(|row| loops.workspace.is_selected(row));
        gap > 0.1 * GAP_LIMIT || rate > 0.1 * RATE_LIMIT
    }

    fn damp(&mut self, yes: bool) {
        if let Some(loops) = &mut self.now.loops {
            loops.is_near_singular = yes;
        }
    }

    /// A row in force that the state does not keep; else the residuals are noted.
    fn broken_row(&mut self) -> Option<usize> {
        let rows = &self.system.constraints.rows;
        let (reach, speed) = self.sizes();
        let loops = self.now.loops.as_mut()?;
        let [gap, rate] = loops.worst(|row| loops.workspace.is_in_force(rows, row));
        if gap.0 > GAP_LIMIT * reach {
            return Some(gap.1);
        }
        if rate.0 > RATE_LIMIT * speed {
            return Some(rate.1);
        }
        loops.residuals.gap = loops.residuals.gap.max(gap.0);
        loops.residuals.rate = loops.residuals.rate.max(rate.0);
        None
    }

    /// Length and speed that residuals are compared with: those of the mechanism, at least 1 m and 1 m/s.
    fn sizes(&self) -> (f64, f64) {
        let reach =
            self.now.loops.as_ref().map_or(0.0, |loops| loops.workspace.reach(&self.now.workspace));
        let speed = self.now.v.iter().fold(0.0, |most: f64, v| most.max(v.abs()));
        (reach.max(1.0), (reach.max(1.0) * speed).max(1.0))
    }

    /// Newton's method for the gaps; true if the equations are factored for this position or one very near it.
    fn close_gaps(&mut self, t: f64, y: &mut [f64], mut factored: bool) -> Result<bool, Failure> {
        let mut before = f64::INFINITY;
        for _ in 0..CORRECTIONS {
            let (reach, _) = self.sizes();
            let Some(loops) = &self.now.loops else { return Ok(factored) };
            let [(gap, _), _] = loops.worst(|row| loops.workspace.is_selected(row));
            if gap <= loops.precision() * GAP_GOAL * reach || gap >= loops.least_progress() * before
            {
                break;
            }
            if !factored || before < f64::INFINITY {
                self.factor_loops()?;
            }
            (before, factored) = (gap, true);
            self.shift_coordinates(y, 1.0);
            self.place(t, y)?;
        }
        Ok(factored)
    }

    /// Changes the coordinates so that the gaps close, by a fraction of the full way.
    pub(super) fn shift_coordinates(&mut self, y: &mut [f64], fraction: f64) {
        let tree = &self.system.tree;
        let Some(loops) = &mut self.now.loops else { return };
        loops.workspace.close_gaps(tree, &mut self.now.workspace, &mut loops.change);
        let (q, _) = y.split_at_mut(tree.n_q());
        tree.fill_coordinate_rates(q, &loops.change, &mut loops.shift);
        for (q, shift) in q.iter_mut().zip(&loops.shift) {
            *q += fraction * shift;
        }
    }

    /// Makes the rates of the rows zero.
    pub(super) fn stop_rates(
        &mut self,
        t: f64,
        y: &mut [f64],
        mut factored: bool,
    ) -> Result<(), Failure> {
        let tree = &self.system.tree;
        let mut before = f64::INFINITY;
        for _ in 0..CORRECTIONS {
            let (_, speed) = self.sizes();
            let Some(loops) = &self.now.loops else { return Ok(()) };
            let [_, (rate, _)] = loops.worst(|row| loops.workspace.is_selected(row));
            if rate <= loops.precision() * RATE_GOAL * speed
                || rate >= loops.least_progress() * before
            {
                return Ok(());
            }
            before = rate;
            if !factored {
                self.factor_loops()?;
                factored = true;
            }
            let Some(loops) = &mut self.now.loops else { return Ok(()) };
            loops.workspace.stop_rates(tree, &mut self.now.workspace, &mut loops.change);
            let speeds = &mut y[tree.n_q()..tree.n_q() + tree.n_v()];
            for (v, change) in speeds.iter_mut().zip(&loops.change) {
                *v += change;
            }
            self.place(t, y)?;
        }
        Ok(())
    }

    /// Factors the equations with the rows that are selected.
    fn factor_loops(&mut self) -> Result<(), Failure> {
        let Some(loops) = &mut self.now.loops else { return Ok(()) };
        let (tree, w) = (&self.system.tree, &mut self.now.workspace);
        let factored = match loops.is_near_singular {
            true => loops.workspace.factor_damped(tree, w),
            false => loops.workspace.factor(tree, w),
        };
        factored.map_err(Failure::Dynamics)
    }

    /// Looks how strong the rows are at the end of a step; true if the equations are factored there.
    fn watch_rows(&mut self, t: f64) -> Result<bool, Failure> {
        let (tree, rows) = (&self.system.tree, &self.system.constraints.rows);
        let Some(loops) = &mut self.now.loops else { return Ok(false) };
        loops
            .workspace
            .factor_and_compare(tree, &mut self.now.workspace)
            .map_err(Failure::Dynamics)?;
        let Some((row, strength)) = loops.workspace.weakest() else { return Ok(false) };
        loops.strongest = loops.strongest.max(strength);
        let fraction = strength / loops.strongest.max(f64::MIN_POSITIVE);
        loops.is_near_singular = fraction < NEAR_SINGULAR;
        // Other rows may be far from dependent; each tenfold approach is worth a look.
        if !loops.is_near_singular {
            loops.looked_at = NEAR_SINGULAR;
        } else if fraction <= loops.looked_at && loops.workspace.n_selected() < rows.n_rows() {
            loops.looked_at = 0.1 * fraction;
            let selected = loops.workspace.select_as_many(rows, tree, &mut self.now.workspace);
            let changed = selected.map_err(Failure::Dynamics)?;
            loops
                .workspace
                .factor_and_compare(tree, &mut self.now.workspace)
                .map_err(Failure::Dynamics)?;
            if changed {
                loops.approach = Approach::default();
                let now = loops.workspace.weakest().map_or(1.0, |(_, strength)| strength);
                loops.is_near_singular = now < NEAR_SINGULAR * loops.strongest;
                return Ok(!loops.is_near_singular);
            }
        }
        if let Some(crossing) = loops.approach.follow(t, fraction.sqrt()) {
            loops.note(crossing, row, LoopEvent::Singular);
        }
        Ok(!loops.is_near_singular)
    }

    /// Selects rows anew; true if others were selected before.
    fn reselect(&mut self, t: f64) -> Result<bool, Failure> {
        let (tree, rows) = (&self.system.tree, &self.system.constraints.rows);
        let Some(loops) = &mut self.now.loops else { return Ok(false) };
        let selected = loops.workspace.select_rows(rows, tree, &mut self.now.workspace);
        let changed = selected.map_err(Failure::Dynamics)?;
        let dropped = (0..rows.n_rows()).find(|&row| {
            loops.workspace.is_in_force(rows, row) && !loops.workspace.is_selected(row)
        });
        if let Some(row) = dropped.filter(|_| changed) {
            loops.note(t, row, LoopEvent::Singular);
        }
        Ok(changed)
    }

    /// What joints carry and drives give: needs `accelerate`, uses up the applied loads.
    pub(super) fn react(&mut self) {
        use mechanics::inverse;
        let system = self.system;
        let n_v = system.tree.n_v();
        self.now.tau_reacting.copy_from_slice(&self.now.tau[..n_v]);
        let (tree, w) = (&system.tree, &mut self.now.workspace);
        if let Some(loops) = &self.now.loops {
            loops.workspace.add_reactions(&system.constraints.rows, w, &mut self.now.tau_reacting);
        }
        inverse::update_accelerations(tree, &self.now.vdot[..n_v], w);
        inverse::update_joint_loads(tree, w);
        self.put_driven_accelerations();
        let (tree, w) = (&system.tree, &mut self.now.workspace);
        let (vdot, tau) = (&self.now.vdot[..n_v], &self.now.tau_reacting);
        inverse::fill_drive_forces(tree, vdot, tau, w, &mut self.now.drive[..n_v]);
        if let Some(loops) = &self.now.loops {
            let rows = &system.constraints.rows;
            loops.workspace.fill_accelerations(rows, w, &mut self.now.vdot[n_v..]);
            loops.workspace.fill_held_forces(rows, &mut self.now.drive[n_v..]);
            for held in &mut self.now.drive[n_v..] {
                *held = -*held;
            }
        }
    }

    /// Poses and velocities of a state, and what constraints make of them.
    pub(super) fn place(&mut self, t: f64, y: &[f64]) -> Result<(), Failure> {
        self.place_with(t, y, false)
    }

    /// The same; if `lean`, of the constraints only what accelerations need.
    pub(super) fn place_with(&mut self, t: f64, y: &[f64], lean: bool) -> Result<(), Failure> {
        self.now.t = t;
        self.now.is_observed = false;
        self.now.is_evaluated = false;
        self.now.y.copy_from_slice(y);
        self.put_drives(t)?;
        let tree = &self.system.tree;
        let (q, v, _) = self.system.split(&self.now.y);
        kinematics::update_state(tree, q, v, &mut self.now.workspace);
        if self.now.needs_world {
            kinematics::update_world_poses(tree, &mut self.now.workspace);
            kinematics::update_world_velocities(tree, v, &mut self.now.workspace);
        }
        self.update_loops(lean)?;
        self.add_driven_bias();
        Ok(())
    }

    /// The largest residuals so far.
    pub fn residuals(&self) -> Option<Residuals> {
        self.now.loops.as_ref().map(|loops| loops.residuals)
    }

    /// Notes about constraints since the last call.
    pub fn take_loop_notes(&mut self) -> Vec<LoopNote> {
        self.now.loops.as_mut().map_or_else(Vec::new, |loops| std::mem::take(&mut loops.notes))
    }
}
