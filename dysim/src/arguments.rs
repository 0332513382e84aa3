//! The command line.

use std::path::PathBuf;

use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::error::{ContextKind, ErrorKind};
use clap::{ArgGroup, Args, CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use engine::Analysis;
use parser::exit::Exit;

use crate::terminal::{self, Verbosity};

/// What `--version` tells: number, source, how it was built.
const VERSION: &str =
    concat!(env!("CARGO_PKG_VERSION"), "\n", env!("BUILD_SOURCE"), "; ", env!("BUILD_PROFILE"));

/// Simulate the mechatronic system that a .dys file describes.
#[derive(Debug, Parser)]
#[command(name = "dysim", version, long_version = VERSION, max_term_width = 100, args_conflicts_with_subcommands = true)]
#[command(subcommand_negates_reqs = true, disable_help_subcommand = true)]
#[command(
    after_help = "Results are written to <ModelName>.log, .csv, .ani, .pva, .epl and .frc.\n\n\
Exit codes:\n   0  done\n   1  the model is wrong\n   2  the simulation failed\n   \
3  a file or device failed\n  64  the command line is wrong\n\n\
Environment: NO_COLOR=1 prints without colours, RUST_LOG=debug tells more than --verbose,\n\
DYSIM_LIBRARY names directories of libraries, as PATH does."
)]
#[command(group(ArgGroup::new("bond_files").multiple(true)))]
pub struct Arguments {
    /// Model file, with or without .dys; - reads standard input
    #[arg(required_unless_present = "list")]
    pub model: Option<String>,

    /// Write the results to this directory
    #[arg(long, value_name = "DIR", default_value = ".", hide_default_value = true)]
    pub out: PathBuf,

    /// Give an entry of a Parameters block another value; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    pub set: Vec<String>,

    /// Let the Input blocks follow the columns of this table: t, and a column for each of them
    #[arg(long, value_name = "TABLE.csv")]
    pub input: Option<PathBuf>,

    /// Look for included files in this directory too; may be repeated
    #[arg(long, value_name = "DIR")]
    pub library: Vec<PathBuf>,

    /// Compute this instead of the `Type` of the Solver block
    #[arg(long, value_name = "KIND", value_parser = clap::builder::PossibleValuesParser::new(Analysis::WORDS))]
    pub analysis: Option<String>,

    /// Tell derivatives of all columns of the .csv file with respect to these parameters, instead of those that the Solver
    /// block names: entries of Parameters blocks, or parameters of elements such as Ra.R
    #[arg(long, value_name = "PARAMETERS", value_delimiter = ',')]
    pub sensitivity: Option<Vec<String>>,

    /// Treat warnings as errors
    #[arg(long)]
    pub strict: bool,

    /// Accept impossible masses and inertias with a warning
    #[arg(long)]
    pub allow_unphysical: bool,

    /// End the run when an element switches again and again
    #[arg(long)]
    pub abort_on_chattering: bool,

    /// Run against the clock, SPEED simulated seconds per second (1 if not given), and report late steps
    #[arg(long, value_name = "SPEED", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "1", value_parser = speed, conflicts_with_all = ["check", "equations"])]
    pub realtime: Option<f64>,

    /// Check the model, do not simulate
    #[arg(long)]
    pub check: bool,

    /// Print the sorted equations of the networks, do not simulate
    #[arg(long)]
    pub equations: bool,

