//! The one list of methods: what each is called, and what can be expected of it.
//!
//! Not here: the methods themselves, which are in `integrate`.

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
