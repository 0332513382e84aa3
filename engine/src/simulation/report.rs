//! The log of a run, in words.

use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

use integrate::{Cause, Listener, Method, MethodKind, Notice, StepReport, Verdict};
use parser::diagnostic::Diagnostic;

use super::course::Watch;
use super::remarks::Remarks;
use super::{Pace, Progress, RunError, Summary};
use crate::codes;
use crate::output::{self, Log};
use crate::system::{Assembly, Drift, LoopEvent, LoopNote, Residuals, Run, System, words};
use language::blocks::general::{Analysis, ResultFile};
use language::model::plugins::PluginType;
use network::run::actions::ActionNote;
use network::run::jumps::JumpNote;

/// Events that are written to the log; a run may have millions, and the rest is only counted.
const LOGGED_EVENTS: u64 = 10_000;

/// Changes of the initial state below this need no note: they are round-off of what was written.
const ASSEMBLY_NOTE: f64 = 1e-9;

/// Writes the log and passes progress on.
pub(super) struct Reporter<'s> {
    system: &'s System,
    log: Log,
    progress: &'s mut dyn Progress,
    /// The clock.
    pub pace: Pace<'s>,
    abort_on_chattering: bool,
    events: u64,
    remarks: Remarks,
    /// Fast states that the log has named.
    fast: Option<usize>,
    /// Lines about events since the last flush.
    lines: Vec<String>,
    chatters: Option<(usize, f64)>,
    /// When a row was last written, and when the user last heard of the run.
    heard: [Instant; 2],
}

/// The log reaches the disk within this time, whatever the integrator does; the display is no older.
const LATENCY: Duration = Duration::from_millis(500);
/// A row that takes longer is reported.
const LONG: Duration = Duration::from_secs(5);

impl<'s> Reporter<'s> {
    pub fn new(
        system: &'s System,
        log: Log,
        progress: &'s mut dyn Progress,
        pace: Pace<'s>,
        abort_on_chattering: bool,
    ) -> Self {
        Self {
            system,
            log,
            progress,
            pace,
            abort_on_chattering,
            events: 0,
            remarks: Remarks::default(),
            fast: None,
            lines: Vec::new(),
            chatters: None,
            heard: [Instant::now(); 2],
        }
    }

    pub fn events(&self) -> u64 {
        self.events
    }

    pub fn take_remarks(&mut self) -> Vec<String> {
        self.remarks.take()
    }

    pub fn reached(&mut self, t: f64) {
        self.heard[0] = self.heard[1];
        self.progress.reached(t);
    }

    pub fn finish(self) -> io::Result<PathBuf> {
        self.log.finish()
    }

    /// Closes the log of a run that cannot begin because a file cannot be created.
    pub fn give_up(mut self, error: RunError) -> RunError {
        self.log.line(format_args!("\nINCOMPLETE: {error}"));
        // The first failure is the one to report.
        let _ = self.finish();
        error
    }

    /// Writes the head of the log: the model and the settings of the solver.
    pub fn opening(&mut self, warnings: &[String]) {
        let (model, tree) = (&self.system.model, &self.system.tree);
        let solver = &model.solver;
        let log = &mut self.log;
        log.line(format_args!("dysim {}", env!("CARGO_PKG_VERSION")));
        log.line(format_args!("model {}", model.name));
        log.line(format_args!("started {}", humantime::format_rfc3339_seconds(SystemTime::now())));
        log.line(format_args!(
            "{} bodies, {} joints, {} freedoms, {} force elements, {} states, {} switching functions",
            model.bodies.len(),
            model.joints.len(),
            tree.n_v(),
            model.forces.len(),
            self.system.n_states(),
            self.system.n_guards(),
        ));
        if solver.analysis != Analysis::Dynamic {
            log.line(format_args!("analysis {} at t = {} s", solver.analysis.word(), solver.start));
            warnings.iter().for_each(|warning| log.line(format_args!("warning: {warning}")));
            self.units();
            return;
        }
        log.line(format_args!(
            "solver {}, RelErr {:e}, AbsErr {:e}, t = {} to {} s, output every {} s, steps up to {} s",
            solver.method.name(),
            solver.relative_error,
            solver.absolute_error,
            solver.start,
            solver.end,
            solver.output_step,
            solver.largest_step,
        ));
        if !model.plugins.is_empty() {
            let kinds = model.plugins.iter().filter_map(|plugin| plugin.kind);
            let mut words: Vec<&str> = kinds.map(PluginType::word).collect();
            words.sort_unstable();
            words.dedup();
            log.line(format_args!("{} plugins: {}", model.plugins.len(), words.join(", ")));
        }
        for warning in warnings {
            log.line(format_args!("warning: {warning}"));
        }
        self.units();
    }

