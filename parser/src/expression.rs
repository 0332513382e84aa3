//! The grammar of expressions, by precedence climbing over nom's lexical parsers.
//!
//! ```text
//! expression = operand { operator operand }            weakest to strongest: || && comparison + - * / unary ^
//! operand    = number | path | indexed | function "(" [ expression { "," expression } ] ")" | "(" expression ")"
//!            | ( "-" | "+" | "!" ) operand | string
//! indexed    = path "[" expression { "," expression } "]" { ... }          brackets of digits only belong to the path
//! ```

use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::combinator::value;
use nom::error::{Error, ErrorKind};
use nom::{IResult, Parser as _};

use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::grammar::Parser;
use crate::lexical;
use crate::pieces::{Parsed, describe_next};
use crate::syntax::{BinaryOp, NodeId, NodeKind, Run, UNARY_PRECEDENCE, UnaryOp};

/// Deepest nesting of parentheses, calls, signs and powers; far beyond any formula, far below the stack.
const MAX_DEPTH: usize = 200;

/// An operator between two operands.
pub(crate) fn binary_operator(input: &str) -> IResult<&str, BinaryOp> {
    use BinaryOp as B;
    let two = |second, with, without| match input.as_bytes().get(1) {
        Some(&byte) if byte == second => Some(with),
        _ => without,
    };
    // The first character decides between all but a few.
    let operator = match input.as_bytes().first() {
        Some(b'+') => Some(B::Add),
        Some(b'-') => Some(B::Subtract),
        Some(b'*') => Some(B::Multiply),
        Some(b'/') => Some(B::Divide),
        Some(b'^') => Some(B::Power),
        Some(b'<') => two(b'=', B::LessEqual, Some(B::Less)),
        Some(b'>') => two(b'=', B::GreaterEqual, Some(B::Greater)),
        Some(b'=') => two(b'=', B::Equal, None),
        Some(b'!') => two(b'=', B::NotEqual, None),
        Some(b'&') => two(b'&', B::And, None),
        Some(b'|') => two(b'|', B::Or, None),
        _ => None,
    };
    match operator {
        Some(operator) => value(operator, tag(operator.symbol())).parse(input),
        None => Err(nom::Err::Error(Error::new(input, ErrorKind::OneOf))),
    }
}

/// An operator in front of its operand.
fn unary_operator(input: &str) -> IResult<&str, UnaryOp> {
    alt((
        value(UnaryOp::Negate, tag("-")),
        value(UnaryOp::Plus, tag("+")),
        value(UnaryOp::Not, tag("!")),
    ))
    .parse(input)
}

/// Operators of other languages and what they are called here.
fn foreign_operator(input: &str) -> Option<(&'static str, &'static str)> {
    const FOREIGN: &[(&str, &str)] = &[
        ("**", "write `a ^ b` for a power"),
        ("%", "write `mod(a, b)` for the remainder"),
        ("?", "write `if(condition, a, b)` for a choice"),
        ("&", "write `&&` for a logical and"),
        ("|", "write `||` for a logical or, `abs(x)` for a magnitude"),
        ("<>", "write `!=` for `not equal`"),
        ("=", "write `==` to compare"),
    ];
    let found = FOREIGN.iter().find(|(symbol, _)| input.starts_with(symbol))?;
    // Three foreign symbols are the beginning of an operator that exists.
    let known = ["&&", "||", "=="].iter().any(|symbol| input.starts_with(symbol));
    (!known).then_some(*found)
}

