//! A file for each kind of element; the first letter of its name tells which.

mod bipolar_card;
mod controlled;
mod controlled_switch;
mod diode_card;
mod model;
mod mosfet;
mod passive;
mod source;
mod temperature;
mod waveform;

use super::translate::{Outcome, Statement, Translator};

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
        's' => controlled_switch::switch(translator, statement),
        _ => Err(statement.not_translated(statement.line.span, "the kind of element")),
    }
}
