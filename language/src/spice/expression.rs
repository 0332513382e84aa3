//! Expressions of a netlist as trees: parsed here, evaluated where only parameters occur, written as time expressions
//! (`expression_text.rs`) where voltages, currents and the time do.

use super::number;

/// Parentheses may be nested this deep.
const MAX_DEPTH: usize = 100;
/// An expression may have this many operations, functions of the netlist written out.
const MAX_NODES: usize = 100_000;

/// One operation; operands stand before it in the tree.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    Number(f64),
    /// A parameter, or `time`, `temper`, `hertz`.
    Name(String),
    /// `v(a)`, `v(a,b)`, `i(v1)`: a letter and names.
    Quantity(char, Vec<String>),
    Negate(usize),
    Not(usize),
    Binary(&'static str, usize, usize),
    /// `condition ? a : b`
    Choice(usize, usize, usize),
    Call(String, Vec<usize>),
}

/// An expression; the last node is the whole.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree {
    pub nodes: Vec<Node>,
}

impl Tree {
    /// Parses a text in lower case.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut reader = Reader { text, at: 0, depth: 0, tree: Self::default() };
        reader.choice()?;
        reader.blanks();
        match reader.rest().chars().next() {
            Some(c) => Err(format!("`{c}` is not expected here")),
            None => Ok(reader.tree),
        }
    }

    /// Adds a node; its number.
    pub fn push(&mut self, node: Node) -> Result<usize, String> {
        if self.nodes.len() >= MAX_NODES {
            return Err("the expression is too long".into());
        }
        self.nodes.push(node);
        Ok(self.nodes.len() - 1)
    }

    /// The numbers of the nodes that are the whole and its parts down to the leaves: all but leftovers.
    pub fn root(&self) -> usize {
        self.nodes.len().saturating_sub(1)
    }

    /// The value of each node that has one by itself; `value_of` knows the parameters.
    pub fn values(&self, value_of: &dyn Fn(&str) -> Option<f64>) -> Vec<Result<f64, String>> {
        let mut values: Vec<Result<f64, String>> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let value = self.value(node, &values, value_of);
            values.push(value);
        }
        values
    }

    fn value(
        &self,
        node: &Node,
        values: &[Result<f64, String>],
        value_of: &dyn Fn(&str) -> Option<f64>,
    ) -> Result<f64, String> {
        let value = |k: usize| values[k].clone();
        Ok(match node {
            Node::Number(number) => *number,
            Node::Name(name) => match (value_of(name), name.as_str()) {
                (Some(value), _) => value,
                (None, "pi") => std::f64::consts::PI,
                (None, "e") => std::f64::consts::E,
                (None, "hertz") => 0.0,
                _ => return Err(format!("the parameter `{name}` does not exist")),
            },
            Node::Quantity(letter, _) => {
                return Err(format!("`{letter}(...)` is not known before the circuit runs"));
            }
            Node::Negate(a) => -value(*a)?,
            Node::Not(a) => f64::from(value(*a)? == 0.0),
            Node::Binary(operator, a, b) => combine(operator, value(*a)?, value(*b)?),
            Node::Choice(c, a, b) => value(if value(*c)? == 0.0 { *b } else { *a })?,
            Node::Call(name, arguments) => {
                let arguments: Result<Vec<f64>, String> =
                    arguments.iter().map(|&k| value(k)).collect();
                let arguments = arguments?;
                function(name, &arguments).ok_or_else(|| {
                    format!("`{name}` is not a function of {} numbers", arguments.len())
                })?
            }
        })
    }

    /// The value of the whole.
    pub fn evaluate(&self, value_of: &dyn Fn(&str) -> Option<f64>) -> Result<f64, String> {
        let value =
            self.values(value_of).pop().unwrap_or_else(|| Err("nothing is written".into()))?;
        if value.is_finite() { Ok(value) } else { Err("the value is not finite".into()) }
    }
}

