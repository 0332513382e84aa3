//! `S`, `W`: switches controlled by a voltage or a current, with hysteresis.

use crate::spice::block::{Block, digits, quoted};
use crate::spice::devices::model::Card;
use crate::spice::lines::Token;
use crate::spice::translate::{Outcome, Statement, Translator};

/// `Sname p n cp cn model [on|off]`
pub fn by_voltage(translator: &mut Translator<'_>, statement: &mut Statement<'_>) -> Outcome {
    let help = "write `Sname node node control control model`";
    let ([p, n], rest) = statement.nodes(translator, help)?;
    let [cp, cn, model, state @ ..] = rest.as_slice() else { return Err(statement.wrong(help)) };
    let [plus, minus] = [cp, cn].map(|word| statement.measured(translator, word));
    let control = if minus == "0" { plus } else { format!("{plus} - {minus}") };
    let card = Card::find(translator, statement, model, &["sw"])?;
    switch(translator, statement, [&p, &n], &control, card, ["vt", "vh"], state)
}

/// `Wname p n Vname model [on|off]`
pub fn by_current(translator: &mut Translator<'_>, statement: &mut Statement<'_>) -> Outcome {
    let help = "write `Wname node node Vname model`";
    let ([p, n], rest) = statement.nodes(translator, help)?;
    let [element, model, state @ ..] = rest.as_slice() else { return Err(statement.wrong(help)) };
    let control = format!("{}.i", quoted(&statement.sibling(element)));
    let card = Card::find(translator, statement, model, &["csw"])?;
    switch(translator, statement, [&p, &n], &control, card, ["it", "ih"], state)
}

fn switch(
    translator: &mut Translator<'_>,
    statement: &mut Statement<'_>,
    [p, n]: [&str; 2],
    control: &str,
    mut card: Card,
    [threshold, hysteresis]: [&str; 2],
    state: &[Token],
) -> Outcome {
    translator.link(p, n);
    let threshold = card.take(threshold, 0.0);
    let hysteresis = card.take(hysteresis, 0.0);
    let on = card.take("ron", 1.0);
    let off = card.take("roff", 1e12);
    card.tell_unused(translator, &[]);
    if let Some(word) = state.first().filter(|word| word.text == "on" && hysteresis != 0.0) {
        translator.diagnostics.push(statement.not_translated(word.span, "the initial state"));
    }
    statement.tell_unused(translator);
    // Closed, it stays so until the control has fallen below the lower threshold.
    let closed = if hysteresis > 0.0 {
        let (low, high) = (digits(threshold - hysteresis), digits(threshold + hysteresis));
        let state = format!("{}.state", quoted(&statement.name));
        format!("if({state} > 0.5, {control} >= {low}, {control} > {high})")
    } else {
        format!("{control} > {}", digits(threshold))
    };
    let block = Block::new("Switch", &statement.name).word("p", p).word("n", n);
    translator.write(block.expression("Closed", &closed).number("Ron", on).number("Roff", off));
    Ok(())
}
