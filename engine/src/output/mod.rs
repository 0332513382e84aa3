//! The result files: one file each, written safely.
//!
//! Files are written under temporary names and get their own when they are complete, so that a run that
//! is killed leaves nothing that looks finished.

mod animation;
mod background;
mod energy;
mod forces;
mod log;
mod matrix;
mod motion_file;
mod plugins;
mod signals;
mod state_space;
mod text_table;

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub use animation::ModeAnimation;
use background::Background;
pub use log::Log;
pub use matrix::MatrixFile;
pub use plugins::PluginOutputs;
pub use state_space::StateSpace;

use crate::sensitivity::Bundle;
use crate::system::{Run, System};
use equations::expression::SignalRef;
use language::blocks::general::{Analysis, OutputType, ResultFile};
use language::blocks::network::signals::input::EXCITATION;
use language::element::{BlockSchema, Family, SignalShape};
use language::model::Model;
use language::reading::ids::NodeId;
use language::safe_file::SafeFile;
use rustc_hash::{FxHashMap, FxHashSet};

/// Rows are written at least so often, so that an animator can follow a run.
const LATENCY: Duration = Duration::from_millis(200);

/// The numbers that a file has of each state.
trait Rows {
    /// Appends the numbers of the observed state.
    fn fill(&mut self, t: f64, run: &Run<'_>, row: &mut Vec<f64>);

    /// Appends derivatives with respect to parameters.
    fn fill_sensitivities(&mut self, _: &Bundle<'_>, _: &mut Vec<f64>) {}
}

/// A file that gets a row at every output time.
struct RowFile {
    path: PathBuf,
    rows: Box<dyn Rows>,
    background: Background,
}

impl RowFile {
    fn row(&mut self, t: f64, run: &Run<'_>) -> Result<(), WriteError> {
        let written = self.background.row(|row| self.rows.fill(t, run, row));
        written.map_err(|error| WriteError { path: self.path.clone(), error })
    }

    fn row_of_bundle(&mut self, t: f64, bundle: &Bundle<'_>) -> Result<(), WriteError> {
        let written = self.background.row(|row| {
            self.rows.fill(t, bundle, row);
            self.rows.fill_sensitivities(bundle, row);
        });
        written.map_err(|error| WriteError { path: self.path.clone(), error })
    }
}

/// A file that could not be written.
#[derive(Debug)]
pub struct WriteError {
    /// Path of the file.
    pub path: PathBuf,
    /// Reason of the failure.
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
    files: Vec<RowFile>,
    /// The `.csv` file also gets rows at events.
    events: Option<usize>,
    /// When all rows were last handed over to be written.
    flushed: Instant,
}

impl Results {
    /// Creates the files that the model asks for.
    ///
    /// # Errors
    /// If a file cannot be created.
    pub fn create(system: &System, directory: &Path) -> Result<Self, WriteError> {
        let mut results = Self { files: Vec::new(), events: None, flushed: Instant::now() };
        for file in wanted(&system.model) {
            let path = directory.join(format!("{}.{}", system.model.name, file.word()));
            match create(file, &path, system) {
                Ok((rows, background)) => {
                    if file == ResultFile::Signals {
                        results.events = Some(results.files.len());
                    }
                    results.files.push(RowFile { path, rows, background });
                }
                Err(error) => {
                    results.discard();
                    SafeFile::discard(&path);
                    return Err(WriteError { path, error });
                }
            }
        }
        Ok(results)
    }

    /// Removes the files that were begun for nothing.
    fn discard(self) {
        for file in self.files {
            // There is nothing in it that could be lost.
            let _ = file.background.close().wait();
            SafeFile::discard(&file.path);
        }
    }

    /// Writes the rows of an output time.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn row(&mut self, t: f64, run: &Run<'_>) -> Result<(), WriteError> {
        self.files.iter_mut().try_for_each(|file| file.row(t, run))?;
        self.flush()
    }

    /// Writes the rows of an output time, with derivatives with respect to parameters.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn row_of_bundle(&mut self, t: f64, bundle: &Bundle<'_>) -> Result<(), WriteError> {
        self.files.iter_mut().try_for_each(|file| file.row_of_bundle(t, bundle))?;
        self.flush()
    }

