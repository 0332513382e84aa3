//! The progress of a recording, where somebody looks on.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// Time between two lines.
const PAUSE: Duration = Duration::from_millis(200);

/// Characters of the bar.
const BAR: u64 = 30;

/// A line on standard error that tells how far it is; none where that is not a terminal.
pub(super) struct Progress {
    total: u64,
    begun: Instant,
    told: Option<Instant>,
    shown: bool,
}

impl Progress {
    pub(super) fn new(total: u64) -> Self {
        Self { total, begun: Instant::now(), told: None, shown: io::stderr().is_terminal() }
    }

    pub(super) fn step(&mut self, done: u64) {
        let due = self.told.is_none_or(|told| told.elapsed() >= PAUSE) || done == self.total;
        if self.shown && due {
            self.told = Some(Instant::now());
            let line = line(done, self.total, self.begun.elapsed().as_secs_f64());
            let _ = write!(io::stderr(), "\r{line}\x1b[K");
        }
    }

    pub(super) fn finish(&self) {
        if self.shown {
            let _ = writeln!(io::stderr());
        }
    }
}

/// The bar, the number of pictures, how many in a second, and the time that is left.
fn line(done: u64, total: u64, elapsed: f64) -> String {
    let filled = (BAR * done / total.max(1)) as usize;
    let bar = format!("{}{}", "#".repeat(filled), ".".repeat(BAR as usize - filled));
    let rate = done as f64 / elapsed.max(1e-3);
    let left = (total - done) as f64 / rate;
    format!("[{bar}] picture {done} of {total}, {rate:.1} per second, {left:.0} s left")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_tells_share_rate_and_rest() {
        let text = line(50, 100, 10.0);
        assert_eq!(
            text,
            "[###############...............] picture 50 of 100, 5.0 per second, 10 s left"
        );
    }
}
