//! A file for each kind of element; the first letter of its name tells which.

mod bipolar_card;
mod controlled;
mod controlled_switch;
mod diode_card;
mod jfet_card;
mod model;
mod mosfet;
mod passive;
mod source;
mod temperature;
mod transmission_line;
mod waveform;

use super::translate::{Outcome, Statement, Translator};

/// What stands in the way of elements that are not translated.
const MISSING: &str = "such an element would need equations of its own";

/// What the first letter of an element that is not translated stands for.
fn kind(letter: char) -> &'static str {
    match letter {
        'a' => "the code model of XSPICE",
        'n' => "the model in Verilog-A",
        'o' => "the lossy line",
        'p' => "the coupled lines",
        'u' => "the line of resistances and capacitances, or the digital device,",
        'y' => "the lossy line",
        'z' => "the MESFET",
        _ => "the kind of element",
    }
}

/// Writes the block or blocks of an element.
pub fn write(translator: &mut Translator<'_>, statement: &mut Statement<'_>) -> Outcome {
    let letter = statement.words.first().and_then(|word| word.text.chars().next());
    match letter.unwrap_or(' ') {
        'r' => passive::resistor(translator, statement),
        'c' => passive::capacitor(translator, statement),
        'l' => passive::inductor(translator, statement),
        'k' => passive::coupling(translator, statement),
        'v' => source::voltage(translator, statement),
        'i' => source::current(translator, statement),
        'e' => controlled::by_voltage(translator, statement, "VCVS"),
        'g' => controlled::by_voltage(translator, statement, "VCCS"),
        'f' => controlled::by_current(translator, statement, "CCCS"),
        'h' => controlled::by_current(translator, statement, "CCVS"),
        'd' => diode_card::diode(translator, statement),
        'q' => bipolar_card::bipolar(translator, statement),
        'm' => mosfet::mosfet(translator, statement),
        's' => controlled_switch::by_voltage(translator, statement),
        'w' => controlled_switch::by_current(translator, statement),
        'j' => jfet_card::jfet(translator, statement),
        'b' => controlled::any(translator, statement),
        't' => transmission_line::lossless(translator, statement),
        other => Err(statement.not_translated(statement.line.span, kind(other)).help(MISSING)),
    }
}