/// The names in a text that may be parameters or functions.
pub fn names(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = text.get(at..).unwrap_or("");
        let name = identifier(rest);
        if !name.is_empty() {
            found.push(name);
            at += name.len();
        } else if let Some((_, length)) = number::prefix(rest) {
            at += length;
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    found
}

/// The name at the start of a text.
pub fn identifier(text: &str) -> &str {
    if !text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        return "";
    }
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'#');
    let length = text.bytes().take_while(is_part).count();
    &text[..length]
}

/// Operators of two operands from the loosest to the tightest, `^` and the choice apart.
const LEVELS: [&[&str]; 5] = [
    &["||", "|"],
    &["&&", "&"],
    &["==", "!=", "<>", "<=", ">=", "<", ">"],
    &["+", "-"],
    &["*", "/", "%", "\\"],
];

struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    tree: Tree,
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

    fn deeper(&mut self) -> Result<(), String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("the expression is nested too deeply".into());
        }
        Ok(())
    }

    /// `condition ? a : b`
    fn choice(&mut self) -> Result<usize, String> {
        self.deeper()?;
        let condition = self.level(0)?;
        let node = if self.take("?") {
            let yes = self.choice()?;
            self.need(":")?;
            let no = self.choice()?;
            self.tree.push(Node::Choice(condition, yes, no))?
        } else {
            condition
        };
        self.depth -= 1;
        Ok(node)
    }

    fn level(&mut self, level: usize) -> Result<usize, String> {
        let Some(operators) = LEVELS.get(level) else { return self.sign() };
        let mut left = self.level(level + 1)?;
        loop {
            self.blanks();
            // `**` is a power, not a product.
            let rest = self.rest();
            let next = operators.iter().find(|o| rest.starts_with(**o) && !rest.starts_with("**"));
            let Some(&operator) = next else { return Ok(left) };
            self.at += operator.len();
            let right = self.level(level + 1)?;
            left = self.tree.push(Node::Binary(operator, left, right))?;
        }
    }

    fn sign(&mut self) -> Result<usize, String> {
        let mut negative = false;
        loop {
            if self.take("-") {
                negative = !negative;
            } else if !self.take("+") {
                break;
            }
        }
        let is_not = self.take("!") || self.take("~");
        let mut value = self.power()?;
        if is_not {
            value = self.tree.push(Node::Not(value))?;
        }
        if negative {
            value = self.tree.push(Node::Negate(value))?;
        }
        Ok(value)
    }

    fn power(&mut self) -> Result<usize, String> {
        let base = self.operand()?;
        if self.take("**") || self.take("^") {
            self.deeper()?;
            let exponent = self.sign()?;
            self.depth -= 1;
            return self.tree.push(Node::Binary("^", base, exponent));
        }
        Ok(base)
    }

    fn operand(&mut self) -> Result<usize, String> {
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
            return self.tree.push(Node::Number(value));
        }
        let name = identifier(self.rest());
        if name.is_empty() {
            return Err("a number or a name is missing".into());
        }
        self.at += name.len();
        if self.take("(") {
            return self.call(name);
        }
        self.tree.push(Node::Name(name.to_string()))
    }

    /// The arguments behind `name(`.
    fn call(&mut self, name: &str) -> Result<usize, String> {
        if let "v" | "i" = name {
            let inside = self.rest().split(')').next().unwrap_or("");
            self.at += inside.len();
            self.need(")")?;
            let names = inside.split(',').map(|name| name.trim().to_string()).collect();
            let letter = if name == "v" { 'v' } else { 'i' };
            return self.tree.push(Node::Quantity(letter, names));
        }
        let mut arguments = Vec::new();
        if !self.take(")") {
            arguments.push(self.choice()?);
            while self.take(",") {
                arguments.push(self.choice()?);
            }
            self.need(")")?;
        }
        self.tree.push(Node::Call(name.to_string(), arguments))
    }
}

