//! `D` and `Q`: diodes and bipolar transistors.

use parser::diagnostic::Diagnostic;

use crate::spice::block::Block;
use crate::spice::devices::model::Card;
use crate::spice::lines::Token;
use crate::spice::translate::{Outcome, Statement, Translator};

/// The conductance that SPICE puts across every junction.
pub const GMIN: f64 = 1e-12;

/// Parameters of temperature and noise, which have no effect at 27 degrees.
const HARMLESS: [&str; 9] = ["eg", "xti", "xtb", "kf", "af", "tnom", "tref", "level", "fc"];

/// The area factor among the words behind the model.
fn area(
    translator: &mut Translator<'_>,
    statement: &mut Statement<'_>,
    words: &[Token],
) -> Result<f64, Diagnostic> {
    let named = statement.take(translator, "area")?;
    let mut area = named.unwrap_or(1.0);
    for word in words {
        match word.text.as_str() {
            "off" => translator.diagnostics.push(statement.not_translated(word.span, "`off`")),
            _ => area = statement.value(translator, word)?,
        }
    }
    if area > 0.0 { Ok(area) } else { Err(statement.wrong("the area must be positive")) }
}

/// `Dname anode cathode model [area]`
pub fn diode(translator: &mut Translator<'_>, statement: &mut Statement<'_>) -> Outcome {
    let help = "write `Dname anode cathode model`";
    let ([p, n], rest) = statement.nodes(translator, help)?;
    let [model, words @ ..] = rest.as_slice() else { return Err(statement.wrong(help)) };
    let area = area(translator, statement, words)?;
    let mut card = Card::find(translator, statement, model, &["d"])?;
    let block = Block::new("Diode", &statement.name)
        .word("p", &p)
        .word("n", &n)
        .word("Model", "exponential")
        .number("Is", card.take("is", 1e-14) * area)
        .unless("N", card.take("n", 1.0), 1.0)
        .unless("Rs", card.take("rs", 0.0) / area, 0.0)
        .number("Gmin", GMIN)
        .unless("BV", card.take("bv", 0.0), 0.0)
        .unless("IBV", card.take("ibv", 1e-3) * area, 1e-3)
        .unless("Cj0", card.either(&["cj0", "cjo"], 0.0) * area, 0.0)
        .unless("Vj", card.either(&["pb", "vj"], 1.0), 1.0)
        .unless("M", card.either(&["mj", "m"], 0.5), 0.5)
        .unless("FC", card.take("fc", 0.5), 0.5)
        .unless("Tt", card.take("tt", 0.0), 0.0);
    card.tell_unused(translator, &HARMLESS);
    statement.tell_unused(translator);
    translator.write(block);
    Ok(())
}

/// `Qname collector base emitter [substrate] model [area]`
pub fn bipolar(translator: &mut Translator<'_>, statement: &mut Statement<'_>) -> Outcome {
    let help = "write `Qname collector base emitter model`";
    let ([c, b, e], rest) = statement.nodes(translator, help)?;
    let is_model = |word: &Token| translator.netlist.model(statement.section, &word.text).is_some();
    let (model, words) = match rest.as_slice() {
        [substrate, model, words @ ..] if !is_model(substrate) && is_model(model) => {
            let told = statement.not_translated(substrate.span, "the substrate");
            translator.diagnostics.push(told);
            (model, words)
        }
        [model, words @ ..] => (model, words),
        [] => return Err(statement.wrong(help)),
    };
    let area = area(translator, statement, words)?;
    let mut card = Card::find(translator, statement, model, &["npn", "pnp"])?;
    let keyword = if card.kind == "npn" { "NPN" } else { "PNP" };
    let block = Block::new(keyword, &statement.name)
        .word("c", &c)
        .word("b", &b)
        .word("e", &e)
        .number("Is", card.take("is", 1e-16) * area)
        .unless("BF", card.take("bf", 100.0), 100.0)
        .unless("BR", card.take("br", 1.0), 1.0)
        .unless("NF", card.take("nf", 1.0), 1.0)
        .unless("NR", card.take("nr", 1.0), 1.0)
        .unless("VAF", card.either(&["va", "vaf"], 0.0), 0.0)
        .unless("VAR", card.either(&["vb", "var"], 0.0), 0.0)
        .unless("RB", card.take("rb", 0.0) / area, 0.0)
        .unless("RC", card.take("rc", 0.0) / area, 0.0)
        .unless("RE", card.take("re", 0.0) / area, 0.0)
        .number("Gmin", GMIN)
        .unless("CJE", card.take("cje", 0.0) * area, 0.0)
        .unless("CJC", card.take("cjc", 0.0) * area, 0.0)
        .unless("VJE", card.either(&["pe", "vje"], 0.75), 0.75)
        .unless("VJC", card.either(&["pc", "vjc"], 0.75), 0.75)
        .unless("MJE", card.either(&["me", "mje"], 0.33), 0.33)
        .unless("MJC", card.either(&["mc", "mjc"], 0.33), 0.33)
        .unless("FC", card.take("fc", 0.5), 0.5)
        .unless("TF", card.take("tf", 0.0), 0.0)
        .unless("TR", card.take("tr", 0.0), 0.0);
    card.tell_unused(translator, &HARMLESS);
    statement.tell_unused(translator);
    translator.write(block);
    Ok(())
}
