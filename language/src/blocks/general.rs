//! The blocks that concern the whole model: Header, System, Solver, Output, Parameters, Include.

use problem::MethodKind;

use crate::element::{BlockSchema, DefaultValue, Family, Kind, Origin, ParameterSchema};
use crate::reading::fields::{
    FileName, Name, Names, NumberList, ParameterNames, Signals, Targets, YesNo,
};
use crate::reading::{BlockReader, Field, Group, Parameter, parameters, words};
use equations::span::Span;

words! {
    /// Which result files are written.
    pub enum OutputType {
        /// Only the log.
        None = "none",
        /// All.
        All = "all",
    }
}

parameters! {
    /// Name of the model and extent of its output.
    pub struct Header {
        model_name: Option<Name> = "ModelName", DySim, Unit::None, Absent("the file's stem"), Any, "name of the model and of its result files";
        output_type: OutputType = "OutputType", DySim, Unit::None, Word("all"), Any, "`none` suppresses every output but the log";
    }
}

words! {
    /// How the equations of motion are solved.
    pub enum Formalism {
        /// By the size of the model.
        Auto = "auto",
        /// Recursive, cost proportional to the number of bodies.
        Recursive = "recursive",
        /// Mass matrix and Cholesky factorisation.
        Dense = "dense",
    }
}

parameters! {
    /// Properties of the surroundings and of the formulation.
    pub struct System {
        gravity: [f64; 3] = "GravAccel", DySim, Unit::Is("m/s^2"), Numbers(&[0.0, 0.0, -9.8065]), Any, "acceleration of gravity";
        gravity_scale: f64 = "ScaleGrav", DySim, Unit::None, Number(1.0), Any, "factor of the acceleration of gravity";
        formalism: Formalism = "Formalism", Plus, Unit::None, Word("auto"), Any, "how the equations of motion are solved";
        ambient_temperature: f64 = "Tambient", Plus, Unit::Is("K"), Number(293.15), NotNegative, "temperature of the node `ambient`";
    }
}

words! {
    /// What is computed.
    pub enum Analysis {
        /// Motion in time.
        Dynamic = "dynamic",
        /// Equilibrium.
        Static = "static",
        /// Prescribed motion and its drive forces.
        Kinematic = "kinematic",
        /// Linearisation with eigenvalues.
        Linear = "linear",
        /// Frequency response.
        Frequency = "frequency",
    }
}

/// The words of the integration methods are their names.
impl Field for MethodKind {
    const KIND: Kind = Kind::Word(Self::NAMES);

    fn read(
        reader: &mut BlockReader<'_, '_>,
        schema: &'static ParameterSchema,
        given: &Parameter,
    ) -> Option<Self> {
        reader.word(schema, given, Self::NAMES).and_then(Self::from_name)
    }

    fn from_default(_: &BlockReader<'_, '_>, default: DefaultValue) -> Option<Self> {
        match default {
            DefaultValue::Word(word) => Self::from_name(word),
            _ => None,
        }
    }

    fn placeholder() -> Self {
        Self::De
    }
}

words! {
    /// Where the run begins.
    pub enum Initial {
        /// At the given initial values.
        Given = "given",
        /// At the operating point.
        Steady = "steady",
    }
}

words! {
    /// Where a linearisation is made.
    pub enum LinearAt {
        /// At the given initial values.
        Initial = "initial",
        /// At the equilibrium near them.
        Static = "static",
    }
}

words! {
    /// How the frequencies of a response are spaced.
    pub enum Spacing {
        /// Equal steps of the logarithm, so many to a decade.
        Decade = "decade",
        /// So many to an octave.
        Octave = "octave",
        /// Equal steps, so many in all.
        Linear = "linear",
    }
}

