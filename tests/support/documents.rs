//! Random valid texts: tokens of a random document with random white space and comments between them.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// The tokens of a part of a text.
type Tokens = Vec<String>;

fn tokens(parts: &[&str]) -> Tokens {
    parts.iter().map(|part| part.to_string()).collect()
}

fn atom() -> impl Strategy<Value = Tokens> {
    const ATOMS: &[&str] = &[
        "0",
        "1",
        "2.5",
        ".5",
        "1.",
        "1.e-9",
        "3E+4",
        "007.50",
        "a",
        "L",
        "pi",
        "J1.q",
        "J1.q[2]",
        "Revolute:a.qd",
        "\"a-b\".q",
        "x1.2.v",
        "gr\u{f6}\u{df}e",
        "_",
    ];
    prop_oneof![3 => select(ATOMS).prop_map(|atom| tokens(&[atom])), 1 => number()]
}

fn number() -> impl Strategy<Value = Tokens> {
    any::<f64>()
        .prop_filter("numbers are finite", |number| number.is_finite())
        .prop_map(|number| tokens(&[&format!("{:e}", number.abs())]))
}

/// Tokens joined by a separator.
fn joined(parts: Vec<Tokens>, separator: &str) -> Tokens {
    let mut all = Vec::new();
    for part in parts {
        if !all.is_empty() {
            all.push(separator.to_string());
        }
        all.extend(part);
    }
    all
}

fn enclosed(open: &[&str], inside: Tokens, close: &str) -> Tokens {
    let mut all = tokens(open);
    all.extend(inside);
    all.push(close.into());
    all
}

/// An expression in which comparisons stand in parentheses only, because they cannot be chained.
pub fn expression() -> impl Strategy<Value = Tokens> {
    atom().prop_recursive(5, 40, 4, |inner| {
        let operator = select(&["+", "-", "*", "/", "^", "&&", "||"][..]);
        let comparison = select(&["<", "<=", ">", ">=", "==", "!="][..]);
        let pair = (inner.clone(), inner.clone());
        let sign = select(&["-", "+", "!"][..]);
        let function = select(&["f", "if", "sin"][..]);
        prop_oneof![
            4 => (pair.clone(), operator).prop_map(|((a, b), o)| joined(vec![a, b], o)),
            1 => (pair, comparison)
                .prop_map(|((a, b), o)| enclosed(&["("], joined(vec![a, b], o), ")")),
            2 => (sign, inner.clone()).prop_map(|(s, a)| [tokens(&[s]), a].concat()),
            1 => inner.clone().prop_map(|a| enclosed(&["("], a, ")")),
            1 => (function, vec(inner, 0..4))
                .prop_map(|(f, a)| enclosed(&[f, "("], joined(a, ","), ")")),
        ]
    })
}

/// A value: an expression, a word, a string or a list.
fn value() -> impl Strategy<Value = Tokens> {
    const WORDS: &[&str] =
        &["2link", "a--b", "+", "-", "a-b", "-a", "-1.5", "--1", "euler", "1-2", "\"w.dys\""];
    let word = select(WORDS).prop_map(|word| tokens(&[word]));
    let plain = prop_oneof![3 => word, 5 => expression()];
    plain.prop_recursive(2, 12, 5, |inner| {
        (vec(inner, 0..5), any::<bool>()).prop_map(|(members, comma)| {
            let comma = comma && !members.is_empty();
            let mut members = joined(members, ",");
            members.extend(comma.then(|| ",".to_string()));
            enclosed(&["{"], members, "}")
        })
    })
}

fn parameter() -> impl Strategy<Value = Tokens> {
    let name = select(&["x", "Mass", "CGFramePosition", "gr\u{f6}\u{df}e"][..]);
    let end = prop_oneof![20 => Just(";"), 1 => Just(";;")];
    (name, vec(value(), 1..4), end).prop_map(|(name, values, end)| {
        let mut all = enclosed(&[name, "="], joined(values, ","), ";");
        all.extend((end == ";;").then(|| ";".to_string()));
        all
    })
}

fn block() -> impl Strategy<Value = Tokens> {
    let keyword = select(&["Body", "Triad", "P"][..]);
    let name = select(&["\"b\"", "\"a-b\"", "\"1\"", "\"a.long.name-with_all\""][..]);
    (keyword, name, vec(parameter(), 0..5)).prop_map(|(keyword, name, parameters)| {
        enclosed(&[keyword, name, "{"], parameters.concat(), "}")
    })
}

/// White space and comments, or nothing: no two neighbouring tokens of a document grow together.
fn trivia() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        8 => Just(""),
        12 => Just(" "),
        6 => Just("\n"),
        1 => Just("\n\n\n"),
        2 => Just("\r\n  "),
        1 => Just("\t\u{2003} "),
        1 => Just(" /* c */ "),
        1 => Just("\n/* two\r\n   lines */"),
        1 => Just(" // trailing  \n"),
        1 => Just("\n    // own line\r\n"),
        1 => Just("  // one\n  // two\n"),
        1 => Just(" /**/ /* \" { */ // x\n"),
    ]
}

/// Random tokens with random trivia between them.
fn with_trivia(tokens: impl Strategy<Value = Tokens>) -> impl Strategy<Value = String> {
    // Trivia are drawn from a pool of fixed size, because the number of tokens is not known before.
    (tokens, vec(trivia(), 1..200)).prop_map(|(tokens, pool)| {
        let mut text = String::new();
        for (index, token) in tokens.iter().enumerate() {
            let gap = pool[index % pool.len()];
            // A division sign in front of a comment would make another comment of it.
            if text.ends_with('/') && gap.starts_with('/') {
                text.push(' ');
            }
            text.push_str(gap);
            text.push_str(token);
        }
        text.push_str(pool[tokens.len() % pool.len()]);
        text
    })
}

/// A valid text.
pub fn document() -> impl Strategy<Value = String> {
    with_trivia(vec(block(), 0..5).prop_map(|blocks| blocks.concat()))
}

/// A valid text of one block with one expression.
pub fn one_expression() -> impl Strategy<Value = String> {
    let tokens =
        expression().prop_map(|inside| enclosed(&["P", "\"p\"", "{", "x", "="], inside, ";"));
    with_trivia(tokens.prop_map(|mut all| {
        all.push("}".into());
        all
    }))
}
