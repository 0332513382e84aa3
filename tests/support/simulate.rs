//! Runs a `.dys` text in a directory of its own and reads the result files.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use dysim_generated::loading::{load_file, load_text, model_of_file_with, model_with};
use engine::internals::{self, load::Loaded};
use engine::plugin::Plugins;
use engine::{
    Error, ErrorKind, LoadOptions, Mistake, Model, ModelSource, Options, Progress, Summary,
};
use tempfile::TempDir;

/// Nobody watches the progress of a test.
pub struct Unwatched;

impl Progress for Unwatched {
    fn reached(&mut self, _: f64) {}
}

/// What a run left behind.
pub struct Outcome {
    directory: TempDir,
    name: String,
    /// Tables read so far.
    tables: RefCell<HashMap<String, Rc<Table>>>,
    /// What the run tells of itself.
    pub summary: Summary,
    /// Why it ended early, if it did.
    pub error: Option<Error>,
}

/// How a run differs from that of a user who asks for nothing.
#[derive(Clone, Copy, Default)]
pub struct How {
    /// Against the clock, at this speed.
    pub real_time: Option<f64>,
    /// Chattering ends the run.
    pub abort_on_chattering: bool,
}

/// Reads a text as a model, with all messages; it may use the plugins of the tests.
pub fn read(text: &str) -> Loaded {
    load_text(text, &test_plugins())
}

/// The model of a text; it may use the plugins of the tests.
///
/// # Errors
/// Everything that is wrong with the text.
pub fn open(text: &str) -> Result<Model, Error> {
    let bytes = text.as_bytes().to_vec();
    Model::open(ModelSource::Text { name: "case.dys".into(), bytes }, test_plugins())
}

/// The model of a correct text.
pub fn model(text: &str) -> Model {
    open(text).unwrap_or_else(|error| panic!("{error}"))
}

fn test_plugins() -> LoadOptions {
    LoadOptions { plugins: Plugins::Known(crate::plugins::PLUGINS), ..LoadOptions::default() }
}

/// Runs a text that is a correct model.
pub fn run(text: &str) -> Outcome {
    run_with(text, How::default())
}

/// The same in another way.
pub fn run_with(text: &str, how: How) -> Outcome {
    run_model(&model(text), how)
}

/// Runs a text that is a correct model against the clock.
pub fn run_in_real_time(text: &str, speed: f64) -> Outcome {
    run_with(text, How { real_time: Some(speed), ..How::default() })
}

/// Runs a text with masses that no body can have.
pub fn run_unphysical(text: &str) -> Outcome {
    let options = LoadOptions { allow_unphysical: true, ..LoadOptions::default() };
    run_model(&model_with(text, options), How::default())
}

/// Runs a model file of the repository, in which nothing may be left to a default.
pub fn run_file(path: &Path) -> Outcome {
    let plugins = Plugins::Known(user_plugins::PLUGINS);
    let options = LoadOptions { strict: true, plugins, ..LoadOptions::default() };
    run_model(&model_of_file_with(path, options), How::default())
}

/// Runs a model file of the repository to its end with all signals in its table, whatever the file asks for.
pub fn run_with_all_signals(path: &Path) -> (Arc<internals::model::Model>, Outcome) {
    let plugins = Plugins::Known(user_plugins::PLUGINS);
    let loaded = load_file(path, &LoadOptions { plugins, ..LoadOptions::default() });
    let Some(mut model) = loaded.model else { panic!("{}", path.display()) };
    for output in Arc::make_mut(&mut model).output.iter_mut() {
        output.signals = None;
    }
    let system = internals::system::build(&model, false).unwrap_or_else(|all| panic!("{all:#?}"));
    let directory = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
    let interrupted = AtomicBool::new(false);
    let options = Options::new(directory.path(), &interrupted);
    let made = internals::simulation::simulate(&system, &[], options, &mut Unwatched);
    let (summary, error) = made.unwrap_or_else(|error| panic!("{error}"));
    assert!(error.is_none(), "{}: {error:?}", path.display());
    let name = model.name.clone();
    (model, Outcome { directory, name, tables: RefCell::default(), summary, error: None })
}

