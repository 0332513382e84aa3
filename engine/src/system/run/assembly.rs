//! The initial state of a mechanism: coordinates that close the loops, speeds that keep them closed.
//!
//! Newton's method from `Qinit` with steps that are the smallest in the metric of the inertia; a step is
//! shortened until the gaps become smaller. Coordinates of joints with `Fixed = yes` stay as they are written.

use parser::diagnostic::Diagnostic;

use super::loop_projection::Projection;
use super::loop_states::{LoopEvent, LoopNote, magnitude};
use super::{Failure, Run};
use crate::codes;
use crate::system::words;
use integrate::{EvaluationError, IntegrationError};
use mechanics::BodyId;

/// Gaps below this are closed, m or rad.
const CLOSED: f64 = 1e-10;
/// Most steps; each at least halves the gaps where there is a way.
const STEPS: usize = 200;
/// Halvings of one step.
const HALVINGS: usize = 12;
/// Longest change of a coordinate in one step, rad or m per m of the mechanism.
const LONGEST: f64 = 0.5;

/// What assembly changed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Assembly {
    /// Largest change of a position coordinate, m or rad.
    pub position: f64,
    /// Largest change of a speed, m/s or rad/s.
    pub speed: f64,
    /// Rows in force.
    pub rows: usize,
    /// Rows that are independent.
    pub independent: usize,
    /// Freedoms that are left.
    pub freedoms: usize,
}

/// Where a loop cannot be closed.
enum Open {
    /// The gap of a row stays open.
    Gap(usize),
    /// The speeds contradict a row.
    Rate(usize),
}

/// How open the loops are.
#[derive(Default)]
struct Openness {
    /// Sum of the squares of all gaps in force.
    sum: f64,
    /// The largest gap, m or rad.
    worst: f64,
    /// The row of the largest gap.
    row: usize,
}

/// Finds an initial state of a run that closes all loops.
pub(super) struct Assembler<'r, 's> {
    run: &'r mut Run<'s>,
}

impl<'r, 's> Assembler<'r, 's> {
    /// An assembler of initial states of a run.
    pub fn new(run: &'r mut Run<'s>) -> Self {
        Self { run }
    }

    /// Closes all loops of an initial state at a time and makes its speeds fit; `None` without constraints.
    ///
    /// # Errors
    /// If the loops cannot be closed from there: the joints of the loop and the gap.
    pub fn assemble(&mut self, t: f64, y: &mut [f64]) -> Result<Option<Assembly>, Box<Diagnostic>> {
        if self.run.system.constraints.is_empty() {
            return Ok(None);
        }
        let written = y.to_vec();
        self.hold_at_start();
        self.fix(true);
        let closed = self.close_loops(t, y);
        let stopped = closed.and_then(|row| match row {
            Some(row) => Ok(Some(Open::Gap(row))),
            None => Ok(self.fit_speeds(t, y)?.map(Open::Rate)),
        });
        self.fix(false);
        let open = stopped.map_err(|failure| self.impossible(t, failure))?;
        match open {
            Some(Open::Gap(row)) => return Err(Box::new(self.open_loop(row, false))),
            Some(Open::Rate(row)) => return Err(Box::new(self.open_loop(row, true))),
            None => {}
        }
        self.finish_assembly(t, y, &written).map_err(|failure| self.impossible(t, failure))
    }

    /// Closes the loops of a state again while some freedoms of the tree stay where they are, and lets the speeds fit; in
    /// words what stays open, if anything does.
    pub fn close_again(
        &mut self,
        t: f64,
        y: &mut [f64],
        held: &[usize],
    ) -> Result<Option<String>, Failure> {
        if self.run.system.constraints.is_empty() {
            return Ok(None);
        }
        for &v in held {
            self.run.now.bodies.workspace.lock(v, true);
        }
        self.forget_rows();
        let closed = self.close_loops(t, y);
        for &v in held {
            self.run.now.bodies.workspace.lock(v, false);
        }
        self.free_again();
        if let Some(row) = closed? {
            return Ok(Some(self.open_loop(row, false).message));
        }
        let open = self.fit_speeds(t, y)?;
        if let Some(loops) = &mut self.run.now.loops {
            loops.workspace.follow();
        }
        Ok(open.map(|row| self.open_loop(row, true).message))
    }

