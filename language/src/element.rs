//! What every block of the language declares about itself: parameters, coordinates, signals.
//!
//! One table per block, next to its data, feeds reading, checking, warnings about defaults,
//! suggestions, `dysim --list` and the language reference. Not here: how a value is read
//! (`reading`), what a block means (its own file).

mod node_tables;
mod signals;

pub use node_tables::node_table;
pub use signals::{Quantity, SignalSchema, SignalShape, acceleration_signal, signal};

use equations::domain::Domain;
pub use equations::wording::{one_of, written};

/// Where a block or parameter comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// In the DySim 0.5 manual; marked (D).
    DySim,
    /// Beyond it; marked (+).
    Plus,
}

/// One block keyword.
#[derive(Debug)]
pub struct BlockSchema {
    /// The keyword, as written.
    pub keyword: &'static str,
    /// The family of blocks.
    pub family: Family,
    /// DySim 0.5 or beyond.
    pub origin: Origin,
    /// One sentence for the language reference.
    pub doc: &'static str,
    /// The parameters, in groups that several blocks may share.
    pub parameters: &'static [&'static [ParameterSchema]],
    /// Parameters that depend on the value of a word, such as `Type` of a Primitive.
    pub variants: Option<&'static Variants>,
    /// Coordinates of a joint, in the order of `Qinit`.
    pub coordinates: &'static [Coordinate],
    /// Quantities that can be named in expressions and in `Output`.
    pub signals: &'static [&'static [SignalSchema]],
}

/// The family of a block, which also decides where the block may be referred to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// Settings of which the first block counts: Header, System, Solver, Output.
    Setting,
    /// Named constants.
    Parameters,
    /// Another file.
    Include,
    /// A rigid body.
    Body,
    /// A frame on a body.
    Triad,
    /// What tells the motion of one triad relative to another.
    Sensor,
    /// A joint.
    Joint,
    /// A further constraint between joints or triads.
    Constraint,
    /// A force element.
    Force,
    /// An element written by a user.
    Plugin,
    /// A graphics primitive.
    Primitive,
    /// An element of a network.
    Network,
    /// A function of the model.
    Formula,
    /// A derived quantity.
    Signal,
    /// A node of a network, which comes into being by being named.
    Node,
}

impl Family {
    /// In words, with article.
    pub fn words(self) -> &'static str {
        match self {
            Family::Setting => "a setting",
            Family::Parameters => "a parameter block",
            Family::Include => "an include",
            Family::Body => "a body",
            Family::Triad => "a triad",
            Family::Sensor => "a sensor",
            Family::Joint => "a joint",
            Family::Constraint => "a constraint",
            Family::Force => "a force",
            Family::Plugin => "a plugin",
            Family::Primitive => "a primitive",
            Family::Network => "a network element",
            Family::Formula => "a formula",
            Family::Signal => "a signal",
            Family::Node => "a node",
        }
    }
}

/// Parameters chosen by the value of a word.
#[derive(Debug)]
pub struct Variants {
    /// The parameter that chooses.
    pub selector: &'static str,
    /// Values of the selector, each with the parameters that it adds.
    pub choices: &'static [Variant],
}

/// One choice of [`Variants`].
#[derive(Debug)]
pub struct Variant {
    /// The word.
    pub word: &'static str,
    /// DySim 0.5 or beyond.
    pub origin: Origin,
    /// One sentence for the language reference.
    pub doc: &'static str,
    /// The parameters it adds.
    pub parameters: &'static [ParameterSchema],
}

/// One parameter.
#[derive(Debug)]
pub struct ParameterSchema {
    /// The name, as written.
    pub name: &'static str,
    /// Kind of value that the parameter takes.
    pub kind: Kind,
    /// The unit of the value.
    pub unit: Unit,
    /// Value if the parameter is missing.
    pub default: DefaultValue,
    /// Numbers that are allowed.
    pub range: Range,
    /// DySim 0.5 or beyond.
    pub origin: Origin,
    /// Half a sentence for the language reference.
    pub doc: &'static str,
}

