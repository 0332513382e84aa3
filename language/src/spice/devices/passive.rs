//! `R`, `C`, `L` and the coupling `K` of inductors.

use crate::spice::assignments::written_assignments;
use crate::spice::block::{Block, digits};
use crate::spice::devices::model::Card;
use crate::spice::devices::temperature::Temperature;
use crate::spice::lines::{Kind, Token};
use crate::spice::translate::{Outcome, Statement, Translator};
use parser::diagnostic::Diagnostic;

/// A value that is a number, or an expression of the circuit.
enum Value {
    Number(f64),
    Text(String),
}

impl Value {
    fn text(&self) -> String {
        match self {
            Self::Number(number) => digits(*number),
            Self::Text(text) => text.clone(),
        }
    }

    fn times(self, factor: f64) -> Self {
        match self {
            Self::Number(number) => Self::Number(number * factor),
            Self::Text(text) if factor == 1.0 => Self::Text(text),
            Self::Text(text) => Self::Text(format!("{}*({text})", digits(factor))),
        }
    }
}

/// The value of a two-terminal element: the fourth word, an assignment with the letter as name, or what its model gives.
struct Passive {
    value: Value,
    card: Option<Card>,
}

impl Passive {
    fn take(
        translator: &mut Translator<'_>,
        statement: &mut Statement<'_>,
        letter: &str,
        help: &str,
    ) -> Result<Self, Diagnostic> {
        let mut words: Vec<Token> =
            statement.words.iter().skip(3).map(|&word| word.clone()).collect();
        let mut card = model(translator, statement, &mut words, letter)?;
        let temperature = match &mut card {
            Some(card) => Temperature::of(translator, statement, card)?,
            None => Temperature::of_element(translator, statement, translator.nominal)?,
        };
        let full = match letter {
            "r" => "resistance",
            "c" => "capacitance",
            _ => "inductance",
        };
        let is_named = |name: &str| name == letter || name == full || name == "value";
        let named = statement.assignments.iter().position(|own| is_named(&own.name.text));
        let named = named.map(|at| statement.assignments.swap_remove(at));
        let value = match (&named, words.first()) {
            (Some(assignment), _) if assignment.value.kind != Kind::Expression => {
                // `r = 2*x` without braces.
                let own = written_assignments(&statement.line.raw);
                let own = own.into_iter().find(|(name, ..)| is_named(name)).map(|(.., text)| text);
                value(translator, statement, &own.unwrap_or_default(), &assignment.value)?
            }
            (Some(assignment), _) => {
                value(translator, statement, &assignment.value.text, &assignment.value)?
            }
            (None, Some(word)) => value(translator, statement, &word.text, word)?,
            (None, None) => match card
                .as_mut()
                .and_then(|card| from_model(translator, statement, card, letter).transpose())
            {
                Some(number) => Value::Number(number?),
                None => return Err(statement.wrong(help)),
            },
        };
        let value = growth(
            translator,
            statement,
            &mut card,
            value,
            temperature,
            words.get(1..).unwrap_or(&[]),
        )?;
        Ok(Self { value, card })
    }

    /// Tells what of element and model was not used.
    fn finish(&self, translator: &mut Translator<'_>, statement: &Statement<'_>) {
        if let Some(card) = &self.card {
            card.tell_unused(
                translator,
                &[
                    "kf", "af", "tnom", "level", "bv_max", "lf", "wf", "ef", "defw", "narrow",
                    "short", "rsh", "l", "w",
                ],
            );
        }
        statement.tell_unused(translator);
    }
}

/// The model that one of the words names, which is taken out.
fn model(
    translator: &Translator<'_>,
    statement: &Statement<'_>,
    words: &mut Vec<Token>,
    letter: &str,
) -> Result<Option<Card>, Diagnostic> {
    let is_model = |word: &Token| {
        let known = translator.netlist.model(statement.section, &word.text);
        word.kind == Kind::Word && known.is_some()
    };
    let Some(at) = words.iter().position(is_model) else { return Ok(None) };
    let name = words.remove(at);
    let kinds: [&str; 2] = match letter {
        "r" => ["r", "res"],
        "c" => ["c", "cap"],
        _ => ["l", "ind"],
    };
    Card::find(translator, statement, &name, &kinds).map(Some)
}

