//! The statements of a netlist sorted by what they are: elements, models, subcircuits, parameters, analysis.

use std::collections::HashMap;

use parser::diagnostic::{Diagnostic, Diagnostics};
use parser::source::Span;

use super::lines::{Kind, Line, Token};
use super::spice_codes;

/// `name = value`
#[derive(Clone, Debug)]
pub struct Assignment {
    /// The name, with its place.
    pub name: Token,
    /// The value, not yet evaluated.
    pub value: Token,
}

/// `.model name kind (parameters)`
#[derive(Debug)]
pub struct ModelCard {
    /// `d`, `npn`, `nmos` and so on.
    pub kind: Token,
    /// The parameters that are given.
    pub parameters: Vec<Assignment>,
}

/// The top level, or what stands between `.subckt` and `.ends`.
#[derive(Debug, Default)]
pub struct Section {
    /// The section in which this one is defined.
    pub parent: Option<usize>,
    /// Nodes of the subcircuit that its user connects.
    pub ports: Vec<String>,
    /// Parameters that its user may set, with their defaults.
    pub defaults: Vec<Assignment>,
    /// Parameters.
    pub parameters: Vec<Assignment>,
    /// Statements of elements.
    pub elements: Vec<Line>,
    /// Models by name.
    pub models: HashMap<String, ModelCard>,
    /// Subcircuits defined here, by name.
    pub subcircuits: HashMap<String, usize>,
}

/// A netlist in order.
#[derive(Debug, Default)]
pub struct Netlist {
    /// All sections; the first is the top level.
    pub sections: Vec<Section>,
    /// `.tran`
    pub transient: Option<Line>,
    /// `.options`, the last one of each name.
    pub options: HashMap<String, Assignment>,
    /// `.ic`
    pub initial: Vec<Line>,
    /// `.print tran`, `.plot tran`, `.save`
    pub shown: Vec<Line>,
}

impl Netlist {
    /// The model of a name, as seen from a section.
    pub fn model(&self, mut section: usize, name: &str) -> Option<&ModelCard> {
        loop {
            let here = self.sections.get(section)?;
            if let Some(model) = here.models.get(name) {
                return Some(model);
            }
            section = here.parent?;
        }
    }

    /// The subcircuit of a name, as seen from a section.
    pub fn subcircuit(&self, mut section: usize, name: &str) -> Option<usize> {
        loop {
            let here = self.sections.get(section)?;
            if let Some(&found) = here.subcircuits.get(name) {
                return Some(found);
            }
            section = here.parent?;
        }
    }
}

/// Sorts all statements.
pub fn sort(lines: Vec<Line>, diagnostics: &mut Diagnostics) -> Netlist {
    let netlist = Netlist { sections: vec![Section::default()], ..Netlist::default() };
    let mut sorter =
        Sorter { netlist, current: 0, skipping: false, opened: Vec::new(), diagnostics };
    for line in lines {
        let Some(first) = line.tokens.first() else { continue };
        if first.text == ".end" {
            break;
        }
        sorter.statement(line);
    }
    if let Some(&span) = sorter.opened.last() {
        let message = "the subcircuit has no `.ends`";
        sorter.diagnostics.push(Diagnostic::new(spice_codes::WRONG_STATEMENT, span, message));
    }
    sorter.netlist
}

struct Sorter<'a> {
    netlist: Netlist,
    /// The section being read.
    current: usize,
    /// Inside `.control`.
    skipping: bool,
    /// The `.subckt` statements that are open.
    opened: Vec<Span>,
    diagnostics: &'a mut Diagnostics,
}

