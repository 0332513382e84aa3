//! Writes expressions of the flat model: the text as it stands, with other leaves where names mean something else.

use super::choices::branch_of_pass;
use super::definitions::bare;
use super::file_constants::append;
use super::meaning_of_names::{indexed_text, leaf};
use super::parameter_values::number_text;
use equations::expression::{Called, Names, Operand, argument, compile};
use parser::diagnostic::Diagnostic;
use parser::source::Span;
use parser::syntax::{BinaryOp, NodeId, NodeKind, UnaryOp};

use super::Expander;
use super::environment::{Indices, Leaf, View};
use super::parameter_values::Value;
use crate::codes;

/// A step of the walk through an expression.
enum Step {
    /// Write what begins a node, then its operands.
    Enter(NodeId),
    /// Write the rest of a node, which began at an address of the flat text and has so many operands.
    Finish(NodeId, u32, usize),
}

/// Sums with more terms are refused.
const MOST_TERMS: f64 = 1e6;

impl<'s> Expander<'s> {
    /// Writes an expression; gives its node in the flat tree.
    pub(super) fn expression(&mut self, view: View<'_, 's>, root: NodeId) -> NodeId {
        let document = view.place.document;
        let whole = document.node(root).span;
        // The text between the leaves is copied up to this address.
        let mut cursor = whole.start;
        let mut done: Vec<NodeId> = Vec::new();
        let mut steps = vec![Step::Enter(root)];
        while let Some(step) = steps.pop() {
            match step {
                Step::Enter(id) => {
                    let node = document.node(id);
                    self.copy(&mut cursor, node.span.start);
                    let start = self.emitter.place();
                    if let Some(written) = self.replaced(view, id) {
                        done.push(written);
                        cursor = node.span.end;
                        continue;
                    }
                    let operands: Vec<NodeId> = match node.kind {
                        NodeKind::Parenthesis(inner) | NodeKind::Unary(_, inner) => vec![inner],
                        NodeKind::Binary(_, left, right) => vec![left, right],
                        NodeKind::Call { arguments, .. } => document.members(arguments).to_vec(),
                        NodeKind::List(members) => document.members(members).to_vec(),
                        _ => Vec::new(),
                    };
                    if let NodeKind::Call { name_len, .. } = node.kind {
                        let name =
                            Span::new(node.span.start, node.span.start + u32::from(name_len));
                        self.function_name(view, name);
                        cursor = name.end;
                    }
                    steps.push(Step::Finish(id, start, operands.len()));
                    steps.extend(operands.into_iter().rev().map(Step::Enter));
                }
                Step::Finish(id, start, count) => {
                    let node = document.node(id);
                    self.copy(&mut cursor, node.span.end);
                    let operands = done.split_off(done.len().saturating_sub(count));
                    let span = Span::new(start, self.emitter.place());
                    let name_len = self.name_length(view, id);
                    let kind = match (node.kind, &operands[..]) {
                        (NodeKind::Parenthesis(_), [inner]) => NodeKind::Parenthesis(*inner),
                        (NodeKind::Unary(operator, _), [inner]) => {
                            NodeKind::Unary(operator, *inner)
                        }
                        (NodeKind::Binary(operator, ..), [left, right]) => {
                            NodeKind::Binary(operator, *left, *right)
                        }
                        (NodeKind::Call { .. }, all) => {
                            NodeKind::Call { name_len, arguments: self.emitter.run(all) }
                        }
                        (NodeKind::List(_), all) => NodeKind::List(self.emitter.run(all)),
                        (kind, _) => kind,
                    };
                    done.push(self.emitter.node(span, kind));
                }
            }
        }
        done.pop().unwrap_or_else(|| self.emitter.node(Span::default(), NodeKind::Number(0.0)))
    }

    /// Copies the text up to an address.
    fn copy(&mut self, cursor: &mut u32, to: u32) {
        if *cursor < to {
            let span = Span::new(*cursor, to);
            self.emitter.piece(self.sources.text(span), span);
        }
        *cursor = to.max(*cursor);
    }