fn run_model(model: &Model, how: How) -> Outcome {
    let How { real_time, abort_on_chattering } = how;
    let directory = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
    let interrupted = AtomicBool::new(false);
    let options =
        Options { real_time, abort_on_chattering, ..Options::new(directory.path(), &interrupted) };
    let made = model.simulate(options, &mut Unwatched).unwrap_or_else(|error| panic!("{error}"));
    let (summary, error, name) = (made.summary, made.error, model.checked().name.clone());
    Outcome { directory, name, tables: RefCell::default(), summary, error }
}

/// The only mistake of an error of a kind.
///
/// # Panics
/// Where there is no error, another one, or several mistakes.
pub fn mistake(error: Option<&Error>, kind: ErrorKind) -> &Mistake {
    let Some(error) = error else { panic!("nothing went wrong") };
    let [mistake] = error.diagnostics() else { panic!("{error}") };
    assert_eq!(error.kind(), kind, "{error}");
    mistake
}

impl Outcome {
    /// The same, after making sure that the run reached its end.
    pub fn complete(self) -> Self {
        if let Some(error) = &self.error {
            panic!("the run failed: {error:?}\n{}", self.text("log"));
        }
        self
    }

    /// Why the simulation could not go on.
    pub fn failure(&self) -> &Mistake {
        mistake(self.error.as_ref(), ErrorKind::Simulation)
    }

    /// The directory of the result files.
    pub fn directory(&self) -> &Path {
        self.directory.path()
    }

    /// A result file as it is.
    pub fn text(&self, extension: &str) -> String {
        let path = self.directory().join(format!("{}.{extension}", self.name));
        std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    }

    /// Names of the files in the directory, sorted.
    pub fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.directory()).into_iter().flatten().flatten();
        let mut names: Vec<String> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// A table of numbers: `.pva`, `.epl`, `.frc`, or `.csv`.
    pub fn table(&self, extension: &str) -> Rc<Table> {
        let mut tables = self.tables.borrow_mut();
        let read = || Rc::new(Table::read(&self.text(extension), extension.ends_with("csv")));
        tables.entry(extension.into()).or_insert_with(read).clone()
    }
}

/// Numbers in named columns.
pub struct Table {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<f64>>,
}

impl Table {
    fn read(text: &str, comma: bool) -> Self {
        let mut lines = text.lines();
        let header = lines.next().unwrap_or_default();
        let split = |line: &str| -> Vec<String> {
            if !comma {
                return line.split_whitespace().map(str::to_string).collect();
            }
            // A comma in quotes belongs to a name.
            let mut is_quoted = false;
            let parts = line.split(|c| {
                is_quoted ^= c == '"';
                c == ',' && !is_quoted
            });
            parts.map(|part| part.trim_matches('"').to_string()).collect()
        };
        let columns = split(header.strip_prefix("# ").unwrap_or(header));
        let number = |text: &String| text.parse().unwrap_or_else(|e| panic!("`{text}`: {e}"));
        let rows = lines
            .filter(|line| !line.starts_with('#'))
            .map(|line| split(line).iter().map(number).collect())
            .collect();
        Self { columns, rows }
    }

    /// The number of a column.
    pub fn index(&self, column: &str) -> usize {
        let found = self.columns.iter().position(|name| name == column);
        found.unwrap_or_else(|| panic!("no column `{column}` among {:?}", self.columns))
    }

    /// All values of a column.
    pub fn column(&self, column: &str) -> Vec<f64> {
        let at = self.index(column);
        self.rows.iter().map(|row| row[at]).collect()
    }

    /// The value at an output time, the last one if there are several rows.
    pub fn at(&self, t: f64, column: &str) -> f64 {
        let index = self.index(column);
        let row = self.rows.iter().rev().find(|row| (row[0] - t).abs() < 1e-9);
        row.unwrap_or_else(|| panic!("no row at t = {t}"))[index]
    }

    /// The value in the last row.
    pub fn last(&self, column: &str) -> f64 {
        let index = self.index(column);
        self.rows.last().unwrap_or_else(|| panic!("no rows"))[index]
    }
}
