//! Walks through the netlist and its subcircuits and writes a block for every element.

use std::collections::{HashMap, HashSet};

use parser::diagnostic::{Code, Diagnostic, Diagnostics};
use parser::source::Span;

use super::ac_sweep::{AcInput, AcSweep};
use super::block::{Block, quoted};
use super::lines::Line;
use super::netlist::{Assignment, Netlist, arguments};
use super::parameter_scopes::Scopes;
pub use super::statement::{Outcome, Statement};
use super::transient::Transient;
use super::{devices, spice_codes};

/// Subcircuits may be nested this deep.
const MAX_DEPTH: usize = 100;

/// A netlist may have this many elements; subcircuits in subcircuits multiply fast.
const MAX_ELEMENTS: usize = 1_000_000;

/// The conductance that SPICE puts across every junction if no option says otherwise, S.
const GMIN: f64 = 1e-12;

/// The usual temperature, in degrees Celsius, and their zero in K.
const ROOM: f64 = 27.0;
const ICE: f64 = 273.15;

/// Names of nodes with a meaning of their own in a `.dys` file.
const RESERVED: [&str; 4] = ["gnd", "base", "tank", "ambient"];

/// One use of a section of the netlist.
struct Place {
    section: usize,
    scope: usize,
    /// Put before the names inside; empty or ends with a dot.
    prefix: String,
    /// The nodes outside that the ports stand for.
    ports: HashMap<String, String>,
    /// The sections around it.
    inside: Vec<usize>,
}

/// Data of the whole netlist while its elements are written.
pub struct Translator<'a> {
    pub(super) netlist: &'a Netlist,
    pub(super) transient: Transient,
    /// The frequencies of `.ac`.
    pub(super) sweep: Option<AcSweep>,
    /// Sources with an amplitude.
    pub(super) inputs: Vec<AcInput>,
    pub(super) scopes: Scopes,
    pub(super) diagnostics: &'a mut Diagnostics,
    /// The conductance across every junction, S.
    pub(super) gmin: f64,
    /// The temperature, and that for which models hold if they do not say so, K.
    pub(super) temperature: f64,
    pub(super) nominal: f64,
    /// The blocks.
    pub(super) text: String,
    /// Voltages that `.ic` gives, by node; true once a capacitor has taken it.
    pub(super) initial: HashMap<String, (f64, Span, bool)>,
    /// Nodes in the order in which they appear.
    pub(super) nodes: Vec<String>,
    known_nodes: HashSet<String>,
    /// Number of terminals that each node joins, without terminals that only measure the node's voltage.
    pub(super) terminals: HashMap<String, usize>,
    /// Nodes that a current may leave at rest, by way of an element, to another node.
    pub(super) links: Vec<(String, String)>,
    /// Where the blocks of each statement begin in the text.
    pub(super) pieces: Vec<(usize, Span)>,
    /// The first statement of an element that could not be translated.
    pub(super) missing: Option<Span>,
    /// The statement that is being written.
    current: Span,
    /// The names of all elements without those of the subcircuits around them.
    own_names: HashSet<&'a str>,
    /// Nodes with another name than in the netlist.
    renamed: HashMap<String, String>,
    /// Names of elements, with their statement.
    pub(super) elements: HashMap<String, Span>,
    /// Elements whose current SPICE reports: sources of voltage and inductors.
    pub(super) currents: Vec<String>,
}

/// The names of elements as the netlist has them.
fn own_names(netlist: &Netlist) -> HashSet<&str> {
    let lines = netlist.sections.iter().flat_map(|section| &section.elements);
    lines.filter_map(|line| line.tokens.first()).map(|token| token.text.as_str()).collect()
}

impl<'a> Translator<'a> {
    /// Before the first element.
    pub fn new(netlist: &'a Netlist, diagnostics: &'a mut Diagnostics) -> Self {
        let mut scopes = Scopes::new(&netlist.functions);
        let assignments: Vec<&Assignment> =
            netlist.sections.first().map_or(Vec::new(), |top| top.parameters.iter().collect());
        let top = scopes.open(None, HashMap::new(), &assignments, diagnostics);
        let transient = Transient::read(netlist, &scopes, top, diagnostics);
        let sweep = netlist.ac.as_ref();
        let sweep = sweep.and_then(|line| AcSweep::read(line, &scopes, top, diagnostics));
        let mut translator = Self {
            netlist,
            transient,
            sweep,
            inputs: Vec::new(),
            scopes,
            diagnostics,
            gmin: GMIN,
            temperature: ROOM + ICE,
            nominal: ROOM + ICE,
            text: String::new(),
            initial: HashMap::new(),
            nodes: Vec::new(),
            known_nodes: HashSet::new(),
            terminals: HashMap::new(),
            links: Vec::new(),
            pieces: Vec::new(),
            missing: None,
            current: Span::default(),
            own_names: own_names(netlist),
            renamed: HashMap::new(),
            elements: HashMap::new(),
            currents: Vec::new(),
        };
        translator.gmin = translator.option(top, "gmin").unwrap_or(GMIN);
        let stated = netlist.temperature.as_ref().and_then(|token| {
            let value = translator.scopes.value(top, token);
            value.map_err(|diagnostic| translator.diagnostics.push(diagnostic)).ok()
        });
        let stated = stated.or_else(|| translator.option(top, "temp"));
        translator.temperature = stated.unwrap_or(ROOM) + ICE;
        translator.scopes.set(top, "temper", translator.temperature - ICE);
        translator.nominal = translator.option(top, "tnom").unwrap_or(ROOM) + ICE;
        translator.read_initial(top);
        translator
    }

