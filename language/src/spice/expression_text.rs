//! Expressions of a netlist as time expressions of a `.dys` file.

use std::collections::HashMap;

use super::block::digits;
use super::expression::{Node, Tree};

/// A written expression may be this long.
const MAX_LENGTH: usize = 1_000_000;
/// Functions of the netlist may use each other this deep.
const MAX_NESTING: usize = 40;

/// `.func name(arguments) = body`
#[derive(Clone, Debug)]
pub struct Function {
    pub arguments: Vec<String>,
    pub body: Tree,
}

/// What an expression refers to.
pub trait Surroundings {
    /// The value of a parameter.
    fn value_of(&self, name: &str) -> Option<f64>;
    /// A voltage between nodes or the current of an element.
    fn quantity(&mut self, letter: char, names: &[String]) -> Result<String, String>;
}

/// Writes the functions of a netlist out.
pub fn expand(tree: &Tree, functions: &HashMap<String, Function>) -> Result<Tree, String> {
    let mut expanded = Tree::default();
    copy(tree, functions, &HashMap::new(), &mut expanded, 0)?;
    Ok(expanded)
}

/// Copies a tree behind the nodes that are there, with the arguments of the function it belongs to; the number of the whole.
fn copy(
    tree: &Tree,
    functions: &HashMap<String, Function>,
    arguments: &HashMap<&str, usize>,
    to: &mut Tree,
    depth: usize,
) -> Result<usize, String> {
    if depth > MAX_NESTING {
        return Err("functions use each other too deeply".into());
    }
    let mut places = Vec::with_capacity(tree.nodes.len());
    for node in &tree.nodes {
        let at = |k: &usize| places[*k];
        let place = match node {
            Node::Name(name) if arguments.contains_key(name.as_str()) => arguments[name.as_str()],
            Node::Call(name, given) if functions.contains_key(name) => {
                let function = &functions[name];
                if function.arguments.len() != given.len() {
                    let count = function.arguments.len();
                    return Err(format!("`{name}` is a function of {count} numbers"));
                }
                let names = function.arguments.iter().map(String::as_str);
                let inner = names.zip(given.iter().map(at)).collect();
                copy(&function.body, functions, &inner, to, depth + 1)?
            }
            Node::Negate(a) => to.push(Node::Negate(at(a)))?,
            Node::Not(a) => to.push(Node::Not(at(a)))?,
            Node::Binary(operator, a, b) => to.push(Node::Binary(operator, at(a), at(b)))?,
            Node::Choice(c, a, b) => to.push(Node::Choice(at(c), at(a), at(b)))?,
            Node::Call(name, given) => {
                to.push(Node::Call(name.clone(), given.iter().map(at).collect()))?
            }
            leaf => to.push(leaf.clone())?,
        };
        places.push(place);
    }
    let root = places.last().copied().unwrap_or(0);
    // The whole stands last, also where it is an argument.
    if depth == 0 && root != to.root() {
        let zero = to.push(Node::Number(0.0))?;
        return to.push(Node::Binary("+", root, zero));
    }
    Ok(root)
}

/// How tightly a text holds together.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Tightness {
    Condition,
    Sum,
    Product,
    Power,
    Whole,
}

struct Piece {
    text: String,
    tightness: Tightness,
    /// Is it a comparison, or made of such?
    is_condition: bool,
}

impl Piece {
    fn new(text: String, tightness: Tightness) -> Self {
        Self { text, tightness, is_condition: false }
    }

    fn condition(text: String) -> Self {
        Self { text, tightness: Tightness::Condition, is_condition: true }
    }

    /// The text where at least this tightness is needed.
    fn at(&self, least: Tightness) -> String {
        if self.is_condition {
            return format!("if({}, 1, 0)", self.text);
        }
        if self.tightness >= least { self.text.clone() } else { format!("({})", self.text) }
    }

    /// The text as a condition.
    fn as_condition(&self) -> String {
        if self.is_condition { self.text.clone() } else { format!("abs({}) > 0", self.text) }
    }
}

/// A tree as a text.
pub fn write(tree: &Tree, around: &mut dyn Surroundings) -> Result<String, String> {
    let values = tree.values(&|name| around.value_of(name));
    let mut pieces: Vec<Piece> = Vec::with_capacity(tree.nodes.len());
    let mut length = 0;
    for (node, value) in tree.nodes.iter().zip(values) {
        let piece = match value {
            Ok(value) if value.is_finite() => number(value),
            Ok(_) => return Err("a value is not finite".into()),
            Err(_) => piece(node, &pieces, around)?,
        };
        length += piece.text.len();
        if length > 100 * MAX_LENGTH || piece.text.len() > MAX_LENGTH {
            return Err("the expression is too long".into());
        }
        pieces.push(piece);
    }
    pieces
        .last()
        .map(|piece| piece.at(Tightness::Condition))
        .ok_or_else(|| "nothing is written".into())
}

