//! `.tran`, `.dc`, `.op`: how long and how finely to simulate. Beside `.ac` alone all rests.

use parser::diagnostic::{Diagnostic, Diagnostics};

use super::block::{Block, digits};
use super::lines::Line;
use super::netlist::{Netlist, arguments};
use super::parameter_scopes::Scopes;
use super::spice_codes;

/// What is computed over the time.
#[derive(Clone, Debug, PartialEq)]
pub struct Transient {
    /// Interval of the results.
    pub step: f64,
    /// End of the simulation.
    pub stop: f64,
    /// Longest step.
    pub longest: f64,
    /// Start from the initial conditions instead of the operating point.
    pub uic: bool,
    /// Do waveforms count? In a sweep of operating points all rests but the source that is swept.
    pub is_dynamic: bool,
    /// The source that is swept, and its values at the start and the end.
    sweep: Option<(String, f64, f64)>,
    /// The tolerance of relative errors.
    relative: f64,
}

/// A sweep takes this time for each volt or ampere, s: so slow that capacitors and coils carry nothing that counts.
const SLOW: f64 = 1e6;
/// A hundredth of SPICE's default (reltol = 1e-3).
const RELATIVE: f64 = 1e-5;

impl Transient {
    /// Without a statement: a second in a thousand steps.
    pub const ABSENT: Self = Self {
        step: 1e-3,
        stop: 1.0,
        longest: 0.02,
        uic: false,
        is_dynamic: true,
        sweep: None,
        relative: RELATIVE,
    };

    /// Reads `.tran`, in its absence `.ac`, `.dc` or `.op`.
    pub fn read(
        netlist: &Netlist,
        scopes: &Scopes,
        scope: usize,
        diagnostics: &mut Diagnostics,
    ) -> Self {
        let read = match (&netlist.transient, &netlist.sweep) {
            (Some(line), _) => Self::of_transient(line, scopes, scope, diagnostics),
            (None, dc) if netlist.ac.is_some() => {
                if let Some(line) = dc {
                    let message = "`.dc` has no effect beside `.ac`";
                    let told = Diagnostic::new(spice_codes::NO_EFFECT, line.span, message);
                    diagnostics.push(told);
                }
                Ok(Self { is_dynamic: false, ..Self::ABSENT })
            }
            (None, Some(line)) => Self::of_sweep(line, scopes, scope, diagnostics),
            (None, None) if netlist.point => {
                Ok(Self { step: 1.0, stop: 1.0, longest: 1.0, is_dynamic: false, ..Self::ABSENT })
            }
            (None, None) => {
                let message = "the netlist has no `.tran`, `.ac`, `.dc` or `.op`";
                let told = Diagnostic::new(spice_codes::NO_ANALYSIS, Default::default(), message);
                Err(told.help("the model runs for one second; change Tend and Tstep"))
            }
        };
        let read = read.unwrap_or_else(|told| {
            diagnostics.push(told);
            Self::ABSENT
        });
        let given = netlist.options.get("reltol");
        let given = given.and_then(|own| scopes.value(scope, &own.value).ok());
        // What asks for more than SPICE's default gets more than ours.
        let relative = given.map_or(RELATIVE, |reltol| (reltol / 100.0).clamp(1e-10, RELATIVE));
        Self { relative, ..read }
    }

