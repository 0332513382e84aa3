//! A progress bar on standard error, if that is a terminal.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use engine::Progress;

use crate::terminal::{self, Verbosity};

/// Pause between two drawings.
const PAUSE: Duration = Duration::from_millis(100);
/// Pause between two lines where there is no terminal.
const REMINDER: Duration = Duration::from_secs(60);
/// Characters of the bar.
const WIDTH: usize = 30;

/// Shows simulated time, speed relative to real time, and the time that is left.
pub struct ProgressBar {
    start: f64,
    end: f64,
    clock: Instant,
    /// When it was last drawn; `None` if it is never drawn.
    drawn: Option<Instant>,
    visible: bool,
    /// When a line was last written without a terminal.
    told: Option<Instant>,
}

impl ProgressBar {
    /// A bar for a run from `start` to `end` (s).
    pub fn new(start: f64, end: f64, verbosity: Verbosity) -> Self {
        let shown = verbosity > Verbosity::Quiet && io::stderr().is_terminal();
        let now = Instant::now();
        Self { start, end, clock: now, drawn: shown.then_some(now), visible: false, told: None }
    }

    /// Removes the bar from the screen.
    pub fn clear(&mut self) {
        if self.visible {
            terminal::say("\r\x1b[K");
        }
    }
}

impl Progress for ProgressBar {
    fn busy(&mut self, t: f64, step: f64) {
        // Without a terminal an occasional line is enough. It is shown even if the user asks for no messages, because a run
        // that seems to stand still needs an explanation.
        let now = Instant::now();
        if self.drawn.is_none() {
            let is_due = self.told.is_none_or(|told| now - told > REMINDER);
            if is_due {
                self.told = Some(now);
                terminal::warn(&format!("t = {t} s: a row takes long, with steps of {step:.1e} s"));
            }
            return;
        }
        self.drawn = Some(now);
        self.visible = true;
        terminal::say(&format!(
            "\rt = {t} of {} s: a row takes long, with steps of {step:.1e} s\x1b[K",
            self.end
        ));
    }

    fn reached(&mut self, t: f64) {
        let Some(drawn) = &mut self.drawn else { return };
        if drawn.elapsed() < PAUSE {
            return;
        }
        *drawn = Instant::now();
        self.visible = true;
        let wall = self.clock.elapsed().as_secs_f64();
        let done = ((t - self.start) / (self.end - self.start)).clamp(0.0, 1.0);
        let filled = (done * WIDTH as f64) as usize;
        let left = if done > 0.0 { wall * (1.0 - done) / done } else { 0.0 };
        let speed = (t - self.start) / wall;
        let bar = format!("{}{}", "=".repeat(filled), " ".repeat(WIDTH - filled));
        terminal::say(&format!(
            "\r[{bar}] t = {t:.3} of {} s, {speed:.1} times real time, {left:.0} s left\x1b[K",
            self.end
        ));
    }
}
