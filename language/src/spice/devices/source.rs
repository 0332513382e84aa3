//! `V` and `I`: independent sources.

use parser::diagnostic::Diagnostic;

use super::waveform;
use crate::spice::ac_sweep::AcInput;
use crate::spice::block::{Block, digits};
use crate::spice::lines::{Kind, Token};
use crate::spice::spice_codes;
use crate::spice::translate::{Outcome, Statement, Translator};

/// `Vname p n value or waveform`
pub fn voltage(translator: &mut Translator<'_>, statement: &mut Statement<'_>) -> Outcome {
    source(translator, statement, "VoltageSource", "V")?;
    translator.currents.push(statement.name.clone());
    Ok(())
}

/// `Iname p n value or waveform`
pub fn current(translator: &mut Translator<'_>, statement: &mut Statement<'_>) -> Outcome {
    source(translator, statement, "CurrentSource", "I")
}

fn source(
    translator: &mut Translator<'_>,
    statement: &mut Statement<'_>,
    keyword: &str,
    parameter: &str,
) -> Outcome {
    let ([p, n], _) = statement.nodes(translator, "write `name node node value` or a waveform")?;
    if keyword == "VoltageSource" {
        translator.link(&p, &n);
    }
    let tokens: Vec<&Token> = statement.line.tokens.iter().skip(3).collect();
    let law = Law::read(translator, statement, tokens)?;
    if let Some((amplitude, phase)) = law.amplitude {
        let (source, parameter) = (statement.name.clone(), parameter.to_string());
        let amplitude = amplitude * law.count.unwrap_or(1.0);
        translator.inputs.push(AcInput { source, parameter, amplitude, phase });
    }
    let value = law.value(translator, statement)?;
    let block = Block::new(keyword, &statement.name).word("p", &p).word("n", &n);
    translator.write(block.expression(parameter, &value));
    Ok(())
}

/// What stands behind the nodes of a source.
#[derive(Default)]
struct Law<'a> {
    /// `dc`, if it is given.
    constant: Option<f64>,
    /// Amplitude and phase in degrees behind `ac`, if there is a sweep.
    amplitude: Option<(f64, f64)>,
    /// The name of the waveform and its numbers.
    wave: Option<(&'a str, Vec<f64>)>,
    /// From which time on the points of `pwl` repeat, and how much later they come.
    repeat: Option<f64>,
    delay: f64,
    /// How many sources there are.
    count: Option<f64>,
}

/// The words of a source while they are read.
struct Words<'a> {
    tokens: Vec<&'a Token>,
    at: usize,
}

impl<'a> Words<'a> {
    fn next(&mut self) -> Option<&'a Token> {
        self.at += 1;
        self.tokens.get(self.at - 1).copied()
    }

    fn is_equals(&self) -> bool {
        self.tokens.get(self.at).is_some_and(|token| token.kind == Kind::Equals)
    }

    /// The value behind a name, with or without `=`.
    fn value(
        &mut self,
        translator: &Translator<'_>,
        statement: &Statement<'_>,
        help: &str,
    ) -> Result<f64, Diagnostic> {
        self.at += usize::from(self.is_equals());
        let value = self.next().ok_or_else(|| statement.wrong(help))?;
        statement.value(translator, value)
    }

    /// The numbers that follow, two at most.
    fn up_to_two(&mut self, translator: &Translator<'_>, statement: &Statement<'_>) -> Vec<f64> {
        let behind = self.tokens[self.at..].iter().take(2);
        let numbers = behind.map_while(|token| statement.value(translator, token).ok());
        let numbers: Vec<f64> = numbers.collect();
        self.at += numbers.len();
        numbers
    }

    /// The numbers of a waveform.
    fn numbers(
        &mut self,
        translator: &Translator<'_>,
        statement: &Statement<'_>,
    ) -> Result<Vec<f64>, Diagnostic> {
        let mut numbers = Vec::new();
        while let Some(&token) = self.tokens.get(self.at) {
            match token.kind {
                Kind::Open | Kind::Close => {}
                Kind::Equals => return Err(statement.not_translated(token.span, "an option")),
                _ if matches!(token.text.as_str(), "dc" | "ac" | "r" | "td" | "distof1") => break,
                _ => numbers.push(statement.value(translator, token)?),
            }
            self.at += 1;
        }
        Ok(numbers)
    }
}

