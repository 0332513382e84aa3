//! Results that a plugin writes itself.

use std::io;
use std::path::{Path, PathBuf};

use super::{Plugin, State};
use crate::model::Model;
use crate::safe_file::SafeFile;

/// A plugin that writes results.
pub trait Output: Plugin {
    /// State that the plugin keeps open during a run, such as a [`SafeFile`].
    type Writer: 'static;

    /// Opens the files of the plugin, before the run begins.
    ///
    /// # Errors
    /// If it cannot be opened; the run then does not begin.
    fn create(&self, place: &Place<'_>) -> io::Result<Self::Writer>;

    /// Writes what there is to say at an output time.
    ///
    /// # Errors
    /// If it cannot be written; the run then ends.
    fn write(&self, writer: &mut Self::Writer, now: &State<'_>) -> io::Result<()> {
        let _ = (writer, now);
        Ok(())
    }

    /// Writes what there is to say at an event of any element, after it. [`State::switched`] tells whether
    /// a state of its own is concerned.
    ///
    /// # Errors
    /// If it cannot be written; the run then ends.
    fn event(&self, writer: &mut Self::Writer, now: &State<'_>) -> io::Result<()> {
        let _ = (writer, now);
        Ok(())
    }

    /// Closes what it wrote to, also after a run that failed; gives the path of a file that is to be named
    /// in the summary.
    ///
    /// # Errors
    /// If it cannot be closed.
    fn finish(&self, writer: Self::Writer, ending: Ending) -> io::Result<Option<PathBuf>> {
        let _ = (writer, ending);
        Ok(None)
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ending {
    /// Simulated time that was reached, s.
    pub t: f64,
    /// The run reached its end.
    pub complete: bool,
}

/// Where results go.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    pub(crate) directory: &'a Path,
    pub(crate) model: &'a Model,
    pub(crate) block: u32,
}

impl<'a> Place<'a> {
    /// The place of the results of a block.
    pub fn new(directory: &'a Path, model: &'a Model, block: u32) -> Self {
        Self { directory, model, block }
    }

    /// The directory of the results.
    pub fn directory(&self) -> &'a Path {
        self.directory
    }

    /// The model.
    pub fn model(&self) -> &'a Model {
        self.model
    }

    /// The name of the block.
    pub fn name(&self) -> &'a str {
        self.model.block_name(self.block)
    }

    /// The path `<ModelName>.<name of the block>.<extension>` in the directory of the results.
    pub fn path(&self, extension: &str) -> PathBuf {
        self.directory.join(format!("{}.{}.{extension}", self.model.name, self.name()))
    }

    /// A file with this path. It has its name only when it is finished with [`SafeFile::finish`].
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn file(&self, extension: &str) -> io::Result<SafeFile> {
        SafeFile::create(&self.path(extension))
    }
}