    /// Lets others see the rows from time to time.
    fn flush(&mut self) -> Result<(), WriteError> {
        if self.flushed.elapsed() < LATENCY {
            return Ok(());
        }
        for RowFile { path, background, .. } in &mut self.files {
            background.flush().map_err(|error| WriteError { path: path.clone(), error })?;
        }
        self.flushed = Instant::now();
        Ok(())
    }

    /// Writes a row at an event.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn event_row(&mut self, t: f64, bundle: &Bundle<'_>) -> Result<(), WriteError> {
        let file = self.events.and_then(|at| self.files.get_mut(at));
        file.map_or(Ok(()), |file| file.row_of_bundle(t, bundle))
    }

    /// Completes all files; gives their paths, and the first failure if there is one.
    pub fn finish(self, stopped: Option<f64>) -> (Vec<PathBuf>, Option<WriteError>) {
        let mut written = Vec::new();
        let mut failure = None;
        // All threads write their last rows at once.
        let closing: Vec<_> =
            self.files.into_iter().map(|file| (file.path, file.background.close())).collect();
        for (path, file) in closing {
            match file.wait().and_then(|text| text.finish(stopped)) {
                Ok(path) => written.push(path),
                Err(error) => failure = failure.or(Some(WriteError { path, error })),
            }
        }
        (written, failure)
    }
}

