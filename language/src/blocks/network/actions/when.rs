//! When a condition becomes true, some quantities get new values, all at once.
//!
//! Which quantities these may be depends on the whole model: `wiring/settings.rs` finds the storages and registers that
//! stand for them.

use parser::diagnostic::Diagnostic;
use parser::source::Span;
use parser::suggest::nearest;
use parser::syntax::{Equation, NodeKind};

use crate::blocks::network::element_schema;
use crate::codes;
use crate::element::{BlockSchema, Family, Quantity, SignalSchema};
use crate::reading::fields::{Condition, YesNo};
use crate::reading::ids::JointId;
use crate::reading::scope::Scope;
use crate::reading::{BlockReader, Group, parameters};
use crate::sketch::Sketched;
use crate::writing::{Line, Writer};
use equations::actions::JointPlace;
use equations::expression::{Program, SignalRef};

parameters! {
    /// The parameters of a When block.
    pub struct WhenParameters {
        condition: Condition = "Condition", Plus, Unit::None, Required, Any, "acts when it becomes true; true at the start is no change";
        impulse: YesNo = "Impulse", Plus, Unit::None, Word("yes"), Any, "the rate of a joint is set by an impulse, which the rates of all other joints answer; `no`: only this rate changes, and loops are closed again";
    }
}

/// The table of the When block.
pub static WHEN: BlockSchema = element_schema(
    "When",
    "When Condition becomes true, the lines `name = expression;` of its section `Set` give new values to discrete \
     Variables, states of networks, and joint coordinates and rates. All right sides use the values before the event.",
    &[WhenParameters::PARAMETERS],
    &[],
);

/// What a line of a Set section gives a value to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    /// A signal of the networks.
    Signal(SignalRef),
    /// A joint coordinate.
    Position(JointPlace),
    /// The rate of a joint coordinate.
    Rate(JointPlace),
}

/// A line of a Set section.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// What gets the value.
    pub place: Place,
    /// The place in the text that names it.
    pub span: Span,
    /// It as the text names it.
    pub name: Box<str>,
    /// The value.
    pub value: Program,
}

/// A When block.
#[derive(Clone, Debug, PartialEq)]
pub struct When {
    /// Parameters of the block.
    pub parameters: WhenParameters,
    /// The lines of its Set section.
    pub settings: Box<[Setting]>,
}

/// What can be set in networks: the keyword of the block and its signals.
pub(crate) const SETTABLE: &[(&str, &[&str])] = &[
    ("Variable", &[""]),
    ("Capacitor", &["v"]),
    ("Inductor", &["i"]),
    ("Inertia", &["phi", "w"]),
    ("Mass", &["s", "v"]),
    ("HeatCapacity", &["T"]),
    ("Compliance", &["dp"]),
    ("Integrator", &["y"]),
    ("PT1", &["y"]),
    ("PI", &["y"]),
    ("PID", &["y"]),
];

/// What a `When` can set, in words.
const ALL_SETTABLE: &str = "a When sets discrete Variables, `v` of Capacitors, `i` of Inductors, `phi` and `w` of \
     Inertias, `s` and `v` of Masses, `T` of HeatCapacities, `dp` of Compliances, `y` of Integrator, PT1, PI and PID, \
     Variables that are states of Equations, and `q` and `qd` of joints";

impl When {
    /// Reads the block and its section.
    pub(crate) fn read(reader: &mut BlockReader<'_, '_>) -> Self {
        let parameters = WhenParameters::read(reader);
        check_condition(reader, &parameters.condition);
        let document = reader.document;
        let sections = document.inner(reader.context.syntax_of(reader.block));
        let lines: Vec<&Equation> =
            sections.iter().flat_map(|section| document.equations(section)).collect();
        if lines.is_empty() && !reader.damaged() && sections.iter().all(|s| !s.damaged) {
            let name = reader.context.name(reader.block);
            let message = format!("When `{name}` sets nothing");
            let help = "add what it does: `Set { n = n + 1; }`";
            let span = reader.context.blocks[reader.block as usize].name;
            reader.context.report(Diagnostic::new(codes::REQUIRED, span, message).help(help));
        }
        let mut settings: Vec<Setting> = Vec::new();
        for line in lines {
            let Some(setting) = read_line(reader, line) else { continue };
            let first = settings.iter().find(|known| known.place == setting.place);
            match first {
                Some(first) => set_twice(reader, &setting, first.span),
                None => settings.push(setting),
            }
        }
        Self { parameters, settings: settings.into() }
    }

    /// Writes its condition and its values.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let lines = self.settings.iter();
        let lines: Vec<Line<'_>> = lines.map(|s| Line { name: &s.name, value: &s.value }).collect();
        let Self { parameters: WhenParameters { condition, impulse }, .. } = self;
        e.actions().when(condition, &lines, impulse.is_yes());
    }
}

/// A condition that never changes.
fn check_condition(reader: &mut BlockReader<'_, '_>, condition: &Condition) {
    let Some(value) = condition.0.as_constant() else { return };
    let truth = if value > 0.5 { "true" } else { "false" };
    let message = format!("the condition is always {truth}, so that it never becomes true");
    let span = reader.context.place_of(reader.block, "Condition");
    let help = "use time, signals or discrete Variables in it";
    reader.context.report(Diagnostic::new(codes::CONSTANT_CONDITION, span, message).help(help));
}

