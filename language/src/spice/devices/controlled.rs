//! `E`, `G`, `F`, `H`: sources controlled by a voltage or a current, linear.

use crate::spice::block::Block;
use crate::spice::translate::{Outcome, Statement, Translator};

/// `Ename p n cp cn gain`
pub fn by_voltage(
    translator: &mut Translator<'_>,
    statement: &mut Statement<'_>,
    keyword: &str,
) -> Outcome {
    let help = "write `name node node control control gain`";
    let nonlinear =
        |word: &str| matches!(word, "poly" | "value" | "table" | "vol" | "cur" | "laplace");
    if let Some(word) = statement.words.get(3).filter(|word| nonlinear(&word.text)) {
        return Err(statement.not_translated(word.span, "the law"));
    }
    if let Some(law) = statement.assignments.iter().find(|a| nonlinear(&a.name.text)) {
        return Err(statement.not_translated(law.name.span, "the law"));
    }
    let ([p, n, cp, cn], rest) = statement.nodes(translator, help)?;
    let [gain] = rest.as_slice() else { return Err(statement.wrong(help)) };
    let gain = statement.value(translator, gain)?;
    statement.tell_unused(translator);
    let block = Block::new(keyword, &statement.name).word("p", &p).word("n", &n);
    translator.write(block.word("cp", &cp).word("cn", &cn).number("Gain", gain));
    if keyword == "VCVS" {
        translator.currents.push(statement.name.clone());
    }
    Ok(())
}

/// `Fname p n Vname gain`
pub fn by_current(
    translator: &mut Translator<'_>,
    statement: &mut Statement<'_>,
    keyword: &str,
) -> Outcome {
    let help = "write `name node node Vname gain`";
    if let Some(word) = statement.words.get(3).filter(|word| word.text == "poly") {
        return Err(statement.not_translated(word.span, "the law"));
    }
    let ([p, n], rest) = statement.nodes(translator, help)?;
    let [control, gain] = rest.as_slice() else { return Err(statement.wrong(help)) };
    let gain = statement.value(translator, gain)?;
    statement.tell_unused(translator);
    let block = Block::new(keyword, &statement.name).word("p", &p).word("n", &n);
    translator.write(block.word("Control", &statement.sibling(control)).number("Gain", gain));
    if keyword == "CCVS" {
        translator.currents.push(statement.name.clone());
    }
    Ok(())
}
