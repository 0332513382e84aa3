//! A statement where it is used: its words, values, nodes and expressions.

use std::collections::HashMap;

use parser::diagnostic::Diagnostic;
use parser::source::Span;

use super::block::quoted;
use super::expression_text::{Surroundings, write};
use super::lines::{Kind, Line, Token};
use super::netlist::Assignment;
use super::spice_codes;
use super::translate::Translator;

/// A statement in the place where it is used.
pub struct Statement<'a> {
    /// The whole line.
    pub line: &'a Line,
    /// Words that are no assignments, the element's name first.
    pub words: Vec<&'a Token>,
    /// `name = value`
    pub assignments: Vec<Assignment>,
    /// The element's name in the `.dys` file.
    pub name: String,
    /// The section that holds it, where models are looked for.
    pub section: usize,
    pub(super) scope: usize,
    pub(super) prefix: &'a str,
    pub(super) ports: &'a HashMap<String, String>,
}

/// Result of writing a device.
pub type Outcome = Result<(), Diagnostic>;

impl Statement<'_> {
    /// The statement cannot be understood.
    pub fn wrong(&self, help: &str) -> Diagnostic {
        let message = format!("the statement of `{}` is incomplete or too long", self.name);
        Diagnostic::new(spice_codes::WRONG_STATEMENT, self.line.span, message).help(help)
    }

    /// The statement can be understood but not translated.
    pub fn not_translated(&self, span: Span, what: &str) -> Diagnostic {
        let message = format!("{what} of `{}` is not translated", self.name);
        Diagnostic::new(spice_codes::NOT_TRANSLATED, span, message)
    }

    /// The node that a word names.
    pub fn node(&self, translator: &mut Translator<'_>, word: &Token) -> String {
        if let Some(port) = self.ports.get(&word.text) {
            return port.clone();
        }
        let is_global = word.text == "0"
            || word.text == "gnd"
            || translator.netlist.global.contains(&word.text);
        if is_global || self.prefix.is_empty() {
            return translator.global_node(&word.text, word.span);
        }
        translator.global_node(&format!("{}{}", self.prefix, word.text), word.span)
    }

    /// The nodes in the words from the second on, and what follows them.
    pub fn nodes<const N: usize>(
        &self,
        translator: &mut Translator<'_>,
        help: &str,
    ) -> Result<([String; N], Vec<Token>), Diagnostic> {
        if self.words.len() < N + 1 {
            return Err(self.wrong(help));
        }
        let nodes = std::array::from_fn(|k| self.terminal(translator, self.words[k + 1]));
        Ok((nodes, self.words[N + 1..].iter().map(|&word| word.clone()).collect()))
    }

    /// The node that a word names, as one more terminal of the element.
    pub fn terminal(&self, translator: &mut Translator<'_>, word: &Token) -> String {
        let node = self.node(translator, word);
        *translator.terminals.entry(node.clone()).or_default() += 1;
        node
    }

    /// The voltage of a node that an expression looks at.
    pub fn measured(&self, translator: &mut Translator<'_>, word: &Token) -> String {
        let node = self.node(translator, word);
        translator.terminals.entry(node.clone()).or_default();
        translator.voltage(&node)
    }

    /// The value of a word.
    pub fn value(&self, translator: &Translator<'_>, word: &Token) -> Result<f64, Diagnostic> {
        translator.scopes.value(self.scope, word)
    }

    /// Takes `name = value` out of the assignments.
    pub fn take(
        &mut self,
        translator: &Translator<'_>,
        name: &str,
    ) -> Result<Option<f64>, Diagnostic> {
        let Some(at) = self.assignments.iter().position(|a| a.name.text == name) else {
            return Ok(None);
        };
        let assignment = self.assignments.swap_remove(at);
        self.value(translator, &assignment.value).map(Some)
    }

    /// An expression of voltages, currents and the time as a text of the language.
    pub fn expression(
        &self,
        translator: &mut Translator<'_>,
        text: &str,
    ) -> Result<String, Diagnostic> {
        let wrong = |reason: String| {
            let message = format!("the expression of `{}`: {reason}", self.name);
            Diagnostic::new(spice_codes::WRONG_EXPRESSION, self.line.span, message)
        };
        let tree = translator.scopes.tree(text).map_err(wrong)?;
        let mut around = Around { translator, statement: self };
        write(&tree, &mut around).map_err(wrong)
    }

    /// The name that another element of the same section has in the `.dys` file.
    pub fn sibling(&self, word: &Token) -> String {
        format!("{}{}", self.prefix, word.text)
    }

    /// Takes an assignment that has no effect out, and says so.
    pub fn tell_no_effect(&mut self, translator: &mut Translator<'_>, name: &str) {
        if let Some(at) = self.assignments.iter().position(|a| a.name.text == name) {
            let assignment = self.assignments.swap_remove(at);
            let message = format!("`{name}` of `{}` has no effect", self.name);
            translator.complain(spice_codes::NO_EFFECT, assignment.name.span, message);
        }
    }

    /// Names the assignments that nothing has used.
    pub fn tell_unused(&self, translator: &mut Translator<'_>) {
        for assignment in &self.assignments {
            let what = format!("`{}`", assignment.name.text);
            let told = self.not_translated(assignment.name.span, &what);
            translator.diagnostics.push(told);
        }
    }
}

/// What the expression of an element refers to.
struct Around<'t, 'a, 's> {
    translator: &'t mut Translator<'a>,
    statement: &'s Statement<'s>,
}

impl Surroundings for Around<'_, '_, '_> {
    fn value_of(&self, name: &str) -> Option<f64> {
        self.translator.scopes.look_up(self.statement.scope, name)
    }

    fn quantity(&mut self, letter: char, names: &[String]) -> Result<String, String> {
        let word = |name: &String| Token {
            kind: Kind::Word,
            text: name.clone(),
            span: self.statement.line.span,
        };
        let words: Vec<Token> = names.iter().map(word).collect();
        match (letter, &words[..]) {
            ('i', [element]) => Ok(format!("{}.i", quoted(&self.statement.sibling(element)))),
            ('v', [node]) => Ok(self.statement.measured(self.translator, node)),
            ('v', [plus, minus]) => {
                let [plus, minus] =
                    [plus, minus].map(|node| self.statement.measured(self.translator, node));
                Ok(match (plus.as_str(), minus.as_str()) {
                    (_, "0") => plus,
                    _ => format!("{plus} - {minus}"),
                })
            }
            _ => Err(format!("`{letter}({})` is not known", names.join(","))),
        }
    }
}
