//! Expressions as text.

use parser::syntax::BinaryOp;
use rustc_hash::FxHashMap;

use equations::expr::{Arena, ExprId, Node};
use equations::expression::FUNCTIONS;
use equations::flat::{Flat, Variable};
use equations::names::Names;
use equations::names::variable_name;
use equations::wording::written;

/// Longer texts are cut: nobody reads them, and shared parts would make them grow without end.
const LONGEST: usize = 160;

/// Writes expressions in the names of a model.
pub(crate) struct Printer<'a> {
    pub names: &'a dyn Names,
    pub arena: &'a Arena,
    pub variables: &'a [Variable],
    flat: &'a Flat,
    texts: FxHashMap<ExprId, (String, u8)>,
}

impl<'a> Printer<'a> {
    pub fn new(
        names: &'a dyn Names,
        arena: &'a Arena,
        variables: &'a [Variable],
        flat: &'a Flat,
    ) -> Self {
        Self { names, arena, variables, flat, texts: FxHashMap::default() }
    }

    /// What a choice between two values depends on; behind the states of switches are the modes of elements.
    fn condition(&self, number: u32, value: i32) -> String {
        let n_switches = self.flat.programs.switches.n_states();
        let law = (number as usize).checked_sub(n_switches).and_then(|k| self.flat.modes.get(k));
        let Some(law) = law else { return format!("state[{}] == {value}", number + 1) };
        let word = law.words.iter().find(|(known, _)| i32::from(*known) == value);
        let name = self.names.name(law.block);
        word.map_or_else(|| format!("{name} == {value}"), |(_, word)| format!("{name} is {word}"))
    }

    /// The text of an expression.
    pub fn text(&mut self, root: ExprId) -> String {
        let mut stack = vec![root];
        while let Some(&id) = stack.last() {
            let (operands, count) = self.arena.operands(id);
            let waiting = stack.len();
            let open = operands[..count].iter().filter(|id| !self.texts.contains_key(id));
            stack.extend(open);
            if stack.len() > waiting {
                continue;
            }
            let parts = operands.map(|id| self.texts.get(&id).cloned().unwrap_or_default());
            let (mut text, strength) = self.node(id, &parts);
            if text.chars().count() > LONGEST {
                text = text.chars().take(LONGEST).collect::<String>() + "...";
            }
            self.texts.insert(id, (text, strength));
            stack.pop();
        }
        self.texts.get(&root).map_or_else(String::new, |(text, _)| text.clone())
    }

    /// `0 = a + b` as `a = -b` would be nicer to read, but this is what holds.
    pub fn sum(&mut self, terms: &[ExprId]) -> String {
        let mut out = String::new();
        for &term in terms {
            let (negative, inner) = match self.arena.node(term) {
                Node::Negate(inner) => (true, inner),
                _ => (false, term),
            };
            let text = self.text(inner);
            let sign = match (out.is_empty(), negative) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            };
            out += sign;
            out += &text;
            if out.chars().count() > LONGEST {
                return out.chars().take(LONGEST).collect::<String>() + "...";
            }
        }
        if out.is_empty() { "0".into() } else { out }
    }

    fn node(&self, id: ExprId, parts: &[(String, u8); 3]) -> (String, u8) {
        let [a, b, c] = [&parts[0].0, &parts[1].0, &parts[2].0];
        let name = |function: u16| FUNCTIONS.get(usize::from(function)).map_or("", |f| f.name);
        match self.arena.node(id) {
            Node::Constant(bits) => {
                let number = f64::from_bits(bits);
                (written(number), if number < 0.0 { 5 } else { 9 })
            }
            Node::Time => ("t".into(), 9),
            Node::Variable(variable) => (variable_name(self.names, self.variables, variable), 9),
            Node::Input(k) => (format!("input[{}]", k + 1), 9),
            Node::Memory(k) => (format!("register[{}]", k + 1), 9),
            Node::State(k) => (format!("state[{}]", k + 1), 9),
            Node::Negate(_) => (format!("-{}", wrapped(&parts[0], 6)), 5),
            Node::Function(function, _) => (format!("{}({a})", name(function)), 9),
            Node::LimitedExp(_) => (format!("exp({a})"), 9),
            Node::Binary(operator, ..) => {
                let strength = operator.precedence();
                let right = match operator {
                    BinaryOp::Add | BinaryOp::Multiply => strength,
                    _ => strength + 1,
                };
                let text = format!(
                    "{}{}{}",
                    wrapped(&parts[0], strength),
                    spaced(operator),
                    wrapped(&parts[1], right)
                );
                (text, strength)
            }
            Node::Atan2(..) => (format!("atan2({a}, {b})"), 9),
            Node::IfPositive(..) => (format!("if({a} > 0, {b}, {c})"), 9),
            Node::IfState(k, value, ..) => {
                (format!("if({}, {a}, {b})", self.condition(k, value)), 9)
            }
            Node::IfMode(k, value, ..) => (format!("if(mode[{}] == {value}, {a}, {b})", k + 1), 9),
        }
    }
}

fn wrapped((text, strength): &(String, u8), least: u8) -> String {
    if *strength < least { format!("({text})") } else { text.clone() }
}

fn spaced(operator: BinaryOp) -> String {
    match operator {
        BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Power => operator.symbol().into(),
        _ => format!(" {} ", operator.symbol()),
    }
}
