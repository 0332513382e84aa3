//! `V` and `I`: independent sources.

use parser::diagnostic::Diagnostic;

use super::waveform;
use crate::spice::block::{Block, digits};
use crate::spice::lines::{Kind, Token};
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
    let law = law(translator, statement)?;
    let block = Block::new(keyword, &statement.name).word("p", &p).word("n", &n);
    translator.write(block.expression(parameter, &law));
    Ok(())
}

/// The value over time. With a waveform the constant counts only for the operating point of other analyses.
fn law(translator: &mut Translator<'_>, statement: &Statement<'_>) -> Result<String, Diagnostic> {
    let tokens: Vec<&Token> = statement.line.tokens.iter().skip(3).collect();
    let mut constant = 0.0;
    let mut wave = None;
    let mut at = 0;
    while let Some(&token) = tokens.get(at) {
        at += 1;
        match token.text.as_str() {
            _ if token.kind == Kind::Open || token.kind == Kind::Close => {}
            "dc" if token.kind == Kind::Word => {
                // `dc = 5` is written, too.
                at += usize::from(tokens.get(at).is_some_and(|t| t.kind == Kind::Equals));
                let Some(&value) = tokens.get(at) else {
                    return Err(statement.wrong("a value must follow `dc`"));
                };
                constant = statement.value(translator, value)?;
                at += 1;
            }
            "ac" | "distof1" | "distof2" if token.kind == Kind::Word => {
                let is_number = |t: &&Token| statement.value(translator, t).is_ok();
                at += tokens[at..].iter().take(2).take_while(|t| is_number(t)).count();
                let message = format!(
                    "`{}` of `{}` says nothing about the transient",
                    token.text, statement.name
                );
                translator.complain(crate::spice::spice_codes::NO_EFFECT, token.span, message);
            }
            kind if token.kind == Kind::Word && waveform::is_known(kind) => {
                let mut numbers = Vec::new();
                while let Some(&token) = tokens.get(at) {
                    match token.kind {
                        Kind::Open | Kind::Close => {}
                        Kind::Equals => {
                            return Err(statement.not_translated(token.span, "an option"));
                        }
                        _ if matches!(token.text.as_str(), "dc" | "ac" | "r" | "td") => break,
                        _ => numbers.push(statement.value(translator, token)?),
                    }
                    at += 1;
                }
                wave = Some(
                    waveform::expression(kind, &numbers, translator.transient)
                        .ok_or_else(|| statement.wrong(waveform::help(kind)))?,
                );
            }
            "r" | "td" if wave.is_some() => {
                return Err(statement.not_translated(token.span, "an option"));
            }
            "pat" | "sffm" | "am" | "trnoise" | "trrandom" | "external" => {
                return Err(statement.not_translated(token.span, "the waveform"));
            }
            _ => constant = statement.value(translator, token)?,
        }
    }
    Ok(wave.unwrap_or_else(|| digits(constant)))
}
