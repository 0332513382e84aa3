//! From the syntax tree of an expression to a [`Program`], with constants folded.
//!
//! The walk keeps its own stack, because a sum of a million terms is a tree of that depth. A mistake
//! in a constant part, such as a division by zero, is kept with that part and reported only if the
//! part is still there in the end: `if(L > 0, 1/L, 0)` is right for L = 0.

use parser::diagnostic::{Diagnostic, Diagnostics};
use parser::source::Span;
use parser::suggest::nearest;
use parser::syntax::{BinaryOp, Document, NodeId, NodeKind};

use super::custom::{Called, CustomFunction, MOST_OPERATIONS, argument_of};
use super::functions::{self, FUNCTIONS, is_true};
use super::program::{Op, Program, SignalRef, binary, unary};
use crate::codes;
use crate::wording::written;

/// The meaning of a name in an expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operand<'a> {
    /// A number.
    Constant(f64),
    /// The time.
    Time,
    /// The argument of a law, such as the speed in a friction law.
    Argument,
    /// A signal of the model.
    Signal(SignalRef),
    /// Another expression.
    Program(&'a Program),
}

/// The function that is the derivative with respect to time.
pub const RATE: &str = "der";

/// The meaning of names.
pub trait Names {
    /// The meaning of the path at `span`; `Err` holds the mistake, or nothing if it is reported already.
    fn operand(&self, path: &str, span: Span) -> Result<Operand<'_>, Option<Box<Diagnostic>>>;
    /// The text of a span.
    fn text(&self, span: Span) -> &str;
    /// The function of the model with this name.
    fn function(&self, _name: &str) -> Called<'_> {
        Called::Unknown
    }
    /// A name of a function of the model that is similar.
    fn similar_function(&self, _name: &str) -> Option<&str> {
        None
    }
    /// May `der(x)` stand here?
    fn has_rates(&self) -> bool {
        false
    }
}

/// The result of [`compile`]: the program, or the mistakes.
pub type Compiled = Result<Program, Diagnostics>;

/// A subexpression while it is put together.
struct Piece {
    /// Where its operations begin.
    start: usize,
    /// Its value, if it is constant.
    constant: Option<f64>,
    /// A mistake in a constant part of it.
    problem: Option<Box<Diagnostic>>,
}

struct Compiler<'a, N: Names> {
    document: &'a Document,
    names: &'a N,
    ops: Vec<Op>,
    pieces: Vec<Piece>,
    /// Values of the operands that are being folded.
    operands: Vec<f64>,
    mistakes: Diagnostics,
    failed: bool,
}

enum Task {
    Visit(NodeId),
    Finish(NodeId),
}

/// Compiles the expression at `root`.
pub fn compile(document: &Document, root: NodeId, names: &impl Names) -> Compiled {
    // Most expressions are numbers.
    if let NodeKind::Number(number) = document.node(root).kind
        && number.is_finite()
    {
        return Ok(Program::constant(number));
    }
    let mut compiler = Compiler {
        document,
        names,
        ops: Vec::new(),
        pieces: Vec::new(),
        operands: Vec::new(),
        mistakes: Diagnostics::default(),
        failed: false,
    };
    let mut tasks = vec![Task::Visit(root)];
    while let Some(task) = tasks.pop() {
        match task {
            Task::Visit(id) => compiler.visit(id, &mut tasks),
            Task::Finish(id) => compiler.finish(id),
        }
    }
    let problem = compiler.pieces.pop().and_then(|piece| piece.problem);
    let mut mistakes = compiler.mistakes;
    problem.into_iter().for_each(|problem| mistakes.push(*problem));
    if compiler.failed || !mistakes.is_empty() {
        return Err(mistakes);
    }
    Ok(Program::new(compiler.ops))
}