    /// The value of an option, if it is given.
    fn option(&mut self, scope: usize, name: &str) -> Option<f64> {
        let value = self.scopes.value(scope, &self.netlist.options.get(name)?.value);
        value.map_err(|diagnostic| self.diagnostics.push(diagnostic)).ok()
    }

    /// The Solver block. A sweep needs a source with an amplitude.
    pub(super) fn solver(&mut self) -> Block {
        let Some(sweep) = self.sweep else { return self.transient.block() };
        let is_simulated = self.netlist.transient.is_some();
        if let Some(line) = self.netlist.ac.as_ref().filter(|_| self.inputs.is_empty()) {
            let code = match is_simulated {
                true => spice_codes::NO_EFFECT,
                false => spice_codes::WRONG_STATEMENT,
            };
            let message = "the netlist has `.ac`, but no source with `ac` and an amplitude";
            let told = Diagnostic::new(code, line.span, message);
            self.diagnostics.push(told.help("write `v1 in 0 dc 0 ac 1`"));
        }
        match is_simulated {
            false => sweep.block(&self.inputs),
            true if self.inputs.is_empty() => self.transient.block(),
            // `dysim --analysis frequency` makes the sweep of a model that is simulated.
            true => sweep.parameters(self.transient.block(), &self.inputs),
        }
    }

    /// `.ic v(node) = value ...`
    fn read_initial(&mut self, scope: usize) {
        for line in &self.netlist.initial {
            let (words, assignments) = arguments(&line.tokens[1..]);
            // Without the parentheses `v(a) = 1` is the word `v` and the assignment `a = 1`.
            let only_voltages = words.iter().all(|word| word.text == "v");
            if !only_voltages || words.len() != assignments.len() {
                let message = "initial conditions are written `.ic v(node) = value`";
                self.diagnostics.push(Diagnostic::new(
                    spice_codes::WRONG_STATEMENT,
                    line.span,
                    message,
                ));
                continue;
            }
            for Assignment { name, value } in assignments {
                match self.scopes.value(scope, &value) {
                    Ok(voltage) => {
                        let node = self.global_node(&name.text, name.span);
                        self.initial.insert(node, (voltage, name.span, false));
                    }
                    Err(diagnostic) => self.diagnostics.push(diagnostic),
                }
            }
        }
    }

    /// Writes the blocks of all elements.
    pub fn elements(&mut self) {
        let top = Place {
            section: 0,
            scope: 0,
            prefix: String::new(),
            ports: HashMap::new(),
            inside: Vec::new(),
        };
        let mut waiting = vec![top];
        let netlist = self.netlist;
        while let Some(place) = waiting.pop() {
            let Some(section) = netlist.sections.get(place.section) else { continue };
            let mut inside = Vec::new();
            for line in &section.elements {
                if self.elements.len() >= MAX_ELEMENTS {
                    let message = format!("the netlist has more than {MAX_ELEMENTS} elements");
                    self.complain(spice_codes::TOO_LARGE, line.span, message);
                    return;
                }
                inside.extend(self.element(line, &place));
            }
            // The last one is taken first: in the order of the netlist.
            waiting.extend(inside.into_iter().rev());
        }
    }

    /// A current may flow between nodes at rest.
    pub fn link(&mut self, a: &str, b: &str) {
        self.links.push((a.to_string(), b.to_string()));
    }

    /// A number that an option gives, or another.
    pub fn usual(&self, option: &str, otherwise: f64) -> f64 {
        let value = self.netlist.options.get(option).map(|own| self.scopes.value(0, &own.value));
        value.and_then(Result::ok).unwrap_or(otherwise)
    }

