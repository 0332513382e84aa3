//! Runs of models that switch: the log as events, the table of results, the work.

use engine::ErrorKind;
use engine::internals::system::Run;
use integrate::{MethodKind, Settings, Statistics, StepLimits, Tolerance};

pub use crate::examples::example as model_text;
use crate::loading;
pub use crate::loading::system;
use crate::ode::run::{Outcome, Recorder, driver, integrate};
use crate::simulate::{How, run_with};

/// What came of a run.
pub struct Told {
    /// Every change of state in the log: time, and the words behind it.
    pub changes: Vec<(f64, String)>,
    /// The whole log.
    pub log: String,
    /// Names of the columns of the table.
    pub names: Vec<String>,
    /// Rows of the table.
    pub rows: Vec<Vec<f64>>,
    /// Work of the integrator.
    pub statistics: Statistics,
    /// Instants at which something switched.
    pub events: u64,
    /// Chattering and the like.
    pub remarks: Vec<String>,
    /// Why the run ended early.
    pub error: Option<String>,
    /// Gap in the balance of energy as a fraction of the energy that took part.
    pub energy_gap: f64,
    /// Works of the elements that convert energy.
    pub works: Vec<(String, f64)>,
}

impl Told {
    /// The times of the changes whose words contain `words`.
    pub fn times(&self, words: &str) -> Vec<f64> {
        let found = self.changes.iter().filter(|(_, said)| said.contains(words));
        found.map(|(t, _)| *t).collect()
    }

    /// A column of the table.
    ///
    /// # Panics
    /// Where there is no such column.
    #[allow(clippy::panic, reason = "a test ends here")]
    pub fn column(&self, name: &str) -> Vec<f64> {
        let found = self.names.iter().position(|known| known == name);
        let Some(index) = found else { panic!("no column {name} in {:?}", self.names) };
        self.rows.iter().map(|row| row[index]).collect()
    }

    /// The last value of a column.
    pub fn last(&self, name: &str) -> f64 {
        self.column(name).last().copied().unwrap_or(f64::NAN)
    }

    /// Ends the test if the run ended early.
    ///
    /// # Panics
    /// Then.
    #[must_use]
    pub fn to_the_end(self) -> Self {
        assert!(self.error.is_none(), "{:?}\n{}", self.error, self.log);
        self
    }
}

/// Simulates a model.
pub fn simulate(text: &str) -> Told {
    simulate_with(text, false)
}

/// Simulates a model, with or without the wish to end at chattering.
///
/// # Panics
/// If the text is wrong or a file cannot be written.
pub fn simulate_with(text: &str, abort_on_chattering: bool) -> Told {
    let outcome = run_with(text, How { abort_on_chattering, ..How::default() });
    let log = outcome.text("log");
    let has_table = outcome.files().iter().any(|name| name.ends_with(".csv"));
    let table = has_table.then(|| outcome.table("csv"));
    let (names, rows) =
        table.map_or_else(Default::default, |table| (table.columns.clone(), table.rows.clone()));
    let summary = outcome.summary;
    Told {
        changes: log.lines().filter_map(change).collect(),
        names,
        rows,
        statistics: summary.statistics,
        events: summary.events,
        remarks: summary.remarks.clone(),
        error: outcome.error.map(|error| match (error.kind(), error.diagnostics()) {
            (ErrorKind::Simulation, [mistake]) => mistake.message.clone(),
            _ => error.to_string(),
        }),
        energy_gap: summary.balance.relative_gap(),
        works: summary.balance.works.clone(),
        log,
    }
}

/// `t = 1.5: Contact foot: slip -> stick (pass 1)`
fn change(line: &str) -> Option<(f64, String)> {
    let (t, words) = line.strip_prefix("t = ")?.split_once(": ")?;
    words.contains(" -> ").then_some(())?;
    Some((t.parse().ok()?, words.to_string()))
}