parameters! {
    /// Analysis and integration.
    pub struct Solver {
        analysis: Analysis = "Type", DySim, Unit::None, Word("dynamic"), Any, "what is computed";
        method: MethodKind = "Solver", DySim, Unit::None, Word("de"), Any, "integration method; elements that switch need `derf` or `stiff`, stiff equations need `stiff`, of which `radau` is another name; `euler...` are for real time";
        absolute_error: f64 = "AbsErr", DySim, Unit::None, Number(1e-9), NotNegative, "absolute error tolerance of a step";
        relative_error: f64 = "RelErr", DySim, Unit::None, Number(1e-6), NotNegative, "relative error tolerance of a step";
        start: f64 = "Tstart", DySim, Unit::Is("s"), Number(0.0), Any, "start time";
        end: f64 = "Tend", DySim, Unit::Is("s"), Number(1.0), Any, "end time";
        output_step: f64 = "Tstep", DySim, Unit::Is("s"), Number(0.01), Positive, "output interval";
        largest_step: f64 = "TstepMax", DySim, Unit::Is("s"), SameAs("Tstep"), Positive, "largest integration step; the step of methods with fixed steps";
        smallest_step: f64 = "TstepMin", DySim, Unit::Is("s"), Number(0.0), NotNegative, "smallest integration step";
        first_step: f64 = "TstepIni", DySim, Unit::Is("s"), Fraction(0.1, "Tstep"), Positive, "first integration step";
        initial: Initial = "Initial", Plus, Unit::None, Word("given"), Any, "`steady` starts at the operating point";
        linear_at: Option<LinearAt> = "At", Plus, Unit::None, Absent("`initial` for `linear`, `static` for `frequency`"), Any, "state about which is linearised: the initial values, or the operating point near them";
        inputs: Option<Names> = "Inputs", Plus, Unit::None, Absent("all Input blocks and forces"), Any, "inputs of `linear` and `frequency`: Input blocks, sources (`V1` or `V1.V`), forces (`F1` or `F1.fx`)";
        from: f64 = "From", Plus, Unit::Is("Hz"), Number(0.1), Positive, "lowest frequency of `frequency`";
        to: f64 = "To", Plus, Unit::Is("Hz"), Number(1e4), Positive, "highest frequency of `frequency`";
        points: u32 = "Points", Plus, Unit::None, Number(50.0), Positive, "frequencies per decade, per octave or in all, by `Spacing`";
        spacing: Spacing = "Spacing", Plus, Unit::None, Word("decade"), Any, "steps between the frequencies: of the logarithm (`decade`, `octave`), or equal ones (`linear`)";
        amplitude: Option<NumberList> = "Amplitude", Plus, Unit::None, Absent("1 for each"), Any, "amplitudes of all inputs of `frequency` together, for the columns `/all`";
        phase: Option<NumberList> = "Phase", Plus, Unit::Is("deg"), Absent("0 for each"), Any, "phases of all inputs together, degrees";
        opening: Option<Name> = "Loop", Plus, Unit::None, Absent("no loop"), Any, "signal at which a loop is opened, for its margins: the output of a controller, `c1.y`";
        unknown: Option<Names> = "Unknown", Plus, Unit::None, Absent("none"), Any, "what `static` finds for the Given values (trim): Input blocks, sources (`V1` or `V1.V`), forces";
        given: Option<Targets> = "Given", Plus, Unit::None, Absent("none"), Any, "signals, each with the value that it shall have at rest (trim)";
        sensitivity: Option<ParameterNames> = "Sensitivity", Plus, Unit::None, Absent("none"), Any, "parameters with respect to which the `.csv` file tells derivatives of its signals: entries of Parameters blocks, or parameters of elements such as `Ra.R`";
        mode_amplitude: f64 = "ModeAmplitude", Plus, Unit::None, Number(0.15), Positive, "largest displacement in the animation of a mode: rad, or part of the model's size";
    }
}

impl Solver {
    /// Parameters that its method does not use.
    pub(crate) fn unused(&self) -> &'static [&'static str] {
        match self.method {
            MethodKind::De | MethodKind::Derf => &["TstepMin", "TstepIni"],
            method if method.has_fixed_step() => &["AbsErr", "RelErr", "TstepMin", "TstepIni"],
            _ => &[],
        }
    }

    /// The state about which is linearised.
    pub fn at(&self) -> LinearAt {
        let usual = match self.analysis {
            Analysis::Frequency => LinearAt::Static,
            _ => LinearAt::Initial,
        };
        self.linear_at.unwrap_or(usual)
    }

    /// The frequencies of a response, Hz: equal steps of the logarithm, and the end.
    pub fn frequencies(&self) -> Vec<f64> {
        let (from, to, points) = (self.from, self.to, f64::from(self.points));
        let points = match self.spacing {
            Spacing::Decade => points,
            Spacing::Octave => points / 2f64.log10(),
            Spacing::Linear => {
                let step = (to - from) / (points - 1.0).max(1.0);
                return (0..self.points).map(|k| from + f64::from(k) * step).collect();
            }
        };
        // A last step as short as rounding is joined to the end.
        let inner = (0_u32..).map(|k| from * 10f64.powf(f64::from(k) / points));
        let inner = inner.take_while(|f| *f < to * (1.0 - 1e-9));
        inner.chain(std::iter::once(to)).collect()
    }

    /// The time that a run passes through, and how its networks begin.
    pub fn span(&self) -> Span {
        let is_steady = self.initial == Initial::Steady;
        Span { start: self.start, end: self.end, is_steady }
    }
}