impl ParameterSchema {
    /// The default as it would be written, with all its components.
    pub fn default_words(&self, coordinates: &[Coordinate]) -> String {
        let Some(words) = self.default.words() else { return "required".into() };
        let count = match self.kind {
            Kind::Vector(count) => count,
            Kind::PerCoordinate => coordinates.len().max(1),
            _ => 1,
        };
        match self.default {
            DefaultValue::Number(_) if (2..=6).contains(&count) => vec![words; count].join(", "),
            DefaultValue::Number(_) if count > 6 => format!("{count} x {words}"),
            _ => words,
        }
    }
}

/// Kinds of values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// One number.
    Number,
    /// One whole number.
    Count,
    /// This many numbers.
    Vector(usize),
    /// One number for each coordinate of the joint.
    PerCoordinate,
    /// A list in braces whose length is a multiple of this.
    List(usize),
    /// One of these words.
    Word(&'static [&'static str]),
    /// Any of these words.
    Words(&'static [&'static str]),
    /// A free name.
    Name,
    /// Free names, one or several.
    Names,
    /// A file name, usually in quotes.
    File,
    /// Any text in quotes.
    Text,
    /// The name of another block.
    Reference(Target),
    /// An expression that may use `t` and signals.
    Time,
    /// One number or several.
    Numbers,
    /// This many time expressions.
    TimeVector(usize),
    /// One time expression or several.
    TimeList,
    /// One time expression for each coordinate of the joint.
    TimePerCoordinate,
    /// Paths to signals.
    Signals,
    /// Paths to signals, each followed by a number.
    Targets,
    /// A truth value that may use `t` and signals.
    Condition,
    /// The name of a node of this domain.
    Node(Domain),
    /// The name of a node that moves with a joint coordinate: rotational or translational as that is.
    Flange,
    /// Largest static friction, and sliding friction as a time expression or table of speed.
    Friction,
}

impl Kind {
    /// The expected value, in words.
    pub fn words(self) -> String {
        match self {
            Kind::Number => "a number".into(),
            Kind::Count => "a whole number".into(),
            Kind::Vector(n) => format!("{n} numbers"),
            Kind::PerCoordinate => "one number per coordinate".into(),
            Kind::List(1) => "a list `{ ... }`".into(),
            Kind::List(n) => format!("a list `{{ ... }}` of groups of {n} numbers"),
            Kind::Word(words) => one_of(words),
            Kind::Words(words) => format!("any of {}", words.join(", ")),
            Kind::Name => "a name".into(),
            Kind::Names => "one name or several".into(),
            Kind::File => "a file name".into(),
            Kind::Text => "a text in quotes".into(),
            Kind::Reference(target) => format!("the name of {}", target.words()),
            Kind::Time => "a time expression".into(),
            Kind::Numbers => "one number or several".into(),
            Kind::TimeList => "one time expression or several".into(),
            Kind::TimeVector(n) => format!("{n} time expressions"),
            Kind::TimePerCoordinate => "one time expression per coordinate".into(),
            Kind::Signals => "paths of signals".into(),
            Kind::Targets => "paths of signals, each with a value".into(),
            Kind::Condition => "a condition".into(),
            Kind::Node(domain) => format!("the name of a node ({})", domain.words()),
            Kind::Flange => "the name of a node (rotational or translational)".into(),
            Kind::Friction => "`Rmax` or `Rmax, Rv` per coordinate".into(),
        }
    }
}

/// The blocks that a reference may point to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A body or `world`.
    Body,
    /// A triad.
    Triad,
    /// Any joint.
    Joint,
    /// Joints of these keywords only.
    JointOf(&'static [&'static str]),
    /// Joints with one freedom.
    SingleJoint,
    /// Network elements of these keywords only.
    ElementOf(&'static [&'static str]),
    /// Electrical elements with two terminals, whose signals are `v` and `i`.
    TwoPin,
    /// Ends of a bond: elements of bond graphs, which have these keywords, and nodes of networks.
    BondEnd(&'static [&'static str]),
}