/// A run of a model by a method of one's choice, without files.
///
/// # Panics
/// If the text is wrong or the run ends early.
#[allow(clippy::panic, reason = "a test ends here")]
pub fn outcome(text: &str, kind: MethodKind, outputs: usize) -> (Outcome, Recorder) {
    let model = loading::model(text);
    let system = system(&model);
    let mut run = Run::new(&system);
    let solver = &model.checked().solver;
    let tolerance = Tolerance::new(solver.relative_error, solver.absolute_error);
    let mut settings = Settings::new(kind, tolerance);
    settings.limits = StepLimits { max: solver.largest_step, ..StepLimits::default() };
    settings.fixed_step = solver.largest_step;
    settings.events.search = integrate::RootSearch::Locate;
    let mut driver = driver(kind, &run, &settings);
    let (span, y) = ((solver.start, solver.end), system.initial_state());
    let mut recorder = Recorder::default();
    let made = integrate(&mut driver, &mut run, span, &y, outputs, &mut recorder);
    (made.unwrap_or_else(|error| panic!("{error}")), recorder)
}

/// The blocks around a model: header, gravity, derf with these tolerances, outputs every `step`.
pub fn frame(tolerance: f64, (end, step): (f64, f64), signals: &str) -> String {
    format!(
        "Header \"h\" {{ ModelName = m; OutputType = all; }}\n\
         System \"s\" {{ GravAccel = 0, 0, -9.81; ScaleGrav = 1; }}\n\
         Solver \"d\" {{ Type = dynamic; Solver = derf; RelErr = {tolerance:e}; AbsErr = {tolerance:e}; \
         Tstart = 0; Tend = {end}; Tstep = {step}; TstepMax = {end}; TstepMin = 0; TstepIni = 1e-4; }}\n\
         Output \"o\" {{ Signals = {signals}; Files = csv; Events = no; }}\n"
    )
}

/// A link of a chain.
pub struct Link<'a> {
    /// Keyword of its joint.
    pub kind: &'a str,
    /// What the joint block says beyond its triads.
    pub joint: &'a str,
    /// Mass, kg.
    pub mass: f64,
    /// Principal moments of inertia, kg m^2.
    pub inertia: [f64; 3],
    /// Centre of gravity.
    pub centre: [f64; 3],
    /// Where the next link begins.
    pub tip: [f64; 3],
}

impl Default for Link<'_> {
    fn default() -> Self {
        Self {
            kind: "Prismatic",
            joint: "JointAxis = 1, 0, 0;",
            mass: 1.0,
            inertia: [1.0; 3],
            centre: [0.0; 3],
            tip: [0.0; 3],
        }
    }
}

/// A chain of links with joints `J1`, `J2`, ... and bodies `B1`, `B2`, ...
pub fn chain(links: &[Link<'_>]) -> String {
    let list = |v: [f64; 3]| format!("{}, {}, {}", v[0], v[1], v[2]);
    let mut text = "Triad \"T0\" { Parent = world; Position = 0, 0, 0; }\n".to_string();
    for (index, link) in links.iter().enumerate() {
        let (n, before) = (index + 1, index);
        let mother = if index == 0 { "world".into() } else { format!("B{before}") };
        let [x, y, z] = link.inertia;
        text += &format!(
            "Triad \"R{n}\" {{ Parent = B{n}; Position = 0, 0, 0; }}\n\
             Triad \"T{n}\" {{ Parent = B{n}; Position = {tip}; }}\n\
             {kind} \"J{n}\" {{ Parent = B{n}; TriadFrom = T{before}; TriadTo = R{n}; {joint} }}\n\
             Body \"B{n}\" {{ Parent = {mother}; Joint = J{n}; Mass = {mass}; \
             Inertia = {x}, 0, 0, {y}, 0, {z}; CGFramePosition = {centre}; }}\n",
            tip = list(link.tip),
            kind = link.kind,
            joint = link.joint,
            mass = link.mass,
            centre = list(link.centre),
        );
    }
    text
}