impl<'a> Law<'a> {
    fn read(
        translator: &mut Translator<'_>,
        statement: &Statement<'_>,
        tokens: Vec<&'a Token>,
    ) -> Result<Self, Diagnostic> {
        let mut law = Self::default();
        let mut words = Words { tokens, at: 0 };
        while let Some(token) = words.next() {
            match token.text.as_str() {
                _ if token.kind == Kind::Open || token.kind == Kind::Close => {}
                "dc" if token.kind == Kind::Word => {
                    let help = "a value must follow `dc`";
                    law.constant = Some(words.value(translator, statement, help)?);
                }
                "ac" if token.kind == Kind::Word && translator.sweep.is_some() => {
                    words.at += usize::from(words.is_equals());
                    let given = words.up_to_two(translator, statement);
                    let value = |k: usize, other: f64| given.get(k).copied().unwrap_or(other);
                    law.amplitude = Some((value(0, 1.0), value(1, 0.0)));
                }
                "ac" | "distof1" | "distof2" if token.kind == Kind::Word => {
                    words.up_to_two(translator, statement);
                    let (name, own) = (&token.text, &statement.name);
                    let message = format!("`{name}` of `{own}` says nothing about the transient");
                    translator.complain(spice_codes::NO_EFFECT, token.span, message);
                }
                kind if token.kind == Kind::Word && waveform::is_known(kind) => {
                    law.wave = Some((kind, words.numbers(translator, statement)?));
                }
                "r" | "td" if law.wave.is_some() => {
                    let help = "a value must follow `r` and `td`";
                    let value = words.value(translator, statement, help)?;
                    match token.text.as_str() {
                        "r" => law.repeat = Some(value),
                        _ => law.delay = value,
                    }
                }
                "pat" | "trnoise" | "trrandom" | "external" | "port" | "portnum" => {
                    return Err(statement.not_translated(token.span, "the waveform"));
                }
                "m" if words.is_equals() => {
                    let help = "a value must follow `m`";
                    law.count = Some(words.value(translator, statement, help)?);
                }
                _ => law.constant = Some(statement.value(translator, token)?),
            }
        }
        Ok(law)
    }

    /// The value over time. With a waveform the constant counts only for the operating point of other analyses.
    fn value(
        &self,
        translator: &mut Translator<'_>,
        statement: &Statement<'_>,
    ) -> Result<String, Diagnostic> {
        if let Some((kind, numbers)) = &self.wave {
            let fastest = waveform::frequency(kind, numbers);
            translator.transient.resolve(fastest);
        }
        let transient = &translator.transient;
        let text = match &self.wave {
            Some((kind, numbers)) if transient.is_dynamic => {
                let text = match *kind {
                    "pwl" => waveform::repeated(numbers, self.repeat, self.delay),
                    _ => waveform::expression(kind, numbers, transient),
                };
                text.ok_or_else(|| statement.wrong(waveform::help(kind)))?
            }
            // A sweep starts from the value at rest.
            wave => transient.swept(&statement.name).unwrap_or_else(|| {
                let at_rest = |(kind, numbers): &(&str, Vec<f64>)| waveform::at_rest(kind, numbers);
                let value = self.constant.or(wave.as_ref().map(at_rest));
                digits(value.unwrap_or(0.0))
            }),
        };
        Ok(match self.count {
            Some(count) if count != 1.0 => format!("{}*({text})", digits(count)),
            _ => text,
        })
    }
}
