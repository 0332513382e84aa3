//! From the words of a `Solver` block to a driver that is ready to run.
//!
//! Not here: reading the block.

use super::{
    Adams, BulirschStoer, CashKarp, Driver, Euler, EulerKind, EventSettings, HybridSystem, Mass,
    Method, MethodKind, Orders, Pattern, Radau, Rk4, RootSearch, SettingsError, StepLimits,
    Structure, Tolerance, fixed_step,
};

/// Everything that a method may be made from.
struct Parts {
    n_states: usize,
    tolerance: Tolerance,
    limits: StepLimits,
    /// Step of methods with fixed steps, s.
    step: f64,
    /// Structure of the Jacobian, for implicit methods.
    pattern: Option<Pattern>,
    mass: Mass,
}

/// Makes a method.
fn make(kind: MethodKind, parts: Parts) -> Box<dyn Method + Send> {
    let Parts { n_states, tolerance, limits, step, pattern, mass } = parts;
    let euler = |kind: EulerKind, pattern| Box::new(Euler::new(kind, n_states, step, pattern));
    let radau = |orders: Orders, pattern, mass| {
        Box::new(Radau::structured(
            n_states,
            tolerance,
            limits,
            orders,
            Structure { pattern, mass },
        ))
    };
    match kind {
        MethodKind::De | MethodKind::Derf => Box::new(Adams::new(n_states, tolerance, limits)),
        MethodKind::Rk4 => Box::new(Rk4::new(n_states, step)),
        MethodKind::OdeintRk => Box::new(CashKarp::new(n_states, tolerance, limits)),
        MethodKind::OdeintBs => Box::new(BulirschStoer::new(n_states, tolerance, limits)),
        MethodKind::Stiff | MethodKind::Radau => radau(Orders::Variable, pattern, mass),
        MethodKind::Radau5 => radau(Orders::Five, pattern, mass),
        MethodKind::Euler => euler(EulerKind::Explicit, None),
        MethodKind::EulerImplicit => euler(EulerKind::Implicit, pattern),
        MethodKind::EulerMixed => euler(EulerKind::Mixed, pattern),
    }
}

/// Numbers of a `Solver` block.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// `RelErr` and `AbsErr`; methods with fixed steps ignore them.
    pub tolerance: Tolerance,
    /// `TstepMax`, `TstepMin`, `TstepIni`.
    pub limits: StepLimits,
    /// Step of methods with fixed steps, s: see [`fixed_step`](super::fixed_step).
    pub fixed_step: f64,
    /// How events are treated.
    pub events: EventSettings,
}

impl Settings {
    /// Settings with this tolerance, no step limits, and root search as the method defines it.
    pub fn new(kind: MethodKind, tolerance: Tolerance) -> Self {
        let search = if kind.locates_roots() { RootSearch::Locate } else { RootSearch::Off };
        Self {
            tolerance,
            limits: StepLimits::default(),
            fixed_step: 0.01,
            events: EventSettings { search, ..EventSettings::default() },
        }
    }
}

impl Settings {
    /// These settings for outputs every `t_step` seconds with these step limits: sets the fixed step, and counts a hundred
    /// events within a tenth of an output interval as chattering.
    #[must_use]
    pub fn with_outputs(mut self, t_step: f64, limits: StepLimits) -> Self {
        self.limits = limits;
        self.fixed_step = fixed_step(t_step.abs(), limits.max);
        self.events.chatter_span = 0.1 * t_step.abs();
        self
    }
}

/// Makes a driver for this problem; an implicit method learns the structure of its Jacobian.
///
/// # Errors
/// If the settings contradict themselves.
pub fn build_for(
    kind: MethodKind,
    problem: &dyn HybridSystem,
    settings: &Settings,
) -> Result<Driver, SettingsError> {
    // Methods of mixed mode factorise parts of the Jacobian, which an extended one does not have.
    let takes_all = matches!(kind, MethodKind::Stiff | MethodKind::Radau | MethodKind::Radau5);
    let (pattern, mass) = if kind.is_implicit() {
        let extended = takes_all.then(|| problem.extended_pattern()).flatten();
        (extended.or_else(|| problem.jacobian_pattern()), problem.mass())
    } else {
        (None, Mass::Identity)
    };
    let Settings { tolerance, limits, fixed_step: step, .. } = *settings;
    let parts = Parts { n_states: problem.len(), tolerance, limits, step, pattern, mass };
    assemble(kind, parts, problem.n_guards(), settings.events)
}

/// Makes a driver for `n_states` states and `n_guards` guards.
///
/// # Errors
/// If the settings contradict themselves.
pub fn build(
    kind: MethodKind,
    n_states: usize,
    n_guards: usize,
    settings: &Settings,
) -> Result<Driver, SettingsError> {
    let Settings { tolerance, limits, fixed_step: step, .. } = *settings;
    let (pattern, mass) = (None, Mass::Identity);
    let parts = Parts { n_states, tolerance, limits, step, pattern, mass };
    assemble(kind, parts, n_guards, settings.events)
}

fn assemble(
    kind: MethodKind,
    parts: Parts,
    n_guards: usize,
    events: EventSettings,
) -> Result<Driver, SettingsError> {
    parts.limits.check()?;
    if kind.has_fixed_step() {
        let step = parts.step;
        if !(step.is_finite() && step > 0.0) {
            return Err(SettingsError::BadStep { name: "TstepMax", value: step });
        }
    } else {
        parts.tolerance.check()?;
    }
    let n_states = parts.n_states;
    Ok(Driver::new(make(kind, parts), n_states, n_guards, events))
}
