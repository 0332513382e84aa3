//! `R`, `C`, `L` and the coupling `K` of inductors.

use crate::spice::block::Block;
use crate::spice::translate::{Outcome, Statement, Translator};
use parser::diagnostic::Diagnostic;

/// The value of a two-terminal element: the fourth word, or an assignment with the letter as name.
fn value(
    translator: &Translator<'_>,
    statement: &mut Statement<'_>,
    letter: &str,
    help: &str,
) -> Result<f64, Diagnostic> {
    let named = statement.take(translator, letter)?;
    match (named, statement.words.get(3), statement.words.len()) {
        (Some(value), None, _) => Ok(value),
        (None, Some(word), 4) => statement.value(translator, word),
        _ => Err(statement.wrong(help)),
    }
}

/// `Rname a b value`
pub fn resistor(translator: &mut Translator<'_>, statement: &mut Statement<'_>) -> Outcome {
    let help = "write `Rname node node value`";
    let ([p, n], _) = statement.nodes(translator, help)?;
    let resistance = value(translator, statement, "r", help)?;
    statement.tell_unused(translator);
    let block = Block::new("Resistor", &statement.name).word("p", &p).word("n", &n);
    translator.write(block.number("R", resistance));
    Ok(())
}

/// `Cname a b value [ic = v]`
pub fn capacitor(translator: &mut Translator<'_>, statement: &mut Statement<'_>) -> Outcome {
    let help = "write `Cname node node value`";
    let ([p, n], _) = statement.nodes(translator, help)?;
    let given = statement.take(translator, "ic")?;
    let capacitance = value(translator, statement, "c", help)?;
    statement.tell_unused(translator);
    let block = Block::new("Capacitor", &statement.name).word("p", &p).word("n", &n);
    let block = block.number("C", capacitance);
    let initial = initial_voltage(translator, statement, given, &p, &n);
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
    let given = statement.take(translator, "ic")?;
    let inductance = value(translator, statement, "l", help)?;
    statement.tell_unused(translator);
    let block = Block::new("Inductor", &statement.name).word("p", &p).word("n", &n);
    let block = block.number("L", inductance);
    translator.currents.push(statement.name.clone());
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

/// `Kname L1 L2 factor`
pub fn coupling(translator: &mut Translator<'_>, statement: &mut Statement<'_>) -> Outcome {
    let [_, first, second, factor] = statement.words[..] else {
        return Err(statement.wrong("write `Kname Lname Lname factor`"));
    };
    let factor = statement.value(translator, factor)?;
    statement.tell_unused(translator);
    let block = Block::new("MutualInductor", &statement.name)
        .word("Inductor1", &statement.sibling(first))
        .word("Inductor2", &statement.sibling(second))
        .number("K", factor);
    translator.write(block);
    Ok(())
}
