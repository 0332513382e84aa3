//! Writes the blocks of a Repeat, pass by pass.

use parser::diagnostic::Diagnostic;

use super::Expander;
use super::blocks::MOST_BLOCKS;
use super::definitions::{Item, single};
use super::environment::{Change, Indices, View};
use crate::codes;

impl<'s> Expander<'s> {
    /// Writes all passes of a Repeat.
    pub(super) fn write_repeat(
        &mut self,
        view: View<'_, 's>,
        item: &Item<'s>,
        changes: &[Change<'_, 's>],
    ) {
        let from = self.limit(view, item, "From", Some(1.0));
        let to = self.limit(view, item, "To", None);
        self.check_names(item);
        let (Some(from), Some(to)) = (from, to) else { return };
        if to - from > MOST_BLOCKS as f64 {
            self.is_full = true;
            let message = format!("Repeat `{}` has {} passes", item.name, to - from + 1.0);
            let span = item.first().block.name;
            let help = format!("at most {MOST_BLOCKS} blocks make a model");
            self.report(Diagnostic::new(codes::TOO_MANY_BLOCKS, span, message).help(help));
            return;
        }
        let mut value = from;
        while value <= to && !self.is_full {
            self.count += 1;
            let indices = Indices { name: item.name, value, outer: view.indices };
            for inner in &item.inner {
                self.write_item(View { indices: Some(&indices), ..view }, inner, changes);
            }
            value += 1.0;
        }
    }

    /// A limit of a Repeat, a whole number.
    fn limit(
        &mut self,
        view: View<'_, 's>,
        item: &Item<'s>,
        name: &str,
        default: Option<f64>,
    ) -> Option<f64> {
        let Some((place, parameter)) = item.parameter(self.sources, name) else {
            if default.is_none() && !item.first().block.damaged {
                let message = format!("Repeat `{}` needs the parameter `{name}`", item.name);
                let span = item.first().block.name;
                let help = "add `To = ...;`, the last value of the index";
                self.report_once(Diagnostic::new(codes::REQUIRED, span, message).help(help));
            }
            return default;
        };
        let id = single(place.document, parameter)?;
        let number = self.number(view.at(place), id)?;
        if number.fract() != 0.0 || number.abs() > 1e15 {
            let message = format!("`{name}` of a Repeat is a whole number, not {number}");
            let span = place.document.node(id).span;
            self.report_once(Diagnostic::new(codes::WRONG_INDEX, span, message));
            return None;
        }
        Some(number)
    }

    /// Unknown parameters of a Repeat are reported.
    fn check_names(&mut self, item: &Item<'s>) {
        for layer in &item.layers {
            for parameter in layer.place.document.parameters(layer.block) {
                let name = self.sources.text(parameter.name);
                if !matches!(name, "From" | "To" | "If" | "About") {
                    let message = format!("Repeat has no parameter `{name}`");
                    let help = "its parameters are From, To and If";
                    let mistake =
                        Diagnostic::new(codes::WRONG_DECLARATION, parameter.name, message);
                    self.report_once(mistake.help(help));
                }
            }
        }
    }
}
