//! `S`: a switch controlled by a voltage, with hysteresis.

use crate::spice::block::{Block, digits, quoted};
use crate::spice::devices::model::Card;
use crate::spice::translate::{Outcome, Statement, Translator};

/// `Sname p n cp cn model [on|off]`
pub fn switch(translator: &mut Translator<'_>, statement: &mut Statement<'_>) -> Outcome {
    let help = "write `Sname node node control control model`";
    let ([p, n, cp, cn], rest) = statement.nodes(translator, help)?;
    translator.measured.extend([cp.clone(), cn.clone()]);
    let [model, state @ ..] = rest.as_slice() else { return Err(statement.wrong(help)) };
    let mut card = Card::find(translator, statement, model, &["sw"])?;
    let threshold = card.take("vt", 0.0);
    let hysteresis = card.take("vh", 0.0);
    let on = card.take("ron", 1.0);
    let off = card.take("roff", 1e12);
    card.tell_unused(translator, &[]);
    if let Some(word) = state.first() {
        translator.diagnostics.push(statement.not_translated(word.span, "the initial state"));
    }
    statement.tell_unused(translator);
    let control = match cn.as_str() {
        "gnd" => translator.voltage(&cp),
        _ => format!("{} - {}", translator.voltage(&cp), translator.voltage(&cn)),
    };
    // Closed, it stays so until the control voltage has fallen below the lower threshold.
    let closed = if hysteresis > 0.0 {
        let (low, high) = (digits(threshold - hysteresis), digits(threshold + hysteresis));
        let state = format!("{}.state", quoted(&statement.name));
        format!("if({state} > 0.5, {control} >= {low}, {control} > {high})")
    } else {
        format!("{control} > {}", digits(threshold))
    };
    let block = Block::new("Switch", &statement.name).word("p", &p).word("n", &n);
    translator.write(block.expression("Closed", &closed).number("Ron", on).number("Roff", off));
    Ok(())
}