    /// The full name of a function of the model, if it is one.
    fn full_function(&self, view: View<'_, 's>, name: &str) -> Option<String> {
        if let Some(definition) = view.definition()
            && definition.blocks.contains(name)
        {
            return Some(format!("{}{name}", view.environment.prefix));
        }
        let names = &self.names[view.place.scope];
        if let Some(full) = names.formulas.get(name) {
            return Some(full.clone());
        }
        let (space, inside) = name.split_once('.')?;
        let other = names.namespaces.get(space)?;
        self.names[*other].formulas.get(inside).cloned()
    }

    fn function_name(&mut self, view: View<'_, 's>, span: Span) {
        let text = self.sources.text(span);
        match self.full_function(view, text) {
            Some(full) => self.emitter.piece(&full, span),
            None => self.emitter.piece(text, span),
        };
    }

    /// The length of a function's name in the flat text.
    fn name_length(&self, view: View<'_, 's>, id: NodeId) -> u16 {
        let node = view.place.document.node(id);
        let NodeKind::Call { name_len, .. } = node.kind else { return 0 };
        let name = Span::new(node.span.start, node.span.start + u32::from(name_len));
        let full = self.full_function(view, self.sources.text(name));
        full.map_or(name_len, |full| u16::try_from(full.len()).unwrap_or(u16::MAX))
    }

    /// Writes a node that is replaced by something else as a whole; nothing for one that is written as it is.
    fn replaced(&mut self, view: View<'_, 's>, id: NodeId) -> Option<NodeId> {
        let node = view.place.document.node(id);
        let leaf = match node.kind {
            NodeKind::Name => leaf(self, view, self.sources.text(node.span), node.span),
            NodeKind::Indexed(run) => {
                let indices = view.place.document.members(run);
                match indexed_text(self, view, node.span, indices) {
                    Some(path) => leaf(self, view, &path, node.span),
                    None => Leaf::Broken,
                }
            }
            // A comparison with a parameter whose value is wrong has no answer.
            NodeKind::Binary(BinaryOp::Equal | BinaryOp::NotEqual, left, right)
                if self.is_wrong_word(view, left) || self.is_wrong_word(view, right) =>
            {
                Leaf::Broken
            }
            NodeKind::Binary(BinaryOp::Equal | BinaryOp::NotEqual, left, right) => {
                let is_equal = self.same_words(view, left, right)?;
                let wanted = matches!(node.kind, NodeKind::Binary(BinaryOp::Equal, ..));
                Leaf::Number(f64::from(is_equal == wanted))
            }
            NodeKind::Call { .. } => return self.special_call(view, id),
            _ => return None,
        };
        Some(self.write_leaf(leaf, node.span, node.kind))
    }

    /// Writes what a leaf becomes.
    fn write_leaf(&mut self, leaf: Leaf, origin: Span, kind: NodeKind) -> NodeId {
        let kind = if matches!(kind, NodeKind::Indexed(_)) { NodeKind::Name } else { kind };
        match leaf {
            Leaf::Keep => {
                let span = self.emitter.piece(self.sources.text(origin), origin);
                self.emitter.node(span, kind)
            }
            Leaf::Number(number) => self.write_number(number, origin),
            Leaf::Path(path) => {
                let span = self.emitter.piece(&path, origin);
                self.emitter.node(span, NodeKind::Name)
            }
            Leaf::Value(value) => self.write_value(&value, origin),
            Leaf::Broken => {
                self.is_broken = true;
                let span = self.emitter.piece("0", origin);
                self.emitter.node(span, NodeKind::Number(0.0))
            }
        }
    }

    /// Writes a number so that it can stand anywhere in an expression.
    pub(super) fn write_number(&mut self, number: f64, origin: Span) -> NodeId {
        let digits = number_text(number.abs());
        if !number.is_sign_negative() {
            let span = self.emitter.piece(&digits, origin);
            return self.emitter.node(span, NodeKind::Number(number));
        }
        let open = self.emitter.piece("(", origin);
        let sign = self.emitter.piece("-", origin);
        let span = self.emitter.piece(&digits, origin);
        let number = self.emitter.node(span, NodeKind::Number(number.abs()));
        let negated = self.emitter.node(sign.to(span), NodeKind::Unary(UnaryOp::Negate, number));
        let close = self.emitter.piece(")", origin);
        self.emitter.node(open.to(close), NodeKind::Parenthesis(negated))
    }