impl Target {
    /// Whether a reference may point to a block with this schema.
    pub fn accepts(self, schema: &BlockSchema) -> bool {
        match self {
            Target::Body => schema.family == Family::Body,
            Target::Triad => schema.family == Family::Triad,
            Target::Joint => schema.family == Family::Joint,
            Target::SingleJoint => schema.family == Family::Joint && schema.coordinates.len() == 1,
            Target::JointOf(keywords) | Target::ElementOf(keywords) => {
                keywords.contains(&schema.keyword)
            }
            Target::BondEnd(keywords) => {
                schema.family == Family::Node
                    || schema.keyword == "Port"
                    || keywords.contains(&schema.keyword)
            }
            Target::TwoPin => {
                let has = |name: &str| schema.all_signals().any(|signal| signal.name == name);
                schema.family == Family::Network && has("v") && has("i")
            }
        }
    }

    /// In words, with article.
    pub fn words(self) -> String {
        match self {
            Target::Body => "a body".into(),
            Target::Triad => "a triad".into(),
            Target::Joint => "a joint".into(),
            Target::SingleJoint => "a joint with one freedom".into(),
            Target::ElementOf(keywords) => format!("an {}", keywords.join(" or ")),
            Target::TwoPin => "an electrical element with two terminals".into(),
            Target::BondEnd(_) => "an element of a bond graph or a node".into(),
            Target::JointOf(keywords) => match keywords.split_last() {
                Some((last, rest)) if !rest.is_empty() => {
                    format!("a {} or {last} joint", rest.join(", "))
                }
                _ => format!("a {} joint", keywords.join(" ")),
            },
        }
    }
}

/// Units; the units of a joint's quantities depend on its coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A pure number or no number at all.
    None,
    /// One unit for all components.
    Is(&'static str),
    /// One unit for each component.
    Each(&'static [&'static str]),
    /// m or rad.
    Coordinate,
    /// m/s or rad/s.
    Rate,
    /// m/s^2 or rad/s^2.
    Acceleration,
    /// N or Nm.
    Force,
    /// N/m or Nm/rad.
    Stiffness,
    /// N s/m or Nm s/rad.
    Damping,
    /// kg or kg m^2.
    Inertia,
}

impl Unit {
    /// The unit of one component, for the given coordinates of the joint.
    pub fn of(self, component: usize, coordinates: &[Coordinate]) -> &'static str {
        let turns = coordinates.get(component) == Some(&Coordinate::Angle);
        let choose = |straight, turning| if turns { turning } else { straight };
        match self {
            Unit::None => "",
            Unit::Is(unit) => unit,
            Unit::Each(units) => units.get(component).copied().unwrap_or(""),
            Unit::Coordinate => choose("m", "rad"),
            Unit::Rate => choose("m/s", "rad/s"),
            Unit::Acceleration => choose("m/s^2", "rad/s^2"),
            Unit::Force => choose("N", "Nm"),
            Unit::Stiffness => choose("N/m", "Nm/rad"),
            Unit::Damping => choose("N s/m", "Nm s/rad"),
            Unit::Inertia => choose("kg", "kg m^2"),
        }
    }

    /// For tables about joints of any kind: the units of shifts and of angles.
    pub fn words_of_any(self) -> String {
        let of = |coordinate| self.of(0, &[coordinate]);
        match (of(Coordinate::Shift), of(Coordinate::Angle)) {
            (straight, turning) if straight == turning => straight.into(),
            (straight, turning) => format!("{straight} or {turning}"),
        }
    }

    /// Whether the component is an angle or angular rate, which `Degrees = deg` converts.
    pub fn is_angle(self, component: usize, coordinates: &[Coordinate]) -> bool {
        matches!(self.of(component, coordinates), "rad" | "rad/s")
    }

    /// For tables: all units that occur.
    pub fn words(self, coordinates: &[Coordinate]) -> String {
        let count = match self {
            Unit::Each(units) => units.len(),
            Unit::None | Unit::Is(_) => 1,
            _ if coordinates.is_empty() => return self.words_of_any(),
            _ => coordinates.len(),
        };
        let mut units: Vec<&str> = (0..count).map(|i| self.of(i, coordinates)).collect();
        units.dedup();
        units.join(", ")
    }
}

