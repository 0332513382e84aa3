//! The values of signals, by block.
//!
//! A block has few signals, and they are written one after the other: a chain for each block is faster than a table of all
//! signals, whose places are spread over the memory.

use crate::expr::ExprId;
use crate::expression::SignalRef;

/// The end of a chain.
const NONE: u32 = u32::MAX;

/// The values of signals.
#[derive(Clone, Debug, Default)]
pub struct SignalValues {
    /// The last signal of each block.
    heads: Vec<u32>,
    links: Vec<Link>,
}

/// A signal, and the one before it of the same block.
#[derive(Clone, Copy, Debug)]
struct Link {
    signal: SignalRef,
    value: ExprId,
    before: u32,
}

impl SignalValues {
    /// Gives a signal its value, in place of the one that it may have.
    pub fn insert(&mut self, signal: SignalRef, value: ExprId) {
        if let Some(known) = self.find(signal) {
            self.links[known].value = value;
            return;
        }
        let block = signal.block as usize;
        if block >= self.heads.len() {
            self.heads.resize(block + 1, NONE);
        }
        let head = &mut self.heads[block];
        self.links.push(Link { signal, value, before: *head });
        *head = (self.links.len() - 1) as u32;
    }

    /// The value of a signal.
    pub fn get(&self, signal: SignalRef) -> Option<ExprId> {
        self.find(signal).map(|at| self.links[at].value)
    }

    /// All signals with their values, in the order in which they were written.
    pub fn iter(&self) -> impl Iterator<Item = (SignalRef, ExprId)> + '_ {
        self.links.iter().map(|link| (link.signal, link.value))
    }

    fn find(&self, signal: SignalRef) -> Option<usize> {
        let mut at = self.heads.get(signal.block as usize).copied().unwrap_or(NONE);
        while at != NONE {
            let link = self.links[at as usize];
            if link.signal == signal {
                return Some(at as usize);
            }
            at = link.before;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signal(block: u32, signal: u16) -> SignalRef {
        SignalRef { block, signal, component: 0 }
    }

    #[test]
    fn signals_have_the_value_that_was_written_last() {
        let mut values = SignalValues::default();
        for (at, value) in
            [(signal(3, 0), 1), (signal(0, 2), 2), (signal(3, 1), 3), (signal(3, 0), 4)]
        {
            values.insert(at, ExprId(value));
        }
        assert_eq!(values.get(signal(3, 0)), Some(ExprId(4)));
        assert_eq!(values.get(signal(3, 1)), Some(ExprId(3)));
        assert_eq!(values.get(signal(0, 2)), Some(ExprId(2)));
        assert_eq!(values.get(signal(0, 0)), None);
        assert_eq!(values.get(signal(9, 0)), None);
        let written: Vec<u32> = values.iter().map(|(_, value)| value.0).collect();
        assert_eq!(written, [4, 2, 3]);
    }
}
