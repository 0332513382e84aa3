//! The forces of rigid drives at open ports, as functions of the accelerations there.

use mechanics::ports::PortEntry;

/// A force may differ by this part of its size from `g - K a`: beyond that the drive is no inertia. The entries of K above and
/// below its diagonal may differ by the same part.
pub const LINEAR: f64 = 1e-9;

/// Rounding of a force, as a part of it: K is a difference of forces.
pub(crate) const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// The forces of open ports, `forces - K a`.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub struct Drives {
    /// Ports whose forces wait for accelerations, ascending.
    pub waiting: Vec<usize>,
    /// The force without accelerations of each of these ports: g.
    pub forces: Vec<f64>,
    /// The entries of K that may differ from zero, by ports.
    pub entries: Vec<PortEntry>,
    /// Ports that share no force: their columns of K are found at the same time.
    pub(crate) groups: Vec<Vec<usize>>,
    /// Does K never change? Then it is found once.
    pub(crate) is_constant: bool,
    /// Was K found and does it never change?
    pub(crate) is_known: bool,
    /// Was K symmetric when it was found last?
    pub(crate) is_symmetric: bool,
}

impl Drives {
    /// Have the entries the same numbers in every evaluation?
    pub fn is_constant(&self) -> bool {
        self.is_constant
    }

    /// Is K symmetric, as the inertia of drives without losses is?
    pub fn is_symmetric(&self) -> bool {
        self.is_symmetric
    }

    /// Is K symmetric within rounding? Its entries are differences of forces.
    pub(crate) fn looks_symmetric(&self) -> bool {
        self.entries.iter().all(|entry| {
            let is_partner = |e: &&PortEntry| (e.row, e.column) == (entry.column, entry.row);
            let partner = self.entries.iter().find(is_partner).map_or(0.0, |other| other.inertia);
            let forces =
                self.force_without(entry.row).abs() + self.force_without(entry.column).abs();
            let rounding = LINEAR * entry.inertia.abs() + ROUNDING * forces;
            (entry.inertia - partner).abs() <= rounding
        })
    }

    /// The force of a port without accelerations, if it waits for them.
    pub(crate) fn force_without(&self, port: usize) -> f64 {
        self.waiting.binary_search(&port).map_or(0.0, |place| self.forces[place])
    }
}