    /// `.tran step stop [start [longest]] [uic]`
    fn of_transient(
        line: &Line,
        scopes: &Scopes,
        scope: usize,
        diagnostics: &mut Diagnostics,
    ) -> Result<Self, Diagnostic> {
        let (words, _) = arguments(&line.tokens[1..]);
        let uic = words.iter().any(|word| word.text == "uic");
        let mut numbers = [0.0; 4];
        let mut count = 0;
        for word in words.iter().filter(|word| word.text != "uic") {
            let value = scopes.value(scope, word)?;
            if let Some(number) = numbers.get_mut(count) {
                *number = value;
            }
            count += 1;
        }
        let [step, stop, start, longest] = numbers;
        let sound = step > 0.0 && stop > 0.0 && (0.0..stop).contains(&start) && longest >= 0.0;
        if !(2..=4).contains(&count) || !sound {
            let message = "the transient analysis makes no sense";
            let help = "write `.tran step stop [start [longest step]] [uic]` with positive times";
            let told = Diagnostic::new(spice_codes::WRONG_STATEMENT, line.span, message);
            return Err(told.help(help));
        }
        if start > 0.0 {
            let message = format!("results are written from 0 s, not only from {start} s");
            diagnostics.push(Diagnostic::new(spice_codes::NO_EFFECT, line.span, message));
        }
        let longest = if longest > 0.0 { longest } else { (stop - start) / 50.0 };
        Ok(Self { step: step.min(stop), stop, longest, uic, ..Self::ABSENT })
    }

    /// `.dc source start stop step`: a slow ramp of the source.
    fn of_sweep(
        line: &Line,
        scopes: &Scopes,
        scope: usize,
        diagnostics: &mut Diagnostics,
    ) -> Result<Self, Diagnostic> {
        let (words, _) = arguments(&line.tokens[1..]);
        let wrong = || {
            let message = "the sweep makes no sense";
            let help = "write `.dc source start stop step`";
            Diagnostic::new(spice_codes::WRONG_STATEMENT, line.span, message).help(help)
        };
        let [source, numbers @ ..] = &words[..] else { return Err(wrong()) };
        let numbers: Result<Vec<f64>, Diagnostic> =
            numbers.iter().take(3).map(|word| scopes.value(scope, word)).collect();
        let [start, stop, step] = numbers?[..] else { return Err(wrong()) };
        if !source.text.starts_with(['v', 'i']) || step == 0.0 || start == stop {
            let message = format!("a sweep of `{}` is not translated", source.text);
            let told = Diagnostic::new(spice_codes::NOT_TRANSLATED, line.span, message);
            return Err(told.help("a source can be swept, from one value to another"));
        }
        if words.len() > 4 {
            let message = "the second source of the sweep is not translated";
            diagnostics.push(Diagnostic::new(spice_codes::NOT_TRANSLATED, line.span, message));
        }
        let (stop_time, step) = ((stop - start).abs() * SLOW, step.abs() * SLOW);
        Ok(Self {
            step: step.min(stop_time),
            stop: stop_time,
            longest: stop_time / 50.0,
            is_dynamic: false,
            sweep: Some((source.text.clone(), start, stop)),
            ..Self::ABSENT
        })
    }

    /// Steps are so short that they see an oscillation. A rectifier conducts for a small part of a period; in the rest nothing
    /// changes, and a long step would pass over the next pulse.
    pub fn resolve(&mut self, frequency: f64) {
        /// Steps in a period.
        const STEPS: f64 = 30.0;
        if frequency > 0.0 && self.is_dynamic {
            self.longest = self.longest.min(1.0 / (STEPS * frequency));
        }
    }

    /// The ramp of a source, if it is the one that is swept.
    pub fn swept(&self, source: &str) -> Option<String> {
        let (name, start, stop) = self.sweep.as_ref()?;
        let slope = (stop - start) / self.stop;
        (name == source).then(|| format!("{} + {}*t", digits(*start), digits(slope)))
    }

    /// The Solver block. Models of transistors have bends in their derivatives, at which a method of low order loses
    /// least.
    pub fn block(&self) -> Block {
        let solver = Block::new("Solver", "transient")
            .word("Type", "dynamic")
            .word("Solver", "radau5")
            .number("Tstart", 0.0)
            .number("Tend", self.stop)
            .number("Tstep", self.step)
            .number("TstepMin", 0.0)
            .number("TstepMax", self.longest)
            .number("TstepIni", (0.1 * self.step).min(self.longest))
            .number("RelErr", self.relative)
            .number("AbsErr", 1e-4 * self.relative);
        if self.uic { solver } else { solver.word("Initial", "steady") }
    }
}