    /// The units of the columns of the `.csv` file, which has no place for them; plots read them here.
    fn units(&mut self) {
        let model = &self.system.model;
        if !output::wanted(model).contains(&ResultFile::Signals) {
            return;
        }
        let mut lines: Vec<(&str, String)> = Vec::new();
        for signal in output::columns(model) {
            let (unit, name) = (model.signal_unit(signal), model.signal_name(signal));
            match lines.iter_mut().find(|line| line.0 == unit) {
                Some((_, names)) => {
                    names.push(' ');
                    names.push_str(&name);
                }
                None => lines.push((unit, name)),
            }
        }
        if !lines.is_empty() {
            self.log.line(format_args!("\nunits of the signals"));
        }
        for (unit, names) in lines {
            self.log.line(format_args!("  [{unit}] {names}"));
        }
    }

    /// Which states a method of mixed mode takes for fast, at the start and at the end if they have become more.
    pub fn partition(&mut self, method: &dyn Method) {
        let (fast, n) = (method.fast_states(), self.system.n_states());
        let is_mixed = self.system.model.solver.method == MethodKind::EulerMixed;
        if !is_mixed || self.fast.is_some_and(|known| known == fast.len()) {
            return;
        }
        self.fast = Some(fast.len());
        let names: Vec<String> = fast.iter().map(|&k| words::state(self.system, k)).collect();
        let names =
            if names.is_empty() { String::new() } else { format!(": {}", names.join(", ")) };
        self.log.line(format_args!("\n{} of {n} states are fast{names}", fast.len()));
    }

    /// The coordinates and rates at the start.
    pub fn initial_values(&mut self, run: &Run<'_>) {
        use crate::system::{Quantity, SignalSource};
        let model = &self.system.model;
        self.log.line(format_args!("\ninitial values at t = {} s", model.solver.start));
        for (index, joint) in model.joints.iter().enumerate() {
            let count = joint.initial().0.len();
            let values = |quantity| -> Vec<String> {
                (0..count)
                    .map(|k| run.signal(SignalSource::Joint(quantity, index, k)).to_string())
                    .collect()
            };
            if count > 0 {
                let (q, qd) = (values(Quantity::Position), values(Quantity::Velocity));
                let name = model.block_name(joint.block);
                self.log.line(format_args!(
                    "  {name}: q = {}; qd = {}",
                    q.join(", "),
                    qd.join(", ")
                ));
            }
        }
        self.log.line(format_args!(""));
    }

    /// Redundant rows and singular positions.
    fn loop_notes(&mut self, run: &mut Run<'_>) {
        for LoopNote { t, row, what } in run.take_loop_notes() {
            let row = words::row(self.system, row);
            let text = match what {
                LoopEvent::Redundant => format!("redundant: {row}; the other constraints keep it"),
                LoopEvent::Singular => {
                    format!("the mechanism passes a singular position at t = {t} s ({row})")
                }
            };
            self.log.line(format_args!("note: {text}"));
        }
    }

    /// What jumped in the networks, and the energy that it took.
    fn jump_notes(&mut self, run: &mut Run<'_>) {
        for JumpNote { t, changes, lost } in run.take_jump_notes() {
            if self.events < LOGGED_EVENTS {
                let told = words::jumps(self.system, &changes, lost);
                self.log.line(format_args!("t = {t}: {told}"));
            }
        }
    }

    /// What `When` blocks and automata did.
    fn action_notes(&mut self, run: &mut Run<'_>) {
        let model = &self.system.model;
        for ActionNote { t, block, what } in run.take_action_notes() {
            if self.events < LOGGED_EVENTS {
                let keyword = model.blocks[block as usize].schema.keyword;
                self.log
                    .line(format_args!("t = {t}: {keyword} {}: {what}", model.block_name(block)));
            }
        }
    }

