//! The statements of a netlist sorted by what they are: elements, models, subcircuits, parameters, analysis.

use std::collections::{HashMap, HashSet};

use parser::diagnostic::{Diagnostic, Diagnostics};
use parser::source::Span;

pub use super::assignments::{Assignment, arguments};
use super::assignments::{inside, written_assignments};
use super::expression::Tree;
use super::expression_text::Function;
use super::lines::{Kind, Line, Token};
use super::parameter_scopes::Scopes;
use super::spice_codes;

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
    /// `.dc`, `.op` or the like, where there is no transient analysis.
    pub sweep: Option<Line>,
    /// `.ac`
    pub ac: Option<Line>,
    /// Is an operating point asked for?
    pub point: bool,
    /// `.func`
    pub functions: HashMap<String, Function>,
    /// Nodes that are the same everywhere.
    pub global: HashSet<String>,
    /// `.temp`, in degrees Celsius.
    pub temperature: Option<Token>,
    /// The title, where a statement gives one.
    pub title: Option<String>,
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
    let mut sorter = Sorter {
        netlist,
        current: 0,
        in_commands: false,
        opened: Vec::new(),
        choices: Vec::new(),
        diagnostics,
    };
    for line in lines {
        let Some(first) = line.tokens.first() else { continue };
        if first.text == ".end" {
            break;
        }
        sorter.statement(line);
    }
    if let Some(&span) = sorter.opened.last() {
        sorter.wrong(span, "the subcircuit has no `.ends`", "add it behind the last element");
    }
    if let Some(choice) = sorter.choices.last() {
        let span = choice.span;
        sorter.wrong(span, "the `.if` has no `.endif`", "add it behind the last statement");
    }
    sorter.netlist
}

/// An `.if` that is open.
struct Choice {
    span: Span,
    /// Was a branch taken?
    was_taken: bool,
    /// Is the present branch taken?
    is_taken: bool,
}

struct Sorter<'a> {
    netlist: Netlist,
    /// The section being read.
    current: usize,
    /// Inside `.control`.
    in_commands: bool,
    /// The `.subckt` statements that are open.
    opened: Vec<Span>,
    choices: Vec<Choice>,
    diagnostics: &'a mut Diagnostics,
}

/// Statements that say nothing about what is computed here.
const WITHOUT_EFFECT: [&str; 26] = [
    ".four",
    ".noise",
    ".tf",
    ".sens",
    ".pz",
    ".disto",
    ".sp",
    ".width",
    ".nodeset",
    ".csparam",
    ".measure",
    ".meas",
    ".hb",
    ".pss",
    ".protect",
    ".unprotect",
    ".prot",
    ".unprot",
    ".tnoise",
    ".optran",
    ".net",
    ".endl",
    ".del",
    ".data",
    ".enddata",
    ".backanno",
];

