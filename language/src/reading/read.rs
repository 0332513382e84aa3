//! How the parameters of a block become the fields of a structure, guided by the block's table.

use std::cell::RefCell;

use parser::diagnostic::Diagnostic;
use parser::source::Span;
use parser::suggest::nearest_word;
pub use parser::syntax::Parameter;
use parser::syntax::{Document, NodeId, NodeKind};

use super::context::Context;
use super::names::{self, Found};
use crate::codes;
use crate::element::{
    BlockSchema, Coordinate, DefaultValue, Kind, Origin, ParameterSchema, Target, one_of, written,
};
use equations::expression::Program;

/// A type that a parameter's value can have.
pub trait Field: Sized {
    /// The kind of value that is written in the text.
    const KIND: Kind;
    /// The written value; `None` after a mistake, which is reported.
    fn read(
        reader: &mut BlockReader<'_, '_>,
        schema: &'static ParameterSchema,
        given: &Parameter,
    ) -> Option<Self>;
    /// The value if nothing is written; `None` where the default cannot be of this type.
    fn from_default(reader: &BlockReader<'_, '_>, default: DefaultValue) -> Option<Self>;
    /// Stands for a wrong value until the model is given up.
    fn placeholder() -> Self;
    /// A fraction of the value, for defaults such as `0.1*<Tstep>`.
    fn scaled(self, _factor: f64) -> Self {
        self
    }
}

/// A structure whose fields are parameters of a block.
pub trait Group: Sized {
    /// The table.
    const PARAMETERS: &'static [ParameterSchema];
    /// Reads all fields.
    fn read(reader: &mut BlockReader<'_, '_>) -> Self;
}

