//! `Type = linear`: the linear model, its eigenvalues and its modes.

use super::super::course::Watch;
use super::{Job, RunError, Stop, counted};
use crate::analysis::{Freedom, LinearModel, Mode, ModeKind, Modes, inputs, linearise, modes};
use language::blocks::general::LinearAt;

/// Displacements below this part of the largest are not worth a word.
const WORTH: f64 = 0.1;
/// Freedoms that are named for a mode.
const NAMED: usize = 4;

impl Job<'_, '_, '_, '_> {
    /// Linearises, writes the matrices, the table of eigenvalues and an animation of every oscillation.
    pub(super) fn linear(&mut self) -> Result<(), Stop> {
        let size = self.size();
        let y = self.operating_point(size)?;
        let t = self.mechanism.t;
        self.mechanism.run.observe(t, &y)?;
        self.results.row(t, self.mechanism.run).map_err(RunError::Write)?;
        self.note_locks_and_guards(&y)?;
        let (inputs, outputs) = (inputs(self.system), self.outputs());
        let linear = linearise(&mut self.mechanism, &y, size, &inputs, &outputs)?;
        let freedoms = Freedom::all(self.system);
        let units: Vec<f64> = linear
            .chart
            .independent
            .iter()
            .map(|&k| if freedoms[k].is_angle { 1.0 } else { size })
            .collect();
        let modes = modes(&linear, &units)?;
        self.tell_linear(&linear, &modes, size);
        self.write_linear(&linear, &modes, size)?;
        Ok(())
    }

    /// The settled state about which is linearised.
    pub(super) fn operating_point(&mut self, size: f64) -> Result<Vec<f64>, Stop> {
        if self.system.model.solver.at() == LinearAt::Static {
            return self.find_rest(size);
        }
        let y = self.mechanism.settle(&self.start)?;
        let t = self.mechanism.t;
        let accelerations = self.mechanism.run.probe().accelerations(t, &y)?;
        let largest =
            accelerations.iter().enumerate().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
        let largest = largest.map(|(k, a)| (k, *a));
        /// Accelerations below this, m/s^2 or rad/s^2, count as equilibrium: they are rounding of the coordinates.
        const AT_REST: f64 = 1e-6;
        if let Some((freedom, a)) = largest.filter(|(_, a)| a.abs() > AT_REST) {
            let Freedom { name, is_angle, .. } = &Freedom::all(self.system)[freedom];
            let unit = if *is_angle { "rad/s^2" } else { "m/s^2" };
            self.reporter.remark(format!(
                "the initial state is no equilibrium ({name} accelerates with {a:.3e} {unit}); the linear model describes deviations from the motion that begins there. `At = static` linearises about the equilibrium"
            ));
        }
        Ok(y)
    }

    /// Says what is frozen: held freedoms, and switching functions that are zero here.
    pub(super) fn note_locks_and_guards(&mut self, y: &[f64]) -> Result<(), Stop> {
        let freedoms = Freedom::all(self.system);
        let t = self.mechanism.t;
        let held: Vec<String> = self
            .mechanism
            .run
            .locked_freedoms()
            .map(|freedom| freedoms[freedom].name.clone())
            .collect();
        if !held.is_empty() {
            let held = held.join(", ");
            self.reporter
                .remark(format!("locked or stuck and therefore not among the states: {held}"));
        }
        let at_zero = self.mechanism.run.probe().guards_at_zero(t, y)?;
        let names: Vec<String> = at_zero
            .iter()
            .map(|&guard| crate::system::words::element(self.system, guard))
            .collect();
        if !names.is_empty() {
            self.reporter.remark(format!(
                "the state lies on a switching point of {}; the linear model holds on one side of it only",
                names.join(", ")
            ));
        }
        Ok(())
    }

