//! `Q`: bipolar transistors.

use crate::spice::block::Block;
use crate::spice::devices::diode_card::area;
use crate::spice::devices::model::Card;
use crate::spice::devices::temperature::Temperature;
use crate::spice::lines::Token;
use crate::spice::translate::{Outcome, Statement, Translator};

/// Parameters of noise and of other levels, and limits of safe operation, which have no effect on the result.
const HARMLESS: [&str; 14] = [
    "kf", "af", "tnom", "level", "vbe_max", "vbc_max", "vce_max", "ic_max", "ib_max", "pd_max",
    "te_max", "rth0", "mfg", "vceo",
];

/// `Qname collector base emitter [substrate] model [area]`
pub fn bipolar(translator: &mut Translator<'_>, statement: &mut Statement<'_>) -> Outcome {
    let help = "write `Qname collector base emitter model`";
    let ([c, b, e], rest) = statement.nodes(translator, help)?;
    let is_model = |word: &Token| translator.netlist.model(statement.section, &word.text).is_some();
    let (substrate, model, words) = match rest.as_slice() {
        [substrate, model, words @ ..] if !is_model(substrate) && is_model(model) => {
            (statement.terminal(translator, substrate), model, words)
        }
        [model, words @ ..] => ("gnd".to_string(), model, words),
        [] => return Err(statement.wrong(help)),
    };
    for other in [&b, &e, &substrate] {
        translator.link(&c, other);
    }
    let mut card = Card::find(translator, statement, model, &["npn", "pnp"])?;
    let area = area(translator, statement, words)?;
    let level = card.take("level", 1.0);
    if level != 1.0 {
        let what = format!("level {level} of the model");
        return Err(statement.not_translated(model.span, &what));
    }
    let temperature = Temperature::of(translator, statement, &mut card)?;
    let keyword = if card.kind == "npn" { "NPN" } else { "PNP" };
    let is_vertical = card.take("subs", if keyword == "NPN" { 1.0 } else { -1.0 }) > 0.0;
    let block = Block::new(keyword, &statement.name)
        .word("c", &c)
        .word("b", &b)
        .word("e", &e)
        .word("s", &substrate);
    let block = if is_vertical { block } else { block.word("Structure", "lateral") };
    let block = currents(block, &mut card, temperature, area);
    let block = charges(block, &mut card, temperature, area).number("Gmin", translator.gmin);
    card.tell_unused(translator, &HARMLESS);
    statement.tell_unused(translator);
    translator.write(block);
    Ok(())
}

/// What determines currents at rest.
fn currents(block: Block, card: &mut Card, temperature: Temperature, area: f64) -> Block {
    let (gap, exponent) = (card.take("eg", 1.11), card.take("xti", 3.0));
    let gain = temperature.power(card.take("xtb", 0.0));
    let growth = |emission: f64| temperature.saturation(gap, exponent, emission);
    let mut resistance = |name: &str, coefficients: [&str; 2]| {
        let line = temperature.polynomial(coefficients.map(|name| card.take(name, 0.0)));
        card.optional(name).map(|value| value * line / area)
    };
    let base = resistance("rb", ["trb1", "trb2"]).unwrap_or(0.0);
    let least = resistance("rbm", ["trm1", "trm2"]).filter(|&least| least != base);
    let collector = resistance("rc", ["trc1", "trc2"]).unwrap_or(0.0);
    let emitter = resistance("re", ["tre1", "tre2"]).unwrap_or(0.0);
    let (leak_e, leak_c) = (card.either(&["ise", "c2"], 0.0), card.either(&["isc", "c4"], 0.0));
    let (emission_e, emission_c) = (card.take("ne", 1.5), card.take("nc", 2.0));
    let mut block = block
        .number("Is", card.take("is", 1e-16) * area * growth(1.0))
        .unless("BF", card.take("bf", 100.0) * gain, 100.0)
        .unless("BR", card.take("br", 1.0) * gain, 1.0)
        .unless("NF", card.take("nf", 1.0), 1.0)
        .unless("NR", card.take("nr", 1.0), 1.0)
        .unless("VAF", finite(card.either(&["va", "vaf"], 0.0)), 0.0)
        .unless("VAR", finite(card.either(&["vb", "var"], 0.0)), 0.0)
        .unless("IKF", finite(card.either(&["ik", "ikf"], 0.0)) * area, 0.0)
        .unless("IKR", finite(card.take("ikr", 0.0)) * area, 0.0)
        .unless("ISE", leak_e * area * growth(emission_e) / gain, 0.0)
        .unless("NE", emission_e, 1.5)
        .unless("ISC", leak_c * area * growth(emission_c) / gain, 0.0)
        .unless("NC", emission_c, 2.0)
        .number("Vt", temperature.voltage())
        .unless("RB", base, 0.0);
    if let Some(least) = least.filter(|&least| least > 0.0) {
        block = block.number("RBM", least);
    }
    block
        .unless("IRB", card.either(&["irb", "iob", "jrb"], 0.0) * area, 0.0)
        .unless("RC", collector, 0.0)
        .unless("RE", emitter, 0.0)
}

/// What stores charges.
fn charges(mut block: Block, card: &mut Card, temperature: Temperature, area: f64) -> Block {
    for (capacitance, potential, grading, names) in [
        (["cje", "cje"], ["pe", "vje"], (["me", "mje"], 0.33), ["CJE", "VJE", "MJE"]),
        (["cjc", "cjc"], ["pc", "vjc"], (["mc", "mjc"], 0.33), ["CJC", "VJC", "MJC"]),
        (["cjs", "ccs"], ["ps", "vjs"], (["ms", "mjs"], 0.0), ["CJS", "VJS", "MJS"]),
    ] {
        let (grading_names, usual) = grading;
        let size = card.either(&capacitance, 0.0) * area;
        let (at, slope) = (card.either(&potential, 0.75), card.either(&grading_names, usual));
        let (potential, capacitance) = temperature.junction(at, size, slope);
        block = block.unless(names[0], capacitance, 0.0);
        if size > 0.0 {
            block = block.unless(names[1], potential, 0.75).unless(names[2], slope, usual);
        }
    }
    block
        .unless("FC", card.take("fc", 0.5), 0.5)
        .unless("XCJC", card.take("xcjc", 1.0), 1.0)
        .unless("TF", card.take("tf", 0.0), 0.0)
        .unless("XTF", card.take("xtf", 0.0), 0.0)
        .unless("VTF", finite(card.take("vtf", 0.0)), 0.0)
        .unless("ITF", finite(card.take("itf", 0.0)) * area, 0.0)
        .unless("TR", card.take("tr", 0.0), 0.0)
}

/// A value so large that it stands for infinity has no effect, as zero has.
fn finite(value: f64) -> f64 {
    if value < 1e30 { value } else { 0.0 }
}
