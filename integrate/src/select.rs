//! From the words of a `Solver` block to a driver that is ready to run.
//!
//! Not here: reading the block.

use super::{
    Adams, BulirschStoer, CashKarp, Driver, Euler, EulerKind, EventSettings, HybridSystem, Mass,
    Method, Orders, Pattern, Radau, Rk4, RootSearch, SettingsError, StepLimits, Tolerance,
    fixed_step,
};

/// The one list of methods: what each is, and its name in a model file.
macro_rules! methods {
    ($($(#[$doc:meta])* $kind:ident = $name:literal,)*) => {
        /// The methods by name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum MethodKind { $($(#[$doc])* $kind,)* }

        impl MethodKind {
            /// Their names in a model file, in the order of the manual.
            pub const NAMES: &'static [&'static str] = &[$($name),*];

            /// All methods, in the same order.
            pub const ALL: [Self; Self::NAMES.len()] = [$(Self::$kind),*];

            /// Name in a model file.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)*
                }
            }
        }
    };
}

methods! {
    /// Shampine and Gordon's Adams method of variable order.
    De = "de",
    /// The same with root finding.
    Derf = "derf",
    /// Classical Runge-Kutta method, fixed step.
    Rk4 = "rk4",
    /// Cash and Karp's Runge-Kutta method of order 5(4).
    OdeintRk = "odeint_rk",
    /// Bulirsch and Stoer's extrapolation.
    OdeintBs = "odeint_bs",
    /// Implicit, with root finding: the same as `radau`.
    Stiff = "stiff",
    /// Radau IIA of orders 5, 9 and 13 by turns, with root finding.
    Radau = "radau",
    /// Radau IIA of order 5, with root finding.
    Radau5 = "radau5",
    /// Explicit Euler, fixed step.
    Euler = "euler",
    /// Linearly implicit Euler, fixed step.
    EulerImplicit = "euler_implicit",
    /// Mixed-mode Euler, fixed step: fast states implicit, slow ones explicit.
    EulerMixed = "euler_mixed",
}

impl MethodKind {
    /// The method of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// True if the method, as the manual defines it, locates the roots of guards.
    pub fn locates_roots(self) -> bool {
        matches!(self, Self::Derf | Self::Stiff | Self::Radau | Self::Radau5)
    }

    /// True if the method handles switching points, by locating them or at the ends of its steps.
    pub fn finds_events(self) -> bool {
        !matches!(self, Self::De | Self::Rk4 | Self::OdeintRk | Self::OdeintBs)
    }

    /// True if the method takes equal steps and has no error control.
    pub fn has_fixed_step(self) -> bool {
        matches!(self, Self::Rk4 | Self::Euler | Self::EulerImplicit | Self::EulerMixed)
    }

    /// True if the method asks for a Jacobian.
    pub fn is_implicit(self) -> bool {
        matches!(
            self,
            Self::Stiff | Self::Radau | Self::Radau5 | Self::EulerImplicit | Self::EulerMixed
        )
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
    problem: &dyn HybridSystem,
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
