//! Why an event does not come to rest.

use crate::code::evaluate::Unsolved;
use crate::prepared::prepare::Impossible;

/// Laws that contradict each other, of which none can be left out.
#[derive(Clone, Debug)]
pub struct Conflict {
    /// The elements of the loop or cut.
    pub blocks: Vec<u32>,
    /// Those of them that store what would have to jump.
    pub storages: Vec<u32>,
    /// A node whose flows do not add up to zero, of a cut.
    pub node: Option<u32>,
    /// Those that have just switched.
    pub switched: Vec<u32>,
    /// Do they agree by chance, so that one of them says nothing new?
    pub agrees: bool,
}

/// Why an event does not settle.
#[derive(Clone, Debug)]
pub enum Unsettled {
    /// Equations without solution.
    Unsolved(Unsolved),
    /// A combination without solution.
    Impossible(Box<Impossible>),
    /// A loop or a cut without a solution.
    Conflict(Box<Conflict>),
    /// Modes that change in a circle: elements.
    Cycle(Vec<u32>),
    /// A block that cannot go on, and why.
    Refused(u32, String),
    /// A `When` that acts again and again without time going on: its block.
    Accumulation(u32),
    /// Two `When` blocks that set one quantity at the same time.
    SetTwice([u32; 2], Box<str>),
    /// `When` blocks that set each other off without end.
    Endless(Vec<u32>),
    /// A `When` whose values cannot be, and why.
    NotSettable(u32, String),
    /// Automata that go round in a circle: the first of them, and for each its states.
    Circle(u32, Vec<(u32, String)>),
    /// Elements that have no steady state.
    RunsAway(Vec<u32>),
    /// A storage that would jump.
    Impulse {
        /// The block of the storage.
        storage: u32,
        /// The elements whose change asks for it.
        elements: Vec<u32>,
    },
}

impl Unsettled {
    /// Is it something that a `When` or an automaton does?
    pub fn is_of_action(&self) -> bool {
        matches!(
            self,
            Self::Accumulation(_)
                | Self::SetTwice(..)
                | Self::Endless(_)
                | Self::Circle(..)
                | Self::NotSettable(..)
        )
    }
}

impl From<Unsolved> for Unsettled {
    fn from(unsolved: Unsolved) -> Self {
        Self::Unsolved(unsolved)
    }
}

impl From<Impossible> for Unsettled {
    fn from(impossible: Impossible) -> Self {
        Self::Impossible(Box::new(impossible))
    }
}
