//! From the words of a `Solver` block to a driver that is ready to run.
//!
//! Not here: reading the block.

use super::{
    Adams, BulirschStoer, CashKarp, Driver, Euler, EulerKind, EventSettings, Mass, Method,
    MethodKind, Orders, Pattern, Problem, Radau, Rk4, RootSearch, SettingsError, StepLimits,
    Tolerance, fixed_step,
};

/// Numbers of a `Solver` block.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// `RelErr` and `AbsErr`; methods with fixed steps ignore them.
    pub tolerance: Tolerance,
    /// `TstepMax`, `TstepMin`, `TstepIni`.
    pub limits: StepLimits,
    /// Step of methods with fixed steps, s: see [`fixed_step`](super::fixed_step).
    pub fixed_step: f64,
    /// What to do about events.
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
    /// The same for outputs every `t_step` seconds with these step limits: sets the fixed step, and
    /// counts a hundred events within a tenth of an output interval as chattering.
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
    problem: &dyn Problem,
    settings: &Settings,
) -> Result<Driver, SettingsError> {
    let (pattern, mass) = if kind.is_implicit() {
        (problem.jacobian_pattern(), problem.mass())
    } else {
        (None, Mass::Identity)
    };
    assemble(kind, (problem.len(), problem.n_guards()), settings, pattern, mass)
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
    assemble(kind, (n_states, n_guards), settings, None, Mass::Identity)
}

fn assemble(
    kind: MethodKind,
    (n_states, n_guards): (usize, usize),
    settings: &Settings,
    pattern: Option<Pattern>,
    mass: Mass,
) -> Result<Driver, SettingsError> {
    let Settings { tolerance, limits, fixed_step: h, events } = *settings;
    limits.check()?;
    if kind.has_fixed_step() {
        if !(h.is_finite() && h > 0.0) {
            return Err(SettingsError::BadStep { name: "TstepMax", value: h });
        }
    } else {
        tolerance.check()?;
    }
    let method: Box<dyn Method + Send> = match kind {
        MethodKind::De | MethodKind::Derf => Box::new(Adams::new(n_states, tolerance, limits)),
        MethodKind::Rk4 => Box::new(Rk4::new(n_states, h)),
        MethodKind::OdeintRk => Box::new(CashKarp::new(n_states, tolerance, limits)),
        MethodKind::OdeintBs => Box::new(BulirschStoer::new(n_states, tolerance, limits)),
        MethodKind::Stiff | MethodKind::Radau | MethodKind::Radau5 => {
            let orders = if kind == MethodKind::Radau5 { Orders::Five } else { Orders::Variable };
            Box::new(Radau::structured(n_states, tolerance, limits, orders, (pattern, mass)))
        }
        MethodKind::Euler => Box::new(Euler::new(EulerKind::Explicit, n_states, h, None)),
        MethodKind::EulerImplicit => {
            Box::new(Euler::new(EulerKind::Implicit, n_states, h, pattern))
        }
        MethodKind::EulerMixed => Box::new(Euler::new(EulerKind::Mixed, n_states, h, pattern)),
    };
    Ok(Driver::new(method, n_states, n_guards, events))
}