fn set_twice(reader: &mut BlockReader<'_, '_>, setting: &Setting, first: Span) {
    let message = format!("`{}` is set twice in one When", setting.name);
    let diagnostic = Diagnostic::new(codes::SET_TWICE, setting.span, message);
    reader.context.report(diagnostic.also(first, "the first one"));
}

/// A line; `None` after a mistake, which is reported.
fn read_line(reader: &mut BlockReader<'_, '_>, line: &Equation) -> Option<Setting> {
    let document = reader.document;
    let value = reader.context.program(document, line.right, Scope::Time);
    let left = document.node(line.left);
    let name = reader.context.sources.text(left.span);
    if !matches!(left.kind, NodeKind::Name) {
        let message = format!("`{name}` is an expression, and only a name can be given a value");
        let help = "write it as `name = expression;`";
        let diagnostic = Diagnostic::new(codes::NOT_SETTABLE, left.span, message).help(help);
        reader.context.report(diagnostic);
        return None;
    }
    let place = place(reader, name, left.span)?;
    Some(Setting { place, span: left.span, name: name.into(), value: value? })
}

/// What a name stands for that gets a value.
fn place(reader: &mut BlockReader<'_, '_>, name: &str, span: Span) -> Option<Place> {
    let refused = match reader.context.constants.contains_key(name) || name == "t" {
        true => {
            let what = if name == "t" { "the time" } else { "a parameter" };
            let message = format!("`{name}` is {what}, which cannot be set");
            let help = "declare what changes at events: `Variable \"n\" { Type = discrete; }`";
            Diagnostic::new(codes::NOT_SETTABLE, span, message).help(help)
        }
        false => match reader.context.signal(name, span) {
            Ok((signal, schema)) => match place_of(reader, signal, schema) {
                Some(place) => return Some(place),
                None => not_settable(reader, name, span, signal),
            },
            Err(_) if !name.contains('.') => {
                let help = reader.context.suggest_value(name, codes::UNKNOWN_NAME);
                let help = help.unwrap_or_else(|| {
                    format!("declare it: `Variable \"{name}\" {{ Type = discrete; }}`")
                });
                let message = format!("there is no variable `{name}`");
                let diagnostic = Diagnostic::new(codes::UNKNOWN_NAME, span, message);
                reader.context.report_missing(diagnostic.help(help));
                return None;
            }
            Err(mistake) => {
                if let Some(mistake) = mistake {
                    reader.context.report(*mistake);
                }
                return None;
            }
        },
    };
    reader.context.report(refused);
    None
}

fn place_of(
    reader: &BlockReader<'_, '_>,
    signal: SignalRef,
    schema: &SignalSchema,
) -> Option<Place> {
    let entry = reader.context.blocks[signal.block as usize];
    let (joint, component) = (JointId(entry.handle), usize::from(signal.component));
    match (entry.schema.family, schema.quantity, schema.name) {
        (Family::Joint, Quantity::Position, "q") => {
            Some(Place::Position(JointPlace { joint, component }))
        }
        (Family::Joint, Quantity::Velocity, "qd") => {
            Some(Place::Rate(JointPlace { joint, component }))
        }
        (Family::Network, ..) => {
            let signals = settable_of(entry.schema.keyword)?;
            let fits = signals.contains(&schema.name) || entry.schema.keyword == "Variable";
            fits.then_some(Place::Signal(signal))
        }
        _ => None,
    }
}

/// The signals of a block that can be set.
fn settable_of(keyword: &str) -> Option<&'static [&'static str]> {
    SETTABLE.iter().find(|(known, _)| *known == keyword).map(|(_, signals)| *signals)
}

fn not_settable(
    reader: &BlockReader<'_, '_>,
    name: &str,
    span: Span,
    signal: SignalRef,
) -> Diagnostic {
    let entry = reader.context.blocks[signal.block as usize];
    let owner = name.rsplit_once('.').map_or(name, |(owner, _)| owner);
    let keyword = entry.schema.keyword;
    let signals: &[&str] = match entry.schema.family {
        Family::Joint if !entry.schema.coordinates.is_empty() => &["q", "qd"],
        _ => settable_of(keyword).unwrap_or(&[]),
    };
    let message = format!("`{name}` of a {keyword} cannot be set");
    let known: Vec<String> = signals.iter().map(|signal| format!("`{owner}.{signal}`")).collect();
    let last = name.rsplit('.').next().unwrap_or(name);
    let near = nearest(last, signals.iter().copied()).filter(|near| !near.is_empty());
    let help = match (near, known.is_empty()) {
        (Some(near), _) => format!("did you mean `{owner}.{near}`?"),
        (None, false) => format!("of a {keyword} a When can set {}", known.join(" and ")),
        (None, true) => ALL_SETTABLE.into(),
    };
    Diagnostic::new(codes::NOT_SETTABLE, span, message).help(help)
}

impl Sketched for When {}
