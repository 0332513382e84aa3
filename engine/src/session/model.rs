//! A model that is read and checked, from which any number of sessions start.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use parser::diagnostic::Diagnostics;

use super::motion::{Landing, Session};
use super::{Error, Mistake, Table, neighbours, signal_search};
use crate::output;
use crate::sensitivity::Varied;
use crate::simulation::{has_event_rows, output_times};
use crate::system::{SignalSource, System, build, source};
use equations::expression::SignalRef;
use language::load::{Disk, Files, Input, LoadOptions, load};
use language::model;
use language::reading::varied::Variation;

/// A checked model. Clones share everything, on any number of threads.
#[derive(Clone)]
pub struct Model {
    pub(super) shared: Arc<Shared>,
}

pub(super) struct Shared {
    pub(super) input: Input,
    pub(super) options: LoadOptions,
    pub(super) files: Arc<Remembered>,
    diagnostics: Diagnostics,
    pub(super) checked: Arc<model::Model>,
    /// Built when it is first asked for.
    system: OnceLock<Result<Arc<System>, Error>>,
    /// The same for its neighbours.
    varied: OnceLock<Result<Arc<[Varied]>, Error>>,
}

/// Files that are read once, so that a model with other parameters comes from the same texts.
#[derive(Default)]
pub(super) struct Remembered {
    read: Mutex<HashMap<PathBuf, Vec<u8>>>,
}

impl Files for Remembered {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bytes) = read.get(path) {
            return Ok(bytes.clone());
        }
        let bytes = Disk.read(path)?;
        read.insert(path.to_path_buf(), bytes.clone());
        Ok(bytes)
    }

    fn identity(&self, path: &Path) -> PathBuf {
        Disk.identity(path)
    }
}

impl Model {
    /// Reads and checks a model file with all its includes; the suffix `.dys` may be left out.
    ///
    /// # Errors
    /// If the file cannot be read, or everything that is wrong with the model.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::open(Input::File(Disk.model_path(path.as_ref())), LoadOptions::default())
    }

    /// Checks a model that is given as a text; `name` stands in messages.
    ///
    /// # Errors
    /// Everything that is wrong with the model.
    pub fn from_text(name: &str, text: &str) -> Result<Self, Error> {
        let input = Input::Text { name: name.into(), bytes: text.as_bytes().to_vec() };
        Self::open(input, LoadOptions::default())
    }

    /// Reads and checks a model with options, such as the plugins that its blocks may name.
    ///
    /// # Errors
    /// If the file cannot be read, or everything that is wrong with the model.
    pub fn open(input: Input, options: LoadOptions) -> Result<Self, Error> {
        Self::load(input, options, Arc::default())
    }

    pub(super) fn load(
        input: Input,
        options: LoadOptions,
        files: Arc<Remembered>,
    ) -> Result<Self, Error> {
        let loaded = load(input.clone(), &options, &*files)?;
        let Some(checked) = loaded.model else {
            return Err(Error::of_model(loaded.diagnostics, &loaded.sources));
        };
        let diagnostics = loaded.diagnostics;
        let (system, varied) = (OnceLock::new(), OnceLock::new());
        let shared = Shared { input, options, files, diagnostics, checked, system, varied };
        Ok(Self { shared: Arc::new(shared) })
    }

    /// This model with another value of an entry of its Parameters blocks, like `--set` on the command line.
    ///
    /// # Errors
    /// If there is no such entry, or if the model is wrong with this value.
    pub fn set(&self, name: &str, value: f64) -> Result<Self, Error> {
        let mut options = self.shared.options.clone();
        options.set.push(format!("{name}={value:?}"));
        Self::load(self.shared.input.clone(), options, Arc::clone(&self.shared.files))
    }

    /// This model with derivatives with respect to these parameters, instead of those that its Solver block names: entries of
    /// Parameters blocks, or parameters of elements such as `Ra.R`. Tables of its runs have a column `J.q/L` for each signal
    /// and parameter.
    ///
    /// # Errors
    /// If there is no such parameter.
    pub fn with_sensitivities(&self, parameters: &[&str]) -> Result<Self, Error> {
        let mut options = self.shared.options.clone();
        options.sensitivity = Some(parameters.iter().map(ToString::to_string).collect());
        Self::load(self.shared.input.clone(), options, Arc::clone(&self.shared.files))
    }

    /// The parameters with respect to which runs have derivatives.
    pub fn sensitivity_parameters(&self) -> Vec<&str> {
        output::sensitivity_parameters(self.checked())
    }

    /// This model with another value of a parameter of an element.
    pub(super) fn varied_by(&self, name: &str, by: f64) -> Result<Self, Error> {
        let mut options = self.shared.options.clone();
        options.variation = Some(Variation { path: name.into(), by });
        Self::load(self.shared.input.clone(), options, Arc::clone(&self.shared.files))
    }

    /// The neighbours of the model, built once for all sessions.
    pub(super) fn varied(&self) -> Result<&Arc<[Varied]>, Error> {
        let built = self.shared.varied.get_or_init(|| neighbours::build(self));
        built.as_ref().map_err(Clone::clone)
    }

    /// The checked model with the parameters of all its elements.
    #[doc(hidden)]
    pub fn checked(&self) -> &Arc<model::Model> {
        &self.shared.checked
    }

    /// Warnings about texts that are correct.
    pub fn warnings(&self) -> Vec<Mistake> {
        let sources = &self.shared.checked.sources;
        self.shared.diagnostics.iter().map(|warning| Mistake::new(warning, sources)).collect()
    }

    /// The warnings as the texts of the model have them.
    #[doc(hidden)]
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.shared.diagnostics
    }

    /// The equations of the model, built once for all sessions.
    ///
    /// # Errors
    /// Everything in the model that no simulation can handle.
    #[doc(hidden)]
    pub fn system(&self) -> Result<&Arc<System>, Error> {
        let Shared { options, checked, system, .. } = &*self.shared;
        let built = system.get_or_init(|| match build(checked, options.allow_unphysical) {
            Ok(system) => Ok(Arc::new(system)),
            Err(mistakes) => Err(Error::of_simulation(mistakes, &checked.sources)),
        });
        built.as_ref().map_err(Clone::clone)
    }

    /// A motion of the model, at its start; its inputs have their defaults.
    ///
    /// # Errors
    /// If the model cannot be simulated, or has no initial values, or if its Solver block asks for something else than
    /// a motion.
    pub fn session(&self) -> Result<Session, Error> {
        self.session_with(&[])
    }

    /// A run from `Tstart` to `Tend`, which begins when it is known what to record.
    ///
    /// # Errors
    /// If the model cannot be simulated.
    pub fn run(&self) -> Result<Recording, Error> {
        Session::start(self.clone(), &[], Landing::Free).map(|session| Recording { session })
    }

    /// Finds a signal, such as `J.q`, `J.q[2]` or `Revolute:J.q`.
    ///
    /// # Errors
    /// If there is no such signal, or if the model cannot be simulated.
    pub fn signal(&self, path: &str) -> Result<Signal, Error> {
        let system = Arc::clone(self.system()?);
        let reference = signal_search::find(&self.shared.checked, path)?;
        Ok(Signal { source: source(&system, reference), reference, system })
    }

    /// The signals that the `.csv` file of the model has.
    pub fn signals(&self) -> Vec<String> {
        let checked = &self.shared.checked;
        let columns = output::columns(checked).into_iter();
        columns.map(|signal| checked.signal_name(signal)).collect()
    }
}

