//! How far the quantities of a run are worked out.

/// How far the quantities of a run are worked out for its present time, state and modes. Each stage includes the stages
/// before it; a change of modes or of forces takes a run back.
///
/// ```text
/// Unplaced -> Placed -> Updated -> Forces -> Accelerated -> Reacted -> Observed
///             poses,    networks,  loads on  accelerations, forces of  angles, signals
///             speeds,   time       bodies    rates of       locks,     of networks and
///             loops     expressions          networks       drives     plugins
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stage {
    /// Nothing is known.
    Unplaced,
    /// Poses and velocities of the bodies, rows and coordinates of loop joints.
    Placed,
    /// Networks as far as they need no accelerations, and all time expressions.
    Updated,
    /// Forces of elements, plugins and networks, as far as they need no accelerations.
    Forces,
    /// Accelerations of the bodies, rates of the networks.
    Accelerated,
    /// Loads that joints transmit, forces of locks and drives.
    Reacted,
    /// Everything that results show.
    Observed,
}

impl Stage {
    /// Takes the run back: at most this stage still holds.
    pub fn lower_to(&mut self, stage: Self) {
        *self = (*self).min(stage);
    }

    /// Checks in debug builds that a function finds what it reads.
    pub fn needs(self, stage: Self) {
        debug_assert!(self >= stage, "{stage:?} is needed, the run is {self:?}");
    }
}
