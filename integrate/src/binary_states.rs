//! Discrete states that are nothing but the side of their guard at the last event.
//!
//! The simplest modes a problem can have; richer ones (friction with five states) write their own.

use super::{Change, ChangeList, Event, GuardId, Side};

/// One value +1 or -1 per guard, frozen between events.
#[derive(Clone, Debug)]
pub struct BinaryStates {
    values: Vec<i8>,
}

impl BinaryStates {
    /// All states +1.
    pub fn new(n_guards: usize) -> Self {
        Self { values: vec![1; n_guards] }
    }

    /// +1 or -1.
    pub fn value(&self, guard: GuardId) -> i8 {
        self.values[guard.0]
    }

    /// True for +1.
    pub fn is_positive(&self, guard: GuardId) -> bool {
        self.value(guard) > 0
    }

    /// Puts every state on the side that its guard tells and notes the changes.
    pub fn update(&mut self, event: &Event<'_>, changes: &mut ChangeList) {
        for (i, value) in self.values.iter_mut().enumerate() {
            let new = match event.side(GuardId(i)) {
                Some(Side::Positive) => 1,
                Some(Side::Negative) => -1,
                Some(Side::Unwatched) | None => continue,
            };
            if new != *value {
                let guard = GuardId(i);
                changes.push(Change { guard, from: i32::from(*value), to: i32::from(new) });
                *value = new;
            }
        }
    }

    /// The side on which each guard belongs.
    pub fn fill_sides(&self, sides: &mut [Side]) {
        for (side, value) in sides.iter_mut().zip(&self.values) {
            *side = if *value > 0 { Side::Positive } else { Side::Negative };
        }
    }
}