impl<'a> Parser<'a> {
    /// An expression.
    pub(crate) fn expression(&mut self, input: &'a str) -> Parsed<'a, NodeId> {
        self.binary(input, 0)
    }

    /// Operands joined by operators that bind at least as tightly as `weakest`.
    fn binary(&mut self, input: &'a str, weakest: u8) -> Parsed<'a, NodeId> {
        self.nested(input, |parser, input| {
            let (mut input, mut left) = parser.unary(input)?;
            let mut compared = false;
            loop {
                let next = parser.reader.skip(input);
                if next.starts_with([',', ';', ')', '}', ']']) || parser.ends_left_side(next) {
                    return Ok((input, left));
                }
                if let Some((symbol, help)) = foreign_operator(next) {
                    return Err(parser.foreign(next, symbol, help));
                }
                let Ok((after, operator)) = binary_operator(next) else { return Ok((input, left)) };
                if operator.precedence() < weakest {
                    return Ok((input, left));
                }
                if compared && operator.is_comparison() {
                    return Err(parser.chained(next, operator));
                }
                compared = operator.is_comparison();
                // `^` groups to the right, everything else to the left.
                let right_weakest = operator.precedence() + u8::from(operator != BinaryOp::Power);
                let operand = parser.reader.skip(after);
                let (after, right) = parser.binary(operand, right_weakest)?;
                left = parser.join(operator, left, right);
                input = after;
            }
        })
    }

    /// `a < b < c` would compare a truth value with c.
    fn chained(&mut self, at: &'a str, operator: BinaryOp) -> nom::Err<&'a str> {
        let span = self.reader.span_to(at, operator.symbol().len());
        let message = "comparisons cannot be chained";
        let help = "join two comparisons with `&&`: `a < b && b < c`";
        self.reader.report(Diagnostic::new(codes::CHAINED_COMPARISON, span, message).help(help));
        nom::Err::Failure(at)
    }

    /// A sign or `!` with its operand, or a plain operand.
    fn unary(&mut self, input: &'a str) -> Parsed<'a, NodeId> {
        let Ok((after, operator)) = unary_operator(input) else { return self.primary(input) };
        let after = self.reader.skip(after);
        let (rest, operand) = self.binary(after, UNARY_PRECEDENCE)?;
        let span = self.reader.span_between(input, rest);
        Ok((rest, self.reader.node(span, NodeKind::Unary(operator, operand))))
    }

    /// An operand without operators.
    fn primary(&mut self, input: &'a str) -> Parsed<'a, NodeId> {
        if let Ok((rest, text)) = lexical::number(input) {
            return self.number(input, rest, text);
        }
        if let Ok((rest, _)) = lexical::path(input) {
            return match rest.starts_with('[') {
                true => self.indexed(input, rest),
                false => self.name_or_call(input, rest),
            };
        }
        if input.starts_with('"') {
            let (rest, span) = self.reader.quoted(input)?;
            return Ok((rest, self.reader.node(span, NodeKind::Text)));
        }
        if let Some(after) = input.strip_prefix('(') {
            return self.parenthesis(input, after);
        }
        Err(self.missing_operand(input))
    }

    /// A number literal, which must be finite and must not run into a name.
    pub(crate) fn number(
        &mut self,
        input: &'a str,
        rest: &'a str,
        text: &str,
    ) -> Parsed<'a, NodeId> {
        let span = self.reader.span_between(input, rest);
        if rest.starts_with(|c| lexical::is_identifier_part(c) || c == '.') {
            let tail = rest.find(|c| !lexical::is_name_character(c)).unwrap_or(rest.len());
            let whole = self.reader.span_to(input, text.len() + tail);
            let message = format!("`{}` is not a number", self.reader.text(whole));
            let help = lexical::number_help(self.reader.text(whole));
            self.reader.report(Diagnostic::new(codes::BAD_NUMBER, whole, message).maybe_help(help));
            return Err(nom::Err::Failure(rest));
        }
        let number = text.parse::<f64>().unwrap_or(f64::INFINITY);
        if !number.is_finite() {
            let message = "this number is too large to represent";
            let help = "the largest number is about 1.8e308";
            self.reader.report(Diagnostic::new(codes::NUMBER_OVERFLOW, span, message).help(help));
        }
        Ok((rest, self.reader.node(span, NodeKind::Number(number))))
    }

    /// A path, or a function with its arguments.
    fn name_or_call(&mut self, input: &'a str, rest: &'a str) -> Parsed<'a, NodeId> {
        let name = self.reader.span_between(input, rest);
        let next = self.reader.skip(rest);
        let Some(inside) = next.strip_prefix('(') else {
            return Ok((rest, self.reader.node(name, NodeKind::Name)));
        };
        let Ok(name_len) = u16::try_from(name.len()) else {
            let message = "this function name is too long";
            self.reader.report(Diagnostic::new(codes::UNEXPECTED, name, message));
            return Err(nom::Err::Failure(next));
        };
        let (rest, arguments) = self.arguments(next, inside)?;
        let span = self.reader.span_between(input, rest);
        Ok((rest, self.reader.node(span, NodeKind::Call { name_len, arguments })))
    }

    /// A path with expressions in its brackets; `rest` begins with the first of these brackets.
    fn indexed(&mut self, input: &'a str, rest: &'a str) -> Parsed<'a, NodeId> {
        let (rest, indices) = self.brackets(rest)?;
        let span = self.reader.span_between(input, rest);
        Ok((rest, self.reader.node(span, NodeKind::Indexed(indices))))
    }

    /// `"[" expression { "," expression } "]"` with the path behind it, as often as it follows: all expressions.
    pub(crate) fn brackets(&mut self, input: &'a str) -> Parsed<'a, Run> {
        let first = self.reader.open_run();
        let mut input = input;
        while let Some(inside) = input.strip_prefix('[') {
            let (rest, ()) = self.bracket(input, inside)?;
            input = lexical::tail(rest).map_or(rest, |(rest, _)| rest);
        }
        Ok((input, self.reader.close_run(first)))
    }

    /// `expression { "," expression } "]"`; the expressions become members of the open run.
    fn bracket(&mut self, open: &'a str, inside: &'a str) -> Parsed<'a, ()> {
        let mut input = self.reader.skip(inside);
        loop {
            let (after, index) = self.expression(input)?;
            self.reader.push_member(index);
            let next = self.reader.skip(after);
            if let Some(rest) = next.strip_prefix(']') {
                return Ok((rest, ()));
            }
            let Some(rest) = next.strip_prefix(',') else {
                let message = format!("expected `,` or `]`, found {}", describe_next(next));
                let here = self.reader.next_span(next);
                let open = self.reader.span_to(open, 1);
                let mistake = Diagnostic::new(codes::UNCLOSED_BRACKET, here, message);
                self.reader.report(mistake.also(open, "opened here"));
                return Err(nom::Err::Failure(next));
            };
            input = self.reader.skip(rest);
        }
    }

    /// Whether this is the equals sign behind the left side of an equation.
    fn ends_left_side(&self, next: &str) -> bool {
        self.is_left_side && next.starts_with('=') && !next.starts_with("==")
    }

    /// `expression { "," expression } ")"` or `")"` alone.
    fn arguments(&mut self, open: &'a str, inside: &'a str) -> Parsed<'a, Run> {
        let first = self.reader.open_run();
        let mut input = self.reader.skip(inside);
        if let Some(rest) = input.strip_prefix(')') {
            return Ok((rest, self.reader.close_run(first)));
        }
        loop {
            let (after, argument) = self.expression(input)?;
            self.reader.push_member(argument);
            let next = self.reader.skip(after);
            if let Some(rest) = next.strip_prefix(')') {
                return Ok((rest, self.reader.close_run(first)));
            }
            let Some(rest) = next.strip_prefix(',') else { return Err(self.unclosed(open, next)) };
            input = self.reader.skip(rest);
        }
    }

    /// `"(" expression ")"`
    fn parenthesis(&mut self, open: &'a str, inside: &'a str) -> Parsed<'a, NodeId> {
        let inside = self.reader.skip(inside);
        let (after, inner) = self.expression(inside)?;
        let next = self.reader.skip(after);
        let Some(rest) = next.strip_prefix(')') else { return Err(self.unclosed(open, next)) };
        let span = self.reader.span_between(open, rest);
        Ok((rest, self.reader.node(span, NodeKind::Parenthesis(inner))))
    }

