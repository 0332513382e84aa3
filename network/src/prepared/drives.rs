//! The forces of rigid drives at open ports, as functions of the accelerations there.

use mechanics::ports::PortEntry;

/// What a drive does beyond its inertia may differ by this part of it from what was found at other accelerations: else it is no
/// inertia. K may be as far from symmetric.
pub const LINEAR: f64 = 1e-9;

/// Rounding of a force, as a part of it: K is a difference of forces.
pub(crate) const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// The forces of open ports, `forces - K a`.
#[derive(Clone, Debug)]
pub struct Drives {
    /// Ports whose forces wait for accelerations.
    pub waiting: Vec<usize>,
    /// Their forces without accelerations.
    pub forces: Vec<f64>,
    /// The entries of K that may differ from zero, by ports.
    pub entries: Vec<PortEntry>,
    /// Ports that share no force: their columns of K are found at the same time.
    pub(crate) groups: Vec<Vec<usize>>,
    /// Does K never change? Then it is found once.
    pub(crate) is_constant: bool,
    pub(crate) is_known: bool,
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