/// A word or expression: a number if only parameters occur.
fn value(
    translator: &mut Translator<'_>,
    statement: &Statement<'_>,
    text: &str,
    token: &Token,
) -> Result<Value, Diagnostic> {
    let known = statement.value(translator, token);
    let expression = Token { kind: Kind::Expression, text: text.to_string(), ..token.clone() };
    match known.or_else(|_| statement.value(translator, &expression)) {
        Ok(number) => Ok(Value::Number(number)),
        Err(told) if token.kind == Kind::Word && !text.contains('(') => Err(told),
        Err(_) => statement.expression(translator, text).map(Value::Text),
    }
}

/// Sheet resistance and shape, or the capacitance of an area, or what the model gives outright.
fn from_model(
    translator: &Translator<'_>,
    statement: &mut Statement<'_>,
    card: &mut Card,
    letter: &str,
) -> Result<Option<f64>, Diagnostic> {
    let length = statement.take(translator, "l")?;
    let width = statement.take(translator, "w")?.or_else(|| card.optional("defw"));
    Ok(match letter {
        "r" => {
            let narrow = card.take("narrow", 0.0);
            let shape = (length, width.or(Some(1e-5)), card.optional("rsh"));
            match shape {
                (Some(length), Some(width), Some(sheet)) => {
                    Some(sheet * (length - narrow) / (width - narrow))
                }
                _ => card.either_optional(&["r", "res"]),
            }
        }
        "c" => match (length, width, card.optional("cj")) {
            (Some(length), Some(width), Some(area)) => {
                let edge = card.take("cjsw", 0.0);
                Some(area * length * width + 2.0 * edge * (length + width))
            }
            _ => card.either_optional(&["c", "cap"]),
        },
        _ => card.either_optional(&["l", "ind"]),
    })
}

/// What temperature, number and scale make of a value.
fn growth(
    translator: &mut Translator<'_>,
    statement: &mut Statement<'_>,
    card: &mut Option<Card>,
    value: Value,
    temperature: Temperature,
    behind: &[Token],
) -> Result<Value, Diagnostic> {
    let mut coefficients = [0.0; 2];
    for (k, name) in ["tc1", "tc2"].into_iter().enumerate() {
        let of_model = card.as_mut().map_or(0.0, |card| card.take(name, 0.0));
        coefficients[k] = statement.take(translator, name)?.unwrap_or(of_model);
    }
    // `tc = 1e-3, 2e-6`: the second number stands behind.
    if let Some(first) = statement.take(translator, "tc")? {
        coefficients[0] = first;
        if let Some(second) = behind.first() {
            coefficients[1] = statement.value(translator, second)?;
        }
    }
    let count = statement.take(translator, "m")?.unwrap_or(1.0);
    let scale = statement.take(translator, "scale")?.unwrap_or(1.0);
    let is_resistor = statement.words.first().is_some_and(|word| word.text.starts_with('r'));
    let count = if is_resistor { 1.0 / count } else { count };
    for name in ["ac", "noisy", "noise"] {
        statement.tell_no_effect(translator, name);
    }
    Ok(value.times(temperature.polynomial(coefficients) * count * scale))
}

/// `Rname a b value`
pub fn resistor(translator: &mut Translator<'_>, statement: &mut Statement<'_>) -> Outcome {
    /// ngspice takes no resistance of zero.
    const LEAST: f64 = 1e-3;
    let help = "write `Rname node node value`";
    let ([p, n], _) = statement.nodes(translator, help)?;
    translator.link(&p, &n);
    let passive = Passive::take(translator, statement, "r", help)?;
    passive.finish(translator, statement);
    let text = match passive.value {
        Value::Number(0.0) => digits(LEAST),
        value => value.text(),
    };
    let block = Block::new("Resistor", &statement.name).word("p", &p).word("n", &n);
    translator.write(block.expression("R", &text));
    Ok(())
}

/// `Cname a b value [ic = v]`
pub fn capacitor(translator: &mut Translator<'_>, statement: &mut Statement<'_>) -> Outcome {
    let help = "write `Cname node node value`";
    let ([p, n], _) = statement.nodes(translator, help)?;
    let given = statement.take(translator, "ic")?;
    let passive = Passive::take(translator, statement, "c", help)?;
    passive.finish(translator, statement);
    let Value::Number(capacitance) = passive.value else {
        let span = statement.line.span;
        return Err(statement.not_translated(span, "the capacitance that depends on the circuit"));
    };
    let initial = initial_voltage(translator, statement, given, &p, &n);
    if capacitance == 0.0 {
        let block = Block::new("CurrentSource", &statement.name).word("p", &p).word("n", &n);
        translator.write(block.number("I", 0.0));
        return Ok(());
    }
    let block = Block::new("Capacitor", &statement.name).word("p", &p).word("n", &n);
    let block = block.number("C", capacitance);
    translator.write(match initial {
        Some(voltage) => block.number("Vinit", voltage),
        None => block,
    });
    Ok(())
}

