//! From the words of a `Solver` block to a driver that is ready to run.
//!
//! Not here: reading the block.

use super::{
    Adams, BulirschStoer, CashKarp, Driver, EventSettings, Mass, Method, Orders, Pattern, Problem,
    Radau, Rk4, RootSearch, SettingsError, StepLimits, Tolerance, fixed_step,
};

/// The methods by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MethodKind {
    /// Shampine-Gordon Adams method.
    De,
    /// The same with root finding.
    Derf,
    /// Classical Runge-Kutta method, fixed step.
    Rk4,
    /// Cash-Karp 5(4).
    OdeintRk,
    /// Bulirsch-Stoer extrapolation.
    OdeintBs,
    /// Radau IIA of orders 5, 9 and 13: implicit, with root finding.
    Stiff,
    /// Radau IIA of order 5.
    Radau5,
}

impl MethodKind {
    /// All methods, in the order of the manual.
    pub const ALL: [Self; 7] = [
        Self::De,
        Self::Derf,
        Self::Rk4,
        Self::OdeintRk,
        Self::OdeintBs,
        Self::Stiff,
        Self::Radau5,
    ];

    /// Name in a model file.
    pub fn name(self) -> &'static str {
        match self {
            Self::De => "de",
            Self::Derf => "derf",
            Self::Rk4 => "rk4",
            Self::OdeintRk => "odeint_rk",
            Self::OdeintBs => "odeint_bs",
            Self::Stiff => "stiff",
            Self::Radau5 => "radau5",
        }
    }

    /// The method of that name; `radau` is the own name of `stiff`.
    pub fn from_name(name: &str) -> Option<Self> {
        let name = if name == "radau" { "stiff" } else { name };
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// True if the method, as the manual defines it, locates the roots of guards.
    pub fn locates_roots(self) -> bool {
        matches!(self, Self::Derf | Self::Stiff | Self::Radau5)
    }
}

/// Numbers of a `Solver` block.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// `RelErr` and `AbsErr`; rk4 ignores them.
    pub tolerance: Tolerance,
    /// `TstepMax`, `TstepMin`, `TstepIni`.
    pub limits: StepLimits,
    /// Step of rk4, s: see [`fixed_step`](super::fixed_step).
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
    /// The same for outputs every `t_step` seconds with these step limits: sets the step of rk4, and
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
    let (pattern, mass) = match kind {
        MethodKind::Stiff | MethodKind::Radau5 => (problem.jacobian_pattern(), problem.mass()),
        _ => (None, Mass::Identity),
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
    if kind == MethodKind::Rk4 {
        if !(h.is_finite() && h > 0.0) {
            return Err(SettingsError::BadStep { name: "TstepMax", value: h });
        }
    } else {
        tolerance.check()?;
    }
    let radau =
        |orders| Box::new(Radau::structured(n_states, tolerance, limits, orders, (pattern, mass)));
    let method: Box<dyn Method + Send> = match kind {
        MethodKind::De | MethodKind::Derf => Box::new(Adams::new(n_states, tolerance, limits)),
        MethodKind::Rk4 => Box::new(Rk4::new(n_states, h)),
        MethodKind::OdeintRk => Box::new(CashKarp::new(n_states, tolerance, limits)),
        MethodKind::OdeintBs => Box::new(BulirschStoer::new(n_states, tolerance, limits)),
        MethodKind::Stiff => radau(Orders::Variable),
        MethodKind::Radau5 => radau(Orders::Five),
    };
    Ok(Driver::new(method, n_states, n_guards, events))
}
