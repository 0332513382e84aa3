//! What is said about parameters that are missing, unknown, repeated or of a wrong count, and about
//! references that lead nowhere.

use parser::diagnostic::Diagnostic;
use parser::source::Span;
use parser::suggest::nearest;
use parser::syntax::{NodeKind, Parameter};

use super::BlockReader;
use crate::codes;
use crate::element::{Family, ParameterSchema, Target};

impl BlockReader<'_, '_> {
    /// A parameter without default is not given.
    pub(crate) fn required(&mut self, schema: &ParameterSchema) {
        if self.damaged() {
            return;
        }
        let name = self.context.name(self.block);
        let message =
            format!("{} `{name}` needs the parameter `{}`", self.schema.keyword, schema.name);
        let help = format!("add `{} = ...;`: {}", schema.name, schema.doc);
        let span = self.context.blocks[self.block as usize].name;
        self.context.report(Diagnostic::new(codes::REQUIRED, span, message).help(help));
    }

    /// The block has no such parameter. One whose value is `broken` is only told if it is misspelt:
    /// it may be no parameter at all.
    pub(crate) fn unknown_parameter(&mut self, name: &str, span: Span, broken: bool) {
        // Entries of Parameters may have any name, and parameters of an unknown plugin cannot be judged.
        if self.schema.family == Family::Parameters || self.schema.is_unknown_plugin() {
            return;
        }
        let known = self.schema.all_parameters().map(|schema| schema.name);
        let may = self.context.may_suggest(codes::UNKNOWN_PARAMETER);
        let near = may.then(|| nearest(name, known)).flatten();
        if broken && near.is_none() {
            return;
        }
        let message = format!("{} has no parameter `{name}`; it is ignored", self.schema.keyword);
        let help = near.map(|near| format!("did you mean `{near}`?"));
        self.context
            .report(Diagnostic::new(codes::UNKNOWN_PARAMETER, span, message).maybe_help(help));
    }

    /// Reports a parameter that is given a second time.
    pub(crate) fn repeated(&mut self, name: &str, again: Span, first: Span) {
        let message = format!("`{name}` is given twice; the first value counts");
        let diagnostic = Diagnostic::new(codes::REPEATED_PARAMETER, again, message);
        self.context.report(diagnostic.also(first, "this one counts"));
    }

    /// Too many values or too few.
    pub(crate) fn wrong_count(
        &mut self,
        schema: &ParameterSchema,
        given: &Parameter,
        wanted: usize,
        found: usize,
    ) {
        let message = match (wanted, found) {
            (0, _) => format!("`{}` takes no value: the joint has no coordinate", schema.name),
            (1, found) => format!("`{}` takes 1 value, not {found}", schema.name),
            (wanted, found) => format!("`{}` takes {wanted} values, not {found}", schema.name),
        };
        let meaning = !schema.doc.eq_ignore_ascii_case(schema.name);
        let help = self
            .decimal_comma(given, wanted)
            .or_else(|| meaning.then(|| format!("{}: {}", schema.name, schema.doc)));
        let diagnostic = Diagnostic::new(codes::WRONG_COUNT, given.value, message);
        self.context.report(diagnostic.maybe_help(help));
    }

    /// `1,5` where one number is wanted.
    fn decimal_comma(&self, given: &Parameter, wanted: usize) -> Option<String> {
        let text = self.context.sources.text(given.value);
        let (whole, fraction) = text.split_once(',').filter(|_| wanted == 1)?;
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let number = digits(whole.strip_prefix('-').unwrap_or(whole)) && digits(fraction);
        number.then(|| format!("decimals are separated by a point: `{whole}.{fraction}`"))
    }

    /// The name belongs to a block that cannot be meant here.
    pub(crate) fn wrong_kind(
        &mut self,
        schema: &ParameterSchema,
        name: &str,
        span: Span,
        other: u32,
    ) {
        let entry = self.context.blocks[other as usize];
        let message = format!(
            "`{}` takes {}, but `{name}` is a {}",
            schema.name,
            schema.kind.words(),
            entry.schema.keyword
        );
        let diagnostic = Diagnostic::new(codes::WRONG_REFERENCE, span, message);
        self.context.report(diagnostic.also(entry.name, "declared here"));
    }

    /// No block has the name.
    pub(crate) fn unknown_reference(&mut self, name: &str, span: Span, target: Target) {
        let context = &mut *self.context;
        let kind = match target {
            Target::Body => "body",
            Target::Triad => "triad",
            Target::Joint | Target::SingleJoint | Target::JointOf(_) => "joint",
            Target::ElementOf(_) | Target::TwoPin => "element",
            Target::BondEnd(_) => "element of a bond graph and no node",
        };
        let message = format!("there is no {kind} `{name}`");
        let diagnostic = Diagnostic::new(codes::UNKNOWN_REFERENCE, span, message);
        if let Some(ignored) = context.ignored.get_mut(name) {
            // Once is enough; and a block that will be supported later is an error of its own.
            if let Some(keyword) = ignored.take() {
                context.report(diagnostic.also(keyword, "this block is ignored"));
            }
            return;
        }
        let may = context.may_suggest(codes::UNKNOWN_REFERENCE);
        let accept = |schema: &_| target.accepts(schema);
        let near =
            may.then(|| context.index.suggest(name, context.sources, &context.blocks, accept));
        let world =
            (target.allows_world() && nearest(name, ["world"]).is_some()).then_some("world");
        let help = near.flatten().or(world).map(|near| format!("did you mean `{near}`?"));
        context.report_missing(diagnostic.maybe_help(help));
    }

    /// A value that is no name where a name is needed.
    pub(crate) fn not_a_name(&mut self, schema: &ParameterSchema, kind: NodeKind, span: Span) {
        let found = match kind {
            NodeKind::List(_) => "a list",
            NodeKind::Number(_) => "a number",
            _ => "an expression",
        };
        let message = format!("`{}` takes {}, not {found}", schema.name, schema.kind.words());
        self.context.report(Diagnostic::new(codes::WRONG_TYPE, span, message));
    }
}
