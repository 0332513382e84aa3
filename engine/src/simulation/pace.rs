//! The time that steps take, and the clock that they are to keep up with.
//!
//! The time of a step runs from the end of the step before to its own end, without waiting: integration, events, rows of
//! results. In real time a step ends when the clock shows its simulated time and not before; a step that ends later is an
//! overrun. The clock does not wait for a simulation that is late, so every step is an overrun until the simulation has
//! caught up.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Bins of the histogram for each doubling of the time.
const BINS_PER_OCTAVE: f64 = 8.0;
/// Octaves from one nanosecond on: up to 18 minutes.
const OCTAVES: usize = 40;
/// The last part of a wait is a busy loop, because sleep is less precise.
const SPIN: Duration = Duration::from_micros(200);
/// Longest sleep; an interrupt is noticed after this time.
const SLICE: Duration = Duration::from_millis(50);

/// Statistics of the computing times of steps.
#[derive(Clone, Debug)]
pub struct StepTimes {
    bins: Box<[u64]>,
    count: u64,
    sum: Duration,
    longest: Duration,
}

impl StepTimes {
    fn new() -> Self {
        let bins = vec![0; OCTAVES * BINS_PER_OCTAVE as usize].into_boxed_slice();
        Self { bins, count: 0, sum: Duration::ZERO, longest: Duration::ZERO }
    }

    fn add(&mut self, time: Duration) {
        let place = ((time.as_nanos() as f64).max(1.0).log2() * BINS_PER_OCTAVE) as usize;
        let last = self.bins.len() - 1;
        self.bins[place.min(last)] += 1;
        self.count += 1;
        self.sum += time;
        self.longest = self.longest.max(time);
    }

    /// Steps measured.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Mean of all steps.
    pub fn mean(&self) -> Duration {
        self.sum.div_f64(self.count.max(1) as f64)
    }

    /// The longest step.
    pub fn longest(&self) -> Duration {
        self.longest
    }

    /// The time that this part of the steps did not exceed, rounded up to a bin, 9 %.
    pub fn quantile(&self, part: f64) -> Duration {
        let wanted = (part * self.count as f64).ceil() as u64;
        let mut seen = 0;
        for (bin, count) in self.bins.iter().enumerate() {
            seen += count;
            if seen >= wanted {
                let upper = ((bin + 1) as f64 / BINS_PER_OCTAVE).exp2();
                return Duration::from_nanos(upper as u64).min(self.longest);
            }
        }
        self.longest
    }
}

/// Lateness of a run against the clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RealTime {
    /// Simulated seconds per second of the clock.
    pub speed: f64,
    /// Steps that ended too late.
    pub overruns: u64,
    /// Simulated time of the first late step, s.
    pub first: Option<f64>,
    /// Largest lateness of a step.
    pub latest: Duration,
    /// Largest delay after a wait: from the instant waited for to the instant at which the run went on.
    pub oversleep: Duration,
}

/// Measures steps, and makes them wait for the clock.
pub(super) struct Pace<'a> {
    measures: bool,
    times: StepTimes,
    real_time: Option<RealTime>,
    interrupted: &'a AtomicBool,
    /// Instant and simulated time of the beginning of the run.
    origin: (Instant, f64),
    /// Instant at which the last step ended.
    last: Instant,
}

impl<'a> Pace<'a> {
    /// Measures if `measures` is true or there is a speed; waits for the clock if there is a speed.
    pub fn new(measures: bool, speed: Option<f64>, interrupted: &'a AtomicBool) -> Self {
        let real_time = speed.map(|speed| RealTime {
            speed,
            overruns: 0,
            first: None,
            latest: Duration::ZERO,
            oversleep: Duration::ZERO,
        });
        let (measures, now) = (measures || speed.is_some(), Instant::now());
        let times = StepTimes::new();
        Self { measures, times, real_time, interrupted, origin: (now, 0.0), last: now }
    }

