//! Runs any method on any problem and keeps what tests look at.

use integrate::{
    Driver, HybridSystem, IntegrationError, Listener, MethodKind, Notice, Settings, Statistics,
    StepReport, Stop, Verdict, build,
};

/// A listener that writes everything down.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    /// Every accepted step.
    pub steps: Vec<StepReport>,
    /// Every notice but switching, as text.
    pub notices: Vec<String>,
    /// Times of switching passes, with cause and pass number.
    pub switches: Vec<(f64, String)>,
    /// Stop at stiffness or chattering.
    pub strict: bool,
}

impl Listener for Recorder {
    fn step(&mut self, report: &StepReport) {
        self.steps.push(*report);
    }

    fn notice(&mut self, notice: &Notice<'_>) -> Verdict {
        if let Notice::Switched { t, cause, iteration, changes, .. } = notice {
            let guards: Vec<usize> = changes.iter().map(|c| c.guard.0).collect();
            self.switches.push((*t, format!("{cause:?} {iteration} {guards:?}")));
            return Verdict::GoOn;
        }
        self.notices.push(format!("{notice:?}"));
        if self.strict { Verdict::Stop } else { Verdict::GoOn }
    }
}

/// What came of a run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Last time.
    pub t: f64,
    /// State there.
    pub y: Vec<f64>,
    /// Work.
    pub statistics: Statistics,
    /// Times of all events.
    pub events: Vec<f64>,
    /// Outputs as (t, y).
    pub outputs: Vec<(f64, Vec<f64>)>,
    /// True if the listener stopped the run.
    pub interrupted: bool,
}

/// A driver for this problem.
pub fn driver(kind: MethodKind, problem: &dyn HybridSystem, settings: &Settings) -> Driver {
    build(kind, problem.len(), problem.n_guards(), settings)
        .unwrap_or_else(|error| unreachable!("settings of a test: {error}"))
}

/// Integrates from `t0` to `t1` with `outputs` equal output intervals.
///
/// # Errors
/// What the driver says.
pub fn integrate(
    driver: &mut Driver,
    problem: &mut dyn HybridSystem,
    (t0, t1): (f64, f64),
    y0: &[f64],
    outputs: usize,
    listener: &mut dyn Listener,
) -> Result<Outcome, IntegrationError> {
    driver.start(problem, t0, y0, t1 - t0, listener)?;
    let mut outcome = Outcome {
        t: t0,
        y: y0.to_vec(),
        statistics: Statistics::default(),
        events: Vec::new(),
        outputs: Vec::new(),
        interrupted: false,
    };
    'run: for k in 1..=outputs {
        let t_out = if k == outputs { t1 } else { t0 + (t1 - t0) * k as f64 / outputs as f64 };
        loop {
            match driver.advance(problem, t_out, listener)? {
                Stop::Output => break,
                Stop::Event(_) => outcome.events.push(driver.t()),
                Stop::Interrupted => {
                    outcome.interrupted = true;
                    break 'run;
                }
            }
        }
        outcome.outputs.push((driver.t(), driver.y().to_vec()));
    }
    outcome.t = driver.t();
    outcome.y = driver.y().to_vec();
    outcome.statistics = *driver.statistics();
    Ok(outcome)
}

/// Largest absolute difference of two vectors.
pub fn max_difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}