    fn unclosed(&mut self, open: &'a str, at: &'a str) -> nom::Err<&'a str> {
        let message = format!("expected `)`, found {}", describe_next(at));
        let here = self.reader.span_to(at, 0);
        let open = self.reader.span_to(open, 1);
        self.reader.report(
            Diagnostic::new(codes::UNCLOSED_PARENTHESIS, here, message).also(open, "opened here"),
        );
        nom::Err::Failure(at)
    }

    fn missing_operand(&mut self, at: &'a str) -> nom::Err<&'a str> {
        let found = describe_next(at);
        let first = at.chars().next();
        let span = self.reader.next_span(at);
        let help = first
            .and_then(lexical::look_alike)
            .map(|ascii| format!("type the plain character `{ascii}` instead"));
        let message = format!("expected a number, a name or `(`, found {found}");
        self.reader
            .report(Diagnostic::new(codes::EXPECTED_OPERAND, span, message).maybe_help(help));
        nom::Err::Failure(at)
    }

    fn foreign(&mut self, at: &'a str, symbol: &str, help: &str) -> nom::Err<&'a str> {
        let span = self.reader.span_to(at, symbol.len());
        let message = format!("there is no operator `{symbol}`");
        self.reader.report(Diagnostic::new(codes::UNKNOWN_OPERATOR, span, message).help(help));
        nom::Err::Failure(at)
    }

    fn join(&mut self, operator: BinaryOp, left: NodeId, right: NodeId) -> NodeId {
        let span = self.reader.document.node(left).span.to(self.reader.document.node(right).span);
        self.reader.node(span, NodeKind::Binary(operator, left, right))
    }

    /// Runs a production one level deeper, unless that is too deep.
    pub(crate) fn nested<T>(
        &mut self,
        input: &'a str,
        production: impl FnOnce(&mut Self, &'a str) -> Parsed<'a, T>,
    ) -> Parsed<'a, T> {
        if self.depth >= MAX_DEPTH {
            let message = format!("this is nested deeper than {MAX_DEPTH} levels");
            let span = self.reader.span_to(input, input.chars().next().map_or(0, char::len_utf8));
            let help = match input.starts_with('{') {
                true => "a list has no inner braces",
                false => "split it with an entry in a `Parameters` block",
            };
            self.reader.report(Diagnostic::new(codes::TOO_DEEP, span, message).help(help));
            return Err(nom::Err::Failure(input));
        }
        self.depth += 1;
        let result = production(self, input);
        self.depth -= 1;
        result
    }
}

#[cfg(test)]
mod tests {
    use crate::source::{Source, Sources};
    use crate::syntax::{Document, NodeId, NodeKind};

    /// Parses one parameter with the value and gives the tree with every operation in brackets.
    fn tree(value: &str) -> Result<String, Vec<&'static str>> {
        let mut sources = Sources::default();
        sources.add("m.dys", format!("P \"p\" {{ x = {value}; }}")).unwrap();
        let source = &sources.all()[0];
        let parsed = crate::parse(source);
        let codes: Vec<_> = parsed.diagnostics.iter().map(|d| d.code.id()).collect();
        if !codes.is_empty() {
            return Err(codes);
        }
        let document = &parsed.document;
        let values = document.values(&document.parameters(&document.blocks()[0])[0]);
        let values: Vec<_> = values.iter().map(|&id| bracketed(source, document, id)).collect();
        Ok(values.join(", "))
    }

    fn bracketed(source: &Source, document: &Document, id: NodeId) -> String {
        let node = document.node(id);
        let text = &source.text()[node.span.start as usize..node.span.end as usize];
        let of = |id| bracketed(source, document, id);
        match node.kind {
            NodeKind::Parenthesis(inner) => of(inner),
            NodeKind::Unary(operator, x) => format!("[{}{}]", operator.symbol(), of(x)),
            NodeKind::Binary(operator, a, b) => {
                format!("[{} {} {}]", of(a), operator.symbol(), of(b))
            }
            NodeKind::Call { name_len, arguments } => {
                let arguments: Vec<_> =
                    document.members(arguments).iter().map(|&id| of(id)).collect();
                format!("{}({})", &text[..usize::from(name_len)], arguments.join(", "))
            }
            NodeKind::List(run) => {
                let members: Vec<_> = document.members(run).iter().map(|&id| of(id)).collect();
                format!("{{{}}}", members.join(", "))
            }
            NodeKind::Indexed(run) => {
                let indices: Vec<_> = document.members(run).iter().map(|&id| of(id)).collect();
                format!("{text}<{}>", indices.join(", "))
            }
            NodeKind::Number(_) | NodeKind::Name | NodeKind::Word | NodeKind::Text => text.into(),
        }
    }

    #[test]
    fn operators_bind_as_in_mathematics() {
        let cases = [
            ("-2^2", "[-[2 ^ 2]]"),
            ("2^-1", "[2 ^ [-1]]"),
            ("2^-1*3", "[[2 ^ [-1]] * 3]"),
            ("2^3^2", "[2 ^ [3 ^ 2]]"),
            ("2^-3^2", "[2 ^ [-[3 ^ 2]]]"),
            ("!a && b", "[[!a] && b]"),
            ("!a < b", "[[!a] < b]"),
            ("a - b - c", "[[a - b] - c]"),
            ("a-b-c", "[[a - b] - c]"),
            ("a/b/c*d", "[[[a / b] / c] * d]"),
            ("a - -b", "[a - [-b]]"),
            ("-a*b", "[[-a] * b]"),
            ("a + b*c^d", "[a + [b * [c ^ d]]]"),
            ("a || b && c", "[a || [b && c]]"),
            ("a && b || c", "[[a && b] || c]"),
            ("a < b && c >= d", "[[a < b] && [c >= d]]"),
            ("a + 1 == b - 1", "[[a + 1] == [b - 1]]"),
            ("(a + b)*c", "[[a + b] * c]"),
            ("if(a < b, -1, f())", "if([a < b], [-1], f())"),
            ("--a + +b", "[[-[-a]] + [+b]]"),
            ("2*\"a-b\".q[3] - Revolute:j.qd", "[[2 * \"a-b\".q[3]] - Revolute:j.qd]"),
            ("cell[1,2].v - a[3].b[4].q[5]", "[cell[1,2].v - a[3].b[4].q[5]]"),
            ("link[i-1]", "link[i-1]<[i - 1]>"),
            ("2*a[1].b[2*i, j].q[k]^2", "[2 * [a[1].b[2*i, j].q[k]<[2 * i], j, k> ^ 2]]"),
            ("x[size(x)]", "x[size(x)]<size(x)>"),
            ("x[y[i]]", "x[y[i]]<y[i]<i>>"),
        ];
        for (text, expected) in cases {
            assert_eq!(tree(text), Ok(expected.into()), "{text}");
        }
    }

    #[test]
    fn a_sign_is_a_word_wherever_a_value_may_end() {
        assert_eq!(tree("+, -"), Ok("+, -".into()));
        assert_eq!(tree("{ +, - }"), Ok("{+, -}".into()));
        assert_eq!(tree("{ -, + }"), Ok("{-, +}".into()));
        assert_eq!(tree("{ +/* up */ }"), Ok("{+}".into()));
    }

    #[test]
    fn mistakes_in_expressions_have_their_codes() {
        let cases: &[(&str, &[&str])] = &[
            ("a +", &["P015"]),
            ("a + * b", &["P015"]),
            ("* a", &["P015"]),
            ("(a + b", &["P014"]),
            ("f(a, b", &["P014"]),
            ("f(a,)", &["P015"]),
            ("a)", &["P025"]),
            ("2 m + 1", &["P024"]),
            ("(2m)", &["P017"]),
            ("(1.2.3)", &["P017"]),
            ("1e999", &["P016"]),
            ("a < b < c", &["P019"]),
            ("a < b == c", &["P019"]),
            ("a ** b", &["P023"]),
            ("a % b", &["P023"]),
            ("a & b", &["P023"]),
            ("a = b", &["P023"]),
            ("a <> b", &["P023"]),
            ("2 \u{d7} 3", &["P024"]),
            ("{ 1, 2", &["P013"]),
            ("{ 1 2 }", &["P013"]),
            ("x[i", &["P026"]),
            ("x[i) + 1", &["P026"]),
            ("1 + x[]", &["P015"]),
        ];
        for (text, codes) in cases {
            assert_eq!(tree(text), Err(codes.to_vec()), "{text}");
        }
    }

    #[test]
    fn nesting_is_bounded_and_width_is_not() {
        let nested = |open: &str, close: &str, n| {
            tree(&format!("0*{}1{}", open.repeat(n), close.repeat(n))).map(|_| ())
        };
        for (open, close) in [("(", ")"), ("f(", ")"), ("-", ""), ("2^", "")] {
            assert_eq!(nested(open, close, 150), Ok(()), "{open}");
            assert_eq!(nested(open, close, 100_000), Err(vec!["P018"]), "{open}");
        }
        let lists = |n| tree(&format!("{}1{}", "{".repeat(n), "}".repeat(n))).map(|_| ());
        assert_eq!(lists(150), Ok(()));
        assert_eq!(lists(100_000), Err(vec!["P018"]));
    }

    #[test]
    fn a_chain_of_a_million_terms_is_read_without_recursion() {
        for (term, count) in [("a*2 + ", 2_000_000), ("a-", 1_000_000)] {
            let text = format!("P \"p\" {{ x = {}1; }}", term.repeat(1_000_000));
            let mut sources = Sources::default();
            sources.add("m.dys", text).unwrap();
            let parsed = crate::parse(&sources.all()[0]);
            assert_eq!(parsed.diagnostics.errors(), 0);
            let nodes = parsed.document.nodes.iter();
            assert_eq!(nodes.filter(|n| matches!(n.kind, NodeKind::Binary(..))).count(), count);
        }
    }
}
