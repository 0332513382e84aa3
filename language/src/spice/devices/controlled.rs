//! `E`, `G`, `F`, `H`: sources controlled by a voltage or a current, linear or not, and `B`: sources with any expression.

use parser::diagnostic::Diagnostic;

use crate::spice::assignments::written_assignments;
use crate::spice::block::{Block, digits, quoted};
use crate::spice::expression_text::piecewise;
use crate::spice::lines::{Kind, Token};
use crate::spice::translate::{Outcome, Statement, Translator};

/// Names of laws that are expressions.
const LAWS: [&str; 6] = ["value", "vol", "cur", "v", "i", "q"];

/// `Ename p n cp cn gain`, `Ename p n POLY(n) ...`, `Ename p n value = {expression}`, `Ename p n TABLE {x} = (x, y) ...`
pub fn by_voltage(
    translator: &mut Translator<'_>,
    statement: &mut Statement<'_>,
    keyword: &str,
) -> Outcome {
    let help = "write `name node node control control gain`, `POLY(n) ...`, `TABLE {x} = ...` or `value = {expression}`";
    let ([p, n], rest) = statement.nodes(translator, help)?;
    let is_voltage = keyword == "VCVS";
    if is_voltage {
        translator.link(&p, &n);
        translator.currents.push(statement.name.clone());
    }
    let law = statement.assignments.iter().find(|a| LAWS.contains(&a.name.text.as_str()));
    let kind = law.map(|law| law.name.text.clone());
    let word = rest.first().map(|word| word.text.clone()).unwrap_or_default();
    let text = match (kind, word.as_str()) {
        (Some(kind), _) => written_law(translator, statement, &kind)?,
        (None, "table") => table(translator, statement, help)?,
        (None, "poly") => polynomial(translator, statement, &rest[1..], 2, help)?,
        (None, "vcvs" | "vccs") => {
            return linear(translator, statement, keyword, [&p, &n], &rest[1..], help);
        }
        (None, "laplace" | "freq") => {
            return Err(statement.not_translated(statement.line.span, "the transfer function"));
        }
        // `value {expression}`
        (None, "value" | "vol" | "cur") => match rest.get(1) {
            Some(own) => statement.expression(translator, &own.text)?,
            None => return Err(statement.wrong(help)),
        },
        _ => return linear(translator, statement, keyword, [&p, &n], &rest, help),
    };
    write(translator, statement, is_voltage, [&p, &n], &text);
    Ok(())
}

/// A source that follows an expression.
fn write(
    translator: &mut Translator<'_>,
    statement: &mut Statement<'_>,
    is_voltage: bool,
    [p, n]: [&str; 2],
    text: &str,
) {
    let (keyword, parameter) =
        if is_voltage { ("VoltageSource", "V") } else { ("CurrentSource", "I") };
    let block = Block::new(keyword, &statement.name).word("p", p).word("n", n);
    translator.write(block.expression(parameter, text));
}

fn linear(
    translator: &mut Translator<'_>,
    statement: &mut Statement<'_>,
    keyword: &str,
    [p, n]: [&str; 2],
    rest: &[Token],
    help: &str,
) -> Outcome {
    let [cp, cn, gain, ..] = rest else { return Err(statement.wrong(help)) };
    let count = statement.take(translator, "m")?.unwrap_or(1.0);
    let gain = statement.value(translator, gain)? * count;
    statement.tell_unused(translator);
    let [cp, cn] = [cp, cn].map(|word| statement.terminal(translator, word));
    let block = Block::new(keyword, &statement.name).word("p", p).word("n", n);
    translator.write(block.word("cp", &cp).word("cn", &cn).number("Gain", gain));
    Ok(())
}

/// The expression behind `value =` or `v =`, with the factors behind it.
fn written_law(
    translator: &mut Translator<'_>,
    statement: &mut Statement<'_>,
    kind: &str,
) -> Result<String, Diagnostic> {
    if kind == "q" {
        return Err(statement.not_translated(statement.line.span, "the charge"));
    }
    let written = written_assignments(&statement.line.raw);
    let mut text = None;
    for (name, _, own) in &written {
        match name.as_str() {
            _ if name == kind => text = Some(own.clone()),
            "tc1" | "tc2" | "temp" | "dtemp" | "m" | "reciproctc" | "reciprocm" => {
                let message = format!("`{name}` of `{}` is not translated", statement.name);
                let span = statement.line.span;
                translator.complain(crate::spice::spice_codes::NOT_TRANSLATED, span, message);
            }
            _ => {}
        }
    }
    let text = text.ok_or_else(|| statement.wrong("an expression must follow"))?;
    statement.expression(translator, &text)
}

/// `TABLE {expression} = (x, y) (x, y) ...`: straight lines, constant beyond the ends.
fn table(
    translator: &mut Translator<'_>,
    statement: &mut Statement<'_>,
    help: &str,
) -> Result<String, Diagnostic> {
    let tokens = &statement.line.tokens;
    let Some(at) = tokens.iter().position(|token| token.kind == Kind::Expression) else {
        return Err(statement.wrong(help));
    };
    let text = tokens[at].text.clone();
    let numbers =
        tokens[at + 1..].iter().filter(|t| matches!(t.kind, Kind::Word | Kind::Expression));
    let numbers: Result<Vec<f64>, Diagnostic> =
        numbers.map(|token| statement.value(translator, token)).collect();
    let numbers = numbers?;
    let points: Vec<(f64, f64)> = numbers.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
    let x = statement.expression(translator, &text)?;
    let wrong = || statement.wrong("the points of a table have increasing x");
    piecewise(&format!("({x})"), &points, false).ok_or_else(wrong)
}