/// Creates a file and what fills it.
fn create(
    file: ResultFile,
    path: &Path,
    system: &System,
) -> io::Result<(Box<dyn Rows>, Background)> {
    fn boxed((rows, background): (impl Rows + 'static, Background)) -> (Box<dyn Rows>, Background) {
        (Box::new(rows), background)
    }
    let model = &system.model;
    match file {
        ResultFile::Animation => animation::create(path, model).map(boxed),
        ResultFile::Motion => motion_file::create(path, model).map(boxed),
        ResultFile::Energy => energy::create(path, model).map(boxed),
        ResultFile::Forces => forces::create(path, system).map(boxed),
        ResultFile::Signals => signals::create(path, system).map(boxed),
    }
}

/// The files that the model asks for and has something to tell in.
pub fn wanted(model: &Model) -> Vec<ResultFile> {
    let all = [
        ResultFile::Animation,
        ResultFile::Motion,
        ResultFile::Energy,
        ResultFile::Forces,
        ResultFile::Signals,
    ];
    let mut wanted = match &model.output {
        Some(output) => {
            output.files.as_ref().map_or_else(|| all.to_vec(), |files| files.0.to_vec())
        }
        None if model.header.output_type == OutputType::None => Vec::new(),
        None => all.to_vec(),
    };
    wanted.retain(|file| match file {
        ResultFile::Animation | ResultFile::Motion | ResultFile::Energy => !model.bodies.is_empty(),
        ResultFile::Forces => forces::has_contacts(model),
        ResultFile::Signals => true,
    });
    wanted
}

/// The unit of a column of `.epl`, `.pva` or `.frc`, whose columns are the same in every model.
pub fn table_unit(file: ResultFile, column: &str) -> Option<&'static str> {
    let parts: &[(&str, &'static str)] = match file {
        ResultFile::Energy => &energy::PARTS,
        ResultFile::Motion => &motion_file::PARTS,
        ResultFile::Forces => &forces::PARTS,
        ResultFile::Animation | ResultFile::Signals => return None,
    };
    let (_, quantity) = column.rsplit_once('.')?;
    parts.iter().find(|part| part.0 == quantity).map(|part| part.1)
}

/// The names of all ports: the node of a port has the name of the port, whose columns tell its potential.
fn port_names(model: &Model) -> FxHashSet<&str> {
    let ports = model.blocks.iter().filter(|entry| entry.schema.keyword == "Port");
    ports.map(|entry| model.sources.text(entry.name)).collect()
}

/// All signals of networks and signal blocks.
fn add_network_columns(model: &Model, columns: &mut Vec<SignalRef>) {
    let ports = port_names(model);
    let mut named: FxHashMap<&str, &'static BlockSchema> = FxHashMap::default();
    for (block, entry) in model.blocks.iter().enumerate() {
        let is_of_port =
            entry.schema.family == Family::Node && ports.contains(model.sources.text(entry.name));
        if is_of_port || std::ptr::eq(entry.schema, &EXCITATION) {
            continue;
        }
        if matches!(
            entry.schema.family,
            Family::Network | Family::Node | Family::Signal | Family::Sensor
        ) {
            let block = block as u32;
            // A node may have the name of an element, and `base` is a shaft and a rod: one name is one column, the first.
            let name = match entry.schema.family {
                Family::Node => model.node_name(NodeId(entry.handle)),
                _ => model.sources.text(entry.name),
            };
            let first = *named.entry(name).or_insert(entry.schema);
            let is_second = !std::ptr::eq(first, entry.schema);
            let is_told = |name: &str| first.all_signals().any(|signal| signal.name == name);
            for (signal, known) in entry.schema.all_signals().enumerate() {
                if is_second && is_told(known.name) {
                    continue;
                }
                let count = match known.shape {
                    SignalShape::Vector => model.width(block, known.name),
                    _ => 1,
                };
                columns.extend((0..count).map(|component| SignalRef {
                    block,
                    signal: signal as u16,
                    component: component as u16,
                }));
            }
        }
    }
}

/// The parameters with respect to which the `.csv` file has derivatives.
pub fn sensitivity_parameters(model: &Model) -> Vec<&str> {
    let is_motion = model.solver.analysis == Analysis::Dynamic;
    let names = model.solver.sensitivity.as_ref().filter(|_| is_motion);
    names.map_or_else(Vec::new, |names| names.0.iter().map(|(name, _)| name.as_str()).collect())
}

/// The columns of the `.csv` file: the signals of the Output block, or else all coordinates, rates, forces and network
/// signals; in a static analysis also the forces that the joints transmit.
pub fn columns(model: &Model) -> Vec<SignalRef> {
    let chosen = model.output.as_ref().and_then(|output| output.signals.as_ref());
    if let Some(signals) = chosen {
        // One signal may be asked for under two names, its own and that of a port that is joined to it.
        let mut known: FxHashSet<SignalRef> = FxHashSet::default();
        let asked = signals.0.iter().map(|(signal, _)| *signal);
        return asked.filter(|signal| known.insert(*signal)).collect();
    }
    let is_static = model.solver.analysis == Analysis::Static;
    let mut columns = Vec::new();
    for joint in &model.joints {
        let schema = model.blocks[joint.block as usize].schema;
        for (signal, known) in schema.all_signals().enumerate() {
            let reactions = ["fx", "fy", "fz", "tx", "ty", "tz"];
            let count = match known.name {
                "q" | "qd" | "f" => schema.coordinates.len(),
                name if is_static && reactions.contains(&name) => 1,
                _ => 0,
            };
            for component in 0..count {
                columns.push(SignalRef {
                    block: joint.block,
                    signal: signal as u16,
                    component: component as u16,
                });
            }
        }
    }
    add_network_columns(model, &mut columns);
    let is_driven = model.solver.analysis == Analysis::Kinematic;
    for constraint in model.constraints.iter().filter(|_| is_static || is_driven) {
        let schema = model.blocks[constraint.block as usize].schema;
        let signals = 0..schema.all_signals().count() as u16;
        columns.extend(signals.map(|signal| SignalRef {
            block: constraint.block,
            signal,
            component: 0,
        }));
    }
    columns
}