    /// The largest residuals of the constraints.
    pub fn residuals(&mut self, run: &Run<'_>) {
        if let Some(Residuals { gap, rate }) = run.residuals() {
            self.log.line(format_args!(
                "largest residuals of the constraints: {gap:.1e} (m, rad) and {rate:.1e} (m/s, rad/s)"
            ));
        }
    }

    fn write_lines(&mut self) {
        for line in self.lines.drain(..) {
            self.log.line(format_args!("{line}"));
        }
    }

    /// Notes joints whose reported angles passed a singular position.
    pub fn singular_angles(&mut self, run: &Run<'_>) {
        let model = &self.system.model;
        for (index, joint) in model.joints.iter().enumerate() {
            if let Some(t) = run.singular_since(index) {
                self.log.line(format_args!(
                    "note: the reported angles of {} {} pass a singular position, first at t = {t} s; the motion itself is not affected",
                    joint.kind.keyword(),
                    model.block_name(joint.block),
                ));
            }
        }
    }

    /// How the run ended.
    pub fn closing(&mut self, summary: &Summary, error: Option<&RunError>) {
        self.write_lines();
        let log = &mut self.log;
        match error {
            None if self.system.model.solver.analysis != Analysis::Dynamic => {
                log.line(format_args!("\nfinished"));
            }
            None => log.line(format_args!("\nfinished at t = {} s", summary.end)),
            Some(error @ (RunError::Simulation(_) | RunError::Output(_) | RunError::Write(_))) => {
                log.line(format_args!("\nINCOMPLETE: {error}"));
            }
            Some(RunError::Interrupted) => {
                log.line(format_args!("\nINCOMPLETE: interrupted at t = {} s", summary.end));
            }
        }
        if self.system.model.solver.analysis == Analysis::Dynamic {
            self.work_and_energy(summary);
        }
        let log = &mut self.log;
        for warning in &summary.warnings {
            log.line(format_args!("\nwarning: {warning}"));
        }
        log.line(format_args!("\nended {}", humantime::format_rfc3339_seconds(SystemTime::now())));
        log.line(format_args!("took {:.3} s", summary.wall.as_secs_f64()));
    }

    /// Writes the work of the integrator and the energy balance.
    fn work_and_energy(&mut self, summary: &Summary) {
        let log = &mut self.log;
        let s = &summary.statistics;
        log.line(format_args!(
            "{} steps, {} rejected, {} evaluations, {} restarts, {} events, highest order {}",
            s.steps, s.rejected, s.evaluations, s.restarts, summary.events, s.highest_order,
        ));
        if s.jacobians > 0 {
            log.line(format_args!(
                "{} Jacobians, {} factorisations, {} Newton iterations",
                s.jacobians, s.factorizations, s.newton_iterations,
            ));
        }
        summary.step_lines().iter().for_each(|line| log.line(format_args!("{line}")));
        let b = &summary.balance;
        // Without bodies there is no such energy: the balance of powers says all.
        if b.scale > 0.0 || b.powers.is_none() {
            log.line(format_args!("\nenergy balance, J"));
            log.line(format_args!("  energy at the start  {:.9e}", b.start));
            for (name, work) in &b.works {
                log.line(format_args!("  work of {name}  {work:.9e}"));
            }
            log.line(format_args!("  energy at the end    {:.9e}", b.end));
            log.line(format_args!(
                "  largest gap          {:.3e} ({:.1e} of the energy that took part)",
                b.largest_gap,
                b.relative_gap(),
            ));
        }
        if let (Some((gap, largest)), Some(relative)) = (b.powers, b.relative_power_gap()) {
            log.line(format_args!("\npower balance of the networks, W"));
            log.line(format_args!("  largest power        {largest:.9e}"));
            log.line(format_args!("  largest gap          {gap:.3e} ({relative:.1e} of it)"));
        }
    }

    /// Notes what the user should know of the integration.
    fn note(&mut self, notice: &Notice<'_>) {
        let words = self.remarks.hear(self.system, notice);
        self.lines.extend(words.map(|words| format!("note: {words}")));
    }