fn number(value: f64) -> Piece {
    let tightness = if value < 0.0 { Tightness::Sum } else { Tightness::Whole };
    Piece::new(digits(value), tightness)
}

fn piece(node: &Node, pieces: &[Piece], around: &mut dyn Surroundings) -> Result<Piece, String> {
    use Tightness::{Condition, Power, Product, Sum, Whole};
    Ok(match node {
        Node::Number(value) => number(*value),
        Node::Name(name) => match name.as_str() {
            "time" => Piece::new("t".into(), Whole),
            _ => return Err(format!("the parameter `{name}` does not exist")),
        },
        Node::Quantity(letter, names) => {
            let text = around.quantity(*letter, names)?;
            let tightness = if text.contains(" - ") { Sum } else { Whole };
            Piece::new(text, tightness)
        }
        Node::Negate(a) => Piece::new(format!("-{}", pieces[*a].at(Product)), Sum),
        Node::Not(a) => Piece::condition(format!("!({})", pieces[*a].as_condition())),
        Node::Choice(c, a, b) => {
            let (yes, no) = (pieces[*a].at(Condition), pieces[*b].at(Condition));
            Piece::new(format!("if({}, {yes}, {no})", pieces[*c].as_condition()), Whole)
        }
        Node::Binary(operator, a, b) => {
            let (a, b) = (&pieces[*a], &pieces[*b]);
            match *operator {
                "+" => Piece::new(format!("{} + {}", a.at(Sum), b.at(Product)), Sum),
                "-" => Piece::new(format!("{} - {}", a.at(Sum), b.at(Product)), Sum),
                "*" => Piece::new(format!("{}*{}", a.at(Product), b.at(Power)), Product),
                "/" => Piece::new(format!("{}/{}", a.at(Product), b.at(Power)), Product),
                "%" => Piece::new(format!("mod({}, {})", a.at(Condition), b.at(Condition)), Whole),
                "^" => power(a, b),
                "&&" | "&" | "||" | "|" => {
                    let word = if operator.starts_with('&') { "&&" } else { "||" };
                    Piece::condition(format!(
                        "({}) {word} ({})",
                        a.as_condition(),
                        b.as_condition()
                    ))
                }
                "\\" => return Err("`\\` is not translated".into()),
                other => {
                    let word = if other == "<>" { "!=" } else { other };
                    Piece::condition(format!("{} {word} {}", a.at(Sum), b.at(Sum)))
                }
            }
        }
        Node::Call(name, arguments) => {
            let arguments: Vec<&Piece> = arguments.iter().map(|&k| &pieces[k]).collect();
            Piece::new(format!("({})", call(name, &arguments)?), Whole)
        }
    })
}

/// ngspice takes the magnitude of the base; an even exponent needs none.
fn power(base: &Piece, exponent: &Piece) -> Piece {
    let is_even = exponent.text.parse::<f64>().is_ok_and(|exponent| exponent % 2.0 == 0.0);
    let base = if is_even {
        base.at(Tightness::Whole)
    } else {
        format!("abs({})", base.at(Tightness::Condition))
    };
    Piece::new(format!("{base}^{}", exponent.at(Tightness::Whole)), Tightness::Power)
}

/// A function of SPICE as functions of the language.
fn call(name: &str, arguments: &[&Piece]) -> Result<String, String> {
    use Tightness::{Condition, Product, Whole};
    let text = |k: usize| arguments[k].at(Condition);
    let known = [
        "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp",
        "log10", "sqrt", "abs", "min", "max", "floor", "ceil",
    ];
    Ok(match (name, arguments.len()) {
        (_, 1) if known.contains(&name) => format!("{name}({})", text(0)),
        ("min" | "max" | "atan2", 2) => format!("{name}({}, {})", text(0), text(1)),
        ("ln" | "log", 1) => format!("log({})", text(0)),
        ("arctan", 1) => format!("atan({})", text(0)),
        ("sgn" | "sign", 1) => format!("sign({})", text(0)),
        ("sqr", 1) => format!("{}^2", arguments[0].at(Whole)),
        ("u", 1) => format!("if({} > 0, 1, 0)", text(0)),
        ("u2", 1) => format!("clamp({}, 0, 1)", text(0)),
        ("uramp", 1) => format!("max({}, 0)", text(0)),
        ("asinh", 1) => {
            format!("sign({0})*log(abs({0}) + sqrt({1}^2 + 1))", text(0), arguments[0].at(Whole))
        }
        ("acosh", 1) => format!("log({0} + sqrt({1}^2 - 1))", text(0), arguments[0].at(Whole)),
        ("atanh", 1) => format!("0.5*log((1 + {0})/(1 - {0}))", arguments[0].at(Product)),
        ("int", 1) => format!("if({0} < 0, ceil({0}), floor({0}))", text(0)),
        ("nint", 1) => format!("floor({} + 0.5)", text(0)),
        ("pow", 2) => power(arguments[0], arguments[1]).text,
        ("pwr", 2) => format!("sign({0})*abs({0})^{1}", text(0), arguments[1].at(Whole)),
        ("limit", 3) => format!("clamp({}, {}, {})", text(0), text(1), text(2)),
        ("ternary_fcn" | "if", 3) => {
            format!("if({}, {}, {})", arguments[0].as_condition(), text(1), text(2))
        }
        ("pwl", count) if count >= 5 && count % 2 == 1 => table(arguments)?,
        _ => {
            return Err(format!(
                "the function `{name}` of {} values is not translated",
                arguments.len()
            ));
        }
    })
}