impl Sorter<'_> {
    fn here(&mut self) -> Option<&mut Section> {
        self.netlist.sections.get_mut(self.current)
    }

    fn wrong(&mut self, span: Span, message: &str, help: &str) {
        self.diagnostics
            .push(Diagnostic::new(spice_codes::WRONG_STATEMENT, span, message).help(help));
    }

    fn no_effect(&mut self, span: Span, message: String) {
        self.diagnostics.push(Diagnostic::new(spice_codes::NO_EFFECT, span, message));
    }

    fn statement(&mut self, line: Line) {
        let word = line.tokens[0].text.clone();
        if self.in_commands {
            return self.command(line, &word);
        }
        if self.choose(&line, &word) {
            return;
        }
        match word.as_str() {
            ".model" => self.model(&line),
            ".subckt" | ".macro" => self.subcircuit(&line),
            ".ends" | ".eom" => self.end_of_subcircuit(&line),
            ".param" | ".params" => self.parameters(&line),
            ".func" => self.function(&line),
            ".global" => {
                let names = line.tokens[1..].iter().map(|token| token.text.clone());
                self.netlist.global.extend(names);
            }
            ".tran" => self.netlist.transient = Some(line),
            ".dc" | ".op" | ".ac" => self.analysis(line, &word),
            ".temp" => self.netlist.temperature = line.tokens.get(1).cloned(),
            ".options" | ".option" | ".opt" => self.options(&line),
            ".ic" => self.netlist.initial.push(line),
            ".print" | ".plot" | ".save" | ".probe" => self.shown(line),
            ".title" => {
                let text = line.raw.trim().split_once(char::is_whitespace);
                self.netlist.title = text.map(|(_, title)| title.trim().to_string());
            }
            ".control" => {
                self.in_commands = true;
                let message = "of the commands up to `.endc` only analyses count";
                self.no_effect(line.span, message.into());
            }
            _ if WITHOUT_EFFECT.contains(&word.as_str()) => {
                self.no_effect(line.span, format!("`{word}` has no effect here"));
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

    /// A line between `.control` and `.endc`: analyses count if no statement gives one.
    fn command(&mut self, line: Line, word: &str) {
        match word {
            ".endc" => self.in_commands = false,
            "tran" if self.netlist.transient.is_none() => self.netlist.transient = Some(line),
            "dc" | "op" | "ac" => self.analysis(line, word),
            _ => {}
        }
    }

    fn analysis(&mut self, line: Line, word: &str) {
        if word.ends_with("op") {
            self.netlist.point = true;
        } else if word.ends_with("ac") {
            self.netlist.ac.get_or_insert(line);
        } else if self.netlist.sweep.is_none() {
            self.netlist.sweep = Some(line);
        }
    }

    /// `.if`, `.elseif`, `.else`, `.endif`, and what stands in branches that are not taken: true if there is nothing more to do.
    fn choose(&mut self, line: &Line, word: &str) -> bool {
        let is_outside = self.choices.iter().rev().skip(1).all(|choice| choice.is_taken);
        match word {
            ".if" => {
                let is_open = self.choices.iter().all(|choice| choice.is_taken);
                let holds = is_open && self.holds(line);
                let was_taken = !is_open || holds;
                self.choices.push(Choice { span: line.span, was_taken, is_taken: holds });
            }
            ".elseif" | ".else" => {
                let holds = is_outside && (word == ".else" || self.holds(line));
                match self.choices.last_mut() {
                    Some(choice) => {
                        choice.is_taken = holds && !choice.was_taken;
                        choice.was_taken |= holds;
                    }
                    None => self.wrong(line.span, "there is no `.if`", "remove it"),
                }
            }
            ".endif" => {
                if self.choices.pop().is_none() {
                    self.wrong(line.span, "there is no `.if`", "remove it");
                }
            }
            _ => return self.choices.iter().any(|choice| !choice.is_taken),
        }
        true
    }

    /// The condition of an `.if`, with the parameters so far.
    fn holds(&mut self, line: &Line) -> bool {
        let text = line.raw.trim().split_once(|c: char| c.is_whitespace() || c == '(');
        let start = text.map_or(line.raw.len(), |(word, _)| word.len());
        let condition = line.raw.trim()[start..].to_lowercase();
        let mut scopes = Scopes::new(&self.netlist.functions);
        let parameters: Vec<&Assignment> =
            self.netlist.sections.first().map_or(Vec::new(), |top| top.parameters.iter().collect());
        let mut ignored = Diagnostics::default();
        let top = scopes.open(None, HashMap::new(), &parameters, &mut ignored);
        let token = Token { kind: Kind::Expression, text: condition, span: line.span };
        match scopes.value(top, &token) {
            Ok(value) => value != 0.0,
            Err(diagnostic) => {
                self.diagnostics.push(diagnostic);
                false
            }
        }
    }

    /// `.param name = expression ...`
    fn parameters(&mut self, line: &Line) {
        for (name, arguments, text) in written_assignments(&line.raw) {
            match arguments {
                Some(arguments) => self.define(line, &name, &arguments, &text),
                None => {
                    let token = |kind, text| Token { kind, text, span: line.span };
                    let value = token(Kind::Expression, text);
                    let assignment = Assignment { name: token(Kind::Word, name), value };
                    if let Some(section) = self.here() {
                        section.parameters.push(assignment);
                    }
                }
            }
        }
    }

    /// `.func name(arguments) = expression`
    fn function(&mut self, line: &Line) {
        let text = line.raw.trim().split_once(char::is_whitespace).map_or("", |(_, rest)| rest);
        let text = text.to_lowercase();
        let parts = text.split_once('(').and_then(|(name, rest)| {
            let (arguments, body) = rest.split_once(')')?;
            Some((name.trim().to_string(), arguments.to_string(), body.trim().to_string()))
        });
        let Some((name, arguments, body)) = parts else {
            let help = "write `.func name(x) {expression}`";
            return self.wrong(line.span, "the function cannot be understood", help);
        };
        let body = inside(body.trim_start_matches('=').trim());
        self.define(line, &name, &arguments, body);
    }

    fn define(&mut self, line: &Line, name: &str, arguments: &str, body: &str) {
        match Tree::parse(body) {
            Ok(body) => {
                let arguments = arguments.split(',').map(|name| name.trim().to_string());
                let arguments = arguments.filter(|name| !name.is_empty()).collect();
                self.netlist.functions.insert(name.to_string(), Function { arguments, body });
            }
            Err(reason) => {
                let message = format!("the function `{name}` cannot be understood: {reason}");
                let told = Diagnostic::new(spice_codes::WRONG_EXPRESSION, line.span, message);
                self.diagnostics.push(told);
            }
        }
    }

    fn not_translated(&mut self, span: Span, what: &str) {
        let message = format!("{what} not translated");
        self.diagnostics.push(Diagnostic::new(spice_codes::NOT_TRANSLATED, span, message));
    }

    fn shown(&mut self, line: Line) {
        let analysis = line.tokens.get(1).map_or("", |token| token.text.as_str());
        if matches!(analysis, "noise" | "disto" | "sens") {
            return self.no_effect(line.span, format!("there is no `{analysis}` analysis here"));
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
        // Behind `optional:` stand nodes that the user may leave out, behind `params:` parameters.
        let ends = |text: &str| matches!(text, "params:" | "optional:" | "text:");
        let ports = ports.iter().map(|p| p.text.clone());
        let ports = ports.take_while(|text| !ends(text)).collect();
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
