//! The last states of a run on its way through a singular position.

/// Accelerations of the last two states near a singular position, and their extrapolation.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub(super) struct Expected {
    last: [Accelerations; 2],
    count: usize,
    now: Vec<f64>,
}

/// The accelerations at an instant.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
struct Accelerations {
    t: f64,
    vdot: Vec<f64>,
}

impl Expected {
    /// For accelerations of a number of freedoms.
    pub fn new(n_v: usize) -> Self {
        let buffer = || Accelerations { t: 0.0, vdot: Vec::with_capacity(n_v) };
        Self { last: [buffer(), buffer()], count: 0, now: vec![0.0; n_v] }
    }

    /// Nothing is known.
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// Takes the accelerations of a state. A second state at the same time follows an event, so that nothing can be
    /// extrapolated from the state before the event.
    pub fn push(&mut self, t: f64, vdot: &[f64]) {
        if self.count > 0 && t <= self.last[1].t {
            self.count = 0;
        }
        self.last.swap(0, 1);
        let last = &mut self.last[1];
        last.t = t;
        last.vdot.clear();
        last.vdot.extend_from_slice(vdot);
        self.count = (self.count + 1).min(2);
    }

    /// Extrapolates to a time. Rows demand accelerations of positions and speeds alone, so that the weak ones have no
    /// jump where forces have.
    pub fn fill(&mut self, t: f64) {
        let [before, last] = &self.last;
        let share = (t - last.t) / (last.t - before.t);
        if self.count == 2 {
            for (now, (a, b)) in self.now.iter_mut().zip(before.vdot.iter().zip(&last.vdot)) {
                *now = b + (b - a) * share;
            }
        }
    }

    /// What is expected, if anything is.
    pub fn now(&self) -> Option<&[f64]> {
        (self.count == 2).then_some(&self.now[..])
    }
}

/// How the weakest row became weaker: times and roots of the strength in the last two steps.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Approach {
    last: [(f64, f64); 2],
    /// The position that it approached has been passed, and it has not become stronger since.
    is_past: bool,
}

impl Approach {
    /// Takes the root at a time; gives the instant at which it passed zero since the step before.
    pub fn follow(&mut self, t: f64, root: f64) -> Option<f64> {
        let [(t0, s0), (t1, s1)] = self.last;
        if t <= t1 {
            return None;
        }
        self.last = [(t1, s1), (t, root)];
        // It falls on a straight line to a singular position and rises again behind it.
        let crossing = t1 + s1 * (t1 - t0) / (s0 - s1);
        let passes = s1 < s0 && t0 < t1 && crossing <= t && s1 < 0.2 && !self.is_past;
        self.is_past = (self.is_past || passes) && root <= s1;
        passes.then_some(crossing)
    }
}
