//! `T`: lossless lines, by the method of characteristics (Branin, Proc. IEEE 55 (1967) 2012): what leaves one end arrives at the
//! other one delay later, `v1 = z0 i1 + e1` with `e1(t) = v2(t - td) + z0 i2(t - td)`.

use crate::spice::block::{Block, digits, quoted};
use crate::spice::translate::{Outcome, Statement, Translator};

/// `Tname p1 n1 p2 n2 z0 = ... td = ...`, or `f = ... nl = ...`
pub fn lossless(translator: &mut Translator<'_>, statement: &mut Statement<'_>) -> Outcome {
    let help = "write `Tname node node node node z0=... td=...`";
    let ([p1, n1, p2, n2], _) = statement.nodes(translator, help)?;
    let impedance = statement.take(translator, "z0")?.or(statement.take(translator, "zo")?);
    let delay = statement.take(translator, "td")?;
    let frequency = statement.take(translator, "f")?;
    let length = statement.take(translator, "nl")?.unwrap_or(0.25);
    statement.tell_no_effect(translator, "rel");
    statement.tell_no_effect(translator, "abs");
    if statement.take(translator, "ic")?.is_some() {
        translator.diagnostics.push(statement.not_translated(statement.line.span, "`ic`"));
    }
    statement.tell_unused(translator);
    let delay = delay.or(frequency.map(|frequency| length / frequency));
    let (Some(impedance), Some(delay)) = (impedance, delay) else {
        return Err(statement.wrong(help));
    };
    if !(impedance > 0.0 && delay > 0.0) {
        return Err(statement.wrong("impedance and delay must be positive"));
    }
    let name = statement.name.clone();
    let ends = [(&p1, &n1), (&p2, &n2)];
    for (k, (p, n)) in ends.into_iter().enumerate() {
        translator.link(p, n);
        let (own, other) = (k + 1, 2 - k);
        let inner = format!("{name}.in{own}");
        let [resistor, source, wave] = ["z", "e", "w"].map(|part| format!("{name}.{part}{own}"));
        let arriving = quoted(&format!("{name}.w{other}"));
        let block = Block::new("Resistor", &resistor).word("p", p).word("n", &inner);
        translator.write(block.number("R", impedance));
        let block = Block::new("VoltageSource", &source).word("p", &inner).word("n", n);
        translator.write(block.expression("V", &format!("{arriving}.y")));
        // v + z0 i = 2 v - e, which leaves this end.
        let (resistor, source) = (quoted(&resistor), quoted(&source));
        let leaving = format!("{source}.v + {}*{resistor}.i", digits(2.0 * impedance));
        let block = Block::new("Delay", &wave).expression("u", &leaving);
        translator.write(block.number("T", delay));
    }
    Ok(())
}