    /// Something the user should know when the run is over, for the log and the summary.
    pub fn last_remark(&mut self, words: String) {
        self.log.line(format_args!("note: {words}"));
        self.remarks.add(words);
    }

    /// Writes a line to the log.
    pub fn line(&mut self, text: &str) {
        self.log.line(format_args!("{text}"));
    }
}

impl Watch for Reporter<'_> {
    /// Writes what happened since the last call in the order of time: changes of state that were no
    /// events, because nothing jumped, then the event that followed.
    fn flush(&mut self, run: &mut Run<'_>) {
        for Drift { t, element, from, to } in run.take_drifts() {
            if self.events < LOGGED_EVENTS {
                let guard = self.system.elements[element].guards.start;
                let words = words::change(self.system, guard, i32::from(from), i32::from(to));
                self.log.line(format_args!("t = {t}: {words}"));
            }
        }
        self.loop_notes(run);
        self.write_lines();
        self.action_notes(run);
        self.jump_notes(run);
    }

    /// How the initial state was made to fit the constraints.
    fn assembled(&mut self, run: &mut Run<'_>, assembly: Option<&Assembly>) {
        let Some(assembly) = assembly else { return };
        let Assembly { position, speed, rows, independent, freedoms } = *assembly;
        let log = &mut self.log;
        log.line(format_args!(
            "\nconstraints: {rows} rows, {independent} independent; {freedoms} freedoms are left",
        ));
        if position > ASSEMBLY_NOTE {
            log.line(format_args!(
                "note: coordinates were changed by up to {position:.3e} (m, rad) to close the loops"
            ));
        }
        if speed > ASSEMBLY_NOTE {
            log.line(format_args!(
                "note: rates were changed by up to {speed:.3e} (m/s, rad/s) to keep the loops closed"
            ));
        }
        if freedoms == 0 && self.system.constraints.drives.is_empty() {
            self.remark("the constraints leave no freedom: nothing moves".into());
        }
        self.loop_notes(run);
        self.write_lines();
    }

    /// Something the user should know, for the log and the summary.
    fn remark(&mut self, words: String) {
        self.lines.push(format!("note: {words}"));
        self.remarks.add(words);
    }

    /// The run was stopped because an element chatters.
    fn stopped(&self, system: &System) -> RunError {
        let chatters = self.chatters.filter(|_| self.abort_on_chattering);
        let Some((guard, t)) = chatters else { return RunError::Interrupted };
        let block = system.block_of_guard(guard);
        let span = block.map_or_else(Default::default, |block| system.model.name_span(block));
        let message = format!("{} chatters at t = {t} s", words::element(system, guard));
        RunError::Simulation(Box::new(Diagnostic::new(codes::INTEGRATION_FAILED, span, message)))
    }
}

impl Listener for Reporter<'_> {
    fn step(&mut self, report: &StepReport) {
        self.pace.step(report.t);
    }

    fn goes_on(&mut self, report: &StepReport) -> Verdict {
        if self.pace.is_interrupted() {
            return Verdict::Stop;
        }
        let now = Instant::now();
        if now - self.heard[1] > LATENCY {
            self.heard[1] = now;
            self.log.flush();
            if now - self.heard[0] > LONG {
                self.progress.busy(report.t, report.h);
            }
        }
        Verdict::GoOn
    }

    fn notice(&mut self, notice: &Notice<'_>) -> Verdict {
        match *notice {
            Notice::Switched { t, cause, iteration, changes, .. } => {
                if iteration == 0 && cause != Cause::Start {
                    self.events += 1;
                }
                if self.events == LOGGED_EVENTS && iteration == 0 {
                    self.lines.push("further events are not listed".into());
                }
                if self.events < LOGGED_EVENTS {
                    for change in changes {
                        let words =
                            words::change(self.system, change.guard.0, change.from, change.to);
                        self.lines.push(format!("t = {t}: {words} (pass {})", iteration + 1));
                    }
                }
            }
            Notice::Chattering { t, guard, .. } => {
                self.note(notice);
                self.chatters = Some((guard.0, t));
                if self.abort_on_chattering {
                    return Verdict::Stop;
                }
            }
            _ => self.note(notice),
        }
        Verdict::GoOn
    }
}