/// `pwl(x, x1, y1, ...)`: straight lines between points, which go on at both ends.
fn table(arguments: &[&Piece]) -> Result<String, String> {
    let numbers: Result<Vec<f64>, String> = arguments[1..]
        .iter()
        .map(|piece| {
            piece.text.parse().map_err(|_| "the points of `pwl` must be numbers".to_string())
        })
        .collect();
    let numbers = numbers?;
    let points: Vec<(f64, f64)> = numbers.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
    piecewise(&arguments[0].at(Tightness::Product), &points, true)
        .ok_or_else(|| "the points of `pwl` must be in order".into())
}

/// Straight lines between points as choices; beyond the ends they go on, or stay. The choices halve the list, so that their
/// depth grows with the logarithm of its length only.
pub fn piecewise(x: &str, points: &[(f64, f64)], goes_on: bool) -> Option<String> {
    if points.windows(2).any(|pair| pair[0].0 >= pair[1].0) || points.is_empty() {
        return None;
    }
    let (first, last) = (points[0], points[points.len() - 1]);
    let inner = segments(x, points);
    if goes_on || points.len() == 1 {
        return Some(inner);
    }
    Some(format!(
        "if({x} < {}, {}, if({x} > {}, {}, {inner}))",
        digits(first.0),
        digits(first.1),
        digits(last.0),
        digits(last.1)
    ))
}

fn segments(x: &str, points: &[(f64, f64)]) -> String {
    match points {
        [] => "0".into(),
        [only] => digits(only.1),
        [a, b] => {
            let slope = (b.1 - a.1) / (b.0 - a.0);
            let offset = a.1 - slope * a.0;
            format!(
                "({}*{x} {} {})",
                digits(slope),
                if offset < 0.0 { '-' } else { '+' },
                digits(offset.abs())
            )
        }
        _ => {
            let middle = points.len() / 2;
            let (left, right) = (segments(x, &points[..=middle]), segments(x, &points[middle..]));
            format!("if({x} < {}, {left}, {right})", digits(points[middle].0))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Around;

    impl Surroundings for Around {
        fn value_of(&self, name: &str) -> Option<f64> {
            (name == "k").then_some(2.0)
        }

        fn quantity(&mut self, letter: char, names: &[String]) -> Result<String, String> {
            Ok(match names {
                [a, b] => format!("{a}.v - {b}.v"),
                _ => format!("{}.{letter}", names[0]),
            })
        }
    }

    fn text(expression: &str) -> Result<String, String> {
        write(&Tree::parse(expression)?, &mut Around)
    }

    #[test]
    fn expressions_read_well() {
        let cases = [
            ("k*v(a)", "2*a.v"),
            ("v(a,b)*k", "(a.v - b.v)*2"),
            ("-(v(a)+1)^2", "-(a.v + 1)^2"),
            ("v(a)^3", "abs(a.v)^3"),
            ("v(a)>1 ? i(v1) : -k", "if(a.v > 1, v1.i, -2)"),
            ("(v(a)>1)*5", "if(a.v > 1, 1, 0)*5"),
            ("v(a) - (v(b) - k*time)", "a.v - (b.v - 2*t)"),
            ("1 + k/4", "1.5"),
        ];
        for (expression, expected) in cases {
            assert_eq!(text(expression).as_deref(), Ok(expected), "{expression}");
        }
        assert!(text("ddt(v(a))").is_err() && text("v(a)*x").is_err());
    }

    #[test]
    fn functions_are_written_out() {
        let function =
            Function { arguments: vec!["x".into()], body: Tree::parse("x*x+k").unwrap() };
        let itself = Function { arguments: vec!["x".into()], body: Tree::parse("g(x)").unwrap() };
        let functions = HashMap::from([("f".to_string(), function), ("g".to_string(), itself)]);
        let tree = expand(&Tree::parse("f(v(a)+1)").unwrap(), &functions).unwrap();
        assert_eq!(write(&tree, &mut Around).unwrap(), "(a.v + 1)*(a.v + 1) + 2");
        assert!(expand(&Tree::parse("g(1)").unwrap(), &functions).is_err());
    }
}