/// `POLY(n)`, the controls, the coefficients: as a sum of products, with `size` words for each control.
fn polynomial(
    translator: &mut Translator<'_>,
    statement: &mut Statement<'_>,
    words: &[Token],
    size: usize,
    help: &str,
) -> Result<String, Diagnostic> {
    let [count, rest @ ..] = words else { return Err(statement.wrong(help)) };
    let count = statement.value(translator, count)?;
    let n = if (1.0..=20.0).contains(&count) { count as usize } else { 0 };
    if n == 0 || rest.len() < n * size + 1 {
        return Err(statement.wrong(help));
    }
    let mut controls = Vec::with_capacity(n);
    for control in rest[..n * size].chunks_exact(size) {
        controls.push(match control {
            [plus, minus] => {
                let [plus, minus] = [plus, minus].map(|word| statement.measured(translator, word));
                if minus == "0" { plus } else { format!("({plus} - {minus})") }
            }
            [element, ..] => format!("{}.i", quoted(&statement.sibling(element))),
            [] => String::new(),
        });
    }
    let numbers = rest[n * size..].iter().take_while(|word| word.text != "ic");
    let numbers: Result<Vec<f64>, Diagnostic> =
        numbers.map(|word| statement.value(translator, word)).collect();
    let mut numbers = numbers?;
    // One coefficient alone is a gain.
    if numbers.len() == 1 && n == 1 {
        numbers.insert(0, 0.0);
    }
    let mut terms = Vec::new();
    let mut powers = vec![0_usize; n];
    for number in numbers {
        if number != 0.0 {
            let factors = powers
                .iter()
                .zip(&controls)
                .flat_map(|(&power, x)| std::iter::repeat_n(x.as_str(), power));
            let product: Vec<&str> = factors.collect();
            let number = digits(number);
            let number = if number.starts_with('-') { format!("({number})") } else { number };
            terms.push(
                std::iter::once(number.as_str()).chain(product).collect::<Vec<_>>().join("*"),
            );
        }
        next_powers(&mut powers);
    }
    Ok(if terms.is_empty() { "0".into() } else { terms.join(" + ") })
}

/// The powers of the next term: by their sum, then the first variable before the last one.
fn next_powers(powers: &mut [usize]) {
    let last = powers.len() - 1;
    // One moves from the last variable but one that has any to the next, with all that the last one has.
    match powers[..last].iter().rposition(|&power| power > 0) {
        Some(at) => {
            let moved = std::mem::take(&mut powers[last]) + 1;
            powers[at] -= 1;
            powers[at + 1] += moved;
        }
        None => {
            let sum = std::mem::take(&mut powers[last]) + 1;
            powers[0] = sum;
        }
    }
}

/// `Fname p n Vname gain` or `Fname p n POLY(n) Vname ... coefficients`
pub fn by_current(
    translator: &mut Translator<'_>,
    statement: &mut Statement<'_>,
    keyword: &str,
) -> Outcome {
    let help = "write `name node node Vname gain`";
    let ([p, n], rest) = statement.nodes(translator, help)?;
    let is_voltage = keyword == "CCVS";
    if is_voltage {
        translator.link(&p, &n);
        translator.currents.push(statement.name.clone());
    }
    let rest = match rest.first().map(|word| word.text.as_str()) {
        Some("poly") => {
            let text = polynomial(translator, statement, &rest[1..], 1, help)?;
            write(translator, statement, is_voltage, [&p, &n], &text);
            return Ok(());
        }
        Some("cccs" | "ccvs") => &rest[1..],
        _ => &rest[..],
    };
    let [control, gain, ..] = rest else { return Err(statement.wrong(help)) };
    let count = statement.take(translator, "m")?.unwrap_or(1.0);
    let gain = statement.value(translator, gain)? * count;
    statement.tell_unused(translator);
    let block = Block::new(keyword, &statement.name).word("p", &p).word("n", &n);
    translator.write(block.word("Control", &statement.sibling(control)).number("Gain", gain));
    Ok(())
}

/// `Bname p n V = expression` or `I = expression`
pub fn any(translator: &mut Translator<'_>, statement: &mut Statement<'_>) -> Outcome {
    let help = "write `Bname node node V = expression` or `I = expression`";
    let ([p, n], _) = statement.nodes(translator, help)?;
    let written = written_assignments(&statement.line.raw);
    let kind =
        written.iter().map(|(name, ..)| name.as_str()).find(|name| ["v", "i"].contains(name));
    let Some(kind) = kind.map(str::to_string) else { return Err(statement.wrong(help)) };
    let is_voltage = kind == "v";
    if is_voltage {
        translator.link(&p, &n);
        translator.currents.push(statement.name.clone());
    }
    let text = written_law(translator, statement, &kind)?;
    write(translator, statement, is_voltage, [&p, &n], &text);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::next_powers;

    #[test]
    fn terms_of_a_polynomial_follow_each_other_as_in_spice() {
        let mut powers = vec![0, 0];
        let mut found = Vec::new();
        for _ in 0..7 {
            found.push((powers[0], powers[1]));
            next_powers(&mut powers);
        }
        assert_eq!(found, [(0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2), (3, 0)]);
        let mut powers = vec![0, 0, 0];
        let mut found = Vec::new();
        for _ in 0..10 {
            found.push(powers.clone());
            next_powers(&mut powers);
        }
        let squares = [[2, 0, 0], [1, 1, 0], [1, 0, 1], [0, 2, 0], [0, 1, 1], [0, 0, 2]];
        assert_eq!(found[4..], squares);
    }
}
