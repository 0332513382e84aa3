//! Where the guards of each kind stand among all guards of a system.

use std::ops::Range;

/// The order of the guards:
///
/// ```text
/// 0                                                                            len
/// | force elements | switches in time expressions | states of plugins | networks |
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GuardLayout {
    /// Guards of force elements; each element has its own range in it.
    pub elements: Range<usize>,
    /// Guards of what switches in the time expressions of the mechanics.
    pub expressions: Range<usize>,
    /// Guards of the discrete states of plugins, one each.
    pub plugins: Range<usize>,
    /// Guards of the networks.
    pub network: Range<usize>,
}

/// Numbers of guards of each kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GuardCounts {
    /// Of force elements.
    pub elements: usize,
    /// Of what switches in time expressions.
    pub expressions: usize,
    /// Of plugins.
    pub plugins: usize,
    /// Of networks.
    pub network: usize,
}

/// One entry per guard, by kind.
pub(crate) struct GuardParts<'a, T> {
    /// Of force elements.
    pub elements: &'a mut [T],
    /// Of what switches in time expressions.
    pub expressions: &'a mut [T],
    /// Of plugins.
    pub plugins: &'a mut [T],
    /// Of networks.
    pub network: &'a mut [T],
}

impl GuardLayout {
    /// The layout of guards with given numbers of each kind.
    pub fn new(counts: GuardCounts) -> Self {
        let after = |before: &Range<usize>, count: usize| before.end..before.end + count;
        let elements = 0..counts.elements;
        let expressions = after(&elements, counts.expressions);
        let plugins = after(&expressions, counts.plugins);
        let network = after(&plugins, counts.network);
        Self { elements, expressions, plugins, network }
    }

    /// Number of all guards.
    pub fn len(&self) -> usize {
        self.network.end
    }

    /// Splits a list with one entry per guard by kind.
    pub fn split<'a, T>(&self, all: &'a mut [T]) -> GuardParts<'a, T> {
        let (elements, rest) = all.split_at_mut(self.elements.len());
        let (expressions, rest) = rest.split_at_mut(self.expressions.len());
        let (plugins, network) = rest.split_at_mut(self.plugins.len());
        GuardParts { elements, expressions, plugins, network }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_stand_side_by_side_in_the_order_of_the_drawing() {
        let counts = GuardCounts { elements: 2, expressions: 1, plugins: 0, network: 3 };
        let layout = GuardLayout::new(counts);
        let mut all = [0, 1, 2, 3, 4, 5];
        assert_eq!(layout.len(), all.len());
        let ranges = [&layout.elements, &layout.expressions, &layout.plugins, &layout.network];
        let parts = layout.split(&mut all);
        let lists = [parts.elements, parts.expressions, parts.plugins, parts.network];
        for (list, range) in lists.into_iter().zip(ranges) {
            assert_eq!(*list, *range.clone().collect::<Vec<_>>());
        }
    }
}
