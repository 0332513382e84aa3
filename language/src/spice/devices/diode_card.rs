//! `D`: diodes.

use parser::diagnostic::Diagnostic;

use crate::spice::block::Block;
use crate::spice::devices::model::Card;
use crate::spice::devices::temperature::Temperature;
use crate::spice::lines::Token;
use crate::spice::translate::{Outcome, Statement, Translator};

/// Parameters of noise, and limits of safe operation, which have no effect on the result.
const HARMLESS: [&str; 11] =
    ["kf", "af", "tnom", "level", "fv_max", "bv_max", "id_max", "te_max", "pd_max", "rth0", "mfg"];

/// The area factor among the words behind the model.
pub fn area(
    translator: &mut Translator<'_>,
    statement: &mut Statement<'_>,
    words: &[Token],
) -> Result<f64, Diagnostic> {
    let named = statement.take(translator, "area")?;
    let count = statement.take(translator, "m")?.unwrap_or(1.0);
    let mut area = named.unwrap_or(1.0);
    statement.tell_no_effect(translator, "ic");
    for word in words {
        match word.text.as_str() {
            // Only the first guess of the operating point.
            "off" => {}
            _ => area = statement.value(translator, word)?,
        }
    }
    let area = area * count;
    if area > 0.0 { Ok(area) } else { Err(statement.wrong("the area must be positive")) }
}

/// `Dname anode cathode model [area]`
pub fn diode(translator: &mut Translator<'_>, statement: &mut Statement<'_>) -> Outcome {
    let help = "write `Dname anode cathode model`";
    let ([p, n], rest) = statement.nodes(translator, help)?;
    let [model, words @ ..] = rest.as_slice() else { return Err(statement.wrong(help)) };
    translator.link(&p, &n);
    let mut card = Card::find(translator, statement, model, &["d"])?;
    let area = area(translator, statement, words)?;
    let edge = statement.take(translator, "pj")?.unwrap_or(0.0);
    let temperature = Temperature::of(translator, statement, &mut card)?;
    let emission = card.take("n", 1.0);
    let (gap, exponent) = (card.take("eg", 1.11), card.take("xti", 3.0));
    let growth = temperature.saturation(gap, exponent, emission);
    let at_edge = card.either(&["jsw", "isw"], 0.0) * edge;
    let saturation = (card.either(&["is", "js"], 1e-14) * area + at_edge) * growth;
    let grading = card.either(&["m", "mj"], 0.5)
        * temperature.polynomial([card.take("tm1", 0.0), card.take("tm2", 0.0)]);
    let capacitance = card.either(&["cjo", "cj0", "cj"], 0.0) * area;
    let (potential, capacitance) =
        temperature.junction(card.either(&["vj", "pb"], 1.0), capacitance, grading);
    let series = card.take("rs", 0.0) / area
        * temperature.polynomial([card.either(&["trs", "trs1"], 0.0), card.take("trs2", 0.0)]);
    let transit = card.take("tt", 0.0)
        * temperature.polynomial([card.take("ttt1", 0.0), card.take("ttt2", 0.0)]);
    let mut block = Block::new("Diode", &statement.name)
        .word("p", &p)
        .word("n", &n)
        .word("Model", "exponential")
        .number("Is", saturation)
        .unless("N", emission, 1.0)
        .unless("Rs", series, 0.0)
        .number("Vt", temperature.voltage())
        .number("Gmin", translator.gmin)
        .unless("Cj0", capacitance, 0.0)
        .unless("Vj", potential, 1.0)
        .unless("M", grading, 0.5)
        .unless("FC", card.take("fc", 0.5), 0.5)
        .unless("Tt", transit, 0.0)
        .unless("IKF", card.either(&["ikf", "ik"], 0.0) * area, 0.0);
    let recombination_emission = card.take("nr", 2.0);
    let recombination = card.take("isr", 0.0) * area;
    if recombination > 0.0 {
        let growth = temperature.saturation(gap, exponent, recombination_emission);
        block =
            block.number("ISR", recombination * growth).unless("NR", recombination_emission, 2.0);
    }
    let block = breakdown(block, &mut card, temperature, [saturation, emission, area]);
    card.tell_unused(translator, &HARMLESS);
    statement.tell_unused(translator);
    translator.write(block);
    Ok(())
}

/// The breakdown of a diode with this saturation current, emission coefficient and area.
fn breakdown(
    block: Block,
    card: &mut Card,
    temperature: Temperature,
    [saturation, emission, area]: [f64; 3],
) -> Block {
    let voltage = card.optional("bv");
    let current = card.either(&["ibv", "ib"], 1e-3) * area;
    let own_emission = card.take("nbv", emission);
    let shift = card.take("tcv", 0.0) * (temperature.now - temperature.nominal);
    let Some(voltage) = voltage.filter(|&voltage| voltage > 0.0) else { return block };
    let slope = [own_emission, temperature.voltage()];
    block
        .number("BV", inner_breakdown(voltage - shift, current, saturation, slope))
        .number("IBV", saturation)
        .unless("NBV", own_emission, emission)
}

/// The voltage at which the exponential function of the breakdown equals the saturation current, so that the current is
/// `current` at the breakdown voltage: the fixed point of SPICE, with the emission coefficient and the thermal voltage.
fn inner_breakdown(
    breakdown: f64,
    current: f64,
    saturation: f64,
    [emission, thermal]: [f64; 2],
) -> f64 {
    if current < saturation * breakdown / thermal {
        return breakdown;
    }
    let mut inner = breakdown - emission * thermal * (1.0 + current / saturation).ln();
    for _ in 0..25 {
        let ratio = current / saturation + 1.0 - inner / thermal;
        inner = breakdown - emission * thermal * ratio.ln();
    }
    if inner.is_finite() { inner } else { breakdown }
}
