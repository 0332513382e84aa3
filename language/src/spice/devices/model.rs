//! The parameters of a `.model` statement.

use std::collections::HashMap;

use parser::diagnostic::Diagnostic;
use parser::source::Span;

use crate::spice::lines::Token;
use crate::spice::spice_codes;
use crate::spice::translate::{Statement, Translator};

/// A model with its values; what is taken out is translated.
pub struct Card {
    name: String,
    /// The kind of model, such as `npn`.
    pub kind: String,
    values: HashMap<String, (f64, Span)>,
}

impl Card {
    /// The model that a statement names, if it is of one of the kinds.
    pub fn find(
        translator: &Translator<'_>,
        statement: &Statement<'_>,
        name: &Token,
        kinds: &[&str],
    ) -> Result<Self, Diagnostic> {
        let Some(model) = translator.netlist.model(statement.section, &name.text) else {
            let message = format!("the model `{}` does not exist", name.text);
            return Err(Diagnostic::new(spice_codes::UNKNOWN_MODEL, name.span, message)
                .help("models in other files are read with `.include` or `.lib`"));
        };
        let kind = model.kind.text.clone();
        if !kinds.contains(&kind.as_str()) {
            let message = format!("`{}` is a model of the kind `{kind}`", name.text);
            let told = Diagnostic::new(spice_codes::NOT_TRANSLATED, name.span, message);
            return Err(told.also(model.kind.span, format!("expected {}", kinds.join(" or "))));
        }
        let mut values = HashMap::new();
        for parameter in &model.parameters {
            let value = statement.value(translator, &parameter.value)?;
            values.insert(parameter.name.text.clone(), (value, parameter.name.span));
        }
        Ok(Self { name: name.text.clone(), kind, values })
    }

    /// A parameter, or the default.
    pub fn take(&mut self, name: &str, default: f64) -> f64 {
        self.optional(name).unwrap_or(default)
    }

    /// A parameter, if it is given.
    pub fn optional(&mut self, name: &str) -> Option<f64> {
        self.values.remove(name).map(|(value, _)| value)
    }

    /// A parameter under one of several names, or the default.
    pub fn either(&mut self, names: &[&str], default: f64) -> f64 {
        names.iter().filter_map(|name| self.optional(name)).last().unwrap_or(default)
    }

    /// A parameter under one of several names, if it is given.
    pub fn either_optional(&mut self, names: &[&str]) -> Option<f64> {
        names.iter().filter_map(|name| self.optional(name)).last()
    }

    /// Names the parameters that are left. Those in `harmless` say nothing about a transient
    /// analysis, and one that is zero is switched off.
    pub fn tell_unused(&self, translator: &mut Translator<'_>, harmless: &[&str]) {
        let mut left: Vec<_> = self.values.iter().filter(|(_, (value, _))| *value != 0.0).collect();
        left.sort_by_key(|(_, (_, span))| *span);
        for (name, &(_, span)) in left {
            let model = &self.name;
            if harmless.contains(&name.as_str()) {
                let message = format!("`{name}` of the model `{model}` has no effect here");
                translator.complain(spice_codes::NO_EFFECT, span, message);
            } else {
                let message = format!("`{name}` of the model `{model}` is not translated");
                translator.complain(spice_codes::NOT_TRANSLATED, span, message);
            }
        }
    }
}