/// A signal of a model, found once.
#[derive(Clone)]
pub struct Signal {
    pub(super) system: Arc<System>,
    pub(super) source: SignalSource,
    reference: SignalRef,
}

impl Signal {
    /// Name of the signal, as in table headers.
    pub fn name(&self) -> String {
        self.system.model.signal_name(self.reference)
    }

    /// Unit of the signal; empty if there is none.
    pub fn unit(&self) -> &str {
        self.system.model.signal_unit(self.reference)
    }
}

/// A run that begins when it is known what to record.
pub struct Recording {
    session: Session,
}

impl Recording {
    /// Runs to the end and records these signals: at output times, and at events if the Output block asks for it.
    ///
    /// # Errors
    /// If there is no such signal, or if the simulation cannot go on.
    pub fn signals(self, names: &[&str]) -> Result<Table, Error> {
        let found: Result<Vec<Signal>, Error> =
            names.iter().map(|name| self.session.model().signal(name)).collect();
        self.record(&found?)
    }

    /// Runs to the end and records what the `.csv` file of the model has.
    ///
    /// # Errors
    /// If the simulation cannot go on.
    pub fn all(self) -> Result<Table, Error> {
        let model = self.session.model().clone();
        let system = model.system()?;
        let signal = |reference| Signal {
            source: source(system, reference),
            reference,
            system: Arc::clone(system),
        };
        let signals: Vec<Signal> =
            output::columns(&model.shared.checked).into_iter().map(signal).collect();
        self.record(&signals)
    }

    fn record(mut self, signals: &[Signal]) -> Result<Table, Error> {
        let checked = Arc::clone(self.session.model().checked());
        let mut names: Vec<String> = signals.iter().map(Signal::name).collect();
        let mut units: Vec<String> =
            signals.iter().map(|signal| signal.unit().to_string()).collect();
        for parameter in output::sensitivity_parameters(&checked) {
            names.extend(signals.iter().map(|signal| format!("{}/{parameter}", signal.name())));
            units.extend(signals.iter().map(|_| String::new()));
        }
        let mut table = Table::new(names, units);
        let sources: Vec<SignalSource> = signals.iter().map(|signal| signal.source).collect();
        let event_rows = has_event_rows(&checked);
        self.session.record(&sources, &mut table)?;
        for t in output_times(&checked) {
            self.session.advance_recording(t, &sources, event_rows.then_some(&mut table))?;
            self.session.record(&sources, &mut table)?;
        }
        Ok(table)
    }
}
