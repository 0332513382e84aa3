//! Plots of characters, for a terminal without graphics.

use std::fmt::Write;

use crate::figure::{Figure, Panel};
use crate::scale::{Scale, printed_unit};

/// Lines of a panel.
const ROWS: usize = 14;
/// One character per curve.
const MARKS: [char; 8] = ['*', '+', 'o', 'x', '#', '@', '%', '='];

/// The figure in lines of up to `width` characters, all ASCII unless a name is not.
pub fn text(figure: &Figure<'_>, width: usize) -> String {
    let mut text = String::new();
    if !figure.title.is_empty() {
        text.push_str(&figure.title);
        text.push('\n');
    }
    let (low, high) = figure.x_extent().unwrap_or((0.0, 1.0));
    let columns = width.clamp(50, 400) - 15;
    let x = Scale::new(low, high, 0.0, columns / 9);
    for panel in &figure.panels {
        draw_panel(&mut text, panel, &x, columns);
    }
    let name = axis_name(&figure.x_name, &joined(&x.common, &figure.x_unit));
    let _ = writeln!(text, "{:12}{}", "", x_labels(&x, columns));
    let _ = writeln!(text, "{:12}{name:^columns$}", "");
    ascii(&text)
}

fn draw_panel(text: &mut String, panel: &Panel<'_>, x: &Scale, columns: usize) {
    let (low, high) = panel.y_extent().unwrap_or((0.0, 1.0));
    let y = Scale::new(low, high, 0.0, ROWS / 3);
    let mut cells = vec![vec![' '; columns]; ROWS];
    let place = |part: f64, count: usize| (part * (count - 1) as f64).round().max(0.0) as usize;
    for (k, curve) in panel.curves.iter().enumerate() {
        for (a, b) in curve.points().flatten() {
            let row = ROWS - 1 - place(y.part(b), ROWS).min(ROWS - 1);
            cells[row][place(x.part(a), columns).min(columns - 1)] = MARKS[k % MARKS.len()];
        }
    }
    let unit = joined(&y.common, &panel.unit);
    let names: Vec<String> = panel
        .curves
        .iter()
        .enumerate()
        .map(|(k, curve)| format!("{} {}", MARKS[k % MARKS.len()], curve.name))
        .collect();
    let _ = writeln!(text, "{:>11} {}", unit, names.join("   "));
    let mut labels = vec![String::new(); ROWS];
    for (value, label) in &y.ticks {
        labels[ROWS - 1 - place(y.part(*value), ROWS).min(ROWS - 1)] = label.clone();
    }
    for (row, label) in cells.iter().zip(&labels) {
        let line: String = row.iter().collect();
        let edge = if label.is_empty() { '|' } else { '+' };
        let _ = writeln!(text, "{label:>11} {edge}{}", line.trim_end());
    }
    let _ = writeln!(text, "{:11} +{}", "", "-".repeat(columns));
}

/// Labels under the places where they belong, as long as they do not touch.
fn x_labels(x: &Scale, columns: usize) -> String {
    let mut line = vec![' '; columns + 1];
    let mut free = 0;
    for (value, label) in &x.ticks {
        let middle = 1 + (x.part(*value) * (columns - 1) as f64) as usize;
        let count = label.chars().count();
        let start = middle.saturating_sub(count / 2);
        if start >= free && start + count <= line.len() {
            for (k, c) in label.chars().enumerate() {
                line[start + k] = c;
            }
            free = start + count + 1;
        }
    }
    line.into_iter().collect::<String>().trim_end().to_string()
}

fn axis_name(name: &str, unit: &str) -> String {
    if unit.is_empty() { name.to_string() } else { format!("{name} [{unit}]") }
}

fn joined(common: &str, unit: &str) -> String {
    let unit = printed_unit(unit);
    [common, &unit].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Replaces the few characters that are no ASCII; exponents are written `^3`.
fn ascii(text: &str) -> String {
    let raised = "⁰¹²³⁴⁵⁶⁷⁸⁹";
    let mut plain = String::new();
    let mut in_exponent = false;
    for c in text.chars() {
        let digit = raised.chars().position(|r| r == c).map(|digit| digit.to_string());
        let exponent = if c == '⁻' { Some("-".to_string()) } else { digit };
        match exponent {
            Some(part) => {
                if !in_exponent {
                    plain.push('^');
                }
                plain.push_str(&part);
                in_exponent = true;
            }
            None => {
                match c {
                    '\u{2212}' => plain.push('-'),
                    '\u{2026}' => plain.push_str("..."),
                    c => plain.push(c),
                }
                in_exponent = false;
            }
        }
    }
    plain
}