/// The voltage that a capacitor starts with, if the netlist gives it.
///
/// Without `uic` its own value means nothing to SPICE, and `.ic` holds the voltages of nodes in the operating
/// point: a capacitor between two such nodes (or one and ground) has its voltage fixed.
fn initial_voltage(
    translator: &mut Translator<'_>,
    statement: &Statement<'_>,
    given: Option<f64>,
    p: &str,
    n: &str,
) -> Option<f64> {
    let uic = translator.transient.uic;
    if given.is_some() && uic {
        return given;
    }
    if given.is_some() {
        tell_no_uic(translator, statement);
    }
    let held = |node: &str| match translator.initial.get(node) {
        Some(&(voltage, ..)) => Some(voltage),
        None if node == "gnd" => Some(0.0),
        None => None,
    };
    let (at_p, at_n) = (held(p), held(n));
    let named = |node: &str| translator.initial.contains_key(node);
    if !named(p) && !named(n) {
        return None;
    }
    let voltage = match (at_p, at_n) {
        (Some(at_p), Some(at_n)) => at_p - at_n,
        _ if uic => at_p.unwrap_or(0.0) - at_n.unwrap_or(0.0),
        _ => return None,
    };
    for node in [p, n] {
        if let Some((_, _, taken)) = translator.initial.get_mut(node) {
            *taken = true;
        }
    }
    Some(voltage)
}

fn tell_no_uic(translator: &mut Translator<'_>, statement: &Statement<'_>) {
    let message = format!("the initial value of `{}` counts only with `uic`", statement.name);
    translator.complain(crate::spice::spice_codes::NO_EFFECT, statement.line.span, message);
}

/// `Lname a b value [ic = i]`
pub fn inductor(translator: &mut Translator<'_>, statement: &mut Statement<'_>) -> Outcome {
    let help = "write `Lname node node value`";
    let ([p, n], _) = statement.nodes(translator, help)?;
    translator.link(&p, &n);
    let given = statement.take(translator, "ic")?;
    let passive = Passive::take(translator, statement, "l", help)?;
    passive.finish(translator, statement);
    let Value::Number(inductance) = passive.value else {
        let span = statement.line.span;
        return Err(statement.not_translated(span, "the inductance that depends on the circuit"));
    };
    translator.currents.push(statement.name.clone());
    if inductance == 0.0 {
        let block = Block::new("VoltageSource", &statement.name).word("p", &p).word("n", &n);
        translator.write(block.number("V", 0.0));
        return Ok(());
    }
    let block = Block::new("Inductor", &statement.name).word("p", &p).word("n", &n);
    let block = block.number("L", inductance);
    let block = match given {
        Some(current) if translator.transient.uic => block.number("Iinit", current),
        Some(_) => {
            tell_no_uic(translator, statement);
            block
        }
        None => block,
    };
    translator.write(block);
    Ok(())
}

/// `Kname L1 L2 [L3 ...] factor`: every pair is coupled.
pub fn coupling(translator: &mut Translator<'_>, statement: &mut Statement<'_>) -> Outcome {
    let words: Vec<Token> = statement.words.iter().map(|&word| word.clone()).collect();
    let [_, coils @ .., factor] = &words[..] else {
        return Err(statement.wrong("write `Kname Lname Lname factor`"));
    };
    if coils.len() < 2 {
        return Err(statement.wrong("write `Kname Lname Lname factor`"));
    }
    let factor = statement.value(translator, factor)?;
    statement.tell_unused(translator);
    let mut count = 0;
    for (k, first) in coils.iter().enumerate() {
        for second in &coils[k + 1..] {
            count += 1;
            let suffix = if count == 1 { String::new() } else { format!(".{count}") };
            let name = format!("{}{suffix}", statement.name);
            let block = Block::new("MutualInductor", &name)
                .word("Inductor1", &statement.sibling(first))
                .word("Inductor2", &statement.sibling(second))
                .number("K", factor);
            translator.write(block);
        }
    }
    Ok(())
}
