//! The ways in which a combination of modes is written as equations.

/// How valves, storages and ports are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Valves {
    /// As they are.
    Ideal,
    /// With a small resistance while closed and a small conductance while open. A combination of modes that
    /// would need an infinite voltage or current then needs a large one, whose sign tells which valve
    /// will give way.
    Soft,
    /// As they are, and the storages are unknowns too.
    Static(Rule),
    /// As they are, and the accelerations at the ports are numbers from outside (`open_ports.rs`).
    Open,
}

impl Valves {
    /// Number of kinds.
    pub const KINDS: usize = 5;

    /// The number of a kind.
    pub fn number(self) -> usize {
        match self {
            Self::Ideal => 0,
            Self::Soft => 1,
            Self::Static(Rule::Jump) => 2,
            Self::Static(Rule::Steady) => 3,
            Self::Open => 4,
        }
    }
}

/// What holds for the storages where they are unknowns: `h dx/dt = x - x_old`, a step of the implicit Euler
/// method. A step of no length redistributes charge and flux; one without end leads to the operating point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Rule {
    /// For all storages.
    Jump,
    /// For storages without a given initial value; the others keep theirs.
    Steady,
}
