//! `{expression}`: arithmetic with the parameters of a netlist, evaluated while it is read.

use super::number;

/// Parentheses may be nested this deep.
const MAX_DEPTH: usize = 100;

/// Evaluates a text in lower case; `value_of` knows the parameters.
pub fn evaluate(text: &str, value_of: &dyn Fn(&str) -> Option<f64>) -> Result<f64, String> {
    let mut reader = Reader { text, at: 0, depth: 0, value_of };
    let value = reader.choice()?;
    reader.blanks();
    match reader.rest().chars().next() {
        Some(c) => Err(format!("`{c}` is not expected here")),
        None if value.is_finite() => Ok(value),
        None => Err("the value is not finite".into()),
    }
}

/// The names in a text that may be parameters.
pub fn names(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = text.get(at..).unwrap_or("");
        let name = identifier(rest);
        if !name.is_empty() {
            found.push(name);
            at += name.len();
        } else if let Some((_, length)) = number::prefix(rest.trim_start_matches(['+', '-'])) {
            at += length + rest.len() - rest.trim_start_matches(['+', '-']).len();
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    found
}

fn identifier(text: &str) -> &str {
    if !text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        return "";
    }
    let length = text.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
    &text[..length]
}

/// Operators of two operands from the loosest to the tightest, `^` and the choice apart.
const LEVELS: [&[&str]; 5] =
    [&["||"], &["&&"], &["==", "!=", "<=", ">=", "<", ">"], &["+", "-"], &["*", "/", "%"]];

struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    value_of: &'a dyn Fn(&str) -> Option<f64>,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    /// Passes `word` if it comes next.
    fn take(&mut self, word: &str) -> bool {
        self.blanks();
        let found = self.rest().starts_with(word);
        if found {
            self.at += word.len();
        }
        found
    }

    fn need(&mut self, word: &str) -> Result<(), String> {
        if self.take(word) { Ok(()) } else { Err(format!("`{word}` is missing")) }
    }

    /// `condition ? a : b`
    fn choice(&mut self) -> Result<f64, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("the expression is nested too deeply".into());
        }
        let condition = self.level(0)?;
        let value = if self.take("?") {
            let yes = self.choice()?;
            self.need(":")?;
            let no = self.choice()?;
            if condition == 0.0 { no } else { yes }
        } else {
            condition
        };
        self.depth -= 1;
        Ok(value)
    }

    fn level(&mut self, level: usize) -> Result<f64, String> {
        let Some(operators) = LEVELS.get(level) else { return self.sign() };
        let mut left = self.level(level + 1)?;
        loop {
            self.blanks();
            // `**` is a power, not a product.
            let rest = self.rest();
            let next = operators.iter().find(|o| rest.starts_with(**o) && !rest.starts_with("**"));
            let Some(operator) = next else { return Ok(left) };
            self.at += operator.len();
            left = combine(operator, left, self.level(level + 1)?);
        }
    }

    fn sign(&mut self) -> Result<f64, String> {
        let mut negative = false;
        loop {
            if self.take("-") {
                negative = !negative;
            } else if !self.take("+") {
                break;
            }
        }
        if self.take("!") {
            let value = self.power()?;
            return Ok(f64::from(value == 0.0));
        }
        let value = self.power()?;
        Ok(if negative { -value } else { value })
    }

    fn power(&mut self) -> Result<f64, String> {
        let base = self.operand()?;
        if self.take("**") || self.take("^") {
            self.depth += 1;
            if self.depth > MAX_DEPTH {
                return Err("the expression is nested too deeply".into());
            }
            let exponent = self.sign()?;
            self.depth -= 1;
            return Ok(base.powf(exponent));
        }
        Ok(base)
    }

    fn operand(&mut self) -> Result<f64, String> {
        for (open, close) in [("(", ")"), ("{", "}")] {
            if self.take(open) {
                let value = self.choice()?;
                self.need(close)?;
                return Ok(value);
            }
        }
        self.blanks();
        if let Some((value, length)) = number::prefix(self.rest()) {
            self.at += length;
            return Ok(value);
        }
        let name = identifier(self.rest());
        if name.is_empty() {
            return Err("a number or a name is missing".into());
        }
        self.at += name.len();
        if self.take("(") {
            return self.call(name);
        }
        match (name, (self.value_of)(name)) {
            (_, Some(value)) => Ok(value),
            ("pi", _) => Ok(std::f64::consts::PI),
            ("e", _) => Ok(std::f64::consts::E),
            _ => Err(format!("the parameter `{name}` does not exist")),
        }
    }

    /// The arguments behind `name(`, and the function's value.
    fn call(&mut self, name: &str) -> Result<f64, String> {
        let mut arguments = vec![self.choice()?];
        while self.take(",") {
            arguments.push(self.choice()?);
        }
        self.need(")")?;
        function(name, &arguments)
            .ok_or_else(|| format!("`{name}` is not a function of {} numbers", arguments.len()))
    }
}

