//! The result files: one file each, written safely.
//!
//! Files are written under temporary names and get their own when they are complete, so that a run that
//! is killed leaves nothing that looks finished.

mod animation;
mod energy;
mod forces;
mod log;
mod motion;
mod safe_file;
mod signals;
mod table;

use std::io;
use std::path::{Path, PathBuf};

pub use log::Log;
pub use safe_file::SafeFile;

use crate::element::Family;
use crate::expression::SignalRef;
use crate::model::Model;
use crate::model::general::{OutputType, ResultFile};
use crate::system::{Run, System};

/// A file that gets a row at every output time.
trait Rows {
    /// Writes the row of the observed state.
    fn row(&mut self, t: f64, run: &Run<'_, '_>) -> io::Result<()>;
    /// Completes the file; `stopped` tells when a run ended early.
    fn finish(self: Box<Self>, stopped: Option<f64>) -> io::Result<PathBuf>;
}

/// A file that could not be written.
#[derive(Debug)]
pub struct WriteError {
    /// Its path.
    pub path: PathBuf,
    /// Why.
    pub error: io::Error,
}

impl std::fmt::Display for WriteError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "cannot write `{}`: {}", self.path.display(), self.error)
    }
}

impl std::error::Error for WriteError {}

/// All result files of a run but the log.
pub struct Results {
    files: Vec<(PathBuf, Box<dyn Rows>)>,
    /// The `.csv` file also gets rows at events.
    events: Option<usize>,
}

impl Results {
    /// Creates the files that the model asks for.
    ///
    /// # Errors
    /// If a file cannot be created.
    pub fn create(system: &System<'_>, directory: &Path) -> Result<Self, WriteError> {
        let model = system.model;
        let mut results = Self { files: Vec::new(), events: None };
        for file in wanted(model) {
            let path = directory.join(format!("{}.{}", model.name, file.word()));
            let made: io::Result<Option<Box<dyn Rows>>> = match file {
                ResultFile::Animation if !model.bodies.is_empty() => {
                    animation::AnimationFile::create(&path, model)
                        .map(|file| Some(Box::new(file) as _))
                }
                ResultFile::Motion if !model.bodies.is_empty() => {
                    motion::MotionFile::create(&path, model).map(|file| Some(Box::new(file) as _))
                }
                ResultFile::Energy if !model.bodies.is_empty() => {
                    energy::EnergyFile::create(&path, model).map(|file| Some(Box::new(file) as _))
                }
                ResultFile::Forces if forces::has_contacts(model) => {
                    forces::ForceFile::create(&path, system).map(|file| Some(Box::new(file) as _))
                }
                ResultFile::Signals => {
                    signals::SignalFile::create(&path, system).map(|file| Some(Box::new(file) as _))
                }
                _ => Ok(None),
            };
            match made {
                Ok(Some(rows)) => results.push(file, path, rows),
                Ok(None) => {}
                Err(error) => {
                    results.files.drain(..).for_each(|(path, _)| SafeFile::discard(&path));
                    SafeFile::discard(&path);
                    return Err(WriteError { path, error });
                }
            }
        }
        Ok(results)
    }

    fn push(&mut self, file: ResultFile, path: PathBuf, rows: Box<dyn Rows>) {
        if file == ResultFile::Signals {
            self.events = Some(self.files.len());
        }
        self.files.push((path, rows));
    }

    /// Writes the rows of an output time.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn row(&mut self, t: f64, run: &Run<'_, '_>) -> Result<(), WriteError> {
        for (path, file) in &mut self.files {
            file.row(t, run).map_err(|error| WriteError { path: path.clone(), error })?;
        }
        Ok(())
    }

    /// Writes a row at an event.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn event_row(&mut self, t: f64, run: &Run<'_, '_>) -> Result<(), WriteError> {
        let Some((path, file)) = self.events.and_then(|at| self.files.get_mut(at)) else {
            return Ok(());
        };
        file.row(t, run).map_err(|error| WriteError { path: path.clone(), error })
    }

    /// Completes all files; gives their paths, and the first failure if there is one.
    pub fn finish(self, stopped: Option<f64>) -> (Vec<PathBuf>, Option<WriteError>) {
        let mut written = Vec::new();
        let mut failure = None;
        for (path, file) in self.files {
            match file.finish(stopped) {
                Ok(path) => written.push(path),
                Err(error) => failure = failure.or(Some(WriteError { path, error })),
            }
        }
        (written, failure)
    }
}

/// The files that the model asks for.
fn wanted(model: &Model) -> Vec<ResultFile> {
    let all = [
        ResultFile::Animation,
        ResultFile::Motion,
        ResultFile::Energy,
        ResultFile::Forces,
        ResultFile::Signals,
    ];
    match &model.output {
        Some(output) => {
            output.files.as_ref().map_or_else(|| all.to_vec(), |files| files.0.to_vec())
        }
        None if model.header.output_type == OutputType::None => Vec::new(),
        None => all.to_vec(),
    }
}

/// The columns of the `.csv` file: those of Output, or all coordinates, rates, forces and network signals.
fn columns(model: &Model) -> Vec<SignalRef> {
    let chosen = model.output.as_ref().and_then(|output| output.signals.as_ref());
    if let Some(signals) = chosen {
        return signals.0.iter().map(|(signal, _)| *signal).collect();
    }
    let mut columns = Vec::new();
    for joint in &model.joints {
        let schema = model.blocks[joint.block as usize].schema;
        for (signal, known) in schema.all_signals().enumerate() {
            if !matches!(known.name, "q" | "qd" | "f") {
                continue;
            }
            for component in 0..schema.coordinates.len() {
                columns.push(SignalRef {
                    block: joint.block,
                    signal: signal as u16,
                    component: component as u16,
                });
            }
        }
    }
    for (block, entry) in model.blocks.iter().enumerate() {
        if matches!(entry.schema.family, Family::Network | Family::Node) {
            let count = entry.schema.all_signals().count() as u16;
            let signal = |signal| SignalRef { block: block as u32, signal, component: 0 };
            columns.extend((0..count).map(signal));
        }
    }
    columns
}