    /// Locks of the modes and of motions are in force again, and no others.
    fn free_again(&mut self) {
        self.run.update_locks();
        self.run.hold_driven();
        self.forget_rows();
    }

    /// Other freedoms are locked, so that other rows may be independent.
    fn forget_rows(&mut self) {
        if let Some(loops) = &mut self.run.now.loops {
            loops.stale = true;
        }
    }

    fn finish_assembly(
        &mut self,
        t: f64,
        y: &mut [f64],
        written: &[f64],
    ) -> Result<Option<Assembly>, Failure> {
        self.run.place(t, y)?;
        let (tree, rows) = (&self.run.system.tree, &self.run.system.constraints.rows);
        let mut result = Assembly { freedoms: tree.n_v(), ..Assembly::default() };
        let (n_q, n_v) = (tree.n_q(), tree.n_v());
        let driven =
            self.run.system.constraints.drives.iter().filter(|drive| drive.closes.is_none());
        result.freedoms -= driven.map(|drive| drive.coordinates.count()).sum::<usize>();
        for (k, (now, before)) in y.iter().zip(written).take(n_q + n_v).enumerate() {
            let change = if k < n_q { &mut result.position } else { &mut result.speed };
            *change = change.max((now - before).abs());
        }
        if let Some(loops) = &mut self.run.now.loops {
            let w = &mut loops.workspace;
            w.select_rows(rows, tree, &mut self.run.now.bodies.workspace)
                .map_err(Failure::Dynamics)?;
            for row in 0..rows.n_rows() {
                if w.is_in_force(rows, row) {
                    result.rows += 1;
                    if !w.is_selected(row) {
                        loops.notes.push(LoopNote { t, row, what: LoopEvent::Redundant });
                    }
                }
            }
            result.independent = w.n_selected();
            result.freedoms -= w.n_selected().min(result.freedoms);
            w.follow();
        }
        Ok(Some(result))
    }

    /// Loop joints that are locked stand where they are written.
    fn hold_at_start(&mut self) {
        let (model, n_q, n_v) =
            (&self.run.system.model, self.run.system.tree.n_q(), self.run.system.tree.n_v());
        let Some(loops) = &mut self.run.now.loops else { return };
        let w = &mut loops.workspace;
        for (joint, closes) in self.run.system.constraints.joints.iter().enumerate() {
            let (Some(mut of), Some(_)) = (self.run.system.coordinates[joint], closes) else {
                continue;
            };
            (of.q, of.v) = (of.q - n_q, of.v - n_v);
            let (x, _) = model.joints[joint].initial();
            let rest = [0.0; 6];
            of.write(x, &rest[..x.len()], &mut w.target_q, &mut w.target_v);
            // Angles of loop joints begin on the branch of `Qinit`.
            let mut rates = [0.0; 6];
            let mut branch = of;
            branch.v = 0;
            branch.write(x, &rest[..x.len()], &mut w.last, &mut rates);
        }
    }

    /// Locks the joints whose coordinates are to stay, or frees them again.
    fn fix(&mut self, fixed: bool) {
        let n_q = self.run.system.tree.n_q();
        for (joint, of) in self.run.system.model.joints.iter().zip(&self.run.system.coordinates) {
            let keeps = joint.options.as_ref().is_some_and(|options| options.fixed.is_yes());
            if let Some(of) = of.filter(|of| keeps && of.q < n_q) {
                for v in of.v..of.v + of.count() {
                    self.run.now.bodies.workspace.lock(v, fixed);
                }
            }
        }
        if !fixed {
            self.free_again();
        }
        self.forget_rows();
    }

