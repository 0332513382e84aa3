//! When what is shown: the time of the animation, driven by the clock on the wall.
//!
//! Pure: the caller says how much time has passed. Two numbers set the rate. The speed is the share of real
//! time at which the clock of the animation runs. The step k shows only every k-th row, each for as long as
//! every row at k = 1, so that the animation runs k times as fast.

/// The speeds relative to real time that keys step through.
const SPEEDS: [f64; 13] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0];

/// The largest step.
pub const MAX_STEP: u64 = 1000;

/// Longer pauses between two pictures (s) come from a machine that was asleep; the animation goes on where it was.
const LONGEST_PAUSE: f64 = 2.0;

/// The times there are to show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// First time, s.
    pub first: f64,
    /// Last time, s.
    pub last: f64,
    /// Whether later times may come.
    pub growing: bool,
}

/// The state of the player.
#[derive(Clone, Debug, PartialEq)]
pub struct Playback {
    /// Time of the animation, s.
    pub time: f64,
    /// Whether it runs.
    pub running: bool,
    /// Whether it begins again at the end.
    pub looping: bool,
    /// Seconds of the animation per second, at step 1.
    speed: f64,
    /// Every how many rows one is shown.
    step: u64,
}

impl Default for Playback {
    fn default() -> Self {
        Self { time: 0.0, running: false, looping: false, speed: 1.0, step: 1 }
    }
}

impl Playback {
    /// Lets `elapsed` seconds of the clock pass.
    pub fn advance(&mut self, elapsed: f64, range: Option<Range>) {
        let Some(range) = range.filter(|_| self.running) else { return };
        // At the end of what has been written, wait for more.
        self.time += elapsed.clamp(0.0, LONGEST_PAUSE) * self.rate();
        self.keep_within(range);
    }

    /// Begins again, waits or halts at the end.
    pub fn keep_within(&mut self, range: Range) {
        let Range { first, last, growing } = range;
        if self.time < first || self.time.is_nan() {
            self.time = first;
        }
        if self.time < last {
            return;
        }
        let duration = last - first;
        if self.looping && !growing && self.running && duration > 0.0 {
            self.time = first + (self.time - first) % duration;
        } else {
            self.time = last;
            self.running &= growing || self.looping;
        }
    }

    /// Runs; from the beginning if it stands at the end.
    pub fn run(&mut self, range: Option<Range>) {
        self.running = true;
        if let Some(Range { first, last, growing: false }) = range
            && self.time >= last
        {
            self.time = first;
        }
    }

    /// Halts.
    pub fn halt(&mut self) {
        self.running = false;
    }

    /// Goes to a time; the player keeps running or halting.
    pub fn seek(&mut self, time: f64, range: Option<Range>) {
        if let Some(Range { first, last, .. }) = range
            && time.is_finite()
        {
            self.time = time.clamp(first, last.max(first));
        }
    }

    /// Seconds of the animation per second of the clock.
    pub fn rate(&self) -> f64 {
        self.speed * self.step as f64
    }

    /// Every how many rows one is shown.
    pub fn step(&self) -> u64 {
        self.step
    }

    /// Sets the step; 0 counts as 1.
    pub fn set_step(&mut self, step: u64) {
        self.step = step.clamp(1, MAX_STEP);
    }

    /// Sets the speed in parts of real time, from 0.01 to 100.
    pub fn set_speed(&mut self, speed: f64) {
        if speed.is_finite() {
            self.speed = speed.clamp(SPEEDS[0], SPEEDS[SPEEDS.len() - 1]);
        }
    }

    /// One faster: a larger step, but a slowed clock first returns to real time.
    pub fn faster(&mut self) {
        match self.speed < 1.0 {
            true => self.speed_up(),
            false => self.set_step(self.step + 1),
        }
    }

    /// One slower: a smaller step; at the smallest the clock slows down.
    pub fn slower(&mut self) {
        match self.step {
            1 => self.slow_down(),
            step => self.set_step(step - 1),
        }
    }

    /// The next higher speed of the clock.
    pub fn speed_up(&mut self) {
        let next = SPEEDS.iter().find(|&&speed| speed > self.speed * 1.001);
        self.speed = next.copied().unwrap_or(self.speed);
    }

    /// The next lower speed of the clock.
    pub fn slow_down(&mut self) {
        let next = SPEEDS.iter().rev().find(|&&speed| speed < self.speed / 1.001);
        self.speed = next.copied().unwrap_or(self.speed);
    }