/// Coordinates of joints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coordinate {
    /// A translation, in m.
    Shift,
    /// A rotation, in rad.
    Angle,
}

/// The value of a parameter that is missing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DefaultValue {
    /// It must be given.
    Required,
    /// Nothing, and what that means.
    Absent(&'static str),
    /// This number, for every component.
    Number(f64),
    /// These numbers.
    Numbers(&'static [f64]),
    /// This word.
    Word(&'static str),
    /// The value of another parameter of the block.
    SameAs(&'static str),
    /// This fraction of another parameter of the block.
    Fraction(f64, &'static str),
}

impl DefaultValue {
    /// As it would be written, `None` for a required parameter.
    pub fn words(self) -> Option<String> {
        Some(match self {
            DefaultValue::Required => return None,
            DefaultValue::Absent(words) => words.into(),
            DefaultValue::Number(number) => written(number),
            DefaultValue::Numbers(numbers) => {
                numbers.iter().copied().map(written).collect::<Vec<_>>().join(", ")
            }
            DefaultValue::Word(word) => word.into(),
            DefaultValue::SameAs(other) => format!("<{other}>"),
            DefaultValue::Fraction(factor, other) => format!("{factor}*<{other}>"),
        })
    }
}

/// Which numbers are allowed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Range {
    /// Every finite number.
    Any,
    /// > 0
    Positive,
    /// >= 0
    NotNegative,
    /// At least this.
    AtLeast(f64),
    /// From the first to the second, both allowed.
    Between(f64, f64),
}

impl Range {
    /// Whether the number is allowed.
    pub fn contains(self, number: f64) -> bool {
        match self {
            Range::Any => true,
            Range::Positive => number > 0.0,
            Range::NotNegative => number >= 0.0,
            Range::AtLeast(least) => number >= least,
            Range::Between(least, most) => (least..=most).contains(&number),
        }
    }

    /// In words, empty for any number.
    pub fn words(self) -> String {
        match self {
            Range::Any => String::new(),
            Range::Positive => "greater than 0".into(),
            Range::NotNegative => "at least 0".into(),
            Range::AtLeast(least) => format!("at least {least}"),
            Range::Between(least, most) => format!("from {least} to {most}"),
        }
    }
}

impl BlockSchema {
    /// All parameters that do not depend on a variant.
    pub fn own_parameters(&self) -> impl Iterator<Item = &'static ParameterSchema> {
        self.parameters.iter().copied().flatten()
    }

    /// All parameters, including the parameters of every variant.
    pub fn all_parameters(&self) -> impl Iterator<Item = &'static ParameterSchema> {
        let variants = self.variants.map_or(&[] as &[Variant], |variants| variants.choices);
        self.own_parameters().chain(variants.iter().flat_map(|variant| variant.parameters))
    }

    /// The parameter of this name, in any variant.
    pub fn parameter(&self, name: &str) -> Option<&'static ParameterSchema> {
        self.all_parameters().find(|parameter| parameter.name == name)
    }

    /// All signals.
    pub fn all_signals(&self) -> impl Iterator<Item = &'static SignalSchema> {
        self.signals.iter().copied().flatten()
    }

    /// Is the name of such a block a value by itself, that of its first signal?
    pub fn is_value(&self) -> bool {
        matches!(self.keyword, "Variable" | "Signal")
    }

    /// Is this the table of a Plugin block whose plugin is not known? It says nothing of further parameters and
    /// of signals, of which any plugin has one.
    pub(crate) fn is_unknown_plugin(&self) -> bool {
        self.family == Family::Plugin && self.signals.is_empty()
    }
}