fn combine(operator: &str, a: f64, b: f64) -> f64 {
    match operator {
        "||" | "|" => f64::from(a != 0.0 || b != 0.0),
        "&&" | "&" => f64::from(a != 0.0 && b != 0.0),
        "==" => f64::from(a == b),
        "!=" | "<>" => f64::from(a != b),
        "<=" => f64::from(a <= b),
        ">=" => f64::from(a >= b),
        "<" => f64::from(a < b),
        ">" => f64::from(a > b),
        "+" => a + b,
        "-" => a - b,
        "*" => a * b,
        "/" => a / b,
        "\\" => (a / b).trunc(),
        "^" => a.powf(b),
        _ => a % b,
    }
}

/// The value of a function; `None` if there is none of this name and number of arguments.
pub fn function(name: &str, arguments: &[f64]) -> Option<f64> {
    Some(match (name, arguments) {
        ("sqrt", &[x]) => x.sqrt(),
        ("sqr", &[x]) => x * x,
        ("abs", &[x]) => x.abs(),
        ("exp", &[x]) => x.exp(),
        ("ln" | "log", &[x]) => x.ln(),
        ("log10", &[x]) => x.log10(),
        ("sin", &[x]) => x.sin(),
        ("cos", &[x]) => x.cos(),
        ("tan", &[x]) => x.tan(),
        ("asin" | "arcsin", &[x]) => x.asin(),
        ("acos" | "arccos", &[x]) => x.acos(),
        ("atan" | "arctan", &[x]) => x.atan(),
        ("atan2", &[y, x]) => y.atan2(x),
        ("sinh", &[x]) => x.sinh(),
        ("cosh", &[x]) => x.cosh(),
        ("tanh", &[x]) => x.tanh(),
        ("asinh", &[x]) => x.asinh(),
        ("acosh", &[x]) => x.acosh(),
        ("atanh", &[x]) => x.atanh(),
        ("int", &[x]) => x.trunc(),
        ("floor", &[x]) => x.floor(),
        ("ceil", &[x]) => x.ceil(),
        ("nint", &[x]) => x.round_ties_even(),
        ("sgn" | "sign", &[x]) => f64::from(x > 0.0) - f64::from(x < 0.0),
        ("u", &[x]) => {
            if x > 0.0 {
                1.0
            } else {
                0.0
            }
        }
        ("u2", &[x]) => x.clamp(0.0, 1.0),
        ("uramp", &[x]) => x.max(0.0),
        ("db", &[x]) => 20.0 * x.abs().log10(),
        ("min", &[x, y]) => x.min(y),
        ("max", &[x, y]) => x.max(y),
        ("limit", &[x, low, high]) => x.max(low.min(high)).min(high.max(low)),
        ("pow", &[x, y]) => x.abs().powf(y),
        ("pwr", &[x, y]) => x.abs().powf(y).copysign(x),
        // The middle of a distribution: what varies is not varied.
        ("gauss" | "agauss" | "unif" | "aunif", &[x, ..]) => x,
        ("ternary_fcn" | "if", &[c, x, y]) => {
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
        Tree::parse(text)?.evaluate(&|name| match name {
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
            ("pow(-2, 2) + pwr(-2, 2)", 0.0),
        ];
        for (text, expected) in cases {
            assert_eq!(value(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn mistakes() {
        for text in ["", "1+", "b", "(1", "1 2", "sqrt(1,2)", "1/0", "foo(1)", "v(a)"] {
            assert!(value(text).is_err(), "{text}");
        }
        assert!(value(&"(".repeat(100_000)).is_err());
        assert!(value(&"-".repeat(100_000)).is_err());
        assert!(value(&"2^".repeat(100_000)).is_err());
        assert!(value(&"1+".repeat(1_000_000)).is_err());
    }

    #[test]
    fn names_are_found() {
        assert_eq!(names("2*a + sqrt(r_1) - 1e3k"), ["a", "sqrt", "r_1"]);
    }
}
