//! `.tran`: how long and how finely to simulate.

use parser::diagnostic::{Diagnostic, Diagnostics};

use super::block::Block;
use super::lines::Line;
use super::netlist::arguments;
use super::parameter_scopes::Scopes;
use super::spice_codes;

/// The transient analysis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transient {
    /// Interval of the results.
    pub step: f64,
    /// End of the simulation.
    pub stop: f64,
    /// Longest step.
    pub longest: f64,
    /// Start from the initial conditions instead of the operating point.
    pub uic: bool,
}

impl Transient {
    /// Without a statement: a second in a thousand steps.
    const ABSENT: Self = Self { step: 1e-3, stop: 1.0, longest: 0.02, uic: false };

    /// Reads `.tran step stop [start [longest]] [uic]`.
    pub fn read(
        line: Option<&Line>,
        scopes: &Scopes,
        scope: usize,
        diagnostics: &mut Diagnostics,
    ) -> Self {
        let Some(line) = line else {
            let message = "the netlist has no `.tran`";
            let told = Diagnostic::new(spice_codes::NO_ANALYSIS, Default::default(), message);
            diagnostics.push(told.help("the model runs for one second; change Tend and Tstep"));
            return Self::ABSENT;
        };
        let (words, _) = arguments(&line.tokens[1..]);
        let uic = words.iter().any(|word| word.text == "uic");
        let mut numbers = [0.0; 4];
        let mut count = 0;
        for word in words.iter().filter(|word| word.text != "uic") {
            match scopes.value(scope, word) {
                Ok(value) if count < 4 => numbers[count] = value,
                Ok(_) => {}
                Err(diagnostic) => diagnostics.push(diagnostic),
            }
            count += 1;
        }
        let [step, stop, start, longest] = numbers;
        let sound = step > 0.0 && stop > 0.0 && (0.0..stop).contains(&start) && longest >= 0.0;
        if !(2..=4).contains(&count) || !sound {
            let message = "the transient analysis makes no sense";
            let help = "write `.tran step stop [start [longest step]] [uic]` with positive times";
            let told = Diagnostic::new(spice_codes::WRONG_STATEMENT, line.span, message).help(help);
            diagnostics.push(told);
            return Self { uic, ..Self::ABSENT };
        }
        if start > 0.0 {
            let message = format!("results are written from 0 s, not only from {start} s");
            diagnostics.push(Diagnostic::new(spice_codes::NOT_TRANSLATED, line.span, message));
        }
        let longest = if longest > 0.0 { longest } else { (stop - start) / 50.0 };
        Self { step: step.min(stop), stop, longest, uic }
    }

    /// The Solver block. Its tolerances are a hundredth of SPICE's default (reltol = 1e-3) and less; models of
    /// transistors have bends in their derivatives, at which a method of low order loses least.
    pub fn block(&self) -> Block {
        let solver = Block::new("Solver", "transient")
            .word("Type", "dynamic")
            .word("Solver", "radau5")
            .number("Tend", self.stop)
            .number("Tstep", self.step)
            .number("TstepMax", self.longest)
            .number("RelErr", 1e-5)
            .number("AbsErr", 1e-9);
        if self.uic { solver } else { solver.word("Initial", "steady") }
    }
}
