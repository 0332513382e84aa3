//! The values of the Parameters blocks of all files.
//!
//! Parameters of the main file that are numbers stay names in the flat model, so that they can be set; their values are
//! known here because indices, conditions and parameters of instances need them. Their mistakes are reported when the
//! flat model is read.

use equations::expression::{CustomFunction, compile};
use parser::diagnostic::{Diagnostic, Diagnostics};
use parser::syntax::{NodeKind, Parameter};

use super::definitions::first_of_path;
use super::environment::View;
use super::expressions::ConstantNames;
use super::gather::{calls_in, names_in};
use super::ordering::order_by_needs;
use super::{Expander, top_level};
use crate::codes;

impl<'s> Expander<'s> {
    /// Works out all constants; values of the command line replace those of the main file.
    pub(super) fn evaluate_constants(&mut self, overrides: &[(u32, Parameter)]) {
        for (document, parameter) in overrides {
            let name = self.sources.text(parameter.name);
            if let Some(&at) = self.names.first().and_then(|names| names.constants.get(name)) {
                let place = self.place(*document, 0);
                self.constants[at].place = place;
                self.constants[at].values = place.document.values(parameter).to_vec();
            }
        }
        let needs = |at: usize| self.needs(at);
        let (order, cycles) = order_by_needs(self.constants.len() + self.functions.len(), needs);
        for cycle in cycles {
            // Cycles through formulas are reported when the flat model is read.
            let Some(first) = self.constants.get(cycle[0]) else { continue };
            let is_constant = |at: &usize| *at < self.constants.len();
            if !cycle.iter().all(is_constant) {
                continue;
            }
            // Cycles of the main file are reported when the flat model is read.
            if first.place.scope > 0 {
                let names: Vec<&str> = cycle.iter().map(|&at| self.constants[at].name).collect();
                let message =
                    format!("parameter `{}` depends on itself: {}", names[0], names.join(" -> "));
                self.report(Diagnostic::new(codes::PARAMETER_CYCLE, first.span, message));
            }
        }
        let top = top_level();
        for at in order {
            if let Some(function) = at.checked_sub(self.constants.len()) {
                self.compile_function(function);
                continue;
            }
            let (place, values) = (self.constants[at].place, self.constants[at].values.clone());
            let view = View { environment: &top, indices: None, place, arguments: &[] };
            let stays = place.scope == 0 && !self.is_special_constant(at);
            let before = stays.then(|| std::mem::take(&mut self.diagnostics));
            let value = self.value(view, &values);
            if let Some(before) = before {
                self.diagnostics = before;
            }
            self.constants[at].value = value;
        }
    }

    /// The constants and functions that a constant or function names; functions have the numbers behind the constants.
    fn needs(&self, at: usize) -> Vec<usize> {
        let function = at.checked_sub(self.constants.len()).map(|at| &self.functions[at]);
        let (place, values) = match function {
            Some(function) => (function.place, &function.value),
            None => (self.constants[at].place, &self.constants[at].values),
        };
        let names = &self.names[place.scope];
        let mut all = Vec::new();
        names_in(place, values, &mut |span| {
            all.extend(names.constants.get(first_of_path(self.sources.text(span))));
        });
        calls_in(place, values, &mut |span| {
            let full = names.formulas.get(self.sources.text(span));
            let function = full.and_then(|full| self.function_index.get(full));
            all.extend(function.map(|function| self.constants.len() + function));
        });
        all
    }

    /// Compiles a formula of a file for constant expressions. Its mistakes are reported when the flat model is read.
    fn compile_function(&mut self, at: usize) {
        let (place, arguments) = (self.functions[at].place, self.functions[at].arguments.clone());
        let [value] = self.functions[at].value[..] else { return };
        let top = top_level();
        let view = View { environment: &top, indices: None, place, arguments: &arguments };
        let before = std::mem::take(&mut self.diagnostics);
        let mark = self.emitter.mark();
        let written = self.expression(view, value);
        let names = ConstantNames { expander: self, arguments: &arguments };
        let compiled = compile(self.emitter.document(), written, &names).ok();
        self.emitter.go_back(mark);
        self.diagnostics = before;
        let n_arguments = arguments.len();
        self.functions[at].function =
            compiled.map(|program| CustomFunction { n_arguments, program });
    }

    /// Has a constant no place in a flat model, because it is a list or a text?
    pub(super) fn is_special_constant(&self, at: usize) -> bool {
        let constant = &self.constants[at];
        match constant.values[..] {
            [single] => {
                let kind = constant.place.document.node(single).kind;
                matches!(kind, NodeKind::List(_) | NodeKind::Text)
                    || constant.value.as_ref().is_some_and(|value| {
                        !matches!(value, super::parameter_values::Value::Number(_))
                    })
            }
            [] => false,
            _ => true,
        }
    }

    /// Takes mistakes of a part that is only tried.
    pub(super) fn append(&mut self, mistakes: Diagnostics) {
        for mistake in mistakes.iter() {
            self.report_once(mistake.clone());
        }
    }
}