impl<N: Names> Compiler<'_, N> {
    /// Leaves are done at once; inner nodes after their children.
    fn visit(&mut self, id: NodeId, tasks: &mut Vec<Task>) {
        let node = self.document.node(id);
        match node.kind {
            NodeKind::Number(number) if number.is_finite() => self.push_constant(number, None),
            NodeKind::Number(_) => {
                // The grammar has reported that it is too large.
                self.failed = true;
                self.push_variable(Op::Constant(0.0));
            }
            NodeKind::Name => self.name(node.span),
            NodeKind::Parenthesis(inner) => tasks.push(Task::Visit(inner)),
            NodeKind::Unary(_, operand) => {
                tasks.extend([Task::Finish(id), Task::Visit(operand)]);
            }
            NodeKind::Binary(_, left, right) => {
                tasks.extend([Task::Finish(id), Task::Visit(right), Task::Visit(left)]);
            }
            NodeKind::Call { arguments, .. } => {
                tasks.push(Task::Finish(id));
                let arguments = self.document.members(arguments).iter().rev();
                tasks.extend(arguments.map(|&argument| Task::Visit(argument)));
            }
            NodeKind::Word | NodeKind::Text | NodeKind::List(_) | NodeKind::Indexed(_) => {
                let mistake = no_expression(node.kind, self.names.text(node.span), node.span);
                self.mistake(mistake);
            }
        }
    }

    fn finish(&mut self, id: NodeId) {
        let node = self.document.node(id);
        match node.kind {
            NodeKind::Unary(operator, _) => {
                self.fold(1, Op::Unary(operator), node.span, |x| unary(operator, x[0]));
            }
            NodeKind::Binary(operator, ..) => {
                self.fold(2, Op::Binary(operator), node.span, |x| binary(operator, x[0], x[1]));
            }
            NodeKind::Call { name_len, arguments } => {
                let name = Span::new(node.span.start, node.span.start + u32::from(name_len));
                self.call(name, node.span, arguments.len());
            }
            _ => {}
        }
    }

    fn call(&mut self, name: Span, span: Span, count: usize) {
        let names = self.names;
        let text = names.text(name);
        let Some(index) = functions::find(text) else {
            return match names.function(text) {
                Called::Known(function) => self.call_custom(function, text, span, count),
                Called::Broken => {
                    self.failed = true;
                    self.drop_pieces(count);
                    self.push_variable(Op::Constant(0.0));
                }
                Called::Unknown if text == RATE => self.rate(span, count),
                Called::Unknown => self.unknown_function(name, text, count),
            };
        };
        let function = &FUNCTIONS[index];
        if count < function.least || count > function.most {
            return self.wrong_arguments(
                text,
                span,
                (function.least, function.most),
                count,
                function.doc,
            );
        }
        if function.name == "if" && self.choose() {
            return;
        }
        self.fold(count, Op::Call(index as u16, count as u32), span, function.value);
    }

    fn wrong_arguments(
        &mut self,
        name: &str,
        span: Span,
        (least, most): (usize, usize),
        count: usize,
        help: &str,
    ) {
        let wants = match (least, most) {
            (1, 1) => "1 argument".into(),
            (least, most) if least == most => format!("{least} arguments"),
            (least, _) => format!("at least {least} arguments"),
        };
        let message = format!("`{name}` takes {wants}, not {count}");
        let diagnostic = Diagnostic::new(codes::WRONG_ARGUMENTS, span, message);
        self.drop_pieces(count);
        self.mistake(diagnostic.help(help));
    }

    fn unknown_function(&mut self, name: Span, text: &str, count: usize) {
        let near = nearest(text, FUNCTIONS.iter().map(|function| function.name));
        let near = self.names.similar_function(text).or(near);
        let help = match text {
            "pi" | "e" | "t" => Some(format!("write `{text}` without parentheses")),
            _ => near.map(|near| format!("did you mean `{near}`?")),
        };
        let message = format!("there is no function `{text}`");
        let diagnostic = Diagnostic::new(codes::UNKNOWN_FUNCTION, name, message);
        self.drop_pieces(count);
        self.mistake(diagnostic.maybe_help(help));
    }

    /// `der(x)`.
    fn rate(&mut self, span: Span, count: usize) {
        if !self.names.has_rates() {
            let message = "`der` may stand in equations only";
            let help = "declare a Variable, and let a line of an Equations block say what it is";
            let diagnostic = Diagnostic::new(codes::UNKNOWN_FUNCTION, span, message);
            self.drop_pieces(count);
            return self.mistake(diagnostic.help(help));
        }
        if count != 1 {
            let help = "`der(x)`: derivative with respect to time";
            return self.wrong_arguments(RATE, span, (1, 1), count, help);
        }
        self.fold(1, Op::Rate, span, |_| 0.0);
    }

    /// A function of the model: its operations, with the arguments in their places.
    fn call_custom(&mut self, function: &CustomFunction, name: &str, span: Span, count: usize) {
        if count != function.n_arguments {
            let range = (function.n_arguments, function.n_arguments);
            return self.wrong_arguments(name, span, range, count, "its Formula says so in `Of`");
        }
        let first = self.pieces.len().saturating_sub(count);
        let arguments: Vec<Piece> = self.pieces.drain(first..).collect();
        let start = arguments.first().map_or(self.ops.len(), |piece| piece.start);
        let ops = self.ops.split_off(start);
        let end = |number: usize| arguments.get(number + 1).map_or(ops.len(), |p| p.start - start);
        for &op in function.program.ops() {
            if self.ops.len() > MOST_OPERATIONS {
                let message = "with all formulas in place this has too many operations";
                let diagnostic = Diagnostic::new(codes::TOO_MANY_OPERATIONS, span, message);
                let help = "a formula that names an argument several times writes it so often";
                self.ops.truncate(start);
                self.pieces.truncate(first);
                return self.mistake(diagnostic.help(help));
            }
            match (op, argument_of(op)) {
                (_, Some(number)) => {
                    let Some(piece) = arguments.get(number) else { continue };
                    let own = &ops[piece.start - start..end(number)];
                    let (start, constant) = (self.ops.len(), piece.constant);
                    self.ops.extend_from_slice(own);
                    self.pieces.push(Piece { start, constant, problem: piece.problem.clone() });
                }
                (Op::Constant(number), _) => self.push_constant(number, None),
                (Op::Unary(operator), _) => self.fold(1, op, span, |x| unary(operator, x[0])),
                (Op::Binary(operator), _) => {
                    self.fold(2, op, span, |x| binary(operator, x[0], x[1]));
                }
                (Op::Call(index, count), _) => {
                    let function = &FUNCTIONS[usize::from(index)];
                    if function.name != "if" || !self.choose() {
                        self.fold(count as usize, op, span, function.value);
                    }
                }
                (Op::Rate, _) => self.fold(1, op, span, |_| 0.0),
                (Op::Time | Op::Argument | Op::Signal(_), _) => self.push_variable(op),
            }
        }
    }

    /// `if` with a constant condition: keeps the branch that is taken, with its mistakes only.
    fn choose(&mut self) -> bool {
        let n = self.pieces.len();
        let Some([condition, yes, no]) = self.pieces.get(n.saturating_sub(3)..) else {
            return false;
        };
        let (Some(truth), None) = (condition.constant, &condition.problem) else { return false };
        let (start, end) =
            if is_true(truth) { (yes.start, no.start) } else { (no.start, self.ops.len()) };
        let first = condition.start;
        let ops = self.ops[start..end].to_vec();
        let index = if is_true(truth) { n - 2 } else { n - 1 };
        let chosen = self.pieces.swap_remove(index);
        self.pieces.truncate(n - 3);
        self.ops.truncate(first);
        self.ops.extend(ops);
        self.pieces.push(Piece { start: first, ..chosen });
        true
    }

    /// Replaces the last `count` pieces by one: their value if all are constant, else the operation.
    fn fold(&mut self, count: usize, op: Op, span: Span, value: impl Fn(&[f64]) -> f64) {
        let first = self.pieces.len().saturating_sub(count);
        let mut problem = None;
        let mut start = self.ops.len();
        self.operands.clear();
        for piece in self.pieces.drain(first..) {
            start = start.min(piece.start);
            problem = problem.or(piece.problem);
            self.operands.extend(piece.constant);
        }
        if self.operands.len() < count {
            self.ops.push(op);
            return self.pieces.push(Piece { start, constant: None, problem });
        }
        let result = value(&self.operands);
        if !result.is_finite() && problem.is_none() {
            problem = Some(Box::new(not_finite(op, &self.operands, span)));
        }
        self.ops.truncate(start);
        self.push_constant(if result.is_finite() { result } else { 0.0 }, problem);
    }

    fn name(&mut self, span: Span) {
        let names = self.names;
        match names.operand(names.text(span), span) {
            Ok(Operand::Constant(number)) => self.push_constant(number, None),
            Ok(Operand::Time) => self.push_variable(Op::Time),
            Ok(Operand::Argument) => self.push_variable(Op::Argument),
            Ok(Operand::Signal(signal)) => self.push_variable(Op::Signal(signal)),
            Ok(Operand::Program(program)) => match program.as_constant() {
                Some(number) => self.push_constant(number, None),
                None => {
                    let piece = Piece { start: self.ops.len(), constant: None, problem: None };
                    self.pieces.push(piece);
                    self.ops.extend_from_slice(program.ops());
                }
            },
            Err(mistake) => {
                self.failed = true;
                mistake.into_iter().for_each(|mistake| self.mistakes.push(*mistake));
                // Not a constant, so that nothing follows from its invented value.
                self.push_variable(Op::Constant(0.0));
            }
        }
    }

    fn push_constant(&mut self, number: f64, problem: Option<Box<Diagnostic>>) {
        self.pieces.push(Piece { start: self.ops.len(), constant: Some(number), problem });
        self.ops.push(Op::Constant(number));
    }

    fn push_variable(&mut self, op: Op) {
        self.pieces.push(Piece { start: self.ops.len(), constant: None, problem: None });
        self.ops.push(op);
    }

    fn drop_pieces(&mut self, count: usize) {
        let first = self.pieces.len().saturating_sub(count);
        if let Some(piece) = self.pieces.get(first) {
            self.ops.truncate(piece.start);
        }
        self.pieces.truncate(first);
    }

    fn mistake(&mut self, diagnostic: Diagnostic) {
        self.mistakes.push(diagnostic);
        self.push_variable(Op::Constant(0.0));
    }
}