impl Sorter<'_> {
    fn here(&mut self) -> Option<&mut Section> {
        self.netlist.sections.get_mut(self.current)
    }

    fn wrong(&mut self, span: Span, message: &str, help: &str) {
        self.diagnostics
            .push(Diagnostic::new(spice_codes::WRONG_STATEMENT, span, message).help(help));
    }

    fn statement(&mut self, line: Line) {
        let word = line.tokens[0].text.clone();
        if self.skipping {
            self.skipping = word != ".endc";
            return;
        }
        match word.as_str() {
            ".model" => self.model(&line),
            ".subckt" => self.subcircuit(&line),
            ".ends" => self.end_of_subcircuit(&line),
            ".param" | ".params" => {
                let (_, assignments) = arguments(&line.tokens[1..]);
                if let Some(section) = self.here() {
                    section.parameters.extend(assignments);
                }
            }
            ".tran" => self.netlist.transient = Some(line),
            ".options" | ".option" | ".opt" => self.options(&line),
            ".ic" => self.netlist.initial.push(line),
            ".print" | ".plot" | ".save" | ".probe" => self.shown(line),
            ".title" => {}
            ".control" => {
                self.skipping = true;
                self.not_translated(line.span, "the commands between `.control` and `.endc` are");
            }
            _ if word.starts_with('.') => {
                self.not_translated(line.span, &format!("`{word}` is"));
            }
            _ => {
                if let Some(section) = self.here() {
                    section.elements.push(line);
                }
            }
        }
    }

    fn not_translated(&mut self, span: Span, what: &str) {
        let message = format!("{what} not translated");
        self.diagnostics.push(Diagnostic::new(spice_codes::NOT_TRANSLATED, span, message));
    }

    fn shown(&mut self, line: Line) {
        let analysis = line.tokens.get(1).map_or("", |token| token.text.as_str());
        if matches!(analysis, "ac" | "dc" | "noise" | "op") {
            return self
                .not_translated(line.span, &format!("output of the `{analysis}` analysis is"));
        }
        self.netlist.shown.push(line);
    }

    fn options(&mut self, line: &Line) {
        let (_, assignments) = arguments(&line.tokens[1..]);
        for assignment in assignments {
            self.netlist.options.insert(assignment.name.text.clone(), assignment);
        }
    }

    fn model(&mut self, line: &Line) {
        let (words, parameters) = arguments(&line.tokens[1..]);
        let [name, kind, ..] = words.as_slice() else {
            return self.wrong(
                line.span,
                "the model has no name or kind",
                "write `.model name kind (...)`",
            );
        };
        let (name, kind) = ((*name).clone(), (*kind).clone());
        let Some(section) = self.here() else { return };
        let card = ModelCard { kind, parameters };
        if section.models.insert(name.text.clone(), card).is_some() {
            let message = format!("the model `{}` is defined twice", name.text);
            self.diagnostics.push(Diagnostic::new(spice_codes::DUPLICATE, name.span, message));
        }
    }

    fn subcircuit(&mut self, line: &Line) {
        let (words, defaults) = arguments(&line.tokens[1..]);
        let Some((name, ports)) = words.split_first() else {
            return self.wrong(
                line.span,
                "the subcircuit has no name",
                "write `.subckt name nodes`",
            );
        };
        let name = (*name).clone();
        let ports = ports.iter().map(|p| p.text.clone()).filter(|p| p != "params:").collect();
        let index = self.netlist.sections.len();
        let parent = Some(self.current);
        let Some(section) = self.here() else { return };
        let duplicate = section.subcircuits.insert(name.text.clone(), index).is_some();
        self.netlist.sections.push(Section { parent, ports, defaults, ..Section::default() });
        self.current = index;
        self.opened.push(line.span);
        if duplicate {
            let message = format!("the subcircuit `{}` is defined twice", name.text);
            self.diagnostics.push(Diagnostic::new(spice_codes::DUPLICATE, name.span, message));
        }
    }

    fn end_of_subcircuit(&mut self, line: &Line) {
        let parent = self.here().and_then(|section| section.parent);
        match parent {
            Some(parent) => {
                self.current = parent;
                self.opened.pop();
            }
            None => self.wrong(line.span, "`.ends` without `.subckt`", "remove it"),
        }
    }
}

/// Separates `name = value` from the other words; parentheses mean nothing here.
pub fn arguments(tokens: &[Token]) -> (Vec<&Token>, Vec<Assignment>) {
    let plain: Vec<&Token> =
        tokens.iter().filter(|t| !matches!(t.kind, Kind::Open | Kind::Close)).collect();
    let mut words = Vec::new();
    let mut assignments = Vec::new();
    let mut at = 0;
    while let Some(&token) = plain.get(at) {
        let equals = plain.get(at + 1).is_some_and(|next| next.kind == Kind::Equals);
        match plain.get(at + 2) {
            Some(&value) if equals => {
                assignments.push(Assignment { name: token.clone(), value: value.clone() });
                at += 3;
            }
            _ => {
                words.push(token);
                at += 1;
            }
        }
    }
    (words, assignments)
}
