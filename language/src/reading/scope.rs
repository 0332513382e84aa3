//! The meaning of the names in an expression, and the places where each name may be used.

use parser::diagnostic::Diagnostic;
use parser::source::Span;
use parser::suggest::nearest;

use super::context::Context;
use crate::codes;
use crate::element::{BlockSchema, Family, SignalSchema};
use equations::expression::{Called, Names, Operand};

/// Which names an expression may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// Constants only.
    Constant,
    /// Also `t` and signals.
    Time,
    /// Also `der(x)`: a line of equations.
    Equation,
    /// Also `v`, the speed in a friction law.
    Law,
    /// Constants and `t`: the value of a function.
    Formula,
}

/// The names of an expression in their scope.
pub(crate) struct Scoped<'c, 's> {
    context: &'c Context<'s>,
    scope: Scope,
}

impl<'c, 's> Scoped<'c, 's> {
    pub(crate) fn new(context: &'c Context<'s>, scope: Scope) -> Self {
        Self { context, scope }
    }

    /// A name with `-` that is written without quotes and so reads as a difference: the name, and
    /// whether `span` is its first part.
    fn unquoted_name(&self, span: Span) -> Option<(&'s str, bool)> {
        let context = self.context;
        if !context.may_suggest(codes::UNKNOWN_NAME) {
            return None;
        }
        let source = context.sources.source_of(span)?;
        let at = (span.start - source.base()) as usize;
        let part = context.sources.text(span);
        let part = part.split('.').next().unwrap_or(part);
        let names = context.blocks.iter().map(|block| context.sources.text(block.name));
        names.filter(|name| name.contains('-')).find_map(|name| {
            let mut places = name.match_indices(part).map(|(place, _)| place);
            let fits = |place: &usize| {
                let start = at.checked_sub(*place);
                start.is_some_and(|s| source.text().get(s..s + name.len()) == Some(name))
            };
            places.find(fits).map(|place| (name, place == 0))
        })
    }

    /// Why a name means nothing here.
    fn unknown(&self, path: &str, span: Span) -> Diagnostic {
        let context = self.context;
        if matches!(path.to_lowercase().as_str(), "nan" | "inf" | "infinity") {
            let message = format!("`{path}` is not a finite number");
            return Diagnostic::new(codes::NOT_FINITE, span, message);
        }
        let constants = context.constants.keys().copied().chain(["pi", "e"]);
        let near =
            context.may_suggest(codes::UNKNOWN_NAME).then(|| nearest(path, constants)).flatten();
        let message = format!("there is no parameter `{path}`");
        let diagnostic = Diagnostic::new(codes::UNKNOWN_NAME, span, message);
        if let Some(near) = near {
            return diagnostic.help(format!("did you mean `{near}`?"));
        }
        let near = (!matches!(self.scope, Scope::Constant | Scope::Formula))
            .then(|| context.suggest_value(path, codes::UNKNOWN_NAME))
            .flatten();
        if let Some(near) = near {
            return diagnostic.help(near);
        }
        let block = context.index.all(path).next().filter(|_| self.scope != Scope::Constant);
        let signal =
            block.and_then(|block| context.blocks[block as usize].schema.all_signals().next());
        match signal {
            Some(signal) => {
                diagnostic.help(format!("name a signal of it, such as `{path}.{}`", signal.name))
            }
            None => diagnostic.help(format!("declare it: `Parameters \"p\" {{ {path} = 1.0; }}`")),
        }
    }