    /// Summary and log.
    fn tell_linear(&mut self, linear: &LinearModel, modes: &Modes, size: f64) {
        let (n, inputs, outputs) = (linear.states.len(), linear.inputs.len(), linear.outputs.len());
        let words = [counted(n, "state"), counted(inputs, "input"), counted(outputs, "output")];
        self.tell(format!("linear model with {}", words.join(", ")));
        let error = linear.relative_error();
        self.reporter
            .line(&format!("estimated error of the entries of A: {error:.1e} of the largest"));
        self.reporter.line("all switching elements are frozen in their present modes");
        if linear.is_improper() {
            self.reporter.remark(
                "outputs follow derivatives of inputs, which C and D alone do not tell; D1 and D2 of the `.json` file are their factors".into(),
            );
        }
        if linear.shift.iter().any(|x| *x != 0.0) {
            self.reporter.line("states that follow derivatives of inputs are told without the part E u of the inputs, E = B1 + A B2");
        }
        if linear.is_moving {
            self.reporter.remark(
                "the state moves; the eigenvalues are those of the matrix at this instant".into(),
            );
        }
        let mut blocks = self.system.model.constraints.iter().map(|c| c.block as usize);
        let rolls = |block: usize| self.system.model.blocks[block].schema.keyword == "Rolling";
        if linear.is_moving && blocks.any(rolls) {
            self.reporter.remark(
                "something rolls in a state that moves: how the directions of rolling turn with the displacement is left out of the linear model, which is exact only about states at rest".into(),
            );
        }
        let growing = modes.all.iter().filter(|mode| mode.grows()).count();
        if growing > 0 {
            self.reporter.remark(format!("{growing} of the modes grow: the state is unstable"));
        }
        if modes.is_conservative && n > 0 {
            self.reporter.line("no damping and no gyroscopic forces: eigenvalues of the symmetric pair of stiffness and mass");
        }
        self.tell_modes(linear, modes, size);
    }

    /// The table of modes in the log, and the first of them in the summary.
    fn tell_modes(&mut self, linear: &LinearModel, modes: &Modes, size: f64) {
        self.reporter.line("\nmode       real 1/s  imaginary 1/s   frequency Hz     natural Hz  damping ratio  time constant s  what moves");
        for (index, mode) in modes.all.iter().enumerate() {
            let line = format!(
                "{:4} {:14.6e} {:14.6e} {:14.6e} {:14.6e} {:14.6e} {:16.6e}  {}",
                index + 1,
                mode.value.re,
                mode.value.im,
                mode.frequency(),
                mode.natural_frequency(),
                mode.damping_ratio(),
                mode.time_constant(),
                self.movers(linear, mode, size),
            );
            self.reporter.line(&line);
        }
        self.found.lines.extend(
            modes
                .all
                .iter()
                .enumerate()
                .take(6)
                .map(|(index, mode)| format!("mode {}: {}", index + 1, describe(mode))),
        );
        if modes.all.len() > 6 {
            self.found
                .lines
                .push(format!("and {} further modes, see the log", modes.all.len() - 6));
        }
    }

    /// The freedoms that move most in a mode, with their share.
    fn movers(&self, linear: &LinearModel, mode: &Mode, size: f64) -> String {
        if linear.has_storages() {
            return participants(linear, mode);
        }
        let freedoms = Freedom::all(self.system);
        let mut rated: Vec<(f64, &str)> = linear
            .full_shape(mode)
            .iter()
            .zip(&freedoms)
            .map(|(x, freedom)| {
                let unit = if freedom.is_angle { 1.0 } else { size };
                (x.norm() / unit, freedom.name.as_str())
            })
            .collect();
        rated.sort_by(|a, b| b.0.total_cmp(&a.0));
        let largest = rated.first().map_or(0.0, |(size, _)| *size);
        let named = rated.iter().filter(|(size, _)| *size > WORTH * largest).take(NAMED);
        let words = named.map(|(size, name)| format!("{name} {:.2}", size / largest));
        words.collect::<Vec<_>>().join(", ")
    }
}

/// The states with the largest parts in a mode.
fn participants(linear: &LinearModel, mode: &Mode) -> String {
    let parts = mode.participation.iter().zip(&linear.states);
    let mut rated: Vec<(f64, &str)> = parts.map(|(part, name)| (*part, name.as_str())).collect();
    rated.sort_by(|a, b| b.0.total_cmp(&a.0));
    let named = rated.iter().filter(|(part, _)| *part > WORTH).take(NAMED);
    named.map(|(part, name)| format!("{name} {part:.2}")).collect::<Vec<_>>().join(", ")
}

/// A mode in one line.
pub(super) fn describe(mode: &Mode) -> String {
    match mode.kind {
        ModeKind::Oscillation => format!(
            "{:.6} Hz, damping ratio {:.3e}{}",
            mode.frequency(),
            mode.damping_ratio(),
            if mode.grows() { ", GROWS" } else { "" }
        ),
        ModeKind::Aperiodic if mode.grows() => {
            format!("GROWS with a time constant of {:.4e} s", -mode.time_constant())
        }
        ModeKind::Aperiodic => {
            format!("decays with a time constant of {:.4e} s", mode.time_constant())
        }
        ModeKind::Rigid => "moves freely".into(),
    }
}