words! {
    /// The result files besides the log.
    pub enum ResultFile {
        /// Poses for the animator.
        Animation = "ani",
        /// Position, velocity, acceleration of bodies.
        Motion = "pva",
        /// Energies and momenta.
        Energy = "epl",
        /// Contact forces.
        Forces = "frc",
        /// Signals.
        Signals = "csv",
    }
}

/// Any of the result files.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultFiles(pub Box<[ResultFile]>);

parameters! {
    /// What is written, instead of `OutputType`.
    pub struct Output {
        files: Option<ResultFiles> = "Files", Plus, Unit::None, Absent("all files"), Any, "result files to write";
        signals: Option<Signals> = "Signals", Plus, Unit::None, Absent("all joint coordinates, rates and forces, all network signals"), Any, "columns of the `.csv` file";
        events: YesNo = "Events", Plus, Unit::None, Word("no"), Any, "`yes` adds a row before and after each event to the `.csv` file";
    }
}

parameters! {
    /// A further file whose blocks stand in place of this block.
    pub struct Include {
        file: FileName = "File", Plus, Unit::None, Required, Any, "path, relative to the file with this block; else in the directories of `--library` or in the library of the program";
        namespace: Option<Name> = "As", Plus, Unit::None, Absent("its blocks stand here"), Any, "name in front of the components, formulas and parameters of the file: `drives.Motor`";
    }
}

mod result_files {
    //! Reading a set of words.
    use super::{ResultFile, ResultFiles};
    use crate::element::{DefaultValue, Kind, ParameterSchema};
    use crate::reading::{BlockReader, Field};
    use parser::syntax::Parameter;

    impl Field for ResultFiles {
        const KIND: Kind = Kind::Words(ResultFile::WORDS);

        fn read(
            reader: &mut BlockReader<'_, '_>,
            schema: &'static ParameterSchema,
            given: &Parameter,
        ) -> Option<Self> {
            let words: Vec<Option<ResultFile>> = reader
                .values(given)
                .iter()
                .map(|&id| {
                    reader.one_word(schema, id, ResultFile::WORDS).and_then(ResultFile::from_word)
                })
                .collect();
            words.into_iter().collect::<Option<Vec<_>>>().map(|files| Self(files.into()))
        }

        fn from_default(_: &BlockReader<'_, '_>, _: DefaultValue) -> Option<Self> {
            None
        }

        fn placeholder() -> Self {
            Self(Box::default())
        }
    }
}

const fn setting(
    keyword: &'static str,
    origin: Origin,
    doc: &'static str,
    parameters: &'static [&'static [ParameterSchema]],
) -> BlockSchema {
    BlockSchema {
        keyword,
        family: Family::Setting,
        origin,
        doc,
        parameters,
        variants: None,
        coordinates: &[],
        signals: &[],
    }
}

/// The table of the Header block.
pub static HEADER: BlockSchema = setting(
    "Header",
    Origin::DySim,
    "Name of the model and extent of its output.",
    &[Header::PARAMETERS],
);
/// The table of the System block.
pub static SYSTEM: BlockSchema =
    setting("System", Origin::DySim, "Gravity and formulation.", &[System::PARAMETERS]);
/// The table of the Solver block.
pub static SOLVER: BlockSchema = setting(
    "Solver",
    Origin::DySim,
    "Analysis, integration method, time span and tolerances.",
    &[Solver::PARAMETERS],
);
/// The table of the Output block.
pub static OUTPUT: BlockSchema = setting(
    "Output",
    Origin::Plus,
    "Which files, signals and events are written; overrides `OutputType`.",
    &[Output::PARAMETERS],
);
/// The table of the Parameters block.
pub static PARAMETERS: BlockSchema = BlockSchema {
    family: Family::Parameters,
    ..setting(
        "Parameters",
        Origin::Plus,
        "Named constants for all expressions; any names. `--set NAME=VALUE` overrides one.",
        &[],
    )
};
/// The table of the Include block.
pub static INCLUDE: BlockSchema = BlockSchema {
    family: Family::Include,
    ..setting("Include", Origin::Plus, "The blocks of another file.", &[Include::PARAMETERS])
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::Kind;

    #[test]
    fn a_set_of_words_is_documented_as_such() {
        assert_eq!(Output::PARAMETERS[0].kind, Kind::Words(&["ani", "pva", "epl", "frc", "csv"]));
    }
}
