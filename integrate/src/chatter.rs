//! Notices when events come thick and fast.
//!
//! Not here: events that no longer leave zero (Zeno), which `roots.rs` counts.

/// Watches the last `limit` events for a span shorter than `span`.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub(super) struct ChatterWatch {
    times: Vec<f64>,
    next: usize,
    filled: usize,
    span: f64,
}

impl ChatterWatch {
    pub fn new(limit: usize, span: f64) -> Self {
        Self { times: vec![0.0; limit.max(2)], next: 0, filled: 0, span }
    }

    /// Records an event; returns the first time of a cluster when one is full, and forgets it, so
    /// that a long chatter is reported once per `limit` events.
    pub fn record(&mut self, t: f64) -> Option<f64> {
        let limit = self.times.len();
        self.times[self.next] = t;
        self.next = (self.next + 1) % limit;
        self.filled = (self.filled + 1).min(limit);
        // After the increment `next` points at the oldest entry of a full ring.
        let first = self.times[self.next];
        if self.filled < limit || (t - first).abs() > self.span {
            return None;
        }
        self.filled = 0;
        Some(first)
    }

    pub fn limit(&self) -> usize {
        self.times.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_dense_cluster_counts() {
        let mut watch = ChatterWatch::new(3, 0.1);
        assert_eq!(watch.record(0.0), None);
        assert_eq!(watch.record(1.0), None);
        assert_eq!(watch.record(1.05), None);
        assert_eq!(watch.record(1.08), Some(1.0));
        assert_eq!(watch.record(1.09), None);
    }
}
