//! The state of the animator behind its window: what is shown when, what is asked, what is recorded.
//!
//! Nothing here draws or knows a window, so that every command can be tested without one.

mod entry;
mod framing;
mod messages;
mod recording;
mod state;

use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use language::model::Model;
use mechanics::{Pose, Vec3};

pub use entry::{Entry, Question};
pub use framing::Extent;
pub use messages::Messages;
pub use recording::Recording;

pub use crate::record::Compression;

use crate::motion::forces::{Arrow, Forces};
use crate::motion::{Change, Motion};
use crate::playback::{Playback, Range};
use crate::view::View;

/// The share of the time between two pictures that may be spent on judging lines of the file, and its bounds (s).
const JUDGING: f64 = 0.15;
const JUDGING_BOUNDS: (f64, f64) = (0.006, 0.1);

/// The animator without its window.
pub struct App {
    /// The model that is shown.
    pub model: Model,
    /// The motion of the model.
    pub motion: Motion,
    forces: Option<Forces>,
    /// Camera and options.
    pub view: View,
    /// The clock.
    pub playback: Playback,
    /// A question that waits for an answer.
    pub entry: Option<Entry>,
    /// Whether and how pictures are written.
    pub recording: Recording,
    /// Messages for the user.
    pub messages: Messages,
    /// Whether the window is to be closed.
    pub quit: bool,
    /// How many commands were given, and the last one.
    pub commands: (u64, &'static str),
    told_problems: u64,
}

impl App {
    /// Shows the first row of a motion.
    pub fn new(model: Model, motion: Motion, view: View) -> Self {
        let mut app = Self {
            model,
            motion,
            forces: None,
            view,
            playback: Playback::default(),
            entry: None,
            recording: Recording::default(),
            messages: Messages::default(),
            quit: false,
            commands: (0, ""),
            told_problems: 0,
        };
        app.start();
        app
    }

    /// Begins with the data that were just opened.
    fn start(&mut self) {
        match Forces::beside(self.motion.path(), &self.model) {
            Ok(forces) => self.forces = forces,
            Err(error) => {
                let path = self.motion.path().with_extension("frc");
                self.messages.tell(format!("error: cannot read `{}`: {error}", path.display()));
            }
        }
        self.told_problems = 0;
        self.tell_problems();
        if let Some(range) = self.range() {
            self.playback.keep_within(range);
        }
        self.show();
    }

    /// The state as one line of text: `name=value` pairs, separated by blanks; texts are quoted.
    pub fn state(&self) -> String {
        state::state(self)
    }

    /// The times there are.
    pub fn range(&self) -> Option<Range> {
        let (first, last) = self.motion.span()?;
        Some(Range { first, last, growing: self.motion.is_growing() })
    }

    /// Lets time pass between two pictures.
    pub fn tick(&mut self, elapsed: f64) {
        let had_rows = self.motion.span().is_some();
        let judging = (elapsed * JUDGING).clamp(JUDGING_BOUNDS.0, JUDGING_BOUNDS.1);
        match self.motion.update(Duration::from_secs_f64(judging)) {
            Ok(Change::Reopened) => {
                self.messages.tell("note: the data was written anew and read again".into());
                self.start();
            }
            Ok(Change::Newer) => {
                self.messages.tell("note: there is newer data; press u to read it".into());
            }
            Ok(Change::Grown) if !had_rows => self.start(),
            Ok(Change::Grown | Change::None) => {}
            Err(error) => self.cannot_read(&error),
        }
        self.tell_problems();
        if self.recording.is_on() && self.playback.running {
            self.step_recorded();
        } else {
            let range = self.range();
            self.playback.advance(elapsed, range);
            self.show();
        }
    }

    /// While pictures are written, the rows decide and not the clock: each k-th row gives one picture,
    /// however long writing takes.
    fn step_recorded(&mut self) {
        let step = i64::try_from(self.playback.step()).unwrap_or(1);
        match self.motion.step(step) {
            Ok(true) => self.take_time(),
            Ok(false) => self.playback.running = self.motion.is_growing(),
            Err(error) => self.cannot_read(&error),
        }
    }

    /// Brings the motion to the time of the player.
    fn show(&mut self) {
        let time = self.playback.time;
        let shown = match (self.playback.step(), self.playback.running) {
            (1, _) | (_, false) => self.motion.seek(time),
            (every, true) => self.motion.seek_every(time, every),
        };
        if let Err(error) = shown {
            self.cannot_read(&error);
        }
    }

