//! From the words of a `Solver` block to a driver that is ready to run.
//!
//! Not here: reading the block.

use super::{
    Adams, BulirschStoer, CashKarp, Driver, Euler, EulerKind, EventSettings, Mass, Method, Orders,
    Pattern, Problem, Radau, Rk4, RootSearch, SettingsError, StepLimits, Tolerance, fixed_step,
};

/// A property of a method that the driver and the model ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Feature {
    /// As the manual defines the method, it locates the roots of guards.
    LocatesRoots,
    /// Handles switching points, by locating them or at the ends of its steps.
    FindsEvents,
    /// Takes equal steps and has no error control.
    FixedStep,
    /// Asks for a Jacobian.
    Implicit,
}

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

impl Parts {
    fn radau(self, orders: Orders) -> Box<dyn Method + Send> {
        let Self { n_states, tolerance, limits, pattern, mass, .. } = self;
        Box::new(Radau::structured(n_states, tolerance, limits, orders, (pattern, mass)))
    }
}

/// The one list of methods: what each is, its name in a model file, its features, and how it is made.
macro_rules! methods {
    ($($(#[$doc:meta])* $kind:ident = $name:literal, [$($feature:ident),*], $make:expr;)*) => {
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

            fn has(self, feature: Feature) -> bool {
                let features: &[Feature] = match self {
                    $(Self::$kind => &[$(Feature::$feature),*],)*
                };
                features.contains(&feature)
            }

            fn make(self, parts: Parts) -> Box<dyn Method + Send> {
                match self {
                    $(Self::$kind => {
                        let make: fn(Parts) -> Box<dyn Method + Send> = $make;
                        make(parts)
                    })*
                }
            }
        }
    };
}

methods! {
    /// Shampine and Gordon's Adams method of variable order.
    De = "de", [],
        |p| Box::new(Adams::new(p.n_states, p.tolerance, p.limits));
    /// The same with root finding.
    Derf = "derf", [LocatesRoots, FindsEvents],
        |p| Box::new(Adams::new(p.n_states, p.tolerance, p.limits));
    /// Classical Runge-Kutta method, fixed step.
    Rk4 = "rk4", [FixedStep],
        |p| Box::new(Rk4::new(p.n_states, p.step));
    /// Cash and Karp's Runge-Kutta method of order 5(4).
    OdeintRk = "odeint_rk", [],
        |p| Box::new(CashKarp::new(p.n_states, p.tolerance, p.limits));
    /// Bulirsch and Stoer's extrapolation.
    OdeintBs = "odeint_bs", [],
        |p| Box::new(BulirschStoer::new(p.n_states, p.tolerance, p.limits));
    /// Implicit, with root finding: the same as `radau`.
    Stiff = "stiff", [LocatesRoots, FindsEvents, Implicit],
        |p| p.radau(Orders::Variable);
    /// Radau IIA of orders 5, 9 and 13 by turns, with root finding.
    Radau = "radau", [LocatesRoots, FindsEvents, Implicit],
        |p| p.radau(Orders::Variable);
    /// Radau IIA of order 5, with root finding.
    Radau5 = "radau5", [LocatesRoots, FindsEvents, Implicit],
        |p| p.radau(Orders::Five);
    /// Explicit Euler, fixed step.
    Euler = "euler", [FindsEvents, FixedStep],
        |p| Box::new(Euler::new(EulerKind::Explicit, p.n_states, p.step, None));
    /// Linearly implicit Euler, fixed step.
    EulerImplicit = "euler_implicit", [FindsEvents, FixedStep, Implicit],
        |p| Box::new(Euler::new(EulerKind::Implicit, p.n_states, p.step, p.pattern));
    /// Mixed-mode Euler, fixed step: fast states implicit, slow ones explicit.
    EulerMixed = "euler_mixed", [FindsEvents, FixedStep, Implicit],
        |p| Box::new(Euler::new(EulerKind::Mixed, p.n_states, p.step, p.pattern));
}

impl MethodKind {
    /// The method of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// True if the method, as the manual defines it, locates the roots of guards.
    pub fn locates_roots(self) -> bool {
        self.has(Feature::LocatesRoots)
    }

    /// True if the method handles switching points, by locating them or at the ends of its steps.
    pub fn finds_events(self) -> bool {
        self.has(Feature::FindsEvents)
    }

    /// True if the method takes equal steps and has no error control.
    pub fn has_fixed_step(self) -> bool {
        self.has(Feature::FixedStep)
    }

    /// True if the method asks for a Jacobian.
    pub fn is_implicit(self) -> bool {
        self.has(Feature::Implicit)
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
    problem: &dyn Problem,
    settings: &Settings,
) -> Result<Driver, SettingsError> {
    let (pattern, mass) = if kind.is_implicit() {
        (problem.jacobian_pattern(), problem.mass())
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
    Ok(Driver::new(kind.make(parts), n_states, n_guards, events))
}
