//! Counts steps between output points and tells much work from stiffness (DE's supervision).

/// Steps in a row with low order that are the sign of stiffness.
const LOW_ORDER_RUN: u64 = 50;

/// The result of a review of the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Remark {
    /// Within the allowance.
    Fine,
    /// The allowance is used up.
    MuchWork,
    /// It is used up, and the orders were low for long.
    Stiff,
}

/// Work since the last output point or review.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub(super) struct Account {
    allowance: u64,
    pub steps: u64,
    low_order_run: u64,
    stiff: bool,
    /// Raises of the tolerance since the last accepted step.
    pub raises: usize,
    /// Point from which the overshoot is measured, s.
    pub base: f64,
}

impl Account {
    pub fn new(allowance: u64) -> Self {
        Self { allowance, steps: 0, low_order_run: 0, stiff: false, raises: 0, base: 0.0 }
    }

    pub fn reset(&mut self, t: f64) {
        self.renew(t);
        self.raises = 0;
    }

    /// A call towards a new output point begins at `t`.
    pub fn open(&mut self, t: f64, anew: bool) {
        if anew {
            self.renew(t);
        }
        self.base = t;
    }

    /// Counts from zero, as if a new call had begun at `t`.
    pub fn renew(&mut self, t: f64) {
        self.steps = 0;
        self.low_order_run = 0;
        self.stiff = false;
        self.base = t;
    }

    /// A restart makes low orders natural for a while.
    pub fn restarted(&mut self) {
        self.low_order_run = 0;
    }

    pub fn count(&mut self, order: usize, low_order: Option<usize>) {
        self.steps += 1;
        self.raises = 0;
        if let Some(low) = low_order {
            self.low_order_run = if order > low { 0 } else { self.low_order_run + 1 };
            self.stiff |= self.low_order_run >= LOW_ORDER_RUN;
        }
    }

    /// Looks whether the allowance is used up; if so, counts from zero at `t`.
    pub fn review(&mut self, t: f64) -> Remark {
        if self.steps < self.allowance {
            return Remark::Fine;
        }
        let remark = if self.stiff { Remark::Stiff } else { Remark::MuchWork };
        self.renew(t);
        remark
    }
}