    /// Real time, every row.
    pub fn real_time(&mut self) {
        (self.speed, self.step) = (1.0, 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RANGE: Range = Range { first: 1.0, last: 5.0, growing: false };

    fn running(time: f64) -> Playback {
        Playback { time, running: true, ..Playback::default() }
    }

    /// Lets `seconds` pass in pictures of unequal length.
    fn pass(player: &mut Playback, seconds: f64, range: Range) {
        let parts = [0.1, 0.25, 0.05, 0.4, 0.2];
        for part in parts {
            player.advance(part * seconds, Some(range));
        }
    }

    #[test]
    fn a_second_takes_a_second_however_many_pictures_there_are() {
        let mut player = running(1.0);
        pass(&mut player, 2.0, RANGE);
        assert!((player.time - 3.0).abs() < 1e-12);
        player.halt();
        pass(&mut player, 2.0, RANGE);
        assert!((player.time - 3.0).abs() < 1e-12);
    }

    #[test]
    fn every_speed_from_a_hundredth_to_a_hundred_is_kept() {
        let long = Range { first: 0.0, last: 1e6, growing: false };
        for speed in [0.01, 0.3, 1.0, 7.5, 100.0] {
            let mut player = running(0.0);
            player.set_speed(speed);
            pass(&mut player, 1.5, long);
            assert!((player.time - 1.5 * speed).abs() < 1e-12 * speed, "{speed}");
        }
        let mut player = running(0.0);
        for (asked, kept) in [(1e-9, 0.01), (1e9, 100.0), (f64::NAN, 100.0)] {
            player.set_speed(asked);
            assert_eq!(player.rate(), kept);
        }
    }

    #[test]
    fn the_end_halts_or_begins_again_or_waits() {
        let mut player = running(4.5);
        player.advance(1.0, Some(RANGE));
        assert_eq!((player.time, player.running), (5.0, false));

        let mut player = Playback { looping: true, ..running(4.5) };
        player.advance(1.0, Some(RANGE));
        assert!((player.time - 1.5).abs() < 1e-12 && player.running);

        let growing = Range { growing: true, ..RANGE };
        let mut player = running(4.5);
        player.advance(1.0, Some(growing));
        assert_eq!((player.time, player.running), (5.0, true));
        player.advance(0.5, Some(Range { last: 9.0, ..growing }));
        assert_eq!(player.time, 5.5);
    }

    #[test]
    fn running_again_at_the_end_begins_at_the_beginning() {
        let mut player = Playback { time: 5.0, ..Playback::default() };
        player.run(Some(RANGE));
        assert_eq!((player.time, player.running), (1.0, true));
    }

    #[test]
    fn a_machine_that_slept_does_not_skip_the_motion() {
        let long = Range { first: 0.0, last: 1e6, growing: false };
        let mut player = running(0.0);
        player.advance(3600.0, Some(long));
        assert_eq!(player.time, LONGEST_PAUSE);
        player.advance(-1.0, Some(long));
        assert_eq!(player.time, LONGEST_PAUSE);
    }

    #[test]
    fn no_rows_and_single_rows_are_survived() {
        let mut player = Playback { looping: true, ..running(0.0) };
        player.advance(1.0, None);
        assert_eq!(player.time, 0.0);
        player.advance(1.0, Some(Range { first: 2.0, last: 2.0, growing: false }));
        assert_eq!(player.time, 2.0);
        player.time = f64::NAN;
        player.advance(0.1, Some(RANGE));
        assert!(player.time.is_finite());
    }

    #[test]
    fn faster_and_slower_are_one_ladder_through_real_time() {
        let mut player = Playback::default();
        let mut rates = Vec::new();
        for _ in 0..2 {
            player.faster();
            rates.push(player.rate());
        }
        for _ in 0..9 {
            player.slower();
            rates.push(player.rate());
        }
        assert_eq!(rates, [2.0, 3.0, 2.0, 1.0, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.01]);
        for _ in 0..7 {
            player.faster();
        }
        assert_eq!((player.rate(), player.step()), (2.0, 2));
        player.set_step(0);
        assert_eq!(player.step(), 1);
    }

    #[test]
    fn the_slider_stays_within_the_data() {
        let mut player = Playback::default();
        for (asked, kept) in [(3.0, 3.0), (-1.0, 1.0), (99.0, 5.0), (f64::NAN, 5.0)] {
            player.seek(asked, Some(RANGE));
            assert_eq!(player.time, kept);
        }
    }
}