    /// A path to a signal, or a mistake.
    fn other(&self, path: &str, span: Span) -> Result<Operand<'_>, Option<Box<Diagnostic>>> {
        let is_signal = path.contains('.') || self.context.value_block(path).is_some();
        let mistake = match is_signal.then(|| self.path(path, span)) {
            Some(Ok(operand)) => return Ok(operand),
            Some(Err(mistake)) => mistake,
            None => (!self.context.lost_blocks).then(|| Box::new(self.unknown(path, span))),
        };
        let unknown = |mistake: &Diagnostic| {
            mistake.code == codes::UNKNOWN_NAME || mistake.code == codes::UNKNOWN_SIGNAL
        };
        if !mistake.as_deref().is_some_and(unknown) {
            return Err(mistake);
        }
        Err(match self.unquoted_name(span) {
            None => mistake,
            // A message about the first part of the name is sufficient.
            Some((_, false)) => None,
            Some((name, true)) => {
                let whole = Span::new(span.start, span.start + name.len() as u32);
                let message = format!("in an expression the name `{name}` is written in quotes");
                let help = format!("write `\"{name}\"`, else `-` subtracts");
                Some(Box::new(Diagnostic::new(codes::UNKNOWN_NAME, whole, message).help(help)))
            }
        })
    }

    fn path(&self, path: &str, span: Span) -> Result<Operand<'_>, Option<Box<Diagnostic>>> {
        let (reference, _) = self.context.signal(path, span)?;
        let constant = match self.scope {
            Scope::Constant => Some("this value is constant"),
            Scope::Formula => Some("make it an argument of the Formula"),
            _ => None,
        };
        if let Some(constant) = constant {
            let message = format!("the signal `{path}` cannot be used here: {constant}");
            return Err(Some(Box::new(Diagnostic::new(codes::NOT_CONSTANT, span, message))));
        }
        // A derived quantity stands for its expression.
        if self.context.blocks[reference.block as usize].schema.family == Family::Signal {
            let Some(Some(program)) = self.context.derived.get(&reference.block) else {
                return Err(None);
            };
            return Ok(Operand::Program(program));
        }
        Ok(Operand::Signal(reference))
    }
}

/// Can a network use an acceleration of this block as one of its unknowns? The angles of a Free or Spherical joint are no
/// freedoms.
pub(crate) fn can_sense(owner: &BlockSchema, signal: &SignalSchema) -> bool {
    let has_axes = !matches!(owner.keyword, "Free" | "Spherical");
    signal.can_be_sensed() && (owner.family != Family::Joint || has_axes)
}

impl Names for Scoped<'_, '_> {
    fn operand(&self, path: &str, span: Span) -> Result<Operand<'_>, Option<Box<Diagnostic>>> {
        match (path, self.scope) {
            ("pi", _) => return Ok(Operand::Constant(std::f64::consts::PI)),
            ("e", _) => return Ok(Operand::Constant(std::f64::consts::E)),
            ("t", Scope::Constant) => {
                let message = "the time `t` cannot be used here: this value is constant";
                return Err(Some(Box::new(Diagnostic::new(codes::NOT_CONSTANT, span, message))));
            }
            ("t", _) => return Ok(Operand::Time),
            ("v", Scope::Law) => return Ok(Operand::Argument),
            _ => {}
        }
        match self.context.constants.get(path) {
            Some(Some(number)) => Ok(Operand::Constant(*number)),
            // Its own mistake is already reported.
            Some(None) => Err(None),
            None => match (path, self.scope) {
                (_, Scope::Constant) => self.other(path, span),
                ("yes", _) => Ok(Operand::Constant(1.0)),
                ("no", _) => Ok(Operand::Constant(0.0)),
                _ => self.other(path, span),
            },
        }
    }

    fn text(&self, span: Span) -> &str {
        self.context.sources.text(span)
    }

    fn function(&self, name: &str) -> Called<'_> {
        match self.context.functions.get(name) {
            None => Called::Unknown,
            Some(None) => Called::Broken,
            Some(Some(function)) => Called::Known(function),
        }
    }

    fn similar_function(&self, name: &str) -> Option<&str> {
        let context = self.context;
        if context.functions.is_empty() || !context.may_suggest(codes::UNKNOWN_FUNCTION) {
            return None;
        }
        nearest(name, context.functions.keys().copied())
    }

    fn has_rates(&self) -> bool {
        self.scope == Scope::Equation
    }
}
