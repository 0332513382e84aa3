//! Values of parameters: parameters of the netlist, and parameters of each use of a subcircuit.

use std::collections::HashMap;

use parser::diagnostic::{Diagnostic, Diagnostics};

use super::expression::{self, Tree};
use super::expression_text::{Function, expand};
use super::lines::{Kind, Token};
use super::netlist::Assignment;
use super::number;
use super::spice_codes;

/// Parameters with their values; what is not here is looked for outside.
#[derive(Debug, Default)]
pub struct Scopes {
    levels: Vec<(HashMap<String, f64>, Option<usize>)>,
    functions: HashMap<String, Function>,
}

impl Scopes {
    /// No scope yet, but functions for all.
    pub fn new(functions: &HashMap<String, Function>) -> Self {
        Self { levels: Vec::new(), functions: functions.clone() }
    }

    /// Adds a scope inside another one and evaluates its assignments, which may refer to each other in
    /// any order. The given values come first.
    pub fn open(
        &mut self,
        outside: Option<usize>,
        given: HashMap<String, f64>,
        assignments: &[&Assignment],
        diagnostics: &mut Diagnostics,
    ) -> usize {
        let index = self.levels.len();
        self.levels.push((given, outside));
        for &place in &order(assignments) {
            let Assignment { name, value } = assignments[place];
            if self.levels[index].0.contains_key(&name.text) {
                continue;
            }
            match self.value(index, value) {
                Ok(number) => {
                    self.levels[index].0.insert(name.text.clone(), number);
                }
                Err(diagnostic) => diagnostics.push(diagnostic),
            }
        }
        index
    }

    /// Gives a parameter a value, unless it has one.
    pub fn set(&mut self, scope: usize, name: &str, value: f64) {
        if let Some((values, _)) = self.levels.get_mut(scope) {
            values.entry(name.to_string()).or_insert(value);
        }
    }

    /// The value of a word or expression.
    pub fn value(&self, scope: usize, token: &Token) -> Result<f64, Diagnostic> {
        let wrong = |reason: String| {
            let message = format!("`{}` has no value: {reason}", token.text);
            Diagnostic::new(spice_codes::WRONG_EXPRESSION, token.span, message)
        };
        match token.kind {
            Kind::Word => match number::parse(&token.text) {
                Some(number) => Ok(number),
                // Many programs accept a parameter without braces.
                None => self
                    .look_up(scope, &token.text)
                    .ok_or_else(|| wrong("it is neither a number nor a parameter".into())),
            },
            Kind::Expression => self
                .tree(&token.text)
                .and_then(|tree| tree.evaluate(&|name| self.look_up(scope, name)))
                .map_err(wrong),
            _ => Err(wrong("a number is expected".into())),
        }
    }

    /// An expression with the functions of the netlist written out.
    pub fn tree(&self, text: &str) -> Result<Tree, String> {
        let tree = Tree::parse(text)?;
        if self.functions.is_empty() { Ok(tree) } else { expand(&tree, &self.functions) }
    }

    /// The value of a parameter.
    pub fn look_up(&self, scope: usize, name: &str) -> Option<f64> {
        let mut next = Some(scope);
        while let Some((values, outside)) = next.and_then(|index| self.levels.get(index)) {
            if let Some(&value) = values.get(name) {
                return Some(value);
            }
            next = *outside;
        }
        None
    }
}

/// An order in which every assignment follows the assignments that it refers to; assignments in a cycle come last, where
/// their names are not found.
fn order(assignments: &[&Assignment]) -> Vec<usize> {
    let by_name: HashMap<&str, usize> =
        assignments.iter().enumerate().map(|(i, a)| (a.name.text.as_str(), i)).collect();
    let mut users = vec![Vec::new(); assignments.len()];
    let mut missing = vec![0_usize; assignments.len()];
    for (user, assignment) in assignments.iter().enumerate() {
        for name in expression::names(&assignment.value.text) {
            if let Some(&used) = by_name.get(name).filter(|&&used| used != user) {
                users[used].push(user);
                missing[user] += 1;
            }
        }
    }
    let mut ready: Vec<usize> = (0..assignments.len()).rev().filter(|&i| missing[i] == 0).collect();
    let mut order = Vec::with_capacity(assignments.len());
    while let Some(next) = ready.pop() {
        order.push(next);
        for &user in &users[next] {
            missing[user] -= 1;
            if missing[user] == 0 {
                ready.push(user);
            }
        }
    }
    order.extend((0..assignments.len()).filter(|&i| missing[i] > 0));
    order
}
