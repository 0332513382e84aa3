//! What the networks do at the ports in one evaluation.

use crate::code::block_compiler::Level;
use crate::prepared::before_forces::BeforeForces;
use crate::prepared::combination::Combination;
use crate::prepared::network_model::Network;

/// Numbers of the networks at the ports, found once for all ports of an evaluation.
#[derive(Clone, Copy)]
pub struct AtPorts<'a> {
    layout: BeforeForces,
    /// All numbers of the code.
    numbers: &'a [f64],
    /// Places of the numbers before the forces of the mechanics.
    before: &'a [u32],
    /// Places of the forces in all ports.
    forces: &'a [u32],
    known: &'a [bool],
}

impl<'a> AtPorts<'a> {
    pub(super) fn new(network: &Network, present: &'a Combination) -> Self {
        let code = &present.fixed.code;
        Self {
            layout: network.before_forces(),
            numbers: present.numbers(),
            before: code.asked(Level::Forces),
            forces: code.asked(Level::Rates).get(network.n_states()..).unwrap_or(&[]),
            known: &present.fixed.coupled.known,
        }
    }

    /// For each port: does its force follow without accelerations?
    pub fn known(&self) -> &'a [bool] {
        self.known
    }

    /// The force of a port that follows without accelerations.
    #[inline]
    pub fn known_force(&self, port: usize) -> f64 {
        self.numbers[self.before[self.layout.known_force(port)] as usize]
    }

    /// The angular momentum of the rotors of a port.
    #[inline]
    pub fn momentum(&self, port: usize) -> f64 {
        self.numbers[self.before[self.layout.momentum(port)] as usize]
    }

    /// The acceleration of a port that is held.
    #[inline]
    pub fn held_acceleration(&self, port: usize) -> f64 {
        self.numbers[self.before[self.layout.held_acceleration(port)] as usize]
    }

    /// The force of any port, after the rates are computed.
    #[inline]
    pub fn force(&self, port: usize) -> f64 {
        self.numbers[self.forces[port] as usize]
    }
}
