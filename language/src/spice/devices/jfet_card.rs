//! `J`: junction field effect transistors.

use crate::spice::block::Block;
use crate::spice::devices::diode_card::area;
use crate::spice::devices::model::Card;
use crate::spice::devices::temperature::Temperature;
use crate::spice::translate::{Outcome, Statement, Translator};

/// The band gap of the gate's junctions, eV.
const GAP: f64 = 1.11;

/// `Jname drain gate source model [area]`
pub fn jfet(translator: &mut Translator<'_>, statement: &mut Statement<'_>) -> Outcome {
    let help = "write `Jname drain gate source model`";
    let ([d, g, s], rest) = statement.nodes(translator, help)?;
    let [model, words @ ..] = rest.as_slice() else { return Err(statement.wrong(help)) };
    translator.link(&d, &s);
    translator.link(&g, &s);
    let mut card = Card::find(translator, statement, model, &["njf", "pjf"])?;
    let level = card.take("level", 1.0);
    if level != 1.0 {
        let what = format!("level {level} of the model");
        return Err(statement.not_translated(model.span, &what));
    }
    let area = area(translator, statement, words)?;
    let temperature = Temperature::of(translator, statement, &mut card)?;
    let tail = card.take("b", 1.0);
    if tail != 1.0 {
        let told = statement.not_translated(model.span, "the tail `b` of the model");
        translator.diagnostics.push(told);
    }
    let dt = temperature.now - temperature.nominal;
    let threshold = match card.optional("vtotc") {
        Some(slope) => slope * dt,
        None => -card.take("tcv", 0.0) * dt,
    };
    let growth = match card.optional("betatce") {
        Some(percent) => 1.01_f64.powf(percent * dt),
        None => temperature.power(card.take("bex", 0.0)),
    };
    let gap = card.take("eg", GAP);
    let saturation = temperature.saturation(gap, card.take("xti", 0.0), 1.0);
    let potential = card.take("pb", 1.0);
    let (now, _) = temperature.junction(potential, 0.0, 0.5);
    let mut layer =
        |name: &str| temperature.junction(potential, card.take(name, 0.0) * area, 0.5).1;
    let (gate_source, gate_drain) = (layer("cgs"), layer("cgd"));
    let block = Block::new(if card.kind == "njf" { "NJF" } else { "PJF" }, &statement.name)
        .word("d", &d)
        .word("g", &g)
        .word("s", &s)
        .number("Vto", card.either(&["vto", "vt0"], -2.0) + threshold)
        .number("Beta", card.take("beta", 1e-4) * area * growth)
        .unless("Lambda", card.take("lambda", 0.0), 0.0)
        .unless("RD", card.take("rd", 0.0) / area, 0.0)
        .unless("RS", card.take("rs", 0.0) / area, 0.0)
        .number("Is", card.take("is", 1e-14) * saturation * area)
        .unless("N", card.take("n", 1.0), 1.0)
        .number("Vt", temperature.voltage())
        .number("Gmin", translator.gmin)
        .unless("Cgs", gate_source, 0.0)
        .unless("Cgd", gate_drain, 0.0)
        .unless("PB", now, 1.0)
        .unless("FC", card.take("fc", 0.5), 0.5);
    card.tell_unused(translator, &["kf", "af", "tnom", "nlev", "gdsnoi"]);
    statement.tell_unused(translator);
    translator.write(block);
    Ok(())
}
