//! `M`: field effect transistors of level 1 (Shichman and Hodges).

use crate::spice::block::Block;
use crate::spice::devices::model::Card;
use crate::spice::devices::temperature::Temperature;
use crate::spice::translate::{Outcome, Statement, Translator};

/// Permittivity of silicon dioxide, F/m.
const OXIDE: f64 = 3.9 * 8.854_214_871e-12;

/// `Mname drain gate source bulk model [l = ] [w = ] ...`
pub fn mosfet(translator: &mut Translator<'_>, statement: &mut Statement<'_>) -> Outcome {
    let help = "write `Mname drain gate source bulk model l=... w=...`";
    let ([d, g, s, b], rest) = statement.nodes(translator, help)?;
    let [model, off @ ..] = rest.as_slice() else { return Err(statement.wrong(help)) };
    for word in off {
        translator
            .diagnostics
            .push(statement.not_translated(word.span, &format!("`{}`", word.text)));
    }
    let mut card = Card::find(translator, statement, model, &["nmos", "pmos"])?;
    let temperature = Temperature::of(translator, statement, &mut card)?;
    let level = card.take("level", 1.0);
    if level != 1.0 {
        let what = format!("level {level} of the model");
        return Err(statement.not_translated(model.span, &what));
    }
    let width = statement.take(translator, "w")?.unwrap_or(1e-4);
    let drawn = statement.take(translator, "l")?.unwrap_or(1e-4);
    let count = statement.take(translator, "m")?.unwrap_or(1.0);
    let length = drawn - 2.0 * card.take("ld", 0.0);
    if !(width > 0.0 && length > 0.0 && count > 0.0) {
        return Err(statement.wrong("width, length and number must be positive"));
    }
    let keyword = if card.kind == "nmos" { "NMOS" } else { "PMOS" };
    let width = width * count;
    let oxide = card.optional("tox");
    if oxide.is_some() {
        let told =
            statement.not_translated(model.span, "the gate's capacitance that follows from `tox`");
        translator.diagnostics.push(told);
    }
    let block = Block::new(keyword, &statement.name)
        .word("d", &d)
        .word("g", &g)
        .word("s", &s)
        .word("b", &b)
        .number("Vto", card.either(&["vt0", "vto"], 0.0))
        .number("Kp", transconductance(&mut card, oxide))
        .number("W", width)
        .number("L", length)
        .unless("Lambda", card.take("lambda", 0.0), 0.0)
        .unless("Gamma", card.take("gamma", 0.0), 0.0)
        .unless("Phi", card.take("phi", 0.6), 0.6)
        .unless("RD", card.take("rd", 0.0) / count, 0.0)
        .unless("RS", card.take("rs", 0.0) / count, 0.0)
        .unless("Cgs", card.take("cgso", 0.0) * width, 0.0)
        .unless("Cgd", card.take("cgdo", 0.0) * width, 0.0)
        .unless("Cgb", card.take("cgbo", 0.0) * length * count, 0.0)
        .unless("Cbd", card.take("cbd", 0.0) * count, 0.0)
        .unless("Cbs", card.take("cbs", 0.0) * count, 0.0)
        .number("Is", card.take("is", 1e-14) * count)
        .number("Vt", temperature.voltage());
    card.tell_unused(translator, &["kf", "af", "tnom", "fc", "pb"]);
    statement.tell_unused(translator);
    translator.write(block);
    leakage(translator, &statement.name, "gbd", &b, &d);
    leakage(translator, &statement.name, "gbs", &b, &s);
    Ok(())
}

/// KP, or UO eps/TOX where it is not given; the mobility is in cm^2/(V s).
fn transconductance(card: &mut Card, oxide: Option<f64>) -> f64 {
    let mobility = card.take("uo", 600.0);
    match (card.optional("kp"), oxide) {
        (Some(kp), _) => kp,
        (None, Some(oxide)) if oxide > 0.0 => mobility * 1e-4 * OXIDE / oxide,
        _ => 2e-5,
    }
}

/// The conductance across a junction that has no element of its own.
fn leakage(translator: &mut Translator<'_>, name: &str, suffix: &str, p: &str, n: &str) {
    if p != n && translator.gmin > 0.0 {
        let block = Block::new("Resistor", &format!("{name}.{suffix}")).word("p", p).word("n", n);
        translator.write(block.number("R", 1.0 / translator.gmin));
    }
}