    /// Says something about a place.
    pub fn complain(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::new(code, span, message));
    }

    /// Writes one element, or gives the subcircuit to be entered.
    fn element(&mut self, line: &'a Line, place: &Place) -> Option<Place> {
        let (words, assignments) = arguments(&line.tokens);
        let first = words.first()?;
        self.current = line.span;
        let name = self.element_name(&format!("{}{}", place.prefix, first.text), first.span);
        if let Some(&other) = self.elements.get(&name) {
            let message = format!("the element `{name}` exists already");
            let told = Diagnostic::new(spice_codes::DUPLICATE, first.span, message);
            self.diagnostics.push(told.also(other, "the first one"));
            return None;
        }
        self.elements.insert(name.clone(), line.span);
        let mut statement = Statement {
            line,
            words,
            assignments,
            name,
            section: place.section,
            scope: place.scope,
            prefix: &place.prefix,
            ports: &place.ports,
        };
        let outcome = if line.tokens[0].text.starts_with('x') {
            self.enter(&mut statement, place)
        } else {
            devices::write(self, &mut statement).map(|()| None)
        };
        outcome.unwrap_or_else(|diagnostic| {
            self.missing.get_or_insert(line.span);
            self.diagnostics.push(diagnostic);
            None
        })
    }

    /// `Xname nodes subcircuit [name = value ...]`
    fn enter(
        &mut self,
        statement: &mut Statement<'_>,
        place: &Place,
    ) -> Result<Option<Place>, Diagnostic> {
        statement.words.retain(|word| word.text != "params:");
        let span = statement.line.span;
        let [_, nodes @ .., kind] = statement.words.as_slice() else {
            return Err(statement.wrong("write `Xname nodes subcircuit`"));
        };
        let Some(section) = self.netlist.subcircuit(statement.section, &kind.text) else {
            let message = format!("the subcircuit `{}` does not exist", kind.text);
            return Err(Diagnostic::new(spice_codes::UNKNOWN_MODEL, kind.span, message));
        };
        let inside = &self.netlist.sections[section];
        if inside.ports.len() != nodes.len() {
            let (expected, found) = (inside.ports.len(), nodes.len());
            let message = format!("`{}` has {expected} nodes, not {found}", kind.text);
            return Err(Diagnostic::new(spice_codes::WRONG_STATEMENT, span, message));
        }
        if place.inside.contains(&section) || place.section == section {
            let message = format!("the subcircuit `{}` contains itself", kind.text);
            let help = "perhaps by way of others: subcircuits cannot contain each other";
            return Err(Diagnostic::new(spice_codes::TOO_LARGE, span, message).help(help));
        }
        if place.inside.len() >= MAX_DEPTH {
            let message = format!("subcircuits are nested deeper than {MAX_DEPTH} levels");
            return Err(Diagnostic::new(spice_codes::TOO_LARGE, span, message));
        }
        let outer: Vec<String> = nodes.iter().map(|node| statement.node(self, node)).collect();
        let ports = inside.ports.iter().cloned().zip(outer).collect();
        let mut given = HashMap::new();
        for Assignment { name, value } in &statement.assignments {
            given.insert(name.text.clone(), self.scopes.value(statement.scope, value)?);
        }
        let assignments: Vec<&Assignment> =
            inside.defaults.iter().chain(&inside.parameters).collect();
        // What a subcircuit's text names is looked for where it is used, as other programs do.
        let scope = self.scopes.open(Some(statement.scope), given, &assignments, self.diagnostics);
        let prefix = format!("{}.", statement.name);
        let mut around = place.inside.clone();
        around.push(place.section);
        Ok(Some(Place { section, scope, prefix, ports, inside: around }))
    }

    /// A name with only the characters that a `.dys` file allows in names.
    fn element_name(&mut self, name: &str, span: Span) -> String {
        let allowed = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        if name.chars().all(allowed) {
            return name.to_string();
        }
        let changed: String = name.chars().map(|c| if allowed(c) { c } else { '_' }).collect();
        self.complain(spice_codes::RENAMED, span, format!("`{name}` is called `{changed}`"));
        changed
    }

    /// The node of a name that counts for the whole netlist.
    pub(super) fn global_node(&mut self, name: &str, span: Span) -> String {
        if name == "0" || name == "gnd" {
            return "gnd".into();
        }
        if let Some(known) = self.renamed.get(name) {
            return known.clone();
        }
        if self.known_nodes.contains(name) {
            return name.to_string();
        }
        let mut node = self.element_name(name, span);
        if RESERVED.contains(&node.as_str()) {
            node.push('_');
            let message = format!("the node `{name}` is called `{node}`");
            let help = format!("`{name}` has a meaning of its own in a .dys file");
            self.diagnostics.push(Diagnostic::new(spice_codes::RENAMED, span, message).help(help));
        }
        while self.known_nodes.contains(&node) {
            node.push('_');
        }
        if node != name {
            self.renamed.insert(name.to_string(), node.clone());
        }
        self.known_nodes.insert(node.clone());
        self.nodes.push(node.clone());
        node
    }

    /// Appends a block.
    pub fn write(&mut self, block: Block) {
        if self.pieces.last().is_none_or(|&(_, span)| span != self.current) {
            self.pieces.push((self.text.len(), self.current));
        }
        self.text.push_str(&block.finish());
    }

    /// A node's voltage in an expression.
    pub fn voltage(&self, node: &str) -> String {
        match node {
            "gnd" => "0".into(),
            _ if self.own_names.contains(node.rsplit('.').next().unwrap_or(node)) => {
                format!("node:{}.v", quoted(node))
            }
            _ => format!("{}.v", quoted(node)),
        }
    }
}
