//! Reading the files of a model and putting it together.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use parser::diagnostic::Diagnostics;
use parser::source::Sources;

use crate::blocks::general::Analysis;
use crate::bondgraph;
pub use crate::expansion::ComponentTable;
use crate::expansion::unused::certain;
pub use crate::files::{Disk, Files, LoadError};
use crate::model::elaborate::{Choices, Wishes, elaborate};
use crate::model::plugins::Plugins;
use crate::model::{Model, checks};
use crate::reading::input_table::Inputs;
use crate::reading::varied::Variation;
use crate::spice;
use crate::texts::Texts;
use crate::wiring;

/// The model's main text.
#[derive(Clone, Debug)]
pub enum Input {
    /// A file; its directory is where includes are looked for.
    File(PathBuf),
    /// A text with a name, such as standard input; includes are looked for in the current directory.
    Text {
        /// Shown in messages.
        name: String,
        /// The content.
        bytes: Vec<u8>,
    },
}

/// How a model is read.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// `NAME=VALUE` for entries of Parameters blocks.
    pub set: Vec<String>,
    /// Warnings count as errors.
    pub strict: bool,
    /// Impossible masses and inertias are warnings only.
    pub allow_unphysical: bool,
    /// The plugins that Plugin blocks may name.
    pub plugins: Plugins,
    /// Analysis instead of `Type` of the Solver block.
    pub analysis: Option<Analysis>,
    /// The table that the Input blocks follow.
    pub inputs: Option<Inputs>,
    /// Mistakes in primitives are warnings only, because nothing is drawn.
    pub only_warns_of_primitives: bool,
    /// Directories where Include blocks look for files, behind that of their own file.
    pub libraries: Vec<PathBuf>,
    /// Parameters for sensitivities, instead of those of the Solver block.
    pub sensitivity: Option<Vec<String>>,
    /// A value that is another one than the text says.
    pub variation: Option<Variation>,
    /// The text of the flat model is wanted, even of a model that needs no expansion, with the ports of its instances.
    pub expands: bool,
    /// The main text is a SPICE netlist, whatever its name.
    pub is_netlist: bool,
}

/// The result of [`load`].
#[derive(Debug)]
pub struct Loaded {
    /// The index of the translation of a netlist among the texts.
    pub translation: Option<usize>,
    /// The texts, for showing the messages.
    pub sources: Arc<Sources>,
    /// All messages about the texts.
    pub diagnostics: Diagnostics,
    /// The model, if there is no error.
    pub model: Option<Arc<Model>>,
    /// The index of the text of the flat model among the texts, if the model was expanded.
    pub flat: Option<usize>,
    /// The components that the main file can name, if the model was expanded.
    pub components: Vec<ComponentTable>,
}

impl Inputs {
    /// The table of a `.csv` file.
    ///
    /// # Errors
    /// If the file cannot be read. Mistakes in its content are reported when a model takes the table.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        let path = path.as_ref();
        let bytes = Disk.read(path).map_err(|error| LoadError { path: path.into(), error })?;
        Ok(Self { name: path.display().to_string(), bytes: bytes.into() })
    }
}

/// Reads a model with all its includes, and checks it.
pub fn load(input: Input, options: &LoadOptions, files: &dyn Files) -> Result<Loaded, LoadError> {
    let (name, bytes, path) = match input {
        Input::File(path) => match files.read(&path) {
            Ok(bytes) => (path.display().to_string(), bytes, Some(path)),
            Err(error) => return Err(LoadError { path, error }),
        },
        Input::Text { name, bytes } => (name, bytes, None),
    };
    // Gather all texts: the main text with its includes, values of the command line, the table of inputs.
    let stem =
        path.as_deref().and_then(Path::file_stem).map(|stem| stem.to_string_lossy().into_owned());
    let mut texts = Texts::new(options.strict);
    let directory =
        path.as_deref().and_then(Path::parent).map_or_else(PathBuf::new, Path::to_path_buf);
    let identity = path.as_deref().map(|path| files.identity(path));
    texts.is_netlist = options.is_netlist || spice::is_netlist(Path::new(&name));
    texts.add_main(&name, bytes, directory, identity, &options.libraries, files);
    texts.add_overrides(&options.set);
    // From components and Repeats to plain blocks.
    texts.put_in_order(options.plugins, options.expands);
    texts.read_tables(files);
    texts.add_inputs(options.inputs.as_ref());
    // Put the model together, then check its equations.
    let Texts {
        sources, documents, order, unused, components, mut diagnostics, translation, ..
    } = texts;
    let sources = Arc::new(sources);
    let stem = stem.unwrap_or_else(|| "model".into());
    let LoadOptions { plugins, allow_unphysical, analysis, only_warns_of_primitives, .. } =
        *options;
    let choices = Choices { plugins, allow_unphysical, analysis, only_warns_of_primitives };
    let wishes = Wishes {
        sensitivity: options.sensitivity.as_deref(),
        variation: options.variation.as_ref(),
    };
    if !unused.blocks.is_empty() {
        let none = Diagnostics::default();
        let (_, found) =
            elaborate(&sources, &documents, &unused, none, choices, Wishes::default(), &stem);
        diagnostics.append(certain(&found));
    }
    let (mut model, mut diagnostics) =
        elaborate(&sources, &documents, &order, diagnostics, choices, wishes, &stem);
    check_equations(&mut model, &mut diagnostics);
    diagnostics.sort_as_written(&sources);
    let model = (diagnostics.errors() == 0).then(|| Arc::new(model));
    Ok(Loaded { translation, sources, diagnostics, model, flat: order.flat, components })
}

/// Reports mistakes that show only when bond graphs and equations are made of a model without other mistakes; the model
/// keeps the equations.
fn check_equations(model: &mut Model, diagnostics: &mut Diagnostics) {
    if diagnostics.errors() == 0 {
        bondgraph::check(model).into_iter().for_each(|mistake| diagnostics.push(mistake));
    }
    if diagnostics.errors() == 0 {
        let written = wiring::write(model);
        let unfit = checks::network_switching(model, &written.switching);
        written.mistakes.into_iter().chain(unfit).for_each(|mistake| diagnostics.push(mistake));
        model.equations = written.equations.map(Arc::new);
    }
}