fn combine(operator: &str, a: f64, b: f64) -> f64 {
    match operator {
        "||" => f64::from(a != 0.0 || b != 0.0),
        "&&" => f64::from(a != 0.0 && b != 0.0),
        "==" => f64::from(a == b),
        "!=" => f64::from(a != b),
        "<=" => f64::from(a <= b),
        ">=" => f64::from(a >= b),
        "<" => f64::from(a < b),
        ">" => f64::from(a > b),
        "+" => a + b,
        "-" => a - b,
        "*" => a * b,
        "/" => a / b,
        _ => a % b,
    }
}

fn function(name: &str, arguments: &[f64]) -> Option<f64> {
    Some(match (name, arguments) {
        ("sqrt", &[x]) => x.sqrt(),
        ("abs", &[x]) => x.abs(),
        ("exp", &[x]) => x.exp(),
        ("ln" | "log", &[x]) => x.ln(),
        ("log10", &[x]) => x.log10(),
        ("sin", &[x]) => x.sin(),
        ("cos", &[x]) => x.cos(),
        ("tan", &[x]) => x.tan(),
        ("asin", &[x]) => x.asin(),
        ("acos", &[x]) => x.acos(),
        ("atan" | "arctan", &[x]) => x.atan(),
        ("sinh", &[x]) => x.sinh(),
        ("cosh", &[x]) => x.cosh(),
        ("tanh", &[x]) => x.tanh(),
        ("int", &[x]) => x.trunc(),
        ("floor", &[x]) => x.floor(),
        ("ceil", &[x]) => x.ceil(),
        ("nint", &[x]) => x.round_ties_even(),
        ("sgn", &[x]) => f64::from(x > 0.0) - f64::from(x < 0.0),
        ("min", &[x, y]) => x.min(y),
        ("max", &[x, y]) => x.max(y),
        ("pow" | "pwr", &[x, y]) => x.powf(y),
        ("ternary_fcn", &[c, x, y]) => {
            if c == 0.0 {
                y
            } else {
                x
            }
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Result<f64, String> {
        evaluate(text, &|name| match name {
            "a" => Some(3.0),
            "r_1" => Some(1e3),
            _ => None,
        })
    }

    #[test]
    fn arithmetic() {
        let cases = [
            ("1+2*a", 7.0),
            ("-a^2", -9.0),
            ("2**-1", 0.5),
            ("a > 2 ? 10k : 1", 1e4),
            ("a==3&&!(a<1)", 1.0),
            ("max(a, r_1/100)", 10.0),
            ("{a}*(1meg - 1)", 3.0 * 999_999.0),
            ("1-2-3", -4.0),
            ("sgn(-2) + int(2.7)", 1.0),
            ("2*pi", std::f64::consts::TAU),
        ];
        for (text, expected) in cases {
            assert_eq!(value(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn mistakes() {
        for text in ["", "1+", "b", "(1", "1 2", "sqrt(1,2)", "1/0", "foo(1)"] {
            assert!(value(text).is_err(), "{text}");
        }
        assert!(value(&"(".repeat(100_000)).is_err());
        assert!(value(&"-".repeat(100_000)).is_err());
        assert!(value(&"2^".repeat(100_000)).is_err());
    }

    #[test]
    fn names_are_found() {
        assert_eq!(names("2*a + sqrt(r_1) - 1e3k"), ["a", "sqrt", "r_1"]);
    }
}
