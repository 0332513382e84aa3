//! The one list of methods: what each is called, and what can be expected of it.
//!
//! Not here: the methods themselves, which are in `integrate`.

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

/// The one list of methods: what each is, its name in a model file, and its features.
macro_rules! methods {
    ($($(#[$doc:meta])* $kind:ident = $name:literal, [$($feature:ident),*];)*) => {
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
        }
    };
}

methods! {
    /// Shampine and Gordon's Adams method of variable order.
    De = "de", [];
    /// The same with root finding.
    Derf = "derf", [LocatesRoots, FindsEvents];
    /// Classical Runge-Kutta method, fixed step.
    Rk4 = "rk4", [FixedStep];
    /// Cash and Karp's Runge-Kutta method of order 5(4).
    OdeintRk = "odeint_rk", [];
    /// Bulirsch and Stoer's extrapolation.
    OdeintBs = "odeint_bs", [];
    /// Implicit, with root finding: the same as `radau`.
    Stiff = "stiff", [LocatesRoots, FindsEvents, Implicit];
    /// Radau IIA of orders 5, 9 and 13 by turns, with root finding.
    Radau = "radau", [LocatesRoots, FindsEvents, Implicit];
    /// Radau IIA of order 5, with root finding.
    Radau5 = "radau5", [LocatesRoots, FindsEvents, Implicit];
    /// Explicit Euler, fixed step.
    Euler = "euler", [FindsEvents, FixedStep];
    /// Linearly implicit Euler, fixed step.
    EulerImplicit = "euler_implicit", [FindsEvents, FixedStep, Implicit];
    /// Mixed-mode Euler, fixed step: fast states implicit, slow ones explicit.
    EulerMixed = "euler_mixed", [FindsEvents, FixedStep, Implicit];
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
