//! `.ac`: the frequencies of a response to small oscillations.

use parser::diagnostic::{Diagnostic, Diagnostics};

use super::block::{Block, digits, quoted};
use super::lines::Line;
use super::netlist::arguments;
use super::parameter_scopes::Scopes;
use super::spice_codes;

/// A source with an amplitude.
#[derive(Clone, Debug, PartialEq)]
pub struct AcInput {
    /// The source.
    pub source: String,
    /// Its parameter.
    pub parameter: String,
    /// Amplitude.
    pub amplitude: f64,
    /// Phase, degrees.
    pub phase: f64,
}

/// The frequencies of a sweep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AcSweep {
    /// How they are spaced.
    spacing: &'static str,
    points: f64,
    from: f64,
    to: f64,
}

impl AcSweep {
    /// Reads `.ac dec|oct|lin points from to`.
    pub fn read(
        line: &Line,
        scopes: &Scopes,
        scope: usize,
        diagnostics: &mut Diagnostics,
    ) -> Option<Self> {
        let (words, _) = arguments(&line.tokens[1..]);
        let spacing = match words.first().map(|word| word.text.as_str()) {
            Some("dec") => Some("decade"),
            Some("oct") => Some("octave"),
            Some("lin") => Some("linear"),
            _ => None,
        };
        let values: Vec<f64> = words
            .iter()
            .skip(1)
            .filter_map(|word| match scopes.value(scope, word) {
                Ok(value) => Some(value),
                Err(diagnostic) => {
                    diagnostics.push(diagnostic);
                    None
                }
            })
            .collect();
        let (Some(spacing), &[points, from, to]) = (spacing, &values[..]) else {
            return Self::wrong(line, diagnostics);
        };
        if !(points >= 1.0 && from > 0.0 && to >= from) {
            return Self::wrong(line, diagnostics);
        }
        Some(Self { spacing, points: points.round(), from, to })
    }

    fn wrong(line: &Line, diagnostics: &mut Diagnostics) -> Option<Self> {
        let message = "the sweep makes no sense";
        let help = "write `.ac dec points from to` with positive frequencies, or `oct`, `lin`";
        let told = Diagnostic::new(spice_codes::WRONG_STATEMENT, line.span, message);
        diagnostics.push(told.help(help));
        None
    }

    /// The parameters of a Solver block.
    pub fn parameters(&self, block: Block, inputs: &[AcInput]) -> Block {
        let block =
            block.number("From", self.from).number("To", self.to).number("Points", self.points);
        let block = match self.spacing {
            "decade" => block,
            other => block.word("Spacing", other),
        };
        if inputs.is_empty() {
            return block;
        }
        let list = |item: &dyn Fn(&AcInput) -> String| {
            inputs.iter().map(item).collect::<Vec<_>>().join(", ")
        };
        let block = block.expression(
            "Inputs",
            &list(&|input| format!("{}.{}", quoted(&input.source), input.parameter)),
        );
        // The response to one source of amplitude 1 is the only one.
        if let [AcInput { amplitude: 1.0, phase: 0.0, .. }] = inputs {
            return block;
        }
        block
            .expression("Amplitude", &list(&|input| digits(input.amplitude)))
            .expression("Phase", &list(&|input| digits(input.phase)))
    }

    /// The Solver block of a netlist without transient analysis.
    pub fn block(&self, inputs: &[AcInput]) -> Block {
        self.parameters(Block::new("Solver", "sweep").word("Type", "frequency"), inputs)
    }
}
