//! Functions of one's own: `Formula "sat" { Of = x, a; Value = clamp(x, -a, a); }`.
//!
//! Formulas are compiled together with the entries of Parameters blocks, because each may use the others; the fields
//! here only read the block, and leave its value to that (`reading/constants.rs`).

use parser::diagnostic::Diagnostic;
use parser::source::Span;
use parser::syntax::{NodeKind, Parameter};

use crate::codes;
use crate::element::{BlockSchema, DefaultValue, Family, Kind, Origin, ParameterSchema};
use crate::reading::fields::FreeText;
use crate::reading::{BlockReader, Field, Group, parameters};

/// The names of the arguments, in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Arguments(pub Box<[Span]>);

impl Field for Arguments {
    const KIND: Kind = Kind::Names;

    fn read(
        reader: &mut BlockReader<'_, '_>,
        schema: &'static ParameterSchema,
        given: &Parameter,
    ) -> Option<Self> {
        let mut names: Vec<Span> = Vec::new();
        for &id in reader.values(given) {
            let node = reader.document.node(id);
            let text = reader.context.sources.text(node.span);
            let is_plain = node.kind == NodeKind::Name && !text.contains(['.', '[', ':', '"', '-']);
            let mistake = if !is_plain {
                let message = format!("`{}` takes names of arguments, not `{text}`", schema.name);
                Some(Diagnostic::new(codes::WRONG_TYPE, node.span, message))
            } else if matches!(text, "t" | "pi" | "e" | "yes" | "no") {
                let message = format!("`{text}` has a fixed meaning and cannot be an argument");
                Some(Diagnostic::new(codes::RESERVED_NAME, node.span, message))
            } else {
                let first = names.iter().find(|known| reader.context.sources.text(**known) == text);
                first.map(|first| {
                    let message = format!("there are two arguments `{text}`");
                    Diagnostic::new(codes::DUPLICATE_NAME, node.span, message)
                        .also(*first, "the first one")
                })
            };
            match mistake {
                Some(mistake) => reader.context.report(mistake),
                None => names.push(node.span),
            }
        }
        Some(Self(names.into()))
    }

    fn from_default(_: &BlockReader<'_, '_>, _: DefaultValue) -> Option<Self> {
        None
    }

    fn placeholder() -> Self {
        Self(Box::default())
    }
}

/// The expression of a formula, which is compiled elsewhere.
#[derive(Clone, Debug, PartialEq)]
pub struct FormulaValue;

impl Field for FormulaValue {
    const KIND: Kind = Kind::Time;

    fn read(
        reader: &mut BlockReader<'_, '_>,
        schema: &'static ParameterSchema,
        given: &Parameter,
    ) -> Option<Self> {
        reader.single(schema, given).map(|_| Self)
    }

    fn from_default(_: &BlockReader<'_, '_>, _: DefaultValue) -> Option<Self> {
        None
    }

    fn placeholder() -> Self {
        Self
    }
}

parameters! {
    /// A function.
    pub struct Formula {
        arguments: Option<Arguments> = "Of", Plus, Unit::None, Absent("no arguments"), Any, "names of the arguments";
        value: FormulaValue = "Value", Plus, Unit::None, Required, Any, "value of the function: an expression of its arguments, of constants, of `t` and of other formulas";
        about: Option<FreeText> = "About", Plus, Unit::None, Absent("none"), Any, "what it computes, in words";
    }
}

/// The table of the Formula block.
pub static FORMULA: BlockSchema = BlockSchema {
    keyword: "Formula",
    family: Family::Formula,
    origin: Origin::Plus,
    doc: "A function for all expressions, which is called by its name.",
    parameters: &[Formula::PARAMETERS],
    variants: None,
    coordinates: &[],
    signals: &[],
};
