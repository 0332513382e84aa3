//! Names for messages and reports about networks: the names that the text of the model has for blocks, nodes and variables.

use parser::source::Span;

use crate::domain::Domain;
use crate::equation::{Equation, Source, Variable};
use crate::expr::VarId;

/// Names of the blocks and nodes that equations belong to. A block is named by its index in the model.
pub trait Names {
    /// The name of the whole model.
    fn model(&self) -> &str;

    /// The name of a block or of a node; `gnd` and its kind for a node that is fixed.
    fn name(&self, block: u32) -> &str;

    /// The keyword of a block.
    fn keyword(&self, block: u32) -> &'static str;

    /// Does the block have a signal of this name?
    fn has_signal(&self, block: u32, name: &str) -> bool;

    /// Does the block have a parameter of this name?
    fn has_parameter(&self, block: u32, name: &str) -> bool;

    /// Where the name of a block stands.
    fn span(&self, block: u32) -> Span;

    /// The line of the name of a block, if it stands in a text.
    fn line(&self, block: u32) -> Option<usize>;

    /// A line of an Equations block: its text and the number of its line in the file.
    fn equation_line(&self, block: u32, line: u32) -> Option<(&str, usize)>;

    /// The domain of a node.
    fn domain(&self, node: usize) -> Domain;

    /// `` Keyword `name` ``.
    fn element(&self, block: u32) -> String {
        format!("{} `{}`", self.keyword(block), self.name(block))
    }

    /// The origin of an equation in words: its element, or the line of the text.
    fn origin(&self, equation: &Equation) -> String {
        let element = self.element(equation.block);
        let Source::Line(line) = equation.source else { return element };
        match self.equation_line(equation.block, line) {
            Some((text, number)) => format!("{element} (`{text}`, line {number})"),
            None => element,
        }
    }
}

/// The name of a variable as the text has it: `R1.i`, `der(C1.v)`.
pub fn variable_name(called: &dyn Names, variables: &[Variable], variable: VarId) -> String {
    let own = &variables[variable.index()];
    match own.of {
        Some(of) if variables[of.index()].label == own.label => {
            format!("der({})", variable_name(called, variables, of))
        }
        // A variable of the text has the name of its block.
        None if own.label.is_empty() => called.name(own.block).into(),
        _ => format!("{}.{}", called.name(own.block), own.label),
    }
}