    /// Writes a value.
    pub(super) fn write_value(&mut self, value: &Value, origin: Span) -> NodeId {
        match value {
            Value::Number(number) => self.write_number(*number, origin),
            Value::Word(word) => {
                let span = self.emitter.piece(word, origin);
                self.emitter.node(span, NodeKind::Name)
            }
            Value::Text(text, origin) => {
                let span = self.emitter.piece(&format!("\"{text}\""), *origin);
                self.emitter.node(span, NodeKind::Text)
            }
            Value::Component(id) => {
                let name = self.definitions[*id].name;
                let span = self.emitter.piece(name, origin);
                self.emitter.node(span, NodeKind::Name)
            }
            Value::List(all) => {
                let start = self.emitter.list_start(origin);
                let mut members = Vec::with_capacity(all.len());
                for (at, one) in all.iter().enumerate() {
                    if at > 0 {
                        self.emitter.comma();
                    }
                    members.push(self.write_value(one, origin));
                }
                self.emitter.list_end(start, &members, origin)
            }
        }
    }

    /// Is this the name of a parameter that has no value, because of a mistake?
    fn is_wrong_word(&self, view: View<'_, 's>, id: NodeId) -> bool {
        let node = view.place.document.node(id);
        let is_name = node.kind == NodeKind::Name;
        is_name && matches!(view.parameter(self.sources.text(node.span)), Some(None))
    }

    /// Are two words equal, if one side is a parameter whose value is a word or a component?
    fn same_words(&mut self, view: View<'_, 's>, left: NodeId, right: NodeId) -> Option<bool> {
        let document = view.place.document;
        let known = |id: NodeId| {
            let node = document.node(id);
            let name = matches!(node.kind, NodeKind::Name).then(|| self.sources.text(node.span))?;
            match view.parameter(name)?? {
                Value::Word(word) => Some(word.to_string()),
                Value::Component(id) => Some(self.definitions[*id].name.to_string()),
                Value::Text(text, _) => Some(text.to_string()),
                _ => None,
            }
        };
        let (a, b) = (known(left), known(right));
        if a.is_none() && b.is_none() {
            return None;
        }
        let literal = |id: NodeId| bare(self.sources, document, id).0.to_string();
        Some(a.unwrap_or_else(|| literal(left)) == b.unwrap_or_else(|| literal(right)))
    }

    /// `size(x)`, `sum(i, from, to, term)`, and an `if` that is decided; nothing for other functions.
    fn special_call(&mut self, view: View<'_, 's>, id: NodeId) -> Option<NodeId> {
        let document = view.place.document;
        let node = document.node(id);
        let NodeKind::Call { name_len, arguments } = node.kind else { return None };
        let arguments = document.members(arguments);
        match self.sources.text(node.span).get(..usize::from(name_len)) {
            Some("size") => Some(self.size(view, arguments, node.span)),
            Some("sum") => Some(self.sum(view, arguments, node.span)),
            Some("if") => {
                let branch = branch_of_pass(self, view, arguments)?;
                Some(self.term(view, branch, node.span))
            }
            _ => None,
        }
    }

    fn size(&mut self, view: View<'_, 's>, arguments: &[NodeId], span: Span) -> NodeId {
        let value = match arguments {
            [list] => self.value(view, &[*list]),
            _ => None,
        };
        let count = match value {
            Some(Value::List(all)) => all.len() as f64,
            None if self.is_open(view, arguments) => {
                return self.write_leaf(Leaf::Broken, span, NodeKind::Name);
            }
            _ => {
                let message = "`size` takes the name of a list";
                let help = "a list is a parameter such as `ratio = { 1, 2, 3 }`";
                self.report_once(Diagnostic::new(codes::WRONG_ARGUMENTS, span, message).help(help));
                0.0
            }
        };
        self.write_number(count, span)
    }