    fn openness(&self) -> Openness {
        let rows = &self.run.system.constraints.rows;
        let mut found = Openness::default();
        let Some(loops) = &self.run.now.loops else { return found };
        let all = loops.workspace.gap.iter().enumerate();
        for (row, gap) in all.filter(|(row, _)| loops.workspace.is_in_force(rows, *row)) {
            found.sum += gap * gap;
            if magnitude(*gap) > found.worst {
                (found.worst, found.row) = (magnitude(*gap), row);
            }
        }
        found
    }

    /// Reach of the mechanism, at least 1 m.
    fn reach(&self) -> f64 {
        let now = &self.run.now;
        now.loops
            .as_ref()
            .map_or(1.0, |loops| loops.workspace.reach(&now.bodies.workspace).max(1.0))
    }

    /// Newton's method for the coordinates; the row that stays open, if one does.
    fn close_loops(&mut self, t: f64, y: &mut [f64]) -> Result<Option<usize>, Failure> {
        self.run.place(t, y)?;
        y.copy_from_slice(&self.run.now.y);
        for _ in 0..STEPS {
            let Openness { sum, worst, .. } = self.openness();
            let reach = self.reach();
            if worst <= CLOSED * reach {
                // One more step leaves round-off.
                self.project_onto(t, y)?;
                return Ok(None);
            }
            if !self.shorten_gaps(t, y, sum, reach)? {
                break;
            }
        }
        let Openness { worst, row, .. } = self.openness();
        Ok((worst > CLOSED * self.reach()).then_some(row))
    }

    fn project_onto(&mut self, t: f64, y: &mut [f64]) -> Result<(), Failure> {
        self.refactor()?;
        let now = &mut self.run.now;
        if let Some(loops) = &mut now.loops {
            loops.shift_coordinates(&self.run.system.tree, &mut now.bodies, y, 1.0);
        }
        self.run.place(t, y)
    }

    fn refactor(&mut self) -> Result<(), Failure> {
        let now = &mut self.run.now;
        let loops = now.loops.as_mut();
        loops.map_or(Ok(()), |loops| loops.refactor(self.run.system, &mut now.bodies))
    }

    /// One step; false if it leads nowhere.
    fn shorten_gaps(
        &mut self,
        t: f64,
        y: &mut [f64],
        sum: f64,
        reach: f64,
    ) -> Result<bool, Failure> {
        self.refactor()?;
        let before = y.to_vec();
        let tree = &self.run.system.tree;
        if let Some(loops) = &mut self.run.now.loops {
            loops.workspace.close_gaps(tree, &mut self.run.now.bodies.workspace, &mut loops.change);
        }
        let change = self.run.now.loops.as_ref().map_or(&[] as &[f64], |loops| &loops.change);
        let longest = change.iter().fold(0.0, |most: f64, c| most.max(c.abs()));
        let change = change.to_vec();
        // A step is never longer than the linear equations of the gaps are worth.
        let mut fraction = (LONGEST * reach / longest.max(f64::MIN_POSITIVE)).min(1.0);
        let mut shift = vec![0.0; tree.n_q()];
        for _ in 0..HALVINGS {
            tree.fill_coordinate_rates(&before[..tree.n_q()], &change, &mut shift);
            for ((y, before), shift) in y.iter_mut().zip(&before).zip(&shift) {
                *y = before + fraction * shift;
            }
            tree.normalize_quaternions(&mut y[..tree.n_q()]);
            self.run.place(t, y)?;
            if self.openness().sum < sum * (1.0 - 1e-4 * fraction) {
                if let Some(loops) = &mut self.run.now.loops {
                    loops.workspace.follow();
                }
                return Ok(true);
            }
            fraction *= 0.5;
        }
        y.copy_from_slice(&before);
        self.run.place(t, y)?;
        Ok(false)
    }

