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
    /// The same with sources that are a share of themselves, and with every node held softly at a value: what stands on
    /// the way to a solution that is far (`continuation.rs`).
    Led(Rule),
    /// As they are, and the accelerations at the ports are numbers from outside (`open_ports.rs`).
    Open,
}

impl Valves {
    /// Number of kinds.
    pub const KINDS: usize = 7;

    /// The number of a kind.
    pub fn number(self) -> usize {
        match self {
            Self::Ideal => 0,
            Self::Soft => 1,
            Self::Static(Rule::Jump) => 2,
            Self::Static(Rule::Steady) => 3,
            Self::Open => 4,
            Self::Led(Rule::Jump) => 5,
            Self::Led(Rule::Steady) => 6,
        }
    }

    /// What holds for the storages where they are unknowns.
    pub fn rule(self) -> Option<Rule> {
        match self {
            Self::Static(rule) | Self::Led(rule) => Some(rule),
            Self::Ideal | Self::Soft | Self::Open => None,
        }
    }

    /// The inputs of one combination behind those of signals and ports.
    pub fn inputs(self, n_storages: usize, n_nodes: usize) -> StaticInputs {
        let n_led = if matches!(self, Self::Led(_)) { 2 + n_nodes } else { 0 };
        StaticInputs { n_storages, n_led }
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

/// Inputs behind those of signals and ports: the length of a step, the storages before it; where sources and nodes are led,
/// the share of the sources, the conductance to the values of the nodes, and these values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StaticInputs {
    n_storages: usize,
    n_led: usize,
}

impl StaticInputs {
    /// How many there are.
    pub fn len(self) -> usize {
        1 + self.n_storages + self.n_led
    }

    /// The place of the value of a storage before the step.
    pub fn old(self, storage: usize) -> usize {
        1 + storage
    }

    /// The place of the share of the sources.
    pub fn share(self) -> usize {
        1 + self.n_storages
    }

    /// The place of the conductance to the values of the nodes.
    pub fn conductance(self) -> usize {
        2 + self.n_storages
    }

    /// The place of the value at which a node is held.
    pub fn anchor(self, node: usize) -> usize {
        3 + self.n_storages + node
    }
}
