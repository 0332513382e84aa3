//! How a driver treats guards, events, outputs and excessive work.

/// Where guards are evaluated, and whether their roots are located.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RootSearch {
    /// Guards are evaluated at the start only.
    Off,
    /// Guards are looked at after each step, and a crossing is an event at its end: for fixed
    /// steps in real time, and for methods without roots.
    StepEnd,
    /// Crossings are located to round-off.
    Locate,
}

/// How a driver treats events and outputs.
#[derive(Clone, Copy, Debug)]
pub struct EventSettings {
    /// Where guards are evaluated, and whether their roots are located.
    pub search: RootSearch,
    /// Passes of an event iteration before it counts as not settling.
    pub iteration_limit: usize,
    /// Events within `chatter_span` that count as chattering.
    pub chatter_events: usize,
    /// Span for `chatter_events`, s.
    pub chatter_span: f64,
    /// Methods may use what they knew before an event to restart faster.
    pub warm_restart: bool,
    /// Never step past an output point; the method then restarts at each (DE with a negative
    /// flag). For problems that have no derivatives beyond.
    pub stop_at_outputs: bool,
    /// Let a step end at every output point, without a restart: the problem may be changed there
    /// ([`Driver::disturb`](super::Driver::disturb)), and what it remembers must not be ahead of the output.
    pub land_on_outputs: bool,
    /// Steps after which the work is looked at.
    pub step_allowance: u64,
    /// Count the work anew at every output point, as DE does; otherwise through the run, so that
    /// stiffness shows with dense outputs too.
    pub count_per_output: bool,
    /// A run that covers less than this in 50000 steps and trials has stalled, s; zero if this is not to end it.
    pub stall_span: f64,
}

impl Default for EventSettings {
    fn default() -> Self {
        Self {
            search: RootSearch::Off,
            iteration_limit: 100,
            chatter_events: 100,
            chatter_span: 1e-6,
            warm_restart: true,
            stop_at_outputs: false,
            land_on_outputs: false,
            step_allowance: 500,
            count_per_output: false,
            stall_span: 0.0,
        }
    }
}
