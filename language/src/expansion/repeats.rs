//! Writes the blocks of a Repeat, pass by pass.

use super::definitions::single;
use parser::diagnostic::Diagnostic;

use super::Expander;
use super::blocks::MOST_BLOCKS;
use super::definitions::Item;
use super::environment::{Change, Indices, View};
use crate::codes;

/// Writes all passes of a Repeat.
pub(super) fn write_repeat<'s>(
    expander: &mut Expander<'s>,
    view: View<'_, 's>,
    item: &Item<'s>,
    changes: &[Change<'_, 's>],
) {
    let from = limit(expander, view, item, "From", Some(1.0));
    let to = limit(expander, view, item, "To", None);
    check_names(expander, item);
    let (Some(from), Some(to)) = (from, to) else { return };
    if to - from > MOST_BLOCKS as f64 {
        expander.is_full = true;
        let message = format!("Repeat `{}` has {} passes", item.name, to - from + 1.0);
        let span = item.first().block.name;
        let help = format!("at most {MOST_BLOCKS} blocks make a model");
        expander.report(Diagnostic::new(codes::TOO_MANY_BLOCKS, span, message).help(help));
        return;
    }
    let mut value = from;
    while value <= to && !expander.is_full {
        expander.count += 1;
        let indices = Indices { name: item.name, value, outer: view.indices };
        for inner in &item.inner {
            expander.write_item(View { indices: Some(&indices), ..view }, inner, changes);
        }
        value += 1.0;
    }
}

/// A limit of a Repeat, a whole number.
fn limit<'s>(
    expander: &mut Expander<'s>,
    view: View<'_, 's>,
    item: &Item<'s>,
    name: &str,
    default: Option<f64>,
) -> Option<f64> {
    let Some((place, parameter)) = item.parameter(expander.sources, name) else {
        if default.is_none() && !item.first().block.damaged {
            let message = format!("Repeat `{}` needs the parameter `{name}`", item.name);
            let span = item.first().block.name;
            let help = "add `To = ...;`, the last value of the index";
            expander.report_once(Diagnostic::new(codes::REQUIRED, span, message).help(help));
        }
        return default;
    };
    let id = single(place.document, parameter)?;
    let number = expander.number(view.at(place), id)?;
    if number.fract() != 0.0 || number.abs() > 1e15 {
        let message = format!("`{name}` of a Repeat is a whole number, not {number}");
        let span = place.document.node(id).span;
        expander.report_once(Diagnostic::new(codes::WRONG_INDEX, span, message));
        return None;
    }
    Some(number)
}

/// Unknown parameters of a Repeat are reported.
fn check_names<'s>(expander: &mut Expander<'s>, item: &Item<'s>) {
    for layer in &item.layers {
        for parameter in layer.place.document.parameters(layer.block) {
            let name = expander.sources.text(parameter.name);
            if !matches!(name, "From" | "To" | "If" | "About") {
                let message = format!("Repeat has no parameter `{name}`");
                let help = "its parameters are From, To and If";
                let mistake = Diagnostic::new(codes::WRONG_DECLARATION, parameter.name, message);
                expander.report_once(mistake.help(help));
            }
        }
    }
}
