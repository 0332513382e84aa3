//! Questions that are answered by typing.

use std::path::Path;

use super::{App, Compression};
use crate::view::Extent;

/// A question to the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// The file with other data of the same model.
    Data,
    /// The extent of the grid.
    Grid,
    /// The body to follow.
    Body,
    /// The base name of pictures.
    Images(Compression),
}

impl Question {
    /// The prompt that tells what to type.
    pub fn prompt(self) -> &'static str {
        match self {
            Self::Data => "Animation data of the same model (.ani file)",
            Self::Grid => "Extent of the grid in metres: x- x+ y- y+",
            Self::Body => "Name of the body to follow",
            Self::Images(_) => "Base name of the images: <base>0000.tif, <base>0001.tif, ...",
        }
    }

    /// A word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Data => "data",
            Self::Grid => "grid",
            Self::Body => "body",
            Self::Images(_) => "images",
        }
    }
}

/// A question and the answer so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The question.
    pub question: Question,
    /// The text typed so far.
    pub text: String,
    /// The mistake in the last answer.
    pub error: Option<String>,
    /// Whether recording is to begin with the answer.
    then_record: bool,
}

impl App {
    /// Asks; the answer proposed is the present value.
    pub fn ask(&mut self, question: Question) {
        let text = match question {
            Question::Data => self.motion.path().display().to_string(),
            Question::Grid => {
                let Extent { x_min, x_max, y_min, y_max } = self.view.options.extent;
                format!("{x_min} {x_max} {y_min} {y_max}")
            }
            Question::Body => {
                let body = self.view.body.unwrap_or(0);
                let body = self.model.bodies.get(body);
                body.map_or("", |body| self.model.block_name(body.block)).to_owned()
            }
            Question::Images(_) => {
                self.recording.base.clone().unwrap_or_else(|| self.model.name.clone())
            }
        };
        self.entry = Some(Entry { question, text, error: None, then_record: false });
    }

    /// Switches recording on or off. Without a base name, that is asked first.
    pub fn toggle_recording(&mut self) {
        if self.recording.is_on() {
            self.end_recording();
        } else if !self.recording.begin() {
            self.ask(Question::Images(self.recording.compression));
            self.entry.iter_mut().for_each(|entry| entry.then_record = true);
        }
    }

    /// Ends recording and says how much was written.
    pub fn end_recording(&mut self) {
        let base = self.recording.base.clone().unwrap_or_default();
        let written = self.recording.end();
        self.messages.tell(format!("note: {written} images {base}####.tif were written"));
    }

    /// Takes the answer. If it cannot be used, the question stays and says why.
    pub fn answer(&mut self) {
        let Some(entry) = self.entry.take() else { return };
        let text = entry.text.trim();
        let taken = match entry.question {
            Question::Data => self.take_data(text),
            Question::Grid => self.take_grid(text),
            Question::Body => self.take_body(text),
            Question::Images(compression) => self.take_base(text, compression),
        };
        match taken {
            Ok(()) if entry.then_record => _ = self.recording.begin(),
            Ok(()) => {}
            Err(error) => self.entry = Some(Entry { error: Some(error), ..entry }),
        }
    }

    /// Forgets the question.
    pub fn cancel(&mut self) {
        self.entry = None;
    }

    fn take_data(&mut self, text: &str) -> Result<(), String> {
        let path = Path::new(text);
        self.open_data(path).map_err(|error| format!("cannot read `{text}`: {error}"))
    }

    fn take_grid(&mut self, text: &str) -> Result<(), String> {
        let words = text.split([' ', ',', ';', '\t']).filter(|word| !word.is_empty());
        let numbers: Result<Vec<f64>, _> = words
            .map(|word| word.parse().map_err(|_| format!("`{word}` is not a number")))
            .collect();
        let numbers = numbers?;
        let &[x_min, x_max, y_min, y_max] = numbers.as_slice() else {
            return Err(format!("{} numbers, expected four: x- x+ y- y+", numbers.len()));
        };
        let extent = Extent::new(x_min, x_max, y_min, y_max);
        self.view.options.extent = extent.ok_or("expected x- below x+ and y- below y+")?;
        Ok(())
    }

    fn take_body(&mut self, text: &str) -> Result<(), String> {
        let names = self.model.bodies.iter().map(|body| self.model.block_name(body.block));
        let found = names.clone().position(|name| name == text);
        let body = found.ok_or_else(|| {
            let some: Vec<&str> = names.take(5).collect();
            format!("the model has no body `{text}`; it has {}", some.join(", "))
        })?;
        self.choose_body(body);
        Ok(())
    }

    fn take_base(&mut self, text: &str, compression: Compression) -> Result<(), String> {
        let path = Path::new(text);
        if path.file_name().is_none() || text.ends_with(['/', '\\']) {
            return Err("expected the beginning of a file name, such as `images/run`".into());
        }
        let directory = path.parent().filter(|parent| *parent != Path::new(""));
        if let Some(directory) = directory.filter(|directory| !directory.is_dir()) {
            return Err(format!("there is no directory `{}`", directory.display()));
        }
        self.recording.base = Some(text.to_owned());
        self.recording.compression = compression;
        Ok(())
    }
}
