//! Rigid drives that act on one freedom each.
//!
//! The force of a rigid drive depends on the acceleration of its joint. Where it depends on no other acceleration,
//!
//! ```text
//! f_k = g_k - m_k a_k,
//! ```
//!
//! m_k is an inertia that the joint feels, and the recursion of the mechanics carries it along like any other: N drives then cost
//! as much as N joints. The equations of the ports are *open* for that, a_k is a number from outside, and f_k is
//! asked for with a_k = 0, with a_k = 1, and with what the mechanics makes of it. Where the equations have no solution
//! that way, because friction holds a shaft or a source moves it, or where drives feel each other, the
//! ports stay closed: networks and responses of the mechanics are one system of equations (`coupling.rs`).

use super::compile::Level;
use super::evaluate::Unsolved;
use super::prepare::Valves;
use super::run::NetworkRun;

/// With fewer drives the responses cost less than three runs through the networks.
pub(crate) const MANY_DRIVES: usize = 8;

impl NetworkRun<'_> {
    /// Are the ports open?
    pub(crate) fn is_open(&self) -> bool {
        self.kept.get(self.current).is_some_and(|present| present.kind == Valves::Open)
    }

    /// Opens the ports, if that is possible in the present modes and worth the while.
    pub(crate) fn open(&mut self) {
        let drives = |known: &[bool]| known.iter().filter(|is_known| !**is_known).count();
        let is_worth_it = self.has_begun()
            && self.present().kind == Valves::Ideal
            && drives(self.known_ports()) >= MANY_DRIVES
            && !self.closed.contains(&self.present().key);
        if !is_worth_it {
            return;
        }
        match self.find_present(Valves::Open) {
            Ok(place) => self.enter(place),
            Err(_) => return self.stay_closed(),
        }
        if !self.is_separate() {
            self.stay_closed();
        }
    }

    /// Closes the ports; true if they were open. The numbers have to be computed anew then.
    pub(crate) fn close(&mut self) -> bool {
        if !self.is_open() {
            return false;
        }
        match self.find_present(Valves::Ideal) {
            Ok(place) => self.enter(place),
            // The closed form was there before the open one.
            Err(_) => return false,
        }
        true
    }

    /// Closes the ports for good in the present modes.
    pub(crate) fn stay_closed(&mut self) {
        let key = self.present().key.clone();
        self.closed.insert(key);
        self.close();
    }

    /// Computes the rates with other accelerations at the ports, which are in `at_ports`.
    pub(crate) fn complete_again(&mut self) -> Result<(), Unsolved> {
        self.forget_rates();
        self.complete(Level::Rates)
    }
}
