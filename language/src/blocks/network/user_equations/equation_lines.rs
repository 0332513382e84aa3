//! Lines of equations: each says that two expressions are equal, and nothing is assigned.

use parser::diagnostic::Diagnostic;
use parser::source::Span;

use crate::blocks::network::element_schema;
use crate::codes;
use crate::element::BlockSchema;
use crate::reading::BlockReader;
use crate::reading::scope::Scope;
use crate::sketch::Sketched;
use crate::writing::Writer;
use equations::expression::{Op, Program, SignalRef};

/// A block of equations.
#[derive(Clone, Debug, PartialEq)]
pub struct Equations {
    /// Its lines in the order of the text.
    pub lines: Box<[EquationLine]>,
}

/// `left = right;`
#[derive(Clone, Debug, PartialEq)]
pub struct EquationLine {
    /// The expression before the equals sign.
    pub left: Program,
    /// The expression behind it.
    pub right: Program,
    /// Both sides in the text.
    pub span: Span,
}

impl EquationLine {
    /// The signals that the line names.
    pub fn signals(&self) -> impl Iterator<Item = SignalRef> + '_ {
        let ops = self.left.ops().iter().chain(self.right.ops());
        ops.filter_map(|op| if let Op::Signal(signal) = *op { Some(signal) } else { None })
    }
}

/// The table of the Equations block.
pub static EQUATIONS: BlockSchema = element_schema(
    "Equations",
    "Lines `expression = expression;`, which hold at all times. `der(x)` is a derivative with respect to time, also nested \
     and of expressions. Nothing is assigned: all lines are solved together with all elements.",
    &[],
    &[],
);

impl Equations {
    /// Reads all lines.
    pub(crate) fn read(reader: &mut BlockReader<'_, '_>) -> Self {
        let document = reader.document;
        let syntax = reader.context.syntax_of(reader.block);
        let lines = document.equations(syntax);
        if lines.is_empty() && !reader.damaged() {
            let name = reader.context.name(reader.block);
            let span = reader.context.blocks[reader.block as usize].name;
            let message = format!("Equations `{name}` has no lines");
            let help = "write lines `expression = expression;`";
            reader.context.report(Diagnostic::new(codes::NO_EFFECT, span, message).help(help));
        }
        let read = |line: &parser::syntax::Equation| {
            let mut side = |id| reader.context.program(document, id, Scope::Equation);
            // Both sides are read, so that all mistakes are found.
            let (left, right) = (side(line.left), side(line.right));
            let (left, right) = (left.unwrap_or_default(), right.unwrap_or_default());
            EquationLine { left, right, span: line.span }
        };
        Self { lines: lines.iter().map(read).collect() }
    }

    /// Writes all lines.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        for (number, line) in self.lines.iter().enumerate() {
            e.line(number, &line.left, &line.right);
        }
    }
}

impl Sketched for Equations {}