    /// The run begins at the simulated time `t`.
    pub fn start(&mut self, t: f64) {
        let now = Instant::now();
        (self.origin, self.last) = ((now, t), now);
    }

    /// Whether the user wants the run to end.
    pub fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// A step has ended at the simulated time `t`.
    pub fn step(&mut self, t: f64) {
        if !self.measures {
            return;
        }
        let now = Instant::now();
        self.times.add(now - self.last);
        self.last = now;
        let Some(real_time) = &mut self.real_time else { return };
        let (begin, t_begin) = self.origin;
        let wanted = Duration::try_from_secs_f64((t - t_begin) / real_time.speed);
        // A time beyond the range of the clock is waited for until an interrupt.
        let due = wanted.ok().and_then(|wanted| begin.checked_add(wanted));
        if let Some(late) = due.and_then(|due| now.checked_duration_since(due)) {
            real_time.overruns += 1;
            real_time.first = real_time.first.or(Some(t));
            real_time.latest = real_time.latest.max(late);
            return;
        }
        self.last = wait(due, self.interrupted);
        let over = due.map_or(Duration::ZERO, |due| self.last.saturating_duration_since(due));
        real_time.oversleep = real_time.oversleep.max(over);
    }

    /// Computing times of the steps, if they were measured.
    pub fn times(&self) -> Option<&StepTimes> {
        Some(&self.times).filter(|times| times.count > 0)
    }

    /// Lateness against the clock, of a run in real time.
    pub fn real_time(&self) -> Option<RealTime> {
        self.real_time
    }
}

/// Sleeps, then spins, until an instant or an interrupt; returns the time then.
fn wait(until: Option<Instant>, interrupted: &AtomicBool) -> Instant {
    loop {
        let now = Instant::now();
        let left = until.map_or(SLICE + SPIN, |until| until.saturating_duration_since(now));
        if left.is_zero() || interrupted.load(Ordering::Relaxed) {
            return now;
        }
        match left.checked_sub(SPIN) {
            Some(rest) if !rest.is_zero() => std::thread::sleep(rest.min(SLICE)),
            _ => std::hint::spin_loop(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_within_a_bin() {
        let mut times = StepTimes::new();
        (1..=1000).for_each(|k| times.add(Duration::from_micros(k)));
        for (part, exact) in [(0.5, 500.0), (0.9, 900.0), (0.99, 990.0)] {
            let found = times.quantile(part).as_secs_f64() * 1e6;
            // The upper edge of a bin that holds the exact value.
            assert!(
                found >= exact && found <= exact * 2f64.powf(1.0 / 8.0) + 1.0,
                "{part} {found}"
            );
        }
        assert_eq!(times.quantile(1.0), Duration::from_micros(1000));
        assert_eq!(times.mean(), Duration::from_nanos(500_500));
    }

    #[test]
    fn steps_wait_for_the_clock_and_late_ones_are_counted() {
        let interrupted = AtomicBool::new(false);
        let mut pace = Pace::new(false, Some(2.0), &interrupted);
        pace.start(1.0);
        let begin = Instant::now();
        pace.step(1.04);
        assert!(begin.elapsed() >= Duration::from_millis(19));
        std::thread::sleep(Duration::from_millis(30));
        pace.step(1.05);
        let RealTime { overruns, first, latest, .. } = pace.real_time().unwrap();
        // At least 30 ms of sleep after the first step's end, where 5 ms were due.
        assert!(overruns >= 1 && first.is_some() && latest >= Duration::from_millis(24));
        assert_eq!(pace.times().unwrap().count(), 2);
    }

    #[test]
    fn an_interrupt_ends_a_wait() {
        let interrupted = AtomicBool::new(true);
        let mut pace = Pace::new(false, Some(1e-300), &interrupted);
        pace.start(0.0);
        pace.step(1.0);
        assert_eq!(pace.real_time().map(|real| real.overruns), Some(0));
    }
}