/// Why a constant operation has no finite value.
fn not_finite(op: Op, operands: &[f64], span: Span) -> Diagnostic {
    let by_zero = matches!(op, Op::Binary(BinaryOp::Divide)) && operands.get(1) == Some(&0.0);
    if by_zero {
        return Diagnostic::new(codes::DIVISION_BY_ZERO, span, "division by zero");
    }
    let values: Vec<String> = operands.iter().copied().map(written).collect();
    let what = match op {
        Op::Unary(operator) => format!("{}{}", operator.symbol(), values.join("")),
        Op::Binary(operator) => values.join(&format!(" {} ", operator.symbol())),
        Op::Call(function, _) => {
            let name = FUNCTIONS.get(function as usize).map_or("", |function| function.name);
            format!("{name}({})", values.join(", "))
        }
        _ => values.join(""),
    };
    let message = format!("`{what}` has no finite value");
    Diagnostic::new(codes::NOT_FINITE, span, message)
}

/// A value that is neither a number nor an expression.
fn no_expression(kind: NodeKind, text: &str, span: Span) -> Diagnostic {
    let is_number = text.starts_with(|c: char| c.is_ascii_digit());
    if kind == NodeKind::Word && is_number {
        // `2L` or `1.2.3` is a word to the grammar, because names may look so.
        let message = format!("`{text}` is not a number");
        let help = parser::lexical::number_help(text);
        return Diagnostic::new(parser::codes::BAD_NUMBER, span, message).maybe_help(help);
    }
    let what = match kind {
        NodeKind::Text => "a text".into(),
        NodeKind::List(_) => "a list".into(),
        _ => format!("`{text}`"),
    };
    let message = format!("expected a number or an expression, found {what}");
    Diagnostic::new(codes::WRONG_TYPE, span, message)
}