    /// Makes the speeds fit; the row that they cannot keep, if there is one.
    fn fit_speeds(&mut self, t: f64, y: &mut [f64]) -> Result<Option<usize>, Failure> {
        /// Rates above this contradict each other, m/s or rad/s.
        const CONTRADICTING: f64 = 1e-8;
        self.run.place(t, y)?;
        y.copy_from_slice(&self.run.now.y);
        self.refactor()?;
        Projection::new(self.run).stop_rates(t, y, true)?;
        let rows = &self.run.system.constraints.rows;
        let speed = self.run.now.bodies.v.iter().fold(1.0, |most: f64, v| most.max(v.abs()));
        let Some(loops) = &self.run.now.loops else { return Ok(None) };
        let w = &loops.workspace;
        let mut broken = (0..rows.n_rows()).filter(|&row| w.is_in_force(rows, row));
        Ok(broken.find(|&row| magnitude(w.rate[row]) > CONTRADICTING * speed))
    }

    fn impossible(&self, t: f64, failure: Failure) -> Box<Diagnostic> {
        let source = EvaluationError::Undefined { index: 0, what: "right-hand side" };
        let error = IntegrationError::Evaluation { t, h: 0.0, order: 0, source };
        Box::new(words::failure(self.run.system, &error, Some(failure)))
    }

    /// The message about a loop that stays open.
    fn open_loop(&self, row: usize, of_speeds: bool) -> Diagnostic {
        let system = self.run.system;
        let rows = &system.constraints.rows;
        let id = rows.constraint_of(row);
        let block = system.constraints.blocks[id.index()];
        let keyword = system.model.blocks[block as usize].schema.keyword;
        let name = format!("{keyword} `{}`", system.model.block_name(block));
        let (mut gap, mut angle) = (0.0f64, 0.0f64);
        for row in rows.rows_of(id) {
            let Some(loops) = &self.run.now.loops else { continue };
            let open = if of_speeds { loops.workspace.rate[row] } else { loops.workspace.gap[row] };
            if loops.workspace.is_in_force(rows, row) {
                if rows.is_angular(row) { angle += open * open } else { gap += open * open }
            }
        }
        let (gap, angle) = (gap.sqrt(), angle.sqrt().to_degrees());
        let per = if of_speeds { "/s" } else { "" };
        let joints = self.joints_of_loop(row).join(", ");
        let message = match of_speeds {
            false => format!(
                "the loop of {name} cannot be closed: a gap of {gap:.3e} m and {angle:.3e} deg is left"
            ),
            true => format!(
                "the motions contradict {name}: its ends part with {gap:.3e} m{per} and {angle:.3e} deg{per}"
            ),
        };
        let help = match of_speeds {
            false => format!(
                "joints of the loop: {joints}; other lengths, other `Qinit`, or no `Fixed = yes` may help"
            ),
            true => format!("joints of the loop: {joints}; remove one of the motions"),
        };
        let code = if of_speeds { codes::CONTRADICTION } else { codes::LOOP_OPEN };
        Diagnostic::new(code, system.model.name_span(block), message).help(help)
    }

    /// Names of the joints of the tree between the bodies of a row, the constraint itself first.
    fn joints_of_loop(&self, row: usize) -> Vec<String> {
        const SHOWN: usize = 12;
        let system = self.run.system;
        let id = system.constraints.rows.constraint_of(row);
        let block = system.constraints.blocks[id.index()];
        let mut names = vec![system.model.block_name(block).to_string()];
        let bodies = system.constraints.rows.bodies_of(id);
        let path = |mut body: BodyId| {
            let mut passed = vec![body];
            while body != BodyId::WORLD {
                body = system.tree.mother(body);
                passed.push(body);
            }
            passed
        };
        let paths: Vec<Vec<BodyId>> = bodies.into_iter().map(path).collect();
        let on_all = |body: &BodyId| paths.iter().all(|path| path.contains(body));
        for path in &paths {
            for body in path.iter().take_while(|body| !on_all(body)) {
                let joint = system.carried.iter().position(|carried| carried == body);
                let name =
                    joint.map(|joint| system.model.block_name(system.model.joints[joint].block));
                names.extend(name.map(str::to_string));
            }
        }
        names.truncate(SHOWN);
        names
    }
}
