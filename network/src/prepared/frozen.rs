//! Running the code of a combination of modes, without branches where the frozen states allow it.

use super::prepare::Prepared;
use crate::code::compile::{LEVELS, Level};
use crate::code::evaluate::Unsolved;

impl Prepared {
    /// Looks whether the code without branches is that of the present states.
    pub fn look_at_states(&mut self) {
        if !std::mem::take(&mut self.frozen.is_new) {
            return;
        }
        let numbers = &self.values.numbers;
        self.frozen.is_straight = self
            .frozen
            .straight
            .as_ref()
            .is_some_and(|straight| straight.fits(&self.code, numbers));
    }

    /// Computes all numbers of the rates, also those that nobody reads in the present states; false if that fails. Slopes are
    /// found with them.
    pub fn compute_all(&mut self) -> bool {
        let levels = LEVELS.into_iter().filter(|level| *level <= Level::Rates);
        let mut needed = levels.filter(|_| self.frozen.is_straight);
        needed.all(|level| self.values.run(&mut self.code, level).is_ok())
    }

    /// Computes all that a level needs beyond the one before it.
    pub fn run(&mut self, level: Level) -> Result<(), Unsolved> {
        match &self.frozen.straight {
            Some(straight) if self.frozen.is_straight && level <= Level::Guards => {
                self.values.run_straight(&mut self.code, straight, level)
            }
            _ => self.values.run(&mut self.code, level),
        }
    }
}