/// Declares a structure together with the table of its parameters:
/// `field: Type = "Name", Origin, Unit, Default, Range, "doc";`
#[doc(hidden)]
#[macro_export]
macro_rules! parameters {
    (
        $(#[$meta:meta])*
        pub struct $name:ident {
            $($field:ident: $type:ty = $text:literal, $origin:ident, $unit:expr, $default:expr, $range:expr, $doc:literal;)*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            $(#[doc = $doc] pub $field: $type,)*
        }

        impl $crate::reading::Group for $name {
            const PARAMETERS: &'static [$crate::element::ParameterSchema] = {
                #[allow(unused_imports, reason = "not every table uses all of them")]
                use $crate::element::{DefaultValue::*, Origin::*, Range::*, Unit};
                &[$($crate::element::ParameterSchema {
                    name: $text,
                    kind: <$type as $crate::reading::Field>::KIND,
                    unit: $unit,
                    default: $default,
                    range: $range,
                    origin: $origin,
                    doc: $doc,
                }),*]
            };

            #[allow(unused_variables, unused_mut, reason = "a group may be empty")]
            fn read(reader: &mut $crate::reading::BlockReader<'_, '_>) -> Self {
                let mut schemas = Self::PARAMETERS.iter();
                Self { $($field: reader.field(schemas.next())),* }
            }
        }
    };
}
pub use parameters;

/// Declares an enumeration whose variants are words of the language.
#[doc(hidden)]
#[macro_export]
macro_rules! words {
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name { $($(#[$doc])* $variant,)* }

        impl $name {
            /// The words, in the order of the language reference.
            pub const WORDS: &'static [&'static str] = &[$($word),*];

            /// The variant of a word.
            pub fn from_word(word: &str) -> Option<Self> {
                match word {
                    $($word => Some(Self::$variant),)*
                    _ => None,
                }
            }

            /// The word.
            pub fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }
        }

        impl $crate::reading::Field for $name {
            const KIND: $crate::element::Kind = $crate::element::Kind::Word(Self::WORDS);

            fn read(
                reader: &mut $crate::reading::BlockReader<'_, '_>,
                schema: &'static $crate::element::ParameterSchema,
                given: &$crate::reading::Parameter,
            ) -> Option<Self> {
                reader.word(schema, given, Self::WORDS).and_then(Self::from_word)
            }

            fn from_default(
                _: &$crate::reading::BlockReader<'_, '_>,
                default: $crate::element::DefaultValue,
            ) -> Option<Self> {
                match default {
                    $crate::element::DefaultValue::Word(word) => Self::from_word(word),
                    _ => None,
                }
            }

            fn placeholder() -> Self {
                [$(Self::$variant),*][0]
            }
        }
    };
}
pub use words;

/// The empty document from which a missing block is read.
static NO_DOCUMENT: Document = Document::EMPTY;

/// Reads one block.
pub struct BlockReader<'c, 's> {
    pub(crate) context: &'c mut Context<'s>,
    pub(crate) document: &'s Document,
    pub(crate) block: u32,
    pub(crate) schema: &'static BlockSchema,
    /// Coordinates that values "per coordinate" belong to: of this joint, or of the joint it names.
    pub(crate) coordinates: &'static [Coordinate],
    /// Parameters that are given, each the first of its name.
    given: Vec<(&'static str, &'s Parameter)>,
    /// Parameters that are given with a value that the grammar could not read.
    broken: Vec<&'static str>,
    /// (D) parameters that were not given.
    missing: Vec<&'static ParameterSchema>,
    degrees: bool,
    /// Time expressions of a plugin's parameters.
    pub(crate) programs: RefCell<Vec<Program>>,
}

impl<'c, 's> BlockReader<'c, 's> {
    /// Sorts out what is given: unknown and repeated parameters are reported here.
    pub(crate) fn open(context: &'c mut Context<'s>, block: u32) -> Self {
        let document = context.document_of(block);
        let schema = context.blocks[block as usize].schema;
        let coordinates = schema.coordinates;
        let given = std::mem::take(&mut context.given);
        let mut reader = Self {
            context,
            document,
            block,
            schema,
            coordinates,
            given,
            broken: vec![],
            missing: vec![],
            degrees: false,
            programs: RefCell::default(),
        };
        let syntax = reader.context.syntax_of(block);
        for parameter in document.parameters(syntax) {
            let name = reader.context.sources.text(parameter.name);
            let broken = document.values(parameter).is_empty();
            let Some(known) = schema.parameter(name) else {
                reader.unknown_parameter(name, parameter.name, broken);
                continue;
            };
            if broken {
                reader.broken.push(known.name);
                continue;
            }
            match reader.find(known.name) {
                Some(first) => reader.repeated(name, parameter.name, first.name),
                None => reader.given.push((known.name, parameter)),
            }
        }
        reader.degrees = reader.find("Degrees").is_some_and(|degrees| {
            let values = document.values(degrees);
            values.first().is_some_and(|&id| reader.raw(id) == "deg")
        });
        reader
    }

    /// A reader that finds nothing given, for a block that is missing.
    pub(crate) fn without_block(
        context: &'c mut Context<'s>,
        schema: &'static BlockSchema,
    ) -> Self {
        let (document, coordinates) = (&NO_DOCUMENT, schema.coordinates);
        let block = u32::MAX;
        Self {
            context,
            document,
            block,
            schema,
            coordinates,
            given: vec![],
            broken: vec![],
            missing: vec![],
            degrees: false,
            programs: RefCell::default(),
        }
    }

    /// A (D) parameter that has no meaning here is not missed.
    pub(crate) fn forgive(&mut self, names: &[&str]) {
        self.missing.retain(|schema| !names.contains(&schema.name));
    }

    /// Parameters that are given, but belong to another variant of the block.
    pub(crate) fn warn_of_other_variants(&mut self, variant: &str, own: &[ParameterSchema]) {
        let known = |name: &str| {
            let mut common = self.schema.own_parameters();
            common.any(|schema| schema.name == name) || own.iter().any(|schema| schema.name == name)
        };
        let idle: Vec<(&str, Span)> = self
            .given
            .iter()
            .filter(|(name, _)| !known(name))
            .map(|(name, p)| (*name, p.name))
            .collect();
        for (name, span) in idle {
            let message = format!("`{name}` has no effect on a {variant}");
            self.context.report(Diagnostic::new(codes::NO_EFFECT, span, message));
        }
    }

    /// The (D) defaults that were taken are one warning for the whole block.
    pub(crate) fn close(self) {
        let Self { context, block, schema, coordinates, missing, mut given, .. } = self;
        // The next block uses the same memory.
        given.clear();
        context.given = given;
        if missing.is_empty() {
            return;
        }
        let words = |schema: &&ParameterSchema| match schema.default {
            DefaultValue::Absent(words) => format!("{}: {words}", schema.name),
            _ => format!("{} = {}", schema.name, schema.default_words(coordinates)),
        };
        context.report_with(codes::DEFAULT_TAKEN, |context| {
            let name = context.name(block);
            let all: Vec<String> = missing.iter().map(words).collect();
            let span = context.blocks[block as usize].name;
            let message = format!("{} `{name}` takes defaults: {}", schema.keyword, all.join("; "));
            Diagnostic::new(codes::DEFAULT_TAKEN, span, message)
        });
    }

    pub(crate) fn find(&self, name: &str) -> Option<&'s Parameter> {
        self.given.iter().find(|(known, _)| *known == name).map(|(_, parameter)| *parameter)
    }

    /// Whether parameters may be missing that are written in the text.
    pub(crate) fn damaged(&self) -> bool {
        (self.block as usize) < self.context.blocks.len()
            && self.context.syntax_of(self.block).damaged
    }

    /// Whether the parameter is written, with or without a readable value.
    pub(crate) fn is_written(&self, name: &str) -> bool {
        self.broken.contains(&name) || self.find(name).is_some()
    }

    /// Reads on without a word about it: what is read depends on something that is wrong already.
    pub(crate) fn silently<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let (known, missing) = (std::mem::take(&mut self.context.diagnostics), self.missing.len());
        let value = read(self);
        self.context.diagnostics = known;
        self.missing.truncate(missing);
        value
    }

    /// The text of a value as it is written.
    pub(crate) fn raw(&self, id: NodeId) -> &'s str {
        self.context.sources.text(self.document.node(id).span)
    }

    /// Reads one field of a group.
    pub fn field<T: Field>(&mut self, schema: Option<&'static ParameterSchema>) -> T {
        let Some(schema) = schema else { return T::placeholder() };
        if let Some(given) = self.find(schema.name) {
            if let Some(other) = self.named_parameter(schema, given) {
                return self.default_of(DefaultValue::SameAs(other)).unwrap_or_else(T::placeholder);
            }
            return T::read(self, schema, given).unwrap_or_else(T::placeholder);
        }
        if self.broken.contains(&schema.name) {
            return T::placeholder();
        }
        let quiet = self.schema.origin == Origin::Plus || schema.origin == Origin::Plus;
        match schema.default {
            DefaultValue::Required => self.required(schema),
            _ if !quiet && !self.damaged() => self.missing.push(schema),
            _ => {}
        }
        self.default_of(schema.default).unwrap_or_else(T::placeholder)
    }

    /// The parameter of this block whose value stands for a missing one, if it is what is written: `TstepMax = Tstep`. A
    /// constant of that name comes first.
    fn named_parameter(&self, schema: &ParameterSchema, given: &Parameter) -> Option<&'static str> {
        let (DefaultValue::SameAs(other) | DefaultValue::Fraction(_, other)) = schema.default
        else {
            return None;
        };
        let [single] = self.document.values(given) else { return None };
        let is_named = self.raw(*single) == other && !self.context.constants.contains_key(other);
        is_named.then_some(other)
    }

    /// A default, which may be the value of another parameter.
    pub(crate) fn default_of<T: Field>(&mut self, default: DefaultValue) -> Option<T> {
        let (DefaultValue::SameAs(other) | DefaultValue::Fraction(_, other)) = default else {
            return T::from_default(self, default);
        };
        let factor = if let DefaultValue::Fraction(factor, _) = default { factor } else { 1.0 };
        let schema = self.schema.parameter(other)?;
        let value: Option<T> = match self.find(other) {
            // A mistake in it is reported where that parameter itself is read.
            Some(given) => self.silently(|reader| T::read(reader, schema, given)),
            None if self.broken.contains(&other) => None,
            None => T::from_default(self, schema.default),
        };
        value.map(|value| value.scaled(factor))
    }

    /// The values of a parameter; the values of a single list in braces count as well.
    pub(crate) fn values(&self, given: &Parameter) -> &'s [NodeId] {
        let values = self.document.values(given);
        match values {
            [single] => match self.document.node(*single).kind {
                NodeKind::List(run) => self.document.members(run),
                _ => values,
            },
            _ => values,
        }
    }

    /// Numbers in SI units, checked for range; `None` after a mistake, which is reported.
    pub(crate) fn numbers(
        &mut self,
        schema: &'static ParameterSchema,
        given: &Parameter,
        out: &mut [f64],
    ) -> Option<()> {
        let values = self.values(given);
        if values.len() != out.len() {
            self.wrong_count(schema, given, out.len(), values.len());
            return None;
        }
        let mut good = true;
        for (component, (&id, slot)) in values.iter().zip(out).enumerate() {
            match self.number(schema, id, component) {
                Some(number) => *slot = number,
                None => good = false,
            }
        }
        good.then_some(())
    }

    /// One number in SI units, checked for range.
    pub(crate) fn number(
        &mut self,
        schema: &'static ParameterSchema,
        id: NodeId,
        component: usize,
    ) -> Option<f64> {
        let number = self.context.constant(self.document, id)?;
        if !schema.range.contains(number) {
            let message = format!(
                "`{}` must be {}, not {}",
                schema.name,
                schema.range.words(),
                written(number)
            );
            let span = self.document.node(id).span;
            self.context.report(Diagnostic::new(codes::OUT_OF_RANGE, span, message));
            return None;
        }
        let turn = self.degrees && schema.unit.is_angle(component, self.coordinates);
        Some(if turn { number.to_radians() } else { number })
    }

    /// The only value of a parameter.
    pub(crate) fn single(&mut self, schema: &ParameterSchema, given: &Parameter) -> Option<NodeId> {
        match *self.document.values(given) {
            [single] => Some(single),
            ref several => {
                self.wrong_count(schema, given, 1, several.len());
                None
            }
        }
    }

    /// A value that is written as a bare or quoted name.
    pub(crate) fn bare(&mut self, schema: &ParameterSchema, id: NodeId) -> Option<(&'s str, Span)> {
        let node = self.document.node(id);
        let text = self.context.sources.text(node.span);
        if node.kind == NodeKind::Text {
            let span = Span::new(node.span.start + 1, node.span.end - 1);
            return Some((self.context.sources.text(span), span));
        }
        let fits = |c: char| {
            parser::lexical::is_name_character(c) || matches!(c, ':' | '"' | '[' | ']' | ',')
        };
        let sign = node.kind == NodeKind::Word;
        if !text.is_empty() && (text.chars().all(fits) || sign) {
            return Some((text, node.span));
        }
        self.not_a_name(schema, node.kind, node.span);
        None
    }

    /// One of the words.
    pub fn word(
        &mut self,
        schema: &ParameterSchema,
        given: &Parameter,
        words: &'static [&'static str],
    ) -> Option<&'static str> {
        let id = self.single(schema, given)?;
        self.one_word(schema, id, words)
    }

    pub(crate) fn one_word(
        &mut self,
        schema: &ParameterSchema,
        id: NodeId,
        words: &'static [&'static str],
    ) -> Option<&'static str> {
        let (text, span) = self.bare(schema, id)?;
        let found = words.iter().find(|&&word| word == text).copied();
        if found.is_none() {
            let message = format!("`{}` must be {}, not `{text}`", schema.name, one_of(words));
            let help = nearest_word(text, words).map(|near| format!("did you mean `{near}`?"));
            self.context.report(Diagnostic::new(codes::WRONG_WORD, span, message).maybe_help(help));
        }
        found
    }

    /// The block that a parameter names: its index in the list of blocks.
    pub(crate) fn reference(
        &mut self,
        schema: &ParameterSchema,
        given: &Parameter,
        target: Target,
    ) -> Option<u32> {
        let id = self.single(schema, given)?;
        let (text, span) = self.bare(schema, id)?;
        let (keyword, name) = names::split_reference(text);
        let context = &mut *self.context;
        let accept = |schema: &BlockSchema| target.accepts(schema);
        match names::find(&context.index, &context.blocks, keyword, name, accept) {
            Found::One(block) => return Some(block),
            Found::Several(all) => {
                let diagnostic = context.ambiguous(name, "", span, &all);
                context.report(diagnostic);
            }
            Found::WrongKind(other) => self.wrong_kind(schema, name, span, other),
            Found::Unknown => self.unknown_reference(name, span, target),
        }
        None
    }
}
