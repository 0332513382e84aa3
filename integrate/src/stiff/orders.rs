//! Which orders of the family a method may use.

/// The orders that a Radau method may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Orders {
    /// 5, 9 and 13, by turns.
    Variable,
    /// 5.
    Five,
    /// 9.
    Nine,
    /// 13.
    Thirteen,
}

impl Orders {
    /// The name of the method.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Variable => "stiff",
            Self::Five => "radau5",
            Self::Nine => "radau9",
            Self::Thirteen => "radau13",
        }
    }

    /// First and last place in the family.
    pub(super) fn range(self) -> (usize, usize) {
        match self {
            Self::Variable => (0, 2),
            Self::Five => (0, 0),
            Self::Nine => (1, 1),
            Self::Thirteen => (2, 2),
        }
    }
}