    /// Plot the results when the run is over: to <ModelName>.svg, or to this .svg or .png file
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, value_parser = PathBufValueParser::new().try_map(picture))]
    pub plot: Option<Option<PathBuf>>,

    /// Show a plot of characters when the run is over
    #[arg(long)]
    pub ascii: bool,

    /// Print the bond graph of the model, its causality, and what can be left out of it, do not simulate
    #[arg(long)]
    pub bonds: bool,

    /// Draw the bond graph with half arrows and causal strokes (SVG; - is standard output), do not simulate
    #[arg(long, value_name = "FILE", group = "bond_files")]
    pub bonds_svg: Option<PathBuf>,

    /// Write a model with the networks as a bond graph (- is standard output), do not simulate
    #[arg(long, value_name = "FILE", group = "bond_files")]
    pub bonds_dys: Option<PathBuf>,

    /// Draw or write the bond graph after the rules of simplification
    #[arg(long, requires = "bond_files")]
    pub bonds_simplify: bool,

    /// Draw the bond graph in words: components and elements as boxes
    #[arg(long, requires = "bonds_svg", conflicts_with = "bonds_simplify")]
    pub bonds_words: bool,

    /// Say nothing but errors
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,

    /// Say what happens meanwhile
    #[arg(short, long)]
    pub verbose: bool,

    /// List all blocks of the language, or parameters and signals of one
    #[arg(long, value_name = "BLOCK", num_args = 0..=1)]
    pub list: Option<Option<String>>,

    /// What to do instead of simulating
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// Commands besides simulating.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Plot columns of a result file
    Plot(PlotOptions),
    /// Format .dys files in place
    Fmt(FormatOptions),
    /// Print the flat model: components and Repeats written out as plain blocks
    Expand(ExpandOptions),
    /// Draw the model: blocks as boxes, connections as lines, signals as arrows
    Diagram(DiagramOptions),
    /// Translate a SPICE netlist into a model
    ImportSpice(ImportOptions),
    /// Print a script that completes the command line in a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page (roff)
    Man,
}

/// What to plot and how.
#[derive(Args, Debug, Default)]
pub struct PlotOptions {
    /// Result file: .csv, .epl, .pva, .frc, or any table of numbers
    pub table: PathBuf,

    /// Columns of a panel, with commas between them, * for any characters; repeat it for more panels
    #[arg(short = 'y', long = "columns", value_name = "NAMES")]
    pub columns: Vec<String>,

    /// Column of the x axis instead of the time
    #[arg(short = 'x', long = "over", value_name = "NAME")]
    pub over: Option<String>,

    /// Picture, .svg or .png; - writes SVG to standard output; may be repeated
    #[arg(short, long, value_name = "FILE", value_parser = PathBufValueParser::new().try_map(picture))]
    pub output: Vec<PathBuf>,

    /// Show the plot in the terminal, as characters
    #[arg(long)]
    pub ascii: bool,

    /// Show angles in degrees
    #[arg(long)]
    pub degrees: bool,

    /// Show rows from this time on, s
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub from: Option<f64>,

    /// Show rows up to this time, s
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub to: Option<f64>,

    /// Text above the plot; the name of the file if absent
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,

    /// Width and height in points, such as 900x500
    #[arg(long, value_name = "WxH", value_parser = size)]
    pub size: Option<(f64, f64)>,

    /// Do not mark events
    #[arg(long)]
    pub no_events: bool,

    /// Gain and phase over frequency, of a frequency response; its usual plot
    #[arg(long)]
    pub bode: bool,

    /// The response as a curve in the complex plane, with the critical point
    #[arg(long, conflicts_with = "bode")]
    pub nyquist: bool,

    /// Gain over phase
    #[arg(long, conflicts_with_all = ["bode", "nyquist"])]
    pub nichols: bool,

    /// Poles and zeros of a linear model
    #[arg(long, conflicts_with_all = ["bode", "nyquist", "nichols"])]
    pub poles: bool,

    /// Say nothing but errors
    #[arg(short, long)]
    pub quiet: bool,
}

/// What to format and how.
#[derive(Args, Debug)]
pub struct FormatOptions {
    /// Files to format; - formats standard input to standard output
    #[arg(required = true)]
    pub files: Vec<String>,

    /// Change nothing; exit with 1 if a file is not formatted
    #[arg(long)]
    pub check: bool,
}

/// What to write out, and with which values.
#[derive(Args, Debug)]
pub struct ExpandOptions {
    /// Model file, with or without .dys; - reads standard input
    pub model: String,