    /// Is it a parameter that nobody has given a value?
    fn is_open(&self, view: View<'_, 's>, arguments: &[NodeId]) -> bool {
        let [name] = arguments else { return false };
        let name = self.sources.text(view.place.document.node(*name).span);
        view.parameter(name).is_some_and(|value| value.is_none())
    }

    /// A sum with an index: its terms joined by plus signs, in parentheses.
    fn sum(&mut self, view: View<'_, 's>, arguments: &[NodeId], span: Span) -> NodeId {
        let document = view.place.document;
        let limits = match arguments {
            [index, from, to, term] if document.node(*index).kind == NodeKind::Name => {
                let limits = (self.number(view, *from), self.number(view, *to));
                match limits {
                    (Some(from), Some(to)) => Some((*index, from, to, *term)),
                    _ => return self.write_leaf(Leaf::Broken, span, NodeKind::Name),
                }
            }
            _ => None,
        };
        let fits = |(_, from, to, _): &(NodeId, f64, f64, NodeId)| {
            from.fract() == 0.0 && to.fract() == 0.0 && to - from < MOST_TERMS
        };
        let Some((index, from, to, term)) = limits.filter(fits) else {
            let message = "`sum` takes an index, its first and last whole number, and a term";
            let help = "for example `sum(i, 1, N, R[i].power)`";
            self.report_once(Diagnostic::new(codes::WRONG_ARGUMENTS, span, message).help(help));
            return self.write_leaf(Leaf::Broken, span, NodeKind::Name);
        };
        if to < from {
            return self.write_number(0.0, span);
        }
        let name = self.sources.text(document.node(index).span);
        let open = self.emitter.piece("(", span);
        let mut value = from;
        let mut sum: Option<NodeId> = None;
        while value <= to && !self.emitter.is_too_large() {
            if sum.is_some() {
                self.emitter.piece(" + ", span);
            }
            let indices = Indices { name, value, outer: view.indices };
            let written = self.term(View { indices: Some(&indices), ..view }, term, span);
            sum = Some(match sum {
                Some(left) => {
                    let span = self.emitter.document().node(left).span;
                    let span = span.to(self.emitter.document().node(written).span);
                    self.emitter.node(span, NodeKind::Binary(BinaryOp::Add, left, written))
                }
                None => written,
            });
            value += 1.0;
        }
        let close = self.emitter.piece(")", span);
        let sum = sum.unwrap_or_else(|| self.emitter.node(open, NodeKind::Number(0.0)));
        self.emitter.node(open.to(close), NodeKind::Parenthesis(sum))
    }

    /// A term of a sum, in parentheses if it has operators of its own.
    fn term(&mut self, view: View<'_, 's>, term: NodeId, origin: Span) -> NodeId {
        let kind = view.place.document.node(term).kind;
        if !matches!(kind, NodeKind::Binary(..) | NodeKind::Unary(..)) {
            return self.expression(view, term);
        }
        let open = self.emitter.piece("(", origin);
        let inner = self.expression(view, term);
        let close = self.emitter.piece(")", origin);
        self.emitter.node(open.to(close), NodeKind::Parenthesis(inner))
    }