    /// Brings the player to the time of the motion.
    fn take_time(&mut self) {
        if let Some(time) = self.motion.time() {
            self.playback.time = time;
        }
    }

    /// Runs.
    pub fn run(&mut self) {
        let range = self.range();
        self.playback.run(range);
        self.show();
    }

    /// Goes on or back by single rows, and halts.
    pub fn step(&mut self, rows: i64) {
        self.playback.halt();
        match self.motion.step(rows) {
            Ok(_) => self.take_time(),
            Err(error) => self.cannot_read(&error),
        }
    }

    /// Goes to a time, or to the nearest end of the data.
    pub fn seek(&mut self, time: f64) {
        let range = self.range();
        self.playback.seek(time, range);
        self.show();
    }

    /// To the first row.
    pub fn rewind(&mut self) {
        self.seek(f64::MIN);
    }

    /// To the last row.
    pub fn wind(&mut self) {
        self.seek(f64::MAX);
    }

    /// Reads the data again.
    pub fn read_again(&mut self) {
        match self.motion.reopen() {
            Ok(()) => {
                self.messages.forget();
                self.start();
            }
            Err(error) => self.cannot_read(&error),
        }
    }

    /// Shows other data of the same model; what is shown stays if they cannot be read.
    ///
    /// # Errors
    /// If the file cannot be opened.
    pub fn open_data(&mut self, path: &Path) -> io::Result<()> {
        self.motion = Motion::open(path, &self.model)?;
        self.messages.forget();
        self.start();
        Ok(())
    }

    /// Other `.ani` files beside the present one, by name.
    pub fn data_beside(&self) -> Vec<String> {
        let directory = self.motion.path().parent().filter(|parent| *parent != Path::new(""));
        let Ok(entries) = fs::read_dir(directory.unwrap_or(Path::new("."))) else {
            return Vec::new();
        };
        let paths = entries.flatten().map(|entry| match directory {
            Some(directory) => directory.join(entry.file_name()),
            None => entry.file_name().into(),
        });
        let data = paths.filter(|path| path.extension().is_some_and(|suffix| suffix == "ani"));
        let mut names: Vec<String> = data.map(|path| path.display().to_string()).collect();
        names.sort();
        names
    }

    /// Follows a body (index in the model) from now on, or will when following is switched on.
    pub fn choose_body(&mut self, body: usize) {
        let following = self.view.is_following();
        self.set_following(false);
        self.view.body = Some(body);
        self.set_following(following);
    }

    /// Switches following on or off; without a body chosen, the first one is followed.
    pub fn set_following(&mut self, on: bool) {
        if on && self.view.body.is_none() {
            let Some(first) = self.model.bodies.first() else {
                self.messages.tell("note: the model has no body to follow".into());
                return;
            };
            let name = self.model.block_name(first.block);
            self.messages.tell(format!("note: following `{name}`; F3 chooses another body"));
            self.view.body = Some(0);
        }
        let position = self.followed_position();
        self.view.set_following(on, position);
    }

    /// Where the body to follow is.
    pub fn followed_position(&self) -> Option<Vec3> {
        let body = self.view.body?;
        self.motion.poses().get(body).copied().flatten().map(|pose| pose.translation)
    }

    /// The forces of the contacts that touch now.
    pub fn arrows(&mut self, poses: &[Option<Pose>]) -> Vec<Arrow> {
        let (Some(forces), Some(time)) = (&mut self.forces, self.motion.time()) else {
            return Vec::new();
        };
        forces.arrows(time, poses).unwrap_or_else(|error| {
            self.messages.tell(format!("error: cannot read the contact forces: {error}"));
            // Told once; without a table there are no arrows.
            self.forces = None;
            Vec::new()
        })
    }

    /// Tells what was found in the data since the last time.
    fn tell_problems(&mut self) {
        let found = self.motion.n_problems();
        if found == self.told_problems {
            return;
        }
        self.told_problems = found;
        self.messages.about_data(self.motion.problems());
    }

    fn cannot_read(&mut self, error: &io::Error) {
        let path = self.motion.path().display();
        self.messages.tell(format!("error: cannot read `{path}`: {error}"));
    }
}