    /// Write the flat model to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Give an entry of a Parameters block another value; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    pub set: Vec<String>,

    /// Look for included files in this directory too; may be repeated
    #[arg(long, value_name = "DIR")]
    pub library: Vec<PathBuf>,
}

/// What to draw, and how far to look inside.
#[derive(Args, Debug)]
pub struct DiagramOptions {
    /// Model file, with or without .dys; - reads standard input
    pub model: String,

    /// Picture, .svg or .png; - writes SVG to standard output; <ModelName>.diagram.svg if absent
    #[arg(short, long, value_name = "FILE", value_parser = PathBufValueParser::new().try_map(picture))]
    pub output: Option<PathBuf>,

    /// Draw the inside of this instance of a component
    #[arg(long, value_name = "INSTANCE")]
    pub inside: Option<String>,

    /// Open instances so many levels deep: their insides stand in frames
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub depth: usize,

    /// Give an entry of a Parameters block another value; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    pub set: Vec<String>,

    /// Look for included files in this directory too; may be repeated
    #[arg(long, value_name = "DIR")]
    pub library: Vec<PathBuf>,

    /// Say nothing but errors
    #[arg(short, long)]
    pub quiet: bool,
}

/// What to translate and where to put it.
#[derive(Args, Debug)]
pub struct ImportOptions {
    /// Netlist; - reads standard input
    pub netlist: String,

    /// Write the model to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

impl Arguments {
    /// How much to say.
    pub fn verbosity(&self) -> Verbosity {
        match (self.quiet, self.verbose) {
            (true, _) => Verbosity::Quiet,
            (_, true) => Verbosity::Verbose,
            _ => Verbosity::Normal,
        }
    }
}

/// `NAME=VALUE`; what the value means is for the model to say.
fn assignment(text: &str) -> Result<String, String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() && !value.trim().is_empty() => {
            Ok(text.into())
        }
        _ => Err("expected NAME=VALUE, such as L=2.5".into()),
    }
}

/// The name of a picture of a kind that can be written; others are refused before a run that may be long.
fn picture(path: PathBuf) -> Result<PathBuf, String> {
    let known = path.extension().is_some_and(|suffix| suffix == "svg" || suffix == "png");
    match known || path.as_os_str() == "-" {
        true => Ok(path),
        false => {
            Err(format!("cannot plot to `{}`: its name must end in .svg or .png", path.display()))
        }
    }
}

/// A positive number.
fn speed(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|speed: &f64| speed.is_finite() && *speed > 0.0);
    number.ok_or_else(|| "expected a positive number, such as 0.5".into())
}

/// `WxH`, of a size that fits a wall but not a street.
fn size(text: &str) -> Result<(f64, f64), String> {
    let parse =
        |part: &str| part.trim().parse().ok().filter(|side| (100.0..=10_000.0).contains(side));
    let (width, height) = text.split_once('x').unwrap_or_default();
    match (parse(width), parse(height)) {
        (Some(width), Some(height)) => Ok((width, height)),
        _ => Err("expected WIDTHxHEIGHT, each from 100 to 10000, such as 900x500".into()),
    }
}

/// Prints help, version or what is wrong with the command line.
pub fn explain(error: &clap::Error) -> Exit {
    // To clap a second model is a subcommand in the wrong place.
    let second = error.get(ContextKind::InvalidSubcommand);
    if let (ErrorKind::ArgumentConflict, Some(second)) = (error.kind(), second) {
        terminal::complain(&format!("one model at a time: unexpected argument `{second}`"));
        terminal::say("\nFor more information, try '--help'.\n");
        return Exit::Usage;
    }
    if error.use_stderr() {
        terminal::say(&error.render().to_string());
        return Exit::Usage;
    }
    terminal::print(&error.render().to_string())
}

/// The definition of the command line, for completions and the manual page.
pub fn definition() -> clap::Command {
    Arguments::command()
}