    /// The value of a parameter, made of one value or several; mistakes are reported.
    pub(super) fn value(&mut self, view: View<'_, 's>, values: &[NodeId]) -> Option<Value> {
        let [single] = *values else {
            if values.is_empty() {
                return None;
            }
            let all: Option<Vec<Value>> =
                values.iter().map(|&id| self.value(view, &[id])).collect();
            return all.map(|all| Value::List(all.into()));
        };
        let document = view.place.document;
        let node = document.node(single);
        match node.kind {
            NodeKind::Text => {
                let (text, _) = bare(self.sources, document, single);
                Some(Value::Text(text.into(), node.span))
            }
            NodeKind::List(run) => {
                let members = document.members(run);
                let all: Option<Vec<Value>> =
                    members.iter().map(|&id| self.value(view, &[id])).collect();
                all.map(|all| Value::List(all.into()))
            }
            NodeKind::Name => match leaf(self, view, self.sources.text(node.span), node.span) {
                Leaf::Value(value) => Some(value),
                Leaf::Number(number) => Some(Value::Number(number)),
                Leaf::Broken => None,
                _ => self.number(view, single).map(Value::Number),
            },
            NodeKind::Indexed(run) => {
                let path = indexed_text(self, view, node.span, document.members(run))?;
                match leaf(self, view, &path, node.span) {
                    Leaf::Value(value) => Some(value),
                    Leaf::Number(number) => Some(Value::Number(number)),
                    Leaf::Broken => None,
                    _ => self.number(view, single).map(Value::Number),
                }
            }
            _ => self.number(view, single).map(Value::Number),
        }
    }

    /// The number that an expression is; mistakes are reported.
    pub(super) fn number(&mut self, view: View<'_, 's>, id: NodeId) -> Option<f64> {
        if let NodeKind::Number(number) = view.place.document.node(id).kind {
            return number.is_finite().then_some(number);
        }
        // The expression is written on trial: then all its names are numbers or constants of the main file.
        let mark = self.emitter.mark();
        let outer = std::mem::take(&mut self.is_broken);
        let written = self.expression(view, id);
        let is_broken = std::mem::replace(&mut self.is_broken, outer);
        let names = ConstantNames { expander: self, arguments: &[] };
        let compiled = compile(self.emitter.document(), written, &names);
        let result = match compiled {
            Ok(program) => program.as_constant(),
            Err(found) => {
                let mut translated = parser::diagnostic::Diagnostics::default();
                for mistake in found.iter() {
                    let mut mistake = mistake.clone();
                    mistake.primary.span = self.emitter.written(mistake.primary.span);
                    translated.push(mistake);
                }
                append(self, &translated);
                None
            }
        };
        self.emitter.go_back(mark);
        result.filter(|number| number.is_finite() && !is_broken)
    }
}

/// The names of constant expressions of the flat model: constants of the main file.
pub(super) struct ConstantNames<'e, 's> {
    pub expander: &'e Expander<'s>,
    /// Names that stand for the arguments of a formula.
    pub arguments: &'e [&'s str],
}

impl Names for ConstantNames<'_, '_> {
    fn operand(&self, path: &str, span: Span) -> Result<Operand<'_>, Option<Box<Diagnostic>>> {
        if let Some(at) = self.arguments.iter().position(|name| *name == path) {
            return Ok(Operand::Signal(argument(at as u16)));
        }
        match path {
            "pi" => return Ok(Operand::Constant(std::f64::consts::PI)),
            "e" => return Ok(Operand::Constant(std::f64::consts::E)),
            "yes" => return Ok(Operand::Constant(1.0)),
            "no" => return Ok(Operand::Constant(0.0)),
            _ => {}
        }
        let constants = self.expander.names.first().map(|names| &names.constants);
        if let Some(&at) = constants.and_then(|constants| constants.get(path)) {
            return match self.expander.constants[at].value {
                Some(Value::Number(number)) => Ok(Operand::Constant(number)),
                // Its own mistake is reported where it stands.
                _ => Err(None),
            };
        }
        let message = match path {
            "t" => "the time `t` cannot be used here: this value is constant".to_string(),
            _ => format!(
                "`{path}` is no constant, and this value is needed before the model is put together"
            ),
        };
        Err(Some(Box::new(Diagnostic::new(codes::NOT_CONSTANT, span, message))))
    }

    fn text(&self, span: Span) -> &str {
        self.expander.emitter.text_of(span)
    }

    fn function(&self, name: &str) -> Called<'_> {
        match self.expander.function_index.get(name) {
            Some(&at) => match &self.expander.functions[at].function {
                Some(function) => Called::Known(function),
                None => Called::Broken,
            },
            None => Called::Unknown,
        }
    }
}
